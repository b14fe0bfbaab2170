#include "api/ops/ops.h"
#include "api/table_json.h"
#include "api/table_read.h"
#include "api/tags.h"

enum { MIN_NAME_LEN = 3, MAX_NAME_LEN = 255 };

static const struct od_index_spec *read_indexes(od_arena *arena, yyjson_val *list, size_t *count)
{
    *count = yyjson_arr_size(list);
    struct od_index_spec *indexes = od_new_array(arena, struct od_index_spec, *count);
    size_t at = 0;
    size_t max = 0;
    yyjson_val *json = NULL;
    yyjson_arr_foreach(list, at, max, json)
    {
        od_table_read_index(arena, json, &indexes[at]);
    }
    return indexes;
}

// --- Settings -----------------------------------------------------------------------------------

static void read_settings(yyjson_val *root, struct od_table_settings *out)
{
    yyjson_val *stream = od_wire_member(root, "StreamSpecification");
    yyjson_val *sse = od_wire_member(root, "SSESpecification");
    struct od_request_limits limits = od_table_read_limits(root);
    struct od_throughput warm = od_table_read_warm(root);
    bool on_demand = od_api_says(root, "BillingMode", OD_STR("PAY_PER_REQUEST"));

    out->billing = on_demand ? OD_BILLING_PAY_PER_REQUEST : OD_BILLING_PROVISIONED;
    out->deletion_protection = od_wire_bool(root, "DeletionProtectionEnabled", false);
    out->table_class = od_wire_str(root, "TableClass");
    out->stream_enabled = od_wire_bool(stream, "StreamEnabled", false);
    out->stream_view = od_wire_str(stream, "StreamViewType");
    out->sse_enabled = od_wire_bool(sse, "Enabled", false);
    out->sse_key_arn = od_wire_str(sse, "KMSMasterKeyId");
    out->max_read_request_units = limits.max_read_units;
    out->max_write_request_units = limits.max_write_units;
    out->warm_read_units = warm.read_units;
    out->warm_write_units = warm.write_units;
}

// ------------------------------------------------------------------------------------------------

static void read_indexes_of(od_arena *arena, yyjson_val *root, struct od_create_table_job *job)
{
    yyjson_val *local = od_wire_member(root, "LocalSecondaryIndexes");
    yyjson_val *global = od_wire_member(root, "GlobalSecondaryIndexes");
    job->has_local_list = local != NULL;
    job->has_global_list = global != NULL;
    job->local_indexes = read_indexes(arena, local, &job->local_count);
    job->global_indexes = read_indexes(arena, global, &job->global_count);
}

// The shape has measured a plain name, but not one inside an ARN.
static od_status check_name(od_ctx *cx, od_str name)
{
    if (name.len >= MIN_NAME_LEN && name.len <= MAX_NAME_LEN) {
        return OD_OK;
    }
    bool is_short = name.len < MIN_NAME_LEN;
    return OD_FAIL(cx, OD_VALIDATION,
                   "1 validation error detected: Value '%.*s' at 'tableName' failed to satisfy "
                   "constraint: Member must have length %s than or equal to %d",
                   OD_STR_ARG(name), is_short ? "greater" : "less",
                   is_short ? MIN_NAME_LEN : MAX_NAME_LEN);
}

// An ARN tells the name too, but it must be of here.
static od_status read_name(od_ctx *cx, yyjson_val *root, od_str *out)
{
    od_str given = od_wire_str(root, "TableName");
    *out = od_api_table_name(given);
    OD_TRY(check_name(cx, *out));
    if (out->len == given.len || od_str_eq(od_table_arn(cx->arena, *out), given)) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_ACCESS_DENIED,
                   "User is not authorized to perform: dynamodb:CreateTable on resource: %.*s",
                   OD_STR_ARG(given));
}

od_status od_create_table_decode(struct od_call *call)
{
    od_arena *arena = call->cx.arena;
    yyjson_val *root = call->root;
    struct od_create_table_job *job = od_new(arena, struct od_create_table_job);
    call->request = job;
    call->held = &job->result;
    job->engine = call->engine;
    OD_TRY(read_name(&call->cx, root, &job->table));
    OD_TRY(od_table_check_asked(&call->cx, root));
    job->definitions = od_table_read_definitions(arena, root, &job->definition_count);
    job->keys = od_table_read_keys(arena, root, &job->key_count);
    job->has_throughput = od_table_read_throughput(root, &job->settings.throughput);
    read_settings(root, &job->settings);
    read_indexes_of(arena, root, job);
    OD_TRY(od_tags_read(&call->cx, od_wire_member(root, "Tags"), &job->tags, &job->tag_count));
    return od_engine_check_create_table(&call->cx, job);
}

void od_create_table_encode(struct od_call *call)
{
    const struct od_create_table_job *job = call->request;
    od_json_raw(&call->out, "{\"TableDescription\":");
    od_table_json(&call->out, job->result, OD_TABLE_VIEW_CREATED);
    od_buf_put_byte(&call->out, '}');
}
