#include "engine/engine_internal.h"

// An item is in an index exactly when it has all the index's key attributes, of the declared types
// and of sizes that keys have: what is older than the index may be neither.
static bool is_member(const struct od_index *index, od_value map)
{
    size_t hash_bytes = 0;
    size_t range_bytes = 0;
    for (size_t i = 0; i < od_key_attr_count(&index->schema); i++) {
        const struct od_key_attr *attr = &index->schema.attrs[i];
        od_value v = od_map_get(map, attr->name);
        if (!od_value_exists(v) || od_value_type(v) != attr->type) {
            return false;
        }
        if (attr->type != OD_TYPE_N && od_value_bytes(v).len == 0) {
            return false;
        }
        *(i < index->schema.hash_count ? &hash_bytes : &range_bytes) += od_value_size(v);
    }
    return hash_bytes <= OD_HASH_KEY_MAX_BYTES && range_bytes <= OD_RANGE_KEY_MAX_BYTES;
}

static od_item project(od_arena *arena, const struct od_table *table, const struct od_index *index,
                       od_item item)
{
    if (index->projection == OD_PROJECT_ALL) {
        return item;
    }
    struct od_buf buf = {.arena = arena};
    size_t count = 0;
    size_t mark = od_pack_open(&buf, OD_TYPE_M);
    for (struct od_iter it = od_iter(od_item_map(item)); od_iter_next(&it);) {
        if (od_index_projects(table, index, it.name)) {
            od_pack_name(&buf, it.name);
            od_pack_value(&buf, it.value);
            count++;
        }
    }
    od_pack_close(&buf, mark, count);
    return od_item_pack(arena, od_packed(&buf));
}

struct od_index_entry od_index_entry_of(od_arena *arena, const struct od_table *table,
                                        const struct od_index *index, od_item item)
{
    if (!od_item_exists(item) || !is_member(index, od_item_map(item))) {
        return (struct od_index_entry){0};
    }
    struct od_buf key = {.arena = arena};
    od_key_put(&key, &index->schema, od_item_map(item));
    od_key_put_tail(&key, &table->schema, od_item_map(item));
    return (struct od_index_entry){
        .key = od_buf_str(&key),
        .item = project(arena, table, index, item),
    };
}
