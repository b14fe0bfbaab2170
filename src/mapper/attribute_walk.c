#include "mapper/attribute_walk.h"

#include "base/utf8.h"
#include "mapper/json_read.h"

enum { PADDING = 16 };

// --- Strings ------------------------------------------------------------------------------------

static bool is_ascii(char c)
{
    return (unsigned char)c < 0x80;
}

// The same, over what is not ASCII.
static char *find_special(char *at)
{
    for (at = od_find_odd(at); !is_ascii(*at); at = od_find_odd(at)) {
        while (!is_ascii(*at)) {
            at++;
        }
    }
    return at;
}

static od_str rest_of(const struct od_attribute_walk *p)
{
    return (od_str){p->at, (size_t)(p->end - p->at)};
}

// What escapes stand for is yyjson's to know. (Apart from the common case, for it needs much of the
// stack.)
__attribute__((noinline)) static bool take_escaped(struct od_attribute_walk *p, od_str *out)
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
static bool take_string(struct od_attribute_walk *p, od_str *out, char **close)
{
    char *start = p->at + 1;
    char *odd = od_find_odd(start);
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

static void skip_spaces(struct od_attribute_walk *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r') {
        p->at++;
    }
}

static bool take_spaced_char(struct od_attribute_walk *p, char c)
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
static inline bool take_char(struct od_attribute_walk *p, char c)
{
    if (p->at[0] == c && p->at[1] > ' ') {
        p->at++;
        return true;
    }
    return take_spaced_char(p, c);
}

static bool take_other(struct od_attribute_walk *p, od_str *out)
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
static bool take_word(struct od_attribute_walk *p, od_str word)
{
    const bool is = strncmp(p->at, word.ptr, word.len) == 0;
    p->at += is ? word.len : 0;
    return is;
}

static bool take_value(struct od_attribute_walk *p, struct od_attribute *out, char **close)
{
    *close = NULL;
    if (*p->at == '"') {
        out->kind = OD_ATTRIBUTE_TEXT;
        const bool taken = take_string(p, &out->text, close);
        out->has_zero = taken && memchr(out->text.ptr, '\0', out->text.len) != NULL;
        return taken;
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
static bool take_odd(struct od_attribute_walk *p, char *start, struct od_attribute *out)
{
    od_str json;
    p->at = start;
    out->kind = OD_ATTRIBUTE_ODD;
    out->tag = NULL;
    return take_other(p, &json);
}

static bool take_tag(struct od_attribute_walk *p, od_str *tag, char **close)
{
    return take_char(p, '{') && *p->at == '"' && take_string(p, tag, close) && take_char(p, ':');
}

static bool take_tagged(struct od_attribute_walk *p, struct od_attribute *out)
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

static bool take_any(struct od_attribute_walk *p, struct od_attribute *out)
{
    od_str name;
    char *close = NULL;
    if (*p->at != '"' || !take_string(p, &name, &close) || !take_char(p, ':')) {
        return false;
    }
    terminate(close);
    out->name = name;
    return take_tagged(p, out);
}

// "name":{"BOOL":true}
static bool take_bool(struct od_attribute_walk *p, struct od_attribute *out)
{
    static const char truth[] = "\":{\"BOOL\":true}";
    static const char lie[] = "\":{\"BOOL\":false}";
    if (p->at[0] != '"') {
        return false;
    }
    char *name = p->at + 1;
    char *name_end = od_find_odd(name);
    const bool is_true = memcmp(name_end, truth, sizeof(truth) - 1) == 0;
    if (!is_true && memcmp(name_end, lie, sizeof(lie) - 1) != 0) {
        return false;
    }
    name_end[0] = name_end[OD_TAG_AT + 4] = '\0';
    out->name = (od_str){name, (size_t)(name_end - name)};
    out->tag = name_end + OD_TAG_AT;
    out->kind = is_true ? OD_ATTRIBUTE_TRUE : OD_ATTRIBUTE_FALSE;
    p->at = name_end + (is_true ? sizeof(truth) : sizeof(lie)) - 1;
    return true;
}

bool od_attribute_walk_take(struct od_attribute_walk *walk, struct od_attribute *out)
{
    const bool taken = take_bool(walk, out) || take_any(walk, out);
    walk->more = taken;
    walk->broken = !taken;
    return taken;
}

void od_attribute_walk_separate(struct od_attribute_walk *walk)
{
    walk->more = take_char(walk, ',');
    walk->broken = !walk->more && !take_char(walk, '}');
}

void od_attribute_walk_open(struct od_attribute_walk *walk, od_arena *arena, od_str json)
{
    char *copy = od_arena_bytes(arena, json.len + PADDING);
    memcpy(copy, json.ptr, json.len);
    memset(copy + json.len, 0, PADDING);
    *walk = (struct od_attribute_walk){.arena = arena, .at = copy, .end = copy + json.len};
    walk->broken = !take_char(walk, '{');
    walk->more = !walk->broken && !take_char(walk, '}');
}
