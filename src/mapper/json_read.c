#include "mapper/json_read.h"

#include <assert.h>
#include <string.h>

// --- Walking over text --------------------------------------------------------------------------

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_spaces(od_str text, size_t at)
{
    while (at < text.len && is_space(text.ptr[at])) {
        at++;
    }
    return at;
}

// Whether the quote at `at` is escaped: by an odd number of backslashes.
static bool is_escaped(od_str text, size_t at)
{
    size_t slashes = 0;
    while (slashes < at && text.ptr[at - slashes - 1] == '\\') {
        slashes++;
    }
    return slashes % 2 == 1;
}

// Behind the string that starts at `at`; past the end when it has none.
static size_t skip_string(od_str text, size_t at)
{
    at++;
    for (;;) {
        if (at >= text.len) {
            return text.len + 1;
        }
        const char *quote = memchr(text.ptr + at, '"', text.len - at);
        if (quote == NULL) {
            return text.len + 1;
        }
        at = (size_t)(quote - text.ptr);
        if (!is_escaped(text, at)) {
            return at + 1;
        }
        at++;
    }
}

static size_t skip_word(od_str text, size_t at)
{
    while (at < text.len && strchr(",]} \t\r\n", text.ptr[at]) == NULL) {
        at++;
    }
    return at;
}

// Behind the value at `at`; past the end when it has none.
static size_t skip_value(od_str text, size_t at)
{
    size_t depth = 0;
    while (at < text.len) {
        const char c = text.ptr[at];
        if (c == '"') {
            at = skip_string(text, at);
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if ((c == '}' || c == ']') && depth == 0) {
            return text.len + 1;
        } else if (c == '}' || c == ']') {
            depth--;
            at++;
        } else if (depth == 0) {
            return skip_word(text, at);
        } else {
            at++;
        }
        if (depth == 0) {
            return at;
        }
    }
    return text.len + 1;
}

static bool breaks(struct od_json_walk *walk)
{
    walk->broken = true;
    return false;
}

static bool take_name(struct od_json_walk *walk)
{
    const od_str text = walk->text;
    if (walk->at >= text.len || text.ptr[walk->at] != '"') {
        return false;
    }
    const size_t end = skip_string(text, walk->at);
    if (end > text.len) {
        return false;
    }
    walk->name = (od_str){text.ptr + walk->at + 1, end - walk->at - 2};
    walk->at = skip_spaces(text, end);
    if (walk->at >= text.len || text.ptr[walk->at] != ':') {
        return false;
    }
    walk->at = skip_spaces(text, walk->at + 1);
    return true;
}

// To the next element: over the opening bracket or a comma. False at the closing bracket, too.
static bool take_separator(struct od_json_walk *walk, bool first, char close)
{
    const od_str text = walk->text;
    size_t at = skip_spaces(text, walk->at);
    if (at >= text.len) {
        return breaks(walk);
    }
    if (text.ptr[at] == close) {
        walk->at = at + 1;
        return false;
    }
    if (!first && text.ptr[at++] != ',') {
        return breaks(walk);
    }
    walk->at = skip_spaces(text, at);
    return true;
}

size_t od_json_string_end(od_str text)
{
    return skip_string(text, 0);
}

size_t od_json_value_end(od_str text)
{
    return skip_value(text, 0);
}

bool od_json_reach(struct od_json_walk *walk)
{
    const bool first = walk->at == 0;
    const size_t start = skip_spaces(walk->text, 0);
    if (walk->broken || start >= walk->text.len) {
        return breaks(walk);
    }
    const char open = walk->text.ptr[start];
    if (open != '{' && open != '[') {
        return breaks(walk);
    }
    if (first) {
        walk->at = start + 1;
    }
    if (!take_separator(walk, first, open == '{' ? '}' : ']')) {
        return false;
    }
    if (open == '{' && !take_name(walk)) {
        return breaks(walk);
    }
    walk->value = od_str_skip(walk->text, walk->at);
    return walk->value.len > 0 || breaks(walk);
}

bool od_json_skip(struct od_json_walk *walk)
{
    const size_t end = skip_value(walk->text, walk->at);
    if (end > walk->text.len || end == walk->at) {
        return breaks(walk);
    }
    walk->value.len = end - walk->at;
    walk->at = end;
    return true;
}

void od_json_leave(struct od_json_walk *walk, const struct od_json_walk *inner)
{
    walk->at += inner->at;
    walk->broken = walk->broken || inner->broken;
}

bool od_json_next(struct od_json_walk *walk)
{
    return od_json_reach(walk) && od_json_skip(walk);
}

bool od_json_find(od_str object, const char *name, od_str *out)
{
    const od_str wanted = od_cstr(name);
    struct od_json_walk walk = {.text = object};
    while (od_json_next(&walk)) {
        if (od_str_eq(walk.name, wanted)) {
            *out = walk.value;
            return true;
        }
    }
    return false;
}

// --- Trees --------------------------------------------------------------------------------------

enum { GRAIN = 16 };

static void *take(void *context, size_t size)
{
    struct od_json_tree *tree = context;
    const size_t need = (size + GRAIN - 1) / GRAIN * GRAIN;
    if (need > sizeof(tree->bytes) - tree->used) {
        return od_arena_bytes(tree->arena, need);
    }
    char *bytes = tree->bytes + tree->used;
    tree->used += need;
    return bytes;
}

static void *take_more(void *context, void *old, size_t old_size, size_t size)
{
    if (size <= old_size) {
        return old;
    }
    void *bytes = take(context, size);
    return memcpy(bytes, old, old_size);
}

static void give_back(void *context, void *bytes)
{
    (void)context;
    (void)bytes;
}

yyjson_val *od_json_parse(struct od_json_tree *tree, char *text, size_t len)
{
    const yyjson_alc alc = {.malloc = take, .realloc = take_more, .free = give_back, .ctx = tree};
    yyjson_doc *doc = yyjson_read_opts(text, len, YYJSON_READ_INSITU, &alc, NULL);
    return yyjson_doc_get_root(doc);
}

yyjson_val *od_json_parse_copy(struct od_json_tree *tree, od_arena *arena, od_str text)
{
    char *copy = od_arena_bytes(arena, text.len + YYJSON_PADDING_SIZE);
    memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, 0, YYJSON_PADDING_SIZE);
    return od_json_parse(tree, copy, text.len);
}
