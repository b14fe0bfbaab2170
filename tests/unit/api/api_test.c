// Dispatch: which operations there are, how faults of a body are answered, and jobs.
#include "support.h"

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

// Hostile bodies: anything goes but a crash. Each member of a request in turn is null, of another
// type, doubled, or full of such things.
static void strange_members_are_no_harm(void **state)
{
    static const char *const values[] = {
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
    static const char *const operations[] = {
        "PutItem",     "GetItem",       "UpdateItem",   "DeleteItem",
        "Query",       "Scan",          "BatchGetItem", "BatchWriteItem",
        "CreateTable", "DescribeTable", "ListTables",   "DeleteTable",
    };
    static const char *const members[] = {
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
    char body[500];
    for (size_t o = 0; o < OD_COUNT(operations); o++) {
        for (size_t m = 0; m < OD_COUNT(members); m++) {
            for (size_t v = 0; v < OD_COUNT(values); v++) {
                (void)snprintf(body, sizeof(body),
                               "{'TableName':'abc','Item':{'k':{'S':'a'}},'Key':{'k':{'S':'a'}},"
                               "'KeySchema':[],'AttributeDefinitions':[],'%s':%s}",
                               members[m], values[v]);
                struct od_call call = api_call(state, operations[o], body);
                assert_true(call.http_status == 200 || call.http_status == 400);
                assert_int_not_equal(call.out.len, 0);
            }
        }
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
        cmocka_unit_test_setup_teardown(strange_members_are_no_harm, api_setup, api_teardown),
    };
    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
