// What the answers of transactions share.
#ifndef OD_API_TRANSACTION_H
#define OD_API_TRANSACTION_H

#include "api/api_internal.h"

// "ConsumedCapacity", unless the mode is NONE: a sum for each table, in the order in which the
// actions name them first, and as they are named there.
void od_transaction_capacities(struct od_buf *out, enum od_capacity_mode mode,
                               const struct od_capacity *const *parts, size_t count, bool is_read);

#endif
