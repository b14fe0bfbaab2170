// TransactWriteItems: every action is planned on the state before the transaction, then all are
// executed in one batch, or none.
#include "engine/engine_internal.h"
#include "engine/txn/cancel.h"
#include "engine/txn/token.h"
#include "engine/write.h"

#include <string.h>

enum { PRICE_FACTOR = 2 };

od_status od_engine_check_transaction_size(od_ctx *cx, size_t bytes)
{
    if (bytes > OD_TRANSACTION_MAX_BYTES) {
        return OD_FAIL(cx, OD_VALIDATION, "Transaction size has exceeded the maximum allowed size");
    }
    return OD_OK;
}

// Opens all plans. What is wrong with the request fails it; what is wrong with an item becomes a
// reason to cancel, and of several only the first is told.
static od_status open_plans(od_ctx *cx, struct od_transact_write_job *job, struct od_plan *plans,
                            struct od_cancel *cancel)
{
    for (size_t i = 0; i < job->count; i++) {
        od_status status = od_plan_open(job->engine, cx, &job->actions[i], &plans[i]);
        if (status == OD_VALIDATION_ITEM) {
            od_cancel_add(cancel, i, status, cx);
        } else {
            OD_TRY(status);
        }
    }
    return OD_OK;
}

static bool same_item(const struct od_plan *a, const struct od_plan *b)
{
    return a->row_key.ptr != NULL && a->table->group == b->table->group &&
           od_str_eq(a->row_key, b->row_key);
}

static od_status check_distinct(od_ctx *cx, const struct od_plan *plans, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (same_item(&plans[i], &plans[j])) {
                return OD_FAIL(
                    cx, OD_VALIDATION,
                    "Transaction request cannot include multiple operations on one item");
            }
        }
    }
    return OD_OK;
}

static od_status read_plan(struct od_batch *batch, od_ctx *cx, struct od_plan *plan)
{
    OD_TRY(od_plan_read(batch, cx, plan));
    return od_plan_check_collection(batch, cx, plan);
}

static od_status read_plans(struct od_batch *batch, od_ctx *cx, struct od_plan *plans,
                            struct od_cancel *cancel)
{
    for (size_t i = 0; i < cancel->count; i++) {
        od_status status = read_plan(batch, cx, &plans[i]);
        if (status == OD_OK) {
            continue;
        }
        if (od_status_http(status) != 400) {
            return status;
        }
        od_cancel_add(cancel, i, status, cx);
    }
    return OD_OK;
}

static int64_t larger_size(const struct od_plan *plan)
{
    size_t after = od_item_exists(plan->new_item) ? od_item_size(plan->new_item) : 0;
    return (int64_t)(plan->old_size > after ? plan->old_size : after);
}

static od_status execute_plans(struct od_batch *batch, od_ctx *cx,
                               struct od_transact_write_job *job, const struct od_plan *plans)
{
    int64_t *sizes = od_new_array(cx->arena, int64_t, job->count);
    for (size_t i = 0; i < job->count; i++) {
        OD_TRY(od_plan_execute(batch, cx, &plans[i], &job->results[i]));
        job->results[i].capacity.table_halves *= PRICE_FACTOR;
        sizes[i] = larger_size(&plans[i]);
    }
    if (job->token.text.ptr != NULL) {
        od_token_bind(batch, cx, &job->token, sizes, job->count);
    }
    return OD_OK;
}

static od_status run_plans(struct od_batch *batch, od_ctx *cx, struct od_transact_write_job *job,
                           struct od_plan *plans)
{
    struct od_cancel cancel;
    od_cancel_init(&cancel, cx->arena, job->count);
    OD_TRY(open_plans(cx, job, plans, &cancel));
    OD_TRY(check_distinct(cx, plans, job->count));
    OD_TRY(od_cancel_status(&cancel, cx));
    OD_TRY(read_plans(batch, cx, plans, &cancel));
    OD_TRY(od_cancel_status(&cancel, cx));
    return execute_plans(batch, cx, job, plans);
}

static od_status transact(struct od_batch *batch, od_ctx *cx, struct od_transact_write_job *job)
{
    struct od_plan *plans = od_new_array(cx->arena, struct od_plan, job->count);
    od_status status = run_plans(batch, cx, job, plans);
    for (size_t i = 0; i < job->count; i++) {
        od_plan_clear(&plans[i]);
    }
    return status;
}

// A replay costs what reading the items costs, in a transaction.
static void charge_replay(struct od_transact_write_job *job, const int64_t *sizes)
{
    for (size_t i = 0; i < job->count; i++) {
        struct od_capacity *capacity = &job->results[i].capacity;
        capacity->table = job->actions[i].table;
        capacity->table_halves = PRICE_FACTOR * od_read_halves((size_t)sizes[i], true);
    }
}

od_status od_engine_apply_transact_write(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct od_transact_write_job *job = arg;
    if (job->token.text.ptr == NULL) {
        return transact(batch, cx, job);
    }
    int64_t *sizes = od_new_array(cx->arena, int64_t, job->count);
    OD_TRY(od_token_find(batch, cx, &job->token, sizes, job->count, &job->replayed));
    if (job->replayed) {
        charge_replay(job, sizes);
        return OD_OK;
    }
    OD_TRY(transact(batch, cx, job));
    return od_token_purge(job->engine, batch, cx);
}
