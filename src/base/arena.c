#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif

#ifdef WITH_ASAN
// Declared here without const, which <sanitizer/asan_interface.h> has: gcc takes a const parameter
// for a read of what is not written yet.
void __asan_poison_memory_region(volatile void *addr, size_t size);
void __asan_unpoison_memory_region(volatile void *addr, size_t size);
#define POISON(ptr, size)   __asan_poison_memory_region((ptr), (size))
#define UNPOISON(ptr, size) __asan_unpoison_memory_region((ptr), (size))
#else
#define POISON(ptr, size)   ((void)(ptr), (void)(size))
#define UNPOISON(ptr, size) ((void)(ptr), (void)(size))
#endif

enum { BLOCK_SIZE = 16 * 1024 - 64, ALIGNMENT = alignof(max_align_t) };

struct block {
    struct block *prev;
    size_t size;
    size_t used;
    alignas(max_align_t) char bytes[];
};

struct od_arena {
    struct block *top;
    struct block *first;
};

static struct block *block_create(struct block *prev, size_t size)
{
    struct block *block = malloc(sizeof(*block) + size);
    if (block == NULL) {
        fputs("ordna: out of memory\n", stderr);
        abort();
    }
    *block = (struct block){.prev = prev, .size = size};
    POISON(block->bytes, size);
    return block;
}

static void block_destroy(struct block *block)
{
    UNPOISON(block->bytes, block->size);
    free(block);
}

od_arena *od_arena_create(void)
{
    struct block *first = block_create(NULL, BLOCK_SIZE);
    od_arena *arena = malloc(sizeof(*arena));
    if (arena == NULL) {
        fputs("ordna: out of memory\n", stderr);
        abort();
    }
    *arena = (od_arena){.top = first, .first = first};
    return arena;
}

static void pop_blocks_until(od_arena *arena, const struct block *keep)
{
    while (arena->top != keep) {
        struct block *prev = arena->top->prev;
        block_destroy(arena->top);
        arena->top = prev;
    }
}

void od_arena_destroy(od_arena *arena)
{
    pop_blocks_until(arena, NULL);
    free(arena);
}

static void rewind_block(struct block *block, size_t used)
{
    POISON(block->bytes + used, block->size - used);
    block->used = used;
}

void od_arena_reset(od_arena *arena)
{
    pop_blocks_until(arena, arena->first);
    rewind_block(arena->first, 0);
}

static char *take(od_arena *arena, size_t need)
{
    struct block *block = arena->top;
    if (need > block->size - block->used) {
        block = block_create(block, need > BLOCK_SIZE ? need : BLOCK_SIZE);
        arena->top = block;
    }
    char *bytes = block->bytes + block->used;
    UNPOISON(bytes, need);
    block->used += need;
    return bytes;
}

static size_t aligned(size_t size)
{
    assert(size <= SIZE_MAX / 2);
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

void *od_arena_alloc(od_arena *arena, size_t count, size_t size)
{
    size_t need = 0;
    if (__builtin_mul_overflow(count, size, &need)) {
        abort();
    }
    return memset(take(arena, aligned(need)), 0, need);
}

char *od_arena_bytes(od_arena *arena, size_t size)
{
    return take(arena, aligned(size));
}

static bool is_newest(const struct block *block, const char *bytes, size_t size)
{
    return bytes + aligned(size) == block->bytes + block->used;
}

char *od_arena_grow(od_arena *arena, char *bytes, size_t old_size, size_t new_size)
{
    assert(bytes != NULL || old_size == 0);
    struct block *top = arena->top;
    size_t extra = aligned(new_size) - aligned(old_size);
    if (bytes != NULL && is_newest(top, bytes, old_size) && extra <= top->size - top->used) {
        UNPOISON(top->bytes + top->used, extra);
        top->used += extra;
        return bytes;
    }
    char *moved = od_arena_bytes(arena, new_size);
    if (old_size > 0) {
        memcpy(moved, bytes, old_size);
    }
    return moved;
}

od_str od_arena_copy(od_arena *arena, od_str s)
{
    char *copy = od_arena_bytes(arena, s.len + 1);
    if (s.len > 0) {
        memcpy(copy, s.ptr, s.len);
    }
    copy[s.len] = '\0';
    return (od_str){copy, s.len};
}

od_str od_arena_vprintf(od_arena *arena, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    size_t size = len < 0 ? 0 : (size_t)len;
    char *text = od_arena_bytes(arena, size + 1);
    vsnprintf(text, size + 1, fmt, args);
    return (od_str){text, size};
}

od_str od_arena_printf(od_arena *arena, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    od_str text = od_arena_vprintf(arena, fmt, args);
    va_end(args);
    return text;
}

od_mark od_arena_mark(const od_arena *arena)
{
    return (od_mark){.block = arena->top, .used = arena->top->used};
}

void od_arena_rewind(od_arena *arena, od_mark mark)
{
    pop_blocks_until(arena, mark.block);
    rewind_block(arena->top, mark.used);
}
