// What RocksDB's store does when the disk is full or fails.
#include "contract.h"

#include "io_faults.h"

#include <errno.h>
#include <string.h>

static int set_up(void **state)
{
    return contract_setup(state);
}

static int tear_down(void **state)
{
    for (int call = 0; call < IO_CALLS; call++) {
        io_fault_set((enum io_call)call, (struct io_fault){0});
    }
    return contract_teardown(state);
}

static void fill_disk(void)
{
    io_fault_set(IO_WRITE, (struct io_fault){.error = ENOSPC, .suffix = ".log", .part_bytes = 10});
    io_fault_set(IO_ALLOCATE, (struct io_fault){.error = ENOSPC});
}

static void free_disk(void)
{
    io_fault_set(IO_WRITE, (struct io_fault){0});
    io_fault_set(IO_ALLOCATE, (struct io_fault){0});
}

static od_status try_put(struct contract *c, const char *key)
{
    struct od_mutation put = {.kind = OD_MUTATION_PUT, .key = od_cstr(key), .value = OD_STR("1")};
    return contract_commit(c, 7, &put, 1);
}

static void each_synced_commit_reaches_the_disk_once(void **state)
{
    struct contract *c = *state;
    enum { COMMITS = 25 };
    contract_put(c, 7, "first", "1"); // syncs the directory too
    io_fault_set(IO_SYNC, (struct io_fault){.suffix = ".log"});
    io_fault_set(IO_WRITE, (struct io_fault){.suffix = ".log"});
    for (int i = 0; i < COMMITS; i++) {
        contract_put(c, 7, "key", "value");
        assert_int_equal(io_fault_count(IO_SYNC), i + 1);
        assert_int_equal(io_fault_count(IO_WRITE), i + 1);
    }
}

static void a_relaxed_commit_reaches_the_operating_system(void **state)
{
    struct contract *c = *state;
    c->ops->close(c->store);
    struct od_store_options options = {.dir = c->dir, .durability = OD_DURABILITY_RELAXED};
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    io_fault_set(IO_SYNC, (struct io_fault){.suffix = ".log"});
    io_fault_set(IO_WRITE, (struct io_fault){.suffix = ".log"});
    contract_put(c, 7, "key", "value");
    assert_int_equal(io_fault_count(IO_SYNC), 0);
    assert_int_equal(io_fault_count(IO_WRITE), 1);
    // What must be durable is so all the same.
    assert_int_equal(c->ops->group_drop(c->store, &c->cx, 7), OD_OK);
    assert_true(io_fault_count(IO_SYNC) > 0);
}

static void a_full_disk_refuses_writes_and_serves_reads(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    fill_disk();
    assert_int_equal(try_put(c, "b"), OD_STORE_FULL);
    assert_non_null(strstr(c->cx.error.ptr, "No space left"));
    assert_false(c->ops->health(c->store).writable);
    assert_non_null(c->ops->health(c->store).reason);
    assert_int_equal(try_put(c, "c"), OD_STORE_FULL);
    assert_int_equal(c->ops->group_drop(c->store, &c->cx, 7), OD_STORE_FULL);
    contract_assert_group(c, 7, "a=1 ");
    contract_assert_value(c, 7, "b", NULL);
}

static void writes_go_on_when_there_is_space_again(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    fill_disk();
    assert_int_equal(try_put(c, "b"), OD_STORE_FULL);
    assert_int_equal(try_put(c, "b"), OD_STORE_FULL);
    free_disk();
    assert_int_equal(try_put(c, "c"), OD_OK);
    assert_true(c->ops->health(c->store).writable);
    contract_assert_group(c, 7, "a=1 c=1 ");
    contract_reopen(c);
    contract_assert_group(c, 7, "a=1 c=1 ");
}

static void a_large_batch_that_does_not_fit_leaves_nothing(void **state)
{
    struct contract *c = *state;
    enum { VALUES = 20, SIZE = 200 * 1024 };
    static char bytes[SIZE];
    memset(bytes, 'x', SIZE);
    od_str keys[VALUES];
    struct od_mutation puts[VALUES];
    for (size_t i = 0; i < VALUES; i++) {
        keys[i] = od_arena_printf(c->cx.arena, "%02zu", i);
        puts[i] =
            (struct od_mutation){.kind = OD_MUTATION_PUT, .key = keys[i], .value = {bytes, SIZE}};
    }
    contract_put(c, 7, "a", "1");
    for (size_t whole = 0; whole < 3; whole++) { // the log takes it in several writes
        io_fault_set(IO_WRITE,
                     (struct io_fault){
                         .error = ENOSPC, .suffix = ".log", .whole = whole, .part_bytes = 5000});
        assert_int_equal(contract_commit(c, 7, puts, VALUES), OD_STORE_FULL);
        contract_assert_group(c, 7, "a=1 ");
        free_disk();
        contract_reopen(c);
        contract_assert_group(c, 7, "a=1 ");
    }
}

static void a_failed_sync_leaves_the_commit_unknown_and_the_store_refusing(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    io_fault_set(IO_SYNC, (struct io_fault){.error = EIO});
    assert_int_equal(try_put(c, "b"), OD_STORE_UNKNOWN);
    assert_false(c->ops->health(c->store).writable);
    assert_int_equal(try_put(c, "c"), OD_STORE_DOWN);
    assert_int_equal(try_put(c, "c"), OD_STORE_DOWN);
    contract_assert_value(c, 7, "a", "1");
    contract_assert_value(c, 7, "c", NULL);
}

static void writes_go_on_when_the_disk_is_well_again(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    io_fault_set(IO_SYNC, (struct io_fault){.error = EIO, .suffix = ".log"});
    assert_int_equal(try_put(c, "b"), OD_STORE_UNKNOWN);
    io_fault_set(IO_SYNC, (struct io_fault){0});
    assert_int_equal(try_put(c, "c"), OD_OK);
    assert_true(c->ops->health(c->store).writable);
    contract_assert_value(c, 7, "a", "1");
    contract_assert_value(c, 7, "c", "1");
    contract_reopen(c);
    contract_assert_value(c, 7, "a", "1");
    contract_assert_value(c, 7, "c", "1");
}

static void a_row_that_was_read_in_doubt_is_what_it_turns_out_to_be(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "0");
    contract_assert_value(c, 7, "a", "0");
    io_fault_set(IO_SYNC, (struct io_fault){.error = EIO, .suffix = ".log"});
    assert_int_equal(try_put(c, "a"), OD_STORE_UNKNOWN);
    contract_assert_value(c, 7, "a", "0");
    contract_assert_value(c, 7, "a", "0");
    io_fault_set(IO_SYNC, (struct io_fault){0});
    assert_int_equal(try_put(c, "c"), OD_OK);
    contract_assert_group(c, 7, "a=1 c=1 "); // it had reached the log
    contract_assert_value(c, 7, "a", "1");
}

// The log has the row, but its sync failed: after a loss of power it would be gone.
static void what_is_in_doubt_is_not_read_before_it_is_safe(void **state)
{
    struct contract *c = *state;
    const od_str key = OD_STR("b");
    od_str value = {0};
    contract_put(c, 7, "a", "1");
    io_fault_set(IO_SYNC, (struct io_fault){.error = EIO, .suffix = ".log"});
    assert_int_equal(try_put(c, "b"), OD_STORE_UNKNOWN);
    contract_assert_group(c, 7, "a=1 ");
    io_fault_set(IO_SYNC, (struct io_fault){.error = EIO, .suffix = ".dbtmp"});
    assert_int_equal(try_put(c, "c"), OD_STORE_DOWN); // opened again, but for that
    assert_int_equal(c->ops->get(c->store, &c->cx, NULL, 7, &key, 1, &value), OD_STORE_DOWN);
}

static void no_space_at_a_sync_is_unknown_not_full(void **state)
{
    struct contract *c = *state;
    io_fault_set(IO_SYNC, (struct io_fault){.error = ENOSPC, .suffix = ".log"});
    assert_int_equal(try_put(c, "a"), OD_STORE_UNKNOWN);
}

static void a_write_that_fails_otherwise_is_unknown(void **state)
{
    struct contract *c = *state;
    io_fault_set(IO_WRITE, (struct io_fault){.error = EIO, .suffix = ".log"});
    assert_int_equal(try_put(c, "a"), OD_STORE_UNKNOWN);
    io_fault_set(IO_WRITE, (struct io_fault){0});
    assert_int_equal(try_put(c, "b"), OD_OK);
}

static void a_thread_with_a_snapshot_does_not_wait_for_itself(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    fill_disk();
    assert_int_equal(try_put(c, "b"), OD_STORE_FULL);
    free_disk();
    od_snapshot *snapshot = NULL;
    assert_int_equal(c->ops->snapshot_open(c->store, &c->cx, &snapshot), OD_OK);
    assert_int_equal(try_put(c, "b"), OD_STORE_FULL);
    assert_string_equal(contract_get(c, snapshot, 7, OD_STR("a")).ptr, "1");
    c->ops->snapshot_close(c->store, snapshot);
    assert_int_equal(try_put(c, "b"), OD_OK);
}

static void a_store_that_cannot_write_still_closes(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    fill_disk();
    assert_int_equal(try_put(c, "b"), OD_STORE_FULL);
    c->ops->close(c->store);
    free_disk();
    struct od_store_options options = {.dir = c->dir};
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    contract_assert_group(c, 7, "a=1 ");
}

static void a_full_disk_at_the_start_is_a_message(void **state)
{
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    c->ops->close(c->store);
    io_fault_set(IO_WRITE, (struct io_fault){.error = ENOSPC});
    struct od_store_options options = {.dir = c->dir};
    od_store *store = NULL;
    assert_int_equal(c->ops->open(&c->cx, &options, &store), OD_STORE_DOWN);
    assert_non_null(strstr(c->cx.error.ptr, "No space left"));
    free_disk();
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    contract_assert_group(c, 7, "a=1 ");
}

// Commits more than two memtables hold, without syncs; gives the first status that is not OK.
static od_status fill_memtables(struct contract *c)
{
    enum { VALUES = 100, SIZE = 1024 * 1024 };
    static char bytes[SIZE];
    memset(bytes, 'x', SIZE);
    od_status status = OD_OK;
    for (size_t i = 0; i < VALUES && status == OD_OK; i++) {
        struct od_mutation put = {.kind = OD_MUTATION_PUT,
                                  .key = od_arena_printf(c->cx.arena, "%03zu", i),
                                  .value = {bytes, SIZE}};
        status = contract_commit(c, 8, &put, 1);
    }
    return status;
}

static void a_disk_that_fills_in_the_background_refuses_writes_too(void **state)
{
    struct contract *c = *state;
    c->ops->close(c->store);
    struct od_store_options options = {.dir = c->dir, .durability = OD_DURABILITY_RELAXED};
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    contract_put(c, 7, "a", "1");
    io_fault_set(IO_WRITE, (struct io_fault){.error = ENOSPC, .suffix = ".sst"});
    io_fault_set(IO_ALLOCATE, (struct io_fault){.error = ENOSPC});
    assert_int_equal(fill_memtables(c), OD_STORE_FULL);
    assert_int_equal(try_put(c, "b"), OD_STORE_FULL);
    contract_assert_group(c, 7, "a=1 ");
    free_disk();
    assert_int_equal(try_put(c, "c"), OD_OK);
    contract_assert_group(c, 7, "a=1 c=1 ");
}

int main(void)
{
    contract_choose("rocksdb", false);
#define IO_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IO_TEST(each_synced_commit_reaches_the_disk_once),
        IO_TEST(a_relaxed_commit_reaches_the_operating_system),
        IO_TEST(a_full_disk_refuses_writes_and_serves_reads),
        IO_TEST(writes_go_on_when_there_is_space_again),
        IO_TEST(a_large_batch_that_does_not_fit_leaves_nothing),
        IO_TEST(a_failed_sync_leaves_the_commit_unknown_and_the_store_refusing),
        IO_TEST(writes_go_on_when_the_disk_is_well_again),
        IO_TEST(a_row_that_was_read_in_doubt_is_what_it_turns_out_to_be),
        IO_TEST(what_is_in_doubt_is_not_read_before_it_is_safe),
        IO_TEST(no_space_at_a_sync_is_unknown_not_full),
        IO_TEST(a_write_that_fails_otherwise_is_unknown),
        IO_TEST(a_thread_with_a_snapshot_does_not_wait_for_itself),
        IO_TEST(a_disk_that_fills_in_the_background_refuses_writes_too),
        IO_TEST(a_store_that_cannot_write_still_closes),
        IO_TEST(a_full_disk_at_the_start_is_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
