#include "engine/write.h"

#include "engine/engine_internal.h"

#include <string.h>

// UpdateItem's 400 KB gate counts this much besides the item and its actions.
enum { UPDATE_BASE_COST = 3 };

void od_plan_clear(struct od_plan *plan)
{
    od_table_release(plan->table);
    plan->table = NULL;
}

// --- Opening ------------------------------------------------------------------------------------

struct key_search {
    const struct od_key_schema *schema;
    od_str found;
};

static bool find_key_name(void *arg, od_str name)
{
    struct key_search *search = arg;
    size_t position = 0;
    if (od_key_find(search->schema, name, &position)) {
        search->found = name;
        return false;
    }
    return true;
}

static od_status check_update_names(od_ctx *cx, const struct od_table *table,
                                    const struct od_update *update)
{
    struct key_search search = {.schema = &table->schema};
    od_update_names(update, find_key_name, &search);
    if (search.found.ptr == NULL) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION_ITEM,
                   "One or more parameter values were invalid: Cannot update attribute %.*s. This "
                   "attribute is part of the key",
                   OD_STR_ARG(search.found));
}

static od_status check_put(od_ctx *cx, struct od_plan *plan)
{
    const struct od_write_action *action = plan->action;
    OD_TRY(od_check_item(cx, plan->table, action->map, action->in_batch));
    // Before it is copied: a body may hold forty times as much.
    if (od_attributes_size(action->map) > OD_ITEM_MAX_BYTES) {
        return OD_FAIL(cx, OD_VALIDATION, "Item size has exceeded the maximum allowed size");
    }
    plan->new_item = od_item_pack(cx->arena, action->map);
    return OD_OK;
}

static od_status check_opened(od_ctx *cx, struct od_plan *plan)
{
    const struct od_write_action *action = plan->action;
    if (action->kind == OD_WRITE_PUT) {
        OD_TRY(check_put(cx, plan));
    } else {
        OD_TRY(od_check_key(cx, plan->table, action->map));
    }
    plan->row_key = od_row_key(cx->arena, &plan->table->schema, action->map);
    if (action->kind == OD_WRITE_UPDATE && action->update != NULL) {
        OD_TRY(check_update_names(cx, plan->table, action->update));
    }
    return OD_OK;
}

od_status od_plan_open(od_engine *engine, od_ctx *cx, const struct od_write_action *action,
                       struct od_plan *out)
{
    *out = (struct od_plan){.engine = engine, .action = action};
    OD_TRY(od_table_acquire(engine, cx, action->table, &out->table));
    return check_opened(cx, out);
}

// --- Reading ------------------------------------------------------------------------------------

static od_value map_of(od_item item)
{
    return od_item_exists(item) ? od_item_map(item) : (od_value){0};
}

static od_status condition_failed(od_ctx *cx, const struct od_plan *plan)
{
    od_status status = OD_FAIL(cx, OD_CONDITION_FAILED, "The conditional request failed");
    if (plan->action->return_old_on_failure && od_item_exists(plan->old_item)) {
        od_value *old = od_new(cx->arena, od_value);
        *old = od_item_map(plan->old_item);
        cx->error_detail = old;
    }
    return status;
}

static size_t key_bytes(const struct od_table *table, od_value map)
{
    size_t sum = 0;
    for (size_t i = 0; i < od_key_attr_count(&table->schema); i++) {
        od_str name = table->schema.attrs[i].name;
        sum += name.len + od_value_size(od_map_get(map, name));
    }
    return sum;
}

static od_status check_updated_size(od_ctx *cx, const struct od_plan *plan)
{
    size_t size = od_item_size(plan->new_item);
    if (plan->action->update != NULL && !plan->action->flat_size) {
        size_t gate = size - key_bytes(plan->table, od_item_map(plan->new_item)) +
                      UPDATE_BASE_COST + od_update_cost(plan->action->update);
        size = size > gate ? size : gate;
    }
    if (size > OD_ITEM_MAX_BYTES) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Item size to update has exceeded the maximum allowed size");
    }
    return OD_OK;
}

static od_status make_updated(od_ctx *cx, struct od_plan *plan)
{
    bool exists = od_item_exists(plan->old_item);
    if (!exists && plan->action->update != NULL && !od_update_makes_item(plan->action->update)) {
        return OD_OK;
    }
    od_value before = exists ? od_item_map(plan->old_item) : plan->action->map;
    od_value after = before;
    if (plan->action->update != NULL) {
        OD_TRY(od_update_apply(cx, plan->action->update, before, exists, &after));
    }
    plan->new_item = od_item_pack(cx->arena, after);
    OD_TRY(check_updated_size(cx, plan));
    return od_check_updated(cx, plan->table, map_of(plan->old_item), after);
}

static od_str collection_key(od_arena *arena, const struct od_plan *plan)
{
    const struct od_key_schema *schema = &plan->table->schema;
    od_value partition = od_map_get(plan->action->map, schema->attrs[0].name);
    struct od_buf key = {.arena = arena};
    od_key_put_partition(&key, &partition, 1);
    return od_buf_str(&key);
}

static od_status read_collection(struct od_batch *batch, od_ctx *cx, const struct od_plan *plan,
                                 int64_t *out)
{
    od_str row = {0};
    OD_TRY(od_batch_get(batch, cx, plan->table->collection_group, collection_key(cx->arena, plan),
                        &row));
    *out = 0;
    if (row.len == sizeof(*out)) {
        memcpy(out, row.ptr, sizeof(*out));
    }
    return OD_OK;
}

static int64_t item_bytes(od_item item)
{
    return od_item_exists(item) ? (int64_t)od_item_size(item) : 0;
}

// Of the item and of its entries in local indexes.
static int64_t bytes_in_collection(od_arena *arena, const struct od_plan *plan, od_item item)
{
    int64_t bytes = item_bytes(item);
    for (size_t i = 0; i < plan->table->index_count; i++) {
        const struct od_index *index = &plan->table->indexes[i];
        if (index->is_local) {
            bytes += item_bytes(od_index_entry_of(arena, plan->table, index, item).item);
        }
    }
    return bytes;
}

od_status od_plan_check_collection(struct od_batch *batch, od_ctx *cx, const struct od_plan *plan)
{
    int64_t limit = plan->engine->limits.collection_bytes;
    int64_t most = item_bytes(plan->new_item) * (1 + (int64_t)plan->table->index_count);
    if (!od_table_has_local_index(plan->table) || most == 0) {
        return OD_OK;
    }
    int64_t size = 0;
    OD_TRY(read_collection(batch, cx, plan, &size));
    if (size + most <= limit) {
        return OD_OK;
    }
    int64_t growth = bytes_in_collection(cx->arena, plan, plan->new_item) -
                     bytes_in_collection(cx->arena, plan, plan->old_item);
    if (growth > 0 && size + growth > limit) {
        return OD_FAIL(cx, OD_COLLECTION_TOO_LARGE, "Collection size exceeded.");
    }
    return OD_OK;
}

// A put that nobody asks what it replaces.
static bool needs_old_item(const struct od_plan *plan)
{
    const struct od_write_action *action = plan->action;
    return action->kind != OD_WRITE_PUT || action->condition != NULL || action->insert_only ||
           action->wants_old || plan->table->index_count > 0;
}

static od_status read_old_item(struct od_batch *batch, od_ctx *cx, struct od_plan *plan)
{
    od_group group = plan->table->group;
    if (!needs_old_item(plan) && od_batch_item_size(batch, group, plan->row_key, &plan->old_size)) {
        return OD_OK;
    }
    od_str row = {0};
    OD_TRY(od_batch_get(batch, cx, group, plan->row_key, &row));
    plan->old_item = (od_item){row.ptr, row.len};
    plan->old_size = (size_t)item_bytes(plan->old_item);
    return OD_OK;
}

od_status od_plan_read(struct od_batch *batch, od_ctx *cx, struct od_plan *plan)
{
    OD_TRY(read_old_item(batch, cx, plan));
    if (plan->action->insert_only && od_item_exists(plan->old_item)) {
        return OD_FAIL(cx, OD_DUPLICATE_ITEM, "Duplicate primary key exists in table");
    }
    const struct od_condition *condition = plan->action->condition;
    if (condition != NULL && !od_condition_match(condition, map_of(plan->old_item))) {
        return condition_failed(cx, plan);
    }
    return plan->action->kind == OD_WRITE_UPDATE ? make_updated(cx, plan) : OD_OK;
}

// --- Executing ----------------------------------------------------------------------------------

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void charge_index(od_ctx *cx, const struct od_index *index, const struct od_index_entry *old,
                         const struct od_index_entry *new, struct od_write_result *out)
{
    int64_t halves = 0;
    if (old->key.ptr != NULL && new->key.ptr != NULL && od_str_eq(old->key, new->key)) {
        halves = od_write_halves(larger(od_item_size(old->item), od_item_size(new->item)));
    } else {
        halves += old->key.ptr == NULL ? 0 : od_write_halves(od_item_size(old->item));
        halves += new->key.ptr == NULL ? 0 : od_write_halves(od_item_size(new->item));
    }
    od_capacity_charge(&out->capacity, cx->arena, index, halves);
}

static bool same_bytes(od_item a, od_item b)
{
    return od_str_eq((od_str){a.ptr, a.len}, (od_str){b.ptr, b.len});
}

// What the index holds of the old item. An index that is being filled may not have come to it yet.
static od_status stats_held(struct od_batch *batch, od_ctx *cx, const struct od_index *index,
                            const struct od_index_entry *old, struct od_stats *out)
{
    *out = (struct od_stats){0};
    if (old->key.ptr == NULL) {
        return OD_OK;
    }
    if (index->status == OD_TABLE_CREATING) {
        od_str there = {0};
        OD_TRY(od_batch_get(batch, cx, index->group, old->key, &there));
        if (there.ptr == NULL) {
            return OD_OK;
        }
    }
    *out = (struct od_stats){.item_count = 1, .size_bytes = item_bytes(old->item)};
    return OD_OK;
}

// `growth`: by how many bytes the index grew.
static od_status write_index(struct od_batch *batch, od_ctx *cx, const struct od_plan *plan,
                             size_t i, struct od_write_result *out, int64_t *growth)
{
    *growth = 0;
    const struct od_index *index = &plan->table->indexes[i];
    struct od_index_entry old = od_index_entry_of(cx->arena, plan->table, index, plan->old_item);
    struct od_index_entry new = od_index_entry_of(cx->arena, plan->table, index, plan->new_item);
    bool same_key = od_str_eq(old.key, new.key);
    if (same_key && (old.key.ptr == NULL || same_bytes(old.item, new.item))) {
        return OD_OK;
    }
    struct od_stats held = {0};
    OD_TRY(stats_held(batch, cx, index, &old, &held));
    if (old.key.ptr != NULL && !same_key) {
        od_batch_delete(batch, index->group, old.key);
    }
    if (new.key.ptr != NULL) {
        od_batch_put(batch, index->group, new.key, (od_str){new.item.ptr, new.item.len});
    }
    struct od_stats change = {
        .item_count = (new.key.ptr != NULL) - held.item_count,
        .size_bytes = item_bytes(new.item) - held.size_bytes,
    };
    od_batch_count(batch, plan->table, (int)i, change);
    charge_index(cx, index, &old, &new, out);
    *growth = change.size_bytes;
    return OD_OK;
}

static void write_item(struct od_batch *batch, const struct od_plan *plan, size_t new_size)
{
    od_group group = plan->table->group;
    if (new_size > 0) {
        od_batch_put(batch, group, plan->row_key, (od_str){plan->new_item.ptr, plan->new_item.len});
    } else if (plan->old_size > 0) {
        od_batch_delete(batch, group, plan->row_key);
    }
    od_batch_note_item_size(batch, group, plan->row_key, new_size);
    struct od_stats change = {
        .item_count = (new_size > 0) - (plan->old_size > 0),
        .size_bytes = (int64_t)new_size - (int64_t)plan->old_size,
    };
    od_batch_count(batch, plan->table, -1, change);
}

static od_status write_collection(struct od_batch *batch, od_ctx *cx, const struct od_plan *plan,
                                  int64_t growth, struct od_collection *out)
{
    int64_t size = 0;
    OD_TRY(read_collection(batch, cx, plan, &size));
    size += growth;
    od_str key = collection_key(cx->arena, plan);
    if (size > 0) {
        od_str row = od_arena_copy(cx->arena, (od_str){(const char *)&size, sizeof(size)});
        od_batch_put(batch, plan->table->collection_group, key, row);
    } else {
        od_batch_delete(batch, plan->table->collection_group, key);
    }
    od_str name = plan->table->schema.attrs[0].name;
    *out = (struct od_collection){
        .partition_name = od_arena_copy(cx->arena, name),
        .partition = od_map_get(plan->action->map, name),
        .size_bytes = size,
    };
    return OD_OK;
}

od_status od_plan_execute(struct od_batch *batch, od_ctx *cx, const struct od_plan *plan,
                          struct od_write_result *out)
{
    out->old_map = map_of(plan->old_item);
    out->new_map = map_of(plan->new_item);
    out->capacity.table = plan->action->table;
    size_t new_size = (size_t)item_bytes(plan->new_item);
    od_capacity_charge(&out->capacity, cx->arena, NULL,
                       od_write_halves(larger(plan->old_size, new_size)));
    if (plan->action->kind == OD_WRITE_CHECK) {
        return OD_OK;
    }
    write_item(batch, plan, new_size);
    int64_t growth = (int64_t)new_size - (int64_t)plan->old_size;
    for (size_t i = 0; i < plan->table->index_count; i++) {
        int64_t index_growth = 0;
        OD_TRY(write_index(batch, cx, plan, i, out, &index_growth));
        growth += plan->table->indexes[i].is_local ? index_growth : 0;
    }
    if (!od_table_has_local_index(plan->table)) {
        return OD_OK;
    }
    return write_collection(batch, cx, plan, growth, &out->collection);
}

// --- Jobs ---------------------------------------------------------------------------------------

static od_status run_plan(struct od_batch *batch, od_ctx *cx, struct od_plan *plan,
                          struct od_write_result *out)
{
    OD_TRY(od_plan_read(batch, cx, plan));
    OD_TRY(od_plan_check_collection(batch, cx, plan));
    return od_plan_execute(batch, cx, plan, out);
}

od_status od_engine_apply_write(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct od_write_job *job = arg;
    struct od_plan plan;
    od_status status = od_plan_open(job->engine, cx, &job->action, &plan);
    if (status == OD_OK) {
        status = run_plan(batch, cx, &plan, &job->result);
    }
    od_plan_clear(&plan);
    return status;
}

// Everything that can be wrong with a member, before any is written.
static od_status check_all(struct od_batch *batch, od_ctx *cx, struct od_batch_write_job *job,
                           struct od_plan *plans)
{
    for (size_t i = 0; i < job->count; i++) {
        OD_TRY(od_plan_open(job->engine, cx, &job->actions[i], &plans[i]));
    }
    for (size_t i = 0; i < job->count; i++) {
        if (od_table_has_local_index(plans[i].table)) {
            OD_TRY(od_plan_read(batch, cx, &plans[i]));
            OD_TRY(od_plan_check_collection(batch, cx, &plans[i]));
        }
    }
    return OD_OK;
}

// Each member is read after the ones before it were written: two may name one item, since number
// keys count as different when they are written differently.
static od_status run_all(struct od_batch *batch, od_ctx *cx, struct od_batch_write_job *job,
                         struct od_plan *plans)
{
    OD_TRY(check_all(batch, cx, job, plans));
    for (size_t i = 0; i < job->count; i++) {
        OD_TRY(od_plan_read(batch, cx, &plans[i]));
        OD_TRY(od_plan_execute(batch, cx, &plans[i], &job->results[i]));
    }
    return OD_OK;
}

od_status od_engine_apply_batch_write(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct od_batch_write_job *job = arg;
    struct od_plan *plans = od_new_array(cx->arena, struct od_plan, job->count);
    od_status status = run_all(batch, cx, job, plans);
    for (size_t i = 0; i < job->count; i++) {
        od_plan_clear(&plans[i]);
    }
    return status;
}
