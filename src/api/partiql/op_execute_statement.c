#include "api/ops/ops.h"
#include "api/partiql/member.h"

enum {
    SHORT_LIMIT = 16,          // that many items are read quickly
    PAGE_BYTES = 1024 * 1024,  // of items read for one answer
    BYTES_OF_HALF_UNIT = 4096, // read eventually consistently
};

struct execute_statement {
    struct od_member member;
    enum od_capacity_mode capacity;

    // SELECT
    int64_t limit; // 0: none
    uint64_t fingerprint;
    struct od_select_plan plan;
    struct od_select_position position; // where to go on
    bool has_more;                      // after the answer, at `position`
    int64_t scanned;
    struct od_capacity consumed;
    const struct od_condition *filter; // of the read under way

    // Writes
    struct od_write_job job;
};

static od_status apply_write(struct od_batch *batch, od_ctx *cx, void *arg);
static void encode_write(struct od_call *call);

// What the operation is when its statement writes.
static const struct od_op write_op = {
    .name = OD_STR_INIT("ExecuteStatement"),
    .kind = OD_OP_WRITE,
    .apply = apply_write,
    .encode = encode_write,
};

// --- Decode -------------------------------------------------------------------------------------

// Writes have no NextToken, so that none belongs to one.
static od_status read_token(struct od_call *call, struct execute_statement *request)
{
    od_str token = od_wire_str(call->root, "NextToken");
    request->fingerprint = od_member_fingerprint(0, &request->member);
    if (token.ptr == NULL) {
        return OD_OK;
    }
    return od_partiql_token_read(&call->cx, token, request->fingerprint, &request->position);
}

od_status od_execute_statement_decode(struct od_call *call)
{
    struct execute_statement *request = od_new(call->cx.arena, struct execute_statement);
    call->request = request;
    request->capacity = od_api_capacity_mode(call->root);
    request->limit = od_wire_int(call->root, "Limit", 0);
    OD_TRY(od_member_read(&call->cx, call->root, &request->member));
    OD_TRY(od_member_parse(&call->cx, &request->member));
    if (request->member.statement.kind == OD_STATEMENT_EXISTS) {
        return OD_FAIL(&call->cx, OD_VALIDATION,
                       "EXISTS can only be used in ExecuteTransaction write requests.");
    }
    OD_TRY(read_token(call, request));
    request->job.engine = call->engine;
    call->is_short =
        od_member_is_read(&request->member) && request->limit > 0 && request->limit <= SHORT_LIMIT;
    if (!od_member_is_read(&request->member)) {
        call->op = &write_op;
    }
    return OD_OK;
}

// --- SELECT -------------------------------------------------------------------------------------

// An item goes straight from its stored bytes into the answer. The engine filters nothing: it would
// take PartiQL's conditions on keys for faults.
static void write_row(void *arg, od_value map)
{
    struct od_call *call = arg;
    const struct execute_statement *request = call->request;
    if (request->filter != NULL && !od_condition_match(request->filter, map)) {
        return;
    }
    od_mark mark = od_arena_mark(call->cx.arena);
    od_api_comma(&call->out);
    od_json_map(&call->out, od_partiql_row(call->cx.arena, &request->plan, map));
    od_arena_rewind(call->cx.arena, mark);
}

// Items that may still be read for this answer; 0: any number.
static int64_t items_left(const struct execute_statement *request)
{
    int64_t limit = request->limit;
    int64_t page = request->plan.page_items;
    if (limit == 0 || (page > 0 && page < limit)) {
        limit = page;
    }
    return limit == 0 ? 0 : limit - request->scanned;
}

static bool is_full(const struct execute_statement *request)
{
    int64_t factor = request->member.consistent ? 2 : 1;
    int64_t halves = od_capacity_total(&request->consumed) / factor;
    return halves * BYTES_OF_HALF_UNIT >= PAGE_BYTES;
}

static od_status read_once(struct od_call *call, struct execute_statement *request,
                           struct od_read_result *result)
{
    const struct od_select_read *planned = &request->plan.reads[request->position.read];
    const struct od_read read = {
        .table = request->member.statement.table,
        .index = request->plan.index,
        .key_condition = planned->key_condition,
        .projection = request->plan.projection,
        .start_key = request->position.key,
        .limit = items_left(request),
        .backward = request->plan.backward,
        .consistent = request->member.consistent,
    };
    request->filter = planned->filter;
    OD_TRY(od_engine_read(call->engine, &call->cx, &read, write_row, call, result));
    request->scanned += result->scanned;
    od_capacity_add(&request->consumed, &result->capacity);
    return OD_OK;
}

// One read after another, until the answer is full or there is nothing left.
static od_status read_all(struct od_call *call, struct execute_statement *request)
{
    struct od_select_position *at = &request->position;
    while (at->read < request->plan.read_count) {
        struct od_read_result result = {0};
        OD_TRY(read_once(call, request, &result));
        at->key = result.last_key;
        if (od_value_exists(at->key)) {
            request->has_more = true;
            return OD_OK;
        }
        at->read++;
        if (at->read < request->plan.read_count && is_full(request)) {
            request->has_more = true;
            return OD_OK;
        }
    }
    return OD_OK;
}

static od_status select_rows(struct od_call *call, struct execute_statement *request)
{
    struct od_member *member = &request->member;
    OD_TRY(od_partiql_plan_select(&call->cx, &member->statement, member->table, member->consistent,
                                  &request->plan));
    if (request->position.read >= request->plan.read_count) {
        return OD_FAIL(&call->cx, OD_VALIDATION, "Invalid NextToken");
    }
    request->consumed.table = member->statement.table;
    od_json_raw(&call->out, "{\"Items\":[");
    OD_TRY(read_all(call, request));
    od_buf_put_byte(&call->out, ']');
    return OD_OK;
}

od_status od_execute_statement_run(struct od_call *call)
{
    struct execute_statement *request = call->request;
    OD_TRY(od_member_open(call->engine, &call->cx, &request->member));
    od_status status = select_rows(call, request);
    od_member_close(&request->member);
    return status;
}

static void put_rest(struct od_call *call, const struct execute_statement *request)
{
    const struct od_select_position *position = &request->position;
    od_json_member(&call->out, "NextToken");
    od_json_str(&call->out, od_partiql_token_write(call->cx.arena, request->fingerprint, position));
    if (od_value_exists(position->key)) {
        od_api_map_member(&call->out, "LastEvaluatedKey", position->key);
    }
}

void od_execute_statement_encode(struct od_call *call)
{
    const struct execute_statement *request = call->request;
    if (request->has_more) {
        put_rest(call, request);
    }
    od_api_capacity(&call->out, request->capacity, &request->consumed);
    od_buf_put_byte(&call->out, '}');
}

// --- Writes -------------------------------------------------------------------------------------

static od_status write_item(struct od_batch *batch, od_ctx *cx, struct execute_statement *request)
{
    OD_TRY(od_member_plan_write(cx, &request->member, &request->job.action));
    return od_engine_apply_write(batch, cx, &request->job);
}

static od_status apply_write(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct execute_statement *request = arg;
    OD_TRY(od_member_open(request->job.engine, cx, &request->member));
    od_status status = write_item(batch, cx, request);
    od_member_close(&request->member);
    return status;
}

static void encode_write(struct od_call *call)
{
    const struct execute_statement *request = call->request;
    const struct od_write_result *result = &request->job.result;
    od_value row = od_partiql_returned(call->cx.arena, &request->member.statement, result);
    od_json_raw(&call->out, "{\"Items\":[");
    if (od_value_exists(row)) {
        od_json_map(&call->out, row);
    }
    od_buf_put_byte(&call->out, ']');
    od_api_capacity(&call->out, request->capacity, &result->capacity);
    od_buf_put_byte(&call->out, '}');
}
