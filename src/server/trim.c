#include "server/trim.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

void od_server_trim(void)
{
    enum { MUCH_BYTES = 64 * 1024 * 1024 };
    static size_t seen; // what is free stays counted as free when its pages are gone
    size_t free_bytes = mallinfo2().fordblks;
    if (free_bytes > MUCH_BYTES && free_bytes != seen) {
        (void)malloc_trim(0);
        free_bytes = mallinfo2().fordblks;
    }
    seen = free_bytes;
}
#else
void od_server_trim(void)
{
}
#endif
