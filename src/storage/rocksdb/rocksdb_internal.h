// RocksDB as a store, in a module of its own.
//
//   group_drop, commit ----> rocksdb_commit.c ----> rocksdb_recover.c   a write failed: reopen
//   get, scan, snapshots --> rocksdb_read.c             |
//            |                                          |
//            +-- row_cache.h                            v
//   open ----> rocksdb_start.c ---------->  rocksdb_db.c   how RocksDB is opened, and tuned
//                   |
//                   +----> log_check.c   what RocksDB does not say of its logs
#ifndef OD_STORAGE_ROCKSDB_INTERNAL_H
#define OD_STORAGE_ROCKSDB_INTERNAL_H

#include "storage/gate.h"
#include "storage/rocksdb/data_dir.h"
#include "storage/row_cache.h"
#include "storage/store.h"

#include <rocksdb/c.h>
#include <stdatomic.h>

// An open RocksDB; `db` is NULL when it is not.
struct od_rocks_db {
    rocksdb_t *db;
    rocksdb_column_family_handle_t *rows;
};

enum od_rocks_state {
    OD_ROCKS_WRITABLE,
    OD_ROCKS_FULL,   // a write found no space
    OD_ROCKS_BROKEN, // a write failed otherwise
};

struct od_store {
    struct od_data_dir dir;
    enum od_durability durability;
    rocksdb_options_t *options;
    rocksdb_readoptions_t *reads;
    rocksdb_writeoptions_t *writes;      // as durable as the store's options say
    rocksdb_writeoptions_t *sync_writes; // on the disk, always

    // Whoever uses `db` is inside; alone is who reopens it.
    struct od_gate gate;
    struct od_rocks_db db;
    atomic_size_t snapshots;
    od_row_cache *row_cache;

    // Held by whoever writes; guards what follows, and the changes of `state`.
    pthread_mutex_t write_lock;
    rocksdb_writebatch_t *batch;
    size_t range_deletions; // in the memtable, about
    int64_t reopen_after_ns;
    _Atomic enum od_rocks_state state;
};

// --- rocksdb_db.c

enum { OD_ROCKS_PREFIX_BYTES = 4 };

// `block_bytes`: of blocks that may be kept of what was read.
rocksdb_options_t *od_rocks_options_create(uint64_t block_bytes);

// Gives RocksDB's message, to be freed with rocksdb_free, or NULL when it is open.
char *od_rocks_db_open(rocksdb_options_t *options, const char *path, enum od_durability durability,
                       struct od_rocks_db *out);
// The same, for reads alone: nothing on the disk changes.
char *od_rocks_db_open_for_reads(const rocksdb_options_t *options, const char *path,
                                 struct od_rocks_db *out);
void od_rocks_db_close(struct od_rocks_db *db);

// A row's key in RocksDB: the group's number, big-endian, before its own.
od_str od_rocks_key(od_arena *arena, od_group group, od_str key);
// The key that ends a range of the group: that of `hi`, or where the group ends if `hi` is empty.
od_str od_rocks_end_key(od_arena *arena, od_group group, od_str hi);

// Moves the message to the arena.
const char *od_rocks_take_error(od_ctx *cx, char *error);

// --- rocksdb_start.c

// Opens what is in the store's directory, or makes it when it is fresh.
od_status od_rocks_start(od_store *store, od_ctx *cx);

// --- rocksdb_read.c

// Who uses `db`, but to open or close it, enters the gate with this.
void od_rocks_enter(od_store *store, struct od_gate_stay *stay);

od_status od_rocks_get(od_store *store, od_ctx *cx, od_snapshot *snapshot, od_group group,
                       const od_str *keys, size_t count, od_str *values);
od_status od_rocks_scan(od_store *store, od_ctx *cx, od_snapshot *snapshot,
                        const struct od_scan_range *range, od_scan_visitor *visit, void *arg);
od_status od_rocks_snapshot_open(od_store *store, od_ctx *cx, od_snapshot **out);
void od_rocks_snapshot_close(od_store *store, od_snapshot *snapshot);

// --- rocksdb_commit.c

od_status od_rocks_commit(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                          size_t count);
od_status od_rocks_group_drop(od_store *store, od_ctx *cx, od_group group);

// --- rocksdb_recover.c. The caller holds write_lock.

// What a failed write amounts to. The store is not writable from now on.
od_status od_rocks_write_failed(od_store *store, od_ctx *cx, char *error);

// OK when the store can be written to, after an attempt to recover it if that is due. Otherwise
// STORE_FULL or STORE_DOWN.
od_status od_rocks_make_writable(od_store *store, od_ctx *cx);

#endif
