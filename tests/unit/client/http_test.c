// Over real sockets.
#include "peer.h"
#include "support.h"

#include "base/clock.h"
#include "client/http/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define OBJECT        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
#define CRC_OF_OBJECT "2745614147"

struct setting {
    struct peer *peer;
    ordna_client *client;
    ordna_session *session;
};

static void count_nothing(void *arg, int64_t ms)
{
    (void)arg;
    (void)ms;
}

static void start(struct setting *s, int port, ordna_client_options options, const char *scheme)
{
    char endpoint[64];
    snprintf(endpoint, sizeof(endpoint), "%s://127.0.0.1:%d", scheme, port);
    options.endpoint = endpoint;
    options.region = "eu-west-1";
    options.access_key_id = "AKIDEXAMPLE";
    options.secret_access_key = "secret";
    char error[256] = "";
    assert_int_equal(ordna_client_open(&options, &s->client, error, sizeof(error)), ORDNA_OK);
    s->client->wait = count_nothing;
    s->session = ordna_session_open(s->client);
}

static struct setting begin(const struct peer_step *steps, size_t count,
                            ordna_client_options options)
{
    struct setting s = {.peer = peer_start(steps, count, NULL)};
    start(&s, peer_port(s.peer), options, "http");
    return s;
}

static void end(struct setting *s)
{
    ordna_session_close(s->session);
    ordna_client_close(s->client);
    if (s->peer != NULL) {
        peer_stop(s->peer);
    }
}

static ordna_status call(const struct setting *s, const char *operation)
{
    ordna_answer answer;
    return ordna_session_call(s->session, operation, "{\"a\":1}", 7, &answer);
}

// --- Answers ------------------------------------------------------------------------------------

// A get and an update, each against a server that answers so every time.
static const struct row {
    struct peer_step step;
    ordna_status status;
    int gets;            // how often it is asked
    int updates;         // the same
    bool unknown;        // of the update
    const char *message; // a part of it
} rows[] = {
    // No answer.
    {{NULL, PEER_CLOSE, 0, false}, ORDNA_NETWORK, 4, 1, true, "127.0.0.1"},
    {{"HTTP/1.1 200 OK\r\nConte", PEER_CLOSE, 0, false}, ORDNA_BAD_ANSWER, 4, 1, true, ""},
    {{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", PEER_CLOSE, 0, false},
     ORDNA_NETWORK,
     4,
     1,
     true,
     ""},
    {{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", PEER_CLOSE, 0, false},
     ORDNA_NETWORK,
     4,
     1,
     true,
     ""},
    // No answer of DynamoDB's.
    {{"SSH-2.0-OpenSSH\r\n", PEER_CLOSE, 0, false}, ORDNA_BAD_ANSWER, 1, 1, true, ""},
    {{"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}", PEER_CLOSE, 0, false},
     ORDNA_BAD_ANSWER,
     1,
     1,
     true,
     ""},
    {{"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", PEER_KEEP, 0, false},
     ORDNA_BAD_ANSWER,
     1,
     1,
     true,
     "no JSON object"},
    {{"HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", PEER_KEEP,
      0, false},
     ORDNA_BAD_ANSWER,
     1,
     1,
     false,
     "HTTP status 301"},
    {{"HTTP/1.1 200 OK\r\nx-amz-crc32: 1\r\nContent-Length: 2\r\n\r\n{}", PEER_KEEP, 0, false},
     ORDNA_BAD_ANSWER,
     4,
     1,
     true,
     "checksum"},
    // Failures.
    {{"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\n<html>", PEER_KEEP, 0, false},
     ORDNA_SERVER_FAILED,
     4,
     1,
     true,
     "HTTP status 502"},
    {{"HTTP/1.1 400 Bad Request\r\nContent-Length: 37\r\n\r\n"
      "{\"__type\":\"a#ThrottlingException\"}   ",
      PEER_KEEP, 0, false},
     ORDNA_THROTTLED,
     4,
     4,
     false,
     "ThrottlingException"},
    {{"HTTP/1.1 400 Bad Request\r\nx-amzn-RequestId: R7\r\nContent-Length: 44\r\n\r\n"
      "{\"__type\":\"a#ValidationException\",\"message\":",
      PEER_CLOSE, 0, false},
     ORDNA_BAD_ANSWER,
     1,
     1,
     false,
     "HTTP status 400"},
    // Successes, in all ways that HTTP has.
    {{OBJECT, PEER_KEEP, 0, false}, ORDNA_OK, 1, 1, false, ""},
    {{OBJECT, PEER_CLOSE, 0, false}, ORDNA_OK, 1, 1, false, ""},
    {{"HTTP/1.1 100 Continue\r\n\r\n" OBJECT, PEER_KEEP, 0, false}, ORDNA_OK, 1, 1, false, ""},
    {{"HTTP/1.0 200 OK\r\n\r\n{}", PEER_CLOSE, 0, false}, ORDNA_OK, 1, 1, false, ""},
    {{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", PEER_KEEP, 0,
      false},
     ORDNA_OK,
     1,
     1,
     false,
     ""},
    {{"HTTP/1.1 200 OK\r\nX-AMZ-CRC32: " CRC_OF_OBJECT "\r\nContent-Length: 2\r\n\r\n{}", PEER_KEEP,
      0, false},
     ORDNA_OK,
     1,
     1,
     false,
     ""},
};

static void check_row(size_t i, const char *operation, int requests, bool unknown)
{
    const struct row *row = &rows[i];
    struct setting s = begin(&row->step, 1, (ordna_client_options){0});
    check_int(i, call(&s, operation), row->status);
    check_int(i, peer_requests(s.peer), requests);
    const ordna_error *error = ordna_session_error(s.session);
    check_int(i, error->status, row->status);
    check_int(i, error->outcome_unknown, unknown);
    if (strstr(error->message, row->message) == NULL) {
        fail_msg("row %zu: \"%s\"", i, error->message);
    }
    end(&s);
}

static void answers_of_all_kinds_are_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_row(i, "GetItem", rows[i].gets, false);
        check_row(i, "UpdateItem", rows[i].updates, rows[i].unknown);
    }
}

static void errors_keep_the_request_id(void **state)
{
    (void)state;
    const struct peer_step step = {
        "HTTP/1.1 400 Bad Request\r\nx-amzn-RequestId:  R7 \r\nContent-Length: 50\r\n\r\n"
        "{\"__type\":\"a#ValidationException\",\"message\":\"no\"} ",
        PEER_KEEP, 0, false};
    struct setting s = begin(&step, 1, (ordna_client_options){0});
    assert_int_equal(call(&s, "GetItem"), ORDNA_REFUSED);
    const ordna_error *error = ordna_session_error(s.session);
    assert_int_equal(error->http_status, 400);
    assert_string_equal(error->request_id, "R7");
    assert_string_equal(error->type, "ValidationException");
    assert_string_equal(error->message, "no");
    end(&s);
}

static void an_answer_has_a_limit(void **state)
{
    (void)state;
    static char megabyte[1024 * 1024 + 1];
    memset(megabyte, '\n', sizeof(megabyte) - 1);
    static char answer[sizeof(megabyte) + 64];
    snprintf(answer, sizeof(answer), "HTTP/1.1 200 OK\r\n\r\n%s", megabyte);
    const struct peer_step step = {answer, PEER_CLOSE, 70, false};
    struct setting s = begin(&step, 1, (ordna_client_options){0});
    assert_int_equal(call(&s, "GetItem"), ORDNA_BAD_ANSWER);
    assert_non_null(strstr(ordna_session_error(s.session)->message, "larger"));
    assert_int_equal(peer_requests(s.peer), 1);
    end(&s);
}

// Pieces of answers in any order: whatever they are taken for, the client goes on.
static void no_answer_is_too_odd(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 ",
        "400 Bad\r\n",
        "\r\n",
        "\r\n",
        "\n",
        "{}",
        "{",
        "Content-Length: 2\r\n",
        "Content-Length: 18446744073709551615\r\n",
        "x-amz-crc32: 7\r\n",
        "x-amzn-RequestId: \x01\xFF\r\n",
        "Transfer-Encoding: chunked\r\n",
        "FFFFFFFFFFFFFFFF\r\n",
        "2\r\n{}\r\n0\r\n\r\n",
        ":",
        "Content-Encoding: gzip\r\n",
        "Connection: close\r\n",
        "{\"__type\":\"#\",\"message\":\"\\u0000\"}",
    };
    unsigned seed = 20261201;
    for (int round = 0; round < 200; round++) {
        char answer[1024] = "HTTP/1.1 200 OK\r\n";
        size_t len = round % 4 == 0 ? 0 : strlen(answer);
        for (int i = rand_r(&seed) % 10; i >= 0; i--) {
            const char *piece = pieces[(size_t)rand_r(&seed) % OD_COUNT(pieces)];
            len += (size_t)snprintf(answer + len, sizeof(answer) - len, "%s", piece);
        }
        const struct peer_step step = {answer, PEER_CLOSE, 0, false};
        struct setting s = begin(&step, 1, (ordna_client_options){0});
        const ordna_status status = call(&s, "GetItem");
        assert_in_range(status, ORDNA_OK, ORDNA_BAD_ANSWER);
        assert_in_range(peer_requests(s.peer), 1, 8);
        end(&s);
    }
}

static void a_request_is_what_dynamodb_expects(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "POST / HTTP/1.1\r\n",
        "\r\nHost: 127.0.0.1:",
        "\r\nContent-Type: application/x-amz-json-1.0\r\n",
        "\r\nX-Amz-Date: 20150830T123600Z\r\n",
        "\r\nX-Amz-Target: DynamoDB_20120810.PutItem\r\n",
        ("\r\nAuthorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/dynamodb/"
         "aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature="),
        "\r\nContent-Length: 7\r\n",
        "\r\n\r\n{\"a\":1}",
    };
    const struct peer_step step = {OBJECT, PEER_KEEP, 0, false};
    struct setting s = begin(&step, 1, (ordna_client_options){0});
    od_clock_set_ms(INT64_C(1440938160000));
    assert_int_equal(call(&s, "PutItem"), ORDNA_OK);
    od_clock_set_ms(-1);
    const char *request = peer_last_request(s.peer);
    for (size_t i = 0; i < OD_COUNT(parts); i++) {
        if (strstr(request, parts[i]) == NULL) {
            fail_msg("row %zu: not in:\n%s", i, request);
        }
    }
    assert_null(strstr(request, "Expect"));
    assert_null(strstr(request, "Accept"));
    end(&s);
}

// --- Connections --------------------------------------------------------------------------------

static void a_connection_serves_all_sessions(void **state)
{
    (void)state;
    const struct peer_step step = {OBJECT, PEER_KEEP, 0, false};
    struct setting s = begin(&step, 1, (ordna_client_options){0});
    for (int i = 0; i < 5; i++) {
        assert_int_equal(call(&s, i % 2 == 0 ? "GetItem" : "UpdateItem"), ORDNA_OK);
        ordna_session_close(s.session);
        s.session = ordna_session_open(s.client);
    }
    assert_int_equal(peer_requests(s.peer), 5);
    assert_int_equal(peer_connections(s.peer), 1);
    end(&s);
}

// A server closes what rests too long, or is started anew.
static void a_connection_that_was_closed_is_not_used(void **state)
{
    (void)state;
    const struct peer_step step = {OBJECT, PEER_CLOSE, 0, false};
    struct setting s = begin(&step, 1, (ordna_client_options){0});
    for (int i = 1; i <= 4; i++) {
        assert_int_equal(call(&s, "UpdateItem"), ORDNA_OK);
        peer_await_close(s.peer, i);
    }
    assert_int_equal(peer_requests(s.peer), 4);
    end(&s);
}

// What curl does by itself when a connection that has rested breaks: send again.
static void a_write_is_not_sent_twice_behind_our_back(void **state)
{
    (void)state;
    const struct peer_step steps[] = {
        {OBJECT, PEER_KEEP, 0, false}, {NULL, PEER_CLOSE, 0, false}, {OBJECT, PEER_KEEP, 0, false}};
    struct setting s = begin(steps, OD_COUNT(steps), (ordna_client_options){0});
    assert_int_equal(call(&s, "UpdateItem"), ORDNA_OK);
    assert_int_equal(call(&s, "UpdateItem"), ORDNA_NETWORK);
    assert_true(ordna_session_error(s.session)->outcome_unknown);
    assert_non_null(strstr(ordna_session_error(s.session)->message, "the connection was closed"));
    assert_int_equal(peer_requests(s.peer), 2);
    end(&s);

    s = begin(steps, OD_COUNT(steps), (ordna_client_options){0});
    assert_int_equal(call(&s, "GetItem"), ORDNA_OK);
    assert_int_equal(call(&s, "GetItem"), ORDNA_OK);
    assert_int_equal(peer_requests(s.peer), 3);
    end(&s);
}

static void a_server_that_is_gone_is_no_unknown_outcome(void **state)
{
    (void)state;
    struct setting s = {0};
    start(&s, peer_free_port(), (ordna_client_options){0}, "http");
    assert_int_equal(call(&s, "UpdateItem"), ORDNA_NETWORK);
    assert_false(ordna_session_error(s.session)->outcome_unknown);
    assert_int_equal(ordna_session_error(s.session)->http_status, 0);
    end(&s);
}

// Without a signal: SIGPIPE would end this program.
static void a_server_may_go_while_a_request_is_sent(void **state)
{
    (void)state;
    enum { LARGE = 8 * 1024 * 1024 };
    char *body = malloc(LARGE);
    memset(body, ' ', LARGE);
    const struct peer_step step = {NULL, PEER_CLOSE, 0, true};
    static const char pem[] = "http_test_pipe.pem";
    peer_make_certificate("IP:127.0.0.1", pem);
    for (int tls = 0; tls < 2; tls++) {
        struct setting s = {.peer = peer_start(&step, 1, tls ? pem : NULL)};
        const ordna_client_options options = {.ca_file = pem};
        start(&s, peer_port(s.peer), options, tls ? "https" : "http");
        ordna_answer answer;
        assert_int_equal(ordna_session_call(s.session, "UpdateItem", body, LARGE, &answer),
                         ORDNA_NETWORK);
        assert_true(ordna_session_error(s.session)->outcome_unknown);
        assert_int_equal(peer_requests(s.peer), 1);
        end(&s);
    }
    unlink(pem);
    free(body);
}

// --- Time ---------------------------------------------------------------------------------------

static const struct peer_step hang = {NULL, PEER_HANG, 0, false};
static const struct peer_step hang_halfway = {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
                                              PEER_HANG, 0, false};

static void an_attempt_has_its_time(void **state)
{
    (void)state;
    const ordna_client_options options = {.timeout_ms = 20};
    struct setting s = begin(&hang, 1, options);
    assert_int_equal(call(&s, "GetItem"), ORDNA_TIMED_OUT);
    assert_int_equal(peer_requests(s.peer), 4);
    assert_false(ordna_session_error(s.session)->outcome_unknown);
    end(&s);
    s = begin(&hang_halfway, 1, options);
    assert_int_equal(call(&s, "UpdateItem"), ORDNA_TIMED_OUT);
    assert_int_equal(peer_requests(s.peer), 1);
    assert_true(ordna_session_error(s.session)->outcome_unknown);
    end(&s);
}

static void a_deadline_ends_all_attempts(void **state)
{
    (void)state;
    struct setting s = begin(&hang, 1, (ordna_client_options){0});
    ordna_session_set_deadline(s.session, 30);
    assert_int_equal(call(&s, "GetItem"), ORDNA_TIMED_OUT);
    assert_int_equal(peer_requests(s.peer), 1);
    assert_int_equal(call(&s, "GetItem"), ORDNA_TIMED_OUT);
    assert_int_equal(peer_requests(s.peer), 1);
    end(&s);
}

// Nothing but the session ends a call: what is not heard at once is for ever.
static const ordna_client_options patient = {.timeout_ms = INT32_MAX,
                                             .connect_timeout_ms = INT32_MAX};

static void *set_deadline_in_the_second(void *arg)
{
    struct setting *s = arg;
    peer_await_request(s->peer, 2);
    ordna_session_set_deadline(s->session, 5);
    return NULL;
}

// A stream is opened under one deadline, and read under others.
static void a_deadline_is_for_the_children_that_are_there_too(void **state)
{
    (void)state;
    const struct peer_step steps[] = {{OBJECT, PEER_KEEP, 0, false}, hang};
    struct setting s = begin(steps, OD_COUNT(steps), patient);
    ordna_answer answer;
    ordna_session_set_deadline(s.session, -1);
    ordna_session *child = od_session_open_child(s.session);
    assert_int_equal(ordna_session_call(child, "GetItem", "{}", 2, &answer), ORDNA_TIMED_OUT);
    assert_int_equal(peer_requests(s.peer), 0);
    ordna_session_set_deadline(s.session, 0);
    assert_int_equal(ordna_session_call(child, "GetItem", "{}", 2, &answer), ORDNA_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, set_deadline_in_the_second, &s), 0);
    assert_int_equal(ordna_session_call(child, "UpdateItem", "{}", 2, &answer), ORDNA_TIMED_OUT);
    assert_true(ordna_session_error(child)->outcome_unknown);
    pthread_join(thread, NULL);
    ordna_session_close(child);
    end(&s);
}

static void *cancel_the_second(void *arg)
{
    struct setting *s = arg;
    peer_await_request(s->peer, 2);
    ordna_session_cancel(s->session);
    return NULL;
}

static void a_cancellation_ends_a_call_at_once(void **state)
{
    (void)state;
    static const struct peer_step *const ways[] = {&hang, &hang_halfway};
    for (size_t i = 0; i < 20; i++) {
        // On a connection that is there already: curl wakes up by itself while it makes one.
        const struct peer_step steps[] = {{OBJECT, PEER_KEEP, 0, false}, *ways[i % 2]};
        struct setting s = begin(steps, OD_COUNT(steps), patient);
        ordna_session *child = od_session_open_child(s.session);
        ordna_answer answer;
        check_int(i, ordna_session_call(child, "UpdateItem", "{}", 2, &answer), ORDNA_OK);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, cancel_the_second, &s), 0);
        check_int(i, ordna_session_call(child, "UpdateItem", "{}", 2, &answer), ORDNA_CANCELED);
        check_int(i, ordna_session_error(child)->outcome_unknown, true);
        pthread_join(thread, NULL);
        ordna_session_close(child);
        end(&s);
    }
}

static void *cancel_now(void *arg)
{
    ordna_session_cancel(arg);
    return NULL;
}

// Before the call, while it connects, while it waits.
static void a_cancellation_may_come_at_any_moment(void **state)
{
    (void)state;
    struct setting s = begin(&hang, 1, patient);
    for (size_t i = 0; i < 50; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, cancel_now, s.session), 0);
        check_int(i, call(&s, "GetItem"), ORDNA_CANCELED);
        pthread_join(thread, NULL);
        ordna_session_reset(s.session);
    }
    end(&s);
}

// --- TLS ----------------------------------------------------------------------------------------

static void only_who_has_a_trusted_certificate_is_talked_to(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool trusted;
        ordna_status status;
    } cases[] = {
        {"IP:127.0.0.1", false, ORDNA_NETWORK},
        {"DNS:other.example", true, ORDNA_NETWORK},
        {"IP:127.0.0.1", true, ORDNA_OK},
    };
    static const char pem[] = "http_test.pem";
    const struct peer_step step = {OBJECT, PEER_KEEP, 0, false};
    for (size_t i = 0; i < OD_COUNT(cases); i++) {
        peer_make_certificate(cases[i].name, pem);
        struct setting s = {.peer = peer_start(&step, 1, pem)};
        const ordna_client_options options = {.ca_file = cases[i].trusted ? pem : NULL};
        start(&s, peer_port(s.peer), options, "https");
        check_int(i, call(&s, "UpdateItem"), cases[i].status);
        check_int(i, ordna_session_error(s.session)->outcome_unknown, false);
        check_int(i, peer_requests(s.peer), cases[i].status == ORDNA_OK);
        // Once trusted, it serves on.
        check_int(i, call(&s, "UpdateItem"), cases[i].status);
        check_int(i, peer_connections(s.peer), cases[i].status == ORDNA_OK ? 1 : 2);
        end(&s);
    }
    unlink(pem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_of_all_kinds_are_told_apart),
        cmocka_unit_test(errors_keep_the_request_id),
        cmocka_unit_test(an_answer_has_a_limit),
        cmocka_unit_test(no_answer_is_too_odd),
        cmocka_unit_test(a_request_is_what_dynamodb_expects),
        cmocka_unit_test(a_connection_serves_all_sessions),
        cmocka_unit_test(a_connection_that_was_closed_is_not_used),
        cmocka_unit_test(a_write_is_not_sent_twice_behind_our_back),
        cmocka_unit_test(a_server_that_is_gone_is_no_unknown_outcome),
        cmocka_unit_test(a_server_may_go_while_a_request_is_sent),
        cmocka_unit_test(an_attempt_has_its_time),
        cmocka_unit_test(a_deadline_ends_all_attempts),
        cmocka_unit_test(a_deadline_is_for_the_children_that_are_there_too),
        cmocka_unit_test(a_cancellation_ends_a_call_at_once),
        cmocka_unit_test(a_cancellation_may_come_at_any_moment),
        cmocka_unit_test(only_who_has_a_trusted_certificate_is_talked_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
