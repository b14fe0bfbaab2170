#include "wire/wire.h"

#include "base/base64.h"

#include <stdlib.h>

static void put_number(struct od_buf *out, od_value v)
{
    char *at = od_buf_reserve(out, OD_NUMBER_TEXT_MAX + 2);
    size_t len = od_number_packed_text((od_str){v.ptr, v.len}, at + 1);
    at[0] = '"';
    at[len + 1] = '"';
    out->len += len + 2;
}

static void put_binary(struct od_buf *out, od_value v)
{
    od_buf_put_byte(out, '"');
    od_base64_encode(out, od_value_bytes(v));
    od_buf_put_byte(out, '"');
}

static void put_bool(struct od_buf *out, od_value v)
{
    od_buf_put(out, od_value_bool(v) ? OD_STR("true") : OD_STR("false"));
}

// What stands behind the type's name.
static void put_bare(struct od_buf *out, enum od_type type, od_value v);

// A set's member, which stands there without its type.
static void put_member(struct od_buf *out, od_value v)
{
    put_bare(out, od_value_type(v), v);
}

static void put_members(struct od_buf *out, od_value v, void (*put)(struct od_buf *out, od_value v))
{
    unsigned char before = '[';
    for (struct od_iter it = od_iter(v); od_iter_next(&it);) {
        od_buf_put_byte(out, before);
        put(out, it.value);
        before = ',';
    }
    if (before == '[') {
        od_buf_put_byte(out, '[');
    }
    od_buf_put_byte(out, ']');
}

static void put_bare(struct od_buf *out, enum od_type type, od_value v)
{
    switch (type) {
    case OD_TYPE_S:
        od_json_str(out, od_value_bytes(v));
        return;
    case OD_TYPE_N:
        put_number(out, v);
        return;
    case OD_TYPE_B:
        put_binary(out, v);
        return;
    case OD_TYPE_BOOL:
        put_bool(out, v);
        return;
    case OD_TYPE_NULL:
        od_buf_put(out, OD_STR("true"));
        return;
    case OD_TYPE_SS:
    case OD_TYPE_NS:
    case OD_TYPE_BS:
        put_members(out, v, put_member);
        return;
    case OD_TYPE_L:
        put_members(out, v, od_json_value);
        return;
    case OD_TYPE_M:
        od_json_map(out, v);
        return;
    }
    abort();
}

void od_json_value(struct od_buf *out, od_value v)
{
    static const od_str heads[OD_TYPE_COUNT] = {
        [OD_TYPE_S] = OD_STR_INIT("{\"S\":"),       [OD_TYPE_N] = OD_STR_INIT("{\"N\":"),
        [OD_TYPE_B] = OD_STR_INIT("{\"B\":"),       [OD_TYPE_BOOL] = OD_STR_INIT("{\"BOOL\":"),
        [OD_TYPE_NULL] = OD_STR_INIT("{\"NULL\":"), [OD_TYPE_SS] = OD_STR_INIT("{\"SS\":"),
        [OD_TYPE_NS] = OD_STR_INIT("{\"NS\":"),     [OD_TYPE_BS] = OD_STR_INIT("{\"BS\":"),
        [OD_TYPE_L] = OD_STR_INIT("{\"L\":"),       [OD_TYPE_M] = OD_STR_INIT("{\"M\":"),
    };
    enum od_type type = od_value_type(v);
    od_buf_put(out, heads[type]);
    put_bare(out, type, v);
    od_buf_put_byte(out, '}');
}

void od_json_map(struct od_buf *out, od_value map)
{
    unsigned char before = '{';
    for (struct od_iter it = od_iter(map); od_iter_next(&it);) {
        od_buf_put_byte(out, before);
        od_json_str(out, it.name);
        od_buf_put_byte(out, ':');
        od_json_value(out, it.value);
        before = ',';
    }
    if (before == '{') {
        od_buf_put_byte(out, '{');
    }
    od_buf_put_byte(out, '}');
}
