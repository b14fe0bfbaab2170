#include "model/key.h"

#include <assert.h>
#include <string.h>
#include <xxhash.h>

// Bytes up to ESCAPE are written as ESCAPE and another one; END is below all of those.
enum { END = 0x01, ESCAPE = 0x02, ESCAPED_BASE = 0x02 };

enum { HASH_BITS = 56, HASH_BITS_PER_BYTE = 7 };

bool od_key_find(const struct od_key_schema *schema, od_str name, size_t *out)
{
    for (size_t i = 0; i < od_key_attr_count(schema); i++) {
        if (od_str_eq(schema->attrs[i].name, name)) {
            *out = i;
            return true;
        }
    }
    return false;
}

// --- Components ---------------------------------------------------------------------------------

static char *put_escaped(char *at, od_str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char byte = (unsigned char)bytes.ptr[i];
        if (byte <= ESCAPE) {
            *at++ = ESCAPE;
            byte = (unsigned char)(byte + ESCAPED_BASE);
        }
        *at++ = (char)byte;
    }
    return at;
}

void od_key_put_prefix(struct od_buf *out, od_value prefix)
{
    od_str bytes = od_value_bytes(prefix);
    char *start = od_buf_reserve(out, 2 * bytes.len + 1); // and END, which mostly follows
    out->len += (size_t)(put_escaped(start, bytes) - start);
}

void od_key_put_component(struct od_buf *out, od_value v)
{
    if (od_value_type(v) == OD_TYPE_N) {
        od_buf_put(out, (od_str){v.ptr, v.len});
        return;
    }
    od_key_put_prefix(out, v);
    od_buf_put_byte(out, END);
}

// --- Hash ---------------------------------------------------------------------------------------

// The upper HASH_BITS of `hash`, in bytes that sort as it does and are never 0.
static void put_hash(char out[OD_KEY_HASH_BYTES], uint64_t hash)
{
    uint64_t bits = hash >> (64 - HASH_BITS);
    for (size_t i = OD_KEY_HASH_BYTES; i > 0; i--) {
        out[i - 1] = (char)(0x80 | (bits & 0x7F));
        bits >>= HASH_BITS_PER_BYTE;
    }
}

// Writes the hash of what follows the place for it at `mark`.
static void fill_hash(struct od_buf *out, size_t mark)
{
    size_t from = mark + OD_KEY_HASH_BYTES;
    put_hash(out->ptr + mark, XXH3_64bits(out->ptr + from, out->len - from));
}

static size_t leave_room_for_hash(struct od_buf *out)
{
    size_t mark = out->len;
    (void)od_buf_reserve(out, OD_KEY_HASH_BYTES);
    out->len += OD_KEY_HASH_BYTES;
    return mark;
}

void od_key_put_partition(struct od_buf *out, const od_value *values, size_t count)
{
    size_t mark = leave_room_for_hash(out);
    for (size_t i = 0; i < count; i++) {
        od_key_put_component(out, values[i]);
    }
    fill_hash(out, mark);
}

// --- Keys ---------------------------------------------------------------------------------------

static void put_attrs(struct od_buf *out, const struct od_key_attr *attrs, size_t count,
                      od_value map)
{
    for (size_t i = 0; i < count; i++) {
        od_value value = od_map_get(map, attrs[i].name);
        assert(od_value_exists(value) && od_value_type(value) == attrs[i].type);
        od_key_put_component(out, value);
    }
}

void od_key_put(struct od_buf *out, const struct od_key_schema *schema, od_value map)
{
    size_t mark = leave_room_for_hash(out);
    put_attrs(out, schema->attrs, schema->hash_count, map);
    fill_hash(out, mark);
    put_attrs(out, schema->attrs + schema->hash_count, schema->range_count, map);
}

void od_key_put_tail(struct od_buf *out, const struct od_key_schema *schema, od_value map)
{
    put_attrs(out, schema->attrs, od_key_attr_count(schema), map);
}

// --- Bounds -------------------------------------------------------------------------------------

od_str od_key_after_prefix(od_arena *arena, od_str prefix)
{
    while (prefix.len > 0 && (unsigned char)prefix.ptr[prefix.len - 1] == 0xFF) {
        prefix.len--;
    }
    if (prefix.len == 0) {
        return (od_str){0};
    }
    char *bytes = od_arena_bytes(arena, prefix.len);
    memcpy(bytes, prefix.ptr, prefix.len);
    bytes[prefix.len - 1]++;
    return (od_str){bytes, prefix.len};
}

// Where segment `segment` begins. Rounded up, so that each hash is in the segment
// hash * total / 2^HASH_BITS.
static od_str segment_start(od_arena *arena, uint32_t segment, uint32_t total)
{
    if (segment == 0 || segment == total) {
        return (od_str){0};
    }
    unsigned __int128 space = (unsigned __int128)segment << HASH_BITS;
    uint64_t first = (uint64_t)((space + total - 1) / total);
    char *bytes = od_arena_bytes(arena, OD_KEY_HASH_BYTES);
    put_hash(bytes, first << (64 - HASH_BITS));
    return (od_str){bytes, OD_KEY_HASH_BYTES};
}

void od_key_segment(od_arena *arena, uint32_t segment, uint32_t total, od_str *lo, od_str *hi)
{
    assert(segment < total);
    *lo = segment_start(arena, segment, total);
    *hi = segment_start(arena, segment + 1, total);
}
