// An index that was added to a table is filled in steps, each a job of the committer's between the
// jobs of clients:
//
//   CREATING --first step--> backfilling, step by step through the table --end--> ACTIVE
//
// Writes keep the index from the moment that it is in the catalog, so a step adds only what is not
// there yet. How far it has come is a row of the same commit, and a crash goes on from there.
#include "engine/engine_internal.h"
#include "engine/groups.h"

#include "base/log.h"

#include <stdlib.h>

enum { STEP_ROWS = 200, STEP_BYTES = 512 * 1024 };

struct od_backfiller {
    od_engine *engine;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool wanted; // there may be something to do
    bool stopping;
    bool started;
    pthread_t thread;
};

// One step.
struct step {
    od_engine *engine;
    od_str table_name;
    const struct od_table *now;
    struct od_table *next; // published when the step is committed; NULL: the table is as it was
    size_t index;

    od_arena *arena; // the rows read
    od_str keys[STEP_ROWS];
    od_item items[STEP_ROWS];
    size_t count;
    size_t bytes;
};

static bool find_filling(struct step *step)
{
    for (size_t i = 0; i < step->now->index_count; i++) {
        if (step->now->indexes[i].status == OD_TABLE_CREATING) {
            step->index = i;
            return true;
        }
    }
    return false;
}

static bool collect_row(void *arg, od_str key, od_str value)
{
    struct step *step = arg;
    od_str copy = od_arena_copy(step->arena, value);
    step->keys[step->count] = od_arena_copy(step->arena, key);
    step->items[step->count] = (od_item){copy.ptr, copy.len};
    step->count++;
    step->bytes += key.len + value.len;
    return step->count < STEP_ROWS && step->bytes < STEP_BYTES;
}

static od_status read_rows(struct od_batch *batch, od_ctx *cx, struct step *step, od_str place)
{
    od_str from = {0};
    OD_TRY(od_batch_get(batch, cx, OD_GROUP_CATALOG, place, &from));
    struct od_scan_range rest = {
        .group = step->now->group,
        .lo = from.ptr == NULL ? from : od_key_after_prefix(cx->arena, from),
    };
    step->arena = cx->arena;
    return step->engine->ops->scan(step->engine->store, cx, NULL, &rest, collect_row, step);
}

static od_status add_entry(struct od_batch *batch, od_ctx *cx, const struct step *step,
                           od_item item)
{
    const struct od_index *index = &step->now->indexes[step->index];
    struct od_index_entry entry = od_index_entry_of(cx->arena, step->now, index, item);
    if (entry.key.ptr == NULL) {
        return OD_OK;
    }
    od_str there = {0};
    OD_TRY(od_batch_get(batch, cx, index->group, entry.key, &there));
    if (there.ptr != NULL) {
        return OD_OK;
    }
    od_batch_put(batch, index->group, entry.key, (od_str){entry.item.ptr, entry.item.len});
    struct od_stats added = {.item_count = 1, .size_bytes = (int64_t)od_item_size(entry.item)};
    od_batch_count(batch, step->now, (int)step->index, added);
    return OD_OK;
}

// The counters of `now` are changed by this very commit, so the copy takes them after it.
static void publish_step(void *arg)
{
    struct step *step = arg;
    const struct od_table *now = step->now;
    step->next->item_count = now->item_count;
    step->next->size_bytes = now->size_bytes;
    for (size_t i = 0; i < now->index_count; i++) {
        step->next->indexes[i].item_count = now->indexes[i].item_count;
        step->next->indexes[i].size_bytes = now->indexes[i].size_bytes;
    }
    step->next->refs++; // one for the catalog, one for the step
    od_catalog_publish(step->engine, step->next);
}

static void change_status(struct od_batch *batch, od_ctx *cx, struct step *step, bool is_last)
{
    const struct od_index *index = &step->now->indexes[step->index];
    if (!is_last && index->backfilling) {
        return;
    }
    step->next = od_table_clone(step->now);
    step->next->indexes[step->index].backfilling = !is_last;
    step->next->indexes[step->index].status = is_last ? OD_TABLE_ACTIVE : OD_TABLE_CREATING;
    od_put_table_row(batch, cx, step->next, step->engine->next_group);
    od_batch_on_commit(batch, publish_step, step);
}

static od_status fill(struct od_batch *batch, od_ctx *cx, struct step *step)
{
    od_str place = od_catalog_group_key(cx->arena, 'b', step->now->indexes[step->index].group);
    OD_TRY(read_rows(batch, cx, step, place));
    for (size_t i = 0; i < step->count; i++) {
        OD_TRY(add_entry(batch, cx, step, step->items[i]));
    }
    bool is_last = step->count < STEP_ROWS && step->bytes < STEP_BYTES;
    if (is_last) {
        od_batch_delete(batch, OD_GROUP_CATALOG, place);
    } else {
        od_batch_put(batch, OD_GROUP_CATALOG, place, step->keys[step->count - 1]);
    }
    change_status(batch, cx, step, is_last);
    return OD_OK;
}

static od_status apply_step(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct step *step = arg;
    step->now = od_catalog_find(step->engine, step->table_name);
    if (step->now == NULL || !find_filling(step)) {
        return OD_OK;
    }
    return fill(batch, cx, step);
}

// False when there was nothing to do, or the store failed: then it is tried again at the next wake.
static bool run_step(od_engine *engine)
{
    od_ctx cx = {.arena = od_arena_create()};
    struct step *step = od_new(cx.arena, struct step);
    step->engine = engine;
    bool found = od_catalog_find_backfill(engine, cx.arena, &step->table_name);
    if (found) {
        // Steps commit apart: they read what is committed, not what a batch has pending.
        struct od_job job = {.apply = apply_step, .arg = step, .cx = &cx, .is_control = true};
        found = od_engine_run(engine, &job) == OD_OK;
        if (!found) {
            od_log(OD_LOG_ERROR, "filling an index of table %.*s stopped: %.*s",
                   OD_STR_ARG(step->table_name), OD_STR_ARG(cx.error));
        }
        od_table_release(step->next);
        od_table_release(step->now);
    }
    od_arena_destroy(cx.arena);
    return found;
}

static void *thread_main(void *arg)
{
    struct od_backfiller *backfiller = arg;
    pthread_mutex_lock(&backfiller->lock);
    while (!backfiller->stopping) {
        if (!backfiller->wanted) {
            pthread_cond_wait(&backfiller->changed, &backfiller->lock);
            continue;
        }
        backfiller->wanted = false;
        pthread_mutex_unlock(&backfiller->lock);
        bool more = run_step(backfiller->engine);
        pthread_mutex_lock(&backfiller->lock);
        backfiller->wanted = backfiller->wanted || more;
    }
    pthread_mutex_unlock(&backfiller->lock);
    return NULL;
}

// The thread is started when it is wanted first: most programs never add an index.
void od_backfiller_wake(struct od_backfiller *backfiller)
{
    pthread_mutex_lock(&backfiller->lock);
    backfiller->wanted = true;
    if (!backfiller->started &&
        pthread_create(&backfiller->thread, NULL, thread_main, backfiller) == 0) {
        backfiller->started = true;
    }
    pthread_cond_signal(&backfiller->changed);
    pthread_mutex_unlock(&backfiller->lock);
}

struct od_backfiller *od_backfiller_create(od_engine *engine)
{
    struct od_backfiller *backfiller = calloc(1, sizeof(*backfiller));
    if (backfiller == NULL) {
        abort();
    }
    backfiller->engine = engine;
    pthread_mutex_init(&backfiller->lock, NULL);
    pthread_cond_init(&backfiller->changed, NULL);
    return backfiller;
}

void od_backfiller_resume(struct od_backfiller *backfiller)
{
    od_arena *arena = od_arena_create();
    od_str name = {0};
    if (od_catalog_find_backfill(backfiller->engine, arena, &name)) {
        od_backfiller_wake(backfiller);
    }
    od_arena_destroy(arena);
}

void od_backfiller_destroy(struct od_backfiller *backfiller)
{
    pthread_mutex_lock(&backfiller->lock);
    backfiller->stopping = true;
    pthread_cond_signal(&backfiller->changed);
    pthread_mutex_unlock(&backfiller->lock);
    if (backfiller->started) {
        pthread_join(backfiller->thread, NULL);
    }
    pthread_cond_destroy(&backfiller->changed);
    pthread_mutex_destroy(&backfiller->lock);
    free(backfiller);
}
