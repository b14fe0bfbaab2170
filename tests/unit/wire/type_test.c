// Wrong JSON types: found before anything else, the first one in the text.
#include "support.h"

#define STRUCTURE_FOUND "Start of structure or map found where not expected"
#define FIELD           "Unexpected field type"
#define PAYLOAD         "Unexpected value type in payload"
#define BYTES           "only base-64-encoded strings are convertible to bytes"
#define COLLECTION      "Unrecognized collection type "
#define PACKAGE         "com.amazonaws.dynamodb.v20120810."

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
        {"GetItem", "{'TableName': 34.56}", "DECIMAL_VALUE cannot be converted to String"},
        {"GetItem", "{'TableName': true}", "TRUE_VALUE cannot be converted to String"},
        {"GetItem", "{'TableName': false}", "FALSE_VALUE cannot be converted to String"},
        {"GetItem", "{'TableName': {}}", STRUCTURE_FOUND},
        {"GetItem", "{'TableName': []}", COLLECTION "class java.lang.String"},
        {"PutItem", "{'ReturnValues': 1}", "NUMBER_VALUE cannot be converted to String"},
        {"GetItem", "{'ConsistentRead': 'true'}", "Unexpected token received from parser"},
        {"GetItem", "{'ConsistentRead': 1}", "NUMBER_VALUE cannot be converted to Boolean"},
        {"GetItem", "{'ConsistentRead': 1.5}", "DECIMAL_VALUE cannot be converted to Boolean"},
        {"GetItem", "{'ConsistentRead': {}}", STRUCTURE_FOUND},
        {"GetItem", "{'ConsistentRead': []}", COLLECTION "class java.lang.Boolean"},
        {"Query", "{'Limit': '23'}", "STRING_VALUE cannot be converted to Integer"},
        {"Query", "{'Limit': true}", "TRUE_VALUE cannot be converted to Integer"},
        {"Query", "{'Limit': {}}", STRUCTURE_FOUND},
        {"Query", "{'Limit': []}", COLLECTION "class java.lang.Integer"},
        {"CreateTable", "{'ProvisionedThroughput': {'ReadCapacityUnits': '5'}}",
         "STRING_VALUE cannot be converted to Long"},
        {"CreateTable", "{'ProvisionedThroughput': {'ReadCapacityUnits': []}}",
         COLLECTION "class java.lang.Long"},
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
        {"GetItem", "{'Key': 'a'}", FIELD},
        {"GetItem", "{'Key': true}", FIELD},
        {"GetItem", "{'Key': []}",
         COLLECTION "java.util.Map<java.lang.String, " PACKAGE "AttributeValue>"},
        {"GetItem", "{'ExpressionAttributeNames': []}",
         COLLECTION "java.util.Map<java.lang.String, java.lang.String>"},
        {"GetItem", "{'ExpressionAttributeNames': {'#a': 1}}",
         "NUMBER_VALUE cannot be converted to String"},
        {"BatchWriteItem", "{'RequestItems': []}",
         COLLECTION "java.util.Map<java.lang.String, java.util.List<" PACKAGE "WriteRequest>>"},
        {"BatchWriteItem", "{'RequestItems': {'abc': {}}}", STRUCTURE_FOUND},
        {"BatchWriteItem", "{'RequestItems': {'abc': ['a']}}", PAYLOAD},
        {"BatchWriteItem", "{'RequestItems': {'abc': [[]]}}",
         COLLECTION "class " PACKAGE "WriteRequest"},
        {"BatchWriteItem", "{'RequestItems': {'abc': [{'PutRequest': 1}]}}", FIELD},
        {"CreateTable", "{'ProvisionedThroughput': 5}", FIELD},
        {"CreateTable", "{'ProvisionedThroughput': []}",
         COLLECTION "class " PACKAGE "ProvisionedThroughput"},
        {"CreateTable", "{'KeySchema': {}}", STRUCTURE_FOUND},
        {"CreateTable", "{'KeySchema': ['a']}", PAYLOAD},
        {"PutItem", "{'Expected': {'a': true}}", PAYLOAD},
        {"PutItem", "{'Expected': {'a': {'Value': 'x'}}}", FIELD},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void values_are_looked_into_to_any_depth(void **state)
{
    static const struct row rows[] = {
        {"PutItem", "{'Item': {'a': 'x'}}", PAYLOAD},
        {"PutItem", "{'Item': {'a': 5}}", PAYLOAD},
        {"PutItem", "{'Item': {'a': []}}", COLLECTION "class " PACKAGE "AttributeValue"},
        {"PutItem", "{'Item': {'a': {'S': 5}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'N': 5}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'N': 5.5}}}", "DECIMAL_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'B': 5}}}", BYTES},
        {"PutItem", "{'Item': {'a': {'B': true}}}", BYTES},
        {"PutItem", "{'Item': {'a': {'B': []}}}", COLLECTION "class java.nio.ByteBuffer"},
        {"PutItem", "{'Item': {'a': {'BOOL': 'true'}}}", "Unexpected token received from parser"},
        {"PutItem", "{'Item': {'a': {'NULL': 'no'}}}", "Unexpected token received from parser"},
        {"PutItem", "{'Item': {'a': {'SS': 'a'}}}", FIELD},
        {"PutItem", "{'Item': {'a': {'SS': {}}}}", STRUCTURE_FOUND},
        {"PutItem", "{'Item': {'a': {'SS': [1]}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'NS': [1]}}}", "NUMBER_VALUE cannot be converted to String"},
        {"PutItem", "{'Item': {'a': {'BS': [1]}}}", BYTES},
        {"PutItem", "{'Item': {'a': {'L': {}}}}", STRUCTURE_FOUND},
        {"PutItem", "{'Item': {'a': {'L': ['x']}}}", PAYLOAD},
        {"PutItem", "{'Item': {'a': {'M': []}}}",
         COLLECTION "java.util.Map<java.lang.String, " PACKAGE "AttributeValue>"},
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
        {"PutItem", "{'Item': {'a': {'B': '23456'}}}",
         "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
        {"PutItem", "{'Item': {'a': {'B': '=+/='}}}",
         "Invalid last non-pad Base64 character dectected"},
        {"PutItem", "{'Item': {'a': {'B': '+/+='}}}",
         "Invalid last non-pad Base64 character dectected"},
        {"PutItem", "{'Item': {'a': {'B': 'YR=='}}}",
         "Invalid last non-pad Base64 character dectected"},
        {"PutItem", "{'Item': {'a': {'B': 'YQ==YQ=='}}}",
         "Invalid last non-pad Base64 character dectected"},
        {"PutItem", "{'Item': {'a': {'B': '===='}}}",
         "Invalid last non-pad Base64 character dectected"},
        {"PutItem", "{'Item': {'a': {'B': 'YQ=='}, 'b': {'BS': ['A*==']}}}",
         "Invalid Base64 character: '*'"},
        {"PutItem", "{'Item': {'a': {'B': 'AA\u00e9'}}}", "Invalid Base64 character: '\u00e9'"},
        {"PutItem", "{'Item': {'a': {'B': 'YQ-_'}}}", "Invalid Base64 character: '-'"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void the_first_wrong_member_in_the_text_is_told_before_any_constraint(void **state)
{
    static const struct row rows[] = {
        {"GetItem", "{'TableName': '', 'Key': {'a': {'S': 1}}, 'ConsistentRead': 'x'}",
         "NUMBER_VALUE cannot be converted to String"},
        {"GetItem", "{'ConsistentRead': 'x', 'Key': {'a': {'S': 1}}}",
         "Unexpected token received from parser"},
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
