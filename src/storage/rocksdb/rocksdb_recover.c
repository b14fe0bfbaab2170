// What happens after a write failed.
//
//   no space, and the batch did not reach the log     STORE_FULL: nothing was applied
//   anything else, a failed sync above all            STORE_UNKNOWN: the batch may be in the log
//
// After either, RocksDB takes no writes until it is opened again; and a page that failed to reach
// the disk once counts as clean from then on, so that a later sync of the same file proves nothing.
// Opening replays the log into a new file and syncs that. So: the next commit reopens, when the
// disk takes writes again, alone in the store, at most once a second. Until then reads go on in
// what is open, which does not have the batch. When opening fails all the same, nothing can be read
// until it goes well: what the log holds may not be on the disk, and who had seen it would rely on
// it.
#include "storage/rocksdb/rocksdb_internal.h"

#include "base/clock.h"
#include "base/log.h"

#include <string.h>

enum {
    REOPEN_INTERVAL_NS = 1000 * 1000 * 1000,
    READERS_LEAVE_MS = 1000,
    // For a manifest, options and a new log.
    SPARE_BYTES = 4 * 1024 * 1024,
};

// RocksDB's own words, in every locale. "While appending" is a write that was cut short, whose
// record can be told from a whole one; the batch is in the log for certain only if it was synced,
// and may be there whenever a sync failed.
static bool nothing_was_applied(const char *error)
{
    return strstr(error, "No space left on device") != NULL &&
           (strstr(error, "While appending to file") != NULL ||
            strstr(error, "While open a file for appending") != NULL);
}

od_status od_rocks_write_failed(od_store *store, od_ctx *cx, char *error)
{
    const char *text = od_rocks_take_error(cx, error);
    od_log(OD_LOG_ERROR, "writing to %s failed: %s", store->dir.db_path, text);
    if (nothing_was_applied(text)) {
        atomic_store(&store->state, OD_ROCKS_FULL);
        return OD_FAIL(cx, OD_STORE_FULL, "No space left for %s: nothing was written",
                       store->dir.path);
    }
    atomic_store(&store->state, OD_ROCKS_BROKEN);
    return OD_FAIL(cx, OD_STORE_UNKNOWN,
                   "Writing to %s failed, and what was to be written may be there or not: %s",
                   store->dir.path, text);
}

static od_status refuse(const od_store *store, od_ctx *cx)
{
    if (atomic_load(&store->state) == OD_ROCKS_FULL) {
        return OD_FAIL(cx, OD_STORE_FULL,
                       "No space left for %s: make some, and writes go on by themselves",
                       store->dir.path);
    }
    return OD_FAIL(cx, OD_STORE_DOWN,
                   "Writing to %s failed, and the data could not be opened again for writing: look "
                   "at the disk",
                   store->dir.path);
}

static bool open_again(od_store *store)
{
    od_rocks_db_close(&store->db);
    char *error =
        od_rocks_db_open(store->options, store->dir.db_path, store->durability, &store->db);
    if (error == NULL) {
        return true;
    }
    od_log(OD_LOG_ERROR, "%s could not be opened again: %s", store->dir.db_path, error);
    rocksdb_free(error);
    return false;
}

// What became of the batch that failed shows only now.
static bool reopen(od_store *store)
{
    od_row_cache_hide_all(store->row_cache);
    bool writable = open_again(store);
    od_row_cache_show_all(store->row_cache);
    return writable;
}

// A thread that reads cannot wait for all readers to leave.
static bool may_reopen(od_store *store)
{
    int64_t now = od_clock_monotonic_ns();
    if (od_gate_inside(&store->gate) || now < store->reopen_after_ns ||
        !od_data_dir_takes_writes(&store->dir, SPARE_BYTES)) {
        return false;
    }
    store->reopen_after_ns = now + REOPEN_INTERVAL_NS;
    return true;
}

od_status od_rocks_make_writable(od_store *store, od_ctx *cx)
{
    if (atomic_load(&store->state) == OD_ROCKS_WRITABLE) {
        return OD_OK;
    }
    // Readers that stay longer keep the store as it is: they may themselves wait for this commit.
    if (!may_reopen(store) || !od_gate_lock_within(&store->gate, READERS_LEAVE_MS)) {
        return refuse(store, cx);
    }
    bool writable = reopen(store);
    od_gate_unlock(&store->gate);
    if (!writable) {
        return refuse(store, cx);
    }
    store->range_deletions = 0;
    atomic_store(&store->state, OD_ROCKS_WRITABLE);
    od_log(OD_LOG_INFO, "%s can be written to again", store->dir.path);
    return OD_OK;
}
