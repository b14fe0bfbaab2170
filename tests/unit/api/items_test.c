// PutItem, GetItem, UpdateItem and DeleteItem on a memory store.
#include "support.h"

#define V         "ValidationException: "
#define FAILED    "ConditionalCheckFailedException: The conditional request failed"
#define KEY       "'TableName':'abc','Key':{'k':{'S':'a'}}"
#define PUT(rest) "{'TableName':'abc','Item':{'k':{'S':'a'}" rest

static int setup(void **state)
{
    if (api_setup(state) != 0) {
        return -1;
    }
    struct od_call call = api_call(
        state, "CreateTable",
        "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST',"
        "'AttributeDefinitions':[{'AttributeName':'k','AttributeType':'S'},"
        "{'AttributeName':'g','AttributeType':'S'}],"
        "'KeySchema':[{'AttributeName':'k','KeyType':'HASH'}],"
        "'GlobalSecondaryIndexes':[{'IndexName':'by_g','KeySchema':"
        "[{'AttributeName':'g','KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}}]}");
    return call.http_status == 200 ? 0 : -1;
}

static void a_missing_table_is_a_missing_resource(void **state)
{
    static const struct api_row rows[] = {
        {"GetItem", "{'TableName':'nope','Key':{'k':{'S':'a'}}}",
         "ResourceNotFoundException: Requested resource not found"},
        {"PutItem", "{'TableName':'nope','Item':{'k':{'S':'a'}}}",
         "ResourceNotFoundException: Requested resource not found"},
        {"UpdateItem", "{'TableName':'nope','Key':{'k':{'S':'a'}}}",
         "ResourceNotFoundException: Requested resource not found"},
        {"DeleteItem", "{'TableName':'nope','Key':{'k':{'S':'a'}}}",
         "ResourceNotFoundException: Requested resource not found"},
        {"Query",
         "{'TableName':'nope','KeyConditionExpression':'k = :k','ExpressionAttributeValues':"
         "{':k':{'S':'a'}}}",
         "ResourceNotFoundException: Requested resource not found"},
        {"Scan", "{'TableName':'nope'}", "ResourceNotFoundException: Requested resource not found"},
    };
    CHECK_CALLS(state, rows);
}

static void keys_are_held_against_the_schema(void **state)
{
    static const struct api_row rows[] = {
        {"GetItem", "{'TableName':'abc','Key':{'k':{'N':'1'}}}",
         V "The provided key element does not match the schema"},
        {"DeleteItem", "{'TableName':'abc','Key':{'k':{'S':'a'},'j':{'S':'a'}}}",
         V "The provided key element does not match the schema"},
        {"PutItem", "{'TableName':'abc','Item':{'j':{'S':'a'}}}",
         V "One or more parameter values were invalid: Missing the key k in the item"},
    };
    CHECK_CALLS(state, rows);
}

static void items_come_back_as_they_were_put(void **state)
{
    static const struct api_row rows[] = {
        {"GetItem", "{" KEY "}", "{}"},
        {"PutItem", PUT(",'n':{'N':'1e2'},'m':{'M':{'x':{'L':[{'NULL':true}]}}}}}"), "{}"},
        {"GetItem", "{" KEY "}",
         "{'Item':{'k':{'S':'a'},'n':{'N':'100'},'m':{'M':{'x':{'L':[{'NULL':true}]}}}}}"},
        {"GetItem", "{" KEY ",'ProjectionExpression':'m.x[0], n'}",
         "{'Item':{'n':{'N':'100'},'m':{'M':{'x':{'L':[{'NULL':true}]}}}}}"},
        // There is an item, though nothing of it was asked for.
        {"GetItem", "{" KEY ",'ProjectionExpression':'zz'}", "{'Item':{}}"},
        {"GetItem", "{" KEY ",'AttributesToGet':['n']}", "{'Item':{'n':{'N':'100'}}}"},
        {"DeleteItem", "{" KEY "}", "{}"},
        {"GetItem", "{" KEY "}", "{}"},
    };
    CHECK_CALLS(state, rows);
}

static void attributes_are_returned_as_asked(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", PUT("},'ReturnValues':'ALL_OLD'}"), "{}"},
        {"PutItem", PUT(",'a':{'N':'1'}},'ReturnValues':'ALL_OLD'}"),
         "{'Attributes':{'k':{'S':'a'}}}"},
        {"UpdateItem",
         "{" KEY ",'UpdateExpression':'SET a = :a, m = :m REMOVE b','ExpressionAttributeValues':"
         "{':a':{'N':'2'},':m':{'M':{'x':{'N':'1'},'y':{'N':'2'}}}},"
         "'ReturnValues':'UPDATED_OLD'}",
         "{'Attributes':{'a':{'N':'1'}}}"},
        {"UpdateItem",
         "{" KEY ",'UpdateExpression':'SET m.x = :x','ExpressionAttributeValues':"
         "{':x':{'N':'3'}},'ReturnValues':'UPDATED_NEW'}",
         "{'Attributes':{'m':{'M':{'x':{'N':'3'}}}}}"},
        {"UpdateItem", "{" KEY ",'UpdateExpression':'REMOVE m','ReturnValues':'UPDATED_NEW'}",
         "{}"},
        {"UpdateItem",
         "{" KEY ",'UpdateExpression':'ADD a :one','ExpressionAttributeValues':"
         "{':one':{'N':'1'}},'ReturnValues':'ALL_NEW'}",
         "{'Attributes':{'k':{'S':'a'},'a':{'N':'3'}}}"},
        {"UpdateItem",
         "{" KEY ",'UpdateExpression':'ADD a :one','ExpressionAttributeValues':"
         "{':one':{'N':'1'}},'ReturnValues':'ALL_OLD'}",
         "{'Attributes':{'k':{'S':'a'},'a':{'N':'3'}}}"},
        {"DeleteItem", "{" KEY ",'ReturnValues':'ALL_OLD'}",
         "{'Attributes':{'k':{'S':'a'},'a':{'N':'4'}}}"},
        {"DeleteItem", "{" KEY ",'ReturnValues':'ALL_OLD'}", "{}"},
        // An update of nothing makes the bare item.
        {"UpdateItem", "{" KEY ",'ReturnValues':'UPDATED_OLD'}", "{}"},
        {"UpdateItem", "{" KEY ",'ReturnValues':'ALL_NEW'}", "{'Attributes':{'k':{'S':'a'}}}"},
    };
    CHECK_CALLS(state, rows);
}

static void failed_conditions_change_nothing(void **state)
{
    static const struct api_row rows[] = {
        {"UpdateItem", "{" KEY ",'ConditionExpression':'attribute_exists(k)'}", FAILED},
        {"GetItem", "{" KEY "}", "{}"},
        {"PutItem", PUT(",'v':{'N':'1'}},'ConditionExpression':'attribute_not_exists(k)'}"), "{}"},
        {"PutItem", PUT(",'v':{'N':'2'}},'ConditionExpression':'attribute_not_exists(k)'}"),
         FAILED},
        {"DeleteItem",
         "{" KEY ",'ConditionExpression':'v > :v','ExpressionAttributeValues':{':v':{'N':'1'}}}",
         FAILED},
        {"GetItem", "{" KEY "}", "{'Item':{'k':{'S':'a'},'v':{'N':'1'}}}"},
    };
    CHECK_CALLS(state, rows);
}

static void a_failed_condition_shows_the_item_when_asked(void **state)
{
    (void)api_call(state, "PutItem", PUT(",'v':{'N':'1'}}}"));
    struct od_call call = api_call(state, "PutItem",
                                   PUT("},'ConditionExpression':'attribute_not_exists(k)',"
                                       "'ReturnValuesOnConditionCheckFailure':'ALL_OLD'}"));
    assert_int_equal(call.http_status, 400);
    assert_true(od_str_contains(od_buf_str(&call.out),
                                OD_STR("\"Item\":{\"k\":{\"S\":\"a\"},\"v\":{\"N\":\"1\"}}")));
}

static void capacity_is_told_as_asked(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", PUT(",'g':{'S':'x'}},'ReturnConsumedCapacity':'TOTAL'}"),
         "{'ConsumedCapacity':{'TableName':'abc','CapacityUnits':2.0}}"},
        {"PutItem", PUT(",'g':{'S':'y'}},'ReturnConsumedCapacity':'INDEXES'}"),
         "{'ConsumedCapacity':{'TableName':'abc','CapacityUnits':3.0,'Table':"
         "{'CapacityUnits':1.0},'GlobalSecondaryIndexes':{'by_g':{'CapacityUnits':2.0}}}}"},
        {"GetItem", "{" KEY ",'ReturnConsumedCapacity':'TOTAL','ProjectionExpression':'zz'}",
         "{'Item':{},'ConsumedCapacity':{'TableName':'abc','CapacityUnits':0.5}}"},
        {"GetItem",
         "{" KEY ",'ReturnConsumedCapacity':'INDEXES','ConsistentRead':true,"
         "'ProjectionExpression':'g'}",
         "{'Item':{'g':{'S':'y'}},'ConsumedCapacity':{'TableName':'abc','CapacityUnits':1.0,"
         "'Table':{'CapacityUnits':1.0}}}"},
        {"DeleteItem", "{" KEY ",'ReturnConsumedCapacity':'NONE'}", "{}"},
    };
    CHECK_CALLS(state, rows);
}

static void a_table_may_be_named_by_its_arn(void **state)
{
    static const struct api_row rows[] = {
        {"GetItem",
         "{'TableName':'arn:aws:dynamodb:us-east-1:000000000000:table/abc','Key':"
         "{'k':{'S':'a'}},'ReturnConsumedCapacity':'TOTAL'}",
         "{'ConsumedCapacity':{'TableName':'arn:aws:dynamodb:us-east-1:000000000000:table/abc',"
         "'CapacityUnits':0.5}}"},
    };
    CHECK_CALLS(state, rows);
}

// --- Item collections ---------------------------------------------------------------------------

static void collections_are_measured_where_there_are_local_indexes(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", PUT("},'ReturnItemCollectionMetrics':'SIZE'}"), "{}"},
        {"PutItem",
         "{'TableName':'loc','Item':{'k':{'S':'a'},'n':{'N':'1'}},"
         "'ReturnItemCollectionMetrics':'SIZE'}",
         "{'ItemCollectionMetrics':{'ItemCollectionKey':{'k':{'S':'a'}},"
         "'SizeEstimateRangeGB':[0.0,1.0]}}"},
        {"DeleteItem", "{'TableName':'loc','Key':{'k':{'S':'a'},'n':{'N':'1'}}}", "{}"},
        {"BatchWriteItem",
         "{'ReturnItemCollectionMetrics':'SIZE','RequestItems':{"
         "'abc':[{'PutRequest':{'Item':{'k':{'S':'a'}}}}],"
         "'loc':[{'PutRequest':{'Item':{'k':{'S':'a'},'n':{'N':'1'}}}},"
         "{'PutRequest':{'Item':{'k':{'S':'a'},'n':{'N':'2'}}}}]}}",
         "{'UnprocessedItems':{},'ItemCollectionMetrics':{'loc':[{'ItemCollectionKey':"
         "{'k':{'S':'a'}},'SizeEstimateRangeGB':[0.0,1.0]}]}}"},
    };
    struct od_call call = api_call(
        state, "CreateTable",
        "{'TableName':'loc','BillingMode':'PAY_PER_REQUEST',"
        "'AttributeDefinitions':[{'AttributeName':'k','AttributeType':'S'},"
        "{'AttributeName':'n','AttributeType':'N'},{'AttributeName':'m','AttributeType':'N'}],"
        "'KeySchema':[{'AttributeName':'k','KeyType':'HASH'},"
        "{'AttributeName':'n','KeyType':'RANGE'}],"
        "'LocalSecondaryIndexes':[{'IndexName':'by_m','KeySchema':"
        "[{'AttributeName':'k','KeyType':'HASH'},{'AttributeName':'m','KeyType':'RANGE'}],"
        "'Projection':{'ProjectionType':'ALL'}}]}");
    assert_int_equal(call.http_status, 200);
    CHECK_CALLS(state, rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_missing_table_is_a_missing_resource, setup, api_teardown),
        cmocka_unit_test_setup_teardown(keys_are_held_against_the_schema, setup, api_teardown),
        cmocka_unit_test_setup_teardown(items_come_back_as_they_were_put, setup, api_teardown),
        cmocka_unit_test_setup_teardown(attributes_are_returned_as_asked, setup, api_teardown),
        cmocka_unit_test_setup_teardown(failed_conditions_change_nothing, setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_failed_condition_shows_the_item_when_asked, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(capacity_is_told_as_asked, setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_table_may_be_named_by_its_arn, setup, api_teardown),
        cmocka_unit_test_setup_teardown(collections_are_measured_where_there_are_local_indexes,
                                        setup, api_teardown),
    };
    return cmocka_run_group_tests_name("items", tests, NULL, NULL);
}
