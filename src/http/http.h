// An HTTP/1.1 server: event loops, connections, limits. It knows nothing of DynamoDB.
//
//   loop 1..N   each a thread with its own listening socket (SO_REUSEPORT) and connections
//   connection  one request at a time, its bytes in an arena of the loop's; keep-alive, pipelining
//
// The handler gets a whole request. It answers at once, or later from any thread, exactly once.
//
// What is not a request that may be served is answered here, and the connection closed:
//   400 malformed, or a head over its limit     408 too slow     413 a body over its limit
//   501 a transfer coding but chunked           505 not HTTP/1.0 or 1.1
//   503 too many connections, or too many bodies at once; with Retry-After
#ifndef OD_HTTP_HTTP_H
#define OD_HTTP_HTTP_H

#include "base/status.h"

#include <stdint.h>

typedef struct od_http_server od_http_server;

enum { OD_HTTP_MAX_HEADERS = 256 };

struct od_http_limits {
    size_t header_bytes;   // request line and headers
    size_t body_bytes;     // of one request
    size_t all_body_bytes; // of all requests at once, bodies over 64 KB counted; 0: no limit
    // Of all answers whose peers have not taken them yet; above it those that have had the longest
    // time to are closed. 0: no limit.
    size_t all_answer_bytes;
    // Deadlines; 0: none.
    uint32_t header_timeout_ms; // from the first byte of a request to its last header
    uint32_t body_timeout_ms;   // from the last header to the last byte
    uint32_t idle_timeout_ms;   // between requests
    uint32_t write_timeout_ms;  // a peer that does not take its answer
    uint32_t max_connections;   // 0: no limit
    // Where there are too many connections, one that has been idle for so long (and has an idle
    // time-out) makes room for a new one. 0: none does.
    uint32_t crowded_idle_ms;
};

struct od_http_request;

struct od_http_options {
    const char *host; // an IPv4 or IPv6 address
    uint16_t port;    // 0: any free one
    uint32_t threads; // event loops; 0: one for each core
    struct od_http_limits limits;
    // Asked on a loop's thread when the head of a request with a body has come. If it is not to be
    // served, its body is dropped as it comes, and the handler gets it with `refused` set, to
    // answer it. NULL: all are.
    bool (*admit)(void *app, const struct od_http_request *head);
    // Called on each loop's thread before it waits for what comes next, after the handler has been
    // called for what has come: to hand over what that has gathered. NULL: nothing.
    void (*before_wait)(void *app);
};

struct od_http_header {
    od_str name; // as sent
    od_str value;
};

struct od_http_request {
    od_str method; // "POST"
    od_str target; // "/", as sent
    const struct od_http_header *headers;
    size_t header_count;
    od_str body;     // de-chunked, content coding not removed
    od_arena *arena; // for the request and its response; one thread at a time
    void *user;      // the handler's own
    bool refused;    // its body was dropped: see od_http_options.admit
    bool wake_later; // the handler's: see od_http_server_wake
};

struct od_http_response {
    int status;
    const struct od_http_header *headers; // besides Content-Length, Connection and Date
    size_t header_count;
    od_str body;
    bool close; // close the connection afterwards
};

// The value of the first header of that name, whatever the case; {NULL, 0} when there is none.
od_str od_http_header(const struct od_http_request *request, od_str name);

// Called on a loop's thread. It calls od_http_respond before it returns, or sees to it that
// somebody does later.
typedef void od_http_handler(void *app, struct od_http_request *request);

// Answers a request; from any thread. What `response` points to may lie in the request's arena or
// be static; the body is sent from where it lies. After this the request must not be touched.
// A header whose name or value holds a control character, such as a line break, is left out.
// Nothing happens when the client is gone.
void od_http_respond(struct od_http_request *request, const struct od_http_response *response);

// For a thread that answers many requests at a time: answers to requests with `wake_later` wake
// their loops no more one by one, but all with this. It is due after the last of them.
void od_http_server_wake(od_http_server *server);

// Runs `work` on the worker pool, and then nothing more: `work` answers the request itself, or
// sees to it that somebody does. Only the handler may call this, on its loop's thread.
typedef void od_http_work(struct od_http_request *request);
void od_http_run_on_pool(struct od_http_request *request, od_http_work *work);

// Binds and listens; it serves from od_http_server_start on. OD_INTERNAL with a message that says
// what to do when the address is taken, unknown or not permitted.
od_status od_http_server_open(od_ctx *cx, const struct od_http_options *options,
                              od_http_handler *handler, void *app, od_http_server **out);
uint16_t od_http_server_port(const od_http_server *server);
od_status od_http_server_start(od_ctx *cx, od_http_server *server);

// Stops accepting, lets requests in flight finish and be answered (for at most `grace_ms`), closes
// idle connections, and joins the threads. From any thread but the loops'. An answer that comes
// after it is dropped.
void od_http_server_stop(od_http_server *server, uint32_t grace_ms);

// Stops without grace if need be, waits for work on the pool, and frees everything: requests that
// nobody has answered too, so whoever could still answer one must have ended before. NULL is fine.
void od_http_server_close(od_http_server *server);

#endif
