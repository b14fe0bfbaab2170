#include "base/str.h"

#include <assert.h>
#include <string.h>

od_str od_cstr(const char *text)
{
    return (od_str){text, strlen(text)};
}

bool od_str_eq(od_str a, od_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint64_t word_at(const char *at)
{
    uint64_t word = 0;
    memcpy(&word, at, sizeof(word));
    return word;
}

// Eight bytes at once. The sums reach a byte's highest bit from 'A' on, and from behind 'Z' on.
static uint64_t lower_word(uint64_t word)
{
    const uint64_t ones = UINT64_MAX / 0xFF;
    uint64_t low_bits = word & ones * 0x7F;
    uint64_t from_a = low_bits + ones * (0x80 - 'A');
    uint64_t behind_z = low_bits + ones * (0x80 - 'Z' - 1);
    uint64_t letters = (from_a ^ behind_z) & ~word & ones * 0x80;
    return word | letters >> 2;
}

// Most of what is compared is spelled alike.
static bool is_alike(uint64_t a, uint64_t b)
{
    return a == b || lower_word(a) == lower_word(b);
}

bool od_str_eq_nocase(od_str a, od_str b)
{
    if (a.len != b.len) {
        return false;
    }
    size_t i = 0;
    for (; a.len - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
        if (!is_alike(word_at(a.ptr + i), word_at(b.ptr + i))) {
            return false;
        }
    }
    for (; i < a.len; i++) {
        if (lower(a.ptr[i]) != lower(b.ptr[i])) {
            return false;
        }
    }
    return true;
}

bool od_str_has_prefix(od_str s, od_str prefix)
{
    return s.len >= prefix.len && od_str_eq((od_str){s.ptr, prefix.len}, prefix);
}

bool od_str_contains(od_str s, od_str part)
{
    if (part.len == 0) {
        return true;
    }
    return s.len >= part.len && memmem(s.ptr, s.len, part.ptr, part.len) != NULL;
}

int od_str_compare(od_str a, od_str b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common == 0 ? 0 : memcmp(a.ptr, b.ptr, common);
    if (order != 0) {
        return order;
    }
    return (a.len > b.len) - (a.len < b.len);
}

od_str od_str_skip(od_str s, size_t count)
{
    assert(count <= s.len);
    // Without bytes there may be no pointer to add to.
    return count == 0 ? s : (od_str){s.ptr + count, s.len - count};
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

od_str od_str_trim(od_str s)
{
    while (s.len > 0 && is_space(s.ptr[0])) {
        s = od_str_skip(s, 1);
    }
    while (s.len > 0 && is_space(s.ptr[s.len - 1])) {
        s.len--;
    }
    return s;
}

bool od_str_to_u64(od_str s, uint64_t *out)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9') {
            return false;
        }
        if (__builtin_mul_overflow(n, 10U, &n) ||
            __builtin_add_overflow(n, (uint64_t)(s.ptr[i] - '0'), &n)) {
            return false;
        }
    }
    *out = n;
    return s.len > 0;
}
