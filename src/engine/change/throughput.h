// Throughput that is asked for: what it may be, and how often it may change.
#ifndef OD_ENGINE_CHANGE_THROUGHPUT_H
#define OD_ENGINE_CHANGE_THROUGHPUT_H

#include "engine/engine.h"

// What is changed: a table, or an index of one.
struct od_throughput_place {
    const char *kind; // "table", "index"
    od_str name;      // of an index; {NULL, 0} for the table
    struct od_throughput now;
    const struct od_throughput_log *log;
};

// The throughput must become another one, and not be decreased too often.
od_status od_throughput_check(od_ctx *cx, const struct od_throughput_place *place,
                              struct od_throughput asked);

// Writes down that `before` became `after`.
void od_throughput_note(struct od_throughput_log *log, struct od_throughput before,
                        struct od_throughput after);

// OnDemandThroughput of `place`, "table" or "index <name>": on demand alone, and at least 1; of one
// that is there, -1 takes the ceiling away.
od_status od_limits_check(od_ctx *cx, od_str place, struct od_request_limits asked, bool on_demand,
                          bool is_there);

#endif
