#include "base/random.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/random.h>

void od_random_bytes(void *out, size_t size)
{
    char *at = out;
    while (size > 0) {
        ssize_t got = getrandom(at, size, 0);
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            abort();
        }
        at += got;
        size -= (size_t)got;
    }
}

od_str od_random_uuid(od_arena *arena)
{
    unsigned char b[16];
    od_random_bytes(b, sizeof(b));
    b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
    return od_arena_printf(
        arena, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
        b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

// xorshift64*, seeded once a thread.
static uint64_t next_fast(void)
{
    static _Thread_local uint64_t state;
    while (state == 0) {
        od_random_bytes(&state, sizeof(state));
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1DULL;
}

void od_random_request_id(char *out)
{
    static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (size_t i = 0; i < OD_REQUEST_ID_LEN; i += 13) {
        uint64_t bits = next_fast() >> 1;
        for (size_t j = 0; j < 12; j++) {
            out[i + j] = alphabet[bits % 36];
            bits /= 36;
        }
        out[i + 12] = alphabet[bits % 36];
    }
}
