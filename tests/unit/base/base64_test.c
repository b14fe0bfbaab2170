#include "base/base64.h"

#include "support.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void check_verdict(size_t row, od_arena *arena, od_str text, bool expected)
{
    od_str bytes = {NULL, 0};
    if (od_base64_decode(arena, text, &bytes) != expected || od_base64_valid(text) != expected) {
        fail_msg("row %zu: \"%.*s\" should be %s", row, OD_STR_ARG(text),
                 expected ? "accepted" : "refused");
    }
}

static void what_is_not_strictly_base64_is_refused(void **state)
{
    static const od_str rows[] = {
        // Length.
        OD_STR_INIT("Y"),
        OD_STR_INIT("YQ"),
        OD_STR_INIT("YWI"),
        OD_STR_INIT("YQ="),
        OD_STR_INIT("YWJjY"),
        OD_STR_INIT("YWJjYQ="),
        OD_STR_INIT("YWJj="),
        // Padding.
        OD_STR_INIT("="),
        OD_STR_INIT("===="),
        OD_STR_INIT("Y==="),
        OD_STR_INIT("=YQ="),
        OD_STR_INIT("Y=Q="),
        OD_STR_INIT("YQ=a"),
        OD_STR_INIT("=aaa"),
        OD_STR_INIT("YQ==YQ=="),
        OD_STR_INIT("YWI=YWJj"),
        OD_STR_INIT("YWJj===="),
        // Alphabet.
        OD_STR_INIT("YQ-_"),
        OD_STR_INIT("YW\nj"),
        OD_STR_INIT("YWJj\r\nYWJj\r\n"),
        OD_STR_INIT(" YWJj   "),
        OD_STR_INIT("YW\0j"),
        OD_STR_INIT("YW.j"),
        OD_STR_INIT("Y*=="),
        OD_STR_INIT("\xC3\xA9=="),
        // Bits that stand for nothing.
        OD_STR_INIT("YR=="),
        OD_STR_INIT("Yf=="),
        OD_STR_INIT("YWJ="),
        OD_STR_INIT("YWL="),
        OD_STR_INIT("//=="),
        OD_STR_INIT("///="),
        OD_STR_INIT("YWJjYWJjYR=="),
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_verdict(i, *state, rows[i], false);
    }
}

static void every_byte_is_judged_at_every_place(void **state)
{
    od_arena *arena = *state;
    for (size_t place = 0; place < 8; place++) {
        for (size_t byte = 0; byte < 256; byte++) {
            char text[] = "AAAAAAAA";
            text[place] = (char)byte;
            bool is_digit = byte != 0 && strchr(alphabet, (int)byte) != NULL;
            bool is_padding = place == 7 && byte == '=';
            check_verdict(place * 1000 + byte, arena, (od_str){text, 8}, is_digit || is_padding);
        }
    }
}

static void known_texts_are_encoded_and_decoded(void **state)
{
    static const struct {
        od_str bytes;
        const char *text;
    } rows[] = {
        {OD_STR_INIT(""), ""},
        {OD_STR_INIT("f"), "Zg=="},
        {OD_STR_INIT("fo"), "Zm8="},
        {OD_STR_INIT("foo"), "Zm9v"},
        {OD_STR_INIT("foob"), "Zm9vYg=="},
        {OD_STR_INIT("fooba"), "Zm9vYmE="},
        {OD_STR_INIT("foobar"), "Zm9vYmFy"},
        {OD_STR_INIT("\0"), "AA=="},
        {OD_STR_INIT("\0\0\0"), "AAAA"},
        {OD_STR_INIT("\xFF"), "/w=="},
        {OD_STR_INIT("\xFB\xEF\xBE"), "++++"},
        {OD_STR_INIT("\xFF\xFF\xFF"), "////"},
    };
    od_arena *arena = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf out = {.arena = arena};
        od_base64_encode(&out, rows[i].bytes);
        check_text(i, od_buf_str(&out), rows[i].text);
        od_str bytes = {NULL, 0};
        check_int(i, od_base64_decode(arena, od_cstr(rows[i].text), &bytes), true);
        check_str(i, bytes, rows[i].bytes);
        assert_non_null(bytes.ptr);
    }
}

static void the_alphabet_stands_for_0_to_63(void **state)
{
    od_arena *arena = *state;
    od_str bytes = {NULL, 0};
    assert_true(od_base64_decode(arena, od_cstr(alphabet), &bytes));
    assert_int_equal(bytes.len, 48);
    for (size_t i = 0; i < 64; i++) {
        size_t bit = 6 * i;
        unsigned pair = (unsigned)(unsigned char)bytes.ptr[bit / 8] << 8;
        pair |= bit / 8 + 1 < bytes.len ? (unsigned char)bytes.ptr[bit / 8 + 1] : 0U;
        check_int(i, (int64_t)(pair >> (10 - bit % 8) & 63), (int64_t)i);
    }
}

static void bytes_of_any_length_come_back(void **state)
{
    enum { MAX = 300 };
    od_arena *arena = *state;
    char bytes[MAX];
    for (size_t i = 0; i < MAX; i++) {
        bytes[i] = (char)(i * 167 + i / 3);
    }
    for (size_t len = 0; len <= MAX; len++) {
        struct od_buf out = {.arena = arena};
        od_buf_put_byte(&out, '"');
        od_base64_encode(&out, (od_str){bytes, len});
        od_str text = od_str_skip(od_buf_str(&out), 1);
        check_int(len, (int64_t)text.len, (int64_t)((len + 2) / 3 * 4));
        od_str back = {NULL, 0};
        check_int(len, od_base64_valid(text), true);
        check_int(len, od_base64_decode(arena, text, &back), true);
        check_str(len, back, (od_str){bytes, len});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_not_strictly_base64_is_refused), TEST(every_byte_is_judged_at_every_place),
        TEST(known_texts_are_encoded_and_decoded),    TEST(the_alphabet_stands_for_0_to_63),
        TEST(bytes_of_any_length_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
