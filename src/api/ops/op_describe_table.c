#include "api/ops/ops.h"
#include "api/table_json.h"

struct describe_table {
    od_str name;
    const struct od_table *table;
};

od_status od_describe_table_decode(struct od_call *call)
{
    struct describe_table *request = od_new(call->cx.arena, struct describe_table);
    request->name = od_wire_str(call->root, "TableName");
    call->request = request;
    call->held = &request->table;
    return OD_OK;
}

od_status od_describe_table_run(struct od_call *call)
{
    struct describe_table *request = call->request;
    return od_table_acquire_described(call->engine, &call->cx, request->name, &request->table);
}

void od_describe_table_encode(struct od_call *call)
{
    const struct describe_table *request = call->request;
    od_json_raw(&call->out, "{\"Table\":");
    od_table_json(&call->out, request->table, OD_TABLE_VIEW_DESCRIBED);
    od_buf_put_byte(&call->out, '}');
}
