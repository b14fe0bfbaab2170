// What the committer remembers of the sizes of items.
#include "engine/commit/batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { GROUP = 20, OTHER_GROUP = 21 };

static int setup(void **state)
{
    static struct od_sizes sizes;
    od_sizes_init(&sizes);
    *state = &sizes;
    return 0;
}

static int teardown(void **state)
{
    od_sizes_clear(*state);
    return 0;
}

static void check_unknown(const struct od_sizes *sizes, od_group group, od_str key)
{
    size_t size = 1;
    assert_false(od_sizes_find(sizes, group, key, &size));
}

static void check_known(const struct od_sizes *sizes, od_group group, od_str key, size_t want)
{
    size_t size = want + 1;
    assert_true(od_sizes_find(sizes, group, key, &size));
    assert_int_equal(size, want);
}

static void what_was_never_noted_is_not_known(void **state)
{
    struct od_sizes *sizes = *state;
    check_unknown(sizes, GROUP, OD_STR("a"));
    od_sizes_note(sizes, GROUP, OD_STR("a"), 5);
    check_unknown(sizes, OTHER_GROUP, OD_STR("a"));
    check_unknown(sizes, GROUP, OD_STR("b"));
}

static void what_was_forgotten_is_not_known(void **state)
{
    struct od_sizes *sizes = *state;
    od_sizes_note(sizes, GROUP, OD_STR("a"), 5);
    od_sizes_clear(sizes);
    check_unknown(sizes, GROUP, OD_STR("a"));
}

static void the_newest_size_counts(void **state)
{
    struct od_sizes *sizes = *state;
    od_sizes_note(sizes, GROUP, OD_STR("a"), 5);
    od_sizes_note(sizes, OTHER_GROUP, OD_STR("a"), 6);
    od_sizes_note(sizes, GROUP, OD_STR("a"), 409600);
    check_known(sizes, GROUP, OD_STR("a"), 409600);
    check_known(sizes, OTHER_GROUP, OD_STR("a"), 6);
}

static void that_there_is_no_item_is_known_too(void **state)
{
    struct od_sizes *sizes = *state;
    od_sizes_note(sizes, GROUP, OD_STR("a"), 5);
    od_sizes_note(sizes, GROUP, OD_STR("a"), 0);
    check_known(sizes, GROUP, OD_STR("a"), 0);
}

static od_str number_key(char out[16], int number)
{
    return (od_str){out, (size_t)snprintf(out, 16, "key %d", number)};
}

// Of more keys than there is room for, the oldest are forgotten, and none is taken for another.
static void many_keys_are_forgotten_and_not_mixed_up(void **state)
{
    enum { KEYS = 400000, MUST_KNOW = 150000 };
    struct od_sizes *sizes = *state;
    char space[16];
    for (int i = 0; i < KEYS; i++) {
        od_sizes_note(sizes, GROUP, number_key(space, i), (size_t)i);
    }
    int known = 0;
    for (int i = 0; i < KEYS; i++) {
        size_t size = 0;
        if (od_sizes_find(sizes, GROUP, number_key(space, i), &size)) {
            assert_int_equal(size, i);
            known++;
        }
    }
    assert_in_range(known, MUST_KNOW, KEYS);
    check_known(sizes, GROUP, number_key(space, KEYS - 1), KEYS - 1);
}

// --- In a batch
// -----------------------------------------------------------------------------------

static od_status commit_status;

static od_status fake_commit(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                             size_t count)
{
    (void)store;
    (void)parts;
    assert_int_equal(count, 1);
    return commit_status == OD_OK ? OD_OK : OD_FAIL(cx, commit_status, "told to fail");
}

static const struct od_store_ops fake_ops = {
    .abi = OD_STORE_ABI, .name = "fake", .commit = fake_commit};

static void put(struct od_batch *batch, size_t size)
{
    od_batch_put(batch, GROUP, OD_STR("a"), OD_STR("value"));
    od_batch_note_item_size(batch, GROUP, OD_STR("a"), size);
}

static void a_commit_keeps_what_is_known_and_one_that_fails_forgets_it(void **state)
{
    (void)state;
    struct od_batch batch = {0};
    od_batch_init(&batch, &fake_ops, NULL);
    put(&batch, 7);
    commit_status = OD_OK;
    assert_int_equal(od_batch_commit(&batch), OD_OK);
    check_known(&batch.sizes, GROUP, OD_STR("a"), 7);
    put(&batch, 8);
    commit_status = OD_STORE_UNKNOWN;
    assert_int_equal(od_batch_commit(&batch), OD_STORE_UNKNOWN);
    check_unknown(&batch.sizes, GROUP, OD_STR("a"));
    od_batch_clear(&batch);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_never_noted_is_not_known, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_forgotten_is_not_known, setup, teardown),
        cmocka_unit_test_setup_teardown(the_newest_size_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(that_there_is_no_item_is_known_too, setup, teardown),
        cmocka_unit_test_setup_teardown(many_keys_are_forgotten_and_not_mixed_up, setup, teardown),
        cmocka_unit_test(a_commit_keeps_what_is_known_and_one_that_fails_forgets_it),
    };
    return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}
