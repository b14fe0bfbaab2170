// One item: put, get, update, delete.
#include "mapper/mapper_internal.h"

#include "base/json.h"

#include <string.h>

ordna_status od_bad_answer(ordna_session *session, const char *operation)
{
    return od_session_fail(session, ORDNA_BAD_ANSWER, NULL, "the answer to %s makes no sense",
                           operation);
}

enum { USUAL_BODY_BYTES = 512 };

static struct od_buf open_body(ordna_session *session)
{
    struct od_buf body = {.arena = od_session_arena(session)};
    (void)od_buf_reserve(&body, USUAL_BODY_BYTES);
    od_buf_put_byte(&body, '{');
    return body;
}

static ordna_status call(ordna_session *session, const char *operation, struct od_buf *body,
                         bool repeatable, ordna_answer *out)
{
    od_buf_put_byte(body, '}');
    return od_session_call(session, operation, od_buf_str(body), repeatable, out);
}

// --- Writes -------------------------------------------------------------------------------------

// What writes leave behind is of no use to anyone.
static ordna_status put(ordna_session *session, const ordna_entity *entity, const void *item,
                        const ordna_expression *condition)
{
    struct od_buf body = open_body(session);
    const ordna_status status = od_action_put(session, &body, entity, item, condition);
    const bool repeatable = condition == NULL && od_entity_version(entity) == NULL;
    ordna_answer answer;
    return status == ORDNA_OK ? call(session, "PutItem", &body, repeatable, &answer) : status;
}

ordna_status ordna_put(ordna_session *session, const ordna_entity *entity, void *item,
                       const ordna_expression *condition)
{
    const od_mark mark = od_arena_mark(od_session_arena(session));
    const ordna_status status = put(session, entity, item, condition);
    od_arena_rewind(od_session_arena(session), mark);
    const ordna_field *version = od_entity_version(entity);
    if (status == ORDNA_OK && version != NULL) {
        *od_version_of(version, item) += 1;
    }
    return status;
}

static ordna_status delete (ordna_session *session, const ordna_entity *entity, const void *key,
                            const ordna_expression *condition)
{
    struct od_buf body = open_body(session);
    const ordna_status status = od_action_delete(session, &body, entity, key, condition);
    const ordna_field *version = od_entity_version(entity);
    const bool repeatable =
        condition == NULL && (version == NULL || od_version_get(version, key) == 0);
    ordna_answer answer;
    return status == ORDNA_OK ? call(session, "DeleteItem", &body, repeatable, &answer) : status;
}

ordna_status ordna_delete(ordna_session *session, const ordna_entity *entity, const void *key,
                          const ordna_expression *condition)
{
    const od_mark mark = od_arena_mark(od_session_arena(session));
    const ordna_status status = delete (session, entity, key, condition);
    od_arena_rewind(od_session_arena(session), mark);
    return status;
}

// --- Answers with an item -----------------------------------------------------------------------

// What an answer holds as `member`, into the struct `out`. ORDNA_NOT_FOUND when it holds none.
struct item_reader {
    ordna_session *session;
    const ordna_entity *entity;
    const ordna_read *read;
    const char *operation;
    od_str member;
    od_str head; // of an answer that begins with it, as nearly all do
};

// The text that begins with the item; empty: there is none. False for what is no answer.
static bool find_item(const struct item_reader *reader, od_str answer, od_str *out)
{
    if (od_str_has_prefix(answer, reader->head)) {
        *out = od_str_skip(answer, reader->head.len);
        return true;
    }
    struct od_json_walk walk = {.text = answer};
    bool there = od_json_reach(&walk);
    while (there && !od_str_eq(walk.name, reader->member)) {
        there = od_json_skip(&walk) && od_json_reach(&walk);
    }
    *out = there ? walk.value : (od_str){0};
    return !walk.broken;
}

static ordna_status read_item(const struct item_reader *reader, ordna_answer answer, void *out)
{
    struct od_decoder decoder = {.session = reader->session,
                                 .arena = od_session_arena(reader->session),
                                 .table = reader->entity->table,
                                 .read = reader->read};
    od_str text = {0};
    if (!find_item(reader, (od_str){answer.body, answer.body_len}, &text)) {
        return od_bad_answer(reader->session, reader->operation);
    }
    if (text.len == 0) {
        return ORDNA_NOT_FOUND;
    }
    const ordna_status status = od_entity_read_json(&decoder, reader->entity, text, out);
    return status == ORDNA_BAD_ANSWER ? od_bad_answer(reader->session, reader->operation) : status;
}

// ORDNA_NOT_FOUND names the key.
static ordna_status not_found(ordna_session *session, const ordna_entity *entity, const void *key)
{
    struct od_buf text = {.arena = od_session_arena(session)};
    if (od_table_key_write(session, &text, entity, key) != ORDNA_OK) {
        return ORDNA_NOT_FOUND;
    }
    return od_session_fail(session, ORDNA_NOT_FOUND, NULL, "%s has no item %.*s",
                           entity->table->name, (int)text.len, text.ptr);
}

static ordna_status write_get(ordna_session *session, struct od_buf *body,
                              const ordna_entity *entity, const void *key, const ordna_read *read)
{
    const ordna_status status = od_action_get(session, body, entity, key, read);
    if (read != NULL && read->consistent) {
        od_json_raw(body, ",\"ConsistentRead\":true");
    }
    return status;
}

ordna_status ordna_get(ordna_session *session, const ordna_entity *entity, const void *key,
                       const ordna_read *read, void *out)
{
    struct od_buf body = open_body(session);
    ordna_status status = write_get(session, &body, entity, key, read);
    if (status != ORDNA_OK) {
        return status;
    }
    ordna_answer answer;
    status = call(session, "GetItem", &body, true, &answer);
    if (status != ORDNA_OK) {
        return status;
    }
    const struct item_reader reader = {.session = session,
                                       .entity = entity,
                                       .read = read,
                                       .operation = "GetItem",
                                       .member = OD_STR("Item"),
                                       .head = OD_STR("{\"Item\":")};
    status = read_item(&reader, answer, out);
    return status == ORDNA_NOT_FOUND ? not_found(session, entity, key) : status;
}

static ordna_status update_item(ordna_session *session, const ordna_entity *entity, const void *key,
                                const ordna_expression *update, const ordna_expression *condition,
                                void *out)
{
    struct od_buf body = open_body(session);
    ordna_status status = od_action_update(session, &body, entity, key, update, condition);
    if (status != ORDNA_OK) {
        return status;
    }
    if (out != NULL) {
        od_json_raw(&body, ",\"ReturnValues\":\"ALL_NEW\"");
    }
    ordna_answer answer;
    status = call(session, "UpdateItem", &body, false, &answer);
    if (status != ORDNA_OK || out == NULL) {
        return status;
    }
    const struct item_reader reader = {.session = session,
                                       .entity = entity,
                                       .operation = "UpdateItem",
                                       .member = OD_STR("Attributes"),
                                       .head = OD_STR("{\"Attributes\":")};
    status = read_item(&reader, answer, out);
    return status == ORDNA_NOT_FOUND ? od_bad_answer(session, "UpdateItem") : status;
}

ordna_status ordna_update(ordna_session *session, const ordna_entity *entity, const void *key,
                          const ordna_expression *update, const ordna_expression *condition,
                          void *out)
{
    const od_mark mark = od_arena_mark(od_session_arena(session));
    const ordna_status status = update_item(session, entity, key, update, condition, out);
    if (out == NULL) {
        od_arena_rewind(od_session_arena(session), mark);
    }
    return status;
}
