// From an update's syntax tree to actions that can run, with the checks of their operands.
#include "expr/expr_internal.h"

#include <assert.h>

// Values that ADD and DELETE take, and how their messages call the others.
static const struct {
    const char *long_name;
    bool for_add;
    bool for_delete;
} types[OD_TYPE_COUNT] = {
    [OD_TYPE_S] = {"STRING", false, false},    [OD_TYPE_N] = {"NUMBER", true, false},
    [OD_TYPE_B] = {"BINARY", false, false},    [OD_TYPE_BOOL] = {"BOOLEAN", false, false},
    [OD_TYPE_NULL] = {"NULL", false, false},   [OD_TYPE_SS] = {"STRING_SET", true, true},
    [OD_TYPE_NS] = {"NUMBER_SET", true, true}, [OD_TYPE_BS] = {"BINARY_SET", true, true},
    [OD_TYPE_L] = {"LIST", false, false},      [OD_TYPE_M] = {"MAP", false, false},
};

// What an action costs in the size of an item, by what it does and to what.
enum {
    COST_WRITE = 19,
    COST_CLEAR = 2,
    COST_INDEX = 1,
    COST_ARITHMETIC = 50,
};

static od_status check_action(const struct od_binder *b, const struct od_action_node *node,
                              int what)
{
    OD_TRY(od_bind_check(b, node->path, what));
    return node->value == NULL ? OD_OK : od_bind_check(b, node->value, what);
}

static od_status check_placeholders(const struct od_binder *b, const struct od_expr *expr, int what)
{
    for (const struct od_action_node *at = expr->actions; at != NULL; at = at->next) {
        OD_TRY(check_action(b, at, what));
    }
    return OD_OK;
}

static od_status bind_paths(const struct od_binder *b, const struct od_expr *expr,
                            struct od_path **out)
{
    *out = od_new_array(b->cx->arena, struct od_path, expr->count);
    struct od_path *path = *out;
    for (const struct od_action_node *at = expr->actions; at != NULL; at = at->next) {
        OD_TRY(od_bind_path(b, at->path, path++));
    }
    return OD_OK;
}

// --- ADD and DELETE -----------------------------------------------------------------------------

static od_status check_operand(const struct od_binder *b, const struct od_action_node *node)
{
    if (node->action != OD_UPDATE_ADD && node->action != OD_UPDATE_DELETE) {
        return OD_OK;
    }
    enum od_type type = od_value_type(od_bind_value(b, node->value->text));
    bool is_add = node->action == OD_UPDATE_ADD;
    if (is_add ? types[type].for_add : types[type].for_delete) {
        return OD_OK;
    }
    const char *operator= is_add ? "ADD" : "DELETE";
    return OD_EXPR_FAIL(b->cx, b->kind,
                        "Incorrect operand type for operator or function; operator: %s, operand "
                        "type: %s, typeSet: ALLOWED_FOR_%s_OPERAND",
                        operator, types[type].long_name, operator);
}

static od_status check_operands(const struct od_binder *b, const struct od_expr *expr)
{
    for (const struct od_action_node *at = expr->actions; at != NULL; at = at->next) {
        OD_TRY(check_operand(b, at));
    }
    return OD_OK;
}

// --- Right sides of SET -------------------------------------------------------------------------

static od_status bind_term(const struct od_binder *b, const struct od_node *node,
                           const struct od_term **out);

// An operand whose type is known before there is an item.
static od_status check_type(const struct od_binder *b, od_str name, const struct od_term *term,
                            enum od_type wanted)
{
    if (term->kind != OD_TERM_VALUE || od_value_type(term->value) == wanted) {
        return OD_OK;
    }
    return od_bind_wrong_type(b, name, od_type_name(od_value_type(term->value)));
}

static od_status bind_pair(const struct od_binder *b, const struct od_node *node,
                           struct od_term *term)
{
    OD_TRY(bind_term(b, node->first, &term->left));
    OD_TRY(bind_term(b, node->last, &term->right));
    enum od_type wanted = term->kind == OD_TERM_LIST_APPEND ? OD_TYPE_L : OD_TYPE_N;
    OD_TRY(check_type(b, node->text, term->left, wanted));
    return check_type(b, node->text, term->right, wanted);
}

static od_status bind_if_not_exists(const struct od_binder *b, const struct od_node *node,
                                    struct od_term *term)
{
    if (node->first->kind != OD_NODE_PATH) {
        return od_bind_path_needed(b, node->text);
    }
    OD_TRY(od_bind_path(b, node->first, &term->path));
    return bind_term(b, node->last, &term->right);
}

static od_status bind_call(const struct od_binder *b, const struct od_node *node,
                           struct od_term *term)
{
    OD_TRY(od_bind_operand_count(b, node));
    if (node->function == OD_FN_IF_NOT_EXISTS) {
        term->kind = OD_TERM_IF_NOT_EXISTS;
        return bind_if_not_exists(b, node, term);
    }
    term->kind = OD_TERM_LIST_APPEND;
    return bind_pair(b, node, term);
}

static od_status bind_term(const struct od_binder *b, const struct od_node *node,
                           const struct od_term **out)
{
    struct od_term *term = od_new(b->cx->arena, struct od_term);
    *out = term;
    switch (node->kind) {
    case OD_NODE_VALUE:
        *term = (struct od_term){.kind = OD_TERM_VALUE, .value = od_bind_value(b, node->text)};
        return OD_OK;
    case OD_NODE_CALL:
        return bind_call(b, node, term);
    case OD_NODE_ARITHMETIC:
        term->kind = node->op == OD_TOK_PLUS ? OD_TERM_PLUS : OD_TERM_MINUS;
        return bind_pair(b, node, term);
    default:
        term->kind = OD_TERM_PATH;
        return od_bind_path(b, node, &term->path);
    }
}

static od_status bind_action(const struct od_binder *b, const struct od_action_node *node,
                             struct od_action *action)
{
    action->action = node->action;
    if (node->action == OD_UPDATE_SET) {
        return bind_term(b, node->value, &action->term);
    }
    if (node->action != OD_UPDATE_REMOVE) {
        action->value = od_bind_value(b, node->value->text);
    }
    return OD_OK;
}

// --- Updates ------------------------------------------------------------------------------------

// The order of these checks is DynamoDB's.
od_status od_update_bind(od_ctx *cx, const struct od_expr *expr, struct od_expr_env *env,
                         const struct od_update **out)
{
    assert(expr->kind == OD_EXPR_UPDATE);
    const struct od_binder b = {.cx = cx, .kind = expr->kind, .env = env};
    OD_TRY(check_placeholders(&b, expr, OD_BIND_NAMES));
    OD_TRY(check_placeholders(&b, expr, OD_BIND_VALUES));
    struct od_path *paths = NULL;
    OD_TRY(bind_paths(&b, expr, &paths));
    struct od_target *targets = NULL;
    OD_TRY(od_bind_targets(&b, paths, expr->count, &targets));
    OD_TRY(check_operands(&b, expr));

    struct od_action *actions = od_new_array(cx->arena, struct od_action, expr->count);
    size_t count = 0;
    for (const struct od_action_node *at = expr->actions; at != NULL; at = at->next) {
        actions[count].path = paths[count];
        OD_TRY(bind_action(&b, at, &actions[count]));
        count++;
    }
    *out = od_update_make(cx->arena, actions, count, targets);
    return OD_OK;
}

void od_update_names(const struct od_update *update, od_name_visitor *visit, void *arg)
{
    for (size_t i = 0; i < update->count; i++) {
        if (!visit(arg, update->actions[i].path.steps[0].name)) {
            return;
        }
    }
}

static size_t action_cost(const struct od_action *action)
{
    size_t cost = action->action == OD_UPDATE_REMOVE ? COST_CLEAR : COST_WRITE;
    if (action->path.steps[action->path.count - 1].is_index) {
        cost += COST_INDEX;
    }
    const struct od_term *term = action->term;
    if (term != NULL && (term->kind == OD_TERM_PLUS || term->kind == OD_TERM_MINUS)) {
        cost += COST_ARITHMETIC;
    }
    return cost;
}

size_t od_update_cost(const struct od_update *update)
{
    size_t cost = 0;
    for (size_t i = 0; i < update->count; i++) {
        cost += action_cost(&update->actions[i]);
    }
    return cost;
}
