#include "api/params/params.h"

struct choice {
    od_str name;
    enum od_select select;
    const char *in_words; // what a projection is told
};

static const struct choice choices[] = {
    {OD_STR_INIT("ALL_ATTRIBUTES"), OD_SELECT_ALL_ATTRIBUTES, "ALL_ATTRIBUTES"},
    {OD_STR_INIT("ALL_PROJECTED_ATTRIBUTES"), OD_SELECT_ALL_PROJECTED, "ALL_PROJECTED_ATTRIBUTES"},
    {OD_STR_INIT("SPECIFIC_ATTRIBUTES"), OD_SELECT_SPECIFIC, NULL},
    {OD_STR_INIT("COUNT"), OD_SELECT_COUNT, "only the Count"},
};

static const struct choice *find_choice(od_str name)
{
    for (size_t i = 0; i < OD_COUNT(choices); i++) {
        if (od_str_eq(choices[i].name, name)) {
            return &choices[i];
        }
    }
    return NULL;
}

static const char *projecting_parameter(yyjson_val *root)
{
    static const char *const names[] = {"ProjectionExpression", "AttributesToGet"};
    for (size_t i = 0; i < OD_COUNT(names); i++) {
        if (od_wire_member(root, names[i]) != NULL) {
            return names[i];
        }
    }
    return NULL;
}

od_status od_params_select(od_ctx *cx, yyjson_val *root, enum od_select *out)
{
    const char *projecting = projecting_parameter(root);
    const struct choice *choice = find_choice(od_wire_str(root, "Select"));
    if (choice == NULL) {
        *out = projecting == NULL ? OD_SELECT_DEFAULT : OD_SELECT_SPECIFIC;
        return OD_OK;
    }
    if (projecting != NULL && choice->in_words != NULL) {
        return OD_FAIL(cx, OD_VALIDATION, "Cannot specify the %s when choosing to get %s",
                       projecting, choice->in_words);
    }
    if (choice->select == OD_SELECT_ALL_PROJECTED && od_wire_member(root, "IndexName") == NULL) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an "
                       "IndexName");
    }
    if (choice->select == OD_SELECT_SPECIFIC && projecting == NULL) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Must specify the AttributesToGet or ProjectionExpression when choosing to "
                       "get SPECIFIC_ATTRIBUTES");
    }
    *out = choice->select;
    return OD_OK;
}
