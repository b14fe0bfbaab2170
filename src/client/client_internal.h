// What the files of this folder share.
//
//     session.c   memory, errors, deadline, cancellation, waits
//     call.c      a request and its attempts
//     answer.c    what an answer means; repeat.c: what may be sent twice
//     http/       requests over sockets
//     config/     where to send them and who signs
#ifndef OD_CLIENT_INTERNAL_H
#define OD_CLIENT_INTERNAL_H

#include "client/session.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

struct od_http; // http/http.h

struct ordna_client {
    od_arena *arena;           // of what it was opened with
    ordna_transport transport; // `call` is NULL: over HTTP
    struct od_http *http;      // NULL: by the transport
    int max_attempts;
    bool retry_unknown;
    // Tests put their own in: nothing sleeps there. NULL: a wait is a wait.
    void (*wait)(void *arg, int64_t ms);
    void *wait_arg;
};

struct ordna_session {
    ordna_client *client;
    od_arena *arena;
    ordna_session *parent; // NULL: nobody's child
    // Of the monotonic clock; 0: there is none. A child goes by its parent's.
    _Atomic int64_t deadline_ns;
    atomic_bool canceled;
    ordna_error error;
    char *error_memory;
    alignas(void *) char notes[OD_SESSION_NOTES_BYTES];

    // For ordna_session_cancel, which comes from other threads. A parent's lock is taken before
    // its children's.
    pthread_mutex_t lock;
    pthread_cond_t woken;
    void (*wake)(void *arg); // what the session waits in; NULL: nothing
    void *wake_arg;
    ordna_session *children;
    ordna_session *next; // of the parent's children
};

enum od_repeat { OD_REPEAT_ASK, OD_REPEAT_YES, OD_REPEAT_NO };

struct od_request {
    const char *operation;
    od_str body;
    enum od_repeat repeat; // whether twice is the same as once. ASK: look when it matters
};

// What came of one attempt.
struct od_reply {
    ordna_status status; // ORDNA_OK: there is an answer, whatever it says
    bool sent;           // there is none, but the request may have arrived
    bool retry;          // there is none, and another attempt may do better
    int http_status;
    od_str body; // in the session's arena, with a 0 after its end
    const char *request_id;
    const char *date;    // the server's; NULL: it says none
    const char *message; // why there is no answer
};

// What a reply means.
struct od_verdict {
    ordna_error error;
    bool retry;
    bool unknown; // the request may have been carried out
};

// --- session.c ----------------------------------------------------------------------------------

// Copies `error`, which may be the session's own in part. NULL texts become "".
ordna_status od_session_set_error(ordna_session *session, const ordna_error *error);
bool od_session_is_canceled(const ordna_session *session);
int64_t od_session_time_left_ms(const ordna_session *session); // INT64_MAX: no end; <= 0: over
// ORDNA_CANCELED and ORDNA_TIMED_OUT when there is no going on.
ordna_status od_session_check(ordna_session *session);

// What cancellation and new deadlines call: the wait that is not the session's own looks again.
void od_session_set_wake(ordna_session *session, void (*wake)(void *arg), void *arg);

// --- answer.c -----------------------------------------------------------------------------------

// `out` is all zero for an answer that is a success.
void od_answer_judge(od_arena *arena, const struct od_reply *reply, struct od_verdict *out);

// --- repeat.c -----------------------------------------------------------------------------------

bool od_request_is_read(const struct od_request *request);
bool od_request_is_repeatable(const struct od_request *request);
// Without a look at the body: false may be true at a second look.
bool od_request_is_surely_repeatable(const struct od_request *request);

// --- backoff.c ----------------------------------------------------------------------------------

// How long to wait before attempt `failed` + 1, from 32 random bits: anything up to the bound.
int64_t od_backoff_ms(int failed, uint32_t random);

#endif
