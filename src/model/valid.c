// Telling well-formed packed bytes from others. Nothing here trusts what it reads.
#include "model/value.h"

#include "base/utf8.h"
#include "model/value_internal.h"

// An item's own map, OD_MAX_NESTING maps and lists in it, and a leaf.
enum { MAX_LEVELS = OD_MAX_NESTING + 2 };

// The functions below take something off the front of `rest`; false when it is not there.

static bool take_bytes(od_str *rest, size_t len, od_str *out)
{
    if (len > rest->len) {
        return false;
    }
    *out = (od_str){rest->ptr, len};
    *rest = od_str_skip(*rest, len);
    return true;
}

static bool take_varint(od_str *rest, size_t *out)
{
    uint64_t n = 0;
    for (size_t i = 0; i < OD_VARINT_MAX_BYTES && i < rest->len; i++) {
        unsigned char byte = (unsigned char)rest->ptr[i];
        n |= (uint64_t)(byte & 0x7F) << (7 * i);
        if (byte >= 0x80) {
            continue;
        }
        *out = (size_t)n;
        *rest = od_str_skip(*rest, i + 1);
        bool is_shortest = byte != 0 || i == 0;
        return is_shortest && n <= UINT32_MAX;
    }
    return false;
}

static bool take_string(od_str *rest, od_str *out)
{
    size_t len = 0;
    return take_varint(rest, &len) && take_bytes(rest, len, out);
}

static bool take_text(od_str *rest, od_str *out)
{
    return take_string(rest, out) && od_utf8_valid(*out);
}

static bool take_header(od_str *rest, od_str *body, size_t *count)
{
    od_str lengths = {0};
    if (!take_bytes(rest, 8, &lengths)) {
        return false;
    }
    *count = od_load_u32(lengths.ptr + 4);
    return take_bytes(rest, od_load_u32(lengths.ptr), body);
}

static bool take_number(od_str *rest)
{
    od_str number = {0};
    size_t len = od_number_packed_len(*rest);
    return len > 0 && take_bytes(rest, len, &number);
}

static bool take_set(od_str *rest, enum od_type member_type);
static bool take_list(od_str *rest, int levels);
static bool take_map(od_str *rest, int levels);

static bool take_body(od_str *rest, enum od_type type, int levels)
{
    od_str bytes = {0};
    switch (type) {
    case OD_TYPE_S:
        return take_text(rest, &bytes);
    case OD_TYPE_N:
        return take_number(rest);
    case OD_TYPE_B:
        return take_string(rest, &bytes);
    case OD_TYPE_BOOL:
    case OD_TYPE_NULL:
        return true;
    case OD_TYPE_SS:
        return take_set(rest, OD_TYPE_S);
    case OD_TYPE_NS:
        return take_set(rest, OD_TYPE_N);
    case OD_TYPE_BS:
        return take_set(rest, OD_TYPE_B);
    case OD_TYPE_L:
        return take_list(rest, levels);
    case OD_TYPE_M:
        return take_map(rest, levels);
    }
    return false;
}

static bool is_type(od_str bytes, enum od_type wanted)
{
    enum od_type type = OD_TYPE_S;
    return bytes.len > 0 && od_type_from_tag(bytes.ptr[0], &type) && type == wanted;
}

static bool take_value_of(od_str *rest, enum od_type type, int levels, od_value *out)
{
    const char *start = rest->ptr;
    if (type != OD_TYPE_N) {
        *rest = od_str_skip(*rest, 1); // a number's tag belongs to the number
    }
    if (!take_body(rest, type, levels)) {
        return false;
    }
    *out = (od_value){start, (size_t)(rest->ptr - start)};
    return true;
}

static bool take_value(od_str *rest, int levels, od_value *out)
{
    enum od_type type = OD_TYPE_S;
    return levels > 0 && rest->len > 0 && od_type_from_tag(rest->ptr[0], &type) &&
           take_value_of(rest, type, levels, out);
}

static bool take_set(od_str *rest, enum od_type member_type)
{
    od_str body = {0};
    size_t count = 0;
    if (!take_header(rest, &body, &count) || count == 0) {
        return false;
    }
    od_value previous = {0};
    for (size_t i = 0; i < count; i++) {
        od_value member = {0};
        if (!is_type(body, member_type) || !take_value_of(&body, member_type, 1, &member)) {
            return false;
        }
        if (i > 0 && od_value_compare(previous, member) >= 0) {
            return false;
        }
        previous = member;
    }
    return body.len == 0;
}

static bool take_list(od_str *rest, int levels)
{
    od_str body = {0};
    size_t count = 0;
    if (!take_header(rest, &body, &count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        od_value member = {0};
        if (!take_value(&body, levels - 1, &member)) {
            return false;
        }
    }
    return body.len == 0;
}

static bool take_map(od_str *rest, int levels)
{
    od_str body = {0};
    size_t count = 0;
    if (!take_header(rest, &body, &count)) {
        return false;
    }
    od_str previous = {0};
    for (size_t i = 0; i < count; i++) {
        od_str name = {0};
        od_value member = {0};
        if (!take_text(&body, &name) || !take_value(&body, levels - 1, &member)) {
            return false;
        }
        if (i > 0 && od_str_compare(previous, name) >= 0) {
            return false;
        }
        previous = name;
    }
    return body.len == 0;
}

bool od_value_valid(od_str bytes)
{
    od_value value = {0};
    return take_value(&bytes, MAX_LEVELS, &value) && bytes.len == 0;
}

bool od_item_valid(od_str bytes)
{
    if (bytes.len <= OD_ITEM_HEADER_BYTES || bytes.ptr[0] != OD_ITEM_VERSION ||
        bytes.ptr[OD_ITEM_HEADER_BYTES] != OD_TAG_M ||
        !od_value_valid(od_str_skip(bytes, OD_ITEM_HEADER_BYTES))) {
        return false;
    }
    od_item item = {bytes.ptr, bytes.len};
    return od_item_size(item) == od_attributes_size(od_item_map(item));
}
