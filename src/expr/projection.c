// Projections: one pass over the map, whose members are sorted, along the sorted paths.
#include "expr/expr_internal.h"

#include <assert.h>

// The members of one container that the paths below `depth` select.
struct selection {
    struct od_buf *out;
    const struct od_path *paths; // they agree in the steps before `depth`
    size_t count;
    size_t depth;
};

static bool project(const struct selection *s, od_value value);

// The paths of the selection that go through its first one's next step.
static struct selection below(const struct selection *s)
{
    struct selection group = *s;
    group.count = od_paths_group(s->paths, s->count, s->depth);
    group.depth = s->depth + 1;
    return group;
}

static void skip_paths(struct selection *s, size_t count)
{
    s->paths += count;
    s->count -= count;
}

static const struct od_path_step *next_step(const struct selection *s)
{
    return &s->paths[0].steps[s->depth];
}

static bool is_before(const struct selection *s, size_t i, od_str name)
{
    return od_str_compare(s->paths[i].steps[s->depth].name, name) < 0;
}

// In strides that double, and then by halves: there may be many more paths than members.
static void skip_missing_names(struct selection *s, od_str name)
{
    size_t known = 0; // that many are before
    size_t stride = 1;
    while (known + stride <= s->count && is_before(s, known + stride - 1, name)) {
        known += stride;
        stride *= 2;
    }
    size_t unknown = stride - 1 < s->count - known ? stride - 1 : s->count - known;
    while (unknown > 0) {
        size_t half = (unknown + 1) / 2;
        if (is_before(s, known + half - 1, name)) {
            known += half;
            unknown -= half;
        } else {
            unknown = half - 1;
        }
    }
    skip_paths(s, known);
}

// Returns how many members were written.
static size_t project_members(struct selection s, od_value map)
{
    size_t members = 0;
    for (struct od_iter it = od_iter(map); s.count > 0 && od_iter_next(&it);) {
        skip_missing_names(&s, it.name);
        if (s.count == 0 || !od_str_eq(next_step(&s)->name, it.name)) {
            continue;
        }
        const struct selection group = below(&s);
        size_t before = s.out->len;
        od_pack_name(s.out, it.name);
        if (project(&group, it.value)) {
            members++;
        } else {
            s.out->len = before;
        }
        skip_paths(&s, group.count);
    }
    return members;
}

static size_t project_elements(struct selection s, od_value list)
{
    size_t elements = 0;
    size_t index = 0;
    for (struct od_iter it = od_iter(list); s.count > 0 && od_iter_next(&it); index++) {
        if (next_step(&s)->index != index) {
            continue;
        }
        const struct selection group = below(&s);
        elements += project(&group, it.value);
        skip_paths(&s, group.count);
    }
    return elements;
}

// Writes what is selected of a value. False, and nothing written, when that is nothing.
static bool project(const struct selection *s, od_value value)
{
    if (s->paths[0].count == s->depth) {
        od_pack_value(s->out, value);
        return true;
    }
    enum od_type type = next_step(s)->is_index ? OD_TYPE_L : OD_TYPE_M;
    if (od_value_type(value) != type) {
        return false;
    }
    size_t mark = od_pack_open(s->out, type);
    size_t count = type == OD_TYPE_L ? project_elements(*s, value) : project_members(*s, value);
    if (count == 0) {
        s->out->len = mark;
        return false;
    }
    od_pack_close(s->out, mark, count);
    return true;
}

static const struct od_path *sort_paths(od_arena *arena, const struct od_target *targets,
                                        size_t count)
{
    struct od_path *paths = od_new_array(arena, struct od_path, count);
    for (size_t i = 0; i < count; i++) {
        paths[i] = targets[i].path;
    }
    return paths;
}

od_value od_projection_apply(od_arena *arena, const struct od_projection *projection, od_value map)
{
    const struct od_path *paths = projection->paths;
    size_t count = projection->count;
    if (!projection->is_sorted && !od_paths_sorted(paths, count)) {
        paths = sort_paths(arena, od_paths_sort(arena, paths, count), count);
    }
    struct od_buf out = {.arena = arena};
    size_t mark = od_pack_open(&out, OD_TYPE_M);
    const struct selection all = {.out = &out, .paths = paths, .count = count};
    od_pack_close(&out, mark, project_members(all, map));
    return od_packed(&out);
}

od_status od_projection_bind(od_ctx *cx, const struct od_expr *expr, struct od_expr_env *env,
                             struct od_projection *out)
{
    assert(expr->kind == OD_EXPR_PROJECTION);
    const struct od_binder b = {.cx = cx, .kind = expr->kind, .env = env};
    for (const struct od_node *node = expr->paths; node != NULL; node = node->next) {
        OD_TRY(od_bind_check(&b, node, OD_BIND_NAMES));
    }
    struct od_path *paths = od_new_array(cx->arena, struct od_path, expr->count);
    struct od_path *path = paths;
    for (const struct od_node *node = expr->paths; node != NULL; node = node->next) {
        OD_TRY(od_bind_path(&b, node, path++));
    }
    struct od_target *targets = NULL;
    OD_TRY(od_bind_targets(&b, paths, expr->count, &targets));
    *out = (struct od_projection){
        .paths = sort_paths(cx->arena, targets, expr->count),
        .count = expr->count,
        .is_sorted = true,
    };
    return OD_OK;
}
