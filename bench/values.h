// What items are filled with: text that does not compress, so that what is counted on the disk is
// the store's own doing. Which text, a random number says.
#ifndef BENCH_VALUES_H
#define BENCH_VALUES_H

#include <stddef.h>
#include <stdint.h>

enum { VALUES_MAX_BYTES = 400 * 1024 };

// Fills `out` with `size` characters that JSON need not escape. `size` is at most VALUES_MAX_BYTES.
void values_fill(char *out, size_t size, uint64_t random);

#endif
