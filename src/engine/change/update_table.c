// UpdateTable: a changed copy of the table takes its place.
#include "engine/change/throughput.h"
#include "engine/change/update_checks.h"
#include "engine/engine_internal.h"
#include "engine/groups.h"

#include "base/clock.h"

#include <string.h>

// --- Settings -----------------------------------------------------------------------------------

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// What could be taken at once stays so when less is provisioned, and when the billing changes.
static struct od_throughput keep_warm(struct od_throughput warm, const struct od_table *table,
                                      struct od_throughput provisioned)
{
    bool on_demand = table->settings.billing == OD_BILLING_PAY_PER_REQUEST;
    struct od_throughput now =
        on_demand ? (struct od_throughput){OD_ON_DEMAND_READ, OD_ON_DEMAND_WRITE} : provisioned;
    return (struct od_throughput){
        .read_units = larger(warm.read_units, now.read_units),
        .write_units = larger(warm.write_units, now.write_units),
    };
}

static void keep_table_warm(struct od_table *table)
{
    struct od_table_settings *settings = &table->settings;
    struct od_throughput warm = {settings->warm_read_units, settings->warm_write_units};
    warm = keep_warm(warm, table, settings->throughput);
    settings->warm_read_units = warm.read_units;
    settings->warm_write_units = warm.write_units;
}

static void keep_index_warm(const struct od_table *table, struct od_index *index)
{
    index->warm = keep_warm(index->warm, table, index->throughput);
}

static void clear_ceilings(struct od_table *table)
{
    table->settings.max_read_request_units = -1;
    table->settings.max_write_request_units = -1;
    for (size_t i = 0; i < table->index_count; i++) {
        table->indexes[i].limits = (struct od_request_limits){0};
    }
}

static void set_billing(struct od_table *table, const struct od_update_table_job *job)
{
    if (!job->has_billing || job->billing == table->settings.billing) {
        return;
    }
    keep_table_warm(table);
    for (size_t i = 0; i < table->index_count; i++) {
        keep_index_warm(table, &table->indexes[i]);
    }
    table->settings.billing = job->billing;
    if (job->billing == OD_BILLING_PROVISIONED) {
        clear_ceilings(table);
        return;
    }
    table->on_demand_ms = od_clock_ms();
    table->settings.throughput = (struct od_throughput){0};
    for (size_t i = 0; i < table->index_count; i++) {
        table->indexes[i].throughput = (struct od_throughput){0};
    }
}

static void set_stream(struct od_table *table, const struct od_update_table_job *job)
{
    if (!job->has_stream) {
        return;
    }
    table->settings.stream_enabled = job->stream_enabled;
    table->settings.stream_view =
        job->stream_enabled ? od_arena_copy(table->arena, job->stream_view) : (od_str){0};
    if (job->stream_enabled) {
        // Its time is the stream's name, so no two streams of a table have the same.
        table->stream_ms = larger(od_clock_ms(), table->stream_ms + 1);
    }
}

static int64_t merge_limit(int64_t now, int64_t given)
{
    return given == OD_NOT_GIVEN ? now : given;
}

static void set_capacity(struct od_table *table, const struct od_update_table_job *job)
{
    struct od_table_settings *settings = &table->settings;
    if (job->has_throughput) {
        keep_table_warm(table);
        od_throughput_note(&table->throughput_log, settings->throughput, job->throughput);
        settings->throughput = job->throughput;
    }
    if (job->has_limits) {
        settings->max_read_request_units =
            merge_limit(settings->max_read_request_units, job->limits.max_read_units);
        settings->max_write_request_units =
            merge_limit(settings->max_write_request_units, job->limits.max_write_units);
    }
    if (job->has_warm && job->warm.read_units > 0) {
        settings->warm_read_units = job->warm.read_units;
    }
    if (job->has_warm && job->warm.write_units > 0) {
        settings->warm_write_units = job->warm.write_units;
    }
}

static void set_others(struct od_table *table, const struct od_update_table_job *job)
{
    struct od_table_settings *settings = &table->settings;
    if (job->has_protection) {
        settings->deletion_protection = job->deletion_protection;
    }
    if (job->table_class.ptr != NULL) {
        settings->table_class = od_arena_copy(table->arena, job->table_class);
        table->class_ms = od_clock_ms();
    }
    if (job->has_sse) {
        settings->sse_enabled = job->sse_enabled;
        settings->sse_key_arn = job->sse_key_arn.ptr == NULL
                                    ? job->sse_key_arn
                                    : od_arena_copy(table->arena, job->sse_key_arn);
    }
}

// --- Indexes ------------------------------------------------------------------------------------

static size_t index_number(const struct od_table *table, od_str name)
{
    size_t i = 0;
    while (!od_str_eq(table->indexes[i].name, name)) {
        i++;
    }
    return i;
}

static void add_index(struct od_table *table, const struct od_update_table_job *job,
                      const struct od_index_spec *spec)
{
    struct od_index *all = od_new_array(table->arena, struct od_index, table->index_count + 1);
    memcpy(all, table->indexes, table->index_count * sizeof(*all));
    struct od_index *added = &all[table->index_count];
    struct od_create_table_job types = {
        .engine = job->engine,
        .definitions = table->definitions,
        .definition_count = table->definition_count,
    };
    od_index_fill(&types, spec, false, table->arena, added);
    added->status = OD_TABLE_CREATING;
    table->indexes = all;
    table->index_count++;
}

static void drop_index(struct od_batch *batch, od_ctx *cx, struct od_table *table, od_str name)
{
    struct od_index *index = &table->indexes[index_number(table, name)];
    od_list_drop(batch, cx, index->group);
    od_batch_delete(batch, OD_GROUP_CATALOG, od_catalog_group_key(cx->arena, 'b', index->group));
    index->status = OD_TABLE_DELETING;
    index->backfilling = false;
}

static void update_index(struct od_table *table, const struct od_index_spec *spec)
{
    struct od_index *index = &table->indexes[index_number(table, spec->name)];
    if (spec->has_throughput) {
        keep_index_warm(table, index);
        od_throughput_note(&index->throughput_log, index->throughput, spec->throughput);
        index->throughput = spec->throughput;
    }
    index->limits.max_read_units =
        merge_limit(index->limits.max_read_units, spec->limits.max_read_units);
    index->limits.max_write_units =
        merge_limit(index->limits.max_write_units, spec->limits.max_write_units);
    index->warm.read_units = larger(index->warm.read_units, spec->warm.read_units);
    index->warm.write_units = larger(index->warm.write_units, spec->warm.write_units);
    if (index->status == OD_TABLE_ACTIVE) {
        index->status = OD_TABLE_UPDATING;
    }
}

static bool is_key_of_any(const struct od_table *table, od_str name)
{
    size_t position = 0;
    if (od_key_find(&table->schema, name, &position)) {
        return true;
    }
    for (size_t i = 0; i < table->index_count; i++) {
        if (od_key_find(&table->indexes[i].schema, name, &position)) {
            return true;
        }
    }
    return false;
}

static bool is_defined(const struct od_table *table, od_str name)
{
    for (size_t i = 0; i < table->definition_count; i++) {
        if (od_str_eq(table->definitions[i].name, name)) {
            return true;
        }
    }
    return false;
}

// An attribute that is defined already keeps its type.
static void add_definitions(struct od_table *table, const struct od_update_table_job *job)
{
    struct od_key_attr *all = od_new_array(table->arena, struct od_key_attr,
                                           table->definition_count + job->definition_count);
    memcpy(all, table->definitions, table->definition_count * sizeof(*all));
    table->definitions = all;
    for (size_t i = 0; i < job->definition_count; i++) {
        if (!is_defined(table, job->definitions[i].name)) {
            all[table->definition_count++] = (struct od_key_attr){
                .name = od_arena_copy(table->arena, job->definitions[i].name),
                .type = job->definitions[i].type,
            };
        }
    }
}

// Definitions that no key uses are dropped without a word.
static void trim_definitions(struct od_table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->definition_count; i++) {
        if (is_key_of_any(table, table->definitions[i].name)) {
            table->definitions[kept++] = table->definitions[i];
        }
    }
    table->definition_count = kept;
}

static void change_indexes(struct od_batch *batch, od_ctx *cx, struct od_table *table,
                           const struct od_update_table_job *job)
{
    add_definitions(table, job);
    for (size_t i = 0; i < job->index_change_count; i++) {
        const struct od_index_change *change = &job->index_changes[i];
        switch (change->kind) {
        case OD_INDEX_CREATE:
            add_index(table, job, &change->spec);
            break;
        case OD_INDEX_UPDATE:
            update_index(table, &change->spec);
            break;
        case OD_INDEX_DELETE:
            drop_index(batch, cx, table, change->spec.name);
            break;
        }
    }
    trim_definitions(table);
}

// --- After the answer ---------------------------------------------------------------------------

static void settle_indexes(struct od_table *table)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->index_count; i++) {
        struct od_index *index = &table->indexes[i];
        if (index->status == OD_TABLE_DELETING) {
            continue;
        }
        if (index->status == OD_TABLE_UPDATING) {
            index->status = OD_TABLE_ACTIVE;
        }
        if (kept != i) {
            memcpy(&table->indexes[kept], index, sizeof(*index));
        }
        kept++;
    }
    table->index_count = kept;
}

// The table as it is from now on, of one that is told as changing.
static struct od_table *settle(const struct od_table *changing)
{
    struct od_table *table = od_table_clone(changing);
    table->status = OD_TABLE_ACTIVE;
    settle_indexes(table);
    trim_definitions(table);
    return table;
}

// --- The job ------------------------------------------------------------------------------------

static void publish_updated(void *arg)
{
    const struct od_update_table_job *job = arg;
    od_catalog_publish(job->engine, settle(job->result));
    od_finish_listed_drops(job->engine);
    od_backfiller_wake(job->engine->backfiller);
}

static void change(struct od_batch *batch, od_ctx *cx, struct od_table *table,
                   const struct od_update_table_job *job)
{
    set_billing(table, job);
    set_capacity(table, job);
    set_stream(table, job);
    set_others(table, job);
    change_indexes(batch, cx, table, job);
    table->status = OD_TABLE_UPDATING;
}

static od_status update(struct od_batch *batch, od_ctx *cx, struct od_update_table_job *job,
                        const struct od_table *now)
{
    OD_TRY(od_check_update_table(cx, job, now));
    struct od_table *changing = od_table_clone(now);
    job->result = changing;
    change(batch, cx, changing, job);
    struct od_table *settled = settle(changing);
    od_put_table_row(batch, cx, settled, job->engine->next_group);
    od_table_release(settled);
    od_batch_on_commit(batch, publish_updated, job);
    return OD_OK;
}

od_status od_engine_apply_update_table(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct od_update_table_job *job = arg;
    const struct od_table *now = NULL;
    OD_TRY(od_table_acquire_described(job->engine, cx, job->table, &now));
    od_status status = update(batch, cx, job, now);
    od_table_release(now);
    return status;
}
