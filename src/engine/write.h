// One write of one item in two steps: a plan, which reads and checks and may fail, and its
// execution, which only writes. Operations on several items plan them all first.
#ifndef OD_ENGINE_WRITE_H
#define OD_ENGINE_WRITE_H

#include "engine/commit.h"

struct od_plan {
    const od_engine *engine;
    const struct od_write_action *action;
    const struct od_table *table; // a reference; od_plan_clear gives it back
    od_str row_key;
    od_item old_item; // not read when a put has no use for it but its size
    size_t old_size;  // 0 when there is no item
    od_item new_item;
};

// What needs the table but no stored data: that it exists, keys, types, the size of a put item.
od_status od_plan_open(od_engine *engine, od_ctx *cx, const struct od_write_action *action,
                       struct od_plan *out);
// What needs the stored item: reads it, evaluates the condition, makes the new item, checks it.
od_status od_plan_read(struct od_batch *batch, od_ctx *cx, struct od_plan *plan);
// That the item does not make its collection, in a table with local indexes, larger than 10 GB.
// What shrinks passes.
od_status od_plan_check_collection(struct od_batch *batch, od_ctx *cx, const struct od_plan *plan);
// Writes the item and its index rows, counts, and fills in the result. Fails only when the store
// does.
od_status od_plan_execute(struct od_batch *batch, od_ctx *cx, const struct od_plan *plan,
                          struct od_write_result *out);
void od_plan_clear(struct od_plan *plan);

#endif
