// Item collections, all items of one partition key and their entries in local indexes, and how
// large they may become. Of DynamoDB's 10 GB the store here has 1000 bytes.
#include "support.h"

#define E    "ItemCollectionSizeLimitExceededException: Collection size exceeded."
#define N10  "xxxxxxxxxx"
#define N90  N10 N10 N10 N10 N10 N10 N10 N10 N10
#define N490 N90 N90 N90 N90 N90 N10 N10 N10 N10

static int setup(void **state)
{
    static const char body[] =
        "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':["
        "{'AttributeName':'p','AttributeType':'S'},{'AttributeName':'s','AttributeType':'S'},"
        "{'AttributeName':'l','AttributeType':'S'}],'KeySchema':["
        "{'AttributeName':'p','KeyType':'HASH'},{'AttributeName':'s','KeyType':'RANGE'}],"
        "'LocalSecondaryIndexes':[{'IndexName':'byl','KeySchema':["
        "{'AttributeName':'p','KeyType':'HASH'},{'AttributeName':'l','KeyType':'RANGE'}],"
        "'Projection':{'ProjectionType':'ALL'}}]}";
    if (api_setup_small_collections(state) != 0) {
        return -1;
    }
    return api_call(state, "CreateTable", body).http_status == 200 ? 0 : -1;
}

#define ITEM(p, s, v) "{'p':{'S':'" p "'},'s':{'S':'" s "'},'v':{'S':'" v "'}}"
#define PUT(p, s, v)  "{'TableName':'abc','Item':" ITEM(p, s, v) "}"
#define KEY(p, s)     "'TableName':'abc','Key':{'p':{'S':'" p "'},'s':{'S':'" s "'}}"
#define IN_INDEX(v) \
    "{'TableName':'abc','Item':{'p':{'S':'a'},'s':{'S':'2'},'l':{'S':'x'},'v':{'S':'" v "'}}}"
#define SET_X(p, s)                                                             \
    "{" KEY(p, s) ",'UpdateExpression':'SET x=:x','ExpressionAttributeValues':" \
                  "{':x':{'BOOL':true}}}"
#define BATCH(a, b) \
    "{'RequestItems':{'abc':[{'PutRequest':{'Item':" a "}},{'PutRequest':{'Item':" b "}}]}}"

// Names and keys are 5 bytes of each item.
static void every_write_that_makes_it_too_large_is_refused(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", PUT("a", "1", N490 "xxxxx"), "{}"},
        {"PutItem", PUT("a", "2", N490 "xxxxxx"), E},
        {"PutItem", PUT("a", "2", N490 "xxxxx"), "{}"},
        {"PutItem", PUT("a", "3", ""), E},
        {"PutItem", PUT("b", "1", N490), "{}"},
        {"UpdateItem", SET_X("a", "1"), E},
        {"UpdateItem", "{" KEY("a", "3") "}", E},
        {"UpdateItem", "{" KEY("a", "1") "}", "{}"},
        {"BatchWriteItem", BATCH(ITEM("b", "2", ""), ITEM("a", "3", "")), E},
        {"GetItem", "{" KEY("b", "2") "}", "{}"},
        {"ExecuteStatement",
         "{'Statement':'UPDATE abc SET x=1 WHERE p=? AND s=?','Parameters':["
         "{'S':'a'},{'S':'1'}]}",
         E},
        {"BatchExecuteStatement",
         "{'Statements':[{'Statement':'UPDATE abc SET x=1 WHERE p=? AND s=?','Parameters':["
         "{'S':'a'},{'S':'1'}]}]}",
         "{'Responses':[{'TableName':'abc','Error':{'Code':'ItemCollectionSizeLimitExceeded',"
         "'Message':'Collection size exceeded.'}}]}"},
    };
    CHECK_CALLS(state, rows);
}

static void what_makes_it_no_larger_passes(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", PUT("a", "1", N490 "xxxxx"), "{}"},
        {"PutItem", PUT("a", "2", N490 "xxxxx"), "{}"},
        {"PutItem", PUT("a", "2", N490 "yyyyy"), "{}"},
        {"PutItem", PUT("a", "2", N490), "{}"},
        {"UpdateItem", SET_X("a", "1"), "{}"},
        {"DeleteItem", "{" KEY("a", "1") "}", "{}"},
        {"PutItem", PUT("a", "3", N490), "{}"},
    };
    CHECK_CALLS(state, rows);
}

// The entry is as large as the item here.
static void entries_of_local_indexes_count(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", PUT("a", "1", N490 "xxxxx"), "{}"},
        {"PutItem", IN_INDEX(N90 N90 N10 N10 N10 N10 N10 N10 "xxxx"), E},
        {"PutItem", IN_INDEX(N90 N90 N10 N10 N10 N10 N10 N10 "xxx"), "{}"},
        {"PutItem", PUT("a", "2", N490 "xxxxx"), "{}"},
        {"UpdateItem",
         "{" KEY("a", "2") ",'UpdateExpression':'SET l=:l','ExpressionAttributeValues':"
                           "{':l':{'S':'x'}}}",
         E},
    };
    CHECK_CALLS(state, rows);
}

#define TXN(a, b) "{'TransactItems':[" a "," b "]}"

static void a_transaction_is_cancelled_for_it(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", PUT("a", "1", N490 "xxxxx"), "{}"},
        {"PutItem", PUT("a", "2", N490 "xxxxx"), "{}"},
        {"TransactWriteItems",
         TXN("{'Put':" PUT("b", "1", "") "}", "{'Put':" PUT("a", "3", "") "}"),
         "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons "
         "for specific reasons [None, ItemCollectionSizeLimitExceeded]"},
        {"TransactWriteItems",
         TXN("{'Delete':{" KEY("a", "1") "}}", "{'Put':" PUT("b", "1", "") "}"), "{}"},
    };
    CHECK_CALLS(state, rows);
    struct od_call call = api_call(state, "TransactWriteItems",
                                   "{'TransactItems':[{'Put':" PUT("a", "4", N490 N10) "}]}");
    yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, YYJSON_READ_NOFLAG);
    yyjson_val *reasons = yyjson_obj_get(yyjson_doc_get_root(doc), "CancellationReasons");
    yyjson_val *message = yyjson_obj_get(yyjson_arr_get(reasons, 0), "Message");
    assert_string_equal(yyjson_get_str(message), "Collection size exceeded.");
    yyjson_doc_free(doc);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_write_that_makes_it_too_large_is_refused, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(what_makes_it_no_larger_passes, setup, api_teardown),
        cmocka_unit_test_setup_teardown(entries_of_local_indexes_count, setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_transaction_is_cancelled_for_it, setup, api_teardown),
    };
    return cmocka_run_group_tests_name("collections", tests, NULL, NULL);
}
