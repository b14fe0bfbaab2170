#include "base/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int sextet(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    if (c == '+') {
        return 62;
    }
    return c == '/' ? 63 : -1;
}

static void encode_group(char *out, const unsigned char *in, size_t count)
{
    unsigned n = (unsigned)in[0] << 16;
    n |= count > 1 ? (unsigned)in[1] << 8 : 0;
    n |= count > 2 ? (unsigned)in[2] : 0;
    out[0] = alphabet[n >> 18];
    out[1] = alphabet[(n >> 12) & 63];
    out[2] = '=';
    out[3] = '=';
    if (count > 1) {
        out[2] = alphabet[(n >> 6) & 63];
    }
    if (count > 2) {
        out[3] = alphabet[n & 63];
    }
}

void od_base64_encode(struct od_buf *out, od_str bytes)
{
    size_t len = (bytes.len + 2) / 3 * 4;
    char *text = od_buf_reserve(out, len);
    for (size_t at = 0; at < bytes.len; at += 3) {
        size_t left = bytes.len - at;
        encode_group(text, (const unsigned char *)bytes.ptr + at, left < 3 ? left : 3);
        text += 4;
    }
    out->len += len;
}

// Decodes four characters, of which the last `pad` are padding, to 3 - pad bytes.
static bool decode_group(const char *text, size_t pad, char *out)
{
    unsigned n = 0;
    for (size_t i = 0; i < 4; i++) {
        int bits = i < 4 - pad ? sextet(text[i]) : 0;
        if (bits < 0) {
            return false;
        }
        n = n << 6 | (unsigned)bits;
    }
    if ((n & (((unsigned)1 << (8 * pad)) - 1)) != 0) {
        return false;
    }
    for (size_t i = 0; i < 3 - pad; i++) {
        out[i] = (char)(n >> (16 - 8 * i));
    }
    return true;
}

static size_t padding(od_str text)
{
    if (text.len == 0 || text.ptr[text.len - 1] != '=') {
        return 0;
    }
    return text.ptr[text.len - 2] == '=' ? 2 : 1;
}

bool od_base64_decode(od_arena *arena, od_str text, od_str *out)
{
    if (text.len % 4 != 0) {
        return false;
    }
    size_t pad = padding(text);
    char *bytes = od_arena_bytes(arena, text.len / 4 * 3 + 1);
    for (size_t at = 0; at < text.len; at += 4) {
        bool is_last = at + 4 == text.len;
        if (!decode_group(text.ptr + at, is_last ? pad : 0, bytes + at / 4 * 3)) {
            return false;
        }
    }
    *out = (od_str){bytes, text.len / 4 * 3 - pad};
    return true;
}
