// Transactions: up to 100 actions, all or none.
#include "mapper/mapper_internal.h"

#include "base/json.h"
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ACTIONS = 100 };

// Where a read goes, and whose version a write counts.
struct action {
    const ordna_entity *entity;
    void *out;     // of a read
    bool *found;   // of a read
    void *written; // of a put whose entity has a version; else NULL
};

struct ordna_transaction {
    ordna_session *session;
    od_arena *arena;
    struct od_buf actions; // JSON, with commas
    struct action items[MAX_ACTIONS];
    size_t count;
    bool reads;   // else it writes
    od_str token; // of the commit of these very actions; empty: none has been tried
    ordna_reason *reasons;
    size_t reason_count;
};

ordna_transaction *ordna_transaction_open(ordna_session *session)
{
    ordna_transaction *transaction = calloc(1, sizeof(*transaction));
    if (transaction == NULL) {
        fputs("ordna: out of memory\n", stderr);
        abort();
    }
    transaction->session = session;
    transaction->arena = od_arena_create();
    transaction->actions.arena = transaction->arena;
    return transaction;
}

void ordna_transaction_close(ordna_transaction *transaction)
{
    if (transaction == NULL) {
        return;
    }
    od_arena_destroy(transaction->arena);
    free(transaction);
}

// --- Actions ------------------------------------------------------------------------------------

static ordna_status check_room(ordna_transaction *transaction, bool reads)
{
    if (transaction->count == MAX_ACTIONS) {
        return od_session_fail(transaction->session, ORDNA_BAD_ARGUMENT, NULL,
                               "a transaction holds %d actions", MAX_ACTIONS);
    }
    if (transaction->count > 0 && transaction->reads != reads) {
        return od_session_fail(transaction->session, ORDNA_BAD_ARGUMENT, NULL,
                               "a transaction either reads or writes");
    }
    transaction->reads = reads;
    return ORDNA_OK;
}

// Where the action's JSON begins, to go back to when it comes to nothing.
static size_t begin_action(ordna_transaction *transaction, const char *name)
{
    const size_t start = transaction->actions.len;
    od_json_raw(&transaction->actions, start > 0 ? ",{\"" : "{\"");
    od_json_raw(&transaction->actions, name);
    od_json_raw(&transaction->actions, "\":{");
    return start;
}

static ordna_status end_action(ordna_transaction *transaction, ordna_status status, size_t start,
                               struct action action)
{
    if (status != ORDNA_OK) {
        transaction->actions.len = start;
        return status;
    }
    od_json_raw(&transaction->actions, "}}");
    transaction->token = (od_str){0};
    transaction->items[transaction->count++] = action;
    return ORDNA_OK;
}

ordna_status ordna_transaction_put(ordna_transaction *transaction, const ordna_entity *entity,
                                   void *item, const ordna_expression *condition)
{
    ordna_status status = check_room(transaction, false);
    if (status != ORDNA_OK) {
        return status;
    }
    const size_t start = begin_action(transaction, "Put");
    status = od_action_put(transaction->session, &transaction->actions, entity, item, condition);
    const bool counts = od_entity_version(entity) != NULL;
    return end_action(transaction, status, start,
                      (struct action){.entity = entity, .written = counts ? item : NULL});
}

ordna_status ordna_transaction_update(ordna_transaction *transaction, const ordna_entity *entity,
                                      const void *key, const ordna_expression *update,
                                      const ordna_expression *condition)
{
    ordna_status status = check_room(transaction, false);
    if (status != ORDNA_OK) {
        return status;
    }
    const size_t start = begin_action(transaction, "Update");
    status = od_action_update(transaction->session, &transaction->actions, entity, key, update,
                              condition);
    return end_action(transaction, status, start, (struct action){.entity = entity});
}

ordna_status ordna_transaction_delete(ordna_transaction *transaction, const ordna_entity *entity,
                                      const void *key, const ordna_expression *condition)
{
    ordna_status status = check_room(transaction, false);
    if (status != ORDNA_OK) {
        return status;
    }
    const size_t start = begin_action(transaction, "Delete");
    status = od_action_delete(transaction->session, &transaction->actions, entity, key, condition);
    return end_action(transaction, status, start, (struct action){.entity = entity});
}

ordna_status ordna_transaction_check(ordna_transaction *transaction, const ordna_entity *entity,
                                     const void *key, const ordna_expression *condition)
{
    ordna_status status = check_room(transaction, false);
    if (status != ORDNA_OK) {
        return status;
    }
    const size_t start = begin_action(transaction, "ConditionCheck");
    status = od_action_check(transaction->session, &transaction->actions, entity, key, condition);
    return end_action(transaction, status, start, (struct action){.entity = entity});
}

ordna_status ordna_transaction_get(ordna_transaction *transaction, const ordna_entity *entity,
                                   const void *key, void *out, bool *found)
{
    ordna_status status = check_room(transaction, true);
    if (status != ORDNA_OK) {
        return status;
    }
    const size_t start = begin_action(transaction, "Get");
    status = od_action_get(transaction->session, &transaction->actions, entity, key, NULL);
    return end_action(transaction, status, start,
                      (struct action){.entity = entity, .out = out, .found = found});
}

// --- Reasons ------------------------------------------------------------------------------------

// A member's text without escapes, or "".
static const char *text_member(yyjson_val *object, const char *name)
{
    const char *text = yyjson_get_str(yyjson_obj_get(object, name));
    return text == NULL ? "" : text;
}

static void read_reason(ordna_transaction *transaction, od_str json, ordna_reason *out)
{
    od_str item = {0};
    *out = (ordna_reason){.item = ""};
    if (od_json_find(json, "Item", &item)) {
        out->item = od_arena_copy(transaction->arena, item).ptr;
    }
    struct od_json_tree tree;
    od_json_tree_init(&tree, transaction->arena);
    yyjson_val *reason = od_json_parse_copy(&tree, transaction->arena, json);
    out->code = text_member(reason, "Code");
    out->message = text_member(reason, "Message");
}

static void read_reasons(ordna_transaction *transaction)
{
    const char *body = ordna_session_error(transaction->session)->body;
    od_str reasons = {0};
    if (!od_json_find(od_cstr(body), "CancellationReasons", &reasons)) {
        return;
    }
    transaction->reasons = od_new_array(transaction->arena, ordna_reason, MAX_ACTIONS);
    for (struct od_json_walk walk = {.text = reasons};
         transaction->reason_count < MAX_ACTIONS && od_json_next(&walk);) {
        read_reason(transaction, walk.value, &transaction->reasons[transaction->reason_count++]);
    }
}

const ordna_reason *ordna_transaction_reason(const ordna_transaction *transaction, size_t i)
{
    return i < transaction->reason_count ? &transaction->reasons[i] : NULL;
}

// --- The commit ---------------------------------------------------------------------------------

static od_str make_body(ordna_transaction *transaction)
{
    od_arena *arena = od_session_arena(transaction->session);
    struct od_buf body = {.arena = arena};
    od_json_raw(&body, "{\"TransactItems\":[");
    od_buf_put(&body, od_buf_str(&transaction->actions));
    od_buf_put_byte(&body, ']');
    if (!transaction->reads) {
        if (transaction->token.len == 0) {
            transaction->token = od_random_uuid(transaction->arena);
        }
        od_json_raw(&body, ",\"ClientRequestToken\":");
        od_json_str(&body, transaction->token);
    }
    od_buf_put_byte(&body, '}');
    return od_buf_str(&body);
}

static void count_versions(const ordna_transaction *transaction)
{
    for (size_t i = 0; i < transaction->count; i++) {
        const struct action *action = &transaction->items[i];
        if (action->written != NULL) {
            *od_version_of(od_entity_version(action->entity), action->written) += 1;
        }
    }
}

// A transaction that is used again and again does not grow.
static void empty(ordna_transaction *transaction)
{
    od_arena_reset(transaction->arena);
    transaction->actions = (struct od_buf){.arena = transaction->arena};
    transaction->count = 0;
    transaction->token = (od_str){0};
    transaction->reason_count = 0;
}

static ordna_status commit_writes(ordna_transaction *transaction)
{
    od_arena *arena = od_session_arena(transaction->session);
    const od_mark mark = od_arena_mark(arena);
    ordna_answer answer;
    const ordna_status status = od_session_call(transaction->session, "TransactWriteItems",
                                                make_body(transaction), true, &answer);
    od_arena_rewind(arena, mark);
    if (status == ORDNA_TRANSACTION_CANCELED) {
        read_reasons(transaction);
    }
    if (status == ORDNA_OK) {
        count_versions(transaction);
        empty(transaction);
    }
    return status;
}

static ordna_status decode(ordna_transaction *transaction, od_str response,
                           const struct action *action)
{
    od_str json = {0};
    *action->found = false;
    if (!od_json_find(response, "Item", &json)) {
        return ORDNA_OK;
    }
    struct od_decoder decoder = {.session = transaction->session,
                                 .arena = od_session_arena(transaction->session),
                                 .table = action->entity->table};
    const ordna_status status = od_entity_read_json(&decoder, action->entity, json, action->out);
    *action->found = status == ORDNA_OK;
    return status == ORDNA_BAD_ANSWER ? od_bad_answer(transaction->session, "TransactGetItems")
                                      : status;
}

// The answers stand in the order of the actions.
static ordna_status decode_all(ordna_transaction *transaction, od_str body)
{
    od_str responses = {0};
    if (!od_json_find(body, "Responses", &responses)) {
        return od_bad_answer(transaction->session, "TransactGetItems");
    }
    ordna_status result = ORDNA_OK;
    struct od_json_walk walk = {.text = responses};
    for (size_t i = 0; i < transaction->count; i++) {
        if (!od_json_next(&walk)) {
            return od_bad_answer(transaction->session, "TransactGetItems");
        }
        const ordna_status status = decode(transaction, walk.value, &transaction->items[i]);
        if (status != ORDNA_OK && status != ORDNA_BAD_ITEM) {
            return status;
        }
        result = status == ORDNA_OK ? result : status;
    }
    return result;
}

static ordna_status commit_reads(ordna_transaction *transaction)
{
    ordna_answer answer;
    const ordna_status status = od_session_call(transaction->session, "TransactGetItems",
                                                make_body(transaction), true, &answer);
    if (status == ORDNA_TRANSACTION_CANCELED) {
        read_reasons(transaction);
    }
    if (status != ORDNA_OK) {
        return status;
    }
    const ordna_status decoded = decode_all(transaction, (od_str){answer.body, answer.body_len});
    empty(transaction);
    return decoded;
}

ordna_status ordna_transaction_commit(ordna_transaction *transaction)
{
    if (transaction->count == 0) {
        return od_session_fail(transaction->session, ORDNA_BAD_ARGUMENT, NULL,
                               "the transaction has no actions");
    }
    transaction->reason_count = 0; // those of an earlier try
    return transaction->reads ? commit_reads(transaction) : commit_writes(transaction);
}
