// Query and Scan on a memory store.
#include "support.h"

#include <stdio.h>

#define V "ValidationException: "

static int setup(void **state)
{
    static const char *const items[] = {
        "'k':{'S':'a'},'n':{'N':'1'},'g':{'S':'x'},'v':{'S':'one'}",
        "'k':{'S':'a'},'n':{'N':'2'},'v':{'S':'two'}",
        "'k':{'S':'a'},'n':{'N':'3'},'g':{'S':'x'},'v':{'S':'three'}",
        "'k':{'S':'b'},'n':{'N':'1'},'v':{'S':'four'}",
    };
    if (api_setup(state) != 0) {
        return -1;
    }
    struct od_call call = api_call(
        state, "CreateTable",
        "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST',"
        "'AttributeDefinitions':[{'AttributeName':'k','AttributeType':'S'},"
        "{'AttributeName':'n','AttributeType':'N'},{'AttributeName':'g','AttributeType':'S'}],"
        "'KeySchema':[{'AttributeName':'k','KeyType':'HASH'},"
        "{'AttributeName':'n','KeyType':'RANGE'}],"
        "'GlobalSecondaryIndexes':[{'IndexName':'by_g','KeySchema':"
        "[{'AttributeName':'g','KeyType':'HASH'}],"
        "'Projection':{'ProjectionType':'KEYS_ONLY'}}]}");
    for (size_t i = 0; i < OD_COUNT(items) && call.http_status == 200; i++) {
        char body[200];
        (void)snprintf(body, sizeof(body), "{'TableName':'abc','Item':{%s}}", items[i]);
        call = api_call(state, "PutItem", body);
    }
    return call.http_status == 200 ? 0 : -1;
}

#define QUERY_A                                            \
    "'TableName':'abc','KeyConditionExpression':'k = :k'," \
    "'ExpressionAttributeValues':{':k':{'S':'a'}}"
#define ITEM_1 "{'k':{'S':'a'},'n':{'N':'1'},'g':{'S':'x'},'v':{'S':'one'}}"
#define ITEM_2 "{'k':{'S':'a'},'n':{'N':'2'},'v':{'S':'two'}}"
#define ITEM_3 "{'k':{'S':'a'},'n':{'N':'3'},'g':{'S':'x'},'v':{'S':'three'}}"

static void faults_that_the_table_shows(void **state)
{
    static const struct api_row rows[] = {
        {"Query", "{" QUERY_A ",'IndexName':'nope'}",
         V "The table does not have the specified index: nope"},
        {"Scan", "{'TableName':'abc','IndexName':'by_g','ConsistentRead':true}",
         V "Consistent reads are not supported on global secondary indexes"},
        {"Scan", "{'TableName':'abc','IndexName':'by_g','Select':'ALL_ATTRIBUTES'}",
         V "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
           "supported for global secondary index by_g because its projection type is not ALL"},
        {"Scan", "{'TableName':'abc','IndexName':'by_g','ProjectionExpression':'v'}",
         V "One or more parameter values were invalid: Global secondary index by_g does not "
           "project [v]"},
        {"Query",
         "{'TableName':'abc','KeyConditionExpression':'k = :k','FilterExpression':'n > :n',"
         "'ExpressionAttributeValues':{':k':{'S':'a'},':n':{'N':'1'}}}",
         V "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
           "n"},
        {"Query", "{" QUERY_A ",'ExclusiveStartKey':{'k':{'S':'a'}}}",
         V "The provided starting key is invalid"},
    };
    CHECK_CALLS(state, rows);
}

static void queries_answer_in_order(void **state)
{
    static const struct api_row rows[] = {
        {"Query", "{" QUERY_A "}",
         "{'Items':[" ITEM_1 "," ITEM_2 "," ITEM_3 "],'Count':3,'ScannedCount':3}"},
        {"Query", "{" QUERY_A ",'ScanIndexForward':false}",
         "{'Items':[" ITEM_3 "," ITEM_2 "," ITEM_1 "],'Count':3,'ScannedCount':3}"},
        {"Query",
         "{'TableName':'abc','KeyConditionExpression':'k = :k AND n BETWEEN :lo AND :hi',"
         "'ExpressionAttributeValues':{':k':{'S':'a'},':lo':{'N':'2'},':hi':{'N':'2'}}}",
         "{'Items':[" ITEM_2 "],'Count':1,'ScannedCount':1}"},
        {"Query",
         "{'TableName':'abc','KeyConditionExpression':'k = :k',"
         "'ExpressionAttributeValues':{':k':{'S':'zz'}}}",
         "{'Items':[],'Count':0,'ScannedCount':0}"},
    };
    CHECK_CALLS(state, rows);
}

static void pages_end_with_a_key(void **state)
{
    static const struct api_row rows[] = {
        {"Query", "{" QUERY_A ",'Limit':2}",
         "{'Items':[" ITEM_1 "," ITEM_2 "],'Count':2,'ScannedCount':2,"
         "'LastEvaluatedKey':{'k':{'S':'a'},'n':{'N':'2'}}}"},
        {"Query", "{" QUERY_A ",'Limit':2,'ExclusiveStartKey':{'k':{'S':'a'},'n':{'N':'2'}}}",
         "{'Items':[" ITEM_3 "],'Count':1,'ScannedCount':1}"},
        // A filter sees what is evaluated, and the limit counts it.
        {"Query",
         "{'TableName':'abc','KeyConditionExpression':'k = :k','FilterExpression':'v = :v',"
         "'ExpressionAttributeValues':{':k':{'S':'a'},':v':{'S':'three'}},'Limit':2}",
         "{'Items':[],'Count':0,'ScannedCount':2,"
         "'LastEvaluatedKey':{'k':{'S':'a'},'n':{'N':'2'}}}"},
    };
    CHECK_CALLS(state, rows);
}

#define QUERY_A2                                                     \
    "'TableName':'abc','KeyConditionExpression':'k = :k AND n = :n'" \
    ",'ExpressionAttributeValues':{':k':{'S':'a'},':n':{'N':'2'}"

// Such a query reads one row by its key, and answers as any other.
static void a_whole_key_finds_one_item(void **state)
{
    static const struct api_row rows[] = {
        {"Query", "{" QUERY_A2 "},'ExclusiveStartKey':{'k':{'S':'a'},'n':{'N':'1'}}}",
         V "The provided starting key does not match the range key predicate"},
        {"Query", "{" QUERY_A2 "},'ExclusiveStartKey':{'k':{'S':'a'},'n':{'N':'2'}}}",
         "{'Items':[],'Count':0,'ScannedCount':0}"},
        {"Query",
         "{" QUERY_A2 "},'ExclusiveStartKey':{'k':{'S':'a'},'n':{'N':'2'}},"
         "'ScanIndexForward':false}",
         "{'Items':[],'Count':0,'ScannedCount':0}"},
        {"Query",
         "{'TableName':'abc','KeyConditionExpression':'k = :k AND n = :n',"
         "'ExpressionAttributeValues':{':k':{'S':'a'},':n':{'N':'9'}},"
         "'ReturnConsumedCapacity':'TOTAL'}",
         "{'Items':[],'Count':0,'ScannedCount':0,"
         "'ConsumedCapacity':{'TableName':'abc','CapacityUnits':0.5}}"},
        {"Query", "{" QUERY_A2 "}}", "{'Items':[" ITEM_2 "],'Count':1,'ScannedCount':1}"},
        {"Query", "{" QUERY_A2 "},'Limit':1}",
         "{'Items':[" ITEM_2 "],'Count':1,'ScannedCount':1,"
         "'LastEvaluatedKey':{'k':{'S':'a'},'n':{'N':'2'}}}"},
        {"Query", "{" QUERY_A2 ",':v':{'S':'three'}},'FilterExpression':'v = :v'}",
         "{'Items':[],'Count':0,'ScannedCount':1}"},
    };
    CHECK_CALLS(state, rows);
}

static void items_are_projected(void **state)
{
    static const struct api_row rows[] = {
        {"Query", "{" QUERY_A ",'ProjectionExpression':'v, zz'}",
         "{'Items':[{'v':{'S':'one'}},{'v':{'S':'two'}},{'v':{'S':'three'}}],'Count':3,"
         "'ScannedCount':3}"},
        {"Query", "{" QUERY_A ",'ProjectionExpression':'g'}",
         "{'Items':[{'g':{'S':'x'}},{},{'g':{'S':'x'}}],'Count':3,'ScannedCount':3}"},
        {"Query", "{" QUERY_A ",'Select':'COUNT'}", "{'Count':3,'ScannedCount':3}"},
    };
    CHECK_CALLS(state, rows);
}

static void indexes_are_read_and_charged(void **state)
{
    static const struct api_row rows[] = {
        {"Query",
         "{'TableName':'abc','IndexName':'by_g','KeyConditionExpression':'g = :g',"
         "'ExpressionAttributeValues':{':g':{'S':'x'}},'Select':'COUNT',"
         "'ReturnConsumedCapacity':'INDEXES'}",
         "{'Count':2,'ScannedCount':2,'ConsumedCapacity':{'TableName':'abc','CapacityUnits':0.5,"
         "'Table':{'CapacityUnits':0.0},'GlobalSecondaryIndexes':"
         "{'by_g':{'CapacityUnits':0.5}}}}"},
        {"Scan", "{'TableName':'abc','Select':'COUNT','ReturnConsumedCapacity':'TOTAL'}",
         "{'Count':4,'ScannedCount':4,'ConsumedCapacity':{'TableName':'abc',"
         "'CapacityUnits':2.0}}"},
    };
    CHECK_CALLS(state, rows);
}

static void segments_share_out_the_items(void **state)
{
    int64_t count = 0;
    for (int i = 0; i < 3; i++) {
        char body[100];
        (void)snprintf(body, sizeof(body),
                       "{'TableName':'abc','Select':'COUNT','Segment':%d,'TotalSegments':3}", i);
        struct od_call call = api_call(state, "Scan", body);
        yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, YYJSON_READ_NOFLAG);
        count += yyjson_get_sint(yyjson_obj_get(yyjson_doc_get_root(doc), "Count"));
        yyjson_doc_free(doc);
    }
    assert_int_equal(count, 4);
}

static void put_items(void **state, int count, int bytes)
{
    char body[70000];
    for (int i = 0; i < count; i++) {
        (void)snprintf(body, sizeof(body),
                       "{'TableName':'abc','Item':{'k':{'S':'big'},'n':{'N':'%d'},"
                       "'v':{'S':'%0*d'}}}",
                       i, bytes, i);
        assert_int_equal(api_call(state, "PutItem", body).http_status, 200);
    }
}

// An answer of many items with a projection each: it grows while memory is taken and given back.
static void large_answers_stay_whole(void **state)
{
    put_items(state, 250, 4000);
    struct od_call call = api_call(state, "Query",
                                   "{'TableName':'abc','KeyConditionExpression':'k = :k',"
                                   "'ExpressionAttributeValues':{':k':{'S':'big'}},"
                                   "'ProjectionExpression':'n, v'}");
    yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, YYJSON_READ_NOFLAG);
    yyjson_val *items = yyjson_obj_get(yyjson_doc_get_root(doc), "Items");
    assert_int_equal(yyjson_arr_size(items), 250);
    for (size_t i = 0; i < 250; i++) {
        yyjson_val *v = yyjson_obj_get(yyjson_arr_get(items, i), "v");
        assert_int_equal(yyjson_get_len(yyjson_obj_get(v, "S")), 4000);
    }
    yyjson_doc_free(doc);
}

static void check_count(const struct od_call *call, int want)
{
    yyjson_doc *doc = yyjson_read(call->out.ptr, call->out.len, YYJSON_READ_NOFLAG);
    yyjson_val *root = yyjson_doc_get_root(doc);
    assert_int_equal(yyjson_get_sint(yyjson_obj_get(root, "Count")), want);
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(root, "Items")), want);
    yyjson_doc_free(doc);
}

// What has 32 items or less, and 32 KB or so, is answered at the first attempt.
static void a_read_that_turns_out_long_is_given_up_and_made_again(void **state)
{
    static const struct {
        int items;
        int bytes;
        bool is_short;
    } rows[] = {
        {33, 10, false}, {3, 20000, false}, {32, 10, true}, {2, 20000, true}, {1, 10, true}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        void *fresh = NULL;
        assert_int_equal(setup(&fresh), 0);
        put_items(&fresh, rows[i].items, rows[i].bytes);
        struct od_call call = api_decode(&fresh, "Query",
                                         "{'TableName':'abc','KeyConditionExpression':'k = :k',"
                                         "'ExpressionAttributeValues':{':k':{'S':'big'}}}");
        if (od_api_try_read(&call) != rows[i].is_short) {
            fail_msg("row %zu", i);
        }
        if (!rows[i].is_short) {
            assert_int_equal(call.http_status, 0);
            od_api_run_read(&call);
        }
        assert_int_equal(call.http_status, 200);
        check_count(&call, rows[i].items);
        assert_int_equal(api_teardown(&fresh), 0);
    }
    (void)state;
}

static void a_fault_is_answered_at_the_first_attempt(void **state)
{
    struct od_call call = api_decode(state, "Scan", "{'TableName':'nope'}");
    assert_true(od_api_try_read(&call));
    assert_int_equal(call.http_status, 400);
}

// The arena that a long read works in is gone before its answer is sent.
static void a_fault_of_a_long_read_outlives_it(void **state)
{
    struct od_call call = api_decode(state, "Scan", "{'TableName':'nope'}");
    od_api_run_read(&call);
    assert_int_equal(call.http_status, 400);
    assert_ptr_equal(call.out.arena, call.cx.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(faults_that_the_table_shows, setup, api_teardown),
        cmocka_unit_test_setup_teardown(queries_answer_in_order, setup, api_teardown),
        cmocka_unit_test_setup_teardown(pages_end_with_a_key, setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_whole_key_finds_one_item, setup, api_teardown),
        cmocka_unit_test_setup_teardown(items_are_projected, setup, api_teardown),
        cmocka_unit_test_setup_teardown(indexes_are_read_and_charged, setup, api_teardown),
        cmocka_unit_test_setup_teardown(segments_share_out_the_items, setup, api_teardown),
        cmocka_unit_test_setup_teardown(large_answers_stay_whole, setup, api_teardown),
        cmocka_unit_test(a_read_that_turns_out_long_is_given_up_and_made_again),
        cmocka_unit_test_setup_teardown(a_fault_is_answered_at_the_first_attempt, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_fault_of_a_long_read_outlives_it, setup, api_teardown),
    };
    return cmocka_run_group_tests_name("reads", tests, NULL, NULL);
}
