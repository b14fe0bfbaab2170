#include "api/params/legacy.h"

#include <assert.h>

enum {
    S = 1 << OD_TYPE_S,
    N = 1 << OD_TYPE_N,
    B = 1 << OD_TYPE_B,
    ANY_TYPE = (1 << OD_TYPE_COUNT) - 1,
    ANY_COUNT = 100, // as many as IN takes in an expression
};

struct rule {
    od_str name;
    size_t min_count; // of its values
    size_t max_count;
    unsigned types; // they may have
    enum od_cond_op condition;
};

static const struct rule rules[] = {
    [OD_COMPARE_EQ] = {OD_STR_INIT("EQ"), 1, 1, ANY_TYPE, OD_COND_EQ},
    [OD_COMPARE_NE] = {OD_STR_INIT("NE"), 1, 1, ANY_TYPE, OD_COND_NE},
    [OD_COMPARE_LE] = {OD_STR_INIT("LE"), 1, 1, S | N | B, OD_COND_LE},
    [OD_COMPARE_LT] = {OD_STR_INIT("LT"), 1, 1, S | N | B, OD_COND_LT},
    [OD_COMPARE_GE] = {OD_STR_INIT("GE"), 1, 1, S | N | B, OD_COND_GE},
    [OD_COMPARE_GT] = {OD_STR_INIT("GT"), 1, 1, S | N | B, OD_COND_GT},
    [OD_COMPARE_CONTAINS] = {OD_STR_INIT("CONTAINS"), 1, 1, S | N | B, OD_COND_CONTAINS},
    [OD_COMPARE_NOT_CONTAINS] = {OD_STR_INIT("NOT_CONTAINS"), 1, 1, S | N | B, OD_COND_CONTAINS},
    [OD_COMPARE_BEGINS_WITH] = {OD_STR_INIT("BEGINS_WITH"), 1, 1, S | B, OD_COND_BEGINS_WITH},
    [OD_COMPARE_IN] = {OD_STR_INIT("IN"), 1, ANY_COUNT, S | N | B, OD_COND_IN},
    [OD_COMPARE_BETWEEN] = {OD_STR_INIT("BETWEEN"), 2, 2, S | N | B, OD_COND_BETWEEN},
    [OD_COMPARE_NULL] = {OD_STR_INIT("NULL"), 0, 0, 0, OD_COND_NOT_EXISTS},
    [OD_COMPARE_NOT_NULL] = {OD_STR_INIT("NOT_NULL"), 0, 0, 0, OD_COND_EXISTS},
};

// The shape has seen to it that it is one of them.
static enum od_comparison_op find_rule(od_str name)
{
    size_t i = 0;
    while (!od_str_eq(rules[i].name, name)) {
        i++;
        assert(i < OD_COUNT(rules));
    }
    return (enum od_comparison_op)i;
}

static od_status read_values(od_ctx *cx, yyjson_val *list, struct od_comparison *out)
{
    out->count = yyjson_arr_size(list);
    out->values = od_new_array(cx->arena, od_value, out->count);
    size_t at = 0;
    size_t count = 0;
    yyjson_val *json = NULL;
    yyjson_arr_foreach(list, at, count, json)
    {
        OD_TRY(od_api_value(cx, json, &out->values[at]));
    }
    return OD_OK;
}

static od_status check_types(od_ctx *cx, const struct rule *rule, const struct od_comparison *c)
{
    for (size_t i = 0; i < c->count; i++) {
        enum od_type type = od_value_type(c->values[i]);
        if ((rule->types & (1U << type)) == 0) {
            return OD_FAIL(cx, OD_VALIDATION,
                           "One or more parameter values were invalid: ComparisonOperator %s is "
                           "not valid for %s AttributeValue type",
                           rule->name.ptr, od_type_name(type));
        }
        if (type != od_value_type(c->values[0])) {
            return OD_FAIL(cx, OD_VALIDATION,
                           "One or more parameter values were invalid: AttributeValues inside "
                           "AttributeValueList must be of same type");
        }
    }
    return OD_OK;
}

od_status od_legacy_comparison(od_ctx *cx, od_str name, yyjson_val *condition,
                               struct od_comparison *out)
{
    out->name = name;
    out->op = find_rule(od_wire_str(condition, "ComparisonOperator"));
    const struct rule *rule = &rules[out->op];
    OD_TRY(read_values(cx, od_wire_member(condition, "AttributeValueList"), out));
    if (out->count < rule->min_count || out->count > rule->max_count) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "One or more parameter values were invalid: Invalid number of argument(s) "
                       "for the %s ComparisonOperator",
                       rule->name.ptr);
    }
    OD_TRY(check_types(cx, rule, out));
    if (out->op == OD_COMPARE_BETWEEN && od_value_compare(out->values[0], out->values[1]) > 0) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "The BETWEEN condition was provided a range where the lower bound is "
                       "greater than the upper bound");
    }
    return OD_OK;
}

static struct od_operand path_operand(od_arena *arena, od_str name)
{
    struct od_path_step *step = od_new(arena, struct od_path_step);
    step->name = name;
    return (struct od_operand){.kind = OD_OPERAND_PATH, .path = {.steps = step, .count = 1}};
}

static struct od_condition *new_condition(od_arena *arena, enum od_cond_op op)
{
    struct od_condition *condition = od_new(arena, struct od_condition);
    condition->op = op;
    return condition;
}

static const struct od_condition *compare(od_arena *arena, enum od_cond_op op,
                                          const struct od_comparison *c)
{
    struct od_operand *operands = od_new_array(arena, struct od_operand, c->count + 1);
    operands[0] = path_operand(arena, c->name);
    for (size_t i = 0; i < c->count; i++) {
        operands[i + 1] = (struct od_operand){.kind = OD_OPERAND_VALUE, .value = c->values[i]};
    }
    struct od_condition *condition = new_condition(arena, op);
    condition->operands = operands;
    condition->operand_count = c->count + 1;
    return condition;
}

// A missing attribute neither contains a value nor does it not contain it.
static const struct od_condition *not_contains(od_arena *arena, const struct od_comparison *c)
{
    struct od_comparison there = {.name = c->name};
    struct od_condition *negation = new_condition(arena, OD_COND_NOT);
    negation->left = compare(arena, OD_COND_CONTAINS, c);
    struct od_condition *both = new_condition(arena, OD_COND_AND);
    both->left = compare(arena, OD_COND_EXISTS, &there);
    both->right = negation;
    return both;
}

const struct od_condition *od_legacy_condition(od_arena *arena, const struct od_comparison *c)
{
    if (c->op == OD_COMPARE_NOT_CONTAINS) {
        return not_contains(arena, c);
    }
    return compare(arena, rules[c->op].condition, c);
}
