#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_SIZE = 256 };

char *od_buf_reserve(struct od_buf *buf, size_t size)
{
    if (size > buf->cap - buf->len) {
        size_t cap = (buf->len + size) * 2;
        cap = cap < FIRST_SIZE ? FIRST_SIZE : cap;
        buf->ptr = od_arena_grow(buf->arena, buf->ptr, buf->cap, cap);
        buf->cap = cap;
    }
    return buf->len == 0 ? buf->ptr : buf->ptr + buf->len;
}

void od_buf_put(struct od_buf *buf, od_str s)
{
    if (s.len == 0) {
        return;
    }
    memcpy(od_buf_reserve(buf, s.len), s.ptr, s.len);
    buf->len += s.len;
}

void od_buf_printf(struct od_buf *buf, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len > 0) {
        vsnprintf(od_buf_reserve(buf, (size_t)len + 1), (size_t)len + 1, fmt, again);
        buf->len += (size_t)len;
    }
    va_end(again);
}

void od_buf_put_u64(struct od_buf *buf, uint64_t n)
{
    char digits[20];
    size_t at = sizeof(digits);
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    od_buf_put(buf, (od_str){digits + at, sizeof(digits) - at});
}
