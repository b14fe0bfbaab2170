#include "support.h"

static od_status bind(od_ctx *cx, const char *text, struct od_key_condition *out)
{
    const struct od_expr *expr = NULL;
    OD_TRY(od_expr_parse(cx, OD_EXPR_KEY_CONDITION, od_cstr(text), &expr));
    struct od_expr_env *env =
        env_of(cx, "#p=p #dot=a.b", "bool: true, l: [], n1: 1, n2: 2, s: 's', t: 't'");
    return od_key_condition_bind(cx, expr, env, out);
}

#define PREFIX          "Invalid KeyConditionExpression: "
#define OPERATOR(name)  PREFIX "Invalid operator used in KeyConditionExpression: " name
#define CONDITION(what) PREFIX "Invalid condition in KeyConditionExpression: " what
#define MULTIPLE        CONDITION("Multiple attribute names used in one condition")
#define NO_ATTRIBUTE    CONDITION("No key attribute specified")
#define NESTED          PREFIX "KeyConditionExpressions cannot have conditions on nested attributes"
#define OPERATION       PREFIX "KeyConditionExpressions cannot contain nested operations"
#define TWICE           PREFIX "KeyConditionExpressions must only contain one condition per key"
#define TYPE(function, type)                                                                  \
    PREFIX "Incorrect operand type for operator or function; operator or function: " function \
           ", operand type: " type
#define UNDEFINED                                                                               \
    PREFIX "An expression attribute value used in expression is not defined; attribute value: " \
           ":missing"

static void what_is_no_key_condition_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"p = :s OR c = :s", OPERATOR("OR")},
        {"a > :s and size(b) > c or a > c", OPERATOR("OR")},
        {"p = :s AND (c = :s OR c = :t)", OPERATOR("OR")},
        {"NOT c = :s AND p = :s", OPERATOR("NOT")},
        {"p = :s AND c <> :s", OPERATOR("<>")},
        {"p = :s AND c IN (:s)", OPERATOR("IN")},
        {"attribute_exists(c)", OPERATOR("attribute_exists")},
        {"attribute_not_exists(c)", OPERATOR("attribute_not_exists")},
        {"contains(a.d, b)", OPERATOR("contains")},
        {"p = c", MULTIPLE},
        {"b > a.b", MULTIPLE},
        {"b between c[1] and d", MULTIPLE},
        {"begins_with(a, b)", MULTIPLE},
        {":s = :t", NO_ATTRIBUTE},
        {":n1 > :n2 AND a < :n1", NO_ATTRIBUTE},
        {"p = :s AND c.x = :s", NESTED},
        {"b[0] > :s", NESTED},
        {"p = :s AND :s = c.x", NESTED},
        {"begins_with(c.x, :s)", NESTED},
        {"a > size(b.d)", OPERATION},
        {"size(b) > :n1", OPERATION},
        {"a between size(b) and :n1", OPERATION},
        {":s BETWEEN a AND b", CONDITION("BETWEEN operator must have the key attribute as its "
                                         "first operand")},
        {"begins_with(:s, b)", CONDITION("begins_with operator must have the key attribute as its "
                                         "first operand")},
        {"p = :s AND p = :s", TWICE},
        {"p = :s AND #p > :t", TWICE},
        {"p = :s AND c > :n1 AND c < :n2", TWICE},
        {"(a > :n1 and b > :n1) and (b > :n1 and c > :n1)", TWICE},
        {"p = p", PREFIX "The first operand must be distinct from the remaining operands for this "
                         "operator or function; operator: =, first operand: [p]"},
        // Operands that no key could have.
        {"p = :s AND begins_with(c, :n1)", TYPE("begins_with", "N")},
        {"p = :s AND begins_with(c, :bool)", TYPE("begins_with", "BOOL")},
        {"p = :s AND c < :bool", TYPE("<", "BOOL")},
        {"p = :s AND :bool >= c", TYPE(">=", "BOOL")},
        {"p = :s AND c BETWEEN :bool AND :bool", TYPE("BETWEEN", "BOOL")},
        {"c BETWEEN :n1 AND :s", PREFIX
         "The BETWEEN operator requires same data type for lower and upper bounds; lower bound "
         "operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:s}"},
        {"c BETWEEN :t AND :s", PREFIX
         "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
         "lower bound operand: AttributeValue: {S:t}, upper bound operand: AttributeValue: {S:s}"},
        // Conditions are read in the order of the text, and their shape after all.
        {"p = :missing AND begins_with(c, :n1)", UNDEFINED},
        {"begins_with(c, :n1) AND p = :missing", TYPE("begins_with", "N")},
        {"p = :s AND begins_with(c, :n1) AND c = :missing", TYPE("begins_with", "N")},
        {"p = :s AND p = :s AND begins_with(c, :n1)", TYPE("begins_with", "N")},
        {"p = :s OR c = :missing", UNDEFINED},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_key_condition condition = {0};
        check_fault(rows[i].text, *state, bind(*state, rows[i].text, &condition), rows[i].message);
    }
}

static void terms_come_in_the_order_of_the_text_with_the_value_on_the_right(void **state)
{
    static const struct {
        const char *text;
        size_t count;
        size_t term;
        const char *name;
        enum od_key_op op;
        const char *value;
        const char *upper;
    } rows[] = {
        {"p = :s", 1, 0, "p", OD_KEY_EQ, "'s'", NULL},
        {"(p = :s)", 1, 0, "p", OD_KEY_EQ, "'s'", NULL},
        {"#dot=:l", 1, 0, "a.b", OD_KEY_EQ, "[]", NULL},
        {"p = :s AND c = :n1", 2, 0, "p", OD_KEY_EQ, "'s'", NULL},
        {"p = :s AND c = :n1", 2, 1, "c", OD_KEY_EQ, "1", NULL},
        {"c < :n1 AND p = :s", 2, 0, "c", OD_KEY_LT, "1", NULL},
        {"(p = :s) AND (c <= :n1)", 2, 1, "c", OD_KEY_LE, "1", NULL},
        {"((p = :s) AND (c > :n1))", 2, 1, "c", OD_KEY_GT, "1", NULL},
        {"p = :s AND c >= :n1", 2, 1, "c", OD_KEY_GE, "1", NULL},
        {"p = :s AND c BETWEEN :n1 AND :n2", 2, 1, "c", OD_KEY_BETWEEN, "1", "2"},
        {"p = :s AND begins_with(c, :t)", 2, 1, "c", OD_KEY_BEGINS_WITH, "'t'", NULL},
        {":s = p AND :n1 = c", 2, 1, "c", OD_KEY_EQ, "1", NULL},
        {"p = :s AND :n1 < c", 2, 1, "c", OD_KEY_GT, "1", NULL},
        {"p = :s AND :n1 <= c", 2, 1, "c", OD_KEY_GE, "1", NULL},
        {"p = :s AND :n1 > c", 2, 1, "c", OD_KEY_LT, "1", NULL},
        {"p = :s AND :n1 >= c", 2, 1, "c", OD_KEY_LE, "1", NULL},
        {"p=:s AnD c bEtWeEn (:n1) aNd (:n2)", 2, 1, "c", OD_KEY_BETWEEN, "1", "2"},
        // Keys of several attributes, and equality with what no key could be: the engine knows.
        {"a = :s AND b = :t AND (c = :n1 AND d > :n2)", 4, 3, "d", OD_KEY_GT, "2", NULL},
        {"p = :bool", 1, 0, "p", OD_KEY_EQ, "true", NULL},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        struct od_key_condition condition = {0};
        check_ok(rows[i].text, cx, bind(cx, rows[i].text, &condition));
        check_size(rows[i].text, condition.count, rows[i].count);
        struct od_key_term term = {0};
        for (size_t n = 0; n < condition.count && n <= rows[i].term; n++) {
            term = condition.terms[n];
        }
        check_text(i, term.name, rows[i].name);
        check_bool(rows[i].text, term.op == rows[i].op, true);
        check_value(rows[i].text, cx, term.value, rows[i].value);
        check_value(rows[i].text, cx, term.upper, rows[i].upper);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_key_condition_is_refused),
        TEST(terms_come_in_the_order_of_the_text_with_the_value_on_the_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
