#include "engine/engine_internal.h"

#include <stdlib.h>

static const int64_t ns_of_ms = 1000000;

static const int64_t max_collection_bytes = 10LL * 1024 * 1024 * 1024;

static od_engine *engine_create(const struct od_store_ops *ops,
                                const struct od_engine_limits *limits)
{
    od_engine *engine = calloc(1, sizeof(*engine));
    if (engine == NULL) {
        abort();
    }
    engine->ops = ops;
    engine->limits = *limits;
    if (limits->collection_bytes == 0) {
        engine->limits.collection_bytes = max_collection_bytes;
    }
    pthread_rwlock_init(&engine->catalog_lock, NULL);
    return engine;
}

static void engine_destroy(od_engine *engine)
{
    od_catalog_clear(engine);
    if (engine->store != NULL) {
        engine->ops->close(engine->store);
    }
    pthread_rwlock_destroy(&engine->catalog_lock);
    free(engine);
}

static od_status open_store(od_engine *engine, od_ctx *cx, const struct od_engine_options *options)
{
    struct od_store_options store = {.dir = options->dir, .durability = options->durability};
    OD_TRY(engine->ops->open(cx, &store, &engine->store));
    OD_TRY(od_catalog_load(engine, cx));
    return od_finish_drops(engine, cx);
}

// After a failed commit: what it wrote is in the store, or it is not.
static od_status recover(void *arg, od_ctx *cx)
{
    od_engine *engine = arg;
    OD_TRY(od_catalog_load(engine, cx));
    od_finish_listed_drops(engine);
    od_backfiller_resume(engine->backfiller);
    return OD_OK;
}

od_status od_engine_open(od_ctx *cx, const struct od_engine_options *options, od_engine **out)
{
    const struct od_store_ops *ops = NULL;
    OD_TRY(od_store_find(cx, options->store, &ops));
    od_engine *engine = engine_create(ops, &options->limits);
    od_status status = open_store(engine, cx, options);
    if (status != OD_OK) {
        engine_destroy(engine);
        return status;
    }
    engine->committer = od_committer_create(ops, engine->store, options->committer_thread);
    od_committer_on_recovery(engine->committer, recover, engine);
    if (options->batch_done != NULL) {
        od_committer_on_batch_done(engine->committer, options->batch_done, options->batch_done_arg);
    }
    const struct od_commit_limits limits = {
        .wait_ns = options->max_wait_ms * ns_of_ms,
        .bytes = options->max_held_bytes,
    };
    od_committer_limit(engine->committer, limits);
    engine->backfiller = od_backfiller_create(engine);
    od_backfiller_resume(engine->backfiller);
    *out = engine;
    return OD_OK;
}

void od_engine_close(od_engine *engine)
{
    od_backfiller_destroy(engine->backfiller);
    od_committer_destroy(engine->committer);
    engine_destroy(engine);
}

struct od_store_health od_engine_health(const od_engine *engine)
{
    return engine->ops->health(engine->store);
}

struct od_store_caps od_engine_caps(const od_engine *engine)
{
    return engine->ops->caps(engine->store);
}

void od_engine_submit(od_engine *engine, struct od_job *job)
{
    od_committer_submit(engine->committer, job);
}

bool od_engine_is_behind(const od_engine *engine)
{
    return od_committer_is_behind(engine->committer);
}

void od_engine_start_jobs(od_engine *engine)
{
    od_committer_start(engine->committer);
}

od_status od_engine_run(od_engine *engine, struct od_job *job)
{
    return od_committer_run(engine->committer, job);
}
