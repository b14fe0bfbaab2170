// The operations that a workload is made of, as rows.
#ifndef BENCH_OPERATIONS_H
#define BENCH_OPERATIONS_H

#include "base/str.h"

// A body is `head`, then `element` as often as told with commas between, then `tail`. Its quotation
// marks are written as '. In it stand
//
//   @K  the key's digits                    @V  a value of the size that was asked for
//   @P  those of its hundred                @F  a tenth of one
//   @R  random digits                       @C  a count from 1 to 100
//   @+  from here on the next key           @L  the limit of a page, with its name; or nothing
//
// Elements have keys of their own, too.
struct operation {
    od_str name;
    od_str target; // DynamoDB's operation
    od_str head;
    od_str element;
    unsigned elements;
    od_str tail;
    bool inserts;
    od_str then; // the operation that follows with the same keys
};

// By position; NULL past the last one.
const struct operation *operation_at(size_t position);

// NULL when there is none.
const struct operation *operation_find(od_str name);

#endif
