// Several threads share a client of a real server. Usage: client_threads_test ENDPOINT
#include "ordna/client.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 8, ADDS = 100, PUTS = 50 };

static const char *endpoint;

static ordna_status call(ordna_session *session, const char *operation, const char *body,
                         ordna_answer *out)
{
    return ordna_session_call(session, operation, body, strlen(body), out);
}

struct worker {
    ordna_client *client;
    int number;
    int failures;
    pthread_t thread;
};

// Adds to the one counter, which is the sum of all threads in the end.
static void add(struct worker *worker, ordna_session *session)
{
    ordna_answer answer;
    worker->failures += call(session, "UpdateItem",
                             "{\"TableName\":\"threads\",\"Key\":{\"id\":{\"S\":\"sum\"}},"
                             "\"UpdateExpression\":\"ADD n :one\","
                             "\"ExpressionAttributeValues\":{\":one\":{\"N\":\"1\"}}}",
                             &answer) != ORDNA_OK;
}

// Reads back what it wrote, and what was never there, through a session that is new each time.
static void put_and_get(struct worker *worker, int i)
{
    ordna_session *session = ordna_session_open(worker->client);
    ordna_answer answer;
    char body[256];
    char expected[256];
    snprintf(body, sizeof(body),
             "{\"TableName\":\"threads\",\"Item\":{\"id\":{\"S\":\"%d-%d\"},\"v\":{\"N\":\"%d\"}}}",
             worker->number, i, i);
    worker->failures += call(session, "PutItem", body, &answer) != ORDNA_OK;
    snprintf(body, sizeof(body),
             "{\"TableName\":\"threads\",\"Key\":{\"id\":{\"S\":\"%d-%d\"}},"
             "\"ConsistentRead\":true,\"ProjectionExpression\":\"v\"}",
             worker->number, i);
    snprintf(expected, sizeof(expected), "{\"Item\":{\"v\":{\"N\":\"%d\"}}}", i);
    worker->failures +=
        call(session, "GetItem", body, &answer) != ORDNA_OK || strcmp(answer.body, expected) != 0;
    worker->failures +=
        call(session, "GetItem", "{\"TableName\":\"none\",\"Key\":{}}", &answer) != ORDNA_REFUSED ||
        ordna_session_error(session)->request_id[0] == '\0';
    ordna_session_close(session);
}

static void *work(void *arg)
{
    struct worker *worker = arg;
    ordna_session *session = ordna_session_open(worker->client);
    for (int i = 0; i < ADDS; i++) {
        add(worker, session);
        ordna_session_reset(session);
    }
    ordna_session_close(session);
    for (int i = 0; i < PUTS; i++) {
        put_and_get(worker, i);
    }
    return NULL;
}

static void threads_share_a_client(void **state)
{
    (void)state;
    const ordna_client_options options = {.endpoint = endpoint};
    ordna_client *client = NULL;
    char error[256] = "";
    assert_int_equal(ordna_client_open(&options, &client, error, sizeof(error)), ORDNA_OK);
    ordna_session *session = ordna_session_open(client);
    ordna_answer answer;
    assert_int_equal(
        call(session, "CreateTable",
             "{\"TableName\":\"threads\",\"BillingMode\":\"PAY_PER_REQUEST\","
             "\"AttributeDefinitions\":[{\"AttributeName\":\"id\",\"AttributeType\":\"S\"}],"
             "\"KeySchema\":[{\"AttributeName\":\"id\",\"KeyType\":\"HASH\"}]}",
             &answer),
        ORDNA_OK);

    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.client = client, .number = i};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].failures, 0);
    }
    assert_int_equal(call(session, "GetItem",
                          "{\"TableName\":\"threads\",\"Key\":{\"id\":{\"S\":\"sum\"}},"
                          "\"ConsistentRead\":true,\"ProjectionExpression\":\"n\"}",
                          &answer),
                     ORDNA_OK);
    char expected[64];
    snprintf(expected, sizeof(expected), "{\"Item\":{\"n\":{\"N\":\"%d\"}}}", THREADS * ADDS);
    assert_string_equal(answer.body, expected);
    ordna_session_close(session);
    ordna_client_close(client);
}

int main(int count, char **words)
{
    if (count != 2) {
        fputs("usage: client_threads_test ENDPOINT\n", stderr);
        return 2;
    }
    endpoint = words[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_a_client),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
