#include "api/ops/ops.h"

// What DynamoDB grants an account at first. One node has no such limits, but clients plan with
// them.
static const struct {
    const char *name;
    int64_t units;
} limits[] = {
    {"AccountMaxReadCapacityUnits", 80000},
    {"AccountMaxWriteCapacityUnits", 80000},
    {"TableMaxReadCapacityUnits", 40000},
    {"TableMaxWriteCapacityUnits", 40000},
};

void od_describe_limits_encode(struct od_call *call)
{
    od_buf_put_byte(&call->out, '{');
    for (size_t i = 0; i < OD_COUNT(limits); i++) {
        od_json_member(&call->out, limits[i].name);
        od_json_int(&call->out, limits[i].units);
    }
    od_buf_put_byte(&call->out, '}');
}
