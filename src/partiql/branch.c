// The reads that a WHERE becomes: one run of keys each.
#include "partiql/partiql_internal.h"

#include <string.h>

// --- Intervals of sort keys ---------------------------------------------------------------------

static od_str component(od_arena *arena, od_value v)
{
    struct od_buf buf = {.arena = arena};
    od_key_put_component(&buf, v);
    return od_buf_str(&buf);
}

static od_str prefix(od_arena *arena, od_value v)
{
    struct od_buf buf = {.arena = arena};
    od_key_put_prefix(&buf, v);
    return od_buf_str(&buf);
}

static void raise(struct od_ql_branch *branch, od_str lo)
{
    branch->lo = od_str_compare(lo, branch->lo) > 0 ? lo : branch->lo;
}

static void lower(struct od_ql_branch *branch, od_str hi)
{
    bool is_lower = branch->hi.len == 0 || (hi.len > 0 && od_str_compare(hi, branch->hi) < 0);
    branch->hi = is_lower ? hi : branch->hi;
}

static void narrow(od_arena *arena, struct od_ql_branch *branch, enum od_key_op op, od_value value,
                   od_value upper)
{
    od_str at = op == OD_KEY_BEGINS_WITH ? prefix(arena, value) : component(arena, value);
    od_str after = od_key_after_prefix(arena, at);
    switch (op) {
    case OD_KEY_LT:
        lower(branch, at);
        break;
    case OD_KEY_LE:
        lower(branch, after);
        break;
    case OD_KEY_GT:
        raise(branch, after);
        break;
    case OD_KEY_GE:
        raise(branch, at);
        break;
    case OD_KEY_BETWEEN:
        raise(branch, at);
        lower(branch, od_key_after_prefix(arena, component(arena, upper)));
        break;
    case OD_KEY_EQ:
    case OD_KEY_BEGINS_WITH:
        raise(branch, at);
        lower(branch, after);
        break;
    }
}

static bool overlap(const struct od_ql_branch *a, const struct od_ql_branch *b)
{
    od_str lo = od_str_compare(a->lo, b->lo) > 0 ? a->lo : b->lo;
    bool below_a = a->hi.len == 0 || od_str_compare(lo, a->hi) < 0;
    bool below_b = b->hi.len == 0 || od_str_compare(lo, b->hi) < 0;
    return below_a && below_b && od_value_equal(a->hash, b->hash);
}

// --- Branches -----------------------------------------------------------------------------------

// How much a condition on the sort key narrows a read.
static int strength(enum od_key_op op)
{
    switch (op) {
    case OD_KEY_EQ:
        return 3;
    case OD_KEY_BETWEEN:
    case OD_KEY_BEGINS_WITH:
        return 2;
    default:
        return 1;
    }
}

// A branch while its conditions are sorted out.
struct draft {
    const struct od_ql_splitter *s;
    struct od_ql_branch *branch;
    const struct od_ql_node **nodes; // the rest
    enum od_key_op sort_op;
    od_value sort_value;
    bool contradicts; // two hash values
};

static void keep(struct draft *d, const struct od_ql_node *node)
{
    d->nodes[d->branch->node_count++] = node;
}

static od_status add_hash(struct draft *d, const struct od_ql_key_use *use)
{
    od_value value = {0};
    OD_TRY(od_ql_key_value(d->s->scope, d->s->hash, use->value, &value));
    if (!od_value_exists(d->branch->hash)) {
        d->branch->hash = value;
    } else if (!od_value_equal(d->branch->hash, value)) {
        d->contradicts = true;
    }
    return OD_OK;
}

// The strongest condition narrows the read, the others filter what it gives.
static void choose_sort(struct draft *d, const struct od_ql_node *node, enum od_key_op op,
                        od_value value)
{
    const struct od_ql_node *chosen = d->branch->sort;
    bool is_same = chosen != NULL && op == OD_KEY_EQ && d->sort_op == OD_KEY_EQ &&
                   od_value_equal(value, d->sort_value);
    if (is_same) {
        return;
    }
    if (chosen != NULL && strength(op) <= strength(d->sort_op)) {
        keep(d, node);
        return;
    }
    if (chosen != NULL) {
        keep(d, chosen);
    }
    d->branch->sort = node;
    d->sort_op = op;
    d->sort_value = value;
}

static od_status add_sort(struct draft *d, const struct od_ql_node *node,
                          const struct od_ql_key_use *use)
{
    od_value value = {0};
    od_value upper = {0};
    OD_TRY(od_ql_key_value(d->s->scope, d->s->sort, use->value, &value));
    if (use->op == OD_KEY_BETWEEN) {
        OD_TRY(od_ql_key_value(d->s->scope, d->s->sort, use->upper, &upper));
    }
    narrow(d->s->scope->cx->arena, d->branch, use->op, value, upper);
    choose_sort(d, node, use->op, value);
    return OD_OK;
}

static od_status add_node(struct draft *d, const struct od_ql_node *node)
{
    struct od_ql_key_use use = {0};
    if (od_ql_uses_key(node, d->s->hash->name, &use) && use.op == OD_KEY_EQ) {
        return add_hash(d, &use);
    }
    if (d->s->sort == NULL) {
        keep(d, node);
        return OD_OK;
    }
    if (od_ql_uses_key(node, d->s->sort->name, &use)) {
        return add_sort(d, node, &use);
    }
    keep(d, node);
    return OD_OK;
}

static od_status make_branch(const struct od_ql_splitter *s, const struct od_ql_part *part,
                             struct od_ql_branch *branch, bool *contradicts)
{
    struct draft d = {
        .s = s,
        .branch = branch,
        .nodes = od_new_array(s->scope->cx->arena, const struct od_ql_node *, part->count),
    };
    for (size_t i = 0; i < part->count; i++) {
        OD_TRY(add_node(&d, part->nodes[i]));
    }
    branch->nodes = d.nodes;
    *contradicts = *contradicts || d.contradicts;
    return OD_OK;
}

// --- Order, overlap -----------------------------------------------------------------------------

static bool comes_before(const struct od_ql_branch *a, const struct od_ql_branch *b,
                         struct od_ql_direction direction)
{
    int by_hash = od_value_compare(a->hash, b->hash);
    if (by_hash != 0) {
        return direction.hash_descending ? by_hash > 0 : by_hash < 0;
    }
    int by_sort = od_str_compare(a->lo, b->lo);
    return direction.backward ? by_sort > 0 : by_sort < 0;
}

static void sort_branches(struct od_ql_branches *branches, struct od_ql_direction direction)
{
    for (size_t i = 1; i < branches->count; i++) {
        struct od_ql_branch moved = branches->rows[i];
        size_t at = i;
        for (; at > 0 && comes_before(&moved, &branches->rows[at - 1], direction); at--) {
            branches->rows[at] = branches->rows[at - 1];
        }
        branches->rows[at] = moved;
    }
    branches->hash_count = branches->count > 0;
    for (size_t i = 1; i < branches->count; i++) {
        branches->hash_count += !od_value_equal(branches->rows[i - 1].hash, branches->rows[i].hash);
    }
}

// Everything that the branch is true of, beside its hash key.
static od_status whole_condition(const struct od_ql_scope *scope, const struct od_ql_branch *branch,
                                 const struct od_condition **out)
{
    if (branch->filter != NULL) {
        *out = branch->filter;
        return OD_OK;
    }
    OD_TRY(od_ql_conjunction(scope, branch->nodes, branch->node_count, out));
    if (branch->sort != NULL) {
        const struct od_condition *sort = NULL;
        OD_TRY(od_ql_condition(scope, branch->sort, &sort));
        *out = *out == NULL ? sort : od_ql_join(scope->cx->arena, OD_COND_AND, sort, *out);
    }
    *out = *out == NULL ? &od_ql_always : *out;
    return OD_OK;
}

// One branch for what either is true of: it reads the whole partition.
static od_status join_branches(const struct od_ql_scope *scope, struct od_ql_branch *into,
                               const struct od_ql_branch *from)
{
    const struct od_condition *a = NULL;
    const struct od_condition *b = NULL;
    OD_TRY(whole_condition(scope, into, &a));
    OD_TRY(whole_condition(scope, from, &b));
    *into = (struct od_ql_branch){
        .hash = into->hash,
        .filter = od_ql_join(scope->cx->arena, OD_COND_OR, b, a),
    };
    return OD_OK;
}

static void remove_branch(struct od_ql_branches *branches, size_t i)
{
    branches->count--;
    memmove(&branches->rows[i], &branches->rows[i + 1],
            (branches->count - i) * sizeof(branches->rows[0]));
}

// Finds two that overlap, the earlier one first.
static bool find_overlap(const struct od_ql_branches *branches, size_t *first, size_t *second)
{
    for (*second = 1; *second < branches->count; (*second)++) {
        for (*first = 0; *first < *second; (*first)++) {
            if (overlap(&branches->rows[*first], &branches->rows[*second])) {
                return true;
            }
        }
    }
    return false;
}

static bool has_filter(const struct od_ql_branch *branch)
{
    return branch->filter != NULL || branch->node_count > 0;
}

// Whether both, which overlap, are the same keys and nothing else.
static bool is_same(const struct od_ql_branch *a, const struct od_ql_branch *b)
{
    return !has_filter(a) && !has_filter(b) && od_str_eq(a->lo, b->lo) && od_str_eq(a->hi, b->hi);
}

// What overlaps is read once, not twice.
static od_status join_overlapping(const struct od_ql_scope *scope, struct od_ql_branches *branches)
{
    size_t first = 0;
    size_t second = 0;
    while (find_overlap(branches, &first, &second)) {
        struct od_ql_branch *into = &branches->rows[first];
        const struct od_ql_branch *from = &branches->rows[second];
        if (!is_same(into, from)) {
            OD_TRY(join_branches(scope, into, from));
        }
        remove_branch(branches, second);
    }
    return OD_OK;
}

static od_status make_branches(const struct od_ql_splitter *s, const struct od_ql_parts *parts,
                               struct od_ql_branches *out)
{
    bool contradicts = false;
    out->rows = od_new_array(s->scope->cx->arena, struct od_ql_branch, parts->count);
    for (size_t i = 0; i < parts->count; i++) {
        OD_TRY(make_branch(s, &parts->rows[i], &out->rows[i], &contradicts));
    }
    out->count = contradicts ? 0 : parts->count;
    return OD_OK;
}

od_status od_ql_branches_make(const struct od_ql_scope *scope, const struct od_key_schema *schema,
                              struct od_ql_branches *out)
{
    *out = (struct od_ql_branches){0};
    const struct od_ql_node *where = scope->tree->where;
    const struct od_ql_splitter s = {
        .scope = scope,
        .hash = &schema->attrs[0],
        .sort = schema->range_count > 0 ? &schema->attrs[1] : NULL,
    };
    if (where == NULL || !od_ql_is_keyed(&s, where)) {
        return OD_OK;
    }
    const struct od_ql_splitter *splitter = &s;
    const struct od_ql_splitter by_hash = {.scope = scope, .hash = s.hash};
    if (od_ql_count_parts(splitter, where) > OD_PARTIQL_MAX_READS) {
        splitter = &by_hash; // choices of sort keys filter what is read, then
    }
    if (od_ql_count_parts(splitter, where) > OD_PARTIQL_MAX_READS) {
        return OD_FAIL(scope->cx, OD_VALIDATION, "A SELECT may bind the hash key at most %d times",
                       OD_PARTIQL_MAX_READS);
    }
    const struct od_ql_parts parts = od_ql_split(splitter, where);
    OD_TRY(make_branches(&s, &parts, out));
    out->has_hash_list = od_ql_has_hash_list(&s, where);
    sort_branches(out, (struct od_ql_direction){0});
    return OD_OK;
}

od_status od_ql_branches_arrange(const struct od_ql_scope *scope, struct od_ql_direction direction,
                                 struct od_ql_branches *branches)
{
    OD_TRY(join_overlapping(scope, branches));
    sort_branches(branches, direction);
    return OD_OK;
}
