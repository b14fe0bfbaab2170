// Groups of the store that belong to ordna itself, and the rows in them.
//
//   catalog  "t" table name   -> the table, as a packed item (catalog_row.c)
//            "g"              -> the next free group, u32 little-endian
//            "b" group        -> how far the backfill of an index has come: a key of its table
//            "x" group        -> a group whose data must go: dropped tables
//   stats    group            -> item count, size in bytes: two i64 little-endian
//
// In a key a group is five bytes of seven bits, high bit set.
#ifndef OD_ENGINE_GROUPS_H
#define OD_ENGINE_GROUPS_H

#include "base/arena.h"
#include "storage/store.h"

enum {
    OD_GROUP_CATALOG = 1,
    OD_GROUP_STATS = 2,
    OD_GROUP_TOKENS = 3,
    OD_GROUP_FIRST_FREE = 16,
};

enum { OD_GROUP_KEY_BYTES = 5, OD_STATS_ROW_BYTES = 16 };

// A key of a catalog row that belongs to a group: the letter and the group.
od_str od_catalog_group_key(od_arena *arena, char letter, od_group group);

static inline od_str od_group_key(char out[OD_GROUP_KEY_BYTES], od_group group)
{
    for (int i = OD_GROUP_KEY_BYTES - 1; i >= 0; i--) {
        out[i] = (char)(0x80 | (group & 0x7F));
        group >>= 7;
    }
    return (od_str){out, OD_GROUP_KEY_BYTES};
}

#endif
