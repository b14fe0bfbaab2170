// KeyConditions.
#include "api/params/legacy.h"

enum { MAX_TABLE_CONDITIONS = 2 };

static bool find_key_op(enum od_comparison_op op, enum od_key_op *out)
{
    static const struct {
        enum od_comparison_op comparison;
        enum od_key_op key;
    } rows[] = {
        {OD_COMPARE_EQ, OD_KEY_EQ},
        {OD_COMPARE_LT, OD_KEY_LT},
        {OD_COMPARE_LE, OD_KEY_LE},
        {OD_COMPARE_GT, OD_KEY_GT},
        {OD_COMPARE_GE, OD_KEY_GE},
        {OD_COMPARE_BETWEEN, OD_KEY_BETWEEN},
        {OD_COMPARE_BEGINS_WITH, OD_KEY_BEGINS_WITH},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        if (rows[i].comparison == op) {
            *out = rows[i].key;
            return true;
        }
    }
    return false;
}

static od_status read_term(od_ctx *cx, od_str name, yyjson_val *entry, struct od_key_term *out)
{
    struct od_comparison comparison = {0};
    OD_TRY(od_legacy_comparison(cx, name, entry, &comparison));
    out->name = name;
    if (!find_key_op(comparison.op, &out->op)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Attempted conditional constraint is not an indexable operation");
    }
    out->value = comparison.values[0];
    if (out->op == OD_KEY_BETWEEN) {
        out->upper = comparison.values[1];
    }
    return OD_OK;
}

// Only an index can have more than two key attributes.
static size_t max_terms(yyjson_val *request)
{
    return od_wire_member(request, "IndexName") == NULL ? (size_t)MAX_TABLE_CONDITIONS
                                                        : (size_t)OD_KEY_MAX_ATTRS;
}

od_status od_legacy_key_condition(od_ctx *cx, yyjson_val *given, yyjson_val *request,
                                  const struct od_key_condition **out)
{
    if (given == NULL) {
        return OD_OK;
    }
    struct od_legacy_entries entries = {0};
    OD_TRY(od_legacy_entries(cx, given, &entries));
    if (entries.count == 0 || entries.count > max_terms(request)) {
        return OD_FAIL(cx, OD_VALIDATION, "Conditions can be of length 1 or 2 only");
    }
    struct od_key_term *terms = od_new_array(cx->arena, struct od_key_term, entries.count);
    for (size_t i = 0; i < entries.count; i++) {
        OD_TRY(read_term(cx, entries.rows[i].name, entries.rows[i].value, &terms[i]));
    }
    struct od_key_condition *condition = od_new(cx->arena, struct od_key_condition);
    *condition = (struct od_key_condition){.terms = terms, .count = entries.count};
    *out = condition;
    return OD_OK;
}
