#include "base/status.h"

static const struct {
    int http;
    const char *type;
} statuses[] = {
#define OD_STATUS(name, http, type) {http, type},
#include "base/status.def"
#undef OD_STATUS
};

int od_status_http(od_status status)
{
    return statuses[status].http;
}

const char *od_status_type(od_status status)
{
    return statuses[status].type;
}

od_status od_fail_at(od_ctx *cx, od_status status, const char *file, int line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    cx->error = od_arena_vprintf(cx->arena, fmt, args);
    va_end(args);
    cx->error_file = file;
    cx->error_line = line;
    return status;
}
