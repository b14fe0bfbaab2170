/* The table shop, made by `ordna gen` from shop.entities: change that file, not this one. */
#ifndef ORDNA_GEN_SHOP_H
#define ORDNA_GEN_SHOP_H

#include "ordna/mapper.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Employee --- */

typedef struct shop_employee {
    const char *org;
    const char *country;
    const char *city;
    int32_t number;
    ordna_time hired;
    const char *nick; /* NULL: absent */
    ordna_string_list tags;
    ordna_int32_map scores;
    int64_t version; /* counts the writes; 0: not yet stored */
    bool has_expires;
    ordna_time expires; /* the item is deleted after this time */
} shop_employee;

extern const ordna_entity shop_employee_entity;

/* The partition: ORG#{Org} */
static inline ordna_key shop_employee_pk(const char *org)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[0], false, 1,
                      {ordna_of_string(org)}};
    return key_;
}
static inline ordna_status shop_employee_parse_pk(
    ordna_session *session, const char *text, shop_employee *out)
{
    return ordna_key_parse(session, &shop_employee_entity, shop_employee_entity.keys[0].partition,
                           text, out);
}

/* The sort key: SITE#{Country}#{City}#EMP#{Number:d6} */
static inline ordna_key shop_employee_sk(void)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[0], true, 0,
                      {ordna_of_int(0)}};
    return key_;
}
static inline ordna_key shop_employee_sk_country(const char *country)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[0], true, 1,
                      {ordna_of_string(country)}};
    return key_;
}
static inline ordna_key shop_employee_sk_country_city(
    const char *country, const char *city)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[0], true, 2,
                      {ordna_of_string(country),
                       ordna_of_string(city)}};
    return key_;
}
static inline ordna_key shop_employee_sk_country_city_number(
    const char *country, const char *city, int32_t number)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[0], true, 3,
                      {ordna_of_string(country),
                       ordna_of_string(city),
                       ordna_of_int(number)}};
    return key_;
}
static inline ordna_status shop_employee_parse_sk(
    ordna_session *session, const char *text, shop_employee *out)
{
    return ordna_key_parse(session, &shop_employee_entity, shop_employee_entity.keys[0].sort,
                           text, out);
}

/* The partition of index GSI1: CITY#{City} */
static inline ordna_key shop_employee_gsi1_pk(const char *city)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[1], false, 1,
                      {ordna_of_string(city)}};
    return key_;
}
static inline ordna_status shop_employee_parse_gsi1_pk(
    ordna_session *session, const char *text, shop_employee *out)
{
    return ordna_key_parse(session, &shop_employee_entity, shop_employee_entity.keys[1].partition,
                           text, out);
}

/* The sort key of index GSI1: {Hired}#{Number:d6} */
static inline ordna_key shop_employee_gsi1_sk(void)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[1], true, 0,
                      {ordna_of_int(0)}};
    return key_;
}
static inline ordna_key shop_employee_gsi1_sk_hired(ordna_time hired)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[1], true, 1,
                      {ordna_of_time(hired)}};
    return key_;
}
static inline ordna_key shop_employee_gsi1_sk_hired_number(
    ordna_time hired, int32_t number)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[1], true, 2,
                      {ordna_of_time(hired),
                       ordna_of_int(number)}};
    return key_;
}
static inline ordna_status shop_employee_parse_gsi1_sk(
    ordna_session *session, const char *text, shop_employee *out)
{
    return ordna_key_parse(session, &shop_employee_entity, shop_employee_entity.keys[1].sort,
                           text, out);
}

/* The partition of index ByDate: ORG#{Org} */
static inline ordna_key shop_employee_by_date_pk(const char *org)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[2], false, 1,
                      {ordna_of_string(org)}};
    return key_;
}
static inline ordna_status shop_employee_parse_by_date_pk(
    ordna_session *session, const char *text, shop_employee *out)
{
    return ordna_key_parse(session, &shop_employee_entity, shop_employee_entity.keys[2].partition,
                           text, out);
}

/* The sort key of index ByDate: HIRED#{Hired} */
static inline ordna_key shop_employee_by_date_sk(void)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[2], true, 0,
                      {ordna_of_int(0)}};
    return key_;
}
static inline ordna_key shop_employee_by_date_sk_hired(ordna_time hired)
{
    ordna_key key_ = {&shop_employee_entity, &shop_employee_entity.keys[2], true, 1,
                      {ordna_of_time(hired)}};
    return key_;
}
static inline ordna_status shop_employee_parse_by_date_sk(
    ordna_session *session, const char *text, shop_employee *out)
{
    return ordna_key_parse(session, &shop_employee_entity, shop_employee_entity.keys[2].sort,
                           text, out);
}

/* The text of a key of Employee, for logs and for other programs. */
static inline ordna_status shop_employee_key_text(
    ordna_session *session, ordna_key key, const char **out)
{
    return ordna_key_text(session, &key, out);
}

static inline ordna_status shop_employee_put(
    ordna_session *session, shop_employee *item, const ordna_expression *condition)
{
    return ordna_put(session, &shop_employee_entity, item, condition);
}

/* Of `key` the fields of the table's key are used, here and below. */
static inline ordna_status shop_employee_get(
    ordna_session *session, const shop_employee *key, const ordna_read *read,
    shop_employee *out)
{
    return ordna_get(session, &shop_employee_entity, key, read, out);
}

static inline ordna_status shop_employee_get_many(
    ordna_session *session, const shop_employee *keys, size_t count,
    const ordna_read *read, shop_employee *out, bool *found)
{
    return ordna_get_many(session, &shop_employee_entity, keys, count, read, out, found);
}

static inline ordna_status shop_employee_update(
    ordna_session *session, const shop_employee *key, const ordna_expression *update,
    const ordna_expression *condition, shop_employee *out)
{
    return ordna_update(session, &shop_employee_entity, key, update, condition, out);
}

static inline ordna_status shop_employee_delete(
    ordna_session *session, const shop_employee *key, const ordna_expression *condition)
{
    return ordna_delete(session, &shop_employee_entity, key, condition);
}

static inline ordna_status shop_employee_query(
    ordna_session *session, const ordna_query *query, ordna_stream **out)
{
    return ordna_stream_open(session, &shop_employee_entity, query, out);
}

static inline ordna_status shop_employee_next(ordna_stream *stream, shop_employee *out)
{
    return ordna_stream_next(stream, out);
}

typedef struct shop_employee_page {
    shop_employee *items;
    size_t count;
    const char *next; /* for `from` of the next page; NULL: there is none */
} shop_employee_page;

static inline ordna_status shop_employee_query_page(
    ordna_session *session, const ordna_query *query, shop_employee_page *out)
{
    ordna_page page = {NULL, 0, NULL};
    ordna_status status = ordna_query_page(session, &shop_employee_entity, query, &page);
    out->items = (shop_employee *)page.items;
    out->count = page.count;
    out->next = page.next;
    return status;
}

static inline ordna_status shop_employee_query_count(
    ordna_session *session, const ordna_query *query, uint64_t *out)
{
    return ordna_query_count(session, &shop_employee_entity, query, out);
}

static inline ordna_status shop_employee_batch_put(
    ordna_batch *batch, const shop_employee *item)
{
    return ordna_batch_put(batch, &shop_employee_entity, item);
}

static inline ordna_status shop_employee_batch_delete(
    ordna_batch *batch, const shop_employee *key)
{
    return ordna_batch_delete(batch, &shop_employee_entity, key);
}

static inline ordna_status shop_employee_transaction_put(
    ordna_transaction *transaction, shop_employee *item,
    const ordna_expression *condition)
{
    return ordna_transaction_put(transaction, &shop_employee_entity, item, condition);
}

static inline ordna_status shop_employee_transaction_update(
    ordna_transaction *transaction, const shop_employee *key,
    const ordna_expression *update, const ordna_expression *condition)
{
    return ordna_transaction_update(transaction, &shop_employee_entity, key, update, condition);
}

static inline ordna_status shop_employee_transaction_delete(
    ordna_transaction *transaction, const shop_employee *key,
    const ordna_expression *condition)
{
    return ordna_transaction_delete(transaction, &shop_employee_entity, key, condition);
}

static inline ordna_status shop_employee_transaction_check(
    ordna_transaction *transaction, const shop_employee *key,
    const ordna_expression *condition)
{
    return ordna_transaction_check(transaction, &shop_employee_entity, key, condition);
}

static inline ordna_status shop_employee_transaction_get(
    ordna_transaction *transaction, const shop_employee *key, shop_employee *out,
    bool *found)
{
    return ordna_transaction_get(transaction, &shop_employee_entity, key, out, found);
}

/* --- Player --- */

typedef struct shop_player {
    ordna_uuid id;
    const char *board;
    double score;
    int64_t delta;
    bool active;
    bool has_level;
    int32_t level;
    const char *balance; /* a number, as text */
    ordna_bytes photo;
    ordna_bytes thumb; /* absent when its pointer is NULL */
    ordna_int64_list visits;
    ordna_string_map prices; /* a number, as text */
    ordna_uuid_list friends;
    ordna_bool_list flags;
    ordna_double_list marks; /* absent when its pointer is NULL */
} shop_player;

extern const ordna_entity shop_player_entity;

/* The partition: PLAYER#{Id} */
static inline ordna_key shop_player_pk(ordna_uuid id)
{
    ordna_key key_ = {&shop_player_entity, &shop_player_entity.keys[0], false, 1,
                      {ordna_of_uuid(id)}};
    return key_;
}
static inline ordna_status shop_player_parse_pk(
    ordna_session *session, const char *text, shop_player *out)
{
    return ordna_key_parse(session, &shop_player_entity, shop_player_entity.keys[0].partition,
                           text, out);
}

/* The sort key: PLAYER */
static inline ordna_key shop_player_sk(void)
{
    ordna_key key_ = {&shop_player_entity, &shop_player_entity.keys[0], true, 0,
                      {ordna_of_int(0)}};
    return key_;
}
static inline ordna_status shop_player_parse_sk(
    ordna_session *session, const char *text, shop_player *out)
{
    return ordna_key_parse(session, &shop_player_entity, shop_player_entity.keys[0].sort,
                           text, out);
}

/* The partition of index ByScore: {Board} */
static inline ordna_key shop_player_by_score_pk(const char *board)
{
    ordna_key key_ = {&shop_player_entity, &shop_player_entity.keys[1], false, 1,
                      {ordna_of_string(board)}};
    return key_;
}
static inline ordna_status shop_player_parse_by_score_pk(
    ordna_session *session, const char *text, shop_player *out)
{
    return ordna_key_parse(session, &shop_player_entity, shop_player_entity.keys[1].partition,
                           text, out);
}

/* The sort key of index ByScore: {Score} */
static inline ordna_key shop_player_by_score_sk_score(double score)
{
    ordna_key key_ = {&shop_player_entity, &shop_player_entity.keys[1], true, 1,
                      {ordna_of_double(score)}};
    return key_;
}

/* The text of a key of Player, for logs and for other programs. */
static inline ordna_status shop_player_key_text(
    ordna_session *session, ordna_key key, const char **out)
{
    return ordna_key_text(session, &key, out);
}

static inline ordna_status shop_player_put(
    ordna_session *session, shop_player *item, const ordna_expression *condition)
{
    return ordna_put(session, &shop_player_entity, item, condition);
}

/* Of `key` the fields of the table's key are used, here and below. */
static inline ordna_status shop_player_get(
    ordna_session *session, const shop_player *key, const ordna_read *read,
    shop_player *out)
{
    return ordna_get(session, &shop_player_entity, key, read, out);
}

static inline ordna_status shop_player_get_many(
    ordna_session *session, const shop_player *keys, size_t count,
    const ordna_read *read, shop_player *out, bool *found)
{
    return ordna_get_many(session, &shop_player_entity, keys, count, read, out, found);
}

static inline ordna_status shop_player_update(
    ordna_session *session, const shop_player *key, const ordna_expression *update,
    const ordna_expression *condition, shop_player *out)
{
    return ordna_update(session, &shop_player_entity, key, update, condition, out);
}

static inline ordna_status shop_player_delete(
    ordna_session *session, const shop_player *key, const ordna_expression *condition)
{
    return ordna_delete(session, &shop_player_entity, key, condition);
}

static inline ordna_status shop_player_query(
    ordna_session *session, const ordna_query *query, ordna_stream **out)
{
    return ordna_stream_open(session, &shop_player_entity, query, out);
}

static inline ordna_status shop_player_next(ordna_stream *stream, shop_player *out)
{
    return ordna_stream_next(stream, out);
}

typedef struct shop_player_page {
    shop_player *items;
    size_t count;
    const char *next; /* for `from` of the next page; NULL: there is none */
} shop_player_page;

static inline ordna_status shop_player_query_page(
    ordna_session *session, const ordna_query *query, shop_player_page *out)
{
    ordna_page page = {NULL, 0, NULL};
    ordna_status status = ordna_query_page(session, &shop_player_entity, query, &page);
    out->items = (shop_player *)page.items;
    out->count = page.count;
    out->next = page.next;
    return status;
}

static inline ordna_status shop_player_query_count(
    ordna_session *session, const ordna_query *query, uint64_t *out)
{
    return ordna_query_count(session, &shop_player_entity, query, out);
}

static inline ordna_status shop_player_batch_put(
    ordna_batch *batch, const shop_player *item)
{
    return ordna_batch_put(batch, &shop_player_entity, item);
}

static inline ordna_status shop_player_batch_delete(
    ordna_batch *batch, const shop_player *key)
{
    return ordna_batch_delete(batch, &shop_player_entity, key);
}

static inline ordna_status shop_player_transaction_put(
    ordna_transaction *transaction, shop_player *item,
    const ordna_expression *condition)
{
    return ordna_transaction_put(transaction, &shop_player_entity, item, condition);
}

static inline ordna_status shop_player_transaction_update(
    ordna_transaction *transaction, const shop_player *key,
    const ordna_expression *update, const ordna_expression *condition)
{
    return ordna_transaction_update(transaction, &shop_player_entity, key, update, condition);
}

static inline ordna_status shop_player_transaction_delete(
    ordna_transaction *transaction, const shop_player *key,
    const ordna_expression *condition)
{
    return ordna_transaction_delete(transaction, &shop_player_entity, key, condition);
}

static inline ordna_status shop_player_transaction_check(
    ordna_transaction *transaction, const shop_player *key,
    const ordna_expression *condition)
{
    return ordna_transaction_check(transaction, &shop_player_entity, key, condition);
}

static inline ordna_status shop_player_transaction_get(
    ordna_transaction *transaction, const shop_player *key, shop_player *out,
    bool *found)
{
    return ordna_transaction_get(transaction, &shop_player_entity, key, out, found);
}

/* --- ChatMessage --- */

typedef struct shop_chat_message {
    const char *room;
    ordna_uuid id;
    const char *text;
    const char *class_;
    bool has_first_name;
    int64_t first_name;
} shop_chat_message;

extern const ordna_entity shop_chat_message_entity;

/* The partition: ROOM#{Room} */
static inline ordna_key shop_chat_message_pk(const char *room)
{
    ordna_key key_ = {&shop_chat_message_entity, &shop_chat_message_entity.keys[0], false, 1,
                      {ordna_of_string(room)}};
    return key_;
}
static inline ordna_status shop_chat_message_parse_pk(
    ordna_session *session, const char *text, shop_chat_message *out)
{
    return ordna_key_parse(session, &shop_chat_message_entity, shop_chat_message_entity.keys[0].partition,
                           text, out);
}

/* The sort key: {Id} */
static inline ordna_key shop_chat_message_sk(void)
{
    ordna_key key_ = {&shop_chat_message_entity, &shop_chat_message_entity.keys[0], true, 0,
                      {ordna_of_int(0)}};
    return key_;
}
static inline ordna_key shop_chat_message_sk_id(ordna_uuid id)
{
    ordna_key key_ = {&shop_chat_message_entity, &shop_chat_message_entity.keys[0], true, 1,
                      {ordna_of_uuid(id)}};
    return key_;
}
static inline ordna_status shop_chat_message_parse_sk(
    ordna_session *session, const char *text, shop_chat_message *out)
{
    return ordna_key_parse(session, &shop_chat_message_entity, shop_chat_message_entity.keys[0].sort,
                           text, out);
}

/* The text of a key of ChatMessage, for logs and for other programs. */
static inline ordna_status shop_chat_message_key_text(
    ordna_session *session, ordna_key key, const char **out)
{
    return ordna_key_text(session, &key, out);
}

static inline ordna_status shop_chat_message_put(
    ordna_session *session, shop_chat_message *item, const ordna_expression *condition)
{
    return ordna_put(session, &shop_chat_message_entity, item, condition);
}

/* Of `key` the fields of the table's key are used, here and below. */
static inline ordna_status shop_chat_message_get(
    ordna_session *session, const shop_chat_message *key, const ordna_read *read,
    shop_chat_message *out)
{
    return ordna_get(session, &shop_chat_message_entity, key, read, out);
}

static inline ordna_status shop_chat_message_get_many(
    ordna_session *session, const shop_chat_message *keys, size_t count,
    const ordna_read *read, shop_chat_message *out, bool *found)
{
    return ordna_get_many(session, &shop_chat_message_entity, keys, count, read, out, found);
}

static inline ordna_status shop_chat_message_update(
    ordna_session *session, const shop_chat_message *key, const ordna_expression *update,
    const ordna_expression *condition, shop_chat_message *out)
{
    return ordna_update(session, &shop_chat_message_entity, key, update, condition, out);
}

static inline ordna_status shop_chat_message_delete(
    ordna_session *session, const shop_chat_message *key, const ordna_expression *condition)
{
    return ordna_delete(session, &shop_chat_message_entity, key, condition);
}

static inline ordna_status shop_chat_message_query(
    ordna_session *session, const ordna_query *query, ordna_stream **out)
{
    return ordna_stream_open(session, &shop_chat_message_entity, query, out);
}

static inline ordna_status shop_chat_message_next(ordna_stream *stream, shop_chat_message *out)
{
    return ordna_stream_next(stream, out);
}

typedef struct shop_chat_message_page {
    shop_chat_message *items;
    size_t count;
    const char *next; /* for `from` of the next page; NULL: there is none */
} shop_chat_message_page;

static inline ordna_status shop_chat_message_query_page(
    ordna_session *session, const ordna_query *query, shop_chat_message_page *out)
{
    ordna_page page = {NULL, 0, NULL};
    ordna_status status = ordna_query_page(session, &shop_chat_message_entity, query, &page);
    out->items = (shop_chat_message *)page.items;
    out->count = page.count;
    out->next = page.next;
    return status;
}

static inline ordna_status shop_chat_message_query_count(
    ordna_session *session, const ordna_query *query, uint64_t *out)
{
    return ordna_query_count(session, &shop_chat_message_entity, query, out);
}

static inline ordna_status shop_chat_message_batch_put(
    ordna_batch *batch, const shop_chat_message *item)
{
    return ordna_batch_put(batch, &shop_chat_message_entity, item);
}

static inline ordna_status shop_chat_message_batch_delete(
    ordna_batch *batch, const shop_chat_message *key)
{
    return ordna_batch_delete(batch, &shop_chat_message_entity, key);
}

static inline ordna_status shop_chat_message_transaction_put(
    ordna_transaction *transaction, shop_chat_message *item,
    const ordna_expression *condition)
{
    return ordna_transaction_put(transaction, &shop_chat_message_entity, item, condition);
}

static inline ordna_status shop_chat_message_transaction_update(
    ordna_transaction *transaction, const shop_chat_message *key,
    const ordna_expression *update, const ordna_expression *condition)
{
    return ordna_transaction_update(transaction, &shop_chat_message_entity, key, update, condition);
}

static inline ordna_status shop_chat_message_transaction_delete(
    ordna_transaction *transaction, const shop_chat_message *key,
    const ordna_expression *condition)
{
    return ordna_transaction_delete(transaction, &shop_chat_message_entity, key, condition);
}

static inline ordna_status shop_chat_message_transaction_check(
    ordna_transaction *transaction, const shop_chat_message *key,
    const ordna_expression *condition)
{
    return ordna_transaction_check(transaction, &shop_chat_message_entity, key, condition);
}

static inline ordna_status shop_chat_message_transaction_get(
    ordna_transaction *transaction, const shop_chat_message *key, shop_chat_message *out,
    bool *found)
{
    return ordna_transaction_get(transaction, &shop_chat_message_entity, key, out, found);
}

/* --- All entities --- */

typedef struct shop_item {
    const ordna_entity *entity; /* says which member of `as` it is */
    union {
        shop_employee employee;
        shop_player player;
        shop_chat_message chat_message;
    } as;
} shop_item;

extern const ordna_table shop_table;

/* Creates the table with its indexes and waits until it is there; fine if it is already. */
static inline ordna_status shop_create_table(ordna_session *session)
{
    return ordna_create_table(session, &shop_table);
}

/* Items of all entities, in the order of the sort key. */
static inline ordna_status shop_query(
    ordna_session *session, const ordna_query *query, ordna_stream **out)
{
    return ordna_stream_open_table(session, &shop_table, query, out);
}

static inline ordna_status shop_next(ordna_stream *stream, shop_item *out)
{
    return ordna_stream_next(stream, out);
}

#ifdef __cplusplus
}
#endif

#endif
