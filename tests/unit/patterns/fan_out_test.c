// Shards and buckets in a table: what a read of them costs, and that it finds what was written.
#include "support.h"

#include "base/attr.h"

// VOTES#{Poll}#{Shard:d2} | {At}#{Id}
struct vote {
    const char *poll;
    int32_t shard;
    ordna_time at;
    ordna_uuid id;
};

static const ordna_field fields[] = {
    {.name = "Poll", .type = ORDNA_STRING, .offset = offsetof(struct vote, poll)},
    {.name = "Shard", .type = ORDNA_INT32, .offset = offsetof(struct vote, shard)},
    {.name = "At", .type = ORDNA_TIME, .offset = offsetof(struct vote, at)},
    {.name = "Id", .type = ORDNA_UUID, .offset = offsetof(struct vote, id)},
};
static const ordna_segment segments[] = {
    {.text = "VOTES#", .field = 0},
    {.text = "#", .field = 1, .format = 'd', .width = 4},
    {.text = "", .field = 2},
    {.text = "#", .field = 3},
};
static const ordna_template templates[] = {
    {.attribute = "PK", .type = ORDNA_STRING, .segments = segments, .count = 2},
    {.attribute = "SK", .type = ORDNA_STRING, .segments = segments + 2, .count = 2},
};
static const ordna_index key = {.partition = &templates[0], .sort = &templates[1]};
static const ordna_table_key table_key = {
    .partition = "PK", .partition_type = ORDNA_STRING, .sort = "SK", .sort_type = ORDNA_STRING};
static const ordna_table ballots;
static const ordna_entity votes = {
    .table = &ballots,
    .name = "Vote",
    .discriminator = "VOTE",
    .size = sizeof(struct vote),
    .fields = fields,
    .field_count = OD_COUNT(fields),
    .keys = &key,
    .key_count = 1,
};
static const ordna_entity *const entities[] = {&votes};
static const ordna_table ballots = {.name = "objects",
                                    .discriminator = "Kind",
                                    .keys = &table_key,
                                    .key_count = 1,
                                    .entities = entities,
                                    .entity_count = 1};
static const ordna_time noon = 1764504000000; // 2025-11-30T12:00:00.000Z

static ordna_key shard_key(int32_t shard)
{
    return (ordna_key){.entity = &votes,
                       .index = &key,
                       .count = 2,
                       .values = {ordna_of_string("pets"), ordna_of_int(shard)}};
}

static void vote(struct place *place, int32_t shard, ordna_time at)
{
    struct vote one = {.poll = "pets", .shard = shard, .at = at, .id = ordna_uuid7_at(at)};
    assert_int_equal(ordna_put(place->session, &votes, &one, NULL), ORDNA_OK);
}

static enum fate count_queries(struct place *place, const char *operation, const char *body)
{
    (void)body;
    if (strcmp(operation, "Query") == 0) {
        place->seen++;
    }
    return CARRIED_OUT;
}

static enum fate count_all(struct place *place, const char *operation, const char *body)
{
    (void)operation;
    (void)body;
    place->seen++;
    return CARRIED_OUT;
}

// The votes of the first `shards` shards, checked to be in order.
static int read_shards(struct place *place, int32_t shards, bool descending)
{
    enum { MAX_SHARDS = 300 };
    static ordna_key partitions[MAX_SHARDS];
    for (int32_t i = 0; i < shards; i++) {
        partitions[i] = shard_key(i);
    }
    const ordna_query query = {
        .partitions = partitions, .partition_count = (size_t)shards, .descending = descending};
    ordna_stream *stream = NULL;
    assert_int_equal(ordna_stream_open(place->session, &votes, &query, &stream), ORDNA_OK);
    struct vote one;
    ordna_time last = descending ? INT64_MAX : 0;
    int count = 0;
    while (ordna_stream_next(stream, &votes, &one) == ORDNA_OK) {
        assert_true(descending ? one.at <= last : one.at >= last);
        last = one.at;
        count++;
    }
    ordna_stream_close(stream);
    return count;
}

static void a_read_of_all_shards_sends_a_query_to_each(void **state)
{
    struct place *place = *state;
    static const int32_t rows[] = {1, 4, 16, 256};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        place->seen = 0;
        place->fate = count_queries;
        assert_int_equal(read_shards(place, rows[i], false), 0);
        if (place->seen != rows[i]) {
            fail_msg("%d shards: %d queries", rows[i], place->seen);
        }
    }
}

static void an_item_in_the_shard_of_its_hash_is_found_by_one_request(void **state)
{
    struct place *place = *state;
    const struct vote mine = {
        .poll = "pets", .shard = ordna_shard_of("ann", 64), .at = noon, .id = ordna_uuid7_first(1)};
    struct vote put = mine;
    assert_int_equal(ordna_put(place->session, &votes, &put, NULL), ORDNA_OK);
    place->seen = 0;
    place->fate = count_all;
    struct vote found;
    assert_int_equal(ordna_get(place->session, &votes, &mine, NULL, &found), ORDNA_OK);
    assert_int_equal(place->seen, 1);
}

static void votes_of_one_moment_in_several_shards_all_come(void **state)
{
    struct place *place = *state;
    enum { SHARDS = 8, EACH = 5 };
    for (int32_t i = 0; i < SHARDS * EACH; i++) {
        vote(place, i % SHARDS, noon);
    }
    assert_int_equal(read_shards(place, SHARDS, false), SHARDS * EACH);
    assert_int_equal(read_shards(place, SHARDS, true), SHARDS * EACH);
}

static void votes_that_went_to_random_shards_come_in_order_of_time(void **state)
{
    struct place *place = *state;
    enum { SHARDS = 16, VOTES = 500 };
    for (int32_t i = 0; i < VOTES; i++) {
        vote(place, ordna_shard_random(SHARDS), noon + (i * 7919) % VOTES);
    }
    assert_int_equal(read_shards(place, SHARDS, false), VOTES);
    assert_int_equal(read_shards(place, SHARDS, true), VOTES);
    // Who knows of fewer shards misses what is in the others.
    assert_true(read_shards(place, SHARDS / 2, false) < VOTES);
}

static void a_shard_that_no_number_gives_is_no_key(void **state)
{
    struct place *place = *state;
    struct vote one = {.poll = "pets", .shard = ordna_shard_of("ann", 0), .at = noon};
    assert_int_equal(ordna_put(place->session, &votes, &one, NULL), ORDNA_KEY_FORMAT);
    assert_string_equal(ordna_session_error(place->session)->field, "Shard");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_read_of_all_shards_sends_a_query_to_each),
        TEST(an_item_in_the_shard_of_its_hash_is_found_by_one_request),
        TEST(votes_of_one_moment_in_several_shards_all_come),
        TEST(votes_that_went_to_random_shards_come_in_order_of_time),
        TEST(a_shard_that_no_number_gives_is_no_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
