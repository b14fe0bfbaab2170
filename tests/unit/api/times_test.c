// What depends on the time: tokens, decreases of throughput, the names of streams.
#include "support.h"

#include "base/clock.h"

#include <stdio.h>

static const int64_t MINUTE = 60000;
static const int64_t HOUR = 3600000;
static const int64_t DAY = 86400000;

static const int64_t midnight = 20000LL * DAY;

#define CREATE(extra)                                                           \
    "{'TableName':'abc','KeySchema':[{'AttributeName':'id','KeyType':'HASH'}]," \
    "'AttributeDefinitions':[{'AttributeName':'id','AttributeType':'S'}]," extra "}"
#define PUT(token, id)                                                                      \
    "{'ClientRequestToken':'" token "','TransactItems':[{'Put':{'TableName':'abc','Item':{" \
    "'id':{'S':'" id "'}}}}]}"

static int setup(void **state)
{
    od_clock_set_ms(midnight);
    return api_setup(state);
}

static int teardown(void **state)
{
    od_clock_set_ms(-1);
    return api_teardown(state);
}

static bool answers(void **state, const char *operation, const char *body, const char *part)
{
    struct od_call call = api_call(state, operation, body);
    od_str got = od_buf_str(&call.out);
    if (!od_str_contains(got, od_cstr(part))) {
        print_error("%s: %.*s\n", operation, OD_STR_ARG(got));
        return false;
    }
    return true;
}

// --- Tokens -------------------------------------------------------------------------------------

static void a_token_is_bound_for_ten_minutes(void **state)
{
    assert_true(answers(state, "CreateTable", CREATE("'BillingMode':'PAY_PER_REQUEST'"), "abc"));
    assert_true(answers(state, "TransactWriteItems", PUT("t", "a"), "{}"));
    od_clock_set_ms(midnight + 10 * MINUTE - 1);
    assert_true(answers(state, "TransactWriteItems", PUT("t", "b"), "IdempotentParameterMismatch"));
    assert_true(answers(state, "TransactWriteItems", PUT("t", "a"), "{}"));
    od_clock_set_ms(midnight + 10 * MINUTE);
    assert_true(answers(state, "TransactWriteItems", PUT("t", "b"), "{}"));
    assert_true(answers(state, "GetItem", "{'TableName':'abc','Key':{'id':{'S':'b'}}}", "Item"));
    // It is bound again, to the later request.
    od_clock_set_ms(midnight + 15 * MINUTE);
    assert_true(answers(state, "TransactWriteItems", PUT("t", "a"), "IdempotentParameterMismatch"));
    assert_true(answers(state, "TransactWriteItems", PUT("t", "b"), "{}"));
}

static void a_repetition_does_not_bind_a_token_for_longer(void **state)
{
    assert_true(answers(state, "CreateTable", CREATE("'BillingMode':'PAY_PER_REQUEST'"), "abc"));
    assert_true(answers(state, "TransactWriteItems", PUT("t", "a"), "{}"));
    od_clock_set_ms(midnight + 9 * MINUTE);
    assert_true(answers(state, "TransactWriteItems", PUT("t", "a"), "{}"));
    od_clock_set_ms(midnight + 11 * MINUTE);
    assert_true(answers(state, "TransactWriteItems", PUT("t", "b"), "{}"));
}

// --- Throughput ---------------------------------------------------------------------------------

static bool change_throughput(void **state, int units, const char *part)
{
    char body[256];
    snprintf(body, sizeof(body),
             "{'TableName':'abc','ProvisionedThroughput':{'ReadCapacityUnits':%d,"
             "'WriteCapacityUnits':5}}",
             units);
    return answers(state, "UpdateTable", body, part);
}

static void create_provisioned(void **state)
{
    assert_true(answers(
        state, "CreateTable",
        CREATE("'ProvisionedThroughput':{'ReadCapacityUnits':100,'WriteCapacityUnits':5}"), "abc"));
}

static void after_four_decreases_each_needs_an_hour_without_one(void **state)
{
    create_provisioned(state);
    assert_true(change_throughput(state, 99, "\"NumberOfDecreasesToday\":1"));
    assert_true(change_throughput(state, 98, "\"NumberOfDecreasesToday\":2"));
    assert_true(change_throughput(state, 97, "\"NumberOfDecreasesToday\":3"));
    assert_true(change_throughput(state, 96, "\"NumberOfDecreasesToday\":4"));
    od_clock_set_ms(midnight + HOUR - 1);
    assert_true(change_throughput(
        state, 95,
        "Number of decreases today: 4. Last decrease at Friday, October 4, 2024 at 12:00:00 AM "
        "Coordinated Universal Time. Next decrease can be made at Friday, October 4, 2024 at "
        "1:00:00 AM Coordinated Universal Time\""));
    od_clock_set_ms(midnight + HOUR);
    assert_true(change_throughput(state, 95, "\"NumberOfDecreasesToday\":5"));
    assert_true(change_throughput(state, 94, "LimitExceededException"));
    assert_true(change_throughput(state, 200, "\"NumberOfDecreasesToday\":5"));
}

static void another_day_begins_from_none(void **state)
{
    create_provisioned(state);
    for (int i = 1; i <= 4; i++) {
        assert_true(change_throughput(state, 100 - i, "UPDATING"));
    }
    od_clock_set_ms(midnight + DAY);
    assert_true(
        answers(state, "DescribeTable", "{'TableName':'abc'}", "\"NumberOfDecreasesToday\":0"));
    assert_true(change_throughput(state, 90, "\"NumberOfDecreasesToday\":1"));
}

// Four at once and one in each hour after: no day has room for more than 27.
static void a_day_has_27_decreases_at_most(void **state)
{
    create_provisioned(state);
    for (int i = 1; i <= 4; i++) {
        assert_true(change_throughput(state, 100 - i, "UPDATING"));
    }
    for (int hour = 1; hour <= 23; hour++) {
        od_clock_set_ms(midnight + (int64_t)hour * HOUR);
        assert_true(change_throughput(state, 96 - hour, "UPDATING"));
    }
    assert_true(
        answers(state, "DescribeTable", "{'TableName':'abc'}", "\"NumberOfDecreasesToday\":27"));
    od_clock_set_ms(midnight + DAY - 1);
    assert_true(change_throughput(
        state, 10,
        "Last decrease at Friday, October 4, 2024 at 11:00:00 PM Coordinated Universal Time. Next "
        "decrease can be made at Saturday, October 5, 2024 at 12:00:00 AM Coordinated Universal "
        "Time\""));
}

// --- Streams ------------------------------------------------------------------------------------

#define STREAM(spec) "{'TableName':'abc','StreamSpecification':{" spec "}}"

static void streams_switched_on_in_one_millisecond_have_different_names(void **state)
{
    const char *on = STREAM("'StreamEnabled':true,'StreamViewType':'KEYS_ONLY'");
    assert_true(answers(state, "CreateTable",
                        CREATE("'BillingMode':'PAY_PER_REQUEST','StreamSpecification':{"
                               "'StreamEnabled':true,'StreamViewType':'NEW_IMAGE'}"),
                        "\"LatestStreamLabel\":\"2024-10-04T00:00:00.000\""));
    assert_true(answers(state, "UpdateTable", STREAM("'StreamEnabled':false"),
                        "\"LatestStreamLabel\":\"2024-10-04T00:00:00.000\""));
    assert_true(
        answers(state, "UpdateTable", on, "\"LatestStreamLabel\":\"2024-10-04T00:00:00.001\""));
    od_clock_set_ms(midnight + HOUR);
    assert_true(answers(state, "UpdateTable", STREAM("'StreamEnabled':false"),
                        "\"LatestStreamLabel\":\"2024-10-04T00:00:00.001\""));
    assert_true(answers(state, "UpdateTable", on, "/stream/2024-10-04T01:00:00.000\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_token_is_bound_for_ten_minutes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_repetition_does_not_bind_a_token_for_longer, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(after_four_decreases_each_needs_an_hour_without_one, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(another_day_begins_from_none, setup, teardown),
        cmocka_unit_test_setup_teardown(a_day_has_27_decreases_at_most, setup, teardown),
        cmocka_unit_test_setup_teardown(streams_switched_on_in_one_millisecond_have_different_names,
                                        setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
