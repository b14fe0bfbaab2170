// Arenas: memory that is freed all at once.
//
// Each request owns one. What the request builds lives there and nothing outlives it, so request
// code calls no free(). Allocation never returns NULL: out of memory ends the process, and what a
// client may ask for is bounded before it is allocated.
//
// Under AddressSanitizer the bytes that an arena has taken back are poisoned.
#ifndef OD_BASE_ARENA_H
#define OD_BASE_ARENA_H

#include "base/attr.h"
#include "base/str.h"

#include <stdarg.h>
#include <stddef.h>

typedef struct od_arena od_arena;

// A point in an arena's life to go back to.
typedef struct od_mark {
    void *block;
    size_t used;
} od_mark;

od_arena *od_arena_create(void);
void od_arena_destroy(od_arena *arena);

// Forgets everything, and keeps the first block for the next request.
void od_arena_reset(od_arena *arena);

// Both give zeroed memory, aligned for any type.
#define od_new(arena, type)              ((type *)od_arena_alloc((arena), 1, sizeof(type)))
#define od_new_array(arena, type, count) ((type *)od_arena_alloc((arena), (count), sizeof(type)))
void *od_arena_alloc(od_arena *arena, size_t count, size_t size);

// Memory that the caller fills at once: not zeroed, and not aligned when `size` is odd.
char *od_arena_bytes(od_arena *arena, size_t size);

// Makes an allocation of od_arena_bytes larger, in place when it is the newest one.
char *od_arena_grow(od_arena *arena, char *bytes, size_t old_size, size_t new_size);

od_str od_arena_copy(od_arena *arena, od_str s);
od_str od_arena_printf(od_arena *arena, const char *fmt, ...) OD_PRINTF(2, 3);
od_str od_arena_vprintf(od_arena *arena, const char *fmt, va_list args) OD_PRINTF(2, 0);

// Gives back everything allocated since the mark. Scans use this once per skipped item.
od_mark od_arena_mark(const od_arena *arena);
void od_arena_rewind(od_arena *arena, od_mark mark);

#endif
