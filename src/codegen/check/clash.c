// Names that would be generated twice, over all tables of the file: they are included together.
#include "codegen/codegen_internal.h"

#include <stdlib.h>

static const od_str none = {NULL, 0};

struct name {
    od_str text;
    struct od_codegen_place at; // of what it comes from
};

struct names {
    struct od_buf bytes; // an array of struct name
    od_arena *arena;
};

static void add(struct names *names, od_str text, struct od_codegen_place at)
{
    struct name name = {text, at};
    od_buf_put(&names->bytes, (od_str){(const char *)&name, sizeof(name)});
}

static void add_all(struct names *names, od_str prefix, const struct od_codegen_functions *suffixes,
                    struct od_codegen_place at)
{
    for (size_t i = 0; i < suffixes->count; i++) {
        add(names,
            od_arena_printf(names->arena, "%.*s%s", OD_STR_ARG(prefix), suffixes->rows[i].suffix),
            at);
    }
}

static void add_parser(struct names *names, const struct od_codegen_entity *entity,
                       const struct od_codegen_key *key, const char *what)
{
    add(names,
        od_arena_printf(names->arena, "%.*s_parse_%.*s%s", OD_STR_ARG(entity->prefix),
                        OD_STR_ARG(key->of->stem), what),
        entity->name.at);
}

static void add_key(struct names *names, const struct od_codegen_entity *entity,
                    const struct od_codegen_key *key)
{
    struct od_codegen_place at = key == entity->keys ? entity->name.at : key->index.at;
    add(names, od_codegen_partition_name(names->arena, entity, key), at);
    add_parser(names, entity, key, "pk");
    if (key->of->sort.text.ptr == NULL) {
        return;
    }
    add_parser(names, entity, key, "sk");
    for (size_t fields = 0; fields <= key->sort.field_count; fields++) {
        add(names, od_codegen_sort_name(names->arena, entity, key, fields), at);
    }
}

static void add_table(struct names *names, const struct od_codegen_table *table)
{
    add_all(names, table->prefix, &od_codegen_table_functions, table->name.at);
    for (const struct od_codegen_entity *entity = table->entities; entity != NULL;
         entity = entity->next) {
        add_all(names, entity->prefix, &od_codegen_entity_functions, entity->name.at);
        for (const struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
            add_key(names, entity, key);
        }
    }
}

static int compare(const void *a, const void *b)
{
    const struct name *left = a;
    const struct name *right = b;
    int order = od_str_compare(left->text, right->text);
    if (order != 0) {
        return order;
    }
    return (left->at.line > right->at.line) - (left->at.line < right->at.line);
}

static int compare_text(const void *text, const void *row)
{
    return od_str_compare(*(const od_str *)text, ((const struct name *)row)->text);
}

// A field of a key is a parameter, and would hide what has its name.
static void check_parameters(struct od_codegen_file *file, const struct names *names,
                             const struct od_codegen_template *of)
{
    const struct name *rows = (const struct name *)(const void *)names->bytes.ptr;
    for (size_t i = 0; i < of->count; i++) {
        const struct od_codegen_field *field = of->segments[i].field;
        if (field == NULL) {
            continue;
        }
        const struct name *hidden = bsearch(&field->member, rows, names->bytes.len / sizeof(*rows),
                                            sizeof(*rows), compare_text);
        if (hidden != NULL) {
            od_codegen_report(file, of->segments[i].at, OD_CODEGEN_NAME_CLASH,
                              od_codegen_show(file, field->member),
                              od_codegen_number(file, hidden->at.line), none);
        }
    }
}

static void check_fields(struct od_codegen_file *file, const struct names *names,
                         const struct od_codegen_table *table)
{
    for (const struct od_codegen_entity *entity = table->entities; entity != NULL;
         entity = entity->next) {
        for (const struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
            check_parameters(file, names, &key->partition);
            check_parameters(file, names, &key->sort);
        }
    }
}

// An entity is a member of the union of all, and would hide there the struct that has its name.
static void check_members(struct od_codegen_file *file, const struct od_codegen_table *table)
{
    for (const struct od_codegen_entity *a = table->entities; a != NULL; a = a->next) {
        for (const struct od_codegen_entity *b = table->entities; b != NULL; b = b->next) {
            if (od_str_eq(a->member, b->prefix)) {
                od_codegen_report(file, a->name.at, OD_CODEGEN_NAME_CLASH,
                                  od_codegen_show(file, a->member),
                                  od_codegen_number(file, b->name.at.line), none);
            }
        }
    }
}

void od_codegen_check_names(struct od_codegen_file *file)
{
    struct names names = {.bytes = {.arena = file->arena}, .arena = file->arena};
    for (const struct od_codegen_table *table = file->tables; table != NULL; table = table->next) {
        add_table(&names, table);
    }
    struct name *rows = (struct name *)(void *)names.bytes.ptr;
    size_t count = names.bytes.len / sizeof(*rows);
    if (count == 0) {
        return;
    }
    qsort(rows, count, sizeof(*rows), compare);
    for (size_t i = 1; i < count; i++) {
        if (od_str_eq(rows[i - 1].text, rows[i].text)) {
            od_codegen_report(file, rows[i].at, OD_CODEGEN_NAME_CLASH,
                              od_codegen_show(file, rows[i].text),
                              od_codegen_number(file, rows[i - 1].at.line), none);
        }
    }
    for (const struct od_codegen_table *table = file->tables; table != NULL; table = table->next) {
        check_fields(file, &names, table);
        check_members(file, table);
    }
}
