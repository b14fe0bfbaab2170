// Tables: made on demand, compared with what is there, waited for.
#include "mapper/mapper_internal.h"

#include "base/json.h"

#include <string.h>

// --- The request --------------------------------------------------------------------------------

static void put_definition(struct od_buf *out, const char *name, ordna_type type)
{
    od_json_raw(out, out->ptr[out->len - 1] == '[' ? "{" : ",{");
    od_member_put(out, "AttributeName");
    od_json_str(out, od_cstr(name));
    od_member_put(out, "AttributeType");
    od_json_str(out, od_cstr(od_attribute_tag(type)));
    od_buf_put_byte(out, '}');
}

static bool is_attribute_of(const ordna_table_key *key, const char *name)
{
    return strcmp(key->partition, name) == 0 || (key->sort != NULL && strcmp(key->sort, name) == 0);
}

static bool is_defined_before(const ordna_table *table, size_t index, const char *name)
{
    for (size_t i = 0; i < index; i++) {
        if (is_attribute_of(&table->keys[i], name)) {
            return true;
        }
    }
    return false;
}

static void put_definitions(struct od_buf *out, const ordna_table *table)
{
    od_member_put(out, "AttributeDefinitions");
    od_buf_put_byte(out, '[');
    for (size_t i = 0; i < table->key_count; i++) {
        const ordna_table_key *key = &table->keys[i];
        if (!is_defined_before(table, i, key->partition)) {
            put_definition(out, key->partition, key->partition_type);
        }
        if (key->sort != NULL && !is_defined_before(table, i, key->sort)) {
            put_definition(out, key->sort, key->sort_type);
        }
    }
    od_buf_put_byte(out, ']');
}

static void put_schema(struct od_buf *out, const ordna_table_key *key)
{
    od_member_put(out, "KeySchema");
    od_json_raw(out, "[{\"KeyType\":\"HASH\",\"AttributeName\":");
    od_json_str(out, od_cstr(key->partition));
    if (key->sort != NULL) {
        od_json_raw(out, "},{\"KeyType\":\"RANGE\",\"AttributeName\":");
        od_json_str(out, od_cstr(key->sort));
    }
    od_json_raw(out, "}]");
}

static const char *projection_of(const ordna_table_key *key)
{
    return key->keys_only ? "KEYS_ONLY" : "ALL";
}

static void put_index(struct od_buf *out, const ordna_table_key *key)
{
    od_json_raw(out, out->ptr[out->len - 1] == '[' ? "{" : ",{");
    od_member_put(out, "IndexName");
    od_json_str(out, od_cstr(key->index));
    put_schema(out, key);
    od_member_put(out, "Projection");
    od_json_raw(out, "{\"ProjectionType\":");
    od_json_str(out, od_cstr(projection_of(key)));
    od_json_raw(out, "}}");
}

static void put_indexes(struct od_buf *out, const ordna_table *table, bool local, const char *name)
{
    bool any = false;
    for (size_t i = 1; i < table->key_count; i++) {
        if (table->keys[i].local != local) {
            continue;
        }
        if (!any) {
            od_member_put(out, name);
            od_buf_put_byte(out, '[');
        }
        any = true;
        put_index(out, &table->keys[i]);
    }
    if (any) {
        od_buf_put_byte(out, ']');
    }
}

static struct od_buf open_body(ordna_session *session, const ordna_table *table)
{
    struct od_buf body = {.arena = od_session_arena(session)};
    od_buf_put_byte(&body, '{');
    od_member_put(&body, "TableName");
    od_json_str(&body, od_cstr(table->name));
    return body;
}

static ordna_status call(ordna_session *session, const char *operation, struct od_buf *body,
                         bool repeatable, ordna_answer *out)
{
    od_buf_put_byte(body, '}');
    return od_session_call(session, operation, od_buf_str(body), repeatable, out);
}

static bool is_error(const ordna_session *session, const char *type)
{
    return strcmp(ordna_session_error(session)->type, type) == 0;
}

static ordna_status call_create(ordna_session *session, const ordna_table *table)
{
    struct od_buf body = open_body(session, table);
    od_member_put(&body, "BillingMode");
    od_json_raw(&body, "\"PAY_PER_REQUEST\"");
    put_definitions(&body, table);
    put_schema(&body, &table->keys[0]);
    put_indexes(&body, table, true, "LocalSecondaryIndexes");
    put_indexes(&body, table, false, "GlobalSecondaryIndexes");
    ordna_answer answer;
    // Twice is as good as once: what is there is compared.
    const ordna_status status = call(session, "CreateTable", &body, true, &answer);
    return status == ORDNA_REFUSED && is_error(session, "ResourceInUseException") ? ORDNA_OK
                                                                                  : status;
}

// --- What is there ------------------------------------------------------------------------------

static yyjson_val *parse(ordna_session *session, ordna_answer answer, const char *member)
{
    od_arena *arena = od_session_arena(session);
    struct od_json_tree *tree = od_new(arena, struct od_json_tree);
    od_json_tree_init(tree, arena);
    yyjson_val *root = od_json_parse_copy(tree, arena, (od_str){answer.body, answer.body_len});
    return yyjson_obj_get(root, member);
}

static ordna_status describe(ordna_session *session, const ordna_table *table, yyjson_val **out)
{
    struct od_buf body = open_body(session, table);
    ordna_answer answer;
    const ordna_status status = call(session, "DescribeTable", &body, true, &answer);
    if (status != ORDNA_OK) {
        return status;
    }
    *out = parse(session, answer, "Table");
    return *out == NULL ? od_bad_answer(session, "DescribeTable") : ORDNA_OK;
}

// The object of an array whose member `name` is `text`.
static yyjson_val *find_object(yyjson_val *array, const char *name, const char *text)
{
    size_t i = 0;
    size_t count = 0;
    yyjson_val *object = NULL;
    yyjson_arr_foreach(array, i, count, object)
    {
        if (yyjson_equals_str(yyjson_obj_get(object, name), text)) {
            return object;
        }
    }
    return NULL;
}

static bool has_attribute(yyjson_val *described, yyjson_val *schema, const char *kind,
                          const char *name, ordna_type type)
{
    yyjson_val *part = find_object(schema, "KeyType", kind);
    if (name == NULL) {
        return part == NULL;
    }
    yyjson_val *definitions = yyjson_obj_get(described, "AttributeDefinitions");
    yyjson_val *definition = find_object(definitions, "AttributeName", name);
    return yyjson_equals_str(yyjson_obj_get(part, "AttributeName"), name) &&
           yyjson_equals_str(yyjson_obj_get(definition, "AttributeType"), od_attribute_tag(type));
}

static yyjson_val *find_key(yyjson_val *described, const ordna_table_key *key)
{
    if (key->index == NULL) {
        return described;
    }
    const char *list = key->local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes";
    yyjson_val *index = find_object(yyjson_obj_get(described, list), "IndexName", key->index);
    yyjson_val *projection = yyjson_obj_get(yyjson_obj_get(index, "Projection"), "ProjectionType");
    return yyjson_equals_str(projection, projection_of(key)) ? index : NULL;
}

static bool is_as_described(const ordna_table_key *key, yyjson_val *described)
{
    yyjson_val *schema = yyjson_obj_get(find_key(described, key), "KeySchema");
    return schema != NULL &&
           has_attribute(described, schema, "HASH", key->partition, key->partition_type) &&
           has_attribute(described, schema, "RANGE", key->sort, key->sort_type);
}

static ordna_status compare(ordna_session *session, const ordna_table *table, yyjson_val *described)
{
    for (size_t i = 0; i < table->key_count; i++) {
        const ordna_table_key *key = &table->keys[i];
        if (!is_as_described(key, described)) {
            return od_session_fail(session, ORDNA_BAD_ARGUMENT, NULL,
                                   "the table %s is there, and its %s%s is another", table->name,
                                   key->index == NULL ? "key" : "index ",
                                   key->index == NULL ? "" : key->index);
        }
    }
    return ORDNA_OK;
}

// --- Waiting ------------------------------------------------------------------------------------

enum { MAX_POLLS = 300, LONGEST_WAIT = 6 };

enum readiness {
    READY,
    SOON,
    NEVER, // by itself
};

// Of tables and of global indexes, as the API's reference has them. One that is being changed
// serves all requests.
static enum readiness readiness_of(yyjson_val *status)
{
    static const struct {
        const char *status;
        enum readiness is;
    } rows[] = {
        {"ACTIVE", READY},    {"UPDATING", READY}, {"INACCESSIBLE_ENCRYPTION_CREDENTIALS", NEVER},
        {"ARCHIVING", NEVER}, {"ARCHIVED", NEVER},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        if (yyjson_equals_str(status, rows[i].status)) {
            return rows[i].is;
        }
    }
    return SOON; // to be made, or to go
}

static enum readiness readiness_of_table(const ordna_table *table, yyjson_val *described)
{
    const enum readiness is = readiness_of(yyjson_obj_get(described, "TableStatus"));
    yyjson_val *indexes = yyjson_obj_get(described, "GlobalSecondaryIndexes");
    for (size_t i = 1; i < table->key_count && is == READY; i++) {
        yyjson_val *index = find_object(indexes, "IndexName", table->keys[i].index);
        yyjson_val *status = yyjson_obj_get(index, "IndexStatus");
        if (status != NULL && readiness_of(status) != READY) {
            return SOON;
        }
    }
    return is;
}

// A table that is not there is made: one that was being deleted has gone. One that was just made
// may not be known everywhere.
static ordna_status poll(ordna_session *session, const ordna_table *table, yyjson_val **described,
                         enum readiness *is)
{
    *is = SOON;
    const ordna_status status = describe(session, table, described);
    if (status == ORDNA_REFUSED && is_error(session, "ResourceNotFoundException")) {
        return call_create(session, table);
    }
    if (status == ORDNA_OK) {
        *is = readiness_of_table(table, *described);
    }
    return status;
}

static ordna_status fail_never(ordna_session *session, const ordna_table *table,
                               yyjson_val *described)
{
    return od_session_fail(session, ORDNA_REFUSED, NULL,
                           "the table %s is %s, and does not become ACTIVE by itself", table->name,
                           yyjson_get_str(yyjson_obj_get(described, "TableStatus")));
}

static ordna_status wait_until_ready(ordna_session *session, const ordna_table *table,
                                     yyjson_val **described)
{
    for (int polls = 1; polls <= MAX_POLLS; polls++) {
        enum readiness is = SOON;
        ordna_status status = poll(session, table, described, &is);
        if (status != ORDNA_OK || is == READY) {
            return status;
        }
        if (is == NEVER) {
            return fail_never(session, table, *described);
        }
        status = od_session_wait(session, polls < LONGEST_WAIT ? polls : LONGEST_WAIT);
        if (status != ORDNA_OK) {
            return status;
        }
    }
    return od_session_fail(session, ORDNA_TIMED_OUT, NULL, "the table %s is not ACTIVE yet",
                           table->name);
}

// --- Time to live -------------------------------------------------------------------------------

static ordna_status find_ttl(ordna_session *session, const ordna_table *table, const char **out)
{
    *out = NULL;
    for (size_t i = 0; i < table->entity_count; i++) {
        const ordna_entity *entity = table->entities[i];
        for (size_t j = 0; j < entity->field_count; j++) {
            const ordna_field *field = &entity->fields[j];
            if (field->role != ORDNA_TTL) {
                continue;
            }
            if (*out != NULL && strcmp(*out, field->name) != 0) {
                return od_session_fail(session, ORDNA_BAD_ARGUMENT, field->name,
                                       "the items of %s expire by %s and by %s", table->name, *out,
                                       field->name);
            }
            *out = field->name;
        }
    }
    return ORDNA_OK;
}

static ordna_status switch_on_ttl(ordna_session *session, const ordna_table *table,
                                  const char *attribute)
{
    struct od_buf body = open_body(session, table);
    od_member_put(&body, "TimeToLiveSpecification");
    od_json_raw(&body, "{\"Enabled\":true,\"AttributeName\":");
    od_json_str(&body, od_cstr(attribute));
    od_buf_put_byte(&body, '}');
    ordna_answer answer;
    return call(session, "UpdateTimeToLive", &body, false, &answer);
}

// By which attribute items expire, or will soon: in the session's memory, NULL for by none.
static ordna_status read_ttl(ordna_session *session, const ordna_table *table, const char **out)
{
    *out = NULL;
    struct od_buf body = open_body(session, table);
    ordna_answer answer;
    const ordna_status status = call(session, "DescribeTimeToLive", &body, true, &answer);
    if (status != ORDNA_OK) {
        return status;
    }
    yyjson_val *described = parse(session, answer, "TimeToLiveDescription");
    yyjson_val *is = yyjson_obj_get(described, "TimeToLiveStatus");
    if (yyjson_equals_str(is, "ENABLED") || yyjson_equals_str(is, "ENABLING")) {
        *out = yyjson_get_str(yyjson_obj_get(described, "AttributeName"));
    }
    return ORDNA_OK;
}

static ordna_status ensure_ttl(ordna_session *session, const ordna_table *table,
                               const char *attribute)
{
    const char *by = NULL;
    ordna_status status = read_ttl(session, table, &by);
    if (status == ORDNA_REFUSED && is_error(session, "UnknownOperationException")) {
        return ORDNA_OK; // a server where nothing expires
    }
    if (status == ORDNA_OK && by == NULL) {
        status = switch_on_ttl(session, table, attribute);
        // Another program may have been faster.
        if (status != ORDNA_OK && read_ttl(session, table, &by) == ORDNA_OK && by != NULL) {
            status = ORDNA_OK;
        }
    }
    if (status == ORDNA_OK && by != NULL && strcmp(by, attribute) != 0) {
        return od_session_fail(session, ORDNA_BAD_ARGUMENT, attribute,
                               "the items of %s expire by another attribute than %s", table->name,
                               attribute);
    }
    return status;
}

// --- For programs -------------------------------------------------------------------------------

static ordna_status create(ordna_session *session, const ordna_table *table)
{
    const char *ttl = NULL;
    ordna_status status = find_ttl(session, table, &ttl);
    if (status != ORDNA_OK) {
        return status;
    }
    status = call_create(session, table);
    if (status != ORDNA_OK) {
        return status;
    }
    yyjson_val *described = NULL;
    status = wait_until_ready(session, table, &described);
    if (status == ORDNA_OK) {
        status = compare(session, table, described);
    }
    return status == ORDNA_OK && ttl != NULL ? ensure_ttl(session, table, ttl) : status;
}

ordna_status ordna_create_table(ordna_session *session, const ordna_table *table)
{
    od_arena *arena = od_session_arena(session);
    const od_mark mark = od_arena_mark(arena);
    const ordna_status status = create(session, table);
    od_arena_rewind(arena, mark);
    return status;
}
