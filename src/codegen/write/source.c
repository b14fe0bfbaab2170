// The source of a table: what its entities are, as constants.
#include "codegen/codegen_internal.h"

static void put_str(struct od_buf *out, const char *text)
{
    od_buf_put(out, od_cstr(text));
}

// NULL where there is none.
static void put_name(struct od_buf *out, od_str name)
{
    if (name.ptr == NULL) {
        put_str(out, "NULL");
    } else {
        od_codegen_put_literal(out, name);
    }
}

static const char *bool_word(bool truth)
{
    return truth ? "true" : "false";
}

// --- Fields -------------------------------------------------------------------------------------

static void put_field(struct od_buf *out, const struct od_codegen_entity *entity,
                      const struct od_codegen_field *field)
{
    static const char *const shapes[] = {"ORDNA_ONE", "ORDNA_LIST", "ORDNA_SET", "ORDNA_MAP"};
    static const char *const roles[] = {"ORDNA_PLAIN", "ORDNA_VERSION", "ORDNA_TTL"};
    put_str(out, "    {");
    od_codegen_put_literal(out, field->name.text);
    od_buf_printf(out, ", %s, %s, %s, %s,\n     offsetof(%.*s, %.*s), ",
                  od_codegen_types[field->type].constant, shapes[field->shape], roles[field->role],
                  bool_word(field->optional), OD_STR_ARG(entity->prefix),
                  OD_STR_ARG(field->member));
    if (od_codegen_has_flag(field)) {
        od_buf_printf(out, "offsetof(%.*s, has_%.*s)},\n", OD_STR_ARG(entity->prefix),
                      OD_STR_ARG(field->stem));
    } else {
        put_str(out, "0},\n");
    }
}

static void put_fields(struct od_buf *out, const struct od_codegen_entity *entity)
{
    od_codegen_put(out, "static const ordna_field $E_fields[] = {\n", entity->table, entity);
    for (const struct od_codegen_field *field = entity->fields; field != NULL;
         field = field->next) {
        put_field(out, entity, field);
    }
    put_str(out, "};\n\n");
}

// --- Templates ----------------------------------------------------------------------------------

static void put_segment(struct od_buf *out, const struct od_codegen_segment *segment)
{
    put_str(out, "    {");
    od_codegen_put_literal(out, segment->text);
    if (segment->field == NULL) {
        put_str(out, ", -1, 0, 0},\n");
        return;
    }
    od_buf_printf(out, ", %zu, ", segment->field->position);
    if (segment->kind == '\0') {
        put_str(out, "0, 0},\n");
    } else {
        od_buf_printf(out, "'%c', %d},\n", segment->kind, segment->width);
    }
}

static void put_segments_of(struct od_buf *out, const struct od_codegen_template *template)
{
    for (size_t i = 0; i < template->count; i++) {
        put_segment(out, &template->segments[i]);
    }
}

static void put_segments(struct od_buf *out, const struct od_codegen_entity *entity)
{
    od_codegen_put(out, "static const ordna_segment $E_segments[] = {\n", entity->table, entity);
    for (const struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
        put_segments_of(out, &key->partition);
        put_segments_of(out, &key->sort);
    }
    put_str(out, "};\n\n");
}

// `first` is the place of its first segment; gives back the one behind its last.
static size_t put_template(struct od_buf *out, const struct od_codegen_entity *entity,
                           const struct od_codegen_word *attribute, enum od_codegen_type type,
                           const struct od_codegen_template *template, size_t first)
{
    put_str(out, "    {");
    od_codegen_put_literal(out, attribute->text);
    od_buf_printf(out, ", %s, ", od_codegen_types[type].constant);
    od_codegen_put(out, "$E_segments", entity->table, entity);
    od_buf_printf(out, " + %zu, %zu},\n", first, template->count);
    return first + template->count;
}

static void put_templates(struct od_buf *out, const struct od_codegen_entity *entity)
{
    size_t first = 0;
    od_codegen_put(out, "static const ordna_template $E_templates[] = {\n", entity->table, entity);
    for (const struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
        first = put_template(out, entity, &key->of->partition, key->of->partition_type,
                             &key->partition, first);
        if (key->of->sort.text.ptr != NULL) {
            first =
                put_template(out, entity, &key->of->sort, key->of->sort_type, &key->sort, first);
        }
    }
    put_str(out, "};\n\n");
}

static void put_keys(struct od_buf *out, const struct od_codegen_entity *entity)
{
    size_t template = 0;
    od_codegen_put(out, "static const ordna_index $E_keys[] = {\n", entity->table, entity);
    for (const struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
        put_str(out, "    {");
        put_name(out, key->index.text);
        od_codegen_put(out, ", $E_templates", entity->table, entity);
        od_buf_printf(out, " + %zu, ", template ++);
        if (key->of->sort.text.ptr == NULL) {
            put_str(out, "NULL},\n");
            continue;
        }
        od_codegen_put(out, "$E_templates", entity->table, entity);
        od_buf_printf(out, " + %zu},\n", template ++);
    }
    put_str(out, "};\n\n");
}

static void put_entity(struct od_buf *out, const struct od_codegen_entity *entity)
{
    od_codegen_put(out, "/* --- $N --- */\n\n", entity->table, entity);
    put_fields(out, entity);
    put_segments(out, entity);
    put_templates(out, entity);
    put_keys(out, entity);
    od_codegen_put(out, "const ordna_entity $E_entity = {\n    &$T_table, ", entity->table, entity);
    od_codegen_put_literal(out, entity->name.text);
    put_str(out, ", ");
    od_codegen_put_literal(out, entity->discriminator.text);
    od_codegen_put(out, ", sizeof($E),\n    $E_fields, ", entity->table, entity);
    od_buf_printf(out, "%zu, ", entity->field_count);
    od_codegen_put(out, "$E_keys, ", entity->table, entity);
    od_buf_printf(out, "%zu};\n\n", entity->key_count);
}

// --- The table ----------------------------------------------------------------------------------

static void put_table_key(struct od_buf *out, const struct od_codegen_table_key *key)
{
    put_str(out, "    {");
    put_name(out, key->index.text);
    put_str(out, ", ");
    od_codegen_put_literal(out, key->partition.text);
    od_buf_printf(out, ", %s, ", od_codegen_types[key->partition_type].constant);
    put_name(out, key->sort.text);
    od_buf_printf(out, ", %s, %s, %s},\n", od_codegen_types[key->sort_type].constant,
                  bool_word(key->local), bool_word(key->keys_only));
}

static void put_table(struct od_buf *out, const struct od_codegen_table *table)
{
    od_codegen_put(out, "/* --- The table --- */\n\nstatic const ordna_table_key $T_keys[] = {\n",
                   table, NULL);
    for (const struct od_codegen_table_key *key = table->keys; key != NULL; key = key->next) {
        put_table_key(out, key);
    }
    od_codegen_put(out, "};\n\nstatic const ordna_entity *const $T_entities[] = {\n", table, NULL);
    for (const struct od_codegen_entity *entity = table->entities; entity != NULL;
         entity = entity->next) {
        od_codegen_put(out, "    &$E_entity,\n", table, entity);
    }
    od_codegen_put(out, "};\n\nconst ordna_table $T_table = {\n    ", table, NULL);
    od_codegen_put_literal(out, table->real_name.text);
    put_str(out, ", ");
    od_codegen_put_literal(out, table->discriminator.text);
    od_codegen_put(out, ", $T_keys, ", table, NULL);
    od_buf_printf(out, "%zu, ", table->key_count);
    od_codegen_put(out, "$T_entities, ", table, NULL);
    od_buf_printf(out, "%zu,\n", table->entity_count);
    od_codegen_put(out, "    sizeof($T_item), offsetof($T_item, as)};\n", table, NULL);
}

od_str od_codegen_write_source(const struct od_codegen_table *table)
{
    struct od_buf out = {.arena = table->file->arena};
    od_codegen_put_origin(&out, table);
    od_codegen_put(&out, "#include \"$T.h\"\n\n", table, NULL);
    for (const struct od_codegen_entity *entity = table->entities; entity != NULL;
         entity = entity->next) {
        put_entity(&out, entity);
    }
    put_table(&out, table);
    return od_buf_str(&out);
}
