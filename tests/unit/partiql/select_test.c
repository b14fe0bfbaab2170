#include "support.h"

#include <assert.h>
#include <inttypes.h>

// --- Plans in writing ---------------------------------------------------------------------------

static const char *const key_ops[] = {
    [OD_KEY_EQ] = "=",
    [OD_KEY_LT] = "<",
    [OD_KEY_LE] = "<=",
    [OD_KEY_GT] = ">",
    [OD_KEY_GE] = ">=",
    [OD_KEY_BETWEEN] = " between ",
    [OD_KEY_BEGINS_WITH] = " begins ",
};

static const char *const condition_ops[] = {
    [OD_COND_AND] = "and",
    [OD_COND_OR] = "or",
    [OD_COND_NOT] = "not",
    [OD_COND_EQ] = "=",
    [OD_COND_NE] = "<>",
    [OD_COND_LT] = "<",
    [OD_COND_LE] = "<=",
    [OD_COND_GT] = ">",
    [OD_COND_GE] = ">=",
    [OD_COND_BETWEEN] = "between",
    [OD_COND_IN] = "in",
    [OD_COND_EXISTS] = "exists",
    [OD_COND_NOT_EXISTS] = "missing",
    [OD_COND_TYPE] = "type",
    [OD_COND_BEGINS_WITH] = "begins",
    [OD_COND_CONTAINS] = "contains",
};

static void print_value(struct od_buf *out, od_value v)
{
    if (od_value_type(v) == OD_TYPE_N) {
        char text[OD_NUMBER_TEXT_MAX];
        od_buf_put(out, (od_str){text, od_number_text(od_value_number(v), text)});
        return;
    }
    assert_int_equal(od_value_type(v), OD_TYPE_S);
    od_buf_printf(out, "'%.*s'", OD_STR_ARG(od_value_bytes(v)));
}

// Paths of the rows here have one step, but for the one that leads nowhere.
static void print_operand(struct od_buf *out, const struct od_operand *operand)
{
    if (operand->kind == OD_OPERAND_VALUE) {
        print_value(out, operand->value);
        return;
    }
    od_buf_printf(out, "%s", operand->kind == OD_OPERAND_SIZE ? "#" : "");
    od_str name = operand->path.steps[0].name;
    od_buf_put(out, name.len == 0 ? OD_STR("nowhere") : name);
}

static void print_condition(struct od_buf *out, const struct od_condition *condition)
{
    od_buf_printf(out, "(%s", condition_ops[condition->op]);
    const struct od_condition *const sides[] = {condition->left, condition->right};
    for (size_t i = 0; i < OD_COUNT(sides) && sides[i] != NULL; i++) {
        od_buf_put_byte(out, ' ');
        print_condition(out, sides[i]);
    }
    for (size_t i = 0; i < condition->operand_count; i++) {
        od_buf_put_byte(out, ' ');
        print_operand(out, &condition->operands[i]);
    }
    od_buf_put_byte(out, ')');
}

static void print_term(struct od_buf *out, const struct od_key_term *term)
{
    od_buf_printf(out, "%.*s%s", OD_STR_ARG(term->name), key_ops[term->op]);
    print_value(out, term->value);
    if (term->op == OD_KEY_BETWEEN) {
        od_buf_put_byte(out, ' ');
        print_value(out, term->upper);
    }
}

static void print_read(struct od_buf *out, const struct od_select_read *read)
{
    if (read->key_condition == NULL) {
        od_buf_put(out, OD_STR("scan"));
    }
    for (size_t i = 0; read->key_condition != NULL && i < read->key_condition->count; i++) {
        od_buf_put(out, i == 0 ? OD_STR("") : OD_STR(", "));
        print_term(out, &read->key_condition->terms[i]);
    }
    if (read->filter != NULL) {
        od_buf_put(out, OD_STR(" if "));
        print_condition(out, read->filter);
    }
}

static od_str print_plan(od_ctx *cx, const struct od_select_plan *plan)
{
    struct od_buf out = {.arena = cx->arena};
    od_buf_put(&out, plan->index);
    od_buf_put(&out, plan->index.ptr == NULL ? OD_STR("") : OD_STR(": "));
    for (size_t i = 0; i < plan->read_count; i++) {
        od_buf_put(&out, i == 0 ? OD_STR("") : OD_STR(" | "));
        print_read(&out, &plan->reads[i]);
    }
    od_buf_put(&out, plan->backward ? OD_STR("; backward") : OD_STR(""));
    od_buf_put(&out, od_value_exists(plan->key) ? OD_STR("; one item") : OD_STR(""));
    if (plan->page_items > 0) {
        od_buf_printf(&out, "; pages of %" PRId64, plan->page_items);
    }
    return od_buf_str(&out);
}

static od_status plan_select(od_ctx *cx, const char *text, bool consistent,
                             struct od_select_plan *out)
{
    struct od_statement statement = {0};
    OD_TRY(parse(cx, text, NULL, &statement));
    assert_int_equal(statement.kind, OD_STATEMENT_SELECT);
    return od_partiql_plan_select(cx, &statement, music(cx), consistent, out);
}

struct row {
    const char *rest; // after SELECT * FROM Music
    const char *expected;
};

static od_str statement_of(od_ctx *cx, const struct row *row)
{
    return od_arena_printf(cx->arena, "SELECT * FROM Music%s", row->rest);
}

static void check_plans(od_ctx *cx, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct od_select_plan plan = {0};
        check_ok(rows[i].rest, cx, plan_select(cx, statement_of(cx, &rows[i]).ptr, false, &plan));
        check_str(rows[i].rest, print_plan(cx, &plan), rows[i].expected);
    }
}

static void check_faults(od_ctx *cx, od_status expected, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct od_select_plan plan = {0};
        check_message(rows[i].rest, cx,
                      plan_select(cx, statement_of(cx, &rows[i]).ptr, false, &plan), expected,
                      rows[i].expected);
    }
}

// --- Faults -------------------------------------------------------------------------------------

static void key_values_are_of_the_type_of_their_attribute(void **state)
{
#define MISMATCH "Key attribute's data type should match its data type in table's schema: Key "
    static const struct row rows[] = {
        {" WHERE pk = 1", MISMATCH "pk"},
        {" WHERE pk IN ['a', 1]", MISMATCH "pk"},
        {" WHERE pk = 'a' AND sk = 'x'", MISMATCH "sk"},
        {" WHERE pk = 'a' AND 'x' < sk", MISMATCH "sk"},
        {" WHERE pk = 'a' AND begins_with(sk, 'x')", MISMATCH "sk"},
        {" WHERE pk = true", "Key value must be of type S, N, or B. Key name: pk, Key type: BOOL"},
        {" WHERE pk = ['a']", "Key value must be of type S, N, or B. Key name: pk, Key type: L"},
        {".by_label WHERE label = 1", MISMATCH "label"},
    };
    check_faults(*state, OD_VALIDATION_ITEM, rows, OD_COUNT(rows));
}

static void orders_go_by_keys_that_are_bound(void **state)
{
    static const struct row rows[] = {
        {" ORDER BY sk", "Must have WHERE clause in the statement when using ORDER BY clause."},
        {" WHERE pk = 'a' ORDER BY v",
         "Attribute v in ORDER BY clause must be part of the primary key"},
        {" WHERE pk = 'a' ORDER BY pk.x", NULL},
        {" WHERE pk = 'a' ORDER BY sk, 1", NULL},
        {" WHERE sk = 1 ORDER BY sk",
         "Must have at least one non-optional hash key condition in WHERE clause when using ORDER "
         "BY clause."},
        {" WHERE pk IN ['a', 'b'] ORDER BY sk",
         "Must have hash key in ORDER BY clause when more than one hash key condition specified in "
         "WHERE clause."},
        {".ranked WHERE pk = 'a' ORDER BY sk",
         "Attribute sk in ORDER BY clause must be part of the primary key"},
    };
    check_faults(*state, OD_VALIDATION, rows, OD_COUNT(rows));
}

static void indexes_are_there_and_hold_what_is_asked_of_them(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"SELECT * FROM Music.none", "The table does not have the specified index"},
        {"SELECT * FROM Music.by_two",
         "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
         "multi-attribute RANGE keys."},
        {"SELECT * FROM Music.by_label",
         "Consistent reads are not supported on global secondary indexes"},
        {"SELECT COUNT(*) FROM Music.none", "The table does not have the specified index"},
        {"SELECT pk, note FROM Music.ranked WHERE pk = 'a' AND note = 'x' AND more = 1",
         "One or more parameter values were invalid: Secondary index ranked does not project one "
         "or more filter attributes: [note, more]"},
        {"SELECT * FROM Music.ranked WHERE pk = 'a' AND note = 'x' OR pk = 'b' AND more = 1",
         "One or more parameter values were invalid: Secondary index ranked does not project one "
         "or more filter attributes: [note]"},
        {"SELECT * FROM Music.ranked WHERE pk = 'a' OR pk = 'b' AND more = 1",
         "One or more parameter values were invalid: Secondary index ranked does not project one "
         "or more filter attributes: [more]"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_select_plan plan = {0};
        check_message(rows[i].text, cx, plan_select(cx, rows[i].text, true, &plan), OD_VALIDATION,
                      rows[i].message);
    }
    struct od_select_plan plan = {0};
    check_message("columns", cx,
                  plan_select(cx, "SELECT note, year, n, note FROM Music.by_label", false, &plan),
                  OD_VALIDATION, NULL);
    check_message("columns", cx,
                  plan_select(cx, "SELECT note, year, n.x FROM Music.by_label", false, &plan),
                  OD_VALIDATION,
                  "One or more parameter values were invalid: Global secondary index by_label does "
                  "not project [note, n]");
}

static void one_select_is_at_most_fifty_reads(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        size_t hashes;
        size_t sorts;
        size_t reads; // 0: too many
    } rows[] = {{50, 1, 50}, {25, 2, 50},   {1, 50, 50}, {26, 2, 26},
                {1, 100, 1}, {50, 100, 50}, {51, 1, 0},  {90, 90, 0}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf text = {.arena = cx->arena};
        od_buf_put(&text, OD_STR("SELECT * FROM Music WHERE sk IN [0"));
        for (size_t sort = 1; sort < rows[i].sorts; sort++) {
            od_buf_printf(&text, ", %zu", sort);
        }
        od_buf_put(&text, OD_STR("] AND pk IN ['0'"));
        for (size_t hash = 1; hash < rows[i].hashes; hash++) {
            od_buf_printf(&text, ", '%zu'", hash);
        }
        od_buf_printf(&text, "]%c", '\0');
        struct od_select_plan plan = {0};
        od_status status = plan_select(cx, od_buf_str(&text).ptr, false, &plan);
        if (rows[i].reads > 0) {
            check_ok("reads", cx, status);
            check_size("reads", plan.read_count, rows[i].reads);
            continue;
        }
        check_message("reads", cx, status, OD_VALIDATION,
                      "A SELECT may bind the hash key at most 50 times");
    }
}

// The text asks for 2 to the power of 200 reads.
static void many_choices_are_counted_without_being_made(void **state)
{
    od_ctx *cx = *state;
    struct od_buf text = {.arena = cx->arena};
    od_buf_put(&text, OD_STR("SELECT * FROM Music WHERE pk = 'a'"));
    for (int i = 0; i < 200; i++) {
        od_buf_put(&text, OD_STR(" AND (pk = 'a' OR sk = 2)"));
    }
    od_buf_put_byte(&text, '\0');
    struct od_select_plan plan = {0};
    check_message("2^200", cx, plan_select(cx, od_buf_str(&text).ptr, false, &plan), OD_VALIDATION,
                  "A SELECT may bind the hash key at most 50 times");
}

// --- Plans --------------------------------------------------------------------------------------

static void without_a_bound_hash_key_the_table_is_scanned(void **state)
{
    static const struct row rows[] = {
        {"", "scan"},
        {" WHERE v = 1", "scan if (= v 1)"},
        {" WHERE sk = 1", "scan if (= sk 1)"},
        {" WHERE pk > 1", "scan if (> pk 1)"},
        {" WHERE pk = v", "scan if (= pk v)"},
        {" WHERE NOT pk = 'a'", "scan if (not (= pk 'a'))"},
        {" WHERE pk = 'a' OR v = 1", "scan if (or (= pk 'a') (= v 1))"},
        {" WHERE pk.x = 'a'", "scan if (= pk 'a')"},
        {" WHERE pk = 'a' AND pk = 'b'", "scan if (and (= pk 'a') (= pk 'b'))"},
        {" WHERE pk IN ['a', v]", "scan if (in pk 'a' v)"},
        {" WHERE pk <> 'a'", "scan if (and (exists pk) (<> pk 'a'))"},
        {".by_label WHERE pk = 'a' AND sk = 1", "by_label: scan if (and (= pk 'a') (= sk 1))"},
        {".by_label WHERE note = 'x'", "by_label: scan if (= nowhere 'x')"},
        {".by_label WHERE NOT note = 'x'", "by_label: scan if (not (= nowhere 'x'))"},
        {".by_year WHERE note = 'x'", "by_year: scan if (= note 'x')"},
    };
    check_plans(*state, rows, OD_COUNT(rows));
}

static void the_strongest_condition_on_the_sort_key_narrows_the_read(void **state)
{
    static const struct row rows[] = {
        {" WHERE pk = 'a'", "pk='a'"},
        {" WHERE 'a' = pk AND 5 > sk", "pk='a', sk<5"},
        {" WHERE pk = 'a' AND 5 <= sk", "pk='a', sk>=5"},
        {" WHERE pk = 'a' AND sk BETWEEN 1 AND 2", "pk='a', sk between 1 2"},
        {" WHERE sk = 1 AND pk = 'a'", "pk='a', sk=1; one item"},
        {" WHERE pk = 'a' AND sk = 1 AND v = 2", "pk='a', sk=1 if (= v 2); one item"},
        {" WHERE pk = 'a' AND sk = 1 AND sk = 1.0 AND pk = 'a'", "pk='a', sk=1; one item"},
        {" WHERE pk = 'a' AND sk > 1 AND sk = 2", "pk='a', sk=2 if (> sk 1); one item"},
        {" WHERE pk = 'a' AND sk > 1 AND sk < 5", "pk='a', sk>1 if (< sk 5)"},
        {" WHERE pk = 'a' AND sk > 1 AND sk BETWEEN 2 AND 3", "pk='a', sk between 2 3 if (> sk 1)"},
        {" WHERE pk = 'a' AND sk <> 1", "pk='a' if (and (exists sk) (<> sk 1))"},
        {" WHERE pk = 'a' AND NOT sk = 1", "pk='a' if (not (= sk 1))"},
        {" WHERE pk = 'a' AND sk = v", "pk='a' if (= sk v)"},
        {" WHERE pk = 'a' AND (v = 1 OR v = 2)", "pk='a' if (or (= v 1) (= v 2))"},
        {" WHERE pk = 'a' AND (v = 1 AND w = 2)", "pk='a' if (and (= v 1) (= w 2))"},
        {" WHERE pk = 'a' AND pk > 'a'", "pk='a' if (> pk 'a')"},
        {".ranked WHERE pk = 'a' AND rank = 1", "ranked: pk='a', rank=1"},
        {".ranked WHERE pk = 'a' AND sk = 1", "ranked: pk='a' if (= sk 1)"},
        {".by_label WHERE label = 'x' AND year = 1", "by_label: label='x' if (= year 1)"},
        {".by_year WHERE label = 'x' AND year = 1", "by_year: label='x', year=1"},
    };
    check_plans(*state, rows, OD_COUNT(rows));
}

static void lists_and_choices_of_keys_become_reads_in_their_order(void **state)
{
    static const struct row rows[] = {
        {" WHERE pk IN ['b', 'a']", "pk='a' | pk='b'; pages of 10"},
        {" WHERE pk IN ['a']", "pk='a'"},
        {" WHERE pk = 'b' OR pk = 'a'", "pk='a' | pk='b'"},
        {" WHERE pk = 'a' AND sk IN [3, 1]", "pk='a', sk=1 | pk='a', sk=3"},
        {" WHERE pk = 'a' AND (sk > 5 OR sk < 2)", "pk='a', sk<2 | pk='a', sk>5"},
        {" WHERE pk IN ['b', 'a'] AND sk IN [2, 1]",
         "pk='a', sk=1 | pk='a', sk=2 | pk='b', sk=1 | pk='b', sk=2; pages of 10"},
        {" WHERE pk = 'b' AND v = 1 OR pk = 'a' AND sk = 2", "pk='a', sk=2 | pk='b' if (= v 1)"},
        {" WHERE (pk = 'a' OR pk = 'b') AND v = 1", "pk='a' if (= v 1) | pk='b' if (= v 1)"},
    };
    check_plans(*state, rows, OD_COUNT(rows));
}

static void reads_that_overlap_become_one(void **state)
{
    static const struct row rows[] = {
        {" WHERE pk = 'a' AND sk = 2 OR pk = 'a' AND NOT sk = 1",
         "pk='a' if (or (= sk 2) (not (= sk 1)))"},
        {" WHERE pk = 'a' AND sk <> 1 OR pk = 'b'",
         "pk='a' if (and (exists sk) (<> sk 1)) | pk='b'"},
        {" WHERE pk = 'a' AND (sk > 1 OR sk < 5)", "pk='a' if (or (> sk 1) (< sk 5))"},
        {" WHERE pk = 'a' AND (sk <= 3 OR sk >= 3)", "pk='a' if (or (>= sk 3) (<= sk 3))"},
        {" WHERE pk = 'a' AND v = 1 OR pk = 'a' AND sk = 2", "pk='a' if (or (= sk 2) (= v 1))"},
    };
    check_plans(*state, rows, OD_COUNT(rows));
}

static void what_is_named_twice_is_read_once(void **state)
{
    static const struct row rows[] = {
        {" WHERE pk IN ['b', 'a', 'b']", "pk='a' | pk='b'; pages of 10"},
        {" WHERE pk = 'a' OR pk = 'a'", "pk='a'"},
        {" WHERE pk = 'a' AND sk IN [1, 2, 1.0]", "pk='a', sk=1 | pk='a', sk=2"},
        {" WHERE pk IN ['a', 'a'] AND sk = 1", "pk='a', sk=1; one item"},
        {" WHERE pk = 'a' AND (sk = 1 OR sk BETWEEN 1 AND 1)", "pk='a', sk=1; one item"},
    };
    check_plans(*state, rows, OD_COUNT(rows));
}

static void a_part_and_the_whole_are_the_whole(void **state)
{
    od_ctx *cx = *state;
    static const char text[] = "SELECT * FROM Music WHERE pk = 'a' AND NOT sk = 1 OR pk = 'a'";
    struct od_select_plan plan = {0};
    check_ok(text, cx, plan_select(cx, text, false, &plan));
    check_size(text, plan.read_count, 1);
    assert(plan.reads != NULL);
    for (int sort = 1; sort < 3; sort++) {
        od_str item = od_arena_printf(cx->arena, "{pk: 'a', sk: %d}", sort);
        check_bool(text, od_condition_match(plan.reads[0].filter, value_of(cx, item.ptr)), true);
    }
}

static void orders_turn_reads_and_the_keys_within_them(void **state)
{
    static const struct row rows[] = {
        {" WHERE pk = 'a' ORDER BY sk", "pk='a'"},
        {" WHERE pk = 'a' ORDER BY sk ASC", "pk='a'"},
        {" WHERE pk = 'a' ORDER BY sk DESC", "pk='a'; backward"},
        {" WHERE pk = 'a' ORDER BY pk", "pk='a'"},
        {" WHERE pk = 'a' ORDER BY pk DESC", "pk='a'"},
        {" WHERE pk IN ['a', 'b'] ORDER BY pk DESC", "pk='b' | pk='a'; pages of 10"},
        {" WHERE pk = 'a' AND sk IN [1, 2] ORDER BY sk DESC",
         "pk='a', sk=2 | pk='a', sk=1; backward"},
        {" WHERE pk = 'a' OR pk = 'b' ORDER BY pk DESC, sk", "pk='b' | pk='a'"},
        {" WHERE pk = 'a' OR pk = 'b' ORDER BY pk, sk DESC", "pk='a' | pk='b'; backward"},
        {".ranked WHERE pk = 'a' ORDER BY rank DESC", "ranked: pk='a'; backward"},
    };
    check_plans(*state, rows, OD_COUNT(rows));
}

// --- Columns ------------------------------------------------------------------------------------

static void rows_hold_the_columns_by_their_last_names(void **state)
{
    od_ctx *cx = *state;
    static const char item[] = "{pk: 'p', m: {deep: 1, k: [5, 6]}, l: [[7]], n: null}";
    static const struct {
        const char *columns;
        const char *expected;
    } rows[] = {
        {"*", item},
        {"pk", "{pk: 'p'}"},
        {"n, pk", "{pk: 'p', n: null}"},
        {"m", "{m: {deep: 1, k: [5, 6]}}"},
        {"m.deep", "{deep: 1}"},
        {"x", "{}"},
        {"m.x, l[5], pk.a", "{}"},
        {"\"pk\", m['deep']", "{pk: 'p', deep: 1}"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_select_plan plan = {0};
        od_str text = od_arena_printf(cx->arena, "SELECT %s FROM Music", rows[i].columns);
        check_ok(rows[i].columns, cx, plan_select(cx, text.ptr, false, &plan));
        check_value(rows[i].columns, cx, od_partiql_row(cx->arena, &plan, value_of(cx, item)),
                    rows[i].expected);
    }
}

static void list_elements_are_columns_with_their_index(void **state)
{
    od_ctx *cx = *state;
    struct od_select_plan plan = {0};
    check_ok("elements", cx,
             plan_select(cx, "SELECT m.k[1], l[0][0], m.k[0] FROM Music", false, &plan));
    od_value row = od_partiql_row(cx->arena, &plan, value_of(cx, "{m: {k: [5, 6]}, l: [[7]]}"));
    check_size("elements", od_value_count(row), 3);
    check_value("k[0]", cx, od_map_get(row, OD_STR("k[0]")), "5");
    check_value("k[1]", cx, od_map_get(row, OD_STR("k[1]")), "6");
    check_value("l[0][0]", cx, od_map_get(row, OD_STR("l[0][0]")), "7");
}

static void a_projection_asks_for_what_the_columns_need(void **state)
{
    od_ctx *cx = *state;
    struct od_select_plan plan = {0};
    check_ok("all", cx, plan_select(cx, "SELECT * FROM Music", false, &plan));
    assert_null(plan.projection);
    check_ok("two", cx, plan_select(cx, "SELECT m.k, pk FROM Music", false, &plan));
    assert(plan.projection != NULL);
    check_size("two", plan.projection->count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(key_values_are_of_the_type_of_their_attribute),
        TEST(orders_go_by_keys_that_are_bound),
        TEST(indexes_are_there_and_hold_what_is_asked_of_them),
        TEST(one_select_is_at_most_fifty_reads),
        TEST(many_choices_are_counted_without_being_made),
        TEST(without_a_bound_hash_key_the_table_is_scanned),
        TEST(the_strongest_condition_on_the_sort_key_narrows_the_read),
        TEST(lists_and_choices_of_keys_become_reads_in_their_order),
        TEST(reads_that_overlap_become_one),
        TEST(what_is_named_twice_is_read_once),
        TEST(a_part_and_the_whole_are_the_whole),
        TEST(orders_turn_reads_and_the_keys_within_them),
        TEST(rows_hold_the_columns_by_their_last_names),
        TEST(list_elements_are_columns_with_their_index),
        TEST(a_projection_asks_for_what_the_columns_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
