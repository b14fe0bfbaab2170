// Members that many operations read alike.
#include "api/api_internal.h"

enum od_capacity_mode od_api_capacity_mode(yyjson_val *root)
{
    if (od_api_says(root, "ReturnConsumedCapacity", OD_STR("TOTAL"))) {
        return OD_CAPACITY_TOTAL;
    }
    if (od_api_says(root, "ReturnConsumedCapacity", OD_STR("INDEXES"))) {
        return OD_CAPACITY_INDEXES;
    }
    return OD_CAPACITY_NONE;
}

od_status od_api_map(od_ctx *cx, yyjson_val *object, const char *name, od_value *out)
{
    *out = (od_value){0};
    yyjson_val *map = od_wire_member(object, name);
    return map == NULL ? OD_OK : od_wire_map(cx, map, out);
}

// Lists of a body can hold millions of small values, so each begins with little room.
od_status od_api_value(od_ctx *cx, yyjson_val *json, od_value *out)
{
    enum { SMALL = 32 };
    struct od_buf buf = {.arena = cx->arena, .ptr = od_arena_bytes(cx->arena, SMALL), .cap = SMALL};
    OD_TRY(od_wire_value(cx, json, &buf));
    *out = od_packed(&buf);
    return OD_OK;
}

static od_status check_key_value(od_ctx *cx, od_str name, od_value v)
{
    enum od_type type = od_value_type(v);
    bool is_bytes = type == OD_TYPE_S || type == OD_TYPE_B;
    if (!is_bytes || od_value_bytes(v).len > 0) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   "One or more parameter values are not valid. The AttributeValue for a key "
                   "attribute cannot contain an empty %s value. Key: %.*s",
                   type == OD_TYPE_S ? "string" : "binary", OD_STR_ARG(name));
}

od_status od_api_check_key(od_ctx *cx, od_value key)
{
    for (struct od_iter it = od_iter(key); od_iter_next(&it);) {
        OD_TRY(check_key_value(cx, it.name, it.value));
    }
    return OD_OK;
}

bool od_api_says(yyjson_val *object, const char *name, od_str text)
{
    return od_str_eq(od_wire_str(object, name), text);
}

od_str od_api_number_text(yyjson_val *map, od_str name)
{
    return od_wire_str(od_wire_find(map, name), "N");
}

od_str od_api_table_name(od_str name_or_arn)
{
    od_str name = name_or_arn;
    if (!od_str_has_prefix(name, OD_STR("arn:"))) {
        return name;
    }
    for (size_t i = name.len; i > 0; i--) {
        if (name.ptr[i - 1] == '/') {
            return od_str_skip(name, i);
        }
    }
    return name;
}

od_status od_api_check_tables(od_ctx *cx, const od_str *tables, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        od_str name = od_api_table_name(tables[i]);
        for (size_t j = 0; j < i; j++) {
            if (od_str_eq(name, od_api_table_name(tables[j]))) {
                return OD_FAIL(
                    cx, OD_VALIDATION,
                    "One or more parameter values were invalid: RequestItems names table "
                    "%.*s more than once",
                    OD_STR_ARG(name));
            }
        }
    }
    return OD_OK;
}
