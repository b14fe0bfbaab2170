// The control: the least that libuv and llhttp can do. Whatever is asked, it answers a body of the
// given size, on as many loops as told. What ordna costs above it is ordna's own.
//
//   echo_server BODY_BYTES [THREADS]      prints "port=N" and serves until it is killed
#include "base/str.h"

#include <arpa/inet.h>
#include <llhttp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

enum { READ_BYTES = 64 * 1024, MAX_THREADS = 64, HEAD_BYTES = 160 };

struct loop {
    uv_loop_t uv;
    uv_tcp_t listener;
    char *read_buffer;
};

struct conn {
    uv_tcp_t tcp;
    uv_write_t write;
    llhttp_t llhttp;
};

static char head[HEAD_BYTES];
static char *body;
static uv_buf_t answer[2];

static void die(const char *what)
{
    fprintf(stderr, "echo_server: %s\n", what);
    exit(1);
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void close_conn(struct conn *conn)
{
    if (!uv_is_closing((uv_handle_t *)&conn->tcp)) {
        uv_close((uv_handle_t *)&conn->tcp, on_closed);
    }
}

// A part of an answer that did not fit; the load generator asks for no more until it is there.
static void on_written(uv_write_t *write, int status)
{
    if (status < 0) {
        close_conn(write->data);
    }
}

static void write_rest(struct conn *conn, size_t sent)
{
    size_t of_head = sent < answer[0].len ? sent : answer[0].len;
    uv_buf_t rest[2] = {
        uv_buf_init(answer[0].base + of_head, (unsigned)(answer[0].len - of_head)),
        uv_buf_init(answer[1].base + (sent - of_head),
                    (unsigned)(answer[1].len - (sent - of_head))),
    };
    conn->write.data = conn;
    uv_write(&conn->write, (uv_stream_t *)&conn->tcp, rest, 2, on_written);
}

static int on_message_complete(llhttp_t *llhttp)
{
    struct conn *conn = llhttp->data;
    int sent = uv_try_write((uv_stream_t *)&conn->tcp, answer, 2);
    if (sent < 0 && sent != UV_EAGAIN) {
        return -1;
    }
    size_t done = sent < 0 ? 0 : (size_t)sent;
    if (done < answer[0].len + answer[1].len) {
        write_rest(conn, done);
    }
    return 0;
}

static const llhttp_settings_t settings = {.on_message_complete = on_message_complete};

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct conn *conn = stream->data;
    if (count < 0 ||
        (count > 0 && llhttp_execute(&conn->llhttp, buf->base, (size_t)count) != HPE_OK)) {
        close_conn(conn);
    }
}

static void lend_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)suggested;
    struct loop *loop = handle->loop->data;
    *buf = uv_buf_init(loop->read_buffer, READ_BYTES);
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct conn *conn = calloc(1, sizeof(*conn));
    if (status < 0 || conn == NULL) {
        die("cannot accept");
    }
    uv_tcp_init(listener->loop, &conn->tcp);
    conn->tcp.data = conn;
    llhttp_init(&conn->llhttp, HTTP_REQUEST, &settings);
    conn->llhttp.data = conn;
    uv_accept(listener, (uv_stream_t *)&conn->tcp);
    uv_tcp_nodelay(&conn->tcp, 1);
    uv_read_start((uv_stream_t *)&conn->tcp, lend_buffer, on_read);
}

// All loops listen on the port that the first one finds.
static uint16_t listen_on(struct loop *loop, uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t size = sizeof(address);
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) != 0 ||
        bind(fd, (const struct sockaddr *)&address, size) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        die("cannot bind");
    }
    uv_loop_init(&loop->uv);
    loop->uv.data = loop;
    loop->read_buffer = malloc(READ_BYTES);
    uv_tcp_init(&loop->uv, &loop->listener);
    if (uv_tcp_open(&loop->listener, fd) != 0 ||
        uv_listen((uv_stream_t *)&loop->listener, SOMAXCONN, on_connection) != 0) {
        die("cannot listen");
    }
    return ntohs(address.sin_port);
}

static void run_loop(void *arg)
{
    struct loop *loop = arg;
    uv_run(&loop->uv, UV_RUN_DEFAULT);
}

static void make_answer(size_t body_bytes)
{
    int len = snprintf(head, sizeof(head),
                       "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\n"
                       "Content-Length: %zu\r\nConnection: keep-alive\r\n\r\n",
                       body_bytes);
    body = malloc(body_bytes + 1);
    if (body == NULL) {
        die("out of memory");
    }
    memset(body, 'x', body_bytes);
    answer[0] = uv_buf_init(head, (unsigned)len);
    answer[1] = uv_buf_init(body, (unsigned)body_bytes);
}

int main(int argc, char **argv)
{
    static struct loop loops[MAX_THREADS];
    uint64_t body_bytes = 0;
    uint64_t threads = 1;
    if (argc < 2 || argc > 3 || !od_str_to_u64(od_cstr(argv[1]), &body_bytes) ||
        (argc == 3 && !od_str_to_u64(od_cstr(argv[2]), &threads)) || body_bytes > 1u << 30 ||
        threads == 0 || threads > MAX_THREADS) {
        die("usage: echo_server BODY_BYTES [THREADS]");
    }
    signal(SIGPIPE, SIG_IGN);
    make_answer((size_t)body_bytes);
    uint16_t port = 0;
    for (size_t i = 0; i < threads; i++) {
        port = listen_on(&loops[i], port);
    }
    printf("port=%u\n", (unsigned)port);
    fflush(stdout);
    for (size_t i = 1; i < threads; i++) {
        uv_thread_t thread;
        uv_thread_create(&thread, run_loop, &loops[i]);
    }
    run_loop(&loops[0]);
    return 0;
}
