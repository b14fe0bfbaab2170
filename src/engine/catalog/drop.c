// Dropping a table takes two steps, so that a crash between them loses nothing and leaves nothing:
// one commit takes the table's row away and leaves an "x" row for each of its groups; then the
// groups' data goes, and their "x" rows after it.
#include "engine/engine_internal.h"
#include "engine/groups.h"

#include "base/log.h"

enum { MAX_DROPS = 64 };

od_str od_catalog_group_key(od_arena *arena, char letter, od_group group)
{
    char space[OD_GROUP_KEY_BYTES];
    struct od_buf key = {.arena = arena};
    od_buf_put_byte(&key, (unsigned char)letter);
    od_buf_put(&key, od_group_key(space, group));
    return od_buf_str(&key);
}

void od_list_drop(struct od_batch *batch, od_ctx *cx, od_group group)
{
    char space[OD_GROUP_KEY_BYTES];
    od_batch_put(batch, OD_GROUP_CATALOG, od_catalog_group_key(cx->arena, 'x', group), OD_STR("1"));
    od_str stats = od_arena_copy(cx->arena, od_group_key(space, group));
    od_batch_delete(batch, OD_GROUP_STATS, stats);
}

void od_list_drops(struct od_batch *batch, od_ctx *cx, const struct od_table *table)
{
    od_list_drop(batch, cx, table->group);
    if (table->collection_group != 0) {
        od_list_drop(batch, cx, table->collection_group);
    }
    for (size_t i = 0; i < table->index_count; i++) {
        od_list_drop(batch, cx, table->indexes[i].group);
    }
}

struct drops {
    od_arena *arena;
    size_t count;
    od_str keys[MAX_DROPS];
    od_group groups[MAX_DROPS];
};

static bool collect_drop(void *arg, od_str key, od_str value)
{
    struct drops *drops = arg;
    (void)value;
    od_group group = 0;
    for (size_t i = 1; i < key.len; i++) {
        group = group << 7 | ((unsigned char)key.ptr[i] & 0x7F);
    }
    drops->keys[drops->count] = od_arena_copy(drops->arena, key);
    drops->groups[drops->count] = group;
    drops->count++;
    return drops->count < MAX_DROPS;
}

static od_status drop_listed(od_engine *engine, od_ctx *cx, const struct drops *drops)
{
    struct od_mutation mutations[MAX_DROPS];
    for (size_t i = 0; i < drops->count; i++) {
        OD_TRY(engine->ops->group_drop(engine->store, cx, drops->groups[i]));
        mutations[i] = (struct od_mutation){.kind = OD_MUTATION_DEL, .key = drops->keys[i]};
    }
    struct od_commit_part part = {
        .group = OD_GROUP_CATALOG, .mutations = mutations, .mutation_count = drops->count};
    return engine->ops->commit(engine->store, cx, &part, 1);
}

od_status od_finish_drops(od_engine *engine, od_ctx *cx)
{
    struct od_scan_range listed = {.group = OD_GROUP_CATALOG, .lo = OD_STR("x"), .hi = OD_STR("y")};
    struct drops *drops = od_new(cx->arena, struct drops);
    do {
        *drops = (struct drops){.arena = cx->arena};
        OD_TRY(engine->ops->scan(engine->store, cx, NULL, &listed, collect_drop, drops));
        if (drops->count > 0) {
            OD_TRY(drop_listed(engine, cx, drops));
        }
    } while (drops->count == MAX_DROPS);
    return OD_OK;
}

void od_finish_listed_drops(od_engine *engine)
{
    od_ctx cx = {.arena = od_arena_create()};
    if (od_finish_drops(engine, &cx) != OD_OK) {
        od_log(OD_LOG_WARN, "space of what was deleted is freed at the next start: %.*s",
               OD_STR_ARG(cx.error));
    }
    od_arena_destroy(cx.arena);
}
