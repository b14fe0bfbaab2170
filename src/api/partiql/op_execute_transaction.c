#include "api/ops/ops.h"
#include "api/partiql/member.h"
#include "api/transaction.h"
#include "engine/txn/cancel.h"

struct transaction {
    od_engine *engine;
    struct od_member *members;
    size_t count;
    enum od_capacity_mode capacity;

    // Reads
    struct od_select_plan *plans;
    struct od_get *gets;
    struct od_get_result *got;

    // Writes
    struct od_transact_write_job job;
    struct od_write_action *actions;
    size_t bytes; // that the statements send
};

static od_op_apply apply_transaction;
static od_op_encode encode_writes;

static const struct od_op write_op = {
    .name = OD_STR_INIT("ExecuteTransaction"),
    .kind = OD_OP_WRITE,
    .apply = apply_transaction,
    .encode = encode_writes,
};

// --- Decode -------------------------------------------------------------------------------------

static od_status read_members(struct od_call *call, struct transaction *txn)
{
    yyjson_val *list = od_wire_member(call->root, "TransactStatements");
    txn->count = yyjson_arr_size(list);
    txn->members = od_new_array(call->cx.arena, struct od_member, txn->count);
    size_t at = 0;
    size_t count = 0;
    yyjson_val *json = NULL;
    yyjson_arr_foreach(list, at, count, json)
    {
        OD_TRY(od_member_read(&call->cx, json, &txn->members[at]));
    }
    for (size_t i = 0; i < txn->count; i++) {
        OD_TRY(od_member_parse(&call->cx, &txn->members[i]));
    }
    return OD_OK;
}

static size_t count_reads(const struct transaction *txn)
{
    size_t count = 0;
    for (size_t i = 0; i < txn->count; i++) {
        count += od_member_is_read(&txn->members[i]);
    }
    return count;
}

// Tokens of this operation and of TransactWriteItems are apart: by the letter in front.
static struct od_token read_token(struct od_call *call, const struct transaction *txn)
{
    od_str token = od_wire_str(call->root, "ClientRequestToken");
    if (token.ptr == NULL) {
        return (struct od_token){0};
    }
    uint64_t fingerprint = 0;
    for (size_t i = 0; i < txn->count; i++) {
        fingerprint = od_member_fingerprint(fingerprint, &txn->members[i]);
    }
    return (struct od_token){
        .text = od_arena_printf(call->cx.arena, "x%.*s", OD_STR_ARG(token)),
        .fingerprint = fingerprint,
    };
}

static void prepare_reads(struct od_call *call, struct transaction *txn)
{
    txn->plans = od_new_array(call->cx.arena, struct od_select_plan, txn->count);
    txn->gets = od_new_array(call->cx.arena, struct od_get, txn->count);
    txn->got = od_new_array(call->cx.arena, struct od_get_result, txn->count);
}

static void prepare_writes(struct od_call *call, struct transaction *txn)
{
    txn->actions = od_new_array(call->cx.arena, struct od_write_action, txn->count);
    txn->job = (struct od_transact_write_job){
        .engine = call->engine,
        .actions = txn->actions,
        .results = od_new_array(call->cx.arena, struct od_write_result, txn->count),
        .count = txn->count,
        .token = read_token(call, txn),
    };
    call->op = &write_op;
}

od_status od_execute_transaction_decode(struct od_call *call)
{
    struct transaction *txn = od_new(call->cx.arena, struct transaction);
    call->request = txn;
    txn->engine = call->engine;
    txn->capacity = od_api_capacity_mode(call->root);
    OD_TRY(read_members(call, txn));
    size_t reads = count_reads(txn);
    if (reads > 0 && reads < txn->count) {
        return OD_FAIL(&call->cx, OD_VALIDATION,
                       "ExecuteTransaction API does not support both read and write operations in "
                       "the same request.");
    }
    if (reads > 0) {
        prepare_reads(call, txn);
    } else {
        prepare_writes(call, txn);
    }
    return OD_OK;
}

// --- Planning -----------------------------------------------------------------------------------

static od_status fail_plan(od_ctx *cx, const char *message)
{
    return OD_FAIL(cx, OD_VALIDATION, "%s", message);
}

static od_status plan_read(od_ctx *cx, const struct od_member *member, struct od_select_plan *plan,
                           struct od_get *get)
{
    if (member->statement.has_index) {
        return fail_plan(cx, "Reads on indices are not supported within transactions.");
    }
    OD_TRY(od_partiql_plan_select(cx, &member->statement, member->table, false, plan));
    if (!od_value_exists(plan->key)) {
        return fail_plan(cx, "Select statements within ExecuteTransaction must specify the primary "
                             "key in the where clause.");
    }
    *get = (struct od_get){.table = member->statement.table, .key = plan->key};
    return OD_OK;
}

// What the statement sends: an item, or the values of parameters.
static size_t sent_bytes(const struct od_member *member, const struct od_write_action *action)
{
    if (action->kind == OD_WRITE_PUT) {
        return od_attributes_size(action->map);
    }
    size_t bytes = 0;
    for (size_t i = 0; i < member->parameter_count; i++) {
        bytes += od_value_size(member->parameters[i]);
    }
    return bytes;
}

static od_status check_size(struct transaction *txn, od_ctx *cx, size_t i)
{
    size_t bytes = sent_bytes(&txn->members[i], &txn->actions[i]);
    if (txn->actions[i].kind == OD_WRITE_PUT && bytes > OD_ITEM_MAX_BYTES) {
        return fail_plan(cx, "Item size has exceeded the maximum allowed size");
    }
    txn->bytes += bytes;
    return od_engine_check_transaction_size(cx, txn->bytes);
}

static od_status plan_write(od_ctx *cx, const struct od_member *member,
                            struct od_write_action *action)
{
    if (member->statement.returns) {
        return fail_plan(cx, "RETURNING clause is not supported in ExecuteTransaction.");
    }
    if (member->statement.has_index && member->statement.kind == OD_STATEMENT_EXISTS) {
        return fail_plan(cx, "Reads on indices are not supported within transactions.");
    }
    return od_member_plan_write(cx, member, action);
}

static od_status plan_member(struct transaction *txn, od_ctx *cx, size_t i)
{
    struct od_member *member = &txn->members[i];
    OD_TRY(od_member_open(txn->engine, cx, member));
    if (od_member_is_read(member)) {
        return plan_read(cx, member, &txn->plans[i], &txn->gets[i]);
    }
    OD_TRY(plan_write(cx, member, &txn->actions[i]));
    return check_size(txn, cx, i);
}

// A key that names no item cancels the transaction; other faults refuse it.
static od_status settle(struct od_cancel *cancel, od_ctx *cx, size_t i, od_status status)
{
    if (status != OD_VALIDATION_ITEM) {
        return status;
    }
    status = OD_FAIL(cx, OD_VALIDATION_ITEM, "The provided key element does not match the schema");
    od_cancel_add(cancel, i, status, cx);
    return OD_OK;
}

static od_status plan_members(struct transaction *txn, od_ctx *cx)
{
    struct od_cancel cancel;
    od_cancel_init(&cancel, cx->arena, txn->count);
    for (size_t i = 0; i < txn->count; i++) {
        OD_TRY(settle(&cancel, cx, i, plan_member(txn, cx, i)));
    }
    return od_cancel_status(&cancel, cx);
}

static void close_members(struct transaction *txn)
{
    for (size_t i = 0; i < txn->count; i++) {
        od_member_close(&txn->members[i]);
    }
}

// --- Run ----------------------------------------------------------------------------------------

static void put_response(struct od_call *call, const struct transaction *txn, size_t i)
{
    od_api_comma(&call->out);
    od_buf_put_byte(&call->out, '{');
    od_mark mark = od_arena_mark(call->cx.arena);
    od_value row = od_partiql_row_of_key(call->cx.arena, &txn->plans[i], txn->got[i].map);
    if (od_value_exists(row) && od_value_count(row) > 0) {
        od_api_map_member(&call->out, "Item", row);
    }
    od_arena_rewind(call->cx.arena, mark);
    od_buf_put_byte(&call->out, '}');
}

static od_status read_all(struct od_call *call, struct transaction *txn)
{
    OD_TRY(plan_members(txn, &call->cx));
    OD_TRY(od_engine_transact_get(txn->engine, &call->cx, txn->gets, txn->count, txn->got));
    od_json_raw(&call->out, "{\"Responses\":[");
    for (size_t i = 0; i < txn->count; i++) {
        OD_TRY(od_transaction_check_answer(call));
        put_response(call, txn, i);
    }
    od_buf_put_byte(&call->out, ']');
    return OD_OK;
}

od_status od_execute_transaction_run(struct od_call *call)
{
    struct transaction *txn = call->request;
    od_status status = read_all(call, txn);
    close_members(txn);
    return status;
}

static od_status apply_transaction(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct transaction *txn = arg;
    od_status status = plan_members(txn, cx);
    if (status == OD_OK) {
        status = od_engine_apply_transact_write(batch, cx, &txn->job);
    }
    close_members(txn);
    return status;
}

// --- Encode -------------------------------------------------------------------------------------

static void put_capacities(struct od_call *call, const struct transaction *txn, bool is_read)
{
    const struct od_capacity **parts =
        od_new_array(call->cx.arena, const struct od_capacity *, txn->count);
    for (size_t i = 0; i < txn->count; i++) {
        parts[i] = txn->got != NULL ? &txn->got[i].capacity : &txn->job.results[i].capacity;
    }
    od_transaction_capacities(&call->out, txn->capacity, parts, txn->count, is_read);
}

void od_execute_transaction_encode(struct od_call *call)
{
    put_capacities(call, call->request, true);
    od_buf_put_byte(&call->out, '}');
}

static void encode_writes(struct od_call *call)
{
    const struct transaction *txn = call->request;
    od_json_raw(&call->out, "{\"Responses\":[]");
    put_capacities(call, txn, txn->job.replayed);
    od_buf_put_byte(&call->out, '}');
}
