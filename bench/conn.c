#include "conn.h"

#include <stdbool.h>
#include <string.h>

// ---- closing ----

static void on_closed(uv_handle_t *handle)
{
    struct conn *conn = handle->data;
    if (conn->lost_err == 0) {
        conn_open(conn);
    } else if (conn->lost_err != UV_ECANCELED) {
        conn->events->lost(conn, conn->lost_err);
    }
}

static void close_conn(struct conn *conn, int lost_err)
{
    if (uv_is_closing((uv_handle_t *)&conn->tcp)) {
        return;
    }
    conn->lost_err = lost_err;
    uv_close((uv_handle_t *)&conn->tcp, on_closed);
}

void conn_close(struct conn *conn)
{
    close_conn(conn, UV_ECANCELED);
    conn->lost_err = UV_ECANCELED; // it may be about to connect again
}

// ---- sending ----

static void on_written(uv_write_t *write, int status)
{
    if (status < 0 && status != UV_ECANCELED) {
        close_conn(write->data, status);
    }
}

void conn_send(struct conn *conn, char *bytes, size_t size)
{
    uv_buf_t buf = uv_buf_init(bytes, (unsigned)size);
    int sent = uv_try_write((uv_stream_t *)&conn->tcp, &buf, 1);
    if (sent == (int)size) {
        return;
    }
    if (sent > 0) {
        buf.base += sent;
        buf.len -= (size_t)sent;
    }
    conn->write.data = conn;
    int err = uv_write(&conn->write, (uv_stream_t *)&conn->tcp, &buf, 1, on_written);
    if (err != 0) {
        close_conn(conn, err);
    }
}

// ---- receiving ----

static int on_message_begin(llhttp_t *llhttp)
{
    struct conn *conn = llhttp->data;
    conn->answer.body_bytes = 0;
    conn->answer.kept = 0;
    return 0;
}

static int on_body(llhttp_t *llhttp, const char *at, size_t len)
{
    struct conn *conn = llhttp->data;
    struct conn_answer *answer = &conn->answer;
    size_t room = CONN_KEPT_BYTES - answer->kept;
    size_t kept = len < room ? len : room;
    memcpy(answer->body + answer->kept, at, kept);
    answer->kept += kept;
    answer->body_bytes += len;
    return 0;
}

static int on_message_complete(llhttp_t *llhttp)
{
    struct conn *conn = llhttp->data;
    bool stays = llhttp_should_keep_alive(llhttp) != 0;
    conn->answer.status = llhttp_get_status_code(llhttp);
    conn->events->answered(conn, &conn->answer);
    if (stays) {
        conn->events->ready(conn);
    } else {
        close_conn(conn, 0);
    }
    return 0;
}

static const llhttp_settings_t settings = {
    .on_message_begin = on_message_begin,
    .on_body = on_body,
    .on_message_complete = on_message_complete,
};

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct conn *conn = stream->data;
    if (count < 0) {
        close_conn(conn, (int)count);
        return;
    }
    if (count > 0 && llhttp_execute(&conn->llhttp, buf->base, (size_t)count) != HPE_OK) {
        close_conn(conn, UV_EPROTO);
    }
}

static void lend_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)suggested;
    struct conn *conn = handle->data;
    *buf = uv_buf_init(conn->read_buffer, CONN_READ_BYTES);
}

// ---- connecting ----

static void on_connected(uv_connect_t *connecting, int status)
{
    struct conn *conn = connecting->data;
    if (status == UV_ECANCELED) {
        return;
    }
    if (status != 0) {
        close_conn(conn, status);
        return;
    }
    uv_tcp_nodelay(&conn->tcp, 1);
    uv_read_start((uv_stream_t *)&conn->tcp, lend_buffer, on_read);
    conn->events->ready(conn);
}

void conn_open(struct conn *conn)
{
    uv_tcp_init(conn->loop, &conn->tcp);
    conn->tcp.data = conn;
    conn->connecting.data = conn;
    llhttp_init(&conn->llhttp, HTTP_RESPONSE, &settings);
    conn->llhttp.data = conn;
    int err = uv_tcp_connect(&conn->connecting, &conn->tcp, (const struct sockaddr *)conn->address,
                             on_connected);
    if (err != 0) {
        close_conn(conn, err);
    }
}
