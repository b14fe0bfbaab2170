// A table's row in the catalog is a packed item, so that the format of values is the only format
// on disk. Attributes that are not set are left out; ones that this version does not know are
// ignored.
#include "engine/engine_internal.h"

#include <string.h>

// --- Writing ------------------------------------------------------------------------------------

enum { MAX_ENTRIES = 32 };

struct row {
    od_arena *arena;
    struct od_entry entries[MAX_ENTRIES];
    size_t count;
};

static void put(struct row *row, const char *name, od_value value)
{
    row->entries[row->count++] = (struct od_entry){.name = od_cstr(name), .value = value};
}

static void put_str(struct row *row, const char *name, od_str s)
{
    if (s.ptr == NULL) {
        return;
    }
    struct od_buf buf = {.arena = row->arena};
    od_pack_s(&buf, s);
    put(row, name, od_packed(&buf));
}

static void put_int(struct row *row, const char *name, int64_t n)
{
    if (n < 0) {
        return;
    }
    struct od_buf buf = {.arena = row->arena};
    od_pack_number(&buf, od_number_from_u64((uint64_t)n));
    put(row, name, od_packed(&buf));
}

static void put_bool(struct row *row, const char *name, bool b)
{
    struct od_buf buf = {.arena = row->arena};
    od_pack_bool(&buf, b);
    put(row, name, od_packed(&buf));
}

static od_value finish(struct row *row)
{
    return od_map_build(row->arena, row->entries, row->count);
}

static od_value encode_attr(od_arena *arena, const struct od_key_attr *attr, bool is_hash)
{
    struct row row = {.arena = arena};
    put_str(&row, "name", attr->name);
    put_str(&row, "type", od_cstr(od_type_name(attr->type)));
    put_bool(&row, "hash", is_hash);
    return finish(&row);
}

static od_value encode_attrs(od_arena *arena, const struct od_key_attr *attrs, size_t count,
                             size_t hash_count)
{
    struct od_buf buf = {.arena = arena};
    size_t mark = od_pack_open(&buf, OD_TYPE_L);
    for (size_t i = 0; i < count; i++) {
        od_pack_value(&buf, encode_attr(arena, &attrs[i], i < hash_count));
    }
    od_pack_close(&buf, mark, count);
    return od_packed(&buf);
}

static od_value encode_schema(od_arena *arena, const struct od_key_schema *schema)
{
    return encode_attrs(arena, schema->attrs, od_key_attr_count(schema), schema->hash_count);
}

static od_value encode_names(od_arena *arena, const od_str *names, size_t count)
{
    struct od_buf buf = {.arena = arena};
    size_t mark = od_pack_open(&buf, OD_TYPE_L);
    for (size_t i = 0; i < count; i++) {
        od_pack_s(&buf, names[i]);
    }
    od_pack_close(&buf, mark, count);
    return od_packed(&buf);
}

static void put_log(struct row *row, const struct od_throughput_log *log)
{
    put_int(row, "increase_ms", log->increase_ms);
    put_int(row, "decrease_ms", log->decrease_ms);
    put_int(row, "decreases", log->decreases);
}

static od_value encode_index(od_arena *arena, const struct od_index *index)
{
    struct row row = {.arena = arena};
    put_str(&row, "name", index->name);
    put_bool(&row, "local", index->is_local);
    put(&row, "keys", encode_schema(arena, &index->schema));
    put_int(&row, "projection", (int64_t)index->projection);
    put(&row, "projected", encode_names(arena, index->projected_names, index->projected_count));
    put_int(&row, "read_units", index->throughput.read_units);
    put_int(&row, "write_units", index->throughput.write_units);
    put_log(&row, &index->throughput_log);
    put_int(&row, "max_read", index->limits.max_read_units);
    put_int(&row, "max_write", index->limits.max_write_units);
    put_int(&row, "warm_read", index->warm.read_units);
    put_int(&row, "warm_write", index->warm.write_units);
    put_int(&row, "status", (int64_t)index->status);
    put_bool(&row, "backfilling", index->backfilling);
    put_int(&row, "group", index->group);
    return finish(&row);
}

static od_value encode_indexes(od_arena *arena, const struct od_table *table)
{
    struct od_buf buf = {.arena = arena};
    size_t mark = od_pack_open(&buf, OD_TYPE_L);
    for (size_t i = 0; i < table->index_count; i++) {
        od_pack_value(&buf, encode_index(arena, &table->indexes[i]));
    }
    od_pack_close(&buf, mark, table->index_count);
    return od_packed(&buf);
}

static od_value encode_settings(od_arena *arena, const struct od_table_settings *settings)
{
    struct row row = {.arena = arena};
    put_int(&row, "billing", (int64_t)settings->billing);
    put_int(&row, "read_units", settings->throughput.read_units);
    put_int(&row, "write_units", settings->throughput.write_units);
    put_bool(&row, "deletion_protection", settings->deletion_protection);
    put_str(&row, "table_class", settings->table_class);
    put_bool(&row, "sse", settings->sse_enabled);
    put_str(&row, "sse_key", settings->sse_key_arn);
    put_bool(&row, "stream", settings->stream_enabled);
    put_str(&row, "stream_view", settings->stream_view);
    put_int(&row, "max_read", settings->max_read_request_units);
    put_int(&row, "max_write", settings->max_write_request_units);
    put_int(&row, "warm_read", settings->warm_read_units);
    put_int(&row, "warm_write", settings->warm_write_units);
    return finish(&row);
}

static od_value encode_tags(od_arena *arena, const struct od_table *table)
{
    struct od_buf buf = {.arena = arena};
    size_t mark = od_pack_open(&buf, OD_TYPE_M);
    for (size_t i = 0; i < table->tag_count; i++) {
        od_pack_name(&buf, table->tags[i].key);
        od_pack_s(&buf, table->tags[i].value);
    }
    od_pack_close(&buf, mark, table->tag_count);
    return od_packed(&buf);
}

od_item od_catalog_row_encode(od_arena *arena, const struct od_table *table)
{
    struct row row = {.arena = arena};
    put_str(&row, "name", table->name);
    put_str(&row, "id", table->id);
    put_int(&row, "created_ms", table->created_ms);
    put_int(&row, "on_demand_ms", table->on_demand_ms);
    put_int(&row, "class_ms", table->class_ms);
    put_int(&row, "stream_ms", table->stream_ms);
    put_log(&row, &table->throughput_log);
    put(&row, "keys", encode_schema(arena, &table->schema));
    put(&row, "definitions", encode_attrs(arena, table->definitions, table->definition_count, 0));
    put(&row, "settings", encode_settings(arena, &table->settings));
    put(&row, "tags", encode_tags(arena, table));
    put_int(&row, "status", (int64_t)table->status);
    put(&row, "indexes", encode_indexes(arena, table));
    put_int(&row, "group", table->group);
    put_int(&row, "collection_group", table->collection_group);
    return od_item_pack(arena, finish(&row));
}

// --- Reading ------------------------------------------------------------------------------------

static od_value typed(od_value map, const char *name, enum od_type type)
{
    od_value v = od_map_get(map, od_cstr(name));
    return od_value_exists(v) && od_value_type(v) == type ? v : (od_value){0};
}

static od_str get_str(od_arena *arena, od_value map, const char *name)
{
    od_value v = typed(map, name, OD_TYPE_S);
    return od_value_exists(v) ? od_arena_copy(arena, od_value_bytes(v)) : (od_str){0};
}

static int64_t get_int(od_value map, const char *name, int64_t fallback)
{
    od_value v = typed(map, name, OD_TYPE_N);
    if (!od_value_exists(v)) {
        return fallback;
    }
    char text[OD_NUMBER_TEXT_MAX];
    size_t len = od_number_text(od_value_number(v), text);
    uint64_t n = 0;
    return od_str_to_u64((od_str){text, len}, &n) && n <= INT64_MAX ? (int64_t)n : fallback;
}

static bool get_bool(od_value map, const char *name)
{
    od_value v = typed(map, name, OD_TYPE_BOOL);
    return od_value_exists(v) && od_value_bool(v);
}

static bool decode_attr(od_arena *arena, od_value map, struct od_key_attr *out, bool *is_hash)
{
    if (od_value_type(map) != OD_TYPE_M) {
        return false;
    }
    out->name = get_str(arena, map, "name");
    *is_hash = get_bool(map, "hash");
    return out->name.ptr != NULL && od_type_from_name(get_str(arena, map, "type"), &out->type);
}

static bool decode_schema(od_arena *arena, od_value list, struct od_key_schema *out)
{
    size_t count = 0;
    for (struct od_iter it = od_iter(list); od_iter_next(&it); count++) {
        bool is_hash = false;
        if (count == OD_KEY_MAX_ATTRS ||
            !decode_attr(arena, it.value, &out->attrs[count], &is_hash)) {
            return false;
        }
        out->hash_count += is_hash;
        out->range_count += !is_hash;
    }
    return out->hash_count > 0;
}

static bool decode_definitions(od_value list, struct od_table *table)
{
    size_t count = od_value_count(list);
    table->definitions = od_new_array(table->arena, struct od_key_attr, count);
    for (struct od_iter it = od_iter(list); od_iter_next(&it);) {
        bool is_hash = false;
        struct od_key_attr *attr = &table->definitions[table->definition_count++];
        if (!decode_attr(table->arena, it.value, attr, &is_hash)) {
            return false;
        }
    }
    return true;
}

static void decode_names(od_arena *arena, od_value list, struct od_index *index)
{
    od_str *names = od_new_array(arena, od_str, od_value_count(list));
    for (struct od_iter it = od_iter(list); od_iter_next(&it);) {
        names[index->projected_count++] = od_arena_copy(arena, od_value_bytes(it.value));
    }
    index->projected_names = names;
}

static struct od_throughput_log get_log(od_value map)
{
    return (struct od_throughput_log){
        .increase_ms = get_int(map, "increase_ms", 0),
        .decrease_ms = get_int(map, "decrease_ms", 0),
        .decreases = get_int(map, "decreases", 0),
    };
}

static bool decode_index(od_arena *arena, od_value map, struct od_index *index)
{
    if (od_value_type(map) != OD_TYPE_M) {
        return false;
    }
    od_value keys = typed(map, "keys", OD_TYPE_L);
    od_value projected = typed(map, "projected", OD_TYPE_L);
    if (!od_value_exists(keys) || !od_value_exists(projected)) {
        return false;
    }
    index->name = get_str(arena, map, "name");
    index->is_local = get_bool(map, "local");
    index->projection = (enum od_projection_type)get_int(map, "projection", 0);
    index->throughput.read_units = get_int(map, "read_units", 0);
    index->throughput.write_units = get_int(map, "write_units", 0);
    index->throughput_log = get_log(map);
    index->limits.max_read_units = get_int(map, "max_read", 0);
    index->limits.max_write_units = get_int(map, "max_write", 0);
    index->warm.read_units = get_int(map, "warm_read", 0);
    index->warm.write_units = get_int(map, "warm_write", 0);
    index->status = (enum od_table_status)get_int(map, "status", 0);
    index->backfilling = get_bool(map, "backfilling");
    index->group = (od_group)get_int(map, "group", 0);
    decode_names(arena, projected, index);
    return index->name.ptr != NULL && decode_schema(arena, keys, &index->schema);
}

static bool decode_indexes(od_value list, struct od_table *table)
{
    table->indexes = od_new_array(table->arena, struct od_index, od_value_count(list));
    for (struct od_iter it = od_iter(list); od_iter_next(&it);) {
        if (!decode_index(table->arena, it.value, &table->indexes[table->index_count++])) {
            return false;
        }
    }
    return true;
}

static void decode_settings(od_arena *arena, od_value map, struct od_table_settings *out)
{
    out->billing = (enum od_billing_mode)get_int(map, "billing", 0);
    out->throughput.read_units = get_int(map, "read_units", 0);
    out->throughput.write_units = get_int(map, "write_units", 0);
    out->deletion_protection = get_bool(map, "deletion_protection");
    out->table_class = get_str(arena, map, "table_class");
    out->sse_enabled = get_bool(map, "sse");
    out->sse_key_arn = get_str(arena, map, "sse_key");
    out->stream_enabled = get_bool(map, "stream");
    out->stream_view = get_str(arena, map, "stream_view");
    out->max_read_request_units = get_int(map, "max_read", -1);
    out->max_write_request_units = get_int(map, "max_write", -1);
    out->warm_read_units = get_int(map, "warm_read", -1);
    out->warm_write_units = get_int(map, "warm_write", -1);
}

static void decode_tags(od_value map, struct od_table *table)
{
    table->tags = od_new_array(table->arena, struct od_tag, od_value_count(map));
    for (struct od_iter it = od_iter(map); od_iter_next(&it);) {
        table->tags[table->tag_count++] = (struct od_tag){
            .key = od_arena_copy(table->arena, it.name),
            .value = od_arena_copy(table->arena, od_value_bytes(it.value)),
        };
    }
}

static bool decode_table(od_value map, struct od_table *table)
{
    od_value keys = typed(map, "keys", OD_TYPE_L);
    od_value definitions = typed(map, "definitions", OD_TYPE_L);
    od_value settings = typed(map, "settings", OD_TYPE_M);
    od_value indexes = typed(map, "indexes", OD_TYPE_L);
    od_value tags = typed(map, "tags", OD_TYPE_M);
    if (!od_value_exists(keys) || !od_value_exists(definitions) || !od_value_exists(settings) ||
        !od_value_exists(indexes)) {
        return false;
    }
    table->name = get_str(table->arena, map, "name");
    table->id = get_str(table->arena, map, "id");
    table->created_ms = get_int(map, "created_ms", 0);
    table->on_demand_ms = get_int(map, "on_demand_ms", 0);
    table->class_ms = get_int(map, "class_ms", 0);
    table->stream_ms = get_int(map, "stream_ms", 0);
    table->throughput_log = get_log(map);
    table->status = (enum od_table_status)get_int(map, "status", 0);
    table->group = (od_group)get_int(map, "group", 0);
    table->collection_group = (od_group)get_int(map, "collection_group", 0);
    decode_settings(table->arena, settings, &table->settings);
    if (od_value_exists(tags)) {
        decode_tags(tags, table);
    }
    return table->name.ptr != NULL && table->group != 0 &&
           decode_schema(table->arena, keys, &table->schema) &&
           decode_definitions(definitions, table) && decode_indexes(indexes, table);
}

struct od_table *od_catalog_row_decode(od_item row)
{
    struct od_table *table = od_table_create();
    if (!decode_table(od_item_map(row), table)) {
        od_table_release(table);
        return NULL;
    }
    return table;
}
