// A shared lock that a thread may enter again while it is inside.
//
// Readers enter a store for the time of a read or of a snapshot, and what they do there (a visitor
// that looks up another row, a read under a snapshot) enters again. pthread's lock either starves
// writers or forbids that, so each thread keeps a list of where it is.
#ifndef OD_STORAGE_GATE_H
#define OD_STORAGE_GATE_H

#include <pthread.h>
#include <stdbool.h>

struct od_gate {
    pthread_rwlock_t lock;
};

// One stay of one thread. It lives wherever the caller keeps it, until od_gate_leave.
struct od_gate_stay {
    struct od_gate *gate;
    struct od_gate_stay *next;
    bool owns; // of a thread's stays in one gate, one has the lock
};

void od_gate_init(struct od_gate *gate);
void od_gate_clear(struct od_gate *gate);

// Shared, and a writer that waits goes before readers that come later.
void od_gate_enter(struct od_gate *gate, struct od_gate_stay *stay);
// By the thread that entered, in any order.
void od_gate_leave(struct od_gate_stay *stay);

// Alone. The calling thread must not be inside.
void od_gate_lock(struct od_gate *gate);
// The same for whoever can do without: false when the readers did not leave in time.
bool od_gate_lock_within(struct od_gate *gate, int timeout_ms);
void od_gate_unlock(struct od_gate *gate);

// Whether the calling thread is inside.
bool od_gate_inside(const struct od_gate *gate);

#endif
