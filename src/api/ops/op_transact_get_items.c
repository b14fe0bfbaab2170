#include "api/ops/ops.h"
#include "api/params/params.h"
#include "api/transaction.h"

enum { SHORT_GETS = 4 };

struct transact_get {
    struct od_get *gets;
    const struct od_projection **projections; // NULL where all attributes are asked for
    struct od_get_result *results;
    size_t count;
    enum od_capacity_mode capacity;
};

static const struct od_params_spec params_spec = {
    .rows = {{OD_EXPR_PROJECTION, "ProjectionExpression", NULL}},
    .count = 1,
};

static od_status read_get(struct od_call *call, yyjson_val *json, size_t i)
{
    struct transact_get *request = call->request;
    struct od_get *get = &request->gets[i];
    struct od_params params = {0};
    get->table = od_wire_str(json, "TableName");
    OD_TRY(od_api_map(&call->cx, json, "Key", &get->key));
    OD_TRY(od_params_read(call, json, &params_spec, &params));
    request->projections[i] = params.projection;
    return od_api_check_key(&call->cx, get->key);
}

od_status od_transact_get_items_decode(struct od_call *call)
{
    od_arena *arena = call->cx.arena;
    struct transact_get *request = od_new(arena, struct transact_get);
    yyjson_val *list = od_wire_member(call->root, "TransactItems");
    request->count = yyjson_arr_size(list);
    request->gets = od_new_array(arena, struct od_get, request->count);
    request->projections = od_new_array(arena, const struct od_projection *, request->count);
    request->results = od_new_array(arena, struct od_get_result, request->count);
    request->capacity = od_api_capacity_mode(call->root);
    call->request = request;
    call->is_short = request->count <= SHORT_GETS;
    size_t at = 0;
    size_t count = 0;
    yyjson_val *item = NULL;
    yyjson_arr_foreach(list, at, count, item)
    {
        OD_TRY(read_get(call, od_wire_member(item, "Get"), at));
    }
    return OD_OK;
}

// An item of which the projection selects nothing is not told apart from one that is not there.
static void put_response(struct od_call *call, const struct transact_get *request, size_t i)
{
    od_value map = request->results[i].map;
    od_mark mark = od_arena_mark(call->cx.arena);
    if (od_value_exists(map) && request->projections[i] != NULL) {
        map = od_projection_apply(call->cx.arena, request->projections[i], map);
    }
    od_api_comma(&call->out);
    od_buf_put_byte(&call->out, '{');
    if (od_value_exists(map) && od_value_count(map) > 0) {
        od_api_map_member(&call->out, "Item", map);
    }
    od_buf_put_byte(&call->out, '}');
    od_arena_rewind(call->cx.arena, mark);
}

od_status od_transact_get_items_run(struct od_call *call)
{
    const struct transact_get *request = call->request;
    OD_TRY(od_engine_transact_get(call->engine, &call->cx, request->gets, request->count,
                                  request->results));
    od_json_raw(&call->out, "{\"Responses\":[");
    for (size_t i = 0; i < request->count; i++) {
        OD_TRY(od_transaction_check_answer(call));
        put_response(call, request, i);
    }
    od_buf_put_byte(&call->out, ']');
    return OD_OK;
}

static void put_capacities(struct od_call *call, const struct transact_get *request)
{
    const struct od_capacity **parts =
        od_new_array(call->cx.arena, const struct od_capacity *, request->count);
    for (size_t i = 0; i < request->count; i++) {
        parts[i] = &request->results[i].capacity;
    }
    od_transaction_capacities(&call->out, request->capacity, parts, request->count, true);
}

void od_transact_get_items_encode(struct od_call *call)
{
    const struct transact_get *request = call->request;
    put_capacities(call, request);
    od_buf_put_byte(&call->out, '}');
}
