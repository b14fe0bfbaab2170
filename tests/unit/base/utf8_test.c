#include "base/utf8.h"

#include "support.h"

#include <string.h>

enum { LAST_CODE_POINT = 0x10FFFF };

static void malformed_text_is_refused_wherever_it_stands(void **state)
{
    static const od_str rows[] = {
        OD_STR_INIT("\x80"), // a byte that continues nothing
        OD_STR_INIT("\xBF"),
        OD_STR_INIT("\xC3"), // cut short
        OD_STR_INIT("\xE4\xB8"),
        OD_STR_INIT("\xF0\x9F\x98"),
        OD_STR_INIT("\xC3\x41"), // broken off
        OD_STR_INIT("\xE4\x41\xAD"),
        OD_STR_INIT("\xE4\xB8\x41"),
        OD_STR_INIT("\xF0\x9F\x98\x41"),
        OD_STR_INIT("\xC0\x80"), // overlong
        OD_STR_INIT("\xC1\xBF"),
        OD_STR_INIT("\xE0\x80\x80"),
        OD_STR_INIT("\xE0\x9F\xBF"),
        OD_STR_INIT("\xF0\x80\x80\x80"),
        OD_STR_INIT("\xF0\x8F\xBF\xBF"),
        OD_STR_INIT("\xED\xA0\x80"), // surrogates
        OD_STR_INIT("\xED\xBF\xBF"),
        OD_STR_INIT("\xF4\x90\x80\x80"), // past U+10FFFF
        OD_STR_INIT("\xF5\x80\x80\x80"),
        OD_STR_INIT("\xFE"),
        OD_STR_INIT("\xFF"),
    };
    (void)state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        for (size_t before = 0; before < 20; before++) {
            char text[40];
            memset(text, 'a', sizeof(text));
            memcpy(text + before, rows[i].ptr, rows[i].len);
            check_int(i, od_utf8_valid((od_str){text, before + rows[i].len}), false);
            check_int(i, od_utf8_valid((od_str){text, before + rows[i].len + 9}), false);
        }
    }
}

static size_t encode(uint32_t c, char out[4])
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = len - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 0x3F));
        c >>= 6;
    }
    out[0] = (char)(leads[len] | c);
    return len;
}

static void every_code_point_but_the_surrogates_is_text(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= LAST_CODE_POINT; c++) {
        char text[4];
        size_t len = encode(c, text);
        bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;
        if (od_utf8_valid((od_str){text, len}) == is_surrogate) {
            fail_msg("U+%04X is judged wrongly", (unsigned)c);
        }
        if (!is_surrogate) {
            check_int(c, (int64_t)od_utf8_utf16_len((od_str){text, len}), c < 0x10000 ? 1 : 2);
        }
    }
}

static void text_is_measured_in_utf16_units(void **state)
{
    static const struct {
        const char *text;
        size_t units;
    } rows[] = {
        {"", 0},
        {"abc", 3},
        {"\xC3\xA9", 1},
        {"a\xE4\xB8\xAD"
         "b",
         3},
        {"\xF0\x9F\x98\x80", 2},
        {"0123456789\xF0\x9F\x98\x80\xC3\xA9", 13},
    };
    (void)state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_str text = od_cstr(rows[i].text);
        check_int(i, od_utf8_valid(text), true);
        check_int(i, (int64_t)od_utf8_utf16_len(text), (int64_t)rows[i].units);
    }
    check_int(0, od_utf8_valid((od_str){NULL, 0}), true);
    check_int(1, od_utf8_valid(OD_STR("a\0b")), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_text_is_refused_wherever_it_stands),
        cmocka_unit_test(every_code_point_but_the_surrogates_is_text),
        cmocka_unit_test(text_is_measured_in_utf16_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
