#include "api/parsed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <xxhash.h>

enum {
    SLOTS = 512, // twice as many as there may be entries, so that a search soon ends
    MAX_ENTRIES = SLOTS / 2,
    // A byte of text becomes some tens of bytes of tree.
    MAX_TEXT_BYTES = 32 * 1024,
    SEEN = 1024,
};

struct entry {
    uint64_t hash; // 0: a free slot
    enum od_expr_kind kind;
    od_str text;
    const struct od_expr *expr;
};

struct od_parsed_edition {
    atomic_int refs; // one for each call that uses it, and one while it is the current one
    od_arena *arena; // this lies in it too
    size_t entry_count;
    size_t text_bytes;
    struct entry slots[SLOTS];
};

static struct {
    pthread_mutex_t lock;
    struct od_parsed_edition *current; // NULL at first
    uint64_t seen[SEEN];               // hashes, each in its place
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct od_parsed_edition *edition_create(void)
{
    od_arena *arena = od_arena_create();
    struct od_parsed_edition *edition = od_new(arena, struct od_parsed_edition);
    edition->arena = arena;
    atomic_init(&edition->refs, 1);
    return edition;
}

static void edition_release(struct od_parsed_edition *edition)
{
    if (atomic_fetch_sub_explicit(&edition->refs, 1, memory_order_acq_rel) == 1) {
        od_arena_destroy(edition->arena);
    }
}

static uint64_t hash_of(enum od_expr_kind kind, od_str text)
{
    uint64_t hash = XXH3_64bits_withSeed(text.ptr, text.len, (uint64_t)kind);
    return hash == 0 ? 1 : hash;
}

static bool is_same(const struct entry *entry, const struct entry *wanted)
{
    return entry->hash == wanted->hash && entry->kind == wanted->kind &&
           od_str_eq(entry->text, wanted->text);
}

// The entry, or the free slot where it would be.
static struct entry *find_slot(struct od_parsed_edition *edition, const struct entry *wanted)
{
    size_t i = wanted->hash % SLOTS;
    while (edition->slots[i].hash != 0 && !is_same(&edition->slots[i], wanted)) {
        i = (i + 1) % SLOTS;
    }
    return &edition->slots[i];
}

static bool was_seen_before(uint64_t hash)
{
    uint64_t *place = &cache.seen[hash % SEEN];
    bool before = *place == hash;
    *place = hash;
    return before;
}

static bool has_room(const struct od_parsed_edition *edition, od_str text)
{
    return edition->entry_count < MAX_ENTRIES && edition->text_bytes + text.len <= MAX_TEXT_BYTES;
}

// An edition that the call may use and `text` may be added to, or NULL: the call holds the last one
// already, which is full.
static struct od_parsed_edition *edition_for(const struct od_call *call, od_str text)
{
    if (cache.current == NULL) {
        cache.current = edition_create();
    }
    if (!has_room(cache.current, text)) {
        edition_release(cache.current);
        cache.current = edition_create();
    }
    bool holds_other = call->parsed != NULL && call->parsed != cache.current;
    return holds_other ? NULL : cache.current;
}

static const struct od_expr *add(struct od_parsed_edition *edition, struct entry *entry)
{
    od_ctx cx = {.arena = edition->arena};
    od_mark mark = od_arena_mark(edition->arena);
    entry->text = od_arena_copy(edition->arena, entry->text);
    if (od_expr_parse(&cx, entry->kind, entry->text, &entry->expr) != OD_OK) {
        od_arena_rewind(edition->arena, mark);
        return NULL; // the caller parses it again, for the message
    }
    *find_slot(edition, entry) = *entry;
    edition->entry_count++;
    edition->text_bytes += entry->text.len;
    return entry->expr;
}

static void hold(struct od_call *call, struct od_parsed_edition *edition)
{
    if (call->parsed == NULL) {
        call->parsed = edition;
        atomic_fetch_add_explicit(&edition->refs, 1, memory_order_relaxed);
    }
}

// NULL when it is not kept. With the lock held.
static const struct od_expr *find_or_add(struct od_call *call, struct entry *wanted)
{
    struct od_parsed_edition *edition = cache.current;
    const struct od_expr *found = NULL;
    if (edition != NULL && (call->parsed == NULL || call->parsed == edition)) {
        found = find_slot(edition, wanted)->expr;
    }
    if (found == NULL && was_seen_before(wanted->hash)) {
        edition = edition_for(call, wanted->text);
        found = edition == NULL ? NULL : add(edition, wanted);
    }
    if (found != NULL) {
        hold(call, edition);
    }
    return found;
}

od_status od_parsed_get(struct od_call *call, enum od_expr_kind kind, od_str text,
                        const struct od_expr **out)
{
    struct entry wanted = {.hash = hash_of(kind, text), .kind = kind, .text = text};
    const struct od_expr *found = NULL;
    // Whoever would have to wait parses for itself.
    if (text.len <= OD_EXPR_MAX_BYTES && pthread_mutex_trylock(&cache.lock) == 0) {
        found = find_or_add(call, &wanted);
        pthread_mutex_unlock(&cache.lock);
    }
    if (found == NULL) {
        return od_expr_parse(&call->cx, kind, text, out);
    }
    *out = found;
    return OD_OK;
}

void od_parsed_release(struct od_call *call)
{
    if (call->parsed != NULL) {
        edition_release(call->parsed);
        call->parsed = NULL;
    }
}
