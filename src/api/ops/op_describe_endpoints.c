#include "api/ops/ops.h"

enum { CACHE_MINUTES = 1440 };

void od_describe_endpoints_encode(struct od_call *call)
{
    od_json_raw(&call->out, "{\"Endpoints\":[{\"Address\":");
    od_json_str(&call->out, call->endpoint);
    od_json_member(&call->out, "CachePeriodInMinutes");
    od_json_int(&call->out, CACHE_MINUTES);
    od_json_raw(&call->out, "}]}");
}
