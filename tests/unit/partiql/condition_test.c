#include "support.h"

// The condition of a WHERE that has no key in it.
static od_status plan(od_ctx *cx, const char *where, const char *parameters,
                      const struct od_condition **out)
{
    od_str text = od_arena_printf(cx->arena, "SELECT * FROM Plain WHERE %s", where);
    struct od_statement statement = {0};
    struct od_select_plan plan = {0};
    OD_TRY(parse(cx, text.ptr, parameters, &statement));
    OD_TRY(od_partiql_plan_select(cx, &statement, plain(cx), false, &plan));
    check_size(where, plan.read_count, 1);
    assert_null(plan.reads[0].key_condition);
    *out = plan.reads[0].filter;
    return OD_OK;
}

// --- Faults -------------------------------------------------------------------------------------

struct fault {
    const char *where;
    const char *message;
};

static void check_faults(od_ctx *cx, const struct fault *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct od_condition *condition = NULL;
        check_message(rows[i].where, cx, plan(cx, rows[i].where, NULL, &condition), OD_VALIDATION,
                      rows[i].message);
    }
}

#define TYPE(name, type)                                                           \
    "Incorrect operand type for operator or function; operator or function: " name \
    ", operand type: " type
#define COUNT(name, count)                                                               \
    "Incorrect number of operands for operator or function; operator or function: " name \
    ", number of operands: " count
#define OPERATOR(name) "Unsupported operator in Condition Expression. Operator: " name
#define PATH(name)     "Operator or function requires a document path; operator or function: " name
#define USE(name) \
    "The function is not allowed to be used this way in an expression; function: " name
#define BOOLEAN "WHERE clause must contain an expression that resolves to a boolean"

static void what_is_no_condition_is_refused(void **state)
{
    static const struct fault rows[] = {
        {"a", BOOLEAN},
        {"1", BOOLEAN},
        {"true", BOOLEAN},
        {"MISSING", BOOLEAN},
        {"a = 1 AND b", BOOLEAN},
        {"a OR b = 1", BOOLEAN},
        {"NOT a", BOOLEAN},
        {"a + 1", BOOLEAN},
        {"[a]", BOOLEAN},
        {"a LIKE 'x'", OPERATOR("LIKE")},
        {"a NOT LIKE 'x'", OPERATOR("LIKE")},
        {"a + 1 = 2", OPERATOR("+")},
        {"a = 1 - b", OPERATOR("-")},
        {"a = MISSING", NULL},
        {"a IN b", OPERATOR("IN")},
        {"a IN <<1>>", OPERATOR("IN")},
        {"a IN 1", OPERATOR("IN")},
        {"size(a)", USE("size")},
        {"attribute_exists(a)", "Unrecognized function: attribute_exists at 1:27:16"},
        {"attribute_not_exists(a)", "Unrecognized function: attribute_not_exists at 1:27:20"},
        {"f(a)", "Unrecognized function: f at 1:27:1"},
        {"count(*) = 1", "Unrecognized function: count at 1:27:5"},
        {"a = upper('x')", "Unrecognized function: upper at 1:31:5"},
        {"a IS INT", "Unsupported data type for IS operator: INT. Supported data types are "
                     "[MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]"},
        {"a IS BAG", NULL},
    };
    check_faults(*state, rows, OD_COUNT(rows));
}

static void operands_are_of_the_types_that_operators_take(void **state)
{
    static const struct fault rows[] = {
        {"a < true", TYPE("<", "BOOL")},
        {"a >= [1]", TYPE(">=", "L")},
        {"null > a", TYPE(">", "NULL")},
        {"a <= {'x': 1}", TYPE("<=", "M")},
        {"a < <<1>>", TYPE("<", "NS")},
        {"a BETWEEN true AND false", TYPE("BETWEEN", "BOOL")},
        {"a BETWEEN 1 AND 'x'", "The BETWEEN operator requires same data type for lower and upper "
                                "bounds"},
        {"a BETWEEN 2 AND 1", "The BETWEEN operator requires upper bound to be greater than or "
                              "equal to lower bound"},
        {"begins_with(a, 1)", TYPE("begins_with", "N")},
        {"begins_with(1, a)", TYPE("begins_with", "N")},
        {"begins_with(a)", COUNT("begins_with", "1")},
        {"contains(a, 'x', 'y')", COUNT("contains", "3")},
        {"contains()", COUNT("contains", "0")},
        {"size(a, b) = 1", COUNT("size", "2")},
        {"size('x') = 1", PATH("size")},
        {"attribute_type(a, 'X')", "Invalid attribute type name found; type: X, valid types: "
                                   "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
        {"attribute_type(a, 's')", NULL},
        {"attribute_type(a, 1)", TYPE("attribute_type", "N")},
        {"attribute_type(a, b)", TYPE("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")},
        {"attribute_type('x', 'S')", PATH("attribute_type")},
        {"'x' IS MISSING", PATH("IS")},
        {"size(a) IS NUMERIC", PATH("IS")},
        {"a IN []", COUNT("IN", "1")},
        {"a IN ()", NULL},
        {"a = <<>>", NULL},
        {"a = 1e126", NULL},
    };
    check_faults(*state, rows, OD_COUNT(rows));
}

static void lists_of_in_have_a_limit(void **state)
{
    od_ctx *cx = *state;
    for (int count = 100; count <= 101; count++) {
        struct od_buf where = {.arena = cx->arena};
        od_buf_put(&where, OD_STR("a IN [0"));
        for (int i = 1; i < count; i++) {
            od_buf_printf(&where, ", %d", i);
        }
        od_buf_printf(&where, "]%c", '\0');
        const struct od_condition *condition = NULL;
        od_status status = plan(cx, od_buf_str(&where).ptr, NULL, &condition);
        if (count == 100) {
            check_ok("100 operands", cx, status);
            continue;
        }
        check_message("101 operands", cx, status, OD_VALIDATION,
                      "The IN operator is provided with too many operands; number of operands: "
                      "101");
    }
}

static void a_condition_is_no_value(void **state)
{
    static const struct fault rows[] = {
        {"(a = 1) = true", OPERATOR("=")},
        {"true <> (a = 1)", OPERATOR("=")},
        {"(a = 1) < true", OPERATOR("=")},
        {"a = b < c", OPERATOR("<")},
        {"(a = 1) IN [true]", OPERATOR("=")},
        {"(NOT a = 1) = b", OPERATOR("NOT")},
        {"begins_with(a, 'x') = true", USE("begins_with")},
        {"a = contains(b, 1)", USE("contains")},
        {"a IN [attribute_type(b, 'S')]", USE("attribute_type")},
    };
    check_faults(*state, rows, OD_COUNT(rows));
}

// --- Truth --------------------------------------------------------------------------------------

struct truth {
    const char *where;
    bool expected;
};

static void check_truths(od_ctx *cx, const char *item, const struct truth *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct od_condition *condition = NULL;
        check_ok(rows[i].where, cx, plan(cx, rows[i].where, NULL, &condition));
        check_bool(rows[i].where, od_condition_match(condition, value_of(cx, item)),
                   rows[i].expected);
    }
}

static void what_is_missing_is_neither_equal_nor_unequal(void **state)
{
    static const struct truth rows[] = {
        {"x = 1", false},          {"x <> 1", false},         {"x != 1", false},
        {"1 <> x", false},         {"x <> y", false},         {"x <> a", false},
        {"a <> a", false},         {"a <> b", true},          {"a <> 2", true},
        {"a <> '1'", true},        {"NOT x = 1", true},       {"NOT x <> 1", true},
        {"size(x) <> 1", false},   {"size(a) <> 1", false},   {"size(b) <> 1", true},
        {"size(b) <> 2", false},   {"x < 1", false},          {"x IN [1]", false},
        {"x NOT IN [1]", true},    {"x IS MISSING", true},    {"x IS NOT MISSING", false},
        {"x IS NULL", false},      {"x IS NOT NULL", true},   {"x IS NUMERIC", false},
        {"m.x IS MISSING", true},  {"m.k IS MISSING", false}, {"l[0] IS MISSING", false},
        {"l[1] IS MISSING", true},
    };
    check_truths(*state, "{pk: 'p', a: 1, b: 'bb', m: {k: 1}, l: [1]}", rows, OD_COUNT(rows));
}

static void operators_and_functions_look_at_the_item(void **state)
{
    static const struct truth rows[] = {
        {"n = 5", true},
        {"n = 5.0", true},
        {"n = '5'", false},
        {"n < 5", false},
        {"n <= 5", true},
        {"n > 4", true},
        {"4 < n", true},
        {"n < 'x'", false},
        {"n BETWEEN 5 AND 6", true},
        {"n NOT BETWEEN 5 AND 6", false},
        {"5 BETWEEN n AND n", true},
        {"n IN [4, 5]", true},
        {"n IN (4, s)", false},
        {"n IN (n)", true},
        {"5 IN [n]", true},
        {"begins_with(s, 'ab')", true},
        {"begins_with('abcd', s)", true},
        {"begins_with(n, '5')", false},
        {"contains(s, 'bc')", true},
        {"contains(ss, 'x')", true},
        {"contains(l, 2)", true},
        {"contains(l, 3)", false},
        {"Contains(S, 'b')", false},
        {"size(s) = 3", true},
        {"size(l) > size(ss)", false},
        {"size(n) = 1", false},
        {"attribute_type(n, 'N')", true},
        {"attribute_type(s, 'N')", false},
        {"n IS NUMERIC", true},
        {"s IS STRING", true},
        {"l IS LIST", true},
        {"m IS STRUCT", true},
        {"m IS TUPLE", true},
        {"t IS BOOL", true},
        {"t IS BOOLEAN", true},
        {"u IS NULL", true},
        {"u IS NOT NULL", false},
        {"bin IS BLOB", true},
        {"bin IS STRING", false},
        {"m = {'k': [1]}", true},
        {"ss = <<'y', 'x'>>", true},
        {"l = [1, 2]", true},
        {"u = null", true},
        {"m.k[0] = 1", true},
        {"\"m\".\"k\"[0] = 1", true},
    };
    check_truths(*state,
                 "{pk: 'p', n: 5, s: 'abc', l: [1, 2], m: {k: [1]}, ss: <'x', 'y'>, t: true, "
                 "u: null, bin: x'01'}",
                 rows, OD_COUNT(rows));
}

static void conditions_join_by_precedence(void **state)
{
    static const struct truth rows[] = {
        {"a = 1 OR a = 1 AND a = 2", true},
        {"(a = 1 OR a = 1) AND a = 2", false},
        {"NOT a = 2 AND a = 1", true},
        {"NOT (a = 2 OR a = 1)", false},
        {"NOT NOT a = 1", true},
        {"a = 1 AND a = 1 AND a = 1 AND a = 2", false},
        {"a = 2 OR a = 2 OR a = 2 OR a = 1", true},
    };
    check_truths(*state, "{pk: 'p', a: 1}", rows, OD_COUNT(rows));
}

static void parameters_stand_for_values_in_the_order_of_the_text(void **state)
{
    od_ctx *cx = *state;
    const struct od_condition *condition = NULL;
    static const char where[] = "a BETWEEN ? AND ? AND b IN (?, 7) AND m = ? AND '?' = '?'";
    check_ok(where, cx, plan(cx, where, "[1, 3, 'x', {k: x'01'}]", &condition));
    od_value item = value_of(cx, "{a: 2, b: 'x', m: {k: x'01'}}");
    check_bool(where, od_condition_match(condition, item), true);
    check_ok(where, cx, plan(cx, where, "[3, 3, 'x', {k: x'01'}]", &condition));
    check_bool(where, od_condition_match(condition, item), false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_condition_is_refused),
        TEST(operands_are_of_the_types_that_operators_take),
        TEST(lists_of_in_have_a_limit),
        TEST(a_condition_is_no_value),
        TEST(what_is_missing_is_neither_equal_nor_unequal),
        TEST(operators_and_functions_look_at_the_item),
        TEST(conditions_join_by_precedence),
        TEST(parameters_stand_for_values_in_the_order_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
