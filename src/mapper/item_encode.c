// A struct as an item.
#include "mapper/mapper_internal.h"

#include "base/json.h"
#include "mapper/json_write.h"

#include <string.h>

const ordna_field *od_entity_field(const ordna_entity *entity, od_str name)
{
    for (size_t i = 0; i < entity->field_count; i++) {
        if (od_str_eq(od_cstr(entity->fields[i].name), name)) {
            return &entity->fields[i];
        }
    }
    return NULL;
}

const ordna_field *od_entity_version(const ordna_entity *entity)
{
    for (size_t i = 0; i < entity->field_count; i++) {
        if (entity->fields[i].role == ORDNA_VERSION) {
            return &entity->fields[i];
        }
    }
    return NULL;
}

int64_t od_version_get(const ordna_field *version, const void *item)
{
    return *(const int64_t *)(const void *)((const char *)item + version->offset);
}

// --- Keys ---------------------------------------------------------------------------------------

static bool has_attribute(const ordna_template *key, const char *attribute)
{
    return key != NULL && strcmp(key->attribute, attribute) == 0;
}

// Indexes share attributes with the table's key and with one another: each is written once.
bool od_is_of_earlier_key(const ordna_entity *entity, size_t index, const char *attribute)
{
    for (size_t i = 0; i < index; i++) {
        if (has_attribute(entity->keys[i].partition, attribute) ||
            has_attribute(entity->keys[i].sort, attribute)) {
            return true;
        }
    }
    return false;
}

static ordna_status write_key_part(ordna_session *session, struct od_buf *out,
                                   const ordna_entity *entity, size_t index,
                                   const ordna_template *part, const void *item)
{
    if (od_key_is_field(entity, part) || od_is_of_earlier_key(entity, index, part->attribute)) {
        return ORDNA_OK;
    }
    od_member_put(out, part->attribute);
    return od_key_write_of(session, out, entity, part, item);
}

// An item that lacks a field of an index's key is not in that index.
static bool is_left_out(const ordna_entity *entity, size_t index, const void *item)
{
    const ordna_index *key = &entity->keys[index];
    return index > 0 && (od_key_is_absent(entity, key->partition, item) ||
                         (key->sort != NULL && od_key_is_absent(entity, key->sort, item)));
}

static ordna_status write_keys(ordna_session *session, struct od_buf *out,
                               const ordna_entity *entity, const void *item)
{
    ordna_status status = ORDNA_OK;
    for (size_t i = 0; i < entity->key_count && status == ORDNA_OK; i++) {
        if (is_left_out(entity, i, item)) {
            continue;
        }
        const ordna_index *key = &entity->keys[i];
        status = write_key_part(session, out, entity, i, key->partition, item);
        if (status == ORDNA_OK && key->sort != NULL) {
            status = write_key_part(session, out, entity, i, key->sort, item);
        }
    }
    return status;
}

// --- Fields -------------------------------------------------------------------------------------

// A field that is a key attribute itself is written as keys are: it must not be empty.
static const ordna_template *own_key(const ordna_entity *entity, const ordna_field *field)
{
    for (size_t i = 0; i < entity->key_count; i++) {
        const ordna_template *parts[] = {entity->keys[i].partition, entity->keys[i].sort};
        for (size_t j = 0; j < OD_COUNT(parts) && parts[j] != NULL; j++) {
            if (od_key_is_field(entity, parts[j]) &&
                &entity->fields[parts[j]->segments[0].field] == field) {
                return parts[j];
            }
        }
    }
    return NULL;
}

static bool is_of_table_key(const ordna_entity *entity, const ordna_template *key)
{
    return key != NULL && (key == entity->keys[0].partition || key == entity->keys[0].sort);
}

static ordna_status write_field(ordna_session *session, struct od_buf *out,
                                const ordna_entity *entity, const ordna_field *field,
                                const void *item)
{
    const ordna_template *key = own_key(entity, field);
    if (od_field_is_absent(field, item) && !is_of_table_key(entity, key)) {
        return ORDNA_OK;
    }
    od_member_put(out, field->name);
    return key == NULL ? od_field_write(session, out, field, item)
                       : od_key_write_of(session, out, entity, key, item);
}

ordna_status od_entity_write(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                             const void *item, int64_t version)
{
    od_buf_put_byte(out, '{');
    od_member_put(out, entity->table->discriminator);
    od_put(out, OD_STR("{\"S\":"));
    od_json_str(out, od_cstr(entity->discriminator));
    od_buf_put_byte(out, '}');
    ordna_status status = write_keys(session, out, entity, item);
    for (size_t i = 0; i < entity->field_count && status == ORDNA_OK; i++) {
        const ordna_field *field = &entity->fields[i];
        if (field->role == ORDNA_VERSION) {
            const ordna_value value = ordna_of_int(version);
            od_member_put(out, field->name);
            status = od_attribute_write(session, out, field->name, &value);
        } else {
            status = write_field(session, out, entity, field, item);
        }
    }
    od_buf_put_byte(out, '}');
    return status;
}
