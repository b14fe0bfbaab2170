#include "storage/rocksdb/rocksdb_internal.h"
#include "storage/storage_internal.h"

enum {
    // A batch that was larger than this gives its memory back.
    KEPT_BATCH_BYTES = 1024 * 1024,
    // Every read looks at the range deletions of the memtable, and sorts them again when one was
    // added. So many, and the memtable goes to the disk.
    MAX_RANGE_DELETIONS = 128,
};

static od_status check_row(od_store *store, od_ctx *cx, od_group group,
                           const struct od_check *check)
{
    od_str stored = {0};
    OD_TRY(od_rocks_get(store, cx, NULL, group, &check->key, 1, &stored));
    if (!od_check_holds(check, stored)) {
        return OD_FAIL(cx, OD_STORE_CONFLICT, "A check of the commit does not hold");
    }
    return OD_OK;
}

static od_status check_part(od_store *store, od_ctx *cx, const struct od_commit_part *part)
{
    for (size_t i = 0; i < part->check_count; i++) {
        OD_TRY(check_row(store, cx, part->group, &part->checks[i]));
    }
    return OD_OK;
}

static od_status check_parts(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        OD_TRY(check_part(store, cx, &parts[i]));
    }
    return OD_OK;
}

static void add_range_deletion(od_store *store, od_arena *arena, od_group group, od_str lo,
                               od_str hi)
{
    od_str first = od_rocks_key(arena, group, lo);
    od_str end = od_rocks_end_key(arena, group, hi);
    if (od_str_compare(first, end) >= 0) {
        return;
    }
    rocksdb_writebatch_delete_range(store->batch, first.ptr, first.len, end.ptr, end.len);
    store->range_deletions++;
}

static void add_mutation(od_store *store, const struct od_mutation *mutation, od_str key)
{
    if (mutation->kind == OD_MUTATION_PUT) {
        rocksdb_writebatch_put(store->batch, key.ptr, key.len, mutation->value.ptr,
                               mutation->value.len);
        return;
    }
    rocksdb_writebatch_delete(store->batch, key.ptr, key.len);
}

// One row of the batch, and what it is to be: {NULL, 0} when it goes.
struct change {
    od_str key;
    od_str value;
};

// What becomes visible at once.
struct changes {
    struct change *rows;
    size_t count;
    bool any_row; // ranges are deleted, too
};

static size_t count_mutations(const struct od_commit_part *parts, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += parts[i].mutation_count;
    }
    return sum;
}

static void add_change(od_store *store, od_arena *arena, od_group group,
                       const struct od_mutation *mutation, struct changes *changes)
{
    if (mutation->kind == OD_MUTATION_DEL_RANGE) {
        add_range_deletion(store, arena, group, mutation->key, mutation->value);
        changes->any_row = true;
        return;
    }
    struct change *change = &changes->rows[changes->count++];
    change->key = od_rocks_key(arena, group, mutation->key);
    change->value = mutation->kind == OD_MUTATION_PUT ? mutation->value : (od_str){0};
    add_mutation(store, mutation, change->key);
}

static struct changes add_parts(od_store *store, od_arena *arena,
                                const struct od_commit_part *parts, size_t count)
{
    size_t max = count_mutations(parts, count);
    struct changes changes = {.rows = od_new_array(arena, struct change, max)};
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < parts[i].mutation_count; j++) {
            add_change(store, arena, parts[i].group, &parts[i].mutations[j], &changes);
        }
    }
    return changes;
}

static void hide(od_row_cache *cache, const struct changes *changes)
{
    if (changes->any_row) {
        od_row_cache_hide_all(cache);
        return;
    }
    for (size_t i = 0; i < changes->count; i++) {
        od_row_cache_hide(cache, changes->rows[i].key);
    }
}

// The last change of a row is the one that counts, and comes first.
static void show(od_row_cache *cache, const struct changes *changes, bool applied)
{
    if (changes->any_row) {
        od_row_cache_show_all(cache);
        return;
    }
    for (size_t i = changes->count; i > 0; i--) {
        const struct change *change = &changes->rows[i - 1];
        od_row_cache_show(cache, change->key, applied ? change->value : (od_str){0});
    }
}

static void clear_batch(od_store *store)
{
    size_t size = 0;
    (void)rocksdb_writebatch_data(store->batch, &size);
    if (size > KEPT_BATCH_BYTES) {
        rocksdb_writebatch_destroy(store->batch);
        store->batch = rocksdb_writebatch_create();
        return;
    }
    rocksdb_writebatch_clear(store->batch);
}

// In the background: nobody waits for it, and if it fails the next write says so.
static void flush_range_deletions(od_store *store)
{
    if (store->range_deletions < MAX_RANGE_DELETIONS) {
        return;
    }
    store->range_deletions = 0;
    rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
    rocksdb_flushoptions_set_wait(flush, 0);
    char *error = NULL;
    rocksdb_flush(store->db.db, flush, &error);
    rocksdb_free(error);
    rocksdb_flushoptions_destroy(flush);
}

// RocksDB appends the batch to its log, syncs that, and only then shows it to readers.
static od_status write_batch(od_store *store, od_ctx *cx, const rocksdb_writeoptions_t *options)
{
    char *error = NULL;
    rocksdb_write(store->db.db, options, store->batch, &error);
    clear_batch(store);
    if (error != NULL) {
        return od_rocks_write_failed(store, cx, error);
    }
    flush_range_deletions(store);
    return OD_OK;
}

static od_status commit_inside(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                               size_t count)
{
    OD_TRY(check_parts(store, cx, parts, count));
    struct changes changes = add_parts(store, cx->arena, parts, count);
    if (rocksdb_writebatch_count(store->batch) == 0) {
        return OD_OK;
    }
    hide(store->row_cache, &changes);
    od_status status = write_batch(store, cx, store->writes);
    show(store->row_cache, &changes, status == OD_OK);
    return status;
}

static od_status commit_alone(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                              size_t count)
{
    OD_TRY(od_rocks_make_writable(store, cx));
    struct od_gate_stay stay;
    od_rocks_enter(store, &stay);
    od_status status = commit_inside(store, cx, parts, count);
    od_gate_leave(&stay);
    return status;
}

od_status od_rocks_commit(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                          size_t count)
{
    pthread_mutex_lock(&store->write_lock);
    od_status status = commit_alone(store, cx, parts, count);
    pthread_mutex_unlock(&store->write_lock);
    return status;
}

// Whole files go at once, and the rest when it is compacted; the deletion that was written covers
// what remains. An open snapshot may still need the files. One that is opened from now on does not,
// since it sees the deletion.
static void drop_files(od_store *store, od_str first, od_str end)
{
    if (atomic_load(&store->snapshots) > 0) {
        return;
    }
    char *error = NULL;
    rocksdb_delete_file_in_range(store->db.db, first.ptr, first.len, end.ptr, end.len, &error);
    rocksdb_free(error);
    error = NULL;
    rocksdb_suggest_compact_range(store->db.db, first.ptr, first.len, end.ptr, end.len, &error);
    rocksdb_free(error);
}

static od_status drop_inside(od_store *store, od_ctx *cx, od_group group)
{
    add_range_deletion(store, cx->arena, group, (od_str){0}, (od_str){0});
    od_row_cache_hide_all(store->row_cache);
    od_status status = write_batch(store, cx, store->sync_writes);
    od_row_cache_show_all(store->row_cache);
    OD_TRY(status);
    drop_files(store, od_rocks_key(cx->arena, group, (od_str){0}),
               od_rocks_end_key(cx->arena, group, (od_str){0}));
    return OD_OK;
}

static od_status drop_alone(od_store *store, od_ctx *cx, od_group group)
{
    OD_TRY(od_rocks_make_writable(store, cx));
    struct od_gate_stay stay;
    od_rocks_enter(store, &stay);
    od_status status = drop_inside(store, cx, group);
    od_gate_leave(&stay);
    return status;
}

od_status od_rocks_group_drop(od_store *store, od_ctx *cx, od_group group)
{
    pthread_mutex_lock(&store->write_lock);
    od_status status = drop_alone(store, cx, group);
    pthread_mutex_unlock(&store->write_lock);
    return status;
}
