#include "api/ops/ops.h"
#include "api/table_json.h"

od_status od_delete_table_decode(struct od_call *call)
{
    struct od_delete_table_job *job = od_new(call->cx.arena, struct od_delete_table_job);
    job->engine = call->engine;
    job->table = od_wire_str(call->root, "TableName");
    call->request = job;
    call->held = &job->result;
    return OD_OK;
}

void od_delete_table_encode(struct od_call *call)
{
    const struct od_delete_table_job *job = call->request;
    od_json_raw(&call->out, "{\"TableDescription\":");
    od_table_json(&call->out, job->result, OD_TABLE_VIEW_DELETED);
    od_buf_put_byte(&call->out, '}');
}
