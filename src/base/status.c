#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

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
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    size_t size = len < 0 ? 0 : (size_t)len;
    char *text = od_arena_bytes(cx->arena, size + 1);
    vsnprintf(text, size + 1, fmt, again);
    va_end(again);

    cx->error = (od_str){text, size};
    cx->error_file = file;
    cx->error_line = line;
    return status;
}
