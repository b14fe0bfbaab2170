// Which key a request asks for.
#ifndef BENCH_KEYS_H
#define BENCH_KEYS_H

#include <stdint.h>

enum key_order {
    KEYS_IN_ORDER, // 0, 1, 2 ... and round again
    KEYS_UNIFORM,
    KEYS_ZIPF,   // a few keys get most requests; which ones is spread over all
    KEYS_LATEST, // the same, and the keys that were inserted last are those few
};

struct keys {
    enum key_order order;
    uint64_t count;
    uint64_t next;     // of KEYS_IN_ORDER
    uint64_t inserted; // keys that are there; all below it
    uint64_t random;   // the generator's state
    double theta;      // of the Zipf distribution, below 1; YCSB's is 0.99
    double zeta;
    double alpha;
    double eta;
};

void keys_init(struct keys *keys, enum key_order order, uint64_t count, double theta);

// The first of `run` keys that follow each other.
uint64_t keys_next(struct keys *keys, uint64_t run);

// A key that was not there yet.
uint64_t keys_insert(struct keys *keys);

// The next of a row of random numbers, for other choices.
uint64_t keys_random(struct keys *keys);

// A number's bits, thoroughly mixed: a hash.
uint64_t keys_mix(uint64_t n);

#endif
