// The committer over a store of the test's own, which counts commits and fails when it is told to.
#include "engine/commit.h"

#include "base/clock.h"
#include "engine/commit/batch.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- A store with one row
// -------------------------------------------------------------------------

enum { GROUP = 20 };

static const od_str good_key = OD_STR_INIT("k");
static const od_str bad_key = OD_STR_INIT("bad"); // cannot be read

static struct {
    int64_t row; // 0: absent
    int commits;
    int fail_at; // which commit fails, from 1; 0: none
    od_status failure;
    bool unreadable;     // nothing can be read
    od_status reopening; // what a commit of nothing gives
    int reopenings;
    // A gate: a commit waits while it is closed, so that jobs gather.
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool closed;
    bool waiting;
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static od_status fake_get(od_store *store, od_ctx *cx, od_snapshot *snapshot, od_group group,
                          const od_str *keys, size_t count, od_str *values)
{
    (void)store;
    (void)snapshot;
    (void)group;
    assert_int_equal(count, 1);
    if (fake.unreadable || od_str_eq(keys[0], bad_key)) {
        return OD_FAIL(cx, OD_STORE_DOWN, "told to fail");
    }
    od_str row = {(const char *)&fake.row, sizeof(fake.row)};
    values[0] = fake.row == 0 ? (od_str){0} : od_arena_copy(cx->arena, row);
    return OD_OK;
}

static void pass_gate(void)
{
    pthread_mutex_lock(&fake.lock);
    while (fake.closed) {
        fake.waiting = true;
        pthread_cond_broadcast(&fake.changed);
        pthread_cond_wait(&fake.changed, &fake.lock);
    }
    fake.waiting = false;
    pthread_mutex_unlock(&fake.lock);
}

static od_status fake_commit(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                             size_t count)
{
    (void)store;
    if (count == 0) {
        fake.reopenings++;
        return fake.reopening == OD_OK ? OD_OK : OD_FAIL(cx, fake.reopening, "told to fail");
    }
    pass_gate();
    fake.commits++;
    if (fake.commits == fake.fail_at) {
        return OD_FAIL(cx, fake.failure, "told to fail");
    }
    assert_int_equal(count, 1);
    assert_int_equal(parts[0].mutation_count, 1);
    memcpy(&fake.row, parts[0].mutations[0].value.ptr, sizeof(fake.row));
    return OD_OK;
}

static const struct od_store_ops fake_ops = {
    .abi = OD_STORE_ABI, .name = "fake", .get = fake_get, .commit = fake_commit};

static int reset(void **state)
{
    (void)state;
    fake.row = 0;
    fake.commits = 0;
    fake.fail_at = 0;
    fake.unreadable = false;
    fake.reopening = OD_OK;
    fake.reopenings = 0;
    fake.closed = false;
    return 0;
}

static void close_gate(void)
{
    pthread_mutex_lock(&fake.lock);
    fake.closed = true;
    pthread_mutex_unlock(&fake.lock);
}

static void wait_for_committer_at_gate(void)
{
    pthread_mutex_lock(&fake.lock);
    while (!fake.waiting) {
        pthread_cond_wait(&fake.changed, &fake.lock);
    }
    pthread_mutex_unlock(&fake.lock);
}

static void open_gate(void)
{
    pthread_mutex_lock(&fake.lock);
    fake.closed = false;
    pthread_cond_broadcast(&fake.changed);
    pthread_mutex_unlock(&fake.lock);
}

// --- Jobs
// -----------------------------------------------------------------------------------------

struct add {
    struct od_job job;
    od_ctx cx;
    int64_t amount; // refused when it is negative
    bool unreadable;
    int64_t seen;
    int hooks;
};

static void count_hook(void *arg)
{
    ((struct add *)arg)->hooks++;
}

static od_status apply_add(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct add *add = arg;
    od_str row = {0};
    OD_TRY(od_batch_get(batch, cx, GROUP, add->unreadable ? bad_key : good_key, &row));
    int64_t value = 0;
    if (row.ptr != NULL) {
        memcpy(&value, row.ptr, sizeof(value));
    }
    add->seen = value;
    if (add->amount < 0) {
        return OD_FAIL(cx, OD_CONDITION_FAILED, "refused");
    }
    value += add->amount;
    od_batch_put(batch, GROUP, OD_STR("k"),
                 od_arena_copy(cx->arena, (od_str){(const char *)&value, sizeof(value)}));
    od_batch_on_commit(batch, count_hook, add);
    return OD_OK;
}

struct recovery {
    od_status status;
    int count;
    int64_t row; // what was stored when it ran
};

static void init_add(struct add *add, int64_t amount)
{
    *add = (struct add){.amount = amount, .cx = {.arena = od_arena_create()}};
    add->job = (struct od_job){.apply = apply_add, .arg = add, .cx = &add->cx};
}

static void clear_add(struct add *add)
{
    od_arena_destroy(add->cx.arena);
}

// --- Tests
// ----------------------------------------------------------------------------------------

static void a_job_that_fails_writes_nothing(void **state)
{
    (void)state;
    od_committer *committer = od_committer_create(&fake_ops, NULL, false);
    struct add bad;
    init_add(&bad, -1);
    assert_int_equal(od_committer_run(committer, &bad.job), OD_CONDITION_FAILED);
    assert_int_equal(fake.commits, 0);
    assert_int_equal(bad.hooks, 0);
    clear_add(&bad);
    od_committer_destroy(committer);
}

// The earlier one's answer may be sent, and its memory given back, before the later one's is made.
static void what_a_job_reads_of_an_earlier_one_outlives_that_one(void **state)
{
    (void)state;
    struct od_batch batch = {0};
    od_batch_init(&batch, &fake_ops, NULL);
    struct add writer;
    struct add reader;
    init_add(&writer, 5);
    init_add(&reader, 0);
    assert_int_equal(apply_add(&batch, &writer.cx, &writer), OD_OK);
    od_str row = {0};
    assert_int_equal(od_batch_get(&batch, &reader.cx, GROUP, good_key, &row), OD_OK);
    od_arena_reset(writer.cx.arena);
    od_str other = {"\xff\xff\xff\xff\xff\xff\xff", 8};
    (void)od_arena_copy(writer.cx.arena, other);
    const int64_t five = 5;
    assert_true(od_str_eq(row, (od_str){(const char *)&five, sizeof(five)}));
    od_batch_clear(&batch);
    clear_add(&writer);
    clear_add(&reader);
}

static void a_commit_that_fails_fails_its_job(void **state)
{
    (void)state;
    od_committer *committer = od_committer_create(&fake_ops, NULL, false);
    struct add add;
    init_add(&add, 5);
    fake.fail_at = 1;
    fake.failure = OD_STORE_UNKNOWN;
    assert_int_equal(od_committer_run(committer, &add.job), OD_STORE_UNKNOWN);
    assert_int_equal(add.hooks, 0);
    assert_int_equal(fake.row, 0);
    clear_add(&add);
    od_committer_destroy(committer);
}

static void a_read_that_fails_fails_its_batch(void **state)
{
    (void)state;
    od_committer *committer = od_committer_create(&fake_ops, NULL, false);
    struct add add;
    init_add(&add, 5);
    fake.unreadable = true;
    assert_int_equal(od_committer_run(committer, &add.job), OD_STORE_DOWN);
    assert_int_equal(fake.commits, 0);
    clear_add(&add);
    od_committer_destroy(committer);
}

static od_status note_recovery(void *arg, od_ctx *cx)
{
    struct recovery *recovery = arg;
    recovery->count++;
    recovery->row = fake.row;
    return recovery->status == OD_OK ? OD_OK : OD_FAIL(cx, recovery->status, "told to fail");
}

static od_status run_add(od_committer *committer, int64_t amount, int64_t *seen)
{
    struct add add;
    init_add(&add, amount);
    add.seen = -1;
    od_status status = od_committer_run(committer, &add.job);
    *seen = add.seen;
    clear_add(&add);
    return status;
}

// What was in doubt has happened in the store: memory is told before the next job reads it.
static void after_a_failed_commit_the_store_is_opened_again_before_the_next_job(void **state)
{
    (void)state;
    od_committer *committer = od_committer_create(&fake_ops, NULL, false);
    struct recovery recovery = {0};
    od_committer_on_recovery(committer, note_recovery, &recovery);
    int64_t seen = 0;
    fake.fail_at = 1;
    fake.failure = OD_STORE_UNKNOWN;
    assert_int_equal(run_add(committer, 5, &seen), OD_STORE_UNKNOWN);
    assert_int_equal(fake.reopenings, 0);
    fake.row = 5;
    assert_int_equal(run_add(committer, 1, &seen), OD_OK);
    assert_int_equal(fake.reopenings, 1);
    assert_int_equal(recovery.count, 1);
    assert_int_equal(recovery.row, 5);
    assert_int_equal(seen, 5);
    assert_int_equal(run_add(committer, 1, &seen), OD_OK);
    assert_int_equal(fake.reopenings, 1);
    assert_int_equal(recovery.count, 1);
    od_committer_destroy(committer);
}

static void while_the_store_cannot_be_opened_no_job_is_applied(void **state)
{
    (void)state;
    od_committer *committer = od_committer_create(&fake_ops, NULL, false);
    int64_t seen = 0;
    fake.fail_at = 1;
    fake.failure = OD_STORE_FULL;
    fake.reopening = OD_STORE_FULL;
    assert_int_equal(run_add(committer, 5, &seen), OD_STORE_FULL);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(run_add(committer, 5, &seen), OD_STORE_FULL);
        assert_int_equal(seen, -1);
    }
    assert_int_equal(fake.commits, 1);
    fake.reopening = OD_OK;
    assert_int_equal(run_add(committer, 5, &seen), OD_OK);
    assert_int_equal(fake.row, 5);
    od_committer_destroy(committer);
}

static void while_memory_cannot_be_made_true_no_job_is_applied(void **state)
{
    (void)state;
    od_committer *committer = od_committer_create(&fake_ops, NULL, false);
    struct recovery recovery = {.status = OD_STORE_DOWN};
    od_committer_on_recovery(committer, note_recovery, &recovery);
    int64_t seen = 0;
    fake.fail_at = 1;
    fake.failure = OD_STORE_UNKNOWN;
    assert_int_equal(run_add(committer, 5, &seen), OD_STORE_UNKNOWN);
    assert_int_equal(run_add(committer, 5, &seen), OD_STORE_DOWN);
    assert_int_equal(seen, -1);
    recovery.status = OD_OK;
    assert_int_equal(run_add(committer, 5, &seen), OD_OK);
    assert_int_equal(recovery.count, 2);
    od_committer_destroy(committer);
}

static void note_done(struct od_job *job)
{
    (void)job;
}

// One job holds the committer at the gate; the others gather behind it.
static void jobs_that_wait_share_one_commit(void **state)
{
    (void)state;
    enum { COUNT = 10 };
    struct add adds[COUNT];
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    close_gate();
    for (int i = 0; i < COUNT; i++) {
        init_add(&adds[i], i == 5 ? -1 : 1);
        adds[i].job.done = note_done;
        od_committer_submit(committer, &adds[i].job);
        if (i == 0) {
            wait_for_committer_at_gate();
        }
    }
    open_gate();
    od_committer_destroy(committer);
    assert_int_equal(fake.commits, 2);
    assert_int_equal(fake.row, COUNT - 1);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(adds[i].job.status, i == 5 ? OD_CONDITION_FAILED : OD_OK);
        assert_int_equal(adds[i].seen, i <= 5 ? i : i - 1); // each saw the ones before it
        assert_int_equal(adds[i].hooks, i == 5 ? 0 : 1);
        clear_add(&adds[i]);
    }
}

static void a_job_that_cannot_read_fails_alone_when_it_has_written_nothing(void **state)
{
    (void)state;
    enum { COUNT = 4 };
    struct add adds[COUNT];
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    close_gate();
    for (int i = 0; i < COUNT; i++) {
        init_add(&adds[i], 1);
        adds[i].unreadable = i == 2;
        adds[i].job.done = note_done;
        od_committer_submit(committer, &adds[i].job);
        if (i == 0) {
            wait_for_committer_at_gate();
        }
    }
    open_gate();
    od_committer_destroy(committer);
    assert_int_equal(fake.row, COUNT - 1);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(adds[i].job.status, i == 2 ? OD_STORE_DOWN : OD_OK);
        clear_add(&adds[i]);
    }
}

// What a job saw in a batch that was not committed may never have happened: its own refusal too.
static void a_failed_commit_fails_the_jobs_that_had_failed_on_their_own(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    struct add adds[COUNT];
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    close_gate();
    for (int i = 0; i < COUNT; i++) {
        init_add(&adds[i], i == 2 ? -1 : 1);
        adds[i].job.done = note_done;
        od_committer_submit(committer, &adds[i].job);
        if (i == 0) {
            wait_for_committer_at_gate();
        }
    }
    fake.fail_at = 2;
    fake.failure = OD_STORE_FULL;
    open_gate();
    od_committer_destroy(committer);
    assert_int_equal(fake.row, 1);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(adds[i].job.status, i == 0 ? OD_OK : OD_STORE_FULL);
        assert_int_equal(adds[i].hooks, i == 0 ? 1 : 0);
        clear_add(&adds[i]);
    }
}

static void a_control_job_commits_apart(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    struct add adds[COUNT];
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    close_gate();
    for (int i = 0; i < COUNT; i++) {
        init_add(&adds[i], 1);
        adds[i].job.done = note_done;
        adds[i].job.is_control = i == 2;
        od_committer_submit(committer, &adds[i].job);
        if (i == 0) {
            wait_for_committer_at_gate();
        }
    }
    open_gate();
    od_committer_destroy(committer);
    assert_int_equal(fake.row, COUNT);
    assert_int_equal(fake.commits, 4); // 0, then 1, then the control job, then 3 and 4
    for (int i = 0; i < COUNT; i++) {
        clear_add(&adds[i]);
    }
}

struct batches {
    int started; // the committer's thread must not see a job before
    int done;
};

static od_status apply_when_started(struct od_batch *batch, od_ctx *cx, void *arg)
{
    (void)batch;
    (void)cx;
    const struct batches *batches = arg;
    assert_int_equal(batches->started, 1);
    return OD_OK;
}

static void count_batch(void *arg)
{
    struct batches *batches = arg;
    batches->done++;
}

static void where_batches_are_told_jobs_wait_until_they_are_started(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    struct batches batches = {0};
    struct od_job jobs[COUNT];
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    od_committer_on_batch_done(committer, count_batch, &batches);
    for (int i = 0; i < COUNT; i++) {
        jobs[i] = (struct od_job){.apply = apply_when_started, .arg = &batches, .done = note_done};
        od_committer_submit(committer, &jobs[i]);
    }
    batches.started = 1;
    od_committer_start(committer);
    od_committer_destroy(committer);
    assert_int_equal(batches.done, 1);
}

static void pass_a_nanosecond(void)
{
    int64_t before = od_clock_monotonic_ns();
    while (od_clock_monotonic_ns() <= before + 1) {
    }
}

static void it_is_behind_while_a_job_waits_for_too_long(void **state)
{
    (void)state;
    struct add writing;
    struct add waiting;
    init_add(&writing, 1);
    init_add(&waiting, 1);
    writing.job.done = note_done;
    waiting.job.done = note_done;
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    od_committer_limit(committer, (struct od_commit_limits){.wait_ns = 1});
    close_gate();
    od_committer_submit(committer, &writing.job);
    wait_for_committer_at_gate();
    pass_a_nanosecond();
    assert_false(od_committer_is_behind(committer)); // it is taken
    od_committer_submit(committer, &waiting.job);
    pass_a_nanosecond();
    assert_true(od_committer_is_behind(committer));
    open_gate();
    od_committer_destroy(committer);
    assert_int_equal(fake.row, 2);
    clear_add(&writing);
    clear_add(&waiting);
}

static void it_is_behind_while_jobs_hold_as_much_as_they_may(void **state)
{
    (void)state;
    struct batches batches = {0};
    struct add first;
    struct add second;
    struct add third;
    init_add(&first, 1);
    init_add(&second, 1);
    init_add(&third, 1);
    first.job.done = note_done;
    second.job.done = note_done;
    first.job.bytes = 99;
    second.job.bytes = 1;
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    od_committer_limit(committer, (struct od_commit_limits){.bytes = 100});
    od_committer_on_batch_done(committer, count_batch, &batches);
    od_committer_submit(committer, &first.job);
    assert_false(od_committer_is_behind(committer));
    od_committer_submit(committer, &second.job);
    assert_true(od_committer_is_behind(committer));
    assert_int_equal(od_committer_run(committer, &third.job), OD_OK); // and those before it
    assert_false(od_committer_is_behind(committer));
    od_committer_destroy(committer);
    assert_int_equal(fake.row, 3);
    clear_add(&first);
    clear_add(&second);
    clear_add(&third);
}

static void a_batch_that_fails_is_told_too(void **state)
{
    (void)state;
    struct batches batches = {0};
    struct add add;
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    od_committer_on_batch_done(committer, count_batch, &batches);
    fake.fail_at = 1;
    fake.failure = OD_STORE_UNKNOWN;
    init_add(&add, 1);
    add.job.done = note_done;
    od_committer_submit(committer, &add.job);
    od_committer_start(committer);
    od_committer_destroy(committer);
    assert_int_equal(add.job.status, OD_STORE_UNKNOWN);
    assert_int_equal(batches.done, 1);
    clear_add(&add);
}

enum { THREADS = 8, ROUNDS = 500 };

static void *add_many(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct add add;
        init_add(&add, 1);
        assert_int_equal(od_committer_run(arg, &add.job), OD_OK);
        clear_add(&add);
    }
    return NULL;
}

static void run_threads(bool own_thread)
{
    od_committer *committer = od_committer_create(&fake_ops, NULL, own_thread);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, committer), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    od_committer_destroy(committer);
    assert_int_equal(fake.row, THREADS * ROUNDS);
}

static void a_counter_loses_nothing_when_callers_take_turns(void **state)
{
    (void)state;
    run_threads(false);
}

static void a_counter_loses_nothing_with_a_thread_of_the_committers(void **state)
{
    (void)state;
    run_threads(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_job_that_fails_writes_nothing, reset),
        cmocka_unit_test_setup(what_a_job_reads_of_an_earlier_one_outlives_that_one, reset),
        cmocka_unit_test_setup(a_commit_that_fails_fails_its_job, reset),
        cmocka_unit_test_setup(a_read_that_fails_fails_its_batch, reset),
        cmocka_unit_test_setup(after_a_failed_commit_the_store_is_opened_again_before_the_next_job,
                               reset),
        cmocka_unit_test_setup(while_the_store_cannot_be_opened_no_job_is_applied, reset),
        cmocka_unit_test_setup(while_memory_cannot_be_made_true_no_job_is_applied, reset),
        cmocka_unit_test_setup(jobs_that_wait_share_one_commit, reset),
        cmocka_unit_test_setup(a_job_that_cannot_read_fails_alone_when_it_has_written_nothing,
                               reset),
        cmocka_unit_test_setup(a_failed_commit_fails_the_jobs_that_had_failed_on_their_own, reset),
        cmocka_unit_test_setup(a_control_job_commits_apart, reset),
        cmocka_unit_test_setup(where_batches_are_told_jobs_wait_until_they_are_started, reset),
        cmocka_unit_test_setup(it_is_behind_while_a_job_waits_for_too_long, reset),
        cmocka_unit_test_setup(it_is_behind_while_jobs_hold_as_much_as_they_may, reset),
        cmocka_unit_test_setup(a_batch_that_fails_is_told_too, reset),
        cmocka_unit_test_setup(a_counter_loses_nothing_when_callers_take_turns, reset),
        cmocka_unit_test_setup(a_counter_loses_nothing_with_a_thread_of_the_committers, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
