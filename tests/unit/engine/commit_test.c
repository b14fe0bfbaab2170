// Jobs and batches: what fails, and what fails with it.
#include "commit_support.h"

#include "engine/commit/batch.h"

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

struct recovery {
    od_status status;
    int count;
    int64_t row; // what was stored when it ran
};

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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
