// Runs scenarios over a transport.
#ifndef OD_TESTS_CONFORMANCE_RUN_H
#define OD_TESTS_CONFORMANCE_RUN_H

#include "scenario.h"
#include "transport.h"

struct tally {
    int passed; // scenarios
    int failed;
    int steps;
};

// Runs the scenarios of one file, each on its own tables, and reports those that fail on stdout.
void run_scenarios(const struct link *link, const char *file, const struct scenario *first,
                   struct tally *tally);

// Without a transport: whether all requests and patterns are well-formed. Reports like the above.
void check_scenarios(const char *file, const struct scenario *first, struct tally *tally);

#endif
