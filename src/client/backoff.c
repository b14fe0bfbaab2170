#include "client/client_internal.h"

// Exponential, with full jitter: of many clients that failed at once, no two come back at once.
enum { BASE_MS = 50, MAX_MS = 20 * 1000, MAX_DOUBLINGS = 16 };

int64_t od_backoff_ms(int failed, uint32_t random)
{
    const int doublings = failed < 1 ? 0 : failed - 1;
    int64_t bound = (int64_t)BASE_MS << (doublings > MAX_DOUBLINGS ? MAX_DOUBLINGS : doublings);
    bound = bound > MAX_MS ? MAX_MS : bound;
    return (int64_t)((uint64_t)random * (uint64_t)(bound + 1) >> 32);
}
