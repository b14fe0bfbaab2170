// CreateTable, DescribeTable, ListTables and DeleteTable.
#include "support.h"

#include "base/clock.h"

#include <stdlib.h>

#define V "ValidationException: "
#define W "ValidationException: One or more parameter values were invalid: "

static int setup(void **state)
{
    od_clock_set_ms(1786699800125); // 2026-08-14T09:30:00.125 UTC
    return api_setup(state);
}

static int teardown(void **state)
{
    od_clock_set_ms(-1);
    return api_teardown(state);
}

#define KEY_A                                                             \
    "'AttributeDefinitions':[{'AttributeName':'k','AttributeType':'S'}]," \
    "'KeySchema':[{'AttributeName':'k','KeyType':'HASH'}]"
#define SIMPLE(name) "{'TableName':'" name "','BillingMode':'PAY_PER_REQUEST'," KEY_A "}"

// Every table has another id: it is compared by its length alone.
static bool take_id(yyjson_mut_val *description)
{
    yyjson_mut_val *id = yyjson_mut_obj_remove_key(description, "TableId");
    return yyjson_mut_get_len(id) == 36;
}

static void check_description(void **state, const char *operation, const char *body,
                              const char *member, const char *want)
{
    struct od_call call = api_call(state, operation, body);
    assert_int_equal(call.http_status, 200);
    yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, YYJSON_READ_NOFLAG);
    yyjson_mut_doc *got = yyjson_doc_mut_copy(doc, NULL);
    yyjson_mut_val *description = yyjson_mut_obj_get(yyjson_mut_doc_get_root(got), member);
    assert_true(take_id(description));
    char *text = yyjson_mut_val_write(description, YYJSON_WRITE_NOFLAG, NULL);
    check_json(state, text, want);
    free(text);
    yyjson_mut_doc_free(got);
    yyjson_doc_free(doc);
}

static void wrong_tables_say_why(void **state)
{
    static const struct api_row rows[] = {
        {"CreateTable", "{'TableName':'abc'," KEY_A "}",
         W "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
           "PROVISIONED"},
        {"CreateTable",
         "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST','LocalSecondaryIndexes':"
         "[]," KEY_A "}",
         W "List of LocalSecondaryIndexes is empty"},
        {"CreateTable",
         "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST','StreamSpecification':"
         "{'StreamEnabled':false,'StreamViewType':'NEW_IMAGE'}," KEY_A "}",
         W "Table is being created with a stream disabled, UpdateViewType should not be "
           "specified"},
        {"CreateTable",
         "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST','Tags':"
         "[{'Key':'a','Value':'x'},{'Key':'a','Value':'y'}]," KEY_A "}",
         W "Tag key a stands more than once"},
        {"CreateTable",
         "{'TableName':'arn:aws:dynamodb:eu-west-9:000000000000:table/abc',"
         "'BillingMode':'PAY_PER_REQUEST'," KEY_A "}",
         "AccessDeniedException: User is not authorized to perform: dynamodb:CreateTable on "
         "resource: arn:aws:dynamodb:eu-west-9:000000000000:table/abc"},
        {"CreateTable",
         "{'TableName':'arn:aws:dynamodb:us-east-1:000000000000:table/ab',"
         "'BillingMode':'PAY_PER_REQUEST'," KEY_A "}",
         V "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: "
           "Member must have length greater than or equal to 3"},
        {"DescribeTable", "{'TableName':'abc'}",
         "ResourceNotFoundException: Requested resource not found: Table: abc not found"},
        {"DeleteTable", "{'TableName':'abc'}",
         "ResourceNotFoundException: Requested resource not found: Table: abc not found"},
    };
    CHECK_CALLS(state, rows);
}

#define ARN "'arn:aws:dynamodb:us-east-1:000000000000:table/abc'"
#define NO_THROUGHPUT                                                            \
    "'ProvisionedThroughput':{'NumberOfDecreasesToday':0,'ReadCapacityUnits':0," \
    "'WriteCapacityUnits':0}"

static void a_simple_table_is_described(void **state)
{
    check_description(state, "CreateTable", SIMPLE("abc"), "TableDescription",
                      "{'TableName':'abc','TableArn':" ARN ",'TableStatus':'CREATING',"
                      "'CreationDateTime':1786699800.125," KEY_A
                      ",'ItemCount':0,'TableSizeBytes':0,"
                      "'DeletionProtectionEnabled':false," NO_THROUGHPUT ","
                      "'BillingModeSummary':{'BillingMode':'PAY_PER_REQUEST'}}");
    check_description(state, "DescribeTable", "{'TableName':'abc'}", "Table",
                      "{'TableName':'abc','TableArn':" ARN ",'TableStatus':'ACTIVE',"
                      "'CreationDateTime':1786699800.125," KEY_A
                      ",'ItemCount':0,'TableSizeBytes':0,"
                      "'DeletionProtectionEnabled':false," NO_THROUGHPUT ","
                      "'BillingModeSummary':{'BillingMode':'PAY_PER_REQUEST',"
                      "'LastUpdateToPayPerRequestDateTime':1786699800.125},"
                      "'WarmThroughput':{'ReadUnitsPerSecond':12000,'WriteUnitsPerSecond':4000,"
                      "'Status':'ACTIVE'}}");
    check_description(
        state, "DeleteTable", "{'TableName':" ARN "}", "TableDescription",
        "{'TableName':'abc','TableArn':" ARN ",'TableStatus':'DELETING',"
        "'ItemCount':0,'TableSizeBytes':0,'DeletionProtectionEnabled':false," NO_THROUGHPUT
        ",'BillingModeSummary':{'BillingMode':'PAY_PER_REQUEST',"
        "'LastUpdateToPayPerRequestDateTime':1786699800.125}}");
}

#define DEFINITIONS                                                      \
    "'AttributeDefinitions':[{'AttributeName':'k','AttributeType':'S'}," \
    "{'AttributeName':'n','AttributeType':'N'},{'AttributeName':'b','AttributeType':'B'}]"
#define SCHEMA(hash, range)                                       \
    "'KeySchema':[{'AttributeName':'" hash "','KeyType':'HASH'}," \
    "{'AttributeName':'" range "','KeyType':'RANGE'}]"
#define LOCAL \
    SCHEMA("k", "b") ",'Projection':{'ProjectionType':'INCLUDE','NonKeyAttributes':['x','y']}"
#define GLOBAL SCHEMA("b", "n") ",'Projection':{'ProjectionType':'KEYS_ONLY'}"

static void every_setting_is_described(void **state)
{
    check_description(
        state, "CreateTable",
        "{'TableName':'abc','BillingMode':'PROVISIONED'," DEFINITIONS "," SCHEMA(
            "k", "n") ","
                      "'ProvisionedThroughput':{'ReadCapacityUnits':5,'WriteCapacityUnits':6},"
                      "'LocalSecondaryIndexes':[{'IndexName':'loc'," LOCAL "}],"
                      "'GlobalSecondaryIndexes':[{'IndexName':'glo'," GLOBAL ","
                      "'ProvisionedThroughput':{'ReadCapacityUnits':7,'WriteCapacityUnits':8}}],"
                      "'StreamSpecification':{'StreamEnabled':true,'StreamViewType':'NEW_IMAGE'},"
                      "'SSESpecification':{'Enabled':true},'TableClass':'STANDARD',"
                      "'WarmThroughput':{'ReadUnitsPerSecond':50,'WriteUnitsPerSecond':60},"
                      "'DeletionProtectionEnabled':true}",
        "TableDescription",
        "{'TableName':'abc','TableArn':" ARN ",'TableStatus':'CREATING',"
        "'CreationDateTime':1786699800.125," DEFINITIONS "," SCHEMA(
            "k", "n") ","
                      "'ItemCount':0,'TableSizeBytes':0,'DeletionProtectionEnabled':true,"
                      "'ProvisionedThroughput':{'NumberOfDecreasesToday':0,'ReadCapacityUnits':5,"
                      "'WriteCapacityUnits':6},"
                      "'LocalSecondaryIndexes':[{'IndexName':'loc','IndexArn':"
                      "'arn:aws:dynamodb:us-east-1:000000000000:table/abc/index/loc'," LOCAL ","
                      "'ItemCount':0,'IndexSizeBytes':0}],"
                      "'GlobalSecondaryIndexes':[{'IndexName':'glo','IndexArn':"
                      "'arn:aws:dynamodb:us-east-1:000000000000:table/abc/index/glo'," GLOBAL ","
                      "'ItemCount':0,'IndexSizeBytes':0,'IndexStatus':'CREATING','"
                      "ProvisionedThroughput':"
                      "{'NumberOfDecreasesToday':0,'ReadCapacityUnits':7,'WriteCapacityUnits':8}}],"
                      "'StreamSpecification':{'StreamEnabled':true,'StreamViewType':'NEW_IMAGE'},"
                      "'LatestStreamLabel':'2026-08-14T09:30:00.125','LatestStreamArn':"
                      "'arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/"
                      "2026-08-14T09:30:00.125',"
                      "'SSEDescription':{'Status':'ENABLED','SSEType':'KMS','KMSMasterKeyArn':"
                      "'arn:aws:kms:us-east-1:000000000000:alias/aws/dynamodb'},"
                      "'TableClassSummary':{'TableClass':'STANDARD'},"
                      "'WarmThroughput':{'ReadUnitsPerSecond':50,'WriteUnitsPerSecond':60,"
                      "'Status':'UPDATING'}}");
    static const struct api_row rows[] = {
        {"DeleteTable", "{'TableName':'abc'}",
         V "Resource cannot be deleted as it is currently protected against deletion. Disable "
           "deletion protection first."},
        {"CreateTable", SIMPLE("abc"), "ResourceInUseException: Table already exists: abc"},
    };
    CHECK_CALLS(state, rows);
}

static void tables_are_listed_by_name(void **state)
{
    assert_int_equal(api_call(state, "CreateTable", SIMPLE("bbb")).http_status, 200);
    assert_int_equal(api_call(state, "CreateTable", SIMPLE("ccc")).http_status, 200);
    assert_int_equal(api_call(state, "CreateTable", SIMPLE("aaa")).http_status, 200);
    static const struct api_row rows[] = {
        {"ListTables", "{}", "{'TableNames':['aaa','bbb','ccc']}"},
        {"ListTables", "{'Limit':2}",
         "{'TableNames':['aaa','bbb'],'LastEvaluatedTableName':'bbb'}"},
        {"ListTables", "{'Limit':2,'ExclusiveStartTableName':'bbb'}", "{'TableNames':['ccc']}"},
        {"ListTables", "{'Limit':3,'ExclusiveStartTableName':'aab'}",
         "{'TableNames':['bbb','ccc']}"},
        {"ListTables", "{'ExclusiveStartTableName':'zzz'}", "{'TableNames':[]}"},
    };
    CHECK_CALLS(state, rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_tables_say_why, setup, teardown),
        cmocka_unit_test_setup_teardown(a_simple_table_is_described, setup, teardown),
        cmocka_unit_test_setup_teardown(every_setting_is_described, setup, teardown),
        cmocka_unit_test_setup_teardown(tables_are_listed_by_name, setup, teardown),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
