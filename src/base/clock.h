// The only clock: nothing else asks the system for the time, so that tests can set it.
#ifndef OD_BASE_CLOCK_H
#define OD_BASE_CLOCK_H

#include <stdint.h>

// Milliseconds since 1970-01-01 UTC.
int64_t od_clock_ms(void);

// From now on od_clock_ms answers `ms` until it is set again; negative gives the system's time
// back. For tests.
void od_clock_set_ms(int64_t ms);

// Nanoseconds since some fixed moment, for measuring; never set.
int64_t od_clock_monotonic_ns(void);

#endif
