// An item as a struct.
#include "mapper/mapper_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// --- Faults -------------------------------------------------------------------------------------

enum { MAX_SHOWN_KEY = 200 };

// pk="ORG#acme", of a key's attribute whatever its type.
static void show_attribute(struct od_buf *out, const char *name, const struct od_attributes *item)
{
    const struct od_attribute *attribute = od_attributes_find(item, name);
    const bool has_text = attribute != NULL && attribute->kind == OD_ATTRIBUTE_TEXT;
    od_buf_printf(out, "%s%s=\"%.*s\"", out->len > 0 ? ", " : "", name, MAX_SHOWN_KEY,
                  has_text ? attribute->text.ptr : "");
}

ordna_status od_entity_fail_item(struct od_decoder *decoder, const ordna_entity *entity,
                                 const struct od_attributes *item, const char *attribute,
                                 const char *fmt, ...)
{
    char what[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof(what), fmt, args);
    va_end(args);
    const ordna_table_key *key = &decoder->table->keys[0];
    struct od_buf shown = {.arena = decoder->arena};
    show_attribute(&shown, key->partition, item);
    if (key->sort != NULL) {
        show_attribute(&shown, key->sort, item);
    }
    return od_session_fail(decoder->session, ORDNA_BAD_ITEM, attribute,
                           "the item %.*s of %s%s%s: %s %s", (int)shown.len, shown.ptr,
                           decoder->table->name, entity == NULL ? "" : ", ",
                           entity == NULL ? "" : entity->name, attribute, what);
}

// --- Which entity -------------------------------------------------------------------------------

static od_str text_attribute(const struct od_attributes *item, const char *name)
{
    return od_attributes_text(item, name, "S");
}

// Whether the entity's templates can have made the item's key.
static bool has_made_key(struct od_decoder *decoder, const ordna_entity *entity,
                         const struct od_attributes *item)
{
    void *scratch = od_arena_alloc(decoder->arena, 1, entity->size);
    const ordna_template *parts[] = {entity->keys[0].partition, entity->keys[0].sort};
    for (size_t i = 0; i < OD_COUNT(parts) && parts[i] != NULL; i++) {
        const od_str text = text_attribute(item, parts[i]->attribute);
        if (parts[i]->type != ORDNA_STRING) {
            continue;
        }
        if (text.ptr == NULL ||
            !od_key_read(decoder->session, decoder->arena, entity, parts[i], text, scratch)) {
            return false;
        }
    }
    return true;
}

bool od_entity_is_marked(const ordna_entity *entity, od_str marker)
{
    return marker.ptr != NULL && od_str_eq(od_cstr(entity->discriminator), marker);
}

const ordna_entity *od_entity_find(struct od_decoder *decoder, const struct od_attributes *item)
{
    const ordna_table *table = decoder->table;
    const od_str marker = text_attribute(item, table->discriminator);
    for (size_t i = 0; i < table->entity_count; i++) {
        const ordna_entity *entity = table->entities[i];
        if (decoder->from_keys ? has_made_key(decoder, entity, item)
                               : od_entity_is_marked(entity, marker)) {
            return entity;
        }
    }
    return NULL;
}

ordna_status od_entity_fail_unknown(struct od_decoder *decoder, const struct od_attributes *item)
{
    const ordna_table *table = decoder->table;
    if (decoder->from_keys) {
        return od_entity_fail_item(decoder, NULL, item, table->keys[0].partition,
                                   "is a key that no entity makes");
    }
    const od_str marker = text_attribute(item, table->discriminator);
    return marker.ptr == NULL
               ? od_entity_fail_item(decoder, NULL, item, table->discriminator,
                                     "is missing, or no string")
               : od_entity_fail_item(decoder, NULL, item, table->discriminator,
                                     "is \"%.60s\", which no entity has", marker.ptr);
}

// --- Fields from their attributes ---------------------------------------------------------------

static bool is_wanted(const ordna_read *read, const ordna_field *field)
{
    if (read == NULL || read->fields == NULL) {
        return true;
    }
    for (size_t i = 0; i < read->field_count; i++) {
        if (strcmp(read->fields[i], field->name) == 0) {
            return true;
        }
    }
    return false;
}

static ordna_status fail_field(struct od_decoder *decoder, const ordna_entity *entity,
                               const struct od_attributes *item, const ordna_field *field,
                               const struct od_attribute *attribute)
{
    const od_str found = od_field_explain(decoder, field, attribute);
    return od_entity_fail_item(decoder, entity, item, attribute->name.ptr, "%.*s",
                               OD_STR_ARG(found));
}

static ordna_status decode_field(struct od_decoder *decoder, const ordna_entity *entity,
                                 const struct od_attributes *item, size_t i, void *out)
{
    const ordna_field *field = &entity->fields[i];
    const struct od_attribute *attribute = od_attributes_find(item, field->name);
    if (attribute == NULL) {
        // DynamoDB has no empty sets.
        return field->optional || field->shape == ORDNA_SET || !is_wanted(decoder->read, field)
                   ? ORDNA_OK
                   : od_entity_fail_item(decoder, entity, item, field->name, "is missing");
    }
    return !is_wanted(decoder->read, field) || od_field_read(decoder, field, attribute, out)
               ? ORDNA_OK
               : fail_field(decoder, entity, item, field, attribute);
}

static ordna_status decode_fields(struct od_decoder *decoder, const ordna_entity *entity,
                                  const struct od_attributes *item, void *out)
{
    ordna_status status = ORDNA_OK;
    for (size_t i = 0; i < entity->field_count && status == ORDNA_OK; i++) {
        status = decode_field(decoder, entity, item, i, out);
    }
    return status;
}

// --- Fields from keys ---------------------------------------------------------------------------

static ordna_status decode_key(struct od_decoder *decoder, const ordna_entity *entity,
                               const struct od_attributes *item, const ordna_template *key,
                               void *out)
{
    const struct od_attribute *attribute = od_attributes_find(item, key->attribute);
    if (attribute == NULL) {
        return ORDNA_OK; // of another index
    }
    if (key->type != ORDNA_STRING) {
        const ordna_field *field = &entity->fields[key->segments[0].field];
        return od_field_read(decoder, field, attribute, out)
                   ? ORDNA_OK
                   : fail_field(decoder, entity, item, field, attribute);
    }
    const od_str text = text_attribute(item, key->attribute);
    return text.ptr != NULL && od_key_read(decoder->session, decoder->arena, entity, key, text, out)
               ? ORDNA_OK
               : od_entity_fail_item(decoder, entity, item, key->attribute,
                                     "is not as its template is");
}

static ordna_status decode_keys(struct od_decoder *decoder, const ordna_entity *entity,
                                const struct od_attributes *item, void *out)
{
    ordna_status status = ORDNA_OK;
    for (size_t i = 0; i < entity->key_count && status == ORDNA_OK; i++) {
        status = decode_key(decoder, entity, item, entity->keys[i].partition, out);
        if (status == ORDNA_OK && entity->keys[i].sort != NULL) {
            status = decode_key(decoder, entity, item, entity->keys[i].sort, out);
        }
    }
    return status;
}

ordna_status od_entity_read(struct od_decoder *decoder, const ordna_entity *entity,
                            const struct od_attributes *item, void *out)
{
    memset(out, 0, entity->size);
    return decoder->from_keys ? decode_keys(decoder, entity, item, out)
                              : decode_fields(decoder, entity, item, out);
}

ordna_status od_entity_read_as(struct od_decoder *decoder, const ordna_entity *entity,
                               const struct od_attributes *item, void *out)
{
    const od_str marker = text_attribute(item, decoder->table->discriminator);
    if (!decoder->from_keys && od_entity_is_marked(entity, marker)) {
        return od_entity_read(decoder, entity, item, out);
    }
    const ordna_entity *is = od_entity_find(decoder, item);
    if (is == NULL) {
        return od_entity_fail_unknown(decoder, item);
    }
    return is == entity ? od_entity_read(decoder, entity, item, out)
                        : od_entity_fail_item(decoder, entity, item, decoder->table->discriminator,
                                              "is that of %s", is->name);
}
