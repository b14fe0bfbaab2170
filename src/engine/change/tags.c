#include "engine/engine_internal.h"

#include <string.h>

static bool is_removed(const struct od_tag_job *job, od_str key)
{
    for (size_t i = 0; i < job->remove_count; i++) {
        if (od_str_eq(job->remove[i], key)) {
            return true;
        }
    }
    return false;
}

static void change_tags(const struct od_tag_job *job, struct od_table *table)
{
    struct od_tag *old = table->tags;
    size_t old_count = table->tag_count;
    table->tags = od_new_array(table->arena, struct od_tag, old_count + job->add_count);
    table->tag_count = 0;
    for (size_t i = 0; i < old_count; i++) {
        if (!is_removed(job, old[i].key)) {
            od_table_put_tag(table, old[i]);
        }
    }
    for (size_t i = 0; i < job->add_count; i++) {
        od_table_put_tag(table, job->add[i]);
    }
}

static void publish_tagged(void *arg)
{
    const struct od_tag_job *job = arg;
    struct od_table *table = (struct od_table *)(uintptr_t)job->result;
    table->refs++; // one for the catalog, one for the caller
    od_catalog_publish(job->engine, table);
}

od_status od_engine_apply_tags(struct od_batch *batch, od_ctx *cx, void *arg)
{
    struct od_tag_job *job = arg;
    const struct od_table *now = NULL;
    OD_TRY(od_table_acquire_tagged(job->engine, cx, job->arn, &now));
    struct od_table *table = od_table_clone(now);
    od_table_release(now);
    job->result = table;
    change_tags(job, table);
    if (table->tag_count > OD_MAX_TAGS) {
        return OD_FAIL(
            cx, OD_VALIDATION,
            "One or more parameter values were invalid: Too many tags: a resource has at "
            "most %d tags",
            OD_MAX_TAGS);
    }
    od_put_table_row(batch, cx, table, job->engine->next_group);
    od_batch_on_commit(batch, publish_tagged, job);
    return OD_OK;
}
