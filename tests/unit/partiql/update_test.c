#include "support.h"

#define ITEM "{pk: 'p', n: 5, s: 'x', l: [1, 2], m: {k: 1, l: ['a']}, ss: <'a', 'b'>, ns: <1, 2>}"

// The update of "UPDATE Plain <actions> WHERE pk = 'p'".
static od_status plan(od_ctx *cx, const char *actions, const char *parameters,
                      const struct od_update **out)
{
    od_str text = od_arena_printf(cx->arena, "UPDATE Plain %s WHERE pk = 'p'", actions);
    struct od_statement statement = {0};
    struct od_write_action action = {0};
    OD_TRY(parse(cx, text.ptr, parameters, &statement));
    OD_TRY(od_partiql_plan_write(cx, &statement, plain(cx), &action));
    assert_true(action.flat_size);
    *out = action.update;
    return OD_OK;
}

// --- Faults -------------------------------------------------------------------------------------

struct fault {
    const char *actions;
    const char *message;
};

static void check_faults(od_ctx *cx, od_status expected, const struct fault *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct od_update *update = NULL;
        check_message(rows[i].actions, cx, plan(cx, rows[i].actions, NULL, &update), expected,
                      rows[i].message);
    }
}

#define TYPE(name, type)                                                           \
    "Incorrect operand type for operator or function; operator or function: " name \
    ", operand type: " type
#define EMPTY          "One or more parameter values were invalid: An string set  may not be empty"
#define OPERATOR(name) "Unsupported operator in Update Expression. Operator: " name

static void right_sides_are_values_paths_and_few_functions(void **state)
{
    static const struct fault rows[] = {
        {"SET n = 1 + 'x'", TYPE("+", "S")},
        {"SET n = true - n", TYPE("-", "BOOL")},
        {"SET n = n + n + 1", OPERATOR("+")},
        {"SET n = 1 - (n - 1)", OPERATOR("-")},
        {"SET n = size(s)", "Unrecognized function: size at 1:22:4"},
        {"SET n = if_not_exists(n, 1)", "Unrecognized function: if_not_exists at 1:22:13"},
        {"SET n = 1 + f(n)", "Expected a value, found: f at 1:26:1"},
        {"SET n = MISSING", "Expected a value, found: MISSING at 1:22:7"},
        {"SET n = (s = 'x')", OPERATOR("=")},
        {"SET n = NOT s", NULL},
        {"SET n = contains(s, 'x')", NULL},
        {"SET l = list_append(l)",
         "Incorrect number of operands for operator or function; operator "
         "or function: list_append, number of operands: 1"},
        {"SET l = list_append(l, 1)", TYPE("list_append", "N")},
        {"SET l = list_append(l, [1]) + 1", NULL},
        {"SET l = [n]", "Expected a value, found: path at 1:23:1"},
        {"SET n = 1e126", NULL},
        {"SET n = <<>>", EMPTY},
    };
    check_faults(*state, OD_VALIDATION, rows, OD_COUNT(rows));
}

static void sets_change_by_sets_and_in_their_own_place(void **state)
{
#define SECOND(name, at) "The second argument to " name " must be a value with type SET at " at
#define FIRST(name, at)  "The first argument to " name " must equal the assignment value at " at
    static const struct fault rows[] = {
        {"SET ss = set_add(ss)", "SET_ADD must have exactly two arguments at 1:23:7"},
        {"SET ss = set_delete()", "SET_DELETE must have exactly two arguments at 1:23:10"},
        {"SET ss = set_add(s, <<'a'>>)", FIRST("SET_ADD", "1:23:7")},
        {"SET m.a = set_add(m.b, <<'a'>>)", FIRST("SET_ADD", "1:24:7")},
        {"SET l[1] = set_delete(l[0], <<'a'>>)", FIRST("SET_DELETE", "1:25:10")},
        {"SET m.k = set_delete(m['k'][0], <<'a'>>)", FIRST("SET_DELETE", "1:24:10")},
        {"SET ss = set_add(<<'a'>>, ss)", FIRST("SET_ADD", "1:23:7")},
        {"SET ss = set_add(ss, 'a')", SECOND("SET_ADD", "1:31:2")},
        {"SET ss = set_add(ss, ['a'])", SECOND("SET_ADD", "1:31:2")},
        {"SET ss = set_delete(ss, s)", SECOND("SET_DELETE", "1:34:2")},
        {"SET ss = set_add(ss, <<>>)", EMPTY},
        {"SET ss = set_add(ss, <<'a'>>) + 1", NULL},
    };
    check_faults(*state, OD_VALIDATION, rows, OD_COUNT(rows));
}

static void paths_are_written_once(void **state)
{
    static const struct fault rows[] = {
        {"SET n = 1, n = 2", "Invalid UpdateExpression: Two document paths overlap with each "
                             "other; must remove or rewrite one of these paths; path one: [n], "
                             "path two: [n]"},
        {"SET m.k = 1 REMOVE m", NULL},
        {"SET m.k = 1, m[0] = 2", NULL},
        {"SET n = n + 1 SET n = 3", NULL},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_update *update = NULL;
        od_status status = plan(cx, rows[i].actions, NULL, &update);
        assert_true(status == OD_VALIDATION || status == OD_VALIDATION_ENVELOPED);
        check_message(rows[i].actions, cx, status, status, rows[i].message);
    }
}

static void what_does_not_fit_the_item_fails_when_applied(void **state)
{
    od_ctx *cx = *state;
    static const char *const rows[] = {
        "SET n = x + 1",
        "SET n = s + 1",
        "SET n = x",
        "SET x.y = 1",
        "SET l.k = 1",
        "REMOVE s.k",
        "SET l = list_append(l, n)",
        "SET s = set_add(s, <<'a'>>)",
        "SET ss = set_add(ss, <<1>>)",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_update *update = NULL;
        od_value out = {0};
        check_ok(rows[i], cx, plan(cx, rows[i], NULL, &update));
        check_message(rows[i], cx, od_update_apply(cx, update, value_of(cx, ITEM), true, &out),
                      OD_VALIDATION, NULL);
    }
}

// --- Results ------------------------------------------------------------------------------------

static void updates_change_the_item(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        const char *actions;
        const char *attribute;
        const char *expected;
    } rows[] = {
        {"SET n = 6", "n", "6"},
        {"SET n = 'x'", "n", "'x'"},
        {"SET n = n + 1", "n", "6"},
        {"SET n = 1 - n", "n", "-4"},
        {"SET n = n - -1", "n", "6"},
        {"SET n = m.k + l[1]", "n", "3"},
        {"SET a = s", "a", "'x'"},
        {"SET a = n SET n = 7", "a", "5"},
        {"SET a = m.l[0], b = 1", "a", "'a'"},
        {"SET a = {'x': [1, null]}", "a", "{x: [1, null]}"},
        {"SET m.extra = 2", "m", "{k: 1, l: ['a'], extra: 2}"},
        {"SET m['k'] = 2", "m", "{k: 2, l: ['a']}"},
        {"SET l[0] = 9", "l", "[9, 2]"},
        {"SET l[99] = 9", "l", "[1, 2, 9]"},
        {"SET l = list_append(l, [3])", "l", "[1, 2, 3]"},
        {"SET l = List_Append([0], l)", "l", "[0, 1, 2]"},
        {"SET a = list_append([0], [1])", "a", "[0, 1]"},
        {"SET ss = set_add(ss, <<'c', 'a'>>)", "ss", "<'a', 'b', 'c'>"},
        {"SET ns = set_add(\"ns\", <<3>>)", "ns", "<1, 2, 3>"},
        {"SET x = set_add(x, <<3>>)", "x", "<3>"},
        {"SET ss = set_delete(ss, <<'a', 'z'>>)", "ss", "<'b'>"},
        {"SET ss = SET_DELETE(ss, <<'a', 'b'>>)", "ss", NULL},
        {"REMOVE n", "n", NULL},
        {"REMOVE m.l[0] REMOVE l[0]", "m", "{k: 1, l: []}"},
        {"REMOVE x", "x", NULL},
        {"SET a = 1 REMOVE n SET b = 2", "b", "2"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_update *update = NULL;
        od_value out = {0};
        check_ok(rows[i].actions, cx, plan(cx, rows[i].actions, NULL, &update));
        check_ok(rows[i].actions, cx, od_update_apply(cx, update, value_of(cx, ITEM), true, &out));
        check_value(rows[i].actions, cx, od_map_get(out, od_cstr(rows[i].attribute)),
                    rows[i].expected);
    }
}

static void parameters_are_operands(void **state)
{
    od_ctx *cx = *state;
    const struct od_update *update = NULL;
    od_value out = {0};
    static const char actions[] =
        "SET n = n + ?, l = list_append(l, ?), ss = set_add(ss, ?), m.k = - ?";
    check_message(actions, cx, plan(cx, actions, "[1, [3], <'c'>, 1]", &update), OD_VALIDATION,
                  NULL);
    static const char good[] = "SET n = n + ?, l = list_append(l, ?), ss = set_add(ss, ?), a = ?";
    check_ok(good, cx, plan(cx, good, "[1, [3], <'c'>, x'01']", &update));
    check_ok(good, cx, od_update_apply(cx, update, value_of(cx, ITEM), true, &out));
    check_value(good, cx, out,
                "{pk: 'p', n: 6, s: 'x', l: [1, 2, 3], m: {k: 1, l: ['a']}, ss: <'a', 'b', 'c'>, "
                "ns: <1, 2>, a: x'01'}");
    check_message(good, cx, plan(cx, good, "['1', [3], <'c'>, x'01']", &update), OD_VALIDATION,
                  TYPE("+", "S"));
    check_message(good, cx, plan(cx, good, "[1, [3], ['c'], x'01']", &update), OD_VALIDATION, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(right_sides_are_values_paths_and_few_functions),
        TEST(sets_change_by_sets_and_in_their_own_place),
        TEST(paths_are_written_once),
        TEST(what_does_not_fit_the_item_fails_when_applied),
        TEST(updates_change_the_item),
        TEST(parameters_are_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
