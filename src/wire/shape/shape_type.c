// Wrong JSON types, in DynamoDB's words.
#include "wire/wire_internal.h"

// What messages call a scalar. NULL: a list, a map or a structure.
static const char *const scalar_names[] = {
    [OD_SHAPE_STRING] = "String",   [OD_SHAPE_ENUM] = "String", [OD_SHAPE_INTEGER] = "Integer",
    [OD_SHAPE_LONG] = "Long",       [OD_SHAPE_BLOB] = "String", // as which it is written
    [OD_SHAPE_BOOLEAN] = "Boolean", [OD_SHAPE_LIST] = NULL,     [OD_SHAPE_MAP] = NULL,
    [OD_SHAPE_STRUCTURE] = NULL,
};

static const char *token_of(yyjson_val *scalar)
{
    if (yyjson_is_str(scalar)) {
        return "STRING_VALUE";
    }
    if (yyjson_is_num(scalar)) {
        return "NUMBER_VALUE";
    }
    return yyjson_is_true(scalar) ? "TRUE_VALUE" : "FALSE_VALUE";
}

static od_status fail_list(od_ctx *cx, const char *scalar)
{
    if (scalar == NULL) {
        return OD_FAIL(cx, OD_SERIALIZATION, "Start of list found where not expected");
    }
    return OD_FAIL(cx, OD_SERIALIZATION, "Unrecognized collection type class java.lang.%s", scalar);
}

od_status od_shape_fail_type(od_ctx *cx, const struct od_shape *shape, yyjson_val *json)
{
    const char *scalar = scalar_names[shape->kind];
    if (yyjson_is_arr(json)) {
        return fail_list(cx, scalar);
    }
    if (yyjson_is_obj(json)) {
        return OD_FAIL(cx, OD_SERIALIZATION, "Start of structure or map found where not expected");
    }
    if (scalar != NULL) {
        return OD_FAIL(cx, OD_SERIALIZATION, "%s cannot be converted to %s", token_of(json),
                       scalar);
    }
    return OD_FAIL(cx, OD_SERIALIZATION, "%s",
                   shape->kind == OD_SHAPE_LIST ? "Unexpected field type"
                                                : "Unexpected value type in payload");
}

od_status od_shape_fail_base64(od_ctx *cx)
{
    return OD_FAIL(cx, OD_SERIALIZATION, "Invalid Base64 text");
}
