// The parameters of before there were expressions: what is wrong with them, and what they do.
#include "support.h"

#define V     "ValidationException: "
#define W     "ValidationException: One or more parameter values were invalid: "
#define PUT_A "'TableName':'abc','Item':{'k':{'S':'a'}}"
#define KEY_A "'TableName':'abc','Key':{'k':{'S':'a'}}"

static void wrong_comparisons_say_why(void **state)
{
    static const struct api_row rows[] = {
        {"Scan", "{'TableName':'abc','ScanFilter':{'a':{'ComparisonOperator':'EQ'}}}",
         W "Invalid number of argument(s) for the EQ ComparisonOperator"},
        {"Scan",
         "{'TableName':'abc','ScanFilter':{'a':{'ComparisonOperator':'BETWEEN',"
         "'AttributeValueList':[{'N':'1'}]}}}",
         W "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
        {"Scan",
         "{'TableName':'abc','ScanFilter':{'a':{'ComparisonOperator':'NULL',"
         "'AttributeValueList':[{'N':'1'}]}}}",
         W "Invalid number of argument(s) for the NULL ComparisonOperator"},
        {"Scan",
         "{'TableName':'abc','ScanFilter':{'a':{'ComparisonOperator':'IN',"
         "'AttributeValueList':[]}}}",
         W "Invalid number of argument(s) for the IN ComparisonOperator"},
        {"Scan",
         "{'TableName':'abc','ScanFilter':{'a':{'ComparisonOperator':'LT',"
         "'AttributeValueList':[{'SS':['x']}]}}}",
         W "ComparisonOperator LT is not valid for SS AttributeValue type"},
        {"Scan",
         "{'TableName':'abc','ScanFilter':{'a':{'ComparisonOperator':'BEGINS_WITH',"
         "'AttributeValueList':[{'N':'1'}]}}}",
         W "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
        {"Scan",
         "{'TableName':'abc','ScanFilter':{'a':{'ComparisonOperator':'IN',"
         "'AttributeValueList':[{'N':'1'},{'S':'1'}]}}}",
         W "AttributeValues inside AttributeValueList must be of same type"},
        {"Scan",
         "{'TableName':'abc','ScanFilter':{'a':{'ComparisonOperator':'BETWEEN',"
         "'AttributeValueList':[{'N':'2'},{'N':'1'}]}}}",
         V "The BETWEEN condition was provided a range where the lower bound is greater than the "
           "upper bound"},
    };
    CHECK_DECODES(state, rows);
}

static void wrong_expectations_say_why(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", "{" PUT_A ",'Expected':{'a':{'ComparisonOperator':'NULL','Exists':false}}}",
         W "Value or Exists cannot be used with ComparisonOperator for Attribute: a"},
        {"PutItem", "{" PUT_A ",'Expected':{'a':{'ComparisonOperator':'EQ','Value':{'S':'x'}}}}",
         W "Value or Exists cannot be used with ComparisonOperator for Attribute: a"},
        {"PutItem", "{" PUT_A ",'Expected':{'a':{'Exists':true}}}",
         W "Value must be provided when Exists is true for Attribute: a"},
        {"PutItem", "{" PUT_A ",'Expected':{'a':{}}}",
         W "Value must be provided when Exists is null for Attribute: a"},
        {"PutItem", "{" PUT_A ",'Expected':{'a':{'Exists':false,'Value':{'S':'x'}}}}",
         W "Value cannot be used when Exists is false for Attribute: a"},
        {"PutItem", "{" PUT_A ",'Expected':{'a':{'AttributeValueList':[{'S':'x'}]}}}",
         W "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
    };
    CHECK_DECODES(state, rows);
}

static void the_conditional_operator_joins_two_or_more(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", "{" PUT_A ",'ConditionalOperator':'OR'}",
         V "ConditionalOperator cannot be used without Filter or Expected"},
        {"Scan", "{'TableName':'abc','ConditionalOperator':'AND'}",
         V "ConditionalOperator cannot be used without Filter or Expected"},
        {"PutItem", "{" PUT_A ",'ConditionalOperator':'OR','Expected':{'a':{'Exists':false}}}",
         V "ConditionalOperator can only be used when Filter or Expected has two or more "
           "elements"},
        {"PutItem",
         "{" PUT_A ",'ConditionalOperator':'OR','Expected':{'a':{'Exists':false},"
         "'b':{'Exists':false}}}",
         NULL},
    };
    CHECK_DECODES(state, rows);
}

static void wrong_updates_say_why(void **state)
{
    static const struct api_row rows[] = {
        {"UpdateItem", "{" KEY_A ",'AttributeUpdates':{'a':{}}}",
         W "Only DELETE action is allowed when no attribute value is specified"},
        {"UpdateItem", "{" KEY_A ",'AttributeUpdates':{'a':{'Action':'ADD'}}}",
         W "Only DELETE action is allowed when no attribute value is specified"},
        {"UpdateItem", "{" KEY_A ",'AttributeUpdates':{'a':{'Action':'ADD','Value':{'S':'x'}}}}",
         W "ADD action is not supported for the type S"},
        {"UpdateItem", "{" KEY_A ",'AttributeUpdates':{'a':{'Action':'DELETE','Value':{'N':'1'}}}}",
         W "DELETE action with value is not supported for the type N"},
    };
    CHECK_DECODES(state, rows);
}

static void wrong_key_conditions_say_why(void **state)
{
    static const struct api_row rows[] = {
        {"Query", "{'TableName':'abc','KeyConditions':{}}",
         V "Conditions can be of length 1 or 2 only"},
        {"Query",
         "{'TableName':'abc','KeyConditions':{'a':{'ComparisonOperator':'NULL'},"
         "'b':{'ComparisonOperator':'NULL'},'c':{'ComparisonOperator':'NULL'}}}",
         V "Conditions can be of length 1 or 2 only"},
        {"Query",
         "{'TableName':'abc','KeyConditions':{'a':{'ComparisonOperator':'NE',"
         "'AttributeValueList':[{'S':'x'}]}}}",
         V "Attempted conditional constraint is not an indexable operation"},
    };
    CHECK_DECODES(state, rows);
}

static void attributes_to_get_are_distinct(void **state)
{
    static const struct api_row rows[] = {
        {"GetItem", "{" KEY_A ",'AttributesToGet':['b','a','c','a']}",
         W "Duplicate value in attribute name: a"},
        {"GetItem", "{" KEY_A ",'AttributesToGet':['b','a','c']}", NULL},
    };
    CHECK_DECODES(state, rows);
}

// --- What they do -------------------------------------------------------------------------------

static void create(void **state)
{
    struct od_call call =
        api_call(state, "CreateTable",
                 "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST',"
                 "'AttributeDefinitions':[{'AttributeName':'k','AttributeType':'S'},"
                 "{'AttributeName':'n','AttributeType':'N'}],"
                 "'KeySchema':[{'AttributeName':'k','KeyType':'HASH'},"
                 "{'AttributeName':'n','KeyType':'RANGE'}]}");
    assert_int_equal(call.http_status, 200);
}

#define PUT(n, rest)                                                                            \
    {                                                                                           \
        "PutItem", "{'TableName':'abc','Item':{'k':{'S':'a'},'n':{'N':'" n "'}" rest "}}", "{}" \
    }
#define KEY(n)       "'TableName':'abc','Key':{'k':{'S':'a'},'n':{'N':'" n "'}}"
#define FAILED       "ConditionalCheckFailedException: The conditional request failed"
#define SCAN(filter) "{'TableName':'abc','Select':'COUNT'," filter "}"
#define COUNT(count) "{'Count':" count ",'ScannedCount':3}"

static void filters_select_items(void **state)
{
    create(state);
    static const struct api_row rows[] = {
        PUT("1", ",'s':{'S':'apple'},'t':{'SS':['x','y']}"),
        PUT("2", ",'s':{'S':'apricot'}"),
        PUT("3", ",'m':{'NULL':true}"),
        {"Scan",
         SCAN("'ScanFilter':{'s':{'ComparisonOperator':'EQ','AttributeValueList':"
              "[{'S':'apple'}]}}"),
         COUNT("1")},
        // A missing attribute is unequal to every value.
        {"Scan",
         SCAN("'ScanFilter':{'s':{'ComparisonOperator':'NE','AttributeValueList':"
              "[{'S':'apple'}]}}"),
         COUNT("2")},
        {"Scan",
         SCAN("'ScanFilter':{'s':{'ComparisonOperator':'BEGINS_WITH','AttributeValueList':"
              "[{'S':'ap'}]}}"),
         COUNT("2")},
        {"Scan",
         SCAN("'ScanFilter':{'t':{'ComparisonOperator':'CONTAINS','AttributeValueList':"
              "[{'S':'x'}]}}"),
         COUNT("1")},
        // Neither contains nor does not contain: only the item whose attribute lacks it.
        {"Scan",
         SCAN("'ScanFilter':{'s':{'ComparisonOperator':'NOT_CONTAINS','AttributeValueList':"
              "[{'S':'cot'}]}}"),
         COUNT("1")},
        {"Scan",
         SCAN("'ScanFilter':{'n':{'ComparisonOperator':'BETWEEN','AttributeValueList':"
              "[{'N':'2'},{'N':'9'}]}}"),
         COUNT("2")},
        {"Scan",
         SCAN("'ScanFilter':{'n':{'ComparisonOperator':'IN','AttributeValueList':"
              "[{'N':'2'},{'N':'9'}]}}"),
         COUNT("1")},
        // NULL tests absence, not the NULL type.
        {"Scan", SCAN("'ScanFilter':{'m':{'ComparisonOperator':'NULL'}}"), COUNT("2")},
        {"Scan", SCAN("'ScanFilter':{'m':{'ComparisonOperator':'NOT_NULL'}}"), COUNT("1")},
        {"Scan",
         SCAN("'ScanFilter':{'m':{'ComparisonOperator':'NOT_NULL'},"
              "'t':{'ComparisonOperator':'NOT_NULL'}}"),
         COUNT("0")},
        {"Scan",
         SCAN("'ConditionalOperator':'OR','ScanFilter':{'m':{'ComparisonOperator':'NOT_NULL'},"
              "'t':{'ComparisonOperator':'NOT_NULL'},'z':{'ComparisonOperator':'NOT_NULL'}}"),
         COUNT("2")},
        {"Scan", SCAN("'ScanFilter':{}"), COUNT("3")},
    };
    CHECK_CALLS(state, rows);
}

static void key_conditions_query(void **state)
{
    create(state);
    static const struct api_row rows[] = {
        PUT("1", ""),
        PUT("2", ",'s':{'S':'x'}"),
        PUT("3", ",'s':{'S':'y'}"),
        {"Query",
         "{'TableName':'abc','KeyConditions':{'k':{'ComparisonOperator':'EQ',"
         "'AttributeValueList':[{'S':'a'}]},'n':{'ComparisonOperator':'GT',"
         "'AttributeValueList':[{'N':'1'}]}},'AttributesToGet':['s','zz']}",
         "{'Items':[{'s':{'S':'x'}},{'s':{'S':'y'}}],'Count':2,'ScannedCount':2}"},
        {"Query",
         "{'TableName':'abc','KeyConditions':{'k':{'ComparisonOperator':'EQ',"
         "'AttributeValueList':[{'S':'a'}]},'n':{'ComparisonOperator':'BETWEEN',"
         "'AttributeValueList':[{'N':'1'},{'N':'2'}]}},'QueryFilter':{'s':"
         "{'ComparisonOperator':'NOT_NULL'}}}",
         "{'Items':[{'k':{'S':'a'},'n':{'N':'2'},'s':{'S':'x'}}],'Count':1,'ScannedCount':2}"},
        {"Query",
         "{'TableName':'abc','KeyConditions':{'k':{'ComparisonOperator':'EQ',"
         "'AttributeValueList':[{'S':'a'}]}},'QueryFilter':{'n':"
         "{'ComparisonOperator':'NOT_NULL'}}}",
         V "QueryFilter can only contain non-primary key attributes: Primary key attribute: n"},
    };
    CHECK_CALLS(state, rows);
}

static void expectations_guard_writes(void **state)
{
    create(state);
    static const struct api_row rows[] = {
        PUT("1", ",'s':{'S':'x'}"),
        {"PutItem",
         "{'TableName':'abc','Item':{'k':{'S':'a'},'n':{'N':'1'}},"
         "'Expected':{'k':{'Exists':false}}}",
         FAILED},
        {"UpdateItem",
         "{" KEY("1") ",'AttributeUpdates':{'s':{'Value':{'S':'y'}}},"
                      "'Expected':{'s':{'Value':{'S':'z'}}}}",
         FAILED},
        {"UpdateItem",
         "{" KEY("1") ",'AttributeUpdates':{'s':{'Value':{'S':'y'}}},"
                      "'Expected':{'s':{'Exists':true,'Value':{'S':'x'}}},'ReturnValues':'UPDATED_"
                      "OLD'}",
         "{'Attributes':{'s':{'S':'x'}}}"},
        {"DeleteItem",
         "{" KEY("1") ",'Expected':{'s':{'ComparisonOperator':'GE','AttributeValueList':"
                      "[{'S':'z'}]},'q':{'ComparisonOperator':'NULL'}}}",
         FAILED},
        {"DeleteItem",
         "{" KEY("1") ",'ConditionalOperator':'OR','Expected':{'s':{'ComparisonOperator':'GE',"
                      "'AttributeValueList':[{'S':'z'}]},'q':{'ComparisonOperator':'NULL'}},"
                      "'ReturnValues':'ALL_OLD'}",
         "{'Attributes':{'k':{'S':'a'},'n':{'N':'1'},'s':{'S':'y'}}}"},
    };
    CHECK_CALLS(state, rows);
}

static void attribute_updates_change_items(void **state)
{
    create(state);
    static const struct api_row rows[] = {
        PUT("1", ",'gone':{'S':'x'},'c':{'N':'5'},'t':{'SS':['a','b']},'l':{'L':[{'N':'1'}]}"),
        {"UpdateItem",
         "{" KEY("1") ",'AttributeUpdates':{"
                      "'gone':{'Action':'DELETE'},"
                      "'c':{'Action':'ADD','Value':{'N':'2'}},"
                      "'t':{'Action':'DELETE','Value':{'SS':['a']}},"
                      "'l':{'Action':'ADD','Value':{'L':[{'N':'2'}]}},"
                      "'a.b':{'Value':{'S':'new'}}},'ReturnValues':'ALL_NEW'}",
         "{'Attributes':{'k':{'S':'a'},'n':{'N':'1'},'c':{'N':'7'},'t':{'SS':['b']},"
         "'l':{'L':[{'N':'1'},{'N':'2'}]},'a.b':{'S':'new'}}}"},
        // Of two with one name the last counts.
        {"UpdateItem",
         "{" KEY("1") ",'AttributeUpdates':{'c':{'Action':'DELETE'},"
                      "'c':{'Action':'PUT','Value':{'N':'1'}}},'ReturnValues':'UPDATED_NEW'}",
         "{'Attributes':{'c':{'N':'1'}}}"},
        {"UpdateItem", "{" KEY("1") ",'AttributeUpdates':{'n':{'Value':{'N':'2'}}}}",
         W "Cannot update attribute n. This attribute is part of the key"},
        {"UpdateItem", "{" KEY("2") ",'AttributeUpdates':{}}", "{}"},
        {"GetItem", "{" KEY("2") "}", "{'Item':{'k':{'S':'a'},'n':{'N':'2'}}}"},
    };
    CHECK_CALLS(state, rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_comparisons_say_why, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(wrong_expectations_say_why, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(the_conditional_operator_joins_two_or_more, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(wrong_updates_say_why, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(wrong_key_conditions_say_why, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(attributes_to_get_are_distinct, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(filters_select_items, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(key_conditions_query, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(expectations_guard_writes, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(attribute_updates_change_items, api_setup, api_teardown),
    };
    return cmocka_run_group_tests_name("legacy", tests, NULL, NULL);
}
