// Pages of several partitions, asked for in parallel. With one partition the caller's own thread
// asks.
//
//     od_fan_out_open        all partitions' first pages are asked for
//     od_fan_out_take        the next page of a partition; waits for it
//     od_fan_out_prefetch    the page after that is asked for
#ifndef OD_MAPPER_FAN_OUT_H
#define OD_MAPPER_FAN_OUT_H

#include "mapper/mapper_internal.h"

struct od_fan_out;

struct od_fetched {
    struct od_page page; // when counting, all that the partition has
    od_arena *arena;     // of the page and its text
};

ordna_status od_fan_out_open(ordna_session *session, const struct od_plan *plan,
                             struct od_fan_out **out);
// The page lives until the partition's next one is taken. ORDNA_END when there is none. A request
// that failed fails all further ones that must be waited for; its error is the session's.
ordna_status od_fan_out_take(struct od_fan_out *fan_out, size_t partition,
                             const struct od_fetched **out);
void od_fan_out_prefetch(struct od_fan_out *fan_out, size_t partition);
// Requests that are on their way are cancelled.
void od_fan_out_close(struct od_fan_out *fan_out);

#endif
