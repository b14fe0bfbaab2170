#include "server/coding.h"

#include <libdeflate.h>

enum { FIRST_BYTES = 64 * 1024, FAST_LEVEL = 1 };

// One try with room for `size` bytes.
static enum libdeflate_result inflate(struct libdeflate_decompressor *decompressor, od_str coded,
                                      char *bytes, size_t size, size_t *len)
{
    size_t taken = 0;
    enum libdeflate_result result =
        libdeflate_gzip_decompress_ex(decompressor, coded.ptr, coded.len, bytes, size, &taken, len);
    // Bytes after the end belong to nobody.
    return result == LIBDEFLATE_SUCCESS && taken != coded.len ? LIBDEFLATE_BAD_DATA : result;
}

// Tries with ever more room. What the body says of its own size is not believed.
static enum od_inflate inflate_all(struct libdeflate_decompressor *decompressor, od_arena *arena,
                                   od_str coded, size_t max_bytes, od_str *out)
{
    for (size_t size = FIRST_BYTES;; size *= 4) {
        size = size < max_bytes ? size : max_bytes;
        od_mark mark = od_arena_mark(arena);
        char *bytes = od_arena_bytes(arena, size);
        size_t len = 0;
        enum libdeflate_result result = inflate(decompressor, coded, bytes, size, &len);
        if (result == LIBDEFLATE_SUCCESS) {
            *out = (od_str){bytes, len};
            return OD_INFLATE_OK;
        }
        od_arena_rewind(arena, mark);
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
            return OD_INFLATE_BROKEN;
        }
        if (size == max_bytes) {
            return OD_INFLATE_TOO_LARGE;
        }
    }
}

enum od_inflate od_gzip_decode(od_arena *arena, od_str coded, size_t max_bytes, od_str *out)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (decompressor == NULL) {
        return OD_INFLATE_TOO_LARGE;
    }
    enum od_inflate result = inflate_all(decompressor, arena, coded, max_bytes, out);
    libdeflate_free_decompressor(decompressor);
    return result;
}

bool od_gzip_encode(od_arena *arena, od_str plain, od_str *out)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(FAST_LEVEL);
    if (compressor == NULL) {
        return false;
    }
    size_t bound = libdeflate_gzip_compress_bound(compressor, plain.len);
    char *bytes = od_arena_bytes(arena, bound);
    size_t len = libdeflate_gzip_compress(compressor, plain.ptr, plain.len, bytes, bound);
    libdeflate_free_compressor(compressor);
    *out = (od_str){bytes, len};
    return len > 0;
}

// What comes before `end`, without blanks around it; `rest` is left with what comes after.
static od_str take_until(od_str *rest, char end)
{
    size_t len = 0;
    while (len < rest->len && rest->ptr[len] != end) {
        len++;
    }
    od_str taken = {rest->ptr, len};
    *rest = od_str_skip(*rest, len < rest->len ? len + 1 : len);
    return od_str_trim(taken);
}

// "q=0", "q=0.000"
static bool is_zero_weight(od_str weight)
{
    if (weight.len < sizeof("q=0") - 1 || (weight.ptr[0] | 0x20) != 'q' || weight.ptr[1] != '=') {
        return false;
    }
    for (size_t i = 2; i < weight.len; i++) {
        if (weight.ptr[i] != '0' && weight.ptr[i] != '.') {
            return false;
        }
    }
    return true;
}

bool od_accepts_gzip(od_str accept_encoding)
{
    while (accept_encoding.len > 0) {
        od_str coding = take_until(&accept_encoding, ',');
        od_str name = take_until(&coding, ';');
        if (od_str_eq_nocase(name, OD_STR("gzip"))) {
            return !is_zero_weight(take_until(&coding, ';'));
        }
    }
    return false;
}

uint32_t od_crc32(od_str bytes)
{
    return libdeflate_crc32(0, bytes.ptr, bytes.len);
}
