#include "support.h"

// The statement that stores the literal in the attribute v.
static od_status store(od_ctx *cx, const char *literal, const char *parameters, od_value *out)
{
    od_str text =
        od_arena_printf(cx->arena, "INSERT INTO Plain VALUE {'pk': 'a', 'v': %s}", literal);
    struct od_statement statement = {0};
    OD_TRY(parse(cx, text.ptr, parameters, &statement));
    struct od_write_action action = {0};
    OD_TRY(od_partiql_plan_write(cx, &statement, plain(cx), &action));
    *out = od_map_get(action.map, OD_STR("v"));
    return OD_OK;
}

struct row {
    const char *literal;
    const char *expected;
};

static void check_faults(od_ctx *cx, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        od_value value = {0};
        check_message(rows[i].literal, cx, store(cx, rows[i].literal, NULL, &value), OD_VALIDATION,
                      rows[i].expected);
    }
}

// --- Faults -------------------------------------------------------------------------------------

static void numbers_beyond_the_limits_are_refused(void **state)
{
#define OVERFLOW \
    "Number overflow. Attempting to store a number with magnitude larger than supported range"
#define UNDERFLOW \
    "Number underflow. Attempting to store a number with magnitude smaller than supported range"
#define DIGITS "Attempting to store more than 38 significant digits in a Number"
    static const struct row rows[] = {
        {"1e126", OVERFLOW},
        {"-1e126", OVERFLOW},
        {"- - 1e2147483647", OVERFLOW},
        {"1e99999999999999999999", OVERFLOW},
        {"1e-131", UNDERFLOW},
        {"1e-99999999999999999999", UNDERFLOW},
        {"123456789012345678901234567890123456789", DIGITS},
        {"[0, [0, 1e126]]", OVERFLOW},
        {"{'a': {'b c': [-1e-131]}}", UNDERFLOW},
        {"<<1e126>>", OVERFLOW},
    };
    check_faults(*state, rows, OD_COUNT(rows));
}

static void what_is_no_value_is_refused_with_its_place(void **state)
{
#define FOUND "Expected a value, found: "
    static const struct row rows[] = {
        {"a", FOUND "path at 1:42:1"},
        {"a.b", NULL},
        {"MISSING", FOUND "MISSING at 1:42:7"},
        {"f(1)", FOUND "f at 1:42:1"},
        {"1 + 1", FOUND "expression at 1:44:1"},
        {"a = 1", NULL},
        {"NOT a", NULL},
        {"- 'x'", NULL},
        {"-[1]", NULL},
        {"[a]", FOUND "path at 1:43:1"},
        {"<<a>>", FOUND "path at 1:44:1"},
        {"{'k': [0, f()]}", FOUND "f at 1:52:1"},
    };
    check_faults(*state, rows, OD_COUNT(rows));
}

static void sets_are_of_one_type_and_without_repetition(void **state)
{
#define MIXED "The members of a set must be all strings, all numbers or all binary"
    static const struct row rows[] = {
        {"<<>>", "One or more parameter values were invalid: An string set  may not be empty"},
        {"<<1, 'a'>>", MIXED},
        {"<<'a', 1>>", MIXED},
        {"<<true>>", MIXED},
        {"<<null>>", MIXED},
        {"<<<<1>>>>", MIXED},
        {"<<[1]>>", MIXED},
        {"<<'a', 'b', 'a'>>", "One or more parameter values were invalid: Input collection [a, b, "
                              "a] contains duplicates."},
        {"<<1, 1.0>>", "Input collection contains duplicates"},
        {"[<<-1, - 1>>]", "Input collection contains duplicates"},
    };
    check_faults(*state, rows, OD_COUNT(rows));
}

static void names_in_maps_are_distinct_strings(void **state)
{
    static const struct row rows[] = {
        {"{'a': 1, 'b': 2, 'a': 3}", "A name stands twice in a map: a"},
        {"{'a': {'b': 2, 'b': 3}}", "A name stands twice in a map: b"},
        {"{1: 1}", "The names in a map must be strings at 1:43:1"},
        {"{a: 1}", "The names in a map must be strings at 1:43:1"},
    };
    check_faults(*state, rows, OD_COUNT(rows));
}

// `depth` lists around a text.
static const char *nested(od_ctx *cx, size_t depth, const char *inner)
{
    struct od_buf text = {.arena = cx->arena};
    for (size_t i = 0; i < depth; i++) {
        od_buf_put_byte(&text, '[');
    }
    od_buf_put(&text, od_cstr(inner));
    for (size_t i = 0; i < depth; i++) {
        od_buf_put_byte(&text, ']');
    }
    return od_arena_printf(cx->arena, "%.*s", OD_STR_ARG(od_buf_str(&text))).ptr;
}

static void literals_nest_as_deep_as_values_may(void **state)
{
#define DEEP                                                                                    \
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels " \
    "beyond supported limit"
    od_ctx *cx = *state;
    od_value value = {0};
    check_ok("deepest", cx, store(cx, nested(cx, OD_MAX_NESTING - 1, "1"), NULL, &value));
    check_message("too deep", cx, store(cx, nested(cx, OD_MAX_NESTING, "1"), NULL, &value),
                  OD_VALIDATION, DEEP);
    check_ok("a parameter in it", cx,
             store(cx, nested(cx, OD_MAX_NESTING - 3, "?"), "[[{a: 1}]]", &value));
    check_message("a parameter in it", cx,
                  store(cx, nested(cx, OD_MAX_NESTING - 2, "?"), "[[{a: 1}]]", &value),
                  OD_VALIDATION, DEEP);
}

static void parameters_are_as_many_as_question_marks(void **state)
{
    od_ctx *cx = *state;
    static const struct row rows[] = {
        {"?", NULL}, {"?", "[]"}, {"?", "[1, 2]"}, {"1", "[1]"}, {"'?'", "[1]"}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value value = {0};
        check_message(rows[i].literal, cx, store(cx, rows[i].literal, rows[i].expected, &value),
                      OD_VALIDATION, "Number of parameters in request and statement don't match.");
    }
}

static void an_item_is_a_tuple(void **state)
{
    od_ctx *cx = *state;
    static const struct row rows[] = {
        {"['pk']", "Expected a value, found: expression at 1:25:1"},
        {"'pk'", "Expected a value, found: expression at 1:25:4"},
        {"pk", "Expected a value, found: path at 1:25:2"},
        {"{'pk': 1, 'pk': 2}", "A name stands twice in a map: pk"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_str text = od_arena_printf(cx->arena, "INSERT INTO Plain VALUE %s", rows[i].literal);
        struct od_statement statement = {0};
        check_ok(rows[i].literal, cx, parse(cx, text.ptr, NULL, &statement));
        check_message(rows[i].literal, cx, od_partiql_check(cx, &statement), OD_VALIDATION,
                      rows[i].expected);
    }
}

// --- Values -------------------------------------------------------------------------------------

static void every_literal_has_its_type(void **state)
{
    od_ctx *cx = *state;
    static const struct row rows[] = {
        {"''", "''"},
        {"true", "true"},
        {"False", "false"},
        {"NULL", "null"},
        {"7", "7"},
        {"2.50", "2.5"},
        {"1E3", "1000"},
        {".5", "0.5"},
        {"5.", "5"},
        {"-1.5e-3", "-0.0015"},
        {"-0", "0"},
        {"+1", "1"},
        {"- - 1", "1"},
        {"- + 1", "-1"},
        {"[]", "[]"},
        {"[1, 'a', [null], -2]", "[1, 'a', [null], -2]"},
        {"{}", "{}"},
        {"{'b': {'x': 1}, 'a': [true]}", "{a: [true], b: {x: 1}}"},
        {"<<'b', 'a'>>", "<'a', 'b'>"},
        {"<<2, -1, +3>>", "<-1, 2, 3>"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value value = {0};
        check_ok(rows[i].literal, cx, store(cx, rows[i].literal, NULL, &value));
        check_value(rows[i].literal, cx, value, rows[i].expected);
    }
}

static void a_parameter_is_a_value_of_any_type(void **state)
{
    od_ctx *cx = *state;
    static const struct row rows[] = {
        {"[x'00FF']", "x'00FF'"},
        {"[{a: [<x'01'>, null]}]", "{a: [<x'01'>, null]}"},
        {"[-5]", "-5"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value value = {0};
        check_ok(rows[i].literal, cx, store(cx, "?", rows[i].literal, &value));
        check_value(rows[i].literal, cx, value, rows[i].expected);
    }
}

static void parameters_stand_in_lists_maps_and_sets(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        const char *literal;
        const char *parameters;
        const char *expected; // NULL: refused
    } rows[] = {
        {"[?, 2, ?]", "[1, 'x']", "[1, 2, 'x']"},
        {"{'b': ?, 'a': [{'c': ?}]}", "[1, [true]]", "{a: [{c: [true]}], b: 1}"},
        {"<<?, 'a'>>", "['b']", "<'a', 'b'>"},
        {"<<?, -1, ?>>", "[7, 2]", "<-1, 2, 7>"},
        {"<<?, ?>>", "[x'01', x'00']", "<x'00', x'01'>"},
        {"[<<?>>, ?]", "[1, <'a'>]", "[<1>, <'a'>]"},
        {"<<?, 'a'>>", "[1]", NULL},
        {"<<?, 'a'>>", "['a']", NULL},
        {"<<?, 1>>", "[1]", NULL},
        {"<<?, ?>>", "[x'01', x'01']", NULL},
        {"<<?>>", "[[1]]", NULL},
        {"<<?>>", "[<1>]", NULL},
        {"-?", "[1]", NULL},
        {"{?: 1}", "['a']", NULL},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value value = {0};
        od_status status = store(cx, rows[i].literal, rows[i].parameters, &value);
        if (rows[i].expected == NULL) {
            check_message(rows[i].literal, cx, status, OD_VALIDATION, NULL);
            continue;
        }
        check_ok(rows[i].literal, cx, status);
        check_value(rows[i].literal, cx, value, rows[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_beyond_the_limits_are_refused),
        TEST(what_is_no_value_is_refused_with_its_place),
        TEST(sets_are_of_one_type_and_without_repetition),
        TEST(names_in_maps_are_distinct_strings),
        TEST(literals_nest_as_deep_as_values_may),
        TEST(parameters_are_as_many_as_question_marks),
        TEST(an_item_is_a_tuple),
        TEST(every_literal_has_its_type),
        TEST(a_parameter_is_a_value_of_any_type),
        TEST(parameters_stand_in_lists_maps_and_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
