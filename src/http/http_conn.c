// One connection, from accept to close.
//
//   IDLE -> HEAD -> BODY -> HANDLING -> WRITING -> IDLE      as far as each is needed
//   HEAD, BODY  --refused-->  WRITING -> LINGERING           also after the last answer
//   any         --lost------> GONE                           freed when no answer is due any more
//
// Reading goes on while a request is handled, so that a hang-up is noticed; but after one read of
// bytes that belong to later requests it stops until they are used.
//
// Serving and writing are in http_serve.c.
#include "http/http_internal.h"

#include <stdlib.h>
#include <string.h>

// Connections over the limit that are told so at a time.
enum { MAX_REFUSED = 64 };

static const struct od_http_fault too_many_connections = {503, "too many connections"};
static const struct od_http_fault request_too_slow = {408, "the request took too long"};

void od_http_conn_free_if_done(struct od_http_conn *conn)
{
    if (conn->closed && !conn->busy && !conn->on_pool) {
        od_http_conn_free(conn);
    }
}

static void drop_early(struct od_http_conn *conn)
{
    free(conn->early);
    conn->early = NULL;
    conn->early_len = 0;
    conn->early_at = 0;
}

void od_http_conn_free(struct od_http_conn *conn)
{
    drop_early(conn);
    od_http_parser_end(&conn->parser);
    if (conn->arena != NULL) {
        od_http_loop_return_arena(conn->loop, conn->arena);
    }
    od_http_loop_return_conn(conn);
}

static void on_closed(uv_handle_t *handle)
{
    struct od_http_conn *conn = handle->data;
    conn->closed = true;
    od_http_conn_free_if_done(conn);
}

void od_http_conn_count_untaken(struct od_http_conn *conn)
{
    conn->untaken_bytes = conn->answer.head.len + conn->answer.body.len;
    atomic_fetch_add_explicit(&conn->loop->server->all_untaken, conn->untaken_bytes,
                              memory_order_relaxed);
}

void od_http_conn_uncount_untaken(struct od_http_conn *conn)
{
    atomic_fetch_sub_explicit(&conn->loop->server->all_untaken, conn->untaken_bytes,
                              memory_order_relaxed);
    conn->untaken_bytes = 0;
}

void od_http_conn_close(struct od_http_conn *conn)
{
    if (conn->phase == OD_HTTP_GONE) {
        return;
    }
    od_http_conn_uncount_untaken(conn);
    od_http_loop_enter(conn, OD_HTTP_GONE);
    uv_close((uv_handle_t *)&conn->tcp, on_closed);
}

static void begin_request(struct od_http_conn *conn)
{
    conn->arena = od_http_loop_lend_arena(conn->loop);
    od_http_parser_begin(&conn->parser, conn->arena);
    od_http_loop_enter(conn, OD_HTTP_HEAD);
}

static size_t leading_line_breaks(od_str bytes)
{
    size_t count = 0;
    while (count < bytes.len && (bytes.ptr[count] == '\r' || bytes.ptr[count] == '\n')) {
        count++;
    }
    return count;
}

// Takes some of the bytes, and tells how many.
static size_t step(struct od_http_conn *conn, od_str bytes)
{
    size_t skipped = 0;
    if (conn->phase == OD_HTTP_IDLE) {
        // Some clients send a line break after a body. It is not the beginning of a request.
        skipped = leading_line_breaks(bytes);
        if (skipped == bytes.len) {
            return skipped;
        }
        begin_request(conn);
    }
    size_t used = 0;
    od_str rest = od_str_skip(bytes, skipped);
    switch (od_http_parser_feed(&conn->parser, rest, &used)) {
    case OD_HTTP_MORE:
        break;
    case OD_HTTP_HEADERS:
        od_http_loop_enter(conn, OD_HTTP_BODY);
        od_http_serve_head(conn);
        if (conn->parser.expects_continue && used == rest.len) {
            od_http_serve_continue(conn);
        }
        break;
    case OD_HTTP_WHOLE:
        od_http_serve(conn);
        break;
    case OD_HTTP_BAD:
        od_http_serve_refuse(conn, conn->parser.fault);
        break;
    }
    return skipped + used;
}

// Parses, and serves each request that is whole, until the bytes run out, a request waits for its
// answer, or the connection ends. Tells how many bytes it took.
static size_t feed(struct od_http_conn *conn, od_str bytes)
{
    size_t at = 0;
    while (at < bytes.len && conn->phase <= OD_HTTP_BODY) {
        at += step(conn, od_str_skip(bytes, at));
    }
    return conn->phase >= OD_HTTP_LINGERING ? bytes.len : at;
}

static void keep_early(struct od_http_conn *conn, od_str bytes)
{
    uv_read_stop((uv_stream_t *)&conn->tcp);
    conn->early = malloc(bytes.len);
    if (conn->early == NULL) {
        od_http_conn_close(conn);
        return;
    }
    memcpy(conn->early, bytes.ptr, bytes.len);
    conn->early_len = bytes.len;
}

static void on_bytes(struct od_http_conn *conn, od_str bytes)
{
    if (conn->phase == OD_HTTP_LINGERING) {
        conn->dropped_bytes += bytes.len;
        if (conn->dropped_bytes > conn->loop->server->limits.body_bytes) {
            od_http_conn_close(conn);
        }
        return;
    }
    size_t used = feed(conn, bytes);
    if (used < bytes.len) {
        keep_early(conn, od_str_skip(bytes, used));
    }
}

// The peer may have closed its side alone, and wait for the answer.
static void on_end(struct od_http_conn *conn)
{
    conn->peer_done = true;
    if (conn->phase != OD_HTTP_HANDLING && conn->phase != OD_HTTP_WRITING) {
        od_http_conn_close(conn);
    }
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct od_http_conn *conn = stream->data;
    if (count > 0) {
        on_bytes(conn, (od_str){buf->base, (size_t)count});
    } else if (count == UV_EOF) {
        on_end(conn);
    } else if (count < 0) {
        od_http_conn_close(conn);
    }
}

static void lend_read_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)suggested;
    struct od_http_conn *conn = handle->data;
    *buf = (uv_buf_t){.base = conn->loop->read_buffer, .len = OD_HTTP_READ_BYTES};
}

// Goes on where an answer that was due has held things up.
void od_http_conn_resume(struct od_http_conn *conn)
{
    if (conn->early != NULL) {
        od_str bytes = {conn->early + conn->early_at, conn->early_len - conn->early_at};
        conn->early_at += feed(conn, bytes);
        if (conn->early_at < conn->early_len) {
            return;
        }
        drop_early(conn);
    }
    if (conn->phase != OD_HTTP_GONE) {
        // It may be reading already, which is an error to libuv, but harmless.
        (void)uv_read_start((uv_stream_t *)&conn->tcp, lend_read_buffer, on_read);
    }
}

void od_http_conn_expire(struct od_http_conn *conn)
{
    if (conn->phase != OD_HTTP_HEAD && conn->phase != OD_HTTP_BODY) {
        od_http_conn_close(conn);
        return;
    }
    od_http_serve_refuse(conn, request_too_slow);
    od_http_conn_resume(conn);
}

// Those who only keep a connection must not keep others out.
static bool make_room(struct od_http_conn *newcomer)
{
    struct od_http_loop *loop = newcomer->loop;
    struct od_http_conn *oldest = od_http_loop_oldest(loop, OD_HTTP_IDLE);
    uint32_t least_ms = loop->server->limits.crowded_idle_ms;
    uint32_t timeout_ms = loop->timeout_ms[OD_HTTP_IDLE];
    if (oldest == newcomer || least_ms == 0 || timeout_ms == 0) {
        return false;
    }
    uint64_t idle_since_ms = oldest->deadline_ms - timeout_ms;
    if (uv_now(&loop->uv) - idle_since_ms < least_ms) {
        return false;
    }
    od_http_conn_close(oldest);
    return true;
}

// Above the limit clients get 503 at once, which every SDK tries again after a while: a connection
// that waits unaccepted looks like a server that hangs. Their number is bounded too.
static void check_limit(struct od_http_conn *conn)
{
    struct od_http_server *server = conn->loop->server;
    uint32_t count = atomic_load_explicit(&server->conn_count, memory_order_relaxed);
    uint32_t limit = server->limits.max_connections;
    if (limit == 0 || count <= limit || make_room(conn)) {
        return;
    }
    if (count - limit > MAX_REFUSED) {
        od_http_conn_close(conn);
        return;
    }
    od_http_serve_refuse(conn, too_many_connections);
}

void od_http_conn_accept(struct od_http_loop *loop)
{
    struct od_http_conn *conn = od_http_loop_lend_conn(loop);
    uv_tcp_init(&loop->uv, &conn->tcp);
    conn->tcp.data = conn;
    od_http_parser_init(&conn->parser, &loop->server->limits, &loop->server->all_bodies);
    od_http_loop_enter(conn, OD_HTTP_IDLE);
    if (uv_accept((uv_stream_t *)&loop->listener, (uv_stream_t *)&conn->tcp) != 0) {
        od_http_conn_close(conn);
        return;
    }
    check_limit(conn);
    od_http_conn_resume(conn);
}
