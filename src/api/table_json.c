#include "api/table_json.h"

#include "base/date.h"

struct writer {
    struct od_buf *out;
    const struct od_table *table;
    enum od_table_view view;
    od_str arn;
    const struct od_update_table_job *update; // of UpdateTable's answer, or else NULL
};

static void put_str(struct od_buf *out, const char *name, od_str text)
{
    od_json_member(out, name);
    od_json_str(out, text);
}

static void put_int(struct od_buf *out, const char *name, int64_t n)
{
    od_json_member(out, name);
    od_json_int(out, n);
}

static void put_time(struct od_buf *out, const char *name, int64_t ms)
{
    od_json_member(out, name);
    od_json_epoch_ms(out, ms);
}

static void put_bool(struct od_buf *out, const char *name, bool b)
{
    od_json_member(out, name);
    od_json_raw(out, b ? "true" : "false");
}

static void open_object(struct od_buf *out, const char *name)
{
    od_json_member(out, name);
    od_buf_put_byte(out, '{');
}

static void close_object(struct od_buf *out)
{
    od_buf_put_byte(out, '}');
}

static void open_array(struct od_buf *out, const char *name)
{
    od_json_member(out, name);
    od_buf_put_byte(out, '[');
}

static void close_array(struct od_buf *out)
{
    od_buf_put_byte(out, ']');
}

// --- Parts that tables and indexes share --------------------------------------------------------

static od_str status_name(const struct writer *w, enum od_table_status status)
{
    static const od_str names[] = {
        [OD_TABLE_ACTIVE] = OD_STR_INIT("ACTIVE"),
        [OD_TABLE_CREATING] = OD_STR_INIT("CREATING"),
        [OD_TABLE_UPDATING] = OD_STR_INIT("UPDATING"),
        [OD_TABLE_DELETING] = OD_STR_INIT("DELETING"),
    };
    switch (w->view) {
    case OD_TABLE_VIEW_CREATED:
        return names[OD_TABLE_CREATING];
    case OD_TABLE_VIEW_DELETED:
        return names[OD_TABLE_DELETING];
    case OD_TABLE_VIEW_DESCRIBED:
    case OD_TABLE_VIEW_UPDATED:
        break;
    }
    return names[status];
}

static void put_key_schema(struct od_buf *out, const struct od_key_schema *schema)
{
    open_array(out, "KeySchema");
    for (size_t i = 0; i < od_key_attr_count(schema); i++) {
        od_api_comma(out);
        od_buf_put_byte(out, '{');
        put_str(out, "AttributeName", schema->attrs[i].name);
        put_str(out, "KeyType", i < schema->hash_count ? OD_STR("HASH") : OD_STR("RANGE"));
        close_object(out);
    }
    close_array(out);
}

static void put_time_unless_never(struct od_buf *out, const char *name, int64_t ms)
{
    if (ms > 0) {
        put_time(out, name, ms);
    }
}

static void put_throughput(struct od_buf *out, struct od_throughput throughput,
                           const struct od_throughput_log *log)
{
    open_object(out, "ProvisionedThroughput");
    put_time_unless_never(out, "LastIncreaseDateTime", log->increase_ms);
    put_time_unless_never(out, "LastDecreaseDateTime", log->decrease_ms);
    put_int(out, "NumberOfDecreasesToday", od_decreases_today(log));
    put_int(out, "ReadCapacityUnits", throughput.read_units);
    put_int(out, "WriteCapacityUnits", throughput.write_units);
    close_object(out);
}

// 0: there is none, and none was taken away.
static void put_limits(struct od_buf *out, struct od_request_limits limits)
{
    if (limits.max_read_units == 0 && limits.max_write_units == 0) {
        return;
    }
    open_object(out, "OnDemandThroughput");
    if (limits.max_read_units != 0) {
        put_int(out, "MaxReadRequestUnits", limits.max_read_units);
    }
    if (limits.max_write_units != 0) {
        put_int(out, "MaxWriteRequestUnits", limits.max_write_units);
    }
    close_object(out);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// What it can take at once: what was asked for, or else what it begins with. CreateTable tells only
// who asked.
static void put_warm(const struct writer *w, struct od_throughput provisioned,
                     struct od_throughput asked, bool changes_warm)
{
    bool is_asked = asked.read_units > 0 || asked.write_units > 0;
    bool created = w->view == OD_TABLE_VIEW_CREATED;
    bool changes = created || changes_warm;
    if (w->view == OD_TABLE_VIEW_DELETED || (created && !is_asked)) {
        return;
    }
    bool on_demand = w->table->settings.billing == OD_BILLING_PAY_PER_REQUEST;
    int64_t read = on_demand ? OD_ON_DEMAND_READ : provisioned.read_units;
    int64_t write = on_demand ? OD_ON_DEMAND_WRITE : provisioned.write_units;
    open_object(w->out, "WarmThroughput");
    put_int(w->out, "ReadUnitsPerSecond", larger(read, asked.read_units));
    put_int(w->out, "WriteUnitsPerSecond", larger(write, asked.write_units));
    put_str(w->out, "Status", changes ? OD_STR("UPDATING") : OD_STR("ACTIVE"));
    close_object(w->out);
}

// --- Indexes ------------------------------------------------------------------------------------

static void put_projection(struct od_buf *out, const struct od_index *index)
{
    static const od_str names[] = {
        [OD_PROJECT_ALL] = OD_STR_INIT("ALL"),
        [OD_PROJECT_KEYS_ONLY] = OD_STR_INIT("KEYS_ONLY"),
        [OD_PROJECT_INCLUDE] = OD_STR_INIT("INCLUDE"),
    };
    open_object(out, "Projection");
    put_str(out, "ProjectionType", names[index->projection]);
    if (index->projection == OD_PROJECT_INCLUDE) {
        open_array(out, "NonKeyAttributes");
        for (size_t i = 0; i < index->projected_count; i++) {
            od_api_comma(out);
            od_json_str(out, index->projected_names[i]);
        }
        close_array(out);
    }
    close_object(out);
}

static bool changes_warm_of(const struct writer *w, od_str index)
{
    size_t count = w->update == NULL ? 0 : w->update->index_change_count;
    for (size_t i = 0; i < count; i++) {
        const struct od_index_spec *spec = &w->update->index_changes[i].spec;
        if (od_str_eq(spec->name, index)) {
            return spec->warm.read_units > 0 || spec->warm.write_units > 0;
        }
    }
    return false;
}

static void put_global_members(const struct writer *w, const struct od_index *index)
{
    put_str(w->out, "IndexStatus", status_name(w, index->status));
    if (w->view != OD_TABLE_VIEW_CREATED && index->status == OD_TABLE_CREATING) {
        put_bool(w->out, "Backfilling", index->backfilling);
    }
    put_throughput(w->out, index->throughput, &index->throughput_log);
    put_limits(w->out, index->limits);
    put_warm(w, index->throughput, index->warm, changes_warm_of(w, index->name));
}

static void put_index(const struct writer *w, const struct od_index *index)
{
    struct od_buf *out = w->out;
    struct od_stats stats = od_index_stats(index);
    od_api_comma(out);
    od_buf_put_byte(out, '{');
    put_str(out, "IndexName", index->name);
    put_str(out, "IndexArn",
            od_arena_printf(out->arena, "%.*s/index/%.*s", OD_STR_ARG(w->arn),
                            OD_STR_ARG(index->name)));
    put_key_schema(out, &index->schema);
    put_projection(out, index);
    put_int(out, "ItemCount", stats.item_count);
    put_int(out, "IndexSizeBytes", stats.size_bytes);
    if (!index->is_local) {
        put_global_members(w, index);
    }
    close_object(out);
}

static void put_indexes(const struct writer *w, const char *name, bool local)
{
    bool opened = false;
    for (size_t i = 0; i < w->table->index_count; i++) {
        const struct od_index *index = &w->table->indexes[i];
        if (index->is_local != local) {
            continue;
        }
        if (!opened) {
            open_array(w->out, name);
            opened = true;
        }
        put_index(w, index);
    }
    if (opened) {
        close_array(w->out);
    }
}

// --- Tables -------------------------------------------------------------------------------------

static void put_definitions(const struct writer *w)
{
    open_array(w->out, "AttributeDefinitions");
    for (size_t i = 0; i < w->table->definition_count; i++) {
        const struct od_key_attr *definition = &w->table->definitions[i];
        od_api_comma(w->out);
        od_buf_put_byte(w->out, '{');
        put_str(w->out, "AttributeName", definition->name);
        put_str(w->out, "AttributeType", od_cstr(od_type_name(definition->type)));
        close_object(w->out);
    }
    close_array(w->out);
}

static void put_billing(const struct writer *w)
{
    bool on_demand = w->table->settings.billing == OD_BILLING_PAY_PER_REQUEST;
    if (!on_demand && w->table->on_demand_ms == 0) {
        return;
    }
    open_object(w->out, "BillingModeSummary");
    put_str(w->out, "BillingMode", on_demand ? OD_STR("PAY_PER_REQUEST") : OD_STR("PROVISIONED"));
    if (w->view != OD_TABLE_VIEW_CREATED) {
        put_time(w->out, "LastUpdateToPayPerRequestDateTime", w->table->on_demand_ms);
    }
    close_object(w->out);
}

// A stream's label is the time at which it was switched on. It stays when the stream is off.
static void put_stream(const struct writer *w)
{
    const struct od_table_settings *settings = &w->table->settings;
    if (settings->stream_enabled) {
        open_object(w->out, "StreamSpecification");
        put_bool(w->out, "StreamEnabled", true);
        put_str(w->out, "StreamViewType", settings->stream_view);
        close_object(w->out);
    }
    if (w->table->stream_ms == 0) {
        return;
    }
    od_arena *arena = w->out->arena;
    char text[OD_DATE_SIZE];
    od_str label = od_date_iso(text, w->table->stream_ms);
    put_str(w->out, "LatestStreamLabel", label);
    put_str(w->out, "LatestStreamArn",
            od_arena_printf(arena, "%.*s/stream/%.*s", OD_STR_ARG(w->arn), OD_STR_ARG(label)));
}

static void put_sse(const struct writer *w)
{
    const struct od_table_settings *settings = &w->table->settings;
    if (!settings->sse_enabled) {
        return;
    }
    open_object(w->out, "SSEDescription");
    put_str(w->out, "Status", OD_STR("ENABLED"));
    put_str(w->out, "SSEType", OD_STR("KMS"));
    put_str(w->out, "KMSMasterKeyArn", od_table_key_arn(w->out->arena, settings->sse_key_arn));
    close_object(w->out);
}

static void put_class(const struct writer *w)
{
    if (w->table->settings.table_class.ptr == NULL) {
        return;
    }
    open_object(w->out, "TableClassSummary");
    put_str(w->out, "TableClass", w->table->settings.table_class);
    put_time_unless_never(w->out, "LastUpdateDateTime", w->table->class_ms);
    close_object(w->out);
}

static enum od_table_status table_status(const struct writer *w)
{
    bool updating = w->table->status == OD_TABLE_ACTIVE && od_table_is_allocating(w->table);
    return updating ? OD_TABLE_UPDATING : w->table->status;
}

static void put_identity(const struct writer *w)
{
    const struct od_table *table = w->table;
    put_str(w->out, "TableName", table->name);
    put_str(w->out, "TableArn", w->arn);
    put_str(w->out, "TableId", table->id);
    put_str(w->out, "TableStatus", status_name(w, table_status(w)));
    if (w->view == OD_TABLE_VIEW_DELETED) {
        return;
    }
    put_time(w->out, "CreationDateTime", table->created_ms);
    put_definitions(w);
    put_key_schema(w->out, &table->schema);
}

// A ceiling as the answer tells it: one that this update takes away is -1.
static int64_t ceiling(int64_t limit, bool is_taken_away)
{
    return limit > 0 ? limit : (is_taken_away ? -1 : 0);
}

static struct od_request_limits limits_of(const struct writer *w)
{
    const struct od_table_settings *settings = &w->table->settings;
    const struct od_update_table_job *update = w->update;
    bool changes = update != NULL && update->has_limits;
    return (struct od_request_limits){
        .max_read_units = ceiling(settings->max_read_request_units,
                                  changes && update->limits.max_read_units == -1),
        .max_write_units = ceiling(settings->max_write_request_units,
                                   changes && update->limits.max_write_units == -1),
    };
}

static struct od_throughput warm_of(const struct od_table *table)
{
    return (struct od_throughput){table->settings.warm_read_units,
                                  table->settings.warm_write_units};
}

static void put_table(const struct writer *w)
{
    struct od_buf *out = w->out;
    const struct od_table *table = w->table;
    struct od_stats stats = od_table_stats(table);
    od_buf_put_byte(out, '{');
    put_identity(w);
    put_int(out, "ItemCount", stats.item_count);
    put_int(out, "TableSizeBytes", stats.size_bytes);
    put_bool(out, "DeletionProtectionEnabled", table->settings.deletion_protection);
    put_throughput(out, table->settings.throughput, &table->throughput_log);
    put_billing(w);
    put_indexes(w, "GlobalSecondaryIndexes", false);
    put_indexes(w, "LocalSecondaryIndexes", true);
    put_stream(w);
    put_sse(w);
    put_class(w);
    put_limits(out, limits_of(w));
    bool changes_warm = w->update != NULL && w->update->has_warm;
    put_warm(w, table->settings.throughput, warm_of(table), changes_warm);
    close_object(out);
}

void od_table_json(struct od_buf *out, const struct od_table *table, enum od_table_view view)
{
    const struct writer w = {
        .out = out,
        .table = table,
        .view = view,
        .arn = od_table_arn(out->arena, table->name),
    };
    put_table(&w);
}

void od_table_updated_json(struct od_buf *out, const struct od_update_table_job *job)
{
    const struct writer w = {
        .out = out,
        .table = job->result,
        .view = OD_TABLE_VIEW_UPDATED,
        .arn = od_table_arn(out->arena, job->result->name),
        .update = job,
    };
    put_table(&w);
}
