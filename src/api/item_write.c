#include "api/item_write.h"

#include "api/ops/ops.h"

static const od_str returns_names[] = {
    [OD_RETURNS_NONE] = OD_STR_INIT("NONE"),
    [OD_RETURNS_ALL_OLD] = OD_STR_INIT("ALL_OLD"),
    [OD_RETURNS_ALL_NEW] = OD_STR_INIT("ALL_NEW"),
    [OD_RETURNS_UPDATED_OLD] = OD_STR_INIT("UPDATED_OLD"),
    [OD_RETURNS_UPDATED_NEW] = OD_STR_INIT("UPDATED_NEW"),
};

struct od_item_write *od_item_write_create(struct od_call *call, enum od_write_kind kind)
{
    struct od_item_write *write = od_new(call->cx.arena, struct od_item_write);
    write->job.engine = call->engine;
    write->job.action.kind = kind;
    write->job.action.table = od_wire_str(call->root, "TableName");
    call->request = write;
    return write;
}

static od_status read_returns(struct od_call *call, enum od_returns last, enum od_returns *out)
{
    od_str name = od_wire_str(call->root, "ReturnValues");
    if (name.ptr == NULL) {
        return OD_OK;
    }
    for (enum od_returns i = OD_RETURNS_NONE; i <= last; i++) {
        if (od_str_eq(returns_names[i], name)) {
            *out = i;
            return OD_OK;
        }
    }
    return OD_FAIL(&call->cx, OD_VALIDATION_ENVELOPED, "Return values set to invalid value");
}

od_status od_item_write_read(struct od_call *call, enum od_returns last,
                             const struct od_params_spec *spec)
{
    struct od_item_write *write = call->request;
    yyjson_val *root = call->root;
    write->capacity = od_api_capacity_mode(root);
    write->returns_collection = od_api_says(root, "ReturnItemCollectionMetrics", OD_STR("SIZE"));
    write->job.action.return_old_on_failure =
        od_api_says(root, "ReturnValuesOnConditionCheckFailure", OD_STR("ALL_OLD"));
    OD_TRY(read_returns(call, last, &write->returns));
    write->job.action.wants_old = write->returns != OD_RETURNS_NONE;

    struct od_params params = {0};
    OD_TRY(od_params_read(call, root, spec, &params));
    write->job.action.condition = params.condition;
    write->job.action.update = params.update;
    return OD_OK;
}

void od_item_write_answer(struct od_call *call, od_value attributes)
{
    const struct od_item_write *write = call->request;
    const struct od_write_result *result = &write->job.result;
    struct od_buf *out = &call->out;
    od_buf_put_byte(out, '{');
    if (od_value_exists(attributes)) {
        od_api_map_member(out, "Attributes", attributes);
    }
    od_api_capacity(out, write->capacity, &result->capacity);
    if (write->returns_collection && od_value_exists(result->collection.partition)) {
        od_json_member(out, "ItemCollectionMetrics");
        od_api_collection_object(out, &result->collection);
    }
    od_buf_put_byte(out, '}');
}

void od_item_write_encode(struct od_call *call)
{
    const struct od_item_write *write = call->request;
    bool returns_old = write->returns == OD_RETURNS_ALL_OLD;
    od_item_write_answer(call, returns_old ? write->job.result.old_map : (od_value){0});
}
