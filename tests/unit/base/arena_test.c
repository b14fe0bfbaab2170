#include "support.h"

#include <signal.h>
#include <stdalign.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
int __asan_address_is_poisoned(const volatile void *addr);
#define IS_POISONED(ptr) __asan_address_is_poisoned(ptr)
#else
#define IS_POISONED(ptr) 1 // nobody can tell
#endif

enum { LARGE = 1 << 20 };

static void a_size_past_all_memory_ends_the_process(void **state)
{
    pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGABRT, SIG_DFL); // not cmocka's
        (void)od_arena_alloc(*state, SIZE_MAX / 2, 4);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

static void allocations_are_zeroed_and_aligned(void **state)
{
    od_arena *arena = *state;
    static const size_t sizes[] = {0, 1, 7, 8, 15, 16, 17, 100, 16000, LARGE};
    // Twice: the second time in memory that was used.
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < OD_COUNT(sizes); i++) {
            unsigned char *bytes = od_arena_alloc(arena, 1, sizes[i]);
            check_int(i, (int64_t)((uintptr_t)bytes % alignof(max_align_t)), 0);
            check_int(i, is_zero(bytes, sizes[i]), true);
            memset(bytes, 0xFF, sizes[i]);
        }
        od_arena_reset(arena);
    }
}

static void allocations_do_not_overlap(void **state)
{
    enum { COUNT = 1000 };
    od_arena *arena = *state;
    unsigned char *blocks[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        blocks[i] = od_arena_alloc(arena, 1, i % 100 + 1);
        memset(blocks[i], (int)(i % 251), i % 100 + 1);
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t at = 0; at < i % 100 + 1; at++) {
            check_int(i, blocks[i][at], (int64_t)(i % 251));
        }
    }
}

static void growing_keeps_the_bytes_in_place_when_newest(void **state)
{
    static const struct {
        size_t from, to;
        bool is_newest;
        bool stays;
    } rows[] = {
        {10, 20, true, true},   {10, 10000, true, true},
        {0, 10, true, true},    {10, LARGE, true, false}, // past the block
        {10, 20, false, false}, {10, 10000, false, false},
    };
    od_arena *arena = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_arena_reset(arena);
        char *bytes = od_arena_bytes(arena, rows[i].from);
        memset(bytes, 'x', rows[i].from);
        if (!rows[i].is_newest) {
            (void)od_arena_bytes(arena, 1);
        }
        char *grown = od_arena_grow(arena, bytes, rows[i].from, rows[i].to);
        check_int(i, grown == bytes, rows[i].stays);
        for (size_t at = 0; at < rows[i].from; at++) {
            check_int(i, grown[at], 'x');
        }
        memset(grown, 'y', rows[i].to);
    }
    char *fresh = od_arena_grow(arena, NULL, 0, 10);
    assert_non_null(fresh);
}

static void rewinding_gives_back_what_came_after_the_mark(void **state)
{
    static const size_t sizes[] = {1, 100, 16000, LARGE};
    od_arena *arena = *state;
    char *kept = od_arena_bytes(arena, 4);
    memset(kept, 'k', 4);
    od_mark mark = od_arena_mark(arena);
    char *first = od_arena_bytes(arena, 8);
    for (size_t i = 0; i < OD_COUNT(sizes); i++) {
        od_arena_rewind(arena, mark);
        check_int(i, IS_POISONED(first) != 0, true);
        check_int(i, od_arena_bytes(arena, 8) == first, true);
        (void)od_arena_bytes(arena, sizes[i]);
        (void)od_arena_bytes(arena, sizes[i]);
    }
    assert_memory_equal(kept, "kkkk", 4);
}

static void a_reset_keeps_the_first_block(void **state)
{
    od_arena *arena = *state;
    char *first = od_arena_bytes(arena, 8);
    (void)od_arena_bytes(arena, LARGE);
    od_arena_reset(arena);
    assert_true(IS_POISONED(first) != 0);
    assert_ptr_equal(od_arena_bytes(arena, 8), first);
}

static void copies_are_their_own_and_end_with_a_nul(void **state)
{
    od_arena *arena = *state;
    char text[] = "a\0b";
    od_str copy = od_arena_copy(arena, (od_str){text, 3});
    text[0] = 'x';
    check_str(0, copy, OD_STR("a\0b"));
    check_int(1, copy.ptr[3], '\0');
    od_str empty = od_arena_copy(arena, (od_str){NULL, 0});
    check_int(2, (int64_t)empty.len, 0);
    check_int(3, empty.ptr[0], '\0');
}

static void printed_text_is_as_long_as_it_has_to_be(void **state)
{
    od_arena *arena = *state;
    check_text(0, od_arena_printf(arena, "%s-%d", "a", 7), "a-7");
    check_text(1, od_arena_printf(arena, "%s", ""), "");
    od_str wide = od_arena_printf(arena, "%*d", 50000, 7);
    check_int(2, (int64_t)wide.len, 50000);
    check_int(3, wide.ptr[49999], '7');
    check_int(4, wide.ptr[50000], '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_size_past_all_memory_ends_the_process),
        TEST(allocations_are_zeroed_and_aligned),
        TEST(allocations_do_not_overlap),
        TEST(growing_keeps_the_bytes_in_place_when_newest),
        TEST(rewinding_gives_back_what_came_after_the_mark),
        TEST(a_reset_keeps_the_first_block),
        TEST(copies_are_their_own_and_end_with_a_nul),
        TEST(printed_text_is_as_long_as_it_has_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
