// What batches of writes and of reads have in common: what comes back unprocessed is sent again.
#ifndef OD_MAPPER_BATCH_H
#define OD_MAPPER_BATCH_H

#include "mapper/mapper_internal.h"

// What an answer hands back, an object of tables; empty when there is nothing in it.
od_str od_batch_left(od_str answer, const char *member);
// The request for such an object.
od_str od_batch_body(ordna_session *session, od_str tables);
// Waits before it is sent. `failed` counts how often nothing was done in a row, and begins with 0;
// `progress`: this time something was. ORDNA_THROTTLED after as many attempts as one request has.
ordna_status od_batch_wait(ordna_session *session, int *failed, bool progress);

#endif
