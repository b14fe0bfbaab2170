// Writes of many items at once.
#include "mapper/batch.h"

#include "base/json.h"
#include "mapper/item_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WRITES = 25 };

// --- Sending again ------------------------------------------------------------------------------

ordna_status od_batch_wait(ordna_session *session, int *failed, bool progress)
{
    *failed = progress ? 1 : *failed + 1;
    if (*failed >= od_session_max_attempts(session)) {
        return od_session_fail(session, ORDNA_THROTTLED, NULL,
                               "part of a batch came back unprocessed %d times", *failed);
    }
    return od_session_wait(session, *failed);
}

od_str od_batch_left(od_str answer, const char *member)
{
    od_str object = {0};
    struct od_json_walk walk = {0};
    if (!od_json_find(answer, member, &object)) {
        return (od_str){0};
    }
    walk.text = object;
    return od_json_next(&walk) ? object : (od_str){0};
}

od_str od_batch_body(ordna_session *session, od_str tables)
{
    struct od_buf body = {.arena = od_session_arena(session)};
    od_json_raw(&body, "{\"RequestItems\":");
    od_buf_put(&body, tables);
    od_buf_put_byte(&body, '}');
    return od_buf_str(&body);
}

// --- Writes -------------------------------------------------------------------------------------

struct write {
    const ordna_table *table;
    struct od_item_key key;
    od_str request; // {"PutRequest":...}
};

struct ordna_batch {
    ordna_session *session;
    od_arena *arena; // of the writes; the batch itself is not in it
    struct write *writes;
    size_t count;
    size_t cap;
};

ordna_batch *ordna_batch_open(ordna_session *session)
{
    ordna_batch *batch = calloc(1, sizeof(*batch));
    if (batch == NULL) {
        fputs("ordna: out of memory\n", stderr);
        abort();
    }
    batch->session = session;
    batch->arena = od_arena_create();
    return batch;
}

void ordna_batch_close(ordna_batch *batch)
{
    if (batch == NULL) {
        return;
    }
    od_arena_destroy(batch->arena);
    free(batch);
}

static void empty(ordna_batch *batch)
{
    od_arena_reset(batch->arena);
    batch->writes = NULL;
    batch->count = 0;
    batch->cap = 0;
}

static void append(ordna_batch *batch, struct write write)
{
    if (batch->count == batch->cap) {
        const size_t cap = batch->cap == 0 ? MAX_WRITES : batch->cap * 2;
        struct write *writes = od_new_array(batch->arena, struct write, cap);
        if (batch->count > 0) {
            memcpy(writes, batch->writes, batch->count * sizeof(*writes));
        }
        batch->writes = writes;
        batch->cap = cap;
    }
    batch->writes[batch->count++] = write;
}

// Writes the key's JSON, and keeps what tells the item apart.
static ordna_status make_key(ordna_batch *batch, const ordna_entity *entity, const void *item,
                             struct od_buf *json, struct od_item_key *out)
{
    *json = (struct od_buf){.arena = batch->arena};
    const ordna_status status = od_table_key_write(batch->session, json, entity, item);
    if (status == ORDNA_OK) {
        *out = od_item_key_parse(batch->arena, &entity->table->keys[0], od_buf_str(json));
    }
    return status;
}

ordna_status ordna_batch_put(ordna_batch *batch, const ordna_entity *entity, const void *item)
{
    const ordna_field *version = od_entity_version(entity);
    if (version != NULL) {
        return od_session_fail(batch->session, ORDNA_BAD_ARGUMENT, version->name,
                               "%s has a version, which a batch cannot check", entity->name);
    }
    struct od_buf json;
    struct write write = {.table = entity->table};
    ordna_status status = make_key(batch, entity, item, &json, &write.key);
    if (status != ORDNA_OK) {
        return status;
    }
    struct od_buf request = {.arena = batch->arena};
    od_json_raw(&request, "{\"PutRequest\":{\"Item\":");
    status = od_entity_write(batch->session, &request, entity, item, 0);
    od_json_raw(&request, "}}");
    write.request = od_buf_str(&request);
    if (status == ORDNA_OK) {
        append(batch, write);
    }
    return status;
}

ordna_status ordna_batch_delete(ordna_batch *batch, const ordna_entity *entity, const void *key)
{
    struct od_buf json;
    struct write write = {.table = entity->table};
    const ordna_status status = make_key(batch, entity, key, &json, &write.key);
    if (status != ORDNA_OK) {
        return status;
    }
    struct od_buf request = {.arena = batch->arena};
    od_json_raw(&request, "{\"DeleteRequest\":{\"Key\":");
    od_buf_put(&request, od_buf_str(&json));
    od_json_raw(&request, "}}");
    write.request = od_buf_str(&request);
    append(batch, write);
    return ORDNA_OK;
}

static bool is_same_item(const struct write *a, const struct write *b)
{
    return strcmp(a->table->name, b->table->name) == 0 && od_item_key_is_same(&a->key, &b->key);
}

// How many of the writes from `from` on go into one request: DynamoDB takes an item once in each,
// and the order of an item's writes is kept.
static size_t group_size(const ordna_batch *batch, size_t from)
{
    size_t end = from;
    for (; end < batch->count && end - from < MAX_WRITES; end++) {
        for (size_t i = from; i < end; i++) {
            if (is_same_item(&batch->writes[i], &batch->writes[end])) {
                return end - from;
            }
        }
    }
    return end - from;
}

static bool is_first_of_table(const struct write *writes, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (strcmp(writes[j].table->name, writes[i].table->name) == 0) {
            return false;
        }
    }
    return true;
}

static void put_table(struct od_buf *out, const struct write *writes, size_t count, size_t first)
{
    od_member_put(out, writes[first].table->name);
    for (size_t i = first; i < count; i++) {
        if (i == first) {
            od_buf_put_byte(out, '[');
        } else if (strcmp(writes[i].table->name, writes[first].table->name) != 0) {
            continue;
        } else {
            od_buf_put_byte(out, ',');
        }
        od_buf_put(out, writes[i].request);
    }
    od_buf_put_byte(out, ']');
}

static od_str group_tables(ordna_session *session, const struct write *writes, size_t count)
{
    struct od_buf out = {.arena = od_session_arena(session)};
    od_buf_put_byte(&out, '{');
    for (size_t i = 0; i < count; i++) {
        if (is_first_of_table(writes, i)) {
            put_table(&out, writes, count, i);
        }
    }
    od_buf_put_byte(&out, '}');
    return od_buf_str(&out);
}

static size_t count_requests(od_str tables)
{
    size_t count = 0;
    for (struct od_json_walk table = {.text = tables}; od_json_next(&table);) {
        for (struct od_json_walk request = {.text = table.value}; od_json_next(&request);) {
            count++;
        }
    }
    return count;
}

static ordna_status send_group(ordna_session *session, const struct write *writes, size_t count)
{
    int failed = 0;
    od_str tables = group_tables(session, writes, count);
    for (;;) {
        ordna_answer answer;
        ordna_status status = od_session_call(session, "BatchWriteItem",
                                              od_batch_body(session, tables), true, &answer);
        if (status != ORDNA_OK) {
            return status;
        }
        tables = od_batch_left((od_str){answer.body, answer.body_len}, "UnprocessedItems");
        if (tables.len == 0) {
            return ORDNA_OK;
        }
        const size_t left = count_requests(tables);
        status = od_batch_wait(session, &failed, left < count);
        if (status != ORDNA_OK) {
            return status;
        }
        count = left;
    }
}

// What has been sent is no longer in the batch, so that after a failure it can be sent again.
static void drop_sent(ordna_batch *batch, size_t sent)
{
    batch->count -= sent;
    if (batch->count == 0) {
        empty(batch);
        return;
    }
    memmove(batch->writes, batch->writes + sent, batch->count * sizeof(*batch->writes));
}

ordna_status ordna_batch_send(ordna_batch *batch)
{
    od_arena *arena = od_session_arena(batch->session);
    ordna_status status = ORDNA_OK;
    size_t sent = 0;
    while (sent < batch->count && status == ORDNA_OK) {
        const size_t count = group_size(batch, sent);
        const od_mark mark = od_arena_mark(arena);
        status = send_group(batch->session, batch->writes + sent, count);
        od_arena_rewind(arena, mark);
        sent += status == ORDNA_OK ? count : 0;
    }
    drop_sent(batch, sent);
    return status;
}
