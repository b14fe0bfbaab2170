// Why a transaction is cancelled: a reason for each of its actions, in order.
#ifndef OD_ENGINE_TXN_CANCEL_H
#define OD_ENGINE_TXN_CANCEL_H

#include "base/status.h"
#include "model/cancellation.h"

struct od_cancel {
    struct od_cancel_reason *reasons;
    size_t count;
    bool any;
    bool has_validation;
};

void od_cancel_init(struct od_cancel *cancel, od_arena *arena, size_t count);

// Action `i` failed with `status`, whose message and detail are in `cx`. Of several validation
// faults only the first is told.
void od_cancel_add(struct od_cancel *cancel, size_t i, od_status status, od_ctx *cx);

// TRANSACTION_CANCELED with all reasons, when there is any.
od_status od_cancel_status(const struct od_cancel *cancel, od_ctx *cx);

#endif
