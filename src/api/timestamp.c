#include "api/timestamp.h"

enum { MS_OF_DAY = 24 * 60 * 60 * 1000 };

struct date {
    int year, month, day;
};

// Years begin in March, so that the leap day is a year's last. Each 400 years have 146,097 days.
static struct date date_of(int64_t days_since_1970)
{
    int64_t days = days_since_1970 + 719468; // since 0000-03-01
    int64_t era = days / 146097;
    int64_t day_of_era = days % 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153; // 0 is March
    bool next_year = month >= 10;
    return (struct date){
        .year = (int)(era * 400 + year_of_era + next_year),
        .month = (int)(month + (next_year ? -9 : 3)),
        .day = (int)(day_of_year - (153 * month + 2) / 5 + 1),
    };
}

od_str od_timestamp(od_arena *arena, int64_t ms)
{
    struct date date = date_of(ms / MS_OF_DAY);
    int rest = (int)(ms % MS_OF_DAY);
    return od_arena_printf(arena, "%04d-%02d-%02dT%02d:%02d:%02d.%03d", date.year, date.month,
                           date.day, rest / 3600000, rest / 60000 % 60, rest / 1000 % 60,
                           rest % 1000);
}
