#include "storage/row_cache.h"

#include "base/random.h"
#include "storage/checked.h"

#include <pthread.h>
#include <string.h>
#include <xxhash.h>

// A row's hash: the lowest bits choose the shard, those above them the slot.
enum {
    SHARD_BITS = 4,
    SHARDS = 1 << SHARD_BITS,
    // Rows of this size fill the cache when there is one in each slot.
    BYTES_A_SLOT = 512,
    // A row that takes more than this part of its shard is not kept.
    LEAST_ROWS = 16,
    CACHE_LINE = 64,
};

struct row {
    struct row *next; // in the slot
    struct row *older;
    struct row *newer;
    uint64_t hash;
    uint32_t key_size;
    uint32_t value_size;
    bool hidden;
    bool wanted; // asked for since it was written
    bool found;  // since it was last looked at for being evicted
    char bytes[];
};

struct slot {
    struct row *rows;
    uint32_t writes;       // that began or ended; odd while one is under way
    uint32_t last_missing; // of the row that was not found here last: the hash's upper half
};

struct shard {
    _Alignas(CACHE_LINE) pthread_mutex_t lock;
    struct row *oldest;
    struct row *newest;
    size_t bytes;
    uint32_t writes; // the same, of all rows at once
};

struct od_row_cache {
    uint64_t seed; // so that nobody can choose keys for one slot
    size_t max_shard_bytes;
    size_t slot_count; // of a shard
    struct slot *slots;
    struct shard shards[SHARDS];
};

od_row_cache *od_row_cache_create(size_t max_bytes)
{
    size_t size = (sizeof(od_row_cache) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    od_row_cache *cache = od_checked(aligned_alloc(CACHE_LINE, size));
    *cache = (od_row_cache){.max_shard_bytes = max_bytes / SHARDS,
                            .slot_count = max_bytes / SHARDS / BYTES_A_SLOT + 1};
    od_random_bytes(&cache->seed, sizeof(cache->seed));
    // Zeroed by the system, so that slots take no memory before they are used.
    cache->slots = od_checked(calloc(cache->slot_count * SHARDS, sizeof(*cache->slots)));
    for (size_t i = 0; i < SHARDS; i++) {
        pthread_mutex_init(&cache->shards[i].lock, NULL);
    }
    return cache;
}

// --- One shard, whose lock is held --------------------------------------------------------------

static struct shard *shard_of(od_row_cache *cache, uint64_t hash)
{
    return &cache->shards[hash % SHARDS];
}

static struct slot *slot_of(od_row_cache *cache, uint64_t hash)
{
    size_t in_shard = (hash >> SHARD_BITS) % cache->slot_count;
    return &cache->slots[hash % SHARDS * cache->slot_count + in_shard];
}

static size_t bytes_of(size_t key_size, size_t value_size)
{
    return sizeof(struct row) + key_size + value_size;
}

// The link that leads to the row, or to where it would be.
static struct row **find_link(struct slot *slot, uint64_t hash, od_str key)
{
    struct row **link = &slot->rows;
    while (*link != NULL && ((*link)->hash != hash ||
                             !od_str_eq((od_str){(*link)->bytes, (*link)->key_size}, key))) {
        link = &(*link)->next;
    }
    return link;
}

static void enqueue(struct shard *shard, struct row *row)
{
    row->newer = NULL;
    row->older = shard->newest;
    *(row->older == NULL ? &shard->oldest : &row->older->newer) = row;
    shard->newest = row;
}

static void dequeue(struct shard *shard, struct row *row)
{
    *(row->older == NULL ? &shard->oldest : &row->older->newer) = row->newer;
    *(row->newer == NULL ? &shard->newest : &row->newer->older) = row->older;
}

static void drop(struct shard *shard, struct row **link)
{
    struct row *row = *link;
    *link = row->next;
    dequeue(shard, row);
    shard->bytes -= bytes_of(row->key_size, row->value_size);
    free(row);
}

static void drop_row(od_row_cache *cache, struct shard *shard, const struct row *row)
{
    struct row **link = &slot_of(cache, row->hash)->rows;
    while (*link != row) {
        link = &(*link)->next;
    }
    drop(shard, link);
}

// The oldest goes, but a row that was found is given another turn.
static void evict(od_row_cache *cache, struct shard *shard, size_t max_bytes)
{
    while (shard->bytes > max_bytes) {
        struct row *row = shard->oldest;
        if (!row->found) {
            drop_row(cache, shard, row);
            continue;
        }
        row->found = false;
        dequeue(shard, row);
        enqueue(shard, row);
    }
}

static void add(struct shard *shard, struct slot *slot, uint64_t hash, od_str key, od_str value)
{
    size_t bytes = bytes_of(key.len, value.len);
    struct row *row = od_checked(malloc(bytes));
    *row = (struct row){.next = slot->rows,
                        .hash = hash,
                        .key_size = (uint32_t)key.len,
                        .value_size = (uint32_t)value.len};
    memcpy(row->bytes, key.ptr, key.len);
    memcpy(row->bytes + key.len, value.ptr, value.len);
    slot->rows = row;
    enqueue(shard, row);
    shard->bytes += bytes;
}

static void drop_key(od_row_cache *cache, uint64_t hash, od_str key)
{
    struct row **link = find_link(slot_of(cache, hash), hash, key);
    if (*link != NULL) {
        drop(shard_of(cache, hash), link);
    }
}

static void evict_and_add(od_row_cache *cache, uint64_t hash, od_str key, od_str value, bool wanted)
{
    size_t bytes = bytes_of(key.len, value.len);
    if (bytes > cache->max_shard_bytes / LEAST_ROWS) {
        return;
    }
    struct shard *shard = shard_of(cache, hash);
    evict(cache, shard, cache->max_shard_bytes - bytes);
    add(shard, slot_of(cache, hash), hash, key, value);
    shard->newest->wanted = wanted;
}

static bool has_room(const od_row_cache *cache, const struct shard *shard, od_str key, od_str value)
{
    return shard->bytes + bytes_of(key.len, value.len) <= cache->max_shard_bytes;
}

static void forget(od_row_cache *cache, struct shard *shard)
{
    while (shard->oldest != NULL) {
        drop_row(cache, shard, shard->oldest);
    }
}

void od_row_cache_destroy(od_row_cache *cache)
{
    for (size_t i = 0; i < SHARDS; i++) {
        forget(cache, &cache->shards[i]);
        pthread_mutex_destroy(&cache->shards[i].lock);
    }
    free(cache->slots);
    free(cache);
}

// --- Reading ------------------------------------------------------------------------------------

static uint64_t hash_of(const od_row_cache *cache, od_str key)
{
    return XXH3_64bits_withSeed(key.ptr, key.len, cache->seed);
}

static struct shard *lock_shard(od_row_cache *cache, uint64_t hash)
{
    struct shard *shard = shard_of(cache, hash);
    pthread_mutex_lock(&shard->lock);
    return shard;
}

static struct od_row_ticket make_ticket(const struct shard *shard, struct slot *slot, uint64_t hash)
{
    uint32_t mark = (uint32_t)(hash >> 32);
    bool again = slot->last_missing == mark;
    slot->last_missing = mark;
    return (struct od_row_ticket){
        .hash = hash, .row_writes = slot->writes, .shard_writes = shard->writes, .again = again};
}

bool od_row_cache_find(od_row_cache *cache, od_str key, od_arena *arena, od_str *value,
                       struct od_row_ticket *ticket)
{
    uint64_t hash = hash_of(cache, key);
    struct shard *shard = lock_shard(cache, hash);
    struct slot *slot = slot_of(cache, hash);
    struct row *row = *find_link(slot, hash, key);
    bool found = row != NULL && !row->hidden;
    if (found) {
        row->wanted = true;
        row->found = true;
        *value = od_arena_copy(arena, (od_str){row->bytes + row->key_size, row->value_size});
    } else {
        *ticket = make_ticket(shard, slot, hash);
    }
    pthread_mutex_unlock(&shard->lock);
    return found;
}

// That no write of such a row was under way, and none has begun since.
static bool is_valid(const struct od_row_ticket *ticket, const struct shard *shard,
                     const struct slot *slot)
{
    return slot->writes == ticket->row_writes && slot->writes % 2 == 0 &&
           shard->writes == ticket->shard_writes && shard->writes % 2 == 0;
}

void od_row_cache_keep(od_row_cache *cache, const struct od_row_ticket *ticket, od_str key,
                       od_str value)
{
    struct shard *shard = lock_shard(cache, ticket->hash);
    if (is_valid(ticket, shard, slot_of(cache, ticket->hash))) {
        drop_key(cache, ticket->hash, key);
        // Once it is full, what is asked for once drives nothing out.
        if (ticket->again || has_room(cache, shard, key, value)) {
            evict_and_add(cache, ticket->hash, key, value, true);
        }
    }
    pthread_mutex_unlock(&shard->lock);
}

// --- Writing ------------------------------------------------------------------------------------

void od_row_cache_hide(od_row_cache *cache, od_str key)
{
    uint64_t hash = hash_of(cache, key);
    struct shard *shard = lock_shard(cache, hash);
    struct slot *slot = slot_of(cache, hash);
    struct row *row = *find_link(slot, hash, key);
    slot->writes |= 1; // two rows of a write may share the slot
    if (row != NULL) {
        row->hidden = true;
    }
    pthread_mutex_unlock(&shard->lock);
}

// Replaces what was hidden if somebody asked for it since the write before; else it goes.
static void renew(od_row_cache *cache, struct shard *shard, struct row **link, od_str key,
                  od_str value)
{
    struct row *row = *link;
    bool wanted = row->wanted && value.ptr != NULL;
    if (wanted && row->value_size == value.len) {
        memcpy(row->bytes + row->key_size, value.ptr, value.len);
        row->hidden = false;
        row->wanted = false;
        return;
    }
    uint64_t hash = row->hash;
    drop(shard, link);
    if (wanted) {
        evict_and_add(cache, hash, key, value, false);
    }
}

void od_row_cache_show(od_row_cache *cache, od_str key, od_str value)
{
    uint64_t hash = hash_of(cache, key);
    struct shard *shard = lock_shard(cache, hash);
    struct slot *slot = slot_of(cache, hash);
    struct row **link = find_link(slot, hash, key);
    slot->writes += slot->writes % 2;
    // One that is here and not hidden was brought or shown since the write became visible.
    if (*link != NULL && (*link)->hidden) {
        renew(cache, shard, link, key, value);
    }
    pthread_mutex_unlock(&shard->lock);
}

void od_row_cache_hide_all(od_row_cache *cache)
{
    for (size_t i = 0; i < SHARDS; i++) {
        struct shard *shard = lock_shard(cache, i);
        shard->writes++;
        forget(cache, shard);
        pthread_mutex_unlock(&shard->lock);
    }
}

void od_row_cache_show_all(od_row_cache *cache)
{
    for (size_t i = 0; i < SHARDS; i++) {
        struct shard *shard = lock_shard(cache, i);
        shard->writes++;
        pthread_mutex_unlock(&shard->lock);
    }
}
