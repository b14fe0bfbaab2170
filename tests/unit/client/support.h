// A client whose transport plays a script.
#ifndef OD_TESTS_CLIENT_SUPPORT_H
#define OD_TESTS_CLIENT_SUPPORT_H

#include "client/client_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_STEPS = 16 };

struct step {
    int http_status; // 0: there is no answer
    const char *body;
};

struct script {
    struct step steps[MAX_STEPS]; // the last one is played for ever
    int step_count;
    int calls;
    int cleared;
    int waits;
    int64_t longest_wait_ms;
    char operation[64];    // of the last call
    char body[256];        // of the last call
    ordna_session *cancel; // is canceled while the client waits
    ordna_client *client;
    ordna_session *session;
};

// A test that gets a fresh `struct script *` as its state. One that runs under other options opens
// its client anew.
#define TEST(name) cmocka_unit_test_setup_teardown(name, script_setup, script_teardown)
int script_setup(void **state);
int script_teardown(void **state);

void script_reopen(struct script *script, ordna_client_options options);
void script_play(struct script *script, const struct step *steps, int count);
ordna_status script_call(struct script *script, const char *operation, const char *body,
                         ordna_answer *out);

// These fail the test and print the row and both sides.
void check_int(size_t row, int64_t got, int64_t expected);
void check_text(size_t row, const char *got, const char *expected);

#endif
