#include "base/clock.h"

#include <stdatomic.h>
#include <time.h>

static _Atomic int64_t fixed_ms = -1;

int64_t od_clock_ms(void)
{
    int64_t fixed = atomic_load_explicit(&fixed_ms, memory_order_relaxed);
    if (fixed >= 0) {
        return fixed;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void od_clock_set_ms(int64_t ms)
{
    atomic_store(&fixed_ms, ms);
}

int64_t od_clock_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
