#include "base/attr.h"
#include "ordna/patterns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void a_number_of_shards_that_cannot_be_gives_a_shard_that_no_key_takes(void **state)
{
    (void)state;
    assert_int_equal(ordna_shard_of(NULL, 4), -1);
    assert_int_equal(ordna_shard_of("a", 0), -1);
    assert_int_equal(ordna_shard_of("a", -4), -1);
    assert_int_equal(ordna_shard_of("a", 257), -1);
    assert_int_equal(ordna_shard_random(0), -1);
}

// The first bytes of the digests are those that sha256sum prints: the same in every process.
static void the_shard_of_an_id_is_the_first_byte_of_its_digest(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        int32_t byte;
    } rows[] = {{"session-1", 132}, {"session-2", 93}, {"", 227}, {"ann", 73}, {"acme", 130}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        assert_int_equal(ordna_shard_of(rows[i].id, 256), rows[i].byte);
        assert_int_equal(ordna_shard_of(rows[i].id, 4), rows[i].byte % 4);
        assert_int_equal(ordna_shard_of(rows[i].id, 1), 0);
    }
}

static void ids_spread_evenly_over_the_shards(void **state)
{
    (void)state;
    enum { SHARDS = 4, IDS = 4000 };
    int count[SHARDS] = {0};
    for (int i = 0; i < IDS; i++) {
        char id[32];
        snprintf(id, sizeof(id), "session-%d", i);
        count[ordna_shard_of(id, SHARDS)]++;
    }
    for (int i = 0; i < SHARDS; i++) {
        assert_in_range(count[i], 900, 1100);
    }
}

static void random_shards_reach_all_of_them(void **state)
{
    (void)state;
    enum { SHARDS = 10, ROUNDS = 10000 };
    int count[SHARDS] = {0};
    for (int i = 0; i < ROUNDS; i++) {
        int32_t shard = ordna_shard_random(SHARDS);
        assert_in_range(shard, 0, SHARDS - 1);
        count[shard]++;
    }
    for (int i = 0; i < SHARDS; i++) {
        assert_in_range(count[i], 800, 1200); // wrong once in 10^9 runs
    }
}

static void a_thousand_writes_a_second_need_one_shard(void **state)
{
    (void)state;
    static const struct {
        int64_t peak;
        int32_t shards;
    } rows[] = {
        {-1, 1},   {0, 1},      {1, 1},
        {1000, 1}, {1001, 2},   {4000, 4},
        {4001, 5}, {25000, 25}, {INT64_MAX, INT32_MAX},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        assert_int_equal(ordna_shards_needed(rows[i].peak), rows[i].shards);
    }
}

static void a_bucket_is_the_time_divided_by_its_size_downwards(void **state)
{
    (void)state;
    enum { SIX_HOURS = 6 * 3600 * 1000 };
    static const struct {
        ordna_time time;
        int64_t bucket;
    } rows[] = {
        {0, 0},
        {SIX_HOURS - 1, 0},
        {SIX_HOURS, 1},
        {-1, -1},
        {-SIX_HOURS, -1},
        {-SIX_HOURS - 1, -2},
        {1764504000000, 1764504000000 / SIX_HOURS},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        assert_int_equal(ordna_bucket_of(rows[i].time, SIX_HOURS), rows[i].bucket);
    }
}

static void a_range_touches_its_first_and_its_last_bucket(void **state)
{
    (void)state;
    static const struct {
        ordna_time from;
        ordna_time to;
        size_t count;
    } rows[] = {
        {1, 0, 0},  {0, 0, 1},  {0, 9, 1},  {0, 10, 2},
        {9, 10, 2}, {5, 35, 4}, {-1, 0, 2}, {-10, -1, 1},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        assert_int_equal(ordna_bucket_count(rows[i].from, rows[i].to, 10), rows[i].count);
    }
    assert_int_equal(ordna_bucket_count(INT64_MIN, INT64_MAX, 2), (size_t)1 << 63);
    assert_int_equal(ordna_bucket_count(INT64_MIN, INT64_MAX, 1), SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_of_shards_that_cannot_be_gives_a_shard_that_no_key_takes),
        cmocka_unit_test(the_shard_of_an_id_is_the_first_byte_of_its_digest),
        cmocka_unit_test(ids_spread_evenly_over_the_shards),
        cmocka_unit_test(random_shards_reach_all_of_them),
        cmocka_unit_test(a_thousand_writes_a_second_need_one_shard),
        cmocka_unit_test(a_bucket_is_the_time_divided_by_its_size_downwards),
        cmocka_unit_test(a_range_touches_its_first_and_its_last_bucket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
