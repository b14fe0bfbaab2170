#include "../base/support.h"
#include "codegen/codegen_internal.h"

static void names_become_words_with_underscores(void **state)
{
    od_arena *arena = *state;
    const struct {
        const char *name, *snake;
    } rows[] = {
        {"", "unnamed"},
        {"__", "unnamed"},
        {"2nd", "n2nd"},
        {"\xC3\x9F", "unnamed"},
        {"Gr\xC3\xB6\xC3\x9F"
         "e",
         "gr_e"},
        {"_id_", "id"},
        {"first-name", "first_name"},
        {"a..b", "a_b"},
        {"Org", "org"},
        {"homeCity", "home_city"},
        {"HomeCity", "home_city"},
        {"home_city", "home_city"},
        {"HTTPServer", "http_server"},
        {"VoteID", "vote_id"},
        {"GSI1", "gsi1"},
        {"GSI1PK", "gsi1_pk"},
        {"item2Name", "item2_name"},
        {"ABC", "abc"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_text(i, od_codegen_snake(arena, od_cstr(rows[i].name)), rows[i].snake);
    }
}

static void words_of_c_and_cpp_get_an_underscore_behind_them(void **state)
{
    od_arena *arena = *state;
    const struct {
        const char *name, *member;
    } rows[] = {
        {"class", "class_"},
        {"Int", "int_"},
        {"Operator", "operator_"},
        {"linux", "linux_"},
        {"xor_eq", "xor_eq_"},
        {"alignas", "alignas_"},
        {"typeof", "typeof_"},
        {"Requires", "requires_"},
        {"classes", "classes"},
        {"integer", "integer"},
        {"size_t", "size_t_"},
        {"Int32T", "int32_t_"},
        {"_t", "t"},
        {"ordna_key", "ordna_key_"},
        {"Parent", "parent"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_text(i, od_codegen_member(arena, od_cstr(rows[i].name)), rows[i].member);
    }
}

static void literals_hold_any_text(void **state)
{
    od_arena *arena = *state;
    const struct {
        od_str text;
        const char *literal;
    } rows[] = {
        {OD_STR(""), "\"\""},
        {OD_STR("a\"b\\"), "\"a\\\"b\\\\\""},
        {OD_STR("?\?="), "\"\\?\\?=\""},
        {OD_STR("\xC3\xA9"
                "1"),
         "\"\\303\\2511\""},
        {OD_STR("a\nb"), "\"a\\012b\""},
        {OD_STR("%d $E"), "\"%d $E\""},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf out = {.arena = arena};
        od_codegen_put_literal(&out, rows[i].text);
        check_text(i, od_buf_str(&out), rows[i].literal);
    }
}

static void comments_do_not_end_early(void **state)
{
    od_arena *arena = *state;
    const struct {
        const char *text, *comment;
    } rows[] = {
        {"A*/B", "A* /B"}, {"A/*B", "A/ *B"}, {"*/*/", "* / * /"},
        {"a\\", "a."},     {"?\?/", "../"},   {"ORG#{Org}", "ORG#{Org}"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf out = {.arena = arena};
        od_codegen_put_comment(&out, od_cstr(rows[i].text));
        check_text(i, od_buf_str(&out), rows[i].comment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_become_words_with_underscores),
        TEST(words_of_c_and_cpp_get_an_underscore_behind_them),
        TEST(literals_hold_any_text),
        TEST(comments_do_not_end_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
