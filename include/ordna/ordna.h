/* ordna, the engine as a library: a database with Amazon DynamoDB's data model and API inside a
 * program. Operations take and give DynamoDB's JSON.
 *
 *     ordna_options options = {.store = "rocksdb", .dir = "data"};
 *     ordna *db = NULL;
 *     char error[256];
 *     if (ordna_open(&options, &db, error, sizeof(error)) != 0) { ... error ... }
 *
 *     ordna_response answer;
 *     ordna_call(db, "GetItem", body, strlen(body), &answer);
 *     ... answer.status, answer.body ...
 *     ordna_response_clear(&answer);
 *     ordna_close(db);
 *
 * All functions may be called from any thread, but for ordna_close, which is the last one. */
#ifndef ORDNA_ORDNA_H
#define ORDNA_ORDNA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ORDNA_API
#define ORDNA_API __attribute__((visibility("default")))
#endif

typedef struct ordna ordna;

typedef struct ordna_options {
    const char *store; /* "rocksdb" or "memory"; NULL: "rocksdb" */
    const char *dir;   /* where RocksDB keeps the data; made if it is not there. Not for memory */
    const char *durability; /* "sync": a write is on disk before its call returns.
                             * "relaxed": the operating system has it. NULL: "sync" */
} ordna_options;

typedef struct ordna_response {
    int status;       /* as HTTP has it: 200; 400 the request was at fault; 500 the outcome of a
                       * write is unknown, or the store failed */
    const char *body; /* JSON, with a 0 after its end. An error has "__type" and mostly "message" */
    size_t body_len;
    void *memory; /* what holds the body; for ordna_response_clear */
} ordna_response;

/* Opens a database. Returns 0, or -1 with a text in `error` that says what to do. One process at a
 * time can have a directory open. */
ORDNA_API int ordna_open(const ordna_options *options, ordna **out, char *error, size_t error_size);

/* Every call has returned by then. Leaves nothing to replay. NULL is fine. */
ORDNA_API void ordna_close(ordna *db);

/* Runs an operation of DynamoDB's API, "PutItem" for example, and fills in `out`, which is cleared
 * by the caller. Returns its status. A write is durable, as the options say, when this returns. */
ORDNA_API int ordna_call(ordna *db, const char *operation, const char *body, size_t body_len,
                         ordna_response *out);

ORDNA_API void ordna_response_clear(ordna_response *response);

/* The version of the library, "0.1.0". */
ORDNA_API const char *ordna_version(void);

#ifdef __cplusplus
}
#endif

#endif
