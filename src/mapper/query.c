// A query as a request.
#include "mapper/mapper_internal.h"

#include "base/json.h"

#include <string.h>

static ordna_status fail(ordna_session *session, const char *why)
{
    return od_session_fail(session, ORDNA_BAD_ARGUMENT, NULL, "the query %s", why);
}

// --- Checks -------------------------------------------------------------------------------------

bool od_is_same_index(const ordna_index *a, const ordna_index *b)
{
    if (a->name == NULL || b->name == NULL) {
        return a->name == b->name;
    }
    return strcmp(a->name, b->name) == 0;
}

static const ordna_table_key *find_table_key(const ordna_table *table, const char *index)
{
    if (index == NULL) {
        return &table->keys[0];
    }
    for (size_t i = 1; i < table->key_count; i++) {
        if (strcmp(table->keys[i].index, index) == 0) {
            return &table->keys[i];
        }
    }
    return NULL;
}

static ordna_status check_partition(ordna_session *session, const struct od_plan *plan,
                                    const ordna_key *key)
{
    if (key->entity == NULL || key->index == NULL || key->sort) {
        return fail(session, "has no partition key");
    }
    if (key->entity->table != plan->table) {
        return fail(session, "has a partition key of another table");
    }
    if (!od_is_same_index(key->index, plan->index)) {
        return fail(session, "has partition keys of several indexes");
    }
    return key->count == od_key_fields(key->index->partition)
               ? ORDNA_OK
               : fail(session, "has a partition key that lacks fields");
}

// A page's `next`, which may have been anywhere since.
static ordna_status check_from(ordna_session *session, const struct od_plan *plan)
{
    const char *from = plan->query->from;
    if (from == NULL) {
        return ORDNA_OK;
    }
    if (plan->partition_count > 1) {
        return fail(session, "of several partitions can only begin at their start");
    }
    struct od_json_tree tree;
    od_json_tree_init(&tree, od_session_arena(session));
    yyjson_val *key = od_json_parse_copy(&tree, tree.arena, od_cstr(from));
    return yyjson_is_obj(key) ? ORDNA_OK : fail(session, "begins at what is no page's next");
}

ordna_status od_plan_init(ordna_session *session, const ordna_table *table,
                          const ordna_entity *entity, const ordna_query *query, struct od_plan *out)
{
    *out = (struct od_plan){
        .table = table,
        .entity = entity,
        .query = query,
        .partitions = query->partitions == NULL ? &query->partition : query->partitions,
        .partition_count = query->partitions == NULL ? 1 : query->partition_count,
    };
    if (out->partition_count == 0 || out->partitions[0].index == NULL) {
        return fail(session, "has no partition key");
    }
    if (query->limit < 0) {
        return fail(session, "has a negative limit");
    }
    out->index = out->partitions[0].index;
    out->table_key = find_table_key(table, out->index->name);
    if (out->table_key == NULL) {
        return fail(session, "has an index that the table lacks");
    }
    ordna_status status = check_from(session, out);
    for (size_t i = 0; i < out->partition_count && status == ORDNA_OK; i++) {
        status = check_partition(session, out, &out->partitions[i]);
    }
    return status;
}

// --- The request --------------------------------------------------------------------------------

static ordna_status put_key_condition(struct od_params *params, const struct od_plan *plan,
                                      const ordna_key *partition, struct od_buf *out)
{
    struct od_buf json = {.arena = od_session_arena(params->session)};
    const ordna_template *template = partition->index->partition;
    const ordna_status status =
        od_key_write(params->session, &json, partition->entity, template, partition->values);
    if (status != ORDNA_OK) {
        return status;
    }
    od_json_raw(out, ",\"KeyConditionExpression\":\"");
    od_params_name(params, out, template->attribute);
    od_json_raw(out, " = ");
    od_params_json(params, out, od_buf_str(&json));
    const ordna_status sorted = od_sort_write(params, plan, out);
    od_buf_put_byte(out, '"');
    return sorted;
}

static ordna_status put_filter_text(struct od_params *params, const struct od_plan *plan,
                                    const ordna_key *partition, struct od_buf *text)
{
    ordna_status status = ORDNA_OK;
    if (plan->count && plan->entity != NULL) {
        const ordna_value marker = ordna_of_string(plan->entity->discriminator);
        od_params_name(params, text, plan->table->discriminator);
        od_json_raw(text, " = ");
        status = od_params_value(params, text, plan->table->discriminator, &marker);
    }
    if (status != ORDNA_OK || plan->query->filter == NULL) {
        return status;
    }
    const ordna_entity *entity = plan->entity == NULL ? partition->entity : plan->entity;
    od_json_raw(text, text->len > 0 ? " AND (" : "(");
    status = od_expression_write(params, entity, plan->query->filter, text);
    od_buf_put_byte(text, ')');
    return status;
}

static ordna_status put_filter(struct od_params *params, const struct od_plan *plan,
                               const ordna_key *partition, struct od_buf *out)
{
    struct od_buf text = {.arena = od_session_arena(params->session)};
    const ordna_status status = put_filter_text(params, plan, partition, &text);
    if (text.len > 0) {
        od_json_raw(out, ",\"FilterExpression\":");
        od_json_str(out, od_buf_str(&text));
    }
    return status;
}

static ordna_status put_selection(struct od_params *params, const struct od_plan *plan,
                                  struct od_buf *out)
{
    if (plan->count) {
        od_json_raw(out, ",\"Select\":\"COUNT\"");
        return ORDNA_OK;
    }
    if (plan->query->read == NULL || plan->query->read->fields == NULL) {
        return ORDNA_OK;
    }
    if (plan->entity == NULL) {
        return fail(params->session, "of all entities reads all fields");
    }
    return od_projection_write(params, plan->entity, plan->table_key, plan->query->read, out);
}

static void put_options(const struct od_plan *plan, struct od_buf *out)
{
    if (plan->query->read != NULL && plan->query->read->consistent) {
        od_json_raw(out, ",\"ConsistentRead\":true");
    }
    if (plan->query->limit > 0) {
        od_json_raw(out, ",\"Limit\":");
        od_json_int(out, plan->query->limit);
    }
    if (plan->query->descending) {
        od_json_raw(out, ",\"ScanIndexForward\":false");
    }
}

ordna_status od_plan_write(ordna_session *session, const struct od_plan *plan,
                           const ordna_key *partition, struct od_buf *out)
{
    struct od_params params;
    od_params_init(&params, session);
    od_json_raw(out, "{\"TableName\":");
    od_json_str(out, od_cstr(plan->table->name));
    if (plan->index->name != NULL) {
        od_json_raw(out, ",\"IndexName\":");
        od_json_str(out, od_cstr(plan->index->name));
    }
    ordna_status status = put_key_condition(&params, plan, partition, out);
    if (status == ORDNA_OK) {
        status = put_filter(&params, plan, partition, out);
    }
    if (status == ORDNA_OK) {
        status = put_selection(&params, plan, out);
    }
    put_options(plan, out);
    od_params_write(&params, out);
    return status;
}

void od_plan_write_end(struct od_buf *out, od_str from)
{
    if (from.len > 0) {
        od_json_raw(out, ",\"ExclusiveStartKey\":");
        od_buf_put(out, from);
    }
    od_buf_put_byte(out, '}');
}
