#include "support.h"

#include <string.h>

enum { MAX_NAMES = 64 };

// --- Placeholder maps ---------------------------------------------------------------------------

static od_str take_word(const char **at, const char *stops)
{
    size_t len = strcspn(*at, stops);
    od_str word = {*at, len};
    *at += len;
    return word;
}

static void read_names(od_ctx *cx, const char *names, struct od_expr_env *env)
{
    env->names = od_new_array(cx->arena, struct od_expr_name, MAX_NAMES);
    for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
        struct od_expr_name *name = &env->names[env->name_count++];
        name->key = take_word(&at, "=");
        at++;
        name->name = take_word(&at, " ");
    }
}

static void read_values(od_ctx *cx, const char *values, struct od_expr_env *env)
{
    od_value map = value_of(cx, od_arena_printf(cx->arena, "{%s}", values).ptr);
    env->values = od_new_array(cx->arena, struct od_expr_value, od_value_count(map));
    for (struct od_iter it = od_iter(map); od_iter_next(&it);) {
        env->values[env->value_count++] = (struct od_expr_value){
            .key = od_arena_printf(cx->arena, ":%.*s", OD_STR_ARG(it.name)),
            .value = it.value,
        };
    }
}

struct od_expr_env *env_of(od_ctx *cx, const char *names, const char *values)
{
    struct od_expr_env *env = od_new(cx->arena, struct od_expr_env);
    if (names != NULL) {
        read_names(cx, names, env);
    }
    if (values != NULL) {
        read_values(cx, values, env);
    }
    return env;
}

// --- Values in notation -------------------------------------------------------------------------

static void show(struct od_buf *out, od_value v);

static void show_number(struct od_buf *out, od_value v)
{
    char text[OD_NUMBER_TEXT_MAX];
    od_buf_put(out, (od_str){text, od_number_text(od_value_number(v), text)});
}

static void show_bytes(struct od_buf *out, od_str bytes)
{
    od_buf_put(out, OD_STR("x'"));
    for (size_t i = 0; i < bytes.len; i++) {
        od_buf_printf(out, "%02X", (unsigned)(unsigned char)bytes.ptr[i]);
    }
    od_buf_put(out, OD_STR("'"));
}

static void show_members(struct od_buf *out, od_value v, const char *brackets)
{
    od_buf_put_byte(out, (unsigned char)brackets[0]);
    size_t count = 0;
    for (struct od_iter it = od_iter(v); od_iter_next(&it); count++) {
        od_buf_put(out, count == 0 ? OD_STR("") : OD_STR(", "));
        if (it.is_map) {
            od_buf_printf(out, "%.*s: ", OD_STR_ARG(it.name));
        }
        show(out, it.value);
    }
    od_buf_put_byte(out, (unsigned char)brackets[1]);
}

static void show(struct od_buf *out, od_value v)
{
    switch (od_value_type(v)) {
    case OD_TYPE_S:
        od_buf_printf(out, "'%.*s'", OD_STR_ARG(od_value_bytes(v)));
        return;
    case OD_TYPE_B:
        show_bytes(out, od_value_bytes(v));
        return;
    case OD_TYPE_N:
        show_number(out, v);
        return;
    case OD_TYPE_BOOL:
        od_buf_put(out, od_value_bool(v) ? OD_STR("true") : OD_STR("false"));
        return;
    case OD_TYPE_NULL:
        od_buf_put(out, OD_STR("null"));
        return;
    case OD_TYPE_L:
        show_members(out, v, "[]");
        return;
    case OD_TYPE_M:
        show_members(out, v, "{}");
        return;
    default:
        show_members(out, v, "<>");
    }
}

static od_str shown(od_ctx *cx, od_value v)
{
    struct od_buf out = {.arena = cx->arena};
    if (!od_value_exists(v)) {
        return OD_STR("no value");
    }
    show(&out, v);
    return od_buf_str(&out);
}

// --- Checks -------------------------------------------------------------------------------------

static od_str message_of(const od_ctx *cx, od_status status)
{
    return status == OD_OK ? OD_STR("no fault") : cx->error;
}

void check_ok(const char *text, od_ctx *cx, od_status got)
{
    if (got != OD_OK) {
        fail_msg("%s\n  got: %.*s", text, OD_STR_ARG(cx->error));
    }
}

static void check_status(const char *text, od_ctx *cx, od_status got, od_status expected,
                         const char *message)
{
    od_str found = message_of(cx, got);
    if (got != expected || !od_str_eq(found, od_cstr(message))) {
        fail_msg("%s\n  got:      %.*s (status %d)\n  expected: %s (status %d)", text,
                 OD_STR_ARG(found), (int)got, message, (int)expected);
    }
}

void check_fault(const char *text, od_ctx *cx, od_status got, const char *message)
{
    check_status(text, cx, got, OD_VALIDATION_ENVELOPED, message);
}

void check_bare_fault(const char *text, od_ctx *cx, od_status got, const char *message)
{
    check_status(text, cx, got, OD_VALIDATION, message);
}

void check_bool(const char *text, bool got, bool expected)
{
    if (got != expected) {
        fail_msg("%s\n  got: %d, expected: %d", text, got, expected);
    }
}

void check_size(const char *text, size_t got, size_t expected)
{
    if (got != expected) {
        fail_msg("%s\n  got: %zu, expected: %zu", text, got, expected);
    }
}

void check_value(const char *text, od_ctx *cx, od_value got, const char *expected)
{
    if (expected == NULL) {
        if (od_value_exists(got)) {
            od_str have = shown(cx, got);
            fail_msg("%s\n  got:      %.*s\n  expected: no value", text, OD_STR_ARG(have));
        }
        return;
    }
    od_value wanted = value_of(cx, expected);
    if (!od_value_exists(got) || !od_value_equal(got, wanted)) {
        od_str have = shown(cx, got);
        od_str want = shown(cx, wanted);
        fail_msg("%s\n  got:      %.*s\n  expected: %.*s", text, OD_STR_ARG(have),
                 OD_STR_ARG(want));
    }
    check_bool(text, od_value_valid(value_str(got)), true);
}

bool list_name(void *arg, od_str name)
{
    struct name_list *list = arg;
    od_buf_put(&list->out, list->count == 0 ? OD_STR("") : OD_STR(" "));
    od_buf_put(&list->out, name);
    list->count++;
    return list->count < list->most;
}
