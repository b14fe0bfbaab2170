// Names and values of a request's expressions.
#include "mapper/mapper_internal.h"

#include "base/json.h"

void od_params_init(struct od_params *params, ordna_session *session)
{
    od_arena *arena = od_session_arena(session);
    *params = (struct od_params){
        .session = session,
        .names = {.arena = arena},
        .values = {.arena = arena},
    };
}

static void put_placeholder(struct od_buf *out, char mark, int number)
{
    od_buf_put_byte(out, (unsigned char)mark);
    od_json_int(out, number);
}

// "#0": in the map, up to the value.
static void open_entry(struct od_buf *map, char mark, int number)
{
    od_json_raw(map, number == 0 ? "\"" : ",\"");
    put_placeholder(map, mark, number);
    od_json_raw(map, "\":");
}

void od_params_name(struct od_params *params, struct od_buf *out, const char *attribute)
{
    const int number = params->name_count++;
    open_entry(&params->names, '#', number);
    od_json_str(&params->names, od_cstr(attribute));
    put_placeholder(out, '#', number);
}

void od_params_json(struct od_params *params, struct od_buf *out, od_str json)
{
    const int number = params->value_count++;
    open_entry(&params->values, ':', number);
    od_buf_put(&params->values, json);
    put_placeholder(out, ':', number);
}

ordna_status od_params_value(struct od_params *params, struct od_buf *out, const char *name,
                             const ordna_value *value)
{
    const int number = params->value_count++;
    open_entry(&params->values, ':', number);
    put_placeholder(out, ':', number);
    return od_attribute_write(params->session, &params->values, name, value);
}

void od_params_write(const struct od_params *params, struct od_buf *out)
{
    if (params->name_count > 0) {
        od_json_raw(out, ",\"ExpressionAttributeNames\":{");
        od_buf_put(out, od_buf_str(&params->names));
        od_buf_put_byte(out, '}');
    }
    if (params->value_count > 0) {
        od_json_raw(out, ",\"ExpressionAttributeValues\":{");
        od_buf_put(out, od_buf_str(&params->values));
        od_buf_put_byte(out, '}');
    }
}
