// Rows that were read last, so that a read of one need not ask the store under it. Whole rows by
// their keys: scans go past it, and so do reads of an older moment.
//
// What it says is what the store under it would say at that moment:
//
//   who writes    hide --------> the rows become visible in the store --------> show
//                      meanwhile nobody finds these rows here, nor brings them
//
//   who reads     find: not here ----> get from the store ----> keep
//                      refused when a write of such a row has begun, or ended, since `find`
//
// So a row is found here only while no newer one can have been seen by anybody. Any thread reads;
// writes come one at a time.
#ifndef OD_STORAGE_ROW_CACHE_H
#define OD_STORAGE_ROW_CACHE_H

#include "base/arena.h"

#include <stdint.h>

typedef struct od_row_cache od_row_cache;

// `max_bytes`: of rows, with what it takes to find them. Takes memory as rows come.
od_row_cache *od_row_cache_create(size_t max_bytes);
void od_row_cache_destroy(od_row_cache *cache);

// What a read that found nothing has to show when it brings the row.
struct od_row_ticket {
    uint64_t hash;
    uint32_t row_writes;
    uint32_t shard_writes;
    bool again; // it was asked for before, not long ago
};

// The row's value, copied to the arena. False when it is not here, and `ticket` is filled.
bool od_row_cache_find(od_row_cache *cache, od_str key, od_arena *arena, od_str *value,
                       struct od_row_ticket *ticket);
// Keeps what the store said after `ticket` was given, if that can still be so.
void od_row_cache_keep(od_row_cache *cache, const struct od_row_ticket *ticket, od_str key,
                       od_str value);

// A write of this row begins, and has ended. `value` is what the row is now, {NULL, 0} if it is
// gone or nobody knows: it is kept if the row was here, and asked for since the write before. Of
// several changes of one row that become visible at once, the last one is shown first.
void od_row_cache_hide(od_row_cache *cache, od_str key);
void od_row_cache_show(od_row_cache *cache, od_str key, od_str value);

// The same for all rows. They are forgotten.
void od_row_cache_hide_all(od_row_cache *cache);
void od_row_cache_show_all(od_row_cache *cache);

#endif
