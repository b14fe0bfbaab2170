// Why a transaction was cancelled: what the engine finds and what an error body tells.
#ifndef OD_MODEL_CANCELLATION_H
#define OD_MODEL_CANCELLATION_H

#include "model/value.h"

struct od_cancel_reason {
    od_str code;    // "None", "ConditionalCheckFailed", ...
    od_str message; // {NULL, 0} with code "None"
    od_value item;  // the old item as a map; no value when it was not asked for or is not there
};

// One reason for each action of the transaction, in order.
struct od_cancellation {
    const struct od_cancel_reason *reasons;
    size_t count;
};

#endif
