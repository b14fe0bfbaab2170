#include "api/item_write.h"
#include "api/ops/ops.h"

static const struct od_params_spec params_spec = {
    .rows = {{OD_EXPR_CONDITION, "ConditionExpression", "Expected"}},
    .count = 1,
    .unusable_values = "ConditionExpression is null",
};

od_status od_put_item_decode(struct od_call *call)
{
    struct od_item_write *write = od_item_write_create(call, OD_WRITE_PUT);
    OD_TRY(od_api_map(&call->cx, call->root, "Item", &write->job.action.map));
    return od_item_write_read(call, OD_RETURNS_ALL_OLD, &params_spec);
}
