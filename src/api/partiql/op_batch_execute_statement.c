#include "api/ops/ops.h"
#include "api/partiql/member.h"
#include "api/transaction.h"
#include "engine/write.h"

enum { MAX_STATEMENTS = 25, BYTES_OF_WRITE_UNIT = 1024 };

// A statement of the batch, and what came of it.
struct batch_member {
    struct od_member member;
    od_status status;
    od_str message; // when it failed
    bool ran;       // it had its table and its item, and was carried out or failed at that

    // SELECT
    struct od_select_plan plan;
    struct od_get_result got;

    // Writes
    struct od_write_action action;
    struct od_plan write;
    struct od_write_result result;
    struct od_buf row; // what RETURNING gives, as JSON
};

struct batch {
    od_engine *engine;
    struct batch_member *members;
    size_t count;
    size_t row_bytes; // of the rows that writes give back
    enum od_capacity_mode capacity;
};

static od_op_apply apply_batch;
static od_op_encode encode_writes;

static const struct od_op write_op = {
    .name = OD_STR_INIT("BatchExecuteStatement"),
    .kind = OD_OP_WRITE,
    .apply = apply_batch,
    .encode = encode_writes,
};

// --- Faults of members --------------------------------------------------------------------------

static const struct {
    od_status status;
    const char *code;
} codes[] = {
    {OD_VALIDATION, "ValidationError"},
    {OD_VALIDATION_ENVELOPED, "ValidationError"},
    {OD_VALIDATION_ITEM, "ValidationError"},
    {OD_NO_SUCH_RESOURCE, "ResourceNotFound"},
    {OD_CONDITION_FAILED, "ConditionalCheckFailed"},
    {OD_DUPLICATE_ITEM, "DuplicateItem"},
    {OD_COLLECTION_TOO_LARGE, "ItemCollectionSizeLimitExceeded"},
    {OD_TRANSACTION_CONFLICT, "TransactionConflict"},
    {OD_REQUEST_LIMIT_EXCEEDED, "RequestLimitExceeded"},
    {OD_ACCESS_DENIED, "AccessDenied"},
};

// NULL: the fault is the whole request's.
static const char *code_of(od_status status)
{
    for (size_t i = 0; i < OD_COUNT(codes); i++) {
        if (codes[i].status == status) {
            return codes[i].code;
        }
    }
    return NULL;
}

// Keeps a member's fault; those of the request go on.
static od_status settle(od_ctx *cx, struct batch_member *m, od_status status)
{
    if (status == OD_OK || code_of(status) == NULL) {
        return status;
    }
    m->status = status;
    m->message = cx->error;
    cx->error = (od_str){0};
    cx->error_detail = NULL;
    return OD_OK;
}

// --- Decode -------------------------------------------------------------------------------------

static od_status read_member(od_ctx *cx, yyjson_val *json, struct od_member *out)
{
    OD_TRY(od_member_read(cx, json, out));
    OD_TRY(od_member_parse(cx, out));
    if (out->statement.kind == OD_STATEMENT_EXISTS) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "EXISTS can only be used in ExecuteTransaction write requests.");
    }
    return OD_OK;
}

static od_status read_members(struct od_call *call, struct batch *batch)
{
    size_t at = 0;
    size_t count = 0;
    yyjson_val *json = NULL;
    yyjson_arr_foreach(od_wire_member(call->root, "Statements"), at, count, json)
    {
        struct batch_member *m = &batch->members[at];
        OD_TRY(settle(&call->cx, m, read_member(&call->cx, json, &m->member)));
    }
    return OD_OK;
}

static size_t count_reads(const struct batch *batch, bool reads)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const struct batch_member *m = &batch->members[i];
        count += m->status == OD_OK && od_member_is_read(&m->member) == reads;
    }
    return count;
}

od_status od_batch_execute_statement_decode(struct od_call *call)
{
    struct batch *batch = od_new(call->cx.arena, struct batch);
    call->request = batch;
    batch->engine = call->engine;
    batch->capacity = od_api_capacity_mode(call->root);
    batch->count = yyjson_arr_size(od_wire_member(call->root, "Statements"));
    batch->members = od_new_array(call->cx.arena, struct batch_member, batch->count);
    OD_TRY(read_members(call, batch));
    size_t writes = count_reads(batch, false);
    if (writes > 0 && count_reads(batch, true) > 0) {
        return OD_FAIL(&call->cx, OD_VALIDATION,
                       "BatchExecuteStatement API does not support both read and write operations "
                       "in the same request.");
    }
    if (writes > 0) {
        call->op = &write_op;
    }
    return OD_OK;
}

static od_status fail_duplicates(od_ctx *cx)
{
    return OD_FAIL(cx, OD_VALIDATION,
                   "BatchExecuteStatement request cannot include multiple operations on one item");
}

static void close_all(struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        od_member_close(&batch->members[i].member);
        od_plan_clear(&batch->members[i].write);
    }
}

// --- Answers of members -------------------------------------------------------------------------

static void put_error(struct od_buf *out, const struct batch_member *m)
{
    od_json_member(out, "Error");
    od_buf_put_byte(out, '{');
    od_json_member(out, "Code");
    od_json_str(out, od_cstr(code_of(m->status)));
    od_json_member(out, "Message");
    od_json_str(out, m->message);
    od_buf_put_byte(out, '}');
}

// All but the row and the end.
static void open_response(struct od_buf *out, const struct batch_member *m)
{
    od_api_comma(out);
    od_buf_put_byte(out, '{');
    if (m->status != OD_OK) {
        put_error(out, m);
    }
    if (m->ran) {
        od_json_member(out, "TableName");
        od_json_str(out, m->member.statement.table);
    }
}

// DynamoDB has no limit that 25 items reach; ours is on memory. The member has then not run.
static od_status check_answer(od_ctx *cx, struct batch_member *m, size_t bytes)
{
    if (bytes <= OD_ANSWER_MAX_BYTES) {
        return OD_OK;
    }
    m->ran = false;
    return OD_FAIL(cx, OD_REQUEST_LIMIT_EXCEEDED,
                   "The statements before this one fill the answer: send it in another request");
}

// --- Reads --------------------------------------------------------------------------------------

static od_status plan_read(od_ctx *cx, struct batch_member *m)
{
    const struct od_member *member = &m->member;
    OD_TRY(od_partiql_plan_select(cx, &member->statement, member->table, member->consistent,
                                  &m->plan));
    if (!od_value_exists(m->plan.key)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Select statements within BatchExecuteStatement must specify the primary "
                       "key in the where clause.");
    }
    m->ran = true;
    return OD_OK;
}

static od_status open_read(struct batch *batch, od_ctx *cx, struct batch_member *m)
{
    OD_TRY(od_member_open(batch->engine, cx, &m->member));
    return plan_read(cx, m);
}

static bool reads_same_item(const struct batch_member *a, const struct batch_member *b)
{
    return a->member.table->group == b->member.table->group &&
           od_value_equal(a->plan.key, b->plan.key);
}

static od_status open_reads(struct batch *batch, od_ctx *cx)
{
    for (size_t i = 0; i < batch->count; i++) {
        struct batch_member *m = &batch->members[i];
        if (m->status == OD_OK) {
            OD_TRY(settle(cx, m, open_read(batch, cx, m)));
        }
        for (size_t j = 0; m->ran && j < i; j++) {
            if (batch->members[j].ran && reads_same_item(m, &batch->members[j])) {
                return fail_duplicates(cx);
            }
        }
    }
    return OD_OK;
}

static od_status read_item(struct batch *batch, od_ctx *cx, struct batch_member *m)
{
    const struct od_get get = {
        .table = m->member.statement.table,
        .key = m->plan.key,
        .consistent = m->member.consistent,
    };
    return od_engine_get(batch->engine, cx, &get, &m->got);
}

static void put_row(struct od_call *call, const struct batch_member *m)
{
    od_value row = od_partiql_row_of_key(call->cx.arena, &m->plan, m->got.map);
    if (od_value_exists(row)) {
        od_api_map_member(&call->out, "Item", row);
    }
}

static od_status run_read(struct od_call *call, struct batch_member *m)
{
    if (m->ran) {
        OD_TRY(settle(&call->cx, m, check_answer(&call->cx, m, call->out.len)));
    }
    if (m->ran) {
        OD_TRY(settle(&call->cx, m, read_item(call->request, &call->cx, m)));
        m->ran = m->status == OD_OK; // only its key can have been at fault
    }
    open_response(&call->out, m);
    if (m->status == OD_OK) {
        put_row(call, m);
    }
    od_buf_put_byte(&call->out, '}');
    return OD_OK;
}

// The items are written as they are read.
static od_status run_reads(struct od_call *call, struct batch *batch)
{
    OD_TRY(open_reads(batch, &call->cx));
    od_json_raw(&call->out, "{\"Responses\":[");
    for (size_t i = 0; i < batch->count; i++) {
        od_mark mark = od_arena_mark(call->cx.arena);
        OD_TRY(run_read(call, &batch->members[i]));
        od_arena_rewind(call->cx.arena, mark);
    }
    od_buf_put_byte(&call->out, ']');
    return OD_OK;
}

od_status od_batch_execute_statement_run(struct od_call *call)
{
    struct batch *batch = call->request;
    od_status status = run_reads(call, batch);
    close_all(batch);
    return status;
}

// --- Writes -------------------------------------------------------------------------------------

static od_status open_write(struct batch *batch, od_ctx *cx, struct batch_member *m)
{
    OD_TRY(od_member_open(batch->engine, cx, &m->member));
    OD_TRY(od_member_plan_write(cx, &m->member, &m->action));
    m->action.return_old_on_failure = false; // accepted, without effect in a batch
    OD_TRY(od_plan_open(batch->engine, cx, &m->action, &m->write));
    m->ran = true;
    return OD_OK;
}

static bool writes_same_item(const struct batch_member *a, const struct batch_member *b)
{
    return a->write.table->group == b->write.table->group &&
           od_str_eq(a->write.row_key, b->write.row_key);
}

static od_status open_writes(struct batch *batch, od_ctx *cx)
{
    for (size_t i = 0; i < batch->count; i++) {
        struct batch_member *m = &batch->members[i];
        if (m->status == OD_OK) {
            OD_TRY(settle(cx, m, open_write(batch, cx, m)));
        }
        for (size_t j = 0; m->ran && j < i; j++) {
            if (batch->members[j].ran && writes_same_item(m, &batch->members[j])) {
                return fail_duplicates(cx);
            }
        }
    }
    return OD_OK;
}

static od_value map_of(od_item item)
{
    return od_item_exists(item) ? od_item_map(item) : (od_value){0};
}

// Before the item is written: a row that is too much for the answer is a reason not to.
static od_status make_row(od_ctx *cx, struct batch *batch, struct batch_member *m)
{
    const struct od_write_result result = {
        .old_map = map_of(m->write.old_item),
        .new_map = map_of(m->write.new_item),
    };
    od_value row = od_partiql_returned(cx->arena, &m->member.statement, &result);
    if (!od_value_exists(row)) {
        return OD_OK;
    }
    OD_TRY(check_answer(cx, m, batch->row_bytes));
    m->row = (struct od_buf){.arena = cx->arena};
    od_json_map(&m->row, row);
    batch->row_bytes += m->row.len;
    return OD_OK;
}

// A member that fails has written nothing, since only od_plan_execute writes.
static od_status write_item(struct od_batch *store_batch, od_ctx *cx, struct batch *batch,
                            struct batch_member *m)
{
    OD_TRY(od_plan_read(store_batch, cx, &m->write));
    OD_TRY(od_plan_check_collection(store_batch, cx, &m->write));
    OD_TRY(make_row(cx, batch, m));
    return od_plan_execute(store_batch, cx, &m->write, &m->result);
}

static size_t size_of(od_value map)
{
    return od_value_exists(map) ? od_attributes_size(map) : 0;
}

// The item that the write would have left, as far as it can be known.
static od_value attempted(od_ctx *cx, const struct batch_member *m)
{
    const struct od_write_action *action = &m->action;
    od_value old = map_of(m->write.old_item);
    bool exists = od_value_exists(old);
    od_value updated = exists ? old : action->map;
    if (action->kind == OD_WRITE_DELETE) {
        return old;
    }
    if (action->kind == OD_WRITE_PUT) {
        return action->map;
    }
    od_ctx scratch = {.arena = cx->arena}; // a fault of the update is not told
    if (od_update_apply(&scratch, action->update, updated, exists, &updated) != OD_OK) {
        return old;
    }
    return updated;
}

// What a failed write costs: the larger of what is stored and what it attempted to store.
static void charge_failure(od_ctx *cx, struct batch_member *m)
{
    size_t before = size_of(map_of(m->write.old_item));
    size_t after = size_of(attempted(cx, m));
    size_t size = before > after ? before : after;
    size_t units = size == 0 ? 1 : (size + BYTES_OF_WRITE_UNIT - 1) / BYTES_OF_WRITE_UNIT;
    m->result.capacity = (struct od_capacity){
        .table = m->member.statement.table,
        .table_halves = (int64_t)units * 2,
    };
}

static od_status run_writes(struct od_batch *store_batch, od_ctx *cx, struct batch *batch)
{
    OD_TRY(open_writes(batch, cx));
    for (size_t i = 0; i < batch->count; i++) {
        struct batch_member *m = &batch->members[i];
        if (!m->ran) {
            continue;
        }
        OD_TRY(settle(cx, m, write_item(store_batch, cx, batch, m)));
        if (m->ran && m->status != OD_OK) {
            charge_failure(cx, m);
        }
    }
    return OD_OK;
}

static od_status apply_batch(struct od_batch *store_batch, od_ctx *cx, void *arg)
{
    struct batch *batch = arg;
    od_status status = run_writes(store_batch, cx, batch);
    close_all(batch);
    return status;
}

// --- Encode -------------------------------------------------------------------------------------

static const struct od_capacity *capacity_of(const struct batch_member *m)
{
    return od_member_is_read(&m->member) ? &m->got.capacity : &m->result.capacity;
}

static void sum_members(const struct batch *batch, bool failed, struct od_capacity *sums,
                        size_t *count)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct batch_member *m = &batch->members[i];
        if (m->ran && (m->status != OD_OK) == failed) {
            od_capacity_add(od_capacity_of(sums, count, m->member.statement.table), capacity_of(m));
        }
    }
}

// Of tables with a member that succeeded: a table whose members all failed is left out.
static size_t sum_capacities(const struct batch *batch, struct od_capacity *sums)
{
    size_t count = 0;
    sum_members(batch, false, sums, &count);
    size_t told = count;
    sum_members(batch, true, sums, &count);
    return told;
}

static void put_capacities(struct od_call *call, const struct batch *batch)
{
    struct od_capacity sums[MAX_STATEMENTS];
    size_t count = batch->capacity == OD_CAPACITY_NONE ? 0 : sum_capacities(batch, sums);
    if (count == 0) {
        return;
    }
    od_json_member(&call->out, "ConsumedCapacity");
    od_buf_put_byte(&call->out, '[');
    for (size_t i = 0; i < count; i++) {
        od_api_comma(&call->out);
        od_api_capacity_object(&call->out, batch->capacity, &sums[i]);
    }
    od_buf_put_byte(&call->out, ']');
}

void od_batch_execute_statement_encode(struct od_call *call)
{
    put_capacities(call, call->request);
    od_buf_put_byte(&call->out, '}');
}

static void put_write(struct od_buf *out, const struct batch_member *m)
{
    open_response(out, m);
    if (m->status == OD_OK && m->row.len > 0) {
        od_json_member(out, "Item");
        od_buf_put(out, od_buf_str(&m->row));
    }
    od_buf_put_byte(out, '}');
}

static void encode_writes(struct od_call *call)
{
    const struct batch *batch = call->request;
    od_json_raw(&call->out, "{\"Responses\":[");
    for (size_t i = 0; i < batch->count; i++) {
        put_write(&call->out, &batch->members[i]);
    }
    od_buf_put_byte(&call->out, ']');
    od_batch_execute_statement_encode(call);
}
