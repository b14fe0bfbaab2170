// Jobs that wait: who wakes whom, how much may wait, several threads.
#include "commit_support.h"

#include "base/clock.h"

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

static void jobs_that_hold_much_are_not_left_waiting_to_be_started(void **state)
{
    (void)state;
    struct add add;
    struct batches batches = {0};
    init_add(&add, 1);
    add.job.done = note_done;
    add.job.bytes = (size_t)1024 * 1024;
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    od_committer_on_batch_done(committer, count_batch, &batches);
    close_gate();
    od_committer_submit(committer, &add.job);
    wait_for_committer_at_gate(); // it would not come
    open_gate();
    od_committer_destroy(committer);
    assert_int_equal(batches.done, 1);
    clear_add(&add);
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

// A control job stands in the middle: what comes after it is taken, but must wait.
static void those_that_are_taken_but_wait_for_their_batch_count_too(void **state)
{
    (void)state;
    struct add adds[3];
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    struct batches batches = {0};
    od_committer_on_batch_done(committer, count_batch, &batches);
    od_committer_limit(committer, (struct od_commit_limits){.wait_ns = 1});
    close_gate();
    for (int i = 0; i < 3; i++) {
        init_add(&adds[i], 1);
        adds[i].job.done = note_done;
        adds[i].job.is_control = i == 1;
        od_committer_submit(committer, &adds[i].job);
    }
    od_committer_start(committer);
    wait_for_committer_at_gate();
    pass_a_nanosecond();
    assert_true(od_committer_is_behind(committer));
    open_gate();
    od_committer_destroy(committer);
    assert_int_equal(batches.done, 3);
    for (int i = 0; i < 3; i++) {
        clear_add(&adds[i]);
    }
}

static void it_is_not_behind_when_what_was_taken_has_failed(void **state)
{
    (void)state;
    struct add adds[2];
    struct batches batches = {0};
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    od_committer_on_batch_done(committer, count_batch, &batches);
    od_committer_limit(committer, (struct od_commit_limits){.wait_ns = 1});
    fake.fail_at = 1;
    fake.failure = OD_STORE_UNKNOWN;
    fake.reopening = OD_STORE_DOWN;
    init_add(&adds[0], 1);
    init_add(&adds[1], 1);
    adds[0].job.done = note_done;
    adds[0].job.is_control = true;
    od_committer_submit(committer, &adds[0].job);
    assert_int_equal(od_committer_run(committer, &adds[1].job), OD_STORE_DOWN);
    assert_false(od_committer_is_behind(committer));
    od_committer_destroy(committer);
    assert_int_equal(adds[0].job.status, OD_STORE_UNKNOWN);
    clear_add(&adds[0]);
    clear_add(&adds[1]);
}

static void the_more_jobs_hold_the_less_they_may_wait(void **state)
{
    (void)state;
    const int64_t an_hour_ns = INT64_C(3600) * 1000 * 1000 * 1000;
    struct add add;
    struct batches batches = {0};
    init_add(&add, 1);
    add.job.done = note_done;
    add.job.bytes = 1;
    od_committer *committer = od_committer_create(&fake_ops, NULL, true);
    od_committer_on_batch_done(committer, count_batch, &batches);
    od_committer_limit(committer, (struct od_commit_limits){.wait_ns = an_hour_ns});
    od_committer_submit(committer, &add.job);
    pass_a_nanosecond();
    const struct {
        struct od_commit_limits limits;
        bool behind;
    } rows[] = {
        {{.wait_ns = an_hour_ns, .bytes = 2}, false}, // half of it is held
        {{.wait_ns = an_hour_ns}, false},
        {{.bytes = 2}, false},
        {{.wait_ns = 2, .bytes = 2}, true}, // the other half is the nanosecond
        {{.wait_ns = 1}, true},
        {{.wait_ns = an_hour_ns, .bytes = 1}, true},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        od_committer_limit(committer, rows[i].limits);
        if (od_committer_is_behind(committer) != rows[i].behind) {
            fail_msg("row %zu: not %d", i, rows[i].behind);
        }
    }
    od_committer_destroy(committer);
    clear_add(&add);
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
        cmocka_unit_test_setup(where_batches_are_told_jobs_wait_until_they_are_started, reset),
        cmocka_unit_test_setup(jobs_that_hold_much_are_not_left_waiting_to_be_started, reset),
        cmocka_unit_test_setup(it_is_behind_while_a_job_waits_for_too_long, reset),
        cmocka_unit_test_setup(those_that_are_taken_but_wait_for_their_batch_count_too, reset),
        cmocka_unit_test_setup(it_is_not_behind_when_what_was_taken_has_failed, reset),
        cmocka_unit_test_setup(the_more_jobs_hold_the_less_they_may_wait, reset),
        cmocka_unit_test_setup(it_is_behind_while_jobs_hold_as_much_as_they_may, reset),
        cmocka_unit_test_setup(a_batch_that_fails_is_told_too, reset),
        cmocka_unit_test_setup(a_counter_loses_nothing_when_callers_take_turns, reset),
        cmocka_unit_test_setup(a_counter_loses_nothing_with_a_thread_of_the_committers, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
