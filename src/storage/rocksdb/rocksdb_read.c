#include "storage/rocksdb/rocksdb_internal.h"

#include "storage/checked.h"

#include <string.h>

struct od_snapshot {
    struct od_gate_stay stay;
    const rocksdb_snapshot_t *moment;
    rocksdb_readoptions_t *reads;
};

// RocksDB counts each thread's comparisons and cache hits, for who asks; nobody does, and it is a
// tenth of a get and of a put.
static void stop_counting(void)
{
    static _Thread_local bool stopped;
    if (!stopped) {
        stopped = true;
        rocksdb_set_perf_level(rocksdb_disable);
    }
}

void od_rocks_enter(od_store *store, struct od_gate_stay *stay)
{
    stop_counting();
    od_gate_enter(&store->gate, stay);
}

static od_status read_failed(const od_store *store, od_ctx *cx, char *error)
{
    return OD_FAIL(cx, OD_STORE_DOWN, "Reading from %s failed: %s", store->dir.db_path,
                   od_rocks_take_error(cx, error));
}

static od_status check_open(const od_store *store, od_ctx *cx)
{
    if (store->db.db == NULL) {
        return OD_FAIL(cx, OD_STORE_DOWN,
                       "The data in %s could not be opened again after a failed write. It is tried "
                       "again with the next write: look at the disk",
                       store->dir.db_path);
    }
    return OD_OK;
}

static od_str take_value(od_arena *arena, rocksdb_pinnableslice_t *found)
{
    od_str value = {0};
    if (found == NULL) {
        return value;
    }
    value.ptr = rocksdb_pinnableslice_value(found, &value.len);
    value = od_arena_copy(arena, value);
    rocksdb_pinnableslice_destroy(found);
    return value;
}

static od_status get_one(od_store *store, od_ctx *cx, const rocksdb_readoptions_t *reads,
                         od_str key, od_str *value)
{
    char *error = NULL;
    rocksdb_pinnableslice_t *found =
        rocksdb_get_pinned(store->db.db, reads, key.ptr, key.len, &error);
    if (error != NULL) {
        return read_failed(store, cx, error);
    }
    *value = take_value(cx->arena, found);
    return OD_OK;
}

// The parallel arrays that RocksDB takes and gives.
struct lookup {
    const char **keys;
    size_t *sizes;
    rocksdb_pinnableslice_t **found;
    char **errors;
    size_t count;
};

static struct lookup lookup_create(od_arena *arena, od_group group, const od_str *keys,
                                   size_t count)
{
    struct lookup lookup = {
        .keys = od_new_array(arena, const char *, count),
        .sizes = od_new_array(arena, size_t, count),
        .found = od_new_array(arena, rocksdb_pinnableslice_t *, count),
        .errors = od_new_array(arena, char *, count),
        .count = count,
    };
    for (size_t i = 0; i < count; i++) {
        od_str key = od_rocks_key(arena, group, keys[i]);
        lookup.keys[i] = key.ptr;
        lookup.sizes[i] = key.len;
    }
    return lookup;
}

// Takes everything that was found, also after an error: it has to be given back.
static od_status take_values(const od_store *store, od_ctx *cx, const struct lookup *lookup,
                             od_str *values)
{
    od_status status = OD_OK;
    for (size_t i = 0; i < lookup->count; i++) {
        values[i] = take_value(cx->arena, lookup->found[i]);
        if (lookup->errors[i] != NULL) {
            status = read_failed(store, cx, lookup->errors[i]);
        }
    }
    return status;
}

static od_status get_many(od_store *store, od_ctx *cx, const rocksdb_readoptions_t *reads,
                          const struct lookup *lookup, od_str *values)
{
    rocksdb_batched_multi_get_cf(store->db.db, reads, store->db.rows, lookup->count, lookup->keys,
                                 lookup->sizes, lookup->found, lookup->errors, false);
    return take_values(store, cx, lookup, values);
}

static od_status read_row(od_store *store, od_ctx *cx, const rocksdb_readoptions_t *reads,
                          od_str key, od_str *value)
{
    struct od_gate_stay stay;
    od_rocks_enter(store, &stay);
    od_status status = check_open(store, cx);
    if (status == OD_OK) {
        status = get_one(store, cx, reads, key, value);
    }
    od_gate_leave(&stay);
    return status;
}

static od_status read_rows(od_store *store, od_ctx *cx, const rocksdb_readoptions_t *reads,
                           const struct lookup *lookup, od_str *values)
{
    struct od_gate_stay stay;
    od_rocks_enter(store, &stay);
    od_status status = check_open(store, cx);
    if (status == OD_OK) {
        status = get_many(store, cx, reads, lookup, values);
    }
    od_gate_leave(&stay);
    return status;
}

static od_status get_newest_row(od_store *store, od_ctx *cx, od_str key, od_str *value)
{
    struct od_row_ticket ticket;
    if (od_row_cache_find(store->row_cache, key, cx->arena, value, &ticket)) {
        return OD_OK;
    }
    OD_TRY(read_row(store, cx, store->reads, key, value));
    if (value->ptr != NULL) {
        od_row_cache_keep(store->row_cache, &ticket, key, *value);
    }
    return OD_OK;
}

// Several rows are of one moment, and which one the cache cannot tell.
// NOLINTNEXTLINE(readability-function-size): the parameters are the seam's.
od_status od_rocks_get(od_store *store, od_ctx *cx, od_snapshot *snapshot, od_group group,
                       const od_str *keys, size_t count, od_str *values)
{
    if (count == 0) {
        return OD_OK;
    }
    const rocksdb_readoptions_t *reads = snapshot == NULL ? store->reads : snapshot->reads;
    if (count > 1) {
        struct lookup lookup = lookup_create(cx->arena, group, keys, count);
        return read_rows(store, cx, reads, &lookup, values);
    }
    od_str key = od_rocks_key(cx->arena, group, keys[0]);
    return snapshot == NULL ? get_newest_row(store, cx, key, values)
                            : read_row(store, cx, reads, key, values);
}

static bool visit_row(rocksdb_iterator_t *rows, od_scan_visitor *visit, void *arg)
{
    od_str key = {0};
    od_str value = {0};
    key.ptr = rocksdb_iter_key(rows, &key.len);
    value.ptr = rocksdb_iter_value(rows, &value.len);
    return visit(arg, od_str_skip(key, OD_ROCKS_PREFIX_BYTES), value);
}

// The iterator's bounds are the range.
static void visit_rows(rocksdb_iterator_t *rows, bool reverse, od_scan_visitor *visit, void *arg)
{
    void (*const start)(rocksdb_iterator_t *) =
        reverse ? rocksdb_iter_seek_to_last : rocksdb_iter_seek_to_first;
    void (*const step)(rocksdb_iterator_t *) = reverse ? rocksdb_iter_prev : rocksdb_iter_next;
    for (start(rows); rocksdb_iter_valid(rows); step(rows)) {
        if (!visit_row(rows, visit, arg)) {
            return;
        }
    }
}

// From one row to the next that is there, for a scan that may be given up.
enum { MAX_ROWS_PASSED = 1000 };

// RocksDB's own words.
static bool is_too_much_passed(const struct od_scan_range *range, const char *error)
{
    return range->given_up != NULL && strstr(error, "Too many internal keys skipped") != NULL;
}

static od_status scan_inside(od_store *store, od_ctx *cx, const rocksdb_readoptions_t *reads,
                             const struct od_scan_range *range, od_scan_visitor *visit, void *arg)
{
    OD_TRY(check_open(store, cx));
    rocksdb_iterator_t *rows = rocksdb_create_iterator(store->db.db, reads);
    visit_rows(rows, range->reverse, visit, arg);
    char *error = NULL;
    rocksdb_iter_get_error(rows, &error);
    rocksdb_iter_destroy(rows);
    if (error == NULL) {
        return OD_OK;
    }
    if (is_too_much_passed(range, error)) {
        rocksdb_free(error);
        *range->given_up = true;
        return OD_OK;
    }
    return read_failed(store, cx, error);
}

// RocksDB keeps the bounds by reference: they stay in the arena until the scan is over.
static rocksdb_readoptions_t *range_reads_create(const od_snapshot *snapshot, od_str lo, od_str hi)
{
    rocksdb_readoptions_t *reads = rocksdb_readoptions_create();
    rocksdb_readoptions_set_iterate_lower_bound(reads, lo.ptr, lo.len);
    rocksdb_readoptions_set_iterate_upper_bound(reads, hi.ptr, hi.len);
    rocksdb_readoptions_set_background_purge_on_iterator_cleanup(reads, 1);
    if (snapshot != NULL) {
        rocksdb_readoptions_set_snapshot(reads, snapshot->moment);
    }
    return reads;
}

od_status od_rocks_scan(od_store *store, od_ctx *cx, od_snapshot *snapshot,
                        const struct od_scan_range *range, od_scan_visitor *visit, void *arg)
{
    od_str lo = od_rocks_key(cx->arena, range->group, range->lo);
    od_str hi = od_rocks_end_key(cx->arena, range->group, range->hi);
    if (od_str_compare(lo, hi) >= 0) {
        return OD_OK;
    }
    rocksdb_readoptions_t *reads = range_reads_create(snapshot, lo, hi);
    if (range->given_up != NULL) {
        rocksdb_readoptions_set_max_skippable_internal_keys(reads, MAX_ROWS_PASSED);
    }
    struct od_gate_stay stay;
    od_rocks_enter(store, &stay);
    od_status status = scan_inside(store, cx, reads, range, visit, arg);
    od_gate_leave(&stay);
    rocksdb_readoptions_destroy(reads);
    return status;
}

od_status od_rocks_snapshot_open(od_store *store, od_ctx *cx, od_snapshot **out)
{
    od_snapshot *snapshot = od_checked(calloc(1, sizeof(*snapshot)));
    od_rocks_enter(store, &snapshot->stay);
    od_status status = check_open(store, cx);
    if (status != OD_OK) {
        od_gate_leave(&snapshot->stay);
        free(snapshot);
        return status;
    }
    // Counted before it is made: see drop_files.
    atomic_fetch_add(&store->snapshots, 1);
    snapshot->moment = rocksdb_create_snapshot(store->db.db);
    snapshot->reads = rocksdb_readoptions_create();
    rocksdb_readoptions_set_snapshot(snapshot->reads, snapshot->moment);
    *out = snapshot;
    return OD_OK;
}

void od_rocks_snapshot_close(od_store *store, od_snapshot *snapshot)
{
    rocksdb_readoptions_destroy(snapshot->reads);
    rocksdb_release_snapshot(store->db.db, snapshot->moment);
    atomic_fetch_sub(&store->snapshots, 1);
    od_gate_leave(&snapshot->stay);
    free(snapshot);
}
