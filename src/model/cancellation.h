// Why a transaction was cancelled: what od_ctx.error_detail points to under TRANSACTION_CANCELED.
#ifndef OD_MODEL_CANCELLATION_H
#define OD_MODEL_CANCELLATION_H

#include "model/value.h"

struct od_cancel_reason {
    od_str code;    // "ConditionalCheckFailed"; "None" for an action without a fault
    od_str message; // {NULL, 0} for an action without a fault
    od_value item;  // the old item's attributes, where the action asked for them; else no value
};

// One reason for each action, in order.
struct od_cancellation {
    const struct od_cancel_reason *reasons;
    size_t count;
};

#endif
