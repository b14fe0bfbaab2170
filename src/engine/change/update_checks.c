#include "engine/change/update_checks.h"

#include "engine/engine_internal.h"

#define INVALID "One or more parameter values were invalid: "

od_status od_engine_check_update_table(od_ctx *cx, const struct od_update_table_job *job)
{
    bool asks = job->has_billing || job->has_throughput || job->has_protection ||
                job->table_class.ptr != NULL || job->has_sse || job->has_stream ||
                job->has_limits || job->has_warm || job->index_change_count > 0;
    if (!asks) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
                       "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is "
                       "required");
    }
    return OD_OK;
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

static bool same_throughput(struct od_throughput a, struct od_throughput b)
{
    return a.read_units == b.read_units && a.write_units == b.write_units;
}

static od_status check_throughput(od_ctx *cx, const struct od_update_table_job *job,
                                  const struct od_table *now)
{
    bool on_demand = billing_after(job, now) == OD_BILLING_PAY_PER_REQUEST;
    struct od_throughput old = now->settings.throughput;
    if (on_demand && job->has_throughput) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
                               "when BillingMode is PAY_PER_REQUEST");
    }
    if (!on_demand && now->settings.billing == OD_BILLING_PAY_PER_REQUEST) {
        return check_to_provisioned(cx, job, now);
    }
    if (job->has_throughput && same_throughput(old, job->throughput)) {
        return OD_FAIL(
            cx, OD_VALIDATION,
            "The provisioned throughput for the table will not change. The requested value equals "
            "the current value. Current ReadCapacityUnits provisioned for the table: %lld. "
            "Requested "
            "ReadCapacityUnits: %lld. Current WriteCapacityUnits provisioned for the table: %lld. "
            "Requested WriteCapacityUnits: %lld. Refer to the Amazon DynamoDB Developer Guide for "
            "current limits and how to request higher limits.",
            (long long)old.read_units, (long long)job->throughput.read_units,
            (long long)old.write_units, (long long)job->throughput.write_units);
    }
    return OD_OK;
}

static od_status check_limit(od_ctx *cx, const char *name, int64_t given, bool on_demand)
{
    if (given == OD_NOT_GIVEN) {
        return OD_OK;
    }
    if (!on_demand) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "%s of OnDemandThroughput can be specified only when BillingMode is "
                               "PAY_PER_REQUEST",
                       name);
    }
    if (given < 1 && given != -1) {
        return OD_FAIL(cx, OD_VALIDATION, INVALID "%s of OnDemandThroughput must be at least 1",
                       name);
    }
    return OD_OK;
}

static od_status check_limits(od_ctx *cx, const struct od_update_table_job *job,
                              const struct od_table *now)
{
    if (!job->has_limits) {
        return OD_OK;
    }
    bool on_demand = billing_after(job, now) == OD_BILLING_PAY_PER_REQUEST;
    OD_TRY(check_limit(cx, "MaxReadRequestUnits", job->limits.max_read_units, on_demand));
    return check_limit(cx, "MaxWriteRequestUnits", job->limits.max_write_units, on_demand);
}

static od_status check_warm_unit(od_ctx *cx, const char *kind, int64_t asked, int64_t now)
{
    if (asked == 0 || asked >= now) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   INVALID
                   "Requested %sUnitsPerSecond for WarmThroughput for table is lower than its "
                   "current value %lld",
                   kind, (long long)now);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static od_status check_warm(od_ctx *cx, const struct od_update_table_job *job,
                            const struct od_table *now)
{
    bool on_demand = now->settings.billing == OD_BILLING_PAY_PER_REQUEST;
    struct od_throughput least = on_demand
                                     ? (struct od_throughput){OD_ON_DEMAND_READ, OD_ON_DEMAND_WRITE}
                                     : now->settings.throughput;
    OD_TRY(check_warm_unit(cx, "Read", job->warm.read_units,
                           larger(least.read_units, now->settings.warm_read_units)));
    return check_warm_unit(cx, "Write", job->warm.write_units,
                           larger(least.write_units, now->settings.warm_write_units));
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
        return OD_FAIL(cx, OD_VALIDATION, "Table has no stream to disable: TableName: %.*s",
                       OD_STR_ARG(now->name));
    }
    if (job->stream_enabled && job->stream_view.ptr == NULL) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "StreamViewType must be specified when a stream is enabled");
    }
    return OD_OK;
}

// --- Indexes ------------------------------------------------------------------------------------

static od_status one_at_a_time(od_ctx *cx)
{
    return OD_FAIL(cx, OD_LIMIT_EXCEEDED,
                   "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                   "simultaneously per table");
}

static bool is_online_change(const struct od_index_change *change)
{
    return change->kind != OD_INDEX_UPDATE;
}

static size_t count_global(const struct od_table *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->index_count; i++) {
        count += !table->indexes[i].is_local;
    }
    return count;
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
    struct od_create_table_job as_created = {
        .definitions = job->definitions,
        .definition_count = job->definition_count,
        .settings = {.billing = billing_after(job, now)},
    };
    return od_check_global_index(cx, &as_created, spec);
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
    bool on_demand = billing_after(job, now) == OD_BILLING_PAY_PER_REQUEST;
    if (on_demand && change->kind == OD_INDEX_UPDATE && change->spec.has_throughput) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "ProvisionedThroughput should not be specified for index: %.*s when "
                               "BillingMode is PAY_PER_REQUEST",
                       OD_STR_ARG(index->name));
    }
    return OD_OK;
}

static od_status check_indexes(od_ctx *cx, const struct od_update_table_job *job,
                               const struct od_table *now)
{
    size_t online = 0;
    for (size_t i = 0; i < job->index_change_count; i++) {
        online += is_online_change(&job->index_changes[i]);
        OD_TRY(check_index_change(cx, job, now, &job->index_changes[i]));
    }
    return online > 1 ? one_at_a_time(cx) : OD_OK;
}

od_status od_check_update_table(od_ctx *cx, const struct od_update_table_job *job,
                                const struct od_table *now)
{
    OD_TRY(check_throughput(cx, job, now));
    OD_TRY(check_limits(cx, job, now));
    OD_TRY(check_warm(cx, job, now));
    OD_TRY(check_stream(cx, job, now));
    return check_indexes(cx, job, now);
}
