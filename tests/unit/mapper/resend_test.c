// What comes back undone is sent again, with waits; tables are waited for; tokens stay.
#include "shop.h"
#include "support.h"

#include "base/attr.h"

#include <stdlib.h>
#include <string.h>

static struct script script;

static int set_up(void **state)
{
    struct fixture *fixture = malloc(sizeof(*fixture));
    assert_non_null(fixture);
    script = (struct script){0};
    open_script(fixture, &script);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    close_script(*state);
    free(*state);
    return 0;
}

static void answer_with(const char *const *answers, size_t count)
{
    script = (struct script){.answer_count = count};
    for (size_t i = 0; i < count; i++) {
        script.answers[i] = answers[i];
    }
}

static ordna_batch *batch_of(struct fixture *fixture, int32_t count)
{
    ordna_batch *batch = ordna_batch_open(fixture->session);
    for (int32_t i = 0; i < count; i++) {
        const chunk c = {.file = "f", .index = i, .data = {"x", 1}};
        check_status((size_t)i, fixture->session, ordna_batch_put(batch, &chunk_entity, &c),
                     ORDNA_OK);
    }
    return batch;
}

#define LEFT_ONE \
    "{\"UnprocessedItems\":{\"shop\":[{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"]}\\\"\"}}}}]}}"
#define LEFT_TWO \
    "{\"UnprocessedItems\":{\"shop\":[{\"PutRequest\":{\"Item\":{}}},{\"DeleteRequest\":{}}]}}"

static void what_is_unprocessed_is_sent_again(void **state)
{
    static const char *const answers[] = {LEFT_TWO, LEFT_ONE, "{\"UnprocessedItems\":{}}"};
    struct fixture *fixture = *state;
    answer_with(answers, OD_COUNT(answers));
    ordna_batch *batch = batch_of(fixture, 3);
    check_status(0, fixture->session, ordna_batch_send(batch), ORDNA_OK);
    assert_int_equal(script.calls, 3);
    assert_int_equal(script.waits, 2);
    assert_string_equal(script.body, "{\"RequestItems\":{\"shop\":[{\"PutRequest\":{\"Item\":"
                                     "{\"pk\":{\"S\":\"]}\\\"\"}}}}]}}");
    ordna_batch_close(batch);
}

static void a_batch_that_gets_nowhere_is_throttled_and_kept(void **state)
{
    static const char *const answers[] = {LEFT_TWO};
    static const char *const done[] = {"{}"};
    struct fixture *fixture = *state;
    answer_with(answers, OD_COUNT(answers));
    ordna_batch *batch = batch_of(fixture, 30);
    check_status(0, fixture->session, ordna_batch_send(batch), ORDNA_THROTTLED);
    check_message(0, fixture->session, "unprocessed");
    assert_true(script.calls >= 4 && script.calls <= 6);
    // All of it goes again, in two requests.
    answer_with(done, OD_COUNT(done));
    check_status(1, fixture->session, ordna_batch_send(batch), ORDNA_OK);
    assert_int_equal(script.calls, 2);
    ordna_batch_close(batch);
}

#define LEFT_A_KEY                                                                             \
    "{\"Responses\":{\"readings\":[{\"Type\":{\"S\":\"READING\"},\"Sensor\":{\"B\":\"YQ==\"}," \
    "\"At\":{\"N\":\"1.0\"},\"Value\":{\"N\":\"5\"}}]},\"UnprocessedKeys\":{\"readings\":"     \
    "{\"Keys\":[{\"Sensor\":{\"B\":\"YQ==\"},\"At\":{\"N\":\"2\"}}]}}}"

#define LACKS_ITS_VALUE                                                                        \
    "{\"Responses\":{\"readings\":[{\"Type\":{\"S\":\"READING\"},\"Sensor\":{\"B\":\"YQ==\"}," \
    "\"At\":{\"N\":\"2\"}}]},\"UnprocessedKeys\":{}}"

static void keys_that_are_left_are_asked_for_again(void **state)
{
    static const char *const answers[] = {
        // An answer that was full: no wait. Then one that was throttled.
        LEFT_A_KEY,
        "{\"Responses\":{},\"UnprocessedKeys\":{\"readings\":{\"Keys\":[]}}}",
        LACKS_ITS_VALUE,
    };
    struct fixture *fixture = *state;
    answer_with(answers, OD_COUNT(answers));
    const reading keys[] = {{.sensor = {"a", 1}, .at = 2}, {.sensor = {"a", 1}, .at = 1}};
    reading out[2];
    bool found[2];
    // The second item lacks its value: it is told, and the first is there.
    check_status(0, fixture->session,
                 ordna_get_many(fixture->session, &reading_entity, keys, 2, NULL, out, found),
                 ORDNA_BAD_ITEM);
    check_message(0, fixture->session, "Value is missing");
    assert_true(!found[0] && found[1]);
    assert_true(out[1].value == 5);
    assert_int_equal(script.calls, 3);
    assert_int_equal(script.waits, 1);
}

static void a_transaction_keeps_its_token(void **state)
{
    static const char *const answers[] = {
        "{\"__type\":\"com.amazonaws.dynamodb.v20120810#TransactionCanceledException\","
        "\"Message\":\"m\",\"CancellationReasons\":[{\"Code\":\"ConditionalCheckFailed\","
        "\"Message\":\"a \\\"b\\\"\",\"Item\":{\"pk\":{\"S\":\"x\"}}}]}",
        "{}"};
    struct fixture *fixture = *state;
    answer_with(answers, OD_COUNT(answers));
    ordna_transaction *t = ordna_transaction_open(fixture->session);
    const chunk c = {.file = "f"};
    check_status(0, fixture->session, ordna_transaction_delete(t, &chunk_entity, &c, NULL),
                 ORDNA_OK);
    check_status(1, fixture->session, ordna_transaction_commit(t), ORDNA_TRANSACTION_CANCELED);
    assert_string_equal(ordna_transaction_reason(t, 0)->message, "a \"b\"");
    assert_string_equal(ordna_transaction_reason(t, 0)->item, "{\"pk\":{\"S\":\"x\"}}");
    char first[sizeof(script.body)];
    memcpy(first, script.body, sizeof(first));
    assert_non_null(strstr(first, "ClientRequestToken"));
    check_status(2, fixture->session, ordna_transaction_commit(t), ORDNA_OK);
    assert_string_equal(script.body, first);
    ordna_transaction_close(t);
}

static void reasons_are_those_of_the_last_commit(void **state)
{
    static const char *const answers[] = {
        "{\"__type\":\"x#TransactionCanceledException\",\"Message\":\"m\","
        "\"CancellationReasons\":[{\"Code\":\"ConditionalCheckFailed\"}]}",
        "{\"__type\":\"x#ValidationException\",\"message\":\"m\"}"};
    struct fixture *fixture = *state;
    answer_with(answers, OD_COUNT(answers));
    ordna_transaction *t = ordna_transaction_open(fixture->session);
    const chunk c = {.file = "f"};
    check_status(0, fixture->session, ordna_transaction_delete(t, &chunk_entity, &c, NULL),
                 ORDNA_OK);
    check_status(1, fixture->session, ordna_transaction_commit(t), ORDNA_TRANSACTION_CANCELED);
    assert_non_null(ordna_transaction_reason(t, 0));
    check_status(2, fixture->session, ordna_transaction_commit(t), ORDNA_REFUSED);
    assert_null(ordna_transaction_reason(t, 0));
    ordna_transaction_close(t);
}

#define KEYS                                                                                 \
    "\"AttributeDefinitions\":[{\"AttributeName\":\"Sensor\",\"AttributeType\":\"B\"},"      \
    "{\"AttributeName\":\"At\",\"AttributeType\":\"N\"}],\"KeySchema\":[{\"AttributeName\":" \
    "\"Sensor\",\"KeyType\":\"HASH\"},{\"AttributeName\":\"At\",\"KeyType\":\"RANGE\"}]"

static void a_table_is_waited_for(void **state)
{
    static const char *const answers[] = {
        "{\"__type\":\"x#ResourceInUseException\",\"message\":\"m\"}",
        "{\"Table\":{\"TableStatus\":\"DELETING\"," KEYS "}}",
        "{\"__type\":\"x#ResourceNotFoundException\",\"message\":\"m\"}",
        "{}", // it has gone, and is made
        "{\"Table\":{\"TableStatus\":\"CREATING\"," KEYS "}}",
        "{\"Table\":{\"TableStatus\":\"ACTIVE\"," KEYS "}}",
    };
    struct fixture *fixture = *state;
    answer_with(answers, OD_COUNT(answers));
    check_status(0, fixture->session, ordna_create_table(fixture->session, &readings), ORDNA_OK);
    assert_int_equal(script.calls, 6);
    assert_int_equal(script.waits, 3);
    static const char *const never[] = {"{}", "{\"Table\":{\"TableStatus\":\"CREATING\"}}"};
    answer_with(never, OD_COUNT(never));
    check_status(1, fixture->session, ordna_create_table(fixture->session, &readings),
                 ORDNA_TIMED_OUT);
    static const char *const nonsense[] = {"{}", "[]"};
    answer_with(nonsense, OD_COUNT(nonsense));
    check_status(2, fixture->session, ordna_create_table(fixture->session, &readings),
                 ORDNA_BAD_ANSWER);
    static const char *const archived[] = {"{}", "{\"Table\":{\"TableStatus\":\"ARCHIVED\"}}"};
    answer_with(archived, OD_COUNT(archived));
    check_status(3, fixture->session, ordna_create_table(fixture->session, &readings),
                 ORDNA_REFUSED);
    check_message(3, fixture->session, "ARCHIVED");
    assert_int_equal(script.calls, 2);
}

#define UPDATING_WITH(status)                                                               \
    "{\"Table\":{\"TableStatus\":\"UPDATING\",\"GlobalSecondaryIndexes\":[{\"IndexName\":"  \
    "\"by_at\",\"IndexStatus\":\"" status "\",\"Projection\":{\"ProjectionType\":\"ALL\"}," \
    "\"KeySchema\":[{\"AttributeName\":\"At\",\"KeyType\":\"HASH\"}]}]," KEYS "}}"

// It serves all requests meanwhile; an index that is being filled does not.
static void a_table_that_is_being_changed_is_there(void **state)
{
    static const char *const answers[] = {
        "{\"__type\":\"x#ResourceInUseException\",\"message\":\"m\"}",
        UPDATING_WITH("CREATING"),
        UPDATING_WITH("ACTIVE"),
    };
    const ordna_table_key keys[] = {
        readings.keys[0], {.index = "by_at", .partition = "At", .partition_type = ORDNA_DECIMAL}};
    ordna_table table = readings;
    table.keys = keys;
    table.key_count = OD_COUNT(keys);
    struct fixture *fixture = *state;
    answer_with(answers, OD_COUNT(answers));
    check_status(0, fixture->session, ordna_create_table(fixture->session, &table), ORDNA_OK);
    assert_int_equal(script.calls, 3);
    assert_int_equal(script.waits, 1);
}

// A table with one entity, which expires.
static void expiry_is_switched_on_once(void **state)
{
    static const char active[] =
        "{\"Table\":{\"TableStatus\":\"ACTIVE\",\"AttributeDefinitions\":[{\"AttributeName\":"
        "\"pk\",\"AttributeType\":\"S\"}],\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":"
        "\"HASH\"}]}}";
    static const struct {
        const char *described;
        ordna_status status;
        const char *last;
    } rows[] = {
        {"{\"TimeToLiveDescription\":{\"TimeToLiveStatus\":\"DISABLED\"}}", ORDNA_OK,
         "UpdateTimeToLive"},
        {"{\"TimeToLiveDescription\":{\"TimeToLiveStatus\":\"ENABLING\",\"AttributeName\":"
         "\"Expires\"}}",
         ORDNA_OK, "DescribeTimeToLive"},
        {"{\"TimeToLiveDescription\":{\"TimeToLiveStatus\":\"ENABLED\",\"AttributeName\":"
         "\"Other\"}}",
         ORDNA_BAD_ARGUMENT, "DescribeTimeToLive"},
    };
    static const ordna_entity *const entities[] = {&account_entity};
    static const ordna_table_key keys[] = {{.partition = "pk", .partition_type = ORDNA_STRING}};
    const ordna_table table = {.name = "t",
                               .discriminator = "Type",
                               .keys = keys,
                               .key_count = 1,
                               .entities = entities,
                               .entity_count = 1};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const char *const answers[] = {"{}", active, rows[i].described, "{}"};
        answer_with(answers, OD_COUNT(answers));
        check_status(i, fixture->session, ordna_create_table(fixture->session, &table),
                     rows[i].status);
        assert_string_equal(script.operation, rows[i].last);
    }
    // Two programs at once: the slower one is refused, looks again, and goes on.
    const char *const raced[] = {"{}", active, rows[0].described,
                                 "{\"__type\":\"x#ValidationException\",\"message\":\"m\"}",
                                 rows[1].described};
    answer_with(raced, OD_COUNT(raced));
    check_status(0, fixture->session, ordna_create_table(fixture->session, &table), ORDNA_OK);
    const char *const refused[] = {"{}", active, rows[0].described,
                                   "{\"__type\":\"x#ValidationException\",\"message\":\"m\"}",
                                   rows[0].described};
    answer_with(refused, OD_COUNT(refused));
    check_status(1, fixture->session, ordna_create_table(fixture->session, &table), ORDNA_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_unprocessed_is_sent_again),
        cmocka_unit_test(a_batch_that_gets_nowhere_is_throttled_and_kept),
        cmocka_unit_test(keys_that_are_left_are_asked_for_again),
        cmocka_unit_test(a_transaction_keeps_its_token),
        cmocka_unit_test(reasons_are_those_of_the_last_commit),
        cmocka_unit_test(a_table_is_waited_for),
        cmocka_unit_test(a_table_that_is_being_changed_is_there),
        cmocka_unit_test(expiry_is_switched_on_once),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
