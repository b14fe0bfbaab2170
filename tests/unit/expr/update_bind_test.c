#include "support.h"

static od_status bind(od_ctx *cx, const char *text, const struct od_update **out)
{
    const struct od_expr *expr = NULL;
    OD_TRY(od_expr_parse(cx, OD_EXPR_UPDATE, od_cstr(text), &expr));
    struct od_expr_env *env =
        env_of(cx, "#a=a #dot=b.c",
               "b: x'00', bool: true, bs: <x'00'>, l: [], m: {}, n: 1, nul: null, ns: <1>, s: 's', "
               "ss: <'a'>");
    return od_update_bind(cx, expr, env, out);
}

#define PREFIX "Invalid UpdateExpression: "
#define PATHS(verb, one, two)                                                            \
    PREFIX "Two document paths " verb                                                    \
           " with each other; must remove or rewrite one of these paths; path one: " one \
           ", path two: " two
#define OVERLAP(one, two)  PATHS("overlap", one, two)
#define CONFLICT(one, two) PATHS("conflict", one, two)
#define TYPE(function, type)                                                                  \
    PREFIX "Incorrect operand type for operator or function; operator or function: " function \
           ", operand type: " type
#define ACTION_TYPE(action, type)                                               \
    PREFIX "Incorrect operand type for operator or function; operator: " action \
           ", operand type: " type ", typeSet: ALLOWED_FOR_" action "_OPERAND"
#define COUNT(function, count)                                                               \
    PREFIX                                                                                   \
    "Incorrect number of operands for operator or function; operator or function: " function \
    ", number of operands: " count
#define NEEDS_PATH                                                                 \
    PREFIX "Operator or function requires a document path; operator or function: " \
           "if_not_exists"
#define NO_VALUE(key)                                                                    \
    PREFIX "An expression attribute value used in expression is not defined; attribute " \
           "value: " key
#define NO_NAME(key)                                                                           \
    PREFIX "An expression attribute name used in the document path is not defined; attribute " \
           "name: " key

static void what_cannot_be_applied_to_any_item_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        // Targets, over all clauses together.
        {"SET a = :n REMOVE a", OVERLAP("[a]", "[a]")},
        {"REMOVE a SET a = :n", OVERLAP("[a]", "[a]")},
        {"SET a = :n, #a = :s", OVERLAP("[a]", "[a]")},
        {"SET a = :n ADD a.b :n", OVERLAP("[a]", "[a, b]")},
        {"SET a.b = :n, a = :n", OVERLAP("[a, b]", "[a]")},
        {"SET a.b = :n, a.b.c.d.e = :n", OVERLAP("[a, b]", "[a, b, c, d, e]")},
        {"SET a[1] = :n, a = :n", OVERLAP("[a, [1]]", "[a]")},
        {"SET a[1][1] = :n, a[1] = :n", OVERLAP("[a, [1], [1]]", "[a, [1]]")},
        {"SET #dot = :n DELETE #dot :ss", OVERLAP("[b.c]", "[b.c]")},
        {"SET a.b = :n, a[1] = :n", CONFLICT("[a, b]", "[a, [1]]")},
        {"SET a.b.c = :n REMOVE a.b[2]", CONFLICT("[a, b, c]", "[a, b, [2]]")},
        // Operands of ADD and DELETE.
        {"ADD a :s", ACTION_TYPE("ADD", "STRING")},
        {"ADD a :b", ACTION_TYPE("ADD", "BINARY")},
        {"ADD a :bool", ACTION_TYPE("ADD", "BOOLEAN")},
        {"ADD a :nul", ACTION_TYPE("ADD", "NULL")},
        {"ADD a :l", ACTION_TYPE("ADD", "LIST")},
        {"ADD a :m", ACTION_TYPE("ADD", "MAP")},
        {"DELETE a :s", ACTION_TYPE("DELETE", "STRING")},
        {"DELETE a :n", ACTION_TYPE("DELETE", "NUMBER")},
        {"DELETE a :l", ACTION_TYPE("DELETE", "LIST")},
        // Operands of SET.
        {"SET a = :s + :n", TYPE("+", "S")},
        {"SET a = :n + :s", TYPE("+", "S")},
        {"SET a = b - :l", TYPE("-", "L")},
        {"SET a = :ns - b", TYPE("-", "NS")},
        {"SET a = list_append(:l, :s)", TYPE("list_append", "S")},
        {"SET a = list_append(:m, a)", TYPE("list_append", "M")},
        {"SET a = if_not_exists(b, list_append(a, :n))", TYPE("list_append", "N")},
        {"SET a = list_append(:l)", COUNT("list_append", "1")},
        {"SET a = list_append(:l, :l, :l)", COUNT("list_append", "3")},
        {"SET a = if_not_exists(b)", COUNT("if_not_exists", "1")},
        {"SET a = if_not_exists(b, :n, :n)", COUNT("if_not_exists", "3")},
        {"SET a = if_not_exists(:s, :n)", NEEDS_PATH},
        {"SET a = if_not_exists(if_not_exists(b, :n), :n)", NEEDS_PATH},
        {"SET a = if_not_exists(list_append(b, :l), :n)", NEEDS_PATH},
        // Names, values, targets, operands of ADD and DELETE, operands of SET.
        {"SET a = :x, #x = :n", NO_NAME("#x")},
        {"SET a = :n, a = :x", NO_VALUE(":x")},
        {"SET a = :s + :s, b = :n, b = :n", OVERLAP("[b]", "[b]")},
        {"ADD a :s SET a = :n", OVERLAP("[a]", "[a]")},
        {"SET a = :s + :s ADD b :s", ACTION_TYPE("ADD", "STRING")},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_update *update = NULL;
        check_fault(rows[i].text, *state, bind(*state, rows[i].text, &update), rows[i].message);
    }
}

static void targets_that_lie_side_by_side_are_accepted(void **state)
{
    static const char *const rows[] = {
        "SET a.b = :n, a.c.d = :s, b.x = :l REMOVE a.x, b.y",
        "SET a[0] = :n, a[1] = :n REMOVE a[2] ADD a[3] :n DELETE a[4] :ss",
        "REMOVE a SET b = a",
        "SET a = b, b = a",
        "ADD a :n, b :ss, c :ns, d :bs DELETE e :ss, f :ns, g :bs",
        "SET a = :bool, b = :nul, c = :m, d = :bs",
        "SET a = if_not_exists(a, :n) + :n, b = :n - b",
        "SET a = list_append(if_not_exists(a, :l), :l)",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_update *update = NULL;
        check_ok(rows[i], *state, bind(*state, rows[i], &update));
    }
}

static void every_action_has_its_cost(void **state)
{
    static const struct {
        const char *text;
        size_t cost;
    } rows[] = {
        {"SET a = :n", 19},
        {"SET a = b", 19},
        {"SET a = if_not_exists(a, :n)", 19},
        {"SET a = :n + :n", 69},
        {"SET a.b.c = a - :n", 69},
        {"SET a[0] = :n", 20},
        {"SET a[0].b = :n", 19},
        {"SET a[0] = a[1] + :n", 70},
        {"REMOVE a", 2},
        {"REMOVE a[1]", 3},
        {"ADD a :n", 19},
        {"ADD a[0] :n", 20},
        {"SET a = :n, b = :n REMOVE c, d[0] ADD e :n", 19 + 19 + 2 + 3 + 19},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_update *update = NULL;
        check_ok(rows[i].text, *state, bind(*state, rows[i].text, &update));
        check_size(rows[i].text, od_update_cost(update), rows[i].cost);
    }
}

static void the_names_are_those_that_are_written(void **state)
{
    static const struct {
        const char *text;
        size_t most;
        const char *names;
    } rows[] = {
        {"SET z = y, x.w = :n REMOVE v[0] ADD #dot :n DELETE t :ss", 9, "z x v b.c t"},
        {"REMOVE b.x, b.y, #a", 9, "b b a"},
        {"REMOVE c, b, d", 2, "c b"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        const struct od_update *update = NULL;
        check_ok(rows[i].text, cx, bind(cx, rows[i].text, &update));
        struct name_list list = {.out = {.arena = cx->arena}, .most = rows[i].most};
        od_update_names(update, list_name, &list);
        check_text(i, od_buf_str(&list.out), rows[i].names);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_cannot_be_applied_to_any_item_is_refused),
        TEST(targets_that_lie_side_by_side_are_accepted),
        TEST(every_action_has_its_cost),
        TEST(the_names_are_those_that_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
