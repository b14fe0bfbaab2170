// Sessions for tests: over a database in memory, over a server (the first argument of the program),
// or over answers that the test writes.
#ifndef OD_TESTS_MAPPER_SUPPORT_H
#define OD_TESTS_MAPPER_SUPPORT_H

#include "ordna/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The server's address, or NULL: in process.
extern const char *test_endpoint;

struct fixture {
    void *db;
    ordna_client *client;
    ordna_session *session;
};

// With the tables shop and readings, empty.
void open_database(struct fixture *fixture);
void close_database(struct fixture *fixture);
// The same for cmocka: *state is the fixture.
int set_up_database(void **state);
int tear_down_database(void **state);

// A transport that answers as it is told and keeps what it was asked.
struct script {
    const char *answers[64]; // the last one repeats; a body that has "__type" is a 400
    size_t answer_count;
    size_t calls;
    size_t waits;         // nothing sleeps in a test
    char operation[64];   // of the last request
    char body[64 * 1024]; // with a 0 behind it
};
void open_script(struct fixture *fixture, struct script *script);
void close_script(struct fixture *fixture);

void check_status(size_t row, ordna_session *session, ordna_status got, ordna_status wanted);
// The session's error has the text in its message.
void check_message(size_t row, ordna_session *session, const char *part);

#endif
