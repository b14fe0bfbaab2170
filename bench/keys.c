#include "keys.h"

#include <math.h>

// SplitMix64.
uint64_t keys_mix(uint64_t n)
{
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return n ^ (n >> 31);
}

uint64_t keys_random(struct keys *keys)
{
    keys->random += 0x9e3779b97f4a7c15u;
    return keys_mix(keys->random);
}

// After Gray and others, "Quickly generating billion-record synthetic databases", 1994.
static void init_zipf(struct keys *keys)
{
    double n = (double)keys->count;
    for (uint64_t i = 1; i <= keys->count; i++) {
        keys->zeta += 1 / pow((double)i, keys->theta);
    }
    double zeta_of_two = 1 + 1 / pow(2, keys->theta);
    keys->alpha = 1 / (1 - keys->theta);
    keys->eta = (1 - pow(2 / n, 1 - keys->theta)) / (1 - zeta_of_two / keys->zeta);
}

void keys_init(struct keys *keys, enum key_order order, uint64_t count, double theta)
{
    *keys = (struct keys){.order = order, .count = count, .inserted = count, .theta = theta};
    if (order == KEYS_ZIPF || order == KEYS_LATEST) {
        init_zipf(keys);
    }
}

static uint64_t next_rank(struct keys *keys)
{
    double u = (double)(keys_random(keys) >> 11) * 0x1p-53;
    double uz = u * keys->zeta;
    if (uz < 1) {
        return 0;
    }
    if (uz < 1 + pow(0.5, keys->theta)) {
        return 1;
    }
    return (uint64_t)((double)keys->count * pow(keys->eta * u - keys->eta + 1, keys->alpha));
}

static uint64_t next_in_order(struct keys *keys, uint64_t run)
{
    uint64_t first = keys->next % keys->count;
    keys->next += run;
    return first;
}

uint64_t keys_next(struct keys *keys, uint64_t run)
{
    switch (keys->order) {
    case KEYS_IN_ORDER:
        return next_in_order(keys, run);
    case KEYS_UNIFORM:
        return keys_random(keys) % keys->count;
    case KEYS_LATEST:
        return keys->inserted - 1 - next_rank(keys) % keys->inserted;
    case KEYS_ZIPF:
        break;
    }
    return keys_mix(next_rank(keys)) % keys->count;
}

uint64_t keys_insert(struct keys *keys)
{
    return keys->inserted++;
}
