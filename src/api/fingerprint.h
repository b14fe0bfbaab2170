#ifndef OD_API_FINGERPRINT_H
#define OD_API_FINGERPRINT_H

#include "api/api_internal.h"

// A number that two different parts of requests share with no likelihood. The order in which an
// object's members are written does not count, nor do members that are null.
uint64_t od_api_fingerprint(yyjson_val *json);

#endif
