// What stopped writers leave is removed by its age, and nothing else is.
#include "support.h"

#include "base/attr.h"
#include "base/clock.h"

#define HOUR_MS INT64_C(3600000)
static const ordna_time now = 1764504000000; // 2025-11-30T12:00:00.000Z

static int setup_at_noon(void **state)
{
    od_clock_set_ms(now);
    return place_setup(state);
}

static int teardown_clock(void **state)
{
    od_clock_set_ms(-1);
    return place_teardown(state);
}

static size_t clean(struct place *place, const char *id, int64_t older_than_ms)
{
    size_t removed = 99;
    if (ordna_object_clean(place->session, &objects, id, older_than_ms, &removed) != ORDNA_OK) {
        fail_msg("%s: %s", id, ordna_session_error(place->session)->message);
    }
    return removed;
}

static void an_object_that_is_not_there_has_nothing_to_clean(void **state)
{
    struct place *place = *state;
    assert_int_equal(clean(place, "a", 0), 0);
}

static void what_a_writer_may_still_be_at_stays(void **state)
{
    struct place *place = *state;
    static const struct {
        ordna_time age;
        int64_t older_than_ms;
        size_t removed;
    } rows[] = {
        {0, 0, 0}, {1, 0, 4}, {HOUR_MS, HOUR_MS, 0}, {HOUR_MS + 1, HOUR_MS, 4}, {-HOUR_MS, 0, 0},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        (void)leave_chunks(place, "a", 4, now - rows[i].age);
        const size_t removed = clean(place, "a", rows[i].older_than_ms);
        if (removed != rows[i].removed || count_chunks(place, "a") != 4 - removed) {
            fail_msg("row %zu: %zu removed", i, removed);
        }
        (void)clean(place, "a", -2 * HOUR_MS);
    }
}

static void the_version_of_the_manifest_stays_however_old(void **state)
{
    struct place *place = *state;
    put(place->session, "a", 3 * CHUNK, 1);
    od_clock_set_ms(now + 100 * HOUR_MS);
    (void)leave_chunks(place, "a", 5, now + HOUR_MS);
    (void)leave_chunks(place, "a", 2, now - HOUR_MS);
    (void)leave_chunks(place, "b", 2, now - HOUR_MS);
    assert_int_equal(clean(place, "a", HOUR_MS), 7);
    expect(place->session, "a", 3 * CHUNK, 1);
    assert_int_equal(count_chunks(place, "a"), 3);
    assert_int_equal(count_manifests(place, "a"), 1);
    assert_int_equal(count_chunks(place, "b"), 2);
}

static void more_chunks_than_a_batch_or_a_page_takes_are_removed(void **state)
{
    struct place *place = *state;
    (void)leave_chunks(place, "a", 130, now - HOUR_MS);
    assert_int_equal(clean(place, "a", 0), 130);
    assert_int_equal(count_chunks(place, "a"), 0);
}

static void a_writer_that_comes_back_after_it_was_cleaned_writes_anew(void **state)
{
    struct place *place = *state;
    (void)leave_chunks(place, "a", 3, now - HOUR_MS);
    assert_int_equal(clean(place, "a", 0), 3);
    put(place->session, "a", CHUNK + 1, 1);
    expect(place->session, "a", CHUNK + 1, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_at_noon, teardown_clock)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_object_that_is_not_there_has_nothing_to_clean),
        TEST(what_a_writer_may_still_be_at_stays),
        TEST(the_version_of_the_manifest_stays_however_old),
        TEST(more_chunks_than_a_batch_or_a_page_takes_are_removed),
        TEST(a_writer_that_comes_back_after_it_was_cleaned_writes_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
