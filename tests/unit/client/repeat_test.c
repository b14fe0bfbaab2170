#include "support.h"

// Whether a request reads, and whether it may be sent again when its outcome is unknown.
static const struct row {
    const char *operation;
    const char *body;
    bool read;
    bool repeatable;
} rows[] = {
    {"UpdateItem", "{}", false, false},
    {"CreateTable", "{}", false, false},
    {"DeleteTable", "{}", false, false},
    {"UpdateTable", "{}", false, false},
    {"TagResource", "{}", false, false},
    {"Unheard", "{}", false, false},
    {"getitem", "{}", false, false},
    {"PutItem", "{\"ConditionExpression\":\"a = :a\"}", false, false},
    {"PutItem", "{\"Expected\":{}}", false, false},
    {"PutItem", "{\"ReturnValues\":\"ALL_OLD\"}", false, false},
    {"PutItem", "{\"ConditionExpression\":null,\"ConditionExpression\":\"x\"}", false, false},
    {"PutItem", "not JSON", false, true},
    {"PutItem", "{\"Item\":{},\"ReturnValues\":\"NONE\"}", false, true},
    {"PutItem", "{\"ConditionExpression\":null}", false, true},
    {"PutItem", "{\"Item\":{\"ConditionExpression\":{\"S\":\"x\"}}}", false, true},
    {"DeleteItem", "{\"Expected\":{}}", false, false},
    {"DeleteItem", "{}", false, true},
    {"BatchWriteItem", "{}", false, true},
    {"TransactWriteItems", "{}", false, false},
    {"TransactWriteItems", "{\"ClientRequestToken\":\"\"}", false, false},
    {"TransactWriteItems", "{\"ClientRequestToken\":\"t\"}", false, true},
    {"ExecuteStatement", "{}", false, false},
    {"ExecuteStatement", "{\"Statement\":\"INSERT INTO t VALUE {}\"}", false, false},
    {"ExecuteStatement", "{\"Statement\":\"select\"}", false, false},
    {"ExecuteStatement", "{\"Statement\":\" \\n\\tselect * FROM t\"}", true, true},
    {"BatchExecuteStatement", "{\"Statements\":[]}", false, false},
    {"BatchExecuteStatement", "{\"Statements\":[{\"Statement\":\"SELECT 1\"},{}]}", false, false},
    {"BatchExecuteStatement", "{\"Statements\":[{\"Statement\":\"SELECT 1\"}]}", true, true},
    {"ExecuteTransaction", "{\"TransactStatements\":[{\"Statement\":\"DELETE FROM\"}]}", false,
     false},
    {"ExecuteTransaction", "{\"ClientRequestToken\":\"t\"}", false, true},
    {"ExecuteTransaction", "{\"TransactStatements\":[{\"Statement\":\"SELECT *\"}]}", true, true},
    {"GetItem", "{}", true, true},
    {"BatchGetItem", "{}", true, true},
    {"TransactGetItems", "{}", true, true},
    {"Query", "{}", true, true},
    {"Scan", "{}", true, true},
    {"DescribeTable", "{}", true, true},
    {"ListTables", "{}", true, true},
};

static void operations_and_bodies_say_what_is_repeatable(void **state)
{
    (void)state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_request request = {.operation = rows[i].operation,
                                           .body = od_cstr(rows[i].body)};
        check_int(i, od_request_is_read(&request), rows[i].read);
        check_int(i, od_request_is_repeatable(&request), rows[i].repeatable);
    }
}

static void what_the_caller_says_goes(void **state)
{
    (void)state;
    struct od_request request = {
        .operation = "UpdateItem", .body = OD_STR("{}"), .repeat = OD_REPEAT_YES};
    assert_true(od_request_is_repeatable(&request));
    request.operation = "GetItem";
    request.repeat = OD_REPEAT_NO;
    assert_false(od_request_is_repeatable(&request));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_and_bodies_say_what_is_repeatable),
        cmocka_unit_test(what_the_caller_says_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
