// A request in the handler's hands, and its answer on the way out.
#include "http/http_internal.h"

#include <assert.h>

static struct od_http_conn *conn_of(const struct od_http_request *request)
{
    return (struct od_http_conn *)((char *)request - offsetof(struct od_http_conn, parser.request));
}

static void on_shut_down(uv_shutdown_t *request, int status)
{
    (void)request;
    (void)status; // the peer's going is noticed by reading
}

// Closing a socket that has bytes unread resets the connection, and the peer may lose the answer
// with it. So first only our side is closed, and the peer gets a while to read and to close its
// own.
static void linger(struct od_http_conn *conn)
{
    if (conn->peer_done || conn->loop->stopping ||
        uv_shutdown(&conn->shutdown, (uv_stream_t *)&conn->tcp, on_shut_down) != 0) {
        od_http_conn_close(conn);
        return;
    }
    od_http_loop_enter(conn, OD_HTTP_LINGERING);
}

// The answer is out. The caller sees to the bytes that came early, and to reading.
static void end_request(struct od_http_conn *conn)
{
    bool last = conn->answer.close || conn->loop->stopping;
    od_http_parser_end(&conn->parser);
    od_http_loop_return_arena(conn->loop, conn->arena);
    conn->arena = NULL;
    od_http_conn_uncount_untaken(conn);
    conn->answer = (struct od_http_answer){0};
    if (last || conn->peer_done) {
        linger(conn);
        return;
    }
    od_http_loop_enter(conn, OD_HTTP_IDLE);
}

static void on_written(uv_write_t *request, int status)
{
    struct od_http_conn *conn = request->data;
    if (conn->phase == OD_HTTP_GONE) {
        return;
    }
    if (status < 0) {
        od_http_conn_close(conn);
        return;
    }
    end_request(conn);
    od_http_conn_resume(conn);
}

// What waits for slow peers is bounded: the slowest of this loop's go, in the end `conn` itself.
static void bound_untaken(struct od_http_conn *conn)
{
    const struct od_http_server *server = conn->loop->server;
    size_t limit = server->limits.all_answer_bytes;
    while (limit > 0 && conn->phase == OD_HTTP_WRITING &&
           atomic_load_explicit(&server->all_untaken, memory_order_relaxed) > limit) {
        od_http_conn_close(od_http_loop_oldest(conn->loop, OD_HTTP_WRITING));
    }
}

// Hands the system what it did not take at once.
static void write_rest(struct od_http_conn *conn, uv_buf_t bufs[2], size_t sent)
{
    size_t of_head = sent < bufs[0].len ? sent : bufs[0].len;
    bufs[0].base += of_head;
    bufs[0].len -= of_head;
    bufs[1].base += sent - of_head;
    bufs[1].len -= sent - of_head;
    conn->write.data = conn;
    od_http_loop_enter(conn, OD_HTTP_WRITING);
    od_http_conn_count_untaken(conn);
    if (uv_write(&conn->write, (uv_stream_t *)&conn->tcp, bufs, 2, on_written) != 0) {
        od_http_conn_close(conn);
        return;
    }
    bound_untaken(conn);
}

static uv_buf_t buf_of(od_str s)
{
    static char none[1];
    return (uv_buf_t){.base = s.len == 0 ? none : (char *)s.ptr, .len = s.len};
}

static void send_answer(struct od_http_conn *conn)
{
    uv_buf_t bufs[2] = {buf_of(conn->answer.head), buf_of(conn->answer.body)};
    unsigned count = bufs[1].len > 0 ? 2 : 1;
    int sent = uv_try_write((uv_stream_t *)&conn->tcp, bufs, count);
    if (sent == UV_EAGAIN) {
        sent = 0;
    }
    if (sent < 0) {
        od_http_conn_close(conn);
        return;
    }
    if ((size_t)sent == bufs[0].len + bufs[1].len) {
        end_request(conn);
        return;
    }
    write_rest(conn, bufs, (size_t)sent);
}

void od_http_serve_refuse(struct od_http_conn *conn, struct od_http_fault fault)
{
    if (conn->arena == NULL) {
        conn->arena = od_http_loop_lend_arena(conn->loop);
    }
    conn->answer = od_http_answer_refusal(conn->arena, fault);
    send_answer(conn);
}

void od_http_serve_continue(struct od_http_conn *conn)
{
    static char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    uv_buf_t buf = {.base = text, .len = sizeof(text) - 1};
    // Nothing is being written, so it fits or the peer does not read.
    if (uv_try_write((uv_stream_t *)&conn->tcp, &buf, 1) != (int)buf.len) {
        od_http_conn_close(conn);
    }
}

void od_http_serve_head(struct od_http_conn *conn)
{
    const struct od_http_server *server = conn->loop->server;
    struct od_http_request *request = &conn->parser.request;
    request->refused = server->admit != NULL && !server->admit(server->app, request);
}

void od_http_serve(struct od_http_conn *conn)
{
    struct od_http_server *server = conn->loop->server;
    od_http_loop_enter(conn, OD_HTTP_HANDLING);
    conn->busy = true;
    conn->answered = false;
    conn->answer_due = true;
    conn->in_handler = true;
    server->handler(server->app, &conn->parser.request);
    conn->in_handler = false;
    if (conn->answered) {
        conn->busy = false;
        send_answer(conn);
    }
}

static bool is_on_loop(const struct od_http_conn *conn)
{
    const uv_thread_t self = uv_thread_self();
    return uv_thread_equal(&self, &conn->loop->self) != 0;
}

void od_http_respond(struct od_http_request *request, const struct od_http_response *response)
{
    struct od_http_conn *conn = conn_of(request);
    struct od_http_server *server = conn->loop->server;
    assert(conn->answer_due);
    struct od_http_answer_options options = {
        .close = !conn->parser.keep_alive ||
                 atomic_load_explicit(&server->stopping, memory_order_relaxed),
        .head_only = od_str_eq(request->method, OD_STR("HEAD")),
    };
    conn->answer = od_http_answer_make(request->arena, response, options);
    conn->answer_due = false;
    // `in_handler` belongs to the loop's thread: other threads must not look at it.
    if (is_on_loop(conn) && conn->in_handler) {
        conn->answered = true;
        return;
    }
    od_http_loop_push_answered(conn->loop, conn);
}

// Takes the answer from whoever had the request, unless the peer is gone.
static void complete(struct od_http_conn *conn)
{
    conn->busy = false;
    if (conn->phase == OD_HTTP_GONE) {
        od_http_conn_free_if_done(conn);
        return;
    }
    send_answer(conn);
    od_http_conn_resume(conn);
}

void od_http_serve_answered(struct od_http_conn *conn)
{
    conn->answered = true;
    if (!conn->on_pool) {
        complete(conn);
    }
}

static void run_work(uv_work_t *job)
{
    struct od_http_conn *conn = job->data;
    conn->work(&conn->parser.request);
}

// The next request may need `job`, so the answer waits until libuv is done with it.
static void after_work(uv_work_t *job, int status)
{
    (void)status; // nobody cancels
    struct od_http_conn *conn = job->data;
    conn->on_pool = false;
    if (conn->answered) {
        complete(conn);
        return;
    }
    od_http_conn_free_if_done(conn);
}

void od_http_run_on_pool(struct od_http_request *request, od_http_work *work)
{
    struct od_http_conn *conn = conn_of(request);
    assert(is_on_loop(conn) && conn->in_handler && !conn->on_pool);
    conn->on_pool = true;
    conn->work = work;
    conn->job.data = conn;
    int err = uv_queue_work(&conn->loop->uv, &conn->job, run_work, after_work);
    assert(err == 0);
    (void)err;
}
