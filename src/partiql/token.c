// NextToken: where a SELECT goes on, bound to its statement and parameters. In base64:
//
//   version 0x01 | u64 fingerprint | u64 hash of the rest | u16 read | key, packed, or nothing
//
// Integers are little-endian. The hash tells rubbish from a token that belongs elsewhere; it is no
// secret, and the engine checks the key like any start key.
#include "base/base64.h"
#include "partiql/partiql_internal.h"

#include <string.h>
#include <xxhash.h>

enum {
    VERSION = 0x01,
    HEADER_BYTES = 1 + 8 + 8,
    READ_BYTES = 2,
    MAX_TOKEN_BYTES = 32 * 1024,
};

uint64_t od_partiql_fingerprint(uint64_t seed, od_str text, const od_value *parameters,
                                size_t count)
{
    uint64_t hash = XXH3_64bits_withSeed(text.ptr, text.len, seed + count);
    for (size_t i = 0; i < count; i++) {
        hash = XXH3_64bits_withSeed(parameters[i].ptr, parameters[i].len, hash);
    }
    return hash;
}

static void put_int(struct od_buf *out, uint64_t n, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        od_buf_put_byte(out, (unsigned char)(n >> (8 * i)));
    }
}

static uint64_t get_int(const char *at, size_t bytes)
{
    uint64_t n = 0;
    for (size_t i = 0; i < bytes; i++) {
        n |= (uint64_t)(unsigned char)at[i] << (8 * i);
    }
    return n;
}

static uint64_t hash_of(uint64_t fingerprint, od_str rest)
{
    return XXH3_64bits_withSeed(rest.ptr, rest.len, fingerprint);
}

od_str od_partiql_token_write(od_arena *arena, uint64_t fingerprint,
                              const struct od_select_position *position)
{
    struct od_buf rest = {.arena = arena};
    put_int(&rest, position->read, READ_BYTES);
    if (od_value_exists(position->key)) {
        od_pack_value(&rest, position->key);
    }
    struct od_buf bytes = {.arena = arena};
    od_buf_put_byte(&bytes, VERSION);
    put_int(&bytes, fingerprint, 8);
    put_int(&bytes, hash_of(fingerprint, od_buf_str(&rest)), 8);
    od_buf_put(&bytes, od_buf_str(&rest));
    struct od_buf token = {.arena = arena};
    od_base64_encode(&token, od_buf_str(&bytes));
    return od_buf_str(&token);
}

static bool is_key(od_str bytes)
{
    return od_value_valid(bytes) && od_value_type((od_value){bytes.ptr, bytes.len}) == OD_TYPE_M;
}

static bool is_token(od_str bytes)
{
    if (bytes.len < HEADER_BYTES + READ_BYTES || bytes.ptr[0] != VERSION) {
        return false;
    }
    od_str rest = od_str_skip(bytes, HEADER_BYTES);
    uint64_t fingerprint = get_int(bytes.ptr + 1, 8);
    od_str key = od_str_skip(rest, READ_BYTES);
    return get_int(bytes.ptr + 9, 8) == hash_of(fingerprint, rest) &&
           get_int(rest.ptr, READ_BYTES) < OD_PARTIQL_MAX_READS && (key.len == 0 || is_key(key));
}

od_status od_partiql_token_read(od_ctx *cx, od_str token, uint64_t fingerprint,
                                struct od_select_position *out)
{
    od_str bytes = {0};
    if (token.len > MAX_TOKEN_BYTES || !od_base64_decode(cx->arena, token, &bytes) ||
        !is_token(bytes)) {
        return OD_FAIL(cx, OD_VALIDATION, "Invalid NextToken");
    }
    if (get_int(bytes.ptr + 1, 8) != fingerprint) {
        return OD_FAIL(cx, OD_VALIDATION, "NextToken does not match request");
    }
    od_str rest = od_str_skip(bytes, HEADER_BYTES);
    od_str key = od_str_skip(rest, READ_BYTES);
    *out = (struct od_select_position){.read = (size_t)get_int(rest.ptr, READ_BYTES)};
    if (key.len > 0) {
        out->key = (od_value){key.ptr, key.len};
    }
    return OD_OK;
}
