// Text of times, UUIDs and numbers: no locale, no allocation.
#ifndef OD_MAPPER_VALUE_TEXT_H
#define OD_MAPPER_VALUE_TEXT_H

#include "base/buf.h"
#include "ordna/values.h"

enum { OD_TIME_LEN = ORDNA_TIME_TEXT_SIZE - 1, OD_UUID_LEN = ORDNA_UUID_TEXT_SIZE - 1 };

// 2026-11-30T23:59:59.999Z. False for years outside 0001 to 9999.
bool od_time_write(ordna_time time, char out[OD_TIME_LEN]);
bool od_time_read(od_str text, ordna_time *out);

void od_uuid_write(ordna_uuid uuid, char out[OD_UUID_LEN]);
bool od_uuid_read(od_str text, ordna_uuid *out);

// A number that is whole, as any decimal text may say it: 7, 7.00, 0.7E1. False when it is not, and
// when it fits no int64.
bool od_int_read(od_str text, int64_t *out);

enum { OD_DOUBLE_MAX_LEN = 40 };

// The shortest text that reads back as the same double; its length, or 0 for infinities and NaN.
size_t od_double_write(double real, char out[OD_DOUBLE_MAX_LEN]);
// `text` has a 0 after its end.
bool od_double_read(od_str text, double *out);

// Digits with a sign, a point, an exponent; at least one digit.
bool od_decimal_is_valid(od_str text);
// By value: 1.50 is 1.5. Both are valid.
int od_decimal_compare(od_str a, od_str b);

#endif
