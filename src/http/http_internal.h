// The room of http: what its files share.
//
//   http_server.c   opening, starting, stopping
//   http_listen.c   sockets that listen
//   http_loop.c     one event loop: accepts, deadlines, answers from other threads, spare memory
//   http_conn.c     one connection: accepts, reads, closes
//   http_serve.c    a request in the handler's hands, and its answer on the way out
//   http_parse.c    bytes -> request; no socket in it
//   http_answer.c   response -> bytes; no socket in it
#ifndef OD_HTTP_HTTP_INTERNAL_H
#define OD_HTTP_HTTP_INTERNAL_H

#include "http/http.h"

#include <llhttp.h>
#include <stdatomic.h>
#include <uv.h>

// ---- parsing ----

// Bodies take memory as their bytes arrive: up to this much from the arena, then from the heap,
// where growing a large one moves no bytes, and counted against all_body_bytes.
enum { OD_HTTP_BODY_IN_ARENA = 64 * 1024 };

struct od_http_body {
    char *ptr;
    size_t len;
    size_t cap;
    bool on_heap;
};

// Why a request is not served.
struct od_http_fault {
    int status;
    const char *text; // static
};

struct od_http_parser {
    llhttp_t llhttp;
    const struct od_http_limits *limits;
    _Atomic size_t *all_bodies; // bytes on the heap for all bodies of the server
    struct od_http_request request;
    struct od_http_header *headers; // request.headers while they may be written
    size_t header_cap;
    char *head; // the bytes of the head, which the request's texts point into
    size_t head_cap;
    struct od_http_body body;
    struct od_http_fault fault;
    size_t head_bytes; // read of the head so far
    size_t rest_bytes; // read after it: the body and its framing
    bool name_open;    // the last header's name may go on
    bool head_done;
    bool whole;
    bool keep_alive;
    bool expects_continue;
};

enum od_http_event {
    OD_HTTP_MORE,    // all bytes given were taken or the caller calls again with the others
    OD_HTTP_HEADERS, // the headers are whole and a body follows
    OD_HTTP_WHOLE,   // parser->request is whole
    OD_HTTP_BAD,     // parser->fault says why; the parser is of no more use
};

void od_http_parser_init(struct od_http_parser *parser, const struct od_http_limits *limits,
                         _Atomic size_t *all_bodies);

// Begins a request, whose bytes will lie in `arena`.
void od_http_parser_begin(struct od_http_parser *parser, od_arena *arena);

// Takes bytes, some or all: `used` becomes how many. Never past the end of the request.
enum od_http_event od_http_parser_feed(struct od_http_parser *parser, od_str bytes, size_t *used);

// Forgets the request and frees its body. The arena is the caller's.
void od_http_parser_end(struct od_http_parser *parser);

// ---- answers ----

struct od_http_answer {
    od_str head;
    od_str body;
    bool close;
};

struct od_http_answer_options {
    bool close;     // besides what the response wants
    bool head_only; // the request was a HEAD
};

// `head` is made in the arena; `body` is the response's own.
struct od_http_answer od_http_answer_make(od_arena *arena, const struct od_http_response *response,
                                          struct od_http_answer_options options);

// The answer to a request that is not served.
struct od_http_answer od_http_answer_refusal(od_arena *arena, struct od_http_fault fault);

// ---- connections ----

// A connection is in one list of its loop at any time, that of its phase. A phase has one
// time-out, so that each list is in the order of its deadlines.
enum od_http_phase {
    OD_HTTP_IDLE,      // between requests
    OD_HTTP_HEAD,      // some of a head has come
    OD_HTTP_BODY,      // the head has, and some of the body may have
    OD_HTTP_HANDLING,  // the handler, or whom it has told, has the request
    OD_HTTP_WRITING,   // the peer has taken a part of the answer
    OD_HTTP_LINGERING, // answered for the last time: what the peer still sends is dropped
    OD_HTTP_GONE,      // the socket is closed, or about to be; the answer may still be due
    OD_HTTP_PHASES,
};

struct od_http_link {
    struct od_http_link *prev;
    struct od_http_link *next;
};

struct od_http_conn {
    struct od_http_link link; // first, so that a link is a connection
    struct od_http_loop *loop;
    enum od_http_phase phase;
    uint64_t deadline_ms;         // on the loop's clock
    struct od_http_parser parser; // its request is the one that the handler gets
    od_arena *arena;              // the loop's; NULL while idle
    struct od_http_answer answer;
    size_t untaken_bytes; // of the answer, from when the peer did not take all of it at once
    struct od_http_conn *next_answered; // on its loop's stack
    // Bytes that came while an earlier request had no answer yet: one read, and then no more is
    // read until they are used.
    char *early;
    size_t early_len;
    size_t early_at;
    size_t dropped_bytes; // while lingering
    od_http_work *work;
    bool in_handler; // the handler has been called and has not returned
    bool busy;       // the loop's: somebody has the request, and the answer has not come back
    bool answered;   // the loop's: the answer has come back
    bool answer_due; // theirs: od_http_respond has not been called
    bool on_pool;    // `job` is in use
    bool peer_done;  // the peer will send no more
    bool closed;     // libuv is done with `tcp`
    uv_tcp_t tcp;
    uv_write_t write;
    uv_shutdown_t shutdown;
    uv_work_t job;
};

// Takes a connection that waits on the loop's listener.
void od_http_conn_accept(struct od_http_loop *loop);

// Goes on where an answer that was due has held things up: uses the bytes that came early, and
// then reads.
void od_http_conn_resume(struct od_http_conn *conn);

// It has been in its phase for too long.
void od_http_conn_expire(struct od_http_conn *conn);

// The peer did not take all of its answer at once: counts it; and that it has, or never will.
void od_http_conn_count_untaken(struct od_http_conn *conn);
void od_http_conn_uncount_untaken(struct od_http_conn *conn);

// Closes the socket; the rest follows by itself.
void od_http_conn_close(struct od_http_conn *conn);

// Frees what a connection holds. Its socket is closed.
void od_http_conn_free(struct od_http_conn *conn);
void od_http_conn_free_if_done(struct od_http_conn *conn); // nobody has its request or socket

// ---- serving ----

// For a request whose head is there, and whose body is not.
void od_http_serve_head(struct od_http_conn *conn);

// Calls the handler for a request that is whole.
void od_http_serve(struct od_http_conn *conn);

// The answer to its request is in conn->answer; on the loop's thread.
void od_http_serve_answered(struct od_http_conn *conn);

// Answers without the handler, for the last time.
void od_http_serve_refuse(struct od_http_conn *conn, struct od_http_fault fault);

void od_http_serve_continue(struct od_http_conn *conn);

// ---- loops ----

enum {
    OD_HTTP_READ_BYTES = 64 * 1024,
    OD_HTTP_SPARE_ARENAS = 32,
    OD_HTTP_SPARE_CONNS = 128,
};

struct od_http_loop {
    struct od_http_server *server;
    uv_loop_t uv;
    uv_thread_t self; // set by the thread itself, before it serves
    uv_thread_t thread;
    uv_tcp_t listener;
    uv_async_t wake;
    uv_prepare_t before_wait;
    uv_timer_t sweep; // goes off when the first deadline may have come
    uint64_t sweep_at_ms;
    uv_timer_t grace;
    bool stopping;
    struct od_http_link phases[OD_HTTP_PHASES];
    uint32_t timeout_ms[OD_HTTP_PHASES]; // 0: none
    uint32_t conn_count;
    _Atomic(struct od_http_conn *) answered; // newest first
    char *read_buffer;                       // each read's bytes are used before the next read
    od_arena *spare_arenas[OD_HTTP_SPARE_ARENAS];
    size_t spare_arena_count;
    struct od_http_link *spare_conns; // linked by `next`
    size_t spare_conn_count;
};

// False when the system refuses, and then nothing is left of the loop.
bool od_http_loop_open(struct od_http_loop *loop, struct od_http_server *server);

// Accepts from the socket `fd`, which becomes the loop's own in any case.
bool od_http_loop_listen(struct od_http_loop *loop, int fd);

// Serves until it has been told to stop, and is empty or out of grace. The body of a thread; `arg`
// is the loop.
void od_http_loop_run(void *arg);

// Closes and frees everything; on any thread, while the loop does not run.
void od_http_loop_close(struct od_http_loop *loop);

// The connection that has been in the phase for the longest time, or NULL.
struct od_http_conn *od_http_loop_oldest(struct od_http_loop *loop, enum od_http_phase phase);

void od_http_loop_enter(struct od_http_conn *conn, enum od_http_phase phase);

// An answer from any thread; the loop is woken for it, unless that is due later.
void od_http_loop_push_answered(struct od_http_loop *loop, struct od_http_conn *conn);
// Wakes the loop if there are answers for it.
void od_http_loop_wake(struct od_http_loop *loop);

od_arena *od_http_loop_lend_arena(struct od_http_loop *loop);
void od_http_loop_return_arena(struct od_http_loop *loop, od_arena *arena);

// A zeroed connection in no list, and counted; back with _return_conn.
struct od_http_conn *od_http_loop_lend_conn(struct od_http_loop *loop);
void od_http_loop_return_conn(struct od_http_conn *conn);

// ---- the server ----

struct od_http_server {
    od_http_handler *handler;
    bool (*admit)(void *app, const struct od_http_request *head);
    void (*before_wait)(void *app);
    void *app;
    struct od_http_limits limits;
    uint16_t port;
    bool started;
    _Atomic bool stopping;
    uint32_t grace_ms; // set before `stopping`
    _Atomic uint32_t conn_count;
    _Atomic size_t all_bodies;
    _Atomic size_t all_untaken; // bytes of answers
    uint32_t loop_count;
    struct od_http_loop *loops;
};

// A socket that listens on host and port. The first of several to share a port (`shared` false)
// takes it for itself alone, so that a server that is there already is an error.
od_status od_http_listen(od_ctx *cx, const char *host, uint16_t port, bool shared, int *out);

#endif
