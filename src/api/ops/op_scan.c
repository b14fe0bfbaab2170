#include "api/ops/ops.h"
#include "api/read.h"

static const struct od_params_spec params_spec = {
    .rows =
        {
            {OD_EXPR_PROJECTION, "ProjectionExpression", "AttributesToGet"},
            {OD_EXPR_FILTER, "FilterExpression", "ScanFilter"},
        },
    .count = 2,
    .unusable_values = "FilterExpression is null",
};

static od_status read_segment(od_ctx *cx, yyjson_val *root, struct od_read *out)
{
    int64_t segment = od_wire_int(root, "Segment", -1);
    int64_t total = od_wire_int(root, "TotalSegments", -1);
    if (segment < 0 && total < 0) {
        return OD_OK;
    }
    if (total < 0) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "The TotalSegments parameter is required but was not present in the request "
                       "when Segment parameter is present");
    }
    if (segment < 0) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "The Segment parameter is required but was not present in the request when "
                       "parameter TotalSegments is present");
    }
    if (segment >= total) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "The Segment parameter is zero-based and must be less than parameter "
                       "TotalSegments: Segment: %lld is not less than TotalSegments: %lld",
                       (long long)segment, (long long)total);
    }
    out->segment = (uint32_t)segment;
    out->total_segments = (uint32_t)total;
    return OD_OK;
}

od_status od_scan_decode(struct od_call *call)
{
    struct od_read_request *request = od_read_create(call);
    OD_TRY(od_params_select(&call->cx, call->root, &request->read.select));
    OD_TRY(read_segment(&call->cx, call->root, &request->read));
    OD_TRY(od_read_params(call, &params_spec));
    return od_read_start_key(call);
}
