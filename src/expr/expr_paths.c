// Paths among each other: order, overlap and conflict.
#include "expr/expr_internal.h"

#include <assert.h>
#include <stdlib.h>

static int compare_steps(const struct od_path_step *a, const struct od_path_step *b)
{
    if (a->is_index != b->is_index) {
        return a->is_index ? -1 : 1;
    }
    if (a->is_index) {
        return (a->index > b->index) - (a->index < b->index);
    }
    return od_str_compare(a->name, b->name);
}

static size_t common_steps(const struct od_path *a, const struct od_path *b)
{
    size_t i = 0;
    while (i < a->count && i < b->count && compare_steps(&a->steps[i], &b->steps[i]) == 0) {
        i++;
    }
    return i;
}

static int compare_paths(const struct od_path *a, const struct od_path *b)
{
    size_t common = common_steps(a, b);
    if (common < a->count && common < b->count) {
        return compare_steps(&a->steps[common], &b->steps[common]);
    }
    return (a->count > b->count) - (a->count < b->count);
}

enum od_path_relation od_path_relation(const struct od_path *a, const struct od_path *b)
{
    size_t common = common_steps(a, b);
    if (common == a->count || common == b->count) {
        return OD_PATHS_OVERLAP;
    }
    bool same_kind = a->steps[common].is_index == b->steps[common].is_index;
    return same_kind ? OD_PATHS_APART : OD_PATHS_CONFLICT;
}

bool od_path_equal(const struct od_path *a, const struct od_path *b)
{
    return compare_paths(a, b) == 0;
}

od_str od_path_print(od_arena *arena, const struct od_path *path)
{
    struct od_buf out = {.arena = arena};
    for (size_t i = 0; i < path->count; i++) {
        const struct od_path_step *step = &path->steps[i];
        od_buf_put(&out, i == 0 ? OD_STR("[") : OD_STR(", "));
        if (step->is_index) {
            od_buf_printf(&out, "[%u]", step->index);
        } else {
            od_buf_put(&out, step->name);
        }
    }
    od_buf_put(&out, OD_STR("]"));
    return od_buf_str(&out);
}

// --- Sorted paths -------------------------------------------------------------------------------

static int compare_targets(const void *a, const void *b)
{
    const struct od_target *left = a;
    const struct od_target *right = b;
    int order = compare_paths(&left->path, &right->path);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

struct od_target *od_paths_sort(od_arena *arena, const struct od_path *paths, size_t count)
{
    struct od_target *targets = od_new_array(arena, struct od_target, count);
    for (size_t i = 0; i < count; i++) {
        targets[i] = (struct od_target){.path = paths[i], .index = i};
    }
    qsort(targets, count, sizeof(targets[0]), compare_targets);
    return targets;
}

bool od_paths_sorted(const struct od_path *paths, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (compare_paths(&paths[i - 1], &paths[i]) >= 0) {
            return false;
        }
    }
    return true;
}

size_t od_paths_group(const struct od_path *paths, size_t count, size_t depth)
{
    size_t group = 1;
    while (group < count && paths[group].count > depth &&
           compare_steps(&paths[0].steps[depth], &paths[group].steps[depth]) == 0) {
        group++;
    }
    return group;
}

// --- Overlap and conflict -----------------------------------------------------------------------

// Sorted, a path stands right before one that it overlaps or conflicts with, if there is any.
static bool are_apart(const struct od_target *targets, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (od_path_relation(&targets[i - 1].path, &targets[i].path) != OD_PATHS_APART) {
            return false;
        }
    }
    return true;
}

// The first pair in the order of the text, by its later path.
static bool find_pair(const struct od_path *paths, size_t count, enum od_path_relation relation,
                      const struct od_path *pair[2])
{
    for (size_t second = 1; second < count; second++) {
        for (size_t first = 0; first < second; first++) {
            if (od_path_relation(&paths[first], &paths[second]) == relation) {
                pair[0] = &paths[first];
                pair[1] = &paths[second];
                return true;
            }
        }
    }
    return false;
}

static od_status fail_pair(const struct od_binder *b, const char *verb,
                           const struct od_path *const pair[2])
{
    od_str one = od_path_print(b->cx->arena, pair[0]);
    od_str two = od_path_print(b->cx->arena, pair[1]);
    return OD_EXPR_FAIL(b->cx, b->kind,
                        "Two document paths %s with each other; must remove or rewrite one of "
                        "these paths; path one: %.*s, path two: %.*s",
                        verb, OD_STR_ARG(one), OD_STR_ARG(two));
}

od_status od_bind_targets(const struct od_binder *b, const struct od_path *paths, size_t count,
                          struct od_target **out)
{
    *out = od_paths_sort(b->cx->arena, paths, count);
    if (are_apart(*out, count)) {
        return OD_OK;
    }
    const struct od_path *pair[2] = {0};
    if (find_pair(paths, count, OD_PATHS_OVERLAP, pair)) {
        return fail_pair(b, "overlap", pair);
    }
    bool found = find_pair(paths, count, OD_PATHS_CONFLICT, pair);
    assert(found);
    return fail_pair(b, "conflict", pair);
}
