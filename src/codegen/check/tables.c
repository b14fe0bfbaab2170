// Names and tables: what can be said without a look at templates.
#include "codegen/codegen_internal.h"

#include <stdlib.h>

enum { MIN_REAL_NAME = 3 };

static const od_str none = {NULL, 0};

// --- Tables -------------------------------------------------------------------------------------

static bool is_real_name(od_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || c == '-' || c == '.';
        if (!fits) {
            return false;
        }
    }
    return name.len >= MIN_REAL_NAME && name.len <= OD_CODEGEN_MAX_NAME;
}

static void check_real_name(struct od_codegen_file *file, const struct od_codegen_word *name,
                            const char *of)
{
    if (!is_real_name(name->text)) {
        od_codegen_report(file, name->at, OD_CODEGEN_BAD_NAME, od_codegen_show(file, name->text),
                          od_cstr(of),
                          OD_STR("in DynamoDB it has 3 to 255 letters, digits, _, - and ."));
    }
}

struct attribute {
    const struct od_codegen_word *name;
    enum od_codegen_type type;
};

static void check_types(struct od_codegen_file *file, const struct attribute *attributes,
                        size_t count)
{
    const struct attribute *last = &attributes[count - 1];
    for (size_t i = 0; i + 1 < count; i++) {
        if (od_str_eq(attributes[i].name->text, last->name->text) &&
            attributes[i].type != last->type) {
            od_codegen_report(file, last->name->at, OD_CODEGEN_TWO_TYPES,
                              od_codegen_show(file, last->name->text),
                              od_codegen_number(file, attributes[i].name->at.line), none);
            return;
        }
    }
}

static void check_attributes(const struct od_codegen_table *table)
{
    struct attribute attributes[2 * OD_CODEGEN_MAX_KEYS];
    size_t count = 0;
    for (const struct od_codegen_table_key *key = table->keys; key != NULL; key = key->next) {
        if (key->partition.text.ptr != NULL) {
            attributes[count++] = (struct attribute){&key->partition, key->partition_type};
            check_types(table->file, attributes, count);
        }
        if (key->sort.text.ptr != NULL) {
            attributes[count++] = (struct attribute){&key->sort, key->sort_type};
            check_types(table->file, attributes, count);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (od_str_eq(attributes[i].name->text, table->discriminator.text)) {
            od_codegen_report(table->file, attributes[i].name->at, OD_CODEGEN_ATTRIBUTE_TAKEN,
                              od_codegen_show(table->file, table->discriminator.text),
                              OD_STR("the table's discriminator"), none);
        }
    }
}

static bool is_index_twice(const struct od_codegen_table *table,
                           const struct od_codegen_table_key *key, uint32_t *line)
{
    for (const struct od_codegen_table_key *before = table->keys->next; before != key;
         before = before->next) {
        if (od_str_eq(before->index.text, key->index.text)) {
            *line = before->index.at.line;
            return true;
        }
    }
    return false;
}

static void check_index(const struct od_codegen_table *table, struct od_codegen_table_key *key)
{
    struct od_codegen_file *file = table->file;
    uint32_t line = 0;
    check_real_name(file, &key->index, "an index");
    if (is_index_twice(table, key, &line)) {
        od_codegen_report(file, key->index.at, OD_CODEGEN_INDEX_TWICE,
                          od_codegen_show(file, key->index.text), od_codegen_number(file, line),
                          none);
    }
    if (!key->local) {
        return;
    }
    key->partition = table->keys->partition;
    key->partition_type = table->keys->partition_type;
    if (table->keys->sort.text.ptr == NULL) {
        od_codegen_report(file, key->index.at, OD_CODEGEN_LOCAL_WITHOUT_SORT,
                          od_codegen_show(file, key->index.text), none, none);
    }
}

static void check_key(const struct od_codegen_table *table, const struct od_codegen_table_key *key)
{
    if (key->sort.text.ptr != NULL && od_str_eq(key->sort.text, key->partition.text)) {
        od_codegen_report(table->file, key->sort.at, OD_CODEGEN_ATTRIBUTE_TAKEN,
                          od_codegen_show(table->file, key->sort.text),
                          OD_STR("this key's partition"), none);
    }
}

static void check_table(struct od_codegen_table *table)
{
    struct od_codegen_file *file = table->file;
    od_str name = od_codegen_show(file, table->name.text);
    if (table->discriminator.text.ptr == NULL) {
        table->discriminator.text = OD_STR("Type");
    }
    check_real_name(file, &table->real_name, "a table");
    if (table->keys->partition.text.ptr == NULL) {
        od_codegen_report(file, table->name.at, OD_CODEGEN_NO_PARTITION, name, none, none);
    }
    if (table->entities == NULL) {
        od_codegen_report(file, table->name.at, OD_CODEGEN_NO_ENTITY, name, none, none);
    }
    for (struct od_codegen_table_key *key = table->keys->next; key != NULL; key = key->next) {
        check_index(table, key);
    }
    for (const struct od_codegen_table_key *key = table->keys; key != NULL; key = key->next) {
        check_key(table, key);
    }
    check_attributes(table);
}

static void check_table_name(const struct od_codegen_table *first,
                             const struct od_codegen_table *table)
{
    if (od_str_eq(table->prefix, OD_STR("ordna"))) {
        od_codegen_report(table->file, table->name.at, OD_CODEGEN_BAD_NAME,
                          od_codegen_show(table->file, table->name.text), OD_STR("a table"),
                          OD_STR("the library's own names begin so"));
    }
    for (const struct od_codegen_table *before = first; before != table; before = before->next) {
        if (od_str_eq(before->prefix, table->prefix)) {
            od_codegen_report(table->file, table->name.at, OD_CODEGEN_TABLE_TWICE,
                              od_codegen_show(table->file, before->name.text),
                              od_codegen_number(table->file, before->name.at.line), none);
            return;
        }
    }
}

void od_codegen_check_tables(struct od_codegen_file *file)
{
    if (file->tables == NULL && file->error_count == 0) {
        od_codegen_report(file, (struct od_codegen_place){1, 1}, OD_CODEGEN_NO_TABLE, none, none,
                          none);
    }
    for (struct od_codegen_table *table = file->tables; table != NULL; table = table->next) {
        check_table_name(file->tables, table);
        check_table(table);
    }
}

// --- Entities -----------------------------------------------------------------------------------

static void check_entity_names(const struct od_codegen_entity *entity)
{
    struct od_codegen_file *file = entity->table->file;
    for (const struct od_codegen_entity *before = entity->table->entities; before != entity;
         before = before->next) {
        od_str line = od_codegen_number(file, before->name.at.line);
        if (od_str_eq(before->prefix, entity->prefix)) {
            od_codegen_report(file, entity->name.at, OD_CODEGEN_ENTITY_TWICE,
                              od_codegen_show(file, before->name.text), line, none);
            return;
        }
        if (od_str_eq(before->discriminator.text, entity->discriminator.text)) {
            od_codegen_report(file, entity->discriminator.at, OD_CODEGEN_DISCRIMINATOR_TWICE,
                              od_codegen_show(file, entity->discriminator.text), line, none);
        }
    }
}

static void check_entity(const struct od_codegen_entity *entity)
{
    struct od_codegen_file *file = entity->table->file;
    const struct od_codegen_word *discriminator = &entity->discriminator;
    if (entity->fields == NULL) {
        od_codegen_report(file, entity->name.at, OD_CODEGEN_NO_FIELD,
                          od_codegen_show(file, entity->name.text), none, none);
    }
    if (discriminator->text.len == 0 || discriminator->text.len > OD_CODEGEN_MAX_NAME) {
        od_codegen_report(file, discriminator->at, OD_CODEGEN_BAD_NAME,
                          od_codegen_show(file, discriminator->text), OD_STR("a discriminator"),
                          OD_STR("it has 1 to 255 bytes"));
    }
}

// The name of the flag that says whether the field is there; ptr NULL when it has none.
static od_str flag_of(od_arena *arena, const struct od_codegen_field *field)
{
    if (!od_codegen_has_flag(field)) {
        return none;
    }
    return od_arena_printf(arena, "has_%.*s", OD_STR_ARG(field->stem));
}

static od_str shared_member(od_arena *arena, const struct od_codegen_field *a,
                            const struct od_codegen_field *b)
{
    if (od_str_eq(a->member, b->member)) {
        return a->member;
    }
    od_str flag = flag_of(arena, a);
    if (flag.ptr != NULL && od_str_eq(flag, b->member)) {
        return flag;
    }
    flag = flag_of(arena, b);
    return flag.ptr != NULL && od_str_eq(flag, a->member) ? flag : none;
}

static void check_member(const struct od_codegen_entity *entity,
                         const struct od_codegen_field *field)
{
    struct od_codegen_file *file = entity->table->file;
    for (const struct od_codegen_field *before = entity->fields; before != field;
         before = before->next) {
        od_mark mark = od_arena_mark(file->arena);
        od_str member = shared_member(file->arena, before, field);
        if (member.ptr != NULL) {
            od_codegen_report(file, field->name.at, OD_CODEGEN_FIELD_TWICE,
                              od_codegen_show(file, field->name.text), member,
                              od_codegen_number(file, before->name.at.line));
            return;
        }
        od_arena_rewind(file->arena, mark);
    }
}

static void check_role(const struct od_codegen_entity *entity, const struct od_codegen_field *field)
{
    struct od_codegen_file *file = entity->table->file;
    if (field->role == OD_CODEGEN_PLAIN) {
        return;
    }
    for (const struct od_codegen_field *before = entity->fields; before != field;
         before = before->next) {
        if (before->role == field->role) {
            od_codegen_report(file, field->name.at, OD_CODEGEN_ROLE_TWICE,
                              od_codegen_show(file, entity->name.text),
                              field->role == OD_CODEGEN_VERSION ? OD_STR("version") : OD_STR("ttl"),
                              od_codegen_number(file, before->name.at.line));
            return;
        }
    }
}

static void check_field(const struct od_codegen_entity *entity,
                        const struct od_codegen_field *field)
{
    struct od_codegen_file *file = entity->table->file;
    check_member(entity, field);
    check_role(entity, field);
    if (od_str_eq(field->name.text, entity->table->discriminator.text)) {
        od_codegen_report(file, field->name.at, OD_CODEGEN_ATTRIBUTE_TAKEN,
                          od_codegen_show(file, field->name.text),
                          OD_STR("the table's discriminator"), none);
    }
}

static const struct od_codegen_field *find_ttl(const struct od_codegen_entity *entity)
{
    for (const struct od_codegen_field *field = entity->fields; field != NULL;
         field = field->next) {
        if (field->role == OD_CODEGEN_TTL) {
            return field;
        }
    }
    return NULL;
}

// DynamoDB looks at one attribute.
static void check_ttl(const struct od_codegen_entity *entity)
{
    struct od_codegen_file *file = entity->table->file;
    const struct od_codegen_field *ttl = find_ttl(entity);
    const struct od_codegen_field *first = NULL;
    const struct od_codegen_entity *before = entity->table->entities;
    for (; before != entity && first == NULL; before = before->next) {
        first = find_ttl(before);
    }
    if (ttl != NULL && first != NULL && !od_str_eq(ttl->name.text, first->name.text)) {
        od_codegen_report(file, ttl->name.at, OD_CODEGEN_TWO_TTLS,
                          od_codegen_show(file, first->name.text),
                          od_codegen_number(file, first->name.at.line), none);
    }
}

void od_codegen_check_entities(struct od_codegen_file *file)
{
    for (struct od_codegen_table *table = file->tables; table != NULL; table = table->next) {
        for (struct od_codegen_entity *entity = table->entities; entity != NULL;
             entity = entity->next) {
            check_entity_names(entity);
            check_entity(entity);
            check_ttl(entity);
            for (const struct od_codegen_field *field = entity->fields; field != NULL;
                 field = field->next) {
                check_field(entity, field);
            }
            od_codegen_check_keys(entity);
        }
    }
}
