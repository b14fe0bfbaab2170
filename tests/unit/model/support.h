// What the tests of this folder share.
#ifndef OD_TESTS_MODEL_SUPPORT_H
#define OD_TESTS_MODEL_SUPPORT_H

#include "base/status.h"
#include "model/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

// A test that gets a fresh `od_ctx *` as its state.
#define TEST(name) cmocka_unit_test_setup_teardown(name, context_create, context_destroy)
int context_create(void **state);
int context_destroy(void **state);

// These fail the test and print the row and both sides.
void check_text(size_t row, od_str got, const char *expected);
void check_hex(size_t row, od_str got, const char *expected);
void check_int(size_t row, int64_t got, int64_t expected);
void check_order(size_t row, od_str smaller, od_str larger);
void check_true(size_t row, bool holds, const char *what);

// The bytes that hexadecimal text, blanks aside, stands for.
od_str from_hex(od_arena *arena, const char *hex);
od_str to_hex(od_arena *arena, od_str bytes);

od_str value_str(od_value v);

// Random numbers that repeat when ORDNA_TEST_SEED is set to the seed that was printed.
uint64_t random_seed(void);
uint64_t random_next(uint64_t *state);
uint64_t random_below(uint64_t *state, uint64_t bound);

#endif
