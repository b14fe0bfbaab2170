// A table in a database in memory, and a transport that the tests reach into.
#ifndef ORDNA_TESTS_PATTERNS_SUPPORT_H
#define ORDNA_TESTS_PATTERNS_SUPPORT_H

#include "ordna/in_process.h"
#include "ordna/patterns.h"
#include "patterns/object_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define KB    ((size_t)1024)
#define CHUNK ((size_t)OD_OBJECT_CHUNK_BYTES)

// What becomes of a request.
enum fate {
    CARRIED_OUT,
    REFUSED_BY_SERVER, // not carried out, and answered 400
    FAILED_IN_SERVER,  // not carried out, and answered 500
    ANSWER_LOST,       // carried out, and nothing is answered
};

struct place;
typedef enum fate fate_fn(struct place *place, const char *operation, const char *body);

struct place {
    ordna *db;
    ordna_transport inner;
    ordna_client *client;
    ordna_session *session;
    ordna_session *other; // of another writer or reader
    fate_fn *fate;        // NULL: all requests are carried out
    atomic_int seen;      // requests, for `fate`, which several threads may ask
    size_t size;          // of what `fate` puts
    enum fate then;       // what `fate` answers
};

extern const ordna_table objects;

int place_setup(void **state);
int place_teardown(void **state);
// A new client whose options allow what is asked for.
void place_reopen(struct place *place, bool retry_unknown);

// Bytes that say by `seed` which version they are of.
void *content(size_t len, unsigned seed);
bool is_content(ordna_bytes bytes, size_t len, unsigned seed);

// Both fail the test unless all is well.
void put(ordna_session *session, const char *id, size_t len, unsigned seed);
void expect(ordna_session *session, const char *id, size_t len, unsigned seed);

// Items in the partition of an object: its chunks, and its manifest.
uint64_t count_chunks(struct place *place, const char *id);
uint64_t count_manifests(struct place *place, const char *id);

// What a writer leaves that stops behind its first `chunks` chunks.
ordna_uuid leave_chunks(struct place *place, const char *id, int32_t chunks, ordna_time began);

#endif
