#include "api/ops/ops.h"
#include "api/params/params.h"

struct get_item {
    struct od_get get;
    struct od_get_result result;
    const struct od_projection *projection;
    enum od_capacity_mode capacity;
};

static const struct od_params_spec params_spec = {
    .rows = {{OD_EXPR_PROJECTION, "ProjectionExpression", "AttributesToGet"}},
    .count = 1,
};

od_status od_get_item_decode(struct od_call *call)
{
    struct get_item *request = od_new(call->cx.arena, struct get_item);
    call->request = request;
    request->get.table = od_wire_str(call->root, "TableName");
    request->get.consistent = od_wire_bool(call->root, "ConsistentRead", false);
    request->capacity = od_api_capacity_mode(call->root);
    OD_TRY(od_api_map(&call->cx, call->root, "Key", &request->get.key));

    struct od_params params = {0};
    OD_TRY(od_params_read(call, call->root, &params_spec, &params));
    request->projection = params.projection;
    return od_api_check_key(&call->cx, request->get.key);
}

od_status od_get_item_run(struct od_call *call)
{
    struct get_item *request = call->request;
    return od_engine_get(call->engine, &call->cx, &request->get, &request->result);
}

void od_get_item_encode(struct od_call *call)
{
    const struct get_item *request = call->request;
    od_value map = request->result.map;
    od_buf_put_byte(&call->out, '{');
    if (od_value_exists(map)) {
        if (request->projection != NULL) {
            map = od_projection_apply(call->cx.arena, request->projection, map);
        }
        od_api_map_member(&call->out, "Item", map);
    }
    od_api_capacity(&call->out, request->capacity, &request->result.capacity);
    od_buf_put_byte(&call->out, '}');
}
