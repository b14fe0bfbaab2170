#include "engine/commit/sizes.h"

#include "base/random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// 4 MB when all is in use: the sizes of 262,144 items.
enum { SETS = 64 * 1024, WAYS = 4 };

struct entry {
    uint64_t tag;
    uint32_t tag_rest;
    uint32_t size_and_one; // 0: free
};

struct od_size_set {
    struct entry entries[WAYS];
};

void od_sizes_init(struct od_sizes *sizes)
{
    *sizes = (struct od_sizes){0};
    od_random_bytes(&sizes->seed, sizeof(sizes->seed));
}

void od_sizes_clear(struct od_sizes *sizes)
{
    free(sizes->sets);
    sizes->sets = NULL;
}

// The bits that choose the set are none of the tag's.
static struct entry make_entry(const struct od_sizes *sizes, od_group group, od_str key,
                               size_t *set)
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(key.ptr, key.len, sizes->seed + group);
    *set = hash.high64 % SETS;
    return (struct entry){.tag = hash.low64, .tag_rest = (uint32_t)(hash.high64 >> 32)};
}

static struct entry *find_in(struct od_size_set *set, const struct entry *wanted)
{
    for (size_t i = 0; i < WAYS; i++) {
        struct entry *entry = &set->entries[i];
        if (entry->tag == wanted->tag && entry->tag_rest == wanted->tag_rest &&
            entry->size_and_one > 0) {
            return entry;
        }
    }
    return NULL;
}

bool od_sizes_find(const struct od_sizes *sizes, od_group group, od_str key, size_t *out)
{
    if (sizes->sets == NULL) {
        return false;
    }
    size_t set = 0;
    const struct entry wanted = make_entry(sizes, group, key, &set);
    const struct entry *found = find_in(&sizes->sets[set], &wanted);
    *out = found == NULL ? 0 : found->size_and_one - 1;
    return found != NULL;
}

void od_sizes_note(struct od_sizes *sizes, od_group group, od_str key, size_t size)
{
    assert(size < UINT32_MAX);
    if (sizes->sets == NULL) {
        sizes->sets = calloc(SETS, sizeof(*sizes->sets));
        if (sizes->sets == NULL) {
            abort();
        }
    }
    size_t at = 0;
    struct entry entry = make_entry(sizes, group, key, &at);
    entry.size_and_one = (uint32_t)size + 1;
    struct od_size_set *set = &sizes->sets[at];
    struct entry *found = find_in(set, &entry);
    if (found != NULL) {
        *found = entry;
        return;
    }
    memmove(set->entries + 1, set->entries, (WAYS - 1) * sizeof(entry));
    set->entries[0] = entry;
}
