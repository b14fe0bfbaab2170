#include "base/buf.h"

#include "support.h"

#include <string.h>

static void nothing_put_is_nothing_there(void **state)
{
    struct od_buf buf = {.arena = *state};
    od_buf_put(&buf, (od_str){NULL, 0});
    od_buf_put(&buf, OD_STR(""));
    od_buf_printf(&buf, "%s", "");
    assert_int_equal(buf.len, 0);
    assert_null(buf.ptr);
    check_str(0, od_buf_str(&buf), (od_str){NULL, 0});
}

static void pieces_are_appended(void **state)
{
    struct od_buf buf = {.arena = *state};
    od_buf_put(&buf, OD_STR("a\0b"));
    od_buf_put_byte(&buf, 0xFF);
    od_buf_printf(&buf, "%d%s", 12, "c");
    od_buf_put_u64(&buf, 34);
    check_str(0, od_buf_str(&buf),
              OD_STR("a\0b\xFF"
                     "12c34"));
}

static void bytes_stay_when_the_buffer_grows(void **state)
{
    enum { COUNT = 100000 };
    od_arena *arena = *state;
    struct od_buf buf = {.arena = arena};
    for (size_t i = 0; i < COUNT; i++) {
        od_buf_put_byte(&buf, (unsigned char)(i % 251));
        if (i % 1000 == 0) {
            (void)od_arena_bytes(arena, 1); // so that it cannot grow in place
        }
    }
    assert_int_equal(buf.len, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        check_int(i, (unsigned char)buf.ptr[i], (int64_t)(i % 251));
    }
}

static void reserved_room_is_written_by_the_caller(void **state)
{
    struct od_buf buf = {.arena = *state};
    static const size_t sizes[] = {0, 1, 255, 256, 257, 100000};
    size_t len = 0;
    for (size_t i = 0; i < OD_COUNT(sizes); i++) {
        char *at = od_buf_reserve(&buf, sizes[i]);
        check_int(i, (int64_t)buf.len, (int64_t)len);
        check_int(i, buf.cap - buf.len >= sizes[i], true);
        if (sizes[i] > 0) {
            memset(at, (int)i, sizes[i]);
        }
        buf.len += sizes[i];
        len += sizes[i];
    }
    check_int(0, buf.ptr[0], 1);
    check_int(1, buf.ptr[len - 1], (int64_t)OD_COUNT(sizes) - 1);
}

static void printing_may_be_longer_than_the_buffer(void **state)
{
    struct od_buf buf = {.arena = *state};
    od_buf_put(&buf, OD_STR("x"));
    od_buf_printf(&buf, "%*d", 5000, 7);
    od_buf_put(&buf, OD_STR("y"));
    assert_int_equal(buf.len, 5002);
    check_str(0, od_str_skip(od_buf_str(&buf), 4999), OD_STR(" 7y"));
}

static void numbers_are_put_in_decimal(void **state)
{
    static const struct {
        uint64_t n;
        const char *text;
    } rows[] = {
        {0, "0"}, {9, "9"}, {10, "10"}, {1000000, "1000000"}, {UINT64_MAX, "18446744073709551615"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf buf = {.arena = *state};
        od_buf_put_u64(&buf, rows[i].n);
        check_text(i, od_buf_str(&buf), rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_put_is_nothing_there),           TEST(pieces_are_appended),
        TEST(bytes_stay_when_the_buffer_grows),       TEST(reserved_room_is_written_by_the_caller),
        TEST(printing_may_be_longer_than_the_buffer), TEST(numbers_are_put_in_decimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
