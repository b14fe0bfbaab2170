// The pieces that answers are written with. Values are in value_test.c.
#include "support.h"

#include <string.h>

static void strings_are_escaped_wherever_the_character_stands(void **state)
{
    static const struct {
        char c;
        const char *escaped;
    } rows[] = {
        {'"', "\\\""},       {'\\', "\\\\"},      {'\n', "\\n"}, {'\r', "\\r"},
        {'\t', "\\t"},       {'\b', "\\b"},       {'\f', "\\f"}, {'\0', "\\u0000"},
        {'\x01', "\\u0001"}, {'\x1f', "\\u001f"}, {' ', " "},    {'!', "!"},
        {'#', "#"},          {'[', "["},          {']', "]"},    {'/', "/"},
        {'\x7f', "\x7f"},    {'<', "<"},          {'a', "a"},    {'\x80', "\x80"},
        {'\xff', "\xff"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        // At every place of strings that are read sixteen bytes at a time, and at their ends.
        for (size_t len = 1; len < 40; len++) {
            for (size_t at = 0; at < len; at++) {
                char text[40];
                memset(text, 'x', sizeof(text));
                text[at] = rows[i].c;
                struct od_buf out = {.arena = cx->arena};
                od_json_str(&out, (od_str){text, len});
                od_str expected =
                    od_arena_printf(cx->arena, "\"%.*s%s%.*s\"", (int)at, text, rows[i].escaped,
                                    (int)(len - at - 1), text + at + 1);
                check_text(i, od_buf_str(&out), expected.ptr);
            }
        }
    }
}

static void every_character_comes_back(void **state)
{
    od_ctx *cx = *state;
    struct od_buf text = {.arena = cx->arena};
    for (unsigned c = 0; c < 0x80; c++) {
        od_buf_put_byte(&text, (unsigned char)c);
    }
    od_buf_put(&text, OD_STR("\xC2\x80\u07ff\u0800\uffff\U00010000\U0010FFFF"));
    struct od_buf out = {.arena = cx->arena};
    od_buf_put(&out, OD_STR("{\"a\":"));
    od_json_str(&out, od_buf_str(&text));
    od_buf_put(&out, OD_STR("}"));
    yyjson_val *root = NULL;
    assert_int_equal(od_wire_parse(cx, od_buf_str(&out), &root), OD_OK);
    assert_true(od_str_eq(od_wire_str(root, "a"), od_buf_str(&text)));
}

static void an_empty_string_is_two_quotes(void **state)
{
    od_ctx *cx = *state;
    struct od_buf out = {.arena = cx->arena};
    od_json_str(&out, (od_str){NULL, 0});
    check_text(0, od_buf_str(&out), "\"\"");
}

static void numbers_are_written_as_decimals(void **state)
{
    static const struct {
        void (*put)(struct od_buf *out, int64_t n);
        int64_t n;
        const char *expected;
    } rows[] = {
        {od_json_int, 0, "0"},
        {od_json_int, -7, "-7"},
        {od_json_int, INT64_MAX, "9223372036854775807"},
        {od_json_int, INT64_MIN, "-9223372036854775808"},
        {od_json_halves, 0, "0.0"},
        {od_json_halves, 1, "0.5"},
        {od_json_halves, 2, "1.0"},
        {od_json_halves, 5, "2.5"},
        {od_json_halves, 80000, "40000.0"},
        {od_json_epoch_ms, 0, "0.000"},
        {od_json_epoch_ms, 1764533085001, "1764533085.001"},
        {od_json_epoch_ms, 1764533085120, "1764533085.120"},
        {od_json_epoch_ms, -1, "-0.001"},
        {od_json_epoch_ms, -1500, "-1.500"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf out = {.arena = cx->arena};
        rows[i].put(&out, rows[i].n);
        check_text(i, od_buf_str(&out), rows[i].expected);
    }
}

static void members_put_their_own_commas(void **state)
{
    od_ctx *cx = *state;
    struct od_buf out = {.arena = cx->arena};
    od_json_raw(&out, "{");
    od_json_member(&out, "a");
    od_json_int(&out, 1);
    od_json_member(&out, "b");
    od_json_raw(&out, "{");
    od_json_member(&out, "c");
    od_json_raw(&out, "[]}");
    od_json_member(&out, "d");
    od_json_str(&out, OD_STR("{"));
    od_json_member(&out, "e");
    od_json_raw(&out, "null}");
    check_json(0, cx, od_buf_str(&out), "{'a':1,'b':{'c':[]},'d':'{','e':null}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(strings_are_escaped_wherever_the_character_stands),
        TEST(every_character_comes_back),
        TEST(an_empty_string_is_two_quotes),
        TEST(numbers_are_written_as_decimals),
        TEST(members_put_their_own_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
