// SET and REMOVE of an UPDATE as an update of the engine.
#include "partiql/partiql_internal.h"

static const struct {
    od_str name;
    const char *words; // in messages
    enum od_update_action action;
} set_functions[] = {
    {OD_STR_INIT("set_add"), "SET_ADD", OD_UPDATE_ADD},
    {OD_STR_INIT("set_delete"), "SET_DELETE", OD_UPDATE_DELETE},
};

static od_status fail_operator(const struct od_ql_scope *scope, const struct od_ql_node *node)
{
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "Unsupported operator in Update Expression. Operator: %.*s",
                   OD_STR_ARG(node->text));
}

// --- Right sides of SET -------------------------------------------------------------------------

// A value or a path. A value is of the type that the operator wants.
static od_status make_operand(const struct od_ql_scope *scope, const struct od_ql_node *node,
                              const struct od_ql_node *operator_node, const struct od_term **out)
{
    if (node->kind == OD_QL_PATH) {
        *out = od_term_of_path(scope->cx->arena, node->path);
        return OD_OK;
    }
    bool is_call = operator_node->kind == OD_QL_CALL;
    od_str name = is_call ? operator_node->name : operator_node->text;
    if (node->kind == OD_QL_ARITHMETIC) {
        return fail_operator(scope, node);
    }
    od_value value = {0};
    OD_TRY(od_ql_value(scope, node, &value));
    enum od_type type = od_value_type(value);
    if (type != (is_call ? OD_TYPE_L : OD_TYPE_N)) {
        return od_ql_fail_type(scope, name, od_type_name(type));
    }
    *out = od_term_of_value(scope->cx->arena, value);
    return OD_OK;
}

static od_status make_arithmetic(const struct od_ql_scope *scope, const struct od_ql_node *node,
                                 const struct od_term **out)
{
    od_arena *arena = scope->cx->arena;
    const struct od_term *left = NULL;
    const struct od_term *right = NULL;
    OD_TRY(make_operand(scope, node->first, node, &left));
    OD_TRY(make_operand(scope, od_ql_second(node), node, &right));
    *out = node->op == OD_QL_TOK_PLUS ? od_term_plus(arena, left, right)
                                      : od_term_minus(arena, left, right);
    return OD_OK;
}

static od_status make_list_append(const struct od_ql_scope *scope, const struct od_ql_node *node,
                                  const struct od_term **out)
{
    if (node->count != 2) {
        return OD_FAIL(scope->cx, OD_VALIDATION,
                       "Incorrect number of operands for operator or function; operator or "
                       "function: list_append, number of operands: %zu",
                       node->count);
    }
    const struct od_term *left = NULL;
    const struct od_term *right = NULL;
    OD_TRY(make_operand(scope, node->first, node, &left));
    OD_TRY(make_operand(scope, od_ql_second(node), node, &right));
    *out = od_term_list_append(scope->cx->arena, left, right);
    return OD_OK;
}

static od_status make_term(const struct od_ql_scope *scope, const struct od_ql_node *node,
                           const struct od_term **out)
{
    switch (node->kind) {
    case OD_QL_PATH:
        *out = od_term_of_path(scope->cx->arena, node->path);
        return OD_OK;
    case OD_QL_ARITHMETIC:
        return make_arithmetic(scope, node, out);
    case OD_QL_CALL:
        return od_str_eq(node->name, OD_STR("list_append")) ? make_list_append(scope, node, out)
                                                            : od_ql_fail_function(scope, node);
    default:
        break;
    }
    if (od_ql_is_condition(node)) {
        return fail_operator(scope, node);
    }
    od_value value = {0};
    OD_TRY(od_ql_value(scope, node, &value));
    *out = od_term_of_value(scope->cx->arena, value);
    return OD_OK;
}

// --- Sets ---------------------------------------------------------------------------------------

static size_t find_set_function(const struct od_ql_node *node)
{
    size_t i = 0;
    while (i < OD_COUNT(set_functions) &&
           (node->kind != OD_QL_CALL || !od_str_eq(set_functions[i].name, node->name))) {
        i++;
    }
    return i;
}

static bool same_step(const struct od_path_step *a, const struct od_path_step *b)
{
    if (a->is_index != b->is_index) {
        return false;
    }
    return a->is_index ? a->index == b->index : od_str_eq(a->name, b->name);
}

static bool same_path(const struct od_path *a, const struct od_path *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!same_step(&a->steps[i], &b->steps[i])) {
            return false;
        }
    }
    return true;
}

static bool is_set(od_value v)
{
    enum od_type type = od_value_type(v);
    return type == OD_TYPE_SS || type == OD_TYPE_NS || type == OD_TYPE_BS;
}

static od_status read_set(const struct od_ql_scope *scope, const struct od_ql_node *call,
                          const char *words, od_value *out)
{
    const struct od_ql_node *set = od_ql_second(call);
    if (od_ql_is_value(set)) {
        OD_TRY(od_ql_value(scope, set, out));
    }
    if (od_value_exists(*out) && is_set(*out)) {
        return OD_OK;
    }
    // It points to the first argument, whatever is wrong with the second.
    return OD_QL_FAIL_AT(scope, call->first->text,
                         "The second argument to %s must be a value with type SET", words);
}

// SET a = set_add(a, <<...>>) is what an update expression writes as ADD a ...
static od_status make_set_change(const struct od_ql_scope *scope, const struct od_ql_node *call,
                                 size_t function, struct od_update_part *part)
{
    const char *words = set_functions[function].words;
    if (call->count != 2) {
        return OD_QL_FAIL_AT(scope, call->text, "%s must have exactly two arguments", words);
    }
    if (call->first->kind != OD_QL_PATH || !same_path(&call->first->path, &part->path)) {
        return OD_QL_FAIL_AT(scope, call->text,
                             "The first argument to %s must equal the assignment value", words);
    }
    part->action = set_functions[function].action;
    return read_set(scope, call, words, &part->value);
}

// --- Actions ------------------------------------------------------------------------------------

static od_status make_part(const struct od_ql_scope *scope, const struct od_ql_action *action,
                           struct od_update_part *part)
{
    part->path = action->path->path;
    if (action->value == NULL) {
        part->action = OD_UPDATE_REMOVE;
        return OD_OK;
    }
    size_t function = find_set_function(action->value);
    if (function < OD_COUNT(set_functions)) {
        return make_set_change(scope, action->value, function, part);
    }
    part->action = OD_UPDATE_SET;
    return make_term(scope, action->value, &part->term);
}

od_status od_ql_update(const struct od_ql_scope *scope, const struct od_update **out)
{
    size_t count = scope->tree->action_count;
    struct od_update_part *parts = od_new_array(scope->cx->arena, struct od_update_part, count);
    struct od_update_part *part = parts;
    for (const struct od_ql_action *at = scope->tree->actions; at != NULL; at = at->next) {
        OD_TRY(make_part(scope, at, part++));
    }
    return od_update_build(scope->cx, parts, count, out);
}
