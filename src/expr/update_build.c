#include "expr/update_build.h"

#include "expr/expr_internal.h"

// --- Right sides of SET -------------------------------------------------------------------------

static const struct od_term *make_term(od_arena *arena, struct od_term term)
{
    struct od_term *copy = od_new(arena, struct od_term);
    *copy = term;
    return copy;
}

const struct od_term *od_term_of_value(od_arena *arena, od_value value)
{
    return make_term(arena, (struct od_term){.kind = OD_TERM_VALUE, .value = value});
}

const struct od_term *od_term_of_path(od_arena *arena, struct od_path path)
{
    return make_term(arena, (struct od_term){.kind = OD_TERM_PATH, .path = path});
}

const struct od_term *od_term_plus(od_arena *arena, const struct od_term *left,
                                   const struct od_term *right)
{
    return make_term(arena, (struct od_term){.kind = OD_TERM_PLUS, .left = left, .right = right});
}

const struct od_term *od_term_minus(od_arena *arena, const struct od_term *left,
                                    const struct od_term *right)
{
    return make_term(arena, (struct od_term){.kind = OD_TERM_MINUS, .left = left, .right = right});
}

const struct od_term *od_term_list_append(od_arena *arena, const struct od_term *left,
                                          const struct od_term *right)
{
    return make_term(arena,
                     (struct od_term){.kind = OD_TERM_LIST_APPEND, .left = left, .right = right});
}

// --- Updates ------------------------------------------------------------------------------------

const struct od_update *od_update_make(od_arena *arena, const struct od_action *actions,
                                       size_t count, const struct od_target *targets)
{
    struct od_path *paths = od_new_array(arena, struct od_path, count);
    size_t *target_actions = od_new_array(arena, size_t, count);
    for (size_t i = 0; i < count; i++) {
        paths[i] = targets[i].path;
        target_actions[i] = targets[i].index;
    }
    struct od_update *update = od_new(arena, struct od_update);
    *update = (struct od_update){
        .actions = actions,
        .count = count,
        .targets = {.paths = paths, .count = count},
        .target_actions = target_actions,
    };
    return update;
}

static struct od_path name_path(od_arena *arena, od_str name)
{
    struct od_path_step *step = od_new(arena, struct od_path_step);
    step->name = name;
    return (struct od_path){.steps = step, .count = 1};
}

const struct od_update *od_update_from_rows(od_arena *arena, const struct od_update_row *rows,
                                            size_t count)
{
    struct od_action *actions = od_new_array(arena, struct od_action, count);
    struct od_path *paths = od_new_array(arena, struct od_path, count);
    for (size_t i = 0; i < count; i++) {
        bool is_set = rows[i].action == OD_UPDATE_SET;
        paths[i] = name_path(arena, rows[i].name);
        actions[i] = (struct od_action){
            .action = rows[i].action,
            .path = paths[i],
            .term = is_set ? od_term_of_value(arena, rows[i].value) : NULL,
            .value = rows[i].value,
        };
    }
    const struct od_target *targets = od_paths_sort(arena, paths, count);
    struct od_update *update = od_new(arena, struct od_update);
    *update = *od_update_make(arena, actions, count, targets);
    update->is_legacy = true;
    return update;
}

od_status od_update_build(od_ctx *cx, const struct od_update_part *parts, size_t count,
                          const struct od_update **out)
{
    struct od_action *actions = od_new_array(cx->arena, struct od_action, count);
    struct od_path *paths = od_new_array(cx->arena, struct od_path, count);
    for (size_t i = 0; i < count; i++) {
        paths[i] = parts[i].path;
        actions[i] = (struct od_action){
            .action = parts[i].action,
            .path = parts[i].path,
            .term = parts[i].term,
            .value = parts[i].value,
        };
    }
    const struct od_binder b = {.cx = cx, .kind = OD_EXPR_UPDATE};
    struct od_target *targets = NULL;
    OD_TRY(od_bind_targets(&b, paths, count, &targets));
    *out = od_update_make(cx->arena, actions, count, targets);
    return OD_OK;
}
