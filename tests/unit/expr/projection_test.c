#include "support.h"

static od_status bind(od_ctx *cx, const char *text, struct od_projection *out)
{
    const struct od_expr *expr = NULL;
    OD_TRY(od_expr_parse(cx, OD_EXPR_PROJECTION, od_cstr(text), &expr));
    struct od_expr_env *env = env_of(cx, "#a=a #b=b #data=data #dot=a.b", NULL);
    return od_projection_bind(cx, expr, env, out);
}

#define PATHS(verb, one, two)                                                     \
    "Invalid ProjectionExpression: Two document paths " verb                      \
    " with each other; must remove or rewrite one of these paths; path one: " one \
    ", path two: " two
#define OVERLAP(one, two)  PATHS("overlap", one, two)
#define CONFLICT(one, two) PATHS("conflict", one, two)

static void paths_may_not_meet(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"a, a", OVERLAP("[a]", "[a]")},
        {"a, #a", OVERLAP("[a]", "[a]")},
        {"a, a.b", OVERLAP("[a]", "[a, b]")},
        {"a.b, a", OVERLAP("[a, b]", "[a]")},
        {"x, a.b.c, y, #a.#b.c.d, z", OVERLAP("[a, b, c]", "[a, b, c, d]")},
        {"a[1], a", OVERLAP("[a, [1]]", "[a]")},
        {"a, a[1]", OVERLAP("[a]", "[a, [1]]")},
        {"a[1], a[01]", OVERLAP("[a, [1]]", "[a, [1]]")},
        {"a[1][2], a[1]", OVERLAP("[a, [1], [2]]", "[a, [1]]")},
        {"#data, #data.x", OVERLAP("[data]", "[data, x]")},
        {"a.b, a[0]", CONFLICT("[a, b]", "[a, [0]]")},
        {"a[0].x, a.b.c", CONFLICT("[a, [0], x]", "[a, b, c]")},
        {"a.b.c, a.b[2]", CONFLICT("[a, b, c]", "[a, b, [2]]")},
        // The pair that ends first in the text, and overlaps before conflicts.
        {"a, b, b, a", OVERLAP("[b]", "[b]")},
        {"a.x, a.y, a", OVERLAP("[a, x]", "[a]")},
        {"a.b, a[0], c, c", OVERLAP("[c]", "[c]")},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_projection projection = {0};
        check_fault(rows[i].text, *state, bind(*state, rows[i].text, &projection), rows[i].message);
    }
}

static void what_is_selected_keeps_its_structure(void **state)
{
    static const char item[] = "{a: {b: 1, c: {d: 2, e: [3, {f: 4}]}}, a.b: 5, b: 'x', "
                               "data: null, l: [10, [20, 21], {m: 22, n: 23}, 40], s: <1, 2>}";
    static const struct {
        const char *text;
        const char *expected;
    } rows[] = {
        {"b", "{b: 'x'}"},
        {"b, a", "{a: {b: 1, c: {d: 2, e: [3, {f: 4}]}}, b: 'x'}"},
        {"#dot", "{a.b: 5}"},
        {"a.b", "{a: {b: 1}}"},
        {"a.c.d", "{a: {c: {d: 2}}}"},
        {"a.c.d, a.b", "{a: {b: 1, c: {d: 2}}}"},
        {"a.c.e[1].f", "{a: {c: {e: [{f: 4}]}}}"},
        {"#data, s", "{data: null, s: <1, 2>}"},
        {"l[0]", "{l: [10]}"},
        {"l[3]", "{l: [40]}"},
        {"l[3], l[0]", "{l: [10, 40]}"},
        {"l[2].n, l[1][1], l[3]", "{l: [[21], {n: 23}, 40]}"},
        {"l[2].n, l[2].m", "{l: [{m: 22, n: 23}]}"},
        // What is missing gives nothing.
        {"x", "{}"},
        {"a0, z", "{}"},
        {"b, x, zz", "{b: 'x'}"},
        {"a.x", "{}"},
        {"a.c.x, b", "{b: 'x'}"},
        {"a.x, a.b", "{a: {b: 1}}"},
        {"l[4]", "{}"},
        {"l[4], l[1]", "{l: [[20, 21]]}"},
        {"l[0].x, l[3]", "{l: [40]}"},
        // So does a step into the wrong type.
        {"a[0]", "{}"},
        {"b.x", "{}"},
        {"l.x", "{}"},
        {"s[0]", "{}"},
        {"l[1].m, l[2][0]", "{}"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        struct od_projection projection = {0};
        check_ok(rows[i].text, cx, bind(cx, rows[i].text, &projection));
        od_value got = od_projection_apply(cx->arena, &projection, value_of(cx, item));
        check_value(rows[i].text, cx, got, rows[i].expected);
    }
}

// AttributesToGet makes one by hand, in the order of the request.
static void paths_need_not_be_sorted(void **state)
{
    static const struct od_path_step steps[] = {
        {.name = OD_STR_INIT("z")}, {.name = OD_STR_INIT("a")}, {.name = OD_STR_INIT("m")}};
    static const struct od_path paths[] = {{&steps[0], 1}, {&steps[1], 1}, {&steps[2], 1}};
    od_ctx *cx = *state;
    const struct od_projection projection = {.paths = paths, .count = OD_COUNT(paths)};
    od_value got =
        od_projection_apply(cx->arena, &projection, value_of(cx, "{a: 1, b: 2, m: 3, z: 4}"));
    check_value("z, a, m", cx, got, "{a: 1, m: 3, z: 4}");
}

static void nothing_is_selected_of_nothing(void **state)
{
    od_ctx *cx = *state;
    struct od_projection projection = {0};
    check_ok("a", cx, bind(cx, "a, b.c", &projection));
    check_value("{}", cx, od_projection_apply(cx->arena, &projection, value_of(cx, "{}")), "{}");
    check_value("b", cx, od_projection_apply(cx->arena, &projection, value_of(cx, "{b: {}}")),
                "{}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(paths_may_not_meet),
        TEST(what_is_selected_keeps_its_structure),
        TEST(paths_need_not_be_sorted),
        TEST(nothing_is_selected_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
