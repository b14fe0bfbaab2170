// A sharded counter whose answers are lost: an add is never made twice, and in a transaction it can
// be asked for again until it is known to be made.
#include "support.h"

#include "base/attr.h"

enum { SHARDS = 4 };

// COUNTER#{Shard:d2} | COUNTER
struct counter {
    int32_t shard;
    int64_t count;
};

static const ordna_field fields[] = {
    {.name = "Shard", .type = ORDNA_INT32, .offset = offsetof(struct counter, shard)},
    {.name = "Count", .type = ORDNA_INT64, .offset = offsetof(struct counter, count)},
};
static const ordna_segment segments[] = {
    {.text = "COUNTER#", .field = 0, .format = 'd', .width = 2},
    {.text = "COUNTER", .field = -1},
};
static const ordna_template templates[] = {
    {.attribute = "PK", .type = ORDNA_STRING, .segments = segments, .count = 1},
    {.attribute = "SK", .type = ORDNA_STRING, .segments = segments + 1, .count = 1},
};
static const ordna_index key = {.partition = &templates[0], .sort = &templates[1]};
static const ordna_table_key table_key = {
    .partition = "PK", .partition_type = ORDNA_STRING, .sort = "SK", .sort_type = ORDNA_STRING};
static const ordna_table counters;
static const ordna_entity counter = {
    .table = &counters,
    .name = "Counter",
    .discriminator = "COUNTER",
    .size = sizeof(struct counter),
    .fields = fields,
    .field_count = OD_COUNT(fields),
    .keys = &key,
    .key_count = 1,
};
static const ordna_entity *const entities[] = {&counter};
static const ordna_table counters = {.name = "objects",
                                     .discriminator = "Kind",
                                     .keys = &table_key,
                                     .key_count = 1,
                                     .entities = entities,
                                     .entity_count = 1};

static const ordna_argument one = {":one", {.type = ORDNA_INT64, .as = {.number = 1}}};
static const ordna_expression add_one = {.text = "ADD {Count} :one", .args = &one, .count = 1};

static enum fate lose_first(struct place *place, const char *operation, const char *body)
{
    (void)operation;
    (void)body;
    return place->seen++ == 0 ? ANSWER_LOST : CARRIED_OUT;
}

static enum fate fail_first(struct place *place, const char *operation, const char *body)
{
    (void)operation;
    (void)body;
    return place->seen++ == 0 ? FAILED_IN_SERVER : CARRIED_OUT;
}

static ordna_status add(struct place *place, fate_fn *fate)
{
    const struct counter shard = {.shard = ordna_shard_random(SHARDS)};
    place->seen = 0;
    place->fate = fate;
    const ordna_status status =
        ordna_update(place->session, &counter, &shard, &add_one, NULL, NULL);
    place->fate = NULL;
    return status;
}

static int64_t sum(struct place *place)
{
    struct counter shards[SHARDS] = {{0}};
    bool found[SHARDS];
    int64_t total = 0;
    for (int32_t i = 0; i < SHARDS; i++) {
        shards[i].shard = i;
    }
    assert_int_equal(ordna_get_many(place->other, &counter, shards, SHARDS, NULL, shards, found),
                     ORDNA_OK);
    for (int32_t i = 0; i < SHARDS; i++) {
        total += found[i] ? shards[i].count : 0;
    }
    return total;
}

static void an_add_whose_answer_is_lost_is_unknown_and_made_once(void **state)
{
    struct place *place = *state;
    static fate_fn *const rows[] = {lose_first, fail_first};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const int64_t before = sum(place);
        const ordna_status status = add(place, rows[i]);
        assert_true(status == ORDNA_NETWORK || status == ORDNA_SERVER_FAILED);
        assert_true(ordna_session_error(place->session)->outcome_unknown);
        assert_int_equal(place->seen, 1);
        assert_in_range(sum(place), before, before + 1);
    }
}

static void an_add_in_a_transaction_is_made_once_however_often_its_answer_is_lost(void **state)
{
    struct place *place = *state;
    const struct counter shard = {.shard = 1};
    ordna_transaction *transaction = ordna_transaction_open(place->session);
    assert_int_equal(ordna_transaction_update(transaction, &counter, &shard, &add_one, NULL),
                     ORDNA_OK);
    place->seen = 0;
    place->fate = lose_first;
    assert_int_equal(ordna_transaction_commit(transaction), ORDNA_OK);
    assert_int_equal(place->seen, 2);
    ordna_transaction_close(transaction);
    assert_int_equal(sum(place), 1);
}

static void adds_of_all_shards_are_summed(void **state)
{
    struct place *place = *state;
    assert_int_equal(sum(place), 0);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(add(place, NULL), ORDNA_OK);
    }
    assert_int_equal(sum(place), 50);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_add_whose_answer_is_lost_is_unknown_and_made_once),
        TEST(an_add_in_a_transaction_is_made_once_however_often_its_answer_is_lost),
        TEST(adds_of_all_shards_are_summed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
