// The only source of random bytes.
#ifndef OD_BASE_RANDOM_H
#define OD_BASE_RANDOM_H

#include "base/arena.h"

#include <stdint.h>

// Bytes that nobody can guess.
void od_random_bytes(void *out, size_t size);

// 36 characters: a version 4 UUID in lower case.
od_str od_random_uuid(od_arena *arena);

enum { OD_REQUEST_ID_LEN = 52 };

// Fills `out` with OD_REQUEST_ID_LEN characters of 0-9A-Z, unique but not secret. Costs no system
// call.
void od_random_request_id(char *out);

#endif
