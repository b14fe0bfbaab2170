// The committer: takes all jobs that wait, applies them one after another to one batch, commits
// the batch once, and answers them all. It is a role, not a thread: whoever finds it free takes it.
//
//   submit, run --> queue --> [gather] --> apply job 1, 2, ... to the batch --> commit --> done
//                     ^                                                          |
//                     +-------- jobs that arrive meanwhile wait for the next ----+
//
// Jobs read through the batch, so each sees what the ones before it wrote. A job that fails has
// written nothing. When the commit fails every job of the batch fails, those too that had failed on
// their own: what they saw may never have happened.
#ifndef OD_ENGINE_COMMIT_H
#define OD_ENGINE_COMMIT_H

#include "engine/engine.h"

typedef struct od_committer od_committer;

// With `own_thread` submitted jobs are run by a thread of the committer's; else only by callers of
// od_committer_run.
od_committer *od_committer_create(const struct od_store_ops *ops, od_store *store, bool own_thread);
// After a commit that failed nobody knows what is stored, nor whether what memory holds of it is
// still true. So before it applies another job, whoever has the role makes the store writable
// again, and calls `recover`; until both went well all jobs fail. To be set before the first job.
typedef od_status od_commit_recovery(void *arg, od_ctx *cx);
void od_committer_on_recovery(od_committer *committer, od_commit_recovery *recover, void *arg);
// For callers that submit many jobs in a row, and whom `done` tells that somebody is to be woken:
// from now on submitted jobs wait for od_committer_start, or until they hold a megabyte, and
// `batch_done` is called when all jobs of a batch are done. To be set before the first job.
typedef void od_commit_batch_done(void *arg);
void od_committer_on_batch_done(od_committer *committer, od_commit_batch_done *batch_done,
                                void *arg);
// To be set before the first job; see od_committer_is_behind. The more is held, the less time one
// may have waited: with half of `bytes`, half of `wait_ns`. So a disk may take its time while few
// wait, and a queue stays short that is long because there is much to do.
struct od_commit_limits {
    int64_t wait_ns; // of the job that has waited longest for its batch to be made; 0: none
    size_t bytes;    // of all jobs that are not done; 0: none
};
void od_committer_limit(od_committer *committer, struct od_commit_limits limits);
// Whether a limit is reached: whoever submits jobs for others refuses theirs until it is no more,
// since what waits behind a slow disk would only grow. From any thread, without a lock.
bool od_committer_is_behind(const od_committer *committer);
// Runs what still waits, then ends.
void od_committer_destroy(od_committer *committer);

void od_committer_submit(od_committer *committer, struct od_job *job);
void od_committer_start(od_committer *committer);
od_status od_committer_run(od_committer *committer, struct od_job *job);

// --- What apply functions do with a batch -------------------------------------------------------

// The value that `key` has after the writes of this batch, copied to cx->arena: what an earlier job
// wrote may be gone before the answer of a later one is made. {NULL, 0} when there is none. When it
// fails, so does the whole batch.
od_status od_batch_get(struct od_batch *batch, od_ctx *cx, od_group group, od_str key, od_str *out);

// Keys and values are borrowed until the job is done.
void od_batch_put(struct od_batch *batch, od_group group, od_str key, od_str value);
void od_batch_delete(struct od_batch *batch, od_group group, od_str key);

// The size of the item at `key`, when it is known without a look at it: 0 when there is none.
bool od_batch_item_size(const struct od_batch *batch, od_group group, od_str key, size_t *out);
// For each change of an item: its size from now on, or 0.
void od_batch_note_item_size(struct od_batch *batch, od_group group, od_str key, size_t size);

// Adds to the counters of a table, or of its index number `index` (-1 for the table). They are
// stored with the batch.
void od_batch_count(struct od_batch *batch, const struct od_table *table, int index,
                    struct od_stats change);

// Calls `hook` once the batch is committed, before any job of it is done. Not called when it fails.
typedef void od_commit_hook(void *arg);
void od_batch_on_commit(struct od_batch *batch, od_commit_hook *hook, void *arg);

#endif
