#include "client.h"

#include <llhttp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <uv.h>

enum { READ_BYTES = 256 * 1024 };

enum phase { CONNECTING, WARMING_UP, TIMING };

struct conn {
    struct client *client;
    uv_tcp_t tcp;
    uv_connect_t connecting;
    uv_write_t write;
    llhttp_t llhttp;
    char *requests[WORKLOAD_MAX_OPS]; // its own, for its keys
    uint64_t due_ns;
    struct conn *next_idle;
};

struct client {
    const struct client_options *options;
    const struct workload *workload;
    struct keys *keys;
    struct client_result *result;
    od_ctx *cx;
    od_status status;
    uv_loop_t loop;
    struct conn *conns;
    struct conn *idle;
    unsigned idle_count;
    enum phase phase;
    uint64_t sent; // in this phase
    uint64_t began_ns;
    uint64_t end_ns; // no request is due after it
    uint64_t next_due_ns;
    uint64_t armed_ns; // when the timer goes off
    int timer_fd;      // libuv's timers count milliseconds
    uv_poll_t timer;
    char *read_buffer;
};

static void fail(struct client *client, const char *what, int err)
{
    if (client->status == OD_OK) {
        client->status = OD_FAIL(client->cx, OD_INTERNAL, "%s: %s", what,
                                 err == 0 ? "closed by the server" : uv_strerror(err));
    }
    uv_stop(&client->loop);
}

// ---- sending ----

static void on_written(uv_write_t *write, int status)
{
    struct conn *conn = write->data;
    if (status < 0 && status != UV_ECANCELED) {
        fail(conn->client, "cannot send", status);
    }
}

static void send_bytes(struct conn *conn, char *bytes, size_t size)
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
        fail(conn->client, "cannot send", err);
    }
}

static void send_request(struct conn *conn, uint64_t due_ns)
{
    struct client *client = conn->client;
    size_t which = workload_pick(client->workload, keys_random(client->keys));
    const struct workload_op *op = &client->workload->ops[which];
    workload_set_key(op, conn->requests[which], keys_next(client->keys));
    conn->due_ns = due_ns;
    client->sent++;
    send_bytes(conn, conn->requests[which], op->request.len);
}

static bool may_send(const struct client *client, uint64_t due_ns)
{
    if (client->phase == WARMING_UP) {
        return client->sent < client->options->warm_up;
    }
    uint64_t most = client->options->requests;
    return (most == 0 || client->sent < most) && due_ns < client->end_ns;
}

static void put_idle(struct client *client, struct conn *conn)
{
    conn->next_idle = client->idle;
    client->idle = conn;
    client->idle_count++;
}

static struct conn *take_idle(struct client *client)
{
    struct conn *conn = client->idle;
    client->idle = conn->next_idle;
    client->idle_count--;
    return conn;
}

static bool is_open_loop(const struct client *client)
{
    return client->phase == TIMING && client->options->rate > 0;
}

static uint64_t take_due(struct client *client)
{
    uint64_t due_ns = client->next_due_ns;
    client->next_due_ns =
        client->began_ns + (client->sent + 1) * 1000000000u / client->options->rate;
    return due_ns;
}

// Once for each time that something is due.
static void arm_timer(struct client *client)
{
    if (client->armed_ns == client->next_due_ns) {
        return;
    }
    client->armed_ns = client->next_due_ns;
    const struct itimerspec at = {
        .it_value = {.tv_sec = (time_t)(client->next_due_ns / 1000000000u),
                     .tv_nsec = (long)(client->next_due_ns % 1000000000u)},
    };
    timerfd_settime(client->timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
}

static void begin_timing(struct client *client);

static void finish(struct client *client)
{
    client->result->elapsed_ns = uv_hrtime() - client->began_ns;
    client->options->end(client->options->arg);
    uv_stop(&client->loop);
}

static void end_phase_if_over(struct client *client, uint64_t now_ns)
{
    bool over = !may_send(client, is_open_loop(client) ? client->next_due_ns : now_ns);
    if (!over || client->idle_count < client->options->connections) {
        return;
    }
    if (client->phase == WARMING_UP) {
        begin_timing(client);
    } else {
        finish(client);
    }
}

// Gives the idle connections what is due.
static void send_due(struct client *client)
{
    uint64_t now_ns = uv_hrtime();
    bool open_loop = is_open_loop(client);
    while (client->idle != NULL) {
        uint64_t due_ns = open_loop ? client->next_due_ns : now_ns;
        if (due_ns > now_ns || !may_send(client, due_ns)) {
            break;
        }
        send_request(take_idle(client), open_loop ? take_due(client) : due_ns);
    }
    if (open_loop && client->idle != NULL && may_send(client, client->next_due_ns)) {
        arm_timer(client);
    }
    end_phase_if_over(client, now_ns);
}

static void on_timer(uv_poll_t *timer, int status, int events)
{
    (void)status;
    (void)events;
    struct client *client = timer->data;
    uint64_t times = 0;
    if (read(client->timer_fd, &times, sizeof(times)) > 0) {
        send_due(client);
    }
}

static void begin_timing(struct client *client)
{
    const struct client_options *options = client->options;
    client->phase = TIMING;
    client->sent = 0;
    options->begin(options->arg);
    client->began_ns = uv_hrtime();
    client->next_due_ns = client->began_ns;
    client->end_ns =
        options->seconds == 0 ? UINT64_MAX : client->began_ns + options->seconds * 1000000000u;
    send_due(client);
}

// ---- receiving ----

static int on_body(llhttp_t *llhttp, const char *at, size_t len)
{
    struct conn *conn = llhttp->data;
    struct client_result *result = conn->client->result;
    result->body_bytes += conn->client->phase == TIMING ? len : 0;
    if (llhttp_get_status_code(llhttp) != 200 && result->first_failure[0] == '\0') {
        size_t size = len < sizeof(result->first_failure) ? len : sizeof(result->first_failure) - 1;
        memcpy(result->first_failure, at, size);
    }
    return 0;
}

static int on_message_complete(llhttp_t *llhttp)
{
    struct conn *conn = llhttp->data;
    struct client *client = conn->client;
    if (llhttp_get_status_code(llhttp) != 200) {
        client->result->failed++;
    }
    if (client->phase == TIMING) {
        histogram_add(&client->result->times_ns, uv_hrtime() - conn->due_ns);
    }
    put_idle(client, conn);
    send_due(client);
    return 0;
}

static const llhttp_settings_t settings = {
    .on_body = on_body,
    .on_message_complete = on_message_complete,
};

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct conn *conn = stream->data;
    if (count < 0) {
        fail(conn->client, "the connection is lost", count == UV_EOF ? 0 : (int)count);
        return;
    }
    if (count > 0 && llhttp_execute(&conn->llhttp, buf->base, (size_t)count) != HPE_OK) {
        fail(conn->client, "the answer is no HTTP", UV_EPROTO);
    }
}

static void lend_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)suggested;
    struct conn *conn = handle->data;
    *buf = uv_buf_init(conn->client->read_buffer, READ_BYTES);
}

// ---- connecting ----

static void on_connected(uv_connect_t *connecting, int status)
{
    struct conn *conn = connecting->data;
    struct client *client = conn->client;
    if (status != 0) {
        fail(client, "cannot connect", status);
        return;
    }
    uv_tcp_nodelay(&conn->tcp, 1);
    uv_read_start((uv_stream_t *)&conn->tcp, lend_buffer, on_read);
    put_idle(client, conn);
    if (client->idle_count == client->options->connections) {
        client->phase = WARMING_UP;
        send_due(client);
    }
}

static char *copy_request(struct client *client, od_str request)
{
    char *copy = od_arena_bytes(client->cx->arena, request.len);
    memcpy(copy, request.ptr, request.len);
    return copy;
}

static void connect_one(struct client *client, struct conn *conn, const struct sockaddr_in *address)
{
    conn->client = client;
    for (size_t i = 0; i < client->workload->op_count; i++) {
        conn->requests[i] = copy_request(client, client->workload->ops[i].request);
    }
    uv_tcp_init(&client->loop, &conn->tcp);
    conn->tcp.data = conn;
    conn->connecting.data = conn;
    llhttp_init(&conn->llhttp, HTTP_RESPONSE, &settings);
    conn->llhttp.data = conn;
    int err = uv_tcp_connect(&conn->connecting, &conn->tcp, (const struct sockaddr *)address,
                             on_connected);
    if (err != 0) {
        fail(client, "cannot connect", err);
    }
}

static void close_handle(uv_handle_t *handle, void *arg)
{
    (void)arg;
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

static void run(struct client *client, const struct sockaddr_in *address)
{
    uv_loop_init(&client->loop);
    uv_poll_init(&client->loop, &client->timer, client->timer_fd);
    client->timer.data = client;
    uv_poll_start(&client->timer, UV_READABLE, on_timer);
    for (unsigned i = 0; i < client->options->connections; i++) {
        connect_one(client, &client->conns[i], address);
    }
    if (client->status == OD_OK) {
        uv_run(&client->loop, UV_RUN_DEFAULT);
    }
    uv_walk(&client->loop, close_handle, NULL);
    while (uv_run(&client->loop, UV_RUN_DEFAULT) != 0) { // it may have been told to stop
    }
    uv_loop_close(&client->loop);
}

od_status client_run(od_ctx *cx, const struct client_options *options,
                     const struct workload *workload, struct keys *keys, struct client_result *out)
{
    struct sockaddr_in address;
    if (uv_ip4_addr(options->host, options->port, &address) != 0) {
        return OD_FAIL(cx, OD_VALIDATION, "%s is no IPv4 address", options->host);
    }
    int timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer_fd < 0) {
        return OD_FAIL(cx, OD_INTERNAL, "cannot create a timer");
    }
    struct client client = {
        .options = options,
        .workload = workload,
        .keys = keys,
        .result = out,
        .cx = cx,
        .conns = od_new_array(cx->arena, struct conn, options->connections),
        .timer_fd = timer_fd,
        .read_buffer = od_arena_bytes(cx->arena, READ_BYTES),
    };
    *out = (struct client_result){0};
    run(&client, &address);
    close(timer_fd);
    return client.status;
}
