#include "api/ops/ops.h"

enum { MAX_WRITES = 25 };

// The writes of one table, which stand together.
struct table_writes {
    yyjson_val *list;
    size_t first;
    size_t count;
};

struct batch_write {
    struct od_batch_write_job job; // first: a pointer to the whole is the job's argument
    struct table_writes *tables;
    od_str *names; // of the tables
    size_t table_count;
    struct od_write_action actions[MAX_WRITES];
    yyjson_val *maps[MAX_WRITES]; // the Item or Key of each, as sent
    enum od_capacity_mode capacity;
    bool returns_collection;
};

// --- Decode -------------------------------------------------------------------------------------

static od_status fail_too_many(od_ctx *cx)
{
    return OD_FAIL(cx, OD_VALIDATION, "Too many items requested for the BatchWriteItem call");
}

static od_status list_tables(struct od_call *call, struct batch_write *request)
{
    yyjson_val *items = od_wire_member(call->root, "RequestItems");
    request->table_count = yyjson_obj_size(items);
    if (request->table_count > MAX_WRITES) {
        return fail_too_many(&call->cx); // the shape lets it pass when one name stands many times
    }
    request->tables = od_new_array(call->cx.arena, struct table_writes, request->table_count);
    request->names = od_new_array(call->cx.arena, od_str, request->table_count);
    size_t at = 0;
    size_t count = 0;
    yyjson_val *name = NULL;
    yyjson_val *list = NULL;
    yyjson_obj_foreach(items, at, count, name, list)
    {
        struct table_writes *table = &request->tables[at];
        request->names[at] = (od_str){yyjson_get_str(name), yyjson_get_len(name)};
        table->list = list;
        table->first = request->job.count;
        table->count = yyjson_arr_size(list);
        request->job.count += table->count;
    }
    if (request->job.count > MAX_WRITES) {
        return fail_too_many(&call->cx);
    }
    return od_api_check_tables(&call->cx, request->names, request->table_count);
}

static od_status read_put(od_ctx *cx, yyjson_val *put, struct od_write_action *out,
                          yyjson_val **map)
{
    out->kind = OD_WRITE_PUT;
    *map = od_wire_member(put, "Item");
    return od_wire_map(cx, *map, &out->map);
}

static od_status read_delete(od_ctx *cx, yyjson_val *delete, struct od_write_action *out,
                             yyjson_val **map)
{
    out->kind = OD_WRITE_DELETE;
    *map = od_wire_member(delete, "Key");
    OD_TRY(od_wire_map(cx, *map, &out->map));
    return od_api_check_key(cx, out->map);
}

static od_status read_write(od_ctx *cx, yyjson_val *write, struct od_write_action *out,
                            yyjson_val **map)
{
    yyjson_val *put = od_wire_member(write, "PutRequest");
    yyjson_val *delete = od_wire_member(write, "DeleteRequest");
    if (put != NULL && delete != NULL) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Supplied AttributeValue has more than one datatypes set, must contain "
                       "exactly one of the supported datatypes");
    }
    if (put != NULL) {
        return read_put(cx, put, out, map);
    }
    if (delete != NULL) {
        return read_delete(cx, delete, out, map);
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   "Supplied AttributeValue is empty, must contain exactly one of the supported "
                   "datatypes");
}

static od_status read_writes(od_ctx *cx, struct batch_write *request, size_t t)
{
    const struct table_writes *table = &request->tables[t];
    size_t at = 0;
    size_t count = 0;
    yyjson_val *write = NULL;
    yyjson_arr_foreach(table->list, at, count, write)
    {
        size_t i = table->first + at;
        request->actions[i].table = request->names[t];
        request->actions[i].in_batch = true;
        OD_TRY(read_write(cx, write, &request->actions[i], &request->maps[i]));
    }
    return OD_OK;
}

od_status od_batch_write_item_decode(struct od_call *call)
{
    struct batch_write *request = od_new(call->cx.arena, struct batch_write);
    call->request = request;
    request->capacity = od_api_capacity_mode(call->root);
    request->returns_collection =
        od_api_says(call->root, "ReturnItemCollectionMetrics", OD_STR("SIZE"));
    OD_TRY(list_tables(call, request));
    for (size_t i = 0; i < request->table_count; i++) {
        OD_TRY(read_writes(&call->cx, request, i));
    }
    request->job.engine = call->engine;
    request->job.actions = request->actions;
    request->job.results = od_new_array(call->cx.arena, struct od_write_result, request->job.count);
    return OD_OK;
}

// --- Apply --------------------------------------------------------------------------------------

// What a write's key is: its attributes, and its numbers as they were sent.
struct key {
    od_value values[OD_KEY_MAX_ATTRS];
    od_str numbers[OD_KEY_MAX_ATTRS];
};

static struct key key_of(const struct batch_write *request, const struct od_key_schema *schema,
                         size_t i)
{
    struct key key = {0};
    for (size_t k = 0; k < od_key_attr_count(schema); k++) {
        od_str name = schema->attrs[k].name;
        key.values[k] = od_map_get(request->actions[i].map, name);
        if (schema->attrs[k].type == OD_TYPE_N) {
            key.numbers[k] = od_api_number_text(request->maps[i], name);
        }
    }
    return key;
}

// A missing key attribute is a fault of its own, found later.
static bool same_key(const struct key *a, const struct key *b, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (!od_value_exists(a->values[k]) || !od_value_exists(b->values[k]) ||
            !od_value_equal(a->values[k], b->values[k]) ||
            !od_str_eq(a->numbers[k], b->numbers[k])) {
            return false;
        }
    }
    return true;
}

static od_status check_distinct(od_ctx *cx, const struct batch_write *request,
                                const struct table_writes *writes, const struct od_table *table)
{
    struct key keys[MAX_WRITES];
    for (size_t i = 0; i < writes->count; i++) {
        keys[i] = key_of(request, &table->schema, writes->first + i);
        for (size_t j = 0; j < i; j++) {
            if (same_key(&keys[i], &keys[j], od_key_attr_count(&table->schema))) {
                return OD_FAIL(cx, OD_VALIDATION, "Provided list of item keys contains duplicates");
            }
        }
    }
    return OD_OK;
}

// Which attributes are the key, only the table tells: so duplicates are found here.
od_status od_batch_write_item_apply(struct od_batch *batch, od_ctx *cx, void *arg)
{
    const struct batch_write *request = arg;
    for (size_t i = 0; i < request->table_count; i++) {
        const struct table_writes *writes = &request->tables[i];
        const struct od_table *table = NULL;
        OD_TRY(od_table_acquire(request->job.engine, cx, request->names[i], &table));
        od_status status = check_distinct(cx, request, writes, table);
        od_table_release(table);
        OD_TRY(status);
    }
    return od_engine_apply_batch_write(batch, cx, arg);
}

// --- Encode -------------------------------------------------------------------------------------

static void put_capacity(struct od_buf *out, const struct batch_write *request, size_t t)
{
    const struct table_writes *table = &request->tables[t];
    struct od_capacity sum = {.table = request->names[t]};
    for (size_t i = 0; i < table->count; i++) {
        od_capacity_add(&sum, &request->job.results[table->first + i].capacity);
    }
    od_api_comma(out);
    od_api_capacity_object(out, request->capacity, &sum);
}

static void put_capacities(struct od_buf *out, const struct batch_write *request)
{
    if (request->capacity == OD_CAPACITY_NONE) {
        return;
    }
    od_json_member(out, "ConsumedCapacity");
    od_buf_put_byte(out, '[');
    for (size_t i = 0; i < request->table_count; i++) {
        put_capacity(out, request, i);
    }
    od_buf_put_byte(out, ']');
}

static const struct od_collection *collection_at(const struct batch_write *request, size_t i)
{
    return &request->job.results[i].collection;
}

// Of several writes into one collection the last tells its size.
static bool is_last_of_collection(const struct batch_write *request,
                                  const struct table_writes *table, size_t i)
{
    for (size_t j = i + 1; j < table->first + table->count; j++) {
        if (od_value_equal(collection_at(request, i)->partition,
                           collection_at(request, j)->partition)) {
            return false;
        }
    }
    return true;
}

static void put_table_collections(struct od_buf *out, const struct batch_write *request, size_t t)
{
    const struct table_writes *table = &request->tables[t];
    od_api_key(out, request->names[t]);
    od_buf_put_byte(out, '[');
    for (size_t i = table->first; i < table->first + table->count; i++) {
        if (is_last_of_collection(request, table, i)) {
            od_api_comma(out);
            od_api_collection_object(out, collection_at(request, i));
        }
    }
    od_buf_put_byte(out, ']');
}

static void put_collections(struct od_buf *out, const struct batch_write *request)
{
    bool opened = false;
    for (size_t i = 0; i < request->table_count; i++) {
        const struct table_writes *table = &request->tables[i];
        if (!od_value_exists(collection_at(request, table->first)->partition)) {
            continue;
        }
        if (!opened) {
            od_json_member(out, "ItemCollectionMetrics");
            od_buf_put_byte(out, '{');
            opened = true;
        }
        put_table_collections(out, request, i);
    }
    if (opened) {
        od_buf_put_byte(out, '}');
    }
}

void od_batch_write_item_encode(struct od_call *call)
{
    const struct batch_write *request = call->request;
    od_json_raw(&call->out, "{\"UnprocessedItems\":{}");
    if (request->returns_collection) {
        put_collections(&call->out, request);
    }
    put_capacities(&call->out, request);
    od_buf_put_byte(&call->out, '}');
}
