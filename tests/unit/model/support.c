#include "support.h"

#include "base/buf.h"
#include "base/random.h"

#include <stdlib.h>

int context_create(void **state)
{
    od_arena *arena = od_arena_create();
    od_ctx *cx = od_new(arena, od_ctx);
    cx->arena = arena;
    *state = cx;
    return 0;
}

int context_destroy(void **state)
{
    od_ctx *cx = *state;
    od_arena_destroy(cx->arena);
    return 0;
}

void check_text(size_t row, od_str got, const char *expected)
{
    if (!od_str_eq(got, od_cstr(expected))) {
        fail_msg("row %zu: got \"%.*s\", expected \"%s\"", row, OD_STR_ARG(got), expected);
    }
}

void check_hex(size_t row, od_str got, const char *expected)
{
    od_arena *arena = od_arena_create();
    bool is_equal = od_str_eq(got, from_hex(arena, expected));
    if (!is_equal) {
        od_str hex = to_hex(arena, got);
        print_error("row %zu: got %.*s, expected %s\n", row, OD_STR_ARG(hex), expected);
    }
    od_arena_destroy(arena);
    assert_true(is_equal);
}

void check_int(size_t row, int64_t got, int64_t expected)
{
    if (got != expected) {
        fail_msg("row %zu: got %lld, expected %lld", row, (long long)got, (long long)expected);
    }
}

void check_order(size_t row, od_str smaller, od_str larger)
{
    if (od_str_compare(smaller, larger) >= 0) {
        fail_msg("row %zu does not sort before the next", row);
    }
}

void check_true(size_t row, bool holds, const char *what)
{
    if (!holds) {
        fail_msg("row %zu: not so: %s", row, what);
    }
}

static unsigned nibble(char c)
{
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    assert_true(c >= 'A' && c <= 'F');
    return (unsigned)(c - 'A') + 10;
}

od_str from_hex(od_arena *arena, const char *hex)
{
    struct od_buf out = {.arena = arena};
    while (*hex != '\0') {
        if (*hex == ' ') {
            hex++;
            continue;
        }
        od_buf_put_byte(&out, (unsigned char)(nibble(hex[0]) << 4 | nibble(hex[1])));
        hex += 2;
    }
    return od_buf_str(&out);
}

od_str to_hex(od_arena *arena, od_str bytes)
{
    struct od_buf out = {.arena = arena};
    for (size_t i = 0; i < bytes.len; i++) {
        od_buf_printf(&out, "%02X ", (unsigned)(unsigned char)bytes.ptr[i]);
    }
    return od_buf_str(&out);
}

od_str value_str(od_value v)
{
    return (od_str){v.ptr, v.len};
}

uint64_t random_seed(void)
{
    uint64_t seed = 0;
    const char *given = getenv("ORDNA_TEST_SEED");
    if (given == NULL || !od_str_to_u64(od_cstr(given), &seed)) {
        od_random_bytes(&seed, sizeof(seed));
        seed >>= 1;
    }
    print_message("ORDNA_TEST_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

// splitmix64
uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

uint64_t random_below(uint64_t *state, uint64_t bound)
{
    return random_next(state) % bound;
}
