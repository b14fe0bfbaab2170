// The memory store: each group is a B+tree, and one lock covers them all. A commit is alone in the
// store, so it is seen whole or not at all; a snapshot is a reader that stays.
#include "storage/btree.h"
#include "storage/checked.h"
#include "storage/gate.h"
#include "storage/storage_internal.h"

#include <stdlib.h>
#include <string.h>

struct group {
    od_group id;
    struct od_btree tree;
};

struct od_store {
    struct od_gate gate;
    struct group *groups; // sorted by id
    size_t group_count;
    size_t group_cap;
};

struct od_snapshot {
    struct od_gate_stay stay;
};

static od_status open_store(od_ctx *cx, const struct od_store_options *options, od_store **out)
{
    (void)cx;
    (void)options;
    od_store *store = od_checked(calloc(1, sizeof(*store)));
    od_gate_init(&store->gate);
    *out = store;
    return OD_OK;
}

static void close_store(od_store *store)
{
    for (size_t i = 0; i < store->group_count; i++) {
        od_btree_clear(&store->groups[i].tree);
    }
    free(store->groups);
    od_gate_clear(&store->gate);
    free(store);
}

static struct od_store_caps caps(const od_store *store)
{
    (void)store;
    return (struct od_store_caps){.multi_group = true};
}

static struct od_store_health health(const od_store *store)
{
    (void)store;
    return (struct od_store_health){.writable = true};
}

// The first group whose id is not less.
static size_t group_place(const od_store *store, od_group id)
{
    size_t lo = 0;
    size_t hi = store->group_count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (store->groups[mid].id < id) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static struct od_btree *find_group(const od_store *store, od_group id)
{
    size_t at = group_place(store, id);
    return at < store->group_count && store->groups[at].id == id ? &store->groups[at].tree : NULL;
}

static void reserve_group(od_store *store)
{
    if (store->group_count < store->group_cap) {
        return;
    }
    store->group_cap = store->group_cap == 0 ? 8 : store->group_cap * 2;
    size_t size = store->group_cap * sizeof(struct group);
    store->groups = od_checked(realloc(store->groups, size));
}

static struct od_btree *find_or_add_group(od_store *store, od_group id)
{
    struct od_btree *found = find_group(store, id);
    if (found != NULL) {
        return found;
    }
    reserve_group(store);
    size_t at = group_place(store, id);
    struct group *place = &store->groups[at];
    memmove(place + 1, place, (store->group_count - at) * sizeof(*place));
    *place = (struct group){.id = id};
    store->group_count++;
    return &place->tree;
}

static void remove_group(od_store *store, od_group id)
{
    size_t at = group_place(store, id);
    if (at == store->group_count || store->groups[at].id != id) {
        return;
    }
    struct group *place = &store->groups[at];
    od_btree_clear(&place->tree);
    store->group_count--;
    memmove(place, place + 1, (store->group_count - at) * sizeof(*place));
}

static od_status group_drop(od_store *store, od_ctx *cx, od_group group)
{
    (void)cx;
    od_gate_lock(&store->gate);
    remove_group(store, group);
    od_gate_unlock(&store->gate);
    return OD_OK;
}

static od_str find_value(const od_store *store, od_group group, od_str key)
{
    const struct od_btree *tree = find_group(store, group);
    return tree == NULL ? (od_str){0} : od_btree_get(tree, key);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the seam's.
static od_status get(od_store *store, od_ctx *cx, od_snapshot *snapshot, od_group group,
                     const od_str *keys, size_t count, od_str *values)
{
    (void)snapshot; // its thread is inside already
    struct od_gate_stay stay;
    od_gate_enter(&store->gate, &stay);
    for (size_t i = 0; i < count; i++) {
        od_str found = find_value(store, group, keys[i]);
        values[i] = found.ptr == NULL ? found : od_arena_copy(cx->arena, found);
    }
    od_gate_leave(&stay);
    return OD_OK;
}

static void scan_up(const struct od_btree *tree, const struct od_scan_range *range,
                    od_scan_visitor *visit, void *arg)
{
    struct od_btree_cursor cursor = od_btree_seek(tree, range->lo);
    od_str key = {0};
    od_str value = {0};
    while (od_btree_next(&cursor, &key, &value)) {
        bool past = range->hi.len > 0 && od_str_compare(key, range->hi) >= 0;
        if (past || !visit(arg, key, value)) {
            return;
        }
    }
}

static void scan_down(const struct od_btree *tree, const struct od_scan_range *range,
                      od_scan_visitor *visit, void *arg)
{
    struct od_btree_cursor cursor =
        range->hi.len > 0 ? od_btree_seek(tree, range->hi) : od_btree_seek_end(tree);
    od_str key = {0};
    od_str value = {0};
    while (od_btree_prev(&cursor, &key, &value)) {
        if (od_str_compare(key, range->lo) < 0 || !visit(arg, key, value)) {
            return;
        }
    }
}

static od_status scan(od_store *store, od_ctx *cx, od_snapshot *snapshot,
                      const struct od_scan_range *range, od_scan_visitor *visit, void *arg)
{
    (void)cx;
    (void)snapshot;
    struct od_gate_stay stay;
    od_gate_enter(&store->gate, &stay);
    const struct od_btree *tree = find_group(store, range->group);
    if (tree != NULL && range->reverse) {
        scan_down(tree, range, visit, arg);
    } else if (tree != NULL) {
        scan_up(tree, range, visit, arg);
    }
    od_gate_leave(&stay);
    return OD_OK;
}

static bool checks_hold(const od_store *store, const struct od_commit_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < parts[i].check_count; j++) {
            const struct od_check *check = &parts[i].checks[j];
            if (!od_check_holds(check, find_value(store, parts[i].group, check->key))) {
                return false;
            }
        }
    }
    return true;
}

static void delete_range(struct od_btree *tree, od_str lo, od_str hi)
{
    od_str key = {0};
    od_str value = {0};
    struct od_btree_cursor cursor = od_btree_seek(tree, lo);
    while (od_btree_next(&cursor, &key, &value)) {
        if (hi.len > 0 && od_str_compare(key, hi) >= 0) {
            return;
        }
        od_btree_del(tree, key);
        cursor = od_btree_seek(tree, lo);
    }
}

static void apply_mutation(struct od_btree *tree, const struct od_mutation *mutation)
{
    switch (mutation->kind) {
    case OD_MUTATION_PUT:
        od_btree_put(tree, mutation->key, mutation->value);
        return;
    case OD_MUTATION_DEL:
        od_btree_del(tree, mutation->key);
        return;
    case OD_MUTATION_DEL_RANGE:
        delete_range(tree, mutation->key, mutation->value);
        return;
    }
}

static void apply_part(od_store *store, const struct od_commit_part *part)
{
    if (part->mutation_count == 0) {
        return;
    }
    struct od_btree *tree = find_or_add_group(store, part->group);
    for (size_t i = 0; i < part->mutation_count; i++) {
        apply_mutation(tree, &part->mutations[i]);
    }
}

static od_status commit_alone(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                              size_t count)
{
    if (!checks_hold(store, parts, count)) {
        return OD_FAIL(cx, OD_STORE_CONFLICT, "A check of the commit does not hold");
    }
    for (size_t i = 0; i < count; i++) {
        apply_part(store, &parts[i]);
    }
    return OD_OK;
}

static od_status commit(od_store *store, od_ctx *cx, const struct od_commit_part *parts,
                        size_t count)
{
    od_gate_lock(&store->gate);
    od_status status = commit_alone(store, cx, parts, count);
    od_gate_unlock(&store->gate);
    return status;
}

static od_status snapshot_open(od_store *store, od_ctx *cx, od_snapshot **out)
{
    (void)cx;
    od_snapshot *snapshot = od_checked(malloc(sizeof(*snapshot)));
    od_gate_enter(&store->gate, &snapshot->stay);
    *out = snapshot;
    return OD_OK;
}

static void snapshot_close(od_store *store, od_snapshot *snapshot)
{
    (void)store;
    od_gate_leave(&snapshot->stay);
    free(snapshot);
}

const struct od_store_ops od_store_memory = {
    .abi = OD_STORE_ABI,
    .name = "memory",
    .open = open_store,
    .close = close_store,
    .caps = caps,
    .group_drop = group_drop,
    .get = get,
    .scan = scan,
    .commit = commit,
    .snapshot_open = snapshot_open,
    .snapshot_close = snapshot_close,
    .health = health,
};
