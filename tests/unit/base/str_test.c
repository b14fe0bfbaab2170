#include "support.h"

#include <string.h>

static const od_str none = {NULL, 0};

static void equality_is_of_bytes(void **state)
{
    (void)state;
    const struct {
        od_str a, b;
        bool equal, equal_nocase;
    } rows[] = {
        {OD_STR("abc"), OD_STR("abd"), false, false},
        {OD_STR("abc"), OD_STR("ab"), false, false},
        {OD_STR("abc"), OD_STR("ABC"), false, true},
        {OD_STR("\xC3\xA9"), OD_STR("\xC3\x89"), false, false}, // letters beyond ASCII
        {OD_STR("["), OD_STR("{"), false, false},
        {OD_STR(""), OD_STR("a"), false, false},
        {none, OD_STR("a"), false, false},
        {OD_STR("abc"), OD_STR("abc"), true, true},
        {OD_STR("a\0b"), OD_STR("a\0b"), true, true},
        {none, OD_STR(""), true, true},
        {none, none, true, true},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_int(i, od_str_eq(rows[i].a, rows[i].b), rows[i].equal);
        check_int(i, od_str_eq(rows[i].b, rows[i].a), rows[i].equal);
        check_int(i, od_str_eq_nocase(rows[i].a, rows[i].b), rows[i].equal_nocase);
    }
    assert_false(od_str_eq(OD_STR("a\0b"), OD_STR("a\0c")));
    assert_false(od_str_eq_nocase(OD_STR("a\0b"), OD_STR("a\0c")));
}

static bool is_ascii_letter(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Every two bytes, at places in and behind the words of eight bytes.
static void two_bytes_are_alike_but_for_case_when_they_are_one_letter(void **state)
{
    (void)state;
    static const size_t places[] = {0, 7, 8, 18};
    char a[19];
    char b[19];
    memset(a, 'x', sizeof(a));
    memset(b, 'x', sizeof(b));
    for (size_t pair = 0; pair < (size_t)256 * 256; pair++) {
        unsigned char one = (unsigned char)(pair / 256);
        unsigned char other = (unsigned char)(pair % 256);
        bool alike = one == other || ((one ^ other) == 0x20 && is_ascii_letter(one));
        for (size_t i = 0; i < OD_COUNT(places); i++) {
            a[places[i]] = (char)one;
            b[places[i]] = (char)other;
            bool equal = od_str_eq_nocase((od_str){a, sizeof(a)}, (od_str){b, sizeof(b)});
            a[places[i]] = 'x';
            b[places[i]] = 'x';
            check_int(pair, equal, alike);
        }
    }
}

static void parts_are_found_at_the_front_and_anywhere(void **state)
{
    (void)state;
    const struct {
        od_str s, part;
        bool in_front, anywhere;
    } rows[] = {
        {OD_STR("abc"), OD_STR("abcd"), false, false},
        {OD_STR("abc"), OD_STR("ac"), false, false},
        {OD_STR(""), OD_STR("a"), false, false},
        {none, OD_STR("a"), false, false},
        {OD_STR("abc"), OD_STR("bc"), false, true},
        {OD_STR("aab"), OD_STR("ab"), false, true},
        {OD_STR("a\0b"), OD_STR("\0b"), false, true},
        {OD_STR("abc"), OD_STR("ab"), true, true},
        {OD_STR("abc"), OD_STR("abc"), true, true},
        {OD_STR("abc"), OD_STR(""), true, true},
        {OD_STR("abc"), none, true, true},
        {none, none, true, true},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_int(i, od_str_has_prefix(rows[i].s, rows[i].part), rows[i].in_front);
        check_int(i, od_str_contains(rows[i].s, rows[i].part), rows[i].anywhere);
    }
}

static void space_is_trimmed_at_both_ends_and_kept_within(void **state)
{
    (void)state;
    const struct {
        od_str s;
        const char *want;
    } rows[] = {
        {none, ""},
        {OD_STR(""), ""},
        {OD_STR(" \t\r\n"), ""},
        {OD_STR("a"), "a"},
        {OD_STR("\t a \t b\r\n"), "a \t b"},
        {OD_STR("\va\xA0"), "\va\xA0"}, // no space here
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_text(i, od_str_trim(rows[i].s), rows[i].want);
    }
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static void order_is_by_unsigned_bytes_and_a_prefix_comes_first(void **state)
{
    (void)state;
    const od_str sorted[] = {
        OD_STR(""),     OD_STR("\0"),       OD_STR("\0\0"), OD_STR("A"),
        OD_STR("a"),    OD_STR("a\0"),      OD_STR("aa"),   OD_STR("b"),
        OD_STR("\x7F"), OD_STR("\xC3\xA9"), OD_STR("\xFF"),
    };
    for (size_t i = 0; i < OD_COUNT(sorted); i++) {
        for (size_t j = 0; j < OD_COUNT(sorted); j++) {
            int expected = (i > j) - (i < j);
            check_int(i * 100 + j, sign(od_str_compare(sorted[i], sorted[j])), expected);
        }
    }
    check_int(0, od_str_compare(none, OD_STR("")), 0);
}

static void skipping_cuts_the_front_off(void **state)
{
    (void)state;
    check_text(0, od_str_skip(OD_STR("abc"), 0), "abc");
    check_text(1, od_str_skip(OD_STR("abc"), 2), "c");
    check_text(2, od_str_skip(OD_STR("abc"), 3), "");
    assert_null(od_str_skip(none, 0).ptr);
}

static void what_is_no_number_of_64_bits_is_refused(void **state)
{
    (void)state;
    const od_str rows[] = {
        none,
        OD_STR(""),
        OD_STR("-1"),
        OD_STR("+1"),
        OD_STR(" 1"),
        OD_STR("1 "),
        OD_STR("1.0"),
        OD_STR("0x1"),
        OD_STR("1\0"),
        OD_STR("1e2"),
        OD_STR("a"),
        OD_STR("18446744073709551616"),
        OD_STR("99999999999999999999999"),
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        uint64_t n = 0;
        check_int(i, od_str_to_u64(rows[i], &n), false);
    }
}

static void numbers_of_64_bits_are_read(void **state)
{
    (void)state;
    const struct {
        od_str text;
        uint64_t n;
    } rows[] = {
        {OD_STR("0"), 0},
        {OD_STR("007"), 7},
        {OD_STR("1234567890"), 1234567890},
        {OD_STR("18446744073709551615"), UINT64_MAX},
        {OD_STR("00000000000000000000000000001"), 1},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        uint64_t n = 1;
        check_int(i, od_str_to_u64(rows[i].text, &n), true);
        check_int(i, (int64_t)n, (int64_t)rows[i].n);
    }
}

static void text_of_c_ends_at_its_nul(void **state)
{
    (void)state;
    check_str(0, od_cstr("abc"), OD_STR("abc"));
    check_int(1, (int64_t)od_cstr("").len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equality_is_of_bytes),
        cmocka_unit_test(two_bytes_are_alike_but_for_case_when_they_are_one_letter),
        cmocka_unit_test(parts_are_found_at_the_front_and_anywhere),
        cmocka_unit_test(space_is_trimmed_at_both_ends_and_kept_within),
        cmocka_unit_test(order_is_by_unsigned_bytes_and_a_prefix_comes_first),
        cmocka_unit_test(skipping_cuts_the_front_off),
        cmocka_unit_test(what_is_no_number_of_64_bits_is_refused),
        cmocka_unit_test(numbers_of_64_bits_are_read),
        cmocka_unit_test(text_of_c_ends_at_its_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
