// Numbers as text.
#include "mapper/value_text.h"

#include <string.h>
#include <yyjson.h>

// --- Decimals -----------------------------------------------------------------------------------

// 0.DIGITS x 10^exponent, DIGITS without zeros in front; zero has none. The text's digits may have
// a point among them, and zeros behind, which stand for nothing.
struct decimal {
    bool negative;
    od_str digits;
    int64_t exponent;
};

enum { MAX_EXPONENT = 1000 * 1000 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool take_sign(od_str *s)
{
    const bool negative = s->len > 0 && s->ptr[0] == '-';
    if (negative || (s->len > 0 && s->ptr[0] == '+')) {
        *s = od_str_skip(*s, 1);
    }
    return negative;
}

// What follows an E.
static bool read_exponent(od_str s, int64_t *out)
{
    const bool negative = take_sign(&s);
    if (s.len == 0) {
        return false;
    }
    int64_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_digit(s.ptr[i])) {
            return false;
        }
        n = n > MAX_EXPONENT ? n : n * 10 + (s.ptr[i] - '0');
    }
    *out = negative ? -n : n;
    return true;
}

// Splits digits and exponent, and cuts off the zeros in front.
static bool read_decimal(od_str s, struct decimal *out)
{
    *out = (struct decimal){.negative = take_sign(&s)};
    size_t end = 0;
    size_t point = SIZE_MAX;
    size_t digits = 0;
    for (; end < s.len && (is_digit(s.ptr[end]) || (s.ptr[end] == '.' && point == SIZE_MAX));
         end++) {
        if (s.ptr[end] == '.') {
            point = end;
        } else {
            digits++;
        }
    }
    if (digits == 0) {
        return false;
    }
    if (end < s.len) {
        if ((s.ptr[end] | 0x20) != 'e' || !read_exponent(od_str_skip(s, end + 1), &out->exponent)) {
            return false;
        }
    }
    out->exponent += (int64_t)(point == SIZE_MAX ? end : point);
    size_t from = 0;
    for (; from < end && (s.ptr[from] == '0' || s.ptr[from] == '.'); from++) {
        out->exponent -= s.ptr[from] == '0';
    }
    out->digits = (od_str){s.ptr + from, end - from};
    return true;
}

bool od_decimal_is_valid(od_str text)
{
    struct decimal decimal;
    return read_decimal(text, &decimal);
}

// The next digit at or after `*at`, 0 past the end.
static char next_digit(od_str digits, size_t *at)
{
    if (*at < digits.len && digits.ptr[*at] == '.') {
        *at += 1;
    }
    return *at < digits.len ? digits.ptr[(*at)++] : '0';
}

static int compare_digits(od_str a, od_str b)
{
    size_t at_a = 0;
    size_t at_b = 0;
    while (at_a < a.len || at_b < b.len) {
        const int diff = next_digit(a, &at_a) - next_digit(b, &at_b);
        if (diff != 0) {
            return diff;
        }
    }
    return 0;
}

static int sign_of(struct decimal d)
{
    if (d.digits.len == 0) {
        return 0;
    }
    return d.negative ? -1 : 1;
}

int od_decimal_compare(od_str a_text, od_str b_text)
{
    struct decimal a;
    struct decimal b;
    (void)read_decimal(a_text, &a);
    (void)read_decimal(b_text, &b);
    const int sign = sign_of(a);
    if (sign != sign_of(b) || sign == 0) {
        return sign - sign_of(b);
    }
    if (a.exponent != b.exponent) {
        return a.exponent < b.exponent ? -sign : sign;
    }
    return sign * compare_digits(a.digits, b.digits);
}

// --- Integers -----------------------------------------------------------------------------------

// The digits up to the point that the exponent sets; none but zeros may follow.
static bool read_whole(struct decimal d, uint64_t *out)
{
    size_t at = 0;
    *out = 0;
    for (int64_t i = 0; i < d.exponent; i++) {
        const uint64_t digit = (uint64_t)(next_digit(d.digits, &at) - '0');
        if (__builtin_mul_overflow(*out, (uint64_t)10, out) ||
            __builtin_add_overflow(*out, digit, out)) {
            return false;
        }
    }
    while (at < d.digits.len) {
        if (next_digit(d.digits, &at) != '0') {
            return false;
        }
    }
    return true;
}

// What integers mostly are: few digits and no more.
static bool read_short(od_str s, int64_t *out)
{
    enum { SHORT = 18 };
    const bool negative = s.len > 0 && s.ptr[0] == '-';
    int64_t n = 0;
    if (s.len == (size_t)negative || s.len > SHORT) {
        return false;
    }
    for (size_t i = negative; i < s.len; i++) {
        if (!is_digit(s.ptr[i])) {
            return false;
        }
        n = n * 10 + (s.ptr[i] - '0');
    }
    *out = negative ? -n : n;
    return true;
}

bool od_int_read(od_str text, int64_t *out)
{
    if (read_short(text, out)) {
        return true;
    }
    struct decimal d;
    uint64_t whole = 0;
    if (!read_decimal(text, &d) || (d.digits.len > 0 && !read_whole(d, &whole))) {
        return false;
    }
    if (d.negative) {
        *out = (int64_t)-whole;
        return whole <= (uint64_t)INT64_MAX + 1;
    }
    *out = (int64_t)whole;
    return whole <= INT64_MAX;
}

// --- Doubles ------------------------------------------------------------------------------------

// yyjson writes and reads them without the locale, whose point may be a comma.
size_t od_double_write(double real, char out[OD_DOUBLE_MAX_LEN])
{
    char memory[512];
    yyjson_alc alc;
    yyjson_val value = {.tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_REAL, .uni.f64 = real};
    size_t len = 0;
    if (!yyjson_alc_pool_init(&alc, memory, sizeof(memory))) {
        return 0;
    }
    const char *text = yyjson_val_write_opts(&value, YYJSON_WRITE_NOFLAG, &alc, &len, NULL);
    if (text == NULL || len >= OD_DOUBLE_MAX_LEN) {
        return 0;
    }
    memcpy(out, text, len);
    return len;
}

bool od_double_read(od_str text, double *out)
{
    yyjson_val value = {0};
    const char *end = yyjson_read_number(text.ptr, &value, YYJSON_READ_NOFLAG, NULL, NULL);
    if (end == NULL || end != text.ptr + text.len) {
        return false;
    }
    *out = yyjson_get_num(&value);
    return true;
}
