#include "storage/storage_internal.h"

bool od_check_holds(const struct od_check *check, od_str stored)
{
    switch (check->kind) {
    case OD_CHECK_EQ:
        return stored.ptr != NULL && od_str_eq(stored, check->value);
    case OD_CHECK_ABSENT:
        return stored.ptr == NULL;
    case OD_CHECK_LT:
        return stored.ptr == NULL || od_str_compare(stored, check->value) < 0;
    }
    return false;
}
