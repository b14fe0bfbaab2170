// The parameters that test, change and select attributes.
//
//   expressions   ConditionExpression ... and ExpressionAttributeNames, ExpressionAttributeValues
//   legacy        Expected, AttributeUpdates, AttributesToGet ... of before there were expressions
//
// Both become the same trees, and no request may use both.
#ifndef OD_API_PARAMS_PARAMS_H
#define OD_API_PARAMS_PARAMS_H

#include "api/api_internal.h"

enum { OD_PARAMS_MAX = 3 };

// What an operation takes: a row for each kind of tree, in the order in which they are checked.
struct od_params_row {
    enum od_expr_kind kind;
    const char *expression; // "FilterExpression"
    const char *legacy;     // "QueryFilter"; NULL where there is none, as in transactions
};

struct od_params_spec {
    struct od_params_row rows[OD_PARAMS_MAX];
    size_t count;
    // What ExpressionAttributeValues are told when no expression could use them; NULL when the
    // operation does not take any.
    const char *unusable_values;
};

// What came of them; NULL for what was not given.
struct od_params {
    const struct od_update *update;
    const struct od_condition *condition; // or filter
    const struct od_key_condition *key_condition;
    const struct od_projection *projection;
    bool filter_is_legacy;
    size_t value_bytes; // what ExpressionAttributeValues hold, in DynamoDB's count
};

// `object` is the request, or what it says of one table.
od_status od_params_read(struct od_call *call, yyjson_val *object,
                         const struct od_params_spec *spec, struct od_params *out);

// The fault of parameters of both styles in one request. The lists are "A, B".
od_status od_params_mixed(od_ctx *cx, od_str legacy, od_str expressions);

// The Select of a Query or Scan, held against what else it asks for. The faults are not enveloped.
od_status od_params_select(od_ctx *cx, yyjson_val *root, enum od_select *out);

#endif
