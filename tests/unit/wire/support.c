#include "support.h"

int context_create(void **state)
{
    od_arena *arena = od_arena_create();
    od_ctx *cx = od_new(arena, od_ctx);
    cx->arena = arena;
    *state = cx;
    return 0;
}

int context_destroy(void **state)
{
    od_ctx *cx = *state;
    od_arena_destroy(cx->arena);
    return 0;
}

od_str json_text(od_ctx *cx, const char *text)
{
    od_str copy = od_arena_copy(cx->arena, od_cstr(text));
    struct od_buf out = {.arena = cx->arena};
    for (size_t i = 0; i < copy.len; i++) {
        char c = copy.ptr[i];
        od_buf_put_byte(&out, (unsigned char)(c == '\'' ? '"' : c));
    }
    return od_buf_str(&out);
}

yyjson_val *json_tree(od_ctx *cx, const char *text)
{
    yyjson_val *root = NULL;
    if (od_wire_parse(cx, json_text(cx, text), &root) != OD_OK) {
        fail_msg("this is no JSON object: %s", text);
    }
    return root;
}

void check_ok(size_t row, const od_ctx *cx, od_status got)
{
    if (got != OD_OK) {
        fail_msg("row %zu is refused: %.*s", row, OD_STR_ARG(cx->error));
    }
}

void check_fault(size_t row, const od_ctx *cx, od_status got, od_status status, const char *message)
{
    if (got == OD_OK) {
        fail_msg("row %zu is accepted, expected: %s", row, message);
    }
    check_text(row, cx->error, message);
    check_int(row, got, status);
}

void check_int(size_t row, int64_t got, int64_t expected)
{
    if (got != expected) {
        fail_msg("row %zu: got %lld, expected %lld", row, (long long)got, (long long)expected);
    }
}

void check_text(size_t row, od_str got, const char *expected)
{
    if (!od_str_eq(got, od_cstr(expected))) {
        fail_msg("row %zu:\n     got \"%.*s\"\nexpected \"%s\"", row, OD_STR_ARG(got), expected);
    }
}

void check_json(size_t row, od_ctx *cx, od_str got, const char *expected)
{
    od_str json = json_text(cx, expected);
    if (!od_str_eq(got, json)) {
        fail_msg("row %zu:\n     got %.*s\nexpected %.*s", row, OD_STR_ARG(got), OD_STR_ARG(json));
    }
}

od_str repeated(od_ctx *cx, const char *text, size_t count)
{
    struct od_buf out = {.arena = cx->arena};
    for (size_t i = 0; i < count; i++) {
        od_buf_put(&out, od_cstr(text));
    }
    return od_buf_str(&out);
}
