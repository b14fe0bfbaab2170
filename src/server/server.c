#include "server/server.h"

#include "api/api.h"
#include "base/clock.h"
#include "http/http.h"
#include "server/exchange.h"
#include "server/read_queue.h"
#include "server/trim.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    STOP_GRACE_MS = 10000,
    TRIM_SECONDS = 10,
    // While a write has had to wait for longer, or the bodies of all that wait are as much, or both
    // are so in part, writes are refused, for their clients to come again. A disk may well take a
    // second now and then; what is made of a body takes some six times its bytes.
    MAX_WRITE_WAIT_MS = 1000,
    MAX_HELD_BYTES = 64 * 1024 * 1024,
    // The same for long reads, which wait for a thread of the pool.
    MAX_READ_WAIT_MS = 250,
    NS_OF_MS = 1000000,
};

#define KB ((size_t)1024)
#define MB (1024 * KB)

static const struct od_http_limits limits = {
    .header_bytes = 16 * KB,
    .body_bytes = 16 * MB,
    .all_body_bytes = 512 * MB,
    .all_answer_bytes = 256 * MB,
    .header_timeout_ms = 20000,
    .body_timeout_ms = 60000,
    .idle_timeout_ms = 300000,
    .write_timeout_ms = 60000,
    .max_connections = 10000,
    .crowded_idle_ms = 5000,
};

struct server {
    od_engine *engine;
    od_http_server *http;
    struct od_read_queue reads;
};

// --- Requests -----------------------------------------------------------------------------------

static void answer(struct od_call *call)
{
    od_exchange_answer(call->user, call->http_status, od_buf_str(&call->out));
}

// A request's `user`.
struct exchange {
    struct od_call call;
    struct server *server;
    int64_t waits_since_ns; // for a thread of the pool
};

static void run_long_read(struct od_http_request *request)
{
    struct exchange *exchange = request->user;
    od_read_queue_leave(&exchange->server->reads,
                        od_clock_monotonic_ns() - exchange->waits_since_ns);
    od_api_run_read(&exchange->call);
    answer(&exchange->call);
}

static void read_on_pool(struct server *server, struct od_http_request *request)
{
    struct exchange *exchange = request->user;
    if (od_read_queue_is_behind(&server->reads, (int64_t)MAX_READ_WAIT_MS * NS_OF_MS)) {
        od_api_refuse(&exchange->call);
        answer(&exchange->call);
        return;
    }
    exchange->waits_since_ns = od_clock_monotonic_ns();
    od_read_queue_enter(&server->reads);
    od_http_run_on_pool(request, run_long_read);
}

// Looked at when the head has come, so that what is refused costs little, and again when the body
// has: others may have come meanwhile.
static bool admit(void *app, const struct od_http_request *head)
{
    const struct server *server = app;
    od_str operation = {0};
    return !od_engine_is_behind(server->engine) || !od_exchange_operation(head, &operation) ||
           !od_api_submits(operation);
}

static struct od_call *begin(struct server *server, struct od_http_request *request)
{
    struct exchange *exchange = od_new(request->arena, struct exchange);
    exchange->server = server;
    request->user = exchange;
    struct od_call *call = &exchange->call;
    call->cx.arena = request->arena;
    call->engine = server->engine;
    call->endpoint = od_exchange_endpoint(request);
    call->user = request;
    call->done = answer;
    return call;
}

static void handle(void *app, struct od_http_request *request)
{
    struct server *server = app;
    if (request->refused || !admit(server, request)) {
        struct od_call *refused = begin(server, request);
        od_api_refuse(refused);
        answer(refused);
        return;
    }
    od_str operation = {0};
    od_str body = {0};
    if (!od_exchange_open(request, &operation, &body)) {
        return;
    }
    struct od_call *call = begin(server, request);
    call->operation = operation;
    call->body = body;
    switch (od_api_decode(call)) {
    case OD_NEXT_ANSWERED:
        answer(call);
        break;
    case OD_NEXT_READ:
        od_api_run_read(call);
        answer(call);
        break;
    case OD_NEXT_TRY_READ:
        if (od_api_try_read(call)) {
            answer(call);
        } else {
            read_on_pool(server, request);
        }
        break;
    case OD_NEXT_LONG_READ:
        read_on_pool(server, request);
        break;
    case OD_NEXT_SUBMIT:
        request->wake_later = true;
        od_api_submit(call);
        break;
    }
}

// Writes are handed over, and their answers back, by the batch: each loop is woken once for it.

static void start_writes(void *app)
{
    const struct server *server = app;
    od_engine_start_jobs(server->engine);
}

static void wake_loops(void *app)
{
    const struct server *server = app;
    od_http_server_wake(server->http);
}

// --- Start and stop -----------------------------------------------------------------------------

static bool is_loopback(const char *host)
{
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, host, &v4) == 1) {
        return (ntohl(v4.s_addr) >> 24) == 127;
    }
    return inet_pton(AF_INET6, host, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

static od_status check_host(od_ctx *cx, const struct od_server_options *options)
{
    if (options->insecure_bind || is_loopback(options->host)) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_INTERNAL,
                   "%s is no loopback address, and any credentials are accepted: use --host "
                   "127.0.0.1, or add --insecure-bind if the network is trusted",
                   options->host);
}

static od_status open_engine(od_ctx *cx, const struct od_server_options *options,
                             struct server *server)
{
    struct od_engine_options engine = {
        .store = options->store,
        .dir = options->dir,
        .durability = options->durability,
        .committer_thread = true,
        .batch_done = wake_loops,
        .batch_done_arg = server,
        .max_wait_ms = MAX_WRITE_WAIT_MS,
        .max_held_bytes = MAX_HELD_BYTES,
    };
    return od_engine_open(cx, &engine, &server->engine);
}

// The port first: when it is taken, nothing has happened on disk.
static od_status open_server(od_ctx *cx, const struct od_server_options *options,
                             struct server *server)
{
    struct od_http_options http = {
        .host = options->host,
        .port = options->port,
        .threads = options->threads,
        .limits = limits,
        .admit = admit,
        .before_wait = start_writes,
    };
    OD_TRY(check_host(cx, options));
    OD_TRY(od_http_server_open(cx, &http, handle, server, &server->http));
    OD_TRY(open_engine(cx, options, server));
    return od_http_server_start(cx, server->http);
}

static void close_server(struct server *server)
{
    if (server->http != NULL) {
        od_http_server_stop(server->http, STOP_GRACE_MS);
    }
    if (server->engine != NULL) {
        od_engine_close(server->engine); // ends what could still answer a request
    }
    if (server->http != NULL) {
        od_http_server_close(server->http);
    }
}

static void print_endpoint(const struct od_server_options *options, uint16_t port)
{
    char endpoint[128];
    bool v6 = strchr(options->host, ':') != NULL;
    snprintf(endpoint, sizeof(endpoint), "http://%s%s%s:%u", v6 ? "[" : "", options->host,
             v6 ? "]" : "", port);
    printf("ordna listens on %s  try: AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b aws dynamodb "
           "list-tables --region us-east-1 --endpoint-url %s\n",
           endpoint, endpoint);
    fflush(stdout);
}

static void block_signals(sigset_t *stop_signals)
{
    sigemptyset(stop_signals);
    sigaddset(stop_signals, SIGTERM);
    sigaddset(stop_signals, SIGINT);
    // Before any thread starts: they inherit it, and sigtimedwait gets them all.
    pthread_sigmask(SIG_BLOCK, stop_signals, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void wait_for_stop(const sigset_t *stop_signals)
{
    const struct timespec pause = {.tv_sec = TRIM_SECONDS};
    while (sigtimedwait(stop_signals, NULL, &pause) < 0) {
        od_server_trim();
    }
}

int od_server_run(const struct od_server_options *options)
{
    sigset_t stop_signals;
    block_signals(&stop_signals);
    struct server server = {0};
    od_ctx cx = {.arena = od_arena_create()};
    od_status status = open_server(&cx, options, &server);
    if (status == OD_OK) {
        print_endpoint(options, od_http_server_port(server.http));
        wait_for_stop(&stop_signals);
    } else {
        fprintf(stderr, "ordna: %.*s\n", OD_STR_ARG(cx.error));
    }
    close_server(&server);
    od_arena_destroy(cx.arena);
    return status == OD_OK ? 0 : 1;
}
