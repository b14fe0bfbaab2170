// Dispatch: which operations there are, how faults of a body are answered, and jobs.
#include "support.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static void only_known_operations_are_known(void **state)
{
    static const char *const names[] = {"Nope", "", "getitem", "GetItems", "DynamoDB_GetItem"};
    for (size_t i = 0; i < OD_COUNT(names); i++) {
        struct od_call call = api_call(state, names[i], "{}");
        assert_int_equal(call.http_status, 400);
        assert_true(od_str_eq(
            od_buf_str(&call.out),
            OD_STR("{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}")));
    }
}

static void a_body_is_a_json_object(void **state)
{
    static const char *const bodies[] = {"", "x", "[]", "1", "{", "{'a':}", "{}{}"};
    for (size_t i = 0; i < OD_COUNT(bodies); i++) {
        struct od_call call = api_call(state, "ListTables", bodies[i]);
        assert_int_equal(call.http_status, 400);
        assert_true(
            od_str_eq(od_buf_str(&call.out),
                      OD_STR("{\"__type\":\"com.amazon.coral.service#SerializationException\"}")));
    }
}

static void types_come_before_constraints_and_those_before_rules(void **state)
{
    static const struct api_row rows[] = {
        {"GetItem", "{'TableName':5,'Key':{'k':{}}}",
         "SerializationException: NUMBER_VALUE cannot be converted to String"},
        {"GetItem", "{'TableName':'abc','Key':{'k':{}},'ReturnConsumedCapacity':'ALL'}",
         "ValidationException: 1 validation error detected: Value 'ALL' at "
         "'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value "
         "set: [INDEXES, TOTAL, NONE]"},
        {"GetItem", "{'TableName':'abc','Key':{'k':{}}}",
         "ValidationException: Supplied AttributeValue is empty, must contain exactly one of the "
         "supported datatypes"},
        // Null is absent, and an unknown member is nothing.
        {"GetItem",
         "{'TableName':'abc','Key':{'k':{'S':'a'}},'ProjectionExpression':null,"
         "'ExpressionAttributeValues':5}",
         "ResourceNotFoundException: Requested resource not found"},
    };
    CHECK_CALLS(state, rows);
}

static void limits_and_endpoints_are_told(void **state)
{
    static const struct api_row rows[] = {
        {"DescribeLimits", "{}",
         "{'AccountMaxReadCapacityUnits':80000,'AccountMaxWriteCapacityUnits':80000,"
         "'TableMaxReadCapacityUnits':40000,'TableMaxWriteCapacityUnits':40000}"},
        {"DescribeEndpoints", "{}",
         "{'Endpoints':[{'Address':'localhost:8000','CachePeriodInMinutes':1440}]}"},
    };
    CHECK_CALLS(state, rows);
}

// --- Writes through the committer's thread -----------------------------------------------------

enum { THREADS = 4, WRITES = 50 };

static void create_counters(void **state)
{
    struct od_call call =
        api_call(state, "CreateTable",
                 "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':"
                 "[{'AttributeName':'k','AttributeType':'S'}],'KeySchema':"
                 "[{'AttributeName':'k','KeyType':'HASH'}]}");
    assert_int_equal(call.http_status, 200);
}

static void tell_done(struct od_call *call)
{
    sem_post(call->user);
}

static void submit_and_wait(od_engine *engine, od_arena *arena, od_str body)
{
    sem_t done;
    sem_init(&done, 0, 0);
    struct od_call call = {
        .cx = {.arena = arena},
        .engine = engine,
        .operation = OD_STR("UpdateItem"),
        .body = body,
        .user = &done,
        .done = tell_done,
    };
    if (od_api_decode(&call) == OD_NEXT_SUBMIT) {
        od_api_submit(&call);
        sem_wait(&done);
    }
    sem_destroy(&done);
}

static void *count_up(void *engine)
{
    od_arena *arena = od_arena_create();
    for (int i = 0; i < WRITES; i++) {
        submit_and_wait(engine, arena,
                        OD_STR("{\"TableName\":\"abc\",\"Key\":{\"k\":{\"S\":\"a\"}},"
                               "\"UpdateExpression\":\"ADD c :one\","
                               "\"ExpressionAttributeValues\":{\":one\":{\"N\":\"1\"}}}"));
        od_arena_reset(arena);
    }
    od_arena_destroy(arena);
    return NULL;
}

static void submitted_writes_are_all_done(void **state)
{
    create_counters(state);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, count_up, api_engine(state)), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    static const struct api_row rows[] = {
        {"GetItem", "{'TableName':'abc','Key':{'k':{'S':'a'}}}",
         "{'Item':{'k':{'S':'a'},'c':{'N':'200'}}}"},
    };
    CHECK_CALLS(state, rows);
}

// --- Threads of a step ---------------------------------------------------------------------------

static void short_reads_are_quick_and_others_may_be_long(void **state)
{
    static const struct {
        const char *operation;
        const char *body;
        enum od_next want;
    } rows[] = {
        {"GetItem", "{}", OD_NEXT_ANSWERED},
        {"GetItem", "{'TableName':'abc','Key':{'k':{'S':'a'}}}", OD_NEXT_READ},
        {"DescribeLimits", "{}", OD_NEXT_READ},
        {"Scan", "{'TableName':'abc'}", OD_NEXT_TRY_READ},
        {"Scan", "{'TableName':'abc','Limit':1}", OD_NEXT_TRY_READ},
        {"BatchGetItem", "{'RequestItems':{'abc':{'Keys':[{'k':{'S':'a'}}]}}}", OD_NEXT_READ},
        {"DeleteItem", "{'TableName':'abc','Key':{'k':{'S':'a'}}}", OD_NEXT_SUBMIT},
        {"DeleteTable", "{'TableName':'abc'}", OD_NEXT_SUBMIT},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        if (api_next(state, rows[i].operation, rows[i].body) != rows[i].want) {
            fail_msg("row %zu: %s %s", i, rows[i].operation, rows[i].body);
        }
    }
}

// --- Hostile bodies -----------------------------------------------------------------------------

static const char *const strange_values[] = {
    "null",
    "5",
    "''",
    "'x'",
    "true",
    "[]",
    "[null]",
    "[{}]",
    "[[]]",
    "{}",
    "{'a':null}",
    "{'a':5}",
    "{'a':{}}",
    "{'a':[]}",
    "{'a':{'S':null}}",
    "{'a':{'S':'x'}}",
    "{'a':{'M':{'b':null}}}",
    "{'a':{'L':[null]}}",
    "{'a':{'SS':[null]}}",
    "{'a':{'ComparisonOperator':null}}",
    "{'a':{'ComparisonOperator':'EQ'}}",
    "{'a':{'ComparisonOperator':'EQ','AttributeValueList':[null]}}",
    "{'a':{'Value':null,'Action':null,'Exists':null}}",
    "{'a':{'Keys':[null]}}",
    "{'abc':[null]}",
    "{'abc':[{'PutRequest':null}]}",
    "{'abc':[{'PutRequest':{'Item':null}}]}",
    "{'abc':{'Keys':null}}",
    "{'abc':{'Keys':[{}]}}",
    "{'abc':{'Keys':[{'k':null}]}}",
    "{':a':null}",
    "{'#a':null}",
    "{':a':{'S':'x'}}",
    "{'#a':'a'}",
};

static const char *const all_operations[] = {
    "PutItem",      "GetItem",        "UpdateItem",  "DeleteItem",    "Query",      "Scan",
    "BatchGetItem", "BatchWriteItem", "CreateTable", "DescribeTable", "ListTables", "DeleteTable",
};

static const char *const all_members[] = {
    "TableName",
    "Item",
    "Key",
    "Expected",
    "AttributeUpdates",
    "AttributesToGet",
    "KeyConditions",
    "QueryFilter",
    "ScanFilter",
    "ConditionalOperator",
    "ExclusiveStartKey",
    "ExpressionAttributeNames",
    "ExpressionAttributeValues",
    "ProjectionExpression",
    "FilterExpression",
    "KeyConditionExpression",
    "UpdateExpression",
    "ConditionExpression",
    "Limit",
    "Segment",
    "TotalSegments",
    "Select",
    "IndexName",
    "RequestItems",
    "KeySchema",
    "AttributeDefinitions",
    "GlobalSecondaryIndexes",
    "LocalSecondaryIndexes",
    "ProvisionedThroughput",
    "StreamSpecification",
    "SSESpecification",
    "ReturnValues",
    "ExclusiveStartTableName",
    "WarmThroughput",
    "OnDemandThroughput",
    "ConsistentRead",
};

// Anything goes but a crash: each member of a request in turn is null, of another
// type, doubled, or full of such things.
static void strange_members_are_no_harm(void **state)
{
    char body[500];
    size_t per_operation = OD_COUNT(all_members) * OD_COUNT(strange_values);
    for (size_t i = 0; i < OD_COUNT(all_operations) * per_operation; i++) {
        (void)snprintf(body, sizeof(body),
                       "{'TableName':'abc','Item':{'k':{'S':'a'}},'Key':{'k':{'S':'a'}},"
                       "'KeySchema':[],'AttributeDefinitions':[],'%s':%s}",
                       all_members[i % per_operation / OD_COUNT(strange_values)],
                       strange_values[i % OD_COUNT(strange_values)]);
        struct od_call call = api_call(state, all_operations[i / per_operation], body);
        assert_true(call.http_status == 200 || call.http_status == 400);
        assert_int_not_equal(call.out.len, 0);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_known_operations_are_known, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_body_is_a_json_object, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(types_come_before_constraints_and_those_before_rules,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(limits_and_endpoints_are_told, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(submitted_writes_are_all_done, api_setup_threaded,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(short_reads_are_quick_and_others_may_be_long, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(strange_members_are_no_harm, api_setup, api_teardown),
    };
    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
