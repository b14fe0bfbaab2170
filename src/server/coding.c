#include "server/coding.h"

#include <limits.h>
#include <zlib.h>

enum { FIRST_BYTES = 64 * 1024, GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };

static enum od_inflate inflate_all(z_stream *stream, od_arena *arena, size_t max_bytes, od_str *out)
{
    size_t cap = FIRST_BYTES;
    char *bytes = od_arena_bytes(arena, cap);
    size_t len = 0;
    int result = Z_OK;
    while (result == Z_OK) {
        if (len == cap) {
            bytes = od_arena_grow(arena, bytes, cap, cap * 2);
            cap *= 2;
        }
        stream->next_out = (unsigned char *)bytes + len;
        stream->avail_out = (uInt)(cap - len);
        result = inflate(stream, Z_NO_FLUSH);
        len = cap - stream->avail_out;
        if (len > max_bytes) {
            return OD_INFLATE_TOO_LARGE;
        }
    }
    *out = (od_str){bytes, len};
    return result == Z_STREAM_END && stream->avail_in == 0 ? OD_INFLATE_OK : OD_INFLATE_BROKEN;
}

enum od_inflate od_gzip_decode(od_arena *arena, od_str coded, size_t max_bytes, od_str *out)
{
    z_stream stream = {
        .next_in = (unsigned char *)(uintptr_t)coded.ptr,
        .avail_in = (uInt)coded.len,
    };
    if (coded.len > INT_MAX || inflateInit2(&stream, GZIP_WINDOW) != Z_OK) {
        return OD_INFLATE_BROKEN;
    }
    enum od_inflate result = inflate_all(&stream, arena, max_bytes, out);
    inflateEnd(&stream);
    return result;
}

bool od_gzip_encode(od_arena *arena, od_str plain, od_str *out)
{
    z_stream stream = {
        .next_in = (unsigned char *)(uintptr_t)plain.ptr,
        .avail_in = (uInt)plain.len,
    };
    if (plain.len > INT_MAX || deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW,
                                            MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        return false;
    }
    size_t bound = deflateBound(&stream, plain.len);
    char *bytes = od_arena_bytes(arena, bound);
    stream.next_out = (unsigned char *)bytes;
    stream.avail_out = (uInt)bound;
    int result = deflate(&stream, Z_FINISH);
    *out = (od_str){bytes, bound - stream.avail_out};
    deflateEnd(&stream);
    return result == Z_STREAM_END;
}
