#include "api/item_write.h"
#include "api/ops/ops.h"

static const struct od_params_spec params_spec = {
    .rows =
        {
            {OD_EXPR_UPDATE, "UpdateExpression", "AttributeUpdates"},
            {OD_EXPR_CONDITION, "ConditionExpression", "Expected"},
        },
    .count = 2,
    .unusable_values = "UpdateExpression and ConditionExpression are null",
};

// An update that costs more than any item may have is refused before it costs the committer's time.
static od_status check_cost(od_ctx *cx, const struct od_update *update)
{
    if (update == NULL || od_update_cost(update) <= OD_ITEM_MAX_BYTES) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION, "Item size to update has exceeded the maximum allowed size");
}

od_status od_update_item_decode(struct od_call *call)
{
    struct od_item_write *write = od_item_write_create(call, OD_WRITE_UPDATE);
    OD_TRY(od_api_map(&call->cx, call->root, "Key", &write->job.action.map));
    OD_TRY(od_item_write_read(call, OD_RETURNS_UPDATED_NEW, &params_spec));
    OD_TRY(od_api_check_key(&call->cx, write->job.action.map));
    return check_cost(&call->cx, write->job.action.update);
}

static od_value touched(struct od_call *call, od_value map)
{
    const struct od_item_write *write = call->request;
    const struct od_update *update = write->job.action.update;
    if (update == NULL || !od_value_exists(map)) {
        return (od_value){0};
    }
    return od_update_touched(call->cx.arena, update, map);
}

static od_value returned(struct od_call *call)
{
    const struct od_item_write *write = call->request;
    const struct od_write_result *result = &write->job.result;
    switch (write->returns) {
    case OD_RETURNS_NONE:
        break;
    case OD_RETURNS_ALL_OLD:
        return result->old_map;
    case OD_RETURNS_ALL_NEW:
        return result->new_map;
    case OD_RETURNS_UPDATED_OLD:
        return touched(call, result->old_map);
    case OD_RETURNS_UPDATED_NEW:
        return touched(call, result->new_map);
    }
    return (od_value){0};
}

void od_update_item_encode(struct od_call *call)
{
    od_item_write_answer(call, returned(call));
}
