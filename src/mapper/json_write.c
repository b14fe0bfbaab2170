#include "mapper/json_write.h"

#include "base/json.h"
#include "base/utf8.h"

// Eight bytes at once.
static const uint64_t ones = UINT64_C(0x0101010101010101);

// Not 0 when there is a byte that is not printable ASCII, a quote or a backslash: its top bit is
// set then. (No byte takes from the next one, but for those that are found themselves.)
static inline uint64_t find_odd(uint64_t word)
{
    const uint64_t low = word - ones * ' ';
    const uint64_t quote = (word ^ ones * '"') - ones;
    const uint64_t slash = (word ^ ones * '\\') - ones;
    return (word | low | quote | slash) & ones * 0x80;
}

static inline uint64_t copy_word(char *out, const char *in)
{
    uint64_t word = 0;
    memcpy(&word, in, sizeof(word));
    memcpy(out, &word, sizeof(word));
    return find_odd(word);
}

// Fewer than eight bytes.
static inline uint64_t copy_short(char *out, od_str text)
{
    uint32_t first = 0;
    uint32_t last = 0;
    if (text.len >= sizeof(first)) {
        const size_t rest = text.len - sizeof(last);
        memcpy(&first, text.ptr, sizeof(first));
        memcpy(&last, text.ptr + rest, sizeof(last));
        memcpy(out, &first, sizeof(first));
        memcpy(out + rest, &last, sizeof(last));
        return find_odd((uint64_t)last << 32 | first);
    }
    uint64_t word = ones * ' ';
    for (size_t i = 0; i < text.len; i++) {
        out[i] = text.ptr[i];
        word = word << 8 | (unsigned char)text.ptr[i];
    }
    return find_odd(word);
}

// Whether nothing in it needs a second look.
static inline bool copy_plain(char *out, od_str text)
{
    if (text.len < sizeof(uint64_t)) {
        return copy_short(out, text) == 0;
    }
    const size_t last = text.len - sizeof(uint64_t);
    uint64_t odd = copy_word(out + last, text.ptr + last);
    for (size_t at = 0; at < last; at += sizeof(uint64_t)) {
        odd |= copy_word(out + at, text.ptr + at);
    }
    return odd == 0;
}

bool od_put_string(struct od_buf *out, od_str text)
{
    char *at = od_buf_reserve(out, text.len + 2);
    if (copy_plain(at + 1, text)) {
        at[0] = at[text.len + 1] = '"';
        out->len += text.len + 2;
        return true;
    }
    const bool valid = od_utf8_valid(text);
    if (valid) {
        od_json_str(out, text);
    }
    return valid;
}
