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

struct client_options {
    const char *host;
    uint16_t port;
    unsigned connections;
    uint64_t rate;     // requests a second; 0: closed loop
    uint64_t requests; // 0: as many as the time allows
    uint64_t seconds;  // 0: as long as the requests take
    uint64_t warm_up;  // requests before, not timed
    // Called when timing begins and when it has ended.
    void (*begin)(void *arg);
    void (*end)(void *arg);
    void *arg;
};

struct client_result {
    struct histogram times_ns;
    uint64_t elapsed_ns;
    uint64_t failed;     // answers that were not 200
    uint64_t body_bytes; // of the answers
    char first_failure[512];
};

// OD_INTERNAL when the server cannot be reached, or closes a connection.
od_status client_run(od_ctx *cx, const struct client_options *options,
                     const struct workload *workload, struct keys *keys, struct client_result *out);

#endif
