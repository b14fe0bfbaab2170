#include "values.h"

#include "keys.h"

#include <assert.h>
#include <string.h>

enum { POOL_BYTES = 1024 * 1024, CHARACTERS = 64 };

static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
_Static_assert(sizeof(characters) == CHARACTERS + 1, "a character for each six bits");

// A value is a piece of it: two that begin at different places have nothing in common.
static char pool[POOL_BYTES];

static void fill_pool(void)
{
    for (size_t i = 0; i < POOL_BYTES; i++) {
        pool[i] = characters[keys_mix(i) % CHARACTERS];
    }
}

void values_fill(char *out, size_t size, uint64_t random)
{
    assert(size <= VALUES_MAX_BYTES);
    if (pool[0] == '\0') {
        fill_pool();
    }
    memcpy(out, pool + random % (POOL_BYTES - VALUES_MAX_BYTES), size);
}
