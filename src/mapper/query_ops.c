// One page of a query, and counts.
#include "mapper/fan_out.h"
#include "mapper/mapper_internal.h"

#include <string.h>

// --- One page -----------------------------------------------------------------------------------

// An item into the page's next struct. Those of other entities are left out.
static ordna_status shelve(struct od_decoder *decoder, const ordna_entity *wanted, od_str json,
                           ordna_page *page)
{
    struct od_attributes item;
    if (!od_attributes_parse(decoder->arena, json, &item)) {
        return od_bad_answer(decoder->session, "Query");
    }
    const ordna_entity *entity = od_entity_find(decoder, &item);
    if (entity == NULL) {
        return od_entity_fail_unknown(decoder, &item);
    }
    if (entity != wanted) {
        return ORDNA_OK;
    }
    void *out = (char *)page->items + page->count * entity->size;
    const ordna_status status = od_entity_read(decoder, entity, &item, out);
    page->count += status == ORDNA_OK;
    return status;
}

// ORDNA_BAD_ITEM when there is one; the others are all there.
static ordna_status shelve_all(ordna_session *session, const struct od_plan *plan,
                               const struct od_page *from, ordna_page *page)
{
    struct od_decoder decoder = {
        .session = session,
        .arena = od_session_arena(session),
        .table = plan->table,
        .read = plan->query->read,
        .from_keys = plan->table_key->keys_only,
    };
    page->items = od_arena_alloc(decoder.arena, from->item_count, plan->entity->size);
    ordna_status result = ORDNA_OK;
    for (size_t i = 0; i < from->item_count; i++) {
        const ordna_status status = shelve(&decoder, plan->entity, from->items[i], page);
        if (status != ORDNA_OK && status != ORDNA_BAD_ITEM) {
            return status;
        }
        result = status == ORDNA_OK ? result : status;
    }
    return result;
}

ordna_status ordna_query_page(ordna_session *session, const ordna_entity *entity,
                              const ordna_query *query, ordna_page *out)
{
    *out = (ordna_page){0};
    struct od_plan plan;
    ordna_status status = od_plan_init(session, entity->table, entity, query, &plan);
    if (status == ORDNA_OK && plan.partition_count > 1) {
        status = od_session_fail(session, ORDNA_BAD_ARGUMENT, NULL, "a page is of one partition");
    }
    if (status != ORDNA_OK) {
        return status;
    }
    struct od_buf body = {.arena = od_session_arena(session)};
    status = od_plan_write(session, &plan, &plan.partitions[0], &body);
    if (status != ORDNA_OK) {
        return status;
    }
    od_plan_write_end(&body, query->from == NULL ? (od_str){0} : od_cstr(query->from));
    ordna_answer answer;
    status = od_session_call(session, "Query", od_buf_str(&body), true, &answer);
    struct od_page page = {0};
    if (status == ORDNA_OK) {
        status = od_page_read(session, od_session_arena(session),
                              (od_str){answer.body, answer.body_len}, &page);
    }
    if (status != ORDNA_OK) {
        return status;
    }
    if (page.next.len > 0) {
        out->next = od_arena_copy(od_session_arena(session), page.next).ptr;
    }
    return shelve_all(session, &plan, &page, out);
}

// --- Counts -------------------------------------------------------------------------------------

static ordna_status sum_up(struct od_fan_out *fan_out, size_t partitions, uint64_t *out)
{
    for (size_t i = 0; i < partitions; i++) {
        const struct od_fetched *page = NULL;
        const ordna_status status = od_fan_out_take(fan_out, i, &page);
        if (status != ORDNA_OK) {
            return status;
        }
        *out += page->page.count;
    }
    return ORDNA_OK;
}

// What an index of nothing but keys has must be read to be told apart.
static ordna_status count_by_reading(ordna_session *session, const ordna_entity *entity,
                                     const ordna_query *query, uint64_t *out)
{
    ordna_stream *stream = NULL;
    ordna_status status = ordna_stream_open(session, entity, query, &stream);
    if (status != ORDNA_OK) {
        return status;
    }
    const od_mark mark = od_arena_mark(od_session_arena(session));
    void *item = od_arena_alloc(od_session_arena(session), 1, entity->size);
    while ((status = ordna_stream_next(stream, entity, item)) == ORDNA_OK) {
        *out += 1;
    }
    od_arena_rewind(od_session_arena(session), mark);
    ordna_stream_close(stream);
    return status == ORDNA_END ? ORDNA_OK : status;
}

ordna_status ordna_query_count(ordna_session *session, const ordna_entity *entity,
                               const ordna_query *query, uint64_t *out)
{
    *out = 0;
    struct od_plan plan;
    ordna_status status = od_plan_init(session, entity->table, entity, query, &plan);
    if (status != ORDNA_OK) {
        return status;
    }
    if (plan.table_key->keys_only) {
        return count_by_reading(session, entity, query, out);
    }
    plan.count = true;
    struct od_fan_out *fan_out = NULL;
    status = od_fan_out_open(session, &plan, &fan_out);
    if (status != ORDNA_OK) {
        return status;
    }
    status = sum_up(fan_out, plan.partition_count, out);
    od_fan_out_close(fan_out);
    return status;
}
