#include "base/base64.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// What a character of base64 stands for at one place of a group of four: its six bits where they
// go among the group's 24, and above them a bit that says that it is one. 0: it is none.
//
//   bit   27 26 25 24 | 23..18  17..12  11..6  5..0
//         4th ... 1st |  first  second  third  fourth character
#define BITS(value, place) ((uint32_t)(value) << (18 - 6 * (place)) | (uint32_t)1 << (24 + (place)))
#define EIGHT(a, b, c, d, e, f, g, h, value, place)                                           \
    [a] = BITS(value, place), [b] = BITS((value) + 1, place), [c] = BITS((value) + 2, place), \
    [d] = BITS((value) + 3, place), [e] = BITS((value) + 4, place),                           \
    [f] = BITS((value) + 5, place), [g] = BITS((value) + 6, place), [h] = BITS((value) + 7, place)
#define CHARACTERS(place)                                         \
    EIGHT('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 0, place),      \
        EIGHT('I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 8, place),  \
        EIGHT('Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 16, place), \
        EIGHT('Y', 'Z', 'a', 'b', 'c', 'd', 'e', 'f', 24, place), \
        EIGHT('g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 32, place), \
        EIGHT('o', 'p', 'q', 'r', 's', 't', 'u', 'v', 40, place), \
        EIGHT('w', 'x', 'y', 'z', '0', '1', '2', '3', 48, place), \
        EIGHT('4', '5', '6', '7', '8', '9', '+', '/', 56, place)
static const uint32_t places[4][256] = {
    {CHARACTERS(0)}, {CHARACTERS(1)}, {CHARACTERS(2)}, {CHARACTERS(3)}};
static const uint32_t all_good = 0x0F000000;

// --- Encoding -----------------------------------------------------------------------------------

static void put_group(char *out, uint32_t bits)
{
    out[0] = alphabet[bits >> 18];
    out[1] = alphabet[(bits >> 12) & 63];
    out[2] = alphabet[(bits >> 6) & 63];
    out[3] = alphabet[bits & 63];
}

void od_base64_encode(struct od_buf *out, od_str bytes)
{
    size_t len = (bytes.len + 2) / 3 * 4;
    char *text = od_buf_reserve(out, len);
    out->len += len;
    const unsigned char *in = (const unsigned char *)bytes.ptr;
    size_t left = bytes.len;
    for (; left >= 3; left -= 3) {
        put_group(text, (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2]);
        in += 3;
        text += 4;
    }
    if (left == 0) {
        return;
    }
    put_group(text, (uint32_t)in[0] << 16 | (left == 2 ? (uint32_t)in[1] << 8 : 0));
    memset(text + left + 1, '=', 3 - left);
}

// --- Decoding -----------------------------------------------------------------------------------

// A group's 24 bits under the bits that say which of its characters are good.
static inline uint32_t group_bits(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    return places[0][c[0]] | places[1][c[1]] | places[2][c[2]] | places[3][c[3]];
}

// The characters but for the last group, which alone may hold padding.
static size_t full_len(od_str text)
{
    return text.len == 0 ? 0 : text.len - 4;
}

// The bits of the last group, and how many bytes they are; false when it is malformed.
static bool last_group(const char *text, uint32_t *bits, size_t *count)
{
    char group[4];
    memcpy(group, text, sizeof(group));
    size_t pad = group[3] != '=' ? 0 : 1U + (group[2] == '=');
    memset(group + 4 - pad, 'A', pad); // no bits
    *bits = group_bits(group);
    *count = 3 - pad;
    uint32_t stray = ((uint32_t)1 << (8 * pad)) - 1;
    return (*bits & all_good) == all_good && (*bits & stray) == 0;
}

bool od_base64_valid(od_str text)
{
    uint32_t good = all_good;
    if (text.len % 4 != 0) {
        return false;
    }
    size_t full = full_len(text);
    for (size_t at = 0; at < full; at += 4) {
        good &= group_bits(text.ptr + at);
    }
    uint32_t bits = 0;
    size_t count = 0;
    return (good & all_good) == all_good &&
           (text.len == 0 || last_group(text.ptr + full, &bits, &count));
}

// Writes a group's bytes, and one of no meaning after them: a store of four is cheaper than three.
static void put_bytes(char *out, uint32_t bits)
{
    uint32_t word = htobe32(bits << 8);
    memcpy(out, &word, sizeof(word));
}

bool od_base64_decode(od_arena *arena, od_str text, od_str *out)
{
    if (text.len % 4 != 0) {
        return false;
    }
    char *bytes = od_arena_bytes(arena, text.len / 4 * 3 + sizeof(uint32_t));
    char *end = bytes;
    uint32_t good = all_good;
    size_t full = full_len(text);
    for (size_t at = 0; at < full; at += 4) {
        uint32_t bits = group_bits(text.ptr + at);
        good &= bits;
        put_bytes(end, bits);
        end += 3;
    }
    uint32_t bits = 0;
    size_t count = 0;
    if ((good & all_good) != all_good ||
        (text.len > 0 && !last_group(text.ptr + full, &bits, &count))) {
        return false;
    }
    put_bytes(end, bits);
    *out = (od_str){bytes, (size_t)(end - bytes) + count};
    return true;
}
