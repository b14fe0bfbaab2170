// What a client meets while an index that was added is being made.
//
// Everything that changes a table goes through the committer, one thing after another. A gate is a
// job that stops it there, so that each state can be looked at for as long as a test likes.
#include "support.h"

#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 80, BATCH_SIZE = 25 };

static const char create_table[] =
    "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST','KeySchema':[{'AttributeName':'id',"
    "'KeyType':'HASH'}],'AttributeDefinitions':[{'AttributeName':'id','AttributeType':'S'}],"
    "'GlobalSecondaryIndexes':[{'IndexName':'old','KeySchema':[{'AttributeName':'id','KeyType':"
    "'HASH'}],'Projection':{'ProjectionType':'KEYS_ONLY'}}]}";

#define ADD_INDEX(name)                                                                      \
    "{'TableName':'abc','AttributeDefinitions':[{'AttributeName':'g','AttributeType':'S'}]," \
    "'GlobalSecondaryIndexUpdates':[{'Create':{'IndexName':'" name "','KeySchema':[{"        \
    "'AttributeName':'g','KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}}}]}"
#define DROP_INDEX(name) \
    "{'TableName':'abc','GlobalSecondaryIndexUpdates':[{'Delete':{'IndexName':'" name "'}}]}"
#define COUNT_INDEX "{'TableName':'abc','IndexName':'new','Select':'COUNT'}"
#define DESCRIBE    "{'TableName':'abc'}"

// --- Gates --------------------------------------------------------------------------------------

struct gate {
    struct od_job job;
    od_ctx cx;
    sem_t reached;
    sem_t opened;
    sem_t passed;
};

static od_status stop_here(struct od_batch *batch, od_ctx *cx, void *arg)
{
    (void)batch;
    (void)cx;
    struct gate *gate = arg;
    sem_post(&gate->reached);
    sem_wait(&gate->opened);
    return OD_OK;
}

static void gate_passed(struct od_job *job)
{
    struct gate *gate = job->user;
    sem_post(&gate->passed);
}

// From now on the committer comes to the gate after everything that was asked before.
static struct gate *build_gate(void **state)
{
    struct gate *gate = calloc(1, sizeof(*gate));
    sem_init(&gate->reached, 0, 0);
    sem_init(&gate->opened, 0, 0);
    sem_init(&gate->passed, 0, 0);
    gate->cx.arena = od_arena_create();
    gate->job = (struct od_job){
        .apply = stop_here,
        .arg = gate,
        .cx = &gate->cx,
        .is_control = true,
        .done = gate_passed,
        .user = gate,
    };
    od_engine_submit(api_engine(state), &gate->job);
    return gate;
}

static void await_gate(struct gate *gate)
{
    sem_wait(&gate->reached);
}

static void open_gate(struct gate *gate)
{
    sem_post(&gate->opened);
    sem_wait(&gate->passed);
    od_arena_destroy(gate->cx.arena);
    free(gate);
}

// --- Calls that are answered later --------------------------------------------------------------

struct later {
    struct od_call call;
    sem_t answered;
};

static void answer_later(struct od_call *call)
{
    struct later *later = call->user;
    sem_post(&later->answered);
}

static struct later *ask(void **state, const char *operation, const char *body)
{
    struct later *later = calloc(1, sizeof(*later));
    od_arena *arena = od_arena_create();
    sem_init(&later->answered, 0, 0);
    later->call = (struct od_call){
        .cx = {.arena = arena},
        .engine = api_engine(state),
        .operation = od_cstr(operation),
        .body = api_json(arena, body),
        .user = later,
        .done = answer_later,
    };
    assert_int_equal(od_api_decode(&later->call), OD_NEXT_SUBMIT);
    od_api_submit(&later->call);
    return later;
}

static void expect(struct later *later, int status, const char *part)
{
    sem_wait(&later->answered);
    od_str body = od_buf_str(&later->call.out);
    if (later->call.http_status != status || !od_str_contains(body, od_cstr(part))) {
        print_error("%.*s: %d %.*s\n", OD_STR_ARG(later->call.operation), later->call.http_status,
                    OD_STR_ARG(body));
        fail();
    }
    od_arena_destroy(later->call.cx.arena);
    free(later);
}

// --- The table ----------------------------------------------------------------------------------

static bool answers(void **state, const char *operation, const char *body, const char *part)
{
    struct od_call call = api_call(state, operation, body);
    return od_str_contains(od_buf_str(&call.out), od_cstr(part));
}

static void put_batch(void **state, int batch)
{
    char body[8192] = "{'RequestItems':{'abc':[";
    size_t len = strlen(body);
    for (int i = 0; i < BATCH_SIZE; i++) {
        len += (size_t)snprintf(body + len, sizeof(body) - len,
                                "%s{'PutRequest':{'Item':{'id':{'S':'%d-%d'},'g':{'S':'x'}}}}",
                                i > 0 ? "," : "", batch, i);
    }
    snprintf(body + len, sizeof(body) - len, "]}}");
    assert_int_equal(api_call(state, "BatchWriteItem", body).http_status, 200);
}

// A table of so many items that an index of it is made in ten steps.
static int setup(void **state)
{
    if (api_setup_threaded(state) != 0) {
        return -1;
    }
    assert_int_equal(api_call(state, "CreateTable", create_table).http_status, 200);
    for (int i = 0; i < BATCHES; i++) {
        put_batch(state, i);
    }
    return 0;
}

static void await_indexes(void **state)
{
    while (answers(state, "DescribeTable", DESCRIBE, "\"Backfilling\"")) {
        sched_yield();
    }
}

// The committer stands at a gate, and no item was added to the new index.
static struct gate *begin_index(void **state)
{
    struct gate *before = build_gate(state);
    await_gate(before);
    struct later *update = ask(state, "UpdateTable", ADD_INDEX("new"));
    struct gate *after = build_gate(state);
    open_gate(before);
    expect(update, 200, "\"Backfilling\":false");
    await_gate(after);
    return after;
}

// Between one gate and the next there is one step at most, and none while the thread that asks for
// them has no processor.
static struct gate *await_backfilling(void **state, struct gate *gate)
{
    while (!answers(state, "DescribeTable", DESCRIBE, "\"Backfilling\":true")) {
        struct gate *next = build_gate(state);
        open_gate(gate);
        await_gate(next);
        gate = next;
        sched_yield();
    }
    return gate;
}

// ------------------------------------------------------------------------------------------------

static void before_the_first_step_the_table_is_updating_and_lets_nobody_change_it(void **state)
{
    struct gate *before = build_gate(state);
    await_gate(before);
    struct later *update = ask(state, "UpdateTable", ADD_INDEX("new"));
    struct later *drop_new = ask(state, "UpdateTable", DROP_INDEX("new"));
    struct later *drop_old = ask(state, "UpdateTable", DROP_INDEX("old"));
    struct later *protect =
        ask(state, "UpdateTable", "{'TableName':'abc','DeletionProtectionEnabled':true}");
    struct later *drop_table = ask(state, "DeleteTable", DESCRIBE);
    struct gate *after = build_gate(state);
    open_gate(before);
    expect(update, 200, "\"Backfilling\":false");
    expect(drop_new, 400,
           "Index creation is in resource allocation phase. Retry deletion during backfilling "
           "phase or when the index is active. Table: abc Index: new");
    expect(drop_old, 400, "still in use: Table is being updated: abc");
    expect(protect, 400, "still in use: Table is being updated: abc");
    expect(drop_table, 400, "still in use: Table is being updated: abc");

    await_gate(after);
    assert_true(answers(state, "DescribeTable", DESCRIBE, "\"TableStatus\":\"UPDATING\""));
    assert_true(answers(state, "DescribeTable", DESCRIBE, "\"Backfilling\":false"));
    assert_true(answers(state, "Scan", COUNT_INDEX,
                        "Cannot read from backfilling global secondary index: new"));
    assert_true(answers(state, "GetItem", "{'TableName':'abc','Key':{'id':{'S':'0-0'}}}", "0-0"));
    open_gate(after);
    await_indexes(state);
    assert_true(answers(state, "Scan", COUNT_INDEX, "\"Count\":2000"));
}

static void while_it_is_filled_the_table_is_active_and_keeps_its_other_indexes(void **state)
{
    struct gate *gate = await_backfilling(state, begin_index(state));
    assert_true(answers(state, "DescribeTable", DESCRIBE, "\"TableStatus\":\"ACTIVE\""));
    assert_true(answers(state, "DescribeTable", DESCRIBE, "\"IndexStatus\":\"CREATING\""));
    assert_true(answers(state, "Scan", COUNT_INDEX,
                        "Cannot read from backfilling global secondary index: new"));
    struct later *another = ask(state, "UpdateTable", ADD_INDEX("other"));
    struct later *drop = ask(state, "UpdateTable", DROP_INDEX("old"));
    struct later *drop_table = ask(state, "DeleteTable", DESCRIBE);
    struct later *put =
        ask(state, "PutItem", "{'TableName':'abc','Item':{'id':{'S':'late'},'g':{'S':'x'}}}");
    struct later *gone = ask(state, "DeleteItem", "{'TableName':'abc','Key':{'id':{'S':'0-0'}}}");
    struct later *moved =
        ask(state, "PutItem", "{'TableName':'abc','Item':{'id':{'S':'0-1'},'v':{'S':'x'}}}");
    open_gate(gate);
    expect(another, 400, "Only 1 online index can be created or deleted simultaneously per table");
    expect(drop, 400, "Only 1 online index can be created or deleted simultaneously per table");
    expect(drop_table, 400,
           "Cannot delete table while indexes are being created, updated, or deleted.");
    expect(put, 200, "");
    expect(gone, 200, "");
    expect(moved, 200, "");
    await_indexes(state);
    // 2000 items, one more, one gone, one without the key.
    assert_true(answers(state, "Scan", COUNT_INDEX, "\"Count\":1999"));
}

static void deleting_the_index_that_is_being_filled_gives_it_up(void **state)
{
    struct gate *gate = await_backfilling(state, begin_index(state));
    struct later *drop = ask(state, "UpdateTable", DROP_INDEX("new"));
    open_gate(gate);
    expect(drop, 200, "\"IndexStatus\":\"DELETING\"");
    assert_true(
        answers(state, "Scan", COUNT_INDEX, "The table does not have the specified index: new"));
    assert_false(answers(state, "DescribeTable", DESCRIBE, "\"Backfilling\""));
    // Another one of its name begins from nothing.
    assert_int_equal(api_call(state, "UpdateTable", ADD_INDEX("new")).http_status, 200);
    await_indexes(state);
    assert_true(answers(state, "Scan", COUNT_INDEX, "\"Count\":2000"));
}

static void settings_may_change_while_an_index_is_filled(void **state)
{
    struct gate *gate = await_backfilling(state, begin_index(state));
    struct later *update =
        ask(state, "UpdateTable", "{'TableName':'abc','DeletionProtectionEnabled':true}");
    struct later *tag = ask(state, "TagResource",
                            "{'ResourceArn':'arn:aws:dynamodb:us-east-1:000000000000:table/abc',"
                            "'Tags':[{'Key':'k','Value':'v'}]}");
    open_gate(gate);
    expect(update, 200, "\"DeletionProtectionEnabled\":true");
    expect(tag, 200, "");
    await_indexes(state);
    assert_true(answers(state, "DescribeTable", DESCRIBE, "\"DeletionProtectionEnabled\":true"));
    assert_true(answers(state, "Scan", COUNT_INDEX, "\"Count\":2000"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            before_the_first_step_the_table_is_updating_and_lets_nobody_change_it, setup,
            api_teardown),
        cmocka_unit_test_setup_teardown(
            while_it_is_filled_the_table_is_active_and_keeps_its_other_indexes, setup,
            api_teardown),
        cmocka_unit_test_setup_teardown(deleting_the_index_that_is_being_filled_gives_it_up, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(settings_may_change_while_an_index_is_filled, setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
