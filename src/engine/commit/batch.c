#include "engine/commit/batch.h"

#include "base/log.h"
#include "engine/groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define HASH_FUNCTION(key, len, hash) ((hash) = (unsigned)XXH3_64bits((key), (len)))
#include <uthash.h>

struct od_pending {
    od_str id; // the group's four bytes, then the key
    od_group group;
    od_str key;
    od_str value; // {NULL, 0}: deleted
    UT_hash_handle hh;
};

struct od_counter {
    const struct od_table *table; // holds a reference
    od_group group;
    _Atomic int64_t *item_count;
    _Atomic int64_t *size_bytes;
    struct od_stats change;
    struct od_counter *next;
};

struct od_hook {
    od_commit_hook *run;
    void *arg;
    struct od_hook *next;
};

void od_batch_init(struct od_batch *batch, const struct od_store_ops *ops, od_store *store)
{
    *batch = (struct od_batch){.ops = ops, .store = store, .arena = od_arena_create()};
    batch->last_hook = &batch->hooks;
    od_sizes_init(&batch->sizes);
}

static void empty(struct od_batch *batch)
{
    for (struct od_counter *counter = batch->counters; counter != NULL; counter = counter->next) {
        od_table_release(counter->table);
    }
    HASH_CLEAR(hh, batch->pending);
    batch->pending_count = 0;
    batch->bytes = 0;
    batch->failed = false;
    batch->counters = NULL;
    batch->hooks = NULL;
    batch->last_hook = &batch->hooks;
    od_arena_reset(batch->arena);
}

void od_batch_clear(struct od_batch *batch)
{
    empty(batch);
    od_sizes_clear(&batch->sizes);
    od_arena_destroy(batch->arena);
}

static od_str pending_id(od_arena *arena, od_group group, od_str key)
{
    char *id = od_arena_bytes(arena, sizeof(group) + key.len);
    memcpy(id, &group, sizeof(group));
    memcpy(id + sizeof(group), key.ptr, key.len);
    return (od_str){id, sizeof(group) + key.len};
}

static struct od_pending *find(struct od_batch *batch, od_str id)
{
    struct od_pending *found = NULL;
    HASH_FIND(hh, batch->pending, id.ptr, id.len, found);
    return found;
}

od_status od_batch_get(struct od_batch *batch, od_ctx *cx, od_group group, od_str key, od_str *out)
{
    if (batch->pending != NULL) {
        od_mark mark = od_arena_mark(batch->arena);
        const struct od_pending *found = find(batch, pending_id(batch->arena, group, key));
        od_arena_rewind(batch->arena, mark);
        if (found != NULL) {
            bool deleted = found->value.ptr == NULL;
            *out = deleted ? (od_str){0} : od_arena_copy(cx->arena, found->value);
            return OD_OK;
        }
    }
    od_status status = batch->ops->get(batch->store, cx, NULL, group, &key, 1, out);
    batch->failed = batch->failed || status != OD_OK;
    return status;
}

static void write_pending(struct od_batch *batch, od_group group, od_str key, od_str value)
{
    od_str id = pending_id(batch->arena, group, key);
    struct od_pending *entry = find(batch, id);
    if (entry == NULL) {
        entry = od_new(batch->arena, struct od_pending);
        entry->id = id;
        entry->group = group;
        entry->key = (od_str){id.ptr + sizeof(group), key.len};
        HASH_ADD_KEYPTR(hh, batch->pending, entry->id.ptr, entry->id.len, entry);
        batch->pending_count++;
    }
    entry->value = value;
    batch->bytes += key.len + value.len;
}

void od_batch_put(struct od_batch *batch, od_group group, od_str key, od_str value)
{
    assert(value.len > 0);
    write_pending(batch, group, key, value);
}

void od_batch_delete(struct od_batch *batch, od_group group, od_str key)
{
    write_pending(batch, group, key, (od_str){0});
}

bool od_batch_item_size(const struct od_batch *batch, od_group group, od_str key, size_t *out)
{
    return od_sizes_find(&batch->sizes, group, key, out);
}

void od_batch_note_item_size(struct od_batch *batch, od_group group, od_str key, size_t size)
{
    od_sizes_note(&batch->sizes, group, key, size);
}

static struct od_counter *counter_of(struct od_batch *batch, const struct od_table *table,
                                     int index)
{
    od_group group = index < 0 ? table->group : table->indexes[index].group;
    for (struct od_counter *counter = batch->counters; counter != NULL; counter = counter->next) {
        if (counter->group == group) {
            return counter;
        }
    }
    // Counters are the one part of a table that changes; the committer alone changes them.
    struct od_table *owner = (struct od_table *)(uintptr_t)table;
    struct od_counter *counter = od_new(batch->arena, struct od_counter);
    *counter = (struct od_counter){
        .table = table,
        .group = group,
        .item_count = index < 0 ? &owner->item_count : &owner->indexes[index].item_count,
        .size_bytes = index < 0 ? &owner->size_bytes : &owner->indexes[index].size_bytes,
        .next = batch->counters,
    };
    owner->refs++;
    batch->counters = counter;
    return counter;
}

void od_batch_count(struct od_batch *batch, const struct od_table *table, int index,
                    struct od_stats change)
{
    if (change.item_count == 0 && change.size_bytes == 0) {
        return;
    }
    struct od_counter *counter = counter_of(batch, table, index);
    counter->change.item_count += change.item_count;
    counter->change.size_bytes += change.size_bytes;
}

void od_batch_on_commit(struct od_batch *batch, od_commit_hook *hook, void *arg)
{
    struct od_hook *entry = od_new(batch->arena, struct od_hook);
    *entry = (struct od_hook){.run = hook, .arg = arg};
    *batch->last_hook = entry;
    batch->last_hook = &entry->next;
}

static void write_counter(struct od_batch *batch, const struct od_counter *counter)
{
    int64_t row[2] = {*counter->item_count + counter->change.item_count,
                      *counter->size_bytes + counter->change.size_bytes};
    static_assert(sizeof(row) == OD_STATS_ROW_BYTES);
    char key[OD_GROUP_KEY_BYTES];
    od_str value = od_arena_copy(batch->arena, (od_str){(const char *)row, sizeof(row)});
    od_batch_put(batch, OD_GROUP_STATS, od_group_key(key, counter->group), value);
}

// How many different groups the batch writes to, each named once in `groups`.
static size_t list_groups(const struct od_batch *batch, od_group *groups)
{
    size_t count = 0;
    for (const struct od_pending *entry = batch->pending; entry != NULL; entry = entry->hh.next) {
        size_t i = 0;
        while (i < count && groups[i] != entry->group) {
            i++;
        }
        groups[i] = entry->group;
        count += i == count;
    }
    return count;
}

static struct od_commit_part make_part(struct od_batch *batch, od_group group,
                                       struct od_mutation *mutations)
{
    size_t count = 0;
    for (const struct od_pending *entry = batch->pending; entry != NULL; entry = entry->hh.next) {
        if (entry->group == group) {
            mutations[count++] = (struct od_mutation){
                .kind = entry->value.ptr == NULL ? OD_MUTATION_DEL : OD_MUTATION_PUT,
                .key = entry->key,
                .value = entry->value,
            };
        }
    }
    return (struct od_commit_part){.group = group, .mutations = mutations, .mutation_count = count};
}

static od_status commit_pending(struct od_batch *batch)
{
    size_t max = batch->pending_count;
    od_group *groups = od_new_array(batch->arena, od_group, max);
    struct od_mutation *mutations = od_new_array(batch->arena, struct od_mutation, max);
    size_t count = list_groups(batch, groups);
    struct od_commit_part *parts = od_new_array(batch->arena, struct od_commit_part, count);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        parts[i] = make_part(batch, groups[i], mutations + used);
        used += parts[i].mutation_count;
    }
    od_ctx cx = {.arena = batch->arena};
    od_status status = batch->ops->commit(batch->store, &cx, parts, count);
    if (status != OD_OK) {
        od_log(OD_LOG_ERROR, "commit failed: %.*s", OD_STR_ARG(cx.error));
    }
    return status;
}

static void publish_counters(const struct od_batch *batch)
{
    for (const struct od_counter *counter = batch->counters; counter != NULL;
         counter = counter->next) {
        *counter->item_count += counter->change.item_count;
        *counter->size_bytes += counter->change.size_bytes;
    }
}

od_status od_batch_commit(struct od_batch *batch)
{
    for (const struct od_counter *counter = batch->counters; counter != NULL;
         counter = counter->next) {
        write_counter(batch, counter);
    }
    od_status status = batch->failed ? OD_STORE_DOWN : OD_OK;
    if (status == OD_OK && batch->pending != NULL) {
        status = commit_pending(batch);
    }
    if (status == OD_OK) {
        publish_counters(batch);
        for (const struct od_hook *hook = batch->hooks; hook != NULL; hook = hook->next) {
            hook->run(hook->arg);
        }
    } else {
        od_sizes_clear(&batch->sizes);
    }
    empty(batch);
    return status;
}
