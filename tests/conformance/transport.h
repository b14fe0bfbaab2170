// How a scenario's requests reach what is tested.
#ifndef OD_TESTS_CONFORMANCE_TRANSPORT_H
#define OD_TESTS_CONFORMANCE_TRANSPORT_H

#include "base/buf.h"

struct transport; // of the kind that opened it

struct answer {
    int status;
    od_str body; // in the arena of the call
};

struct transport_ops {
    // False with `what` filled when nothing answered.
    bool (*call)(struct transport *transport, od_arena *arena, od_str operation, od_str body,
                 struct answer *out, od_str *what);
    void (*close)(struct transport *transport);
};

struct link {
    const struct transport_ops *ops;
    struct transport *transport;
};

// In this process, through the library, on an empty store: "memory", or "rocksdb" in a new folder
// that is removed in the end.
bool transport_open_library(od_arena *arena, const char *store, struct link *out, od_str *what);

// Over HTTP, at a URL. Requests are signed with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
// AWS_REGION, or with stand-ins for them.
bool transport_open_http(od_arena *arena, const char *url, struct link *out, od_str *what);

#endif
