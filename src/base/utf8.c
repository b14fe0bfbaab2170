#include "base/utf8.h"

#include <string.h>

// The bytes that may follow a first byte: how many, and the bounds of the second.
struct lead {
    unsigned char first_lo, first_hi, extra, second_lo, second_hi;
};

static const struct lead leads[] = {
    {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF}, {0xE1, 0xEC, 2, 0x80, 0xBF},
    {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF}, {0xF0, 0xF0, 3, 0x90, 0xBF},
    {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

static const struct lead *find_lead(unsigned char byte)
{
    for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
        if (byte >= leads[i].first_lo && byte <= leads[i].first_hi) {
            return &leads[i];
        }
    }
    return NULL;
}

static bool is_between(char byte, unsigned char lo, unsigned char hi)
{
    return (unsigned char)byte >= lo && (unsigned char)byte <= hi;
}

// The length of the character at the front of `s`, or 0 when there is none.
static size_t sequence_len(od_str s)
{
    const struct lead *lead = find_lead((unsigned char)s.ptr[0]);
    if (lead == NULL || s.len <= lead->extra ||
        !is_between(s.ptr[1], lead->second_lo, lead->second_hi)) {
        return 0;
    }
    for (size_t i = 2; i <= lead->extra; i++) {
        if (!is_between(s.ptr[i], 0x80, 0xBF)) {
            return 0;
        }
    }
    return (size_t)lead->extra + 1;
}

// How many bytes at the front are ASCII, eight at a time.
static size_t ascii_words(od_str s)
{
    size_t at = 0;
    for (uint64_t word; at + sizeof(word) <= s.len; at += sizeof(word)) {
        memcpy(&word, s.ptr + at, sizeof(word));
        if ((word & 0x8080808080808080U) != 0) {
            break;
        }
    }
    return at;
}

bool od_utf8_valid(od_str s)
{
    size_t at = ascii_words(s);
    while (at < s.len) {
        size_t len = (unsigned char)s.ptr[at] < 0x80 ? 1 : sequence_len(od_str_skip(s, at));
        if (len == 0) {
            return false;
        }
        at += len;
    }
    return true;
}

size_t od_utf8_utf16_len(od_str s)
{
    size_t units = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char byte = (unsigned char)s.ptr[i];
        units += (byte & 0xC0) != 0x80; // a first byte
        units += byte >= 0xF0;          // a surrogate pair
    }
    return units;
}
