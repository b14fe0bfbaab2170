#include "support.h"

#define THROTTLED                                                                              \
    "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException\"," \
    "\"message\":\"slow\"}"
#define FAILED \
    "{\"__type\":\"com.amazonaws.dynamodb.v20120810#InternalServerError\",\"message\":\"oh\"}"
#define CONDITION                                                                       \
    "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\"," \
    "\"message\":\"The conditional request failed\"}"
#define CONDITIONAL "{\"Item\":{},\"ConditionExpression\":\"x\"}"

static const struct step ok = {200, "{\"Item\":{}}"};

static void what_is_no_operation_is_not_sent(void **state)
{
    struct script *script = *state;
    static const char *const names[] = {
        "",
        "Get Item",
        "GetItem\r\nHost: x",
        "G\xC3\xA9tItem",
        "ItemItemItemItemItemItemItemItemItemItemItemItemItemItemItemItemI",
    };
    script_play(script, &ok, 1);
    for (size_t i = 0; i < OD_COUNT(names); i++) {
        ordna_answer answer;
        check_int(i, script_call(script, names[i], "{}", &answer), ORDNA_BAD_ARGUMENT);
        check_int(i, ordna_session_error(script->session)->status, ORDNA_BAD_ARGUMENT);
    }
    assert_int_equal(script->calls, 0);
}

static void a_session_past_its_deadline_sends_nothing(void **state)
{
    struct script *script = *state;
    ordna_answer answer;
    script_play(script, &ok, 1);
    ordna_session_set_deadline(script->session, -1);
    assert_int_equal(script_call(script, "GetItem", "{}", &answer), ORDNA_TIMED_OUT);
    assert_int_equal(script->calls, 0);
    ordna_session_set_deadline(script->session, INT64_MAX);
    assert_int_equal(script_call(script, "GetItem", "{}", &answer), ORDNA_OK);
    ordna_session_set_deadline(script->session, 0);
    assert_int_equal(script_call(script, "GetItem", "{}", &answer), ORDNA_OK);
}

static void a_canceled_session_sends_nothing_until_it_is_reset(void **state)
{
    struct script *script = *state;
    ordna_answer answer;
    script_play(script, &ok, 1);
    ordna_session_cancel(script->session);
    assert_int_equal(script_call(script, "GetItem", "{}", &answer), ORDNA_CANCELED);
    assert_int_equal(script_call(script, "GetItem", "{}", &answer), ORDNA_CANCELED);
    assert_int_equal(script->calls, 0);
    ordna_session_reset(script->session);
    assert_int_equal(script_call(script, "GetItem", "{}", &answer), ORDNA_OK);
}

static void a_cancellation_ends_the_wait_for_another_attempt(void **state)
{
    struct script *script = *state;
    ordna_answer answer;
    script_play(script, &(struct step){500, FAILED}, 1);
    script->cancel = script->session;
    assert_int_equal(script_call(script, "GetItem", "{}", &answer), ORDNA_CANCELED);
    assert_int_equal(script->calls, 1);
    // What was the matter is still told.
    assert_string_equal(ordna_session_error(script->session)->type, "InternalServerError");
    assert_int_equal(ordna_session_error(script->session)->http_status, 500);
}

static void children_end_with_their_parents(void **state)
{
    struct script *script = *state;
    ordna_answer answer;
    script_play(script, &ok, 1);
    ordna_session *first = od_session_open_child(script->session);
    ordna_session *second = od_session_open_child(first);
    assert_int_equal(ordna_session_call(second, "GetItem", "{}", 2, &answer), ORDNA_OK);
    ordna_session_cancel(script->session);
    assert_int_equal(ordna_session_call(second, "GetItem", "{}", 2, &answer), ORDNA_CANCELED);
    // A child's own reset does not undo it.
    ordna_session_reset(second);
    assert_int_equal(ordna_session_call(second, "GetItem", "{}", 2, &answer), ORDNA_CANCELED);
    assert_int_equal(od_session_take_error(script->session, second), ORDNA_CANCELED);
    ordna_session_close(second);
    ordna_session_close(first);
    assert_int_equal(ordna_session_error(script->session)->status, ORDNA_CANCELED);

    ordna_session_reset(script->session);
    ordna_session_set_deadline(script->session, -1);
    ordna_session *late = od_session_open_child(script->session);
    assert_int_equal(ordna_session_call(late, "GetItem", "{}", 2, &answer), ORDNA_TIMED_OUT);
    ordna_session_close(late);
}

// What is sent how often, and what is told of it.
static const struct retry_row {
    const char *operation;
    const char *body;
    struct step steps[3];
    int step_count;
    bool retry_unknown;
    ordna_status status;
    int calls;
    bool unknown;
} retry_rows[] = {
    // Reads.
    {"GetItem", "{}", {{500, FAILED}}, 1, false, ORDNA_SERVER_FAILED, 4, false},
    {"GetItem", "{}", {{500, FAILED}, {200, "{}"}}, 2, false, ORDNA_OK, 2, false},
    {"GetItem", "{}", {{0, NULL}}, 1, false, ORDNA_NETWORK, 4, false},
    {"Query", "{}", {{400, THROTTLED}, {503, "oh"}, {200, "{}"}}, 3, false, ORDNA_OK, 3, false},
    {"Scan", "{}", {{400, THROTTLED}}, 1, false, ORDNA_THROTTLED, 4, false},
    {"GetItem", "{}", {{404, "<p/>"}}, 1, false, ORDNA_BAD_ANSWER, 1, false},
    {"GetItem", "{}", {{200, "<html>"}}, 1, false, ORDNA_BAD_ANSWER, 1, false},
    // Writes that are the same twice.
    {"PutItem", "{}", {{500, FAILED}, {200, "{}"}}, 2, false, ORDNA_OK, 2, false},
    {"PutItem", "{}", {{500, FAILED}}, 1, false, ORDNA_SERVER_FAILED, 4, true},
    {"PutItem", "{}", {{0, NULL}, {400, CONDITION}}, 2, false, ORDNA_CONDITION_FAILED, 2, true},
    {"DeleteItem", "{\"Key\":{}}", {{0, NULL}, {200, "{}"}}, 2, false, ORDNA_OK, 2, false},
    // Writes that are not: once, when nobody knows.
    {"PutItem", CONDITIONAL, {{500, FAILED}}, 1, false, ORDNA_SERVER_FAILED, 1, true},
    {"PutItem", CONDITIONAL, {{0, NULL}}, 1, false, ORDNA_NETWORK, 1, true},
    {"UpdateItem", "{}", {{502, "<p/>"}}, 1, false, ORDNA_SERVER_FAILED, 1, true},
    {"UpdateItem", "{}", {{200, "what"}}, 1, false, ORDNA_BAD_ANSWER, 1, true},
    {"CreateTable", "{}", {{0, NULL}}, 1, false, ORDNA_NETWORK, 1, true},
    // But a throttled one was not carried out.
    {"UpdateItem", "{}", {{400, THROTTLED}, {200, "{}"}}, 2, false, ORDNA_OK, 2, false},
    {"UpdateItem", "{}", {{429, ""}, {200, "{}"}}, 2, false, ORDNA_OK, 2, false},
    {"PutItem", CONDITIONAL, {{400, CONDITION}}, 1, false, ORDNA_CONDITION_FAILED, 1, false},
    // The caller allows it, and learns that the first attempt may be why the second failed.
    {"UpdateItem", "{}", {{500, FAILED}, {200, "{}"}}, 2, true, ORDNA_OK, 2, false},
    {"PutItem",
     CONDITIONAL,
     {{0, NULL}, {400, CONDITION}},
     2,
     true,
     ORDNA_CONDITION_FAILED,
     2,
     true},
};

static void what_may_be_sent_again_is_and_nothing_else(void **state)
{
    struct script *script = *state;
    for (size_t i = 0; i < OD_COUNT(retry_rows); i++) {
        const struct retry_row *row = &retry_rows[i];
        script_reopen(script, (ordna_client_options){.retry_unknown = row->retry_unknown});
        script_play(script, row->steps, row->step_count);
        ordna_answer answer;
        check_int(i, script_call(script, row->operation, row->body, &answer), row->status);
        check_int(i, script->calls, row->calls);
        check_int(i, script->cleared, row->calls);
        check_int(i, script->waits, row->calls - 1);
        check_int(i,
                  ordna_session_error(script->session)->outcome_unknown && row->status != ORDNA_OK,
                  row->unknown);
    }
}

static void the_caller_may_know_that_twice_is_as_once(void **state)
{
    struct script *script = *state;
    const struct step steps[] = {{500, FAILED}, {200, "{}"}};
    ordna_answer answer;
    script_play(script, steps, 2);
    assert_int_equal(od_session_call(script->session, "UpdateItem", OD_STR("{}"), true, &answer),
                     ORDNA_OK);
    script_play(script, steps, 2);
    assert_int_equal(od_session_call(script->session, "PutItem", OD_STR("{}"), false, &answer),
                     ORDNA_SERVER_FAILED);
}

static void attempts_are_bounded_by_the_options(void **state)
{
    struct script *script = *state;
    ordna_answer answer;
    script_reopen(script, (ordna_client_options){.max_attempts = 7});
    script_play(script, &(struct step){400, THROTTLED}, 1);
    assert_int_equal(script_call(script, "GetItem", "{}", &answer), ORDNA_THROTTLED);
    assert_int_equal(script->calls, 7);
    assert_in_range(script->longest_wait_ms, 0, 50 << 5);
    assert_int_equal(od_session_max_attempts(script->session), 7);
}

static void an_answer_is_text_in_the_sessions_memory(void **state)
{
    struct script *script = *state;
    ordna_answer first;
    ordna_answer second;
    script_play(script, &(struct step){200, " {\"a\":1}\n"}, 1);
    assert_int_equal(script_call(script, "GetItem", "{\"Key\":1}", &first), ORDNA_OK);
    assert_string_equal(script->operation, "GetItem");
    assert_string_equal(script->body, "{\"Key\":1}");
    assert_int_equal(script_call(script, "Scan", "{}", &second), ORDNA_OK);
    assert_string_equal(first.body, " {\"a\":1}\n");
    assert_int_equal(first.body_len, strlen(first.body));
    assert_string_equal(second.body, first.body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_operation_is_not_sent),
        TEST(a_session_past_its_deadline_sends_nothing),
        TEST(a_canceled_session_sends_nothing_until_it_is_reset),
        TEST(a_cancellation_ends_the_wait_for_another_attempt),
        TEST(children_end_with_their_parents),
        TEST(what_may_be_sent_again_is_and_nothing_else),
        TEST(the_caller_may_know_that_twice_is_as_once),
        TEST(attempts_are_bounded_by_the_options),
        TEST(an_answer_is_text_in_the_sessions_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
