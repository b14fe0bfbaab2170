#include "model/number.h"

#include "support.h"

#include <string.h>

#define MALFORMED "The parameter cannot be converted to a numeric value"
#define DIGITS    "Attempting to store more than 38 significant digits in a Number"
#define OVERFLOW \
    "Number overflow. Attempting to store a number with magnitude larger than supported range"
#define UNDERFLOW \
    "Number underflow. Attempting to store a number with magnitude smaller than supported range"

#define D10      "1234567890"
#define D38      "12345678901234567890123456789012345678"
#define D39      D10 D10 D10 "123456789"
#define NINES37  "9999999999999999999999999999999999999"
#define ZEROS10  "0000000000"
#define ZEROS50  ZEROS10 ZEROS10 ZEROS10 ZEROS10 ZEROS10
#define ZEROS125 ZEROS50 ZEROS50 ZEROS10 ZEROS10 "00000"
#define ZEROS129 ZEROS125 "0000"

static od_number number_of(od_ctx *cx, const char *text)
{
    od_number n = {0};
    if (od_number_parse(cx, od_cstr(text), &n) != OD_OK) {
        fail_msg("%s is refused: %.*s", text, OD_STR_ARG(cx->error));
    }
    return n;
}

static od_str text_of(od_ctx *cx, od_number n)
{
    char *text = od_arena_bytes(cx->arena, OD_NUMBER_TEXT_MAX);
    return (od_str){text, od_number_text(n, text)};
}

static od_str packed_of(od_ctx *cx, od_number n)
{
    char *bytes = od_arena_bytes(cx->arena, OD_NUMBER_PACKED_MAX);
    return (od_str){bytes, od_number_pack(n, bytes)};
}

static bool is_same(od_number a, od_number b)
{
    return a.coefficient == b.coefficient && a.exponent == b.exponent && a.negative == b.negative;
}

// --- Reading and writing text -------------------------------------------------------------------

static void malformed_text_is_refused_and_repeated(void **state)
{
    static const char *const rows[] = {
        ".",     "+",        "-",    "+.",  "-.",       "1+2",       "1.2.3", "+e2", "e2",
        ".e2",   "12e",      "12e+", "1e+", "1e-",      "1E",        "0x5",   "0x",  "1_000",
        "1,000", "NaN",      "nan",  "inf", "Infinity", "-Infinity", " ",     " 1",  "1 ",
        "1 2",   "1\t",      "\n1",  "--1", "+-1",      "1e1.5",     "1e1e1", "1-",  "..1",
        "1..",   "\xD9\xA1", "1f",   "1d",  "1e+-2",    "- 1",       "1e 5",  "a",   "$1",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_number n = {0};
        check_int(i, od_number_parse(cx, od_cstr(rows[i]), &n), OD_VALIDATION);
        od_str expected = od_arena_printf(cx->arena, MALFORMED ": %s", rows[i]);
        check_text(i, cx->error, expected.ptr);
    }
}

static void faults_are_told_apart_and_the_first_one_is_told(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", MALFORMED},
        {D39, DIGITS},
        {"-" D39, DIGITS},
        {"." D39, DIGITS},
        {D10 "." D10 D10 "123456789", DIGITS},
        {"1." ZEROS50 "1", DIGITS},
        {"1" ZEROS50 "1", DIGITS},
        {"00" D39 "00e5", DIGITS},
        {"1e126", OVERFLOW},
        {"-1e126", OVERFLOW},
        {"10e125", OVERFLOW},
        {"1" ZEROS125 "0", OVERFLOW},
        {"9." NINES37 "e126", OVERFLOW},
        {"1e99999999999999999999999999", OVERFLOW},
        {"1e2147483648", OVERFLOW},
        {"1e4294967296", OVERFLOW},
        {"1e18446744073709551616", OVERFLOW},
        {"1e-131", UNDERFLOW},
        {"-1e-131", UNDERFLOW},
        {"0.1e-130", UNDERFLOW},
        {"0." ZEROS129 "01", UNDERFLOW},
        {"1e-99999999999999999999999999", UNDERFLOW},
        {"1e-18446744073709551616", UNDERFLOW},
        {"0e126", OVERFLOW},
        {"-0e126", OVERFLOW},
        {"0e-131", UNDERFLOW},
        {"0e999999999999", OVERFLOW},
        // Syntax before digits before range.
        {D39 "e", MALFORMED ": " D39 "e"},
        {"1e126x", MALFORMED ": 1e126x"},
        {D39 "e200", DIGITS},
        {D39 "e-200", DIGITS},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_number n = {0};
        check_int(i, od_number_parse(cx, od_cstr(rows[i].text), &n), OD_VALIDATION);
        check_text(i, cx->error, rows[i].message);
    }
}

static void text_comes_back_canonical(void **state)
{
    static const struct {
        const char *text;
        const char *canonical;
    } rows[] = {
        {"+5", "5"},
        {"5.", "5"},
        {".5", "0.5"},
        {"-.5", "-0.5"},
        {"1.e5", "100000"},
        {"007", "7"},
        {"1e-3", "0.001"},
        {"-0", "0"},
        {"+0", "0"},
        {"0", "0"},
        {"000.000", "0"},
        {"-0.0", "0"},
        {"0.0e126", "0"},
        {"0e125", "0"},
        {"0e-130", "0"},
        {"0.1e126", "1" ZEROS125},
        {"1E+2", "100"},
        {"1E2", "100"},
        {"1e0", "1"},
        {"1e00000000000000000000002", "100"},
        {"12.3400", "12.34"},
        {"0012.3400", "12.34"},
        {"100", "100"},
        {"100.0", "100"},
        {"-100.50", "-100.5"},
        {"123e-2", "1.23"},
        {"123e-3", "0.123"},
        {"123e-4", "0.0123"},
        {"0.00123e5", "123"},
        {"0.00123e4", "12.3"},
        {D38, D38},
        {"-" D38, "-" D38},
        {D38 "000", D38 "000"},
        {"000" D38, D38},
        {D10 "." D10 D10 "12345678", D10 "." D10 D10 "12345678"},
        {"0.000" D38, "0.000" D38},
        {"18446744073709551615", "18446744073709551615"},
        {"18446744073709551616", "18446744073709551616"},
        {"1E125", "1" ZEROS125},
        {"-1E125", "-1" ZEROS125},
        {"1E-130", "0." ZEROS129 "1"},
        {"1" ZEROS125, "1" ZEROS125},
        {"0." ZEROS129 "1", "0." ZEROS129 "1"},
        {"-1234567890123456789012345678901234567.8E-166",
         "-0." ZEROS129 "12345678901234567890123456789012345678"},
        {"0." ZEROS129 ZEROS129 "1e129", "0." ZEROS129 "1"},
        {"1" ZEROS129 ZEROS129 "e-258", "1"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        check_text(i, text_of(cx, number_of(cx, rows[i].text)), rows[i].canonical);
        od_number again = number_of(cx, rows[i].canonical);
        check_true(i, is_same(again, number_of(cx, rows[i].text)), "canonical text is equal");
    }
}

static void the_largest_number_is_accepted(void **state)
{
    od_ctx *cx = *state;
    od_str text = text_of(cx, number_of(cx, "-9." NINES37 "E125"));
    assert_int_equal(text.len, 127);
    od_str digits = {text.ptr + 1, 38};
    check_text(0, digits, "9" NINES37);
}

static void hostile_length_is_no_trouble(void **state)
{
    od_ctx *cx = *state;
    enum { LEN = 1000000 };
    char *digits = od_arena_bytes(cx->arena, LEN);
    od_number n = {0};

    memset(digits, '9', LEN);
    assert_int_equal(od_number_parse(cx, (od_str){digits, LEN}, &n), OD_VALIDATION);
    check_text(0, cx->error, DIGITS);

    memset(digits, '0', LEN);
    od_str text = od_arena_printf(cx->arena, "0.%.*s1e1000002", LEN, digits);
    assert_int_equal(od_number_parse(cx, text, &n), OD_OK);
    check_text(1, text_of(cx, n), "10");

    text = od_arena_printf(cx->arena, "1%.*se-999999", LEN, digits);
    assert_int_equal(od_number_parse(cx, text, &n), OD_OK);
    check_text(2, text_of(cx, n), "10");

    text = od_arena_printf(cx->arena, "1e%.*s1", LEN, digits);
    assert_int_equal(od_number_parse(cx, text, &n), OD_OK);
    check_text(3, text_of(cx, n), "10");

    text = od_arena_printf(cx->arena, "%.*s", LEN, digits);
    assert_int_equal(od_number_parse(cx, text, &n), OD_OK);
    check_text(4, text_of(cx, n), "0");
}

static void counts_become_numbers(void **state)
{
    static const struct {
        uint64_t count;
        const char *text;
    } rows[] = {
        {0, "0"},
        {1, "1"},
        {10, "10"},
        {99, "99"},
        {100, "100"},
        {12300, "12300"},
        {UINT32_MAX, "4294967295"},
        {UINT64_MAX, "18446744073709551615"},
        {10000000000000000000U, "10000000000000000000"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_number n = od_number_from_u64(rows[i].count);
        check_text(i, text_of(cx, n), rows[i].text);
        check_true(i, is_same(n, number_of(cx, rows[i].text)), "normal");
    }
}

// --- Packed -------------------------------------------------------------------------------------

static void malformed_packed_bytes_are_refused(void **state)
{
    static const char *const rows[] = {
        "",
        "00",
        "0F",
        "13",
        "53",
        "12",
        "1242",
        "12 00 02",       // exponent 0
        "12 81 02",       // exponent 129
        "12 42 00",       // last digit 0
        "12 42 01 02",    // first digit 0
        "12 42 03",       // no last digit
        "12 42 C8",       // digit 100
        "12 42 C9 02",    // digit 100, not the last
        "12 42 03 FF 02", // digit 127
        "12 42 03 00",    // last digit 0
        "10 FF FD",       // the same complemented
        "10 7E FD",       //
        "10 BD FF",       //
        "10 BD FE FD",    //
        "10 BD FC",       //
        "10 BD 37",       //
        // 39 digits: twenty groups, of which the first has one digit and the last two.
        "12 42 03 03030303030303030303 0303030303030303 02",
        // 39 digits: twenty groups, of which the first has two digits and the last one.
        "12 42 15 03030303030303030303 0303030303030303 14",
        // Twenty-one groups.
        "12 42 03 03030303030303030303 0303030303030303 03 14",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        check_int(i, (int64_t)od_number_packed_len(from_hex(cx->arena, rows[i])), 0);
    }
}

static void the_packed_layout_is_what_is_on_disk(void **state)
{
    static const struct {
        const char *text;
        const char *hex;
    } rows[] = {
        {"0", "11"},
        {"1", "12 42 02"},
        {"-1", "10 BD FD"},
        {"9", "12 42 12"},
        {"10", "12 42 14"},
        {"99", "12 42 C6"},
        {"-99", "10 BD 39"},
        {"100", "12 43 02"},
        {"1000", "12 43 14"},
        {"12345", "12 44 03 2F 5A"},
        {"-12345", "10 BB FC D0 A5"},
        {"99999", "12 44 13 C7 C6"},
        {"-99999", "10 BB EC 38 39"},
        {"0.1", "12 41 14"},
        {"0.01", "12 41 02"},
        {"0.001", "12 40 14"},
        {"100.5", "12 43 03 01 64"},
        {"1e125", "12 80 14"},
        {"-1e125", "10 7F EB"},
        {"1e-130", "12 01 02"},
        {"-1e-130", "10 FE FD"},
        {D38, "12 54 19 45 71 9D B5 19 45 71 9D B5 19 45 71 9D B5 19 45 71 9C"},
        {"1.2345678901234567890123456789012345678",
         "12 42 03 2F 5B 87 B3 03 2F 5B 87 B3 03 2F 5B 87 B3 03 2F 5B 87 A0"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_number n = number_of(cx, rows[i].text);
        od_str packed = packed_of(cx, n);
        check_hex(i, packed, rows[i].hex);
        check_int(i, (int64_t)od_number_packed_len(packed), (int64_t)packed.len);
        check_true(i, is_same(od_number_unpack(packed), n), "unpacks to what was packed");
    }
}

static void a_packed_number_ends_itself(void **state)
{
    od_ctx *cx = *state;
    static const char *const rows[] = {"0", "1", "-1", "12345", "-0.0012345", D38};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_str packed = packed_of(cx, number_of(cx, rows[i]));
        struct od_buf longer = {.arena = cx->arena};
        od_buf_put(&longer, packed);
        od_buf_put(&longer, OD_STR("\x03\xFF\x00"));
        check_int(i, (int64_t)od_number_packed_len(od_buf_str(&longer)), (int64_t)packed.len);
        for (size_t len = 0; len < packed.len; len++) {
            check_int(i, (int64_t)od_number_packed_len((od_str){packed.ptr, len}), 0);
        }
    }
}

static void packed_bytes_sort_as_the_numbers_do(void **state)
{
    // In order.
    static const char *const rows[] = {
        "-9.9999999999999999999999999999999999999E125",
        "-1e125",
        "-12345678901234567890123456789012345678",
        "-1000",
        "-999.5",
        "-101",
        "-100.01",
        "-100",
        "-99.99",
        "-99",
        "-12.1",
        "-12.01",
        "-12",
        "-10",
        "-9",
        "-1.01",
        "-1.001",
        "-1",
        "-0.99",
        "-0.1",
        "-0.099",
        "-0.01",
        "-1e-130",
        "0",
        "1e-130",
        "1.1e-130",
        "0.01",
        "0.099",
        "0.1",
        "0.10001",
        "0.99",
        "1",
        "1.001",
        "1.01",
        "1.1",
        "1.11",
        "2",
        "9",
        "10",
        "12",
        "12.01",
        "12.1",
        "99",
        "99.99",
        "100",
        "100.01",
        "100.1",
        "101",
        "999.5",
        "1000",
        D38,
        "1e125",
        "9.9999999999999999999999999999999999999E125",
    };
    for (size_t i = 0; i + 1 < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        check_order(i, packed_of(cx, number_of(cx, rows[i])),
                    packed_of(cx, number_of(cx, rows[i + 1])));
    }
}

// --- Arithmetic and size ------------------------------------------------------------------------

static void results_out_of_reach_are_refused(void **state)
{
    static const struct {
        const char *a;
        const char *b;
        const char *message;
    } rows[] = {
        {"1E50", "1", OVERFLOW}, // a loss of precision, by DynamoDB's text
        {"1", "1E50", OVERFLOW},
        {"1E38", "1", OVERFLOW},
        {"1E39", "-1", OVERFLOW},
        {"-1E39", "1", OVERFLOW},
        {"1E125", "1E-130", OVERFLOW},
        {"1E125", "-1E-130", OVERFLOW},
        {"9." NINES37 "E125", "9." NINES37 "E125", OVERFLOW},
        {"-9." NINES37 "E125", "-9." NINES37 "E125", OVERFLOW},
        {"9E125", "1E125", OVERFLOW},
        {"9" NINES37, "9" NINES37, OVERFLOW},
        {"9" NINES37, "0.1", OVERFLOW},
        {"34028236692093846346337460743176821145", "1e38", OVERFLOW},
        {"34e37", "9" NINES37, OVERFLOW}, // 128 bits overflow when added
        {"35e37", "-9" NINES37, OVERFLOW},
        {"35e37", "-1", OVERFLOW}, // 128 bits overflow when scaled
        {"1.1E-130", "-1E-130", UNDERFLOW},
        {"-1.1E-130", "1E-130", UNDERFLOW},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_number sum = {0};
        od_number a = number_of(cx, rows[i].a);
        od_number b = number_of(cx, rows[i].b);
        check_int(i, od_number_add(cx, a, b, &sum), OD_VALIDATION);
        check_text(i, cx->error, rows[i].message);
        b.negative = !b.negative;
        check_int(i, od_number_subtract(cx, a, b, &sum), OD_VALIDATION);
        check_text(i, cx->error, rows[i].message);
    }
}

static void sums_and_differences_are_exact(void **state)
{
    static const struct {
        const char *a;
        const char *b;
        const char *sum;
        const char *difference;
    } rows[] = {
        {"0", "0", "0", "0"},
        {"0", "5", "5", "-5"},
        {"5", "0", "5", "5"},
        {"0.1", "0.2", "0.3", "-0.1"},
        {"1", "1", "2", "0"},
        {"-1", "-1", "-2", "0"},
        {"5", "5", "10", "0"},
        {"99", "1", "100", "98"},
        {"1e10", "1", "10000000001", "9999999999"},
        {"1", "1e10", "10000000001", "-9999999999"},
        {"-1.5", "2.25", "0.75", "-3.75"},
        {"1e125", "-1e125", "0", "2" ZEROS125},
        {"1e37", "1", "1" ZEROS10 ZEROS10 ZEROS10 "0000001", NINES37},
        {"18446744073709551615", "1", "18446744073709551616", "18446744073709551614"},
        {"18446744073709551616", "18446744073709551616", "36893488147419103232", "0"},
        {"5e37", "4" NINES37, "99999999999999999999999999999999999999", "1"},
        {"1e-130", "1e-130",
         "0." ZEROS125 "0000"
         "2",
         "0"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_number a = number_of(cx, rows[i].a);
        od_number b = number_of(cx, rows[i].b);
        od_number result = {0};
        check_int(i, od_number_add(cx, a, b, &result), OD_OK);
        check_text(i, text_of(cx, result), rows[i].sum);
        check_true(i, is_same(result, number_of(cx, rows[i].sum)), "the sum is normal");
        check_int(i, od_number_subtract(cx, a, b, &result), OD_OK);
        check_text(i, text_of(cx, result), rows[i].difference);
        check_true(i, is_same(result, number_of(cx, rows[i].difference)), "the difference too");
    }
}

// 10^38 + x needs 39 digits before it is known that x takes the first one away.
static void cancelling_past_38_digits_is_exact(void **state)
{
    od_ctx *cx = *state;
    od_number result = {0};
    od_number a = number_of(cx, "1e38");
    assert_int_equal(od_number_subtract(cx, a, number_of(cx, "1"), &result), OD_OK);
    check_text(0, text_of(cx, result), "9" NINES37);
    a = number_of(cx, "-1e38");
    assert_int_equal(od_number_add(cx, a, number_of(cx, "9" NINES37), &result), OD_OK);
    check_text(1, text_of(cx, result), "-1");
}

static void nines_carry_to_a_power_of_ten(void **state)
{
    od_ctx *cx = *state;
    od_number result = {0};
    od_number nines = number_of(cx, "9" NINES37);
    assert_int_equal(od_number_add(cx, nines, number_of(cx, "1"), &result), OD_OK);
    check_true(0, is_same(result, number_of(cx, "1e38")), "10^38");
}

static void sizes_are_dynamodbs(void **state)
{
    static const struct {
        const char *text;
        size_t size;
    } rows[] = {
        {"0", 1},         {"-0", 1},         {"1", 2},
        {"12", 2},        {"123", 3},        {"1234", 3},
        {"1000", 2},      {"1200", 2},       {"1230", 3},
        {"-1", 3},        {"-12", 3},        {"1.5", 3},
        {"0.0000001", 2}, {"0.00000012", 2}, {"0.000000123", 3},
        {"100.5", 4},     {"100.50", 4},     {"1E125", 2},
        {"1E-130", 2},    {"0.5", 2},        {"1.05", 3},
        {"1.005", 4},     {"-100.5", 5},     {D38, 20},
        {"-" D38, 21},    {"." D38, 20},     {"1." D10 D10 D10 "1234567", 21},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        check_int(i, (int64_t)od_number_size(number_of(cx, rows[i].text)), (int64_t)rows[i].size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(malformed_text_is_refused_and_repeated),
        TEST(faults_are_told_apart_and_the_first_one_is_told),
        TEST(text_comes_back_canonical),
        TEST(the_largest_number_is_accepted),
        TEST(hostile_length_is_no_trouble),
        TEST(counts_become_numbers),
        TEST(malformed_packed_bytes_are_refused),
        TEST(the_packed_layout_is_what_is_on_disk),
        TEST(a_packed_number_ends_itself),
        TEST(packed_bytes_sort_as_the_numbers_do),
        TEST(results_out_of_reach_are_refused),
        TEST(sums_and_differences_are_exact),
        TEST(cancelling_past_38_digits_is_exact),
        TEST(nines_carry_to_a_power_of_ten),
        TEST(sizes_are_dynamodbs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
