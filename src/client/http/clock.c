// The server's clock: requests carry the time, and one that is minutes beside it is refused.
#include "client/http/http.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

// DynamoDB takes five minutes; less than that has another cause. The bound above keeps times that
// make no sense from being signed with.
static const int64_t min_off_ms = INT64_C(4) * 60 * 1000;
static const int64_t max_off_ms = INT64_C(100) * 365 * 24 * 3600 * 1000;

// The errors that a wrong time can be the cause of.
static const char *const types[] = {
    "InvalidSignatureException", "RequestTimeTooSkewed",  "RequestExpired",
    "RequestInTheFuture",        "SignatureDoesNotMatch",
};

static bool may_be_of_clock(od_arena *arena, const struct od_reply *reply)
{
    if (reply->status != ORDNA_OK || reply->http_status < 400 || reply->http_status >= 500) {
        return false;
    }
    struct od_verdict verdict;
    od_answer_judge(arena, reply, &verdict);
    for (size_t i = 0; i < OD_COUNT(types); i++) {
        if (verdict.error.type != NULL && strcmp(verdict.error.type, types[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool od_http_clock_correct(_Atomic int64_t *ahead_ms, int64_t signed_ahead_ms, od_arena *arena,
                           const struct od_reply *reply)
{
    if (reply->date == NULL || !may_be_of_clock(arena, reply)) {
        return false;
    }
    const time_t date = curl_getdate(reply->date, NULL);
    if (date <= 0 || (int64_t)date > INT64_MAX / 1000) {
        return false;
    }
    const int64_t ahead = (int64_t)date * 1000 - od_clock_ms();
    if (llabs(ahead - signed_ahead_ms) < min_off_ms || llabs(ahead) > max_off_ms) {
        return false;
    }
    atomic_store(ahead_ms, ahead);
    return true;
}
