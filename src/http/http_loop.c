#include "http/http_internal.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// How long a peer may take to read its last answer and close.
enum { LINGER_MS = 2000 };

// ---- lists of connections ----

static void link_init(struct od_http_link *link)
{
    *link = (struct od_http_link){.prev = link, .next = link};
}

static void link_remove(struct od_http_link *link)
{
    link->prev->next = link->next;
    link->next->prev = link->prev;
}

static void link_append(struct od_http_link *list, struct od_http_link *link)
{
    *link = (struct od_http_link){.prev = list->prev, .next = list};
    list->prev->next = link;
    list->prev = link;
}

static struct od_http_conn *first_conn(struct od_http_link *list)
{
    return list->next == list ? NULL : (struct od_http_conn *)list->next;
}

struct od_http_conn *od_http_loop_oldest(struct od_http_loop *loop, enum od_http_phase phase)
{
    return first_conn(&loop->phases[phase]);
}

// ---- deadlines ----

static void on_sweep(uv_timer_t *timer);

static void sweep_by(struct od_http_loop *loop, uint64_t deadline_ms)
{
    if (deadline_ms >= loop->sweep_at_ms) {
        return;
    }
    uint64_t now_ms = uv_now(&loop->uv);
    loop->sweep_at_ms = deadline_ms;
    uv_timer_start(&loop->sweep, on_sweep, deadline_ms > now_ms ? deadline_ms - now_ms : 0, 0);
}

void od_http_loop_enter(struct od_http_conn *conn, enum od_http_phase phase)
{
    struct od_http_loop *loop = conn->loop;
    link_remove(&conn->link);
    link_append(&loop->phases[phase], &conn->link);
    conn->phase = phase;
    if (loop->timeout_ms[phase] > 0) {
        conn->deadline_ms = uv_now(&loop->uv) + loop->timeout_ms[phase];
        sweep_by(loop, conn->deadline_ms);
    }
}

static void expire_phase(struct od_http_loop *loop, enum od_http_phase phase)
{
    struct od_http_link *list = &loop->phases[phase];
    struct od_http_conn *conn = first_conn(list);
    while (conn != NULL && conn->deadline_ms <= uv_now(&loop->uv)) {
        od_http_conn_expire(conn);
        conn = first_conn(list);
    }
    if (conn != NULL) {
        sweep_by(loop, conn->deadline_ms);
    }
}

static void on_sweep(uv_timer_t *timer)
{
    struct od_http_loop *loop = timer->data;
    loop->sweep_at_ms = UINT64_MAX;
    for (enum od_http_phase phase = 0; phase < OD_HTTP_PHASES; phase++) {
        if (loop->timeout_ms[phase] > 0) {
            expire_phase(loop, phase);
        }
    }
}

// ---- spare memory ----

od_arena *od_http_loop_lend_arena(struct od_http_loop *loop)
{
    if (loop->spare_arena_count == 0) {
        return od_arena_create();
    }
    return loop->spare_arenas[--loop->spare_arena_count];
}

void od_http_loop_return_arena(struct od_http_loop *loop, od_arena *arena)
{
    if (loop->spare_arena_count == OD_HTTP_SPARE_ARENAS) {
        od_arena_destroy(arena);
        return;
    }
    od_arena_reset(arena);
    loop->spare_arenas[loop->spare_arena_count++] = arena;
}

static struct od_http_conn *take_spare_conn(struct od_http_loop *loop)
{
    struct od_http_link *link = loop->spare_conns;
    loop->spare_conns = link->next;
    loop->spare_conn_count--;
    return (struct od_http_conn *)link;
}

struct od_http_conn *od_http_loop_lend_conn(struct od_http_loop *loop)
{
    struct od_http_conn *conn =
        loop->spare_conn_count > 0 ? take_spare_conn(loop) : malloc(sizeof(*conn));
    if (conn == NULL) {
        fputs("ordna: out of memory\n", stderr);
        abort();
    }
    memset(conn, 0, sizeof(*conn));
    conn->loop = loop;
    link_init(&conn->link);
    loop->conn_count++;
    atomic_fetch_add_explicit(&loop->server->conn_count, 1, memory_order_relaxed);
    return conn;
}

static void stop_when_empty(struct od_http_loop *loop)
{
    if (loop->stopping && loop->conn_count == 0) {
        uv_stop(&loop->uv);
    }
}

void od_http_loop_return_conn(struct od_http_conn *conn)
{
    struct od_http_loop *loop = conn->loop;
    link_remove(&conn->link);
    loop->conn_count--;
    atomic_fetch_sub_explicit(&loop->server->conn_count, 1, memory_order_relaxed);
    stop_when_empty(loop);
    if (loop->spare_conn_count == OD_HTTP_SPARE_CONNS) {
        free(conn);
        return;
    }
    conn->link.next = loop->spare_conns;
    loop->spare_conns = &conn->link;
    loop->spare_conn_count++;
}

// ---- answers from other threads ----

// A stack that many threads push on and the loop takes whole, so that no element is ever looked at
// by two. Only the first push of a batch needs to wake the loop; when one of another kind is before
// it, the loop has been woken or will be.
void od_http_loop_push_answered(struct od_http_loop *loop, struct od_http_conn *conn)
{
    const bool wake_later = conn->parser.request.wake_later; // after the push it is the loop's
    struct od_http_conn *top = atomic_load_explicit(&loop->answered, memory_order_relaxed);
    do {
        conn->next_answered = top;
    } while (!atomic_compare_exchange_weak_explicit(&loop->answered, &top, conn,
                                                    memory_order_release, memory_order_relaxed));
    if (top == NULL && !wake_later) {
        uv_async_send(&loop->wake);
    }
}

void od_http_loop_wake(struct od_http_loop *loop)
{
    if (atomic_load_explicit(&loop->answered, memory_order_relaxed) != NULL) {
        uv_async_send(&loop->wake);
    }
}

static struct od_http_conn *take_answered(struct od_http_loop *loop)
{
    struct od_http_conn *newest =
        atomic_exchange_explicit(&loop->answered, NULL, memory_order_acquire);
    struct od_http_conn *oldest = NULL;
    while (newest != NULL) {
        struct od_http_conn *older = newest->next_answered;
        newest->next_answered = oldest;
        oldest = newest;
        newest = older;
    }
    return oldest;
}

static void finish_answered(struct od_http_loop *loop)
{
    struct od_http_conn *conn = take_answered(loop);
    while (conn != NULL) {
        struct od_http_conn *next = conn->next_answered; // before conn serves or is freed
        od_http_serve_answered(conn);
        conn = next;
    }
}

// ---- stopping ----

static void close_phase(struct od_http_loop *loop, enum od_http_phase phase)
{
    struct od_http_conn *conn = first_conn(&loop->phases[phase]);
    while (conn != NULL) {
        od_http_conn_close(conn);
        conn = first_conn(&loop->phases[phase]);
    }
}

static void close_sockets(struct od_http_loop *loop)
{
    for (enum od_http_phase phase = 0; phase < OD_HTTP_GONE; phase++) {
        close_phase(loop, phase);
    }
}

// Requests whose answers have not come keep their connections' memory: an answer may still come.
static void on_grace_over(uv_timer_t *timer)
{
    struct od_http_loop *loop = timer->data;
    close_sockets(loop);
    uv_stop(&loop->uv);
}

static void begin_stop(struct od_http_loop *loop)
{
    loop->stopping = true;
    uv_close((uv_handle_t *)&loop->listener, NULL);
    close_phase(loop, OD_HTTP_IDLE);
    close_phase(loop, OD_HTTP_LINGERING);
    uv_update_time(&loop->uv);
    uv_timer_start(&loop->grace, on_grace_over, loop->server->grace_ms, 0);
    stop_when_empty(loop);
}

static void on_wake(uv_async_t *wake)
{
    struct od_http_loop *loop = wake->data;
    finish_answered(loop);
    if (!loop->stopping && atomic_load(&loop->server->stopping)) {
        begin_stop(loop);
    }
}

static void on_before_wait(uv_prepare_t *before_wait)
{
    const struct od_http_loop *loop = before_wait->data;
    loop->server->before_wait(loop->server->app);
}

// ---- opening, running, closing ----

static void on_connection(uv_stream_t *listener, int status)
{
    if (status == 0) { // or libuv has dropped the connection, for want of file descriptors
        od_http_conn_accept(listener->data);
    }
}

static void set_timeouts(struct od_http_loop *loop, const struct od_http_limits *limits)
{
    loop->timeout_ms[OD_HTTP_IDLE] = limits->idle_timeout_ms;
    loop->timeout_ms[OD_HTTP_HEAD] = limits->header_timeout_ms;
    loop->timeout_ms[OD_HTTP_BODY] = limits->body_timeout_ms;
    loop->timeout_ms[OD_HTTP_WRITING] = limits->write_timeout_ms;
    loop->timeout_ms[OD_HTTP_LINGERING] = LINGER_MS;
}

static void init_plain(struct od_http_loop *loop, struct od_http_server *server)
{
    *loop = (struct od_http_loop){.server = server, .sweep_at_ms = UINT64_MAX};
    for (enum od_http_phase phase = 0; phase < OD_HTTP_PHASES; phase++) {
        link_init(&loop->phases[phase]);
    }
    set_timeouts(loop, &server->limits);
}

static bool init_uv(struct od_http_loop *loop)
{
    if (uv_loop_init(&loop->uv) != 0) {
        return false;
    }
    if (uv_async_init(&loop->uv, &loop->wake, on_wake) != 0) {
        uv_loop_close(&loop->uv);
        return false;
    }
    uv_prepare_init(&loop->uv, &loop->before_wait);
    uv_timer_init(&loop->uv, &loop->sweep);
    uv_timer_init(&loop->uv, &loop->grace);
    uv_tcp_init(&loop->uv, &loop->listener);
    loop->wake.data = loop;
    loop->before_wait.data = loop;
    loop->sweep.data = loop;
    loop->grace.data = loop;
    loop->listener.data = loop;
    return true;
}

bool od_http_loop_open(struct od_http_loop *loop, struct od_http_server *server)
{
    init_plain(loop, server);
    loop->read_buffer = malloc(OD_HTTP_READ_BYTES);
    if (loop->read_buffer == NULL || !init_uv(loop)) {
        free(loop->read_buffer);
        return false;
    }
    return true;
}

bool od_http_loop_listen(struct od_http_loop *loop, int fd)
{
    if (uv_tcp_open(&loop->listener, fd) != 0) {
        close(fd);
        return false;
    }
    return uv_listen((uv_stream_t *)&loop->listener, SOMAXCONN, on_connection) == 0;
}

// A peer that hangs up while it is written to is an error of that write and no signal.
static void block_sigpipe(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void od_http_loop_run(void *arg)
{
    struct od_http_loop *loop = arg;
    loop->self = uv_thread_self();
    block_sigpipe();
    if (loop->server->before_wait != NULL) {
        uv_prepare_start(&loop->before_wait, on_before_wait);
    }
    uv_run(&loop->uv, UV_RUN_DEFAULT);
}

static void close_handle(uv_handle_t *handle)
{
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

// An emptied loop stops itself; what is still closing then needs another run.
static void run_until_done(struct od_http_loop *loop)
{
    while (uv_run(&loop->uv, UV_RUN_DEFAULT) != 0) {
    }
}

// Closes everything but `wake`, which work on the pool may still use, and waits for that work.
static void close_uv(struct od_http_loop *loop)
{
    loop->stopping = true;
    close_sockets(loop);
    close_handle((uv_handle_t *)&loop->listener);
    close_handle((uv_handle_t *)&loop->before_wait);
    close_handle((uv_handle_t *)&loop->sweep);
    close_handle((uv_handle_t *)&loop->grace);
    uv_unref((uv_handle_t *)&loop->wake);
    run_until_done(loop);
    close_handle((uv_handle_t *)&loop->wake);
    run_until_done(loop);
}

static void free_spares(struct od_http_loop *loop)
{
    while (loop->spare_conn_count > 0) {
        free(take_spare_conn(loop));
    }
    while (loop->spare_arena_count > 0) {
        od_arena_destroy(loop->spare_arenas[--loop->spare_arena_count]);
    }
    free(loop->read_buffer);
}

void od_http_loop_close(struct od_http_loop *loop)
{
    close_uv(loop);
    finish_answered(loop);
    struct od_http_conn *conn = first_conn(&loop->phases[OD_HTTP_GONE]);
    while (conn != NULL) { // nobody has answered these, and nobody will
        od_http_conn_free(conn);
        conn = first_conn(&loop->phases[OD_HTTP_GONE]);
    }
    int err = uv_loop_close(&loop->uv);
    assert(err == 0);
    (void)err;
    free_spares(loop);
}
