// Moments as text: in UTC, and in English whatever the locale is.
#ifndef OD_BASE_DATE_H
#define OD_BASE_DATE_H

#include "base/str.h"

// Room for any of them.
enum { OD_DATE_SIZE = 128 };

// Each writes a moment, given in milliseconds since 1970-01-01, into `text`, which it returns with
// a NUL behind it.
od_str od_date_http(char text[OD_DATE_SIZE], int64_t ms);    // Sun, 06 Nov 1994 08:49:37 GMT
od_str od_date_iso(char text[OD_DATE_SIZE], int64_t ms);     // 2026-08-14T09:30:00.125
od_str od_date_compact(char text[OD_DATE_SIZE], int64_t ms); // 20150830T123600Z

// Monday, October 10, 2022 at 1:00:19 PM Coordinated Universal Time
od_str od_date_long(char text[OD_DATE_SIZE], int64_t ms);

#endif
