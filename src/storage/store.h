// The seam between ordna and what keeps its bytes. A store is a set of groups; a group is an
// ordered map from keys to values, sorted by memcmp. All of DynamoDB lives above this.
//
//   RocksDB       a group is a key prefix, a commit one write batch and one sync
//   memory        a group is an ordered map, a commit a write lock
//   (RADOS)       a group is an object, a commit one operation on it
//
// No iterator, lock, JSON or SQL crosses it. Keys hold no 0x00 byte; keys and values are never
// empty. All functions may be called from any thread; commits are made one at a time by the caller.
// While a thread scans or has a snapshot open it may read the same store, but not commit to it.
#ifndef OD_STORAGE_STORE_H
#define OD_STORAGE_STORE_H

#include "base/status.h"

#include <stdint.h>

typedef struct od_store od_store;
typedef struct od_snapshot od_snapshot;

typedef uint32_t od_group; // from 1 to UINT32_MAX - 1; the caller hands them out, each once

enum od_durability {
    OD_DURABILITY_SYNC,    // a commit returns when it is on the disk
    OD_DURABILITY_RELAXED, // a commit returns when the operating system has it
};

struct od_store_options {
    const char *dir; // the memory store ignores it
    enum od_durability durability;
    uint64_t cache_bytes; // what may be kept of what was read; 0: as the store thinks best
};

struct od_store_caps {
    bool multi_group;    // one commit may span groups
    bool blocking_reads; // reads wait as a rule, for a network; a cache miss alone does not count
    bool durable;
};

enum od_mutation_kind { OD_MUTATION_PUT, OD_MUTATION_DEL, OD_MUTATION_DEL_RANGE };

struct od_mutation {
    enum od_mutation_kind kind;
    od_str key;   // DEL_RANGE: the first key to go
    od_str value; // PUT. DEL_RANGE: the first key to stay; empty for no bound
};

// What must hold for a commit to be applied.
enum od_check_kind { OD_CHECK_EQ, OD_CHECK_ABSENT, OD_CHECK_LT };

struct od_check {
    enum od_check_kind kind;
    od_str key;
    od_str value; // EQ: the stored bytes. LT: what they sort before; absent counts as less
};

struct od_commit_part {
    od_group group;
    const struct od_check *checks;
    size_t check_count;
    const struct od_mutation *mutations; // applied in this order
    size_t mutation_count;
};

struct od_scan_range {
    od_group group;
    od_str lo;
    od_str hi;
    bool reverse;
    // Where it stands, a scan may end early and set it: when many rows lie in its way that have
    // been deleted, and are yet to be cleared away. NULL: the scan passes over them, however many.
    bool *given_up;
};

// Sees borrowed bytes, valid until it returns. False stops the scan.
typedef bool od_scan_visitor(void *arg, od_str key, od_str value);

struct od_store_health {
    bool writable;      // if not, each commit tries first to make the store writable again
    const char *reason; // static text; NULL when writable
};

// One row for each kind of store. `snapshot` is NULL where a call may see the newest state.
// Every failure has left its reason in cx->error.
struct od_store_ops {
    uint32_t abi; // OD_STORE_ABI
    const char *name;

    // STORE_DOWN when it cannot be opened; the message says what to do about it.
    od_status (*open)(od_ctx *cx, const struct od_store_options *options, od_store **out);
    void (*close)(od_store *store); // flushes: nothing is left to replay
    struct od_store_caps (*caps)(const od_store *store);

    // Makes the group's data go, all of it. Idempotent.
    od_status (*group_drop)(od_store *store, od_ctx *cx, od_group group);

    // Values are copied to cx->arena; one that is absent becomes {NULL, 0}. All are of one moment.
    od_status (*get)(od_store *store, od_ctx *cx, od_snapshot *snapshot, od_group group,
                     const od_str *keys, size_t count, od_str *values);

    // Visits lo <= key < hi in ascending order, or in descending order when `reverse`. An empty
    // `lo` or `hi` is no bound. What is visited is of one moment.
    od_status (*scan)(od_store *store, od_ctx *cx, od_snapshot *snapshot,
                      const struct od_scan_range *range, od_scan_visitor *visit, void *arg);

    // All parts or nothing. OK: applied, and as durable as the options say. STORE_CONFLICT: a check
    // failed, nothing applied. STORE_FULL: no space, nothing applied. STORE_UNKNOWN: it may or may
    // not have been applied. STORE_DOWN: refused, nothing applied. Readers never see a commit that
    // is not yet as durable as promised. A commit of no parts makes a store that is not writable so
    // again: it is OK when the next commit may be applied, and else STORE_FULL or STORE_DOWN.
    od_status (*commit)(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                        size_t count);

    // A view of one moment, for reads by the thread that opened it.
    od_status (*snapshot_open)(od_store *store, od_ctx *cx, od_snapshot **out);
    void (*snapshot_close)(od_store *store, od_snapshot *snapshot);

    struct od_store_health (*health)(const od_store *store);
};

enum { OD_STORE_ABI = 1 };

// The store called `name`, built in or loaded. OD_STORE_DOWN with a message that says what to
// install or where it was looked for.
od_status od_store_find(od_ctx *cx, const char *name, const struct od_store_ops **out);

#endif
