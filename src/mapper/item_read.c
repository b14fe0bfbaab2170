// An item's JSON as a struct in one pass, as most items are what is expected of them.
#include "mapper/mapper_internal.h"

// Of more fields, one bit for each would not do.
enum { MAX_FIELDS = 64 };

// `missing`: a bit for each field.
static bool may_be_missing(const ordna_entity *entity, uint64_t missing)
{
    for (; missing != 0; missing &= missing - 1) {
        const ordna_field *field = &entity->fields[__builtin_ctzll(missing)];
        if (!field->optional && field->shape != ORDNA_SET) {
            return false;
        }
    }
    return true;
}

// --- Names --------------------------------------------------------------------------------------

// An item's names have places: its fields', then that of the discriminator and of the table's key.
enum { OTHER_NAMES = 3 };

static const char *name_at(const ordna_entity *entity, size_t place)
{
    if (place < entity->field_count) {
        return entity->fields[place].name;
    }
    const ordna_table_key *key = &entity->table->keys[0];
    const char *const others[OTHER_NAMES] = {entity->table->discriminator, key->partition,
                                             key->sort == NULL ? "" : key->sort};
    return others[place - entity->field_count];
}

static size_t count_names(const ordna_entity *entity)
{
    return entity->field_count + OTHER_NAMES;
}

// The number of names when it has none of them.
static size_t find_place(const ordna_entity *entity, const struct od_attribute *attribute)
{
    size_t i = 0;
    while (i < count_names(entity) && !od_attribute_is_named(attribute, name_at(entity, i))) {
        i++;
    }
    return i;
}

// In which order an entity's attributes came last: they mostly come so again.
struct order {
    const ordna_entity *entity;
    uint8_t places[MAX_FIELDS];
};

static struct order *order_of(ordna_session *session, const ordna_entity *entity)
{
    _Static_assert(sizeof(struct order) <= OD_SESSION_NOTES_BYTES, "the session has less room");
    struct order *order = od_session_notes(session);
    if (order->entity != entity) {
        order->entity = entity;
        memset(order->places, UINT8_MAX, sizeof(order->places));
    }
    return order;
}

// --- An item ------------------------------------------------------------------------------------

// In the making.
struct item {
    struct od_decoder *decoder;
    const ordna_entity *entity;
    void *out;
    struct od_attribute_walk walk;
    uint64_t missing; // a bit for each field
    bool marked;
};

static bool store(struct item *item, size_t place, const struct od_attribute *attribute)
{
    if (place < item->entity->field_count) {
        item->missing &= ~(UINT64_C(1) << place);
        return od_field_read(item->decoder, &item->entity->fields[place], attribute, item->out);
    }
    if (place == item->entity->field_count) {
        item->marked = attribute->kind == OD_ATTRIBUTE_TEXT && strcmp(attribute->tag, "S") == 0 &&
                       od_entity_is_marked(item->entity, attribute->text);
    }
    return true;
}

// Expected are names that JSON writes as they are.
static bool is_plain(const char *name)
{
    return strpbrk(name, "\"\\") == NULL;
}

// Of one whose name or form is not the one that was expected.
static size_t place_of(const struct item *item, const struct od_attribute *attribute,
                       uint8_t *expected)
{
    const size_t count = count_names(item->entity);
    if (*expected < count && od_attribute_is_named(attribute, name_at(item->entity, *expected))) {
        return *expected;
    }
    const size_t place = find_place(item->entity, attribute);
    const bool is_expected = place < count && is_plain(name_at(item->entity, place));
    *expected = is_expected ? (uint8_t)place : UINT8_MAX;
    return place;
}

static bool read_attributes(struct item *item, struct order *order)
{
    struct od_attribute attribute;
    for (size_t i = 0;; i = (i + 1) % MAX_FIELDS) {
        size_t place = order->places[i];
        if (place >= count_names(item->entity) ||
            !od_attribute_walk_expect(&item->walk, name_at(item->entity, place), &attribute)) {
            if (!od_attribute_walk_next(&item->walk, &attribute)) {
                return !item->walk.broken;
            }
            place = place_of(item, &attribute, &order->places[i]);
        }
        if (!store(item, place, &attribute)) {
            return false;
        }
    }
}

// Whether it is all as it should be.
static bool read_all(struct od_decoder *decoder, const ordna_entity *entity, od_str json, void *out)
{
    struct item item = {
        .decoder = decoder,
        .entity = entity,
        .out = out,
        .missing = UINT64_MAX >> (MAX_FIELDS - entity->field_count),
    };
    od_attribute_walk_open(&item.walk, decoder->arena, json);
    return read_attributes(&item, order_of(decoder->session, entity)) && item.marked &&
           may_be_missing(entity, item.missing);
}

ordna_status od_entity_read_json(struct od_decoder *decoder, const ordna_entity *entity,
                                 od_str json, void *out)
{
    const bool all = decoder->read == NULL || decoder->read->fields == NULL;
    memset(out, 0, entity->size);
    if (all && entity->field_count > 0 && entity->field_count <= MAX_FIELDS &&
        read_all(decoder, entity, json, out)) {
        return ORDNA_OK;
    }
    // What is wrong, then.
    struct od_attributes item;
    return od_attributes_parse(decoder->arena, json, &item)
               ? od_entity_read_as(decoder, entity, &item, out)
               : ORDNA_BAD_ANSWER;
}
