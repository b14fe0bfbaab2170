#include "expand.h"

#include "scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

od_str capture_get(const struct captures *captures, od_str name)
{
    for (const struct capture *at = captures->first; at != NULL; at = at->next) {
        if (od_str_eq(at->name, name)) {
            return at->json;
        }
    }
    return (od_str){0};
}

void capture_put(struct captures *captures, od_str name, od_str json)
{
    struct capture *added = od_new(captures->arena, struct capture);
    added->name = od_arena_copy(captures->arena, name);
    added->json = od_arena_copy(captures->arena, json);
    added->next = captures->first;
    captures->first = added;
}

static size_t count_digits(od_str text)
{
    size_t len = 0;
    while (len < text.len && isdigit((unsigned char)text.ptr[len])) {
        len++;
    }
    return len;
}

// The length of {c} or {c:width} at the front of `text`, or 0.
static size_t counter_len(od_str text, char c, int *width)
{
    *width = 0;
    if (text.len < 3 || text.ptr[0] != '{' || text.ptr[1] != c) {
        return 0;
    }
    if (text.ptr[2] == '}') {
        return 3;
    }
    if (text.len < 5 || text.ptr[2] != ':' || !isdigit((unsigned char)text.ptr[3]) ||
        text.ptr[4] != '}') {
        return 0;
    }
    *width = text.ptr[3] - '0';
    return 5;
}

static void put_counted(struct od_buf *out, od_str text, char counter, int value)
{
    while (text.len > 0) {
        int width = 0;
        size_t len = counter_len(text, counter, &width);
        if (len > 0) {
            od_buf_printf(out, "%0*d", width, value);
        } else {
            len = 1;
            od_buf_put_byte(out, (unsigned char)text.ptr[0]);
        }
        text = od_str_skip(text, len);
    }
}

// Reads <part * count> at the front of `text`; returns its length, or 0 when there is none.
static size_t repetition_len(od_str text, od_str *part, uint64_t *count)
{
    for (size_t i = 1; i + 3 < text.len && text.ptr[i] != '<' && text.ptr[i] != '>'; i++) {
        od_str rest = od_str_skip(text, i);
        if (!od_str_has_prefix(rest, OD_STR(" * "))) {
            continue;
        }
        rest = od_str_skip(rest, 3);
        size_t digits = count_digits(rest);
        if (digits > 0 && digits < rest.len && rest.ptr[digits] == '>' &&
            od_str_to_u64((od_str){rest.ptr, digits}, count)) {
            *part = (od_str){text.ptr + 1, i - 1};
            return i + 3 + digits + 1;
        }
    }
    return 0;
}

static void put_repeated(struct od_buf *out, od_str part, uint64_t count)
{
    bool is_counted = od_str_contains(part, OD_STR("{i"));
    for (uint64_t i = 1; i <= count && out->len < MAX_EXPANDED_BYTES; i++) {
        if (is_counted) {
            put_counted(out, part, 'i', (int)i);
        } else {
            od_buf_put(out, part);
        }
    }
}

static od_str expand_repetitions(od_arena *arena, od_str text)
{
    struct od_buf out = {.arena = arena};
    while (text.len > 0) {
        od_str part = {0};
        uint64_t count = 0;
        size_t len = text.ptr[0] == '<' ? repetition_len(text, &part, &count) : 0;
        if (len > 0) {
            put_repeated(&out, part, count);
        } else {
            len = 1;
            od_buf_put_byte(&out, (unsigned char)text.ptr[0]);
        }
        text = od_str_skip(text, len);
    }
    return od_buf_str(&out);
}

// The length of "$name" at the front of `text`, or 0.
static size_t capture_len(od_str text)
{
    if (!od_str_has_prefix(text, OD_STR("\"$"))) {
        return 0;
    }
    size_t len = 2;
    while (len < text.len && (isalnum((unsigned char)text.ptr[len]) || text.ptr[len] == '_')) {
        len++;
    }
    return len > 2 && len < text.len && text.ptr[len] == '"' ? len + 1 : 0;
}

static od_str expand_captures(od_arena *arena, od_str text, const struct captures *captures)
{
    struct od_buf out = {.arena = arena};
    while (text.len > 0) {
        size_t len = capture_len(text);
        od_str json = {0};
        if (len > 0) {
            json = capture_get(captures, (od_str){text.ptr + 2, len - 3});
        }
        if (json.ptr != NULL) {
            od_buf_put(&out, json);
        } else {
            len = 1;
            od_buf_put_byte(&out, (unsigned char)text.ptr[0]);
        }
        text = od_str_skip(text, len);
    }
    return od_buf_str(&out);
}

od_str expand(od_arena *arena, od_str text, int n, const struct captures *captures)
{
    struct od_buf counted = {.arena = arena};
    put_counted(&counted, text, 'n', n);
    od_str repeated = expand_repetitions(arena, od_buf_str(&counted));
    return expand_captures(arena, repeated, captures);
}

enum { MAX_PATTERN_DEPTH = 200 };

// Where in JSON text a scan stands: inside a string, and inside which brackets.
struct json_position {
    char open[MAX_PATTERN_DEPTH];
    size_t depth;
    bool in_string;
    bool is_escaped;
};

static void step_over(struct json_position *at, char c)
{
    if (at->in_string) {
        at->in_string = at->is_escaped || c != '"';
        at->is_escaped = !at->is_escaped && c == '\\';
        return;
    }
    at->in_string = c == '"';
    at->is_escaped = false;
    if ((c == '{' || c == '[') && at->depth < MAX_PATTERN_DEPTH) {
        at->open[at->depth++] = c;
    }
    if ((c == '}' || c == ']') && at->depth > 0) {
        at->depth--;
    }
}

od_str expand_pattern(od_arena *arena, od_str text, int n, const struct captures *captures)
{
    od_str rest = expand(arena, text, n, captures);
    struct od_buf out = {.arena = arena};
    struct json_position at = {0};
    while (rest.len > 0) {
        if (!at.in_string && at.depth > 0 && od_str_has_prefix(rest, OD_STR("..."))) {
            bool in_object = at.open[at.depth - 1] == '{';
            od_buf_put(&out, in_object ? OD_STR("\"...\":null") : OD_STR("\"...\""));
            rest = od_str_skip(rest, 3);
            continue;
        }
        step_over(&at, rest.ptr[0]);
        od_buf_put_byte(&out, (unsigned char)rest.ptr[0]);
        rest = od_str_skip(rest, 1);
    }
    return od_buf_str(&out);
}
