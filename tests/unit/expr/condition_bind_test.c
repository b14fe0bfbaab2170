#include "support.h"

static od_status bind(od_ctx *cx, const char *text, const char *values,
                      const struct od_condition **out)
{
    const struct od_expr *expr = NULL;
    OD_TRY(od_expr_parse(cx, OD_EXPR_CONDITION, od_cstr(text), &expr));
    struct od_expr_env *env = env_of(cx, "#a=a #dot=b.c", values);
    return od_condition_bind(cx, expr, env, out);
}

#define PREFIX "Invalid ConditionExpression: "
#define COUNT(function, count)                                                               \
    PREFIX                                                                                   \
    "Incorrect number of operands for operator or function; operator or function: " function \
    ", number of operands: " count
#define TYPE(function, type)                                                                  \
    PREFIX "Incorrect operand type for operator or function; operator or function: " function \
           ", operand type: " type
#define NEEDS_PATH(function) \
    PREFIX "Operator or function requires a document path; operator or function: " function
#define DISTINCT(op, path)                                                                        \
    PREFIX "The first operand must be distinct from the remaining operands for this operator or " \
           "function; operator: " op ", first operand: " path
#define BOUND_TYPES(lower, upper)                                                                  \
    PREFIX "The BETWEEN operator requires same data type for lower and upper bounds; lower bound " \
           "operand: AttributeValue: {" lower "}, upper bound operand: AttributeValue: {" upper    \
           "}"
#define BOUND_ORDER(lower, upper)                                                            \
    PREFIX                                                                                   \
    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " \
    "lower bound operand: AttributeValue: {" lower                                           \
    "}, upper bound operand: AttributeValue: {" upper "}"
#define ALL_TYPES                                                                             \
    "b: x'00', bool: true, bs: <x'00'>, l: [], m: {}, n: 1, nul: null, ns: <1>, s: 'S', ss: " \
    "<'a'>, x: 'X'"

static void operands_are_checked_before_there_is_an_item(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        // Numbers of operands.
        {"contains(a)", COUNT("contains", "1")},
        {"contains(a, b, c)", COUNT("contains", "3")},
        {"begins_with(a)", COUNT("begins_with", "1")},
        {"attribute_exists(a, b)", COUNT("attribute_exists", "2")},
        {"attribute_not_exists(a, b)", COUNT("attribute_not_exists", "2")},
        {"attribute_type(a)", COUNT("attribute_type", "1")},
        {"size(a, a) = :n", COUNT("size", "2")},
        {"a = size(a, b)", COUNT("size", "2")},
        // Paths.
        {"attribute_exists(:s)", NEEDS_PATH("attribute_exists")},
        {"attribute_not_exists(:s)", NEEDS_PATH("attribute_not_exists")},
        {"attribute_type(:s, :s)", NEEDS_PATH("attribute_type")},
        // The same operand twice.
        {"a = a", DISTINCT("=", "[a]")},
        {"a <> #a", DISTINCT("<>", "[a]")},
        {"#a < a", DISTINCT("<", "[a]")},
        {"a.b[1].c >= a.b[1].c", DISTINCT(">=", "[a, b, [1], c]")},
        {"#dot > #dot", DISTINCT(">", "[b.c]")},
        {"contains(a, a)", DISTINCT("contains", "[a]")},
        {"begins_with(#a, a)", DISTINCT("begins_with", "[a]")},
        {"a BETWEEN :n AND a", DISTINCT("BETWEEN", "[a]")},
        {"a IN (:n, b, a)", DISTINCT("IN", "[a]")},
        {"attribute_type(a, a)", DISTINCT("attribute_type", "[a]")},
        // Types without an order.
        {"a < :bool", TYPE("<", "BOOL")},
        {"a <= :nul", TYPE("<=", "NULL")},
        {"a > :ss", TYPE(">", "SS")},
        {"a >= :ns", TYPE(">=", "NS")},
        {"a < :bs", TYPE("<", "BS")},
        {"a < :l", TYPE("<", "L")},
        {":m < a", TYPE("<", "M")},
        {"a BETWEEN :l AND :l", TYPE("BETWEEN", "L")},
        {"a BETWEEN b AND :bool", TYPE("BETWEEN", "BOOL")},
        {":m BETWEEN a AND b", TYPE("BETWEEN", "M")},
        // Bounds.
        {"a BETWEEN :n AND :s", BOUND_TYPES("N:1", "S:S")},
        {"a BETWEEN :s AND :b", BOUND_TYPES("S:S", "B:AA==")},
        {"a BETWEEN :x AND :s", BOUND_ORDER("S:X", "S:S")},
        {":n BETWEEN size(:ns) AND size(:l)", BOUND_ORDER("N:1", "N:0")},
        // Functions.
        {"begins_with(a, :n)", TYPE("begins_with", "N")},
        {"begins_with(:bool, a)", TYPE("begins_with", "BOOL")},
        {"begins_with(a, :ss)", TYPE("begins_with", "SS")},
        {"contains(:n, a)", TYPE("contains", "N")},
        {"contains(:bool, a)", TYPE("contains", "BOOL")},
        {"contains(:nul, :s)", TYPE("contains", "NULL")},
        {"contains(:m, a)", TYPE("contains", "M")},
        {"size(:n) > a", TYPE("size", "N")},
        {"size(:bool) > a", TYPE("size", "BOOL")},
        {"size(:nul) > a", TYPE("size", "NULL")},
        {"attribute_type(a, :n)", TYPE("attribute_type", "N")},
        {"attribute_type(a, b)", TYPE("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")},
        {"attribute_type(a, :x)", PREFIX "Invalid attribute type name found; type: X, valid types: "
                                         "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_condition *condition = NULL;
        check_fault(rows[i].text, *state, bind(*state, rows[i].text, ALL_TYPES, &condition),
                    rows[i].message);
    }
}

static void the_first_condition_with_a_fault_is_reported(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"begins_with(a, :n) AND b = :missing", TYPE("begins_with", "N")},
        {"b = :missing AND begins_with(a, :n)",
         PREFIX "An expression attribute value used in expression is not defined; attribute "
                "value: :missing"},
        {"(a = :n OR (b < :l)) AND contains(a)", TYPE("<", "L")},
        // In one condition: placeholders, numbers of operands, distinct ones, types.
        {"contains(a, a, :missing)",
         PREFIX "An expression attribute value used in expression is not defined; attribute "
                "value: :missing"},
        {"contains(a, a, a)", COUNT("contains", "3")},
        {"a BETWEEN a AND :bool", DISTINCT("BETWEEN", "[a]")},
        {"a BETWEEN :l AND :s", TYPE("BETWEEN", "L")},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_condition *condition = NULL;
        check_fault(rows[i].text, *state, bind(*state, rows[i].text, ALL_TYPES, &condition),
                    rows[i].message);
    }
}

static void operands_of_any_type_are_accepted_where_they_make_sense(void **state)
{
    static const char *const rows[] = {
        "a = :m",
        "a <> :l",
        ":s = :s",
        ":n < :s",
        "a.b = a.c",
        "a[0] = a[1]",
        "size(a) = size(a)",
        "a = size(a)",
        "size(a) < a",
        "size(:s) = :n",
        "size(:m) > a",
        "a BETWEEN :n AND :n",
        "a BETWEEN :s AND :x",
        "a BETWEEN b AND :s",
        "a BETWEEN size(b) AND :n",
        "a IN (:n, :s, :l, b)",
        "begins_with(a, :b)",
        "begins_with(:s, a)",
        "contains(a, :l)",
        "contains(:ss, a)",
        "contains(:l, :m)",
        "attribute_type(a, :s)",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_condition *condition = NULL;
        check_ok(rows[i], *state, bind(*state, rows[i], ALL_TYPES, &condition));
    }
}

static void in_takes_at_most_100_operands(void **state)
{
    od_ctx *cx = *state;
    struct od_buf text = {.arena = cx->arena};
    od_buf_put(&text, OD_STR("a IN (:n"));
    for (size_t i = 1; i < OD_EXPR_MAX_IN_OPERANDS; i++) {
        od_buf_put(&text, OD_STR(",:n"));
    }
    const struct od_condition *condition = NULL;
    const char *most = od_arena_printf(cx->arena, "%.*s)", OD_STR_ARG(od_buf_str(&text))).ptr;
    check_ok(most, cx, bind(cx, most, "n: 1", &condition));
    const char *more = od_arena_printf(cx->arena, "%.*s,:n)", OD_STR_ARG(od_buf_str(&text))).ptr;
    check_fault(more, cx, bind(cx, more, "n: 1", &condition),
                PREFIX "The IN operator is provided with too many operands; number of operands: "
                       "101");
}

static void the_names_are_those_of_the_text_in_its_order(void **state)
{
    static const struct {
        const char *text;
        size_t most;
        const char *names;
    } rows[] = {
        {":n = :n", 9, ""},
        {"b.c = :n AND (a[0] < d OR NOT size(e.f) > :n)", 9, "b a d e"},
        {"#dot IN (:n, x) AND attribute_exists(#a) OR :n BETWEEN y AND z", 9, "b.c x a y z"},
        {"a = b AND c = d", 3, "a b c"},
        {"(a = b OR x = y) AND c = d", 1, "a"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        const struct od_condition *condition = NULL;
        check_ok(rows[i].text, cx, bind(cx, rows[i].text, ALL_TYPES, &condition));
        struct name_list list = {.out = {.arena = cx->arena}, .most = rows[i].most};
        od_condition_names(condition, list_name, &list);
        check_text(i, od_buf_str(&list.out), rows[i].names);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(operands_are_checked_before_there_is_an_item),
        TEST(the_first_condition_with_a_fault_is_reported),
        TEST(operands_of_any_type_are_accepted_where_they_make_sense),
        TEST(in_takes_at_most_100_operands),
        TEST(the_names_are_those_of_the_text_in_its_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
