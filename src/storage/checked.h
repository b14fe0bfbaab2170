#ifndef OD_STORAGE_CHECKED_H
#define OD_STORAGE_CHECKED_H

#include <stdio.h>
#include <stdlib.h>

// Memory as malloc, calloc and realloc gave it. Out of memory ends the process, as for an arena.
static inline void *od_checked(void *memory)
{
    if (memory == NULL) {
        fputs("ordna: out of memory\n", stderr);
        abort();
    }
    return memory;
}

#endif
