// Walking a condition over packed bytes. Nothing is allocated.
#include "base/utf8.h"
#include "expr/expr_internal.h"

// A size is made into a packed number here, so that it compares like any other.
struct scratch {
    char number[OD_NUMBER_PACKED_MAX];
};

bool od_value_length(od_value v, uint64_t *out)
{
    switch (od_value_type(v)) {
    case OD_TYPE_S:
        *out = od_utf8_utf16_len(od_value_bytes(v));
        return true;
    case OD_TYPE_B:
        *out = od_value_bytes(v).len;
        return true;
    case OD_TYPE_N:
    case OD_TYPE_BOOL:
    case OD_TYPE_NULL:
        return false;
    default:
        *out = od_value_count(v);
        return true;
    }
}

static od_value size_of(od_value v, struct scratch *scratch)
{
    uint64_t size = 0;
    if (!od_value_exists(v) || !od_value_length(v, &size)) {
        return (od_value){0};
    }
    size_t len = od_number_pack(od_number_from_u64(size), scratch->number);
    return (od_value){scratch->number, len};
}

// No value when the path leads nowhere.
static od_value evaluate(const struct od_operand *operand, od_value map, struct scratch *scratch)
{
    if (operand->kind == OD_OPERAND_VALUE) {
        return operand->value;
    }
    od_value v = od_path_get(map, &operand->path);
    return operand->kind == OD_OPERAND_SIZE ? size_of(v, scratch) : v;
}

static bool is_ordered(enum od_type type)
{
    return type == OD_TYPE_S || type == OD_TYPE_N || type == OD_TYPE_B;
}

// False when either is missing, when they are of two types, or of one without an order.
static bool compare(od_value a, od_value b, int *order)
{
    if (!od_value_exists(a) || !od_value_exists(b)) {
        return false;
    }
    enum od_type type = od_value_type(a);
    if (type != od_value_type(b) || !is_ordered(type)) {
        return false;
    }
    *order = od_value_compare(a, b);
    return true;
}

static bool are_equal(od_value a, od_value b)
{
    return od_value_exists(a) && od_value_exists(b) && od_value_equal(a, b);
}

static bool in_order(enum od_cond_op op, od_value a, od_value b)
{
    int order = 0;
    if (!compare(a, b, &order)) {
        return false;
    }
    switch (op) {
    case OD_COND_LT:
        return order < 0;
    case OD_COND_LE:
        return order <= 0;
    case OD_COND_GT:
        return order > 0;
    default:
        return order >= 0;
    }
}

// An attribute and what is looked for in it: both bytes of one type.
static bool both_bytes(od_value a, od_value b)
{
    enum od_type type = od_value_type(a);
    return type == od_value_type(b) && (type == OD_TYPE_S || type == OD_TYPE_B);
}

static bool begins_with(od_value v, od_value prefix)
{
    return od_value_exists(v) && od_value_exists(prefix) && both_bytes(v, prefix) &&
           od_str_has_prefix(od_value_bytes(v), od_value_bytes(prefix));
}

static bool list_contains(od_value list, od_value element)
{
    for (struct od_iter it = od_iter(list); od_iter_next(&it);) {
        if (od_value_equal(it.value, element)) {
            return true;
        }
    }
    return false;
}

static bool contains(od_value v, od_value part)
{
    if (!od_value_exists(v) || !od_value_exists(part)) {
        return false;
    }
    switch (od_value_type(v)) {
    case OD_TYPE_S:
    case OD_TYPE_B:
        return both_bytes(v, part) && od_str_contains(od_value_bytes(v), od_value_bytes(part));
    case OD_TYPE_SS:
    case OD_TYPE_NS:
    case OD_TYPE_BS:
        return is_ordered(od_value_type(part)) && od_set_contains(v, part);
    case OD_TYPE_L:
        return list_contains(v, part);
    default:
        return false;
    }
}

static bool is_of_type(od_value v, od_value type_name)
{
    enum od_type type = OD_TYPE_S;
    return od_value_exists(v) && od_type_from_name(od_value_bytes(type_name), &type) &&
           od_value_type(v) == type;
}

static bool is_one_of(const struct od_condition *condition, od_value tested, od_value map)
{
    for (size_t i = 1; i < condition->operand_count; i++) {
        struct scratch scratch;
        if (are_equal(tested, evaluate(&condition->operands[i], map, &scratch))) {
            return true;
        }
    }
    return false;
}

static bool is_between(const struct od_condition *condition, od_value tested, od_value map)
{
    struct scratch scratch[2];
    od_value lower = evaluate(&condition->operands[1], map, &scratch[0]);
    od_value upper = evaluate(&condition->operands[2], map, &scratch[1]);
    return in_order(OD_COND_GE, tested, lower) && in_order(OD_COND_LE, tested, upper);
}

static bool match_pair(enum od_cond_op op, od_value a, od_value b)
{
    switch (op) {
    case OD_COND_EQ:
        return are_equal(a, b);
    case OD_COND_NE:
        // A missing attribute is unequal to every value, and to another missing one: DynamoDB's
        // rule, not SQL's.
        return !are_equal(a, b);
    case OD_COND_TYPE:
        return is_of_type(a, b);
    case OD_COND_BEGINS_WITH:
        return begins_with(a, b);
    case OD_COND_CONTAINS:
        return contains(a, b);
    default:
        return in_order(op, a, b);
    }
}

static bool match_leaf(const struct od_condition *condition, od_value map)
{
    struct scratch scratch[2];
    od_value first = evaluate(&condition->operands[0], map, &scratch[0]);
    switch (condition->op) {
    case OD_COND_EXISTS:
        return od_value_exists(first);
    case OD_COND_NOT_EXISTS:
        return !od_value_exists(first);
    case OD_COND_IN:
        return is_one_of(condition, first, map);
    case OD_COND_BETWEEN:
        return is_between(condition, first, map);
    default:
        break;
    }
    od_value second = evaluate(&condition->operands[1], map, &scratch[1]);
    return match_pair(condition->op, first, second);
}

bool od_condition_match(const struct od_condition *condition, od_value map)
{
    // Down the right side of a chain in a loop: it may be long.
    for (;; condition = condition->right) {
        switch (condition->op) {
        case OD_COND_AND:
            if (!od_condition_match(condition->left, map)) {
                return false;
            }
            break;
        case OD_COND_OR:
            if (od_condition_match(condition->left, map)) {
                return true;
            }
            break;
        case OD_COND_NOT:
            return !od_condition_match(condition->left, map);
        default:
            return match_leaf(condition, map);
        }
    }
}

// --- Names --------------------------------------------------------------------------------------

static bool visit_leaf(const struct od_condition *condition, od_name_visitor *visit, void *arg)
{
    for (size_t i = 0; i < condition->operand_count; i++) {
        const struct od_operand *operand = &condition->operands[i];
        if (operand->kind != OD_OPERAND_VALUE && !visit(arg, operand->path.steps[0].name)) {
            return false;
        }
    }
    return true;
}

static bool visit_names(const struct od_condition *condition, od_name_visitor *visit, void *arg)
{
    while (condition->op == OD_COND_AND || condition->op == OD_COND_OR) {
        if (!visit_names(condition->left, visit, arg)) {
            return false;
        }
        condition = condition->right;
    }
    if (condition->op == OD_COND_NOT) {
        return visit_names(condition->left, visit, arg);
    }
    return visit_leaf(condition, visit, arg);
}

void od_condition_names(const struct od_condition *condition, od_name_visitor *visit, void *arg)
{
    (void)visit_names(condition, visit, arg);
}
