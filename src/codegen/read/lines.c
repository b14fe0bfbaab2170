// The file's lines: a table of first words. A line that cannot be read is told and left out; the
// lines below it are read all the same.
#include "base/utf8.h"
#include "codegen/codegen_internal.h"

#include <string.h>

enum { MAX_INDEXES = 20, MAX_LOCALS = 5 };

static const od_str none = {NULL, 0};

struct reader {
    struct od_codegen_file *file;
    struct od_codegen_table *table;   // NULL: none yet
    struct od_codegen_entity *entity; // NULL: the table's own lines
    const char *skips_to;             // a line could not be read, and what belongs to it is left
                                      // out: up to the next "table", or "entity"; or NULL
};

// --- Tables -------------------------------------------------------------------------------------

static bool read_key_type(struct od_codegen_line *line, enum od_codegen_type *out)
{
    static const struct {
        od_str word;
        enum od_codegen_type type;
    } rows[] = {
        {OD_STR_INIT("string"), OD_CODEGEN_STRING},
        {OD_STR_INIT("number"), OD_CODEGEN_DECIMAL},
        {OD_STR_INIT("bytes"), OD_CODEGEN_BYTES},
    };
    struct od_codegen_word word;
    if (!od_codegen_expect(line, "string, number or bytes", &word)) {
        return false;
    }
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        if (od_str_eq(rows[i].word, word.text)) {
            *out = rows[i].type;
            return true;
        }
    }
    od_codegen_report(line->file, word.at, OD_CODEGEN_UNKNOWN_TYPE,
                      od_codegen_show(line->file, word.text),
                      OD_STR("string, number and bytes for keys"), none);
    line->broken = true;
    return false;
}

static bool read_attribute(struct od_codegen_line *line, struct od_codegen_word *attribute,
                           enum od_codegen_type *type)
{
    return od_codegen_expect_name(line, "an attribute", attribute) && read_key_type(line, type);
}

static bool is_unset(struct od_codegen_line *line, const struct od_codegen_word *word,
                     struct od_codegen_place at, const char *what)
{
    if (word->text.ptr == NULL) {
        return true;
    }
    od_codegen_report(line->file, at, OD_CODEGEN_SETTING_TWICE, od_cstr(what),
                      od_codegen_number(line->file, word->at.line), none);
    line->broken = true;
    return false;
}

static void read_partition(struct od_codegen_line *line, struct reader *reader)
{
    struct od_codegen_table_key *key = reader->table->keys;
    if (is_unset(line, &key->partition, od_codegen_line_place(line), "the partition")) {
        (void)read_attribute(line, &key->partition, &key->partition_type);
    }
}

static void read_sort(struct od_codegen_line *line, struct reader *reader)
{
    struct od_codegen_table_key *key = reader->table->keys;
    if (is_unset(line, &key->sort, od_codegen_line_place(line), "the sort key")) {
        (void)read_attribute(line, &key->sort, &key->sort_type);
    }
}

static void read_discriminator(struct od_codegen_line *line, struct reader *reader)
{
    struct od_codegen_word *word = &reader->table->discriminator;
    if (is_unset(line, word, od_codegen_line_place(line), "the discriminator")) {
        (void)od_codegen_expect_name(line, "an attribute", word);
    }
}

static struct od_codegen_table_key *add_key(struct od_codegen_table *table,
                                            struct od_codegen_word index)
{
    struct od_codegen_table_key *key = od_new(table->file->arena, struct od_codegen_table_key);
    key->index = index;
    key->stem = index.text.ptr == NULL
                    ? OD_STR("")
                    : od_arena_printf(table->file->arena, "%.*s_",
                                      OD_STR_ARG(od_codegen_snake(table->file->arena, index.text)));
    *table->keys_end = key;
    table->keys_end = &key->next;
    table->key_count++;
    return key;
}

static size_t count_indexes(const struct od_codegen_table *table, bool local)
{
    size_t count = 0;
    for (const struct od_codegen_table_key *key = table->keys->next; key != NULL; key = key->next) {
        count += key->local == local;
    }
    return count;
}

static bool is_few(struct od_codegen_line *line, struct od_codegen_place at, size_t count,
                   size_t max, const char *what)
{
    if (count < max) {
        return true;
    }
    od_codegen_report(line->file, at, OD_CODEGEN_TOO_MANY, od_codegen_number(line->file, max),
                      od_cstr(what), none);
    line->broken = true;
    return false;
}

static void read_index(struct od_codegen_line *line, struct reader *reader)
{
    struct od_codegen_table *table = reader->table;
    struct od_codegen_word name;
    if (!od_codegen_expect_name(line, "an index", &name) ||
        !is_few(line, name.at, count_indexes(table, false), MAX_INDEXES, "indexes of a table")) {
        return;
    }
    struct od_codegen_table_key *key = add_key(table, name);
    if (!od_codegen_expect_word(line, "partition") ||
        !read_attribute(line, &key->partition, &key->partition_type)) {
        return;
    }
    if (od_codegen_accept(line, "sort") && !read_attribute(line, &key->sort, &key->sort_type)) {
        return;
    }
    key->keys_only = od_codegen_accept(line, "keys_only");
}

static void read_local(struct od_codegen_line *line, struct reader *reader)
{
    struct od_codegen_table *table = reader->table;
    struct od_codegen_word name;
    if (!od_codegen_expect_name(line, "a local index", &name) ||
        !is_few(line, name.at, count_indexes(table, true), MAX_LOCALS,
                "local indexes of a table")) {
        return;
    }
    struct od_codegen_table_key *key = add_key(table, name);
    key->local = true;
    if (od_codegen_expect_word(line, "sort") && read_attribute(line, &key->sort, &key->sort_type)) {
        key->keys_only = od_codegen_accept(line, "keys_only");
    }
}

static void read_table(struct od_codegen_line *line, struct reader *reader)
{
    struct od_codegen_file *file = reader->file;
    struct od_codegen_word name;
    struct od_codegen_word real_name;
    reader->entity = NULL;
    reader->skips_to = "table";
    if (!od_codegen_expect_identifier(line, "a table", &name) ||
        !is_few(line, name.at, file->table_count, OD_CODEGEN_MAX_TABLES, "tables in a file")) {
        return;
    }
    bool has_real_name = od_codegen_next_word(line, &real_name);
    struct od_codegen_table *table = od_new(file->arena, struct od_codegen_table);
    *table = (struct od_codegen_table){
        .file = file,
        .name = name,
        .real_name = has_real_name ? real_name : name,
        .prefix = od_codegen_snake(file->arena, name.text),
        .keys_end = &table->keys,
        .entities_end = &table->entities,
    };
    (void)add_key(table, (struct od_codegen_word){.text = none});
    *file->tables_end = table;
    file->tables_end = &table->next;
    file->table_count++;
    reader->table = table;
    reader->skips_to = NULL;
}

static void read_table_allow(struct od_codegen_line *line, struct reader *reader)
{
    od_codegen_read_allow(line, &reader->table->allowed);
}

// --- Entities -----------------------------------------------------------------------------------

static void read_entity(struct od_codegen_line *line, struct reader *reader)
{
    struct od_codegen_table *table = reader->table;
    od_arena *arena = reader->file->arena;
    struct od_codegen_word name;
    struct od_codegen_word discriminator;
    reader->skips_to = "entity";
    if (!od_codegen_expect_identifier(line, "an entity", &name) ||
        !is_few(line, name.at, table->entity_count, OD_CODEGEN_MAX_ENTITIES,
                "entities of a table")) {
        return;
    }
    bool has_discriminator = od_codegen_next_word(line, &discriminator);
    struct od_codegen_entity *entity = od_new(arena, struct od_codegen_entity);
    *entity = (struct od_codegen_entity){
        .table = table,
        .name = name,
        .discriminator = has_discriminator ? discriminator : name,
        .member = od_codegen_member(arena, name.text),
        .fields_end = &entity->fields,
        .keys_end = &entity->keys,
    };
    entity->prefix = od_arena_printf(arena, "%.*s_%.*s", OD_STR_ARG(table->prefix),
                                     OD_STR_ARG(od_codegen_snake(arena, name.text)));
    od_codegen_add_key(reader->file, entity, (struct od_codegen_word){.text = none});
    *table->entities_end = entity;
    table->entities_end = &entity->next;
    table->entity_count++;
    reader->entity = entity;
    reader->skips_to = NULL;
}

static void read_entity_partition(struct od_codegen_line *line, struct reader *reader)
{
    od_codegen_read_entity_partition(line, reader->entity);
}

static void read_entity_sort(struct od_codegen_line *line, struct reader *reader)
{
    od_codegen_read_entity_sort(line, reader->entity);
}

static void read_entity_index(struct od_codegen_line *line, struct reader *reader)
{
    od_codegen_read_entity_index(line, reader->entity);
}

static void read_peak(struct od_codegen_line *line, struct reader *reader)
{
    od_codegen_read_peak(line, reader->entity);
}

static void read_entity_allow(struct od_codegen_line *line, struct reader *reader)
{
    od_codegen_read_allow(line, &reader->entity->allowed);
}

// --- Lines --------------------------------------------------------------------------------------

enum level { IN_FILE, IN_TABLE, IN_ENTITY };

static const struct {
    const char *word;
    enum level from;
    enum level to;
    void (*read)(struct od_codegen_line *line, struct reader *reader);
} lines[] = {
    {"table", IN_FILE, IN_ENTITY, read_table},
    {"entity", IN_TABLE, IN_ENTITY, read_entity},
    {"partition", IN_TABLE, IN_TABLE, read_partition},
    {"partition", IN_ENTITY, IN_ENTITY, read_entity_partition},
    {"sort", IN_TABLE, IN_TABLE, read_sort},
    {"sort", IN_ENTITY, IN_ENTITY, read_entity_sort},
    {"discriminator", IN_TABLE, IN_TABLE, read_discriminator},
    {"index", IN_TABLE, IN_TABLE, read_index},
    {"index", IN_ENTITY, IN_ENTITY, read_entity_index},
    {"local", IN_TABLE, IN_TABLE, read_local},
    {"allow", IN_TABLE, IN_TABLE, read_table_allow},
    {"allow", IN_ENTITY, IN_ENTITY, read_entity_allow},
    {"peak_writes", IN_ENTITY, IN_ENTITY, read_peak},
};

static const char *const places[] = {
    "a file begins with a table",
    "lines of a table are partition, sort, discriminator, index, local, allow, and then entity",
    "lines of an entity are partition, sort, index, peak_writes, allow, and fields",
};

static enum level level_of(const struct reader *reader)
{
    if (reader->table == NULL) {
        return IN_FILE;
    }
    return reader->entity == NULL ? IN_TABLE : IN_ENTITY;
}

static bool is_skipped(const struct reader *reader, od_str first)
{
    return reader->skips_to != NULL && !od_str_eq(first, od_cstr(reader->skips_to)) &&
           !od_str_eq(first, OD_STR("table"));
}

static void read_line(struct od_codegen_line *line, struct reader *reader)
{
    struct od_codegen_word first;
    if (!od_codegen_next_word(line, &first) || (!first.quoted && first.text.ptr[0] == '#') ||
        is_skipped(reader, first.text)) {
        return;
    }
    enum level level = level_of(reader);
    for (size_t i = 0; i < OD_COUNT(lines) && !first.quoted; i++) {
        if (level >= lines[i].from && level <= lines[i].to &&
            od_str_eq(first.text, od_cstr(lines[i].word))) {
            lines[i].read(line, reader);
            od_codegen_expect_end(line);
            return;
        }
    }
    bool is_field = level == IN_ENTITY && !od_str_eq(first.text, OD_STR("local")) &&
                    !od_str_eq(first.text, OD_STR("discriminator"));
    if (is_field || (level == IN_ENTITY && first.quoted)) {
        od_codegen_read_field(line, reader->entity, first);
        od_codegen_expect_end(line);
        return;
    }
    od_codegen_report(reader->file, first.at, OD_CODEGEN_OUT_OF_PLACE,
                      od_codegen_show(reader->file, first.text), od_cstr(places[level]), none);
    if (level == IN_FILE) {
        reader->skips_to = "table";
    }
}

// What is at fault is found with its place: a byte that is neither a tab nor printable, or else a
// line that is not UTF-8.
static bool is_text(struct od_codegen_line *line)
{
    for (size_t i = 0; i < line->text.len; i++) {
        unsigned char c = (unsigned char)line->text.ptr[i];
        if ((c < ' ' && c != '\t') || c == 0x7F) {
            line->at = i;
            return false;
        }
    }
    return od_utf8_valid(line->text);
}

static void read_text_line(struct reader *reader, od_str text, uint32_t number)
{
    if (text.len > 0 && text.ptr[text.len - 1] == '\r') {
        text.len--;
    }
    struct od_codegen_line line = {.file = reader->file, .text = text, .number = number};
    if (is_text(&line)) {
        read_line(&line, reader);
        return;
    }
    od_codegen_report(reader->file, od_codegen_line_place(&line), OD_CODEGEN_NOT_TEXT, none, none,
                      none);
}

void od_codegen_read(struct od_codegen_file *file)
{
    struct reader reader = {.file = file};
    od_str rest = file->text;
    if (od_str_has_prefix(rest, OD_STR("\xEF\xBB\xBF"))) {
        rest = od_str_skip(rest, 3); // the byte order mark
    }
    for (uint32_t number = 1; rest.len > 0; number++) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        od_str text = {rest.ptr, end == NULL ? rest.len : (size_t)(end - rest.ptr)};
        rest = od_str_skip(rest, text.len + (end != NULL));
        read_text_line(&reader, text, number);
    }
}
