// Items of a query, over all pages of all partitions, merged by sort key.
//
// Each partition has one item in hand, its head. The heads are a heap: the least is the next item
// of the stream. Its partition moves on at the next call, so that what the caller was given stays.
#include "mapper/fan_out.h"
#include "mapper/mapper_internal.h"

#include "base/base64.h"

#include <string.h>

struct head {
    od_arena *arena; // of the item at hand; NULL: there was none yet
    struct od_attributes item;
    const struct od_page *page; // NULL: none has come yet
    size_t taken;               // of the page's items
    bool is_done;               // the partition has no more items
    const ordna_entity *entity; // NULL: the item is of none
    od_str sort;                // its sort key: text, a number's text, bytes
};

struct ordna_stream {
    od_arena *arena; // of the stream itself
    struct od_decoder decoder;
    const ordna_entity *entity; // NULL: all of the table's
    const ordna_table_key *key;
    bool descending;
    ordna_read read;
    struct od_fan_out *fan_out;
    struct head *heads;
    size_t head_count;
    size_t *heap; // of partitions that have an item, the least first
    size_t heap_count;
    bool started;
    bool first_is_used; // the caller has the heap's first
    ordna_status over;  // not ORDNA_OK: every further call ends with it
};

// --- Heads --------------------------------------------------------------------------------------

static od_str sort_key_of(const ordna_stream *stream, struct head *head)
{
    if (stream->key->sort == NULL) {
        return (od_str){0};
    }
    const char *tag = od_attribute_tag(stream->key->sort_type);
    const od_str text = od_attributes_text(&head->item, stream->key->sort, tag);
    od_str bytes = {0};
    if (stream->key->sort_type != ORDNA_BYTES || text.ptr == NULL) {
        return text;
    }
    return od_base64_decode(head->arena, text, &bytes) ? bytes : (od_str){0};
}

static bool is_wanted(const ordna_stream *stream, const struct head *head)
{
    return stream->entity == NULL || head->entity == NULL || head->entity == stream->entity;
}

static ordna_status parse_item(ordna_stream *stream, struct head *head, od_str json)
{
    if (head->arena == NULL) {
        head->arena = od_arena_create();
    }
    od_arena_reset(head->arena);
    stream->decoder.arena = head->arena;
    if (!od_attributes_parse(head->arena, json, &head->item)) {
        return od_bad_answer(stream->decoder.session, "Query");
    }
    head->entity = od_entity_find(&stream->decoder, &head->item);
    return ORDNA_OK;
}

// The page's next item that the stream wants. ORDNA_END when there is none.
static ordna_status take_item(ordna_stream *stream, struct head *head)
{
    while (head->page != NULL && head->taken < head->page->item_count) {
        const ordna_status status = parse_item(stream, head, head->page->items[head->taken++]);
        if (status != ORDNA_OK) {
            return status;
        }
        if (is_wanted(stream, head)) {
            head->sort = sort_key_of(stream, head);
            return ORDNA_OK;
        }
    }
    return ORDNA_END;
}

static ordna_status turn_page(ordna_stream *stream, size_t i)
{
    const struct od_fetched *page = NULL;
    const ordna_status status = od_fan_out_take(stream->fan_out, i, &page);
    if (status == ORDNA_OK) {
        struct head *head = &stream->heads[i];
        head->page = &page->page;
        head->taken = 0;
    }
    return status;
}

// When half of a page is read, the one after it sets out.
static void look_ahead(ordna_stream *stream, size_t i)
{
    const struct head *head = &stream->heads[i];
    if (head->taken >= head->page->item_count / 2) {
        od_fan_out_prefetch(stream->fan_out, i);
    }
}

// The partition's next item, on this page or on one of the next. The head has none at the end.
static ordna_status advance(ordna_stream *stream, size_t i)
{
    struct head *head = &stream->heads[i];
    ordna_status status = take_item(stream, head);
    while (status == ORDNA_END) {
        status = turn_page(stream, i);
        if (status != ORDNA_OK) {
            head->is_done = true;
            return status == ORDNA_END ? ORDNA_OK : status;
        }
        status = take_item(stream, head);
    }
    look_ahead(stream, i);
    return status;
}

// --- The heap -----------------------------------------------------------------------------------

static int compare_sort_keys(const ordna_stream *stream, od_str a, od_str b)
{
    const int order =
        stream->key->sort_type == ORDNA_DECIMAL ? od_decimal_compare(a, b) : od_str_compare(a, b);
    return stream->descending ? -order : order;
}

// Items of one sort key come in order of their partitions.
static bool is_before(const ordna_stream *stream, size_t a, size_t b)
{
    const int order = compare_sort_keys(stream, stream->heads[a].sort, stream->heads[b].sort);
    return order == 0 ? a < b : order < 0;
}

static void sink(ordna_stream *stream, size_t at)
{
    size_t *heap = stream->heap;
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < stream->heap_count;
             child++) {
            least = is_before(stream, heap[child], heap[least]) ? child : least;
        }
        if (least == at) {
            return;
        }
        const size_t swapped = heap[at];
        heap[at] = heap[least];
        heap[least] = swapped;
        at = least;
    }
}

static ordna_status start(ordna_stream *stream)
{
    stream->started = true;
    for (size_t i = 0; i < stream->head_count; i++) {
        const ordna_status status = advance(stream, i);
        if (status != ORDNA_OK) {
            return status;
        }
        if (!stream->heads[i].is_done) {
            stream->heap[stream->heap_count++] = i;
        }
    }
    for (size_t i = stream->heap_count / 2; i > 0; i--) {
        sink(stream, i - 1);
    }
    return ORDNA_OK;
}

static ordna_status replace_first(ordna_stream *stream)
{
    stream->first_is_used = false;
    const ordna_status status = advance(stream, stream->heap[0]);
    if (status != ORDNA_OK) {
        return status;
    }
    if (stream->heads[stream->heap[0]].is_done) {
        stream->heap[0] = stream->heap[--stream->heap_count];
    }
    sink(stream, 0);
    return ORDNA_OK;
}

// --- For programs -------------------------------------------------------------------------------

static ordna_status give(ordna_stream *stream, struct head *head, void *out)
{
    stream->decoder.arena = head->arena;
    if (head->entity == NULL) {
        return od_entity_fail_unknown(&stream->decoder, &head->item);
    }
    if (stream->entity != NULL) {
        return od_entity_read(&stream->decoder, head->entity, &head->item, out);
    }
    const ordna_entity **entity = out;
    *entity = head->entity;
    return od_entity_read(&stream->decoder, head->entity, &head->item,
                          (char *)out + stream->decoder.table->item_offset);
}

static const char *items_of(const ordna_entity *entity)
{
    return entity == NULL ? "all entities" : entity->name;
}

ordna_status ordna_stream_next(ordna_stream *stream, const ordna_entity *entity, void *out)
{
    if (entity != stream->entity) {
        return od_session_fail(stream->decoder.session, ORDNA_BAD_ARGUMENT, NULL,
                               "the stream's items are of %s and not of %s",
                               items_of(stream->entity), items_of(entity));
    }
    if (stream->over != ORDNA_OK) {
        return stream->over;
    }
    ordna_status status = ORDNA_OK;
    if (!stream->started) {
        status = start(stream);
    } else if (stream->first_is_used) {
        status = replace_first(stream);
    }
    if (status == ORDNA_OK && stream->heap_count == 0) {
        status = ORDNA_END;
    }
    if (status != ORDNA_OK) {
        stream->over = status;
        return status;
    }
    stream->first_is_used = true;
    return give(stream, &stream->heads[stream->heap[0]], out);
}

// The caller's own may be gone before the stream is.
static void keep_read(ordna_stream *stream, const ordna_read *read)
{
    if (read == NULL || read->fields == NULL) {
        return;
    }
    const char **fields = od_new_array(stream->arena, const char *, read->field_count);
    for (size_t i = 0; i < read->field_count; i++) {
        fields[i] = od_arena_copy(stream->arena, od_cstr(read->fields[i])).ptr;
    }
    stream->read = (ordna_read){.fields = fields, .field_count = read->field_count};
    stream->decoder.read = &stream->read;
}

static ordna_stream *create(ordna_session *session, const struct od_plan *plan)
{
    od_arena *arena = od_arena_create();
    ordna_stream *stream = od_new(arena, ordna_stream);
    *stream = (ordna_stream){
        .arena = arena,
        .decoder = {.session = session,
                    .table = plan->table,
                    .from_keys = plan->table_key->keys_only},
        .entity = plan->entity,
        .key = plan->table_key,
        .descending = plan->query->descending,
        .heads = od_new_array(arena, struct head, plan->partition_count),
        .head_count = plan->partition_count,
        .heap = od_new_array(arena, size_t, plan->partition_count),
    };
    keep_read(stream, plan->query->read);
    return stream;
}

static ordna_status open_stream(ordna_session *session, const ordna_table *table,
                                const ordna_entity *entity, const ordna_query *query,
                                ordna_stream **out)
{
    *out = NULL;
    struct od_plan plan;
    ordna_status status = od_plan_init(session, table, entity, query, &plan);
    if (status != ORDNA_OK) {
        return status;
    }
    ordna_stream *stream = create(session, &plan);
    status = od_fan_out_open(session, &plan, &stream->fan_out);
    if (status != ORDNA_OK) {
        ordna_stream_close(stream);
        return status;
    }
    *out = stream;
    return ORDNA_OK;
}

ordna_status ordna_stream_open(ordna_session *session, const ordna_entity *entity,
                               const ordna_query *query, ordna_stream **out)
{
    return open_stream(session, entity->table, entity, query, out);
}

ordna_status ordna_stream_open_table(ordna_session *session, const ordna_table *table,
                                     const ordna_query *query, ordna_stream **out)
{
    return open_stream(session, table, NULL, query, out);
}

void ordna_stream_close(ordna_stream *stream)
{
    if (stream == NULL) {
        return;
    }
    if (stream->fan_out != NULL) {
        od_fan_out_close(stream->fan_out);
    }
    for (size_t i = 0; i < stream->head_count; i++) {
        if (stream->heads[i].arena != NULL) {
            od_arena_destroy(stream->heads[i].arena);
        }
    }
    od_arena_destroy(stream->arena);
}
