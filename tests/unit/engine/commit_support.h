// The committer over a store of the tests' own with one row, which counts commits, fails when it is
// told to, and has a gate; and jobs that add to the row.
#ifndef OD_TEST_COMMIT_SUPPORT_H
#define OD_TEST_COMMIT_SUPPORT_H

#include "engine/commit.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { GROUP = 20 };

extern const od_str good_key;

struct fake {
    int64_t row; // 0: absent
    int commits;
    int fail_at; // which commit fails, from 1; 0: none
    od_status failure;
    bool unreadable;     // nothing can be read
    od_status reopening; // what a commit of nothing gives
    int reopenings;
    // A gate: a commit waits while it is closed, so that jobs gather.
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool closed;
    bool waiting;
};
extern struct fake fake;
extern const struct od_store_ops fake_ops;

int reset(void **state);

void close_gate(void);
void wait_for_committer_at_gate(void);
void open_gate(void);

struct add {
    struct od_job job;
    od_ctx cx;
    int64_t amount; // refused when it is negative
    bool unreadable;
    int64_t seen;
    int hooks;
};

od_status apply_add(struct od_batch *batch, od_ctx *cx, void *arg);
void init_add(struct add *add, int64_t amount);
void clear_add(struct add *add);
void note_done(struct od_job *job);

#endif
