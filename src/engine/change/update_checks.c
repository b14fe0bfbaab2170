#include "engine/change/update_checks.h"

#include "engine/change/throughput.h"
#include "engine/engine_internal.h"

#define INVALID "One or more parameter values were invalid: "

// More than any request needs, and few enough to be compared with each other.
enum {
    MAX_CHANGED_INDEXES = 2 * OD_MAX_GLOBAL_INDEXES,
    MAX_DEFINITIONS = OD_KEY_MAX_ATTRS * (OD_MAX_INDEXES + 1),
};

static bool has_change_of(const struct od_update_table_job *job, bool online)
{
    for (size_t i = 0; i < job->index_change_count; i++) {
        if ((job->index_changes[i].kind != OD_INDEX_UPDATE) == online) {
            return true;
        }
    }
    return false;
}

// What the class of a table does not change with.
static bool asks_besides_class(const struct od_update_table_job *job)
{
    return job->has_billing || job->has_throughput || job->has_protection || job->has_sse ||
           job->has_stream || job->has_limits || job->has_warm || job->index_change_count > 0;
}

static od_status check_asks(od_ctx *cx, const struct od_update_table_job *job)
{
    if (job->table_class.ptr != NULL || asks_besides_class(job)) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
                   "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
}

static od_status check_indexes_differ(od_ctx *cx, const struct od_update_table_job *job)
{
    for (size_t i = 0; i < job->index_change_count; i++) {
        for (size_t j = 0; j < i; j++) {
            od_str name = job->index_changes[i].spec.name;
            if (od_str_eq(name, job->index_changes[j].spec.name)) {
                return OD_FAIL(cx, OD_VALIDATION,
                               INVALID "Only one global secondary index update per index is "
                                       "allowed simultaneously. Index: %.*s",
                               OD_STR_ARG(name));
            }
        }
    }
    return OD_OK;
}

static od_status check_counts(od_ctx *cx, const struct od_update_table_job *job)
{
    if (job->index_change_count > MAX_CHANGED_INDEXES) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "GlobalSecondaryIndexUpdates holds more than %d updates",
                       MAX_CHANGED_INDEXES);
    }
    if (job->definition_count > MAX_DEFINITIONS) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "AttributeDefinitions holds more than %d attributes",
                       MAX_DEFINITIONS);
    }
    return OD_OK;
}

// DynamoDB takes more things together than its guide says; these it does not.
static od_status check_one_kind(od_ctx *cx, const struct od_update_table_job *job)
{
    if (job->table_class.ptr != NULL && asks_besides_class(job)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "TableClass modification must be the only operation in the request");
    }
    bool throughput = job->has_throughput || has_change_of(job, false);
    if (throughput && has_change_of(job, true)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "Throughput, and which global secondary indexes there are, can not "
                               "be changed in the same request");
    }
    return OD_OK;
}

static od_status check_stream_view(od_ctx *cx, const struct od_update_table_job *job)
{
    if (job->has_stream && !job->stream_enabled && job->stream_view.ptr != NULL) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "If stream is being disabled, then UpdateViewType must not be "
                               "specified");
    }
    if (job->stream_enabled && job->stream_view.ptr == NULL) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "StreamViewType must be specified when a stream is enabled");
    }
    return OD_OK;
}

od_status od_engine_check_update_table(od_ctx *cx, const struct od_update_table_job *job)
{
    OD_TRY(check_asks(cx, job));
    OD_TRY(check_counts(cx, job));
    OD_TRY(check_indexes_differ(cx, job));
    OD_TRY(check_stream_view(cx, job));
    return check_one_kind(cx, job);
}

// --- States -------------------------------------------------------------------------------------

static od_status still_in_use(od_ctx *cx, const struct od_table *table)
{
    return OD_FAIL(cx, OD_RESOURCE_IN_USE,
                   "Attempt to change a resource which is still in use: Table is being updated: "
                   "%.*s",
                   OD_STR_ARG(table->name));
}

static bool is_filling(const struct od_table *table)
{
    for (size_t i = 0; i < table->index_count; i++) {
        if (table->indexes[i].status == OD_TABLE_CREATING) {
            return true;
        }
    }
    return false;
}

od_status od_check_table_may_go(od_ctx *cx, const struct od_table *table)
{
    if (od_table_is_allocating(table)) {
        return still_in_use(cx, table);
    }
    if (is_filling(table)) {
        return OD_FAIL(cx, OD_RESOURCE_IN_USE,
                       "Attempt to change a resource which is still in use: Cannot delete table "
                       "while indexes are being created, updated, or deleted.");
    }
    return OD_OK;
}

static od_status check_not_allocating(od_ctx *cx, const struct od_update_table_job *job,
                                      const struct od_table *now)
{
    if (!od_table_is_allocating(now)) {
        return OD_OK;
    }
    for (size_t i = 0; i < job->index_change_count; i++) {
        const struct od_index_change *change = &job->index_changes[i];
        const struct od_index *index = od_table_index(now, change->spec.name);
        if (change->kind == OD_INDEX_DELETE && index != NULL &&
            index->status == OD_TABLE_CREATING) {
            return OD_FAIL(
                cx, OD_RESOURCE_IN_USE,
                "Attempt to change a resource which is still in use: Index creation is in resource "
                "allocation phase. Retry deletion during backfilling phase or when the index is "
                "active. Table: %.*s Index: %.*s",
                OD_STR_ARG(now->name), OD_STR_ARG(index->name));
        }
    }
    return still_in_use(cx, now);
}

// --- Capacity -----------------------------------------------------------------------------------

static enum od_billing_mode billing_after(const struct od_update_table_job *job,
                                          const struct od_table *now)
{
    return job->has_billing ? job->billing : now->settings.billing;
}

static bool gets_throughput(const struct od_update_table_job *job, od_str index)
{
    for (size_t i = 0; i < job->index_change_count; i++) {
        const struct od_index_change *change = &job->index_changes[i];
        if (od_str_eq(change->spec.name, index)) {
            return change->spec.has_throughput || change->kind == OD_INDEX_DELETE;
        }
    }
    return false;
}

static od_status check_to_provisioned(od_ctx *cx, const struct od_update_table_job *job,
                                      const struct od_table *now)
{
    if (!job->has_throughput) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID
                       "ReadCapacityUnits and WriteCapacityUnits must both be specified when "
                       "BillingMode is PROVISIONED");
    }
    for (size_t i = 0; i < now->index_count; i++) {
        const struct od_index *index = &now->indexes[i];
        if (!index->is_local && !gets_throughput(job, index->name)) {
            return OD_FAIL(cx, OD_VALIDATION,
                           INVALID "ProvisionedThroughput must be specified for index: %.*s",
                           OD_STR_ARG(index->name));
        }
    }
    return OD_OK;
}

static od_status check_throughput(od_ctx *cx, const struct od_update_table_job *job,
                                  const struct od_table *now)
{
    bool on_demand = billing_after(job, now) == OD_BILLING_PAY_PER_REQUEST;
    if (on_demand && job->has_throughput) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
                               "when BillingMode is PAY_PER_REQUEST");
    }
    if (!on_demand && now->settings.billing == OD_BILLING_PAY_PER_REQUEST) {
        return check_to_provisioned(cx, job, now);
    }
    const struct od_throughput_place place = {
        .kind = "table",
        .now = now->settings.throughput,
        .log = &now->throughput_log,
    };
    return job->has_throughput ? od_throughput_check(cx, &place, job->throughput) : OD_OK;
}

static od_status check_limits(od_ctx *cx, const struct od_update_table_job *job,
                              const struct od_table *now)
{
    bool on_demand = billing_after(job, now) == OD_BILLING_PAY_PER_REQUEST;
    return job->has_limits ? od_limits_check(cx, OD_STR("table"), job->limits, on_demand, true)
                           : OD_OK;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// What a table or an index can take at once today, which can only become more.
static struct od_throughput warm_now(const struct od_table *table, struct od_throughput throughput,
                                     struct od_throughput warm)
{
    bool on_demand = table->settings.billing == OD_BILLING_PAY_PER_REQUEST;
    return (struct od_throughput){
        .read_units =
            larger(on_demand ? OD_ON_DEMAND_READ : throughput.read_units, warm.read_units),
        .write_units =
            larger(on_demand ? OD_ON_DEMAND_WRITE : throughput.write_units, warm.write_units),
    };
}

static od_status check_warm_unit(od_ctx *cx, const char *kind, od_str place, int64_t asked,
                                 int64_t now)
{
    if (asked == 0 || asked >= now) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   INVALID
                   "Requested %sUnitsPerSecond for WarmThroughput for %.*s is lower than its "
                   "current value %lld",
                   kind, OD_STR_ARG(place), (long long)now);
}

static od_status check_warm(od_ctx *cx, od_str place, struct od_throughput asked,
                            struct od_throughput now)
{
    OD_TRY(check_warm_unit(cx, "Read", place, asked.read_units, now.read_units));
    return check_warm_unit(cx, "Write", place, asked.write_units, now.write_units);
}

static od_status check_table_warm(od_ctx *cx, const struct od_update_table_job *job,
                                  const struct od_table *now)
{
    struct od_throughput warm = {now->settings.warm_read_units, now->settings.warm_write_units};
    return check_warm(cx, OD_STR("table"), job->warm,
                      warm_now(now, now->settings.throughput, warm));
}

// --- Stream -------------------------------------------------------------------------------------

static od_status check_stream(od_ctx *cx, const struct od_update_table_job *job,
                              const struct od_table *now)
{
    if (!job->has_stream) {
        return OD_OK;
    }
    if (job->stream_enabled && now->settings.stream_enabled) {
        return OD_FAIL(cx, OD_VALIDATION, "Table already has an enabled stream: TableName: %.*s",
                       OD_STR_ARG(now->name));
    }
    if (!job->stream_enabled && !now->settings.stream_enabled) {
        return OD_FAIL(cx, OD_VALIDATION, "Table has no stream to disable");
    }
    return OD_OK;
}

// --- Encryption ---------------------------------------------------------------------------------

static od_status check_encryption(od_ctx *cx, const struct od_update_table_job *job,
                                  const struct od_table *now)
{
    if (!job->has_sse || !job->sse_enabled || !now->settings.sse_enabled) {
        return OD_OK;
    }
    od_str key = od_table_key_arn(cx->arena, now->settings.sse_key_arn);
    if (!od_str_eq(key, od_table_key_arn(cx->arena, job->sse_key_arn))) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   INVALID "Table is already encrypted with given KMSMasterKeyId. Use "
                           "KMSMasterKeyId parameter if you want to change Master Key");
}

// --- Indexes ------------------------------------------------------------------------------------

static od_status one_at_a_time(od_ctx *cx)
{
    return OD_FAIL(cx, OD_LIMIT_EXCEEDED,
                   "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                   "simultaneously per table");
}

static size_t count_global(const struct od_table *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->index_count; i++) {
        count += !table->indexes[i].is_local;
    }
    return count;
}

static size_t count_projected(const struct od_table *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->index_count; i++) {
        count += table->indexes[i].projected_count;
    }
    return count;
}

static od_status no_throughput_on_demand(od_ctx *cx, od_str index)
{
    return OD_FAIL(cx, OD_VALIDATION,
                   INVALID "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for "
                           "index: %.*s when BillingMode is PAY_PER_REQUEST",
                   OD_STR_ARG(index));
}

// CreateTable says the same in other words.
static od_status check_new_throughput(od_ctx *cx, const struct od_update_table_job *job,
                                      const struct od_table *now, const struct od_index_spec *spec)
{
    bool on_demand = billing_after(job, now) == OD_BILLING_PAY_PER_REQUEST;
    if (on_demand) {
        return spec->has_throughput ? no_throughput_on_demand(cx, spec->name) : OD_OK;
    }
    if (!spec->has_throughput) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "Both ReadCapacityUnits and WriteCapacityUnits must be specified "
                               "for index: %.*s",
                       OD_STR_ARG(spec->name));
    }
    return OD_OK;
}

static od_status check_create_index(od_ctx *cx, const struct od_update_table_job *job,
                                    const struct od_table *now, const struct od_index_spec *spec)
{
    if (od_table_index(now, spec->name) != NULL) {
        return OD_FAIL(cx, OD_VALIDATION, "Attempting to create an index which already exists");
    }
    if (is_filling(now)) {
        return one_at_a_time(cx);
    }
    if (count_global(now) >= OD_MAX_GLOBAL_INDEXES) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "GlobalSecondaryIndex count exceeds the per-table limit of %d",
                       OD_MAX_GLOBAL_INDEXES);
    }
    if (count_projected(now) + spec->non_key_count > OD_MAX_PROJECTED_NAMES) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID
                       "The number of NonKeyAttributes over all secondary indexes exceeds the "
                       "per-table limit of %d",
                       OD_MAX_PROJECTED_NAMES);
    }
    struct od_create_table_job as_created = {
        .definitions = job->definitions,
        .definition_count = job->definition_count,
        .settings = {.billing = billing_after(job, now)},
    };
    OD_TRY(od_check_global_index(cx, &as_created, spec));
    OD_TRY(check_new_throughput(cx, job, now, spec));
    return od_check_index_capacity(cx, &as_created, spec);
}

static od_status check_index_throughput(od_ctx *cx, const struct od_update_table_job *job,
                                        const struct od_table *now, const struct od_index *index,
                                        const struct od_index_spec *spec)
{
    if (!spec->has_throughput) {
        return OD_OK;
    }
    if (billing_after(job, now) == OD_BILLING_PAY_PER_REQUEST) {
        return no_throughput_on_demand(cx, index->name);
    }
    const struct od_throughput_place place = {
        .kind = "index",
        .name = index->name,
        .now = index->throughput,
        .log = &index->throughput_log,
    };
    return od_throughput_check(cx, &place, spec->throughput);
}

static bool asks_of_index(const struct od_index_spec *spec)
{
    return spec->has_throughput || spec->limits.max_read_units != OD_NOT_GIVEN ||
           spec->limits.max_write_units != OD_NOT_GIVEN || spec->warm.read_units != 0 ||
           spec->warm.write_units != 0;
}

static od_status check_update_index(od_ctx *cx, const struct od_update_table_job *job,
                                    const struct od_table *now, const struct od_index *index,
                                    const struct od_index_spec *spec)
{
    if (!asks_of_index(spec)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "ProvisionedThroughput must be specified for index: %.*s",
                       OD_STR_ARG(index->name));
    }
    bool on_demand = billing_after(job, now) == OD_BILLING_PAY_PER_REQUEST;
    OD_TRY(check_index_throughput(cx, job, now, index, spec));
    od_str place = od_arena_printf(cx->arena, "index %.*s", OD_STR_ARG(index->name));
    OD_TRY(od_limits_check(cx, place, spec->limits, on_demand, true));
    return check_warm(cx, place, spec->warm, warm_now(now, index->throughput, index->warm));
}

static od_status check_index_change(od_ctx *cx, const struct od_update_table_job *job,
                                    const struct od_table *now,
                                    const struct od_index_change *change)
{
    if (change->kind == OD_INDEX_CREATE) {
        return check_create_index(cx, job, now, &change->spec);
    }
    const struct od_index *index = od_table_index(now, change->spec.name);
    if (index == NULL || index->is_local) {
        return OD_FAIL(cx, OD_NO_SUCH_RESOURCE, "Requested resource not found");
    }
    if (change->kind == OD_INDEX_UPDATE) {
        return check_update_index(cx, job, now, index, &change->spec);
    }
    // Deleting the one that is being made gives that up.
    bool other_is_filling = is_filling(now) && index->status != OD_TABLE_CREATING;
    return other_is_filling ? one_at_a_time(cx) : OD_OK;
}

static od_status check_indexes(od_ctx *cx, const struct od_update_table_job *job,
                               const struct od_table *now)
{
    size_t online = 0;
    for (size_t i = 0; i < job->index_change_count; i++) {
        online += job->index_changes[i].kind != OD_INDEX_UPDATE;
    }
    if (online > 1) {
        return one_at_a_time(cx);
    }
    for (size_t i = 0; i < job->index_change_count; i++) {
        OD_TRY(check_index_change(cx, job, now, &job->index_changes[i]));
    }
    return OD_OK;
}

od_status od_check_update_table(od_ctx *cx, const struct od_update_table_job *job,
                                const struct od_table *now)
{
    OD_TRY(check_not_allocating(cx, job, now));
    OD_TRY(check_throughput(cx, job, now));
    OD_TRY(check_limits(cx, job, now));
    OD_TRY(check_table_warm(cx, job, now));
    OD_TRY(check_stream(cx, job, now));
    OD_TRY(check_encryption(cx, job, now));
    return check_indexes(cx, job, now);
}
