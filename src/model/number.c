#include "model/number.h"

#include "model/number_internal.h"

#include <assert.h>
#include <string.h>

enum {
    GROUPS_PER_WORD = 9, // 18 decimal digits fit 64 bits with room to add
};

#define E19 ((od_u128)10000000000000000000U)

const od_u128 od_number_pow10[OD_NUMBER_MAX_DIGITS + 1] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
    E19,
    E19 * 10,
    E19 * 100,
    E19 * 1000,
    E19 * 10000,
    E19 * 100000,
    E19 * 1000000,
    E19 * 10000000,
    E19 * 100000000,
    E19 * 1000000000,
    E19 * 10000000000,
    E19 * 100000000000,
    E19 * 1000000000000,
    E19 * 10000000000000,
    E19 * 100000000000000,
    E19 * 1000000000000000,
    E19 * 10000000000000000,
    E19 * 100000000000000000,
    E19 * 1000000000000000000,
    E19 *E19,
};

static int bit_length(od_u128 n)
{
    uint64_t high = (uint64_t)(n >> 64);
    if (high != 0) {
        return 128 - __builtin_clzll(high);
    }
    return n == 0 ? 0 : 64 - __builtin_clzll((uint64_t)n);
}

int od_number_digits(od_u128 coefficient)
{
    // 1233 / 4096 is log10(2), close enough to be right or one too low.
    int digits = (bit_length(coefficient) * 1233) >> 12;
    return digits + (coefficient >= od_number_pow10[digits]);
}

size_t od_number_groups(od_u128 coefficient, unsigned char out[OD_NUMBER_MAX_GROUPS])
{
    size_t at = OD_NUMBER_MAX_GROUPS;
    while ((coefficient >> 64) != 0) {
        od_u128 rest = coefficient / 1000000000000000000U;
        uint64_t word = (uint64_t)(coefficient - rest * 1000000000000000000U);
        for (int i = 0; i < GROUPS_PER_WORD; i++) {
            out[--at] = (unsigned char)(word % 100);
            word /= 100;
        }
        coefficient = rest;
    }
    for (uint64_t word = (uint64_t)coefficient; word != 0; word /= 100) {
        out[--at] = (unsigned char)(word % 100);
    }
    return OD_NUMBER_MAX_GROUPS - at;
}

static od_number normal(od_u128 coefficient, int exponent, bool negative)
{
    if (coefficient == 0) {
        return (od_number){0};
    }
    while ((coefficient >> 64) != 0 && (coefficient & 1) == 0 && coefficient % 10 == 0) {
        coefficient /= 10;
        exponent++;
    }
    if ((coefficient >> 64) != 0) {
        return (od_number){coefficient, exponent, negative};
    }
    uint64_t word = (uint64_t)coefficient;
    while (word % 10 == 0) {
        word /= 10;
        exponent++;
    }
    return (od_number){word, exponent, negative};
}

od_number od_number_from_u64(uint64_t n)
{
    return normal(n, 0, false);
}

// --- Packed -------------------------------------------------------------------------------------

// Base-100 digits stand for even powers of ten: under an odd exponent the last decimal digit
// begins a group of its own. Right-aligned in `groups`; returns how many.
static size_t aligned_groups(od_number n, unsigned char groups[OD_NUMBER_MAX_GROUPS + 1])
{
    if ((n.exponent & 1) == 0) {
        return od_number_groups(n.coefficient, groups + 1);
    }
    od_u128 whole = n.coefficient / 10;
    groups[OD_NUMBER_MAX_GROUPS] = (unsigned char)((n.coefficient - whole * 10) * 10);
    return od_number_groups(whole, groups) + 1;
}

size_t od_number_pack(od_number n, char out[OD_NUMBER_PACKED_MAX])
{
    if (n.coefficient == 0) {
        out[0] = OD_TAG_NUMBER_ZERO;
        return 1;
    }
    unsigned char groups[OD_NUMBER_MAX_GROUPS + 1];
    size_t count = aligned_groups(n, groups);
    const unsigned char *group = groups + OD_NUMBER_MAX_GROUPS + 1 - count;
    int power = (n.exponent - (n.exponent & 1)) / 2 + (int)count;
    unsigned mask = n.negative ? 0xFF : 0;

    out[0] = n.negative ? OD_TAG_NUMBER_NEGATIVE : OD_TAG_NUMBER_POSITIVE;
    out[1] = (char)((unsigned)(power + OD_NUMBER_EXPONENT_BIAS) ^ mask);
    for (size_t i = 0; i + 1 < count; i++) {
        out[OD_NUMBER_GROUPS_AT + i] = (char)((2U * group[i] + 1) ^ mask);
    }
    out[OD_NUMBER_GROUPS_AT + count - 1] = (char)((2U * group[count - 1]) ^ mask);
    return OD_NUMBER_GROUPS_AT + count;
}

// How many base-100 digits there are up to the one marked as the last, or 0 when one is malformed.
static size_t count_groups(od_str bytes, unsigned mask)
{
    for (size_t i = OD_NUMBER_GROUPS_AT;
         i < bytes.len && i < OD_NUMBER_GROUPS_AT + OD_NUMBER_MAX_GROUPS; i++) {
        unsigned byte = (unsigned char)bytes.ptr[i] ^ mask;
        if (byte == 0 || byte > 199 || (i == OD_NUMBER_GROUPS_AT && byte == 1)) {
            return 0;
        }
        if ((byte & 1) == 0) {
            return i - OD_NUMBER_GROUPS_AT + 1;
        }
    }
    return 0;
}

size_t od_number_packed_len(od_str bytes)
{
    if (bytes.len > 0 && bytes.ptr[0] == OD_TAG_NUMBER_ZERO) {
        return 1;
    }
    if (bytes.len <= OD_NUMBER_GROUPS_AT ||
        (bytes.ptr[0] != OD_TAG_NUMBER_POSITIVE && bytes.ptr[0] != OD_TAG_NUMBER_NEGATIVE)) {
        return 0;
    }
    unsigned mask = bytes.ptr[0] == OD_TAG_NUMBER_NEGATIVE ? 0xFF : 0;
    unsigned power = (unsigned char)bytes.ptr[1] ^ mask;
    size_t count = count_groups(bytes, mask);
    if (power == 0 || power > 128 || count == 0) {
        return 0;
    }
    unsigned first = ((unsigned char)bytes.ptr[OD_NUMBER_GROUPS_AT] ^ mask) / 2;
    unsigned last = ((unsigned char)bytes.ptr[OD_NUMBER_GROUPS_AT + count - 1] ^ mask) / 2;
    size_t digits = 2 * count - (first < 10) - (last % 10 == 0);
    return digits > OD_NUMBER_MAX_DIGITS ? 0 : OD_NUMBER_GROUPS_AT + count;
}

// `group` runs over the packed digits before the last one.
static od_u128 coefficient_of(const char *group, size_t count, unsigned mask)
{
    od_u128 coefficient = 0;
    while (count > 0) {
        size_t run = count < GROUPS_PER_WORD ? count : GROUPS_PER_WORD;
        uint64_t word = 0;
        for (size_t i = 0; i < run; i++) {
            word = word * 100 + ((unsigned char)group[i] ^ mask) / 2;
        }
        coefficient = coefficient * od_number_pow10[2 * run] + word;
        group += run;
        count -= run;
    }
    return coefficient;
}

od_number od_number_unpack(od_str packed)
{
    assert(packed.len > 0 && packed.len <= OD_NUMBER_GROUPS_AT + OD_NUMBER_MAX_GROUPS);
    if (packed.ptr[0] == OD_TAG_NUMBER_ZERO) {
        return (od_number){0};
    }
    assert(packed.len > OD_NUMBER_GROUPS_AT);
    bool negative = packed.ptr[0] == OD_TAG_NUMBER_NEGATIVE;
    unsigned mask = negative ? 0xFF : 0;
    size_t count = packed.len - OD_NUMBER_GROUPS_AT;
    od_u128 coefficient = coefficient_of(packed.ptr + OD_NUMBER_GROUPS_AT, count - 1, mask);
    unsigned last = ((unsigned char)packed.ptr[packed.len - 1] ^ mask) / 2;
    int power = (int)((unsigned char)packed.ptr[1] ^ mask) - OD_NUMBER_EXPONENT_BIAS;
    int exponent = 2 * (power - (int)count);
    if (last % 10 == 0) {
        return (od_number){coefficient * 10 + last / 10, exponent + 1, negative};
    }
    return (od_number){coefficient * 100 + last, exponent, negative};
}

// --- Arithmetic ---------------------------------------------------------------------------------

static od_status fail_overflow(od_ctx *cx)
{
    return OD_FAIL(cx, OD_VALIDATION,
                   "Number overflow. Attempting to store a number with magnitude larger than "
                   "supported range");
}

od_status od_number_check_power(od_ctx *cx, int64_t power)
{
    if (power > OD_NUMBER_MAX_POWER) {
        return fail_overflow(cx);
    }
    if (power < OD_NUMBER_MIN_POWER) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Number underflow. Attempting to store a number with magnitude smaller than "
                       "supported range");
    }
    return OD_OK;
}

// Adds `low` to `high`, whose coefficient is scaled to the exponent of `low`. False when 128 bits
// do not hold the sum.
static bool add_aligned(od_number high, od_number low, od_number *out)
{
    if (high.negative == low.negative) {
        od_u128 sum = 0;
        if (__builtin_add_overflow(high.coefficient, low.coefficient, &sum)) {
            return false;
        }
        *out = normal(sum, low.exponent, low.negative);
        return true;
    }
    if (high.coefficient >= low.coefficient) {
        *out = normal(high.coefficient - low.coefficient, low.exponent, high.negative);
        return true;
    }
    *out = normal(low.coefficient - high.coefficient, low.exponent, low.negative);
    return true;
}

static od_status check_result(od_ctx *cx, od_number n)
{
    if (n.coefficient == 0) {
        return OD_OK;
    }
    int digits = od_number_digits(n.coefficient);
    if (digits > OD_NUMBER_MAX_DIGITS) {
        return fail_overflow(cx);
    }
    return od_number_check_power(cx, (int64_t)n.exponent + digits - 1);
}

od_status od_number_add(od_ctx *cx, od_number a, od_number b, od_number *out)
{
    if (a.coefficient == 0 || b.coefficient == 0) {
        *out = a.coefficient == 0 ? b : a;
        return OD_OK;
    }
    od_number high = a.exponent >= b.exponent ? a : b;
    od_number low = a.exponent >= b.exponent ? b : a;
    int shift = high.exponent - low.exponent;
    // What leaves 128 bits when scaled is above 3 x 10^38, and `low` is below 10^38 and ends in a
    // digit that is not 0: sum and difference both have more than 38 digits.
    if (shift > OD_NUMBER_MAX_DIGITS ||
        __builtin_mul_overflow(high.coefficient, od_number_pow10[shift], &high.coefficient)) {
        return fail_overflow(cx);
    }
    od_number sum = {0};
    if (!add_aligned(high, low, &sum)) {
        return fail_overflow(cx);
    }
    OD_TRY(check_result(cx, sum));
    *out = sum;
    return OD_OK;
}

od_status od_number_subtract(od_ctx *cx, od_number a, od_number b, od_number *out)
{
    if (b.coefficient != 0) {
        b.negative = !b.negative;
    }
    return od_number_add(cx, a, b, out);
}

// --- Size ---------------------------------------------------------------------------------------

// A byte for every two digits, counted apart on both sides of the point. Zeros in front, and zeros
// behind that only reach for the point, are free.
size_t od_number_size(od_number n)
{
    if (n.coefficient == 0) {
        return 1;
    }
    int digits = od_number_digits(n.coefficient);
    int whole = digits;
    int fraction = 0;
    if (n.exponent < 0) {
        whole = digits + n.exponent > 0 ? digits + n.exponent : 0;
        fraction = whole > 0 ? -n.exponent : digits;
    }
    int size = 1 + (whole + 1) / 2 + (fraction + 1) / 2 + n.negative;
    return (size_t)size;
}
