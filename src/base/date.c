#include "base/date.h"

#include "base/attr.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static const char *const weekdays[] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
};
static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December",
};

static struct tm utc(int64_t ms)
{
    const time_t seconds = (time_t)(ms / 1000);
    struct tm tm = {0};
    const struct tm *done = gmtime_r(&seconds, &tm);
    assert(done != NULL); // the year is an int
    (void)done;
    return tm;
}

OD_PRINTF(2, 3) static od_str put(char text[OD_DATE_SIZE], const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(text, OD_DATE_SIZE, fmt, args);
    va_end(args);
    assert(len >= 0 && len < OD_DATE_SIZE);
    return (od_str){text, (size_t)len};
}

od_str od_date_http(char text[OD_DATE_SIZE], int64_t ms)
{
    const struct tm at = utc(ms);
    return put(text, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT", weekdays[at.tm_wday], at.tm_mday,
               months[at.tm_mon], at.tm_year + 1900, at.tm_hour, at.tm_min, at.tm_sec);
}

od_str od_date_iso(char text[OD_DATE_SIZE], int64_t ms)
{
    const struct tm at = utc(ms);
    return put(text, "%04d-%02d-%02dT%02d:%02d:%02d.%03d", at.tm_year + 1900, at.tm_mon + 1,
               at.tm_mday, at.tm_hour, at.tm_min, at.tm_sec, (int)(ms % 1000));
}

od_str od_date_compact(char text[OD_DATE_SIZE], int64_t ms)
{
    const struct tm at = utc(ms);
    return put(text, "%04d%02d%02dT%02d%02d%02dZ", at.tm_year + 1900, at.tm_mon + 1, at.tm_mday,
               at.tm_hour, at.tm_min, at.tm_sec);
}

od_str od_date_long(char text[OD_DATE_SIZE], int64_t ms)
{
    const struct tm at = utc(ms);
    const int hour = at.tm_hour % 12 == 0 ? 12 : at.tm_hour % 12;
    return put(text, "%s, %s %d, %d at %d:%02d:%02d %s Coordinated Universal Time",
               weekdays[at.tm_wday], months[at.tm_mon], at.tm_mday, at.tm_year + 1900, hour,
               at.tm_min, at.tm_sec, at.tm_hour < 12 ? "AM" : "PM");
}
