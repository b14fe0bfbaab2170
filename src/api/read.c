#include "api/read.h"

#include "api/ops/ops.h"

struct od_read_request *od_read_create(struct od_call *call)
{
    struct od_read_request *request = od_new(call->cx.arena, struct od_read_request);
    request->read.table = od_wire_str(call->root, "TableName");
    request->read.index = od_wire_str(call->root, "IndexName");
    request->read.limit = od_wire_int(call->root, "Limit", 0);
    request->read.consistent = od_wire_bool(call->root, "ConsistentRead", false);
    request->capacity = od_api_capacity_mode(call->root);
    call->request = request;
    call->may_be_short = true;
    return request;
}

od_status od_read_params(struct od_call *call, const struct od_params_spec *spec)
{
    struct od_read_request *request = call->request;
    struct od_params params = {0};
    OD_TRY(od_params_read(call, call->root, spec, &params));
    request->read.key_condition = params.key_condition;
    request->read.filter = params.condition;
    request->read.filter_is_legacy = params.filter_is_legacy;
    request->read.projection = params.projection;
    return OD_OK;
}

od_status od_read_start_key(struct od_call *call)
{
    struct od_read_request *request = call->request;
    od_value *key = &request->read.start_key;
    OD_TRY(od_api_map(&call->cx, call->root, "ExclusiveStartKey", key));
    return od_value_exists(*key) ? od_api_check_key(&call->cx, *key) : OD_OK;
}

// An item goes straight from its stored bytes into the answer.
static void write_item(void *arg, od_value map)
{
    struct od_call *call = arg;
    const struct od_read_request *request = call->request;
    od_api_comma(&call->out);
    if (request->read.projection == NULL) {
        od_json_map(&call->out, map);
        return;
    }
    od_mark mark = od_arena_mark(call->cx.arena);
    od_json_map(&call->out, od_projection_apply(call->cx.arena, request->read.projection, map));
    od_arena_rewind(call->cx.arena, mark);
}

// The answer begins with the items, since their number is known only after them.
od_status od_read_run(struct od_call *call)
{
    struct od_read_request *request = call->request;
    bool with_items = request->read.select != OD_SELECT_COUNT;
    request->read.short_only = call->short_only;
    od_json_raw(&call->out, with_items ? "{\"Items\":[" : "{");
    OD_TRY(od_engine_read(call->engine, &call->cx, &request->read, write_item, call,
                          &request->result));
    call->given_up = request->result.given_up;
    od_json_raw(&call->out, with_items ? "]" : "");
    return OD_OK;
}

void od_read_encode(struct od_call *call)
{
    const struct od_read_request *request = call->request;
    const struct od_read_result *result = &request->result;
    struct od_buf *out = &call->out;
    od_json_member(out, "Count");
    od_json_int(out, result->count);
    od_json_member(out, "ScannedCount");
    od_json_int(out, result->scanned);
    if (od_value_exists(result->last_key)) {
        od_api_map_member(out, "LastEvaluatedKey", result->last_key);
    }
    od_api_capacity(out, request->capacity, &result->capacity);
    od_buf_put_byte(out, '}');
}
