// Random statements: what a WHERE is true of, the reads that it becomes give just once, in order.
#include "support.h"

enum { STATEMENTS = 20000, MAX_CONDITION_DEPTH = 3, HASHES = 3, SORTS = 5, OTHERS = 3 };

// --- Random statements --------------------------------------------------------------------------

struct writer {
    struct od_buf text;
    uint64_t *random;
};

static size_t below(struct writer *w, size_t bound)
{
    return (size_t)random_below(w->random, bound);
}

static void put(struct writer *w, const char *text)
{
    od_buf_put(&w->text, od_cstr(text));
}

static void put_one_of(struct writer *w, const char *const *texts, size_t count)
{
    put(w, texts[below(w, count)]);
}

static void put_hash(struct writer *w)
{
    static const char *const hashes[HASHES] = {"'a'", "'b'", "'c'"};
    put_one_of(w, hashes, HASHES);
}

static void put_sort(struct writer *w)
{
    od_buf_printf(&w->text, "%zu", below(w, SORTS));
}

static void put_list(struct writer *w, void (*put_value)(struct writer *w))
{
    put(w, " IN [");
    put_value(w);
    for (size_t more = below(w, 3); more > 0; more--) {
        put(w, ", ");
        put_value(w);
    }
    put(w, "]");
}

static void put_hash_condition(struct writer *w)
{
    static const char *const others[] = {"pk <> ", "pk > ", "pk <= ", "pk = "};
    if (below(w, 4) == 0) {
        put(w, "pk");
        put_list(w, put_hash);
        return;
    }
    put(w, below(w, 4) > 0 ? "pk = " : others[below(w, OD_COUNT(others))]);
    put_hash(w);
}

static void put_sort_condition(struct writer *w)
{
    static const char *const ops[] = {"sk = ", "sk < ", "sk <= ", "sk > ", "sk >= ", "sk <> "};
    switch (below(w, 4)) {
    case 0:
        put(w, "sk");
        put_list(w, put_sort);
        return;
    case 1:
        od_buf_printf(&w->text, "sk BETWEEN %zu AND %d", below(w, SORTS), SORTS - 1);
        return;
    default:
        put_one_of(w, ops, OD_COUNT(ops));
        put_sort(w);
    }
}

static void put_other_condition(struct writer *w)
{
    static const char *const conditions[] = {"v = 1",        "v <> 1",  "v IS MISSING", "v > 1",
                                             "NOT v IN [1]", "v <= sk", "pk <> sk",     "v = sk"};
    put_one_of(w, conditions, OD_COUNT(conditions));
}

static void put_condition(struct writer *w, size_t depth);

static void put_joined(struct writer *w, size_t depth)
{
    const char *joint = below(w, 2) == 0 ? " AND " : " OR ";
    put(w, "(");
    put_condition(w, depth + 1);
    for (size_t more = 1 + below(w, 2); more > 0; more--) {
        put(w, joint);
        put_condition(w, depth + 1);
    }
    put(w, ")");
}

static void put_condition(struct writer *w, size_t depth)
{
    size_t choice = below(w, depth < MAX_CONDITION_DEPTH ? 10 : 5);
    if (choice >= 6) {
        put_joined(w, depth);
    } else if (choice == 5) {
        put(w, "NOT ");
        put_condition(w, depth + 1);
    } else if (choice >= 3) {
        put_hash_condition(w);
    } else if (choice >= 1) {
        put_sort_condition(w);
    } else {
        put_other_condition(w);
    }
}

static const char *random_where(od_ctx *cx, uint64_t *random)
{
    struct writer w = {.text = {.arena = cx->arena}, .random = random};
    put(&w, "SELECT * FROM Music WHERE ");
    if (below(&w, 2) == 0) {
        put_hash_condition(&w);
        put(&w, " AND ");
    }
    put_condition(&w, 0);
    od_buf_put_byte(&w.text, '\0');
    return od_buf_str(&w.text).ptr;
}

struct order {
    const char *text;
    bool hash_descending;
    bool sort_descending;
};

static const struct order orders[] = {
    {"", false, false},
    {" ORDER BY pk", false, false},
    {" ORDER BY pk DESC", true, false},
    {" ORDER BY sk", false, false},
    {" ORDER BY sk DESC", false, true},
    {" ORDER BY pk, sk", false, false},
    {" ORDER BY pk DESC, sk", true, false},
    {" ORDER BY pk, sk DESC", false, true},
    {" ORDER BY pk DESC, sk DESC", true, true},
};

// --- Reads of a small table ---------------------------------------------------------------------

// In ascending order of their keys.
struct items {
    od_value rows[HASHES * SORTS * OTHERS];
    size_t count;
};

static void fill(od_ctx *cx, struct items *items)
{
    static const char *const others[OTHERS] = {"", ", v: 1", ", v: 2"};
    for (size_t i = 0; i < OD_COUNT(items->rows); i++) {
        od_str text =
            od_arena_printf(cx->arena, "{pk: '%c', sk: %zu%s}", (int)('a' + i / OTHERS / SORTS),
                            i / OTHERS % SORTS, others[i % OTHERS]);
        items->rows[items->count++] = value_of(cx, text.ptr);
    }
}

static bool term_holds(const struct od_key_term *term, od_value item)
{
    od_value v = od_map_get(item, term->name);
    int order = od_value_compare(v, term->value);
    switch (term->op) {
    case OD_KEY_LT:
        return order < 0;
    case OD_KEY_LE:
        return order <= 0;
    case OD_KEY_GT:
        return order > 0;
    case OD_KEY_GE:
        return order >= 0;
    case OD_KEY_BETWEEN:
        return order >= 0 && od_value_compare(v, term->upper) <= 0;
    default:
        return order == 0;
    }
}

static bool read_gives(const struct od_select_read *read, od_value item)
{
    const struct od_key_condition *keys = read->key_condition;
    for (size_t i = 0; keys != NULL && i < keys->count; i++) {
        if (!term_holds(&keys->terms[i], item)) {
            return false;
        }
    }
    return read->filter == NULL || od_condition_match(read->filter, item);
}

struct given {
    size_t rows[HASHES * SORTS * OTHERS]; // places in items
    size_t count;
};

// Everything that the plan gives, in the order of the answer.
static bool run(const struct od_select_plan *plan, const struct items *items, struct given *out)
{
    for (size_t r = 0; r < plan->read_count; r++) {
        for (size_t i = 0; i < items->count; i++) {
            size_t at = plan->backward ? items->count - 1 - i : i;
            if (!read_gives(&plan->reads[r], items->rows[at])) {
                continue;
            }
            if (out->count == OD_COUNT(out->rows)) {
                return false;
            }
            out->rows[out->count++] = at;
        }
    }
    return true;
}

static bool in_order(od_value before, od_value after, const struct order *order)
{
    int by_hash =
        od_value_compare(od_map_get(before, OD_STR("pk")), od_map_get(after, OD_STR("pk")));
    int by_sort =
        od_value_compare(od_map_get(before, OD_STR("sk")), od_map_get(after, OD_STR("sk")));
    if (by_hash != 0) {
        return order->hash_descending ? by_hash > 0 : by_hash < 0;
    }
    return order->sort_descending ? by_sort >= 0 : by_sort <= 0;
}

// A table whose keys the statements do not name: it is scanned with the whole WHERE.
static const struct od_condition *whole_condition(od_ctx *cx, const char *text)
{
    const struct od_statement statement = parsed(cx, text);
    struct od_table *table = od_new(cx->arena, struct od_table);
    const struct od_key_attr id = {.name = OD_STR("id"), .type = OD_TYPE_S};
    table->schema = (struct od_key_schema){.attrs = {id}, .hash_count = 1};
    struct od_select_plan plan = {0};
    check_ok("the whole", cx, od_partiql_plan_select(cx, &statement, table, false, &plan));
    return plan.reads[0].filter;
}

static void check_times(const char *text, const struct items *items, const struct given *given,
                        const struct od_condition *whole)
{
    for (size_t i = 0; i < items->count; i++) {
        size_t times = 0;
        for (size_t j = 0; j < given->count; j++) {
            times += given->rows[j] == i;
        }
        check_size(text, times, od_condition_match(whole, items->rows[i]));
    }
}

static void check_plan(od_ctx *cx, const char *text, const struct order *order,
                       const struct od_select_plan *plan)
{
    struct items items = {0};
    struct given given = {0};
    fill(cx, &items);
    check_bool(text, run(plan, &items, &given), true);
    check_times(text, &items, &given, whole_condition(cx, text));
    for (size_t i = 1; i < given.count; i++) {
        check_bool(text, in_order(items.rows[given.rows[i - 1]], items.rows[given.rows[i]], order),
                   true);
    }
}

// --- Tests --------------------------------------------------------------------------------------

static bool is_expected_fault(od_str message)
{
    static const char *const messages[] = {
        "A SELECT may bind the hash key at most 50 times",
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER "
        "BY clause.",
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in "
        "WHERE clause.",
    };
    for (size_t i = 0; i < OD_COUNT(messages); i++) {
        if (od_str_eq(message, od_cstr(messages[i]))) {
            return true;
        }
    }
    return false;
}

// Whether the statement became more than a scan.
static bool try_statement(od_ctx *cx, uint64_t *random)
{
    const char *text = random_where(cx, random);
    const struct order *order = &orders[random_below(random, OD_COUNT(orders))];
    const struct od_statement statement =
        parsed(cx, od_arena_printf(cx->arena, "%s%s", text, order->text).ptr);
    struct od_select_plan plan = {0};
    if (od_partiql_plan_select(cx, &statement, music(cx), false, &plan) != OD_OK) {
        check_bool(text, is_expected_fault(cx->error), true);
        return false;
    }
    check_plan(cx, text, order, &plan);
    return plan.reads[0].key_condition != NULL;
}

static void reads_give_once_and_in_order_what_a_where_is_true_of(void **state)
{
    od_ctx *cx = *state;
    uint64_t random = random_seed();
    size_t keyed = 0;
    for (size_t i = 0; i < STATEMENTS; i++) {
        od_mark mark = od_arena_mark(cx->arena);
        keyed += try_statement(cx, &random);
        od_arena_rewind(cx->arena, mark);
    }
    assert_true(keyed > STATEMENTS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_give_once_and_in_order_what_a_where_is_true_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
