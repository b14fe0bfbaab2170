// What typed entities cost, against a store in memory inside this program:
//
//   mapping ITEMS CALLS      ITEMS are merged out of 16 shards; CALLS of each kind are measured
//
// prints a line `name=value` for each of:
//   encode_decode_us           CPU time to make an item's JSON of a struct of ten fields, and back
//   typed_get_us, json_get_us  CPU time of a get as a struct, and of the same as JSON
//   typed_get_ratio            of the two, measured in turns; typed_get_parsed_ratio: when the JSON
//                              is parsed, too, as it must be to be of use
//   fan_out_items_per_second   items of four fields that a stream over 16 partitions merges, by the
//                              wall clock; fan_out_cpu_us: CPU time for one, the database's too
#include "process.h"

#include "base/attr.h"
#include "base/clock.h"
#include "base/str.h"
#include "mapper/mapper_internal.h"

#include <ordna/in_process.h>
#include <ordna/mapper.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS = 16, TURNS = 20 };

// --- The entity ---------------------------------------------------------------------------------

// ORDERS#{Shop}#{Shard:d2} | {At}#{Id}
typedef struct order {
    const char *shop;
    int32_t shard;
    ordna_time at;
    ordna_uuid id;
    const char *customer;
    const char *status;
    const char *total; // a decimal
    int64_t pieces;
    double weight;
    bool paid;
} order;

#define FIELD(member, text, its_type)                                         \
    {                                                                         \
        .name = (text), .type = (its_type), .offset = offsetof(order, member) \
    }

static const ordna_field fields[] = {
    FIELD(shop, "Shop", ORDNA_STRING),
    FIELD(shard, "Shard", ORDNA_INT32),
    FIELD(at, "At", ORDNA_TIME),
    FIELD(id, "Id", ORDNA_UUID),
    FIELD(customer, "Customer", ORDNA_STRING),
    FIELD(status, "Status", ORDNA_STRING),
    FIELD(total, "Total", ORDNA_DECIMAL),
    FIELD(pieces, "Pieces", ORDNA_INT64),
    FIELD(weight, "Weight", ORDNA_DOUBLE),
    FIELD(paid, "Paid", ORDNA_BOOL),
};
static const ordna_segment partition_segments[] = {{"ORDERS#", 0, 0, 0}, {"#", 1, 'd', 2}};
static const ordna_segment sort_segments[] = {{"", 2, 0, 0}, {"#", 3, 0, 0}};
static const ordna_template templates[] = {
    {"pk", ORDNA_STRING, partition_segments, OD_COUNT(partition_segments)},
    {"sk", ORDNA_STRING, sort_segments, OD_COUNT(sort_segments)}};
static const ordna_index indexes[] = {{NULL, &templates[0], &templates[1]}};
static const ordna_table_key table_keys[] = {
    {.partition = "pk", .partition_type = ORDNA_STRING, .sort = "sk", .sort_type = ORDNA_STRING}};
static const ordna_table table;
static const ordna_entity entity = {.table = &table,
                                    .name = "Order",
                                    .discriminator = "ORDER",
                                    .size = sizeof(order),
                                    .fields = fields,
                                    .field_count = OD_COUNT(fields),
                                    .keys = indexes,
                                    .key_count = OD_COUNT(indexes)};
// VOTES#{Poll}#{Shard:d2} | {At}#{Id}
typedef struct vote {
    const char *poll;
    int32_t shard;
    ordna_time at;
    ordna_uuid id;
} vote;

static const ordna_field vote_fields[] = {
    {.name = "Poll", .type = ORDNA_STRING, .offset = offsetof(vote, poll)},
    {.name = "Shard", .type = ORDNA_INT32, .offset = offsetof(vote, shard)},
    {.name = "At", .type = ORDNA_TIME, .offset = offsetof(vote, at)},
    {.name = "Id", .type = ORDNA_UUID, .offset = offsetof(vote, id)},
};
static const ordna_segment vote_segments[] = {{"VOTES#", 0, 0, 0}, {"#", 1, 'd', 2}};
static const ordna_template vote_templates[] = {
    {"pk", ORDNA_STRING, vote_segments, OD_COUNT(vote_segments)},
    {"sk", ORDNA_STRING, sort_segments, OD_COUNT(sort_segments)}};
static const ordna_index vote_indexes[] = {{NULL, &vote_templates[0], &vote_templates[1]}};
static const ordna_entity vote_entity = {.table = &table,
                                         .name = "Vote",
                                         .discriminator = "VOTE",
                                         .size = sizeof(vote),
                                         .fields = vote_fields,
                                         .field_count = OD_COUNT(vote_fields),
                                         .keys = vote_indexes,
                                         .key_count = OD_COUNT(vote_indexes)};

static const ordna_entity *const entities[] = {&entity, &vote_entity};
static const ordna_table table = {.name = "orders",
                                  .discriminator = "Type",
                                  .keys = table_keys,
                                  .key_count = OD_COUNT(table_keys),
                                  .entities = entities,
                                  .entity_count = OD_COUNT(entities)};

static order make_order(uint64_t i)
{
    order made = {
        .shop = "best-pets",
        .shard = (int32_t)(i * 7 % SHARDS),
        .at = INT64_C(1796083200000) + (int64_t)i,
        .customer = "Ann Example",
        .status = "PAID",
        .total = "1234.50",
        .pieces = 12,
        .weight = 0.75,
        .paid = true,
    };
    memcpy(made.id.bytes, &i, sizeof(i));
    return made;
}

static vote make_vote(uint64_t i)
{
    const order made = make_order(i);
    return (vote){.poll = "best-pet", .shard = made.shard, .at = made.at, .id = made.id};
}

// --- Helpers ------------------------------------------------------------------------------------

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "mapping: %s\n", what);
    exit(1);
}

static void check(ordna_session *session, ordna_status status)
{
    if (status != ORDNA_OK) {
        die(ordna_session_error(session)->message);
    }
}

static double microseconds(uint64_t ns, uint64_t calls)
{
    return (double)ns / 1e3 / (double)calls;
}

// --- Measures -----------------------------------------------------------------------------------

static void decode(ordna_session *session, od_str json, order *out)
{
    od_arena *arena = od_session_arena(session);
    struct od_decoder decoder = {.session = session, .arena = arena, .table = &table};
    struct od_attributes item;
    if (!od_attributes_parse(arena, json, &item)) {
        die("an item is no JSON");
    }
    check(session, od_entity_read_as(&decoder, &entity, &item, out));
}

static double encode_and_decode(ordna_session *session, uint64_t calls)
{
    const uint64_t before_ns = process_cpu_ns(0);
    int64_t sum = 0;
    for (uint64_t i = 0; i < calls; i++) {
        const order in = make_order(i);
        order out;
        struct od_buf json = {.arena = od_session_arena(session)};
        check(session, od_entity_write(session, &json, &entity, &in, 0));
        decode(session, od_buf_str(&json), &out);
        sum += out.at - in.at;
        ordna_session_reset(session);
    }
    if (sum != 0) {
        die("an item came back as another");
    }
    return microseconds(process_cpu_ns(0) - before_ns, calls);
}

static uint64_t get_typed(ordna_session *session, uint64_t items, uint64_t calls)
{
    const uint64_t before_ns = process_cpu_ns(0);
    for (uint64_t i = 0; i < calls; i++) {
        const order key = make_order(i * 7919 % items);
        order out;
        check(session, ordna_get(session, &entity, &key, NULL, &out));
        ordna_session_reset(session);
    }
    return process_cpu_ns(0) - before_ns;
}

static uint64_t get_json(ordna_session *session, uint64_t items, uint64_t calls, bool parsed)
{
    const uint64_t before_ns = process_cpu_ns(0);
    for (uint64_t i = 0; i < calls; i++) {
        const order key = make_order(i * 7919 % items);
        char at[ORDNA_TIME_TEXT_SIZE];
        char id[ORDNA_UUID_TEXT_SIZE];
        char body[256];
        ordna_answer answer;
        ordna_time_to_text(key.at, at);
        ordna_uuid_to_text(key.id, id);
        const int len = snprintf(body, sizeof(body),
                                 "{\"TableName\":\"orders\",\"Key\":{\"pk\":{\"S\":\"ORDERS#%s#"
                                 "%02d\"},\"sk\":{\"S\":\"%s#%s\"}}}",
                                 key.shop, key.shard, at, id);
        check(session, ordna_session_call(session, "GetItem", body, (size_t)len, &answer));
        if (parsed) {
            yyjson_doc_free(yyjson_read(answer.body, answer.body_len, 0));
        }
        ordna_session_reset(session);
    }
    return process_cpu_ns(0) - before_ns;
}

static double fan_out(ordna_session *session, uint64_t items)
{
    ordna_key shards[SHARDS];
    for (int i = 0; i < SHARDS; i++) {
        shards[i] = (ordna_key){.entity = &vote_entity, .index = &vote_indexes[0], .count = 2};
        shards[i].values[0] = ordna_of_string("best-pet");
        shards[i].values[1] = ordna_of_int(i);
    }
    const ordna_query query = {.partitions = shards, .partition_count = SHARDS};
    const int64_t before_ns = od_clock_monotonic_ns();
    ordna_stream *stream = NULL;
    check(session, ordna_stream_open(session, &vote_entity, &query, &stream));
    vote item = {0};
    ordna_time last = 0;
    uint64_t count = 0;
    ordna_status status = ORDNA_OK;
    while ((status = ordna_stream_next(stream, &vote_entity, &item)) == ORDNA_OK) {
        if (item.at <= last) {
            die("items came out of order");
        }
        last = item.at;
        count++;
    }
    ordna_stream_close(stream);
    if (status != ORDNA_END || count != items) {
        die("the stream lacks items");
    }
    return (double)items * 1e9 / (double)(od_clock_monotonic_ns() - before_ns);
}

enum { FAN_OUTS = 5 };

static double best_fan_out(ordna_session *session, uint64_t items)
{
    double best = 0;
    for (int i = 0; i < FAN_OUTS; i++) {
        const double speed = fan_out(session, items);
        best = speed > best ? speed : best;
        ordna_session_reset(session);
    }
    return best;
}

// --- The program --------------------------------------------------------------------------------

static void put_orders(ordna_session *session, uint64_t items)
{
    check(session, ordna_create_table(session, &table));
    ordna_batch *batch = ordna_batch_open(session);
    for (uint64_t i = 0; i < items; i++) {
        const order made = make_order(i);
        const vote cast = make_vote(i);
        check(session, ordna_batch_put(batch, &entity, &made));
        check(session, ordna_batch_put(batch, &vote_entity, &cast));
        if (i % 1000 == 999) {
            check(session, ordna_batch_send(batch));
        }
    }
    check(session, ordna_batch_send(batch));
    ordna_batch_close(batch);
}

static void measure_all(ordna_session *session, uint64_t items, uint64_t calls)
{
    put_orders(session, items);
    const double encoded = encode_and_decode(session, calls);
    uint64_t typed_ns = 0;
    uint64_t json_ns = 0;
    uint64_t parsed_ns = 0;
    for (int i = 0; i < TURNS; i++) {
        typed_ns += get_typed(session, items, calls / TURNS);
        json_ns += get_json(session, items, calls / TURNS, false);
        parsed_ns += get_json(session, items, calls / TURNS, true);
    }
    const uint64_t gets = calls / TURNS * TURNS;
    const uint64_t before_ns = process_cpu_ns(0);
    const double speed = best_fan_out(session, items);
    const double cpu_us = microseconds(process_cpu_ns(0) - before_ns, items * FAN_OUTS);
    printf("encode_decode_us=%.3f\n"
           "typed_get_us=%.3f\n"
           "json_get_us=%.3f\n"
           "typed_get_ratio=%.3f\n"
           "typed_get_parsed_ratio=%.3f\n"
           "fan_out_items_per_second=%.0f\n"
           "fan_out_cpu_us=%.3f\n",
           encoded, microseconds(typed_ns, gets), microseconds(json_ns, gets),
           (double)typed_ns / (double)json_ns, (double)typed_ns / (double)parsed_ns, speed, cpu_us);
}

int main(int argc, char **argv)
{
    uint64_t items = 0;
    uint64_t calls = 0;
    if (argc != 3 || !od_str_to_u64(od_cstr(argv[1]), &items) || items == 0 ||
        !od_str_to_u64(od_cstr(argv[2]), &calls) || calls < TURNS) {
        die("usage: mapping ITEMS CALLS");
    }
    char error[512];
    ordna *db = NULL;
    const ordna_options in_memory = {.store = "memory"};
    if (ordna_open(&in_memory, &db, error, sizeof(error)) != 0) {
        die(error);
    }
    const ordna_transport transport = ordna_in_process(db);
    const ordna_client_options options = {.transport = &transport};
    ordna_client *client = NULL;
    if (ordna_client_open(&options, &client, error, sizeof(error)) != ORDNA_OK) {
        die(error);
    }
    ordna_session *session = ordna_session_open(client);
    measure_all(session, items, calls);
    ordna_session_close(session);
    ordna_client_close(client);
    ordna_close(db);
    return 0;
}
