// Any text as an expression of each kind: parsed, bound to a few placeholders, and run on an item.
// The first byte chooses the kind, the second whether the item exists.
#include "expr/expr.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KINDS = OD_EXPR_UPDATE + 1, LISTED = 3 };

struct subject {
    od_ctx *cx;
    const struct od_expr *expr;
    struct od_expr_env env;
    od_value item;
    bool exists;
};

// --- An item and the placeholders ---------------------------------------------------------------

static od_value number(od_arena *arena, uint64_t n)
{
    struct od_buf out = {.arena = arena};
    od_pack_number(&out, od_number_from_u64(n));
    return od_packed(&out);
}

static od_value text(od_arena *arena, const char *s)
{
    struct od_buf out = {.arena = arena};
    od_pack_s(&out, od_cstr(s));
    return od_packed(&out);
}

static od_value set(od_arena *arena, od_value a, od_value b)
{
    struct od_buf out = {.arena = arena};
    od_value members[] = {a, b};
    bool packed = od_pack_set(&out, OD_TYPE_SS, members, 2);
    assert(packed);
    return od_packed(&out);
}

static od_value list(od_arena *arena, od_value member)
{
    struct od_buf out = {.arena = arena};
    size_t mark = od_pack_open(&out, OD_TYPE_L);
    for (size_t i = 0; i < LISTED; i++) {
        od_pack_value(&out, member);
    }
    od_pack_close(&out, mark, LISTED);
    return od_packed(&out);
}

static od_value map(od_arena *arena, od_value inner)
{
    struct od_entry entries[] = {
        {OD_STR("a"), inner},
        {OD_STR("b"), number(arena, 7)},
        {OD_STR("c"), text(arena, "text")},
        {OD_STR("d"), set(arena, text(arena, "x"), text(arena, "y"))},
        {OD_STR("e"), list(arena, inner)},
    };
    return od_map_build(arena, entries, sizeof(entries) / sizeof(entries[0]));
}

static struct od_expr_env make_env(od_arena *arena)
{
    static const struct od_expr_name names[] = {
        {.key = OD_STR_INIT("#a"), .name = OD_STR_INIT("a")},
        {.key = OD_STR_INIT("#b"), .name = OD_STR_INIT("b.c")},
    };
    const struct od_expr_value values[] = {
        {.key = OD_STR(":n"), .value = number(arena, 1)},
        {.key = OD_STR(":s"), .value = text(arena, "S")},
        {.key = OD_STR(":d"), .value = set(arena, text(arena, "y"), text(arena, "z"))},
        {.key = OD_STR(":l"), .value = list(arena, number(arena, 2))},
        {.key = OD_STR(":m"), .value = map(arena, number(arena, 3))},
    };
    struct od_expr_env env = {.name_count = 2, .value_count = 5};
    env.names = od_new_array(arena, struct od_expr_name, env.name_count);
    env.values = od_new_array(arena, struct od_expr_value, env.value_count);
    for (size_t i = 0; i < env.name_count; i++) {
        env.names[i] = names[i];
    }
    for (size_t i = 0; i < env.value_count; i++) {
        env.values[i] = values[i];
    }
    return env;
}

// --- What every expression must do --------------------------------------------------------------

static void check_fault(const struct subject *s, od_status status)
{
    assert(status == OD_VALIDATION || status == OD_VALIDATION_ENVELOPED);
    assert(s->cx->error.ptr != NULL && s->cx->error.len > 0);
}

static void check_result(od_value v)
{
    assert(od_value_valid((od_str){v.ptr, v.len}));
    assert(od_value_depth(v) <= OD_MAX_NESTING + 1); // the item's own map is not counted
}

static bool count_name(void *arg, od_str name)
{
    size_t *count = arg;
    assert(name.ptr != NULL && name.len > 0);
    (*count)++;
    return true;
}

static void run_condition(struct subject *s)
{
    const struct od_condition *condition = NULL;
    od_status status = od_condition_bind(s->cx, s->expr, &s->env, &condition);
    if (status != OD_OK) {
        check_fault(s, status);
        return;
    }
    size_t names = 0;
    od_condition_names(condition, count_name, &names);
    bool matches = od_condition_match(condition, s->exists ? s->item : (od_value){0});
    const struct od_condition inverse = {.op = OD_COND_NOT, .left = condition};
    assert(matches != od_condition_match(&inverse, s->exists ? s->item : (od_value){0}));
}

static void run_key_condition(struct subject *s)
{
    struct od_key_condition condition = {0};
    od_status status = od_key_condition_bind(s->cx, s->expr, &s->env, &condition);
    if (status != OD_OK) {
        check_fault(s, status);
        return;
    }
    assert(condition.count > 0);
    for (size_t i = 0; i < condition.count; i++) {
        assert(od_value_exists(condition.terms[i].value));
        bool is_between = condition.terms[i].op == OD_KEY_BETWEEN;
        assert(od_value_exists(condition.terms[i].upper) == is_between);
    }
}

static void run_projection(struct subject *s)
{
    struct od_projection projection = {0};
    od_status status = od_projection_bind(s->cx, s->expr, &s->env, &projection);
    if (status != OD_OK) {
        check_fault(s, status);
        return;
    }
    od_value once = od_projection_apply(s->cx->arena, &projection, s->item);
    check_result(once);
}

static void run_update(struct subject *s)
{
    const struct od_update *update = NULL;
    od_status status = od_update_bind(s->cx, s->expr, &s->env, &update);
    if (status != OD_OK) {
        check_fault(s, status);
        return;
    }
    size_t names = 0;
    od_update_names(update, count_name, &names);
    assert(names > 0 && od_update_cost(update) >= 2 * names);

    od_value after = {0};
    status = od_update_apply(s->cx, update, s->item, s->exists, &after);
    if (status != OD_OK) {
        check_fault(s, status);
        return;
    }
    check_result(after);
    od_value touched = od_update_touched(s->cx->arena, update, after);
    if (od_value_exists(touched)) {
        check_result(touched);
    }
}

static void (*const runs[KINDS])(struct subject *s) = {
    [OD_EXPR_CONDITION] = run_condition,
    [OD_EXPR_FILTER] = run_condition,
    [OD_EXPR_KEY_CONDITION] = run_key_condition,
    [OD_EXPR_PROJECTION] = run_projection,
    [OD_EXPR_UPDATE] = run_update,
};

static void run(od_arena *arena, const uint8_t *data, size_t size)
{
    od_ctx cx = {.arena = arena};
    enum od_expr_kind kind = (enum od_expr_kind)(data[0] % KINDS);
    struct subject s = {
        .cx = &cx,
        .env = make_env(arena),
        .item = map(arena, map(arena, list(arena, number(arena, 5)))),
        .exists = data[1] % 2 == 0,
    };
    od_status status =
        od_expr_parse(&cx, kind, (od_str){(const char *)data + 2, size - 2}, &s.expr);
    if (status != OD_OK) {
        check_fault(&s, status);
        return;
    }
    runs[kind](&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    od_arena *arena = od_arena_create();
    run(arena, data, size);
    od_arena_destroy(arena);
    return 0;
}
