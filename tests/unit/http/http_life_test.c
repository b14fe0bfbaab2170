// Beginnings and ends: hang-ups at every moment, graceful stop, and memory that does not grow.
#include "http_support.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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

static void peers_that_hang_up_in_a_request_leave_nothing(void **state)
{
    (void)state;
    static const od_str text = OD_STR_INIT("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: "
                                           "5\r\n\r\nhello");
    for (size_t cut = 0; cut < text.len; cut++) {
        struct peer peer;
        peer_connect(&peer, &fixture);
        assert_true(peer_send(&peer, (od_str){text.ptr, cut}));
        if (cut % 2 == 0) {
            peer_close(&peer);
        } else {
            peer_reset(&peer);
        }
        wait_for_connections(&fixture, 0);
    }
}

static void the_answer_to_a_peer_that_is_gone_is_dropped(void **state)
{
    (void)state;
    for (size_t i = 0; i < 20; i++) {
        struct peer peer;
        peer_connect(&peer, &fixture);
        assert_true(peer_send(&peer, OD_STR("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")));
        struct od_http_request *held = take_held(&fixture);
        peer_reset(&peer);
        // It counts as long as its answer is due, or the limit on connections would bound nothing.
        wait_for_connections(&fixture, 1);
        answer_held(held);
        wait_for_connections(&fixture, 0);
    }
}

static void a_peer_that_hangs_up_in_its_answer_leaves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < 10; i++) {
        struct peer peer;
        struct answer answer;
        peer_connect(&peer, &fixture);
        assert_true(peer_send(&peer, OD_STR("GET /big HTTP/1.1\r\nHost: a\r\n\r\n"
                                            "GET /big HTTP/1.1\r\nHost: a\r\n\r\n")));
        assert_true(peer_receive_head(&peer, &answer));
        peer_reset(&peer);
        wait_for_connections(&fixture, 0);
    }
}

static void peers_that_hang_up_while_the_pool_works_leave_nothing(void **state)
{
    (void)state;
    static const char *const targets[] = {"/pool", "/relay", "/thread"};
    od_arena *arena = od_arena_create();
    for (size_t i = 0; i < 300; i++) {
        struct peer peer;
        peer_connect(&peer, &fixture);
        assert_true(peer_send(&peer, od_arena_printf(arena, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n",
                                                     targets[i % OD_COUNT(targets)])));
        peer_reset(&peer);
    }
    wait_for_connections(&fixture, 0);
    od_arena_destroy(arena);
}

struct stopping {
    uint32_t grace_ms;
    _Atomic bool done;
};

static void *stop_server(void *arg)
{
    struct stopping *stopping = arg;
    od_http_server_stop(fixture.server, stopping->grace_ms);
    atomic_store(&stopping->done, true);
    return NULL;
}

static void wait_until_stopping(void)
{
    while (!atomic_load(&fixture.server->stopping)) {
    }
}

static void a_stop_lets_requests_finish_and_closes_what_is_idle(void **state)
{
    (void)state;
    struct peer idle;
    struct peer busy;
    struct peer partial;
    struct answer answer;
    peer_connect(&idle, &fixture);
    peer_echo(&idle, "/echo", OD_STR("x"));
    peer_connect(&partial, &fixture);
    assert_true(peer_send(&partial,
                          OD_STR("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1")));
    peer_connect(&busy, &fixture);
    assert_true(peer_send(&busy, OD_STR("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")));
    struct od_http_request *held = take_held(&fixture);

    struct stopping stopping = {.grace_ms = 60000};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_server, &stopping), 0);
    wait_until_stopping();
    assert_true(peer_is_closed(&idle));
    assert_false(atomic_load(&stopping.done));
    assert_true(peer_send(&partial, OD_STR("2")));
    assert_true(peer_receive(&partial, &answer));
    check_text(0, answer.body, OD_STR("12"));
    check_text(0, answer_header(&answer, OD_STR("Connection")), OD_STR("close"));
    assert_true(peer_is_closed(&partial));
    assert_false(atomic_load(&stopping.done));
    answer_held(held);
    assert_true(peer_receive(&busy, &answer));
    assert_int_equal(answer.status, 200);
    check_text(1, answer_header(&answer, OD_STR("Connection")), OD_STR("close"));
    assert_true(peer_is_closed(&busy));
    pthread_join(thread, NULL);
    peer_close(&idle);
    peer_close(&partial);
    peer_close(&busy);
}

static void a_stop_out_of_grace_does_not_wait_and_late_answers_are_dropped(void **state)
{
    (void)state;
    struct peer peers[2];
    struct od_http_request *held[2];
    struct answer answer;
    for (size_t i = 0; i < 2; i++) {
        peer_connect(&peers[i], &fixture);
        assert_true(peer_send(&peers[i], OD_STR("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")));
        held[i] = take_held(&fixture);
    }
    od_http_server_stop(fixture.server, 1);
    for (size_t i = 0; i < 2; i++) {
        assert_false(peer_receive(&peers[i], &answer));
        peer_close(&peers[i]);
    }
    // One is answered too late, the other never.
    answer_held(held[0]);
}

static void stopping_twice_is_stopping_once(void **state)
{
    (void)state;
    od_http_server_stop(fixture.server, 0);
    od_http_server_stop(fixture.server, 0);
}

static void a_stopped_server_gives_its_port_back(void **state)
{
    (void)state;
    uint16_t port = od_http_server_port(fixture.server);
    struct peer peer;
    peer_connect(&peer, &fixture);
    peer_echo(&peer, "/echo", OD_STR("x"));
    od_http_server_stop(fixture.server, 0);
    od_ctx cx = {.arena = od_arena_create()};
    const struct od_http_options options = {
        .host = "127.0.0.1", .port = port, .threads = 2, .limits = usual_limits()};
    od_http_server *again = NULL;
    // The loops' sockets are closed by now, those of connections may be in TIME_WAIT.
    assert_int_equal(od_http_server_open(&cx, &options, NULL, NULL, &again), OD_OK);
    assert_int_equal(od_http_server_port(again), port);
    od_http_server_close(again);
    od_arena_destroy(cx.arena);
    peer_close(&peer);
}

static void several_loops_share_the_connections(void **state)
{
    (void)state;
    enum { LOOPS = 4, PEERS = 64 };
    static struct fixture shared;
    static struct peer peers[PEERS];
    fixture_start(&shared, NULL, LOOPS);
    for (size_t i = 0; i < PEERS; i++) {
        peer_connect(&peers[i], &shared);
    }
    static const char *const targets[] = {"/echo", "/thread", "/pool", "/relay"};
    for (size_t i = 0; i < (size_t)PEERS * 8; i++) {
        peer_echo(&peers[i % PEERS], targets[i / PEERS % OD_COUNT(targets)], OD_STR("x"));
    }
    for (size_t i = 0; i < PEERS; i++) {
        peer_close(&peers[i]);
    }
    od_http_server_stop(shared.server, 60000);
    for (size_t i = 0; i < LOOPS; i++) {
        check_row(i, shared.server->loops[i].conn_count == 0);
        check_row(i, shared.server->loops[i].spare_conn_count > 0); // it has served some
    }
    fixture_stop(&shared);
}

// Bytes that the program holds; 0 where the allocator does not tell.
static size_t bytes_in_use(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0;
#else
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
}

enum { CROWD = 1000 };

static struct peer crowd[CROWD];

static void come_and_go(void)
{
    for (size_t i = 0; i < CROWD; i++) {
        peer_connect(&crowd[i], &fixture);
        peer_echo(&crowd[i], i % 3 == 0 ? "/thread" : "/echo", OD_STR("x"));
    }
    for (size_t i = 0; i < CROWD; i++) {
        peer_close(&crowd[i]);
    }
    wait_for_connections(&fixture, 0);
}

// File descriptors, made scarce.
struct scarcity {
    struct rlimit before;
    int taken[64];
    size_t taken_count;
};

// Leaves `spare` of them: all others below a limit are taken.
static void make_scarce(struct scarcity *scarcity, size_t spare)
{
    int lowest = dup(0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &scarcity->before), 0);
    const struct rlimit few = {.rlim_cur = (rlim_t)lowest + OD_COUNT(scarcity->taken),
                               .rlim_max = scarcity->before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    scarcity->taken_count = 0;
    for (int fd = lowest; fd >= 0; fd = dup(0)) {
        scarcity->taken[scarcity->taken_count++] = fd;
    }
    for (; spare > 0; spare--) {
        assert_true(scarcity->taken_count > 0);
        close(scarcity->taken[--scarcity->taken_count]);
    }
}

static void end_scarcity(const struct scarcity *scarcity)
{
    setrlimit(RLIMIT_NOFILE, &scarcity->before);
    for (size_t i = 0; i < scarcity->taken_count; i++) {
        close(scarcity->taken[i]);
    }
}

// Whichever of them is the one too many. (That all are closed again is not checked: libuv 1.44
// forgets its epoll when the next one fails.)
static void a_server_that_may_not_open_enough_files_says_so(void **state)
{
    (void)state;
    const struct od_http_options options = {
        .host = "127.0.0.1", .threads = 3, .limits = usual_limits()};
    od_http_server *server = NULL;
    size_t failures = 0;
    for (size_t spare = 0; server == NULL; spare++) {
        od_ctx cx = {.arena = od_arena_create()};
        struct scarcity scarcity;
        make_scarce(&scarcity, spare);
        od_status status = od_http_server_open(&cx, &options, NULL, NULL, &server);
        end_scarcity(&scarcity);
        bool told = status == OD_OK || od_str_contains(cx.error, OD_STR("too many open files"));
        od_arena_destroy(cx.arena);
        check_row(spare, told);
        failures += status != OD_OK;
    }
    od_http_server_close(server);
    assert_true(failures >= 6);
}

static void a_server_out_of_file_descriptors_closes_new_connections_and_lives(void **state)
{
    (void)state;
    struct peer served;
    struct peer refused;
    peer_connect(&served, &fixture);
    peer_echo(&served, "/echo", OD_STR("x"));
    peer_open(&refused);
    struct scarcity scarcity;
    make_scarce(&scarcity, 0);
    peer_connect_opened(&refused, &fixture);
    bool closed = peer_is_closed(&refused);
    end_scarcity(&scarcity);
    assert_true(closed);
    peer_close(&refused);
    peer_echo(&served, "/echo", OD_STR("x"));
    peer_close(&served);
    wait_for_connections(&fixture, 0);
}

static void thousands_of_connections_leave_no_memory_behind(void **state)
{
    (void)state;
    come_and_go();
    size_t before = bytes_in_use();
    for (size_t i = 0; i < 5; i++) {
        come_and_go();
    }
    assert_true(bytes_in_use() <= before + 65536);
}

static void an_idle_connection_holds_less_than_4_kb(void **state)
{
    (void)state;
    size_t before = bytes_in_use();
    for (size_t i = 0; i < CROWD; i++) {
        peer_connect(&crowd[i], &fixture);
        peer_echo(&crowd[i], "/echo", OD_STR("x"));
        free(crowd[i].bytes); // the peer's share
        crowd[i] = (struct peer){.fd = crowd[i].fd};
    }
    size_t after = bytes_in_use();
    for (size_t i = 0; i < CROWD; i++) {
        peer_close(&crowd[i]);
    }
    assert_true(after <= before + (size_t)CROWD * 4096 + 1000000);
    assert_true(sizeof(struct od_http_conn) <= 2048);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(peers_that_hang_up_in_a_request_leave_nothing),
        TEST(the_answer_to_a_peer_that_is_gone_is_dropped),
        TEST(a_peer_that_hangs_up_in_its_answer_leaves_nothing),
        TEST(peers_that_hang_up_while_the_pool_works_leave_nothing),
        TEST(a_stop_out_of_grace_does_not_wait_and_late_answers_are_dropped),
        TEST(a_stop_lets_requests_finish_and_closes_what_is_idle),
        TEST(a_server_that_may_not_open_enough_files_says_so),
        TEST(a_server_out_of_file_descriptors_closes_new_connections_and_lives),
        TEST(stopping_twice_is_stopping_once),
        TEST(a_stopped_server_gives_its_port_back),
        TEST(several_loops_share_the_connections),
        TEST(thousands_of_connections_leave_no_memory_behind),
        TEST(an_idle_connection_holds_less_than_4_kb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
