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
    pthread_rwlock_t catalog_lock;
    struct od_catalog_entry *catalog; // by table name
    od_group next_group;              // the committer's
    int64_t next_purge_ms;            // the committer's: when tokens are purged again
};

// --- catalog.c: which tables there are ----------------------------------------------------------

od_status od_catalog_load(od_engine *engine, od_ctx *cx);
void od_catalog_clear(od_engine *engine);
// Replaces or adds; takes over the caller's reference. Once the row is committed.
void od_catalog_publish(od_engine *engine, struct od_table *table);
void od_catalog_remove(od_engine *engine, od_str name);
size_t od_catalog_count(od_engine *engine);
// The table of that name, with a reference, or NULL.
const struct od_table *od_catalog_find(od_engine *engine, od_str name);
// The name in a table name or ARN. {NULL, 0} for an ARN of another account or region.
od_str od_table_name_of(od_str name_or_arn);

// Finishes what dropping tables left behind: their data goes before their last row does.
// Runs as the committer, or before there is one.
od_status od_finish_drops(od_engine *engine, od_ctx *cx); // drop.c
void od_list_drops(struct od_batch *batch, od_ctx *cx, const struct od_table *table);

// --- table.c ------------------------------------------------------------------------------------

struct od_table *od_table_create(void); // one reference, everything else zero

// --- catalog_row.c: a table as bytes ------------------------------------------------------------

od_item od_catalog_row_encode(od_arena *arena, const struct od_table *table);
// NULL when the row is no table.
struct od_table *od_catalog_row_decode(od_item row);

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

// --- table_jobs.c --------------------------------------------------------------------------------

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
