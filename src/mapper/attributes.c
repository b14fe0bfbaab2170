#include "mapper/attributes.h"

#include "base/utf8.h"
#include "mapper/json_read.h"

#include <string.h>

// A text that is taken apart where it is; zeros follow its end, at which every search stops.
struct parser {
    od_arena *arena; // for strings without their escapes
    char *at;
    char *end;
};

enum { PADDING = 16 };

// --- Strings ------------------------------------------------------------------------------------

// Sixteen bytes at once, in what gcc and clang make of vectors on any processor.
typedef signed char stride __attribute__((vector_size(16)));
typedef uint64_t stride_words __attribute__((vector_size(16)));

enum { FIRST_PRINTABLE = 0x20 };

static inline size_t first_byte(uint64_t word)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return (size_t)(little ? __builtin_ctzll(word) : __builtin_clzll(word)) / 8;
}

// To the quote, backslash or control character that comes first, or what is not ASCII: its bytes
// are the negative ones.
static inline char *find_odd(char *at)
{
    for (;; at += sizeof(stride)) {
        stride bytes;
        memcpy(&bytes, at, sizeof(bytes));
        const stride_words found =
            (stride_words)((bytes < FIRST_PRINTABLE) | (bytes == '"') | (bytes == '\\'));
        if (found[0] != 0) {
            return at + first_byte(found[0]);
        }
        if (found[1] != 0) {
            return at + 8 + first_byte(found[1]);
        }
    }
}

static bool is_ascii(char c)
{
    return (unsigned char)c < 0x80;
}

// The same, over what is not ASCII.
static char *find_special(char *at)
{
    for (at = find_odd(at); !is_ascii(*at); at = find_odd(at)) {
        while (!is_ascii(*at)) {
            at++;
        }
    }
    return at;
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
    char *odd = find_odd(start);
    char *end = find_special(odd);
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
    return end == odd || od_utf8_valid(*out);
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

// What follows is looked at later, and is no part of a longer word then.
static bool take_word(struct parser *p, od_str word)
{
    const bool is = strncmp(p->at, word.ptr, word.len) == 0;
    p->at += is ? word.len : 0;
    return is;
}

static bool take_value(struct parser *p, struct od_attribute *out, char **close)
{
    *close = NULL;
    if (*p->at == '"') {
        out->kind = OD_ATTRIBUTE_TEXT;
        return take_string(p, &out->text, close);
    }
    if (take_word(p, OD_STR("true"))) {
        out->kind = OD_ATTRIBUTE_TRUE;
        return true;
    }
    if (take_word(p, OD_STR("false"))) {
        out->kind = OD_ATTRIBUTE_FALSE;
        return true;
    }
    out->kind = OD_ATTRIBUTE_OTHER;
    return take_other(p, &out->text);
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

static bool take_tag(struct parser *p, od_str *tag, char **close)
{
    return take_char(p, '{') && *p->at == '"' && take_string(p, tag, close) && take_char(p, ':');
}

static bool take_tagged(struct parser *p, struct od_attribute *out)
{
    char *start = p->at;
    od_str tag;
    char *tag_close = NULL;
    char *value_close = NULL;
    if (!take_tag(p, &tag, &tag_close)) {
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

static bool take_any(struct parser *p, struct od_attribute *out)
{
    od_str name;
    char *close = NULL;
    if (*p->at != '"' || !take_string(p, &name, &close) || !take_char(p, ':')) {
        return false;
    }
    terminate(close);
    out->name = name.ptr;
    return take_tagged(p, out);
}

// What stands between a name and its text; instead of the dot there is the tag.
static const char between[] = "\":{\".\":\"";

enum { BETWEEN_LEN = sizeof(between) - 1, TAG_AT = 4 };

static bool is_between(const char *at)
{
    static const unsigned char mask[BETWEEN_LEN] = {255, 255, 255, 255, 0, 255, 255, 255};
    uint64_t found = 0;
    uint64_t wanted = 0;
    uint64_t known = 0;
    memcpy(&found, at, sizeof(found));
    memcpy(&wanted, between, sizeof(wanted));
    memcpy(&known, mask, sizeof(known));
    return ((found ^ wanted) & known) == 0 && at[TAG_AT] >= 'A' && at[TAG_AT] <= 'Z';
}

// "name":{"S":"text"} without a space, an escape or anything beyond ASCII, as nearly all are.
static inline bool take_plain(struct parser *p, struct od_attribute *out)
{
    char *name = p->at + 1;
    if (*p->at != '"') {
        return false;
    }
    char *name_end = find_odd(name);
    if (!is_between(name_end)) {
        return false;
    }
    char *text = name_end + BETWEEN_LEN;
    char *text_end = find_odd(text);
    if (text_end[0] != '"' || text_end[1] != '}') {
        return false;
    }
    *name_end = name_end[TAG_AT + 1] = *text_end = '\0';
    out->name = name;
    out->tag = name_end + TAG_AT;
    out->text = (od_str){text, (size_t)(text_end - text)};
    out->kind = OD_ATTRIBUTE_TEXT;
    p->at = text_end + 2;
    return true;
}

// (Apart, as so many attributes are rare.)
__attribute__((noinline)) static void make_room(struct parser *p, struct od_attributes *to)
{
    const size_t cap = to->cap * 2;
    struct od_attribute *items = od_new_array(p->arena, struct od_attribute, cap);
    memcpy(items, to->items, to->count * sizeof(*items));
    to->items = items;
    to->cap = cap;
}

static bool take_attribute(struct parser *p, struct od_attributes *to)
{
    if (to->count == to->cap) {
        make_room(p, to);
    }
    struct od_attribute *attribute = &to->items[to->count++];
    if (!take_plain(p, attribute) && !take_any(p, attribute)) {
        return false;
    }
    attribute->mark = od_attribute_mark(attribute->name);
    to->slots[od_attribute_slot(attribute->mark)] = (uint8_t)to->count;
    return true;
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
    struct parser p = {.arena = arena, .at = copy, .end = copy + json.len};
    out->items = out->at_hand;
    out->count = 0;
    out->cap = OD_ATTRIBUTES_AT_HAND;
    memset(out->slots, 0, sizeof(out->slots));
    return take_object(&p, out);
}

// --- Looking attributes up ----------------------------------------------------------------------

const struct od_attribute *od_attributes_search(const struct od_attributes *attributes,
                                                const char *name)
{
    const uint16_t mark = od_attribute_mark(name);
    for (size_t i = 0; i < attributes->count; i++) {
        if (od_attribute_is(&attributes->items[i], mark, name)) {
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
