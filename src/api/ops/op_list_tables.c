#include "api/ops/ops.h"

enum { MAX_NAMES = 100 };

struct list_tables {
    od_str after;
    size_t limit;
    od_str names[MAX_NAMES];
    size_t count;
    bool more;
};

od_status od_list_tables_decode(struct od_call *call)
{
    struct list_tables *request = od_new(call->cx.arena, struct list_tables);
    request->after = od_wire_str(call->root, "ExclusiveStartTableName");
    request->limit = (size_t)od_wire_int(call->root, "Limit", MAX_NAMES);
    call->request = request;
    return OD_OK;
}

od_status od_list_tables_run(struct od_call *call)
{
    struct list_tables *request = call->request;
    return od_engine_list_tables(call->engine, &call->cx, request->after, request->limit,
                                 request->names, &request->count, &request->more);
}

void od_list_tables_encode(struct od_call *call)
{
    const struct list_tables *request = call->request;
    struct od_buf *out = &call->out;
    od_json_raw(out, "{\"TableNames\":[");
    for (size_t i = 0; i < request->count; i++) {
        od_api_comma(out);
        od_json_str(out, request->names[i]);
    }
    od_buf_put_byte(out, ']');
    if (request->more && request->count > 0) {
        od_json_member(out, "LastEvaluatedTableName");
        od_json_str(out, request->names[request->count - 1]);
    }
    od_buf_put_byte(out, '}');
}
