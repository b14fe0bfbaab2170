#include "support.h"

int arena_setup(void **state)
{
    *state = od_arena_create();
    return 0;
}

int arena_teardown(void **state)
{
    od_arena_destroy(*state);
    return 0;
}

void check_int(size_t row, int64_t got, int64_t expected)
{
    if (got != expected) {
        fail_msg("row %zu: got %lld, expected %lld", row, (long long)got, (long long)expected);
    }
}

void check_str(size_t row, od_str got, od_str expected)
{
    if (!od_str_eq(got, expected)) {
        fail_msg("row %zu: got \"%.*s\" (%zu bytes), expected \"%.*s\" (%zu bytes)", row,
                 OD_STR_ARG(got), got.len, OD_STR_ARG(expected), expected.len);
    }
}

void check_text(size_t row, od_str got, const char *expected)
{
    check_str(row, got, od_cstr(expected));
}
