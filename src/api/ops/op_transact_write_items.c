#include "api/fingerprint.h"
#include "api/ops/ops.h"
#include "api/params/params.h"
#include "api/transaction.h"

struct transact_write {
    struct od_transact_write_job job; // first: a pointer to the whole is the job's argument
    struct od_write_action *actions;
    size_t bytes; // of item data in the request
    enum od_capacity_mode capacity;
    bool returns_collection;
};

// --- Decode -------------------------------------------------------------------------------------

// What an action is, by its member.
struct action_kind {
    const char *member;
    enum od_write_kind kind;
    const char *map; // its item or its key
    const struct od_params_spec *params;
};

static const struct od_params_spec condition_spec = {
    .rows = {{OD_EXPR_CONDITION, "ConditionExpression", NULL}},
    .count = 1,
    .unusable_values = "ConditionExpression is null",
};
static const struct od_params_spec update_spec = {
    .rows =
        {
            {OD_EXPR_UPDATE, "UpdateExpression", NULL},
            {OD_EXPR_CONDITION, "ConditionExpression", NULL},
        },
    .count = 2,
    .unusable_values = "UpdateExpression and ConditionExpression are null",
};

static const struct action_kind action_kinds[] = {
    {"ConditionCheck", OD_WRITE_CHECK, "Key", &condition_spec},
    {"Put", OD_WRITE_PUT, "Item", &condition_spec},
    {"Delete", OD_WRITE_DELETE, "Key", &condition_spec},
    {"Update", OD_WRITE_UPDATE, "Key", &update_spec},
};

static od_status find_kind(od_ctx *cx, yyjson_val *json, const struct action_kind **out)
{
    size_t found = 0;
    for (size_t i = 0; i < OD_COUNT(action_kinds); i++) {
        if (od_wire_member(json, action_kinds[i].member) != NULL) {
            *out = &action_kinds[i];
            found++;
        }
    }
    if (found != 1) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "TransactItems can only contain one of Check, Put, Update or Delete");
    }
    return OD_OK;
}

static od_status check_map(od_ctx *cx, const struct od_write_action *action, size_t bytes)
{
    if (action->kind != OD_WRITE_PUT) {
        return od_api_check_key(cx, action->map);
    }
    if (bytes > OD_ITEM_MAX_BYTES) {
        return OD_FAIL(cx, OD_VALIDATION, "Item size has exceeded the maximum allowed size");
    }
    return OD_OK;
}

// Memory is given for as long as what is read stays within the limit.
static od_status count_bytes(od_ctx *cx, struct transact_write *request, size_t bytes)
{
    request->bytes += bytes;
    return od_engine_check_transaction_size(cx, request->bytes);
}

static od_status read_action(struct od_call *call, const struct action_kind *kind, yyjson_val *json,
                             struct od_write_action *out)
{
    struct od_params params = {0};
    *out = (struct od_write_action){
        .kind = kind->kind,
        .table = od_wire_str(json, "TableName"),
        .flat_size = true,
        .return_old_on_failure =
            od_api_says(json, "ReturnValuesOnConditionCheckFailure", OD_STR("ALL_OLD")),
    };
    OD_TRY(od_api_map(&call->cx, json, kind->map, &out->map));
    OD_TRY(od_params_read(call, json, kind->params, &params));
    out->condition = params.condition;
    out->update = params.update;
    size_t bytes = od_attributes_size(out->map);
    OD_TRY(check_map(&call->cx, out, bytes));
    return count_bytes(&call->cx, call->request, bytes + params.value_bytes);
}

static od_status read_actions(struct od_call *call, yyjson_val *list)
{
    struct transact_write *request = call->request;
    size_t at = 0;
    size_t count = 0;
    yyjson_val *item = NULL;
    yyjson_arr_foreach(list, at, count, item)
    {
        const struct action_kind *kind = NULL;
        OD_TRY(find_kind(&call->cx, item, &kind));
        yyjson_val *action = od_wire_member(item, kind->member);
        OD_TRY(read_action(call, kind, action, &request->actions[at]));
    }
    return OD_OK;
}

// What the answer is to tell may differ from one request to its repetition.
static struct od_token read_token(struct od_call *call, yyjson_val *list)
{
    od_str token = od_wire_str(call->root, "ClientRequestToken");
    if (token.ptr == NULL) {
        return (struct od_token){0};
    }
    return (struct od_token){
        .text = od_arena_printf(call->cx.arena, "w%.*s", OD_STR_ARG(token)),
        .fingerprint = od_api_fingerprint(list),
    };
}

od_status od_transact_write_items_decode(struct od_call *call)
{
    struct transact_write *request = od_new(call->cx.arena, struct transact_write);
    yyjson_val *list = od_wire_member(call->root, "TransactItems");
    size_t count = yyjson_arr_size(list);
    call->request = request;
    request->capacity = od_api_capacity_mode(call->root);
    request->returns_collection =
        od_api_says(call->root, "ReturnItemCollectionMetrics", OD_STR("SIZE"));
    request->actions = od_new_array(call->cx.arena, struct od_write_action, count);
    OD_TRY(read_actions(call, list));
    request->job = (struct od_transact_write_job){
        .engine = call->engine,
        .actions = request->actions,
        .results = od_new_array(call->cx.arena, struct od_write_result, count),
        .count = count,
        .token = read_token(call, list),
    };
    return OD_OK;
}

// --- Encode -------------------------------------------------------------------------------------

static void put_capacities(struct od_call *call, const struct transact_write *request)
{
    size_t count = request->job.count;
    const struct od_capacity **parts =
        od_new_array(call->cx.arena, const struct od_capacity *, count);
    for (size_t i = 0; i < count; i++) {
        parts[i] = &request->job.results[i].capacity;
    }
    od_transaction_capacities(&call->out, request->capacity, parts, count, request->job.replayed);
}

static const struct od_collection *collection_at(const struct transact_write *request, size_t i)
{
    return &request->job.results[i].collection;
}

static bool same_table(const struct transact_write *request, size_t i, size_t j)
{
    return od_str_eq(od_api_table_name(request->actions[i].table),
                     od_api_table_name(request->actions[j].table));
}

// Whether action `j` wrote into the table that action `i` wrote into, and the table has
// collections.
static bool is_collected(const struct transact_write *request, size_t i, size_t j)
{
    return same_table(request, i, j) && od_value_exists(collection_at(request, j)->partition);
}

static bool is_first_of_table(const struct transact_write *request, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (is_collected(request, i, j)) {
            return false;
        }
    }
    return is_collected(request, i, i);
}

// Of several writes into one collection the last tells its size.
static bool is_last_of_collection(const struct transact_write *request, size_t i)
{
    for (size_t j = i + 1; j < request->job.count; j++) {
        if (is_collected(request, i, j) && od_value_equal(collection_at(request, i)->partition,
                                                          collection_at(request, j)->partition)) {
            return false;
        }
    }
    return true;
}

static void put_table_collections(struct od_buf *out, const struct transact_write *request,
                                  size_t first)
{
    od_api_key(out, request->actions[first].table);
    od_buf_put_byte(out, '[');
    for (size_t i = first; i < request->job.count; i++) {
        if (is_collected(request, first, i) && is_last_of_collection(request, i)) {
            od_api_comma(out);
            od_api_collection_object(out, collection_at(request, i));
        }
    }
    od_buf_put_byte(out, ']');
}

static void put_collections(struct od_buf *out, const struct transact_write *request)
{
    bool opened = false;
    for (size_t i = 0; i < request->job.count; i++) {
        if (!is_first_of_table(request, i)) {
            continue;
        }
        if (!opened) {
            od_json_member(out, "ItemCollectionMetrics");
            od_buf_put_byte(out, '{');
            opened = true;
        }
        put_table_collections(out, request, i);
    }
    if (opened) {
        od_buf_put_byte(out, '}');
    }
}

void od_transact_write_items_encode(struct od_call *call)
{
    const struct transact_write *request = call->request;
    od_buf_put_byte(&call->out, '{');
    put_capacities(call, request);
    if (request->returns_collection) {
        put_collections(&call->out, request);
    }
    od_buf_put_byte(&call->out, '}');
}
