/* A client for DynamoDB's API: for an ordna server, for Amazon DynamoDB, and for a database inside
 * this program (in_process.h). Requests and answers are JSON here; mapper.h has typed ones.
 *
 *     ordna_client_options options = {.endpoint = "http://127.0.0.1:8000"};
 *     ordna_client *client = NULL;
 *     char error[256];
 *     if (ordna_client_open(&options, &client, error, sizeof(error)) != ORDNA_OK) { ... error ... }
 *
 *     ordna_session *session = ordna_session_open(client);
 *     ordna_answer answer;
 *     if (ordna_session_call(session, "GetItem", body, strlen(body), &answer) == ORDNA_OK) {
 *         ... answer.body ...
 *     } else {
 *         ... ordna_session_error(session)->message ...
 *     }
 *     ordna_session_close(session);
 *     ordna_client_close(client);
 *
 * A client is shared by all threads and keeps the connections. A session is one thread's: it owns
 * the memory of its results and its last error. */
#ifndef ORDNA_CLIENT_H
#define ORDNA_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ORDNA_API
#define ORDNA_API __attribute__((visibility("default")))
#endif

typedef struct ordna_client ordna_client;
typedef struct ordna_session ordna_session;

typedef enum ordna_status {
    ORDNA_OK = 0,
    ORDNA_NOT_FOUND,            /* no item has that key */
    ORDNA_END,                  /* a stream has no more items */
    ORDNA_CONDITION_FAILED,     /* the item is not as the condition or its version wants it */
    ORDNA_TRANSACTION_CANCELED, /* nothing was written; each action has its reason */
    ORDNA_THROTTLED,            /* asked for less traffic, still after the retries */
    ORDNA_REFUSED,              /* any other answer that the request is at fault: 4xx */
    ORDNA_SERVER_FAILED,        /* 5xx, still after the retries */
    ORDNA_NETWORK,              /* no connection, or it broke */
    ORDNA_TIMED_OUT,            /* no answer in time, or the session's deadline has passed */
    ORDNA_CANCELED,             /* by ordna_session_cancel */
    ORDNA_BAD_ARGUMENT,         /* the call is at fault; nothing was sent */
    ORDNA_KEY_FORMAT,           /* a field does not fit its place in a key; nothing was sent */
    ORDNA_BAD_ITEM,             /* an item in the table is not what the entity says */
    ORDNA_BAD_ANSWER            /* what came is no answer of DynamoDB's */
} ordna_status;

typedef struct ordna_error {
    ordna_status status;
    int http_status;        /* 0 when there was no answer */
    bool outcome_unknown;   /* a write was sent and may have been carried out */
    const char *type;       /* "ConditionalCheckFailedException"; "" when there was no answer */
    const char *message;    /* DynamoDB's own, or the client's */
    const char *request_id; /* x-amzn-RequestId, or "" */
    const char *field;      /* the entity's field that is at fault, or "" */
    const char *body;       /* the answer's JSON, or "" */
} ordna_error;

/* How requests travel: a table of functions, so that a program may bring its own. */
typedef struct ordna_transport {
    void *context;
    /* Fills in the answer, which ordna hands to `clear` after use. Returns its HTTP status, or 0
     * when there is no answer and nobody knows whether the request was carried out. Called from any
     * thread. */
    int (*call)(void *context, const char *operation, const char *body, size_t body_len,
                const char **answer, size_t *answer_len, void **memory);
    void (*clear)(void *context, void *memory);
} ordna_transport;

typedef struct ordna_client_options {
    /* "http://127.0.0.1:8000" or "https://..."; NULL: Amazon DynamoDB in `region`. No proxy of the
     * environment is used, and no redirection followed. */
    const char *endpoint;
    const char *region; /* NULL: AWS_REGION, AWS_DEFAULT_REGION, the profile's; with an endpoint,
                         * "us-east-1" at last */
    /* All NULL: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; then the profile
     * of the shared credentials file; with an endpoint, any at last. What is refused because this
     * machine's clock is off is signed by the server's, and sent once more. */
    const char *access_key_id;
    const char *secret_access_key;
    const char *session_token;
    const char *profile;              /* NULL: AWS_PROFILE, or "default". One that is given here
                                       * goes before the keys in the environment */
    const char *ca_file;              /* certificates to trust for https, PEM; NULL: the system's */
    const ordna_transport *transport; /* instead of an endpoint; ordna_in_process makes one. It is
                                       * copied; its context outlives the client */
    int max_attempts;                 /* of one request; 0: 4 */
    int connect_timeout_ms;           /* 0: 2,000 */
    int timeout_ms;                   /* of one attempt; 0: 20,000 */
    /* Also retry a write whose outcome is unknown when doing it twice would not be the same as
     * once. */
    bool retry_unknown;
} ordna_client_options;

/* ORDNA_OK, or ORDNA_BAD_ARGUMENT with a text in `error` that says what to do. Sends nothing. */
ORDNA_API ordna_status ordna_client_open(const ordna_client_options *options, ordna_client **out,
                                         char *error, size_t error_size);
/* All of its sessions are closed by then. NULL is fine. */
ORDNA_API void ordna_client_close(ordna_client *client);

ORDNA_API ordna_session *ordna_session_open(ordna_client *client);
ORDNA_API void ordna_session_close(ordna_session *session);

/* Gives back the memory of all results so far: strings, items, answers and errors are gone. */
ORDNA_API void ordna_session_reset(ordna_session *session);

/* Of the last call that failed. Lives until the next call that fails, or the reset. */
ORDNA_API const ordna_error *ordna_session_error(const ordna_session *session);

/* Calls end with ORDNA_TIMED_OUT when this much time has passed, retries included. 0: no end. */
ORDNA_API void ordna_session_set_deadline(ordna_session *session, int64_t ms_from_now);

/* From any thread: the call that runs ends soon with ORDNA_CANCELED, and so do all further ones
 * until the reset. */
ORDNA_API void ordna_session_cancel(ordna_session *session);

typedef struct ordna_answer {
    const char *body; /* JSON with a 0 after its end, in the session's memory */
    size_t body_len;
} ordna_answer;

/* Runs an operation, "PutItem" for example. Retries with exponential back-off and full jitter what
 * is throttled or in the way of a transaction, what failed in the server and what broke on the way,
 * but never a write whose outcome is unknown, unless twice is the same as once or the options allow
 * it. Twice is as once for reads, for PutItem and DeleteItem without a condition and without old
 * values in the answer, for BatchWriteItem, and for transactions with a ClientRequestToken. */
ORDNA_API ordna_status ordna_session_call(ordna_session *session, const char *operation,
                                          const char *body, size_t body_len, ordna_answer *out);

#ifdef __cplusplus
}
#endif

#endif
