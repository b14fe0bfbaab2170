// Wrong JSON types, in DynamoDB's words.
#include "wire/wire_internal.h"

#include "base/buf.h"

#include <string.h>

#define JAVA_PACKAGE "com.amazonaws.dynamodb.v20120810."

// NULL: named after what is in it.
static const char *const java_types[] = {
    [OD_SHAPE_STRING] = "java.lang.String",
    [OD_SHAPE_ENUM] = "java.lang.String",
    [OD_SHAPE_INTEGER] = "java.lang.Integer",
    [OD_SHAPE_LONG] = "java.lang.Long",
    [OD_SHAPE_BOOLEAN] = "java.lang.Boolean",
    [OD_SHAPE_BLOB] = "java.nio.ByteBuffer",
    [OD_SHAPE_LIST] = NULL,
    [OD_SHAPE_MAP] = NULL,
    [OD_SHAPE_STRUCTURE] = NULL,
};

static void put_java_type(struct od_buf *out, const struct od_shape *shape)
{
    const char *generic =
        shape->kind == OD_SHAPE_MAP ? "java.util.Map<java.lang.String, " : "java.util.List<";
    if (java_types[shape->kind] != NULL) {
        od_buf_put(out, od_cstr(java_types[shape->kind]));
    } else if (shape->kind == OD_SHAPE_STRUCTURE) {
        od_buf_put(out, OD_STR(JAVA_PACKAGE));
        od_buf_put(out, shape->name);
    } else {
        od_buf_put(out, od_cstr(generic));
        put_java_type(out,
                      shape->of); // no shape's lists and maps hold themselves but by a structure
        od_buf_put_byte(out, '>');
    }
}

static od_status fail_list(od_ctx *cx, const struct od_shape *shape)
{
    struct od_buf java = {.arena = cx->arena};
    put_java_type(&java, shape);
    bool is_class = shape->kind != OD_SHAPE_MAP && shape->kind != OD_SHAPE_LIST;
    return OD_FAIL(cx, OD_SERIALIZATION, "Unrecognized collection type %s%.*s",
                   is_class ? "class " : "", OD_STR_ARG(od_buf_str(&java)));
}

static const char *scalar_name(yyjson_val *json)
{
    if (yyjson_is_str(json)) {
        return "STRING_VALUE";
    }
    if (yyjson_is_real(json)) {
        return "DECIMAL_VALUE";
    }
    if (yyjson_is_num(json)) {
        return "NUMBER_VALUE";
    }
    return yyjson_is_true(json) ? "TRUE_VALUE" : "FALSE_VALUE";
}

static od_status fail_scalar(od_ctx *cx, const struct od_shape *shape, yyjson_val *json)
{
    if (shape->kind == OD_SHAPE_BLOB) {
        return OD_FAIL(cx, OD_SERIALIZATION,
                       "only base-64-encoded strings are convertible to bytes");
    }
    if (shape->kind == OD_SHAPE_BOOLEAN && yyjson_is_str(json)) {
        return OD_FAIL(cx, OD_SERIALIZATION, "Unexpected token received from parser");
    }
    const char *java = java_types[shape->kind] + sizeof("java.lang.") - 1;
    return OD_FAIL(cx, OD_SERIALIZATION, "%s cannot be converted to %s", scalar_name(json), java);
}

od_status od_shape_fail_type(od_ctx *cx, const struct od_shape *shape, yyjson_val *json,
                             bool in_structure)
{
    if (yyjson_is_arr(json)) {
        return fail_list(cx, shape);
    }
    if (yyjson_is_obj(json)) {
        return OD_FAIL(cx, OD_SERIALIZATION, "Start of structure or map found where not expected");
    }
    if (java_types[shape->kind] != NULL) {
        return fail_scalar(cx, shape, json);
    }
    return OD_FAIL(cx, OD_SERIALIZATION, "%s",
                   in_structure ? "Unexpected field type" : "Unexpected value type in payload");
}

// --- Base64 -------------------------------------------------------------------------------------

// What may stand before that much padding: its unused bits are zero.
static const char *const last_characters[] = {NULL, "AEIMQUYcgkosw048", "AQgw"};

static const bool is_base64[256] = {
    ['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['0' ... '9'] = true, ['+'] = true, ['/'] = true,
};

// How many characters at the front are base64's.
static size_t base64_len(od_str text)
{
    size_t len = 0;
    while (len < text.len && is_base64[(unsigned char)text.ptr[len]]) {
        len++;
    }
    return len;
}

static size_t padding_of(od_str text)
{
    size_t pad = 0;
    while (pad < 2 && pad < text.len && text.ptr[text.len - 1 - pad] == '=') {
        pad++;
    }
    return pad;
}

static od_status fail_last_character(od_ctx *cx)
{
    return OD_FAIL(cx, OD_SERIALIZATION, "Invalid last non-pad Base64 character dectected");
}

static od_status fail_character(od_ctx *cx, od_str rest)
{
    if (rest.ptr[0] == '=') {
        return fail_last_character(cx);
    }
    size_t len = 1;
    while (len < rest.len && ((unsigned char)rest.ptr[len] & 0xC0) == 0x80) {
        len++; // the whole character, as the message is UTF-8
    }
    return OD_FAIL(cx, OD_SERIALIZATION, "Invalid Base64 character: '%.*s'", (int)len, rest.ptr);
}

od_status od_shape_check_base64(od_ctx *cx, od_str text)
{
    if (text.len % 4 != 0) {
        return OD_FAIL(cx, OD_SERIALIZATION,
                       "Base64 encoded length is expected a multiple of 4 bytes but found: %zu",
                       text.len);
    }
    size_t pad = padding_of(text);
    od_str digits = {text.ptr, text.len - pad};
    size_t good = base64_len(digits);
    if (good < digits.len) {
        return fail_character(cx, od_str_skip(digits, good));
    }
    if (pad > 0 && strchr(last_characters[pad], digits.ptr[digits.len - 1]) == NULL) {
        return fail_last_character(cx);
    }
    return OD_OK;
}
