// CreateTable and DeleteTable, run by the committer.
#include "engine/change/update_checks.h"
#include "engine/engine_internal.h"
#include "engine/groups.h"

#include "base/clock.h"
#include "base/random.h"

#include <assert.h>
#include <string.h>

// --- Making a table from what was asked ----------------------------------------------------------

static enum od_type type_of(const struct od_create_table_job *job, od_str name)
{
    for (size_t i = 0; i < job->definition_count; i++) {
        if (od_str_eq(job->definitions[i].name, name)) {
            return job->definitions[i].type;
        }
    }
    assert(!"od_engine_check_create_table has seen to it");
    return OD_TYPE_S;
}

static void fill_schema(od_arena *arena, const struct od_create_table_job *job,
                        const struct od_key_element *keys, size_t count, struct od_key_schema *out)
{
    for (size_t i = 0; i < count; i++) {
        out->attrs[i].name = od_arena_copy(arena, keys[i].name);
        out->attrs[i].type = type_of(job, keys[i].name);
        bool is_hash = od_str_eq(keys[i].key_type, OD_STR("HASH"));
        out->hash_count += is_hash;
        out->range_count += !is_hash;
    }
}

static const od_str *copy_names(od_arena *arena, const od_str *names, size_t count)
{
    od_str *copy = od_new_array(arena, od_str, count);
    for (size_t i = 0; i < count; i++) {
        copy[i] = od_arena_copy(arena, names[i]);
    }
    return copy;
}

void od_index_fill(const struct od_create_table_job *job, const struct od_index_spec *spec,
                   bool is_local, od_arena *arena, struct od_index *out)
{
    out->name = od_arena_copy(arena, spec->name);
    out->is_local = is_local;
    out->projection = spec->projection;
    out->projected_names = copy_names(arena, spec->non_key_names, spec->non_key_count);
    out->projected_count = spec->non_key_count;
    out->throughput = spec->throughput;
    out->limits = (struct od_request_limits){
        .max_read_units = spec->limits.max_read_units > 0 ? spec->limits.max_read_units : 0,
        .max_write_units = spec->limits.max_write_units > 0 ? spec->limits.max_write_units : 0,
    };
    out->warm = spec->warm;
    out->group = job->engine->next_group++;
    fill_schema(arena, job, spec->keys, spec->key_count, &out->schema);
}

static void fill_indexes(const struct od_create_table_job *job, struct od_table *table)
{
    table->index_count = job->local_count + job->global_count;
    table->indexes = od_new_array(table->arena, struct od_index, table->index_count);
    for (size_t i = 0; i < job->local_count; i++) {
        od_index_fill(job, &job->local_indexes[i], true, table->arena, &table->indexes[i]);
    }
    for (size_t i = 0; i < job->global_count; i++) {
        od_index_fill(job, &job->global_indexes[i], false, table->arena,
                      &table->indexes[job->local_count + i]);
    }
}

static void fill_definitions(const struct od_create_table_job *job, struct od_table *table)
{
    table->definitions = od_new_array(table->arena, struct od_key_attr, job->definition_count);
    table->definition_count = job->definition_count;
    for (size_t i = 0; i < job->definition_count; i++) {
        table->definitions[i].name = od_arena_copy(table->arena, job->definitions[i].name);
        table->definitions[i].type = job->definitions[i].type;
    }
}

static od_str copy_optional(od_arena *arena, od_str s)
{
    return s.ptr == NULL ? s : od_arena_copy(arena, s);
}

static void fill_settings(const struct od_create_table_job *job, struct od_table *table)
{
    struct od_table_settings *settings = &table->settings;
    *settings = job->settings;
    settings->table_class = copy_optional(table->arena, settings->table_class);
    settings->stream_view = copy_optional(table->arena, settings->stream_view);
    settings->sse_key_arn = copy_optional(table->arena, settings->sse_key_arn);
    if (settings->billing == OD_BILLING_PAY_PER_REQUEST) {
        table->on_demand_ms = table->created_ms;
    }
    if (settings->stream_enabled) {
        table->stream_ms = table->created_ms;
    }
}

static void fill_tags(const struct od_create_table_job *job, struct od_table *table)
{
    table->tags = od_new_array(table->arena, struct od_tag, job->tag_count);
    for (size_t i = 0; i < job->tag_count; i++) {
        od_table_put_tag(table, job->tags[i]);
    }
}

static struct od_table *make_table(const struct od_create_table_job *job)
{
    struct od_table *table = od_table_create();
    table->name = od_arena_copy(table->arena, job->table);
    table->id = od_random_uuid(table->arena);
    table->created_ms = od_clock_ms();
    fill_schema(table->arena, job, job->keys, job->key_count, &table->schema);
    fill_definitions(job, table);
    fill_settings(job, table);
    fill_tags(job, table);
    table->group = job->engine->next_group++;
    fill_indexes(job, table);
    if (job->local_count > 0) {
        table->collection_group = job->engine->next_group++;
    }
    return table;
}

// --- Rows ---------------------------------------------------------------------------------------

od_str od_table_row_key(od_arena *arena, od_str name)
{
    struct od_buf key = {.arena = arena};
    od_buf_put_byte(&key, 't');
    od_buf_put(&key, name);
    return od_buf_str(&key);
}

void od_put_table_row(struct od_batch *batch, od_ctx *cx, const struct od_table *table,
                      od_group next_group)
{
    od_item row = od_catalog_row_encode(cx->arena, table);
    od_batch_put(batch, OD_GROUP_CATALOG, od_table_row_key(cx->arena, table->name),
                 (od_str){row.ptr, row.len});
    od_str next = od_arena_copy(cx->arena, (od_str){(const char *)&next_group, sizeof(next_group)});
    od_batch_put(batch, OD_GROUP_CATALOG, OD_STR("g"), next);
}

// --- CreateTable --------------------------------------------------------------------------------

static void publish_created(void *arg)
{
    struct od_create_table_job *job = arg;
    struct od_table *table = (struct od_table *)(uintptr_t)job->result;
    table->refs++; // one for the catalog, one for the caller
    od_catalog_publish(job->engine, table);
}

od_status od_engine_apply_create_table(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct od_create_table_job *job = arg;
    const struct od_table *same = od_catalog_find(job->engine, job->table);
    if (same != NULL) {
        od_table_release(same);
        return OD_FAIL(cx, OD_RESOURCE_IN_USE, "Table already exists: %.*s",
                       OD_STR_ARG(job->table));
    }
    if (od_catalog_count(job->engine) >= OD_MAX_TABLES) {
        return OD_FAIL(cx, OD_LIMIT_EXCEEDED,
                       "Subscriber limit exceeded: There is a limit of %d tables per subscriber",
                       OD_MAX_TABLES);
    }
    struct od_table *table = make_table(job);
    job->result = table;
    od_put_table_row(batch, cx, table, job->engine->next_group);
    od_batch_on_commit(batch, publish_created, job);
    return OD_OK;
}

// --- DeleteTable --------------------------------------------------------------------------------

static void finish_delete(void *arg)
{
    struct od_delete_table_job *job = arg;
    od_catalog_remove(job->engine, job->result->name);
    od_finish_listed_drops(job->engine);
}

od_status od_engine_apply_delete_table(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct od_delete_table_job *job = arg;
    OD_TRY(od_table_acquire_described(job->engine, cx, job->table, &job->result));
    OD_TRY(od_check_table_may_go(cx, job->result));
    if (job->result->settings.deletion_protection) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Resource cannot be deleted as it is currently protected against deletion. "
                       "Disable deletion protection first.");
    }
    od_list_drops(batch, cx, job->result);
    od_batch_delete(batch, OD_GROUP_CATALOG, od_table_row_key(cx->arena, job->result->name));
    od_batch_on_commit(batch, finish_delete, job);
    return OD_OK;
}
