#include "base/attr.h"
#include "base/clock.h"
#include "ordna/patterns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 1000 };
static const ordna_time noon = 1764504000000;               // 2025-11-30T12:00:00.000Z
static const ordna_time last_time = (INT64_C(1) << 48) - 1; // that a UUID or a ULID holds

static const char *text_of(ordna_uuid uuid)
{
    static char text[ORDNA_UUID_TEXT_SIZE];
    ordna_uuid_to_text(uuid, text);
    return text;
}

static void ulids_of_times_that_they_cannot_hold_are_refused(void **state)
{
    (void)state;
    char text[ORDNA_ULID_TEXT_SIZE];
    assert_false(ordna_ulid_first(-1, text));
    assert_false(ordna_ulid_last(last_time + 1, text));
}

static void times_outside_those_of_a_uuid_become_its_nearest(void **state)
{
    (void)state;
    assert_int_equal(ordna_uuid7_time(ordna_uuid7_at(-1)), 0);
    assert_int_equal(ordna_uuid7_time(ordna_uuid7_first(INT64_MIN)), 0);
    assert_int_equal(ordna_uuid7_time(ordna_uuid7_last(INT64_MAX)), last_time);
}

static void the_bounds_of_a_millisecond_are_the_lowest_and_the_highest_uuid(void **state)
{
    (void)state;
    assert_string_equal(text_of(ordna_uuid7_first(0)), "00000000-0000-7000-8000-000000000000");
    assert_string_equal(text_of(ordna_uuid7_last(0)), "00000000-0000-7fff-bfff-ffffffffffff");
    assert_string_equal(text_of(ordna_uuid7_first(noon)), "019ad4a2-5600-7000-8000-000000000000");
    assert_string_equal(text_of(ordna_uuid7_last(noon)), "019ad4a2-5600-7fff-bfff-ffffffffffff");
}

static void every_uuid_of_a_millisecond_lies_between_its_bounds(void **state)
{
    (void)state;
    ordna_uuid first = ordna_uuid7_first(noon);
    ordna_uuid last = ordna_uuid7_last(noon);
    for (int i = 0; i < ROUNDS; i++) {
        ordna_uuid uuid = ordna_uuid7_at(noon);
        assert_true(memcmp(uuid.bytes, first.bytes, sizeof(uuid.bytes)) >= 0);
        assert_true(memcmp(uuid.bytes, last.bytes, sizeof(uuid.bytes)) <= 0);
        assert_int_equal(ordna_uuid7_time(uuid), noon);
    }
}

static void texts_of_uuids_sort_by_their_time(void **state)
{
    (void)state;
    char before[ORDNA_UUID_TEXT_SIZE] = "";
    for (int i = 0; i < ROUNDS; i++) {
        const char *text = text_of(ordna_uuid7_at(noon + (ordna_time)i * i));
        if (i != 0) {
            assert_true(strcmp(before, text) < 0);
        }
        memcpy(before, text, sizeof(before));
    }
}

static void two_uuids_of_one_millisecond_differ(void **state)
{
    (void)state;
    ordna_uuid before = ordna_uuid7_at(noon);
    for (int i = 0; i < ROUNDS; i++) {
        ordna_uuid uuid = ordna_uuid7_at(noon);
        assert_memory_not_equal(uuid.bytes, before.bytes, sizeof(uuid.bytes));
        before = uuid;
    }
}

static void a_uuid_of_version_7_has_the_time_of_the_clock(void **state)
{
    (void)state;
    od_clock_set_ms(noon);
    assert_int_equal(ordna_now(), noon);
    assert_int_equal(ordna_uuid7_time(ordna_uuid7()), noon);
    od_clock_set_ms(-1);
}

static void uuids_say_their_version_and_variant(void **state)
{
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        const char *random = text_of(ordna_uuid4());
        assert_int_equal(random[14], '4');
        assert_non_null(strchr("89ab", random[19]));
        const char *timed = text_of(ordna_uuid7());
        assert_int_equal(timed[14], '7');
        assert_non_null(strchr("89ab", timed[19]));
    }
}

static void the_bounds_of_a_ulid_are_its_time_and_sixteen_0_or_z(void **state)
{
    (void)state;
    static const struct {
        ordna_time time;
        const char *first;
        const char *last;
    } rows[] = {
        {0, "00000000000000000000000000", "0000000000ZZZZZZZZZZZZZZZZ"},
        {1, "00000000010000000000000000", "0000000001ZZZZZZZZZZZZZZZZ"},
        {31, "000000000Z0000000000000000", "000000000ZZZZZZZZZZZZZZZZZ"},
        {32, "00000000100000000000000000", "0000000010ZZZZZZZZZZZZZZZZ"},
        {last_time, "7ZZZZZZZZZ0000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        char text[ORDNA_ULID_TEXT_SIZE];
        assert_true(ordna_ulid_first(rows[i].time, text));
        assert_string_equal(text, rows[i].first);
        assert_true(ordna_ulid_last(rows[i].time, text));
        assert_string_equal(text, rows[i].last);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ulids_of_times_that_they_cannot_hold_are_refused),
        cmocka_unit_test(times_outside_those_of_a_uuid_become_its_nearest),
        cmocka_unit_test(the_bounds_of_a_millisecond_are_the_lowest_and_the_highest_uuid),
        cmocka_unit_test(every_uuid_of_a_millisecond_lies_between_its_bounds),
        cmocka_unit_test(texts_of_uuids_sort_by_their_time),
        cmocka_unit_test(two_uuids_of_one_millisecond_differ),
        cmocka_unit_test(a_uuid_of_version_7_has_the_time_of_the_clock),
        cmocka_unit_test(uuids_say_their_version_and_variant),
        cmocka_unit_test(the_bounds_of_a_ulid_are_its_time_and_sixteen_0_or_z),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
