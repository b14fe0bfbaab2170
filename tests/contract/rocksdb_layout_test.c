// What docs/storage-format.md says of groups, read with RocksDB alone.
#include "contract.h"

#include <rocksdb/c.h>

static const struct {
    od_group group;
    od_str key;
    od_str row;
} layout[] = {
    {1, OD_STR_INIT("a"),
     OD_STR_INIT("\x00\x00\x00\x01"
                 "a")},
    {7, OD_STR_INIT("a\x01"),
     OD_STR_INIT("\x00\x00\x00\x07"
                 "a\x01")},
    {7, OD_STR_INIT("b"),
     OD_STR_INIT("\x00\x00\x00\x07"
                 "b")},
    {258, OD_STR_INIT("\xff"), OD_STR_INIT("\x00\x00\x01\x02\xff")},
    {UINT32_MAX - 1, OD_STR_INIT("a"),
     OD_STR_INIT("\xff\xff\xff\xfe"
                 "a")},
};

static void assert_rows(rocksdb_iterator_t *rows)
{
    rocksdb_iter_seek_to_first(rows);
    for (size_t i = 0; i < OD_COUNT(layout); i++, rocksdb_iter_next(rows)) {
        od_str key = {0};
        od_str value = {0};
        assert_true(rocksdb_iter_valid(rows));
        key.ptr = rocksdb_iter_key(rows, &key.len);
        value.ptr = rocksdb_iter_value(rows, &value.len);
        if (!od_str_eq(key, layout[i].row) || !od_str_eq(value, OD_STR("v"))) {
            fail_msg("row %zu", i);
        }
    }
    assert_false(rocksdb_iter_valid(rows));
}

static void the_group_before_the_key_is_what_is_on_disk(void **state)
{
    struct contract *c = *state;
    for (size_t i = 0; i < OD_COUNT(layout); i++) {
        struct od_mutation put = {
            .kind = OD_MUTATION_PUT, .key = layout[i].key, .value = OD_STR("v")};
        assert_int_equal(contract_commit(c, layout[i].group, &put, 1), OD_OK);
    }
    contract_reopen(c);

    rocksdb_options_t *options = rocksdb_options_create();
    rocksdb_readoptions_t *reads = rocksdb_readoptions_create();
    char *error = NULL;
    od_str path = od_arena_printf(c->cx.arena, "%s/db", c->dir);
    rocksdb_t *db = rocksdb_open_for_read_only(options, path.ptr, 0, &error);
    assert_null(error);
    rocksdb_iterator_t *rows = rocksdb_create_iterator(db, reads);
    assert_rows(rows);
    rocksdb_iter_destroy(rows);
    rocksdb_close(db);
    rocksdb_readoptions_destroy(reads);
    rocksdb_options_destroy(options);
}

int main(void)
{
    contract_choose("rocksdb", false);
    const struct CMUnitTest tests[] = {
        CONTRACT_TEST(the_group_before_the_key_is_what_is_on_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
