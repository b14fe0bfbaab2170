#include "server/coding.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_BYTES = 1024 * 1024 };

static od_arena *arena;

static int open_arena(void **state)
{
    (void)state;
    arena = od_arena_create();
    return 0;
}

static int close_arena(void **state)
{
    (void)state;
    od_arena_destroy(arena);
    return 0;
}

static od_str zeros(size_t size)
{
    return (od_str){od_new_array(arena, char, size), size};
}

static od_str coded(od_str plain)
{
    od_str out = {0};
    assert_true(od_gzip_encode(arena, plain, &out));
    return out;
}

static void what_is_no_gzip_is_broken(void **state)
{
    (void)state;
    od_str out = {0};
    assert_int_equal(od_gzip_decode(arena, OD_STR(""), MAX_BYTES, &out), OD_INFLATE_BROKEN);
    assert_int_equal(od_gzip_decode(arena, OD_STR("{}"), MAX_BYTES, &out), OD_INFLATE_BROKEN);
}

static void a_body_cut_short_anywhere_is_broken(void **state)
{
    (void)state;
    od_str whole = coded(OD_STR("{\"TableName\":\"t\"}"));
    for (size_t len = 0; len < whole.len; len++) {
        od_str out = {0};
        od_str cut = {whole.ptr, len};
        assert_int_equal(od_gzip_decode(arena, cut, MAX_BYTES, &out), OD_INFLATE_BROKEN);
    }
}

static void bytes_after_the_end_are_broken(void **state)
{
    (void)state;
    od_str out = {0};
    od_str more = od_arena_printf(arena, "%s", "more");
    od_str whole = coded(OD_STR("{}"));
    char *both = od_arena_bytes(arena, whole.len + more.len);
    memcpy(both, whole.ptr, whole.len);
    memcpy(both + whole.len, more.ptr, more.len);
    od_str longer = {both, whole.len + more.len};
    assert_int_equal(od_gzip_decode(arena, longer, MAX_BYTES, &out), OD_INFLATE_BROKEN);
}

static void a_small_body_does_not_become_a_huge_one(void **state)
{
    (void)state;
    od_str out = {0};
    od_str bomb = coded(zeros((size_t)64 * MAX_BYTES));
    assert_true(bomb.len < MAX_BYTES);
    assert_int_equal(od_gzip_decode(arena, bomb, MAX_BYTES, &out), OD_INFLATE_TOO_LARGE);
}

static void the_limit_is_exact(void **state)
{
    (void)state;
    od_str out = {0};
    assert_int_equal(od_gzip_decode(arena, coded(zeros(MAX_BYTES)), MAX_BYTES, &out),
                     OD_INFLATE_OK);
    assert_int_equal(out.len, MAX_BYTES);
    assert_int_equal(od_gzip_decode(arena, coded(zeros(MAX_BYTES + 1)), MAX_BYTES, &out),
                     OD_INFLATE_TOO_LARGE);
}

static void a_body_comes_back_as_it_was(void **state)
{
    (void)state;
    od_str plain = OD_STR("{\"TableName\":\"Music\"}");
    od_str out = {0};
    assert_int_equal(od_gzip_decode(arena, coded(plain), MAX_BYTES, &out), OD_INFLATE_OK);
    assert_true(od_str_eq(out, plain));
}

static void the_checksum_is_that_of_the_standard(void **state)
{
    (void)state;
    assert_int_equal(od_crc32(OD_STR("")), 0);
    assert_int_equal(od_crc32(OD_STR("123456789")), 0xCBF43926);
}

static void gzip_is_accepted_where_it_is_named_and_not_forbidden(void **state)
{
    (void)state;
    static const struct {
        od_str header;
        bool accepts;
    } rows[] = {
        {OD_STR_INIT(""), false},
        {OD_STR_INIT("identity"), false},
        {OD_STR_INIT("x-gzipped"), false},
        {OD_STR_INIT("gzip;q=0"), false},
        {OD_STR_INIT("deflate, gzip ; q=0.000"), false},
        {OD_STR_INIT("gzip\t;\tq=0"), false},
        {OD_STR_INIT("deflate,\tgzip"), true},
        {OD_STR_INIT("gzip"), true},
        {OD_STR_INIT("GZIP"), true},
        {OD_STR_INIT("deflate,gzip"), true},
        {OD_STR_INIT("br;q=1.0, gzip;q=0.5, *;q=0"), true},
        {OD_STR_INIT("gzip;q=0.001"), true},
        {OD_STR_INIT("gzip;"), true},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        if (od_accepts_gzip(rows[i].header) != rows[i].accepts) {
            fail_msg("row %zu: %.*s", i, OD_STR_ARG(rows[i].header));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzip_is_accepted_where_it_is_named_and_not_forbidden),
        cmocka_unit_test_setup_teardown(what_is_no_gzip_is_broken, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(a_body_cut_short_anywhere_is_broken, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(bytes_after_the_end_are_broken, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(a_small_body_does_not_become_a_huge_one, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(the_limit_is_exact, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(a_body_comes_back_as_it_was, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(the_checksum_is_that_of_the_standard, open_arena,
                                        close_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
