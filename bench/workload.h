// Requests, made once and sent many times with other keys and values in the same places.
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "keys.h"

#include "base/status.h"

#include <stdint.h>

enum {
    WORKLOAD_MAX_OPS = 16,
    WORKLOAD_KEY_DIGITS = 8,
    WORKLOAD_PARTITION_DIGITS = 6, // of a key: a hundred keys have the same
    WORKLOAD_COUNT_DIGITS = 3,
    WORKLOAD_NO_OP = -1,
};

enum workload_slot_kind {
    WORKLOAD_KEY,
    WORKLOAD_PARTITION,
    WORKLOAD_COUNT, // 1 to 100
    WORKLOAD_NOISE, // as many random digits as a key has
    WORKLOAD_VALUE,
};

// A place in a request that is filled in each time.
struct workload_slot {
    enum workload_slot_kind kind;
    unsigned index; // which of the request's keys
    size_t at;
    size_t len;
};

struct workload_op {
    od_str name;
    unsigned weight;
    od_str request; // the whole of it
    const struct workload_slot *slots;
    size_t slot_count;
    unsigned key_count; // its keys follow each other
    bool inserts;       // its key is a new one
    int then;           // the operation that comes after, with the same keys; or WORKLOAD_NO_OP
};

struct workload {
    struct workload_op ops[WORKLOAD_MAX_OPS];
    size_t op_count;
    unsigned all_weights;
};

struct workload_options {
    size_t value_bytes; // of an item, besides its key
    unsigned limit;     // items a page of Scan and QueryPage; 0: as many as fit
};

// A mix of operations that has a name, and the order of keys that belongs to it.
struct workload_mix {
    const char *name;
    const char *ops;
    enum key_order order;
};

// NULL when there is none.
const struct workload_mix *workload_find_mix(od_str name);

// Reads "GetItem=95,PutItem=5" or "GetItem".
od_status workload_parse(od_ctx *cx, od_str mix, struct workload_options options,
                         struct workload *out);

// The operation for a random number.
size_t workload_pick(const struct workload *workload, uint64_t random);

// The first of the keys for one request of an operation.
uint64_t workload_next_key(const struct workload_op *op, struct keys *keys);

// Fills in a copy of the op's request.
void workload_fill(const struct workload_op *op, char *request, uint64_t first_key,
                   struct keys *keys);

#endif
