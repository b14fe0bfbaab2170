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

static size_t put_digits(od_u128 coefficient, char out[2 * OD_NUMBER_MAX_GROUPS])
{
    unsigned char groups[OD_NUMBER_MAX_GROUPS];
    size_t count = od_number_groups(coefficient, groups);
    const unsigned char *group = groups + OD_NUMBER_MAX_GROUPS - count;
    size_t len = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 || group[i] >= 10) {
            out[len++] = (char)('0' + group[i] / 10);
        }
        out[len++] = (char)('0' + group[i] % 10);
    }
    return len;
}

static char *put_bytes(char *at, const char *bytes, size_t len)
{
    memcpy(at, bytes, len);
    return at + len;
}

static char *put_zeros(char *at, size_t count)
{
    memset(at, '0', count);
    return at + count;
}

// `point` is how many of the digits stand before the point; it may lie outside them.
static char *put_plain(char *at, const char *digits, size_t count, int point)
{
    if (point <= 0) {
        at = put_bytes(at, "0.", 2);
        at = put_zeros(at, (size_t)-point);
        return put_bytes(at, digits, count);
    }
    size_t whole = (size_t)point;
    if (whole >= count) {
        at = put_bytes(at, digits, count);
        return put_zeros(at, whole - count);
    }
    at = put_bytes(at, digits, whole);
    *at++ = '.';
    return put_bytes(at, digits + whole, count - whole);
}

size_t od_number_text(od_number n, char out[OD_NUMBER_TEXT_MAX])
{
    char *at = out;
    if (n.coefficient == 0) {
        *at = '0';
        return 1;
    }
    if (n.negative) {
        *at++ = '-';
    }
    char digits[2 * OD_NUMBER_MAX_GROUPS];
    size_t count = put_digits(n.coefficient, digits);
    at = put_plain(at, digits, count, (int)count + n.exponent);
    return (size_t)(at - out);
}
