// Idempotency tokens of transactions. A token is bound by a transaction that succeeded, for ten
// minutes, and its rows are committed with the transaction's writes.
//
//   "w" token            -> a packed item: when it expires, the request's fingerprint, and the
//   bytes
//                           that each action was sized on, for the price of a replay
//   "e" time, token      -> "1": what to purge, in order of time
#ifndef OD_ENGINE_TXN_TOKEN_H
#define OD_ENGINE_TXN_TOKEN_H

#include "engine/commit.h"

// Whether the token is bound. `sizes` has room for `count`, and is filled when it is.
// IDEMPOTENT_MISMATCH when it is bound to another request.
od_status od_token_find(struct od_batch *batch, od_ctx *cx, const struct od_token *token,
                        int64_t *sizes, size_t count, bool *found);
void od_token_bind(struct od_batch *batch, od_ctx *cx, const struct od_token *token,
                   const int64_t *sizes, size_t count);

// Deletes some rows whose time is over.
od_status od_token_purge(od_engine *engine, struct od_batch *batch, od_ctx *cx);

#endif
