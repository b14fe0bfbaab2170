#include "mapper/attributes.h"

#include "base/utf8.h"
#include "mapper/json_read.h"

#include <string.h>

// A text that is taken apart where it is; zeros follow its end, at which every search stops.
struct parser {
    od_arena *arena; // for strings without their escapes
    char *at;
    char *end;
    bool ascii; // all of it
};

enum { PADDING = 16 };

// --- Strings ------------------------------------------------------------------------------------

// Sixteen bytes at once, in what gcc and clang make of vectors on any processor.
typedef unsigned char stride __attribute__((vector_size(16)));
typedef uint64_t stride_words __attribute__((vector_size(16)));

enum { FIRST_PRINTABLE = 0x20 };

static size_t first_byte(uint64_t word)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return (size_t)(little ? __builtin_ctzll(word) : __builtin_clzll(word)) / 8;
}

// To the quote, backslash or control character that comes first.
static inline char *find_special(char *at)
{
    for (;; at += sizeof(stride)) {
        stride bytes;
        memcpy(&bytes, at, sizeof(bytes));
        const stride_words found =
            (stride_words)((bytes < FIRST_PRINTABLE) | (bytes == '"') | (bytes == '\\'));
        if ((found[0] | found[1]) != 0) {
            return at + (found[0] != 0 ? first_byte(found[0]) : 8 + first_byte(found[1]));
        }
    }
}

static bool is_ascii(const char *at, const char *end)
{
    stride seen = {0};
    for (; at < end; at += sizeof(stride)) {
        stride bytes;
        memcpy(&bytes, at, sizeof(bytes));
        seen |= bytes;
    }
    const stride_words top = (stride_words)(seen & 0x80);
    return (top[0] | top[1]) == 0;
}

static od_str rest_of(const struct parser *p)
{
    return (od_str){p->at, (size_t)(p->end - p->at)};
}

// What escapes stand for is yyjson's to know. (Apart from the common case, for it needs much of the
// stack.)
__attribute__((noinline)) static bool take_escaped(struct parser *p, od_str *out)
{
    const size_t len = od_json_string_end(rest_of(p));
    if (len > (size_t)(p->end - p->at)) {
        return false;
    }
    struct od_json_tree tree;
    od_json_tree_init(&tree, p->arena);
    yyjson_val *string = od_json_parse_copy(&tree, p->arena, (od_str){p->at, len});
    *out = (od_str){yyjson_get_str(string), yyjson_get_len(string)};
    p->at += len;
    return out->ptr != NULL;
}

// The string at the opening quote. `close`: its closing one, where a 0 goes once nobody needs to
// look at the text again; NULL when there is a 0 already.
static bool take_string(struct parser *p, od_str *out, char **close)
{
    char *start = p->at + 1;
    char *end = find_special(start);
    *close = NULL;
    if (*end == '\\') {
        return take_escaped(p, out);
    }
    if (*end != '"') {
        return false;
    }
    *out = (od_str){start, (size_t)(end - start)};
    *close = end;
    p->at = end + 1;
    return p->ascii || od_utf8_valid(*out);
}

static void terminate(char *close)
{
    if (close != NULL) {
        *close = '\0';
    }
}

// --- Values -------------------------------------------------------------------------------------

static void skip_spaces(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r') {
        p->at++;
    }
}

static bool take_spaced_char(struct parser *p, char c)
{
    skip_spaces(p);
    if (*p->at != c) {
        return false;
    }
    p->at++;
    skip_spaces(p);
    return true;
}

// Nearly always there are no spaces.
static inline bool take_char(struct parser *p, char c)
{
    if (p->at[0] == c && p->at[1] > ' ') {
        p->at++;
        return true;
    }
    return take_spaced_char(p, c);
}

static bool take_other(struct parser *p, od_str *out)
{
    const od_str rest = rest_of(p);
    const size_t len = od_json_value_end(rest);
    *out = (od_str){rest.ptr, len};
    if (len == 0 || len > rest.len) {
        return false;
    }
    p->at += len;
    return true;
}

static enum od_attribute_kind kind_of(od_str json)
{
    if (od_str_eq(json, OD_STR("true"))) {
        return OD_ATTRIBUTE_TRUE;
    }
    return od_str_eq(json, OD_STR("false")) ? OD_ATTRIBUTE_FALSE : OD_ATTRIBUTE_OTHER;
}

static bool take_value(struct parser *p, struct od_attribute *out, char **close)
{
    *close = NULL;
    if (*p->at == '"') {
        out->kind = OD_ATTRIBUTE_TEXT;
        return take_string(p, &out->text, close);
    }
    const bool taken = take_other(p, &out->text);
    out->kind = kind_of(out->text);
    return taken;
}

// What is no {"tag": value}.
static bool take_odd(struct parser *p, char *start, struct od_attribute *out)
{
    od_str json;
    p->at = start;
    out->kind = OD_ATTRIBUTE_ODD;
    out->tag = NULL;
    return take_other(p, &json);
}

// {"S": with no spaces, as nearly all begin.
static bool take_short_tag(struct parser *p, od_str *tag, char **close)
{
    const char *at = p->at;
    if (at[0] != '{' || at[1] != '"' || at[2] < 'A' || at[2] > 'Z' || at[3] != '"' ||
        at[4] != ':' || at[5] <= ' ') {
        return false;
    }
    *tag = (od_str){at + 2, 1};
    *close = p->at + 3;
    p->at += 5;
    return true;
}

static bool take_any_tag(struct parser *p, od_str *tag, char **close)
{
    return take_char(p, '{') && *p->at == '"' && take_string(p, tag, close) && take_char(p, ':');
}

static bool take_tagged(struct parser *p, struct od_attribute *out)
{
    char *start = p->at;
    od_str tag;
    char *tag_close = NULL;
    char *value_close = NULL;
    if (!take_short_tag(p, &tag, &tag_close) && !take_any_tag(p, &tag, &tag_close)) {
        return take_odd(p, start, out);
    }
    if (!take_value(p, out, &value_close)) {
        return false;
    }
    if (!take_char(p, '}')) {
        return take_odd(p, start, out);
    }
    terminate(tag_close);
    terminate(value_close);
    out->tag = tag.ptr;
    return true;
}

static struct od_attribute *append(struct parser *p, struct od_attributes *to)
{
    if (to->count == to->cap) {
        const size_t cap = to->cap * 2;
        struct od_attribute *items = od_new_array(p->arena, struct od_attribute, cap);
        memcpy(items, to->items, to->count * sizeof(*items));
        to->items = items;
        to->cap = cap;
    }
    return &to->items[to->count++];
}

// The first two characters, which differ in most names. A name has at least the 0 behind it.
static uint16_t mark_of(const char *name)
{
    const unsigned char first = (unsigned char)name[0];
    return (uint16_t)(first << 8 | (first == 0 ? 0 : (unsigned char)name[1]));
}

static size_t slot_of(uint16_t mark)
{
    return (mark * 0x9E37U >> 8) % OD_ATTRIBUTES_SLOTS;
}

static bool take_attribute(struct parser *p, struct od_attributes *to)
{
    struct od_attribute *attribute = append(p, to);
    od_str name;
    char *close = NULL;
    if (*p->at != '"' || !take_string(p, &name, &close) || !take_char(p, ':')) {
        return false;
    }
    terminate(close);
    attribute->name = name.ptr;
    attribute->mark = mark_of(name.ptr);
    to->slots[slot_of(attribute->mark)] = (uint8_t)to->count;
    return take_tagged(p, attribute);
}

static bool take_object(struct parser *p, struct od_attributes *to)
{
    if (!take_char(p, '{')) {
        return false;
    }
    if (take_char(p, '}')) {
        return true;
    }
    while (take_attribute(p, to)) {
        if (!take_char(p, ',')) {
            return take_char(p, '}');
        }
    }
    return false;
}

bool od_attributes_parse(od_arena *arena, od_str json, struct od_attributes *out)
{
    char *copy = od_arena_bytes(arena, json.len + PADDING);
    memcpy(copy, json.ptr, json.len);
    memset(copy + json.len, 0, PADDING);
    struct parser p = {.arena = arena,
                       .at = copy,
                       .end = copy + json.len,
                       .ascii = is_ascii(copy, copy + json.len)};
    out->items = out->at_hand;
    out->count = 0;
    out->cap = OD_ATTRIBUTES_AT_HAND;
    memset(out->slots, 0, sizeof(out->slots));
    return take_object(&p, out);
}

// --- Looking attributes up ----------------------------------------------------------------------

static bool is_named(const struct od_attribute *attribute, uint16_t mark, const char *name)
{
    return attribute->mark == mark && strcmp(attribute->name, name) == 0;
}

const struct od_attribute *od_attributes_find(const struct od_attributes *attributes,
                                              const char *name)
{
    const uint16_t mark = mark_of(name);
    const size_t first = attributes->slots[slot_of(mark)];
    if (first > 0 && is_named(&attributes->items[first - 1], mark, name)) {
        return &attributes->items[first - 1];
    }
    // Two marks share the slot, or the item has more attributes than a slot can tell.
    for (size_t i = 0; i < attributes->count; i++) {
        if (is_named(&attributes->items[i], mark, name)) {
            return &attributes->items[i];
        }
    }
    return NULL;
}

od_str od_attributes_text(const struct od_attributes *attributes, const char *name, const char *tag)
{
    const struct od_attribute *attribute = od_attributes_find(attributes, name);
    const bool is = attribute != NULL && attribute->kind == OD_ATTRIBUTE_TEXT &&
                    strcmp(attribute->tag, tag) == 0;
    return is ? attribute->text : (od_str){0};
}
