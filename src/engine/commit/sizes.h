// How large the items are that were written last. A put that replaces an item and is asked for
// nothing of it needs to know no more, for the table's counters; reading it would be a fourth of
// what the put costs.
//
// Sets of four entries, the newest first; an entry knows its key by 96 bits of a hash whose seed
// nobody can guess. The committer's alone: it makes all changes of items, and clears this when it
// does not know what has become of one.
#ifndef OD_ENGINE_SIZES_H
#define OD_ENGINE_SIZES_H

#include "base/str.h"
#include "storage/store.h"

struct od_size_set;

struct od_sizes {
    uint64_t seed;
    struct od_size_set *sets; // NULL until something is noted
};

void od_sizes_init(struct od_sizes *sizes);
// Forgets everything, and gives the memory back.
void od_sizes_clear(struct od_sizes *sizes);

// False when it is not known; 0 bytes when there is no item.
bool od_sizes_find(const struct od_sizes *sizes, od_group group, od_str key, size_t *out);
void od_sizes_note(struct od_sizes *sizes, od_group group, od_str key, size_t size);

#endif
