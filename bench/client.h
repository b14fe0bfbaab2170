// Connections that send a workload and time the answers.
//
// Closed loop: each connection sends its next request when it has its answer. Open loop: requests
// are due at a fixed rate, whether or not the server keeps up, and a request's time counts from
// when it was due, so that one that had to wait for a connection is not made to look fast.
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include "histogram.h"
#include "keys.h"
#include "workload.h"

enum { CLIENT_REFUSAL_KINDS = 8, CLIENT_TEXT_BYTES = 512 };

struct client_options {
    const char *host;
    uint16_t port;
    unsigned connections;
    uint64_t rate;         // requests a second; 0: closed loop
    uint64_t requests;     // 0: as many as the time allows
    uint64_t milliseconds; // 0: as long as the requests take
    uint64_t warm_up;      // requests before, not timed
    // An open loop's patience. An answer that comes later is no use, a request that found no
    // connection for a tenth of it is not sent, and refusals and lost connections are counted.
    // 0: there is no end to it, and a lost connection ends the run.
    uint64_t give_up_ms;
    // Called when timing begins and when it has ended.
    void (*begin)(void *arg);
    void (*end)(void *arg);
    void *arg;
};

// An answer that was not 200, and how many were like it.
struct client_refusal {
    int status;
    char type[64]; // DynamoDB's; "" when the body names none
    uint64_t count;
};

struct client_result {
    struct histogram times_ns;    // of those that were answered with 200, from when they were due
    struct histogram refusals_ns; // of the others, from when they were sent
    struct client_refusal refusals[CLIENT_REFUSAL_KINDS]; // the last one: all other kinds
    uint64_t elapsed_ns;                                  // to the last answer
    uint64_t begun;      // requests that were due, in a closed loop those that were sent
    uint64_t late;       // answered with 200 after `give_up_ms`
    uint64_t unsent;     // no connection was free in time
    uint64_t lost;       // the connection was closed before the answer
    uint64_t body_bytes; // of the answers
    char first_refusal[CLIENT_TEXT_BYTES];
};

// OD_INTERNAL when the server cannot be reached, or closes a connection.
od_status client_run(od_ctx *cx, const struct client_options *options,
                     const struct workload *workload, struct keys *keys, struct client_result *out);

#endif
