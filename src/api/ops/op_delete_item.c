#include "api/item_write.h"
#include "api/ops/ops.h"

static const struct od_params_spec params_spec = {
    .rows = {{OD_EXPR_CONDITION, "ConditionExpression", "Expected"}},
    .count = 1,
    .unusable_values = "ConditionExpression is null",
};

od_status od_delete_item_decode(struct od_call *call)
{
    struct od_item_write *write = od_item_write_create(call, OD_WRITE_DELETE);
    OD_TRY(od_api_map(&call->cx, call->root, "Key", &write->job.action.map));
    OD_TRY(od_item_write_read(call, OD_RETURNS_ALL_OLD, &params_spec));
    return od_api_check_key(&call->cx, write->job.action.map);
}
