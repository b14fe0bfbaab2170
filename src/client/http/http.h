// Requests over HTTP. A line is a connection with what belongs to it; a client keeps those that
// rest, for whichever session calls next.
#ifndef OD_CLIENT_HTTP_H
#define OD_CLIENT_HTTP_H

#include "client/client_internal.h"
#include "client/config/config.h"

#include <curl/curl.h>

enum {
    // DynamoDB reads at most 16 MB of items in one request, which are more as JSON.
    OD_HTTP_MAX_ANSWER_BYTES = 64 * 1024 * 1024,
};

typedef struct od_http od_http;

struct od_http_options {
    const struct od_config *config; // outlives what is made of it
    int connect_timeout_ms;
    int timeout_ms;
};

od_http *od_http_create(const struct od_http_options *options);
void od_http_destroy(od_http *http);

// One attempt. Ends when it is answered, when its time or the session's is over, or when the
// session is canceled.
void od_http_attempt(od_http *http, ordna_session *session, const struct od_request *request,
                     struct od_reply *out);

// --- line.c -------------------------------------------------------------------------------------

struct od_line {
    CURLM *multi; // drives `easy`, keeps its connection, and can be woken
    CURL *easy;
    od_signer *signer;
    od_arena *scratch; // of one request
    int64_t ahead_ms;  // of this one's clock the time was that it was signed with
    char reason[CURL_ERROR_SIZE];
    struct od_line *next; // of those that rest
};

struct od_line *od_line_create(const struct od_http_options *options);
void od_line_destroy(struct od_line *line);

// Runs the transfer that `easy` is set up for.
CURLcode od_line_run(struct od_line *line, const ordna_session *session);

// --- intake.c -----------------------------------------------------------------------------------

// What comes in.
struct od_intake {
    struct od_buf body;
    od_str request_id;
    od_str date;
    uint64_t crc;
    bool has_crc;
    bool too_large;
};

// curl's functions, with a `struct od_intake` as their last argument.
size_t od_intake_header(char *text, size_t size, size_t count, void *intake);
size_t od_intake_body(char *bytes, size_t size, size_t count, void *intake);
// Whether the body is what the checksum says, if there is one.
bool od_intake_is_sound(const struct od_intake *intake);

// --- clock.c ------------------------------------------------------------------------------------

// Whether a request was refused because this machine's clock is off. By how much, as the answer's
// date says, is in `ahead_ms` then, for the requests that follow.
bool od_http_clock_correct(_Atomic int64_t *ahead_ms, int64_t signed_ahead_ms, od_arena *arena,
                           const struct od_reply *reply);

#endif
