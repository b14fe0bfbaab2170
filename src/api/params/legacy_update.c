// AttributeUpdates and AttributesToGet.
#include "api/params/legacy.h"

#include <stdlib.h>

// --- AttributeUpdates ---------------------------------------------------------------------------

enum {
    SETS = 1 << OD_TYPE_SS | 1 << OD_TYPE_NS | 1 << OD_TYPE_BS,
    // A list takes the members of a list: undocumented, and so in DynamoDB.
    ADDABLE = SETS | 1 << OD_TYPE_N | 1 << OD_TYPE_L,
};

static od_status check_type(od_ctx *cx, const char *words, unsigned types, od_value v)
{
    enum od_type type = od_value_type(v);
    if ((types & (1U << type)) != 0) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   "One or more parameter values were invalid: %s is not supported for the type %s",
                   words, od_type_name(type));
}

static od_status read_valued_row(od_ctx *cx, od_str action, yyjson_val *json,
                                 struct od_update_row *out)
{
    OD_TRY(od_api_value(cx, json, &out->value));
    if (od_str_eq(action, OD_STR("ADD"))) {
        out->action = OD_UPDATE_ADD;
        return check_type(cx, "ADD action", ADDABLE, out->value);
    }
    if (od_str_eq(action, OD_STR("DELETE"))) {
        out->action = OD_UPDATE_DELETE;
        return check_type(cx, "DELETE action with value", SETS, out->value);
    }
    out->action = OD_UPDATE_SET;
    return OD_OK;
}

static od_status read_row(od_ctx *cx, od_str name, yyjson_val *entry, struct od_update_row *out)
{
    od_str action = od_wire_str(entry, "Action");
    yyjson_val *json = od_wire_member(entry, "Value");
    out->name = name;
    if (json != NULL) {
        return read_valued_row(cx, action, json, out);
    }
    if (!od_str_eq(action, OD_STR("DELETE"))) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "One or more parameter values were invalid: Only DELETE action is allowed "
                       "when no attribute value is specified");
    }
    out->action = OD_UPDATE_REMOVE;
    return OD_OK;
}

od_status od_legacy_update(od_ctx *cx, yyjson_val *given, const struct od_update **out)
{
    struct od_legacy_entries entries = {0};
    OD_TRY(od_legacy_entries(cx, given, &entries));
    if (entries.count == 0) {
        return OD_OK;
    }
    struct od_update_row *rows = od_new_array(cx->arena, struct od_update_row, entries.count);
    for (size_t i = 0; i < entries.count; i++) {
        OD_TRY(read_row(cx, entries.rows[i].name, entries.rows[i].value, &rows[i]));
    }
    *out = od_update_from_rows(cx->arena, rows, entries.count);
    return OD_OK;
}

// --- AttributesToGet ----------------------------------------------------------------------------

static int compare_names(const void *a, const void *b)
{
    return od_str_compare(*(const od_str *)a, *(const od_str *)b);
}

static od_status check_names(od_ctx *cx, const od_str *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        OD_TRY(od_wire_check_name(cx, names[i]));
        if (i > 0 && od_str_eq(names[i - 1], names[i])) {
            return OD_FAIL(cx, OD_VALIDATION,
                           "One or more parameter values were invalid: Duplicate value in "
                           "attribute name: %.*s",
                           OD_STR_ARG(names[i]));
        }
    }
    return OD_OK;
}

static od_str *sorted_names(od_arena *arena, yyjson_val *given, size_t count)
{
    od_str *names = od_new_array(arena, od_str, count);
    size_t at = 0;
    size_t max = 0;
    yyjson_val *name = NULL;
    yyjson_arr_foreach(given, at, max, name)
    {
        names[at] = (od_str){yyjson_get_str(name), yyjson_get_len(name)};
    }
    qsort(names, count, sizeof(*names), compare_names);
    return names;
}

static const struct od_path *paths_of(od_arena *arena, const od_str *names, size_t count)
{
    struct od_path *paths = od_new_array(arena, struct od_path, count);
    struct od_path_step *steps = od_new_array(arena, struct od_path_step, count);
    for (size_t i = 0; i < count; i++) {
        steps[i].name = names[i];
        paths[i] = (struct od_path){.steps = &steps[i], .count = 1};
    }
    return paths;
}

od_status od_legacy_projection(od_ctx *cx, yyjson_val *given, const struct od_projection **out)
{
    size_t count = yyjson_arr_size(given);
    if (count == 0) {
        return OD_OK;
    }
    const od_str *names = sorted_names(cx->arena, given, count);
    OD_TRY(check_names(cx, names, count));
    struct od_projection *projection = od_new(cx->arena, struct od_projection);
    *projection = (struct od_projection){
        .paths = paths_of(cx->arena, names, count),
        .count = count,
        .is_sorted = true,
    };
    *out = projection;
    return OD_OK;
}
