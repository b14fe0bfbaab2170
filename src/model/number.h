// DynamoDB's numbers: exact decimals of at most 38 significant digits.
//
// Packed, a number is a byte string whose memcmp order is the numbers' order, the same in stored
// values and in keys. No packed number is the beginning of another and none holds a 0x00 byte:
//
//   +------+----------+-------------------------------------------------+
//   | sign | exponent | base-100 digits d1 d2 ... dn, dn not 0           |
//   +------+----------+-------------------------------------------------+
//   value = 0.d1d2..dn x 100^E with d1 not 0; exponent byte = E + 65 (1..128)
//   digit byte = 2d + 1, but 2d for the last one
//   sign: OD_TAG_NUMBER_NEGATIVE, _ZERO (nothing follows) or _POSITIVE
//   a negative number's exponent and digit bytes are complemented (255 - byte)
#ifndef OD_MODEL_NUMBER_H
#define OD_MODEL_NUMBER_H

#include "base/status.h"

#include <stdint.h>

enum {
    OD_NUMBER_MAX_DIGITS = 38,
    OD_NUMBER_PACKED_MAX = 24,
    OD_NUMBER_TEXT_MAX = 172, // a sign, "0.", 129 zeros and 38 digits, rounded up
};

// The first byte of a packed number; the other types' tags are in value.h.
enum {
    OD_TAG_NUMBER_NEGATIVE = 0x10,
    OD_TAG_NUMBER_ZERO = 0x11,
    OD_TAG_NUMBER_POSITIVE = 0x12,
};

// (-1)^negative x coefficient x 10^exponent. Normal: the coefficient has no trailing decimal zero,
// and zero is all zero.
typedef struct od_number {
    unsigned __int128 coefficient;
    int exponent;
    bool negative;
} od_number;

// OD_VALIDATION with DynamoDB's text when `text` is no number, or one out of range.
od_status od_number_parse(od_ctx *cx, od_str text, od_number *out);

od_number od_number_from_u64(uint64_t n);

// Returns the number of bytes written to `out`.
size_t od_number_pack(od_number n, char out[OD_NUMBER_PACKED_MAX]);

// How many bytes the packed number at the front of `bytes` takes, or 0 when it is malformed.
size_t od_number_packed_len(od_str bytes);

// `packed` is one well-formed packed number.
od_number od_number_unpack(od_str packed);

// Canonical text: plain decimal, no exponent. Returns its length.
size_t od_number_text(od_number n, char out[OD_NUMBER_TEXT_MAX]);
// The same of one well-formed packed number, without reading it first.
size_t od_number_packed_text(od_str packed, char out[OD_NUMBER_TEXT_MAX]);

// OD_VALIDATION with DynamoDB's overflow or underflow text when the exact result has more than 38
// digits or is out of range.
od_status od_number_add(od_ctx *cx, od_number a, od_number b, od_number *out);
od_status od_number_subtract(od_ctx *cx, od_number a, od_number b, od_number *out);

// Bytes that a number counts for in an item's size.
size_t od_number_size(od_number n);

#endif
