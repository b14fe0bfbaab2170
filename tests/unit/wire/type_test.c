// Wrong JSON types: found before anything else, the first one in the text.
#include "support.h"

#define STRUCTURE_FOUND "Start of structure or map found where not expected"
#define FIELD           "Unexpected field type"
#define PAYLOAD         "Unexpected value type in payload"
#define LIST_FOUND      "Start of list found where not expected"
#define COLLECTION      "Unrecognized collection type class java.lang."
#define BASE64          "Invalid Base64 text"

static od_status check(od_ctx *cx, const char *operation, const char *json)
{
    return od_shape_check(cx, od_shape_of_input(od_cstr(operation)), json_tree(cx, json));
}

struct row {
    const char *operation;
    const char *json;
    const char *message;
};

static void check_rows(od_ctx *cx, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        check_fault(i, cx, check(cx, rows[i].operation, rows[i].json), OD_SERIALIZATION,
                    rows[i].message);
    }
}

static void scalars_of_the_wrong_type_are_named(void **state)
{
    static const struct row rows[] = {
        {"GetItem", "{'TableName': 23}", "NUMBER_VALUE cannot be converted to String"},
        {"GetItem", "{'TableName': -2147483648}", "NUMBER_VALUE cannot be converted to String"},
        {"GetItem", "{'TableName': 34.56}", "NUMBER_VALUE cannot be converted to String"},
        {"GetItem", "{'TableName': true}", "TRUE_VALUE cannot be converted to String"},
        {"GetItem", "{'TableName': false}", "FALSE_VALUE cannot be converted to String"},
        {"GetItem", "{'TableName': {}}", STRUCTURE_FOUND},
        {"GetItem", "{'TableName': []}", COLLECTION "String"},
        {"PutItem", "{'ReturnValues': 1}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'ReturnValues': []}", COLLECTION "String"},
        {"GetItem", "{'ConsistentRead': 'true'}", "STRING_VALUE cannot be converted to Boolean"},
        {"GetItem", "{'ConsistentRead': 1}", "NUMBER_VALUE cannot be converted to Boolean"},
        {"GetItem", "{'ConsistentRead': 1.5}", "NUMBER_VALUE cannot be converted to Boolean"},
        {"GetItem", "{'ConsistentRead': {}}", STRUCTURE_FOUND},
        {"GetItem", "{'ConsistentRead': []}", COLLECTION "Boolean"},
        {"Query", "{'Limit': '23'}", "STRING_VALUE cannot be converted to Integer"},
        {"Query", "{'Limit': true}", "TRUE_VALUE cannot be converted to Integer"},
        {"Query", "{'Limit': {}}", STRUCTURE_FOUND},
        {"Query", "{'Limit': []}", COLLECTION "Integer"},
        {"CreateTable", "{'ProvisionedThroughput': {'ReadCapacityUnits': '5'}}",
         "STRING_VALUE cannot be converted to Long"},
        {"CreateTable", "{'ProvisionedThroughput': {'ReadCapacityUnits': []}}", COLLECTION "Long"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void lists_maps_and_structures_are_told_from_scalars_and_each_other(void **state)
{
    static const struct row rows[] = {
        {"GetItem", "{'AttributesToGet': 'a'}", FIELD},
        {"GetItem", "{'AttributesToGet': 1}", FIELD},
        {"GetItem", "{'AttributesToGet': {}}", STRUCTURE_FOUND},
        {"GetItem", "{'AttributesToGet': [1]}", "NUMBER_VALUE cannot be converted to String"},
        {"GetItem", "{'Key': 'a'}", PAYLOAD},
        {"GetItem", "{'Key': true}", PAYLOAD},
        {"GetItem", "{'Key': []}", LIST_FOUND},
        {"GetItem", "{'ExpressionAttributeNames': []}", LIST_FOUND},
        {"GetItem", "{'ExpressionAttributeNames': {'#a': 1}}",
         "NUMBER_VALUE cannot be converted to String"},
        {"BatchWriteItem", "{'RequestItems': []}", LIST_FOUND},
        {"BatchWriteItem", "{'RequestItems': {'abc': 'a'}}", FIELD},
        {"BatchWriteItem", "{'RequestItems': {'abc': {}}}", STRUCTURE_FOUND},
        {"BatchWriteItem", "{'RequestItems': {'abc': ['a']}}", PAYLOAD},
        {"BatchWriteItem", "{'RequestItems': {'abc': [[]]}}", LIST_FOUND},
        {"BatchWriteItem", "{'RequestItems': {'abc': [{'PutRequest': 1}]}}", PAYLOAD},
        {"CreateTable", "{'ProvisionedThroughput': 5}", PAYLOAD},
        {"CreateTable", "{'ProvisionedThroughput': []}", LIST_FOUND},
        {"CreateTable", "{'KeySchema': {}}", STRUCTURE_FOUND},
        {"CreateTable", "{'KeySchema': ['a']}", PAYLOAD},
        {"PutItem", "{'Expected': {'a': true}}", PAYLOAD},
        {"PutItem", "{'Expected': {'a': {'Value': 'x'}}}", PAYLOAD},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void values_are_looked_into_to_any_depth(void **state)
{
    static const struct row rows[] = {
        {"PutItem", "{'Item': {'a': 'x'}}", PAYLOAD},
        {"PutItem", "{'Item': {'a': 5}}", PAYLOAD},
        {"PutItem", "{'Item': {'a': []}}", LIST_FOUND},
        {"PutItem", "{'Item': {'a': {'S': []}}}", COLLECTION "String"},
        {"PutItem", "{'Item': {'a': {'S': 5}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'N': 5}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'N': 5.5}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'B': 5}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'B': true}}}", "TRUE_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'B': []}}}", COLLECTION "String"},
        {"PutItem", "{'Item': {'a': {'BOOL': 'true'}}}",
         "STRING_VALUE cannot be converted to Boolean"},
        {"PutItem", "{'Item': {'a': {'NULL': 'no'}}}",
         "STRING_VALUE cannot be converted to Boolean"},
        {"PutItem", "{'Item': {'a': {'SS': 'a'}}}", FIELD},
        {"PutItem", "{'Item': {'a': {'SS': {}}}}", STRUCTURE_FOUND},
        {"PutItem", "{'Item': {'a': {'SS': [1]}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'NS': [1]}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'BS': [1]}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'L': {}}}}", STRUCTURE_FOUND},
        {"PutItem", "{'Item': {'a': {'L': ['x']}}}", PAYLOAD},
        {"PutItem", "{'Item': {'a': {'M': []}}}", LIST_FOUND},
        {"PutItem", "{'Item': {'a': {'M': 'x'}}}", PAYLOAD},
        {"PutItem", "{'Item': {'a': {'M': {'b': {'L': [{'M': {'c': {'N': 1}}}]}}}}}",
         "NUMBER_VALUE cannot be converted to String"},
        {"Query", "{'KeyConditions': {'a': {'AttributeValueList': [{'S': 1}]}}}",
         "NUMBER_VALUE cannot be converted to String"},
        {"TransactWriteItems", "{'TransactItems': [{'Put': {'Item': {'a': {'S': 1}}}}]}",
         "NUMBER_VALUE cannot be converted to String"},
        {"ExecuteStatement", "{'Parameters': [{'BOOL': 0}]}",
         "NUMBER_VALUE cannot be converted to Boolean"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void malformed_base64_is_a_wrong_type(void **state)
{
    static const struct row rows[] = {
        {"PutItem", "{'Item': {'a': {'B': '23456'}}}", BASE64},
        {"PutItem", "{'Item': {'a': {'B': 'YR=='}}}", BASE64},
        {"PutItem", "{'Item': {'a': {'B': 'YQ-_'}}}", BASE64},
        {"PutItem", "{'Item': {'a': {'B': 'YQ=='}, 'b': {'BS': ['A*==']}}}", BASE64},
        {"PutItem", "{'Item': {'a': {'L': [{'B': 'AA\u00e9'}]}}}", BASE64},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void the_first_wrong_member_in_the_text_is_told_before_any_constraint(void **state)
{
    static const struct row rows[] = {
        {"GetItem", "{'TableName': '', 'Key': {'a': {'S': 1}}, 'ConsistentRead': 'x'}",
         "NUMBER_VALUE cannot be converted to String"},
        {"GetItem", "{'ConsistentRead': 'x', 'Key': {'a': {'S': 1}}}",
         "STRING_VALUE cannot be converted to Boolean"},
        // Even of two with one name.
        {"GetItem", "{'TableName': 1, 'TableName': 'abc', 'Key': {}}",
         "NUMBER_VALUE cannot be converted to String"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void unknown_members_and_nulls_have_no_type(void **state)
{
    static const char *const rows[] = {
        "{'TableName': 'abc', 'Key': {}, 'Other': [1, {'a': 2}], 'tableName': 5, '': 1}",
        "{'TableName': 'abc', 'Key': {'a': {'S': 'x', 'X': 5, 'N': null}}, 'ConsistentRead': null}",
        "{'TableName': 'abc', 'Key': {'a': null, 'b': {'L': [null]}, 'c': {'SS': [null]}}}",
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_ok(i, cx, check(cx, "GetItem", rows[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(scalars_of_the_wrong_type_are_named),
        TEST(lists_maps_and_structures_are_told_from_scalars_and_each_other),
        TEST(values_are_looked_into_to_any_depth),
        TEST(malformed_base64_is_a_wrong_type),
        TEST(the_first_wrong_member_in_the_text_is_told_before_any_constraint),
        TEST(unknown_members_and_nulls_have_no_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
