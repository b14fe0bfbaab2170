#include "wire/wire_internal.h"

// What a fault repeats of the request is cut here, so that an answer cannot be made as long as a
// request.
enum { ECHO_MAX_BYTES = 64 * 1024 };

struct echo {
    struct od_buf *out;
    size_t end; // of `out`, where it is full
};

static void echo_value(struct echo *echo, const struct od_shape *shape, yyjson_val *json);

static bool is_full(const struct echo *echo)
{
    return echo->out->len >= echo->end;
}

static void echo_text(struct echo *echo, od_str text)
{
    size_t room = is_full(echo) ? 0 : echo->end - echo->out->len;
    od_buf_put(echo->out, od_wire_cut(text, room));
}

static void echo_list(struct echo *echo, const struct od_shape *shape, yyjson_val *json)
{
    od_buf_put_byte(echo->out, '[');
    size_t at = 0;
    size_t count = 0;
    yyjson_val *value = NULL;
    yyjson_arr_foreach(json, at, count, value)
    {
        if (is_full(echo)) {
            break;
        }
        echo_text(echo, at > 0 ? OD_STR(", ") : OD_STR(""));
        echo_value(echo, shape->of, value);
    }
    od_buf_put_byte(echo->out, ']');
}

static void echo_map(struct echo *echo, const struct od_shape *shape, yyjson_val *json)
{
    od_buf_put_byte(echo->out, '{');
    size_t at = 0;
    size_t count = 0;
    yyjson_val *key = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(json, at, count, key, value)
    {
        if (is_full(echo)) {
            break;
        }
        echo_text(echo, at > 0 ? OD_STR(", ") : OD_STR(""));
        echo_text(echo, od_wire_text(key));
        od_buf_put_byte(echo->out, '=');
        echo_value(echo, shape->of, value);
    }
    od_buf_put_byte(echo->out, '}');
}

// All members, as null when absent; but of a value only what it holds.
static void echo_structure(struct echo *echo, const struct od_shape *shape, yyjson_val *json)
{
    echo_text(echo, shape->name);
    od_buf_put_byte(echo->out, '(');
    bool first = true;
    for (size_t i = 0; i < shape->member_count && !is_full(echo); i++) {
        yyjson_val *value = od_wire_find(json, shape->members[i].name);
        if (value == NULL && shape == od_shape_attribute_value) {
            continue;
        }
        echo_text(echo, first ? OD_STR("") : OD_STR(", "));
        first = false;
        od_shape_put_camel(echo->out, shape->members[i].name);
        od_buf_put_byte(echo->out, '=');
        echo_value(echo, shape->members[i].shape, value);
    }
    od_buf_put_byte(echo->out, ')');
}

static void echo_value(struct echo *echo, const struct od_shape *shape, yyjson_val *json)
{
    if (json == NULL || yyjson_is_null(json)) {
        echo_text(echo, OD_STR("null"));
        return;
    }
    switch (shape->kind) {
    case OD_SHAPE_STRING:
    case OD_SHAPE_ENUM:
    case OD_SHAPE_BLOB:
        echo_text(echo, od_wire_text(json));
        return;
    case OD_SHAPE_INTEGER:
    case OD_SHAPE_LONG:
        od_buf_printf(echo->out, "%lld", (long long)od_shape_int(json));
        return;
    case OD_SHAPE_BOOLEAN:
        echo_text(echo, unsafe_yyjson_get_bool(json) ? OD_STR("true") : OD_STR("false"));
        return;
    case OD_SHAPE_LIST:
        echo_list(echo, shape, json);
        return;
    case OD_SHAPE_MAP:
        echo_map(echo, shape, json);
        return;
    case OD_SHAPE_STRUCTURE:
        echo_structure(echo, shape, json);
        return;
    }
}

void od_shape_echo(struct od_buf *out, const struct od_shape *shape, yyjson_val *json)
{
    struct echo echo = {out, out->len + ECHO_MAX_BYTES};
    echo_value(&echo, shape, json);
}
