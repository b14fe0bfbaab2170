// TransactGetItems: all items as of one moment.
#include "engine/engine_internal.h"
#include "engine/txn/cancel.h"

enum { PRICE_FACTOR = 2 };

// One item to be read.
struct target {
    const struct od_table *table; // a reference
    od_str row_key;               // {NULL, 0}: the key does not fit the table
};

static od_status open_target(od_engine *engine, od_ctx *cx, const struct od_get *get,
                             struct target *out)
{
    OD_TRY(od_table_acquire(engine, cx, get->table, &out->table));
    OD_TRY(od_check_key(cx, out->table, get->key));
    out->row_key = od_row_key(cx->arena, &out->table->schema, get->key);
    return OD_OK;
}

static od_status check_distinct(od_ctx *cx, const struct target *targets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (targets[i].row_key.ptr != NULL &&
                targets[i].table->group == targets[j].table->group &&
                od_str_eq(targets[i].row_key, targets[j].row_key)) {
                return OD_FAIL(
                    cx, OD_VALIDATION,
                    "Transaction request cannot include multiple operations on one item");
            }
        }
    }
    return OD_OK;
}

static od_status open_targets(od_engine *engine, od_ctx *cx, const struct od_get *gets,
                              struct target *targets, size_t count)
{
    struct od_cancel cancel;
    od_cancel_init(&cancel, cx->arena, count);
    for (size_t i = 0; i < count; i++) {
        od_status status = open_target(engine, cx, &gets[i], &targets[i]);
        if (status == OD_VALIDATION_ITEM) {
            od_cancel_add(&cancel, i, status, cx);
        } else {
            OD_TRY(status);
        }
    }
    OD_TRY(check_distinct(cx, targets, count));
    return od_cancel_status(&cancel, cx);
}

static od_status read_target(od_engine *engine, od_ctx *cx, od_snapshot *snapshot,
                             const struct target *target, struct od_get_result *out, size_t *bytes)
{
    od_str row = {0};
    OD_TRY(engine->ops->get(engine->store, cx, snapshot, target->table->group, &target->row_key, 1,
                            &row));
    size_t size = 0;
    if (row.ptr != NULL) {
        od_item item = {row.ptr, row.len};
        out->map = od_item_map(item);
        size = od_item_size(item);
    }
    out->capacity.table_halves = PRICE_FACTOR * od_read_halves(size, true);
    *bytes += size;
    return od_engine_check_transaction_size(cx, *bytes);
}

static od_status read_targets(od_engine *engine, od_ctx *cx, const struct target *targets,
                              struct od_get_result *results, size_t count)
{
    od_snapshot *snapshot = NULL;
    OD_TRY(engine->ops->snapshot_open(engine->store, cx, &snapshot));
    od_status status = OD_OK;
    size_t bytes = 0;
    for (size_t i = 0; i < count && status == OD_OK; i++) {
        status = read_target(engine, cx, snapshot, &targets[i], &results[i], &bytes);
    }
    engine->ops->snapshot_close(engine->store, snapshot);
    return status;
}

od_status od_engine_transact_get(od_engine *engine, od_ctx *cx, const struct od_get *gets,
                                 size_t count, struct od_get_result *results)
{
    struct target *targets = od_new_array(cx->arena, struct target, count);
    od_status status = open_targets(engine, cx, gets, targets, count);
    if (status == OD_OK) {
        status = read_targets(engine, cx, targets, results, count);
    }
    for (size_t i = 0; i < count; i++) {
        results[i].capacity.table = gets[i].table;
        od_table_release(targets[i].table);
    }
    return status;
}
