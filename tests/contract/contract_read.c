#include "contract.h"

#include <string.h>

static void put_letters(struct contract *c)
{
    contract_put(c, 6, "c", "below");
    contract_put(c, 8, "c", "above");
    for (const char *at = "dbkzmfa"; *at != '\0'; at++) {
        char key[] = {*at, '\0'};
        char value[] = {(char)(*at - 'a' + 'A'), '\0'};
        contract_put(c, 7, key, value);
    }
}

static void what_is_not_there_is_absent_not_an_error(void **state)
{
    struct contract *c = *state;
    contract_assert_value(c, 7, "a", NULL);
    contract_assert_group(c, 7, "");
    contract_put(c, 7, "a", "1");
    contract_assert_value(c, 7, "b", NULL);
    contract_assert_value(c, 8, "a", NULL);
    contract_assert_value(c, 7, "aa", NULL);
}

static void a_scan_visits_what_its_bounds_say_in_order(void **state)
{
    struct contract *c = *state;
    put_letters(c);
    static const struct {
        const char *lo;
        const char *hi;
        bool reverse;
        const char *want;
    } rows[] = {
        {"b", "b", false, ""},
        {"b", "b", true, ""},
        {"m", "b", false, ""},
        {"m", "b", true, ""},
        {"zz", "", false, ""},
        {"zz", "", true, ""},
        {"", "a", false, ""},
        {"", "a", true, ""},
        {"g", "k", false, ""},
        {"g", "k", true, ""},
        {"", "", false, "a=A b=B d=D f=F k=K m=M z=Z "},
        {"", "", true, "z=Z m=M k=K f=F d=D b=B a=A "},
        {"b", "", false, "b=B d=D f=F k=K m=M z=Z "},
        {"b", "", true, "z=Z m=M k=K f=F d=D b=B "},
        {"", "k", false, "a=A b=B d=D f=F "},
        {"", "k", true, "f=F d=D b=B a=A "},
        {"b", "m", false, "b=B d=D f=F k=K "},
        {"b", "m", true, "k=K f=F d=D b=B "},
        {"c", "l", false, "d=D f=F k=K "},
        {"c", "l", true, "k=K f=F d=D "},
        {"z", "zz", false, "z=Z "},
        {"a", "aa", true, "a=A "},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_scan_range range = {.group = 7,
                                      .lo = od_cstr(rows[i].lo),
                                      .hi = od_cstr(rows[i].hi),
                                      .reverse = rows[i].reverse};
        od_str got = contract_scan(c, NULL, &range);
        if (!od_str_eq(got, od_cstr(rows[i].want))) {
            fail_msg("row %zu: %s", i, got.ptr);
        }
    }
}

static void the_bounds_hold_after_a_reopening_too(void **state)
{
    struct contract *c = *state;
    if (!contract_is_durable(c)) {
        skip();
    }
    put_letters(c);
    contract_reopen(c);
    contract_assert_group(c, 7, "a=A b=B d=D f=F k=K m=M z=Z ");
    contract_assert_group(c, 6, "c=below ");
    contract_assert_group(c, 8, "c=above ");
}

static bool visit_some(void *arg, od_str key, od_str value)
{
    (void)key;
    (void)value;
    size_t *left = arg;
    (*left)--;
    return *left > 0;
}

static void a_visitor_stops_the_scan(void **state)
{
    struct contract *c = *state;
    put_letters(c);
    for (int reverse = 0; reverse < 2; reverse++) {
        size_t left = 3;
        struct od_scan_range range = {.group = 7, .reverse = reverse != 0};
        assert_int_equal(c->ops->scan(c->store, &c->cx, NULL, &range, visit_some, &left), OD_OK);
        assert_int_equal(left, 0);
    }
}

static bool look_up_neighbour(void *arg, od_str key, od_str value)
{
    struct contract *c = arg;
    assert_true(od_str_eq(contract_get(c, NULL, 7, key), value));
    struct od_scan_range range = {.group = 8};
    assert_string_equal(contract_scan(c, NULL, &range).ptr, "c=above ");
    return true;
}

static void a_visitor_reads_the_same_store(void **state)
{
    struct contract *c = *state;
    put_letters(c);
    struct od_scan_range range = {.group = 7};
    assert_int_equal(c->ops->scan(c->store, &c->cx, NULL, &range, look_up_neighbour, c), OD_OK);
}

static void many_keys_are_found_in_one_call(void **state)
{
    struct contract *c = *state;
    enum { KEYS = 200 };
    od_str keys[KEYS];
    od_str values[KEYS];
    for (size_t i = 0; i < KEYS; i++) {
        keys[i] = od_arena_printf(c->cx.arena, "key%zu", i * 7 % KEYS);
        values[i] = OD_STR("not touched");
        if (i % 3 != 0) {
            contract_put(c, 7, keys[i].ptr, keys[i].ptr + 3);
        }
    }
    assert_int_equal(c->ops->get(c->store, &c->cx, NULL, 7, keys, KEYS, values), OD_OK);
    for (size_t i = 0; i < KEYS; i++) {
        bool right =
            i % 3 == 0 ? values[i].ptr == NULL : od_str_eq(values[i], od_str_skip(keys[i], 3));
        if (!right) {
            fail_msg("row %zu", i);
        }
    }
    assert_int_equal(c->ops->get(c->store, &c->cx, NULL, 7, NULL, 0, NULL), OD_OK);
}

static void the_same_key_twice_in_one_call_is_found_twice(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    od_str keys[] = {OD_STR("a"), OD_STR("b"), OD_STR("a")};
    od_str values[OD_COUNT(keys)];
    assert_int_equal(c->ops->get(c->store, &c->cx, NULL, 7, keys, OD_COUNT(keys), values), OD_OK);
    assert_string_equal(values[0].ptr, "1");
    assert_null(values[1].ptr);
    assert_string_equal(values[2].ptr, "1");
}

static void keys_are_bytes_in_the_order_of_memcmp(void **state)
{
    struct contract *c = *state;
    static const od_str sorted[] = {
        OD_STR_INIT("\x01"),
        OD_STR_INIT("\x01\x01"),
        OD_STR_INIT("\x01\xff"),
        OD_STR_INIT("A"),
        OD_STR_INIT("a"),
        OD_STR_INIT("a\x01"),
        OD_STR_INIT("\x7f\xff"),
        OD_STR_INIT("\x80"),
        OD_STR_INIT("\xff"),
        OD_STR_INIT("\xff\xff"),
        OD_STR_INIT("\xff\xff\xff\xff\xff"),
    };
    struct od_mutation puts[OD_COUNT(sorted)];
    for (size_t i = 0; i < OD_COUNT(sorted); i++) {
        size_t at = i * 4 % OD_COUNT(sorted);
        puts[i] =
            (struct od_mutation){.kind = OD_MUTATION_PUT, .key = sorted[at], .value = sorted[at]};
    }
    assert_int_equal(contract_commit(c, 7, puts, OD_COUNT(puts)), OD_OK);
    od_str want = {0};
    for (size_t i = 0; i < OD_COUNT(sorted); i++) {
        want = od_arena_printf(c->cx.arena, "%.*s%.*s=%.*s ", OD_STR_ARG(want),
                               OD_STR_ARG(sorted[i]), OD_STR_ARG(sorted[i]));
        assert_true(od_str_eq(contract_get(c, NULL, 7, sorted[i]), sorted[i]));
    }
    struct od_scan_range all = {.group = 7};
    assert_true(od_str_eq(contract_scan(c, NULL, &all), want));
}

static void values_are_any_bytes_up_to_the_largest_item(void **state)
{
    struct contract *c = *state;
    static const size_t sizes[] = {1, 2, 100, 4096, 70000, 409600, 430000};
    for (size_t i = 0; i < OD_COUNT(sizes); i++) {
        char *bytes = od_arena_bytes(c->cx.arena, sizes[i]);
        for (size_t j = 0; j < sizes[i]; j++) {
            bytes[j] = (char)(j * 31 + i); // zero bytes too
        }
        struct od_mutation put = {
            .kind = OD_MUTATION_PUT, .key = OD_STR("large"), .value = {bytes, sizes[i]}};
        assert_int_equal(contract_commit(c, 7, &put, 1), OD_OK);
        if (!od_str_eq(contract_get(c, NULL, 7, OD_STR("large")), put.value)) {
            fail_msg("row %zu", i);
        }
    }
}

static void long_keys_are_kept_whole(void **state)
{
    struct contract *c = *state;
    enum { LONG = 4000 }; // two keys of 2,048 and 1,024 bytes, and what encoding adds
    char key[LONG + 1];
    memset(key, 'k', LONG);
    key[LONG] = '\0';
    contract_put(c, 7, key, "long");
    key[LONG - 1] = 'j';
    contract_put(c, 7, key, "before");
    struct od_scan_range range = {.group = 7, .lo = {key, LONG - 1}, .hi = {key, LONG}};
    assert_string_equal(contract_scan(c, NULL, &range).ptr, "");
    contract_assert_value(c, 7, key, "before");
    key[LONG - 1] = 'k';
    contract_assert_value(c, 7, key, "long");
}

static void a_snapshot_stays_as_it_was(void **state)
{
    struct contract *c = *state;
    put_letters(c);
    od_snapshot *snapshot = NULL;
    assert_int_equal(c->ops->snapshot_open(c->store, &c->cx, &snapshot), OD_OK);
    struct od_scan_range range = {.group = 7, .lo = OD_STR("b"), .hi = OD_STR("k")};
    assert_string_equal(contract_scan(c, snapshot, &range).ptr, "b=B d=D f=F ");
    assert_string_equal(contract_get(c, snapshot, 7, OD_STR("b")).ptr, "B");
    assert_null(contract_get(c, snapshot, 7, OD_STR("c")).ptr);
    // Reads beside it, and a second one.
    contract_assert_value(c, 7, "b", "B");
    od_snapshot *second = NULL;
    assert_int_equal(c->ops->snapshot_open(c->store, &c->cx, &second), OD_OK);
    c->ops->snapshot_close(c->store, snapshot);
    assert_string_equal(contract_get(c, second, 7, OD_STR("b")).ptr, "B");
    c->ops->snapshot_close(c->store, second);
    contract_put(c, 7, "b", "new");
    contract_assert_value(c, 7, "b", "new");
}

static void a_healthy_store_is_writable(void **state)
{
    struct contract *c = *state;
    struct od_store_health health = c->ops->health(c->store);
    assert_true(health.writable);
    assert_null(health.reason);
    assert_int_equal(c->ops->abi, OD_STORE_ABI);
}

const struct CMUnitTest contract_read_tests[] = {
    CONTRACT_TEST(what_is_not_there_is_absent_not_an_error),
    CONTRACT_TEST(a_scan_visits_what_its_bounds_say_in_order),
    CONTRACT_TEST(the_bounds_hold_after_a_reopening_too),
    CONTRACT_TEST(a_visitor_stops_the_scan),
    CONTRACT_TEST(a_visitor_reads_the_same_store),
    CONTRACT_TEST(many_keys_are_found_in_one_call),
    CONTRACT_TEST(the_same_key_twice_in_one_call_is_found_twice),
    CONTRACT_TEST(keys_are_bytes_in_the_order_of_memcmp),
    CONTRACT_TEST(values_are_any_bytes_up_to_the_largest_item),
    CONTRACT_TEST(long_keys_are_kept_whole),
    CONTRACT_TEST(a_snapshot_stays_as_it_was),
    CONTRACT_TEST(a_healthy_store_is_writable),
};
const size_t contract_read_test_count = OD_COUNT(contract_read_tests);
