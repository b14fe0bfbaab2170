// Writing packed values and items.
#include "model/value.h"

#include "model/value_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Up to this many entries are sorted where they stand; requests seldom have more.
enum { FEW_ENTRIES = 24 };

// --- Scalars ------------------------------------------------------------------------------------

static char *put_varint(char *at, size_t n)
{
    while (n >= 0x80) {
        *at++ = (char)(n | 0x80);
        n >>= 7;
    }
    *at++ = (char)n;
    return at;
}

static char *put_string(char *at, od_str bytes)
{
    at = put_varint(at, bytes.len);
    if (bytes.len > 0) {
        memcpy(at, bytes.ptr, bytes.len);
    }
    return at + bytes.len;
}

static void pack_bytes(struct od_buf *out, char tag, od_str bytes)
{
    assert(bytes.len <= UINT32_MAX);
    char *start = od_buf_reserve(out, 1 + OD_VARINT_MAX_BYTES + bytes.len);
    *start = tag;
    out->len += (size_t)(put_string(start + 1, bytes) - start);
}

void od_pack_s(struct od_buf *out, od_str text)
{
    pack_bytes(out, OD_TAG_S, text);
}

void od_pack_b(struct od_buf *out, od_str bytes)
{
    pack_bytes(out, OD_TAG_B, bytes);
}

void od_pack_number(struct od_buf *out, od_number n)
{
    out->len += od_number_pack(n, od_buf_reserve(out, OD_NUMBER_PACKED_MAX));
}

void od_pack_bool(struct od_buf *out, bool b)
{
    od_buf_put_byte(out, b ? OD_TAG_TRUE : OD_TAG_FALSE);
}

void od_pack_null(struct od_buf *out)
{
    od_buf_put_byte(out, OD_TAG_NULL);
}

void od_pack_value(struct od_buf *out, od_value v)
{
    od_buf_put(out, (od_str){v.ptr, v.len});
}

// --- Maps and lists -----------------------------------------------------------------------------

static void put_header(char *at, char tag, size_t body_len, size_t count)
{
    assert(body_len <= UINT32_MAX && count <= UINT32_MAX);
    at[0] = tag;
    od_store_u32(at + 1, (uint32_t)body_len);
    od_store_u32(at + 5, (uint32_t)count);
}

size_t od_pack_open(struct od_buf *out, enum od_type type)
{
    assert(type == OD_TYPE_L || type == OD_TYPE_M);
    size_t mark = out->len;
    char *header = od_buf_reserve(out, OD_PACKED_HEADER_BYTES);
    put_header(header, type == OD_TYPE_M ? OD_TAG_M : OD_TAG_L, 0, 0);
    out->len += OD_PACKED_HEADER_BYTES;
    return mark;
}

void od_pack_name(struct od_buf *out, od_str name)
{
    assert(name.len <= UINT32_MAX);
    char *start = od_buf_reserve(out, OD_VARINT_MAX_BYTES + name.len);
    out->len += (size_t)(put_string(start, name) - start);
}

void od_pack_close(struct od_buf *out, size_t mark, size_t count)
{
    char *header = out->ptr + mark;
    put_header(header, header[0], out->len - mark - OD_PACKED_HEADER_BYTES, count);
}

static int compare_entries(const void *a, const void *b)
{
    const struct od_entry *left = a;
    const struct od_entry *right = b;
    return od_str_compare(left->name, right->name);
}

// Insertion sort: one pass when the entries are in order already.
static void sort_few(struct od_entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct od_entry entry = entries[i];
        size_t at = i;
        while (at > 0 && od_str_compare(entries[at - 1].name, entry.name) > 0) {
            entries[at] = entries[at - 1];
            at--;
        }
        entries[at] = entry;
    }
}

static size_t measure_entries(const struct od_entry *entries, size_t count)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++) {
        len += OD_VARINT_MAX_BYTES + entries[i].name.len + entries[i].value.len;
    }
    return len;
}

od_value od_map_build(od_arena *arena, struct od_entry *entries, size_t count)
{
    if (count <= FEW_ENTRIES) {
        sort_few(entries, count);
    } else {
        qsort(entries, count, sizeof(*entries), compare_entries);
    }
    char *start = od_arena_bytes(arena, OD_PACKED_HEADER_BYTES + measure_entries(entries, count));
    char *at = start + OD_PACKED_HEADER_BYTES;
    for (size_t i = 0; i < count; i++) {
        assert(i == 0 || !od_str_eq(entries[i - 1].name, entries[i].name));
        assert(entries[i].name.len <= UINT32_MAX);
        at = put_string(at, entries[i].name);
        memcpy(at, entries[i].value.ptr, entries[i].value.len);
        at += entries[i].value.len;
    }
    size_t len = (size_t)(at - start);
    put_header(start, OD_TAG_M, len - OD_PACKED_HEADER_BYTES, count);
    return (od_value){start, len};
}

// --- Sets ---------------------------------------------------------------------------------------

static const struct set_kind {
    char tag;
    enum od_type member;
} set_kinds[OD_TYPE_COUNT] = {
    [OD_TYPE_SS] = {OD_TAG_SS, OD_TYPE_S},
    [OD_TYPE_NS] = {OD_TAG_NS, OD_TYPE_N},
    [OD_TYPE_BS] = {OD_TAG_BS, OD_TYPE_B},
};

static int compare_members(const void *a, const void *b)
{
    return od_value_compare(*(const od_value *)a, *(const od_value *)b);
}

static bool has_duplicates(const od_value *sorted, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (od_value_equal(sorted[i - 1], sorted[i])) {
            return true;
        }
    }
    return false;
}

bool od_pack_set(struct od_buf *out, enum od_type type, od_value *members, size_t count)
{
    const struct set_kind *kind = &set_kinds[type];
    assert(kind->tag != 0 && count > 0);
    qsort(members, count, sizeof(*members), compare_members);
    if (has_duplicates(members, count)) {
        return false;
    }
    size_t body_len = 0;
    for (size_t i = 0; i < count; i++) {
        assert(od_value_type(members[i]) == kind->member);
        body_len += members[i].len;
    }
    char *at = od_buf_reserve(out, OD_PACKED_HEADER_BYTES + body_len);
    put_header(at, kind->tag, body_len, count);
    out->len += OD_PACKED_HEADER_BYTES;
    for (size_t i = 0; i < count; i++) {
        od_pack_value(out, members[i]);
    }
    return true;
}

// --- Items --------------------------------------------------------------------------------------

od_item od_item_pack(od_arena *arena, od_value map)
{
    size_t size = od_attributes_size(map);
    assert(size <= UINT32_MAX);
    char *bytes = od_arena_bytes(arena, OD_ITEM_HEADER_BYTES + map.len);
    bytes[0] = OD_ITEM_VERSION;
    od_store_u32(bytes + 1, (uint32_t)size);
    memcpy(bytes + OD_ITEM_HEADER_BYTES, map.ptr, map.len);
    return (od_item){bytes, OD_ITEM_HEADER_BYTES + map.len};
}
