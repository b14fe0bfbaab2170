// Broken constraints: all of them in one message, with the paths and the values.
#include "support.h"

#define AT            " failed to satisfy constraint: "
#define NOT_NULL      "Member must not be null"
#define AT_LEAST      "Member must have length greater than or equal to "
#define AT_MOST       "Member must have length less than or equal to "
#define VALUE_LEAST   "Member must have value greater than or equal to "
#define VALUE_MOST    "Member must have value less than or equal to "
#define PATTERN       "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
#define ENUM          "Member must satisfy enum value set: "
#define ONE           "1 validation error detected: "
#define RETURN_VALUES "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
#define CAPACITY      "[INDEXES, TOTAL, NONE]"
#define COMPARISON \
    "[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"
#define EMPTY_NAME                                                      \
    "2 validation errors detected: Value '' at 'tableName'" AT AT_LEAST \
    "1; Value '' at 'tableName'" AT PATTERN
#define KEYS "'KeySchema': [{'AttributeName': 'a', 'KeyType': 'HASH'}]"
#define ARN  "arn:aws:dynamodb:us-east-1:000000000000:table/abc"

static od_status check(od_ctx *cx, const char *operation, od_str body)
{
    yyjson_val *root = NULL;
    assert_int_equal(od_wire_parse(cx, body, &root), OD_OK);
    return od_shape_check(cx, od_shape_of_input(od_cstr(operation)), root);
}

struct row {
    const char *operation;
    const char *json;
    const char *message;
};

static void check_rows(od_ctx *cx, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        od_status got = check(cx, rows[i].operation, json_text(cx, rows[i].json));
        check_fault(i, cx, got, OD_VALIDATION, rows[i].message);
    }
}

// --- One rule at a time -------------------------------------------------------------------------

static void missing_members_are_null(void **state)
{
    static const struct row rows[] = {
        {"GetItem", "{'TableName': 'abc'}", ONE "Value null at 'key'" AT NOT_NULL},
        {"GetItem", "{'TableName': 'abc', 'Key': null}", ONE "Value null at 'key'" AT NOT_NULL},
        {"GetItem", "{'TableName': 'abc', 'Key': {}, 'Key': null}",
         ONE "Value null at 'key'" AT NOT_NULL},
        {"PutItem", "{'Item': {}}", ONE "Value null at 'tableName'" AT NOT_NULL},
        {"Query", "{'TableName': 'abc', 'KeyConditions': {'a': {}}}",
         ONE "Value null at 'keyConditions.a.member.comparisonOperator'" AT NOT_NULL},
        {"Query", "{'TableName': 'abc', 'KeyConditions': {'a': null}}",
         ONE "Value null at 'keyConditions.a.member'" AT NOT_NULL},
        {"TransactWriteItems", "{'TransactItems': [{'Update': {'TableName': 'abc', 'Key': {}}}]}",
         ONE "Value null at 'transactItems.1.member.update.updateExpression'" AT NOT_NULL},
        {"TransactWriteItems",
         "{'TransactItems': [{}, {'ConditionCheck': {'TableName': 'abc', 'Key': {}}}]}",
         ONE
         "Value null at 'transactItems.2.member.conditionCheck.conditionExpression'" AT NOT_NULL},
        {"PutItem", "{}",
         "2 validation errors detected: Value null at 'item'" AT NOT_NULL
         "; Value null at 'tableName'" AT NOT_NULL},
        {"CreateTable", "{'AttributeDefinitions': [], " KEYS "}",
         ONE "Value null at 'tableName'" AT NOT_NULL},
        {"DescribeTable", "{}", ONE "Value null at 'tableName'" AT NOT_NULL},
        {"DeleteTable", "{'TableName': null}", ONE "Value null at 'tableName'" AT NOT_NULL},
        {"UpdateTable", "{}", ONE "Value null at 'tableName'" AT NOT_NULL},
        {"BatchWriteItem", "{'RequestItems': {'abc': [{'PutRequest': {}}]}}",
         ONE "Value null at 'requestItems.abc.member.1.member.putRequest.item'" AT NOT_NULL},
        {"BatchGetItem", "{}", ONE "Value null at 'requestItems'" AT NOT_NULL},
        {"BatchGetItem", "{'RequestItems': {'abc': {}}}",
         ONE "Value null at 'requestItems.abc.member.keys'" AT NOT_NULL},
        {"CreateTable",
         "{'TableName': 'abc', 'AttributeDefinitions': [null], 'KeySchema': "
         "[{'AttributeName': 'a', 'KeyType': 'HASH'}]}",
         ONE "Value null at 'attributeDefinitions.1.member'" AT NOT_NULL},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void lengths_values_patterns_and_enums_are_bounded(void **state)
{
    static const struct row rows[] = {
        {"Query", "{'TableName': 'abc', 'Limit': 0}",
         ONE "Value '0' at 'limit'" AT VALUE_LEAST "1"},
        {"Scan", "{'TableName': 'abc', 'Limit': -1}",
         ONE "Value '-1' at 'limit'" AT VALUE_LEAST "1"},
        {"Scan", "{'TableName': 'abc', 'Limit': 0.9}",
         ONE "Value '0' at 'limit'" AT VALUE_LEAST "1"},
        {"Scan", "{'TableName': 'abc', 'Segment': -1}",
         ONE "Value '-1' at 'segment'" AT VALUE_LEAST "0"},
        {"Scan", "{'TableName': 'abc', 'TotalSegments': 1000001}",
         ONE "Value '1000001' at 'totalSegments'" AT VALUE_MOST "1000000"},
        {"ListTables", "{'Limit': 101}", ONE "Value '101' at 'limit'" AT VALUE_MOST "100"},
        {"Query", "{'TableName': 'abc', 'IndexName': 'ab'}",
         ONE "Value 'ab' at 'indexName'" AT AT_LEAST "3"},
        {"Query", "{'TableName': 'abc', 'IndexName': 'abc;'}",
         ONE "Value 'abc;' at 'indexName'" AT PATTERN},
        {"Query", "{'TableName': 'abc', 'IndexName': ''}",
         "2 validation errors detected: Value '' at 'indexName'" AT AT_LEAST
         "3; Value '' at 'indexName'" AT PATTERN},
        {"GetItem", "{'TableName': 'abc', 'Key': {}, 'AttributesToGet': []}",
         ONE "Value '[]' at 'attributesToGet'" AT AT_LEAST "1"},
        {"ExecuteStatement", "{'Statement': ''}", ONE "Value '' at 'statement'" AT AT_LEAST "1"},
        {"ExecuteStatement", "{'Statement': 'x', 'Parameters': []}",
         ONE "Value '[]' at 'parameters'" AT AT_LEAST "1"},
        {"BatchExecuteStatement", "{'Statements': []}",
         ONE "Value '[]' at 'statements'" AT AT_LEAST "1"},
        {"TransactWriteItems", "{'TransactItems': []}",
         ONE "Value '[]' at 'transactItems'" AT AT_LEAST "1"},
        {"TransactWriteItems",
         "{'TransactItems': [{}], 'ClientRequestToken': '1234567890123456789012345678901234567'}",
         ONE "Value '1234567890123456789012345678901234567' at 'clientRequestToken'" AT AT_MOST
             "36"},
        {"GetItem", "{'TableName': 'abc', 'Key': {}, 'ReturnConsumedCapacity': 'ALL'}",
         ONE "Value 'ALL' at 'returnConsumedCapacity'" AT ENUM CAPACITY},
        {"PutItem", "{'TableName': 'abc', 'Item': {}, 'ReturnItemCollectionMetrics': 'x'}",
         ONE "Value 'x' at 'returnItemCollectionMetrics'" AT ENUM "[SIZE, NONE]"},
        {"PutItem", "{'TableName': 'abc', 'Item': {}, 'ReturnValues': 'x'}",
         ONE "Value 'x' at 'returnValues'" AT ENUM RETURN_VALUES},
        {"PutItem", "{'TableName': 'abc', 'Item': {}, 'ReturnValuesOnConditionCheckFailure': 'x'}",
         ONE "Value 'x' at 'returnValuesOnConditionCheckFailure'" AT ENUM "[ALL_OLD, NONE]"},
        {"PutItem", "{'TableName': 'abc', 'Item': {}, 'ConditionalOperator': 'XOR'}",
         ONE "Value 'XOR' at 'conditionalOperator'" AT ENUM "[OR, AND]"},
        {"PutItem",
         "{'TableName': 'abc', 'Item': {}, 'Expected': {'a': {'ComparisonOperator': ''}}}",
         ONE "Value '' at 'expected.a.member.comparisonOperator'" AT ENUM COMPARISON},
        {"UpdateItem",
         "{'TableName': 'abc', 'Key': {}, 'AttributeUpdates': {'a': {'Action': 'x'}}}",
         ONE "Value 'x' at 'attributeUpdates.a.member.action'" AT ENUM "[ADD, DELETE, PUT]"},
        {"Query", "{'TableName': 'abc', 'Select': 'x'}",
         ONE "Value 'x' at 'select'" AT ENUM
             "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"},
        {"UpdateTimeToLive", "{'TableName': 'abc', 'TimeToLiveSpecification': {'Enabled': true}}",
         ONE "Value null at 'timeToLiveSpecification.attributeName'" AT NOT_NULL},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

// {<head>"x" count times<tail>}
static od_str with_text(od_ctx *cx, const char *head, const char *text, size_t count,
                        const char *tail)
{
    struct od_buf body = {.arena = cx->arena};
    od_buf_put(&body, json_text(cx, head));
    od_buf_put(&body, repeated(cx, text, count));
    od_buf_put(&body, json_text(cx, tail));
    return od_buf_str(&body);
}

static void lengths_count_characters_but_of_key_names_bytes(void **state)
{
    static const char tag[] = "{'ResourceArn': 'a', 'Tags': [{'Value': '', 'Key': '";
    static const char key[] = "{'TableName': 'abc', 'KeySchema': [{'AttributeName': 'a', "
                              "'KeyType': 'HASH'}], 'AttributeDefinitions': [{'AttributeType': "
                              "'S', 'AttributeName': '";
    static const struct {
        const char *operation;
        const char *head;
        const char *character;
        size_t max;
    } rows[] = {
        {"TagResource", tag, "x", 128},
        {"TagResource", tag, "\xC3\xA9", 128},
        {"TagResource", tag, "\xE4\xB8\xAD", 128},
        {"TagResource", tag, "\xF0\x9F\x98\x80", 128},
        {"CreateTable", key, "x", 255},
        {"CreateTable", key, "\xC3\xA9", 127},
        {"CreateTable", key, "\xE4\xB8\xAD", 85},
        {"CreateTable", key, "\xF0\x9F\x98\x80", 63},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_str fits = with_text(cx, rows[i].head, rows[i].character, rows[i].max, "'}]}");
        od_str longer = with_text(cx, rows[i].head, rows[i].character, rows[i].max + 1, "'}]}");
        check_ok(i, cx, check(cx, rows[i].operation, fits));
        check_int(i, check(cx, rows[i].operation, longer), OD_VALIDATION);
    }
}

// --- Table names --------------------------------------------------------------------------------

static void a_table_is_named_or_its_arn_given(void **state)
{
    static const struct row bad[] = {
        {"GetItem", "{'TableName': '', 'Key': {}}", EMPTY_NAME},
        {"GetItem", "{'TableName': 'x!', 'Key': {}}", ONE "Value 'x!' at 'tableName'" AT PATTERN},
        {"GetItem", "{'TableName': 'arn:', 'Key': {}}",
         ONE "Value 'arn:' at 'tableName'" AT PATTERN},
        {"GetItem", "{'TableName': 'arn:aws:s3:us-east-1:0:table/abc', 'Key': {}}",
         ONE "Value 'arn:aws:s3:us-east-1:0:table/abc' at 'tableName'" AT PATTERN},
        {"GetItem", "{'TableName': 'arn:aws:dynamodb:us-east-1:0:table/', 'Key': {}}",
         ONE "Value 'arn:aws:dynamodb:us-east-1:0:table/' at 'tableName'" AT PATTERN},
        {"GetItem", "{'TableName': 'arn:aws:dynamodb:us-east-1:0:table/a/index/b', 'Key': {}}",
         ONE "Value 'arn:aws:dynamodb:us-east-1:0:table/a/index/b' at 'tableName'" AT PATTERN},
        {"GetItem", "{'TableName': 'arn:aws:dynamodb::0:table/abc', 'Key': {}}",
         ONE "Value 'arn:aws:dynamodb::0:table/abc' at 'tableName'" AT PATTERN},
        {"CreateTable", "{'TableName': 'ab', 'AttributeDefinitions': [], 'KeySchema': []}",
         "2 validation errors detected: Value '[]' at 'keySchema'" AT AT_LEAST
         "1; Value 'ab' at 'tableName'" AT AT_LEAST "3"},
        {"ListTables", "{'ExclusiveStartTableName': '" ARN "'}",
         ONE "Value '" ARN "' at 'exclusiveStartTableName'" AT PATTERN},
    };
    static const char *const good[] = {
        "{'TableName': 'a', 'Key': {}}",
        "{'TableName': 'A-z_0.9', 'Key': {}}",
        "{'TableName': '" ARN "', 'Key': {}}",
        "{'TableName': 'arn:aws-cn:dynamodb:cn-north-1:123456789012:table/a', 'Key': {}}",
    };
    check_rows(*state, bad, OD_COUNT(bad));
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(good); i++) {
        check_ok(i, cx, check(cx, "GetItem", json_text(cx, good[i])));
    }
}

static void names_end_at_1024_characters_but_of_new_tables_at_255(void **state)
{
    static const struct {
        const char *operation;
        const char *head;
        size_t max;
    } rows[] = {
        {"GetItem", "{'Key': {}, 'TableName': '", 1024},
        {"UpdateItem", "{'Key': {}, 'TableName': '", 1024},
        {"Query", "{'TableName': '", 1024},
        {"DescribeTable", "{'TableName': '", 1024},
        {"DeleteTable", "{'TableName': '", 1024},
        {"UpdateTimeToLive",
         "{'TimeToLiveSpecification': {'Enabled': true, 'AttributeName': 'a'}, 'TableName': '",
         1024},
        {"CreateTable", "{'AttributeDefinitions': [], " KEYS ", 'TableName': '", 255},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        size_t max = rows[i].max;
        od_str fits = with_text(cx, rows[i].head, "a", max, "'}");
        check_ok(i, cx, check(cx, rows[i].operation, fits));
        od_str longer = with_text(cx, rows[i].head, "a", max + 1, "'}");
        od_str name = repeated(cx, "a", max + 1);
        od_str message = od_arena_printf(
            cx->arena, ONE "Value '%.*s' at 'tableName'" AT AT_MOST "%zu", OD_STR_ARG(name), max);
        check_fault(i, cx, check(cx, rows[i].operation, longer), OD_VALIDATION, message.ptr);
    }
}

// --- Several at once ----------------------------------------------------------------------------

static void faults_are_told_together_in_the_order_of_the_names(void **state)
{
    static const struct row rows[] = {
        {"DeleteItem",
         "{'ReturnValues': 'x', 'TableName': 'abc', 'Key': {}, 'ReturnConsumedCapacity': 'y'}",
         "2 validation errors detected: Value 'y' at 'returnConsumedCapacity'" AT ENUM CAPACITY
         "; Value 'x' at 'returnValues'" AT ENUM RETURN_VALUES},
        {"TransactWriteItems",
         "{'TransactItems': [{}], 'ReturnItemCollectionMetrics': 'x', "
         "'ReturnConsumedCapacity': 'y'}",
         "2 validation errors detected: Value 'y' at 'returnConsumedCapacity'" AT ENUM CAPACITY
         "; Value 'x' at 'returnItemCollectionMetrics'" AT ENUM "[SIZE, NONE]"},
        {"CreateTable", "{'TableName': 'x!', 'AttributeDefinitions': [], 'KeySchema': []}",
         "3 validation errors detected: Value '[]' at 'keySchema'" AT AT_LEAST
         "1; Value 'x!' at 'tableName'" AT AT_LEAST "3; Value 'x!' at 'tableName'" AT PATTERN},
        // The rest is not listed.
        {"Query",
         "{'TableName': 'abc;', 'ReturnConsumedCapacity': 'hi', 'AttributesToGet': [], "
         "'IndexName': 'abc;', 'Select': 'hi', 'Limit': -1, "
         "'KeyConditions': {'a': {}, 'b': {'ComparisonOperator': ''}}, "
         "'QueryFilter': {'a': {}, 'b': {'ComparisonOperator': ''}, 'c': {}}}",
         "10 validation errors detected: "
         "Value '[]' at 'attributesToGet'" AT AT_LEAST "1; "
         "Value 'abc;' at 'indexName'" AT PATTERN "; "
         "Value null at 'keyConditions.a.member.comparisonOperator'" AT NOT_NULL "; "
         "Value '' at 'keyConditions.b.member.comparisonOperator'" AT ENUM COMPARISON "; "
         "Value '-1' at 'limit'" AT VALUE_LEAST "1; "
         "Value null at 'queryFilter.a.member.comparisonOperator'" AT NOT_NULL "; "
         "Value '' at 'queryFilter.b.member.comparisonOperator'" AT ENUM COMPARISON "; "
         "Value null at 'queryFilter.c.member.comparisonOperator'" AT NOT_NULL "; "
         "Value 'hi' at 'returnConsumedCapacity'" AT ENUM CAPACITY "; "
         "Value 'hi' at 'select'" AT ENUM
         "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void some_faults_of_puts_and_updates_are_told_alone(void **state)
{
    static const struct row rows[] = {
        // PutItem tells a bad table name alone, but enums together.
        {"PutItem", "{'TableName': 'x!', 'Item': {}, 'ReturnValues': 'x'}",
         ONE "Value 'x!' at 'tableName'" AT PATTERN},
        {"PutItem", "{'TableName': '', 'ReturnValues': 'x'}", EMPTY_NAME},
        {"PutItem",
         "{'TableName': 'abc', 'Item': {}, 'ReturnValues': 'x', 'ReturnConsumedCapacity': 'y', "
         "'ReturnItemCollectionMetrics': 'z'}",
         "3 validation errors detected: Value 'y' at 'returnConsumedCapacity'" AT ENUM CAPACITY
         "; Value 'z' at 'returnItemCollectionMetrics'" AT ENUM
         "[SIZE, NONE]; Value 'x' at 'returnValues'" AT ENUM RETURN_VALUES},
        // UpdateItem stops at the first enum too, ReturnValues before all others.
        {"UpdateItem", "{'TableName': 'x!', 'Key': {}, 'ReturnValues': 'x'}",
         ONE "Value 'x!' at 'tableName'" AT PATTERN},
        {"UpdateItem",
         "{'TableName': 'abc', 'Key': {}, 'ReturnConsumedCapacity': 'y', 'ReturnValues': 'x'}",
         ONE "Value 'x' at 'returnValues'" AT ENUM RETURN_VALUES},
        {"UpdateItem", "{'TableName': 'abc', 'Key': {}, 'ReturnConsumedCapacity': 'y'}",
         ONE "Value 'y' at 'returnConsumedCapacity'" AT ENUM CAPACITY},
        // What is missing is told with all else that is.
        {"UpdateItem", "{}",
         "2 validation errors detected: Value null at 'key'" AT NOT_NULL
         "; Value null at 'tableName'" AT NOT_NULL},
        {"PutItem", "{'ReturnValues': 'x'}",
         "3 validation errors detected: Value null at 'item'" AT NOT_NULL
         "; Value 'x' at 'returnValues'" AT ENUM RETURN_VALUES
         "; Value null at 'tableName'" AT NOT_NULL},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

// --- Tables -------------------------------------------------------------------------------------

#define NAMED "'TableName': 'abc', 'AttributeDefinitions': [], "

static void structures_and_lists_are_repeated_member_by_member(void **state)
{
    static const struct row rows[] = {
        {"CreateTable",
         "{" NAMED "'KeySchema': [{'AttributeName': 'a', 'KeyType': 'HASH'}, {'KeyType': 'RANGE', "
         "'AttributeName': 'b'}, {'AttributeName': 'c', 'KeyType': 'RANGE'}]}",
         ONE "Value '[KeySchemaElement(attributeName=a, keyType=HASH), "
             "KeySchemaElement(attributeName=b, keyType=RANGE), "
             "KeySchemaElement(attributeName=c, keyType=RANGE)]' at 'keySchema'" AT AT_MOST "2"},
        {"CreateTable",
         "{" NAMED "'KeySchema': [{'AttributeName': 'a', 'KeyType': 'HASH'}, "
         "{'AttributeName': 'b', 'KeyType': 'SORT'}]}",
         ONE "Value 'SORT' at 'keySchema.2.member.keyType'" AT ENUM "[HASH, RANGE]"},
        {"CreateTable",
         "{'TableName': 'abc', 'AttributeDefinitions': [{'AttributeName': 'a', "
         "'AttributeType': 'SS'}], " KEYS "}",
         ONE "Value 'SS' at 'attributeDefinitions.1.member.attributeType'" AT ENUM "[B, N, S]"},
        {"CreateTable",
         "{" NAMED KEYS ", 'GlobalSecondaryIndexes': [{'IndexName': 'abc', 'Projection': {}, "
         "'KeySchema': [{'AttributeName': 'a', 'KeyType': 'HASH'}, {'AttributeName': 'b', "
         "'KeyType': 'x'}]}]}",
         ONE "Value 'x' at 'globalSecondaryIndexes.1.member.keySchema.2.member.keyType'" AT ENUM
             "[HASH, RANGE]"},
        {"CreateTable",
         "{" NAMED KEYS ", 'LocalSecondaryIndexes': [{'IndexName': 'l1', 'Projection': {}, " KEYS
         "}], 'GlobalSecondaryIndexes': [{'IndexName': 'g1', 'Projection': {}, " KEYS "}]}",
         "2 validation errors detected: "
         "Value 'g1' at 'globalSecondaryIndexes.1.member.indexName'" AT AT_LEAST
         "3; Value 'l1' at 'localSecondaryIndexes.1.member.indexName'" AT AT_LEAST "3"},
        {"CreateTable", "{" NAMED KEYS ", 'LocalSecondaryIndexes': [{}, {}, {}]}",
         "6 validation errors detected: "
         "Value null at 'localSecondaryIndexes.1.member.indexName'" AT NOT_NULL
         "; Value null at 'localSecondaryIndexes.1.member.keySchema'" AT NOT_NULL
         "; Value null at 'localSecondaryIndexes.2.member.indexName'" AT NOT_NULL
         "; Value null at 'localSecondaryIndexes.2.member.keySchema'" AT NOT_NULL
         "; Value null at 'localSecondaryIndexes.3.member.indexName'" AT NOT_NULL
         "; Value null at 'localSecondaryIndexes.3.member.keySchema'" AT NOT_NULL},
        {"CreateTable", "{" NAMED KEYS ", 'ProvisionedThroughput': {'ReadCapacityUnits': 0}}",
         "2 validation errors detected: "
         "Value '0' at 'provisionedThroughput.readCapacityUnits'" AT VALUE_LEAST
         "1; Value null at 'provisionedThroughput.writeCapacityUnits'" AT NOT_NULL},
        {"CreateTable", "{" NAMED KEYS ", 'BillingMode': 'x'}",
         ONE "Value 'x' at 'billingMode'" AT ENUM "[PROVISIONED, PAY_PER_REQUEST]"},
        {"CreateTable",
         "{" NAMED KEYS ", 'StreamSpecification': {'StreamEnabled': true, "
         "'StreamViewType': 'x'}}",
         ONE "Value 'x' at 'streamSpecification.streamViewType'" AT ENUM
             "[NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY]"},
        {"CreateTable", "{" NAMED KEYS ", 'SSESpecification': {'SSEType': 'x'}}",
         ONE "Value 'x' at 'sSESpecification.sSEType'" AT ENUM "[AES256, KMS]"},
        {"UpdateTable",
         "{'TableName': 'abc', 'GlobalSecondaryIndexUpdates': [{'Update': {'IndexName': 'abc', "
         "'ProvisionedThroughput': {}}}]}",
         "2 validation errors detected: Value null at 'globalSecondaryIndexUpdates.1.member.update."
         "provisionedThroughput.readCapacityUnits'" AT NOT_NULL
         "; Value null at 'globalSecondaryIndexUpdates.1.member.update."
         "provisionedThroughput.writeCapacityUnits'" AT NOT_NULL},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

// --- Batches and transactions -------------------------------------------------------------------

// `head`, then `count` times `each` with commas, then `tail`.
static od_str listed(od_ctx *cx, const char *head, const char *each, size_t count, const char *tail)
{
    struct od_buf out = {.arena = cx->arena};
    od_buf_put(&out, json_text(cx, head));
    for (size_t i = 0; i < count; i++) {
        od_buf_put(&out, i > 0 ? OD_STR(", ") : OD_STR(""));
        od_buf_put(&out, json_text(cx, each));
    }
    od_buf_put(&out, json_text(cx, tail));
    return od_buf_str(&out);
}

static void maps_of_tables_are_bounded(void **state)
{
    static const struct row rows[] = {
        {"BatchGetItem", "{'RequestItems': {}}", ONE "Value at 'RequestItems'" AT AT_LEAST "1"},
        {"BatchWriteItem", "{'RequestItems': {}}",
         "The requestItems parameter is required for BatchWriteItem"},
        {"BatchWriteItem", "{'RequestItems': {}, 'ReturnConsumedCapacity': 'x'}",
         ONE "Value 'x' at 'returnConsumedCapacity'" AT ENUM CAPACITY},
        {"BatchWriteItem", "{'RequestItems': {'abc': []}}",
         ONE "Value '{abc=[]}' at 'requestItems'" AT "Map value must satisfy constraint: [" AT_MOST
             "25, " AT_LEAST "1]"},
        {"BatchWriteItem", "{'RequestItems': {'a!': [{}]}}",
         ONE "Value '{a!=[WriteRequest(deleteRequest=null, putRequest=null)]}' at "
             "'requestItems'" AT "Map keys must satisfy constraint: [" AT_MOST "1024, " AT_LEAST
             "1, " PATTERN "]"},
        {"BatchGetItem", "{'RequestItems': {'abc': {'Keys': []}}}",
         ONE "Value at 'requestItems.abc.member.keys'" AT AT_LEAST "1"},
        {"BatchGetItem", "{'RequestItems': {'': {'Keys': [{'a': {'S': 'x'}}]}}}",
         ONE "Value '{=KeysAndAttributes(attributesToGet=null, consistentRead=null, "
             "expressionAttributeNames=null, keys=[{a=AttributeValue(s=x)}], "
             "projectionExpression=null)}' at 'requestItems'" AT
             "Map keys must satisfy constraint: [" AT_MOST "1024, " AT_LEAST "1, " PATTERN "]"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
    od_ctx *cx = *state;
    check_ok(
        0, cx,
        check(cx, "BatchGetItem", json_text(cx, "{'RequestItems': {'" ARN "': {'Keys': [{}]}}}")));
}

static void long_lists_are_refused_and_repeated(void **state)
{
    od_ctx *cx = *state;
    od_str keys =
        listed(cx, "{'RequestItems': {'abc': {'Keys': [", "{'a': {'S': 'x'}}", 101, "]}}}");
    check_fault(0, cx, check(cx, "BatchGetItem", keys), OD_VALIDATION,
                ONE "Value at 'requestItems.abc.member.keys'" AT AT_MOST "100");
    keys = listed(cx, "{'RequestItems': {'abc': {'Keys': [", "{'a': {'S': 'x'}}", 100, "]}}}");
    check_ok(0, cx, check(cx, "BatchGetItem", keys));

    od_str writes = listed(cx, "{'RequestItems': {'abc': [",
                           "{'PutRequest': {'Item': {'a': {'S': 'x'}}}}", 26, "]}}");
    check_int(1, check(cx, "BatchWriteItem", writes), OD_VALIDATION);
    assert_true(od_str_has_prefix(
        cx->error,
        OD_STR(ONE "Value '{abc=[WriteRequest(deleteRequest=null, putRequest=PutRequest(item={a="
                   "AttributeValue(s=x)})), WriteRequest(")));
    od_str tail = OD_STR(")]}' at 'requestItems'" AT "Map value must satisfy constraint: [" AT_MOST
                         "25, " AT_LEAST "1]");
    assert_true(od_str_eq(od_str_skip(cx->error, cx->error.len - tail.len), tail));

    od_str actions =
        listed(cx, "{'TransactItems': [", "{'Put': {'TableName': 'abc', 'Item': {}}}", 101, "]}");
    check_int(2, check(cx, "TransactWriteItems", actions), OD_VALIDATION);
    assert_true(od_str_has_prefix(cx->error, OD_STR(ONE "Value '[TransactWriteItem(")));
    tail = OD_STR("]' at 'transactItems'" AT AT_MOST "100");
    assert_true(od_str_eq(od_str_skip(cx->error, cx->error.len - tail.len), tail));
}

static void what_is_repeated_is_cut_in_whole_characters(void **state)
{
    od_ctx *cx = *state;
    struct od_buf body = {.arena = cx->arena};
    od_buf_put(&body,
               json_text(cx, "{'TableName': 'abc', 'Key': {}, 'ReturnConsumedCapacity': 'x"));
    od_buf_put(&body, repeated(cx, "\xF0\x9F\x98\x80", 100000));
    od_buf_put(&body, json_text(cx, "'}"));
    check_int(0, check(cx, "GetItem", od_buf_str(&body)), OD_VALIDATION);
    assert_true(cx->error.len < 70000);
    od_str tail = OD_STR("\xF0\x9F\x98\x80' at 'returnConsumedCapacity'" AT ENUM CAPACITY);
    assert_true(od_str_eq(od_str_skip(cx->error, cx->error.len - tail.len), tail));
}

static void text_with_a_nul_byte_is_told_to_its_end(void **state)
{
    od_ctx *cx = *state;
    od_str body =
        json_text(cx, "{'TableName': 'abc', 'Key': {}, 'ReturnConsumedCapacity': 'x\\u0000y'}");
    check_int(0, check(cx, "GetItem", body), OD_VALIDATION);
    assert_true(od_str_eq(cx->error,
                          OD_STR(ONE "Value 'x\0y' at 'returnConsumedCapacity'" AT ENUM CAPACITY)));
}

static void what_a_later_member_replaces_is_no_fault(void **state)
{
    static const struct {
        const char *operation;
        const char *json;
    } rows[] = {
        {"GetItem", "{'TableName': '', 'Key': {}, 'TableName': 'abc'}"},
        {"GetItem", "{'TableName': 'abc', 'Key': {}, 'ReturnConsumedCapacity': 'x', "
                    "'ReturnConsumedCapacity': null}"},
        {"BatchWriteItem", "{'RequestItems': {'abc': [], 'abc': [{}]}}"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_ok(i, cx, check(cx, rows[i].operation, json_text(cx, rows[i].json)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(missing_members_are_null),
        TEST(lengths_values_patterns_and_enums_are_bounded),
        TEST(lengths_count_characters_but_of_key_names_bytes),
        TEST(a_table_is_named_or_its_arn_given),
        TEST(names_end_at_1024_characters_but_of_new_tables_at_255),
        TEST(faults_are_told_together_in_the_order_of_the_names),
        TEST(some_faults_of_puts_and_updates_are_told_alone),
        TEST(structures_and_lists_are_repeated_member_by_member),
        TEST(maps_of_tables_are_bounded),
        TEST(long_lists_are_refused_and_repeated),
        TEST(what_is_repeated_is_cut_in_whole_characters),
        TEST(text_with_a_nul_byte_is_told_to_its_end),
        TEST(what_a_later_member_replaces_is_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
