// Key conditions: conditions of a small shape, made into terms.
#include "expr/expr_internal.h"

#include <assert.h>

enum { NO_KEY_OP = -1 };

// How a message calls an operator, what it is in a term, and in a term whose value came first.
static const struct {
    const char *name;
    int key_op;
    int turned_op;
} ops[] = {
    [OD_COND_AND] = {"AND", NO_KEY_OP, NO_KEY_OP},
    [OD_COND_OR] = {"OR", NO_KEY_OP, NO_KEY_OP},
    [OD_COND_NOT] = {"NOT", NO_KEY_OP, NO_KEY_OP},
    [OD_COND_EQ] = {"=", OD_KEY_EQ, OD_KEY_EQ},
    [OD_COND_NE] = {"<>", NO_KEY_OP, NO_KEY_OP},
    [OD_COND_LT] = {"<", OD_KEY_LT, OD_KEY_GT},
    [OD_COND_LE] = {"<=", OD_KEY_LE, OD_KEY_GE},
    [OD_COND_GT] = {">", OD_KEY_GT, OD_KEY_LT},
    [OD_COND_GE] = {">=", OD_KEY_GE, OD_KEY_LE},
    [OD_COND_BETWEEN] = {"BETWEEN", OD_KEY_BETWEEN, NO_KEY_OP},
    [OD_COND_IN] = {"IN", NO_KEY_OP, NO_KEY_OP},
    [OD_COND_EXISTS] = {"attribute_exists", NO_KEY_OP, NO_KEY_OP},
    [OD_COND_NOT_EXISTS] = {"attribute_not_exists", NO_KEY_OP, NO_KEY_OP},
    [OD_COND_TYPE] = {"attribute_type", NO_KEY_OP, NO_KEY_OP},
    [OD_COND_BEGINS_WITH] = {"begins_with", OD_KEY_BEGINS_WITH, NO_KEY_OP},
    [OD_COND_CONTAINS] = {"contains", NO_KEY_OP, NO_KEY_OP},
};

#define FAIL(cx, ...) OD_EXPR_FAIL((cx), OD_EXPR_KEY_CONDITION, __VA_ARGS__)

struct collector {
    od_ctx *cx;
    struct od_key_term *terms;
    size_t count;
};

// The operators that have a first operand have it for the attribute.
static od_status check_first_operand(od_ctx *cx, const struct od_condition *condition)
{
    bool may_turn = ops[condition->op].turned_op != NO_KEY_OP;
    if (may_turn || condition->operands[0].kind == OD_OPERAND_PATH) {
        return OD_OK;
    }
    return FAIL(cx,
                "Invalid condition in KeyConditionExpression: %s operator must have the key "
                "attribute as its first operand",
                ops[condition->op].name);
}

// Which operand is the attribute: the only path, of one step.
static od_status find_attribute(od_ctx *cx, const struct od_condition *condition, size_t *out)
{
    bool found = false;
    for (size_t i = 0; i < condition->operand_count; i++) {
        const struct od_operand *operand = &condition->operands[i];
        if (operand->kind == OD_OPERAND_SIZE) {
            return FAIL(cx, "KeyConditionExpressions cannot contain nested operations");
        }
        if (operand->kind == OD_OPERAND_VALUE) {
            continue;
        }
        if (found) {
            return FAIL(cx, "Invalid condition in KeyConditionExpression: Multiple attribute "
                            "names used in one condition");
        }
        if (operand->path.count > 1) {
            return FAIL(cx, "KeyConditionExpressions cannot have conditions on nested attributes");
        }
        found = true;
        *out = i;
    }
    if (!found) {
        return FAIL(cx, "Invalid condition in KeyConditionExpression: No key attribute specified");
    }
    return OD_OK;
}

static od_status add_term(struct collector *c, struct od_key_term term)
{
    for (size_t i = 0; i < c->count; i++) {
        if (od_str_eq(c->terms[i].name, term.name)) {
            return FAIL(c->cx, "KeyConditionExpressions must only contain one condition per key");
        }
    }
    c->terms[c->count++] = term;
    return OD_OK;
}

static od_status collect_term(struct collector *c, const struct od_condition *condition)
{
    if (ops[condition->op].key_op == NO_KEY_OP) {
        return FAIL(c->cx, "Invalid operator used in KeyConditionExpression: %s",
                    ops[condition->op].name);
    }
    OD_TRY(check_first_operand(c->cx, condition));
    size_t attribute = 0;
    OD_TRY(find_attribute(c->cx, condition, &attribute));

    const struct od_operand *operands = condition->operands;
    bool turned = attribute != 0;
    struct od_key_term term = {
        .name = operands[attribute].path.steps[0].name,
        .op = (enum od_key_op)(turned ? ops[condition->op].turned_op : ops[condition->op].key_op),
        .value = operands[turned ? 0 : 1].value,
    };
    if (term.op == OD_KEY_BETWEEN) {
        term.upper = operands[2].value;
    }
    return add_term(c, term);
}

static od_status collect_terms(struct collector *c, const struct od_condition *condition)
{
    for (; condition->op == OD_COND_AND; condition = condition->right) {
        OD_TRY(collect_terms(c, condition->left));
    }
    return collect_term(c, condition);
}

static size_t count_leaves(const struct od_condition *condition)
{
    size_t count = 1;
    for (; condition->op == OD_COND_AND; condition = condition->right) {
        count += count_leaves(condition->left);
    }
    return count;
}

od_status od_key_condition_bind(od_ctx *cx, const struct od_expr *expr, struct od_expr_env *env,
                                struct od_key_condition *out)
{
    assert(expr->kind == OD_EXPR_KEY_CONDITION);
    const struct od_binder b = {.cx = cx, .kind = expr->kind, .env = env};
    const struct od_condition *condition = NULL;
    OD_TRY(od_bind_condition(&b, expr->condition, &condition));

    struct collector c = {.cx = cx};
    c.terms = od_new_array(cx->arena, struct od_key_term, count_leaves(condition));
    OD_TRY(collect_terms(&c, condition));
    *out = (struct od_key_condition){.terms = c.terms, .count = c.count};
    return OD_OK;
}
