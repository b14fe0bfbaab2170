// A client of a database inside the program.
#include "ordna/in_process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ordna_status call(ordna_session *session, const char *operation, const char *body,
                         ordna_answer *out)
{
    return ordna_session_call(session, operation, body, strlen(body), out);
}

static void calls_reach_the_database(void **state)
{
    (void)state;
    char error[256] = "";
    ordna *db = NULL;
    const ordna_options in_memory = {.store = "memory"};
    assert_int_equal(ordna_open(&in_memory, &db, error, sizeof(error)), 0);
    const ordna_transport transport = ordna_in_process(db);
    const ordna_client_options options = {.transport = &transport};
    ordna_client *client = NULL;
    assert_int_equal(ordna_client_open(&options, &client, error, sizeof(error)), ORDNA_OK);
    ordna_session *session = ordna_session_open(client);

    ordna_answer answer;
    assert_int_equal(call(session, "GetItem",
                          "{\"TableName\":\"pets\",\"Key\":{\"id\":{\"S\":\"a\"}}}", &answer),
                     ORDNA_REFUSED);
    assert_string_equal(ordna_session_error(session)->type, "ResourceNotFoundException");
    assert_int_equal(ordna_session_error(session)->http_status, 400);
    assert_non_null(strstr(ordna_session_error(session)->body, "ResourceNotFoundException"));
    assert_int_equal(
        call(session, "CreateTable",
             "{\"TableName\":\"pets\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":"
             "[{\"AttributeName\":\"id\",\"AttributeType\":\"S\"}],\"KeySchema\":"
             "[{\"AttributeName\":\"id\",\"KeyType\":\"HASH\"}]}",
             &answer),
        ORDNA_OK);
    assert_int_equal(call(session, "PutItem",
                          "{\"TableName\":\"pets\",\"Item\":{\"id\":{\"S\":\"a\"}}}", &answer),
                     ORDNA_OK);
    assert_string_equal(answer.body, "{}");
    assert_int_equal(call(session, "PutItem",
                          "{\"TableName\":\"pets\",\"Item\":{\"id\":{\"S\":\"a\"}},"
                          "\"ConditionExpression\":\"attribute_not_exists(id)\"}",
                          &answer),
                     ORDNA_CONDITION_FAILED);
    assert_int_equal(call(session, "GetItem",
                          "{\"TableName\":\"pets\",\"Key\":{\"id\":{\"S\":\"a\"}}}", &answer),
                     ORDNA_OK);
    assert_string_equal(answer.body, "{\"Item\":{\"id\":{\"S\":\"a\"}}}");

    ordna_session_close(session);
    ordna_client_close(client);
    ordna_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_reach_the_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
