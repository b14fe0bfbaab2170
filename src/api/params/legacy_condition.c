// Expected, QueryFilter and ScanFilter: a comparison for each attribute, joined by AND or by OR.
#include "api/params/legacy.h"

// As many as an expression can hold: each is looked at for every item that is read.
enum { MAX_CONDITIONS = 300 };

// Reads one entry of the map.
typedef od_status entry_reader(od_ctx *cx, od_str name, yyjson_val *entry,
                               const struct od_condition **out);

// A balanced tree, so that no number of entries makes it deep.
static const struct od_condition *join(od_arena *arena, enum od_cond_op op,
                                       const struct od_condition **conditions, size_t count)
{
    if (count == 1) {
        return conditions[0];
    }
    size_t half = count / 2;
    struct od_condition *joined = od_new(arena, struct od_condition);
    joined->op = op;
    joined->left = join(arena, op, conditions, half);
    joined->right = join(arena, op, conditions + half, count - half);
    return joined;
}

static od_status check_operator(od_ctx *cx, yyjson_val *given, size_t count, yyjson_val *request)
{
    if (od_wire_member(request, "ConditionalOperator") == NULL) {
        return OD_OK;
    }
    if (given == NULL) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "ConditionalOperator cannot be used without Filter or Expected");
    }
    if (count < 2) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "ConditionalOperator can only be used when Filter or Expected has two or "
                       "more elements");
    }
    return OD_OK;
}

static od_status read_conditions(od_ctx *cx, yyjson_val *given, yyjson_val *request,
                                 entry_reader *read_entry, const struct od_condition **out)
{
    struct od_legacy_entries entries = {0};
    OD_TRY(od_legacy_entries(cx, given, &entries));
    OD_TRY(check_operator(cx, given, entries.count, request));
    if (entries.count > MAX_CONDITIONS) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "One or more parameter values were invalid: there may be at most %d "
                       "conditions, and %zu are given",
                       MAX_CONDITIONS, entries.count);
    }
    if (entries.count == 0) {
        return OD_OK;
    }
    const struct od_condition **conditions =
        od_new_array(cx->arena, const struct od_condition *, entries.count);
    for (size_t i = 0; i < entries.count; i++) {
        OD_TRY(read_entry(cx, entries.rows[i].name, entries.rows[i].value, &conditions[i]));
    }
    bool any = od_api_says(request, "ConditionalOperator", OD_STR("OR"));
    *out = join(cx->arena, any ? OD_COND_OR : OD_COND_AND, conditions, entries.count);
    return OD_OK;
}

static od_status read_filter_entry(od_ctx *cx, od_str name, yyjson_val *entry,
                                   const struct od_condition **out)
{
    struct od_comparison comparison = {0};
    OD_TRY(od_legacy_comparison(cx, name, entry, &comparison));
    *out = od_legacy_condition(cx->arena, &comparison);
    return OD_OK;
}

od_status od_legacy_filter(od_ctx *cx, yyjson_val *given, yyjson_val *request,
                           const struct od_condition **out)
{
    return read_conditions(cx, given, request, read_filter_entry, out);
}

// --- Expected -----------------------------------------------------------------------------------

#define ENTRY_FAULT(cx, name, words, ...)                                               \
    OD_FAIL((cx), OD_VALIDATION,                                                        \
            "One or more parameter values were invalid: " words " for Attribute: %.*s", \
            ##__VA_ARGS__, OD_STR_ARG(name))

static od_status read_compared_entry(od_ctx *cx, od_str name, yyjson_val *entry,
                                     const struct od_condition **out)
{
    if (od_wire_member(entry, "Value") != NULL || od_wire_member(entry, "Exists") != NULL) {
        return ENTRY_FAULT(cx, name, "Value or Exists cannot be used with ComparisonOperator");
    }
    return read_filter_entry(cx, name, entry, out);
}

// {"Value": v}, {"Exists": true, "Value": v} or {"Exists": false}
static od_status read_plain_entry(od_ctx *cx, od_str name, yyjson_val *entry,
                                  const struct od_condition **out)
{
    yyjson_val *json = od_wire_member(entry, "Value");
    bool says_exists = od_wire_member(entry, "Exists") != NULL;
    bool exists = od_wire_bool(entry, "Exists", true);
    if (exists && json == NULL) {
        return ENTRY_FAULT(cx, name, "Value must be provided when Exists is %s",
                           says_exists ? "true" : "null");
    }
    if (!exists && json != NULL) {
        return ENTRY_FAULT(cx, name, "Value cannot be used when Exists is false");
    }
    od_value value = {0};
    struct od_comparison comparison = {.name = name, .op = OD_COMPARE_NULL};
    if (exists) {
        OD_TRY(od_api_value(cx, json, &value));
        comparison.op = OD_COMPARE_EQ;
        comparison.values = &value;
        comparison.count = 1;
    }
    *out = od_legacy_condition(cx->arena, &comparison);
    return OD_OK;
}

static od_status read_expected_entry(od_ctx *cx, od_str name, yyjson_val *entry,
                                     const struct od_condition **out)
{
    if (od_wire_member(entry, "ComparisonOperator") != NULL) {
        return read_compared_entry(cx, name, entry, out);
    }
    if (od_wire_member(entry, "AttributeValueList") != NULL) {
        return ENTRY_FAULT(cx, name,
                           "AttributeValueList can only be used with a ComparisonOperator");
    }
    return read_plain_entry(cx, name, entry, out);
}

od_status od_legacy_expected(od_ctx *cx, yyjson_val *given, yyjson_val *request,
                             const struct od_condition **out)
{
    return read_conditions(cx, given, request, read_expected_entry, out);
}
