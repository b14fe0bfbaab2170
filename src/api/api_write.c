// Members that many operations answer alike.
#include "api/api_internal.h"

enum { BYTES_OF_GB = 1024 * 1024 * 1024 };

// The writer looks at what stands before: the first member or element takes no comma.
static bool is_opened(const struct od_buf *out, char opening)
{
    return out->len > 0 && out->ptr[out->len - 1] == opening;
}

void od_api_key(struct od_buf *out, od_str name)
{
    if (!is_opened(out, '{')) {
        od_buf_put_byte(out, ',');
    }
    od_json_str(out, name);
    od_buf_put_byte(out, ':');
}

void od_api_comma(struct od_buf *out)
{
    if (!is_opened(out, '[')) {
        od_buf_put_byte(out, ',');
    }
}

static void *take_bytes(void *arena, size_t size)
{
    return od_arena_bytes(arena, size);
}

static void *grow_bytes(void *arena, void *bytes, size_t old_size, size_t size)
{
    return od_arena_grow(arena, bytes, old_size, size);
}

static void leave_bytes(void *arena, void *bytes)
{
    (void)arena;
    (void)bytes;
}

void od_api_json(struct od_buf *out, yyjson_val *json)
{
    // What yyjson makes lives in the arena.
    const yyjson_alc alc = {take_bytes, grow_bytes, leave_bytes, out->arena};
    size_t len = 0;
    const char *text = yyjson_val_write_opts(json, YYJSON_WRITE_NOFLAG, &alc, &len, NULL);
    if (text != NULL) {
        od_buf_put(out, (od_str){text, len});
    }
}

void od_api_map_member(struct od_buf *out, const char *name, od_value map)
{
    od_json_member(out, name);
    od_json_map(out, map);
}

// `share` is the member that says it again in a transaction, or NULL.
static void put_total(struct od_buf *out, int64_t halves, const char *share)
{
    od_json_member(out, "CapacityUnits");
    od_json_halves(out, halves);
    if (share != NULL) {
        od_json_member(out, share);
        od_json_halves(out, halves);
    }
}

static void put_units(struct od_buf *out, int64_t halves, const char *share)
{
    od_buf_put_byte(out, '{');
    put_total(out, halves, share);
    od_buf_put_byte(out, '}');
}

static void put_arms(struct od_buf *out, const char *name, const struct od_capacity *c, bool local)
{
    bool opened = false;
    for (size_t i = 0; i < c->arm_count; i++) {
        if (c->arms[i].is_local != local) {
            continue;
        }
        if (!opened) {
            od_json_member(out, name);
            od_buf_put_byte(out, '{');
            opened = true;
        }
        od_api_key(out, c->arms[i].index);
        put_units(out, c->arms[i].halves, NULL);
    }
    if (opened) {
        od_buf_put_byte(out, '}');
    }
}

static void put_capacity(struct od_buf *out, enum od_capacity_mode mode,
                         const struct od_capacity *c, const char *share)
{
    od_json_raw(out, "{\"TableName\":");
    od_json_str(out, c->table);
    put_total(out, od_capacity_total(c), share);
    if (mode == OD_CAPACITY_INDEXES) {
        od_json_member(out, "Table");
        put_units(out, c->table_halves, share);
        put_arms(out, "GlobalSecondaryIndexes", c, false);
        put_arms(out, "LocalSecondaryIndexes", c, true);
    }
    od_buf_put_byte(out, '}');
}

void od_api_capacity_object(struct od_buf *out, enum od_capacity_mode mode,
                            const struct od_capacity *c)
{
    put_capacity(out, mode, c, NULL);
}

void od_api_transaction_capacity_object(struct od_buf *out, enum od_capacity_mode mode,
                                        const struct od_capacity *c, bool is_read)
{
    put_capacity(out, mode, c, is_read ? "ReadCapacityUnits" : "WriteCapacityUnits");
}

void od_api_capacity(struct od_buf *out, enum od_capacity_mode mode, const struct od_capacity *c)
{
    if (mode == OD_CAPACITY_NONE) {
        return;
    }
    od_json_member(out, "ConsumedCapacity");
    od_api_capacity_object(out, mode, c);
}

void od_api_collection_object(struct od_buf *out, const struct od_collection *collection)
{
    int64_t low = collection->size_bytes / BYTES_OF_GB;
    od_json_raw(out, "{\"ItemCollectionKey\":{");
    od_api_key(out, collection->partition_name);
    od_json_value(out, collection->partition);
    od_json_raw(out, "},\"SizeEstimateRangeGB\":[");
    od_json_halves(out, low * 2);
    od_buf_put_byte(out, ',');
    od_json_halves(out, (low + 1) * 2);
    od_json_raw(out, "]}");
}
