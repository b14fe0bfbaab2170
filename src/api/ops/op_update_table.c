#include "api/ops/ops.h"
#include "api/table_json.h"
#include "api/table_read.h"

// --- Indexes ------------------------------------------------------------------------------------

static od_status read_change(od_ctx *cx, yyjson_val *json, struct od_index_change *out)
{
    static const struct {
        const char *member;
        enum od_index_change_kind kind;
    } kinds[] = {
        {"Create", OD_INDEX_CREATE},
        {"Update", OD_INDEX_UPDATE},
        {"Delete", OD_INDEX_DELETE},
    };
    size_t found = 0;
    for (size_t i = 0; i < OD_COUNT(kinds); i++) {
        yyjson_val *change = od_wire_member(json, kinds[i].member);
        if (change != NULL) {
            out->kind = kinds[i].kind;
            od_table_read_index(cx->arena, change, &out->spec);
            found++;
        }
    }
    if (found != 1) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "One or more parameter values were invalid: GlobalSecondaryIndexUpdates "
                       "must contain exactly one of Create, Update or Delete");
    }
    return OD_OK;
}

static od_status read_changes(od_ctx *cx, yyjson_val *list, struct od_update_table_job *job)
{
    struct od_index_change *changes =
        od_new_array(cx->arena, struct od_index_change, yyjson_arr_size(list));
    size_t at = 0;
    size_t max = 0;
    yyjson_val *json = NULL;
    yyjson_arr_foreach(list, at, max, json)
    {
        OD_TRY(read_change(cx, json, &changes[at]));
    }
    job->index_changes = changes;
    job->index_change_count = yyjson_arr_size(list);
    return OD_OK;
}

// --- Settings -----------------------------------------------------------------------------------

static void read_capacity(yyjson_val *root, struct od_update_table_job *job)
{
    od_str billing = od_wire_str(root, "BillingMode");
    bool on_demand = od_str_eq(billing, OD_STR("PAY_PER_REQUEST"));
    job->has_billing = billing.ptr != NULL;
    job->billing = on_demand ? OD_BILLING_PAY_PER_REQUEST : OD_BILLING_PROVISIONED;
    job->has_throughput = od_table_read_throughput(root, &job->throughput);
    job->has_limits = od_wire_member(root, "OnDemandThroughput") != NULL;
    job->limits = od_table_read_limits(root);
    job->has_warm = od_wire_member(root, "WarmThroughput") != NULL;
    job->warm = od_table_read_warm(root);
}

static void read_others(yyjson_val *root, struct od_update_table_job *job)
{
    yyjson_val *stream = od_wire_member(root, "StreamSpecification");
    yyjson_val *sse = od_wire_member(root, "SSESpecification");
    job->has_protection = od_wire_member(root, "DeletionProtectionEnabled") != NULL;
    job->deletion_protection = od_wire_bool(root, "DeletionProtectionEnabled", false);
    job->table_class = od_wire_str(root, "TableClass");
    job->has_sse = sse != NULL;
    job->sse_enabled = od_wire_bool(sse, "Enabled", false);
    job->sse_key_arn = od_wire_str(sse, "KMSMasterKeyId");
    job->has_stream = stream != NULL;
    job->stream_enabled = od_wire_bool(stream, "StreamEnabled", false);
    job->stream_view = od_wire_str(stream, "StreamViewType");
}

// ------------------------------------------------------------------------------------------------

od_status od_update_table_decode(struct od_call *call)
{
    od_arena *arena = call->cx.arena;
    yyjson_val *root = call->root;
    struct od_update_table_job *job = od_new(arena, struct od_update_table_job);
    call->request = job;
    call->held = &job->result;
    job->engine = call->engine;
    job->table = od_wire_str(root, "TableName");
    job->definitions = od_table_read_definitions(arena, root, &job->definition_count);
    read_capacity(root, job);
    read_others(root, job);
    OD_TRY(od_table_check_asked(&call->cx, root));
    OD_TRY(read_changes(&call->cx, od_wire_member(root, "GlobalSecondaryIndexUpdates"), job));
    return od_engine_check_update_table(&call->cx, job);
}

void od_update_table_encode(struct od_call *call)
{
    const struct od_update_table_job *job = call->request;
    od_json_raw(&call->out, "{\"TableDescription\":");
    od_table_updated_json(&call->out, job);
    od_buf_put_byte(&call->out, '}');
}
