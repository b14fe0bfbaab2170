// Any bytes as an answer's item, as a page of a query and as a key's text. Nothing may crash, and a
// key that was read makes the same text again.
#include "mapper/mapper_internal.h"

#include "../unit/mapper/shop.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The answer to the first requests; the others get none that has a next page.
static od_str answered;
static int calls_left;

static int call(void *context, const char *operation, const char *body, size_t body_len,
                const char **answer, size_t *answer_len, void **memory)
{
    (void)context;
    (void)operation;
    (void)body;
    (void)body_len;
    const od_str given = calls_left-- > 0 ? answered : OD_STR("{}");
    *answer = given.ptr;
    *answer_len = given.len;
    *memory = NULL;
    return 200;
}

static void clear(void *context, void *memory)
{
    (void)context;
    (void)memory;
}

static ordna_session *open_session(void)
{
    static ordna_client *client;
    char error[128];
    const ordna_transport transport = {.call = call, .clear = clear};
    const ordna_client_options options = {.transport = &transport};
    if (client == NULL) {
        const ordna_status status = ordna_client_open(&options, &client, error, sizeof(error));
        assert(status == ORDNA_OK);
        (void)status;
    }
    return ordna_session_open(client);
}

// What yyjson takes for an object the mapper's own reading takes for the same one.
static void check_attribute(const struct od_attribute *attribute, yyjson_val *name,
                            yyjson_val *value)
{
    assert(yyjson_equals_strn(name, attribute->name.ptr, attribute->name.len));
    if (!yyjson_is_obj(value) || yyjson_obj_size(value) != 1) {
        assert(attribute->kind == OD_ATTRIBUTE_ODD && attribute->tag == NULL);
        return;
    }
    yyjson_val *tag = unsafe_yyjson_get_first(value);
    yyjson_val *of = tag + 1;
    assert(strcmp(attribute->tag, yyjson_get_str(tag)) == 0);
    assert((attribute->kind == OD_ATTRIBUTE_TEXT) == yyjson_is_str(of));
    assert((attribute->kind == OD_ATTRIBUTE_TRUE) == yyjson_is_true(of));
    assert((attribute->kind == OD_ATTRIBUTE_FALSE) == yyjson_is_false(of));
    if (yyjson_is_str(of)) {
        assert(yyjson_equals_strn(of, attribute->text.ptr, attribute->text.len));
    }
}

static void compare_readings(od_arena *arena, od_str json)
{
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, YYJSON_READ_NOFLAG);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct od_attributes attributes;
    const bool parsed = od_attributes_parse(arena, json, &attributes);
    assert(parsed || !yyjson_is_obj(root));
    (void)parsed;
    if (yyjson_is_obj(root)) {
        assert(attributes.count == yyjson_obj_size(root));
        size_t i = 0;
        size_t count = 0;
        yyjson_val *name = NULL;
        yyjson_val *value = NULL;
        yyjson_obj_foreach(root, i, count, name, value)
        {
            check_attribute(&attributes.items[i], name, value);
        }
    }
    yyjson_doc_free(doc);
}

static bool has_twins(const struct od_attributes *item)
{
    for (size_t i = 0; i < item->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (od_str_eq(item->items[i].name, item->items[j].name)) {
                return true;
            }
        }
    }
    return false;
}

// An item is the same struct in one pass, whatever came before, as by its attributes.
static void compare_passes(ordna_session *session, const ordna_entity *entity, od_str json)
{
    od_arena *arena = od_session_arena(session);
    struct od_decoder decoder = {.session = session, .arena = arena, .table = &shop};
    struct od_attributes attributes;
    const bool parsed = od_attributes_parse(arena, json, &attributes);
    if (parsed && has_twins(&attributes)) {
        return; // any of them
    }
    shop_item one;
    shop_item other;
    const ordna_status status =
        parsed ? od_entity_read_as(&decoder, entity, &attributes, &one.as) : ORDNA_BAD_ANSWER;
    for (int i = 0; i < 2; i++) {
        const ordna_status again = od_entity_read_json(&decoder, entity, json, &other.as);
        assert(again == status);
        if (again == ORDNA_OK) {
            struct od_buf a = {.arena = arena};
            struct od_buf b = {.arena = arena};
            assert(od_entity_write(session, &a, entity, &one.as, 1) ==
                   od_entity_write(session, &b, entity, &other.as, 1));
            assert(od_str_eq(od_buf_str(&a), od_buf_str(&b)));
        }
    }
}

static void get(ordna_session *session)
{
    all item = {.id = "a"};
    if (ordna_get(session, &all_entity, &item, NULL, &item) == ORDNA_OK) {
        assert(strlen(item.id) <= answered.len);
    }
}

static void stream(ordna_session *session)
{
    const ordna_query query = {.partition = PK(all_entity, ordna_of_string("a"))};
    ordna_stream *items = NULL;
    shop_item item;
    const ordna_status status = ordna_stream_open_table(session, &shop, &query, &items);
    assert(status == ORDNA_OK);
    (void)status;
    for (int i = 0; i < 100; i++) {
        const ordna_status next = ordna_stream_next(items, NULL, &item);
        if (next != ORDNA_OK && next != ORDNA_BAD_ITEM) {
            break;
        }
    }
    ordna_stream_close(items);
}

static void read_key(ordna_session *session, const ordna_entity *entity, const char *text)
{
    shop_item item;
    const ordna_template *key = entity->keys[0].sort;
    if (ordna_key_parse(session, entity, key, text, &item.as) != ORDNA_OK) {
        return;
    }
    ordna_key made = {
        .entity = entity, .index = &entity->keys[0], .sort = true, .count = od_key_fields(key)};
    for (size_t i = 0; i < made.count; i++) {
        const ordna_field *field = &entity->fields[key->segments[i].field];
        made.values[i] = od_attribute_load(field->type, (const char *)&item.as + field->offset);
    }
    const char *again = NULL;
    const ordna_status status = ordna_key_text(session, &made, &again);
    assert(status == ORDNA_OK && strcmp(text, again) == 0);
    (void)status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ordna_session *session = open_session();
    answered = (od_str){(const char *)data, size};
    calls_left = 1;
    get(session);
    calls_left = 3;
    stream(session);
    compare_readings(od_session_arena(session), answered);
    const char *text = od_arena_copy(od_session_arena(session), answered).ptr;
    for (size_t i = 0; i < shop.entity_count; i++) {
        compare_passes(session, shop.entities[i], answered);
        read_key(session, shop.entities[i], text);
    }
    ordna_session_close(session);
    return 0;
}
