// What number.c and number_text.c share.
#ifndef OD_MODEL_NUMBER_INTERNAL_H
#define OD_MODEL_NUMBER_INTERNAL_H

#include "model/number.h"

#include <stdint.h>

typedef unsigned __int128 od_u128;

enum {
    OD_NUMBER_MAX_POWER = 125, // the power of ten of the first digit
    OD_NUMBER_MIN_POWER = -130,
    OD_NUMBER_MAX_GROUPS = 20, // base-100 digits
    OD_NUMBER_GROUPS_AT = 2,   // where they begin in a packed number
    OD_NUMBER_EXPONENT_BIAS = 65,
};

extern const od_u128 od_number_pow10[OD_NUMBER_MAX_DIGITS + 1];

// Decimal digits of a coefficient; 0 for 0.
int od_number_digits(od_u128 coefficient);

// Writes the base-100 digits, highest first, to the end of `out`; returns how many there are.
size_t od_number_groups(od_u128 coefficient, unsigned char out[OD_NUMBER_MAX_GROUPS]);

// Whether a number whose first digit stands for 10^power is in range.
od_status od_number_check_power(od_ctx *cx, int64_t power);

#endif
