// What the tests of this folder share.
#ifndef OD_TESTS_BASE_SUPPORT_H
#define OD_TESTS_BASE_SUPPORT_H

#include "base/arena.h"
#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

// A test that gets a fresh `od_arena *` as its state.
#define TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)
int arena_setup(void **state);
int arena_teardown(void **state);

// These fail the test and print the row and both sides.
void check_int(size_t row, int64_t got, int64_t expected);
void check_str(size_t row, od_str got, od_str expected);
void check_text(size_t row, od_str got, const char *expected);

#endif
