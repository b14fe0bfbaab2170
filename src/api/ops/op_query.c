#include "api/ops/ops.h"
#include "api/read.h"

static const struct od_params_spec params_spec = {
    .rows =
        {
            {OD_EXPR_PROJECTION, "ProjectionExpression", "AttributesToGet"},
            {OD_EXPR_FILTER, "FilterExpression", "QueryFilter"},
            {OD_EXPR_KEY_CONDITION, "KeyConditionExpression", "KeyConditions"},
        },
    .count = 3,
    .unusable_values = "FilterExpression and KeyConditionExpression are null",
};

// Query envelopes these faults, though none of the enveloped family.
static od_status read_select(struct od_call *call, enum od_select *out)
{
    od_status status = od_params_select(&call->cx, call->root, out);
    return status == OD_OK ? OD_OK : od_api_envelope(&call->cx, status);
}

static od_status check_has_condition(od_ctx *cx, yyjson_val *root)
{
    if (od_wire_member(root, "KeyConditionExpression") != NULL ||
        od_wire_member(root, "KeyConditions") != NULL) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   "Either the KeyConditions or KeyConditionExpression parameter must be specified "
                   "in the request.");
}

od_status od_query_decode(struct od_call *call)
{
    struct od_read_request *request = od_read_create(call);
    request->read.backward = !od_wire_bool(call->root, "ScanIndexForward", true);
    OD_TRY(read_select(call, &request->read.select));
    OD_TRY(od_read_params(call, &params_spec));
    OD_TRY(check_has_condition(&call->cx, call->root));
    return od_read_start_key(call);
}
