// The quick way through a request, which most go: one walk in the order of the text. A wrong type
// ends it at once; of constraints it only learns whether any is broken.
#include "wire/wire_internal.h"

#include "base/base64.h"

#include <stdlib.h>

struct walk {
    od_ctx *cx;
    bool broken;
};

static od_status check(struct walk *walk, const struct od_shape *shape, yyjson_val *json);

static bool breaks_bounds(const struct od_shape *shape, int64_t n)
{
    return od_shape_breaks_min(shape, n) || od_shape_breaks_max(shape, n);
}

static od_status check_list(struct walk *walk, const struct od_shape *shape, yyjson_val *json)
{
    walk->broken |= breaks_bounds(shape, (int64_t)yyjson_arr_size(json));
    size_t at = 0;
    size_t count = 0;
    yyjson_val *value = NULL;
    yyjson_arr_foreach(json, at, count, value)
    {
        if (unsafe_yyjson_is_null(value)) {
            walk->broken |= shape->constrained;
            continue;
        }
        OD_TRY(check(walk, shape->of, value));
    }
    return OD_OK;
}

static od_status check_map(struct walk *walk, const struct od_shape *shape, yyjson_val *json)
{
    walk->broken |= breaks_bounds(shape, (int64_t)yyjson_obj_size(json));
    size_t at = 0;
    size_t count = 0;
    yyjson_val *key = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(json, at, count, key, value)
    {
        walk->broken |=
            shape->keys != NULL && od_shape_breaks_string(shape->keys, od_wire_text(key));
        if (unsafe_yyjson_is_null(value)) {
            walk->broken |= shape->constrained;
            continue;
        }
        OD_TRY(check(walk, shape->of, value));
    }
    return OD_OK;
}

static od_status check_structure(struct walk *walk, const struct od_shape *shape, yyjson_val *json)
{
    uint32_t present = 0;
    size_t at = 0;
    size_t count = 0;
    yyjson_val *key = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(json, at, count, key, value)
    {
        const struct od_shape_member *member = od_shape_find(shape, od_wire_text(key));
        if (member == NULL) {
            continue;
        }
        uint32_t bit = (uint32_t)1 << (member - shape->members);
        if (unsafe_yyjson_is_null(value)) {
            present &= ~bit;
            continue;
        }
        present |= bit;
        OD_TRY(check(walk, member->shape, value));
    }
    walk->broken |= (shape->required & ~present) != 0;
    return OD_OK;
}

// Recursion ends with the JSON's depth, which od_wire_parse bounds.
static od_status check(struct walk *walk, const struct od_shape *shape, yyjson_val *json)
{
    if (!od_shape_has_type(shape, json)) {
        return od_shape_fail_type(walk->cx, shape, json);
    }
    switch (shape->kind) {
    case OD_SHAPE_STRING:
        walk->broken |= shape->constrained && od_shape_breaks_string(shape, od_wire_text(json));
        return OD_OK;
    case OD_SHAPE_ENUM:
        walk->broken |= od_shape_breaks_enum(shape, od_wire_text(json));
        return OD_OK;
    case OD_SHAPE_INTEGER:
    case OD_SHAPE_LONG:
        walk->broken |= shape->constrained && breaks_bounds(shape, od_shape_int(json));
        return OD_OK;
    case OD_SHAPE_BOOLEAN:
        return OD_OK;
    case OD_SHAPE_BLOB:
        return od_base64_valid(od_wire_text(json)) ? OD_OK : od_shape_fail_base64(walk->cx);
    case OD_SHAPE_LIST:
        return check_list(walk, shape, json);
    case OD_SHAPE_MAP:
        return check_map(walk, shape, json);
    case OD_SHAPE_STRUCTURE:
        return check_structure(walk, shape, json);
    }
    abort();
}

od_status od_shape_check(od_ctx *cx, const struct od_shape *shape, yyjson_val *root)
{
    struct walk walk = {.cx = cx};
    OD_TRY(check_structure(&walk, shape, root));
    return walk.broken ? od_shape_report(cx, shape, root) : OD_OK;
}

static int compare_operation(const void *name, const void *row)
{
    const od_str *operation = name;
    const struct od_shape_input *input = row;
    return od_str_compare(*operation, input->operation);
}

const struct od_shape *od_shape_of_input(od_str operation)
{
    const struct od_shape_input *found = bsearch(&operation, od_shape_inputs, od_shape_input_count,
                                                 sizeof(od_shape_inputs[0]), compare_operation);
    return found == NULL ? NULL : found->shape;
}
