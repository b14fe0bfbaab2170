#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void od_log(enum od_log_level level, const char *fmt, ...)
{
    static const char *const names[] = {"error", "warning", "info"};
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    fprintf(stderr, "ordna: %s: %s\n", names[level], text);
}
