// From a condition's syntax tree to one that can run, with the checks of its operands.
#include "base/base64.h"
#include "expr/expr_internal.h"

#include <assert.h>

static const enum od_cond_op comparators[] = {
    [OD_TOK_EQ] = OD_COND_EQ, [OD_TOK_NE] = OD_COND_NE, [OD_TOK_LT] = OD_COND_LT,
    [OD_TOK_LE] = OD_COND_LE, [OD_TOK_GT] = OD_COND_GT, [OD_TOK_GE] = OD_COND_GE,
};

static const enum od_cond_op function_ops[] = {
    [OD_FN_ATTRIBUTE_EXISTS] = OD_COND_EXISTS, [OD_FN_ATTRIBUTE_NOT_EXISTS] = OD_COND_NOT_EXISTS,
    [OD_FN_ATTRIBUTE_TYPE] = OD_COND_TYPE,     [OD_FN_BEGINS_WITH] = OD_COND_BEGINS_WITH,
    [OD_FN_CONTAINS] = OD_COND_CONTAINS,
};

// A condition without others in it, while it is checked.
struct leaf {
    const struct od_binder *b;
    od_str name; // of the operator or function, for messages
    enum od_cond_op op;
    struct od_operand *operands;
    size_t count;
};

// --- Operands -----------------------------------------------------------------------------------

// The size of a value is a value.
static od_status bind_size_of_value(const struct od_binder *b, const struct od_node *call,
                                    struct od_operand *out)
{
    od_value value = od_bind_value(b, call->first->text);
    uint64_t size = 0;
    if (!od_value_length(value, &size)) {
        return od_bind_wrong_type(b, call->text, od_type_name(od_value_type(value)));
    }
    struct od_buf packed = {.arena = b->cx->arena};
    od_pack_number(&packed, od_number_from_u64(size));
    *out = (struct od_operand){.kind = OD_OPERAND_VALUE, .value = od_packed(&packed)};
    return OD_OK;
}

static od_status bind_size(const struct od_binder *b, const struct od_node *call,
                           struct od_operand *out)
{
    if (call->first->kind == OD_NODE_VALUE) {
        return bind_size_of_value(b, call, out);
    }
    out->kind = OD_OPERAND_SIZE;
    return od_bind_path(b, call->first, &out->path);
}

static od_status bind_operand(const struct od_binder *b, const struct od_node *node,
                              struct od_operand *out)
{
    switch (node->kind) {
    case OD_NODE_VALUE:
        *out = (struct od_operand){.kind = OD_OPERAND_VALUE, .value = od_bind_value(b, node->text)};
        return OD_OK;
    case OD_NODE_CALL:
        return bind_size(b, node, out);
    default:
        out->kind = OD_OPERAND_PATH;
        return od_bind_path(b, node, &out->path);
    }
}

static od_status bind_operands(const struct od_node *node, struct leaf *leaf)
{
    leaf->operands = od_new_array(leaf->b->cx->arena, struct od_operand, node->count);
    for (const struct od_node *child = node->first; child != NULL; child = child->next) {
        OD_TRY(bind_operand(leaf->b, child, &leaf->operands[leaf->count]));
        leaf->count++;
    }
    return OD_OK;
}

static od_status check_counts(const struct od_binder *b, const struct od_node *node)
{
    OD_TRY(od_bind_operand_count(b, node));
    for (const struct od_node *child = node->first; child != NULL; child = child->next) {
        OD_TRY(od_bind_operand_count(b, child));
    }
    return OD_OK;
}

static od_status check_distinct(const struct leaf *leaf)
{
    const struct od_operand *first = &leaf->operands[0];
    if (first->kind != OD_OPERAND_PATH) {
        return OD_OK;
    }
    for (size_t i = 1; i < leaf->count; i++) {
        const struct od_operand *other = &leaf->operands[i];
        if (other->kind == OD_OPERAND_PATH && od_path_equal(&first->path, &other->path)) {
            od_str path = od_path_print(leaf->b->cx->arena, &first->path);
            return OD_EXPR_FAIL(leaf->b->cx, leaf->b->kind,
                                "The first operand must be distinct from the remaining operands "
                                "for this operator or function; operator: %.*s, first operand: "
                                "%.*s",
                                OD_STR_ARG(leaf->name), OD_STR_ARG(path));
        }
    }
    return OD_OK;
}

// --- Types --------------------------------------------------------------------------------------

#define TYPE_BIT(type) (1U << (unsigned)(type))
enum {
    BYTES = TYPE_BIT(OD_TYPE_S) | TYPE_BIT(OD_TYPE_B),
    ORDERED = BYTES | TYPE_BIT(OD_TYPE_N),
    CONTAINERS = BYTES | TYPE_BIT(OD_TYPE_SS) | TYPE_BIT(OD_TYPE_NS) | TYPE_BIT(OD_TYPE_BS) |
                 TYPE_BIT(OD_TYPE_L),
};

// An operand whose type is known before there is an item.
static od_status check_type(const struct leaf *leaf, const struct od_operand *operand,
                            unsigned allowed)
{
    if (operand->kind != OD_OPERAND_VALUE) {
        return OD_OK;
    }
    enum od_type type = od_value_type(operand->value);
    if ((allowed & TYPE_BIT(type)) == 0) {
        return od_bind_wrong_type(leaf->b, leaf->name, od_type_name(type));
    }
    return OD_OK;
}

static od_status check_types(const struct leaf *leaf, unsigned allowed)
{
    for (size_t i = 0; i < leaf->count; i++) {
        OD_TRY(check_type(leaf, &leaf->operands[i], allowed));
    }
    return OD_OK;
}

static od_str print_bound(od_arena *arena, od_value bound)
{
    struct od_buf out = {.arena = arena};
    enum od_type type = od_value_type(bound);
    od_buf_printf(&out, "%s:", od_type_name(type));
    if (type == OD_TYPE_N) {
        char text[OD_NUMBER_TEXT_MAX];
        od_buf_put(&out, (od_str){text, od_number_text(od_value_number(bound), text)});
    } else if (type == OD_TYPE_B) {
        od_base64_encode(&out, od_value_bytes(bound));
    } else {
        od_buf_put(&out, od_value_bytes(bound));
    }
    return od_buf_str(&out);
}

static od_status fail_bounds(const struct leaf *leaf, const char *rule)
{
    od_str lower = print_bound(leaf->b->cx->arena, leaf->operands[1].value);
    od_str upper = print_bound(leaf->b->cx->arena, leaf->operands[2].value);
    return OD_EXPR_FAIL(leaf->b->cx, leaf->b->kind,
                        "The BETWEEN operator requires %s; lower bound operand: AttributeValue: "
                        "{%.*s}, upper bound operand: AttributeValue: {%.*s}",
                        rule, OD_STR_ARG(lower), OD_STR_ARG(upper));
}

static od_status check_bounds(const struct leaf *leaf)
{
    const struct od_operand *lower = &leaf->operands[1];
    const struct od_operand *upper = &leaf->operands[2];
    if (lower->kind != OD_OPERAND_VALUE || upper->kind != OD_OPERAND_VALUE) {
        return OD_OK;
    }
    if (od_value_type(lower->value) != od_value_type(upper->value)) {
        return fail_bounds(leaf, "same data type for lower and upper bounds");
    }
    if (od_value_compare(lower->value, upper->value) > 0) {
        return fail_bounds(leaf, "upper bound to be greater than or equal to lower bound");
    }
    return OD_OK;
}

static od_status check_between(const struct leaf *leaf)
{
    OD_TRY(check_types(leaf, ORDERED));
    return check_bounds(leaf);
}

static od_status check_in(const struct leaf *leaf)
{
    size_t list = leaf->count - 1;
    if (list <= OD_EXPR_MAX_IN_OPERANDS) {
        return OD_OK;
    }
    return OD_EXPR_FAIL(leaf->b->cx, leaf->b->kind,
                        "The IN operator is provided with too many operands; number of operands: "
                        "%zu",
                        list);
}

static od_status check_path(const struct leaf *leaf)
{
    if (leaf->operands[0].kind == OD_OPERAND_PATH) {
        return OD_OK;
    }
    return od_bind_path_needed(leaf->b, leaf->name);
}

static od_status check_type_name(const struct leaf *leaf)
{
    OD_TRY(check_path(leaf));
    const struct od_operand *name = &leaf->operands[1];
    if (name->kind != OD_OPERAND_VALUE) {
        return od_bind_wrong_type(leaf->b, leaf->name, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
    }
    OD_TRY(check_types(leaf, TYPE_BIT(OD_TYPE_S)));
    enum od_type type = OD_TYPE_S;
    od_str text = od_value_bytes(name->value);
    if (od_type_from_name(text, &type)) {
        return OD_OK;
    }
    return OD_EXPR_FAIL(leaf->b->cx, leaf->b->kind,
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
    case OD_COND_BEGINS_WITH:
        return check_types(leaf, BYTES);
    case OD_COND_CONTAINS:
        return check_type(leaf, &leaf->operands[0], CONTAINERS);
    case OD_COND_BETWEEN:
        return check_between(leaf);
    case OD_COND_IN:
        return check_in(leaf);
    case OD_COND_EXISTS:
    case OD_COND_NOT_EXISTS:
        return check_path(leaf);
    case OD_COND_TYPE:
        return check_type_name(leaf);
    default:
        return OD_OK;
    }
}

// --- Conditions ---------------------------------------------------------------------------------

static enum od_cond_op leaf_op(const struct od_node *node)
{
    switch (node->kind) {
    case OD_NODE_COMPARE:
        return comparators[node->op];
    case OD_NODE_BETWEEN:
        return OD_COND_BETWEEN;
    case OD_NODE_IN:
        return OD_COND_IN;
    default:
        assert(node->kind == OD_NODE_CALL);
        return function_ops[node->function];
    }
}

// DynamoDB reports the faults of the first condition that has any.
static od_status bind_leaf(const struct od_binder *b, const struct od_node *node,
                           const struct od_condition **out)
{
    OD_TRY(od_bind_check(b, node, OD_BIND_NAMES | OD_BIND_VALUES));
    OD_TRY(check_counts(b, node));
    struct leaf leaf = {.b = b, .name = node->text, .op = leaf_op(node)};
    OD_TRY(bind_operands(node, &leaf));
    OD_TRY(check_distinct(&leaf));
    OD_TRY(check_operands(&leaf));

    struct od_condition *condition = od_new(b->cx->arena, struct od_condition);
    *condition = (struct od_condition){
        .op = leaf.op,
        .operands = leaf.operands,
        .operand_count = leaf.count,
    };
    *out = condition;
    return OD_OK;
}

static od_status bind_not(const struct od_binder *b, const struct od_node *node,
                          const struct od_condition **out)
{
    struct od_condition *condition = od_new(b->cx->arena, struct od_condition);
    condition->op = OD_COND_NOT;
    *out = condition;
    return od_bind_condition(b, node->first, &condition->left);
}

// a AND b AND c: a AND (b AND c), so that matching it does not recurse.
static od_status bind_chain(const struct od_binder *b, const struct od_node *node,
                            const struct od_condition **out)
{
    const struct od_node *child = node->first;
    for (; child->next != NULL; child = child->next) {
        struct od_condition *condition = od_new(b->cx->arena, struct od_condition);
        condition->op = node->kind == OD_NODE_AND ? OD_COND_AND : OD_COND_OR;
        OD_TRY(od_bind_condition(b, child, &condition->left));
        *out = condition;
        out = &condition->right;
    }
    return od_bind_condition(b, child, out);
}

od_status od_bind_condition(const struct od_binder *b, const struct od_node *node,
                            const struct od_condition **out)
{
    switch (node->kind) {
    case OD_NODE_AND:
    case OD_NODE_OR:
        return bind_chain(b, node, out);
    case OD_NODE_NOT:
        return bind_not(b, node, out);
    default:
        return bind_leaf(b, node, out);
    }
}

od_status od_condition_bind(od_ctx *cx, const struct od_expr *expr, struct od_expr_env *env,
                            const struct od_condition **out)
{
    assert(expr->kind == OD_EXPR_CONDITION || expr->kind == OD_EXPR_FILTER);
    const struct od_binder b = {.cx = cx, .kind = expr->kind, .env = env};
    return od_bind_condition(&b, expr->condition, out);
}
