#include "base/date.h"

#include "support.h"

static void dates_of_http_are_those_of_the_calendar(void **state)
{
    static const struct {
        int64_t seconds;
        const char *text;
    } rows[] = {
        {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
        {68255999, "Tue, 29 Feb 1972 23:59:59 GMT"},
        {68256000, "Wed, 01 Mar 1972 00:00:00 GMT"},
        {784111777, "Sun, 06 Nov 1994 08:49:37 GMT"},
        {951782400, "Tue, 29 Feb 2000 00:00:00 GMT"},
        {1785542400, "Sat, 01 Aug 2026 00:00:00 GMT"},
        {4107542399, "Sun, 28 Feb 2100 23:59:59 GMT"},
        {4107542400, "Mon, 01 Mar 2100 00:00:00 GMT"},
        {253402300799, "Fri, 31 Dec 9999 23:59:59 GMT"},
    };
    (void)state;
    char text[OD_DATE_SIZE];
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_text(i, od_date_http(text, rows[i].seconds * 1000 + 999), rows[i].text);
    }
}

static void iso_dates_have_milliseconds(void **state)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        {0, "1970-01-01T00:00:00.000"},
        {951782399999, "2000-02-28T23:59:59.999"},
        {951782400000, "2000-02-29T00:00:00.000"},
        {1786699800125, "2026-08-14T09:30:00.125"},
    };
    (void)state;
    char text[OD_DATE_SIZE];
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_text(i, od_date_iso(text, rows[i].ms), rows[i].text);
    }
}

static void compact_dates_have_seconds(void **state)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        {0, "19700101T000000Z"},
        {1440938160999, "20150830T123600Z"},
        {1709251199000, "20240229T235959Z"},
    };
    (void)state;
    char text[OD_DATE_SIZE];
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_text(i, od_date_compact(text, rows[i].ms), rows[i].text);
    }
}

static void long_dates_count_twelve_hours_from_twelve(void **state)
{
    static const struct {
        int64_t seconds;
        const char *text;
    } rows[] = {
        {1665406819, "Monday, October 10, 2022 at 1:00:19 PM Coordinated Universal Time"},
        {1727999999, "Thursday, October 3, 2024 at 11:59:59 PM Coordinated Universal Time"},
        {1728000000, "Friday, October 4, 2024 at 12:00:00 AM Coordinated Universal Time"},
        {1728043199, "Friday, October 4, 2024 at 11:59:59 AM Coordinated Universal Time"},
        {1728043200, "Friday, October 4, 2024 at 12:00:00 PM Coordinated Universal Time"},
    };
    (void)state;
    char text[OD_DATE_SIZE];
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_text(i, od_date_long(text, rows[i].seconds * 1000), rows[i].text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_of_http_are_those_of_the_calendar),
        cmocka_unit_test(iso_dates_have_milliseconds),
        cmocka_unit_test(compact_dates_have_seconds),
        cmocka_unit_test(long_dates_count_twelve_hours_from_twelve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
