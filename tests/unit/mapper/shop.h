// Two tables and their entities, as the generator writes them.
//
//     shop      pk, sk: text. Index by_city: gpk, gsk. Index inverted: sk, pk, nothing but keys
//     readings  Sensor: bytes, At: a number
#ifndef OD_TESTS_MAPPER_SHOP_H
#define OD_TESTS_MAPPER_SHOP_H

#include "ordna/mapper.h"

extern const ordna_table shop;
extern const ordna_table readings;

// ORG#{Org} | SITE#{Country}#{City}#EMP#{Number:d6}; by_city: CITY#{City} | {Nick}
typedef struct employee {
    const char *org;
    const char *country;
    const char *city;
    int32_t number;
    const char *nick; // optional
} employee;
extern const ordna_entity employee_entity;

// ROOM#{Room} | {Id}
typedef struct chat {
    const char *room;
    ordna_uuid id;
    const char *text;
} chat;
extern const ordna_entity chat_entity;

// VOTES#{Poll}#{Shard:d2} | {At}#{Voter}
typedef struct vote {
    const char *poll;
    int32_t shard;
    ordna_time at;
    const char *voter;
} vote;
extern const ordna_entity vote_entity;

// FILE#{File} | CHUNK#{Index:d4} and MANIFEST
typedef struct chunk {
    const char *file;
    int32_t index;
    ordna_bytes data;
} chunk;
typedef struct manifest {
    const char *file;
    int32_t chunks;
} manifest;
extern const ordna_entity chunk_entity;
extern const ordna_entity manifest_entity;

// ACC#{Id} | {Delta:n4}, with a version and an expiry
typedef struct account {
    const char *id;
    int32_t delta;
    int64_t balance;
    int64_t version;
    ordna_time expires;
    bool has_expires;
} account;
extern const ordna_entity account_entity;

// All types and shapes: ALL#{Id} | {Flag}#{Count}
typedef struct all {
    const char *id;
    bool flag;
    int64_t count;
    int32_t small;
    const char *price;
    double real;
    ordna_bytes blob;
    ordna_time at;
    ordna_uuid uuid;
    int32_t maybe; // optional
    bool has_maybe;
    ordna_string_list names;
    ordna_int32_list numbers; // a set
    ordna_string_list tags;   // a set
    ordna_bool_list flags;
    ordna_bytes_list blobs; // a set
    ordna_uuid_list uuids;
    ordna_int64_list times;
    ordna_double_map reals;
    ordna_string_map texts; // optional
} all;
extern const ordna_entity all_entity;

// Sensor | At
typedef struct reading {
    ordna_bytes sensor;
    int64_t at;
    double value;
} reading;
extern const ordna_entity reading_entity;

// Any item of shop.
typedef struct shop_item {
    const ordna_entity *entity;
    union {
        employee employee;
        chat chat;
        vote vote;
        chunk chunk;
        manifest manifest;
        account account;
        all all;
    } as;
} shop_item;

// Keys, as the generated functions make them.
ordna_key key_of(const ordna_entity *entity, size_t index, bool sort, const ordna_value *values,
                 size_t count);
#define PK(entity, ...)                                             \
    key_of(&(entity), 0, false, (const ordna_value[]){__VA_ARGS__}, \
           sizeof((const ordna_value[]){__VA_ARGS__}) / sizeof(ordna_value))
#define SK(entity, ...)                                            \
    key_of(&(entity), 0, true, (const ordna_value[]){__VA_ARGS__}, \
           sizeof((const ordna_value[]){__VA_ARGS__}) / sizeof(ordna_value))

#endif
