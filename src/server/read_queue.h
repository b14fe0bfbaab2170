// Long reads that wait for a thread of the pool, so that more are refused while one has had to wait
// for too long.
#ifndef OD_SERVER_READ_QUEUE_H
#define OD_SERVER_READ_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct od_read_queue {
    _Atomic int waiting;
    _Atomic int64_t waited_ns; // the one that got a thread last
};

void od_read_queue_enter(struct od_read_queue *queue);
// It has a thread.
void od_read_queue_leave(struct od_read_queue *queue, int64_t waited_ns);

bool od_read_queue_is_behind(const struct od_read_queue *queue, int64_t max_wait_ns);

#endif
