#include "base/json.h"

#include <string.h>

// --- Strings ------------------------------------------------------------------------------------

enum { FIRST_PRINTABLE = 0x20 };

// Written as a backslash and a letter; other control characters as \u00XX.
static const char short_escapes[FIRST_PRINTABLE] = {
    ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
};

static bool is_special(char c)
{
    return (unsigned char)c < FIRST_PRINTABLE || c == '"' || c == '\\';
}

// Sixteen bytes at once, in what gcc and clang make of vectors on any processor.
typedef unsigned char stride __attribute__((vector_size(16)));
typedef uint64_t stride_words __attribute__((vector_size(16)));

// Copies a stride, and tells whether a special character is in it.
static inline bool copy_stride(char *out, const char *in)
{
    stride bytes;
    memcpy(&bytes, in, sizeof(bytes));
    memcpy(out, &bytes, sizeof(bytes));
    stride_words found =
        (stride_words)((bytes < FIRST_PRINTABLE) | (bytes == '"') | (bytes == '\\'));
    return (found[0] | found[1]) != 0;
}

// Copies what comes before the first special character; returns its length. There is room for all
// of `s`, and what is written behind that length does not matter.
static size_t copy_plain(char *out, od_str s)
{
    size_t at = 0;
    while (s.len - at >= sizeof(stride) && !copy_stride(out + at, s.ptr + at)) {
        at += sizeof(stride);
    }
    // The rest is the end of a last stride, which has some bytes once more.
    size_t last = s.len - sizeof(stride);
    if (s.len >= sizeof(stride) && at > last && at < s.len &&
        !copy_stride(out + last, s.ptr + last)) {
        return s.len;
    }
    while (at < s.len && !is_special(s.ptr[at])) {
        out[at] = s.ptr[at];
        at++;
    }
    return at;
}

static void put_escape(struct od_buf *out, char c)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char byte = (unsigned char)c;
    char letter = c;
    if (byte < FIRST_PRINTABLE) {
        letter = short_escapes[byte];
    }
    od_buf_put_byte(out, '\\');
    if (letter != '\0') {
        od_buf_put_byte(out, (unsigned char)letter);
        return;
    }
    od_buf_put(out, OD_STR("u00"));
    od_buf_put_byte(out, (unsigned char)digits[byte >> 4]);
    od_buf_put_byte(out, (unsigned char)digits[byte & 15]);
}

void od_json_str(struct od_buf *out, od_str s)
{
    char *at = od_buf_reserve(out, s.len + 2);
    *at = '"';
    out->len++;
    size_t plain = copy_plain(at + 1, s);
    out->len += plain;
    while (plain < s.len) {
        put_escape(out, s.ptr[plain]);
        s = od_str_skip(s, plain + 1);
        plain = copy_plain(od_buf_reserve(out, s.len), s);
        out->len += plain;
    }
    od_buf_put_byte(out, '"');
}

// --- Other pieces -------------------------------------------------------------------------------

void od_json_raw(struct od_buf *out, const char *text)
{
    od_buf_put(out, od_cstr(text));
}

void od_json_int(struct od_buf *out, int64_t n)
{
    if (n < 0) {
        od_buf_put_byte(out, '-');
    }
    od_buf_put_u64(out, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

// n / unit, with `digits` behind the point.
static void put_fraction(struct od_buf *out, int64_t n, int unit, int digits)
{
    long long whole = n / unit;
    int rest = (int)(n % unit);
    const char *sign = n < 0 ? "-" : "";
    od_buf_printf(out, "%s%lld.%0*d", sign, whole < 0 ? -whole : whole, digits,
                  rest < 0 ? -rest : rest);
}

void od_json_halves(struct od_buf *out, int64_t halves)
{
    // Units are few: ten times as many cannot overflow.
    put_fraction(out, halves * 5, 10, 1);
}

void od_json_epoch_ms(struct od_buf *out, int64_t ms)
{
    put_fraction(out, ms, 1000, 3);
}

void od_json_member(struct od_buf *out, const char *name)
{
    if (out->ptr[out->len - 1] != '{') {
        od_buf_put_byte(out, ',');
    }
    od_buf_put_byte(out, '"');
    od_json_raw(out, name);
    od_json_raw(out, "\":");
}
