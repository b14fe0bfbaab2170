// BatchGetItem and BatchWriteItem.
#include "support.h"

#include <stdio.h>
#include <string.h>

#define V "ValidationException: "

static int setup(void **state)
{
    if (api_setup(state) != 0) {
        return -1;
    }
    static const char *const names[] = {"abc", "def"};
    for (size_t i = 0; i < OD_COUNT(names); i++) {
        char body[300];
        (void)snprintf(body, sizeof(body),
                       "{'TableName':'%s','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':"
                       "[{'AttributeName':'k','AttributeType':'N'}],'KeySchema':"
                       "[{'AttributeName':'k','KeyType':'HASH'}]}",
                       names[i]);
        if (api_call(state, "CreateTable", body).http_status != 200) {
            return -1;
        }
    }
    return 0;
}

#define GET(keys)  "{'RequestItems':{'abc':{'Keys':[" keys "]}}}"
#define KEY(n)     "{'k':{'N':'" n "'}}"
#define PUT(n)     "{'PutRequest':{'Item':{'k':{'N':'" n "'},'v':{'S':'x'}}}}"
#define DELETE(n)  "{'DeleteRequest':{'Key':{'k':{'N':'" n "'}}}}"
#define WRITE(all) "{'RequestItems':{'abc':[" all "]}}"
#define DUPLICATES V "Provided list of item keys contains duplicates"

static void wrong_batches_do_nothing(void **state)
{
    static const struct api_row rows[] = {
        {"BatchGetItem", GET(KEY("1") "," KEY("1")), DUPLICATES},
        {"BatchWriteItem", WRITE(PUT("1") "," PUT("1")), DUPLICATES},
        {"BatchWriteItem", WRITE(PUT("1") "," DELETE("1")), DUPLICATES},
        {"BatchWriteItem", WRITE(PUT("1") ",{}"),
         V "Supplied AttributeValue is empty, must contain exactly one of the supported "
           "datatypes"},
        {"BatchWriteItem",
         WRITE("{'PutRequest':{'Item':{'k':{'N':'1'}}},'DeleteRequest':{'Key':" KEY("1") "}}"),
         V "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
           "the supported datatypes"},
        {"BatchWriteItem", WRITE(PUT("1") ",{'PutRequest':{'Item':{'k':{'S':'a'}}}}"),
         V "The provided key element does not match the schema"},
        {"BatchWriteItem", "{'RequestItems':{'abc':[" PUT("1") "],'nope':[" PUT("1") "]}}",
         "ResourceNotFoundException: Requested resource not found"},
        {"BatchGetItem",
         "{'RequestItems':{'abc':{'Keys':[" KEY(
             "1") "]},"
                  "'arn:aws:dynamodb:us-east-1:000000000000:table/abc':{'Keys':[" KEY("2") "]}}}",
         V "One or more parameter values were invalid: RequestItems names table abc more than "
           "once"},
        {"BatchGetItem", GET(KEY("1")), "{'Responses':{'abc':[]},'UnprocessedKeys':{}}"},
    };
    CHECK_CALLS(state, rows);
}

static void numbers_are_compared_as_sent(void **state)
{
    static const struct api_row rows[] = {
        {"BatchWriteItem", WRITE(PUT("1000") "," PUT("1e3")), "{'UnprocessedItems':{}}"},
        // Two keys, but one item.
        {"BatchGetItem", GET(KEY("1000") "," KEY("1e3") "," KEY("1000.0")),
         "{'Responses':{'abc':[{'k':{'N':'1000'},'v':{'S':'x'}}]},'UnprocessedKeys':{}}"},
    };
    CHECK_CALLS(state, rows);
}

static void batches_span_tables(void **state)
{
    static const struct api_row rows[] = {
        {"BatchWriteItem",
         "{'RequestItems':{'abc':[" PUT("1") "," PUT("2") "],'def':[" PUT(
             "3") "]},"
                  "'ReturnConsumedCapacity':'TOTAL'}",
         "{'UnprocessedItems':{},'ConsumedCapacity':[{'TableName':'abc','CapacityUnits':2.0},"
         "{'TableName':'def','CapacityUnits':1.0}]}"},
        {"BatchGetItem",
         "{'RequestItems':{'abc':{'Keys':[" KEY("1") "," KEY(
             "9") "],'ConsistentRead':true},"
                  "'def':{'Keys':[" KEY("3") "],'AttributesToGet':['v']}},"
                                             "'ReturnConsumedCapacity':'INDEXES'}",
         "{'Responses':{'abc':[{'k':{'N':'1'},'v':{'S':'x'}}],'def':[{'v':{'S':'x'}}]},"
         "'UnprocessedKeys':{},'ConsumedCapacity':["
         "{'TableName':'abc','CapacityUnits':2.0,'Table':{'CapacityUnits':2.0}},"
         "{'TableName':'def','CapacityUnits':0.5,'Table':{'CapacityUnits':0.5}}]}"},
        {"BatchWriteItem", WRITE(DELETE("1") "," DELETE("7")), "{'UnprocessedItems':{}}"},
        {"BatchGetItem", GET(KEY("1") "," KEY("2")),
         "{'Responses':{'abc':[{'k':{'N':'2'},'v':{'S':'x'}}]},'UnprocessedKeys':{}}"},
    };
    CHECK_CALLS(state, rows);
}

// --- How many -----------------------------------------------------------------------------------

// "{'RequestItems':{'abc':...,'def':...}}" with `each` members in each of the two tables.
static void fill_body(char *body, size_t size, const char *open, const char *member, int each,
                      const char *close)
{
    static const char *const names[] = {"abc", "def"};
    size_t len = (size_t)snprintf(body, size, "{'RequestItems':{");
    for (size_t t = 0; t < OD_COUNT(names); t++) {
        len +=
            (size_t)snprintf(body + len, size - len, "%s'%s':%s", t > 0 ? "," : "", names[t], open);
        for (int i = 0; i < each; i++) {
            len += (size_t)snprintf(body + len, size - len, "%s", i > 0 ? "," : "");
            len += (size_t)snprintf(body + len, size - len, member, i);
        }
        len += (size_t)snprintf(body + len, size - len, "%s", close);
    }
    (void)snprintf(body + len, size - len, "}}");
}

static void there_may_be_so_many_over_all_tables(void **state)
{
    static char body[16 * 1024];
    struct api_row row = {"BatchGetItem", body,
                          V "Too many items requested for the BatchGetItem call"};
    fill_body(body, sizeof(body), "{'Keys':[", "{'k':{'N':'%d'}}", 51, "]}");
    check_calls(state, &row, 1);
    fill_body(body, sizeof(body), "{'Keys':[", "{'k':{'N':'%d'}}", 50, "]}");
    assert_int_equal(api_call(state, "BatchGetItem", body).http_status, 200);

    row = (struct api_row){"BatchWriteItem", body,
                           V "Too many items requested for the BatchWriteItem call"};
    fill_body(body, sizeof(body), "[", "{'DeleteRequest':{'Key':{'k':{'N':'%d'}}}}", 13, "]");
    check_calls(state, &row, 1);
    fill_body(body, sizeof(body), "[", "{'DeleteRequest':{'Key':{'k':{'N':'%d'}}}}", 12, "]");
    assert_int_equal(api_call(state, "BatchWriteItem", body).http_status, 200);
}

// A table's name may stand in a body many times over, though a map has it once.
static void one_name_many_times_is_refused(void **state)
{
    static char body[16 * 1024];
    struct api_row row = {"BatchGetItem", body,
                          V "Too many items requested for the BatchGetItem call"};
    size_t len = (size_t)snprintf(body, sizeof(body), "{'RequestItems':{");
    for (int i = 0; i < 101; i++) {
        len += (size_t)snprintf(body + len, sizeof(body) - len, "%s'abc':{'Keys':[" KEY("1") "]}",
                                i > 0 ? "," : "");
    }
    (void)snprintf(body + len, sizeof(body) - len, "}}");
    check_calls(state, &row, 1);

    static const struct api_row rows[] = {
        {"BatchWriteItem", "{'RequestItems':{'abc':[" PUT("1") "],'abc':[" PUT("2") "]}}",
         V "One or more parameter values were invalid: RequestItems names table abc more than "
           "once"},
    };
    CHECK_CALLS(state, rows);
}

enum { LARGE_BYTES = 300 * 1024, LARGE_COUNT = 60 };

static void put_large_items(void **state)
{
    static char body[LARGE_BYTES + 200];
    for (int i = 0; i < LARGE_COUNT; i++) {
        // With a name and a key of 2 bytes each (3 for the number) the item has LARGE_BYTES.
        (void)snprintf(body, sizeof(body),
                       "{'TableName':'abc','Item':{'k':{'N':'%d'},'v':{'S':'%0*d'}}}", 10 + i,
                       LARGE_BYTES - 10, 0);
        assert_int_equal(api_call(state, "PutItem", body).http_status, 200);
    }
}

static void what_is_too_much_comes_back_as_it_was_sent(void **state)
{
    put_large_items(state);
    static char body[16 * 1024];
    size_t len = (size_t)snprintf(body, sizeof(body), "{'RequestItems':{'abc':{'Keys':[");
    for (int i = 0; i < LARGE_COUNT; i++) {
        len += (size_t)snprintf(body + len, sizeof(body) - len, "%s{'k':{'N':'%d.0'}}",
                                i > 0 ? "," : "", 10 + i);
    }
    (void)snprintf(body + len, sizeof(body) - len,
                   "],'ProjectionExpression':'#k','ExpressionAttributeNames':{'#k':'k'}},"
                   "'def':{'Keys':[{'k':{'N':'1'}}]}}}");
    struct od_call call = api_call(state, "BatchGetItem", body);
    yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, YYJSON_READ_NOFLAG);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_val *items = yyjson_obj_get(yyjson_obj_get(root, "Responses"), "abc");
    yyjson_val *rest = yyjson_obj_get(root, "UnprocessedKeys");
    yyjson_val *options = yyjson_obj_get(rest, "abc");
    yyjson_val *keys = yyjson_obj_get(options, "Keys");
    // DynamoDB's example.
    assert_int_equal(yyjson_arr_size(items), 52);
    assert_int_equal(yyjson_arr_size(keys), LARGE_COUNT - 52);
    yyjson_val *first = yyjson_obj_get(yyjson_arr_get(keys, 0), "k");
    assert_string_equal(yyjson_get_str(yyjson_obj_get(first, "N")), "62.0");
    assert_string_equal(yyjson_get_str(yyjson_obj_get(options, "ProjectionExpression")), "#k");
    assert_int_equal(yyjson_obj_size(yyjson_obj_get(options, "ExpressionAttributeNames")), 1);
    // The table after it was not read at all, but stands among the answers.
    assert_int_equal(yyjson_obj_size(rest), 2);
    assert_non_null(yyjson_obj_get(yyjson_obj_get(root, "Responses"), "def"));
    yyjson_doc_free(doc);
}

enum { WIDE_NUMBERS = 130 * 1000, WIDE_COUNT = 6 };

// Each item is 390 KB, and 17.5 MB in JSON.
static void put_items_of_wide_numbers(void **state)
{
    od_arena *arena = od_arena_create();
    for (int i = 0; i < WIDE_COUNT; i++) {
        struct od_buf body = {.arena = arena};
        od_buf_printf(&body, "{'TableName':'abc','Item':{'k':{'N':'%d'},'v':{'L':[", i);
        for (int n = 0; n < WIDE_NUMBERS; n++) {
            od_buf_printf(&body, "%s{'N':'1E125'}", n > 0 ? "," : "");
        }
        od_buf_put(&body, OD_STR("]}}}"));
        od_buf_put_byte(&body, '\0');
        assert_int_equal(api_call(state, "PutItem", body.ptr).http_status, 200);
    }
    od_arena_destroy(arena);
}

static void what_is_too_much_as_json_comes_back_too(void **state)
{
    put_items_of_wide_numbers(state);
    struct od_call call =
        api_call(state, "BatchGetItem",
                 GET(KEY("0") "," KEY("1") "," KEY("2") "," KEY("3") "," KEY("4") "," KEY("5")));
    yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, YYJSON_READ_NOFLAG);
    yyjson_val *root = yyjson_doc_get_root(doc);
    // The limit is 64 MB: the fourth item passes it.
    assert_int_equal(yyjson_arr_size(yyjson_ptr_get(root, "/Responses/abc")), 4);
    assert_int_equal(yyjson_arr_size(yyjson_ptr_get(root, "/UnprocessedKeys/abc/Keys")), 2);
    yyjson_doc_free(doc);
}

#define UPDATE_LARGE(n) "{'Statement':'UPDATE abc SET x=1 WHERE k=" n " RETURNING ALL NEW *'}"

static void statements_that_write_may_give_back_large_items(void **state)
{
    put_large_items(state);
    struct od_call call = api_call(
        state, "BatchExecuteStatement",
        "{'Statements':[" UPDATE_LARGE("10") "," UPDATE_LARGE("11") "," UPDATE_LARGE("12") "]}");
    yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, YYJSON_READ_NOFLAG);
    yyjson_val *root = yyjson_doc_get_root(doc);
    for (size_t i = 0; i < 3; i++) {
        yyjson_val *item =
            yyjson_obj_get(yyjson_arr_get(yyjson_obj_get(root, "Responses"), i), "Item");
        assert_int_equal(yyjson_get_len(yyjson_ptr_get(item, "/v/S")), LARGE_BYTES - 10);
        assert_string_equal(yyjson_get_str(yyjson_ptr_get(item, "/x/N")), "1");
    }
    yyjson_doc_free(doc);
}

#define FALSE_CHECK(n)                                 \
    "{'ConditionCheck':{'TableName':'abc','Key':" KEY( \
        n) ",'ConditionExpression':"                   \
           "'attribute_exists(nope)','ReturnValuesOnConditionCheckFailure':'ALL_OLD'}}"

static void reasons_of_a_cancelled_transaction_hold_items_up_to_a_limit(void **state)
{
    put_items_of_wide_numbers(state);
    struct od_call call = api_call(state, "TransactWriteItems",
                                   "{'TransactItems':[" FALSE_CHECK("0") "," FALSE_CHECK("1") "]}");
    yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, YYJSON_READ_NOFLAG);
    yyjson_val *reasons = yyjson_obj_get(yyjson_doc_get_root(doc), "CancellationReasons");
    assert_non_null(yyjson_obj_get(yyjson_arr_get(reasons, 0), "Item"));
    assert_null(yyjson_obj_get(yyjson_arr_get(reasons, 1), "Item"));
    assert_string_equal(yyjson_get_str(yyjson_obj_get(yyjson_arr_get(reasons, 1), "Code")),
                        "ConditionalCheckFailed");
    yyjson_doc_free(doc);
}

// The limit is 64 MB: the fourth item passes it, and no fifth is answered.
#define SELECT_WIDE(n) "{'Statement':'SELECT * FROM abc WHERE k=" n "'}"
#define FOUR_SELECTS   SELECT_WIDE("0") "," SELECT_WIDE("1") "," SELECT_WIDE("2") "," SELECT_WIDE("3")
#define UPDATE_WIDE(n) "{'Statement':'UPDATE abc SET x=1 WHERE k=" n " RETURNING ALL OLD *'}"
#define FOUR_UPDATES   UPDATE_WIDE("0") "," UPDATE_WIDE("1") "," UPDATE_WIDE("2") "," UPDATE_WIDE("3")
#define GET_WIDE(n)    "{'Get':{'TableName':'abc','Key':" KEY(n) "}}"
#define FOUR_GETS      GET_WIDE("0") "," GET_WIDE("1") "," GET_WIDE("2") "," GET_WIDE("3")
#define TXN_TOO_LARGE  V "Transaction size has exceeded the maximum allowed size"

static void check_four_of_five(void **state, const char *body)
{
    struct od_call call = api_call(state, "BatchExecuteStatement", body);
    assert_int_equal(call.http_status, 200);
    yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, YYJSON_READ_NOFLAG);
    yyjson_val *responses = yyjson_obj_get(yyjson_doc_get_root(doc), "Responses");
    assert_int_equal(yyjson_arr_size(responses), 5);
    for (size_t i = 0; i < 5; i++) {
        yyjson_val *items = yyjson_ptr_get(yyjson_arr_get(responses, i), "/Item/v/L");
        assert_int_equal(yyjson_arr_size(items), i < 4 ? WIDE_NUMBERS : 0);
    }
    yyjson_val *last = yyjson_arr_get(responses, 4);
    assert_string_equal(yyjson_get_str(yyjson_ptr_get(last, "/Error/Code")),
                        "RequestLimitExceeded");
    assert_null(yyjson_obj_get(last, "TableName"));
    yyjson_doc_free(doc);
}

static void statements_of_a_batch_fail_when_the_answer_is_full(void **state)
{
    put_items_of_wide_numbers(state);
    check_four_of_five(state, "{'Statements':[" FOUR_SELECTS "," SELECT_WIDE("4") "]}");
    check_four_of_five(state, "{'Statements':[" FOUR_UPDATES "," UPDATE_WIDE("4") "]}");
    static const struct api_row rows[] = {
        // What was refused was not written.
        {"ExecuteStatement", "{'Statement':'SELECT k FROM abc WHERE k IN [3,4] AND x=1'}",
         "{'Items':[{'k':{'N':'3'}}]}"},
    };
    CHECK_CALLS(state, rows);
}

static void a_transaction_reads_no_more_than_an_answer_holds(void **state)
{
    put_items_of_wide_numbers(state);
    static const struct api_row rows[] = {
        {"TransactGetItems", "{'TransactItems':[" FOUR_GETS "," GET_WIDE("4") "]}", TXN_TOO_LARGE},
        {"ExecuteTransaction", "{'TransactStatements':[" FOUR_SELECTS "," SELECT_WIDE("4") "]}",
         TXN_TOO_LARGE},
    };
    CHECK_CALLS(state, rows);
    struct od_call call = api_call(state, "TransactGetItems", "{'TransactItems':[" FOUR_GETS "]}");
    assert_int_equal(call.http_status, 200);
    call = api_call(state, "ExecuteTransaction", "{'TransactStatements':[" FOUR_SELECTS "]}");
    assert_int_equal(call.http_status, 200);
}

// Ten items of 400 KB and one of what is left of 4 MB, and `more` bytes.
static const char *full_transaction(od_arena *arena, int more)
{
    enum {
        TEN_ITEMS = 10,
        ITEM_BYTES = 400 * 1024,
        LEFT = 4 * 1024 * 1024 - TEN_ITEMS * ITEM_BYTES
    };
    struct od_buf body = {.arena = arena};
    od_buf_put(&body, OD_STR("{'TransactItems':["));
    for (int i = 0; i <= TEN_ITEMS; i++) {
        int size = i < TEN_ITEMS ? ITEM_BYTES : LEFT + more;
        // Names and key are 4 bytes.
        od_buf_printf(&body,
                      "%s{'Put':{'TableName':'abc','Item':{'k':{'N':'%d'},'v':{'S':'%0*d'}}}}",
                      i > 0 ? "," : "", 10 + i, size - 4, 0);
    }
    od_buf_put(&body, OD_STR("]}"));
    od_buf_put_byte(&body, '\0');
    return body.ptr;
}

static void a_transaction_sends_4_mb_and_no_byte_more(void **state)
{
    od_arena *arena = od_arena_create();
    const struct api_row rows[] = {
        {"TransactWriteItems", full_transaction(arena, 1), TXN_TOO_LARGE},
        {"TransactWriteItems", full_transaction(arena, 0), "{}"},
    };
    CHECK_CALLS(state, rows);
    od_arena_destroy(arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_batches_do_nothing, setup, api_teardown),
        cmocka_unit_test_setup_teardown(numbers_are_compared_as_sent, setup, api_teardown),
        cmocka_unit_test_setup_teardown(batches_span_tables, setup, api_teardown),
        cmocka_unit_test_setup_teardown(there_may_be_so_many_over_all_tables, setup, api_teardown),
        cmocka_unit_test_setup_teardown(one_name_many_times_is_refused, setup, api_teardown),
        cmocka_unit_test_setup_teardown(what_is_too_much_comes_back_as_it_was_sent, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(statements_that_write_may_give_back_large_items, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(what_is_too_much_as_json_comes_back_too, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(statements_of_a_batch_fail_when_the_answer_is_full, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_transaction_reads_no_more_than_an_answer_holds, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_transaction_sends_4_mb_and_no_byte_more, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(reasons_of_a_cancelled_transaction_hold_items_up_to_a_limit,
                                        setup, api_teardown),
    };
    return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}
