#ifndef OD_STORAGE_INTERNAL_H
#define OD_STORAGE_INTERNAL_H

#include "storage/store.h"

extern const struct od_store_ops od_store_memory;

// Whether the check holds, given what is stored under its key ({NULL, 0}: nothing).
bool od_check_holds(const struct od_check *check, od_str stored);

#endif
