#include "support.h"

#include "model/cancellation.h"

#define AMAZON "com.amazonaws.dynamodb.v20120810#"
#define CORAL  "com.amazon.coral."

static od_str body_of(od_ctx *cx, od_status status, bool enveloped)
{
    struct od_buf out = {.arena = cx->arena};
    od_wire_error(&out, status, cx, enveloped);
    return od_buf_str(&out);
}

static void bodies_name_the_type_and_the_message(void **state)
{
    static const struct {
        od_status status;
        bool enveloped;
        const char *message;
        const char *expected;
    } rows[] = {
        {OD_VALIDATION, false, "no",
         "{'__type':'" CORAL "validate#ValidationException','message':'no'}"},
        {OD_VALIDATION, true, "no",
         "{'__type':'" CORAL "validate#ValidationException','message':'no'}"},
        {OD_VALIDATION_ENVELOPED, false, "no",
         "{'__type':'" CORAL "validate#ValidationException','message':'no'}"},
        {OD_VALIDATION_ENVELOPED, true, "no",
         "{'__type':'" CORAL "validate#ValidationException','message':'1 validation error "
         "detected: no'}"},
        {OD_SERIALIZATION, false, "no",
         "{'__type':'" CORAL "service#SerializationException','Message':'no'}"},
        {OD_SERIALIZATION, false, "", "{'__type':'" CORAL "service#SerializationException'}"},
        {OD_UNKNOWN_OP, false, "ignored",
         "{'__type':'" CORAL "service#UnknownOperationException'}"},
        {OD_NO_SUCH_RESOURCE, false, "Requested resource not found",
         "{'__type':'" AMAZON
         "ResourceNotFoundException','message':'Requested resource not found'}"},
        {OD_CONDITION_FAILED, false, "The conditional request failed",
         "{'__type':'" AMAZON
         "ConditionalCheckFailedException','message':'The conditional request failed'}"},
        {OD_IDEMPOTENT_MISMATCH, false, "no",
         "{'__type':'" AMAZON "IdempotentParameterMismatchException','Message':'no'}"},
        {OD_TRANSACTION_IN_PROGRESS, false, "no",
         "{'__type':'" AMAZON "TransactionInProgressException','Message':'no'}"},
        {OD_ACCESS_DENIED, false, "no",
         "{'__type':'" CORAL "service#AccessDeniedException','Message':'no'}"},
        {OD_TRANSACTION_CONFLICT, false, "Transaction is ongoing for the item",
         "{'__type':'" AMAZON
         "TransactionConflictException','message':'Transaction is ongoing for the item'}"},
        {OD_TRANSACTION_CANCELED, false, "no reasons",
         "{'__type':'" AMAZON "TransactionCanceledException','Message':'no reasons'}"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        cx->error = od_cstr(rows[i].message);
        check_json(i, cx, body_of(cx, rows[i].status, rows[i].enveloped), rows[i].expected);
    }
}

static void what_went_wrong_inside_is_not_told(void **state)
{
    static const od_status rows[] = {OD_INTERNAL, OD_STORE_CONFLICT, OD_STORE_UNKNOWN,
                                     OD_STORE_DOWN};
    od_ctx *cx = *state;
    cx->error = OD_STR("/var/lib/ordna: No space left on device");
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_json(i, cx, body_of(cx, rows[i], true),
                   "{'__type':'" AMAZON "InternalServerError','message':'Internal server error'}");
    }
}

static void a_full_disk_is_told(void **state)
{
    od_ctx *cx = *state;
    cx->error = OD_STR("There is no space left on the disk");
    check_json(0, cx, body_of(cx, OD_STORE_FULL, true),
               "{'__type':'" AMAZON
               "InternalServerError','message':'There is no space left on the disk'}");
}

static void messages_are_escaped(void **state)
{
    od_ctx *cx = *state;
    cx->error = OD_STR("Syntax error; token: \"\\\n\0");
    od_str body = body_of(cx, OD_VALIDATION, false);
    check_text(0, body,
               "{\"__type\":\"com.amazon.coral.validate#ValidationException\","
               "\"message\":\"Syntax error; token: \\\"\\\\\\n\\u0000\"}");
}

static od_value map_of(od_ctx *cx, const char *json)
{
    od_value map = {NULL, 0};
    assert_int_equal(od_wire_map(cx, json_tree(cx, json), &map), OD_OK);
    return map;
}

static void a_failed_condition_may_hold_the_old_item(void **state)
{
    od_ctx *cx = *state;
    od_value map = map_of(cx, "{'a': {'S': 'x'}}");
    cx->error = OD_STR("The conditional request failed");
    cx->error_detail = &map;
    check_json(0, cx, body_of(cx, OD_CONDITION_FAILED, false),
               "{'__type':'" AMAZON "ConditionalCheckFailedException','Item':{'a':{'S':'x'}},"
               "'Message':'The conditional request failed'}");
}

static void a_cancelled_transaction_gives_a_reason_for_each_action(void **state)
{
    od_ctx *cx = *state;
    const struct od_cancel_reason reasons[] = {
        {.code = OD_STR("None")},
        {OD_STR("ConditionalCheckFailed"), OD_STR("The conditional request failed"),
         map_of(cx, "{'a': {'N': '1'}}")},
        {OD_STR("ValidationError"), OD_STR("no"), {NULL, 0}},
    };
    struct od_cancellation cancellation = {reasons, OD_COUNT(reasons)};
    cx->error = OD_STR("Transaction cancelled");
    cx->error_detail = &cancellation;
    check_json(0, cx, body_of(cx, OD_TRANSACTION_CANCELED, false),
               "{'__type':'" AMAZON
               "TransactionCanceledException','CancellationReasons':[{'Code':'None'},"
               "{'Code':'ConditionalCheckFailed','Message':'The conditional request failed',"
               "'Item':{'a':{'N':'1'}}},{'Code':'ValidationError','Message':'no'}],"
               "'Message':'Transaction cancelled'}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bodies_name_the_type_and_the_message),
        TEST(what_went_wrong_inside_is_not_told),
        TEST(a_full_disk_is_told),
        TEST(messages_are_escaped),
        TEST(a_failed_condition_may_hold_the_old_item),
        TEST(a_cancelled_transaction_gives_a_reason_for_each_action),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
