// WHERE as conditions, with the checks that need no table.
#include "partiql/partiql_internal.h"

// This path is in no item: no list has so many elements.
static const struct od_path_step nowhere_steps[] = {{.name = OD_STR_INIT("")},
                                                    {.is_index = true, .index = UINT32_MAX}};
static const struct od_operand nowhere = {
    .kind = OD_OPERAND_PATH,
    .path = {.steps = nowhere_steps, .count = OD_COUNT(nowhere_steps)},
};

const struct od_condition od_ql_always = {
    .op = OD_COND_NOT_EXISTS,
    .operands = &nowhere,
    .operand_count = 1,
};

static const struct {
    od_str name;
    enum od_cond_op op;
    size_t operands;
} functions[] = {
    {OD_STR_INIT("attribute_type"), OD_COND_TYPE, 2},
    {OD_STR_INIT("begins_with"), OD_COND_BEGINS_WITH, 2},
    {OD_STR_INIT("contains"), OD_COND_CONTAINS, 2},
};

// Types that IS can test.
static const struct {
    od_str name;
    const char *type;
} is_types[] = {
    {OD_STR_INIT("NULL"), "NULL"}, {OD_STR_INIT("BOOL"), "BOOL"}, {OD_STR_INIT("BOOLEAN"), "BOOL"},
    {OD_STR_INIT("BLOB"), "B"},    {OD_STR_INIT("STRING"), "S"},  {OD_STR_INIT("NUMERIC"), "N"},
    {OD_STR_INIT("STRUCT"), "M"},  {OD_STR_INIT("TUPLE"), "M"},   {OD_STR_INIT("LIST"), "L"},
};

#define TYPE_BIT(type) (1U << (unsigned)(type))
enum {
    BYTES = TYPE_BIT(OD_TYPE_S) | TYPE_BIT(OD_TYPE_B),
    ORDERED = BYTES | TYPE_BIT(OD_TYPE_N),
};

// A condition without others in it, while it is made.
struct leaf {
    const struct od_ql_scope *scope;
    od_str name; // of the operator or function, for messages
    enum od_cond_op op;
    struct od_operand *operands;
    size_t count;
};

static size_t find_function(od_str name)
{
    size_t i = 0;
    while (i < OD_COUNT(functions) && !od_str_eq(functions[i].name, name)) {
        i++;
    }
    return i;
}

bool od_ql_is_condition(const struct od_ql_node *node)
{
    switch (node->kind) {
    case OD_QL_AND:
    case OD_QL_OR:
    case OD_QL_NOT:
    case OD_QL_COMPARE:
    case OD_QL_BETWEEN:
    case OD_QL_IN:
    case OD_QL_IS:
    case OD_QL_LIKE:
        return true;
    case OD_QL_CALL:
        return find_function(node->name) < OD_COUNT(functions);
    default:
        return false;
    }
}

// --- Making conditions --------------------------------------------------------------------------

const struct od_condition *od_ql_join(od_arena *arena, enum od_cond_op op,
                                      const struct od_condition *left,
                                      const struct od_condition *right)
{
    struct od_condition *condition = od_new(arena, struct od_condition);
    *condition = (struct od_condition){.op = op, .left = left, .right = right};
    return condition;
}

const struct od_condition *od_ql_not(od_arena *arena, const struct od_condition *condition)
{
    return od_ql_join(arena, OD_COND_NOT, condition, NULL);
}

const struct od_condition *od_ql_leaf(od_arena *arena, enum od_cond_op op,
                                      const struct od_operand *operands, size_t count)
{
    struct od_condition *condition = od_new(arena, struct od_condition);
    *condition = (struct od_condition){.op = op, .operands = operands, .operand_count = count};
    return condition;
}

const struct od_condition *od_ql_exists(od_arena *arena, struct od_path path)
{
    struct od_operand *operand = od_new(arena, struct od_operand);
    *operand = (struct od_operand){.kind = OD_OPERAND_PATH, .path = path};
    return od_ql_leaf(arena, OD_COND_EXISTS, operand, 1);
}

// --- Faults -------------------------------------------------------------------------------------

od_status od_ql_fail_at(const struct od_ql_scope *scope, od_str text, od_str message)
{
    od_str place = od_ql_place(scope->cx->arena, scope->tree->text, text);
    return OD_FAIL(scope->cx, OD_VALIDATION, "%.*s%.*s", OD_STR_ARG(message), OD_STR_ARG(place));
}

od_status od_ql_fail_type(const struct od_ql_scope *scope, od_str function, const char *type)
{
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "Incorrect operand type for operator or function; operator or function: %.*s, "
                   "operand type: %s",
                   OD_STR_ARG(function), type);
}

od_status od_ql_fail_function(const struct od_ql_scope *scope, const struct od_ql_node *call)
{
    return OD_QL_FAIL_AT(scope, call->text, "Unrecognized function: %.*s", OD_STR_ARG(call->name));
}

static od_status fail_path(const struct leaf *leaf)
{
    return OD_FAIL(leaf->scope->cx, OD_VALIDATION,
                   "Operator or function requires a document path; operator or function: %.*s",
                   OD_STR_ARG(leaf->name));
}

static od_status fail_count(const struct od_ql_scope *scope, od_str name, size_t count)
{
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "Incorrect number of operands for operator or function; operator or function: "
                   "%.*s, number of operands: %zu",
                   OD_STR_ARG(name), count);
}

// A condition where a value is due, or a value where a condition is.
static od_status fail_use(const struct od_ql_scope *scope, od_str function)
{
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "The function is not allowed to be used this way in an expression; function: "
                   "%.*s",
                   OD_STR_ARG(function));
}

static od_status fail_operator(const struct od_ql_scope *scope, od_str name)
{
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "Unsupported operator in Condition Expression. Operator: %.*s",
                   OD_STR_ARG(name));
}

static od_status fail_boolean(const struct od_ql_scope *scope)
{
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "WHERE clause must contain an expression that resolves to a boolean");
}

// --- Operands -----------------------------------------------------------------------------------

struct od_path od_ql_path(const struct od_ql_scope *scope, const struct od_ql_node *node)
{
    bool lacks = scope->index != NULL &&
                 !od_index_projects(scope->table, scope->index, node->path.steps[0].name);
    return lacks ? nowhere.path : node->path;
}

static od_status make_size(const struct od_ql_scope *scope, const struct od_ql_node *call,
                           struct od_operand *out)
{
    if (call->count != 1) {
        return fail_count(scope, call->name, call->count);
    }
    if (call->first->kind != OD_QL_PATH) {
        const struct leaf leaf = {.scope = scope, .name = call->name};
        return fail_path(&leaf);
    }
    *out = (struct od_operand){.kind = OD_OPERAND_SIZE, .path = od_ql_path(scope, call->first)};
    return OD_OK;
}

static od_status make_call(const struct od_ql_scope *scope, const struct od_ql_node *call,
                           struct od_operand *out)
{
    if (od_str_eq(call->name, OD_STR("size"))) {
        return make_size(scope, call, out);
    }
    return od_ql_is_condition(call) ? fail_use(scope, call->name)
                                    : od_ql_fail_function(scope, call);
}

static od_status make_operand(const struct od_ql_scope *scope, const struct od_ql_node *node,
                              struct od_operand *out)
{
    if (od_ql_is_value(node)) {
        out->kind = OD_OPERAND_VALUE;
        return od_ql_value(scope, node, &out->value);
    }
    switch (node->kind) {
    case OD_QL_PATH:
        *out = (struct od_operand){.kind = OD_OPERAND_PATH, .path = od_ql_path(scope, node)};
        return OD_OK;
    case OD_QL_CALL:
        return make_call(scope, node, out);
    default:
        return fail_operator(scope, node->text);
    }
}

static od_status add_operand(struct leaf *leaf, const struct od_ql_node *node)
{
    return make_operand(leaf->scope, node, &leaf->operands[leaf->count++]);
}

static od_status add_operands(struct leaf *leaf, const struct od_ql_node *parent)
{
    leaf->operands = od_new_array(leaf->scope->cx->arena, struct od_operand, parent->count);
    for (const struct od_ql_node *node = parent->first; node != NULL; node = node->next) {
        OD_TRY(add_operand(leaf, node));
    }
    return OD_OK;
}

// --- Checks of operands -------------------------------------------------------------------------

static od_status check_types(const struct leaf *leaf, unsigned allowed)
{
    for (size_t i = 0; i < leaf->count; i++) {
        if (leaf->operands[i].kind != OD_OPERAND_VALUE) {
            continue;
        }
        enum od_type type = od_value_type(leaf->operands[i].value);
        if ((allowed & TYPE_BIT(type)) == 0) {
            return od_ql_fail_type(leaf->scope, leaf->name, od_type_name(type));
        }
    }
    return OD_OK;
}

static od_status check_bounds(const struct leaf *leaf)
{
    const struct od_operand *lower = &leaf->operands[1];
    const struct od_operand *upper = &leaf->operands[2];
    if (lower->kind != OD_OPERAND_VALUE || upper->kind != OD_OPERAND_VALUE) {
        return OD_OK;
    }
    if (od_value_type(lower->value) != od_value_type(upper->value)) {
        return OD_FAIL(leaf->scope->cx, OD_VALIDATION,
                       "The BETWEEN operator requires same data type for lower and upper bounds");
    }
    if (od_value_compare(lower->value, upper->value) > 0) {
        return OD_FAIL(leaf->scope->cx, OD_VALIDATION,
                       "The BETWEEN operator requires upper bound to be greater than or equal to "
                       "lower bound");
    }
    return OD_OK;
}

static od_status check_path(const struct leaf *leaf)
{
    return leaf->operands[0].kind == OD_OPERAND_PATH ? OD_OK : fail_path(leaf);
}

static od_status check_type_name(const struct leaf *leaf)
{
    OD_TRY(check_path(leaf));
    const struct od_operand *name = &leaf->operands[1];
    if (name->kind != OD_OPERAND_VALUE) {
        return od_ql_fail_type(leaf->scope, leaf->name, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
    }
    OD_TRY(check_types(leaf, TYPE_BIT(OD_TYPE_S)));
    enum od_type type = OD_TYPE_S;
    od_str text = od_value_bytes(name->value);
    if (od_type_from_name(text, &type)) {
        return OD_OK;
    }
    return OD_FAIL(leaf->scope->cx, OD_VALIDATION,
                   "Invalid attribute type name found; type: %.*s, valid types: "
                   "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
                   OD_STR_ARG(text));
}

static od_status check_operands(const struct leaf *leaf)
{
    switch (leaf->op) {
    case OD_COND_LT:
    case OD_COND_LE:
    case OD_COND_GT:
    case OD_COND_GE:
        return check_types(leaf, ORDERED);
    case OD_COND_BETWEEN:
        OD_TRY(check_types(leaf, ORDERED));
        return check_bounds(leaf);
    case OD_COND_BEGINS_WITH:
        return check_types(leaf, BYTES);
    case OD_COND_EXISTS:
    case OD_COND_NOT_EXISTS:
        return check_path(leaf);
    case OD_COND_TYPE:
        return check_type_name(leaf);
    default:
        return OD_OK;
    }
}

static od_status finish(const struct leaf *leaf, const struct od_condition **out)
{
    OD_TRY(check_operands(leaf));
    *out = od_ql_leaf(leaf->scope->cx->arena, leaf->op, leaf->operands, leaf->count);
    return OD_OK;
}

// --- Comparisons --------------------------------------------------------------------------------

// That the operand has a value: a size has one when it is at least zero.
static const struct od_condition *has_value(od_arena *arena, const struct od_operand *operand)
{
    if (operand->kind == OD_OPERAND_PATH) {
        return od_ql_exists(arena, operand->path);
    }
    struct od_buf zero = {.arena = arena};
    od_pack_number(&zero, od_number_from_u64(0));
    struct od_operand *operands = od_new_array(arena, struct od_operand, 2);
    operands[0] = *operand;
    operands[1] = (struct od_operand){.kind = OD_OPERAND_VALUE, .value = od_packed(&zero)};
    return od_ql_leaf(arena, OD_COND_GE, operands, 2);
}

// In PartiQL a missing attribute is unequal to nothing, as it is equal to nothing.
static const struct od_condition *require_values(od_arena *arena,
                                                 const struct od_condition *unequal)
{
    const struct od_condition *all = unequal;
    for (size_t i = 0; i < unequal->operand_count; i++) {
        const struct od_operand *operand = &unequal->operands[i];
        if (operand->kind != OD_OPERAND_VALUE) {
            all = od_ql_join(arena, OD_COND_AND, has_value(arena, operand), all);
        }
    }
    return all;
}

static enum od_cond_op compare_op(enum od_ql_tok op)
{
    switch (op) {
    case OD_QL_TOK_EQ:
        return OD_COND_EQ;
    case OD_QL_TOK_NE:
        return OD_COND_NE;
    case OD_QL_TOK_LT:
        return OD_COND_LT;
    case OD_QL_TOK_LE:
        return OD_COND_LE;
    case OD_QL_TOK_GT:
        return OD_COND_GT;
    default:
        return OD_COND_GE;
    }
}

static od_status compare(const struct od_ql_scope *scope, const struct od_ql_node *node,
                         const struct od_condition **out)
{
    struct leaf leaf = {.scope = scope, .name = node->text, .op = compare_op(node->op)};
    OD_TRY(add_operands(&leaf, node));
    OD_TRY(finish(&leaf, out));
    if (leaf.op == OD_COND_NE) {
        *out = require_values(scope->cx->arena, *out);
    }
    return OD_OK;
}

static od_status between(const struct od_ql_scope *scope, const struct od_ql_node *node,
                         const struct od_condition **out)
{
    struct leaf leaf = {.scope = scope, .name = OD_STR("BETWEEN"), .op = OD_COND_BETWEEN};
    OD_TRY(add_operands(&leaf, node));
    return finish(&leaf, out);
}

static od_status check_list(const struct od_ql_scope *scope, const struct od_ql_node *list)
{
    if (list->kind != OD_QL_LIST) {
        return fail_operator(scope, OD_STR("IN"));
    }
    if (list->count > OD_EXPR_MAX_IN_OPERANDS) {
        return OD_FAIL(scope->cx, OD_VALIDATION,
                       "The IN operator is provided with too many operands; number of operands: "
                       "%zu",
                       list->count);
    }
    return list->count > 0 ? OD_OK : fail_count(scope, OD_STR("IN"), 1);
}

static od_status in_list(const struct od_ql_scope *scope, const struct od_ql_node *node,
                         const struct od_condition **out)
{
    const struct od_ql_node *list = od_ql_second(node);
    OD_TRY(check_list(scope, list));
    struct leaf leaf = {.scope = scope, .name = OD_STR("IN"), .op = OD_COND_IN};
    leaf.operands = od_new_array(scope->cx->arena, struct od_operand, 1 + list->count);
    OD_TRY(add_operand(&leaf, node->first));
    for (const struct od_ql_node *item = list->first; item != NULL; item = item->next) {
        OD_TRY(add_operand(&leaf, item));
    }
    return finish(&leaf, out);
}

// --- Types and functions ------------------------------------------------------------------------

static od_status test_type(struct leaf *leaf, const char *type, const struct od_condition **out)
{
    od_arena *arena = leaf->scope->cx->arena;
    struct od_buf name = {.arena = arena};
    od_pack_s(&name, od_cstr(type));
    leaf->operands[leaf->count++] =
        (struct od_operand){.kind = OD_OPERAND_VALUE, .value = od_packed(&name)};
    leaf->op = OD_COND_TYPE;
    return finish(leaf, out);
}

static od_status is_type(const struct od_ql_scope *scope, const struct od_ql_node *node,
                         const struct od_condition **out)
{
    struct leaf leaf = {.scope = scope, .name = OD_STR("IS")};
    leaf.operands = od_new_array(scope->cx->arena, struct od_operand, 2);
    OD_TRY(add_operand(&leaf, node->first));
    if (od_str_eq(node->name, OD_STR("MISSING"))) {
        leaf.op = OD_COND_NOT_EXISTS;
        return finish(&leaf, out);
    }
    for (size_t i = 0; i < OD_COUNT(is_types); i++) {
        if (od_str_eq(is_types[i].name, node->name)) {
            return test_type(&leaf, is_types[i].type, out);
        }
    }
    return OD_FAIL(
        scope->cx, OD_VALIDATION,
        "Unsupported data type for IS operator: %.*s. Supported data types are [MISSING, "
        "NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]",
        OD_STR_ARG(node->name));
}

static od_status call(const struct od_ql_scope *scope, const struct od_ql_node *node,
                      const struct od_condition **out)
{
    if (od_str_eq(node->name, OD_STR("size"))) {
        return fail_use(scope, node->name);
    }
    size_t i = find_function(node->name);
    if (i == OD_COUNT(functions)) {
        return od_ql_fail_function(scope, node);
    }
    if (node->count != functions[i].operands) {
        return fail_count(scope, node->name, node->count);
    }
    struct leaf leaf = {.scope = scope, .name = node->name, .op = functions[i].op};
    OD_TRY(add_operands(&leaf, node));
    return finish(&leaf, out);
}

// --- Any ----------------------------------------------------------------------------------------

static od_status negation(const struct od_ql_scope *scope, const struct od_ql_node *node,
                          const struct od_condition **out)
{
    const struct od_condition *inner = NULL;
    OD_TRY(od_ql_condition(scope, node->first, &inner));
    *out = od_ql_not(scope->cx->arena, inner);
    return OD_OK;
}

// a AND b AND c: a AND (b AND c), so that matching it does not recurse.
static od_status chain(const struct od_ql_scope *scope, const struct od_ql_node *node,
                       const struct od_condition **out)
{
    const struct od_ql_node *child = node->first;
    for (; child->next != NULL; child = child->next) {
        struct od_condition *condition = od_new(scope->cx->arena, struct od_condition);
        condition->op = node->kind == OD_QL_AND ? OD_COND_AND : OD_COND_OR;
        OD_TRY(od_ql_condition(scope, child, &condition->left));
        *out = condition;
        out = &condition->right;
    }
    return od_ql_condition(scope, child, out);
}

od_status od_ql_condition(const struct od_ql_scope *scope, const struct od_ql_node *node,
                          const struct od_condition **out)
{
    switch (node->kind) {
    case OD_QL_AND:
    case OD_QL_OR:
        return chain(scope, node, out);
    case OD_QL_NOT:
        return negation(scope, node, out);
    case OD_QL_COMPARE:
        return compare(scope, node, out);
    case OD_QL_BETWEEN:
        return between(scope, node, out);
    case OD_QL_IN:
        return in_list(scope, node, out);
    case OD_QL_IS:
        return is_type(scope, node, out);
    case OD_QL_CALL:
        return call(scope, node, out);
    case OD_QL_LIKE:
        return fail_operator(scope, OD_STR("LIKE"));
    default:
        return fail_boolean(scope);
    }
}

od_status od_ql_conjunction(const struct od_ql_scope *scope, const struct od_ql_node *const *nodes,
                            size_t count, const struct od_condition **out)
{
    *out = NULL;
    for (size_t i = count; i > 0; i--) {
        const struct od_condition *condition = NULL;
        OD_TRY(od_ql_condition(scope, nodes[i - 1], &condition));
        *out =
            *out == NULL ? condition : od_ql_join(scope->cx->arena, OD_COND_AND, condition, *out);
    }
    return OD_OK;
}
