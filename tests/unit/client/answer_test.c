#include "support.h"

#define V2012    "com.amazonaws.dynamodb.v20120810#"
#define CANCELED "{\"__type\":\"" V2012 "TransactionCanceledException\",\"CancellationReasons\":"

// Answers that are failures, and what they mean.
static const struct row {
    int http_status;
    const char *body;
    ordna_status status;
    bool retry;
    bool unknown;
    const char *type;
    const char *message; // NULL: any
} rows[] = {
    // Nothing of DynamoDB's.
    {200, "", ORDNA_BAD_ANSWER, true, true, "", NULL},
    {200, " \n", ORDNA_BAD_ANSWER, false, true, "", NULL},
    {200, "{", ORDNA_BAD_ANSWER, false, true, "", NULL},
    {200, "[]", ORDNA_BAD_ANSWER, false, true, "", NULL},
    {200, "<html></html>", ORDNA_BAD_ANSWER, false, true, "", NULL},
    {301, "", ORDNA_BAD_ANSWER, false, false, "", NULL},
    {404, "<UnknownOperationException/>\n", ORDNA_BAD_ANSWER, false, false, "", NULL},
    {400, "{\"message\":\"no type\"}", ORDNA_BAD_ANSWER, false, false, "", NULL},
    {400, "{\"__type\":7}", ORDNA_BAD_ANSWER, false, false, "", NULL},
    {400, "[\"__type\"]", ORDNA_BAD_ANSWER, false, false, "", NULL},
    {400, "{\"__type\":\"x", ORDNA_BAD_ANSWER, false, false, "", NULL},
    {413, "", ORDNA_REFUSED, false, false, "", NULL},
    {429, "", ORDNA_THROTTLED, true, false, "", NULL},
    {500, "", ORDNA_SERVER_FAILED, true, true, "", NULL},
    {502, "<html>", ORDNA_SERVER_FAILED, true, true, "", NULL},
    {503, "{}", ORDNA_SERVER_FAILED, true, true, "", NULL},
    {504, "", ORDNA_SERVER_FAILED, true, true, "", NULL},
    {599, "", ORDNA_BAD_ANSWER, false, true, "", NULL},
    // DynamoDB's.
    {400, "{\"__type\":\"com.amazon.coral.validate#ValidationException\",\"message\":\"no\"}",
     ORDNA_REFUSED, false, false, "ValidationException", "no"},
    {400, "{\"__type\":\"" V2012 "ConditionalCheckFailedException\",\"Message\":\"big M\"}",
     ORDNA_CONDITION_FAILED, false, false, "ConditionalCheckFailedException", "big M"},
    {400, "{\"__type\":\"" V2012 "TransactionCanceledException\",\"Message\":\"why\"}",
     ORDNA_TRANSACTION_CANCELED, false, false, "TransactionCanceledException", "why"},
    {400, CANCELED "[]}", ORDNA_TRANSACTION_CANCELED, false, false, "TransactionCanceledException",
     NULL},
    {400, CANCELED "{}}", ORDNA_TRANSACTION_CANCELED, false, false, "TransactionCanceledException",
     NULL},
    {400,
     CANCELED "[{\"Code\":\"None\"},{\"Code\":\"ConditionalCheckFailed\"},{\"Code\":"
              "\"TransactionConflict\"}]}",
     ORDNA_TRANSACTION_CANCELED, false, false, "TransactionCanceledException", NULL},
    {400, CANCELED "[{\"Code\":7}]}", ORDNA_TRANSACTION_CANCELED, false, false,
     "TransactionCanceledException", NULL},
    {400, CANCELED "[{\"Code\":\"None\"},{\"Code\":\"TransactionConflict\"}]}",
     ORDNA_TRANSACTION_CANCELED, true, false, "TransactionCanceledException", NULL},
    {400, CANCELED "[{\"Code\":\"ThrottlingError\"},{\"Code\":\"ProvisionedThroughputExceeded\"}]}",
     ORDNA_TRANSACTION_CANCELED, true, false, "TransactionCanceledException", NULL},
    {400, "{\"__type\":\"" V2012 "ProvisionedThroughputExceededException\"}", ORDNA_THROTTLED, true,
     false, "ProvisionedThroughputExceededException", "ProvisionedThroughputExceededException"},
    {400, "{\"__type\":\"com.amazon.coral.availability#ThrottlingException\"}", ORDNA_THROTTLED,
     true, false, "ThrottlingException", NULL},
    {400, "{\"__type\":\"" V2012 "RequestLimitExceeded\"}", ORDNA_THROTTLED, true, false,
     "RequestLimitExceeded", NULL},
    {503, "{\"__type\":\"SlowDown\"}", ORDNA_THROTTLED, true, false, "SlowDown", NULL},
    {400, "{\"__type\":\"" V2012 "TransactionInProgressException\"}", ORDNA_REFUSED, true, true,
     "TransactionInProgressException", NULL},
    {400, "{\"__type\":\"" V2012 "LimitExceededException\"}", ORDNA_THROTTLED, true, false,
     "LimitExceededException", NULL},
    {400, "{\"__type\":\"" V2012 "TransactionConflictException\"}", ORDNA_REFUSED, true, false,
     "TransactionConflictException", NULL},
    {400, "{\"__type\":\"Plain:http://x/\",\"message\":null}", ORDNA_REFUSED, false, false, "Plain",
     "Plain"},
    {500, "{\"__type\":\"" V2012 "InternalServerError\",\"message\":\"oh\"}", ORDNA_SERVER_FAILED,
     true, true, "InternalServerError", "oh"},
    {503, "{\"__type\":\"ServiceUnavailableException\"}", ORDNA_SERVER_FAILED, true, true,
     "ServiceUnavailableException", NULL},
};

static void failures_are_told_apart(void **state)
{
    struct script *script = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct row *row = &rows[i];
        const struct od_reply reply = {
            .http_status = row->http_status, .body = od_cstr(row->body), .request_id = "R1"};
        struct od_verdict verdict;
        od_answer_judge(script->session->arena, &reply, &verdict);
        check_int(i, verdict.error.status, row->status);
        check_int(i, verdict.error.http_status, row->http_status);
        check_int(i, verdict.retry, row->retry);
        check_int(i, verdict.unknown, row->unknown);
        check_text(i, verdict.error.type == NULL ? "" : verdict.error.type, row->type);
        check_text(i, verdict.error.message,
                   row->message == NULL ? verdict.error.message : row->message);
        check_text(i, verdict.error.request_id, "R1");
        check_text(i, verdict.error.body, row->body);
    }
}

static void an_object_is_a_success(void **state)
{
    struct script *script = *state;
    static const char *const bodies[] = {"{}", " {} ", "\r\n{\"Item\":{}}\n"};
    for (size_t i = 0; i < OD_COUNT(bodies); i++) {
        const struct od_reply reply = {.http_status = 200, .body = od_cstr(bodies[i])};
        struct od_verdict verdict;
        od_answer_judge(script->session->arena, &reply, &verdict);
        check_int(i, verdict.error.status, ORDNA_OK);
    }
}

static void no_answer_is_what_the_transport_says(void **state)
{
    struct script *script = *state;
    const struct od_reply reply = {
        .status = ORDNA_TIMED_OUT, .sent = true, .retry = true, .message = "too slow"};
    struct od_verdict verdict;
    od_answer_judge(script->session->arena, &reply, &verdict);
    assert_int_equal(verdict.error.status, ORDNA_TIMED_OUT);
    assert_string_equal(verdict.error.message, "too slow");
    assert_true(verdict.retry);
    assert_true(verdict.unknown);
}

static void an_error_lives_until_the_next(void **state)
{
    struct script *script = *state;
    ordna_session *session = script->session;
    assert_int_equal(od_session_fail(session, ORDNA_BAD_ITEM, "Number", "no %s", "number"),
                     ORDNA_BAD_ITEM);
    const ordna_error *error = ordna_session_error(session);
    assert_string_equal(error->message, "no number");
    assert_string_equal(error->field, "Number");
    assert_string_equal(error->type, "");
    // Made of the one before.
    assert_int_equal(
        od_session_fail(session, ORDNA_REFUSED, error->field, "%s: %s", "item 7", error->message),
        ORDNA_REFUSED);
    assert_string_equal(ordna_session_error(session)->message, "item 7: no number");
    assert_string_equal(ordna_session_error(session)->field, "Number");
    ordna_session_reset(session);
    assert_int_equal(ordna_session_error(session)->status, ORDNA_OK);
    assert_string_equal(ordna_session_error(session)->message, "");
}

static void waits_grow_and_stay_below_their_bound(void **state)
{
    (void)state;
    static const struct {
        int failed;
        int64_t most;
    } waits[] = {{-1, 50},   {0, 50},     {1, 50},     {2, 100},      {3, 200},
                 {9, 12800}, {10, 20000}, {11, 20000}, {1000, 20000}, {INT32_MAX, 20000}};
    for (size_t i = 0; i < OD_COUNT(waits); i++) {
        check_int(i, od_backoff_ms(waits[i].failed, 0), 0);
        check_int(i, od_backoff_ms(waits[i].failed, UINT32_MAX), waits[i].most);
        check_int(i, od_backoff_ms(waits[i].failed, UINT32_MAX / 2), waits[i].most / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(failures_are_told_apart),
        TEST(an_object_is_a_success),
        TEST(no_answer_is_what_the_transport_says),
        TEST(an_error_lives_until_the_next),
        TEST(waits_grow_and_stay_below_their_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
