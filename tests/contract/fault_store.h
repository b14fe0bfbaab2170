// A store in front of another that fails when it is told to, with the status it is told.
#ifndef OD_TESTS_FAULT_STORE_H
#define OD_TESTS_FAULT_STORE_H

#include "storage/store.h"

struct od_fault {
    uint64_t nth; // the call that fails, counted from od_fault_arm; 0: none
    od_status status;
    bool applied; // STORE_UNKNOWN of a commit: whether it was made all the same
};

// The functions to use instead of `inner`'s. One store at a time in a process.
const struct od_store_ops *od_fault_store(const struct od_store_ops *inner);

void od_fault_arm(struct od_fault fault);
// The calls since od_fault_arm: get, scan, commit, group_drop and snapshot_open.
uint64_t od_fault_calls(void);

#endif
