// What a request's parameters may be together. Nothing here needs a table.
#include "support.h"

#define V     "ValidationException: "
#define EV    "ValidationException: 1 validation error detected: "
#define PUT_A "'TableName':'abc','Item':{'k':{'S':'a'}}"
#define KEY_A "'TableName':'abc','Key':{'k':{'S':'a'}}"

static void placeholders_want_expressions(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", "{" PUT_A ",'ExpressionAttributeNames':{'#a':'a'}}",
         EV "ExpressionAttributeNames can only be specified when using expressions"},
        {"GetItem", "{" KEY_A ",'ExpressionAttributeNames':{'#a':'a'}}",
         V "ExpressionAttributeNames can only be specified when using expressions"},
        {"PutItem", "{" PUT_A ",'ExpressionAttributeValues':{':a':{'S':'a'}}}",
         EV "ExpressionAttributeValues can only be specified when using expressions: "
            "ConditionExpression is null"},
        {"DeleteItem", "{" KEY_A ",'ExpressionAttributeValues':{':a':{'S':'a'}}}",
         V "ExpressionAttributeValues can only be specified when using expressions: "
           "ConditionExpression is null"},
        {"UpdateItem", "{" KEY_A ",'ExpressionAttributeValues':{':a':{'S':'a'}}}",
         EV "ExpressionAttributeValues can only be specified when using expressions: "
            "UpdateExpression and ConditionExpression are null"},
        {"Query", "{'TableName':'abc','ExpressionAttributeValues':{':a':{'S':'a'}}}",
         V "ExpressionAttributeValues can only be specified when using expressions: "
           "FilterExpression and KeyConditionExpression are null"},
        {"Scan",
         "{'TableName':'abc','ProjectionExpression':'a','ExpressionAttributeValues':"
         "{':a':{'S':'a'}}}",
         V "ExpressionAttributeValues can only be specified when using expressions: "
           "FilterExpression is null"},
    };
    CHECK_DECODES(state, rows);
}

static void maps_of_placeholders_are_not_empty(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem",
         "{" PUT_A ",'ConditionExpression':'attribute_exists(a)','ExpressionAttributeNames':{}}",
         EV "ExpressionAttributeNames must not be empty"},
        {"UpdateItem", "{" KEY_A ",'UpdateExpression':'REMOVE a','ExpressionAttributeValues':{}}",
         EV "ExpressionAttributeValues must not be empty"},
        {"DeleteItem",
         "{" KEY_A ",'ConditionExpression':'attribute_exists(a)','ExpressionAttributeNames':{}}",
         V "ExpressionAttributeNames must not be empty"},
        {"GetItem", "{" KEY_A ",'ProjectionExpression':'a','ExpressionAttributeNames':{}}",
         V "ExpressionAttributeNames must not be empty"},
    };
    CHECK_DECODES(state, rows);
}

static void unused_placeholders_are_faults(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem",
         "{" PUT_A ",'ConditionExpression':'attribute_exists(a)',"
         "'ExpressionAttributeNames':{'#b':'b'}}",
         EV "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}"},
        {"DeleteItem",
         "{" KEY_A ",'ConditionExpression':'attribute_exists(a)',"
         "'ExpressionAttributeValues':{':b':{'S':'b'}}}",
         EV "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}"},
        {"GetItem", "{" KEY_A ",'ProjectionExpression':'a','ExpressionAttributeNames':{'#b':'b'}}",
         V "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}"},
        // GetItem has no values: it ignores them, as any member that it does not know.
        {"GetItem",
         "{" KEY_A ",'ProjectionExpression':'a','ExpressionAttributeValues':{':b':{'S':'b'}}}",
         NULL},
        // Names before values; what any of the expressions uses is used.
        {"UpdateItem",
         "{" KEY_A ",'UpdateExpression':'SET #a = :a','ConditionExpression':'#b = :b',"
         "'ExpressionAttributeNames':{'#a':'a','#b':'b','#c':'c'},"
         "'ExpressionAttributeValues':{':a':{'S':'a'},':b':{'S':'b'},':c':{'S':'c'}}}",
         EV "Value provided in ExpressionAttributeNames unused in expressions: keys: {#c}"},
        {"UpdateItem",
         "{" KEY_A ",'UpdateExpression':'SET #a = :a','ConditionExpression':'#b = :b',"
         "'ExpressionAttributeNames':{'#a':'a','#b':'b'},"
         "'ExpressionAttributeValues':{':a':{'S':'a'},':b':{'S':'b'}}}",
         NULL},
    };
    CHECK_DECODES(state, rows);
}

static void syntax_comes_before_operands_and_update_before_condition(void **state)
{
    static const struct api_row rows[] = {
        {"UpdateItem", "{" KEY_A ",'UpdateExpression':'SET','ConditionExpression':'a ='}",
         EV "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"SET\""},
        {"UpdateItem", "{" KEY_A ",'UpdateExpression':'SET a = :a','ConditionExpression':''}",
         EV "Invalid ConditionExpression: The expression can not be empty;"},
        {"UpdateItem", "{" KEY_A ",'UpdateExpression':'SET a = :a','ConditionExpression':'a = :b'}",
         EV "Invalid UpdateExpression: An expression attribute value used in expression is not "
            "defined; attribute value: :a"},
        {"Query", "{'TableName':'abc','KeyConditionExpression':'','FilterExpression':''}",
         V "Invalid FilterExpression: The expression can not be empty;"},
    };
    CHECK_DECODES(state, rows);
}

static void expressions_and_legacy_parameters_do_not_mix(void **state)
{
    static const struct api_row rows[] = {
        {"GetItem", "{" KEY_A ",'ProjectionExpression':'a','AttributesToGet':['a']}",
         V "Can not use both expression and non-expression parameters in the same request: "
           "Non-expression parameters: {AttributesToGet} Expression parameters: "
           "{ProjectionExpression}"},
        {"UpdateItem",
         "{" KEY_A ",'UpdateExpression':'REMOVE a','ConditionExpression':'a = a',"
         "'AttributeUpdates':{},'Expected':{}}",
         EV "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributeUpdates, Expected} Expression parameters: "
            "{UpdateExpression, ConditionExpression}"},
        {"Query",
         "{'TableName':'abc','KeyConditions':{},'QueryFilter':{},'ConditionalOperator':'OR',"
         "'FilterExpression':'a = :a'}",
         V "Can not use both expression and non-expression parameters in the same request: "
           "Non-expression parameters: {QueryFilter, ConditionalOperator, KeyConditions} "
           "Expression parameters: {FilterExpression}"},
        {"BatchGetItem",
         "{'RequestItems':{'abc':{'Keys':[{'k':{'S':'a'}}],'ProjectionExpression':'a'},"
         "'def':{'Keys':[{'k':{'S':'a'}}],'AttributesToGet':['a']}}}",
         V "Can not use both expression and non-expression parameters in the same request: "
           "Non-expression parameters: {AttributesToGet} Expression parameters: "
           "{ProjectionExpression}"},
    };
    CHECK_DECODES(state, rows);
}

#define QUERY_A                                            \
    "'TableName':'abc','KeyConditionExpression':'k = :k'," \
    "'ExpressionAttributeValues':{':k':{'S':'a'}}"

static void select_and_projection_agree(void **state)
{
    static const struct api_row rows[] = {
        {"Query", "{" QUERY_A ",'Select':'ALL_PROJECTED_ATTRIBUTES'}",
         EV "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
        {"Scan", "{'TableName':'abc','Select':'ALL_PROJECTED_ATTRIBUTES'}",
         V "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
        {"Query", "{" QUERY_A ",'Select':'SPECIFIC_ATTRIBUTES'}",
         EV "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
            "SPECIFIC_ATTRIBUTES"},
        {"Scan", "{'TableName':'abc','Select':'SPECIFIC_ATTRIBUTES'}",
         V "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
           "SPECIFIC_ATTRIBUTES"},
        {"Query", "{" QUERY_A ",'Select':'COUNT','ProjectionExpression':'a'}",
         EV "Cannot specify the ProjectionExpression when choosing to get only the Count"},
        {"Scan", "{'TableName':'abc','Select':'ALL_ATTRIBUTES','AttributesToGet':['a']}",
         V "Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES"},
        // Of two such faults it is the projection's.
        {"Query", "{" QUERY_A ",'Select':'ALL_PROJECTED_ATTRIBUTES','ProjectionExpression':'a'}",
         EV "Cannot specify the ProjectionExpression when choosing to get "
            "ALL_PROJECTED_ATTRIBUTES"},
        {"Query", "{" QUERY_A ",'IndexName':'idx','Select':'ALL_PROJECTED_ATTRIBUTES'}", NULL},
        {"Query", "{" QUERY_A ",'Select':'SPECIFIC_ATTRIBUTES','ProjectionExpression':'a'}", NULL},
        {"Query", "{" QUERY_A ",'Select':'COUNT'}", NULL},
    };
    CHECK_DECODES(state, rows);
}

static void a_query_wants_a_key_condition(void **state)
{
    static const struct api_row rows[] = {
        {"Query", "{'TableName':'abc'}",
         V "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
           "request."},
        {"Query",
         "{'TableName':'abc','FilterExpression':'a = :a','ExpressionAttributeValues':"
         "{':a':{'S':'a'}}}",
         V "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
           "request."},
    };
    CHECK_DECODES(state, rows);
}

static void segments_come_with_their_number(void **state)
{
    static const struct api_row rows[] = {
        {"Scan", "{'TableName':'abc','Segment':0}",
         V "The TotalSegments parameter is required but was not present in the request when "
           "Segment parameter is present"},
        {"Scan", "{'TableName':'abc','TotalSegments':2}",
         V "The Segment parameter is required but was not present in the request when parameter "
           "TotalSegments is present"},
        {"Scan", "{'TableName':'abc','Segment':3,'TotalSegments':3}",
         V "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
           "Segment: 3 is not less than TotalSegments: 3"},
        {"Scan", "{'TableName':'abc','Segment':2,'TotalSegments':3}", NULL},
    };
    CHECK_DECODES(state, rows);
}

static void return_values_are_those_of_the_operation(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", "{" PUT_A ",'ReturnValues':'ALL_NEW'}",
         EV "Return values set to invalid value"},
        {"DeleteItem", "{" KEY_A ",'ReturnValues':'UPDATED_OLD'}",
         V "Return values set to invalid value"},
        {"PutItem", "{" PUT_A ",'ReturnValues':'ALL_OLD'}", NULL},
        {"DeleteItem", "{" KEY_A ",'ReturnValues':'NONE'}", NULL},
        {"UpdateItem", "{" KEY_A ",'ReturnValues':'UPDATED_NEW'}", NULL},
    };
    CHECK_DECODES(state, rows);
}

#define EMPTY_KEY                                                                           \
    V "One or more parameter values are not valid. The AttributeValue for a key attribute " \
      "cannot contain an empty "

static void keys_are_not_empty(void **state)
{
    static const struct api_row rows[] = {
        {"GetItem", "{'TableName':'abc','Key':{'k':{'S':''}}}", EMPTY_KEY "string value. Key: k"},
        {"UpdateItem", "{'TableName':'abc','Key':{'k':{'B':''}}}",
         EMPTY_KEY "binary value. Key: k"},
        {"DeleteItem", "{'TableName':'abc','Key':{'k':{'S':''}}}",
         EMPTY_KEY "string value. Key: k"},
        {"Scan", "{'TableName':'abc','ExclusiveStartKey':{'k':{'S':''}}}",
         EMPTY_KEY "string value. Key: k"},
        {"BatchGetItem", "{'RequestItems':{'abc':{'Keys':[{'k':{'S':''}}]}}}",
         EMPTY_KEY "string value. Key: k"},
        {"BatchWriteItem", "{'RequestItems':{'abc':[{'DeleteRequest':{'Key':{'k':{'S':''}}}}]}}",
         EMPTY_KEY "string value. Key: k"},
        // An expression's fault comes first.
        {"GetItem", "{'TableName':'abc','Key':{'k':{'S':''}},'ProjectionExpression':''}",
         V "Invalid ProjectionExpression: The expression can not be empty;"},
    };
    CHECK_DECODES(state, rows);
}

static void the_envelope_is_the_operations(void **state)
{
    static const struct api_row rows[] = {
        {"PutItem", "{'TableName':'abc','Item':{'k':{'S':'a'},'s':{'SS':[]}}}",
         EV "One or more parameter values were invalid: An string set  may not be empty"},
        {"UpdateItem", "{'TableName':'abc','Key':{'k':{'NULL':false}}}",
         EV "One or more parameter values were invalid: Null attribute value types must have the "
            "value of true"},
        {"DeleteItem", "{'TableName':'abc','Key':{'k':{'NULL':false}}}",
         V "One or more parameter values were invalid: Null attribute value types must have the "
           "value of true"},
        {"GetItem", "{'TableName':'abc','Key':{'k':{'NULL':false}}}",
         V "One or more parameter values were invalid: Null attribute value types must have the "
           "value of true"},
        {"PutItem", "{'TableName':'abc','Item':{'k':{}}}",
         V "Supplied AttributeValue is empty, must contain exactly one of the supported "
           "datatypes"},
    };
    CHECK_DECODES(state, rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(placeholders_want_expressions),
        cmocka_unit_test(maps_of_placeholders_are_not_empty),
        cmocka_unit_test(unused_placeholders_are_faults),
        cmocka_unit_test(syntax_comes_before_operands_and_update_before_condition),
        cmocka_unit_test(expressions_and_legacy_parameters_do_not_mix),
        cmocka_unit_test(select_and_projection_agree),
        cmocka_unit_test(a_query_wants_a_key_condition),
        cmocka_unit_test(segments_come_with_their_number),
        cmocka_unit_test(return_values_are_those_of_the_operation),
        cmocka_unit_test(keys_are_not_empty),
        cmocka_unit_test(the_envelope_is_the_operations),
    };
    return cmocka_run_group_tests_name("params", tests, api_setup, api_teardown);
}
