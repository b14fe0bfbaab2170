// One status type for the whole program.
//
// A function that can fail returns od_status and fills its last argument, `out`. The reason is
// written once, where it is found, into the request's context; callers only pass it on.
#ifndef OD_BASE_STATUS_H
#define OD_BASE_STATUS_H

#include "base/arena.h"
#include "base/attr.h"
#include "base/str.h"

// The compiler warns of every one that is ignored.
enum [[nodiscard]] od_status
{
#define OD_STATUS(name, http, type) OD_##name,
#include "base/status.def"
#undef OD_STATUS
};
typedef enum od_status od_status;

// What a request carries through every layer.
typedef struct od_ctx {
    od_arena *arena;
    od_str error;           // the message that the client will read
    const char *error_file; // where it was raised, for our log only
    int error_line;
    // What some statuses add. CONDITION_FAILED: the old item as a `const struct od_value *`, or
    // NULL. TRANSACTION_CANCELED: a `const struct od_cancellation *`.
    const void *error_detail;
} od_ctx;

// return OD_FAIL(cx, OD_VALIDATION, "Invalid table name: %.*s", OD_STR_ARG(name));
#define OD_FAIL(cx, status, ...) od_fail_at((cx), (status), __FILE__, __LINE__, __VA_ARGS__)
od_status od_fail_at(od_ctx *cx, od_status status, const char *file, int line, const char *fmt, ...)
    OD_PRINTF(5, 6);

// Leaves the function if `call` fails. The only macro here that hides control flow.
#define OD_TRY(call)                   \
    do {                               \
        od_status try_status = (call); \
        if (try_status != OD_OK) {     \
            return try_status;         \
        }                              \
    } while (0)

int od_status_http(od_status status);
const char *od_status_type(od_status status);

#endif
