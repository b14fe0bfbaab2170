// Applying an update: first every action's new value is found from the old map, then one new map is
// written, in which what no action touches is copied as bytes.
#include "expr/expr_internal.h"

// --- Finding the new values ---------------------------------------------------------------------

struct evaluator {
    od_ctx *cx;
    od_value item; // the stored attributes; no value when there is no item
    bool is_legacy;
    size_t size; // of all new values; the new item is at least as large
};

static od_status fail_type(const struct evaluator *e)
{
    return OD_FAIL(e->cx, OD_VALIDATION, "%s",
                   e->is_legacy ? "Type mismatch for attribute to update"
                                : "An operand in the update expression has an incorrect data type");
}

static od_status fail_size(od_ctx *cx)
{
    return OD_FAIL(cx, OD_VALIDATION, "Item size to update has exceeded the maximum allowed size");
}

static od_status evaluate(const struct evaluator *e, const struct od_term *term, od_value *out);

static od_value get(const struct evaluator *e, const struct od_path *path)
{
    return od_value_exists(e->item) ? od_path_get(e->item, path) : (od_value){0};
}

static od_value pack_number(const struct evaluator *e, od_number n)
{
    struct od_buf out = {.arena = e->cx->arena};
    od_pack_number(&out, n);
    return od_packed(&out);
}

static od_status add_numbers(const struct evaluator *e, od_value a, od_value b, od_value *out)
{
    od_number sum = {0};
    OD_TRY(od_number_add(e->cx, od_value_number(a), od_value_number(b), &sum));
    *out = pack_number(e, sum);
    return OD_OK;
}

static od_status subtract_numbers(const struct evaluator *e, od_value a, od_value b, od_value *out)
{
    od_number difference = {0};
    OD_TRY(od_number_subtract(e->cx, od_value_number(a), od_value_number(b), &difference));
    *out = pack_number(e, difference);
    return OD_OK;
}

static od_status append_lists(const struct evaluator *e, od_value a, od_value b, od_value *out)
{
    if (od_value_size(a) + od_value_size(b) > OD_ITEM_MAX_BYTES) {
        return fail_size(e->cx);
    }
    struct od_buf list = {.arena = e->cx->arena};
    (void)od_buf_reserve(&list, a.len + b.len);
    size_t mark = od_pack_open(&list, OD_TYPE_L);
    struct od_iter front = od_iter(a);
    struct od_iter back = od_iter(b);
    od_buf_put(&list, (od_str){front.at, (size_t)(front.end - front.at)});
    od_buf_put(&list, (od_str){back.at, (size_t)(back.end - back.at)});
    od_pack_close(&list, mark, od_value_count(a) + od_value_count(b));
    *out = od_packed(&list);
    return OD_OK;
}

static od_status evaluate_pair(const struct evaluator *e, const struct od_term *term, od_value *out)
{
    od_value left = {0};
    od_value right = {0};
    OD_TRY(evaluate(e, term->left, &left));
    OD_TRY(evaluate(e, term->right, &right));
    enum od_type wanted = term->kind == OD_TERM_LIST_APPEND ? OD_TYPE_L : OD_TYPE_N;
    if (od_value_type(left) != wanted || od_value_type(right) != wanted) {
        return fail_type(e);
    }
    switch (term->kind) {
    case OD_TERM_PLUS:
        return add_numbers(e, left, right, out);
    case OD_TERM_MINUS:
        return subtract_numbers(e, left, right, out);
    default:
        return append_lists(e, left, right, out);
    }
}

static od_status evaluate_path(const struct evaluator *e, const struct od_path *path, od_value *out)
{
    *out = get(e, path);
    if (!od_value_exists(*out)) {
        return OD_FAIL(e->cx, OD_VALIDATION,
                       "The provided expression refers to an attribute that does not exist in the "
                       "item");
    }
    return OD_OK;
}

static od_status evaluate(const struct evaluator *e, const struct od_term *term, od_value *out)
{
    switch (term->kind) {
    case OD_TERM_VALUE:
        *out = term->value;
        return OD_OK;
    case OD_TERM_PATH:
        return evaluate_path(e, &term->path, out);
    case OD_TERM_IF_NOT_EXISTS:
        *out = get(e, &term->path);
        return od_value_exists(*out) ? OD_OK : evaluate(e, term->right, out);
    default:
        return evaluate_pair(e, term, out);
    }
}

// --- Sets ---------------------------------------------------------------------------------------

static bool is_set(enum od_type type)
{
    return type == OD_TYPE_SS || type == OD_TYPE_NS || type == OD_TYPE_BS;
}

struct members {
    od_value *items;
    size_t count;
};

// What of `set` is not in `other`, both of one type: a walk over two sorted runs.
static void take_difference(struct members *out, od_value set, od_value other)
{
    struct od_iter theirs = od_iter(other);
    bool more = od_iter_next(&theirs);
    for (struct od_iter it = od_iter(set); od_iter_next(&it);) {
        while (more && od_value_compare(theirs.value, it.value) < 0) {
            more = od_iter_next(&theirs);
        }
        if (!more || !od_value_equal(theirs.value, it.value)) {
            out->items[out->count++] = it.value;
        }
    }
}

static od_value pack_members(const struct evaluator *e, enum od_type type, struct members members)
{
    if (members.count == 0) {
        return (od_value){0};
    }
    struct od_buf out = {.arena = e->cx->arena};
    (void)od_pack_set(&out, type, members.items, members.count);
    return od_packed(&out);
}

static od_value unite_sets(const struct evaluator *e, od_value a, od_value b)
{
    size_t most = od_value_count(a) + od_value_count(b);
    struct members members = {.items = od_new_array(e->cx->arena, od_value, most)};
    for (struct od_iter it = od_iter(a); od_iter_next(&it);) {
        members.items[members.count++] = it.value;
    }
    take_difference(&members, b, a);
    return pack_members(e, od_value_type(a), members);
}

static od_value subtract_sets(const struct evaluator *e, od_value a, od_value b)
{
    struct members members = {.items = od_new_array(e->cx->arena, od_value, od_value_count(a))};
    take_difference(&members, a, b);
    return pack_members(e, od_value_type(a), members);
}

// --- Actions ------------------------------------------------------------------------------------

static od_status evaluate_add(const struct evaluator *e, const struct od_action *action,
                              od_value *out)
{
    od_value old = get(e, &action->path);
    if (!od_value_exists(old)) {
        *out = action->value;
        return OD_OK;
    }
    enum od_type type = od_value_type(action->value);
    if (od_value_type(old) != type) {
        return fail_type(e);
    }
    if (type == OD_TYPE_N) {
        return add_numbers(e, old, action->value, out);
    }
    if (type == OD_TYPE_L) {
        return append_lists(e, old, action->value, out);
    }
    *out = unite_sets(e, old, action->value);
    return OD_OK;
}

static od_status evaluate_delete(const struct evaluator *e, const struct od_action *action,
                                 od_value *out)
{
    od_value old = get(e, &action->path);
    if (!od_value_exists(old)) {
        return OD_OK;
    }
    enum od_type type = od_value_type(action->value);
    if (od_value_type(old) != type || !is_set(type)) {
        return fail_type(e);
    }
    *out = subtract_sets(e, old, action->value);
    return OD_OK;
}

// `out` stays without a value when the action leaves none.
static od_status evaluate_action(const struct evaluator *e, const struct od_action *action,
                                 od_value *out)
{
    switch (action->action) {
    case OD_UPDATE_SET:
        return evaluate(e, action->term, out);
    case OD_UPDATE_ADD:
        return evaluate_add(e, action, out);
    case OD_UPDATE_DELETE:
        return evaluate_delete(e, action, out);
    case OD_UPDATE_REMOVE:
        break;
    }
    return OD_OK;
}

// One text may name a large value many times; what comes of it is bounded before it is written.
static od_status evaluate_actions(struct evaluator *e, const struct od_update *update,
                                  od_value *results)
{
    for (size_t i = 0; i < update->count; i++) {
        OD_TRY(evaluate_action(e, &update->actions[i], &results[i]));
        e->size += od_value_exists(results[i]) ? od_value_size(results[i]) : 0;
        if (e->size > OD_ITEM_MAX_BYTES) {
            return fail_size(e->cx);
        }
    }
    return OD_OK;
}

// --- Writing the new map ------------------------------------------------------------------------

struct writer {
    od_ctx *cx;
    const struct od_update *update;
    const od_value *results; // of the actions, in the order of the text
    struct od_buf out;
    bool exists; // the item
};

// Targets lo to hi, not included, whose paths agree in the first `depth` steps.
struct span {
    size_t lo;
    size_t hi;
    size_t depth;
};

// A place in an old map or list: its next member, or the end.
struct cursor {
    struct od_iter it;
    const char *member; // where the member begins, its name included
    size_t index;
    bool at_end;
};

static od_status write_value(struct writer *w, struct span span, od_value old, bool *written);

static const struct od_path *path_at(const struct writer *w, size_t target)
{
    return &w->update->targets.paths[target];
}

static const struct od_path_step *next_step(const struct writer *w, struct span span)
{
    return &path_at(w, span.lo)->steps[span.depth];
}

// The targets that go through the next step of the span's first one.
static struct span below(const struct writer *w, struct span span)
{
    size_t count = od_paths_group(path_at(w, span.lo), span.hi - span.lo, span.depth);
    return (struct span){.lo = span.lo, .hi = span.lo + count, .depth = span.depth + 1};
}

static void advance(struct cursor *c)
{
    c->member = c->it.at;
    c->at_end = !od_iter_next(&c->it);
    c->index++;
}

static struct cursor open_cursor(od_value container)
{
    struct cursor c = {.it = od_iter(container)};
    advance(&c);
    c.index = 0;
    return c;
}

static int compare_place(const struct cursor *c, const struct od_path_step *step)
{
    if (step->is_index) {
        return (c->index > step->index) - (c->index < step->index);
    }
    return od_str_compare(c->it.name, step->name);
}

// Goes on to the member that the step names, or to where it would stand.
static bool seek(struct cursor *c, const struct od_path_step *step)
{
    while (!c->at_end && compare_place(c, step) < 0) {
        advance(c);
    }
    return !c->at_end && compare_place(c, step) == 0;
}

static od_status write_result(struct writer *w, struct span span, bool *written)
{
    od_value result = w->results[w->update->target_actions[span.lo]];
    *written = od_value_exists(result);
    if (!*written) {
        return OD_OK;
    }
    if (span.depth - 1 + od_value_depth(result) > OD_MAX_NESTING) {
        return OD_FAIL(w->cx, OD_VALIDATION,
                       "Nesting Levels have exceeded supported limits: Attributes in the item have "
                       "nested levels beyond supported limit");
    }
    od_pack_value(&w->out, result);
    return OD_OK;
}

static od_status write_member(struct writer *w, struct span span, const struct od_path_step *step,
                              od_value old, size_t *members)
{
    size_t before = w->out.len;
    if (!step->is_index) {
        od_pack_name(&w->out, step->name);
    }
    bool written = false;
    OD_TRY(write_value(w, span, old, &written));
    if (written) {
        (*members)++;
    } else {
        w->out.len = before;
    }
    return OD_OK;
}

static void copy_members(struct writer *w, const char *start, const char *end)
{
    od_buf_put(&w->out, (od_str){start, (size_t)(end - start)});
}

// Positions in a list are those of the old list; what stands past its end is appended.
static od_status write_container(struct writer *w, struct span span, od_value old)
{
    size_t mark = od_pack_open(&w->out, od_value_type(old));
    size_t members = od_value_count(old);
    struct cursor c = open_cursor(old);
    const char *copied = c.member; // what stands before it is written
    while (span.lo < span.hi) {
        const struct od_path_step *step = next_step(w, span);
        const struct span group = below(w, span);
        od_value member = {0};
        bool found = seek(&c, step);
        copy_members(w, copied, c.member);
        copied = c.member;
        if (found) {
            member = c.it.value;
            copied = c.it.at;
            members--;
        }
        OD_TRY(write_member(w, group, step, member, &members));
        span.lo = group.hi;
    }
    copy_members(w, copied, c.it.end);
    od_pack_close(&w->out, mark, members);
    return OD_OK;
}

// An item that does not exist has nothing to remove, wherever a path leads.
static bool may_lead_nowhere(const struct writer *w, struct span span)
{
    for (size_t i = span.lo; i < span.hi; i++) {
        size_t action = w->update->target_actions[i];
        if (w->update->actions[action].action != OD_UPDATE_REMOVE) {
            return false;
        }
    }
    return !w->exists;
}

// Writes what becomes of `old`, which has no value where nothing stands. `written` tells whether
// anything is left.
static od_status write_value(struct writer *w, struct span span, od_value old, bool *written)
{
    if (path_at(w, span.lo)->count == span.depth) {
        return write_result(w, span, written);
    }
    enum od_type wanted = next_step(w, span)->is_index ? OD_TYPE_L : OD_TYPE_M;
    if (od_value_exists(old) && od_value_type(old) == wanted) {
        *written = true;
        return write_container(w, span, old);
    }
    *written = false;
    if (!od_value_exists(old) && may_lead_nowhere(w, span)) {
        return OD_OK;
    }
    return OD_FAIL(w->cx, OD_VALIDATION,
                   "The document path provided in the update expression is invalid for update");
}

od_status od_update_apply(od_ctx *cx, const struct od_update *update, od_value map, bool exists,
                          od_value *out)
{
    od_value *results = od_new_array(cx->arena, od_value, update->count);
    struct evaluator e = {
        .cx = cx,
        .item = exists ? map : (od_value){0},
        .is_legacy = update->is_legacy,
    };
    OD_TRY(evaluate_actions(&e, update, results));

    struct writer w = {
        .cx = cx,
        .update = update,
        .results = results,
        .out = {.arena = cx->arena},
        .exists = exists,
    };
    (void)od_buf_reserve(&w.out, map.len + e.size);
    OD_TRY(write_container(&w, (struct span){.hi = update->count}, map));
    *out = od_packed(&w.out);
    return OD_OK;
}

bool od_update_makes_item(const struct od_update *update)
{
    if (!update->is_legacy) {
        return true;
    }
    for (size_t i = 0; i < update->count; i++) {
        enum od_update_action action = update->actions[i].action;
        if (action == OD_UPDATE_SET || action == OD_UPDATE_ADD) {
            return true;
        }
    }
    return false;
}

od_value od_update_touched(od_arena *arena, const struct od_update *update, od_value map)
{
    if (!od_value_exists(map)) {
        return (od_value){0};
    }
    od_value touched = od_projection_apply(arena, &update->targets, map);
    return od_value_count(touched) == 0 ? (od_value){0} : touched;
}
