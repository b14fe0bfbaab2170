// What CreateTable must get right before any store is asked.
#include "engine/change/throughput.h"
#include "engine/engine_internal.h"

#include <stdlib.h>

#define INVALID "One or more parameter values were invalid: "

enum { MAX_NAMES = 2 * OD_MAX_INDEXES + OD_KEY_MAX_ATTRS * OD_MAX_INDEXES };

// --- Lists of names, as messages print them -----------------------------------------------------

struct names {
    od_str *at;
    size_t count;
};

static int compare_names(const void *a, const void *b)
{
    return od_str_compare(*(const od_str *)a, *(const od_str *)b);
}

// "[a, b]", sorted, each name once.
static od_str print_names(od_arena *arena, struct names names)
{
    qsort(names.at, names.count, sizeof(*names.at), compare_names);
    struct od_buf out = {.arena = arena};
    od_buf_put_byte(&out, '[');
    for (size_t i = 0; i < names.count; i++) {
        if (i > 0 && od_str_eq(names.at[i], names.at[i - 1])) {
            continue;
        }
        od_buf_put(&out, i > 0 ? OD_STR(", ") : OD_STR(""));
        od_buf_put(&out, names.at[i]);
    }
    od_buf_put_byte(&out, ']');
    return od_buf_str(&out);
}

static struct names names_of_keys(od_arena *arena, const struct od_key_element *keys, size_t count)
{
    struct names names = {.at = od_new_array(arena, od_str, count), .count = count};
    for (size_t i = 0; i < count; i++) {
        names.at[i] = keys[i].name;
    }
    return names;
}

static struct names names_of_definitions(od_arena *arena, const struct od_create_table_job *job)
{
    struct names names = {.at = od_new_array(arena, od_str, job->definition_count),
                          .count = job->definition_count};
    for (size_t i = 0; i < job->definition_count; i++) {
        names.at[i] = job->definitions[i].name;
    }
    return names;
}

static bool contains_name(struct names names, od_str name)
{
    for (size_t i = 0; i < names.count; i++) {
        if (od_str_eq(names.at[i], name)) {
            return true;
        }
    }
    return false;
}

// --- Key schemas --------------------------------------------------------------------------------

static bool is_hash(const struct od_key_element *key)
{
    return od_str_eq(key->key_type, OD_STR("HASH"));
}

static od_status check_schema(od_ctx *cx, const struct od_key_element *keys, size_t count)
{
    if (count > 2) {
        return OD_FAIL(
            cx, OD_VALIDATION,
            "Invalid KeySchema: The KeySchema of a table or a local secondary index holds "
            "at most 2 key elements");
    }
    if (!is_hash(&keys[0])) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
    }
    if (count > 1 && is_hash(&keys[1])) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
    }
    if (count > 1 && od_str_eq(keys[0].name, keys[1].name)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Both the Hash Key and the Range Key element in the KeySchema have the same "
                       "name");
    }
    return OD_OK;
}

static od_status too_many_keys(od_ctx *cx, const char *type)
{
    return OD_FAIL(cx, OD_VALIDATION,
                   "Invalid KeySchema: The KeySchema exceeds the maximum allowed number of %s key "
                   "attributes",
                   type);
}

static od_status check_key_counts(od_ctx *cx, const struct od_key_element *keys, size_t count)
{
    size_t hash_count = 0;
    for (size_t i = 0; i < count; i++) {
        hash_count += is_hash(&keys[i]);
    }
    if (hash_count > OD_KEY_MAX_HASH) {
        return too_many_keys(cx, "HASH");
    }
    return count - hash_count > OD_KEY_MAX_RANGE ? too_many_keys(cx, "RANGE") : OD_OK;
}

// A global index may have up to four HASH attributes, then up to four RANGE attributes.
static od_status check_multi_schema(od_ctx *cx, const struct od_key_element *keys, size_t count)
{
    OD_TRY(check_key_counts(cx, keys, count));
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && is_hash(&keys[i]) && !is_hash(&keys[i - 1])) {
            return OD_FAIL(cx, OD_VALIDATION,
                           "Invalid KeySchema: All HASH key attributes must precede RANGE key "
                           "attributes in the KeySchema");
        }
        for (size_t j = 0; j < i; j++) {
            if (od_str_eq(keys[i].name, keys[j].name)) {
                return OD_FAIL(
                    cx, OD_VALIDATION,
                    "Invalid KeySchema: The KeySchema names attribute %.*s more than once",
                    OD_STR_ARG(keys[i].name));
            }
        }
    }
    return OD_OK;
}

static od_status check_global_schema(od_ctx *cx, const struct od_key_element *keys, size_t count)
{
    bool second_is_hash = count > 1 && is_hash(&keys[1]);
    if (count <= 2 && !second_is_hash) {
        return check_schema(cx, keys, count);
    }
    if (!is_hash(&keys[0])) {
        return check_schema(cx, keys, 1);
    }
    return check_multi_schema(cx, keys, count);
}

static od_status check_defined(od_ctx *cx, const struct od_create_table_job *job,
                               const struct od_key_element *keys, size_t count)
{
    struct names defined = names_of_definitions(cx->arena, job);
    for (size_t i = 0; i < count; i++) {
        if (!contains_name(defined, keys[i].name)) {
            od_str all_keys = print_names(cx->arena, names_of_keys(cx->arena, keys, count));
            od_str all_defined = print_names(cx->arena, defined);
            return OD_FAIL(cx, OD_VALIDATION,
                           INVALID "Some index key attributes are not defined in "
                                   "AttributeDefinitions. Keys: %.*s, AttributeDefinitions: %.*s",
                           OD_STR_ARG(all_keys), OD_STR_ARG(all_defined));
        }
    }
    return OD_OK;
}

static bool has_indexes(const struct od_create_table_job *job)
{
    return job->has_local_list || job->has_global_list;
}

static od_status check_definitions(od_ctx *cx, const struct od_create_table_job *job)
{
    if (has_indexes(job)) {
        return check_defined(cx, job, job->keys, job->key_count);
    }
    if (job->definition_count != job->key_count) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "Number of attributes in KeySchema does not exactly match number of "
                               "attributes defined in AttributeDefinitions");
    }
    struct names defined = names_of_definitions(cx->arena, job);
    for (size_t i = 0; i < job->key_count; i++) {
        if (!contains_name(defined, job->keys[i].name)) {
            return OD_FAIL(cx, OD_VALIDATION,
                           "Invalid KeySchema: Some index key attribute have no definition");
        }
    }
    return OD_OK;
}

static od_status check_no_double_definition(od_ctx *cx, const struct od_create_table_job *job)
{
    struct names names = names_of_definitions(cx->arena, job);
    qsort(names.at, names.count, sizeof(*names.at), compare_names);
    for (size_t i = 1; i < names.count; i++) {
        if (od_str_eq(names.at[i], names.at[i - 1])) {
            return OD_FAIL(cx, OD_VALIDATION,
                           INVALID "AttributeDefinitions names attribute %.*s more than once",
                           OD_STR_ARG(names.at[i]));
        }
    }
    return OD_OK;
}

static void add_keys(struct names *names, const struct od_key_element *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        names->at[names->count++] = keys[i].name;
    }
}

static od_status check_all_used(od_ctx *cx, const struct od_create_table_job *job)
{
    struct names used = {.at = od_new_array(cx->arena, od_str, MAX_NAMES)};
    add_keys(&used, job->keys, job->key_count);
    for (size_t i = 0; i < job->local_count; i++) {
        add_keys(&used, job->local_indexes[i].keys, job->local_indexes[i].key_count);
    }
    for (size_t i = 0; i < job->global_count; i++) {
        add_keys(&used, job->global_indexes[i].keys, job->global_indexes[i].key_count);
    }
    struct names defined = names_of_definitions(cx->arena, job);
    for (size_t i = 0; i < defined.count; i++) {
        if (!contains_name(used, defined.at[i])) {
            od_str all_defined = print_names(cx->arena, defined);
            od_str all_used = print_names(cx->arena, used);
            return OD_FAIL(cx, OD_VALIDATION,
                           INVALID "Some AttributeDefinitions are not used. AttributeDefinitions: "
                                   "%.*s, keys used: %.*s",
                           OD_STR_ARG(all_defined), OD_STR_ARG(all_used));
        }
    }
    return OD_OK;
}

// --- Throughput ---------------------------------------------------------------------------------

static bool is_on_demand(const struct od_create_table_job *job)
{
    return job->settings.billing == OD_BILLING_PAY_PER_REQUEST;
}

static od_status check_throughput(od_ctx *cx, const struct od_create_table_job *job)
{
    if (is_on_demand(job) && job->has_throughput) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
                               "when BillingMode is PAY_PER_REQUEST");
    }
    if (!is_on_demand(job) && !job->has_throughput) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID
                       "ReadCapacityUnits and WriteCapacityUnits must both be specified when "
                       "BillingMode is PROVISIONED");
    }
    return OD_OK;
}

// `place` is "table" or "index <name>".
static od_status check_warm_unit(od_ctx *cx, const struct od_create_table_job *job, od_str place,
                                 const char *kind, int64_t asked, int64_t least)
{
    if (asked >= least) {
        return OD_OK;
    }
    if (is_on_demand(job)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID
                       "Requested %sUnitsPerSecond for WarmThroughput for %.*s is lower than "
                       "initial throughput for OnDemand",
                       kind, OD_STR_ARG(place));
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   INVALID "Requested %sUnitsPerSecond for WarmThroughput for %.*s is lower than "
                           "%sCapacityUnits of ProvisionedThroughput",
                   kind, OD_STR_ARG(place), kind);
}

// What is asked for, or 0, must not be less than what there is from the beginning.
static od_status check_warm(od_ctx *cx, const struct od_create_table_job *job, od_str place,
                            struct od_throughput asked, struct od_throughput provisioned)
{
    struct od_throughput least = is_on_demand(job)
                                     ? (struct od_throughput){OD_ON_DEMAND_READ, OD_ON_DEMAND_WRITE}
                                     : provisioned;
    if (asked.read_units != 0) {
        OD_TRY(check_warm_unit(cx, job, place, "Read", asked.read_units, least.read_units));
    }
    if (asked.write_units != 0) {
        OD_TRY(check_warm_unit(cx, job, place, "Write", asked.write_units, least.write_units));
    }
    return OD_OK;
}

static od_status check_stream(od_ctx *cx, const struct od_table_settings *settings)
{
    if (!settings->stream_enabled && settings->stream_view.ptr != NULL) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID
                       "Table is being created with a stream disabled, UpdateViewType should "
                       "not be specified");
    }
    if (settings->stream_enabled && settings->stream_view.ptr == NULL) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "StreamViewType must be specified when a stream is enabled");
    }
    return OD_OK;
}

static od_status check_settings(od_ctx *cx, const struct od_create_table_job *job)
{
    const struct od_table_settings *settings = &job->settings;
    const struct od_request_limits limits = {
        .max_read_units = settings->max_read_request_units,
        .max_write_units = settings->max_write_request_units,
    };
    const struct od_throughput warm = {
        .read_units = settings->warm_read_units == -1 ? 0 : settings->warm_read_units,
        .write_units = settings->warm_write_units == -1 ? 0 : settings->warm_write_units,
    };
    OD_TRY(od_limits_check(cx, OD_STR("table"), limits, is_on_demand(job), false));
    OD_TRY(check_warm(cx, job, OD_STR("table"), warm, settings->throughput));
    return check_stream(cx, settings);
}

// --- Indexes ------------------------------------------------------------------------------------

static od_status check_projection(od_ctx *cx, const struct od_index_spec *index)
{
    if (!index->has_projection) {
        return OD_FAIL(cx, OD_VALIDATION, INVALID "Unknown ProjectionType: null");
    }
    if (index->projection == OD_PROJECT_INCLUDE && !index->has_non_key_names) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
    }
    if (index->projection != OD_PROJECT_INCLUDE && index->has_non_key_names) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "ProjectionType is %s, but NonKeyAttributes is specified",
                       index->projection == OD_PROJECT_ALL ? "ALL" : "KEYS_ONLY");
    }
    return OD_OK;
}

static od_status check_local(od_ctx *cx, const struct od_create_table_job *job,
                             const struct od_index_spec *index)
{
    if (job->key_count < 2) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "Table KeySchema does not have a range key, which is required when "
                               "specifying a LocalSecondaryIndex");
    }
    OD_TRY(check_defined(cx, job, index->keys, index->key_count));
    OD_TRY(check_schema(cx, index->keys, index->key_count));
    if (index->key_count < 2) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "Index KeySchema does not have a range key for index: %.*s",
                       OD_STR_ARG(index->name));
    }
    if (!od_str_eq(index->keys[0].name, job->keys[0].name)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID
                       "Index KeySchema does not have the same leading hash key as table "
                       "KeySchema for index: %.*s. index hash key: %.*s, table hash key: %.*s",
                       OD_STR_ARG(index->name), OD_STR_ARG(index->keys[0].name),
                       OD_STR_ARG(job->keys[0].name));
    }
    return check_projection(cx, index);
}

od_status od_check_global_index(od_ctx *cx, const struct od_create_table_job *job,
                                const struct od_index_spec *index)
{
    OD_TRY(check_defined(cx, job, index->keys, index->key_count));
    OD_TRY(check_global_schema(cx, index->keys, index->key_count));
    return check_projection(cx, index);
}

static od_status check_index_throughput(od_ctx *cx, const struct od_create_table_job *job,
                                        const struct od_index_spec *index)
{
    if (is_on_demand(job) && index->has_throughput) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "ProvisionedThroughput should not be specified for index: %.*s when "
                               "BillingMode is PAY_PER_REQUEST",
                       OD_STR_ARG(index->name));
    }
    if (!is_on_demand(job) && !index->has_throughput) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "ProvisionedThroughput must be specified for index: %.*s",
                       OD_STR_ARG(index->name));
    }
    return OD_OK;
}

od_status od_check_index_capacity(od_ctx *cx, const struct od_create_table_job *job,
                                  const struct od_index_spec *index)
{
    od_str place = od_arena_printf(cx->arena, "index %.*s", OD_STR_ARG(index->name));
    OD_TRY(od_limits_check(cx, place, index->limits, is_on_demand(job), false));
    return check_warm(cx, job, place, index->warm, index->throughput);
}

static const struct od_index_spec *index_at(const struct od_create_table_job *job, size_t i)
{
    return i < job->local_count ? &job->local_indexes[i]
                                : &job->global_indexes[i - job->local_count];
}

static od_status check_index_names(od_ctx *cx, const struct od_create_table_job *job)
{
    for (size_t i = 0; i < job->local_count + job->global_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (od_str_eq(index_at(job, i)->name, index_at(job, j)->name)) {
                return OD_FAIL(cx, OD_VALIDATION, INVALID "Duplicate index name: %.*s",
                               OD_STR_ARG(index_at(job, i)->name));
            }
        }
    }
    return OD_OK;
}

static od_status check_index_counts(od_ctx *cx, const struct od_create_table_job *job)
{
    if (job->has_local_list && job->local_count == 0) {
        return OD_FAIL(cx, OD_VALIDATION, INVALID "List of LocalSecondaryIndexes is empty");
    }
    if (job->has_global_list && job->global_count == 0) {
        return OD_FAIL(cx, OD_VALIDATION, INVALID "List of GlobalSecondaryIndexes is empty");
    }
    if (job->local_count > OD_MAX_LOCAL_INDEXES) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "Number of LocalSecondaryIndexes exceeds per-table limit of %d",
                       OD_MAX_LOCAL_INDEXES);
    }
    if (job->global_count > OD_MAX_GLOBAL_INDEXES) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID "GlobalSecondaryIndex count exceeds the per-table limit of %d",
                       OD_MAX_GLOBAL_INDEXES);
    }
    return OD_OK;
}

static od_status check_projected_count(od_ctx *cx, const struct od_create_table_job *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->local_count + job->global_count; i++) {
        count += index_at(job, i)->non_key_count;
    }
    if (count > OD_MAX_PROJECTED_NAMES) {
        return OD_FAIL(cx, OD_VALIDATION,
                       INVALID
                       "The number of NonKeyAttributes over all secondary indexes exceeds the "
                       "per-table limit of %d",
                       OD_MAX_PROJECTED_NAMES);
    }
    return OD_OK;
}

static od_status check_indexes(od_ctx *cx, const struct od_create_table_job *job)
{
    for (size_t i = 0; i < job->local_count; i++) {
        OD_TRY(check_local(cx, job, &job->local_indexes[i]));
    }
    for (size_t i = 0; i < job->global_count; i++) {
        OD_TRY(od_check_global_index(cx, job, &job->global_indexes[i]));
        OD_TRY(check_index_throughput(cx, job, &job->global_indexes[i]));
        OD_TRY(od_check_index_capacity(cx, job, &job->global_indexes[i]));
    }
    OD_TRY(check_index_names(cx, job));
    return check_projected_count(cx, job);
}

od_status od_engine_check_create_table(od_ctx *cx, const struct od_create_table_job *job)
{
    OD_TRY(check_throughput(cx, job));
    OD_TRY(check_index_counts(cx, job));
    OD_TRY(check_schema(cx, job->keys, job->key_count));
    OD_TRY(check_no_double_definition(cx, job));
    OD_TRY(check_definitions(cx, job));
    OD_TRY(check_indexes(cx, job));
    if (has_indexes(job)) {
        OD_TRY(check_all_used(cx, job));
    }
    return check_settings(cx, job);
}
