#include "engine/commit.h"

#include "base/clock.h"
#include "engine/commit/batch.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

// A batch is committed when it holds this much, though more jobs wait: it bounds the time that the
// first of them waits, and the memory.
enum { MAX_BATCH_BYTES = 8 * 1024 * 1024, MAX_BATCH_JOBS = 1024 };
// Jobs that hold this much are a batch worth starting, though whoever submits them may have more:
// an event loop with thousands of requests at hand starts its jobs only when it has seen them all.
enum { ENOUGH_BYTES = 1024 * 1024 };

struct od_committer {
    pthread_mutex_t lock;
    pthread_cond_t changed; // jobs came, the role became free, or a job of od_committer_run is done
    struct od_job *first;
    struct od_job **last;
    struct od_commit_limits limits;
    size_t queue_bytes;             // that the queue's jobs hold
    _Atomic int64_t queue_since_ns; // when the first of the queue came; 0: it is empty
    _Atomic int64_t rest_since_ns;  // the same of those taken that are not in the batch at hand
    _Atomic size_t held_bytes;      // of all jobs that are not done
    bool taken;                     // somebody has the role
    bool in_doubt;                  // the last commit failed; of whoever has the role
    od_commit_recovery *recover;
    void *recover_arg;
    od_commit_batch_done *batch_done; // NULL: jobs do not wait for od_committer_start
    void *batch_done_arg;
    bool stopping;
    bool has_thread;
    pthread_t thread;
    struct od_batch batch; // of whoever has the role
};

static void enqueue(od_committer *committer, struct od_job *job)
{
    job->next = NULL;
    job->since_ns = committer->limits.wait_ns > 0 ? od_clock_monotonic_ns() : 0;
    if (committer->first == NULL) {
        committer->queue_since_ns = job->since_ns;
    }
    committer->held_bytes += job->bytes;
    committer->queue_bytes += job->bytes;
    *committer->last = job;
    committer->last = &job->next;
}

static struct od_job *take_all(od_committer *committer)
{
    struct od_job *jobs = committer->first;
    committer->first = NULL;
    committer->last = &committer->first;
    committer->queue_bytes = 0;
    committer->queue_since_ns = 0;
    return jobs;
}

static void apply(struct od_batch *batch, struct od_job *job)
{
    size_t before = batch->bytes;
    bool failed = batch->failed;
    job->status = job->apply(batch, job->cx, job->arg);
    assert(job->status == OD_OK || batch->failed || batch->bytes == before);
    // A job that wrote nothing before a read failed is the only one to suffer from it.
    if (batch->bytes == before) {
        batch->failed = failed;
    }
}

static const char *reason(od_status status)
{
    switch (status) {
    case OD_STORE_FULL:
        return "There is no space left on the disk, and nothing was written. Writes go on by "
               "themselves once there is";
    case OD_STORE_DOWN:
        return "The data cannot be written to, and nothing was written. See the server's log";
    default:
        return "Writing failed, and it is not known whether the write took effect. See the "
               "server's log";
    }
}

static size_t bytes_of(const struct od_job *first, const struct od_job *end)
{
    size_t bytes = 0;
    for (const struct od_job *job = first; job != end; job = job->next) {
        bytes += job->bytes;
    }
    return bytes;
}

// Ends the jobs from `first` up to `end`, whose commit ended with `status`.
static void finish(od_committer *committer, struct od_job *first, const struct od_job *end,
                   od_status status)
{
    committer->held_bytes -= bytes_of(first, end);
    while (first != end) {
        struct od_job *next = first->next; // done() may free the job
        if (status != OD_OK) {
            first->status = OD_FAIL(first->cx, status, "%s", reason(status));
        }
        first->done(first);
        first = next;
    }
}

static bool is_full(const struct od_batch *batch, size_t job_count)
{
    return batch->bytes >= MAX_BATCH_BYTES || job_count >= MAX_BATCH_JOBS;
}

// Applies jobs from `first` on to one batch, and returns the first that must wait for the next.
static struct od_job *gather(struct od_batch *batch, struct od_job *first)
{
    size_t count = 0;
    for (struct od_job *job = first; job != NULL; job = job->next) {
        if (count > 0 && (job->is_control || is_full(batch, count))) {
            return job;
        }
        apply(batch, job);
        count++;
        if (job->is_control) {
            return job->next;
        }
    }
    return NULL;
}

// A commit of nothing makes the store writable again, or says that it cannot be.
static od_status recover(const od_committer *committer, od_ctx *cx)
{
    const struct od_batch *batch = &committer->batch;
    OD_TRY(batch->ops->commit(batch->store, cx, NULL, 0));
    return committer->recover == NULL ? OD_OK : committer->recover(committer->recover_arg, cx);
}

static od_status end_doubt(od_committer *committer)
{
    if (!committer->in_doubt) {
        return OD_OK;
    }
    od_ctx cx = {.arena = od_arena_create()};
    od_status status = recover(committer, &cx);
    od_arena_destroy(cx.arena);
    committer->in_doubt = status != OD_OK;
    return status;
}

static void note_rest(od_committer *committer, const struct od_job *rest)
{
    committer->rest_since_ns = rest == NULL ? 0 : rest->since_ns;
}

static void run_jobs(od_committer *committer, struct od_job *jobs)
{
    while (jobs != NULL) {
        struct od_job *rest = NULL;
        od_status status = end_doubt(committer);
        if (status == OD_OK) {
            rest = gather(&committer->batch, jobs);
            note_rest(committer, rest);
            status = od_batch_commit(&committer->batch);
            committer->in_doubt = status != OD_OK;
        }
        note_rest(committer, rest);
        finish(committer, jobs, rest, status);
        if (committer->batch_done != NULL) {
            committer->batch_done(committer->batch_done_arg);
        }
        jobs = rest;
    }
}

// With the lock held, and the role free.
static void work(od_committer *committer)
{
    struct od_job *jobs = take_all(committer);
    committer->taken = true;
    pthread_mutex_unlock(&committer->lock);
    run_jobs(committer, jobs);
    pthread_mutex_lock(&committer->lock);
    committer->taken = false;
    pthread_cond_broadcast(&committer->changed);
}

static void *thread_main(void *arg)
{
    od_committer *committer = arg;
    pthread_mutex_lock(&committer->lock);
    while (!committer->stopping || committer->first != NULL) {
        if (committer->first != NULL && !committer->taken) {
            work(committer);
        } else {
            pthread_cond_wait(&committer->changed, &committer->lock);
        }
    }
    pthread_mutex_unlock(&committer->lock);
    return NULL;
}

od_committer *od_committer_create(const struct od_store_ops *ops, od_store *store, bool own_thread)
{
    od_committer *committer = calloc(1, sizeof(*committer));
    if (committer == NULL) {
        abort();
    }
    pthread_mutex_init(&committer->lock, NULL);
    pthread_cond_init(&committer->changed, NULL);
    committer->last = &committer->first;
    committer->has_thread = own_thread;
    od_batch_init(&committer->batch, ops, store);
    if (own_thread && pthread_create(&committer->thread, NULL, thread_main, committer) != 0) {
        abort();
    }
    return committer;
}

void od_committer_on_recovery(od_committer *committer, od_commit_recovery *recovery, void *arg)
{
    pthread_mutex_lock(&committer->lock);
    committer->recover = recovery;
    committer->recover_arg = arg;
    pthread_mutex_unlock(&committer->lock);
}

void od_committer_on_batch_done(od_committer *committer, od_commit_batch_done *batch_done,
                                void *arg)
{
    pthread_mutex_lock(&committer->lock);
    committer->batch_done = batch_done;
    committer->batch_done_arg = arg;
    pthread_mutex_unlock(&committer->lock);
}

void od_committer_limit(od_committer *committer, struct od_commit_limits limits)
{
    pthread_mutex_lock(&committer->lock);
    committer->limits = limits;
    pthread_mutex_unlock(&committer->lock);
}

void od_committer_destroy(od_committer *committer)
{
    pthread_mutex_lock(&committer->lock);
    committer->stopping = true;
    pthread_cond_broadcast(&committer->changed);
    pthread_mutex_unlock(&committer->lock);
    if (committer->has_thread) {
        pthread_join(committer->thread, NULL);
    }
    od_batch_clear(&committer->batch);
    pthread_cond_destroy(&committer->changed);
    pthread_mutex_destroy(&committer->lock);
    free(committer);
}

// With the lock held. Only the committer's thread can be waiting for jobs; whoever has the role
// looks again.
static void wake_thread(od_committer *committer)
{
    if (committer->first != NULL && !committer->taken) {
        pthread_cond_broadcast(&committer->changed);
    }
}

static int64_t longest_wait_ns(const od_committer *committer)
{
    int64_t since_ns = committer->rest_since_ns;
    if (since_ns == 0) {
        since_ns = committer->queue_since_ns;
    }
    return since_ns == 0 ? 0 : od_clock_monotonic_ns() - since_ns;
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

bool od_committer_is_behind(const od_committer *committer)
{
    const struct od_commit_limits *limits = &committer->limits;
    double full = share((double)committer->held_bytes, (double)limits->bytes);
    return full + share((double)longest_wait_ns(committer), (double)limits->wait_ns) >= 1;
}

void od_committer_submit(od_committer *committer, struct od_job *job)
{
    assert(committer->has_thread && job->done != NULL);
    pthread_mutex_lock(&committer->lock);
    enqueue(committer, job);
    if (committer->batch_done == NULL || committer->queue_bytes >= ENOUGH_BYTES) {
        wake_thread(committer);
    }
    pthread_mutex_unlock(&committer->lock);
}

void od_committer_start(od_committer *committer)
{
    pthread_mutex_lock(&committer->lock);
    wake_thread(committer);
    pthread_mutex_unlock(&committer->lock);
}

struct waiter {
    od_committer *committer;
    bool done;
};

static void wake_waiter(struct od_job *job)
{
    struct waiter *waiter = job->user;
    pthread_mutex_lock(&waiter->committer->lock);
    waiter->done = true;
    pthread_cond_broadcast(&waiter->committer->changed);
    pthread_mutex_unlock(&waiter->committer->lock);
}

od_status od_committer_run(od_committer *committer, struct od_job *job)
{
    struct waiter waiter = {.committer = committer};
    job->done = wake_waiter;
    job->user = &waiter;
    pthread_mutex_lock(&committer->lock);
    enqueue(committer, job);
    while (!waiter.done) {
        if (!committer->taken && committer->first != NULL) {
            work(committer);
        } else {
            pthread_cond_wait(&committer->changed, &committer->lock);
        }
    }
    pthread_mutex_unlock(&committer->lock);
    return job->status;
}
