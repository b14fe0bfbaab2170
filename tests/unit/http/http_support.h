// A server in this process, and peers that speak to it through plain sockets.
#ifndef OD_TESTS_HTTP_SUPPORT_H
#define OD_TESTS_HTTP_SUPPORT_H

#include "http/http_internal.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the four above first.
#include <cmocka.h>

// Fails the test, with the row of the table that it happened in.
#define check_row(row, cond) check_row_at((row), (cond), #cond, __FILE__, __LINE__)
void check_row_at(size_t row, bool ok, const char *what, const char *file, int line);

void check_text(size_t row, od_str got, od_str want);

// The handler looks at the target:
//
//   /echo     the body comes back; X-Method and X-Target tell the rest
//   /big      the body is BIG_SIZE bytes
//   /close    as /echo, and the connection is closed
//   /inject   with headers that have line breaks in them
//   /nodelay  "on" when the connection has TCP_NODELAY
//   /thread   as /echo, from another thread
//   /gather   as /thread, which gets it before the loop waits, and wakes the loop after the last
//   /pool     as /echo, from the worker pool
//   /relay    as /echo, from another thread that the worker pool told
//   /hold     as /echo, when the test says so
//   /full     is not admitted; the body is "refused"
//   else      404
enum { BIG_SIZE = 8 * 1024 * 1024 };

// Requests in a row, first in, first out.
struct request_queue {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    struct od_http_request *requests[1024];
    size_t head;
    size_t tail;
};

struct fixture {
    od_http_server *server;
    struct od_http_limits limits;
    pthread_t answerer;
    struct request_queue to_answer; // by the thread; NULL ends it
    struct request_queue gathered;
    struct request_queue held;
    _Atomic size_t handled;
};

struct od_http_limits usual_limits(void);

// Options of zero are the usual ones.
void fixture_start(struct fixture *fixture, const struct od_http_limits *limits, uint32_t threads);
void fixture_stop(struct fixture *fixture);

// Waits until a request is held, and takes it.
struct od_http_request *take_held(struct fixture *fixture);
bool any_held(struct fixture *fixture);
void answer_held(struct od_http_request *request);

// Sends requests on another connection until there are `count` connections besides it.
void wait_for_connections(struct fixture *fixture, uint32_t count);

struct peer {
    int fd;
    char *bytes; // received
    size_t len;
    size_t cap;
    size_t at; // used of them
};

struct answer {
    int status;
    od_str head; // until its empty line
    od_str body;
};

void peer_connect(struct peer *peer, const struct fixture *fixture);
void peer_open(struct peer *peer); // the first half of it: a socket
void peer_connect_opened(struct peer *peer, const struct fixture *fixture);
void peer_close(struct peer *peer);
void peer_reset(struct peer *peer); // as a process that is killed with bytes unread

// False when the server has closed.
bool peer_send(struct peer *peer, od_str bytes);
bool peer_receive(struct peer *peer, struct answer *out);      // valid until the next call
bool peer_receive_head(struct peer *peer, struct answer *out); // of an answer without a body
bool peer_is_closed(struct peer *peer); // waits for the server's end or more bytes

od_str answer_header(const struct answer *answer, od_str name); // {NULL, 0} when there is none

// "POST TARGET" with that body, and one answer, which must be a 200 with the same body.
void peer_echo(struct peer *peer, const char *target, od_str body);

#endif
