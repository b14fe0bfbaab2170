// Reading packed bytes that are known to be well-formed. value.h draws the layout.
#ifndef OD_MODEL_VALUE_INTERNAL_H
#define OD_MODEL_VALUE_INTERNAL_H

#include "model/value.h"

#include <assert.h>

enum {
    OD_PACKED_HEADER_BYTES = 9, // tag, length, count
    OD_ITEM_HEADER_BYTES = 5,   // version, size
    OD_ITEM_VERSION = 0x01,
    OD_VARINT_MAX_BYTES = 5,
    // A map or list counts for this much, and each of its members for one byte.
    OD_CONTAINER_SIZE = 3,
    OD_MEMBER_SIZE = 1,
};

static inline uint32_t od_load_u32(const char *at)
{
    const unsigned char *byte = (const unsigned char *)at;
    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
           (uint32_t)byte[3] << 24;
}

static inline void od_store_u32(char *at, uint32_t n)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (char)(n >> (8 * i));
    }
}

// A varint length and the bytes that follow it.
static inline od_str od_read_string(const char *at)
{
    size_t len = (unsigned char)*at++;
    if (len < 0x80) {
        return (od_str){at, len};
    }
    len &= 0x7F;
    for (int shift = 7;; shift += 7) {
        unsigned char byte = (unsigned char)*at++;
        len |= (size_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return (od_str){at, len};
        }
    }
}

// How many bytes a number other than 0 takes: its last digit byte is even, or odd in a negative
// number, whose bytes are complemented.
static inline size_t od_read_number_len(const char *at)
{
    unsigned parity = at[0] == OD_TAG_NUMBER_NEGATIVE ? 1 : 0;
    size_t len = 3;
    while (((unsigned char)at[len - 1] & 1) != parity) {
        len++;
    }
    return len;
}

// How many bytes the value at `at` takes.
static inline size_t od_read_len(const char *at)
{
    switch (*at) {
    case OD_TAG_S:
    case OD_TAG_B: {
        od_str bytes = od_read_string(at + 1);
        return (size_t)(bytes.ptr - at) + bytes.len;
    }
    case OD_TAG_NUMBER_NEGATIVE:
    case OD_TAG_NUMBER_POSITIVE:
        return od_read_number_len(at);
    case OD_TAG_SS:
    case OD_TAG_NS:
    case OD_TAG_BS:
    case OD_TAG_L:
    case OD_TAG_M:
        return OD_PACKED_HEADER_BYTES + (size_t)od_load_u32(at + 1);
    default: // BOOL, NULL, 0
        return 1;
    }
}

// The type of a value by its tag; false when the byte is no tag.
bool od_type_from_tag(char tag, enum od_type *out);

#endif
