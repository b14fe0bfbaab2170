// What mapper and patterns need of a session beyond the public header.
#ifndef OD_CLIENT_SESSION_H
#define OD_CLIENT_SESSION_H

#include "base/attr.h"
#include "base/buf.h"
#include "ordna/client.h"

// Where results live until the session is reset.
od_arena *od_session_arena(ordna_session *session);
ordna_client *od_session_client(const ordna_session *session);

// What the mapper keeps from one call to the next: all zero at first.
enum { OD_SESSION_NOTES_BYTES = 80 };
void *od_session_notes(ordna_session *session);

// Writes the session's error and gives `status` back. `field` is of an entity, or NULL.
ordna_status od_session_fail(ordna_session *session, ordna_status status, const char *field,
                             const char *fmt, ...) OD_PRINTF(4, 5);

// As ordna_session_call, of an operation that is one. `repeatable`: twice is the same as once, so
// that it may be sent again when nobody knows whether it was carried out.
ordna_status od_session_call(ordna_session *session, const char *operation, od_str body,
                             bool repeatable, ordna_answer *out);

// Waits before something is sent again that has failed `failed` times, as od_session_call does
// between its attempts: what a batch left undone. ORDNA_CANCELED or ORDNA_TIMED_OUT, as the
// session's error says, when it is not to be sent again.
ordna_status od_session_wait(ordna_session *session, int failed);
// How often one request is sent at most.
int od_session_max_attempts(const ordna_session *session);

// A session for another thread's part of this session's calls: its own end with the parent's
// deadline, also with one that is set later, and cancellation. Closed before the parent. Its error
// is moved with od_session_take_error.
ordna_session *od_session_open_child(ordna_session *parent);
// Copies the error of `from` into `session`; gives its status back.
ordna_status od_session_take_error(ordna_session *session, const ordna_session *from);

#endif
