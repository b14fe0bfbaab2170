/* Entities in tables: what the code that `ordna gen` writes stands on. A program calls the
 * generated functions, typed by entity; each is one of these with its entity filled in.
 *
 *     shop_employee e = {.org = "acme", .country = "CH", .city = "Zurich", .number = 7};
 *     shop_employee_put(session, &e, NULL);
 *
 *     ordna_query query = {.partition = shop_employee_pk("acme"),
 *                          .sort = ordna_begins_with(shop_employee_sk_country("CH"))};
 *     ordna_stream *stream = NULL;
 *     shop_employee_query(session, &query, &stream);
 *     while (shop_employee_next(stream, &e) == ORDNA_OK) { ... }
 *     ordna_stream_close(stream);
 */
#ifndef ORDNA_MAPPER_H
#define ORDNA_MAPPER_H

#include "ordna/client.h"
#include "ordna/values.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ORDNA_MAX_KEY_FIELDS = 8 /* of one template */
};

/* An item has the discriminator, the key attributes and every field as an attribute of its name. A
 * field that has the name of a key attribute is that key: the only field of its template, without
 * a format. An item that lacks an optional field of an index's key is not in that index. */

/* --- What an entity is: constants in generated code ------------------------------------------- */

typedef enum ordna_role {
    ORDNA_PLAIN = 0,
    ORDNA_VERSION, /* an int64 that counts the writes of an item; 0 in a struct: not yet stored */
    ORDNA_TTL      /* a time, stored as the number of seconds since 1970 */
} ordna_role;

typedef struct ordna_field {
    const char *name; /* of the attribute */
    ordna_type type;
    ordna_shape shape;
    ordna_role role;
    bool optional;
    size_t offset;     /* of the struct's member */
    size_t has_offset; /* of its `bool has_...`: optional numbers, bools, times and UUIDs alone. All
                        * else is absent when its pointer is NULL */
} ordna_field;

/* A piece of a template: text, then a field. */
typedef struct ordna_segment {
    const char *text; /* in front of the field; "" when there is none */
    int field;        /* its place in the entity's fields; -1: there is none, the template's last */
    char format; /* 'd': padded with zeros, not negative; 'n': with its sign, so that text sorts
                  * as the numbers do; 0: the value as it is */
    int width;   /* digits, for 'd' and 'n' */
} ordna_segment;

typedef struct ordna_template {
    const char *attribute; /* of the key */
    ordna_type type;       /* ORDNA_STRING: text made of the segments. ORDNA_DECIMAL, ORDNA_BYTES:
                            * the one field's own value, as a number, as bytes */
    const ordna_segment *segments;
    size_t count;
} ordna_template;

/* A key of an entity: the table's or an index's. */
typedef struct ordna_index {
    const char *name; /* NULL: the table's */
    const ordna_template *partition;
    const ordna_template *sort; /* NULL: there is none */
} ordna_index;

typedef struct ordna_table ordna_table;

typedef struct ordna_entity {
    const ordna_table *table;
    const char *name;
    const char *discriminator; /* the value that marks its items */
    size_t size;               /* of the struct */
    const ordna_field *fields;
    size_t field_count;
    const ordna_index *keys; /* the table's first */
    size_t key_count;
} ordna_entity;

typedef struct ordna_table_key {
    const char *index; /* NULL: the table's own */
    const char *partition;
    ordna_type partition_type; /* ORDNA_STRING, ORDNA_DECIMAL, ORDNA_BYTES */
    const char *sort;          /* NULL: there is none */
    ordna_type sort_type;
    bool local;     /* a local secondary index */
    bool keys_only; /* the projection; else all */
} ordna_table_key;

struct ordna_table {
    const char *name;
    const char *discriminator; /* the attribute that tells entities apart */
    const ordna_table_key *keys;
    size_t key_count;
    const ordna_entity *const *entities;
    size_t entity_count;
    size_t item_size;   /* of the generated `struct { const ordna_entity *entity; union ... }` */
    size_t item_offset; /* of its union */
};

/* Creates the table with its indexes, on demand, waits until it is ACTIVE, and switches on the
 * expiry of items that have a TTL field, where the server knows of that. A table that is there
 * already with the same keys is fine. */
ORDNA_API ordna_status ordna_create_table(ordna_session *session, const ordna_table *table);

/* --- Keys ------------------------------------------------------------------------------------- */

/* Values of a template's leading fields. Generated functions make them: shop_employee_pk("acme"),
 * shop_employee_sk_country_city("CH", "Zurich"). */
typedef struct ordna_key {
    const ordna_entity *entity;
    const ordna_index *index;
    bool sort; /* of the sort key's template, not the partition key's */
    size_t count;
    ordna_value values[ORDNA_MAX_KEY_FIELDS];
} ordna_key;

typedef enum ordna_sort_op {
    ORDNA_ALL = 0,
    ORDNA_EQUAL,
    ORDNA_BEGINS_WITH,
    ORDNA_BETWEEN,
    ORDNA_LESS,
    ORDNA_LESS_EQUAL,
    ORDNA_GREATER,
    ORDNA_GREATER_EQUAL
} ordna_sort_op;

typedef struct ordna_sort {
    ordna_sort_op op;
    ordna_key low; /* the only one, but for BETWEEN */
    ordna_key high;
} ordna_sort;

/* Leading fields stand for every key that begins with them as whole fields: greater_equal(at) and
 * less_equal(at) hold all keys of that time, greater(at) and less(at) none of them, between(a, b)
 * all of a and all of b. ordna_equal wants all fields. */
ORDNA_API ordna_sort ordna_equal(ordna_key key);
ORDNA_API ordna_sort ordna_begins_with(ordna_key key);
ORDNA_API ordna_sort ordna_between(ordna_key low, ordna_key high);
ORDNA_API ordna_sort ordna_less(ordna_key key);
ORDNA_API ordna_sort ordna_less_equal(ordna_key key);
ORDNA_API ordna_sort ordna_greater(ordna_key key);
ORDNA_API ordna_sort ordna_greater_equal(ordna_key key);

/* The text of a key in the session's memory, "SITE#CH#Zurich#EMP#000007"; of leading fields alone
 * the text up to the next field, "SITE#CH#Zurich#EMP#". For templates of text. */
ORDNA_API ordna_status ordna_key_text(ordna_session *session, const ordna_key *key,
                                      const char **out);

/* The reverse: a key's text into the fields of the struct `out`. `key` is one of the entity's
 * templates. A text that the template cannot have made is ORDNA_KEY_FORMAT. */
ORDNA_API ordna_status ordna_key_parse(ordna_session *session, const ordna_entity *entity,
                                       const ordna_template *key, const char *text, void *out);

/* --- Expressions ------------------------------------------------------------------------------ */

typedef struct ordna_argument {
    const char *name; /* ":pending" */
    ordna_value value;
} ordna_argument;

/* DynamoDB's expressions, with fields in braces: "{Status} = :pending AND {Number} > :n". Braces
 * become placeholders, so that reserved words need no care. Names of no field, or of no argument,
 * are ORDNA_BAD_ARGUMENT. A TTL field is compared with ordna_of_ttl. */
typedef struct ordna_expression {
    const char *text;
    const ordna_argument *args;
    size_t count;
} ordna_expression;

/* --- One item --------------------------------------------------------------------------------- */

/* Where a key is wanted, a struct is given whose fields of the table's key are set. Conditions may
 * be NULL. */

/* An entity with a version is written only over the version that the struct has; on success the
 * struct's version is one more. ORDNA_CONDITION_FAILED otherwise. */
ORDNA_API ordna_status ordna_put(ordna_session *session, const ordna_entity *entity, void *item,
                                 const ordna_expression *condition);

typedef struct ordna_read {
    bool consistent;
    const char *const *fields; /* the only ones to read; NULL: all. Others become 0 */
    size_t field_count;
} ordna_read;

/* ORDNA_NOT_FOUND when there is none. `out` may be `key`. */
ORDNA_API ordna_status ordna_get(ordna_session *session, const ordna_entity *entity,
                                 const void *key, const ordna_read *read, void *out);

/* `update` is an UpdateExpression. An item that is not there is made, of the fields of its key and
 * what the update sets; the condition "attribute_exists({...})" keeps it from that. Of an entity
 * with a version the item's grows by one, and when the key's version is not 0 it must be the
 * item's. `out`: the item as it is then, or NULL. Fields of the table's key cannot be changed, nor
 * those that an index's template makes into text; a field that is an index's key itself can. An
 * item of another entity under the same key is ORDNA_CONDITION_FAILED. When the
 * item is written and lacks fields that are not optional, `out` makes it ORDNA_BAD_ITEM. */
ORDNA_API ordna_status ordna_update(ordna_session *session, const ordna_entity *entity,
                                    const void *key, const ordna_expression *update,
                                    const ordna_expression *condition, void *out);

/* When the key's version is not 0 it must be the item's. One that is not there is fine. */
ORDNA_API ordna_status ordna_delete(ordna_session *session, const ordna_entity *entity,
                                    const void *key, const ordna_expression *condition);

/* --- Queries ---------------------------------------------------------------------------------- */

typedef struct ordna_query {
    ordna_key partition;         /* all fields; says which index, too */
    const ordna_key *partitions; /* instead: several, asked in parallel, merged by sort key */
    size_t partition_count;
    ordna_sort sort;
    const ordna_expression *filter;
    const ordna_read *read;
    int limit; /* of a page, and of a stream's pages; 0: what fits 1 MB */
    bool descending;
    const char *from; /* a page's `next`; NULL: from the start */
} ordna_query;

typedef struct ordna_page {
    void *items; /* structs of the entity, in the session's memory */
    size_t count;
    const char *next; /* for `from` of the next page; NULL: there is none */
} ordna_page;

/* One page of one partition. Items of the table's other entities are left out. One that is not as
 * the entity says is ORDNA_BAD_ITEM, and the page has the others. Of an index that has nothing but
 * keys come the fields that are in keys; others are 0. */
ORDNA_API ordna_status ordna_query_page(ordna_session *session, const ordna_entity *entity,
                                        const ordna_query *query, ordna_page *out);

/* How many items of the entity there are, over all pages and partitions. */
ORDNA_API ordna_status ordna_query_count(ordna_session *session, const ordna_entity *entity,
                                         const ordna_query *query, uint64_t *out);

typedef struct ordna_stream ordna_stream;

/* A stream over all pages of all partitions, in order of the sort key; of one sort key in order of
 * the partitions. At most two pages of each partition are held, the one that is read and the one
 * after it. Requests go out from threads of the stream's own, up to 16. It is closed before its
 * session, and survives the session's reset. */
ORDNA_API ordna_status ordna_stream_open(ordna_session *session, const ordna_entity *entity,
                                         const ordna_query *query, ordna_stream **out);

/* The same over items of all entities of the table: structs { entity, union }. */
ORDNA_API ordna_status ordna_stream_open_table(ordna_session *session, const ordna_table *table,
                                               const ordna_query *query, ordna_stream **out);

/* The next item into the struct `out`; what it points to lives until the next call. `entity` is the
 * one that the stream was opened with, NULL for all of a table: another one's struct would not hold
 * the item, and is ORDNA_BAD_ARGUMENT. ORDNA_END when there is none. ORDNA_BAD_ITEM for an item
 * that is not as its entity says: the error names its key and attribute, and the stream may go on.
 */
ORDNA_API ordna_status ordna_stream_next(ordna_stream *stream, const ordna_entity *entity,
                                         void *out);
ORDNA_API void ordna_stream_close(ordna_stream *stream);

/* --- Many items ------------------------------------------------------------------------------- */

/* Writes without conditions, sent 25 at a time; what comes back unprocessed is sent again, with
 * growing waits. Writes of one item are carried out in their order. An entity with a version is
 * ORDNA_BAD_ARGUMENT to put: nothing could check it. */
typedef struct ordna_batch ordna_batch;
ORDNA_API ordna_batch *ordna_batch_open(ordna_session *session);
ORDNA_API ordna_status ordna_batch_put(ordna_batch *batch, const ordna_entity *entity,
                                       const void *item);
ORDNA_API ordna_status ordna_batch_delete(ordna_batch *batch, const ordna_entity *entity,
                                          const void *key);
/* It is empty then. After a failure it holds what may not have been written. */
ORDNA_API ordna_status ordna_batch_send(ordna_batch *batch);
ORDNA_API void ordna_batch_close(ordna_batch *batch);

/* Reads `count` items by the keys in `keys`, 100 at a time, into the structs `out`; found[i] says
 * whether item i is there. One that is not as the entity says is ORDNA_BAD_ITEM, and the others are
 * there. */
ORDNA_API ordna_status ordna_get_many(ordna_session *session, const ordna_entity *entity,
                                      const void *keys, size_t count, const ordna_read *read,
                                      void *out, bool *found);

/* Up to 100 actions, all or none. Either writes or reads. */
typedef struct ordna_transaction ordna_transaction;
ORDNA_API ordna_transaction *ordna_transaction_open(ordna_session *session);
ORDNA_API ordna_status ordna_transaction_put(ordna_transaction *transaction,
                                             const ordna_entity *entity, void *item,
                                             const ordna_expression *condition);
ORDNA_API ordna_status ordna_transaction_update(ordna_transaction *transaction,
                                                const ordna_entity *entity, const void *key,
                                                const ordna_expression *update,
                                                const ordna_expression *condition);
ORDNA_API ordna_status ordna_transaction_delete(ordna_transaction *transaction,
                                                const ordna_entity *entity, const void *key,
                                                const ordna_expression *condition);
ORDNA_API ordna_status ordna_transaction_check(ordna_transaction *transaction,
                                               const ordna_entity *entity, const void *key,
                                               const ordna_expression *condition);
/* `out` and `found` are filled in by the commit. A commit of reads has ORDNA_BAD_ITEM as above. */
ORDNA_API ordna_status ordna_transaction_get(ordna_transaction *transaction,
                                             const ordna_entity *entity, const void *key, void *out,
                                             bool *found);
/* Carries a token of its own, so that committing it again is safe when nobody knows what came of
 * it. Empty after success. */
ORDNA_API ordna_status ordna_transaction_commit(ordna_transaction *transaction);

typedef struct ordna_reason {
    const char *code; /* "None", "ConditionalCheckFailed", ... */
    const char *message;
    const char *item; /* JSON, when the action asked for it; or "" */
} ordna_reason;
/* Why action `i` stood in the way, after ORDNA_TRANSACTION_CANCELED; else NULL. */
ORDNA_API const ordna_reason *ordna_transaction_reason(const ordna_transaction *transaction,
                                                       size_t i);
ORDNA_API void ordna_transaction_close(ordna_transaction *transaction);

#ifdef __cplusplus
}
#endif

#endif
