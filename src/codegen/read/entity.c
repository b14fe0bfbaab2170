// The lines of an entity.
#include "codegen/codegen_internal.h"

#include <string.h>

enum { MAX_PEAK_WRITES = 1000 * 1000 * 1000 };

static const od_str none = {NULL, 0};

const struct od_codegen_type_row od_codegen_types[OD_CODEGEN_TYPES] = {
    {"string", "ORDNA_STRING", "const char *", "string", "string", false},
    {"int32", "ORDNA_INT32", "int32_t ", "int32", "int", true},
    {"int64", "ORDNA_INT64", "int64_t ", "int64", "int", true},
    {"decimal", "ORDNA_DECIMAL", "const char *", "string", "decimal", false},
    {"double", "ORDNA_DOUBLE", "double ", "double", "double", true},
    {"bool", "ORDNA_BOOL", "bool ", "bool", "bool", true},
    {"bytes", "ORDNA_BYTES", "ordna_bytes ", "bytes", NULL, false},
    {"time", "ORDNA_TIME", "ordna_time ", "int64", "time", true},
    {"uuid", "ORDNA_UUID", "ordna_uuid ", "uuid", "uuid", true},
};

// --- Keys ---------------------------------------------------------------------------------------

void od_codegen_add_key(struct od_codegen_file *file, struct od_codegen_entity *entity,
                        struct od_codegen_word index)
{
    struct od_codegen_key *key = od_new(file->arena, struct od_codegen_key);
    key->index = index;
    *entity->keys_end = key;
    entity->keys_end = &key->next;
    entity->key_count++;
}

// A template that cannot be read is there all the same, without segments: it was told.
static void read_template(struct od_codegen_line *line, const char *what,
                          struct od_codegen_template *out)
{
    struct od_codegen_word word;
    if (!od_codegen_expect(line, "a template", &word)) {
        return;
    }
    if (out->text.text.ptr != NULL) {
        od_codegen_report(line->file, word.at, OD_CODEGEN_SETTING_TWICE, od_cstr(what),
                          od_codegen_number(line->file, out->text.at.line), none);
        line->broken = true;
        return;
    }
    out->text = word;
    if (!od_codegen_read_template(line->file, out)) {
        out->count = 0;
        out->field_count = 0;
    }
}

void od_codegen_read_entity_partition(struct od_codegen_line *line,
                                      struct od_codegen_entity *entity)
{
    read_template(line, "the partition", &entity->keys->partition);
}

void od_codegen_read_entity_sort(struct od_codegen_line *line, struct od_codegen_entity *entity)
{
    read_template(line, "the sort key", &entity->keys->sort);
}

static struct od_codegen_key *find_key(struct od_codegen_entity *entity, od_str index)
{
    for (struct od_codegen_key *key = entity->keys->next; key != NULL; key = key->next) {
        if (od_str_eq(key->index.text, index)) {
            return key;
        }
    }
    return NULL;
}

void od_codegen_read_entity_index(struct od_codegen_line *line, struct od_codegen_entity *entity)
{
    struct od_codegen_word name;
    if (!od_codegen_expect_name(line, "an index", &name)) {
        return;
    }
    const struct od_codegen_key *before = find_key(entity, name.text);
    if (before != NULL) {
        od_codegen_report(line->file, name.at, OD_CODEGEN_SETTING_TWICE,
                          od_codegen_show(line->file, name.text),
                          od_codegen_number(line->file, before->index.at.line), none);
        line->broken = true;
        return;
    }
    if (entity->key_count == OD_CODEGEN_MAX_KEYS) {
        od_codegen_report(line->file, name.at, OD_CODEGEN_TOO_MANY,
                          od_codegen_number(line->file, OD_CODEGEN_MAX_KEYS - 1),
                          OD_STR("indexes of an entity"), none);
        line->broken = true;
        return;
    }
    od_codegen_add_key(line->file, entity, name);
    struct od_codegen_key *key = find_key(entity, name.text);
    if (od_codegen_accept(line, "partition")) {
        read_template(line, "the partition", &key->partition);
    }
    if (od_codegen_accept(line, "sort")) {
        read_template(line, "the sort key", &key->sort);
    }
}

void od_codegen_read_peak(struct od_codegen_line *line, struct od_codegen_entity *entity)
{
    struct od_codegen_word word;
    if (!od_codegen_expect(line, "a number of writes a second", &word)) {
        return;
    }
    if (entity->peak.text.ptr != NULL) {
        od_codegen_report(line->file, word.at, OD_CODEGEN_SETTING_TWICE, OD_STR("peak_writes"),
                          od_codegen_number(line->file, entity->peak.at.line), none);
        return;
    }
    uint64_t number = 0;
    if (!od_str_to_u64(word.text, &number) || number == 0 || number > MAX_PEAK_WRITES) {
        od_codegen_report(line->file, word.at, OD_CODEGEN_BAD_NUMBER,
                          od_codegen_show(line->file, word.text), none, none);
        return;
    }
    entity->peak = word;
    entity->peak_writes = number;
}

// --- Fields -------------------------------------------------------------------------------------

static const char all_types[] = "string, int32, int64, decimal, double, bool, bytes, time and uuid";

static bool read_type(struct od_codegen_line *line, struct od_codegen_word *word,
                      enum od_codegen_type *out)
{
    if (!od_codegen_expect(line, "a type", word)) {
        return false;
    }
    for (size_t i = 0; i < OD_CODEGEN_TYPES; i++) {
        if (od_str_eq(word->text, od_cstr(od_codegen_types[i].word))) {
            *out = (enum od_codegen_type)i;
            return true;
        }
    }
    od_codegen_report(line->file, word->at, OD_CODEGEN_UNKNOWN_TYPE,
                      od_codegen_show(line->file, word->text), od_cstr(all_types), none);
    line->broken = true;
    return false;
}

static bool read_shape(struct od_codegen_line *line, enum od_codegen_shape *out)
{
    static const struct {
        const char *word;
        enum od_codegen_shape shape;
    } rows[] = {{"list", OD_CODEGEN_LIST}, {"set", OD_CODEGEN_SET}, {"map", OD_CODEGEN_MAP}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        if (!od_codegen_accept(line, rows[i].word)) {
            continue;
        }
        *out = rows[i].shape;
        return od_codegen_expect_word(line, "of");
    }
    return true;
}

static void check_role(struct od_codegen_line *line, const struct od_codegen_field *field,
                       struct od_codegen_place type_at)
{
    od_str name = od_codegen_show(line->file, field->name.text);
    bool is_one = field->shape == OD_CODEGEN_ONE;
    if (field->role == OD_CODEGEN_VERSION &&
        (field->type != OD_CODEGEN_INT64 || !is_one || field->optional)) {
        od_codegen_report(line->file, type_at, OD_CODEGEN_BAD_VERSION, name, none, none);
    }
    if (field->role == OD_CODEGEN_TTL && (field->type != OD_CODEGEN_TIME || !is_one)) {
        od_codegen_report(line->file, type_at, OD_CODEGEN_BAD_TTL, name, none, none);
    }
}

static void read_role(struct od_codegen_line *line, struct od_codegen_field *field)
{
    if (od_codegen_accept(line, "version")) {
        field->role = OD_CODEGEN_VERSION;
    } else if (od_codegen_accept(line, "ttl")) {
        field->role = OD_CODEGEN_TTL;
    }
}

static bool fill_field(struct od_codegen_line *line, struct od_codegen_field *field)
{
    struct od_codegen_word type;
    field->optional = od_codegen_accept(line, "optional");
    if (!read_shape(line, &field->shape) || !read_type(line, &type, &field->type)) {
        return false;
    }
    if (field->shape == OD_CODEGEN_SET && field->type == OD_CODEGEN_BOOL) {
        od_codegen_report(line->file, type.at, OD_CODEGEN_BAD_SET, type.text, none, none);
    }
    read_role(line, field);
    check_role(line, field, type.at);
    return true;
}

static bool fail_name(struct od_codegen_line *line, const struct od_codegen_word *name,
                      const char *why)
{
    od_codegen_report(line->file, name->at, OD_CODEGEN_BAD_NAME,
                      od_codegen_show(line->file, name->text), OD_STR("a field"), od_cstr(why));
    return false;
}

static bool check_field_name(struct od_codegen_line *line, const struct od_codegen_entity *entity,
                             const struct od_codegen_word *name)
{
    if (entity->field_count == OD_CODEGEN_MAX_FIELDS) {
        od_codegen_report(line->file, name->at, OD_CODEGEN_TOO_MANY,
                          od_codegen_number(line->file, OD_CODEGEN_MAX_FIELDS),
                          OD_STR("fields of an entity"), none);
        return false;
    }
    if (name->text.len == 0 || name->text.len > OD_CODEGEN_MAX_NAME) {
        return fail_name(line, name, "it has 1 to 255 bytes");
    }
    static const char templates[] = "{}:";
    for (size_t i = 0; i < name->text.len; i++) {
        if (memchr(templates, name->text.ptr[i], sizeof(templates) - 1) != NULL) {
            return fail_name(line, name, "braces and colons belong to templates");
        }
    }
    return true;
}

// A field whose type cannot be read is there all the same, so that templates find it.
void od_codegen_read_field(struct od_codegen_line *line, struct od_codegen_entity *entity,
                           struct od_codegen_word name)
{
    if (!check_field_name(line, entity, &name)) {
        line->broken = true;
        return;
    }
    struct od_codegen_field *field = od_new(line->file->arena, struct od_codegen_field);
    field->name = name;
    field->stem = od_codegen_snake(line->file->arena, name.text);
    field->member = od_codegen_member(line->file->arena, name.text);
    field->position = entity->field_count++;
    (void)fill_field(line, field);
    *entity->fields_end = field;
    entity->fields_end = &field->next;
}
