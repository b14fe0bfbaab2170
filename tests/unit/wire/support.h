// What the tests of this folder share.
#ifndef OD_TESTS_WIRE_SUPPORT_H
#define OD_TESTS_WIRE_SUPPORT_H

#include "wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

// A test that gets a fresh `od_ctx *` as its state.
#define TEST(name) cmocka_unit_test_setup_teardown(name, context_create, context_destroy)
int context_create(void **state);
int context_destroy(void **state);

// JSON is written with ' for ", which no row here needs otherwise, so that rows can be read.
od_str json_text(od_ctx *cx, const char *text);
// The tree of an object; fails the test when there is none.
yyjson_val *json_tree(od_ctx *cx, const char *text);

// These fail the test and print the row and both sides.
void check_ok(size_t row, const od_ctx *cx, od_status got);
void check_fault(size_t row, const od_ctx *cx, od_status got, od_status status,
                 const char *message);
void check_int(size_t row, int64_t got, int64_t expected);
void check_text(size_t row, od_str got, const char *expected);
// `expected` is written with ' for ".
void check_json(size_t row, od_ctx *cx, od_str got, const char *expected);

// `count` times `text`.
od_str repeated(od_ctx *cx, const char *text, size_t count);

#endif
