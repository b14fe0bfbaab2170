#include "engine/engine_internal.h"

static void fill(const struct od_get *get, od_str row, struct od_get_result *out)
{
    size_t size = 0;
    out->map = (od_value){0};
    if (row.ptr != NULL) {
        od_item item = {row.ptr, row.len};
        out->map = od_item_map(item);
        size = od_item_size(item);
    }
    out->capacity.table = get->table;
    out->capacity.table_halves = od_read_halves(size, get->consistent);
}

static od_status make_keys(od_ctx *cx, const struct od_table *table, const struct od_get *gets,
                           size_t count, od_str *keys)
{
    for (size_t i = 0; i < count; i++) {
        OD_TRY(od_check_key(cx, table, gets[i].key));
        keys[i] = od_row_key(cx->arena, &table->schema, gets[i].key);
    }
    return OD_OK;
}

od_status od_engine_get_many(od_engine *engine, od_ctx *cx, const struct od_get *gets, size_t count,
                             struct od_get_result *results)
{
    const struct od_table *table = NULL;
    OD_TRY(od_table_acquire(engine, cx, gets[0].table, &table));
    od_str *keys = od_new_array(cx->arena, od_str, count);
    od_str *rows = od_new_array(cx->arena, od_str, count);
    od_status status = make_keys(cx, table, gets, count, keys);
    if (status == OD_OK) {
        status = engine->ops->get(engine->store, cx, NULL, table->group, keys, count, rows);
    }
    od_table_release(table);
    OD_TRY(status);
    for (size_t i = 0; i < count; i++) {
        fill(&gets[i], rows[i], &results[i]);
    }
    return OD_OK;
}

od_status od_engine_get(od_engine *engine, od_ctx *cx, const struct od_get *get,
                        struct od_get_result *out)
{
    return od_engine_get_many(engine, cx, get, 1, out);
}
