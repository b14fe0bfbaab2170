// The server: HTTP in front of the operations. Options, wiring, start and stop.
#ifndef OD_SERVER_SERVER_H
#define OD_SERVER_SERVER_H

#include "storage/store.h"

#include <stdbool.h>
#include <stdint.h>

struct od_server_options {
    const char *host; // an address; not loopback only with `insecure_bind`
    uint16_t port;    // 0: any free one
    const char *store;
    const char *dir;
    enum od_durability durability;
    uint32_t threads; // event loops; 0: one for each core
    bool insecure_bind;
};

// Serves until SIGTERM or SIGINT, and returns the program's exit code. A fault that keeps it from
// serving is one line on stderr; nothing has changed on disk then.
int od_server_run(const struct od_server_options *options);

#endif
