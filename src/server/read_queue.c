#include "server/read_queue.h"

void od_read_queue_enter(struct od_read_queue *queue)
{
    atomic_fetch_add_explicit(&queue->waiting, 1, memory_order_relaxed);
}

void od_read_queue_leave(struct od_read_queue *queue, int64_t waited_ns)
{
    atomic_store_explicit(&queue->waited_ns, waited_ns, memory_order_relaxed);
    atomic_fetch_sub_explicit(&queue->waiting, 1, memory_order_relaxed);
}

// An empty queue is not behind, however long the last of it had to wait.
bool od_read_queue_is_behind(const struct od_read_queue *queue, int64_t max_wait_ns)
{
    return atomic_load_explicit(&queue->waiting, memory_order_relaxed) > 0 &&
           atomic_load_explicit(&queue->waited_ns, memory_order_relaxed) > max_wait_ns;
}
