#include "client.h"

#include "conn.h"

#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000, DRAIN_MS = 10000 };

// An open loop's requests are due at such ticks, some at a time: waking up for each costs a client
// more than sending it.
enum { TICK_NS = 100000 };

// Whoever waits so long for an answer waits a part of that for a connection.
enum { PARTS_FOR_CONNECTION = 10 };

enum phase { CONNECTING, WARMING_UP, TIMING };

// A connection and what it is about to do or waits for.
struct sender {
    struct client *client;
    struct conn conn;
    char *requests[WORKLOAD_MAX_OPS]; // its own, for its keys
    const struct workload_op *op;     // the one that it waits for; NULL: none
    int follows;                      // the next one of the same request, or WORKLOAD_NO_OP
    uint64_t key;
    uint64_t due_ns;
    uint64_t sent_ns;
    struct sender *next_idle;
};

struct client {
    const struct client_options *options;
    const struct workload *workload;
    struct keys *keys;
    struct client_result *result;
    od_ctx *cx;
    od_status status;
    uv_loop_t loop;
    struct sender *senders;
    struct sender *idle;
    unsigned idle_count;
    enum phase phase;
    uint64_t begun; // requests of this phase, those too that were not sent
    uint64_t began_ns;
    uint64_t end_ns; // no request is due after it
    uint64_t next_due_ns;
    uint64_t last_answer_ns;
    uint64_t armed_ns; // when the timer goes off
    int timer_fd;      // libuv's timers count milliseconds
    uv_poll_t timer;
    uv_timer_t drain; // for answers that never come
    char *read_buffer;
};

static void fail(struct client *client, const char *what, int err)
{
    if (client->status == OD_OK) {
        client->status = OD_FAIL(client->cx, OD_INTERNAL, "%s: %s", what,
                                 err == UV_EOF ? "closed by the server" : uv_strerror(err));
    }
    uv_stop(&client->loop);
}

static bool is_patient(const struct client *client)
{
    return client->options->give_up_ms == 0;
}

// ---- what is due ----

static bool is_open_loop(const struct client *client)
{
    return client->phase == TIMING && client->options->rate > 0;
}

static bool may_begin(const struct client *client, uint64_t due_ns)
{
    if (client->phase == WARMING_UP) {
        return client->begun < client->options->warm_up;
    }
    uint64_t most = client->options->requests;
    return (most == 0 || client->begun < most) && due_ns < client->end_ns;
}

static uint64_t take_due(struct client *client)
{
    uint64_t due_ns = client->next_due_ns;
    client->begun++;
    uint64_t after_ns = client->begun * NS_PER_S / client->options->rate;
    client->next_due_ns = client->began_ns + after_ns - after_ns % TICK_NS;
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
        .it_value = {.tv_sec = (time_t)(client->next_due_ns / NS_PER_S),
                     .tv_nsec = (long)(client->next_due_ns % NS_PER_S)},
    };
    timerfd_settime(client->timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
}

// ---- sending ----

static void put_idle(struct client *client, struct sender *sender)
{
    sender->next_idle = client->idle;
    client->idle = sender;
    client->idle_count++;
}

static struct sender *take_idle(struct client *client)
{
    struct sender *sender = client->idle;
    client->idle = sender->next_idle;
    client->idle_count--;
    return sender;
}

static void remove_idle(struct client *client, struct sender *sender)
{
    for (struct sender **at = &client->idle; *at != NULL; at = &(*at)->next_idle) {
        if (*at == sender) {
            *at = sender->next_idle;
            client->idle_count--;
            return;
        }
    }
}

static void send_op(struct sender *sender, size_t which)
{
    const struct workload_op *op = &sender->client->workload->ops[which];
    sender->op = op;
    sender->follows = op->then;
    workload_fill(op, sender->requests[which], sender->key, sender->client->keys);
    conn_send(&sender->conn, sender->requests[which], op->request.len);
}

static void begin_request(struct sender *sender, uint64_t due_ns, uint64_t now_ns)
{
    struct client *client = sender->client;
    size_t which = workload_pick(client->workload, keys_random(client->keys));
    sender->due_ns = due_ns;
    sender->sent_ns = now_ns;
    sender->key = workload_next_key(&client->workload->ops[which], client->keys);
    send_op(sender, which);
}

static void send_closed(struct client *client, uint64_t now_ns)
{
    while (client->idle != NULL && may_begin(client, now_ns)) {
        client->begun++;
        begin_request(take_idle(client), now_ns, now_ns);
    }
}

static bool is_hopeless(const struct client *client, uint64_t now_ns)
{
    return !is_patient(client) && now_ns - client->next_due_ns > client->options->give_up_ms *
                                                                     NS_PER_MS /
                                                                     PARTS_FOR_CONNECTION;
}

static void send_open(struct client *client, uint64_t now_ns)
{
    while (client->next_due_ns <= now_ns && may_begin(client, client->next_due_ns)) {
        if (is_hopeless(client, now_ns)) {
            (void)take_due(client);
            client->result->unsent++;
            continue;
        }
        if (client->idle == NULL) {
            return;
        }
        struct sender *sender = take_idle(client);
        begin_request(sender, take_due(client), now_ns);
    }
    if (client->idle != NULL && may_begin(client, client->next_due_ns)) {
        arm_timer(client);
    }
}

static void end_phase_if_over(struct client *client, uint64_t now_ns);

// Gives the idle connections what is due.
static void send_due(struct client *client)
{
    uint64_t now_ns = uv_hrtime();
    if (is_open_loop(client)) {
        send_open(client, now_ns);
    } else {
        send_closed(client, now_ns);
    }
    end_phase_if_over(client, now_ns);
}

// ---- phases ----

static void finish(struct client *client)
{
    while (is_open_loop(client) && may_begin(client, client->next_due_ns)) {
        (void)take_due(client);
        client->result->unsent++;
    }
    client->result->begun = client->begun;
    client->result->elapsed_ns = client->last_answer_ns - client->began_ns;
    client->options->end(client->options->arg);
    uv_stop(&client->loop);
}

static void on_drained(uv_timer_t *timer)
{
    struct client *client = timer->data;
    if (is_patient(client)) {
        fail(client, "an answer does not come", UV_ETIMEDOUT);
        return;
    }
    client->result->lost += client->options->connections - client->idle_count;
    finish(client);
}

static void begin_timing(struct client *client)
{
    const struct client_options *options = client->options;
    client->phase = TIMING;
    client->begun = 0;
    options->begin(options->arg);
    client->began_ns = uv_hrtime();
    client->last_answer_ns = client->began_ns;
    client->next_due_ns = client->began_ns;
    client->end_ns = UINT64_MAX;
    if (options->milliseconds > 0) {
        client->end_ns = client->began_ns + options->milliseconds * NS_PER_MS;
        uv_timer_start(&client->drain, on_drained, options->milliseconds + DRAIN_MS, 0);
    }
    send_due(client);
}

static void end_phase_if_over(struct client *client, uint64_t now_ns)
{
    bool over = !may_begin(client, is_open_loop(client) ? client->next_due_ns : now_ns);
    if (!over || client->idle_count < client->options->connections) {
        return;
    }
    if (client->phase == WARMING_UP) {
        begin_timing(client);
    } else {
        finish(client);
    }
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

// ---- counting ----

// What "__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException" says after the "#".
static void copy_type(const struct conn_answer *answer, char *out, size_t size)
{
    static const char name[] = "\"__type\":\"";
    const char *at = memmem(answer->body, answer->kept, name, sizeof(name) - 1);
    out[0] = '\0';
    if (at == NULL) {
        return;
    }
    at += sizeof(name) - 1;
    const char *end = memchr(at, '"', (size_t)(answer->body + answer->kept - at));
    const char *sharp = end == NULL ? NULL : memchr(at, '#', (size_t)(end - at));
    at = sharp == NULL ? at : sharp + 1;
    size_t len = end == NULL ? 0 : (size_t)(end - at);
    len = len < size ? len : size - 1;
    memcpy(out, at, len);
    out[len] = '\0';
}

static void count_kind(struct client_result *result, const struct conn_answer *answer)
{
    struct client_refusal kind = {.status = answer->status};
    copy_type(answer, kind.type, sizeof(kind.type));
    size_t i = 0;
    while (i < CLIENT_REFUSAL_KINDS - 1 && result->refusals[i].count > 0 &&
           (result->refusals[i].status != kind.status ||
            strcmp(result->refusals[i].type, kind.type) != 0)) {
        i++;
    }
    kind.count = result->refusals[i].count + 1;
    result->refusals[i] = kind;
}

static void count_refusal(struct sender *sender, const struct conn_answer *answer, uint64_t now_ns)
{
    struct client *client = sender->client;
    struct client_result *result = client->result;
    if (!is_patient(client) && client->phase != TIMING) {
        return;
    }
    if (result->first_refusal[0] == '\0') {
        size_t size = answer->kept < CLIENT_TEXT_BYTES ? answer->kept : CLIENT_TEXT_BYTES - 1;
        memcpy(result->first_refusal, answer->body, size);
    }
    count_kind(result, answer);
    histogram_add(&result->refusals_ns, now_ns - sender->sent_ns);
}

static void count_success(struct sender *sender, uint64_t now_ns)
{
    struct client *client = sender->client;
    uint64_t took_ns = now_ns - sender->due_ns;
    if (client->phase != TIMING) {
        return;
    }
    if (!is_patient(client) && took_ns > client->options->give_up_ms * NS_PER_MS) {
        client->result->late++;
        return;
    }
    histogram_add(&client->result->times_ns, took_ns);
}

// ---- what connections say ----

static void on_ready(struct conn *conn)
{
    struct sender *sender = conn->owner;
    struct client *client = sender->client;
    if (sender->follows != WORKLOAD_NO_OP) {
        send_op(sender, (size_t)sender->follows);
        return;
    }
    sender->op = NULL;
    put_idle(client, sender);
    if (client->phase == CONNECTING) {
        if (client->idle_count < client->options->connections) {
            return;
        }
        client->phase = WARMING_UP;
    }
    send_due(client);
}

static void on_answered(struct conn *conn, const struct conn_answer *answer)
{
    struct sender *sender = conn->owner;
    struct client *client = sender->client;
    uint64_t now_ns = uv_hrtime();
    client->last_answer_ns = now_ns;
    client->result->body_bytes += client->phase == TIMING ? answer->body_bytes : 0;
    if (answer->status != 200) {
        sender->follows = WORKLOAD_NO_OP;
        count_refusal(sender, answer, now_ns);
    } else if (sender->follows == WORKLOAD_NO_OP) {
        count_success(sender, now_ns);
    }
}

static void on_lost(struct conn *conn, int err)
{
    struct sender *sender = conn->owner;
    struct client *client = sender->client;
    if (client->phase == CONNECTING || err == UV_ECONNREFUSED || is_patient(client)) {
        fail(client, "the connection is lost", err);
        return;
    }
    if (sender->op == NULL) {
        remove_idle(client, sender);
    } else {
        client->result->lost += client->phase == TIMING ? 1 : 0;
    }
    sender->op = NULL;
    sender->follows = WORKLOAD_NO_OP;
    conn_open(conn);
}

static const struct conn_events events = {
    .ready = on_ready,
    .answered = on_answered,
    .lost = on_lost,
};

// ---- all of it ----

static void open_sender(struct client *client, struct sender *sender,
                        const struct sockaddr_in *address)
{
    sender->client = client;
    sender->follows = WORKLOAD_NO_OP;
    for (size_t i = 0; i < client->workload->op_count; i++) {
        sender->requests[i] =
            (char *)od_arena_copy(client->cx->arena, client->workload->ops[i].request).ptr;
    }
    sender->conn = (struct conn){
        .events = &events,
        .address = address,
        .read_buffer = client->read_buffer,
        .owner = sender,
        .loop = &client->loop,
    };
    conn_open(&sender->conn);
}

static void close_all(struct client *client)
{
    for (unsigned i = 0; i < client->options->connections; i++) {
        conn_close(&client->senders[i].conn);
    }
    uv_close((uv_handle_t *)&client->timer, NULL);
    uv_close((uv_handle_t *)&client->drain, NULL);
    while (uv_run(&client->loop, UV_RUN_DEFAULT) != 0) { // it may have been told to stop
    }
}

static void run(struct client *client, const struct sockaddr_in *address)
{
    uv_loop_init(&client->loop);
    uv_poll_init(&client->loop, &client->timer, client->timer_fd);
    uv_timer_init(&client->loop, &client->drain);
    client->timer.data = client;
    client->drain.data = client;
    uv_poll_start(&client->timer, UV_READABLE, on_timer);
    for (unsigned i = 0; i < client->options->connections; i++) {
        open_sender(client, &client->senders[i], address);
    }
    uv_run(&client->loop, UV_RUN_DEFAULT);
    close_all(client);
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
        .senders = od_new_array(cx->arena, struct sender, options->connections),
        .timer_fd = timer_fd,
        .read_buffer = od_arena_bytes(cx->arena, CONN_READ_BYTES),
    };
    *out = (struct client_result){0};
    run(&client, &address);
    close(timer_fd);
    return client.status;
}
