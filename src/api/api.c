#include "api/api.h"

#include "api/api_internal.h"
#include "api/ops/ops.h"
#include "api/parsed.h"

#include <assert.h>

#define OD_READ(name, kind, envelope, decode, run, encode) \
    {OD_STR_INIT(#name), OD_OP_##kind, OD_ENVELOPE_##envelope, decode, run, NULL, encode},
#define OD_WRITE(name, kind, envelope, decode, apply, encode) \
    {OD_STR_INIT(#name), OD_OP_##kind, OD_ENVELOPE_##envelope, decode, NULL, apply, encode},
static const struct od_op ops[] = {
#include "api/ops.def"
};
#undef OD_READ
#undef OD_WRITE

static const struct od_op *find_op(od_str name)
{
    for (size_t i = 0; i < OD_COUNT(ops); i++) {
        if (od_str_eq(ops[i].name, name)) {
            return &ops[i];
        }
    }
    return NULL;
}

static od_status decode(struct od_call *call)
{
    call->op = find_op(call->operation);
    if (call->op == NULL) {
        return OD_FAIL(&call->cx, OD_UNKNOWN_OP, "Unknown operation");
    }
    OD_TRY(od_wire_parse(&call->cx, call->body, &call->root));
    OD_TRY(od_shape_check(&call->cx, od_shape_of_input(call->op->name), call->root));
    return call->op->decode == NULL ? OD_OK : call->op->decode(call);
}

// Nothing is left of an answer that was begun.
static void answer_error(struct od_call *call, od_status status)
{
    bool enveloped = call->op != NULL && call->op->envelope == OD_ENVELOPE_FAMILY;
    call->out.len = 0; // its arena stays: a long read's own does not outlive the read
    od_wire_error(&call->out, status, &call->cx, enveloped);
}

static void answer(struct od_call *call, od_status status)
{
    call->http_status = od_status_http(status);
    if (status == OD_OK) {
        call->op->encode(call);
    } else {
        answer_error(call, status);
    }
    if (call->held != NULL) {
        od_table_release(*call->held);
    }
    od_parsed_release(call);
}

enum od_next od_api_decode(struct od_call *call)
{
    static const enum od_next next[] = {
        [OD_OP_READ] = OD_NEXT_READ,
        [OD_OP_LONG_READ] = OD_NEXT_LONG_READ,
        [OD_OP_WRITE] = OD_NEXT_SUBMIT,
        [OD_OP_CONTROL] = OD_NEXT_SUBMIT,
    };
    call->out = (struct od_buf){.arena = call->cx.arena};
    od_status status = decode(call);
    if (status != OD_OK) {
        answer(call, status);
        return OD_NEXT_ANSWERED;
    }
    if (call->is_short) {
        return OD_NEXT_READ;
    }
    return call->may_be_short ? OD_NEXT_TRY_READ : next[call->op->kind];
}

static void run_and_answer(struct od_call *call)
{
    od_status status = call->op->run == NULL ? OD_OK : call->op->run(call);
    if (!call->given_up) {
        answer(call, status);
    }
}

// A long read works in an arena of its own: the engine and the projections give memory back item by
// item, while the answer grows in the request's arena, where it is the newest thing and need not
// move.
static void run_long_read(struct od_call *call)
{
    od_arena *request_arena = call->cx.arena;
    call->cx.arena = od_arena_create();
    run_and_answer(call);
    if (call->cx.error.len > 0) {
        call->cx.error = od_arena_copy(request_arena, call->cx.error); // for the log
    }
    call->cx.error_detail = NULL;
    od_arena_destroy(call->cx.arena);
    call->cx.arena = request_arena;
}

void od_api_run_read(struct od_call *call)
{
    if (call->op->kind == OD_OP_LONG_READ) {
        run_long_read(call);
        return;
    }
    run_and_answer(call);
}

bool od_api_try_read(struct od_call *call)
{
    call->short_only = true;
    od_api_run_read(call);
    call->short_only = false;
    if (!call->given_up) {
        return true;
    }
    call->given_up = false;
    call->out.len = 0;
    return false;
}

bool od_api_submits(od_str operation)
{
    const struct od_op *op = find_op(operation);
    return op != NULL && (op->kind == OD_OP_WRITE || op->kind == OD_OP_CONTROL);
}

void od_api_refuse(struct od_call *call)
{
    call->out = (struct od_buf){.arena = call->cx.arena};
    answer(call, OD_FAIL(&call->cx, OD_REQUEST_LIMIT_EXCEEDED,
                         "More requests come than can be served: try it again"));
}

static struct od_job job_of(struct od_call *call)
{
    return (struct od_job){
        .apply = call->op->apply,
        .arg = call->request,
        .cx = &call->cx,
        .is_control = call->op->kind == OD_OP_CONTROL,
        .bytes = call->body.len,
        .user = call,
    };
}

static void finish_job(struct od_job *job)
{
    struct od_call *call = job->user;
    answer(call, job->status);
    call->done(call);
}

void od_api_submit(struct od_call *call)
{
    call->job = job_of(call);
    call->job.done = finish_job;
    od_engine_submit(call->engine, &call->job);
}

void od_api_call(struct od_call *call)
{
    switch (od_api_decode(call)) {
    case OD_NEXT_ANSWERED:
        return;
    case OD_NEXT_READ:
    case OD_NEXT_TRY_READ:
    case OD_NEXT_LONG_READ:
        od_api_run_read(call);
        return;
    case OD_NEXT_SUBMIT:
        call->job = job_of(call);
        answer(call, od_engine_run(call->engine, &call->job));
        return;
    }
    assert(false);
}

od_status od_api_envelope(od_ctx *cx, od_status fault)
{
    od_str words = cx->error;
    return OD_FAIL(cx, fault == OD_VALIDATION_ENVELOPED ? OD_VALIDATION : fault,
                   "1 validation error detected: %.*s", OD_STR_ARG(words));
}
