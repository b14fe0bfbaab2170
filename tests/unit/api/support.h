// Calls to the operations, without sockets, and checks of what they answer.
//
// JSON stands in single quotes here, which are turned into double ones.
#ifndef OD_TESTS_UNIT_API_SUPPORT_H
#define OD_TESTS_UNIT_API_SUPPORT_H

#include "api/api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// A memory store, an engine on it, and an arena for one test.
int api_setup(void **state);
// The same with a limit for item collections that a test can come to.
int api_setup_small_collections(void **state);
enum { API_COLLECTION_BYTES = 1000 };
// The same with a thread for the committer.
int api_setup_threaded(void **state);
int api_teardown(void **state);

od_engine *api_engine(void **state);

// What the operation answers; it lives until the test ends.
struct od_call api_call(void **state, const char *operation, const char *body);
// Decodes alone: the request must be at fault, or `http_status` stays 0.
struct od_call api_decode(void **state, const char *operation, const char *body);
enum od_next api_next(void **state, const char *operation, const char *body);

// JSON as it is written here, with the quotes that it needs.
od_str api_json(od_arena *arena, const char *single_quoted);

// Whether two texts are the same JSON; members may stand in any order. `want` is in single quotes.
void check_json(void **state, const char *got, const char *want);

struct api_row {
    const char *operation;
    const char *body;
    const char *want; // JSON of the whole answer, or "NameOfException: message"
};

// Calls one after another and compares; members may stand in any order. Prints the rows that fail.
void check_calls(void **state, const struct api_row *rows, size_t count);
// The same with requests that are at fault before any table is looked at: `want` is an error, or
// NULL when the request is well-formed.
void check_decodes(void **state, const struct api_row *rows, size_t count);

#define CHECK_CALLS(state, rows)   check_calls((state), (rows), OD_COUNT(rows))
#define CHECK_DECODES(state, rows) check_decodes((state), (rows), OD_COUNT(rows))

#endif
