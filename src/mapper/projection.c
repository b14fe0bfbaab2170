// Which attributes are read.
#include "mapper/mapper_internal.h"

#include "base/json.h"

#include <string.h>

// Names, each once: DynamoDB refuses a path that is there twice.
struct names {
    const char **items;
    size_t count;
};

static void add(struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0) {
            return;
        }
    }
    names->items[names->count++] = name;
}

static void add_key(struct names *names, const ordna_table_key *key)
{
    add(names, key->partition);
    if (key->sort != NULL) {
        add(names, key->sort);
    }
}

enum { MAX_OWN_NAMES = 5 }; // two keys, and the discriminator

ordna_status od_projection_write(struct od_params *params, const ordna_entity *entity,
                                 const ordna_table_key *index, const ordna_read *read,
                                 struct od_buf *out)
{
    if (read == NULL || read->fields == NULL || (index != NULL && index->keys_only)) {
        return ORDNA_OK;
    }
    od_arena *arena = od_session_arena(params->session);
    struct names names = {.items =
                              od_new_array(arena, const char *, read->field_count + MAX_OWN_NAMES)};
    add(&names, entity->table->discriminator);
    add_key(&names, &entity->table->keys[0]);
    if (index != NULL) {
        add_key(&names, index);
    }
    for (size_t i = 0; i < read->field_count; i++) {
        if (od_entity_field(entity, od_cstr(read->fields[i])) == NULL) {
            return od_session_fail(params->session, ORDNA_BAD_ARGUMENT, NULL,
                                   "%s is no field of %s", read->fields[i], entity->name);
        }
        add(&names, read->fields[i]);
    }
    od_json_raw(out, ",\"ProjectionExpression\":\"");
    for (size_t i = 0; i < names.count; i++) {
        if (i > 0) {
            od_buf_put_byte(out, ',');
        }
        od_params_name(params, out, names.items[i]);
    }
    od_buf_put_byte(out, '"');
    return ORDNA_OK;
}
