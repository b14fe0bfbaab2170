// The header of a table: a struct and functions for each entity.
#include "codegen/codegen_internal.h"

#include <string.h>

static void put_str(struct od_buf *out, const char *text)
{
    od_buf_put(out, od_cstr(text));
}

// --- Structs ------------------------------------------------------------------------------------

static void put_type(struct od_buf *out, const struct od_codegen_field *field)
{
    const struct od_codegen_type_row *type = &od_codegen_types[field->type];
    if (field->shape == OD_CODEGEN_ONE) {
        put_str(out, type->c);
        return;
    }
    od_buf_printf(out, "ordna_%s_%s ", type->many, field->shape == OD_CODEGEN_MAP ? "map" : "list");
}

static const char *comment_of(const struct od_codegen_field *field)
{
    if (field->role == OD_CODEGEN_VERSION) {
        return " /* counts the writes; 0: not yet stored */";
    }
    if (field->role == OD_CODEGEN_TTL) {
        return " /* the item is deleted after this time */";
    }
    if (field->optional && !od_codegen_has_flag(field)) {
        return field->shape == OD_CODEGEN_ONE && field->type != OD_CODEGEN_BYTES
                   ? " /* NULL: absent */"
                   : " /* absent when its pointer is NULL */";
    }
    return field->type == OD_CODEGEN_DECIMAL ? " /* a number, as text */" : "";
}

static void put_field(struct od_buf *out, const struct od_codegen_field *field)
{
    if (od_codegen_has_flag(field)) {
        od_buf_printf(out, "    bool has_%.*s;\n", OD_STR_ARG(field->stem));
    }
    put_str(out, "    ");
    put_type(out, field);
    od_buf_printf(out, "%.*s;%s\n", OD_STR_ARG(field->member), comment_of(field));
}

static void put_struct(struct od_buf *out, const struct od_codegen_entity *entity)
{
    od_codegen_put(out, "typedef struct $E {\n", entity->table, entity);
    for (const struct od_codegen_field *field = entity->fields; field != NULL;
         field = field->next) {
        put_field(out, field);
    }
    od_codegen_put(out, "} $E;\n\nextern const ordna_entity $E_entity;\n", entity->table, entity);
}

// --- Keys ---------------------------------------------------------------------------------------

// One function that makes a key of leading fields.
struct maker {
    const struct od_codegen_entity *entity;
    od_str name;
    size_t key; // its place in the entity
    bool sort;
    const struct od_codegen_template *template;
    size_t fields;
};

static void put_parameters(struct od_buf *out, const struct maker *maker)
{
    if (maker->fields == 0) {
        put_str(out, "void");
    }
    for (size_t i = 0; i < maker->fields; i++) {
        const struct od_codegen_field *field = maker->template->segments[i].field;
        put_str(out, i > 0 ? ", " : maker->fields > 1 ? "\n    " : "");
        put_str(out, od_codegen_types[field->type].c);
        od_buf_put(out, field->member);
    }
}

static void put_value(struct od_buf *out, const struct od_codegen_field *field)
{
    if (field->type == OD_CODEGEN_BYTES) {
        od_buf_printf(out, "ordna_of_bytes(%.*s.ptr, %.*s.len)", OD_STR_ARG(field->member),
                      OD_STR_ARG(field->member));
        return;
    }
    od_buf_printf(out, "ordna_of_%s(%.*s)", od_codegen_types[field->type].value,
                  OD_STR_ARG(field->member));
}

// C11 has no empty braces: a key without fields has one value that is not looked at.
static void put_values(struct od_buf *out, const struct maker *maker)
{
    if (maker->fields == 0) {
        put_str(out, "ordna_of_int(0)");
    }
    for (size_t i = 0; i < maker->fields; i++) {
        put_str(out, i > 0 ? ",\n                       " : "");
        put_value(out, maker->template->segments[i].field);
    }
}

// No member is named key_: only keywords end so.
static void put_maker(struct od_buf *out, const struct maker *maker)
{
    od_buf_printf(out, "static inline ordna_key %.*s(", OD_STR_ARG(maker->name));
    put_parameters(out, maker);
    od_buf_printf(out,
                  ")\n{\n    ordna_key key_ = {&%.*s_entity, &%.*s_entity.keys[%zu], %s, %zu,\n"
                  "                      {",
                  OD_STR_ARG(maker->entity->prefix), OD_STR_ARG(maker->entity->prefix), maker->key,
                  maker->sort ? "true" : "false", maker->fields);
    put_values(out, maker);
    put_str(out, "}};\n    return key_;\n}\n");
}

static void put_key_comment(struct od_buf *out, const struct od_codegen_key *key, const char *what,
                            const struct od_codegen_template *template)
{
    od_buf_printf(out, "\n/* The %s", what);
    if (key->index.text.ptr != NULL) {
        put_str(out, " of index ");
        od_codegen_put_comment(out, key->index.text);
    }
    put_str(out, ": ");
    od_codegen_put_comment(out, template->text.text);
    put_str(out, " */\n");
}

static void put_parser(struct od_buf *out, const struct maker *maker, od_str stem)
{
    const char *kind = maker->sort ? "sort" : "partition";
    const char *suffix = maker->sort ? "sk" : "pk";
    od_str prefix = maker->entity->prefix;
    od_buf_printf(out,
                  "static inline ordna_status %.*s_parse_%.*s%s(\n"
                  "    ordna_session *session, const char *text, %.*s *out)\n"
                  "{\n"
                  "    return ordna_key_parse(session, &%.*s_entity, %.*s_entity.keys[%zu].%s,\n"
                  "                           text, out);\n"
                  "}\n",
                  OD_STR_ARG(prefix), OD_STR_ARG(stem), suffix, OD_STR_ARG(prefix),
                  OD_STR_ARG(prefix), OD_STR_ARG(prefix), maker->key, kind);
}

static void put_partition(struct od_buf *out, const struct od_codegen_entity *entity,
                          const struct od_codegen_key *key, size_t place)
{
    struct maker maker = {
        .entity = entity,
        .name = od_codegen_partition_name(out->arena, entity, key),
        .key = place,
        .template = &key->partition,
        .fields = key->partition.field_count,
    };
    put_key_comment(out, key, "partition", &key->partition);
    put_maker(out, &maker);
    if (od_codegen_is_text(key->of->partition_type)) {
        put_parser(out, &maker, key->of->stem);
    }
}

// With no field, with one, and so on: what begins_with and between take.
static void put_sort(struct od_buf *out, const struct od_codegen_entity *entity,
                     const struct od_codegen_key *key, size_t place)
{
    bool is_text = od_codegen_is_text(key->of->sort_type);
    struct maker maker = {
        .entity = entity,
        .key = place,
        .sort = true,
        .template = &key->sort,
    };
    put_key_comment(out, key, "sort key", &key->sort);
    for (size_t fields = is_text ? 0 : 1; fields <= key->sort.field_count; fields++) {
        maker.name = od_codegen_sort_name(out->arena, entity, key, fields);
        maker.fields = fields;
        put_maker(out, &maker);
    }
    if (is_text) {
        put_parser(out, &maker, key->of->stem);
    }
}

static void put_keys(struct od_buf *out, const struct od_codegen_entity *entity)
{
    size_t place = 0;
    for (const struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
        put_partition(out, entity, key, place);
        if (key->of->sort.text.ptr != NULL) {
            put_sort(out, entity, key, place);
        }
        place++;
    }
}

// --- The header ---------------------------------------------------------------------------------

static bool has_version(const struct od_codegen_entity *entity)
{
    for (const struct od_codegen_field *field = entity->fields; field != NULL;
         field = field->next) {
        if (field->role == OD_CODEGEN_VERSION) {
            return true;
        }
    }
    return false;
}

// A batch cannot check versions. `entity` is NULL for a table's functions.
static bool is_for(const struct od_codegen_function *function,
                   const struct od_codegen_entity *entity)
{
    bool is_checked = entity != NULL && has_version(entity);
    return function->text != NULL && !(is_checked && strcmp(function->suffix, "_batch_put") == 0);
}

static void put_functions(struct od_buf *out, const struct od_codegen_functions *functions,
                          const struct od_codegen_table *table,
                          const struct od_codegen_entity *entity)
{
    for (size_t i = 0; i < functions->count; i++) {
        if (is_for(&functions->rows[i], entity)) {
            put_str(out, "\n");
            od_codegen_put(out, functions->rows[i].text, table, entity);
        }
    }
}

static void put_entity(struct od_buf *out, const struct od_codegen_entity *entity)
{
    od_codegen_put(out, "/* --- $N --- */\n\n", entity->table, entity);
    put_struct(out, entity);
    put_keys(out, entity);
    put_functions(out, &od_codegen_entity_functions, entity->table, entity);
    put_str(out, "\n");
}

static void put_item(struct od_buf *out, const struct od_codegen_table *table)
{
    od_codegen_put(out,
                   "/* --- All entities --- */\n\n"
                   "typedef struct $T_item {\n"
                   "    const ordna_entity *entity; /* says which member of `as` it is */\n"
                   "    union {\n",
                   table, NULL);
    for (const struct od_codegen_entity *entity = table->entities; entity != NULL;
         entity = entity->next) {
        od_codegen_put(out, "        $E ", table, entity);
        od_buf_printf(out, "%.*s;\n", OD_STR_ARG(entity->member));
    }
    od_codegen_put(out,
                   "    } as;\n"
                   "} $T_item;\n\n"
                   "extern const ordna_table $T_table;\n",
                   table, NULL);
}

static void put_guard(struct od_buf *out, const char *directive,
                      const struct od_codegen_table *table)
{
    od_buf_printf(out, "#%s ORDNA_GEN_", directive);
    for (size_t i = 0; i < table->prefix.len; i++) {
        char c = table->prefix.ptr[i];
        od_buf_put_byte(out, (unsigned char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c));
    }
    put_str(out, "_H\n");
}

od_str od_codegen_write_header(const struct od_codegen_table *table)
{
    struct od_buf out = {.arena = table->file->arena};
    od_codegen_put_origin(&out, table);
    put_guard(&out, "ifndef", table);
    put_guard(&out, "define", table);
    put_str(&out, "\n#include \"ordna/mapper.h\"\n\n"
                  "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    for (const struct od_codegen_entity *entity = table->entities; entity != NULL;
         entity = entity->next) {
        put_entity(&out, entity);
    }
    put_item(&out, table);
    put_functions(&out, &od_codegen_table_functions, table, NULL);
    put_str(&out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    return od_buf_str(&out);
}
