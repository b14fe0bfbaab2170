#include "storage/btree.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MODEL_SIZE = 2000 };

// What the tree is held against: for key number i, its value or 0 for none.
struct model {
    unsigned values[MODEL_SIZE];
    size_t count;
};

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

// Keys whose order is the order of their numbers, some longer than a slot's head and some shorter.
static od_str key_of(unsigned number, char *space)
{
    static const char *const tails[] = {"", "\x01", "a long tail to tell apart"};
    int len = snprintf(space, 64, "%05u%s", number, tails[number % OD_COUNT(tails)]);
    return (od_str){space, (size_t)len};
}

static unsigned number_of(od_str key)
{
    uint64_t number = 0;
    assert_true(od_str_to_u64((od_str){key.ptr, 5}, &number));
    return (unsigned)number;
}

static void put(struct od_btree *tree, struct model *model, unsigned number, unsigned value)
{
    char space[64];
    char text[16];
    int len = snprintf(text, sizeof(text), "%u", value);
    od_btree_put(tree, key_of(number, space), (od_str){text, (size_t)len});
    model->count += model->values[number] == 0;
    model->values[number] = value;
}

static void del(struct od_btree *tree, struct model *model, unsigned number)
{
    char space[64];
    assert_int_equal(od_btree_del(tree, key_of(number, space)), model->values[number] != 0);
    model->count -= model->values[number] != 0;
    model->values[number] = 0;
}

static void assert_pair(const struct model *model, unsigned number, od_str key, od_str value)
{
    char space[64];
    assert_true(od_str_eq(key, key_of(number, space)));
    char text[16];
    int len = snprintf(text, sizeof(text), "%u", model->values[number]);
    assert_true(od_str_eq(value, (od_str){text, (size_t)len}));
}

static void assert_same_upwards(const struct od_btree *tree, const struct model *model)
{
    struct od_btree_cursor cursor = od_btree_seek(tree, (od_str){0});
    od_str key = {0};
    od_str value = {0};
    for (unsigned i = 0; i < MODEL_SIZE; i++) {
        if (model->values[i] != 0) {
            assert_true(od_btree_next(&cursor, &key, &value));
            assert_pair(model, i, key, value);
        }
    }
    assert_false(od_btree_next(&cursor, &key, &value));
}

static void assert_same_downwards(const struct od_btree *tree, const struct model *model)
{
    struct od_btree_cursor cursor = od_btree_seek_end(tree);
    od_str key = {0};
    od_str value = {0};
    for (unsigned i = MODEL_SIZE; i-- > 0;) {
        if (model->values[i] != 0) {
            assert_true(od_btree_prev(&cursor, &key, &value));
            assert_pair(model, i, key, value);
        }
    }
    assert_false(od_btree_prev(&cursor, &key, &value));
}

static void assert_same(const struct od_btree *tree, const struct model *model)
{
    assert_int_equal(tree->count, model->count);
    assert_same_upwards(tree, model);
    assert_same_downwards(tree, model);
    for (unsigned i = 0; i < MODEL_SIZE; i++) {
        char space[64];
        assert_int_equal(od_btree_get(tree, key_of(i, space)).ptr != NULL, model->values[i] != 0);
    }
}

static void an_empty_tree_has_nothing(void **state)
{
    (void)state;
    struct od_btree tree = {0};
    od_str key = {0};
    od_str value = {0};
    struct od_btree_cursor cursor = od_btree_seek(&tree, OD_STR("a"));
    assert_null(od_btree_get(&tree, OD_STR("a")).ptr);
    assert_false(od_btree_del(&tree, OD_STR("a")));
    assert_false(od_btree_next(&cursor, &key, &value));
    assert_false(od_btree_prev(&cursor, &key, &value));
    od_btree_clear(&tree);
}

static void bytes_order_the_keys_and_a_prefix_comes_first(void **state)
{
    (void)state;
    static const od_str sorted[] = {
        OD_STR_INIT("\x01"),         OD_STR_INIT("a"),
        OD_STR_INIT("a\x00"),        OD_STR_INIT("a\x00\x00"),
        OD_STR_INIT("a\x01"),        OD_STR_INIT("abcdefgh"),
        OD_STR_INIT("abcdefgh\x00"), OD_STR_INIT("abcdefghi"),
        OD_STR_INIT("abcdefgz"),     OD_STR_INIT("b"),
        OD_STR_INIT("\x7f"),         OD_STR_INIT("\x80"),
        OD_STR_INIT("\xff"),         OD_STR_INIT("\xff\xff"),
    };
    struct od_btree tree = {0};
    for (size_t i = OD_COUNT(sorted); i-- > 0;) {
        od_btree_put(&tree, sorted[i], OD_STR("v"));
    }
    struct od_btree_cursor cursor = od_btree_seek(&tree, (od_str){0});
    for (size_t i = 0; i < OD_COUNT(sorted); i++) {
        od_str key = {0};
        od_str value = {0};
        if (!od_btree_next(&cursor, &key, &value) || !od_str_eq(key, sorted[i])) {
            fail_msg("row %zu", i);
        }
    }
    od_btree_clear(&tree);
}

static void values_of_any_size_replace_each_other(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 2, 70000, 70000, 1};
    static char bytes[70000];
    struct od_btree tree = {0};
    for (size_t i = 0; i < OD_COUNT(sizes); i++) {
        memset(bytes, (int)('a' + i), sizes[i]);
        od_btree_put(&tree, OD_STR("key"), (od_str){bytes, sizes[i]});
        if (!od_str_eq(od_btree_get(&tree, OD_STR("key")), (od_str){bytes, sizes[i]})) {
            fail_msg("row %zu", i);
        }
        assert_int_equal(tree.count, 1);
    }
    od_btree_clear(&tree);
}

static void keys_in_any_order_of_arrival_are_found(void **state)
{
    (void)state;
    for (unsigned step = 1; step < MODEL_SIZE; step += 2) {
        if (step != 1 && step % 7 != 0 && step != MODEL_SIZE - 1) {
            continue;
        }
        struct od_btree tree = {0};
        struct model model = {0};
        for (unsigned i = 0, at = 0; i < MODEL_SIZE; i++, at = (at + step) % MODEL_SIZE) {
            put(&tree, &model, at, i + 1);
        }
        assert_same(&tree, &model);
        for (unsigned i = 0; i < MODEL_SIZE; i++) {
            del(&tree, &model, step % 3 == 0 ? MODEL_SIZE - 1 - i : i);
        }
        assert_same(&tree, &model);
        assert_null(tree.root);
    }
}

static void random_changes_agree_with_a_plain_array(void **state)
{
    (void)state;
    struct od_btree tree = {0};
    struct model model = {0};
    uint32_t random = 7;
    for (unsigned i = 0; i < 60000; i++) {
        unsigned number = next_random(&random) % MODEL_SIZE;
        // Fills, then empties, then fills again.
        bool grow = next_random(&random) % 10 < (i / 10000 % 2 == 0 ? 8U : 2U);
        if (grow) {
            put(&tree, &model, number, i + 1);
        } else {
            del(&tree, &model, number);
        }
        if (i % 5000 == 4999) {
            assert_same(&tree, &model);
        }
    }
    od_btree_clear(&tree);
    assert_int_equal(tree.count, 0);
}

static void a_seek_stands_before_the_first_key_that_is_not_less(void **state)
{
    (void)state;
    struct od_btree tree = {0};
    struct model model = {0};
    for (unsigned i = 0; i < MODEL_SIZE; i += 2) {
        put(&tree, &model, i, 1);
    }
    for (unsigned i = 0; i + 2 < MODEL_SIZE; i++) {
        char space[64];
        od_str key = {0};
        od_str value = {0};
        struct od_btree_cursor cursor = od_btree_seek(&tree, key_of(i, space));
        struct od_btree_cursor back = cursor;
        assert_true(od_btree_next(&cursor, &key, &value));
        assert_int_equal(number_of(key), i + i % 2);
        if (i > 0) {
            assert_true(od_btree_prev(&back, &key, &value));
            assert_int_equal(number_of(key), i % 2 == 0 ? i - 2 : i - 1);
        }
    }
    od_btree_clear(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_tree_has_nothing),
        cmocka_unit_test(bytes_order_the_keys_and_a_prefix_comes_first),
        cmocka_unit_test(values_of_any_size_replace_each_other),
        cmocka_unit_test(keys_in_any_order_of_arrival_are_found),
        cmocka_unit_test(random_changes_agree_with_a_plain_array),
        cmocka_unit_test(a_seek_stands_before_the_first_key_that_is_not_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
