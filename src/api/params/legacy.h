// The parameters of before there were expressions, as the trees that expressions become. Attribute
// names in them are literal and top-level. `given` is the parameter, or NULL when it is absent:
// then `out` stays as it is.
#ifndef OD_API_PARAMS_LEGACY_H
#define OD_API_PARAMS_LEGACY_H

#include "api/api_internal.h"

// AttributesToGet
od_status od_legacy_projection(od_ctx *cx, yyjson_val *given, const struct od_projection **out);

// Expected; `request` may hold a ConditionalOperator, which is checked even when Expected is
// absent.
od_status od_legacy_expected(od_ctx *cx, yyjson_val *given, yyjson_val *request,
                             const struct od_condition **out);

// QueryFilter, ScanFilter
od_status od_legacy_filter(od_ctx *cx, yyjson_val *given, yyjson_val *request,
                           const struct od_condition **out);

// KeyConditions
od_status od_legacy_key_condition(od_ctx *cx, yyjson_val *given, yyjson_val *request,
                                  const struct od_key_condition **out);

// AttributeUpdates
od_status od_legacy_update(od_ctx *cx, yyjson_val *given, const struct od_update **out);

// --- Maps
// -----------------------------------------------------------------------------------------

struct od_legacy_entry {
    od_str name;
    yyjson_val *value;
};
// Sorted by name. Of two with one name the later counts, and null counts as absent.
struct od_legacy_entries {
    struct od_legacy_entry *rows;
    size_t count;
};
// The names are checked.
od_status od_legacy_entries(od_ctx *cx, yyjson_val *map, struct od_legacy_entries *out);

// --- Comparisons, which Expected, the filters and KeyConditions share ---------------------------

enum od_comparison_op {
    OD_COMPARE_EQ,
    OD_COMPARE_NE,
    OD_COMPARE_LE,
    OD_COMPARE_LT,
    OD_COMPARE_GE,
    OD_COMPARE_GT,
    OD_COMPARE_CONTAINS,
    OD_COMPARE_NOT_CONTAINS,
    OD_COMPARE_BEGINS_WITH,
    OD_COMPARE_IN,
    OD_COMPARE_BETWEEN,
    OD_COMPARE_NULL,
    OD_COMPARE_NOT_NULL,
};

struct od_comparison {
    od_str name;
    enum od_comparison_op op;
    od_value *values;
    size_t count;
};

// {"ComparisonOperator":..., "AttributeValueList":[...]}, checked: as many values as the operator
// takes, of types that it takes.
od_status od_legacy_comparison(od_ctx *cx, od_str name, yyjson_val *condition,
                               struct od_comparison *out);

// The condition that a comparison stands for.
const struct od_condition *od_legacy_condition(od_arena *arena, const struct od_comparison *c);

#endif
