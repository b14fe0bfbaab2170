// Shared by the files of src/engine, and by nothing else.
#ifndef OD_ENGINE_ENGINE_INTERNAL_H
#define OD_ENGINE_ENGINE_INTERNAL_H

#include "engine/commit.h"
#include "engine/engine.h"

#include <pthread.h>

struct od_catalog_entry; // catalog.c

struct od_engine {
    const struct od_store_ops *ops;
    od_store *store;
    od_committer *committer;
    struct od_engine_limits limits;
    pthread_rwlock_t catalog_lock;
    struct od_catalog_entry *catalog; // by table name
    od_group next_group;              // the committer's
    int64_t next_purge_ms;            // the committer's: when tokens are purged again
    struct od_backfiller *backfiller;
};

// --- catalog.c: which tables there are ----------------------------------------------------------

// Makes the catalog what the store has. At the start, and whenever it may have become untrue.
od_status od_catalog_load(od_engine *engine, od_ctx *cx);
void od_catalog_clear(od_engine *engine);
// Replaces or adds; takes over the caller's reference. Once the row is committed.
void od_catalog_publish(od_engine *engine, struct od_table *table);
void od_catalog_remove(od_engine *engine, od_str name);
size_t od_catalog_count(od_engine *engine);
// The table of that name, with a reference, or NULL.
const struct od_table *od_catalog_find(od_engine *engine, od_str name);
// The name of a table that has an index to be backfilled, in the arena; false when there is none.
bool od_catalog_find_backfill(od_engine *engine, od_arena *arena, od_str *name);
// The name in a table name or ARN. {NULL, 0} for an ARN of another account or region.
od_str od_table_name_of(od_str name_or_arn);

// Finishes what dropping tables left behind: their data goes before their last row does.
// Runs as the committer, or before there is one.
od_status od_finish_drops(od_engine *engine, od_ctx *cx); // drop.c
void od_list_drops(struct od_batch *batch, od_ctx *cx, const struct od_table *table);
void od_list_drop(struct od_batch *batch, od_ctx *cx, od_group group);
// Finishes what the committed batch has listed; a fault is for the log alone.
void od_finish_listed_drops(od_engine *engine);

// --- table.c ------------------------------------------------------------------------------------

struct od_table *od_table_create(void); // one reference, everything else zero
// A copy that may be changed, with one reference and the counters as they are: by the committer.
struct od_table *od_table_clone(const struct od_table *table);
// Adds or replaces, in the order of keys; `tags` has room.
void od_table_put_tag(struct od_table *table, struct od_tag tag);

// --- catalog_row.c: a table as bytes ------------------------------------------------------------

od_item od_catalog_row_encode(od_arena *arena, const struct od_table *table);
// NULL when the row is no table.
struct od_table *od_catalog_row_decode(od_item row);

// --- change/backfill.c: fills indexes that were added to a table
// ----------------------------------

struct od_backfiller *od_backfiller_create(od_engine *engine);
void od_backfiller_destroy(struct od_backfiller *backfiller);
// There may be an index to fill. From any thread.
void od_backfiller_wake(struct od_backfiller *backfiller);
// Wakes it if there is one.
void od_backfiller_resume(struct od_backfiller *backfiller);

// --- keys.c: key attributes of items and requests ------------------------------------------------

// Checks a Key parameter: just the key attributes, with their types, not empty, not too long.
od_status od_check_key(od_ctx *cx, const struct od_table *table, od_value key);
// Checks that an item has the table's key attributes, and that the index keys it has are of the
// declared types. `in_batch` chooses BatchWriteItem's words.
od_status od_check_item(od_ctx *cx, const struct od_table *table, od_value item, bool in_batch);
// The same for an item that an update made of `old`: index keys that did not change pass.
od_status od_check_updated(od_ctx *cx, const struct od_table *table, od_value old,
                           od_value updated);
// One value of a key attribute: type, emptiness, length.
od_status od_check_key_size(od_ctx *cx, const struct od_key_schema *schema, od_value map);

od_str od_row_key(od_arena *arena, const struct od_key_schema *schema, od_value map);

// --- table_jobs.c, table_check.c -----------------------------------------------------------------

od_str od_table_row_key(od_arena *arena, od_str name);
// An index as the spec has it, with a group of its own; types come from the job's definitions.
void od_index_fill(const struct od_create_table_job *job, const struct od_index_spec *spec,
                   bool is_local, od_arena *arena, struct od_index *out);
// Its keys and projection; then its ceilings and warm throughput.
od_status od_check_global_index(od_ctx *cx, const struct od_create_table_job *job,
                                const struct od_index_spec *index);
od_status od_check_index_capacity(od_ctx *cx, const struct od_create_table_job *job,
                                  const struct od_index_spec *index);

// Writes the table's row, and the first group that is free from now on.
void od_put_table_row(struct od_batch *batch, od_ctx *cx, const struct od_table *table,
                      od_group next_group);

// --- index.c: what an item leaves in an index
// -----------------------------------------------------

struct od_index_entry {
    od_str key; // {NULL, 0}: the item is not in the index
    od_item item;
};
struct od_index_entry od_index_entry_of(od_arena *arena, const struct od_table *table,
                                        const struct od_index *index, od_item item);

// --- capacity.c ----------------------------------------------------------------------------------

int64_t od_read_halves(size_t size_bytes, bool consistent); // at least one unit's worth
int64_t od_write_halves(size_t size_bytes);
void od_capacity_charge(struct od_capacity *capacity, od_arena *arena, const struct od_index *index,
                        int64_t halves);
// How many partitions a table would have on DynamoDB when it is new.
uint32_t od_partition_count(const struct od_table *table, const struct od_index *index);

#endif
