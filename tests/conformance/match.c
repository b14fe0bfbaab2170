#include "match.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN_BYTES = 400, MAX_DEPTH = 300, UUID_LEN = 36 };

struct matcher {
    od_arena *arena;
    struct captures *captures;
    struct od_buf path; // "$.Items[2].id"
    int depth;
    od_str reason; // of the first difference
};

static od_str json_text(struct matcher *m, yyjson_val *value)
{
    size_t len = 0;
    char *text = yyjson_val_write(value, 0, &len);
    if (text == NULL) {
        return OD_STR("?");
    }
    od_str copy = od_arena_copy(m->arena, (od_str){text, len});
    free(text);
    return copy;
}

static od_str shown(struct matcher *m, yyjson_val *value)
{
    if (value == NULL) {
        return OD_STR("nothing");
    }
    od_str text = json_text(m, value);
    if (text.len <= MAX_SHOWN_BYTES) {
        return text;
    }
    return od_arena_printf(m->arena, "%.*s... (%zu bytes)", MAX_SHOWN_BYTES, text.ptr, text.len);
}

static bool differ(struct matcher *m, od_str want, yyjson_val *got)
{
    od_str have = shown(m, got);
    m->reason = od_arena_printf(m->arena, "at %.*s\n  want %.*s\n  got  %.*s", (int)m->path.len,
                                m->path.ptr, OD_STR_ARG(want), OD_STR_ARG(have));
    return false;
}

static od_str string_of(yyjson_val *value)
{
    return (od_str){yyjson_get_str(value), yyjson_get_len(value)};
}

static bool is_string(yyjson_val *value, const char *text)
{
    return value != NULL && yyjson_is_str(value) && od_str_eq(string_of(value), od_cstr(text));
}

static bool is_uuid(yyjson_val *value)
{
    od_str s = string_of(value);
    if (!yyjson_is_str(value) || s.len != UUID_LEN) {
        return false;
    }
    for (size_t i = 0; i < UUID_LEN; i++) {
        bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (is_dash ? s.ptr[i] != '-' : !isxdigit((unsigned char)s.ptr[i])) {
            return false;
        }
    }
    return true;
}

static bool is_any(yyjson_val *value)
{
    (void)value;
    return true;
}

static bool is_number(yyjson_val *value)
{
    return yyjson_is_num(value);
}

static bool is_text(yyjson_val *value)
{
    return yyjson_is_str(value) && yyjson_get_len(value) > 0;
}

// A pattern string that stands for many values, or NULL.
static bool (*class_of(od_str s))(yyjson_val *value)
{
    static const struct {
        od_str name;
        bool (*test)(yyjson_val *value);
    } classes[] = {
        {OD_STR_INIT("<any>"), is_any},
        {OD_STR_INIT("<number>"), is_number},
        {OD_STR_INIT("<text>"), is_text},
        {OD_STR_INIT("<uuid>"), is_uuid},
    };
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (od_str_eq(s, classes[i].name)) {
            return classes[i].test;
        }
    }
    return NULL;
}

static bool ends_with(od_str s, od_str end)
{
    return s.len >= end.len && od_str_eq(od_str_skip(s, s.len - end.len), end);
}

// The pieces between "<...>" stand in `s` in that order, the first in front, the last at the end.
bool match_text(od_str want, od_str text)
{
    const od_str gap = OD_STR("<...>");
    bool is_first = true;
    if (text.ptr == NULL) {
        text = OD_STR("");
    }
    for (;;) {
        const char *at = memmem(want.ptr, want.len, gap.ptr, gap.len);
        if (at == NULL) {
            return is_first ? od_str_eq(want, text) : ends_with(text, want);
        }
        od_str piece = {want.ptr, (size_t)(at - want.ptr)};
        const char *found = memmem(text.ptr, text.len, piece.ptr, piece.len);
        if (found == NULL || (is_first && found != text.ptr)) {
            return false;
        }
        text = od_str_skip(text, (size_t)(found - text.ptr) + piece.len);
        want = od_str_skip(want, piece.len + gap.len);
        is_first = false;
    }
}

static bool match_string(struct matcher *m, yyjson_val *pattern, yyjson_val *got)
{
    od_str want = string_of(pattern);
    bool (*test)(yyjson_val * value) = class_of(want);
    if (test != NULL) {
        return (got != NULL && test(got)) || differ(m, want, got);
    }
    if (got != NULL && want.len > 1 && want.ptr[0] == '$') {
        capture_put(m->captures, od_str_skip(want, 1), json_text(m, got));
        return true;
    }
    if (got != NULL && yyjson_is_str(got) && match_text(want, string_of(got))) {
        return true;
    }
    return differ(m, shown(m, pattern), got);
}

static bool match_value(struct matcher *m, yyjson_val *pattern, yyjson_val *got);

// Without a trace when it fails.
static bool try_match(struct matcher *m, yyjson_val *pattern, yyjson_val *got)
{
    struct capture *before = m->captures->first;
    size_t path_len = m->path.len;
    if (match_value(m, pattern, got)) {
        return true;
    }
    m->captures->first = before;
    m->path.len = path_len;
    m->reason = (od_str){0};
    return false;
}

// Each pattern takes the first element that matches it and is not taken.
static bool match_set(struct matcher *m, yyjson_val *pattern, yyjson_val *got)
{
    size_t count = yyjson_arr_size(got);
    bool *taken = od_new_array(m->arena, bool, count + 1);
    size_t taken_count = 0;
    bool is_open = false;
    size_t i = 0;
    size_t max = 0;
    yyjson_val *want = NULL;
    yyjson_arr_foreach(pattern, i, max, want)
    {
        if (is_string(want, "...")) {
            is_open = true;
            continue;
        }
        if (i == 0 && is_string(want, "<set>")) {
            continue;
        }
        size_t at = 0;
        while (at < count && (taken[at] || !try_match(m, want, yyjson_arr_get(got, at)))) {
            at++;
        }
        if (at == count) {
            return differ(m, shown(m, want), got);
        }
        taken[at] = true;
        taken_count++;
    }
    return is_open || taken_count == count || differ(m, shown(m, pattern), got);
}

static bool match_list(struct matcher *m, yyjson_val *pattern, yyjson_val *got)
{
    if (is_string(yyjson_arr_get_first(pattern), "<set>")) {
        return match_set(m, pattern, got);
    }
    size_t path_len = m->path.len;
    size_t i = 0;
    size_t max = 0;
    yyjson_val *want = NULL;
    yyjson_arr_foreach(pattern, i, max, want)
    {
        if (is_string(want, "...")) {
            return true;
        }
        od_buf_printf(&m->path, "[%zu]", i);
        if (!match_value(m, want, yyjson_arr_get(got, i))) {
            return false;
        }
        m->path.len = path_len;
    }
    return yyjson_arr_size(got) == max || differ(m, shown(m, pattern), got);
}

static bool is_set_name(od_str name)
{
    return od_str_eq(name, OD_STR("SS")) || od_str_eq(name, OD_STR("NS")) ||
           od_str_eq(name, OD_STR("BS"));
}

static bool match_member(struct matcher *m, od_str name, yyjson_val *want, yyjson_val *got)
{
    if (is_string(want, "<absent>")) {
        return got == NULL || differ(m, OD_STR("<absent>"), got);
    }
    if (is_set_name(name) && yyjson_is_arr(want) && yyjson_is_arr(got)) {
        return match_set(m, want, got);
    }
    return match_value(m, want, got);
}

// A member of `got` that the pattern does not have, or NULL.
static yyjson_val *find_extra(yyjson_val *pattern, yyjson_val *got)
{
    size_t i = 0;
    size_t max = 0;
    yyjson_val *key = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(got, i, max, key, value)
    {
        (void)value;
        if (yyjson_obj_getn(pattern, yyjson_get_str(key), yyjson_get_len(key)) == NULL) {
            return key;
        }
    }
    return NULL;
}

static bool match_object(struct matcher *m, yyjson_val *pattern, yyjson_val *got)
{
    size_t path_len = m->path.len;
    bool is_open = false;
    size_t i = 0;
    size_t max = 0;
    yyjson_val *key = NULL;
    yyjson_val *want = NULL;
    yyjson_obj_foreach(pattern, i, max, key, want)
    {
        od_str name = string_of(key);
        if (od_str_eq(name, OD_STR("..."))) {
            is_open = true;
            continue;
        }
        od_buf_printf(&m->path, ".%.*s", OD_STR_ARG(name));
        if (!match_member(m, name, want, yyjson_obj_getn(got, name.ptr, name.len))) {
            return false;
        }
        m->path.len = path_len;
    }
    yyjson_val *extra = is_open ? NULL : find_extra(pattern, got);
    if (extra == NULL) {
        return true;
    }
    od_buf_printf(&m->path, ".%s", yyjson_get_str(extra));
    return differ(m, OD_STR("nothing"),
                  yyjson_obj_getn(got, yyjson_get_str(extra), yyjson_get_len(extra)));
}

static bool same_scalar(yyjson_val *want, yyjson_val *got)
{
    if (yyjson_is_num(want)) {
        // Capacity and counts: small numbers, which doubles hold exactly.
        return yyjson_is_num(got) && !(yyjson_get_num(want) < yyjson_get_num(got)) &&
               !(yyjson_get_num(want) > yyjson_get_num(got));
    }
    return yyjson_equals(want, got);
}

static bool match_container(struct matcher *m, yyjson_val *pattern, yyjson_val *got)
{
    if (yyjson_get_type(pattern) != yyjson_get_type(got)) {
        return differ(m, shown(m, pattern), got);
    }
    return yyjson_is_obj(pattern) ? match_object(m, pattern, got) : match_list(m, pattern, got);
}

static bool match_value(struct matcher *m, yyjson_val *pattern, yyjson_val *got)
{
    if (yyjson_is_str(pattern)) {
        return match_string(m, pattern, got);
    }
    if (got == NULL || m->depth == MAX_DEPTH) {
        return differ(m, shown(m, pattern), got);
    }
    if (!yyjson_is_ctn(pattern)) {
        return same_scalar(pattern, got) || differ(m, shown(m, pattern), got);
    }
    m->depth++;
    bool ok = match_container(m, pattern, got);
    m->depth--;
    return ok;
}

bool match_json(od_arena *arena, yyjson_val *pattern, yyjson_val *got, struct captures *captures,
                od_str *reason)
{
    struct matcher m = {.arena = arena, .captures = captures, .path = {.arena = arena}};
    od_buf_put_byte(&m.path, '$');
    bool ok = match_value(&m, pattern, got);
    *reason = m.reason;
    return ok;
}
