// faults_test STORE: every n-th call fails, with every status. Whatever fails, the store holds what
// the statuses say it holds, and goes on.
#include "contract.h"

#include "fault_store.h"

#include <stdio.h>

enum { STEPS = 4 };

// What each commit of the script makes of group 1 (group 2 is the same).
static const char *const after_step[STEPS + 1] = {"", "a=1 ", "a=1 b=2 ", "b=2 ", ""};

struct run {
    struct contract *c;
    struct od_fault fault;
    size_t applied; // the number of steps whose effect is there
};

static od_status commit_step(struct contract *c, size_t step)
{
    struct od_mutation changes[] = {
        {.kind = OD_MUTATION_PUT, .key = OD_STR("a"), .value = OD_STR("1")},
        {.kind = OD_MUTATION_PUT, .key = OD_STR("b"), .value = OD_STR("2")},
        {.kind = OD_MUTATION_DEL, .key = OD_STR("a")},
        {.kind = OD_MUTATION_DEL_RANGE, .key = OD_STR("b")},
    };
    struct od_commit_part parts[] = {
        {.group = 1, .mutations = &changes[step], .mutation_count = 1},
        {.group = 2, .mutations = &changes[step], .mutation_count = 1},
    };
    return c->ops->commit(c->store, &c->cx, parts, OD_COUNT(parts));
}

static bool stop_at_once(void *arg, od_str key, od_str value)
{
    (void)arg;
    (void)key;
    (void)value;
    return false;
}

static od_status read_all_ways(struct contract *c)
{
    od_str key = OD_STR("a");
    od_str value = {0};
    OD_TRY(c->ops->get(c->store, &c->cx, NULL, 1, &key, 1, &value));
    struct od_scan_range range = {.group = 1};
    OD_TRY(c->ops->scan(c->store, &c->cx, NULL, &range, stop_at_once, NULL));
    od_snapshot *snapshot = NULL;
    OD_TRY(c->ops->snapshot_open(c->store, &c->cx, &snapshot));
    c->ops->snapshot_close(c->store, snapshot);
    return c->ops->group_drop(c->store, &c->cx, 3);
}

// A failure is reported as it was ordered, with a message.
static void assert_ordered(const struct run *run, od_status status)
{
    if (status == OD_OK) {
        return;
    }
    if (status != run->fault.status || run->c->cx.error.len == 0) {
        fail_msg("call %d, status %d: got %d", (int)run->fault.nth, (int)run->fault.status,
                 (int)status);
    }
}

// Each step is tried once more when it failed and was not applied.
static void run_step(struct run *run, size_t step)
{
    od_status status = commit_step(run->c, step);
    assert_ordered(run, status);
    if (status != OD_OK && !run->fault.applied) {
        contract_assert_group(run->c, 1, after_step[run->applied]);
        assert_int_equal(commit_step(run->c, step), OD_OK);
    }
    run->applied = step + 1;
    contract_assert_group(run->c, 1, after_step[run->applied]);
    contract_assert_group(run->c, 2, after_step[run->applied]);
}

static uint64_t run_script(struct contract *c, struct od_fault fault)
{
    struct run run = {.c = c, .fault = fault};
    uint64_t calls = 0;
    for (size_t step = 0; step < STEPS; step++) {
        // The checks of the script itself must not meet the fault, so it is armed anew.
        struct od_fault rest = fault;
        rest.nth = fault.nth > calls ? fault.nth - calls : 0;
        od_fault_arm(rest);
        assert_ordered(&run, read_all_ways(c));
        uint64_t before_commit = od_fault_calls();
        bool in_commit = rest.nth == before_commit + 1;
        if (!in_commit) {
            od_fault_arm((struct od_fault){0});
        }
        calls += before_commit + 1;
        run_step(&run, step);
    }
    return calls;
}

static void every_call_fails_once_with_every_status(void **state)
{
    struct contract *c = *state;
    static const struct od_fault kinds[] = {
        {.status = OD_STORE_CONFLICT},
        {.status = OD_STORE_FULL},
        {.status = OD_STORE_DOWN},
        {.status = OD_STORE_UNKNOWN},
        {.status = OD_STORE_UNKNOWN, .applied = true},
    };
    uint64_t calls = run_script(c, (struct od_fault){0});
    assert_true(calls > STEPS);
    for (size_t i = 0; i < OD_COUNT(kinds); i++) {
        for (uint64_t nth = 1; nth <= calls; nth++) {
            struct od_fault fault = kinds[i];
            fault.nth = nth;
            run_script(c, fault);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: faults_test STORE\n", stderr);
        return 2;
    }
    contract_choose(argv[1], true);
    const struct CMUnitTest tests[] = {
        CONTRACT_TEST(every_call_fails_once_with_every_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
