// Text of times, UUIDs and numbers.
#include "mapper/value_text.h"

#include "base/attr.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void text_that_is_no_time_is_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",
        "2026",
        "2026-11-30",
        "2026-11-30T23:59:59",
        "2026-11-30T23:59:59.Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T23:60:00Z",
        "2026-11-30T23:59:60Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "2026-11-30T23:59:59+24:00",
        "2026-11-30T23:59:59+01",
        "2026-11-30T23:59:59Z ",
        "2026-11-30T23:59:59.999Zz",
        "-026-11-30T23:59:59Z",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        ordna_time time = 7;
        if (ordna_time_from_text(rows[i], &time) || time != 7) {
            fail_msg("row %zu: %s", i, rows[i]);
        }
    }
}

// Every character of a good text, replaced by every byte: a time only when it still reads as one.
static void a_wrong_byte_is_seen_wherever_it_stands(void **state)
{
    (void)state;
    static const char good_time[] = "2026-11-30T23:59:59.999Z";
    static const char good_uuid[] = "01a196fb-1600-7c3e-89ab-cdef01234567";
    for (int byte = 1; byte < 256; byte++) {
        const bool digit = byte >= '0' && byte <= '9';
        for (size_t i = 0; i < sizeof(good_time) - 1; i++) {
            char text[sizeof(good_time)];
            ordna_time time = 0;
            memcpy(text, good_time, sizeof(text));
            text[i] = (char)byte;
            const bool was_digit = good_time[i] >= '0' && good_time[i] <= '9';
            const bool read = ordna_time_from_text(text, &time);
            // T and Z may be small, T a space.
            const bool same = byte == good_time[i] || (byte | 0x20) == (good_time[i] | 0x20);
            if (read && !(was_digit ? digit : same || (i == 10 && byte == ' '))) {
                fail_msg("%s", text);
            }
        }
        for (size_t i = 0; i < sizeof(good_uuid) - 1; i++) {
            char text[sizeof(good_uuid)];
            ordna_uuid uuid;
            memcpy(text, good_uuid, sizeof(text));
            text[i] = (char)byte;
            const bool hex = digit || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f');
            assert_int_equal(ordna_uuid_from_text(text, &uuid),
                             good_uuid[i] == '-' ? byte == '-' : hex);
        }
    }
}

static void times_outside_four_digit_years_have_no_text(void **state)
{
    (void)state;
    static const int64_t rows[] = {INT64_MIN, INT64_C(-62135596800001), INT64_C(253402300800000),
                                   INT64_MAX};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        char text[ORDNA_TIME_TEXT_SIZE] = "x";
        assert_false(ordna_time_to_text(rows[i], text));
        assert_string_equal(text, "");
    }
}

static void times_and_their_texts(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
        {INT64_C(1796083199999), "2026-11-30T23:59:59.999Z"},
        {INT64_C(951782400000), "2000-02-29T00:00:00.000Z"},
        {INT64_C(-2203891200000), "1900-03-01T00:00:00.000Z"},
        {INT64_C(-62135596800000), "0001-01-01T00:00:00.000Z"},
        {INT64_C(253402300799999), "9999-12-31T23:59:59.999Z"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        char text[ORDNA_TIME_TEXT_SIZE];
        ordna_time time = 0;
        assert_true(ordna_time_to_text(rows[i].ms, text));
        assert_string_equal(text, rows[i].text);
        assert_true(ordna_time_from_text(text, &time));
        assert_int_equal(time, rows[i].ms);
    }
}

static void every_day_of_a_cycle_comes_back(void **state)
{
    (void)state;
    const int64_t day = INT64_C(86400000);
    char before[ORDNA_TIME_TEXT_SIZE] = "";
    for (int64_t i = -146097; i < 146097; i++) {
        char text[ORDNA_TIME_TEXT_SIZE];
        ordna_time time = 0;
        assert_true(ordna_time_to_text(i * day, text));
        assert_true(ordna_time_from_text(text, &time));
        assert_int_equal(time, i * day);
        assert_true(strcmp(before, text) < 0);
        memcpy(before, text, sizeof(text));
    }
}

static void texts_of_one_instant_are_one_time(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "2026-11-30T23:59:59.123Z",      "2026-11-30t23:59:59.123z",
        "2026-12-01T00:59:59.123+01:00", "2026-11-30T19:29:59.123-04:30",
        "2026-11-30 23:59:59.1239999Z",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        ordna_time time = 0;
        assert_true(ordna_time_from_text(rows[i], &time));
        if (time != INT64_C(1796083199123)) {
            fail_msg("row %zu: %lld", i, (long long)time);
        }
    }
}

static void text_that_is_no_uuid_is_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {"",
                                       "01a196fb-1600-7c3e-8000-00000000000",
                                       "01a196fb-1600-7c3e-8000-0000000000000",
                                       "01a196fb01600-7c3e-8000-000000000000",
                                       "01a196fg-1600-7c3e-8000-000000000000",
                                       "{1a196fb-1600-7c3e-8000-000000000000"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        ordna_uuid uuid;
        if (ordna_uuid_from_text(rows[i], &uuid)) {
            fail_msg("row %zu", i);
        }
    }
}

static void uuids_are_written_in_lower_case(void **state)
{
    (void)state;
    ordna_uuid uuid;
    char text[ORDNA_UUID_TEXT_SIZE];
    assert_true(ordna_uuid_from_text("01A196FB-1600-7C3E-89ab-cdefABCDEF01", &uuid));
    ordna_uuid_to_text(uuid, text);
    assert_string_equal(text, "01a196fb-1600-7c3e-89ab-cdefabcdef01");
}

static void numbers_that_are_no_int64_are_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {"",
                                       "-",
                                       "+",
                                       ".",
                                       "1.5",
                                       "0.05",
                                       "1e",
                                       "e1",
                                       "1e-1",
                                       "1e19",
                                       "1e999999999999999",
                                       "9223372036854775808",
                                       "-9223372036854775809",
                                       "1 ",
                                       " 1",
                                       "0x1",
                                       "1.0.0",
                                       "NaN",
                                       "99999999999999999999999999999999999999999"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        int64_t n = 0;
        if (od_int_read(od_cstr(rows[i]), &n)) {
            fail_msg("row %zu: %s is %lld", i, rows[i], (long long)n);
        }
    }
}

static void int64s_in_all_their_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t n;
    } rows[] = {
        {"0", 0},
        {"-0", 0},
        {"0e5", 0},
        {"0.000", 0},
        {"7", 7},
        {"+7", 7},
        {"007", 7},
        {"7.00", 7},
        {"0.7E1", 7},
        {"700e-2", 7},
        {"1.5e1", 15},
        {"1e18", INT64_C(1000000000000000000)},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"9.223372036854775807E18", INT64_MAX},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        int64_t n = -1;
        if (!od_int_read(od_cstr(rows[i].text), &n) || n != rows[i].n) {
            fail_msg("row %zu: %s is %lld", i, rows[i].text, (long long)n);
        }
    }
}

static void decimals_compare_by_value(void **state)
{
    (void)state;
    // Each is less than the next; texts in one row are equal.
    static const char *const rows[][4] = {
        {"-1e125", "-10e124"},
        {"-100", "-1e2", "-100.0"},
        {"-99.9", "-099.90"},
        {"-1"},
        {"-0.5", "-5e-1"},
        {"-1e-130"},
        {"0", "-0", "0.0", "0e9"},
        {"1e-130"},
        {"0.05"},
        {"0.5", ".5", "0.50"},
        {"1", "1.", "1.0"},
        {"1.05"},
        {"1.5", "1.50", "15e-1"},
        {"2"},
        {"10", "1e1"},
        {"10.0000000000000000000000000000000000001"},
        {"99999999999999999999999999999999999999"},
        {"1e125"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        for (size_t j = 0; j < 4 && rows[i][j] != NULL; j++) {
            assert_true(od_decimal_is_valid(od_cstr(rows[i][j])));
            assert_int_equal(od_decimal_compare(od_cstr(rows[i][0]), od_cstr(rows[i][j])), 0);
            for (size_t k = 0; k < i; k++) {
                const int less = od_decimal_compare(od_cstr(rows[k][0]), od_cstr(rows[i][j]));
                const int more = od_decimal_compare(od_cstr(rows[i][j]), od_cstr(rows[k][0]));
                if (less >= 0 || more <= 0) {
                    fail_msg("%s and %s", rows[k][0], rows[i][j]);
                }
            }
        }
    }
}

static void doubles_come_back(void **state)
{
    (void)state;
    static const double rows[] = {0, 1, -1, 0.1, 1.0 / 3, 1e125, -1e-130, 123456789.125, 1e21};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        char text[OD_DOUBLE_MAX_LEN + 1];
        double real = -7;
        const size_t len = od_double_write(rows[i], text);
        assert_true(len > 0);
        text[len] = '\0';
        assert_true(od_double_read((od_str){text, len}, &real));
        assert_memory_equal(&real, &rows[i], sizeof(real));
    }
    char text[OD_DOUBLE_MAX_LEN];
    double real = 0;
    assert_int_equal(od_double_write(INFINITY, text), 0);
    assert_int_equal(od_double_write(NAN, text), 0);
    assert_false(od_double_read(OD_STR(""), &real));
    assert_false(od_double_read(OD_STR("1e999"), &real));
    assert_false(od_double_read(OD_STR("1x"), &real));
    assert_true(od_double_read(OD_STR("12"), &real));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_that_is_no_time_is_refused),
        cmocka_unit_test(a_wrong_byte_is_seen_wherever_it_stands),
        cmocka_unit_test(times_outside_four_digit_years_have_no_text),
        cmocka_unit_test(times_and_their_texts),
        cmocka_unit_test(every_day_of_a_cycle_comes_back),
        cmocka_unit_test(texts_of_one_instant_are_one_time),
        cmocka_unit_test(text_that_is_no_uuid_is_refused),
        cmocka_unit_test(uuids_are_written_in_lower_case),
        cmocka_unit_test(numbers_that_are_no_int64_are_refused),
        cmocka_unit_test(int64s_in_all_their_texts),
        cmocka_unit_test(decimals_compare_by_value),
        cmocka_unit_test(doubles_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
