#include "support.h"

static od_status plan_write(od_ctx *cx, const char *text, struct od_write_action *out)
{
    struct od_statement statement = {0};
    OD_TRY(parse(cx, text, NULL, &statement));
    return od_partiql_plan_write(cx, &statement, music(cx), out);
}

struct fault {
    const char *text;
    const char *message;
};

static void check_faults(od_ctx *cx, od_status expected, const struct fault *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct od_write_action action = {0};
        check_message(rows[i].text, cx, plan_write(cx, rows[i].text, &action), expected,
                      rows[i].message);
    }
}

// --- Faults -------------------------------------------------------------------------------------

static void a_write_names_one_item_by_its_whole_key(void **state)
{
#define MANDATORY "Where clause does not contain a mandatory equality on all key attributes"
    static const struct fault rows[] = {
        {"DELETE FROM Music", MANDATORY},
        {"DELETE FROM Music WHERE pk = 'a'", MANDATORY},
        {"DELETE FROM Music WHERE sk = 1", MANDATORY},
        {"DELETE FROM Music WHERE pk = 'a' AND sk > 1", MANDATORY},
        {"DELETE FROM Music WHERE pk = 'a' AND sk IN [1]", MANDATORY},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = v", MANDATORY},
        {"DELETE FROM Music WHERE pk = 'a' AND NOT sk = 1", MANDATORY},
        {"DELETE FROM Music WHERE pk = 'a' OR sk = 1", MANDATORY},
        {"UPDATE Music SET v = 1", MANDATORY},
        {"UPDATE Music SET v = 1 WHERE pk = 'a'", MANDATORY},
        {"UPDATE Music SET v = 1 WHERE pk = 1 AND sk = 1",
         "Key attribute's data type should match its data type in table's schema: Key pk"},
        {"UPDATE Music SET v = 1 WHERE pk = 'a' AND sk = null",
         "Key value must be of type S, N, or B. Key name: sk, Key type: NULL"},
    };
    check_faults(*state, OD_VALIDATION_ITEM, rows, OD_COUNT(rows));
}

static void faults_of_the_statement_come_with_the_plan(void **state)
{
    static const struct fault rows[] = {
        {"INSERT INTO Music {'pk': 'a'}", "Expected VALUE in an INSERT statement"},
        {"INSERT INTO Music VALUE {'pk': 'a', 'a': <<>>}", NULL},
        {"INSERT INTO Music.ranked VALUE {'pk': 'a'}", NULL},
        {"UPDATE Music.ranked SET v = 1 WHERE pk = 'a'", NULL},
        {"DELETE FROM Music.ranked WHERE pk = 'a'", NULL},
        {"UPDATE Music m SET v = 1 WHERE pk = 'a'", "Aliasing is not supported"},
        {"UPDATE Music SET v = 1 WHERE pk = 'a' AND sk = 1 AND v LIKE 'x'",
         "Unsupported operator in Condition Expression. Operator: LIKE"},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = 1 AND (v = 1 OR v = 2)",
         "OR is not supported in the WHERE clause of UPDATE and DELETE statements"},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = 1 AND NOT (v = 1 OR v = 2)", NULL},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = 1 AND v",
         "WHERE clause must contain an expression that resolves to a boolean"},
    };
    check_faults(*state, OD_VALIDATION, rows, OD_COUNT(rows));
}

static void exists_reads_one_item_under_a_condition(void **state)
{
#define SINGLE "EXISTS() must contain a single item read with additional condition"
    static const struct fault rows[] = {
        {"EXISTS(SELECT * FROM Music)", SINGLE},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a')", SINGLE},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' AND v = 1)", SINGLE},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' AND sk = 1)", SINGLE},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' AND sk > 1 AND v = 1)", SINGLE},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' OR sk = 1)", SINGLE},
        {"EXISTS(SELECT COUNT(*) FROM Music WHERE pk = 'a' AND sk = 1 AND v = 1)", NULL},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' AND sk = 1 AND f(v))", NULL},
    };
    check_faults(*state, OD_VALIDATION, rows, OD_COUNT(rows));
}

// --- Actions ------------------------------------------------------------------------------------

static void statements_become_the_engines_writes(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        const char *text;
        enum od_write_kind kind;
        const char *map;
        bool has_condition;
        bool has_update;
    } rows[] = {
        {"INSERT INTO Music VALUE {'pk': 'a', 'sk': 1, 'v': [1]}", OD_WRITE_PUT,
         "{pk: 'a', sk: 1, v: [1]}", false, false},
        {"INSERT INTO \"Music\" VALUE {}", OD_WRITE_PUT, "{}", false, false},
        {"UPDATE Music SET v = 1 WHERE sk = 1 AND pk = 'a'", OD_WRITE_UPDATE, "{pk: 'a', sk: 1}",
         true, true},
        {"UPDATE Music REMOVE v WHERE 1.0 = sk AND 'a' = pk AND pk = 'a'", OD_WRITE_UPDATE,
         "{pk: 'a', sk: 1}", true, true},
        {"UPDATE Music SET v = 1 WHERE sk = 1 AND (pk = 'a' AND v = 2)", OD_WRITE_UPDATE,
         "{pk: 'a', sk: 1}", true, true},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = -1", OD_WRITE_DELETE, "{pk: 'a', sk: -1}",
         false, false},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = 1 AND v = 1", OD_WRITE_DELETE,
         "{pk: 'a', sk: 1}", true, false},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' AND sk = 1 AND v = 1)", OD_WRITE_CHECK,
         "{pk: 'a', sk: 1}", true, false},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_write_action action = {0};
        check_ok(rows[i].text, cx, plan_write(cx, rows[i].text, &action));
        check_size(rows[i].text, action.kind, rows[i].kind);
        check_str(rows[i].text, action.table, "Music");
        check_value(rows[i].text, cx, action.map, rows[i].map);
        check_bool(rows[i].text, action.condition != NULL, rows[i].has_condition);
        check_bool(rows[i].text, action.update != NULL, rows[i].has_update);
        check_bool(rows[i].text, action.insert_only, rows[i].kind == OD_WRITE_PUT);
        check_bool(rows[i].text, action.flat_size, rows[i].kind == OD_WRITE_UPDATE);
    }
}

// An item that is not there: UPDATE and EXISTS fail on it, DELETE does not.
static void conditions_hold_of_the_item_or_its_absence(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        const char *text;
        bool absent;
        bool alike; // {pk: 'a', sk: 1, v: 1}
        bool other; // {pk: 'a', sk: 1, v: 2}
    } rows[] = {
        {"UPDATE Music SET x = 1 WHERE pk = 'a' AND sk = 1", false, true, true},
        {"UPDATE Music SET x = 1 WHERE pk = 'a' AND sk = 1 AND v = 1", false, true, false},
        {"UPDATE Music SET x = 1 WHERE pk = 'a' AND sk = 1 AND NOT v = 1", false, false, true},
        {"UPDATE Music SET x = 1 WHERE pk = 'a' AND sk = 1 AND x IS MISSING", false, true, true},
        {"UPDATE Music SET x = 1 WHERE pk = 'a' AND sk = 1 AND sk > 1", false, false, false},
        {"UPDATE Music SET x = 1 WHERE pk = 'a' AND sk = 1 AND pk = 'b'", false, false, false},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = 1 AND sk = 2", true, false, false},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = 1 AND v = 1", true, true, false},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = 1 AND x IS NOT MISSING", true, false, false},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' AND sk = 1 AND v = 1)", false, true, false},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' AND sk = 1 AND x IS MISSING)", false, true,
         true},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' AND sk = 1 AND (v = 1 OR v = 2))", false, true,
         true},
        {"EXISTS(SELECT * FROM Music WHERE pk = 'a' AND sk = 1 AND sk = 2)", false, false, false},
    };
    od_value alike = value_of(cx, "{pk: 'a', sk: 1, v: 1}");
    od_value other = value_of(cx, "{pk: 'a', sk: 1, v: 2}");
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_write_action action = {0};
        check_ok(rows[i].text, cx, plan_write(cx, rows[i].text, &action));
        check_bool(rows[i].text, od_condition_match(action.condition, (od_value){0}),
                   rows[i].absent);
        check_bool(rows[i].text, od_condition_match(action.condition, alike), rows[i].alike);
        check_bool(rows[i].text, od_condition_match(action.condition, other), rows[i].other);
    }
}

static void returning_gives_the_item_or_what_changed(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        const char *text;
        const char *row;
    } rows[] = {
        {"UPDATE Music SET v = 2 WHERE pk = 'a' AND sk = 1", NULL},
        {"UPDATE Music SET v = 2 WHERE pk = 'a' AND sk = 1 RETURNING ALL OLD *",
         "{pk: 'a', sk: 1, v: 1, m: {k: 1, l: 2}}"},
        {"UPDATE Music SET v = 2 WHERE pk = 'a' AND sk = 1 RETURNING ALL NEW *",
         "{pk: 'a', sk: 1, v: 2, m: {k: 1, l: 2}}"},
        {"UPDATE Music SET v = 2, m.k = 1 WHERE pk = 'a' AND sk = 1 RETURNING MODIFIED OLD *",
         "{v: 1, m: {k: 1}}"},
        {"UPDATE Music SET v = 2 WHERE pk = 'a' AND sk = 1 RETURNING MODIFIED NEW *", "{v: 2}"},
        {"UPDATE Music REMOVE x WHERE pk = 'a' AND sk = 1 RETURNING MODIFIED NEW *", NULL},
        {"DELETE FROM Music WHERE pk = 'a' AND sk = 1 RETURNING ALL OLD *",
         "{pk: 'a', sk: 1, v: 1, m: {k: 1, l: 2}}"},
    };
    const struct od_write_result result = {
        .old_map = value_of(cx, "{pk: 'a', sk: 1, v: 1, m: {k: 1, l: 2}}"),
        .new_map = value_of(cx, "{pk: 'a', sk: 1, v: 2, m: {k: 1, l: 2}}"),
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_statement statement = parsed(cx, rows[i].text);
        check_value(rows[i].text, cx, od_partiql_returned(cx->arena, &statement, &result),
                    rows[i].row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_write_names_one_item_by_its_whole_key),
        TEST(faults_of_the_statement_come_with_the_plan),
        TEST(exists_reads_one_item_under_a_condition),
        TEST(statements_become_the_engines_writes),
        TEST(conditions_hold_of_the_item_or_its_absence),
        TEST(returning_gives_the_item_or_what_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
