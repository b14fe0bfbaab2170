// The patterns of scenario files: what they must tell apart.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expand.h"
#include "match.h"

#include <stdlib.h>
#include <string.h>

struct match_row {
    const char *pattern;
    const char *got;
};

static const struct match_row differing[] = {
    {"{}", "{\"a\":1}"},
    {"{\"a\":1}", "{}"},
    {"{\"a\":1}", "{\"a\":2}"},
    {"{\"a\":1}", "{\"a\":\"1\"}"},
    {"{\"a\":1}", "{\"a\":1,\"b\":2}"},
    {"{\"a\":1, ...}", "{\"b\":2}"},
    {"[1,2]", "[2,1]"},
    {"[1,2]", "[1,2,3]"},
    {"[1,2]", "[1]"},
    {"[1, ...]", "[2,1]"},
    {"[\"<set>\",1,2]", "[2,1,3]"},
    {"[\"<set>\",1,1]", "[1,2]"},
    {"[\"<set>\",1,2, ...]", "[1,3]"},
    {"{\"SS\":[\"a\",\"b\"]}", "{\"SS\":[\"a\"]}"},
    {"{\"SS\":[\"a\",\"b\"]}", "{\"SS\":[\"a\",\"c\"]}"},
    {"{\"L\":[\"a\",\"b\"]}", "{\"L\":[\"b\",\"a\"]}"},
    {"{\"a\":\"<number>\"}", "{\"a\":\"1\"}"},
    {"{\"a\":\"<text>\"}", "{\"a\":\"\"}"},
    {"{\"a\":\"<text>\"}", "{\"a\":1}"},
    {"{\"a\":\"<any>\"}", "{}"},
    {"{\"a\":\"<absent>\"}", "{\"a\":null}"},
    {"{\"a\":\"<uuid>\"}", "{\"a\":\"0a1b2c3d-0000-1111-2222-33334444555\"}"},
    {"{\"a\":\"x<...>z\"}", "{\"a\":\"xy\"}"},
    {"{\"a\":\"x<...>\"}", "{\"a\":\"yx\"}"},
    {"{\"a\":true}", "{\"a\":false}"},
    {"{\"a\":{}}", "{\"a\":[]}"},
    {"{\"a\":\"$k\",\"b\":\"$k\"}", "{}"},
    {"\"<a * 3>\"", "\"aa\""},
};

static const struct match_row matching[] = {
    {"{}", "{}"},
    {"{\"a\":1, ...}", "{\"b\":2,\"a\":1.0}"},
    {"{ ... }", "{\"a\":1}"},
    {"[1, ...]", "[1,2,3]"},
    {"[\"<set>\",1,2]", "[2,1]"},
    {"[\"<set>\",{\"a\":1},{\"a\":\"<any>\"}]", "[{\"a\":2},{\"a\":1}]"},
    {"[\"<set>\",2, ...]", "[1,2,3]"},
    {"{\"NS\":[\"1\",\"2\"]}", "{\"NS\":[\"2\",\"1\"]}"},
    {"{\"a\":\"<any>\"}", "{\"a\":null}"},
    {"{\"a\":\"<absent>\"}", "{}"},
    {"{\"a\":\"<uuid>\"}", "{\"a\":\"0a1b2c3d-0000-1111-2222-333344445555\"}"},
    {"{\"a\":\"x<...>y<...>z\"}", "{\"a\":\"x1y2z\"}"},
    {"{\"a\":\"...\"}", "{\"a\":\"...\"}"},
    {"\"<a * 3><{i} * 3>\"", "\"aaa123\""},
    {"\"<k{i:3} * 2>\"", "\"k001k002\""},
    {"\"a < :b * 2 > c\"", "\"a < :b * 2 > c\""},
};

struct fixture {
    od_arena *arena;
    struct captures captures;
};

static bool run_row(struct fixture *f, const char *pattern, const char *got)
{
    od_str text = expand_pattern(f->arena, od_cstr(pattern), 1, &f->captures);
    yyjson_doc *want = yyjson_read(text.ptr, text.len, 0);
    yyjson_doc *have = yyjson_read(got, strlen(got), 0);
    assert_non_null(want);
    assert_non_null(have);
    od_str reason = {0};
    bool ok = match_json(f->arena, yyjson_doc_get_root(want), yyjson_doc_get_root(have),
                         &f->captures, &reason);
    assert_true(ok || reason.len > 0);
    yyjson_doc_free(want);
    yyjson_doc_free(have);
    return ok;
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    f->arena = od_arena_create();
    f->captures.arena = f->arena;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    od_arena_destroy(f->arena);
    free(f);
    return 0;
}

static void an_answer_that_differs_from_the_pattern_is_found(void **state)
{
    for (size_t i = 0; i < sizeof(differing) / sizeof(differing[0]); i++) {
        if (run_row(*state, differing[i].pattern, differing[i].got)) {
            fail_msg("%s matched %s", differing[i].pattern, differing[i].got);
        }
    }
}

static void an_answer_like_the_pattern_matches(void **state)
{
    for (size_t i = 0; i < sizeof(matching) / sizeof(matching[0]); i++) {
        if (!run_row(*state, matching[i].pattern, matching[i].got)) {
            fail_msg("%s did not match %s", matching[i].pattern, matching[i].got);
        }
    }
}

static void a_captured_value_is_the_same_value_later(void **state)
{
    struct fixture *f = *state;
    assert_true(run_row(f, "{\"key\":\"$key\"}", "{\"key\":{\"id\":{\"S\":\"a\"}}}"));
    assert_true(run_row(f, "{\"again\":\"$key\"}", "{\"again\":{\"id\":{\"S\":\"a\"}}}"));
    assert_false(run_row(f, "{\"again\":\"$key\"}", "{\"again\":{\"id\":{\"S\":\"b\"}}}"));
    od_str request = expand(f->arena, OD_STR("{\"Start\":\"$key\"}"), 1, &f->captures);
    assert_string_equal(od_arena_printf(f->arena, "%.*s", OD_STR_ARG(request)).ptr,
                        "{\"Start\":{\"id\":{\"S\":\"a\"}}}");
}

static void a_failed_try_of_an_unordered_list_captures_nothing(void **state)
{
    struct fixture *f = *state;
    assert_true(run_row(f, "[\"<set>\",{\"a\":\"$v\",\"b\":2}]", "[{\"a\":1,\"b\":2}]"));
    f->captures.first = NULL;
    assert_false(run_row(f, "[\"<set>\",{\"a\":\"$v\",\"b\":3}]", "[{\"a\":1,\"b\":2}]"));
    assert_null(f->captures.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_answer_that_differs_from_the_pattern_is_found, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_answer_like_the_pattern_matches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_captured_value_is_the_same_value_later, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_failed_try_of_an_unordered_list_captures_nothing, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
