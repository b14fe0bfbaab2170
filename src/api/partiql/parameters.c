#include "api/partiql/member.h"

od_status od_parameters_read(od_ctx *cx, yyjson_val *list, struct od_member *out)
{
    out->parameter_count = yyjson_arr_size(list);
    out->parameters = od_new_array(cx->arena, od_value, out->parameter_count);
    size_t at = 0;
    size_t count = 0;
    yyjson_val *json = NULL;
    yyjson_arr_foreach(list, at, count, json)
    {
        OD_TRY(od_api_value(cx, json, &out->parameters[at]));
    }
    return OD_OK;
}
