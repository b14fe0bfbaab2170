#include "support.h"

// --- Undefined placeholders ---------------------------------------------------------------------

static od_status bind_condition(od_ctx *cx, const char *text, struct od_expr_env *env)
{
    const struct od_expr *expr = NULL;
    const struct od_condition *condition = NULL;
    OD_TRY(od_expr_parse(cx, OD_EXPR_CONDITION, od_cstr(text), &expr));
    return od_condition_bind(cx, expr, env, &condition);
}

static od_status bind_projection(od_ctx *cx, const char *text, struct od_expr_env *env)
{
    const struct od_expr *expr = NULL;
    struct od_projection projection = {0};
    OD_TRY(od_expr_parse(cx, OD_EXPR_PROJECTION, od_cstr(text), &expr));
    return od_projection_bind(cx, expr, env, &projection);
}

static od_status bind_update(od_ctx *cx, const char *text, struct od_expr_env *env)
{
    const struct od_expr *expr = NULL;
    const struct od_update *update = NULL;
    OD_TRY(od_expr_parse(cx, OD_EXPR_UPDATE, od_cstr(text), &expr));
    return od_update_bind(cx, expr, env, &update);
}

#define NO_NAME(kind, name)                                                                      \
    "Invalid " kind "Expression: An expression attribute name used in the document path is not " \
    "defined; attribute name: " name
#define NO_VALUE(kind, value)                                                              \
    "Invalid " kind "Expression: An expression attribute value used in expression is not " \
    "defined; attribute value: " value

static void undefined_placeholders_are_named(void **state)
{
    static const struct {
        od_status (*bind)(od_ctx *cx, const char *text, struct od_expr_env *env);
        const char *text;
        const char *message;
    } rows[] = {
        {bind_condition, "#x = :v", NO_NAME("Condition", "#x")},
        {bind_condition, "a.#x[0] = :v", NO_NAME("Condition", "#x")},
        {bind_condition, "#A = :v", NO_NAME("Condition", "#A")}, // keys have case
        {bind_condition, "#a = :x", NO_VALUE("Condition", ":x")},
        {bind_condition, ":v = :V", NO_VALUE("Condition", ":V")},
        {bind_condition, "a BETWEEN :v AND :x", NO_VALUE("Condition", ":x")},
        {bind_condition, "a IN (:v, :v, :x)", NO_VALUE("Condition", ":x")},
        {bind_condition, "size(#x) > :v", NO_NAME("Condition", "#x")},
        {bind_condition, "NOT (a = :v OR begins_with(a, :x))", NO_VALUE("Condition", ":x")},
        // In the order of the text.
        {bind_condition, ":x = #x", NO_VALUE("Condition", ":x")},
        {bind_condition, "#x = :x", NO_NAME("Condition", "#x")},
        {bind_projection, "a, b.#x", NO_NAME("Projection", "#x")},
        {bind_update, "SET #x = :v", NO_NAME("Update", "#x")},
        {bind_update, "SET b = #x", NO_NAME("Update", "#x")},
        {bind_update, "SET b = if_not_exists(#x, :v)", NO_NAME("Update", "#x")},
        {bind_update, "REMOVE #a, #x", NO_NAME("Update", "#x")},
        {bind_update, "ADD #x :v", NO_NAME("Update", "#x")},
        {bind_update, "SET b = :x", NO_VALUE("Update", ":x")},
        {bind_update, "SET b = if_not_exists(:x, :v)", NO_VALUE("Update", ":x")},
        {bind_update, "DELETE b :x", NO_VALUE("Update", ":x")},
        // An update's names come before its values.
        {bind_update, "SET b = :x, c = #x", NO_NAME("Update", "#x")},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_expr_env *env = env_of(*state, "#a=a", "v: 1");
        check_fault(rows[i].text, *state, rows[i].bind(*state, rows[i].text, env), rows[i].message);
    }
}

static void a_placeholder_is_one_step_whatever_it_stands_for(void **state)
{
    od_ctx *cx = *state;
    struct od_expr_env *env = env_of(cx, "#a=a.b #i=a[0]", NULL);
    const struct od_expr *expr = NULL;
    struct od_projection projection = {0};
    check_ok("parse", cx, od_expr_parse(cx, OD_EXPR_PROJECTION, OD_STR("#a, #i"), &expr));
    check_ok("bind", cx, od_projection_bind(cx, expr, env, &projection));
    od_value map = value_of(cx, "{a.b: 1, a: {b: 2}, a[0]: 3}");
    check_value("#a", cx, od_projection_apply(cx->arena, &projection, map), "{a.b: 1, a[0]: 3}");
}

static void a_path_has_at_most_32_steps(void **state)
{
    od_ctx *cx = *state;
    struct od_buf text = {.arena = cx->arena};
    od_buf_put(&text, OD_STR("a"));
    for (size_t i = 1; i < OD_MAX_NESTING; i++) {
        od_buf_put(&text, i % 2 == 0 ? OD_STR(".b") : OD_STR("[1]"));
    }
    const char *longest = od_arena_copy(cx->arena, od_buf_str(&text)).ptr;
    struct od_expr_env *env = env_of(cx, NULL, NULL);
    check_ok(longest, cx, bind_projection(cx, longest, env));

    const char *too_long = od_arena_printf(cx->arena, "%s.c", longest).ptr;
    check_fault(too_long, cx, bind_projection(cx, too_long, env),
                "Invalid ProjectionExpression: The document path has too many nesting levels; "
                "nesting levels: 33");
    const char *condition = od_arena_printf(cx->arena, "attribute_exists(%s)", too_long).ptr;
    check_fault(condition, cx, bind_condition(cx, condition, env),
                "Invalid ConditionExpression: The document path has too many nesting levels; "
                "nesting levels: 33");
    const char *update = od_arena_printf(cx->arena, "SET x = %s", too_long).ptr;
    check_fault(update, cx, bind_update(cx, update, env),
                "Invalid UpdateExpression: The document path has too many nesting levels; "
                "nesting levels: 33");
}

// --- Unused placeholders ------------------------------------------------------------------------

static void placeholders_that_nothing_uses_are_a_fault(void **state)
{
    static const struct {
        const char *condition;
        const char *names;
        const char *values;
        const char *message;
    } rows[] = {
        {"a = :v", "#a=a #b=b", "v: 1",
         "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}"},
        {"a = :v", NULL, "u: 0, v: 1, w: 2",
         "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u, :w}"},
        {"a = :v", "#a=a", "v: 1, w: 2",
         "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        struct od_expr_env *env = env_of(cx, rows[i].names, rows[i].values);
        check_ok(rows[i].condition, cx, bind_condition(cx, rows[i].condition, env));
        check_fault(rows[i].condition, cx, od_expr_check_unused(cx, env), rows[i].message);
    }
}

static void use_is_judged_by_the_text(void **state)
{
    static const struct {
        const char *condition;
        const char *names;
        const char *values;
    } rows[] = {
        {"a = :v", NULL, "v: 1"},
        {"#a = :v OR #b = :w", "#a=a #b=b", "v: 1, w: 2"},
        {"#a.#b[0].#c = :v", "#a=a #b=b #c=c", "v: 1"},
        {"size(#a) > :v AND NOT (contains(#b, :w) AND :x IN (#c, :y))", "#a=a #b=b #c=c",
         "v: 1, w: 2, x: 3, y: 4"},
        {"attribute_exists(a)", NULL, NULL},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        struct od_expr_env *env = env_of(cx, rows[i].names, rows[i].values);
        check_ok(rows[i].condition, cx, bind_condition(cx, rows[i].condition, env));
        check_ok(rows[i].condition, cx, od_expr_check_unused(cx, env));
    }
}

static void several_expressions_share_their_placeholders(void **state)
{
    od_ctx *cx = *state;
    struct od_expr_env *env = env_of(cx, "#a=a #b=b", "v: 1, w: 2");
    check_ok("update", cx, bind_update(cx, "SET #a = :v", env));
    check_ok("condition", cx, bind_condition(cx, "#b = :w OR #a = :v", env));
    check_ok("all are used", cx, od_expr_check_unused(cx, env));
}

// Large maps are searched in another way.
static void large_maps_are_searched_too(void **state)
{
    enum { MANY = 500 };
    od_ctx *cx = *state;
    struct od_expr_env env = {
        .names = od_new_array(cx->arena, struct od_expr_name, MANY),
        .name_count = MANY,
        .values = od_new_array(cx->arena, struct od_expr_value, MANY),
        .value_count = MANY,
    };
    for (size_t i = 0; i < MANY; i++) {
        size_t n = MANY - 1 - i;
        env.names[i].key = od_arena_printf(cx->arena, "#n%zu", n);
        env.names[i].name = od_arena_printf(cx->arena, "name%zu", n);
        env.values[i].key = od_arena_printf(cx->arena, ":v%zu", n);
        env.values[i].value = value_of(cx, od_arena_printf(cx->arena, "%zu", n).ptr);
    }
    const struct od_expr *expr = NULL;
    const struct od_condition *condition = NULL;
    const char *text = "#n0 = :v499 AND #n499 = :v0 AND #n77 = :v123";
    check_ok(text, cx, od_expr_parse(cx, OD_EXPR_FILTER, od_cstr(text), &expr));
    check_ok(text, cx, od_condition_bind(cx, expr, &env, &condition));
    od_value map = value_of(cx, "{name0: 499, name499: 0, name77: 123}");
    check_bool(text, od_condition_match(condition, map), true);
    check_bool("unused", od_expr_check_unused(cx, &env) == OD_VALIDATION_ENVELOPED, true);

    size_t used = 0;
    for (size_t i = 0; i < MANY; i++) {
        used += env.names[i].used + env.values[i].used;
    }
    check_size("used", used, 6);
    text = "#n500 = :v0";
    check_fault(text, cx, bind_condition(cx, text, &env), NO_NAME("Condition", "#n500"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(undefined_placeholders_are_named),
        TEST(a_placeholder_is_one_step_whatever_it_stands_for),
        TEST(a_path_has_at_most_32_steps),
        TEST(placeholders_that_nothing_uses_are_a_fault),
        TEST(use_is_judged_by_the_text),
        TEST(several_expressions_share_their_placeholders),
        TEST(large_maps_are_searched_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
