// Readers beside a committer. Every commit writes one number to several rows of two groups, so a
// reader that sees two different ones saw half a commit. The numbers grow, so one that sees a
// smaller number than before was told what is no longer so.
#include "contract.h"

#include <pthread.h>
#include <stdatomic.h>

enum { READERS = 3, ROWS = 8, COMMITS = 400 };

struct shared {
    const struct od_store_ops *ops;
    od_store *store;
    atomic_bool done;
    atomic_size_t torn;
    atomic_size_t gone_back;
    atomic_size_t failed;
    atomic_size_t reads;
};

static const char *const row_keys[ROWS] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static od_status write_number(const struct shared *shared, od_ctx *cx, unsigned number)
{
    od_str value = od_arena_printf(cx->arena, "%u", number);
    struct od_mutation puts[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        puts[i] = (struct od_mutation){
            .kind = OD_MUTATION_PUT, .key = od_cstr(row_keys[i]), .value = value};
    }
    struct od_commit_part parts[] = {
        {.group = 1, .mutations = puts, .mutation_count = ROWS},
        {.group = 2, .mutations = puts, .mutation_count = ROWS},
    };
    return shared->ops->commit(shared->store, cx, parts, OD_COUNT(parts));
}

struct seen {
    od_arena *arena;
    od_str first;
    size_t count;
    bool torn;
};

static bool see(void *arg, od_str key, od_str value)
{
    (void)key;
    struct seen *seen = arg;
    if (seen->count == 0) {
        seen->first = od_arena_copy(seen->arena, value);
    }
    seen->torn = seen->torn || !od_str_eq(value, seen->first);
    seen->count++;
    return true;
}

static void count_result(struct shared *shared, od_status status, const struct seen *seen,
                         size_t want)
{
    atomic_fetch_add(&shared->reads, 1);
    atomic_fetch_add(&shared->failed, status != OD_OK);
    atomic_fetch_add(&shared->torn, seen->torn || seen->count != want);
}

static void read_by_scan(struct shared *shared, od_ctx *cx, struct seen *seen)
{
    struct od_scan_range range = {.group = 1, .reverse = true};
    od_status status = shared->ops->scan(shared->store, cx, NULL, &range, see, seen);
    count_result(shared, status, seen, ROWS);
}

static void read_by_keys(struct shared *shared, od_ctx *cx, struct seen *seen)
{
    od_str keys[ROWS];
    od_str values[ROWS] = {0};
    for (size_t i = 0; i < ROWS; i++) {
        keys[i] = od_cstr(row_keys[i]);
    }
    od_status status = shared->ops->get(shared->store, cx, NULL, 2, keys, ROWS, values);
    for (size_t i = 0; i < ROWS; i++) {
        see(seen, keys[i], values[i]);
    }
    count_result(shared, status, seen, ROWS);
}

static od_status read_both_groups(struct shared *shared, od_ctx *cx, od_snapshot *snapshot,
                                  struct seen *seen)
{
    struct od_scan_range range = {.group = 1};
    OD_TRY(shared->ops->scan(shared->store, cx, snapshot, &range, see, seen));
    for (size_t i = 0; i < ROWS; i++) {
        od_str key = od_cstr(row_keys[i]);
        od_str value = {0};
        OD_TRY(shared->ops->get(shared->store, cx, snapshot, 2, &key, 1, &value));
        see(seen, key, value);
    }
    return OD_OK;
}

static void read_by_snapshot(struct shared *shared, od_ctx *cx, struct seen *seen)
{
    od_snapshot *snapshot = NULL;
    od_status status = shared->ops->snapshot_open(shared->store, cx, &snapshot);
    if (status == OD_OK) {
        status = read_both_groups(shared, cx, snapshot, seen);
        shared->ops->snapshot_close(shared->store, snapshot);
    }
    count_result(shared, status, seen, (size_t)2 * ROWS);
}

static void *read_until_done(void *arg)
{
    static void (*const ways[])(struct shared *, od_ctx *,
                                struct seen *) = {read_by_scan, read_by_keys, read_by_snapshot};
    struct shared *shared = arg;
    od_ctx cx = {.arena = od_arena_create()};
    for (size_t i = 0; !atomic_load(&shared->done); i++) {
        struct seen seen = {.arena = cx.arena};
        ways[i % OD_COUNT(ways)](shared, &cx, &seen);
        od_arena_reset(cx.arena);
    }
    od_arena_destroy(cx.arena);
    return NULL;
}

static void commit_numbers(struct contract *c, struct shared *shared)
{
    for (unsigned i = 1; i <= COMMITS; i++) {
        od_mark mark = od_arena_mark(c->cx.arena);
        assert_int_equal(write_number(shared, &c->cx, i), OD_OK);
        od_arena_rewind(c->cx.arena, mark);
    }
}

static void readers_see_each_commit_whole_or_not_at_all(void **state)
{
    struct contract *c = *state;
    struct shared shared = {.ops = c->ops, .store = c->store};
    assert_int_equal(write_number(&shared, &c->cx, 0), OD_OK);
    pthread_t readers[READERS];
    for (size_t i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, read_until_done, &shared), 0);
    }
    commit_numbers(c, &shared);
    atomic_store(&shared.done, true);
    for (size_t i = 0; i < READERS; i++) {
        pthread_join(readers[i], NULL);
    }
    assert_int_equal(atomic_load(&shared.failed), 0);
    assert_int_equal(atomic_load(&shared.torn), 0);
    contract_assert_value(c, 1, "a", "400");
}

// --- Reads one after another ---------------------------------------------------------------------

static bool see_one(void *arg, od_str key, od_str value)
{
    (void)key;
    (void)od_str_to_u64(value, arg);
    return false;
}

static od_status number_by_scan(const struct shared *shared, od_ctx *cx, size_t row, uint64_t *out)
{
    struct od_scan_range range = {.group = 1, .lo = od_cstr(row_keys[row])};
    return shared->ops->scan(shared->store, cx, NULL, &range, see_one, out);
}

static od_status number_by_key(const struct shared *shared, od_ctx *cx, size_t row, uint64_t *out)
{
    od_str key = od_cstr(row_keys[row]);
    od_str value = {0};
    OD_TRY(shared->ops->get(shared->store, cx, NULL, 1, &key, 1, &value));
    (void)od_str_to_u64(value, out);
    return OD_OK;
}

static od_status number_of_two(const struct shared *shared, od_ctx *cx, size_t row, uint64_t *out)
{
    od_str keys[] = {od_cstr(row_keys[(row + 1) % ROWS]), od_cstr(row_keys[row])};
    od_str values[OD_COUNT(keys)] = {0};
    OD_TRY(shared->ops->get(shared->store, cx, NULL, 1, keys, OD_COUNT(keys), values));
    (void)od_str_to_u64(values[1], out);
    return OD_OK;
}

// Each way to read, of any of the rows, comes after each other.
static void *read_on(void *arg)
{
    static od_status (*const ways[])(const struct shared *, od_ctx *, size_t, uint64_t *) = {
        number_by_key, number_by_scan, number_by_key, number_by_key, number_of_two};
    struct shared *shared = arg;
    od_ctx cx = {.arena = od_arena_create()};
    uint64_t last = 0;
    for (size_t i = 0; !atomic_load(&shared->done); i++) {
        uint64_t number = 0;
        od_status status = ways[i % OD_COUNT(ways)](shared, &cx, i * 7 % ROWS, &number);
        atomic_fetch_add(&shared->failed, status != OD_OK);
        atomic_fetch_add(&shared->gone_back, number < last);
        last = number;
        od_arena_reset(cx.arena);
    }
    od_arena_destroy(cx.arena);
    return NULL;
}

static void what_was_seen_once_is_not_unseen_by_the_next_read(void **state)
{
    struct contract *c = *state;
    struct shared shared = {.ops = c->ops, .store = c->store};
    assert_int_equal(write_number(&shared, &c->cx, 0), OD_OK);
    pthread_t readers[READERS];
    for (size_t i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, read_on, &shared), 0);
    }
    commit_numbers(c, &shared);
    atomic_store(&shared.done, true);
    for (size_t i = 0; i < READERS; i++) {
        pthread_join(readers[i], NULL);
    }
    assert_int_equal(atomic_load(&shared.failed), 0);
    assert_int_equal(atomic_load(&shared.gone_back), 0);
}

// --- Drops --------------------------------------------------------------------------------------

struct dropper {
    const struct shared *shared;
    od_status status;
};

static void *drop_often(void *arg)
{
    struct dropper *dropper = arg;
    od_ctx cx = {.arena = od_arena_create()};
    for (od_group group = 10; group < 30 && dropper->status == OD_OK; group++) {
        dropper->status = dropper->shared->ops->group_drop(dropper->shared->store, &cx, group);
    }
    od_arena_destroy(cx.arena);
    return NULL;
}

static void groups_are_dropped_beside_commits(void **state)
{
    struct contract *c = *state;
    struct shared shared = {.ops = c->ops, .store = c->store};
    for (od_group group = 10; group < 30; group++) {
        contract_put(c, group, "a", "1");
    }
    struct dropper dropper = {.shared = &shared};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, drop_often, &dropper), 0);
    commit_numbers(c, &shared);
    pthread_join(thread, NULL);
    assert_int_equal(dropper.status, OD_OK);
    for (od_group group = 10; group < 30; group++) {
        contract_assert_group(c, group, "");
    }
    contract_assert_value(c, 2, "h", "400");
}

const struct CMUnitTest contract_thread_tests[] = {
    CONTRACT_TEST(readers_see_each_commit_whole_or_not_at_all),
    CONTRACT_TEST(what_was_seen_once_is_not_unseen_by_the_next_read),
    CONTRACT_TEST(groups_are_dropped_beside_commits),
};
const size_t contract_thread_test_count = OD_COUNT(contract_thread_tests);
