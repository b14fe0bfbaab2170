#include "model/number.h"

#include "model/number_internal.h"

#include <string.h>

enum {
    DIGITS_PER_WORD = 18,
    // Far past any exponent that the longest text could bring back into range.
    EXPONENT_CLAMP = 1000000000,
};

// --- Reading ------------------------------------------------------------------------------------
//
//   number    [+-]? (digits [. digits*] | . digits) ([eE] [+-]? digits)?

struct scan {
    bool negative;
    od_str whole;    // the digits before the point
    od_str fraction; // the digits behind it
    int64_t exponent;
};

static bool take_sign(od_str *rest)
{
    if (rest->len == 0 || (rest->ptr[0] != '-' && rest->ptr[0] != '+')) {
        return false;
    }
    bool negative = rest->ptr[0] == '-';
    *rest = od_str_skip(*rest, 1);
    return negative;
}

static bool take_char(od_str *rest, char c)
{
    if (rest->len == 0 || rest->ptr[0] != c) {
        return false;
    }
    *rest = od_str_skip(*rest, 1);
    return true;
}

static od_str take_digits(od_str *rest)
{
    size_t len = 0;
    while (len < rest->len && rest->ptr[len] >= '0' && rest->ptr[len] <= '9') {
        len++;
    }
    od_str digits = {rest->ptr, len};
    *rest = od_str_skip(*rest, len);
    return digits;
}

static int64_t clamped_value(od_str digits)
{
    int64_t n = 0;
    for (size_t i = 0; i < digits.len && n < EXPONENT_CLAMP; i++) {
        n = n * 10 + (digits.ptr[i] - '0');
    }
    return n;
}

static bool scan_exponent(od_str *rest, int64_t *out)
{
    if (!take_char(rest, 'e') && !take_char(rest, 'E')) {
        return true;
    }
    bool negative = take_sign(rest);
    od_str digits = take_digits(rest);
    int64_t n = clamped_value(digits);
    *out = negative ? -n : n;
    return digits.len > 0;
}

static bool scan_text(od_str text, struct scan *out)
{
    out->negative = take_sign(&text);
    out->whole = take_digits(&text);
    out->fraction = (od_str){text.ptr, 0};
    if (take_char(&text, '.')) {
        out->fraction = take_digits(&text);
    }
    if (out->whole.len + out->fraction.len == 0 || !scan_exponent(&text, &out->exponent)) {
        return false;
    }
    return text.len == 0;
}

static od_str without_leading_zeros(od_str digits)
{
    size_t count = 0;
    while (count < digits.len && digits.ptr[count] == '0') {
        count++;
    }
    return od_str_skip(digits, count);
}

static od_str without_trailing_zeros(od_str digits)
{
    while (digits.len > 0 && digits.ptr[digits.len - 1] == '0') {
        digits.len--;
    }
    return digits;
}

// Drops the zeros that carry no value. Returns the exponent of the last digit that stays.
static int64_t trim(struct scan *scan)
{
    scan->fraction = without_trailing_zeros(scan->fraction);
    int64_t exponent = scan->exponent - (int64_t)scan->fraction.len;
    if (scan->fraction.len == 0) {
        size_t len = scan->whole.len;
        scan->whole = without_trailing_zeros(scan->whole);
        exponent += (int64_t)(len - scan->whole.len);
    }
    scan->whole = without_leading_zeros(scan->whole);
    if (scan->whole.len == 0) {
        scan->fraction = without_leading_zeros(scan->fraction);
    }
    return exponent;
}

static od_u128 append_digits(od_u128 coefficient, od_str digits)
{
    while (digits.len > 0) {
        size_t run = digits.len < DIGITS_PER_WORD ? digits.len : DIGITS_PER_WORD;
        uint64_t word = 0;
        for (size_t i = 0; i < run; i++) {
            word = word * 10 + (uint64_t)(digits.ptr[i] - '0');
        }
        coefficient = coefficient * od_number_pow10[run] + word;
        digits = od_str_skip(digits, run);
    }
    return coefficient;
}

// DynamoDB holds a zero to the range as if its last digit were a 1: 0e126 is too large, 0.0e126 is
// not.
static od_status make_zero(od_ctx *cx, int64_t last_exponent, od_number *out)
{
    OD_TRY(od_number_check_power(cx, last_exponent));
    *out = (od_number){0};
    return OD_OK;
}

od_status od_number_parse(od_ctx *cx, od_str text, od_number *out)
{
    if (text.len == 0) {
        return OD_FAIL(cx, OD_VALIDATION, "The parameter cannot be converted to a numeric value");
    }
    struct scan scan = {0};
    if (!scan_text(text, &scan)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "The parameter cannot be converted to a numeric value: %.*s",
                       OD_STR_ARG(text));
    }
    int64_t last_exponent = scan.exponent - (int64_t)scan.fraction.len;
    int64_t exponent = trim(&scan);
    size_t digits = scan.whole.len + scan.fraction.len;
    if (digits == 0) {
        return make_zero(cx, last_exponent, out);
    }
    if (digits > OD_NUMBER_MAX_DIGITS) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Attempting to store more than 38 significant digits in a Number");
    }
    OD_TRY(od_number_check_power(cx, exponent + (int64_t)digits - 1));
    *out = (od_number){
        .coefficient = append_digits(append_digits(0, scan.whole), scan.fraction),
        .exponent = (int)exponent,
        .negative = scan.negative,
    };
    return OD_OK;
}

// --- Writing ------------------------------------------------------------------------------------

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

// The base-100 digits of a packed number, and how many of them stand before the point; that may
// lie outside them.
struct groups {
    const char *bytes;
    size_t count;
    unsigned mask;
    int point;
};

static struct groups groups_of(od_str packed)
{
    unsigned mask = packed.ptr[0] == OD_TAG_NUMBER_NEGATIVE ? 0xFF : 0;
    return (struct groups){
        .bytes = packed.ptr + OD_NUMBER_GROUPS_AT,
        .count = packed.len - OD_NUMBER_GROUPS_AT,
        .mask = mask,
        .point = (int)((unsigned char)packed.ptr[1] ^ mask) - OD_NUMBER_EXPONENT_BIAS,
    };
}

static char *put_zeros(char *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *at++ = '0';
    }
    return at;
}

static char *put_groups(char *at, const struct groups *groups, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        unsigned group = ((unsigned char)groups->bytes[i] ^ groups->mask) / 2;
        memcpy(at, pairs + 2 * (size_t)group, 2);
        at += 2;
    }
    return at;
}

static char *put_whole(char *at, const struct groups *groups, size_t count)
{
    unsigned first = ((unsigned char)groups->bytes[0] ^ groups->mask) / 2;
    if (first >= 10) {
        return put_groups(at, groups, 0, count);
    }
    *at = (char)('0' + first);
    return put_groups(at + 1, groups, 1, count);
}

static char *put_plain(char *at, const struct groups *groups)
{
    size_t point = groups->point > 0 ? (size_t)groups->point : 0;
    size_t whole = point < groups->count ? point : groups->count;
    at = whole > 0 ? put_whole(at, groups, whole) : put_zeros(at, 1);
    if (whole == groups->count) {
        return put_zeros(at, 2 * (point - whole));
    }
    *at++ = '.';
    at = put_zeros(at, groups->point < 0 ? 2 * (size_t)-groups->point : 0);
    at = put_groups(at, groups, whole, groups->count);
    return at[-1] == '0' ? at - 1 : at;
}

size_t od_number_packed_text(od_str packed, char out[OD_NUMBER_TEXT_MAX])
{
    char *at = out;
    if (packed.ptr[0] == OD_TAG_NUMBER_ZERO) {
        *at = '0';
        return 1;
    }
    if (packed.ptr[0] == OD_TAG_NUMBER_NEGATIVE) {
        *at++ = '-';
    }
    struct groups groups = groups_of(packed);
    return (size_t)(put_plain(at, &groups) - out);
}

size_t od_number_text(od_number n, char out[OD_NUMBER_TEXT_MAX])
{
    char packed[OD_NUMBER_PACKED_MAX];
    return od_number_packed_text((od_str){packed, od_number_pack(n, packed)}, out);
}
