// What the answers of transactions share.
#ifndef OD_API_TRANSACTION_H
#define OD_API_TRANSACTION_H

#include "api/api_internal.h"

// Where what was consumed of a table is summed up: its row of `sums`, which has room for one more.
// The table's name and its ARN are one table; the row is as it was named first.
struct od_capacity *od_capacity_of(struct od_capacity *sums, size_t *count, od_str table);

// That the answer of a transaction that reads is not too long for one item more.
od_status od_transaction_check_answer(struct od_call *call);

// "ConsumedCapacity", unless the mode is NONE: a sum for each table, in the order in which the
// actions name them first, and as they are named there.
void od_transaction_capacities(struct od_buf *out, enum od_capacity_mode mode,
                               const struct od_capacity *const *parts, size_t count, bool is_read);

#endif
