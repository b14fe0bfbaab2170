#include "shop.h"

#include "base/attr.h"

#include <assert.h>

#define FIELD(entity, member, text, its_type)                                  \
    {                                                                          \
        .name = (text), .type = (its_type), .offset = offsetof(entity, member) \
    }
#define MANY(entity, member, text, its_type, its_shape)           \
    {                                                             \
        .name = (text), .type = (its_type), .shape = (its_shape), \
        .offset = offsetof(entity, member)                        \
    }
#define TEXT_KEY(text, its_segments)                                           \
    {                                                                          \
        .attribute = (text), .type = ORDNA_STRING, .segments = (its_segments), \
        .count = OD_COUNT(its_segments)                                        \
    }
#define ENTITY(its_table, text, marker, type, its_fields, its_keys)                             \
    {                                                                                           \
        .table = &(its_table), .name = (text), .discriminator = (marker), .size = sizeof(type), \
        .fields = (its_fields), .field_count = OD_COUNT(its_fields), .keys = (its_keys),        \
        .key_count = OD_COUNT(its_keys)                                                         \
    }

// --- Employee -----------------------------------------------------------------------------------

static const ordna_field employee_fields[] = {
    FIELD(employee, org, "Org", ORDNA_STRING),
    FIELD(employee, country, "Country", ORDNA_STRING),
    FIELD(employee, city, "City", ORDNA_STRING),
    FIELD(employee, number, "Number", ORDNA_INT32),
    {.name = "Nick", .type = ORDNA_STRING, .optional = true, .offset = offsetof(employee, nick)},
};
static const ordna_segment employee_pk[] = {{"ORG#", 0, 0, 0}};
static const ordna_segment employee_sk[] = {
    {"SITE#", 1, 0, 0}, {"#", 2, 0, 0}, {"#EMP#", 3, 'd', 6}};
static const ordna_segment employee_gpk[] = {{"CITY#", 2, 0, 0}};
static const ordna_segment employee_gsk[] = {{"", 4, 0, 0}};
static const ordna_template employee_keys[] = {
    TEXT_KEY("pk", employee_pk), TEXT_KEY("sk", employee_sk), TEXT_KEY("gpk", employee_gpk),
    TEXT_KEY("gsk", employee_gsk)};
static const ordna_index employee_indexes[] = {
    {NULL, &employee_keys[0], &employee_keys[1]},
    {"by_city", &employee_keys[2], &employee_keys[3]},
    {"inverted", &employee_keys[1], &employee_keys[0]},
};
const ordna_entity employee_entity =
    ENTITY(shop, "Employee", "EMPLOYEE", employee, employee_fields, employee_indexes);

// --- Chat ---------------------------------------------------------------------------------------

static const ordna_field chat_fields[] = {
    FIELD(chat, room, "Room", ORDNA_STRING),
    FIELD(chat, id, "Id", ORDNA_UUID),
    FIELD(chat, text, "Text", ORDNA_STRING),
};
static const ordna_segment chat_pk[] = {{"ROOM#", 0, 0, 0}};
static const ordna_segment chat_sk[] = {{"", 1, 0, 0}};
static const ordna_template chat_keys[] = {TEXT_KEY("pk", chat_pk), TEXT_KEY("sk", chat_sk)};
static const ordna_index chat_indexes[] = {{NULL, &chat_keys[0], &chat_keys[1]},
                                           {"inverted", &chat_keys[1], &chat_keys[0]}};
const ordna_entity chat_entity = ENTITY(shop, "Chat", "CHAT", chat, chat_fields, chat_indexes);

// --- Vote ---------------------------------------------------------------------------------------

static const ordna_field vote_fields[] = {
    FIELD(vote, poll, "Poll", ORDNA_STRING),
    FIELD(vote, shard, "Shard", ORDNA_INT32),
    FIELD(vote, at, "At", ORDNA_TIME),
    FIELD(vote, voter, "Voter", ORDNA_STRING),
};
static const ordna_segment vote_pk[] = {{"VOTES#", 0, 0, 0}, {"#", 1, 'd', 2}};
static const ordna_segment vote_sk[] = {{"", 2, 0, 0}, {"#", 3, 0, 0}};
static const ordna_template vote_keys[] = {TEXT_KEY("pk", vote_pk), TEXT_KEY("sk", vote_sk)};
static const ordna_index vote_indexes[] = {{NULL, &vote_keys[0], &vote_keys[1]},
                                           {"inverted", &vote_keys[1], &vote_keys[0]}};
const ordna_entity vote_entity = ENTITY(shop, "Vote", "VOTE", vote, vote_fields, vote_indexes);

// --- Files --------------------------------------------------------------------------------------

static const ordna_field chunk_fields[] = {
    FIELD(chunk, file, "File", ORDNA_STRING),
    FIELD(chunk, index, "Index", ORDNA_INT32),
    FIELD(chunk, data, "Data", ORDNA_BYTES),
};
static const ordna_field manifest_fields[] = {
    FIELD(manifest, file, "File", ORDNA_STRING),
    FIELD(manifest, chunks, "Chunks", ORDNA_INT32),
};
static const ordna_segment file_pk[] = {{"FILE#", 0, 0, 0}};
static const ordna_segment chunk_sk[] = {{"CHUNK#", 1, 'd', 4}};
static const ordna_segment manifest_sk[] = {{"MANIFEST", -1, 0, 0}};
static const ordna_template file_keys[] = {TEXT_KEY("pk", file_pk), TEXT_KEY("sk", chunk_sk),
                                           TEXT_KEY("sk", manifest_sk)};
static const ordna_index chunk_indexes[] = {{NULL, &file_keys[0], &file_keys[1]},
                                            {"inverted", &file_keys[1], &file_keys[0]}};
static const ordna_index manifest_indexes[] = {{NULL, &file_keys[0], &file_keys[2]},
                                               {"inverted", &file_keys[2], &file_keys[0]}};
const ordna_entity chunk_entity =
    ENTITY(shop, "Chunk", "CHUNK", chunk, chunk_fields, chunk_indexes);
const ordna_entity manifest_entity =
    ENTITY(shop, "Manifest", "MANIFEST", manifest, manifest_fields, manifest_indexes);

// --- Account ------------------------------------------------------------------------------------

static const ordna_field account_fields[] = {
    FIELD(account, id, "Id", ORDNA_STRING),
    FIELD(account, delta, "Delta", ORDNA_INT32),
    FIELD(account, balance, "Balance", ORDNA_INT64),
    {.name = "Version",
     .type = ORDNA_INT64,
     .role = ORDNA_VERSION,
     .offset = offsetof(account, version)},
    {.name = "Expires",
     .type = ORDNA_TIME,
     .role = ORDNA_TTL,
     .optional = true,
     .offset = offsetof(account, expires),
     .has_offset = offsetof(account, has_expires)},
};
static const ordna_segment account_pk[] = {{"ACC#", 0, 0, 0}};
static const ordna_segment account_sk[] = {{"", 1, 'n', 4}};
static const ordna_template account_keys[] = {TEXT_KEY("pk", account_pk),
                                              TEXT_KEY("sk", account_sk)};
static const ordna_index account_indexes[] = {{NULL, &account_keys[0], &account_keys[1]},
                                              {"inverted", &account_keys[1], &account_keys[0]}};
const ordna_entity account_entity =
    ENTITY(shop, "Account", "ACCOUNT", account, account_fields, account_indexes);

// --- All types ----------------------------------------------------------------------------------

static const ordna_field all_fields[] = {
    FIELD(all, id, "Id", ORDNA_STRING),
    FIELD(all, flag, "Flag", ORDNA_BOOL),
    FIELD(all, count, "Count", ORDNA_INT64),
    FIELD(all, small, "Small", ORDNA_INT32),
    FIELD(all, price, "Price", ORDNA_DECIMAL),
    FIELD(all, real, "Real", ORDNA_DOUBLE),
    FIELD(all, blob, "Blob", ORDNA_BYTES),
    FIELD(all, at, "At", ORDNA_TIME),
    FIELD(all, uuid, "Uuid", ORDNA_UUID),
    {.name = "Maybe",
     .type = ORDNA_INT32,
     .optional = true,
     .offset = offsetof(all, maybe),
     .has_offset = offsetof(all, has_maybe)},
    MANY(all, names, "Names", ORDNA_STRING, ORDNA_LIST),
    MANY(all, numbers, "Numbers", ORDNA_INT32, ORDNA_SET),
    MANY(all, tags, "Tags", ORDNA_STRING, ORDNA_SET),
    MANY(all, flags, "Flags", ORDNA_BOOL, ORDNA_LIST),
    MANY(all, blobs, "Blobs", ORDNA_BYTES, ORDNA_SET),
    MANY(all, uuids, "Uuids", ORDNA_UUID, ORDNA_LIST),
    MANY(all, times, "Times", ORDNA_TIME, ORDNA_LIST),
    MANY(all, reals, "Reals", ORDNA_DOUBLE, ORDNA_MAP),
    {.name = "Texts",
     .type = ORDNA_STRING,
     .shape = ORDNA_MAP,
     .optional = true,
     .offset = offsetof(all, texts)},
};
static const ordna_segment all_pk[] = {{"ALL#", 0, 0, 0}};
static const ordna_segment all_sk[] = {{"", 1, 0, 0}, {"#", 2, 0, 0}};
static const ordna_template all_keys[] = {TEXT_KEY("pk", all_pk), TEXT_KEY("sk", all_sk)};
static const ordna_index all_indexes[] = {{NULL, &all_keys[0], &all_keys[1]},
                                          {"inverted", &all_keys[1], &all_keys[0]}};
const ordna_entity all_entity = ENTITY(shop, "All", "ALL", all, all_fields, all_indexes);

// --- Reading ------------------------------------------------------------------------------------

static const ordna_field reading_fields[] = {
    FIELD(reading, sensor, "Sensor", ORDNA_BYTES),
    FIELD(reading, at, "At", ORDNA_INT64),
    FIELD(reading, value, "Value", ORDNA_DOUBLE),
};
static const ordna_segment reading_pk[] = {{"", 0, 0, 0}};
static const ordna_segment reading_sk[] = {{"", 1, 0, 0}};
static const ordna_template reading_keys[] = {
    {.attribute = "Sensor", .type = ORDNA_BYTES, .segments = reading_pk, .count = 1},
    {.attribute = "At", .type = ORDNA_DECIMAL, .segments = reading_sk, .count = 1}};
static const ordna_index reading_indexes[] = {{NULL, &reading_keys[0], &reading_keys[1]}};
const ordna_entity reading_entity =
    ENTITY(readings, "Reading", "READING", reading, reading_fields, reading_indexes);

// --- Tables -------------------------------------------------------------------------------------

static const ordna_entity *const shop_entities[] = {
    &employee_entity, &chat_entity,    &vote_entity, &chunk_entity,
    &manifest_entity, &account_entity, &all_entity};
static const ordna_table_key shop_keys[] = {
    {.partition = "pk", .partition_type = ORDNA_STRING, .sort = "sk", .sort_type = ORDNA_STRING},
    {.index = "by_city",
     .partition = "gpk",
     .partition_type = ORDNA_STRING,
     .sort = "gsk",
     .sort_type = ORDNA_STRING},
    {.index = "inverted",
     .partition = "sk",
     .partition_type = ORDNA_STRING,
     .sort = "pk",
     .sort_type = ORDNA_STRING,
     .keys_only = true},
};
const ordna_table shop = {
    .name = "shop",
    .discriminator = "Type",
    .keys = shop_keys,
    .key_count = OD_COUNT(shop_keys),
    .entities = shop_entities,
    .entity_count = OD_COUNT(shop_entities),
    .item_size = sizeof(shop_item),
    .item_offset = offsetof(shop_item, as),
};

static const ordna_entity *const reading_entities[] = {&reading_entity};
static const ordna_table_key reading_table_keys[] = {{.partition = "Sensor",
                                                      .partition_type = ORDNA_BYTES,
                                                      .sort = "At",
                                                      .sort_type = ORDNA_DECIMAL}};
const ordna_table readings = {
    .name = "readings",
    .discriminator = "Type",
    .keys = reading_table_keys,
    .key_count = OD_COUNT(reading_table_keys),
    .entities = reading_entities,
    .entity_count = OD_COUNT(reading_entities),
};

ordna_key key_of(const ordna_entity *entity, size_t index, bool sort, const ordna_value *values,
                 size_t count)
{
    assert(index < entity->key_count && count <= ORDNA_MAX_KEY_FIELDS);
    ordna_key key = {.entity = entity, .index = &entity->keys[index], .sort = sort, .count = count};
    for (size_t i = 0; i < count; i++) {
        key.values[i] = values[i];
    }
    return key;
}
