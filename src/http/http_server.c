#include "http/http_internal.h"

#include <assert.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

// The port lies in the same place in addresses of IPv4 and IPv6.
static uint16_t port_of(int fd)
{
    struct sockaddr_in6 address = {0};
    socklen_t size = sizeof(address);
    int err = getsockname(fd, (struct sockaddr *)&address, &size);
    assert(err == 0);
    (void)err;
    return ntohs(address.sin6_port);
}

// The first loop finds the port; the others share it.
static od_status open_loop(od_ctx *cx, od_http_server *server, const char *host)
{
    static const char *const message = "cannot create an event loop: too many open files or too "
                                       "little memory; raise the limit (ulimit -n) or use fewer "
                                       "threads";
    bool first = server->loop_count == 0;
    struct od_http_loop *loop = &server->loops[server->loop_count];
    if (!od_http_loop_open(loop, server)) {
        return OD_FAIL(cx, OD_INTERNAL, "%s", message);
    }
    server->loop_count++; // from here on od_http_server_close sees to it
    int fd = -1;
    OD_TRY(od_http_listen(cx, host, server->port, !first, &fd));
    server->port = port_of(fd);
    return od_http_loop_listen(loop, fd) ? OD_OK : OD_FAIL(cx, OD_INTERNAL, "%s", message);
}

static od_status open_loops(od_ctx *cx, od_http_server *server,
                            const struct od_http_options *options, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        OD_TRY(open_loop(cx, server, options->host));
    }
    return OD_OK;
}

static od_http_server *server_create(const struct od_http_options *options, uint32_t loop_count)
{
    od_http_server *server = calloc(1, sizeof(*server));
    struct od_http_loop *loops = calloc(loop_count, sizeof(*loops));
    if (server == NULL || loops == NULL) {
        free(server);
        free(loops);
        return NULL;
    }
    server->limits = options->limits;
    server->port = options->port;
    server->loops = loops;
    return server;
}

od_status od_http_server_open(od_ctx *cx, const struct od_http_options *options,
                              od_http_handler *handler, void *app, od_http_server **out)
{
    assert(options->limits.header_bytes > 0);
    uint32_t count = options->threads == 0 ? uv_available_parallelism() : options->threads;
    od_http_server *server = server_create(options, count);
    if (server == NULL) {
        return OD_FAIL(cx, OD_INTERNAL, "no memory for %u event loops", (unsigned)count);
    }
    server->handler = handler;
    server->admit = options->admit;
    server->before_wait = options->before_wait;
    server->app = app;
    od_status status = open_loops(cx, server, options, count);
    if (status != OD_OK) {
        od_http_server_close(server);
        return status;
    }
    *out = server;
    return OD_OK;
}

uint16_t od_http_server_port(const od_http_server *server)
{
    return server->port;
}

// Tells the first `count` loops to stop, and waits for them.
static void stop_loops(od_http_server *server, uint32_t count, uint32_t grace_ms)
{
    server->grace_ms = grace_ms;
    atomic_store(&server->stopping, true);
    for (uint32_t i = 0; i < count; i++) {
        uv_async_send(&server->loops[i].wake);
    }
    for (uint32_t i = 0; i < count; i++) {
        uv_thread_join(&server->loops[i].thread);
    }
}

od_status od_http_server_start(od_ctx *cx, od_http_server *server)
{
    for (uint32_t i = 0; i < server->loop_count; i++) {
        struct od_http_loop *loop = &server->loops[i];
        int err = uv_thread_create(&loop->thread, od_http_loop_run, loop);
        if (err != 0) {
            stop_loops(server, i, 0);
            return OD_FAIL(cx, OD_INTERNAL, "cannot start a thread: %s; use fewer threads",
                           uv_strerror(err));
        }
    }
    server->started = true;
    return OD_OK;
}

void od_http_server_wake(od_http_server *server)
{
    for (uint32_t i = 0; i < server->loop_count; i++) {
        od_http_loop_wake(&server->loops[i]);
    }
}

void od_http_server_stop(od_http_server *server, uint32_t grace_ms)
{
    if (!server->started) {
        return;
    }
    server->started = false;
    stop_loops(server, server->loop_count, grace_ms);
}

void od_http_server_close(od_http_server *server)
{
    if (server == NULL) {
        return;
    }
    od_http_server_stop(server, 0);
    for (uint32_t i = 0; i < server->loop_count; i++) {
        od_http_loop_close(&server->loops[i]);
    }
    free(server->loops);
    free(server);
}
