// What the files of this folder share.
//
//     attribute_walk.c             an answer's item, attribute by attribute
//     attributes.c                 all of them, before they are a struct
//     value_text.c number_text.c   times, UUIDs, numbers as text
//     value_encode.c               a value as JSON; value_decode.c: JSON as a struct's member
//     key_text.c key_parse.c       keys from templates, and back
//     item_encode.c item_decode.c  a struct as an item, an item as a struct
//     item_read.c                  an item's JSON as the struct that it should be, in one pass
//     params.c expression.c        names and values of expressions
//     action.c                     put, update, delete, check: as requests, and within transactions
//     item_key.c                   which item it is
//     item_ops.c batch.c get_many.c transaction.c table.c
//     query.c                      a query as a request; sort_condition.c: its condition
//     page.c                       an answer's items; query_ops.c: one page, and counts
//     fan_out.c                    pages of several partitions, by threads; stream.c: their items
#ifndef OD_MAPPER_INTERNAL_H
#define OD_MAPPER_INTERNAL_H

#include "client/session.h"
#include "mapper/attributes.h"
#include "mapper/json_read.h"
#include "mapper/value_text.h"
#include "ordna/mapper.h"

// --- Values: value_encode.c ---------------------------------------------------------------------

struct od_type {
    const char *tag;     // DynamoDB's name of it, "S"
    const char *set_tag; // "SS"; NULL: there are no sets of it
    size_t size;         // of its C type
};
extern const struct od_type od_types[]; // by ordna_type

static inline const char *od_attribute_tag(ordna_type type)
{
    return od_types[type].tag;
}

// One value out of memory of its C type.
static inline ordna_value od_attribute_load(ordna_type type, const void *member)
{
    ordna_value value; // not zeroed: the largest of its forms is large
    value.type = type;
    value.shape = ORDNA_ONE;
    switch (type) {
    case ORDNA_STRING:
    case ORDNA_DECIMAL:
        value.as.text = *(const char *const *)member;
        break;
    case ORDNA_INT32:
        value.as.number = *(const int32_t *)member;
        break;
    case ORDNA_INT64:
    case ORDNA_TIME:
        value.as.number = *(const int64_t *)member;
        break;
    case ORDNA_DOUBLE:
        value.as.real = *(const double *)member;
        break;
    case ORDNA_BOOL:
        value.as.truth = *(const bool *)member;
        break;
    case ORDNA_BYTES:
        value.as.bytes = *(const ordna_bytes *)member;
        break;
    case ORDNA_UUID:
        value.as.uuid = *(const ordna_uuid *)member;
        break;
    }
    return value;
}

// {"S":"..."}. ORDNA_BAD_ARGUMENT, which names `name`, when it cannot be written.
ordna_status od_attribute_write(ordna_session *session, struct od_buf *out, const char *name,
                                const ordna_value *value);

// A member of the object being written: a comma unless it is the first, the name, a colon.
void od_member_put(struct od_buf *out, const char *name);

// Whether an optional field has no value, or a set has none.
bool od_field_is_absent(const ordna_field *field, const void *item);
// A field's attribute. It is not absent.
ordna_status od_field_write(ordna_session *session, struct od_buf *out, const ordna_field *field,
                            const void *item);

// --- Keys: key_text.c, key_parse.c --------------------------------------------------------------

enum { OD_KEY_MAX_BYTES = 2048 };

// A key's text, which stays on the stack.
struct od_key_text {
    size_t len;
    char bytes[OD_KEY_MAX_BYTES + 1];
};

// The text of a template's leading `count` fields, with what follows the last up to the next one.
// ORDNA_KEY_FORMAT, which names the field.
ordna_status od_key_text_make(ordna_session *session, const ordna_entity *entity,
                              const ordna_template *key, const ordna_value *values, size_t count,
                              struct od_key_text *out);

// How many bytes the segment's field always takes; 0: up to the text that follows it.
size_t od_segment_width(const ordna_entity *entity, const ordna_segment *segment);
uint64_t od_power_of_ten(int exponent); // of 0 to 19

// How many fields a template has.
size_t od_key_fields(const ordna_template *key);
// Whether the key attribute is a field of the same name.
bool od_key_is_field(const ordna_entity *entity, const ordna_template *key);

// The attribute's value, {"S":"..."}, from as many values as the template has fields.
ordna_status od_key_write(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                          const ordna_template *key, const ordna_value *values);
// The same from a struct.
ordna_status od_key_write_of(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                             const ordna_template *key, const void *item);
// Whether the template stands on an optional field that is absent.
bool od_key_is_absent(const ordna_entity *entity, const ordna_template *key, const void *item);

// {"pk":{"S":"..."},"sk":...} of the table's key.
ordna_status od_table_key_write(ordna_session *session, struct od_buf *out,
                                const ordna_entity *entity, const void *item);

// Fields of `out` from a key's text. False when the template cannot have made it. Strings go to
// the arena.
bool od_key_read(ordna_session *session, od_arena *arena, const ordna_entity *entity,
                 const ordna_template *key, od_str text, void *out);

// --- Items: item_encode.c, item_decode.c --------------------------------------------------------

// Whether one of the first `index` keys has the attribute: it is written once.
bool od_is_of_earlier_key(const ordna_entity *entity, size_t index, const char *attribute);

const ordna_field *od_entity_field(const ordna_entity *entity, od_str name); // NULL: none
const ordna_field *od_entity_version(const ordna_entity *entity);            // NULL: none
static inline int64_t *od_version_of(const ordna_field *version, void *item)
{
    return (int64_t *)(void *)((char *)item + version->offset);
}
int64_t od_version_get(const ordna_field *version, const void *item);

// The whole item. `version` is what its version field says; without one it does not matter.
ordna_status od_entity_write(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                             const void *item, int64_t version);

// How an item is read.
struct od_decoder {
    ordna_session *session;   // for the error
    od_arena *arena;          // of lists and the like
    const ordna_table *table; // of the entities it may be
    const ordna_read *read;   // NULL: all fields
    bool from_keys;           // of an index that has nothing but keys
    od_str found;             // what is wrong with the list, set or map that was read last
};

// Which entity an item is of; NULL when it is of none, which od_entity_fail_unknown tells about.
const ordna_entity *od_entity_find(struct od_decoder *decoder, const struct od_attributes *item);
ordna_status od_entity_fail_unknown(struct od_decoder *decoder, const struct od_attributes *item);
// Fills in the struct `out`. Strings stay where the attributes have them.
ordna_status od_entity_read(struct od_decoder *decoder, const ordna_entity *entity,
                            const struct od_attributes *item, void *out);
// The same of an item that must be the entity's.
ordna_status od_entity_read_as(struct od_decoder *decoder, const ordna_entity *entity,
                               const struct od_attributes *item, void *out);
// item_read.c: the same of its JSON. ORDNA_BAD_ANSWER, and no error is set, when it is no object.
ordna_status od_entity_read_json(struct od_decoder *decoder, const ordna_entity *entity,
                                 od_str json, void *out);

// Whether the discriminator's value is the entity's.
bool od_entity_is_marked(const ordna_entity *entity, od_str marker);
// ORDNA_BAD_ITEM with the item's key, entity (or NULL) and attribute.
ordna_status od_entity_fail_item(struct od_decoder *decoder, const ordna_entity *entity,
                                 const struct od_attributes *item, const char *attribute,
                                 const char *fmt, ...) OD_PRINTF(5, 6);

// value_decode.c: an attribute into the field of the struct `out`; false when it is not as the
// field is. What it is then, of an attribute that was read just now: "holds N 12, and is S".
bool od_field_read(struct od_decoder *decoder, const ordna_field *field,
                   const struct od_attribute *attribute, void *out);
od_str od_field_explain(struct od_decoder *decoder, const ordna_field *field,
                        const struct od_attribute *attribute);

// --- Expressions: params.c, expression.c --------------------------------------------------------

// Names and values that the expressions of one request stand on.
struct od_params {
    ordna_session *session;
    struct od_buf names;
    struct od_buf values;
    int name_count;
    int value_count;
};
void od_params_init(struct od_params *params, ordna_session *session);
void od_params_name(struct od_params *params, struct od_buf *out, const char *attribute); // "#0"
void od_params_json(struct od_params *params, struct od_buf *out, od_str json);           // ":0"
ordna_status od_params_value(struct od_params *params, struct od_buf *out, const char *name,
                             const ordna_value *value);
// Members of the request: ,"ExpressionAttributeNames":{...} and the values'.
void od_params_write(const struct od_params *params, struct od_buf *out);

// The expression as DynamoDB reads it.
ordna_status od_expression_write(struct od_params *params, const ordna_entity *entity,
                                 const ordna_expression *expression, struct od_buf *out);
// An update expression, which may not change keys, version or discriminator.
ordna_status od_update_write(struct od_params *params, const ordna_entity *entity,
                             const ordna_expression *update, const void *key, struct od_buf *out);
// ,"ProjectionExpression":"..." for `read`, with what the mapper needs itself; `index` may be NULL.
ordna_status od_projection_write(struct od_params *params, const ordna_entity *entity,
                                 const ordna_table_key *index, const ordna_read *read,
                                 struct od_buf *out);

// --- Actions: action.c --------------------------------------------------------------------------

// Members of a request or of an action in a transaction: "TableName":...,"Item":... and so on.
ordna_status od_action_put(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                           const void *item, const ordna_expression *condition);
ordna_status od_action_update(ordna_session *session, struct od_buf *out,
                              const ordna_entity *entity, const void *key,
                              const ordna_expression *update, const ordna_expression *condition);
ordna_status od_action_delete(ordna_session *session, struct od_buf *out,
                              const ordna_entity *entity, const void *key,
                              const ordna_expression *condition);
ordna_status od_action_check(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                             const void *key, const ordna_expression *condition);
ordna_status od_action_get(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                           const void *key, const ordna_read *read);

// --- Queries: query.c, sort_condition.c, page.c -------------------------------------------------

// What stays the same over all pages of a query.
struct od_plan {
    const ordna_table *table;
    const ordna_entity *entity; // NULL: all of the table's
    const ordna_query *query;
    const ordna_key *partitions;
    size_t partition_count;
    const ordna_index *index;
    const ordna_table_key *table_key; // of that index
    bool count;                       // no items, their number alone
};
bool od_is_same_index(const ordna_index *a, const ordna_index *b);
ordna_status od_plan_init(ordna_session *session, const ordna_table *table,
                          const ordna_entity *entity, const ordna_query *query,
                          struct od_plan *out);
// The request for one partition, without its end: a start key and the closing brace follow.
ordna_status od_plan_write(ordna_session *session, const struct od_plan *plan,
                           const ordna_key *partition, struct od_buf *out);
void od_plan_write_end(struct od_buf *out, od_str from); // `from`: a key's JSON, or empty

// "#1 BETWEEN :1 AND :2", with " AND " in front. Nothing when there is no condition.
ordna_status od_sort_write(struct od_params *params, const struct od_plan *plan,
                           struct od_buf *out);

// A page's parts, in its text.
struct od_page {
    od_str *items; // of the arena
    size_t item_count;
    od_str next;    // LastEvaluatedKey; empty: there is none
    uint64_t count; // what the answer says, which may have no items
};
ordna_status od_page_read(ordna_session *session, od_arena *arena, od_str body,
                          struct od_page *out);

// ORDNA_BAD_ANSWER for an answer that lacks what it must have.
ordna_status od_bad_answer(ordna_session *session, const char *operation);

#endif
