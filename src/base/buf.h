// A byte string that grows, in an arena.
#ifndef OD_BASE_BUF_H
#define OD_BASE_BUF_H

#include "base/arena.h"

// Start with {.arena = arena}.
struct od_buf {
    od_arena *arena;
    char *ptr;
    size_t len;
    size_t cap;
};

// Room for `size` more bytes, and where they go. The caller adds what it wrote to `len`.
char *od_buf_reserve(struct od_buf *buf, size_t size);

void od_buf_put(struct od_buf *buf, od_str s);
void od_buf_printf(struct od_buf *buf, const char *fmt, ...) OD_PRINTF(2, 3);

void od_buf_put_u64(struct od_buf *buf, uint64_t n); // in decimal

static inline void od_buf_put_byte(struct od_buf *buf, unsigned char byte)
{
    if (buf->len == buf->cap) {
        (void)od_buf_reserve(buf, 1);
    }
    buf->ptr[buf->len++] = (char)byte;
}

static inline od_str od_buf_str(const struct od_buf *buf)
{
    return (od_str){buf->ptr, buf->len};
}

#endif
