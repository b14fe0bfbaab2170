// Conditions as values: attribute_exists(a) = true, (a = 1) <> (b = 2), contains(a, 'x') = b.
//
// The engine's conditions have no such comparison, so it is written out, with a condition standing
// twice where the other side is not known beforehand. Such comparisons do not stand inside each
// other, or a short text would become a huge condition.
#include "partiql/partiql_internal.h"

// When something equals TRUE, and when FALSE.
struct truth {
    const struct od_condition *is_true;
    const struct od_condition *is_false;
    const struct od_condition *is_there; // has a value at all
};

static od_status fail_nesting(const struct od_ql_scope *scope)
{
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "A comparison of conditions cannot stand inside another one");
}

static const struct od_ql_node *other_than(const struct od_ql_node *node,
                                           const struct od_ql_node *condition)
{
    return node->first == condition ? od_ql_second(node) : node->first;
}

// The side that is a condition; NULL when none is.
static const struct od_ql_node *condition_of(const struct od_ql_node *node)
{
    if (od_ql_is_condition(node->first)) {
        return node->first;
    }
    return node->kind == OD_QL_COMPARE && od_ql_is_condition(od_ql_second(node))
               ? od_ql_second(node)
               : NULL;
}

// Whether a condition stands several times in what becomes of the node.
static bool is_repeated(const struct od_ql_node *node)
{
    if (node->kind != OD_QL_COMPARE && node->kind != OD_QL_IN) {
        return false;
    }
    const struct od_ql_node *condition = condition_of(node);
    return condition != NULL &&
           (node->kind == OD_QL_IN || !od_ql_is_value(other_than(node, condition)));
}

static bool has_repeated(const struct od_ql_node *node)
{
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        if (is_repeated(child) || has_repeated(child)) {
            return true;
        }
    }
    return false;
}

// --- The other side -----------------------------------------------------------------------------

static const struct od_condition *flag_equals(od_arena *arena, struct od_path path, bool flag)
{
    struct od_buf value = {.arena = arena};
    od_pack_bool(&value, flag);
    struct od_operand *operands = od_new_array(arena, struct od_operand, 2);
    operands[0] = (struct od_operand){.kind = OD_OPERAND_PATH, .path = path};
    operands[1] = (struct od_operand){.kind = OD_OPERAND_VALUE, .value = od_packed(&value)};
    return od_ql_leaf(arena, OD_COND_EQ, operands, 2);
}

static struct truth truth_of_path(od_arena *arena, struct od_path path)
{
    return (struct truth){
        .is_true = flag_equals(arena, path, true),
        .is_false = flag_equals(arena, path, false),
        .is_there = od_ql_exists(arena, path),
    };
}

static struct truth truth_of_value(od_value v)
{
    bool is_flag = od_value_type(v) == OD_TYPE_BOOL;
    return (struct truth){
        .is_true = is_flag && od_value_bool(v) ? &od_ql_always : &od_ql_never,
        .is_false = is_flag && !od_value_bool(v) ? &od_ql_always : &od_ql_never,
        .is_there = &od_ql_always,
    };
}

static od_status truth_of(const struct od_ql_scope *scope, const struct od_ql_node *node,
                          struct truth *out)
{
    if (od_ql_is_value(node)) {
        od_value value = {0};
        OD_TRY(od_ql_value(scope, node, &value));
        *out = truth_of_value(value);
        return OD_OK;
    }
    if (node->kind == OD_QL_PATH) {
        *out = truth_of_path(scope->cx->arena, od_ql_path(scope, node));
        return OD_OK;
    }
    const struct od_condition *condition = NULL;
    OD_TRY(od_ql_condition(scope, node, &condition));
    *out = (struct truth){
        .is_true = condition,
        .is_false = od_ql_not(scope->cx->arena, condition),
        .is_there = &od_ql_always,
    };
    return OD_OK;
}

// --- Both ---------------------------------------------------------------------------------------

static const struct od_condition *both(od_arena *arena, const struct od_condition *a,
                                       const struct od_condition *b)
{
    if (a == &od_ql_never || b == &od_ql_never) {
        return &od_ql_never;
    }
    return b == &od_ql_always ? a : od_ql_join(arena, OD_COND_AND, a, b);
}

static const struct od_condition *either(od_arena *arena, const struct od_condition *a,
                                         const struct od_condition *b)
{
    if (a == &od_ql_never) {
        return b;
    }
    return b == &od_ql_never ? a : od_ql_join(arena, OD_COND_OR, a, b);
}

static const struct od_condition *equal(od_arena *arena, const struct od_condition *condition,
                                        const struct truth *truth)
{
    return either(arena, both(arena, condition, truth->is_true),
                  both(arena, od_ql_not(arena, condition), truth->is_false));
}

static od_status check_operator(const struct od_ql_scope *scope, const struct od_ql_node *node)
{
    bool is_order =
        node->kind == OD_QL_COMPARE && node->op != OD_QL_TOK_EQ && node->op != OD_QL_TOK_NE;
    if (is_order) {
        return od_ql_fail_type(scope, node->text, "BOOL");
    }
    return is_repeated(node) && has_repeated(node) ? fail_nesting(scope) : OD_OK;
}

static od_status compare(const struct od_ql_scope *scope, const struct od_ql_node *node,
                         const struct od_condition **out)
{
    const struct od_ql_node *side = condition_of(node);
    const struct od_condition *condition = NULL;
    struct truth truth = {0};
    OD_TRY(od_ql_condition(scope, side, &condition));
    OD_TRY(truth_of(scope, other_than(node, side), &truth));
    od_arena *arena = scope->cx->arena;
    *out = equal(arena, condition, &truth);
    if (node->op == OD_QL_TOK_NE) {
        *out = both(arena, od_ql_not(arena, *out), truth.is_there);
    }
    return OD_OK;
}

static od_status in_list(const struct od_ql_scope *scope, const struct od_ql_node *node,
                         const struct od_condition **out)
{
    const struct od_condition *condition = NULL;
    OD_TRY(od_ql_condition(scope, node->first, &condition));
    *out = &od_ql_never;
    const struct od_ql_node *list = od_ql_second(node);
    for (const struct od_ql_node *item = list->first; item != NULL; item = item->next) {
        struct truth truth = {0};
        OD_TRY(truth_of(scope, item, &truth));
        *out = either(scope->cx->arena, equal(scope->cx->arena, condition, &truth), *out);
    }
    return OD_OK;
}

od_status od_ql_boolean(const struct od_ql_scope *scope, const struct od_ql_node *node,
                        const struct od_condition **out)
{
    OD_TRY(check_operator(scope, node));
    return node->kind == OD_QL_IN ? in_list(scope, node, out) : compare(scope, node, out);
}
