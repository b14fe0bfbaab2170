#include "api/ops/ops.h"
#include "api/params/params.h"

enum {
    MAX_KEYS = 100,
    SHORT_KEYS = 4,
    MAX_KEY_ATTRS = 2, // of a table's key: what has more fits no table
    // Read together, so that what is read beyond the limit below is bounded.
    SLICE_KEYS = 16,
    // DynamoDB's own example: of 100 items of 300 KB it answers 52.
    MAX_ITEMS_BYTES = 16 * 1000 * 1000, // as they are measured
};

// A key's numbers as they were sent.
struct spelling {
    od_str numbers[MAX_KEY_ATTRS];
};

struct table_keys {
    yyjson_val *options; // the request's {"Keys": ..., "ProjectionExpression": ...}
    yyjson_val *list;    // its Keys
    struct od_get *gets;
    struct spelling *spellings;
    bool *repeats; // a key that equals an earlier one, spelled differently: it brings no item more
    size_t count;
    size_t done; // those answered
    const struct od_projection *projection;
    struct od_capacity capacity;
};

struct batch_get {
    struct table_keys *tables;
    od_str *names; // of the tables
    size_t count;
    size_t bytes; // of items answered
    enum od_capacity_mode capacity;
};

static const struct od_params_spec params_spec = {
    .rows = {{OD_EXPR_PROJECTION, "ProjectionExpression", "AttributesToGet"}},
    .count = 1,
};

// --- Decode -------------------------------------------------------------------------------------

static od_status fail_too_many(od_ctx *cx)
{
    return OD_FAIL(cx, OD_VALIDATION, "Too many items requested for the BatchGetItem call");
}

static od_status list_tables(struct od_call *call, struct batch_get *request)
{
    yyjson_val *items = od_wire_member(call->root, "RequestItems");
    request->count = yyjson_obj_size(items);
    if (request->count > MAX_KEYS) {
        return fail_too_many(&call->cx); // the shape lets it pass when one name stands many times
    }
    request->tables = od_new_array(call->cx.arena, struct table_keys, request->count);
    request->names = od_new_array(call->cx.arena, od_str, request->count);
    size_t at = 0;
    size_t count = 0;
    size_t keys = 0;
    yyjson_val *name = NULL;
    yyjson_val *options = NULL;
    yyjson_obj_foreach(items, at, count, name, options)
    {
        struct table_keys *table = &request->tables[at];
        table->options = options;
        table->list = od_wire_member(options, "Keys");
        table->count = yyjson_arr_size(table->list);
        keys += table->count;
        request->names[at] = (od_str){yyjson_get_str(name), yyjson_get_len(name)};
    }
    if (keys > MAX_KEYS) {
        return fail_too_many(&call->cx);
    }
    call->is_short = keys <= SHORT_KEYS;
    return od_api_check_tables(&call->cx, request->names, request->count);
}

static void read_spelling(yyjson_val *json, od_value key, struct spelling *out)
{
    size_t i = 0;
    for (struct od_iter it = od_iter(key); i < MAX_KEY_ATTRS && od_iter_next(&it); i++) {
        out->numbers[i] = od_api_number_text(json, it.name);
    }
}

static od_status read_keys(struct od_call *call, od_str name, struct table_keys *table)
{
    bool consistent = od_wire_bool(table->options, "ConsistentRead", false);
    table->gets = od_new_array(call->cx.arena, struct od_get, table->count);
    table->spellings = od_new_array(call->cx.arena, struct spelling, table->count);
    table->repeats = od_new_array(call->cx.arena, bool, table->count);
    size_t at = 0;
    size_t count = 0;
    yyjson_val *key = NULL;
    yyjson_arr_foreach(table->list, at, count, key)
    {
        struct od_get *get = &table->gets[at];
        get->table = name;
        get->consistent = consistent;
        OD_TRY(od_wire_map(&call->cx, key, &get->key));
        read_spelling(key, get->key, &table->spellings[at]);
    }
    return OD_OK;
}

// One style for all tables.
static od_status check_styles(od_ctx *cx, const struct batch_get *request)
{
    bool legacy = false;
    bool expressions = false;
    for (size_t i = 0; i < request->count; i++) {
        yyjson_val *options = request->tables[i].options;
        legacy = legacy || od_wire_member(options, "AttributesToGet") != NULL;
        expressions = expressions || od_wire_member(options, "ProjectionExpression") != NULL;
    }
    if (legacy && expressions) {
        return od_params_mixed(cx, OD_STR("AttributesToGet"), OD_STR("ProjectionExpression"));
    }
    return OD_OK;
}

static bool spelled_alike(const struct spelling *a, const struct spelling *b)
{
    for (size_t i = 0; i < MAX_KEY_ATTRS; i++) {
        if (!od_str_eq(a->numbers[i], b->numbers[i])) {
            return false;
        }
    }
    return true;
}

static od_status check_repeats(od_ctx *cx, struct table_keys *table, size_t i)
{
    od_value key = table->gets[i].key;
    for (size_t j = 0; j < i; j++) {
        if (!od_value_equal(key, table->gets[j].key)) {
            continue;
        }
        if (spelled_alike(&table->spellings[i], &table->spellings[j])) {
            return OD_FAIL(cx, OD_VALIDATION, "Provided list of item keys contains duplicates");
        }
        table->repeats[i] = true;
    }
    return OD_OK;
}

static od_status check_keys(od_ctx *cx, struct table_keys *table)
{
    for (size_t i = 0; i < table->count; i++) {
        OD_TRY(od_api_check_key(cx, table->gets[i].key));
        OD_TRY(check_repeats(cx, table, i));
    }
    return OD_OK;
}

od_status od_batch_get_item_decode(struct od_call *call)
{
    struct batch_get *request = od_new(call->cx.arena, struct batch_get);
    call->request = request;
    request->capacity = od_api_capacity_mode(call->root);
    OD_TRY(list_tables(call, request));
    for (size_t i = 0; i < request->count; i++) {
        OD_TRY(read_keys(call, request->names[i], &request->tables[i]));
    }
    OD_TRY(check_styles(&call->cx, request));
    for (size_t i = 0; i < request->count; i++) {
        struct od_params params = {0};
        OD_TRY(od_params_read(call, request->tables[i].options, &params_spec, &params));
        request->tables[i].projection = params.projection;
    }
    for (size_t i = 0; i < request->count; i++) {
        OD_TRY(check_keys(&call->cx, &request->tables[i]));
    }
    return OD_OK;
}

// --- Run ----------------------------------------------------------------------------------------

// As an item: a map as a value counts 3 bytes, and 1 for each member, more.
static size_t item_bytes(od_value map)
{
    return od_value_size(map) - 3 - od_value_count(map);
}

// False when the item would be too much for the answer.
static bool answer_item(struct od_call *call, const struct table_keys *table, od_value map)
{
    struct batch_get *request = call->request;
    if (!od_value_exists(map)) {
        return true;
    }
    size_t bytes = item_bytes(map);
    if (request->bytes + bytes > MAX_ITEMS_BYTES || call->out.len > OD_ANSWER_MAX_BYTES) {
        return false;
    }
    request->bytes += bytes;
    if (table->projection != NULL) {
        map = od_projection_apply(call->cx.arena, table->projection, map);
    }
    od_api_comma(&call->out);
    od_json_map(&call->out, map);
    return true;
}

// Sets `full` when the rest of the keys goes back unprocessed.
static od_status read_slice(struct od_call *call, struct table_keys *table, bool *full)
{
    struct od_get_result results[SLICE_KEYS] = {0};
    const struct od_get *gets = table->gets + table->done;
    size_t left = table->count - table->done;
    size_t count = left < SLICE_KEYS ? left : SLICE_KEYS;
    OD_TRY(od_engine_get_many(call->engine, &call->cx, gets, count, results));
    for (size_t i = 0; i < count; i++, table->done++) {
        if (table->repeats[table->done]) {
            continue;
        }
        if (!answer_item(call, table, results[i].map)) {
            *full = true;
            return OD_OK;
        }
        od_capacity_add(&table->capacity, &results[i].capacity);
    }
    return OD_OK;
}

static od_status read_table(struct od_call *call, struct table_keys *table, bool *full)
{
    while (table->done < table->count && !*full) {
        od_mark mark = od_arena_mark(call->cx.arena);
        OD_TRY(read_slice(call, table, full));
        od_arena_rewind(call->cx.arena, mark);
    }
    return OD_OK;
}

// The items are written as they are read; every table is there, even without any.
od_status od_batch_get_item_run(struct od_call *call)
{
    struct batch_get *request = call->request;
    bool full = false;
    od_json_raw(&call->out, "{\"Responses\":{");
    for (size_t i = 0; i < request->count; i++) {
        request->tables[i].capacity.table = request->names[i];
        od_api_key(&call->out, request->names[i]);
        od_buf_put_byte(&call->out, '[');
        OD_TRY(read_table(call, &request->tables[i], &full));
        od_buf_put_byte(&call->out, ']');
    }
    od_buf_put_byte(&call->out, '}');
    return OD_OK;
}

// --- Encode -------------------------------------------------------------------------------------

static void put_unprocessed_keys(struct od_buf *out, const struct table_keys *table)
{
    od_json_member(out, "Keys");
    od_buf_put_byte(out, '[');
    for (size_t i = table->done; i < table->count; i++) {
        od_api_comma(out);
        od_api_json(out, yyjson_arr_get(table->list, i));
    }
    od_buf_put_byte(out, ']');
}

// So that the client can send it again as it is.
static void put_unprocessed(struct od_buf *out, const struct table_keys *table)
{
    static const char *const options[] = {
        "ConsistentRead",
        "ProjectionExpression",
        "ExpressionAttributeNames",
        "AttributesToGet",
    };
    od_buf_put_byte(out, '{');
    put_unprocessed_keys(out, table);
    for (size_t i = 0; i < OD_COUNT(options); i++) {
        yyjson_val *option = od_wire_member(table->options, options[i]);
        if (option != NULL) {
            od_json_member(out, options[i]);
            od_api_json(out, option);
        }
    }
    od_buf_put_byte(out, '}');
}

static void put_capacities(struct od_buf *out, const struct batch_get *request)
{
    if (request->capacity == OD_CAPACITY_NONE) {
        return;
    }
    od_json_member(out, "ConsumedCapacity");
    od_buf_put_byte(out, '[');
    for (size_t i = 0; i < request->count; i++) {
        if (request->tables[i].done > 0) {
            od_api_comma(out);
            od_api_capacity_object(out, request->capacity, &request->tables[i].capacity);
        }
    }
    od_buf_put_byte(out, ']');
}

void od_batch_get_item_encode(struct od_call *call)
{
    const struct batch_get *request = call->request;
    struct od_buf *out = &call->out;
    od_json_member(out, "UnprocessedKeys");
    od_buf_put_byte(out, '{');
    for (size_t i = 0; i < request->count; i++) {
        if (request->tables[i].done < request->tables[i].count) {
            od_api_key(out, request->names[i]);
            put_unprocessed(out, &request->tables[i]);
        }
    }
    od_buf_put_byte(out, '}');
    put_capacities(out, request);
    od_buf_put_byte(out, '}');
}
