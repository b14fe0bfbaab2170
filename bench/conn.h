// One keep-alive connection of a client: a request, its answer, the next request.
//
// It connects again by itself when the peer closes it after an answer. When it is lost at another
// time its owner decides.
#ifndef BENCH_CONN_H
#define BENCH_CONN_H

#include <llhttp.h>
#include <stddef.h>
#include <uv.h>

enum { CONN_KEPT_BYTES = 512, CONN_READ_BYTES = 256 * 1024 };

struct conn_answer {
    int status;
    size_t body_bytes;
    char body[CONN_KEPT_BYTES]; // its beginning, as text
    size_t kept;
};

struct conn;

struct conn_events {
    void (*ready)(struct conn *conn); // for a request
    void (*answered)(struct conn *conn, const struct conn_answer *answer);
    // `err` is libuv's. The connection is closed; conn_open may be called again.
    void (*lost)(struct conn *conn, int err);
};

struct conn {
    const struct conn_events *events;
    const struct sockaddr_in *address;
    char *read_buffer; // CONN_READ_BYTES; connections of one loop share it
    void *owner;
    uv_loop_t *loop;
    uv_tcp_t tcp;
    uv_connect_t connecting;
    uv_write_t write;
    llhttp_t llhttp;
    struct conn_answer answer;
    int lost_err; // why it is being closed; 0: to connect again
};

// The fields up to `loop` are set. Tells `ready` or `lost` later.
void conn_open(struct conn *conn);

// The bytes stay as they are until the answer is there.
void conn_send(struct conn *conn, char *bytes, size_t size);

// For good, and without a word.
void conn_close(struct conn *conn);

#endif
