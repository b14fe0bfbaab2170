#include "support.h"

#include <string.h>

// --- Bodies -------------------------------------------------------------------------------------

static od_status parse(od_ctx *cx, od_str body)
{
    yyjson_val *root = NULL;
    cx->error = OD_STR("stale");
    return od_wire_parse(cx, body, &root);
}

static void what_is_no_json_object_is_refused_without_a_message(void **state)
{
    static const od_str rows[] = {
        OD_STR_INIT(""),
        OD_STR_INIT(" "),
        OD_STR_INIT("null"),
        OD_STR_INIT("[]"),
        OD_STR_INIT("\"a\""),
        OD_STR_INIT("1"),
        OD_STR_INIT("{"),
        OD_STR_INIT("{}}"),
        OD_STR_INIT("{} {}"),
        OD_STR_INIT("{\"a\":1,}"),
        OD_STR_INIT("{'a':1}"),
        OD_STR_INIT("{\"a\":NaN}"),
        OD_STR_INIT("{\"a\":1e999}"),
        OD_STR_INIT("{\"a\":01}"),
        OD_STR_INIT("{\"a\":\"\xFF\"}"),
        OD_STR_INIT("{\"a\":\"\xC0\x80\"}"),         // an overlong NUL
        OD_STR_INIT("{\"a\":\"\xED\xA0\x80\"}"),     // a surrogate
        OD_STR_INIT("{\"a\":\"\xF4\x90\x80\x80\"}"), // past U+10FFFF
        OD_STR_INIT("{\"a\":\"\\ud800\"}"),          // half a pair
        OD_STR_INIT("{\"a\":\"\\udc00\\ud800\"}"),
        OD_STR_INIT("{\"a\":\"\0\"}"), // a raw control character
        OD_STR_INIT("{\"a\":\"\n\"}"),
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_fault(i, cx, parse(cx, rows[i]), OD_SERIALIZATION, "");
    }
}

// `depth` objects, one in the other.
static od_str nested(od_ctx *cx, size_t depth)
{
    struct od_buf out = {.arena = cx->arena};
    od_buf_put(&out, repeated(cx, "{\"M\":", depth - 1));
    od_buf_put(&out, OD_STR("{}"));
    od_buf_put(&out, repeated(cx, "}", depth - 1));
    return od_buf_str(&out);
}

static void deep_json_is_refused_before_it_is_walked(void **state)
{
    static const struct {
        size_t depth;
        od_status status;
    } rows[] = {
        {100000, OD_SERIALIZATION},
        {OD_WIRE_MAX_DEPTH + 1, OD_SERIALIZATION},
        {OD_WIRE_MAX_DEPTH, OD_OK},
        {1, OD_OK},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_int(i, parse(cx, nested(cx, rows[i].depth)), rows[i].status);
    }
    // Never closed, and lists.
    check_int(0, parse(cx, repeated(cx, "{\"a\":", 100000)), OD_SERIALIZATION);
    check_int(0, parse(cx, repeated(cx, "[", 100000)), OD_SERIALIZATION);
}

static void width_is_not_depth(void **state)
{
    od_ctx *cx = *state;
    struct od_buf out = {.arena = cx->arena};
    od_buf_put(&out, OD_STR("{\"a\":["));
    od_buf_put(&out, repeated(cx, "{\"b\":[[]]},", 1000));
    od_buf_put(&out, OD_STR("[[[]]]]}"));
    check_int(0, parse(cx, od_buf_str(&out)), OD_OK);
}

static void a_body_past_16_mb_is_refused(void **state)
{
    od_ctx *cx = *state;
    struct od_buf out = {.arena = cx->arena};
    od_buf_put(&out, OD_STR("{\"a\":\""));
    size_t rest = OD_WIRE_MAX_BODY_BYTES - sizeof("{'a':''}") + 1;
    memset(od_buf_reserve(&out, rest), 'x', rest);
    out.len += rest;
    od_buf_put(&out, OD_STR("\"}"));
    assert_int_equal(out.len, OD_WIRE_MAX_BODY_BYTES);
    check_int(0, parse(cx, od_buf_str(&out)), OD_OK);
    od_buf_put(&out, OD_STR(" "));
    check_int(1, parse(cx, od_buf_str(&out)), OD_SERIALIZATION);
}

// --- Members ------------------------------------------------------------------------------------

static void of_two_members_with_one_name_the_last_counts(void **state)
{
    od_ctx *cx = *state;
    yyjson_val *root = json_tree(cx, "{'a': 'x', 'b': 1, 'a': 'y', 'c': 2, 'c': null}");
    check_text(0, od_wire_str(root, "a"), "y");
    assert_null(od_wire_member(root, "c"));
}

static void absent_and_null_members_are_the_same(void **state)
{
    od_ctx *cx = *state;
    yyjson_val *root = json_tree(cx, "{'a': null, 'A': 'x'}");
    assert_null(od_wire_member(root, "a"));
    assert_null(od_wire_member(root, "b"));
    assert_null(od_wire_member(NULL, "b"));
    assert_null(od_wire_str(root, "a").ptr);
    assert_true(od_wire_bool(root, "a", true));
    assert_int_equal(od_wire_int(root, "a", 7), 7);
}

static void members_of_another_type_are_as_if_absent(void **state)
{
    od_ctx *cx = *state;
    yyjson_val *root = json_tree(cx, "{'a': 1, 'b': 'x'}");
    assert_null(od_wire_str(root, "a").ptr);
    assert_false(od_wire_bool(root, "a", false));
    assert_int_equal(od_wire_int(root, "b", 7), 7);
}

static void strings_hold_any_character(void **state)
{
    od_ctx *cx = *state;
    yyjson_val *root = json_tree(cx, "{'a': 'x\\u0000y', 'b': '\\ud83d\\ude00', 'c': ''}");
    od_str with_nul = od_wire_str(root, "a");
    assert_true(od_str_eq(with_nul, OD_STR("x\0y")));
    check_text(0, od_wire_str(root, "b"), "\xF0\x9F\x98\x80");
    od_str empty = od_wire_str(root, "c");
    assert_non_null(empty.ptr);
    assert_int_equal(empty.len, 0);
}

static void numbers_are_cut_and_clamped_to_integers(void **state)
{
    static const struct {
        const char *json;
        int64_t expected;
    } rows[] = {
        {"{'n': 0}", 0},
        {"{'n': -0.0}", 0},
        {"{'n': 5}", 5},
        {"{'n': -5}", -5},
        {"{'n': 34.56}", 34},
        {"{'n': -34.56}", -34},
        {"{'n': 1e2}", 100},
        {"{'n': 9223372036854775807}", INT64_MAX},
        {"{'n': -9223372036854775808}", INT64_MIN},
        {"{'n': 9223372036854775808}", INT64_MAX},
        {"{'n': 18446744073709551615}", INT64_MAX},
        {"{'n': 1e300}", INT64_MAX},
        {"{'n': -1e300}", INT64_MIN},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_int(i, od_wire_int(json_tree(cx, rows[i].json), "n", 7), rows[i].expected);
    }
}

// --- Memory -------------------------------------------------------------------------------------

static void a_small_request_stays_in_the_arenas_first_block(void **state)
{
    od_ctx *cx = *state;
    struct od_buf body = {.arena = cx->arena};
    od_buf_put(&body, json_text(cx, "{'TableName': 'Music', 'Item': {'Artist': {'S': 'Nina'}, "
                                    "'Year': {'N': '1965'}, 'Live': {'BOOL': true}, "
                                    "'Tags': {'SS': ['a', 'b']}, 'Text': {'S': '"));
    od_buf_put(&body, repeated(cx, "0123456789", 90));
    od_buf_put(&body, json_text(cx, "'}}, 'ConditionExpression': '#a <> :v', "
                                    "'ExpressionAttributeNames': {'#a': 'Artist'}, "
                                    "'ExpressionAttributeValues': {':v': {'S': 'x'}}}"));

    od_ctx request = {.arena = od_arena_create()};
    od_mark before = od_arena_mark(request.arena);
    yyjson_val *root = NULL;
    od_value item = {NULL, 0};
    struct od_expr_env env = {0};
    assert_int_equal(od_wire_parse(&request, od_buf_str(&body), &root), OD_OK);
    assert_int_equal(od_shape_check(&request, od_shape_of_input(OD_STR("PutItem")), root), OD_OK);
    assert_int_equal(od_wire_map(&request, od_wire_member(root, "Item"), &item), OD_OK);
    assert_int_equal(od_wire_env(&request, root, &env), OD_OK);
    od_mark after = od_arena_mark(request.arena);
    assert_ptr_equal(after.block, before.block);
    // And leaves room there for what comes after it.
    assert_true(after.used < 10000);
    od_arena_destroy(request.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_json_object_is_refused_without_a_message),
        TEST(deep_json_is_refused_before_it_is_walked),
        TEST(width_is_not_depth),
        TEST(a_body_past_16_mb_is_refused),
        TEST(of_two_members_with_one_name_the_last_counts),
        TEST(absent_and_null_members_are_the_same),
        TEST(members_of_another_type_are_as_if_absent),
        TEST(strings_hold_any_character),
        TEST(numbers_are_cut_and_clamped_to_integers),
        TEST(a_small_request_stays_in_the_arenas_first_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
