// Inside a batch; for commit.c and batch.c alone.
#ifndef OD_ENGINE_BATCH_H
#define OD_ENGINE_BATCH_H

#include "engine/commit.h"
#include "engine/commit/sizes.h"

struct od_pending; // the newest value of one key
struct od_counter; // changes to one table's or index's counters
struct od_hook;

struct od_batch {
    const struct od_store_ops *ops;
    od_store *store;
    od_arena *arena;            // reset after each commit
    struct od_pending *pending; // a uthash table, in order of insertion
    size_t pending_count;
    size_t bytes; // of keys and values
    bool failed;  // a read failed: what was written since may be half a job
    struct od_counter *counters;
    struct od_hook *hooks;
    struct od_hook **last_hook;
    struct od_sizes sizes; // outlives a commit that goes well
};

void od_batch_init(struct od_batch *batch, const struct od_store_ops *ops, od_store *store);
void od_batch_clear(struct od_batch *batch);

// Commits what was written, runs the hooks when it went well, and empties the batch.
od_status od_batch_commit(struct od_batch *batch);

#endif
