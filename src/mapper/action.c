// Puts, updates, deletes and checks: members of a request, or of an action within a transaction.
#include "mapper/mapper_internal.h"

#include "base/json.h"
#include "mapper/json_write.h"

// An action in the making.
struct action {
    ordna_session *session;
    const ordna_entity *entity;
    struct od_params params;
    struct od_buf condition; // as text of the expression
};

static void action_init(struct action *action, ordna_session *session, const ordna_entity *entity)
{
    *action = (struct action){
        .session = session,
        .entity = entity,
        .condition = {.arena = od_session_arena(session)},
    };
    od_params_init(&action->params, session);
}

static void put_table(struct od_buf *out, const ordna_entity *entity)
{
    od_put(out, OD_STR("\"TableName\":"));
    (void)od_put_string(out, od_cstr(entity->table->name));
}

static ordna_status put_key(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                            const void *key)
{
    put_table(out, entity);
    od_put(out, OD_STR(",\"Key\":"));
    return od_table_key_write(session, out, entity, key);
}

// --- Conditions ---------------------------------------------------------------------------------

static void put_and(struct action *action)
{
    if (action->condition.len > 0) {
        od_json_raw(&action->condition, " AND ");
    }
}

static ordna_status require(struct action *action, const ordna_expression *condition)
{
    if (condition == NULL) {
        return ORDNA_OK;
    }
    put_and(action);
    od_buf_put_byte(&action->condition, '(');
    const ordna_status status =
        od_expression_write(&action->params, action->entity, condition, &action->condition);
    od_buf_put_byte(&action->condition, ')');
    return status;
}

static void require_absence(struct action *action)
{
    put_and(action);
    od_json_raw(&action->condition, "attribute_not_exists(");
    od_params_name(&action->params, &action->condition,
                   action->entity->keys[0].partition->attribute);
    od_buf_put_byte(&action->condition, ')');
}

static ordna_status require_equal(struct action *action, const char *attribute, ordna_value value)
{
    od_params_name(&action->params, &action->condition, attribute);
    od_json_raw(&action->condition, " = ");
    return od_params_value(&action->params, &action->condition, attribute, &value);
}

static ordna_status require_version(struct action *action, const ordna_field *version, int64_t is)
{
    if (is < 0 || is == INT64_MAX) {
        return od_session_fail(action->session, ORDNA_BAD_ARGUMENT, version->name,
                               "%s is %lld, which no item's is", version->name, (long long)is);
    }
    put_and(action);
    return require_equal(action, version->name, ordna_of_int(is));
}

// The version that the key's struct has, if it has one.
static ordna_status require_same_version(struct action *action, const void *key)
{
    const ordna_field *version = od_entity_version(action->entity);
    const int64_t is = version == NULL ? 0 : od_version_get(version, key);
    return is == 0 ? ORDNA_OK : require_version(action, version, is);
}

// No item of another entity, which may stand under the same key.
static ordna_status require_entity_or_none(struct action *action)
{
    const ordna_table *table = action->entity->table;
    put_and(action);
    od_json_raw(&action->condition, "(attribute_not_exists(");
    od_params_name(&action->params, &action->condition, table->discriminator);
    od_json_raw(&action->condition, ") OR ");
    const ordna_status status =
        require_equal(action, table->discriminator, ordna_of_string(action->entity->discriminator));
    od_buf_put_byte(&action->condition, ')');
    return status;
}

static void put_expression(struct od_buf *out, const char *name, const struct od_buf *text)
{
    if (text->len == 0) {
        return;
    }
    od_json_raw(out, ",\"");
    od_json_raw(out, name);
    od_json_raw(out, "\":");
    od_json_str(out, od_buf_str(text));
}

static void put_end(struct action *action, struct od_buf *out)
{
    put_expression(out, "ConditionExpression", &action->condition);
    od_params_write(&action->params, out);
}

// --- Actions ------------------------------------------------------------------------------------

ordna_status od_action_put(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                           const void *item, const ordna_expression *condition)
{
    struct action action;
    action_init(&action, session, entity);
    const ordna_field *version = od_entity_version(entity);
    const int64_t is = version == NULL ? 0 : od_version_get(version, item);
    ordna_status status = ORDNA_OK;
    if (version != NULL && is == 0) {
        require_absence(&action);
    } else if (version != NULL) {
        status = require_version(&action, version, is);
    }
    if (status == ORDNA_OK) {
        status = require(&action, condition);
    }
    put_table(out, entity);
    od_json_raw(out, ",\"Item\":");
    if (status == ORDNA_OK) {
        status = od_entity_write(session, out, entity, item, is + 1);
    }
    put_end(&action, out);
    return status;
}

ordna_status od_action_update(ordna_session *session, struct od_buf *out,
                              const ordna_entity *entity, const void *key,
                              const ordna_expression *update, const ordna_expression *condition)
{
    if (update == NULL) {
        return od_session_fail(session, ORDNA_BAD_ARGUMENT, NULL, "there is no update");
    }
    struct action action;
    action_init(&action, session, entity);
    struct od_buf text = {.arena = od_session_arena(session)};
    ordna_status status = put_key(session, out, entity, key);
    if (status == ORDNA_OK) {
        status = od_update_write(&action.params, entity, update, key, &text);
    }
    if (status == ORDNA_OK) {
        status = require_same_version(&action, key);
    }
    if (status == ORDNA_OK) {
        status = require_entity_or_none(&action);
    }
    if (status == ORDNA_OK) {
        status = require(&action, condition);
    }
    put_expression(out, "UpdateExpression", &text);
    put_end(&action, out);
    return status;
}

static ordna_status put_conditional(ordna_session *session, struct od_buf *out,
                                    const ordna_entity *entity, const void *key,
                                    const ordna_expression *condition)
{
    struct action action;
    action_init(&action, session, entity);
    ordna_status status = put_key(session, out, entity, key);
    if (status == ORDNA_OK) {
        status = require_same_version(&action, key);
    }
    if (status == ORDNA_OK) {
        status = require(&action, condition);
    }
    put_end(&action, out);
    return status;
}

ordna_status od_action_delete(ordna_session *session, struct od_buf *out,
                              const ordna_entity *entity, const void *key,
                              const ordna_expression *condition)
{
    return put_conditional(session, out, entity, key, condition);
}

ordna_status od_action_check(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                             const void *key, const ordna_expression *condition)
{
    if (condition == NULL) {
        return od_session_fail(session, ORDNA_BAD_ARGUMENT, NULL, "a check needs a condition");
    }
    return put_conditional(session, out, entity, key, condition);
}

ordna_status od_action_get(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                           const void *key, const ordna_read *read)
{
    ordna_status status = put_key(session, out, entity, key);
    if (status != ORDNA_OK || read == NULL) {
        return status;
    }
    struct od_params params;
    od_params_init(&params, session);
    status = od_projection_write(&params, entity, NULL, read, out);
    od_params_write(&params, out);
    return status;
}
