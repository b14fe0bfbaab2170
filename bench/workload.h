// Requests, made once and sent many times with another key in the same place.
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "base/status.h"

#include <stdint.h>

enum { WORKLOAD_MAX_OPS = 8, WORKLOAD_KEY_DIGITS = 8 };

struct workload_op {
    od_str name;
    unsigned weight;
    od_str request; // the whole of it
    size_t key_at;  // where the key's digits go; 0: nowhere
};

struct workload {
    struct workload_op ops[WORKLOAD_MAX_OPS];
    size_t op_count;
    unsigned all_weights;
};

struct workload_options {
    size_t value_bytes; // of the item's other attribute
    unsigned limit;     // items a page of Scan and QueryPage; 0: as many as fit
};

// Reads "GetItem=95,PutItem=5" or "GetItem".
od_status workload_parse(od_ctx *cx, od_str mix, struct workload_options options,
                         struct workload *out);

// The operation for a random number.
size_t workload_pick(const struct workload *workload, uint64_t random);

// Writes the key into a copy of the op's request.
void workload_set_key(const struct workload_op *op, char *request, uint64_t key);

#endif
