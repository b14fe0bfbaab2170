#ifndef OD_API_TIMESTAMP_H
#define OD_API_TIMESTAMP_H

#include "base/arena.h"

// "2026-08-14T09:30:00.125", UTC, of milliseconds since 1970.
od_str od_timestamp(od_arena *arena, int64_t ms);

#endif
