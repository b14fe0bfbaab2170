// Requests in, answers out: keep-alive, pipelining, pieces, other threads.
#include "http_support.h"

#include "base/buf.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fixture fixture;

static int set_up(void **state)
{
    (void)state;
    fixture_start(&fixture, NULL, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_stop(&fixture);
    return 0;
}

static const char *const echo_targets[] = {"/echo", "/thread", "/gather", "/pool", "/relay"};

static void taken_and_unknown_addresses_are_errors_that_say_what_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *host;
        bool taken_port;
        const char *want;
    } rows[] = {
        {"localhost", false, "it is no IPv4 or IPv6 address; use 127.0.0.1"},
        {"", false, "it is no IPv4 or IPv6 address; use 127.0.0.1"},
        {"192.0.2.1", false, "no such address on this machine"},
        {"127.0.0.1", true, "another program listens there; stop it, or choose another port"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx cx = {.arena = od_arena_create()};
        const struct od_http_options options = {
            .host = rows[i].host,
            .port = rows[i].taken_port ? od_http_server_port(fixture.server) : 0,
            .threads = 2,
            .limits = usual_limits(),
        };
        od_http_server *server = NULL;
        check_row(i, od_http_server_open(&cx, &options, NULL, NULL, &server) == OD_INTERNAL);
        check_row(i, server == NULL);
        check_row(i, od_str_contains(cx.error, od_cstr(rows[i].want)));
        od_arena_destroy(cx.arena);
    }
}

static void a_server_that_never_started_closes(void **state)
{
    (void)state;
    od_ctx cx = {.arena = od_arena_create()};
    const struct od_http_options options = {
        .host = "127.0.0.1", .threads = 0, .limits = usual_limits()};
    od_http_server *server = NULL;
    assert_int_equal(od_http_server_open(&cx, &options, NULL, NULL, &server), OD_OK);
    assert_int_equal(server->loop_count, uv_available_parallelism());
    od_http_server_stop(server, 1000);
    od_http_server_close(server);
    od_http_server_close(NULL);
    od_arena_destroy(cx.arena);
}

static void malformed_requests_get_400_and_the_connection_is_closed(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\n\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        // What follows must not be read as a request.
        "nonsense\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct peer peer;
        struct answer answer;
        peer_connect(&peer, &fixture);
        check_row(i, peer_send(&peer, od_cstr(rows[i])));
        check_row(i, peer_receive(&peer, &answer) && answer.status == 400);
        check_text(i, answer_header(&answer, OD_STR("Connection")), OD_STR("close"));
        check_row(i, answer.body.len > 0);
        check_row(i, peer_is_closed(&peer));
        peer_close(&peer);
    }
    assert_int_equal(atomic_load(&fixture.handled), 0);
}

static void requests_cut_at_every_byte_are_whole_to_the_handler(void **state)
{
    (void)state;
    static const od_str texts[] = {
        OD_STR_INIT("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"),
        OD_STR_INIT("POST /thread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"),
    };
    for (size_t i = 0; i < OD_COUNT(texts); i++) {
        for (size_t cut = 1; cut < texts[i].len; cut++) {
            struct peer peer;
            struct answer answer;
            peer_connect(&peer, &fixture);
            check_row(cut, peer_send(&peer, (od_str){texts[i].ptr, cut}));
            // A turn of the loop: it has read the first part when this is answered.
            wait_for_connections(&fixture, 1);
            check_row(cut, peer_send(&peer, od_str_skip(texts[i], cut)));
            check_row(cut, peer_receive(&peer, &answer));
            check_row(cut, answer.status == 200);
            check_text(cut, answer.body, OD_STR("hello"));
            peer_close(&peer);
            wait_for_connections(&fixture, 0);
        }
    }
}

static void a_connection_serves_one_request_after_another_whoever_answers(void **state)
{
    (void)state;
    struct peer peer;
    peer_connect(&peer, &fixture);
    for (size_t i = 0; i < 200; i++) {
        peer_echo(&peer, echo_targets[i % OD_COUNT(echo_targets)], OD_STR("payload"));
    }
    peer_close(&peer);
}

// Many requests in one go, more than one read takes, are answered in their order.
static void pipelined_requests_are_answered_in_order(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    od_arena *arena = od_arena_create();
    struct od_buf text = {.arena = arena};
    for (size_t i = 0; i < COUNT; i++) {
        const char *target = echo_targets[i % OD_COUNT(echo_targets)];
        od_buf_printf(&text, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n%06zu",
                      target, i);
    }
    struct peer peer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, od_buf_str(&text)));
    for (size_t i = 0; i < COUNT; i++) {
        struct answer answer;
        check_row(i, peer_receive(&peer, &answer));
        check_text(i, answer.body, od_arena_printf(arena, "%06zu", i));
    }
    peer_close(&peer);
    od_arena_destroy(arena);
}

static void nothing_more_is_served_while_an_answer_is_due(void **state)
{
    (void)state;
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, OD_STR("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n"
                                        "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")));
    struct od_http_request *held = take_held(&fixture);
    assert_true(peer_send(&peer, OD_STR("GET /none HTTP/1.1\r\nHost: a\r\n\r\n")));
    size_t before = atomic_load(&fixture.handled);
    wait_for_connections(&fixture, 1);
    assert_true(atomic_load(&fixture.handled) > before);
    assert_false(any_held(&fixture));
    answer_held(held);
    static const int want[] = {200, 200, 404};
    for (size_t i = 0; i < OD_COUNT(want); i++) {
        check_row(i, peer_receive(&peer, &answer) && answer.status == want[i]);
    }
    peer_close(&peer);
}

static void stray_line_breaks_between_requests_are_passed_over(void **state)
{
    (void)state;
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, OD_STR("\r\n\r\nGET /echo HTTP/1.1\r\nHost: a\r\n\r\n\r\n")));
    assert_true(peer_receive(&peer, &answer));
    assert_int_equal(answer.status, 200);
    peer_echo(&peer, "/echo", OD_STR("x"));
    peer_close(&peer);
}

static void large_bodies_arrive_and_return_whole(void **state)
{
    (void)state;
    enum { BODY_SIZE = 16 * 1024 * 1024 };
    static const size_t sizes[] = {1, 4096, 65536, 65537, 1 << 20, 3 << 20, BODY_SIZE};
    char *body = malloc(BODY_SIZE);
    assert_non_null(body);
    for (size_t i = 0; i < BODY_SIZE; i++) {
        body[i] = (char)('a' + i % 23);
    }
    struct peer peer;
    peer_connect(&peer, &fixture);
    for (size_t i = 0; i < OD_COUNT(sizes); i++) {
        peer_echo(&peer, echo_targets[i % OD_COUNT(echo_targets)], (od_str){body, sizes[i]});
    }
    peer_close(&peer);
    free(body);
    assert_int_equal(atomic_load(&fixture.server->all_bodies), 0);
}

static void connections_stay_or_close_as_the_request_and_the_handler_want(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool stays;
    } rows[] = {
        {"GET /echo HTTP/1.1\r\nHost: a\r\n\r\n", true},
        {"GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false},
        {"GET /echo HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, close\r\n\r\n", false},
        {"GET /close HTTP/1.1\r\nHost: a\r\n\r\n", false},
        {"GET /echo HTTP/1.0\r\n\r\n", false},
        {"GET /thread HTTP/1.0\r\n\r\n", false},
        {"GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true},
        {"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", false},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct peer peer;
        struct answer answer;
        peer_connect(&peer, &fixture);
        check_row(i, peer_send(&peer, od_cstr(rows[i].text)));
        check_row(i, peer_receive(&peer, &answer));
        check_text(i, answer_header(&answer, OD_STR("Connection")),
                   rows[i].stays ? OD_STR("keep-alive") : OD_STR("close"));
        if (rows[i].stays) {
            peer_echo(&peer, "/echo", OD_STR("again"));
        } else {
            check_row(i, peer_is_closed(&peer));
        }
        peer_close(&peer);
    }
}

static void head_requests_get_the_length_and_no_body(void **state)
{
    (void)state;
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, OD_STR("HEAD /big HTTP/1.1\r\nHost: a\r\n\r\n"
                                        "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")));
    assert_true(peer_receive_head(&peer, &answer));
    check_text(0, answer_header(&answer, OD_STR("Content-Length")), OD_STR("8388608"));
    assert_true(peer_receive(&peer, &answer));
    check_text(1, answer_header(&answer, OD_STR("X-Target")), OD_STR("/echo"));
    peer_close(&peer);
}

static void a_body_that_waits_for_100_continue_is_asked_for(void **state)
{
    (void)state;
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, OD_STR("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n"
                                        "Expect: 100-continue\r\n\r\n")));
    assert_true(peer_receive_head(&peer, &answer));
    assert_int_equal(answer.status, 100);
    assert_true(peer_send(&peer, OD_STR("ok")));
    assert_true(peer_receive(&peer, &answer));
    check_text(0, answer.body, OD_STR("ok"));
    // Not when it comes unasked, nor when there is none.
    assert_true(peer_send(&peer, OD_STR("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n"
                                        "Expect: 100-continue\r\n\r\nok"
                                        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
                                        "Expect: 100-continue\r\n\r\n")));
    for (size_t i = 0; i < 2; i++) {
        check_row(i, peer_receive(&peer, &answer) && answer.status == 200);
    }
    peer_close(&peer);
}

static void a_peer_that_only_closes_its_side_gets_its_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < OD_COUNT(echo_targets); i++) {
        od_arena *arena = od_arena_create();
        struct peer peer;
        struct answer answer;
        peer_connect(&peer, &fixture);
        assert_true(peer_send(&peer, od_arena_printf(arena,
                                                     "GET %s HTTP/1.1\r\nHost: a\r\n\r\n"
                                                     "GET %s HTTP/1.1\r\nHost: a\r\n\r\n",
                                                     echo_targets[i], echo_targets[i])));
        shutdown(peer.fd, SHUT_WR);
        check_row(i, peer_receive(&peer, &answer) && answer.status == 200);
        check_row(i, peer_receive(&peer, &answer) && answer.status == 200);
        check_row(i, peer_is_closed(&peer));
        peer_close(&peer);
        od_arena_destroy(arena);
    }
}

static void an_answer_larger_than_the_sockets_buffers_arrives_whole(void **state)
{
    (void)state;
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    // Three of them, asked for at once: the second waits until the first is out.
    for (size_t i = 0; i < 3; i++) {
        assert_true(peer_send(&peer, OD_STR("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")));
    }
    for (size_t i = 0; i < 3; i++) {
        check_row(i, peer_receive(&peer, &answer));
        check_row(i, answer.body.len == BIG_SIZE);
        check_row(i, answer.body.ptr[0] == 'b' && answer.body.ptr[BIG_SIZE - 1] == 'b');
    }
    peer_echo(&peer, "/echo", OD_STR("still there"));
    peer_close(&peer);
}

static void header_values_with_line_breaks_do_not_reach_the_client(void **state)
{
    (void)state;
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, OD_STR("GET /inject HTTP/1.1\r\nHost: a\r\n\r\n")));
    assert_true(peer_receive(&peer, &answer));
    check_text(0, answer_header(&answer, OD_STR("X-Before")), OD_STR("1"));
    assert_non_null(answer_header(&answer, OD_STR("X-After")).ptr);
    assert_null(answer_header(&answer, OD_STR("X-Bad")).ptr);
    assert_null(answer_header(&answer, OD_STR("X-Injected")).ptr);
    peer_close(&peer);
}

// Accepted sockets have it from the listener: small answers do not wait for the peer's next byte.
static void answers_are_not_held_back_to_be_joined(void **state)
{
    (void)state;
    struct peer peer;
    struct answer answer;
    peer_connect(&peer, &fixture);
    assert_true(peer_send(&peer, OD_STR("GET /nodelay HTTP/1.1\r\nHost: a\r\n\r\n")));
    assert_true(peer_receive(&peer, &answer));
    check_text(0, answer.body, OD_STR("on"));
    peer_close(&peer);
}

static void ipv6_is_served_too(void **state)
{
    (void)state;
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    const struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    bool there = fd >= 0 && bind(fd, (const struct sockaddr *)&any, sizeof(any)) == 0;
    close(fd);
    if (!there) {
        skip();
    }
    od_ctx cx = {.arena = od_arena_create()};
    const struct od_http_options options = {.host = "::1", .threads = 2, .limits = usual_limits()};
    od_http_server *server = NULL;
    assert_int_equal(od_http_server_open(&cx, &options, NULL, NULL, &server), OD_OK);
    assert_true(od_http_server_port(server) > 0);
    od_http_server_close(server);
    od_arena_destroy(cx.arena);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(taken_and_unknown_addresses_are_errors_that_say_what_to_do),
        TEST(malformed_requests_get_400_and_the_connection_is_closed),
        TEST(header_values_with_line_breaks_do_not_reach_the_client),
        TEST(a_server_that_never_started_closes),
        TEST(requests_cut_at_every_byte_are_whole_to_the_handler),
        TEST(a_connection_serves_one_request_after_another_whoever_answers),
        TEST(pipelined_requests_are_answered_in_order),
        TEST(nothing_more_is_served_while_an_answer_is_due),
        TEST(stray_line_breaks_between_requests_are_passed_over),
        TEST(large_bodies_arrive_and_return_whole),
        TEST(connections_stay_or_close_as_the_request_and_the_handler_want),
        TEST(head_requests_get_the_length_and_no_body),
        TEST(a_body_that_waits_for_100_continue_is_asked_for),
        TEST(a_peer_that_only_closes_its_side_gets_its_answers),
        TEST(an_answer_larger_than_the_sockets_buffers_arrives_whole),
        TEST(answers_are_not_held_back_to_be_joined),
        TEST(ipv6_is_served_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
