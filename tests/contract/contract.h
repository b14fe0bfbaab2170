// The contract of storage/store.h as tests. One suite runs on every store.
#ifndef OD_TESTS_CONTRACT_H
#define OD_TESTS_CONTRACT_H

#include "storage/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The store under test, fresh for each test.
struct contract {
    const struct od_store_ops *ops;
    od_store *store;
    od_ctx cx;
    char *dir;
};

// Which store the tests run on.
void contract_choose(const char *name, bool through_faults);

// Open a fresh store, and close it and remove what it left.
int contract_setup(void **state);
int contract_teardown(void **state);

// Closes the store and opens it again, as the next process would.
void contract_reopen(struct contract *c);
bool contract_is_durable(const struct contract *c);

od_status contract_commit(struct contract *c, od_group group, const struct od_mutation *mutations,
                          size_t count);
void contract_put(struct contract *c, od_group group, const char *key, const char *value);
void contract_del(struct contract *c, od_group group, const char *key);
void contract_del_range(struct contract *c, od_group group, const char *lo, const char *hi);

// {NULL, 0} when it is absent.
od_str contract_get(struct contract *c, od_snapshot *snapshot, od_group group, od_str key);

// "key=value key=value ", in the order of the visits.
od_str contract_scan(struct contract *c, od_snapshot *snapshot, const struct od_scan_range *range);

void contract_assert_value(struct contract *c, od_group group, const char *key, const char *value);
// The whole group, upwards.
void contract_assert_group(struct contract *c, od_group group, const char *want);

// The tests, by what they are about.
extern const struct CMUnitTest contract_read_tests[];
extern const size_t contract_read_test_count;
extern const struct CMUnitTest contract_commit_tests[];
extern const size_t contract_commit_test_count;
extern const struct CMUnitTest contract_model_tests[];
extern const size_t contract_model_test_count;
extern const struct CMUnitTest contract_thread_tests[];
extern const size_t contract_thread_test_count;

#define CONTRACT_TEST(name) cmocka_unit_test_setup_teardown(name, contract_setup, contract_teardown)

#endif
