#include "contract.h"

static struct od_mutation put_of(const char *key, const char *value)
{
    return (struct od_mutation){
        .kind = OD_MUTATION_PUT, .key = od_cstr(key), .value = od_cstr(value)};
}

static void a_check_decides_over_the_whole_commit(void **state)
{
    struct contract *c = *state;
    static const struct {
        enum od_check_kind kind;
        bool holds;
        const char *key;
        const char *value;
    } rows[] = {
        {OD_CHECK_EQ, true, "here", "mm"},    {OD_CHECK_EQ, false, "here", "m"},
        {OD_CHECK_EQ, false, "here", "mmm"},  {OD_CHECK_EQ, false, "here", "nn"},
        {OD_CHECK_EQ, false, "gone", "mm"},   {OD_CHECK_EQ, false, "gone", ""},
        {OD_CHECK_ABSENT, false, "here", ""}, {OD_CHECK_ABSENT, true, "gone", ""},
        {OD_CHECK_ABSENT, true, "her", ""},   {OD_CHECK_LT, false, "here", "mm"},
        {OD_CHECK_LT, false, "here", "ml"},   {OD_CHECK_LT, false, "here", "m"},
        {OD_CHECK_LT, true, "here", "mmm"},   {OD_CHECK_LT, true, "here", "n"},
        {OD_CHECK_LT, true, "here", "\xff"},  {OD_CHECK_LT, true, "gone", "a"},
    };
    contract_put(c, 7, "here", "mm");
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_check check = {
            .kind = rows[i].kind, .key = od_cstr(rows[i].key), .value = od_cstr(rows[i].value)};
        struct od_mutation puts[] = {put_of("a", "1"), put_of("b", "1")};
        struct od_commit_part parts[] = {
            {.group = 7,
             .checks = &check,
             .check_count = 1,
             .mutations = &puts[0],
             .mutation_count = 1},
            {.group = 8, .mutations = &puts[1], .mutation_count = 1},
        };
        od_status status = c->ops->commit(c->store, &c->cx, parts, OD_COUNT(parts));
        bool both = contract_get(c, NULL, 7, OD_STR("a")).ptr != NULL &&
                    contract_get(c, NULL, 8, OD_STR("b")).ptr != NULL;
        bool none = contract_get(c, NULL, 7, OD_STR("a")).ptr == NULL &&
                    contract_get(c, NULL, 8, OD_STR("b")).ptr == NULL;
        if (status != (rows[i].holds ? OD_OK : OD_STORE_CONFLICT) ||
            !(rows[i].holds ? both : none)) {
            fail_msg("row %zu: status %d", i, (int)status);
        }
        contract_del(c, 7, "a");
        contract_del(c, 8, "b");
    }
}

static void a_failing_check_in_the_last_part_undoes_the_first(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "old", "1");
    struct od_mutation changes[] = {
        put_of("new", "1"),
        {.kind = OD_MUTATION_DEL, .key = OD_STR("old")},
        {.kind = OD_MUTATION_DEL_RANGE},
    };
    struct od_check checks[] = {
        {.kind = OD_CHECK_ABSENT, .key = OD_STR("x")},
        {.kind = OD_CHECK_EQ, .key = OD_STR("x"), .value = OD_STR("y")},
    };
    struct od_commit_part parts[] = {
        {.group = 7,
         .checks = checks,
         .check_count = 1,
         .mutations = changes,
         .mutation_count = OD_COUNT(changes)},
        {.group = 9, .checks = checks, .check_count = OD_COUNT(checks)},
    };
    assert_int_equal(c->ops->commit(c->store, &c->cx, parts, OD_COUNT(parts)), OD_STORE_CONFLICT);
    assert_true(c->cx.error.len > 0);
    contract_assert_group(c, 7, "old=1 ");
    // And nothing of it comes along with the next commit.
    contract_put(c, 7, "next", "1");
    contract_assert_group(c, 7, "next=1 old=1 ");
}

static void checks_see_what_was_before_the_commit(void **state)
{
    struct contract *c = *state;
    struct od_check absent = {.kind = OD_CHECK_ABSENT, .key = OD_STR("a")};
    struct od_mutation put = put_of("a", "1");
    struct od_commit_part parts[] = {
        {.group = 7, .mutations = &put, .mutation_count = 1},
        {.group = 7, .checks = &absent, .check_count = 1},
    };
    assert_int_equal(c->ops->commit(c->store, &c->cx, parts, OD_COUNT(parts)), OD_OK);
    contract_assert_group(c, 7, "a=1 ");
}

static void a_commit_of_nothing_is_well(void **state)
{
    struct contract *c = *state;
    struct od_commit_part empty = {.group = 7};
    assert_int_equal(c->ops->commit(c->store, &c->cx, NULL, 0), OD_OK);
    assert_int_equal(c->ops->commit(c->store, &c->cx, &empty, 1), OD_OK);
    contract_assert_group(c, 7, "");
}

static void a_put_replaces_and_a_delete_need_not_find(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    contract_put(c, 7, "a", "longer than before");
    contract_assert_group(c, 7, "a=longer than before ");
    contract_put(c, 7, "a", "2");
    contract_del(c, 7, "b");
    contract_del(c, 99, "b");
    contract_assert_group(c, 7, "a=2 ");
    contract_del(c, 7, "a");
    contract_del(c, 7, "a");
    contract_assert_group(c, 7, "");
}

static void mutations_apply_in_their_order(void **state)
{
    struct contract *c = *state;
    struct od_mutation changes[] = {
        put_of("a", "1"),
        put_of("a", "2"),
        put_of("b", "1"),
        put_of("c", "1"),
        {.kind = OD_MUTATION_DEL_RANGE, .key = OD_STR("b"), .value = OD_STR("d")},
        put_of("c", "2"),
        {.kind = OD_MUTATION_DEL, .key = OD_STR("a")},
        put_of("d", "1"),
    };
    assert_int_equal(contract_commit(c, 7, changes, OD_COUNT(changes)), OD_OK);
    contract_assert_group(c, 7, "c=2 d=1 ");
    contract_assert_value(c, 7, "b", NULL);
}

static void a_range_goes_and_its_neighbours_stay(void **state)
{
    struct contract *c = *state;
    static const struct {
        const char *lo;
        const char *hi;
        const char *want;
    } rows[] = {
        {"b", "b", "a=1 b=1 c=1 d=1 "},
        {"d", "b", "a=1 b=1 c=1 d=1 "},
        {"bb", "bc", "a=1 b=1 c=1 d=1 "},
        {"e", "", "a=1 b=1 c=1 d=1 "},
        {"", "a", "a=1 b=1 c=1 d=1 "},
        {"b", "c", "a=1 c=1 d=1 "},
        {"b", "cc", "a=1 d=1 "},
        {"c", "", "a=1 b=1 "},
        {"", "c", "c=1 d=1 "},
        {"", "", ""},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        for (od_group group = 6; group <= 8; group++) {
            contract_put(c, group, "a", "1");
            contract_put(c, group, "b", "1");
            contract_put(c, group, "c", "1");
            contract_put(c, group, "d", "1");
        }
        contract_del_range(c, 7, rows[i].lo, rows[i].hi);
        struct od_scan_range all = {.group = 7};
        od_str got = contract_scan(c, NULL, &all);
        all.reverse = true;
        if (!od_str_eq(got, od_cstr(rows[i].want)) || contract_scan(c, NULL, &all).len != got.len) {
            fail_msg("row %zu: %s", i, got.ptr);
        }
        contract_assert_group(c, 6, "a=1 b=1 c=1 d=1 ");
        contract_assert_group(c, 8, "a=1 b=1 c=1 d=1 ");
    }
}

static void a_row_that_was_read_is_what_it_became_last(void **state)
{
    struct contract *c = *state;
    enum { CHANGES = 2 };
    struct od_mutation put = put_of("a", "2");
    struct od_mutation put_again = put_of("a", "3");
    struct od_mutation del = {.kind = OD_MUTATION_DEL, .key = OD_STR("a")};
    struct od_mutation del_range = {.kind = OD_MUTATION_DEL_RANGE};
    const struct {
        struct od_mutation changes[CHANGES];
        const char *want;
    } rows[] = {
        {{put, put_again}, "3"}, {{put, del}, NULL},       {{del, put}, "2"},
        {{del, del}, NULL},      {{put, del_range}, NULL}, {{del_range, put}, "2"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        contract_put(c, 7, "a", "1");
        contract_assert_value(c, 7, "a", "1");
        contract_assert_value(c, 7, "a", "1");
        assert_int_equal(contract_commit(c, 7, rows[i].changes, CHANGES), OD_OK);
        od_str want = rows[i].want == NULL ? (od_str){0} : od_cstr(rows[i].want);
        for (int reads = 0; reads < 3; reads++) {
            if (!od_str_eq(contract_get(c, NULL, 7, OD_STR("a")), want)) {
                fail_msg("row %zu, read %d", i, reads);
            }
        }
    }
    assert_int_equal(c->ops->group_drop(c->store, &c->cx, 7), OD_OK);
    contract_assert_value(c, 7, "a", NULL);
}

static void a_dropped_group_is_empty_and_others_are_not(void **state)
{
    struct contract *c = *state;
    assert_int_equal(c->ops->group_drop(c->store, &c->cx, 7), OD_OK);
    for (od_group group = 6; group <= 8; group++) {
        contract_put(c, group, "a", "1");
        contract_put(c, group, "\xff\xff", "2");
    }
    if (contract_is_durable(c)) {
        contract_reopen(c); // so that there are files to drop
    }
    contract_put(c, 7, "b", "1");
    assert_int_equal(c->ops->group_drop(c->store, &c->cx, 7), OD_OK);
    assert_int_equal(c->ops->group_drop(c->store, &c->cx, 7), OD_OK);
    contract_assert_group(c, 7, "");
    contract_assert_value(c, 7, "a", NULL);
    contract_assert_group(c, 6, "a=1 \xff\xff=2 ");
    contract_assert_group(c, 8, "a=1 \xff\xff=2 ");
    if (contract_is_durable(c)) {
        contract_reopen(c);
        contract_assert_group(c, 7, "");
        contract_assert_group(c, 8, "a=1 \xff\xff=2 ");
    }
}

static void the_last_group_has_an_end_too(void **state)
{
    struct contract *c = *state;
    const od_group last = UINT32_MAX - 1;
    contract_put(c, last, "a", "1");
    contract_put(c, last, "\xff", "1");
    contract_assert_group(c, last, "a=1 \xff=1 ");
    contract_del_range(c, last, "b", "");
    contract_assert_group(c, last, "a=1 ");
    assert_int_equal(c->ops->group_drop(c->store, &c->cx, last), OD_OK);
    contract_assert_group(c, last, "");
}

static void hundreds_of_range_deletions_hide_nothing_new(void **state)
{
    struct contract *c = *state;
    enum { ROUNDS = 300 };
    for (int i = 0; i < ROUNDS; i++) {
        od_str key = od_arena_printf(c->cx.arena, "k%04d", i);
        contract_put(c, 7, key.ptr, "1");
        if (i >= 10) {
            od_str end = od_arena_printf(c->cx.arena, "k%04d", i - 9);
            contract_del_range(c, 7, "", end.ptr);
        }
    }
    contract_assert_group(c, 7,
                          "k0290=1 k0291=1 k0292=1 k0293=1 k0294=1 k0295=1 k0296=1 k0297=1 "
                          "k0298=1 k0299=1 ");
}

const struct CMUnitTest contract_commit_tests[] = {
    CONTRACT_TEST(a_check_decides_over_the_whole_commit),
    CONTRACT_TEST(a_failing_check_in_the_last_part_undoes_the_first),
    CONTRACT_TEST(checks_see_what_was_before_the_commit),
    CONTRACT_TEST(a_commit_of_nothing_is_well),
    CONTRACT_TEST(a_put_replaces_and_a_delete_need_not_find),
    CONTRACT_TEST(mutations_apply_in_their_order),
    CONTRACT_TEST(a_range_goes_and_its_neighbours_stay),
    CONTRACT_TEST(a_row_that_was_read_is_what_it_became_last),
    CONTRACT_TEST(a_dropped_group_is_empty_and_others_are_not),
    CONTRACT_TEST(the_last_group_has_an_end_too),
    CONTRACT_TEST(hundreds_of_range_deletions_hide_nothing_new),
};
const size_t contract_commit_test_count = OD_COUNT(contract_commit_tests);
