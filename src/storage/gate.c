#include "storage/gate.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static _Thread_local struct od_gate_stay *stays;

void od_gate_init(struct od_gate *gate)
{
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&gate->lock, &attr);
    pthread_rwlockattr_destroy(&attr);
}

void od_gate_clear(struct od_gate *gate)
{
    pthread_rwlock_destroy(&gate->lock);
}

static struct od_gate_stay *find_stay(const struct od_gate *gate)
{
    struct od_gate_stay *stay = stays;
    while (stay != NULL && stay->gate != gate) {
        stay = stay->next;
    }
    return stay;
}

bool od_gate_inside(const struct od_gate *gate)
{
    return find_stay(gate) != NULL;
}

void od_gate_enter(struct od_gate *gate, struct od_gate_stay *stay)
{
    *stay = (struct od_gate_stay){.gate = gate, .next = stays, .owns = !od_gate_inside(gate)};
    if (stay->owns) {
        pthread_rwlock_rdlock(&gate->lock);
    }
    stays = stay;
}

static void unlink_stay(const struct od_gate_stay *stay)
{
    struct od_gate_stay **link = &stays;
    while (*link != stay) {
        assert(*link != NULL); // left by another thread than the one that entered
        link = &(*link)->next;
    }
    *link = stay->next;
}

void od_gate_leave(struct od_gate_stay *stay)
{
    unlink_stay(stay);
    if (!stay->owns) {
        return;
    }
    struct od_gate_stay *heir = find_stay(stay->gate);
    if (heir != NULL) {
        heir->owns = true;
        return;
    }
    pthread_rwlock_unlock(&stay->gate->lock);
}

void od_gate_lock(struct od_gate *gate)
{
    assert(!od_gate_inside(gate)); // it would wait for itself
    pthread_rwlock_wrlock(&gate->lock);
}

bool od_gate_lock_within(struct od_gate *gate, int timeout_ms)
{
    assert(!od_gate_inside(gate));
    struct timespec end = {0};
    clock_gettime(CLOCK_MONOTONIC, &end);
    int64_t ns = end.tv_nsec + (int64_t)timeout_ms * 1000000;
    end.tv_sec += ns / 1000000000;
    end.tv_nsec = ns % 1000000000;
    return pthread_rwlock_clockwrlock(&gate->lock, CLOCK_MONOTONIC, &end) == 0;
}

void od_gate_unlock(struct od_gate *gate)
{
    pthread_rwlock_unlock(&gate->lock);
}
