// Wrong JSON types, in DynamoDB's words.
#include "wire/wire_internal.h"

#include "base/buf.h"

#include <string.h>

#define JAVA_PACKAGE "com.amazonaws.dynamodb.v20120810."

struct kind_row {
    yyjson_type json;
    const char *java; // NULL: made from what is in it
};

static const struct kind_row kinds[] = {
    [OD_SHAPE_STRING] = {YYJSON_TYPE_STR, "java.lang.String"},
    [OD_SHAPE_ENUM] = {YYJSON_TYPE_STR, "java.lang.String"},
    [OD_SHAPE_INTEGER] = {YYJSON_TYPE_NUM, "java.lang.Integer"},
    [OD_SHAPE_LONG] = {YYJSON_TYPE_NUM, "java.lang.Long"},
    [OD_SHAPE_BOOLEAN] = {YYJSON_TYPE_BOOL, "java.lang.Boolean"},
    [OD_SHAPE_BLOB] = {YYJSON_TYPE_STR, "java.nio.ByteBuffer"},
    [OD_SHAPE_LIST] = {YYJSON_TYPE_ARR, NULL},
    [OD_SHAPE_MAP] = {YYJSON_TYPE_OBJ, NULL},
    [OD_SHAPE_STRUCTURE] = {YYJSON_TYPE_OBJ, NULL},
};

bool od_shape_has_type(const struct od_shape *shape, yyjson_val *json)
{
    return yyjson_get_type(json) == kinds[shape->kind].json;
}

static void put_java_type(struct od_buf *out, const struct od_shape *shape)
{
    const char *generic =
        shape->kind == OD_SHAPE_MAP ? "java.util.Map<java.lang.String, " : "java.util.List<";
    if (kinds[shape->kind].java != NULL) {
        od_buf_put(out, od_cstr(kinds[shape->kind].java));
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
    const char *java = kinds[shape->kind].java + sizeof("java.lang.") - 1;
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
    if (kinds[shape->kind].java != NULL) {
        return fail_scalar(cx, shape, json);
    }
    return OD_FAIL(cx, OD_SERIALIZATION, "%s",
                   in_structure ? "Unexpected field type" : "Unexpected value type in payload");
}

// --- Base64 -------------------------------------------------------------------------------------

// What may stand before that much padding: its unused bits are zero.
static const char *const last_characters[] = {NULL, "AEIMQUYcgkosw048", "AQgw"};

static bool is_base64(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/';
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
    for (size_t i = 0; i < digits.len; i++) {
        if (!is_base64(digits.ptr[i])) {
            return fail_character(cx, od_str_skip(digits, i));
        }
    }
    if (pad > 0 && strchr(last_characters[pad], digits.ptr[digits.len - 1]) == NULL) {
        return fail_last_character(cx);
    }
    return OD_OK;
}
