// What a client may not do: too much, too slowly, too often.
#include "http_support.h"

#include "base/buf.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>

static struct fixture fixture;

static int tear_down(void **state)
{
    (void)state;
    fixture_stop(&fixture);
    return 0;
}

static void headers_over_the_limit_get_400_and_a_close(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.header_bytes = 1000;
    fixture_start(&fixture, &limits, 1);
    od_arena *arena = od_arena_create();
    struct od_buf text = {.arena = arena};
    od_buf_put(&text, OD_STR("GET /echo HTTP/1.1\r\nHost: a\r\nX: "));
    while (text.len < 100000) {
        od_buf_put_byte(&text, 'x');
    }
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, od_buf_str(&text)));
    assert_true(peer_receive(&peer, &answer));
    assert_int_equal(answer.status, 400);
    assert_true(peer_is_closed(&peer));
    peer_close(&peer);
    od_arena_destroy(arena);
}

// The answer comes before the body has been sent, and is not lost when the client sends on.
static void a_length_over_the_limit_gets_413_at_once(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.body_bytes = 1000000;
    fixture_start(&fixture, &limits, 1);
    static char part[1000];
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(
        peer_send(&peer, OD_STR("POST /echo HTTP/1.1\r\nHost: a\r\n"
                                "Expect: 100-continue\r\nContent-Length: 1000001\r\n\r\n")));
    for (size_t i = 0; i < 100; i++) {
        assert_true(peer_send(&peer, (od_str){part, sizeof(part)}));
    }
    assert_true(peer_receive(&peer, &answer));
    assert_int_equal(answer.status, 413);
    check_text(0, answer_header(&answer, OD_STR("Connection")), OD_STR("close"));
    assert_true(peer_is_closed(&peer));
    peer_close(&peer);
    assert_int_equal(atomic_load(&fixture.handled), 0);
}

// The connection goes on, and no memory is taken for the body.
static void the_body_of_a_request_that_is_not_admitted_is_dropped(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.all_body_bytes = 1;
    fixture_start(&fixture, &limits, 1);
    static const od_str heads[] = {
        OD_STR_INIT("Content-Length: 1000000\r\n\r\n"),
        OD_STR_INIT("Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n"),
        OD_STR_INIT("Transfer-Encoding: chunked\r\n\r\nf4240\r\n"),
    };
    static const char *const ends[] = {"", "", "\r\n0\r\n\r\n"};
    static char part[1000];
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    for (size_t i = 0; i < OD_COUNT(heads); i++) {
        peer_send(&peer, OD_STR("POST /full HTTP/1.1\r\nHost: a\r\n"));
        peer_send(&peer, heads[i]);
        if (od_str_contains(heads[i], OD_STR("100-continue"))) {
            check_row(i, peer_receive_head(&peer, &answer) && answer.status == 100);
        }
        for (size_t sent = 0; sent < 1000000; sent += sizeof(part)) {
            check_row(i, peer_send(&peer, (od_str){part, sizeof(part)}));
        }
        peer_send(&peer, od_cstr(ends[i]));
        check_row(i, peer_receive(&peer, &answer) && answer.status == 400);
        check_text(i, answer.body, OD_STR("refused"));
        peer_echo(&peer, "/echo", OD_STR("admitted"));
    }
    peer_close(&peer);
}

static void too_much_of_a_body_that_is_dropped_gets_413(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.body_bytes = 9;
    fixture_start(&fixture, &limits, 1);
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, OD_STR("POST /full HTTP/1.1\r\nHost: a\r\n"
                                        "Transfer-Encoding: chunked\r\n\r\n"
                                        "5\r\n12345\r\n5\r\n12345\r\n0\r\n\r\n")));
    assert_true(peer_receive(&peer, &answer));
    assert_int_equal(answer.status, 413);
    peer_close(&peer);
}

static void chunks_over_the_limit_get_413_when_they_pass_it(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.body_bytes = 100000;
    fixture_start(&fixture, &limits, 1);
    static const od_str chunk = OD_STR_INIT("a\r\n0123456789\r\n");
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(
        &peer, OD_STR("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")));
    for (size_t i = 0; i < 10001; i++) {
        assert_true(peer_send(&peer, chunk));
    }
    assert_true(peer_receive(&peer, &answer));
    assert_int_equal(answer.status, 413);
    assert_true(peer_is_closed(&peer));
    peer_close(&peer);
    assert_int_equal(atomic_load(&fixture.server->all_bodies), 0);
}

// After its last answer a peer may not go on sending for ever.
static void what_a_refused_peer_still_sends_is_bounded(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.body_bytes = 1000;
    fixture_start(&fixture, &limits, 1);
    static char part[64 * 1024];
    struct peer peer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(
        &peer, OD_STR("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000000\r\n\r\n")));
    while (peer_send(&peer, (od_str){part, sizeof(part)})) {
    }
    peer_close(&peer);
    wait_for_connections(&fixture, 0);
}

static void many_large_bodies_at_once_get_503_and_are_asked_to_come_again(void **state)
{
    (void)state;
    enum { SIZE = 1000000 };
    struct od_http_limits limits = usual_limits();
    limits.all_body_bytes = SIZE + SIZE / 2;
    fixture_start(&fixture, &limits, 1);
    static char body[SIZE];
    struct peer first;
    struct peer second;
    struct answer answer;
    peer_connect(&first, &fixture);
    assert_true(peer_send(
        &first, OD_STR("POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")));
    assert_true(peer_send(&first, (od_str){body, SIZE}));
    struct od_http_request *held = take_held(&fixture);
    peer_connect(&second, &fixture);
    assert_true(peer_send(
        &second, OD_STR("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")));
    assert_true(peer_send(&second, (od_str){body, SIZE}));
    assert_true(peer_receive(&second, &answer));
    assert_int_equal(answer.status, 503);
    assert_non_null(answer_header(&answer, OD_STR("Retry-After")).ptr);
    assert_true(peer_is_closed(&second));
    peer_close(&second);
    answer_held(held);
    assert_true(peer_receive(&first, &answer));
    assert_int_equal(answer.body.len, SIZE);
    peer_echo(&first, "/echo", (od_str){body, SIZE});
    peer_close(&first);
}

static void slow_requests_get_408_and_a_close(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "G",
        "GET /echo HTTP/1.1\r\nHost: a\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
        // After a request that was in time.
        "GET /echo HTTP/1.1\r\nHost: a\r\n\r\nGET",
    };
    struct od_http_limits limits = usual_limits();
    limits.header_timeout_ms = 5;
    limits.body_timeout_ms = 5;
    fixture_start(&fixture, &limits, 1);
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct peer peer;
        struct answer answer;
        peer_connect(&peer, &fixture);
        check_row(i, peer_send(&peer, od_cstr(rows[i])));
        check_row(i, peer_receive(&peer, &answer));
        if (answer.status == 200) {
            check_row(i, peer_receive(&peer, &answer));
        }
        check_row(i, answer.status == 408);
        check_text(i, answer_header(&answer, OD_STR("Connection")), OD_STR("close"));
        check_row(i, peer_is_closed(&peer));
        peer_close(&peer);
    }
}

// A byte now and then does not buy more time.
static void a_trickle_of_bytes_does_not_move_the_deadline(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.header_timeout_ms = 20;
    limits.body_bytes = 10; // which is also how much more it listens to after its answer
    fixture_start(&fixture, &limits, 1);
    struct peer peer;
    struct peer other;
    struct answer answer;
    peer_connect(&peer, &fixture);
    peer_connect(&other, &fixture);
    assert_true(peer_send(&peer, OD_STR("GET /echo HTTP/1.1\r\nHost: a\r\nX: ")));
    // Each turn gives the loop one more byte; it ends when the deadline has come.
    while (peer_send(&peer, OD_STR("x"))) {
        peer_echo(&other, "/echo", OD_STR("turn"));
    }
    assert_true(peer_receive(&peer, &answer) ? answer.status == 408 : true);
    peer_close(&peer);
    peer_close(&other);
}

static void idle_connections_are_closed_without_a_word(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.idle_timeout_ms = 5;
    fixture_start(&fixture, &limits, 1);
    struct peer fresh;
    struct peer used;
    peer_connect(&fresh, &fixture);
    assert_true(peer_is_closed(&fresh));
    peer_close(&fresh);
    peer_connect(&used, &fixture);
    peer_echo(&used, "/echo", OD_STR("x"));
    assert_true(peer_is_closed(&used));
    peer_close(&used);
    // Line breaks are no requests.
    peer_connect(&used, &fixture);
    assert_true(peer_send(&used, OD_STR("\r\n\r\n")));
    assert_true(peer_is_closed(&used));
    peer_close(&used);
}

static void time_in_the_handler_is_not_the_clients(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.header_timeout_ms = 5;
    limits.body_timeout_ms = 5;
    limits.idle_timeout_ms = 5;
    limits.write_timeout_ms = 5;
    fixture_start(&fixture, &limits, 1);
    struct peer held_up;
    struct peer idle;
    struct answer answer;
    peer_connect(&held_up, &fixture);
    assert_true(peer_send(&held_up, OD_STR("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")));
    struct od_http_request *held = take_held(&fixture);
    // These deadlines come later than any of the first peer's could.
    for (size_t i = 0; i < 3; i++) {
        peer_connect(&idle, &fixture);
        assert_true(peer_is_closed(&idle));
        peer_close(&idle);
    }
    answer_held(held);
    assert_true(peer_receive(&held_up, &answer));
    assert_int_equal(answer.status, 200);
    peer_close(&held_up);
}

static void a_peer_that_does_not_take_its_answer_is_closed(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.write_timeout_ms = 5;
    fixture_start(&fixture, &limits, 1);
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, OD_STR("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")));
    wait_for_connections(&fixture, 0);
    assert_false(peer_receive(&peer, &answer));
    peer_close(&peer);
}

// Asks for an answer that is too large for the sockets' buffers, and waits for its beginning.
static void ask_for_big(struct peer *peer)
{
    char first = 0;
    const int small = 64 * 1024;
    peer_open(peer);
    assert_int_equal(setsockopt(peer->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
    peer_connect_opened(peer, &fixture);
    assert_true(peer_send(peer, OD_STR("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")));
    ssize_t got = 0;
    do {
        got = recv(peer->fd, &first, 1, MSG_PEEK);
    } while (got < 0 && errno == EINTR);
    assert_int_equal(got, 1);
}

static void of_too_many_answers_that_nobody_takes_the_oldest_go(void **state)
{
    (void)state;
    enum { PEERS = 5, STAY = 2 };
    struct od_http_limits limits = usual_limits();
    limits.all_answer_bytes = STAY * BIG_SIZE + BIG_SIZE / 2;
    fixture_start(&fixture, &limits, 1);
    struct peer peers[PEERS];
    struct answer answer;
    for (size_t i = 0; i < PEERS; i++) {
        ask_for_big(&peers[i]);
    }
    wait_for_connections(&fixture, STAY); // whoever reads before may get all of it
    for (size_t i = 0; i < PEERS; i++) {
        bool stayed = i >= PEERS - STAY;
        check_row(i, peer_receive(&peers[i], &answer) == stayed);
        check_row(i, !stayed || answer.body.len == BIG_SIZE);
        peer_close(&peers[i]);
    }
    wait_for_connections(&fixture, 0);
    assert_int_equal(atomic_load(&fixture.server->all_untaken), 0);
}

static void an_answer_over_the_limit_alone_is_not_waited_for(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.all_answer_bytes = BIG_SIZE / 2;
    fixture_start(&fixture, &limits, 1);
    struct peer peer;
    struct answer answer;
    ask_for_big(&peer);
    wait_for_connections(&fixture, 0);
    assert_false(peer_receive(&peer, &answer));
    peer_close(&peer);
    peer_connect(&peer, &fixture);
    peer_echo(&peer, "/echo", OD_STR("x"));
    peer_close(&peer);
}

static void connections_over_the_limit_get_503_and_are_asked_to_come_again(void **state)
{
    (void)state;
    struct od_http_limits limits = usual_limits();
    limits.max_connections = 2;
    fixture_start(&fixture, &limits, 1);
    struct peer peers[3];
    struct answer answer;
    for (size_t i = 0; i < 2; i++) {
        peer_connect(&peers[i], &fixture);
        peer_echo(&peers[i], "/echo", OD_STR("x"));
    }
    peer_connect(&peers[2], &fixture);
    assert_true(peer_receive(&peers[2], &answer));
    assert_int_equal(answer.status, 503);
    check_text(0, answer_header(&answer, OD_STR("Retry-After")), OD_STR("1"));
    assert_true(peer_is_closed(&peers[2]));
    peer_close(&peers[2]);
    // One goes, another may come.
    peer_close(&peers[1]);
    bool served = false;
    while (!served) {
        peer_connect(&peers[1], &fixture);
        bool sent = peer_send(&peers[1], OD_STR("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n"));
        served = sent && peer_receive(&peers[1], &answer) && answer.status == 200;
        peer_close(&peers[1]);
    }
    peer_echo(&peers[0], "/echo", OD_STR("x"));
    peer_close(&peers[0]);
}

static bool try_echo(struct peer *peer)
{
    struct answer answer;
    return peer_send(peer, OD_STR("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")) &&
           peer_receive(peer, &answer) && answer.status == 200;
}

static void in_a_crowd_the_connection_that_is_idle_the_longest_makes_room(void **state)
{
    (void)state;
    enum { LIMIT = 3 };
    struct od_http_limits limits = usual_limits();
    limits.max_connections = LIMIT;
    limits.crowded_idle_ms = 1;
    fixture_start(&fixture, &limits, 1);
    struct peer peers[LIMIT];
    for (size_t i = 0; i < LIMIT; i++) {
        peer_connect(&peers[i], &fixture);
        peer_echo(&peers[i], "/echo", OD_STR("x"));
    }
    // This one is not idle.
    assert_true(peer_send(&peers[0], OD_STR("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")));
    struct od_http_request *held = take_held(&fixture);
    struct peer newcomer;
    peer_connect(&newcomer, &fixture);
    while (!try_echo(&newcomer)) { // until a millisecond has passed
        peer_close(&newcomer);
        peer_connect(&newcomer, &fixture);
    }
    assert_true(peer_is_closed(&peers[1]));
    assert_true(try_echo(&peers[2]));
    answer_held(held);
    struct answer answer;
    assert_true(peer_receive(&peers[0], &answer));
    peer_close(&newcomer);
    for (size_t i = 0; i < LIMIT; i++) {
        peer_close(&peers[i]);
    }
}

static void a_crowd_over_the_limit_takes_a_bounded_number_of_connections(void **state)
{
    (void)state;
    enum { COUNT = 300, LIMIT = 10, REFUSED = 64 };
    struct od_http_limits limits = usual_limits();
    limits.max_connections = LIMIT;
    fixture_start(&fixture, &limits, 1);
    static struct peer peers[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        peer_connect(&peers[i], &fixture);
    }
    for (size_t i = 0; i < LIMIT; i++) {
        peer_echo(&peers[i], "/echo", OD_STR("x"));
    }
    // Those beyond are closed at once, and are gone at the loop's next turn. If they were not, this
    // would not end.
    while (atomic_load(&fixture.server->conn_count) > LIMIT + REFUSED) {
        sched_yield();
    }
    for (size_t i = 0; i < COUNT; i++) {
        peer_close(&peers[i]);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(headers_over_the_limit_get_400_and_a_close),
        TEST(a_length_over_the_limit_gets_413_at_once),
        TEST(the_body_of_a_request_that_is_not_admitted_is_dropped),
        TEST(too_much_of_a_body_that_is_dropped_gets_413),
        TEST(chunks_over_the_limit_get_413_when_they_pass_it),
        TEST(what_a_refused_peer_still_sends_is_bounded),
        TEST(many_large_bodies_at_once_get_503_and_are_asked_to_come_again),
        TEST(slow_requests_get_408_and_a_close),
        TEST(a_trickle_of_bytes_does_not_move_the_deadline),
        TEST(idle_connections_are_closed_without_a_word),
        TEST(time_in_the_handler_is_not_the_clients),
        TEST(a_peer_that_does_not_take_its_answer_is_closed),
        TEST(of_too_many_answers_that_nobody_takes_the_oldest_go),
        TEST(an_answer_over_the_limit_alone_is_not_waited_for),
        TEST(connections_over_the_limit_get_503_and_are_asked_to_come_again),
        TEST(in_a_crowd_the_connection_that_is_idle_the_longest_makes_room),
        TEST(a_crowd_over_the_limit_takes_a_bounded_number_of_connections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
