// Pieces of requests.
#ifndef OD_MAPPER_JSON_WRITE_H
#define OD_MAPPER_JSON_WRITE_H

#include "base/buf.h"

#include <string.h>

// Text as it is, and at least a byte. Of a literal the compiler knows the length, and makes a few
// moves of it.
static inline void od_put(struct od_buf *out, od_str text)
{
    if (text.len > out->cap - out->len) {
        (void)od_buf_reserve(out, text.len);
    }
    memcpy(out->ptr + out->len, text.ptr, text.len);
    out->len += text.len;
}

// A string, quoted and escaped. False, and nothing is written, when it is not UTF-8.
bool od_put_string(struct od_buf *out, od_str text);

#endif
