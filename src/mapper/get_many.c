// Reads of many items at once.
#include "mapper/batch.h"

#include "base/json.h"
#include "mapper/item_key.h"

enum { MAX_READS = 100 };

// Up to 100 keys, some of which may be the same.
struct keys {
    od_str json[MAX_READS];
    struct od_item_key parsed[MAX_READS];
    size_t count;
    bool repeated;
};

struct lookup {
    ordna_session *session;
    const ordna_entity *entity;
    const ordna_read *read;
    const struct keys *keys;
    char *out;
    bool *found;
};

static bool is_repeated(const struct keys *keys, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (od_item_key_is_same(&keys->parsed[j], &keys->parsed[i])) {
            return true;
        }
    }
    return false;
}

static ordna_status make_keys(ordna_session *session, const ordna_entity *entity, const char *items,
                              size_t count, struct keys *out)
{
    od_arena *arena = od_session_arena(session);
    out->count = count;
    out->repeated = false;
    for (size_t i = 0; i < count; i++) {
        struct od_buf json = {.arena = arena};
        const ordna_status status =
            od_table_key_write(session, &json, entity, items + i * entity->size);
        if (status != ORDNA_OK) {
            return status;
        }
        out->json[i] = od_buf_str(&json);
        out->parsed[i] = od_item_key_parse(arena, &entity->table->keys[0], out->json[i]);
        out->repeated = out->repeated || is_repeated(out, i);
    }
    return ORDNA_OK;
}

static ordna_status write_lookup(const struct lookup *lookup, struct od_buf *out)
{
    struct od_params params;
    od_params_init(&params, lookup->session);
    od_buf_put_byte(out, '{');
    od_member_put(out, lookup->entity->table->name);
    od_json_raw(out, "{\"Keys\":[");
    for (size_t i = 0; i < lookup->keys->count; i++) {
        if (is_repeated(lookup->keys, i)) {
            continue;
        }
        if (i > 0) {
            od_buf_put_byte(out, ',');
        }
        od_buf_put(out, lookup->keys->json[i]);
    }
    od_buf_put_byte(out, ']');
    if (lookup->read != NULL && lookup->read->consistent) {
        od_json_raw(out, ",\"ConsistentRead\":true");
    }
    const ordna_status status =
        od_projection_write(&params, lookup->entity, NULL, lookup->read, out);
    od_params_write(&params, out);
    od_json_raw(out, "}}");
    return status;
}

// An item into all the places that asked for it.
static ordna_status place(const struct lookup *lookup, od_str json)
{
    od_arena *arena = od_session_arena(lookup->session);
    struct od_decoder decoder = {.session = lookup->session,
                                 .arena = arena,
                                 .table = lookup->entity->table,
                                 .read = lookup->read};
    struct od_attributes item;
    if (!od_attributes_parse(arena, json, &item)) {
        return od_bad_answer(lookup->session, "BatchGetItem");
    }
    const struct od_item_key key = od_item_key_of(&lookup->entity->table->keys[0], &item);
    ordna_status status = ORDNA_OK;
    for (size_t i = 0; i < lookup->keys->count && status == ORDNA_OK; i++) {
        if (!od_item_key_is_same(&key, &lookup->keys->parsed[i])) {
            continue;
        }
        status = od_entity_read_as(&decoder, lookup->entity, &item,
                                   lookup->out + i * lookup->entity->size);
        lookup->found[i] = status == ORDNA_OK;
        if (!lookup->keys->repeated) {
            break;
        }
    }
    return status;
}

// Bad items do not keep the others from coming.
static ordna_status place_all(const struct lookup *lookup, od_str answer, size_t *placed)
{
    ordna_status result = ORDNA_OK;
    od_str tables = {0};
    od_str items = {0};
    if (!od_json_find(answer, "Responses", &tables) ||
        !od_json_find(tables, lookup->entity->table->name, &items)) {
        return ORDNA_OK;
    }
    for (struct od_json_walk walk = {.text = items}; od_json_next(&walk); *placed += 1) {
        const ordna_status status = place(lookup, walk.value);
        if (status != ORDNA_OK && status != ORDNA_BAD_ITEM) {
            return status;
        }
        result = status == ORDNA_OK ? result : status;
    }
    return result;
}

static ordna_status look_up(const struct lookup *lookup)
{
    struct od_buf tables = {.arena = od_session_arena(lookup->session)};
    ordna_status status = write_lookup(lookup, &tables);
    ordna_status result = ORDNA_OK;
    int failed = 0;
    for (od_str ask = od_buf_str(&tables); status == ORDNA_OK && ask.len > 0;) {
        ordna_answer answer;
        status = od_session_call(lookup->session, "BatchGetItem",
                                 od_batch_body(lookup->session, ask), true, &answer);
        if (status != ORDNA_OK) {
            return status;
        }
        size_t placed = 0;
        const od_str body = {answer.body, answer.body_len};
        status = place_all(lookup, body, &placed);
        if (status == ORDNA_BAD_ITEM) {
            result = status;
            status = ORDNA_OK;
        }
        ask = od_batch_left(body, "UnprocessedKeys");
        // An answer is cut at 16 MB: there is nothing to wait for.
        if (status == ORDNA_OK && ask.len > 0 && placed == 0) {
            status = od_batch_wait(lookup->session, &failed, false);
        }
    }
    return status == ORDNA_OK ? result : status;
}

ordna_status ordna_get_many(ordna_session *session, const ordna_entity *entity, const void *keys,
                            size_t count, const ordna_read *read, void *out, bool *found)
{
    ordna_status result = ORDNA_OK;
    for (size_t i = 0; i < count; i++) {
        found[i] = false;
    }
    for (size_t at = 0; at < count; at += MAX_READS) {
        struct keys group;
        const size_t size = count - at < MAX_READS ? count - at : MAX_READS;
        ordna_status status =
            make_keys(session, entity, (const char *)keys + at * entity->size, size, &group);
        if (status != ORDNA_OK) {
            return status;
        }
        const struct lookup lookup = {.session = session,
                                      .entity = entity,
                                      .read = read,
                                      .keys = &group,
                                      .out = (char *)out + at * entity->size,
                                      .found = found + at};
        status = look_up(&lookup);
        if (status != ORDNA_OK && status != ORDNA_BAD_ITEM) {
            return status;
        }
        result = status == ORDNA_OK ? result : status;
    }
    return result;
}
