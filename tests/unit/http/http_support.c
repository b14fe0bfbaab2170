#include "http_support.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { RECEIVE_TIMEOUT_S = 30, FIRST_RECEIVE = 64 * 1024 };

void check_row_at(size_t row, bool ok, const char *what, const char *file, int line)
{
    if (!ok) {
        fail_msg("%s:%d: row %zu: %s", file, line, row, what);
    }
}

void check_text(size_t row, od_str got, od_str want)
{
    if (!od_str_eq(got, want)) {
        fail_msg("row %zu: got \"%.*s\", want \"%.*s\"", row, OD_STR_ARG(got), OD_STR_ARG(want));
    }
}

// ---- queues of requests ----

static void queue_init(struct request_queue *queue)
{
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->filled, NULL);
    queue->head = 0;
    queue->tail = 0;
}

static void queue_clear(struct request_queue *queue)
{
    pthread_cond_destroy(&queue->filled);
    pthread_mutex_destroy(&queue->mutex);
}

static void queue_put(struct request_queue *queue, struct od_http_request *request)
{
    pthread_mutex_lock(&queue->mutex);
    assert_true(queue->tail - queue->head < OD_COUNT(queue->requests));
    queue->requests[queue->tail++ % OD_COUNT(queue->requests)] = request;
    pthread_cond_signal(&queue->filled);
    pthread_mutex_unlock(&queue->mutex);
}

static struct od_http_request *queue_take(struct request_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    while (queue->head == queue->tail) {
        pthread_cond_wait(&queue->filled, &queue->mutex);
    }
    struct od_http_request *request = queue->requests[queue->head++ % OD_COUNT(queue->requests)];
    pthread_mutex_unlock(&queue->mutex);
    return request;
}

static bool queue_is_empty(struct request_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    bool empty = queue->head == queue->tail;
    pthread_mutex_unlock(&queue->mutex);
    return empty;
}

// ---- the handler ----

static char big_body[BIG_SIZE];

static void respond(struct od_http_request *request, int status, od_str body, bool close)
{
    struct od_http_header *headers = od_new_array(request->arena, struct od_http_header, 2);
    headers[0] = (struct od_http_header){OD_STR("X-Method"), request->method};
    headers[1] = (struct od_http_header){OD_STR("X-Target"), request->target};
    const struct od_http_response response = {
        .status = status, .headers = headers, .header_count = 2, .body = body, .close = close};
    od_http_respond(request, &response);
}

static void echo(struct od_http_request *request)
{
    respond(request, 200, request->body, false);
}

static void echo_and_close(struct od_http_request *request)
{
    respond(request, 200, request->body, true);
}

static void send_big(struct od_http_request *request)
{
    respond(request, 200, (od_str){big_body, BIG_SIZE}, false);
}

static void inject(struct od_http_request *request)
{
    static const struct od_http_header headers[] = {
        {OD_STR_INIT("X-Before"), OD_STR_INIT("1")},
        {OD_STR_INIT("X-Bad"), OD_STR_INIT("a\r\nX-Injected: 1")},
        {OD_STR_INIT("X-Bad\nX-Injected"), OD_STR_INIT("1")},
        {OD_STR_INIT("X-Bad"), OD_STR_INIT("a\0b")},
        {OD_STR_INIT("X-After"), OD_STR_INIT("")},
    };
    const struct od_http_response response = {
        .status = 200, .headers = headers, .header_count = OD_COUNT(headers)};
    od_http_respond(request, &response);
}

// On the loop's thread, so that the connection may be looked at.
static void tell_nodelay(struct od_http_request *request)
{
    const struct od_http_conn *conn =
        (const struct od_http_conn *)((const char *)request -
                                      offsetof(struct od_http_conn, parser.request));
    int fd = -1;
    int on = 0;
    socklen_t size = sizeof(on);
    assert_int_equal(uv_fileno((const uv_handle_t *)&conn->tcp, &fd), 0);
    assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, &size), 0);
    respond(request, 200, on != 0 ? OD_STR("on") : OD_STR("off"), false);
}

static void answer_on_thread(struct od_http_request *request)
{
    struct fixture *fixture = request->user;
    queue_put(&fixture->to_answer, request);
}

static void hold(struct od_http_request *request)
{
    struct fixture *fixture = request->user;
    queue_put(&fixture->held, request);
}

static void gather(struct od_http_request *request)
{
    struct fixture *fixture = request->user;
    request->wake_later = true;
    queue_put(&fixture->gathered, request);
}

static void hand_over(void *app)
{
    struct fixture *fixture = app;
    while (!queue_is_empty(&fixture->gathered)) {
        queue_put(&fixture->to_answer, queue_take(&fixture->gathered));
    }
}

static void answer_on_pool(struct od_http_request *request)
{
    od_http_run_on_pool(request, echo);
}

static void answer_through_pool(struct od_http_request *request)
{
    od_http_run_on_pool(request, answer_on_thread);
}

static const struct {
    od_str target;
    void (*run)(struct od_http_request *request);
} routes[] = {
    {OD_STR_INIT("/echo"), echo},
    {OD_STR_INIT("/big"), send_big},
    {OD_STR_INIT("/close"), echo_and_close},
    {OD_STR_INIT("/inject"), inject},
    {OD_STR_INIT("/nodelay"), tell_nodelay},
    {OD_STR_INIT("/thread"), answer_on_thread},
    {OD_STR_INIT("/gather"), gather},
    {OD_STR_INIT("/pool"), answer_on_pool},
    {OD_STR_INIT("/relay"), answer_through_pool},
    {OD_STR_INIT("/hold"), hold},
};

static bool admit(void *app, const struct od_http_request *head)
{
    (void)app;
    assert_int_equal(head->body.len, 0);
    return !od_str_eq(head->target, OD_STR("/full"));
}

static void handle(void *app, struct od_http_request *request)
{
    struct fixture *fixture = app;
    atomic_fetch_add(&fixture->handled, 1);
    request->user = fixture;
    if (request->refused) {
        assert_int_equal(request->body.len, 0);
        respond(request, 400, OD_STR("refused"), false);
        return;
    }
    for (size_t i = 0; i < OD_COUNT(routes); i++) {
        if (od_str_eq(request->target, routes[i].target)) {
            routes[i].run(request);
            return;
        }
    }
    respond(request, 404, OD_STR("no such target"), false);
}

static void *run_answerer(void *arg)
{
    struct fixture *fixture = arg;
    struct od_http_request *request = queue_take(&fixture->to_answer);
    while (request != NULL) {
        echo(request);
        if (queue_is_empty(&fixture->to_answer)) {
            od_http_server_wake(fixture->server);
        }
        request = queue_take(&fixture->to_answer);
    }
    return NULL;
}

// ---- the fixture ----

struct od_http_limits usual_limits(void)
{
    return (struct od_http_limits){
        .header_bytes = (size_t)16 * 1024,
        .body_bytes = (size_t)16 * 1024 * 1024,
        .header_timeout_ms = 60000,
        .body_timeout_ms = 60000,
        .idle_timeout_ms = 60000,
        .write_timeout_ms = 60000,
        .max_connections = 10000,
    };
}

void fixture_start(struct fixture *fixture, const struct od_http_limits *limits, uint32_t threads)
{
    memset(fixture, 0, sizeof(*fixture));
    memset(big_body, 'b', sizeof(big_body));
    queue_init(&fixture->to_answer);
    queue_init(&fixture->gathered);
    queue_init(&fixture->held);
    fixture->limits = limits == NULL ? usual_limits() : *limits;
    const struct od_http_options options = {
        .host = "127.0.0.1",
        .threads = threads,
        .limits = fixture->limits,
        .admit = admit,
        .before_wait = hand_over,
    };
    od_ctx cx = {.arena = od_arena_create()};
    assert_int_equal(od_http_server_open(&cx, &options, handle, fixture, &fixture->server), OD_OK);
    assert_int_equal(od_http_server_start(&cx, fixture->server), OD_OK);
    od_arena_destroy(cx.arena);
    assert_int_equal(pthread_create(&fixture->answerer, NULL, run_answerer, fixture), 0);
}

void fixture_stop(struct fixture *fixture)
{
    od_http_server_stop(fixture->server, 0);
    queue_put(&fixture->to_answer, NULL);
    pthread_join(fixture->answerer, NULL);
    od_http_server_close(fixture->server);
    queue_clear(&fixture->to_answer);
    queue_clear(&fixture->gathered);
    queue_clear(&fixture->held);
}

struct od_http_request *take_held(struct fixture *fixture)
{
    return queue_take(&fixture->held);
}

bool any_held(struct fixture *fixture)
{
    return !queue_is_empty(&fixture->held);
}

void answer_held(struct od_http_request *request)
{
    echo(request);
}

void wait_for_connections(struct fixture *fixture, uint32_t count)
{
    struct peer peer;
    peer_connect(&peer, fixture);
    do {
        peer_echo(&peer, "/echo", OD_STR("turn"));
    } while (atomic_load(&fixture->server->conn_count) != count + 1);
    peer_close(&peer);
}

// ---- peers ----

void peer_open(struct peer *peer)
{
    *peer = (struct peer){.fd = socket(AF_INET, SOCK_STREAM, 0)};
    assert_true(peer->fd >= 0);
    int on = 1; // or each piece of a request waits for the last one's receipt
    setsockopt(peer->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    const struct timeval timeout = {.tv_sec = RECEIVE_TIMEOUT_S};
    setsockopt(peer->fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    setsockopt(peer->fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
}

void peer_connect_opened(struct peer *peer, const struct fixture *fixture)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(od_http_server_port(fixture->server)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int failed = -1;
    do {
        // A call with a deadline ends so when the process was stopped and goes on (signal(7)).
        // Linux waits for the same connection when it is asked again.
        failed = connect(peer->fd, (const struct sockaddr *)&address, sizeof(address));
    } while (failed != 0 && errno == EINTR);
    assert_int_equal(failed, 0);
}

void peer_connect(struct peer *peer, const struct fixture *fixture)
{
    peer_open(peer);
    peer_connect_opened(peer, fixture);
}

void peer_close(struct peer *peer)
{
    close(peer->fd);
    free(peer->bytes);
    *peer = (struct peer){.fd = -1};
}

void peer_reset(struct peer *peer)
{
    const struct linger now = {.l_onoff = 1};
    setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    peer_close(peer);
}

bool peer_send(struct peer *peer, od_str bytes)
{
    while (bytes.len > 0) {
        ssize_t sent = send(peer->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            assert_true(errno == EPIPE || errno == ECONNRESET);
            return false;
        }
        bytes = od_str_skip(bytes, (size_t)sent);
    }
    return true;
}

// False at the server's end.
static bool receive_some(struct peer *peer)
{
    if (peer->len == peer->cap) {
        peer->cap = peer->cap == 0 ? FIRST_RECEIVE : peer->cap * 2;
        peer->bytes = realloc(peer->bytes, peer->cap);
        assert_non_null(peer->bytes);
    }
    ssize_t count = -1;
    do { // as for connect
        count = recv(peer->fd, peer->bytes + peer->len, peer->cap - peer->len, 0);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        assert_int_equal(errno, ECONNRESET); // EAGAIN: the test has waited for too long
        return false;
    }
    peer->len += (size_t)count;
    return count > 0;
}

static bool receive_at_least(struct peer *peer, size_t size)
{
    while (peer->len - peer->at < size) {
        if (!receive_some(peer)) {
            return false;
        }
    }
    return true;
}

static bool find_head(const struct peer *peer, od_str *out)
{
    if (peer->len == peer->at) {
        return false;
    }
    const char *begin = peer->bytes + peer->at;
    const char *end = memmem(begin, peer->len - peer->at, "\r\n\r\n", 4);
    if (end == NULL) {
        return false;
    }
    *out = (od_str){begin, (size_t)(end - begin) + 2};
    return true;
}

static void forget_used(struct peer *peer)
{
    if (peer->at > 0) {
        memmove(peer->bytes, peer->bytes + peer->at, peer->len - peer->at);
        peer->len -= peer->at;
        peer->at = 0;
    }
}

bool peer_receive_head(struct peer *peer, struct answer *out)
{
    forget_used(peer);
    *out = (struct answer){0};
    while (!find_head(peer, &out->head)) {
        if (!receive_some(peer)) {
            return false;
        }
    }
    assert_true(od_str_has_prefix(out->head, OD_STR("HTTP/1.1 ")));
    uint64_t status = 0;
    assert_true(od_str_to_u64((od_str){out->head.ptr + 9, 3}, &status));
    out->status = (int)status;
    peer->at += out->head.len + 2;
    return true;
}

bool peer_receive(struct peer *peer, struct answer *out)
{
    if (!peer_receive_head(peer, out)) {
        return false;
    }
    od_str length = answer_header(out, OD_STR("Content-Length"));
    uint64_t size = 0;
    if (length.ptr != NULL) {
        assert_true(od_str_to_u64(length, &size));
    }
    size_t head_len = out->head.len;
    if (!receive_at_least(peer, size)) {
        return false;
    }
    // Receiving may have moved the bytes.
    out->head = (od_str){peer->bytes, head_len};
    out->body = (od_str){peer->bytes + peer->at, size};
    peer->at += size;
    return true;
}

bool peer_is_closed(struct peer *peer)
{
    forget_used(peer);
    return peer->len == 0 && !receive_some(peer);
}

static od_str take_line(od_str *text)
{
    const char *end = memmem(text->ptr, text->len, "\r\n", 2);
    size_t len = end == NULL ? text->len : (size_t)(end - text->ptr);
    od_str line = {text->ptr, len};
    *text = od_str_skip(*text, end == NULL ? len : len + 2);
    return line;
}

od_str answer_header(const struct answer *answer, od_str name)
{
    od_str rest = answer->head;
    (void)take_line(&rest);
    while (rest.len > 0) {
        od_str line = take_line(&rest);
        const char *colon = memchr(line.ptr, ':', line.len);
        assert_non_null(colon);
        size_t name_len = (size_t)(colon - line.ptr);
        if (od_str_eq_nocase((od_str){line.ptr, name_len}, name)) {
            return od_str_skip(line, name_len + 2);
        }
    }
    return (od_str){0};
}

void peer_echo(struct peer *peer, const char *target, od_str body)
{
    char head[256];
    int len =
        snprintf(head, sizeof(head),
                 "POST %s HTTP/1.1\r\nHost: test\r\nContent-Length: %zu\r\n\r\n", target, body.len);
    struct answer answer;
    assert_true(peer_send(peer, (od_str){head, (size_t)len}));
    assert_true(peer_send(peer, body));
    assert_true(peer_receive(peer, &answer));
    assert_int_equal(answer.status, 200);
    check_text(0, answer.body, body);
}
