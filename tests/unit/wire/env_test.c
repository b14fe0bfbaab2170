#include "support.h"

#define NAMES   "ExpressionAttributeNames "
#define VALUES  "ExpressionAttributeValues "
#define KEY     "contains invalid key: Syntax error; key: "
#define VALUE   VALUES "contains invalid value: "
#define INVALID "One or more parameter values were invalid: "
#define EMPTY \
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"

static od_status read_env(od_ctx *cx, const char *json, struct od_expr_env *out)
{
    return od_wire_env(cx, json_tree(cx, json), out);
}

static void faults_are_told_with_their_keys(void **state)
{
    static const struct {
        const char *json;
        od_status status;
        const char *message;
    } rows[] = {
        {"{'ExpressionAttributeNames': {}}", OD_VALIDATION_ENVELOPED, NAMES "must not be empty"},
        {"{'ExpressionAttributeValues': {}}", OD_VALIDATION_ENVELOPED, VALUES "must not be empty"},
        {"{'ExpressionAttributeValues': {}, 'ExpressionAttributeNames': {}}",
         OD_VALIDATION_ENVELOPED, NAMES "must not be empty"},
        {"{'ExpressionAttributeNames': {'a': 'x'}}", OD_VALIDATION_ENVELOPED, NAMES KEY "\"a\""},
        {"{'ExpressionAttributeNames': {'#': 'x'}}", OD_VALIDATION_ENVELOPED, NAMES KEY "\"#\""},
        {"{'ExpressionAttributeNames': {':a': 'x'}}", OD_VALIDATION_ENVELOPED, NAMES KEY "\":a\""},
        {"{'ExpressionAttributeNames': {'': 'x'}}", OD_VALIDATION_ENVELOPED, NAMES KEY "\"\""},
        {"{'ExpressionAttributeNames': {'#a-b': 'x'}}", OD_VALIDATION_ENVELOPED,
         NAMES KEY "\"#a-b\""},
        {"{'ExpressionAttributeNames': {'#a#': 'x'}}", OD_VALIDATION_ENVELOPED,
         NAMES KEY "\"#a#\""},
        {"{'ExpressionAttributeNames': {'#a': ''}}", OD_VALIDATION_ENVELOPED,
         NAMES "contains invalid value: Empty attribute name for key #a"},
        {"{'ExpressionAttributeNames': {'#a': null}}", OD_VALIDATION_ENVELOPED,
         NAMES "contains invalid value: Empty attribute name for key #a"},
        {"{'ExpressionAttributeValues': {'#v': {'S': 'x'}}}", OD_VALIDATION_ENVELOPED,
         VALUES KEY "\"#v\""},
        {"{'ExpressionAttributeValues': {'v': {'S': 'x'}}}", OD_VALIDATION_ENVELOPED,
         VALUES KEY "\"v\""},
        {"{'ExpressionAttributeValues': {':v': {}}}", OD_VALIDATION, VALUE EMPTY " for key :v"},
        {"{'ExpressionAttributeValues': {':v': null}}", OD_VALIDATION, VALUE EMPTY " for key :v"},
        {"{'ExpressionAttributeValues': {':a': {'S': 'x'}, ':v': {'L': [{'X': 1}]}}}",
         OD_VALIDATION, VALUE EMPTY " for key :v"},
        {"{'ExpressionAttributeValues': {':v': {'N': 'x'}}}", OD_VALIDATION,
         VALUE "The parameter cannot be converted to a numeric value: x for key :v"},
        {"{'ExpressionAttributeValues': {':v': {'SS': []}}}", OD_VALIDATION_ENVELOPED,
         VALUE INVALID "An string set  may not be empty for key :v"},
        {"{'ExpressionAttributeValues': {':v': {'NS': ['1', '1']}}}", OD_VALIDATION_ENVELOPED,
         VALUE "Input collection contains duplicates for key :v"},
        {"{'ExpressionAttributeValues': {':v': {'NULL': false}}}", OD_VALIDATION_ENVELOPED,
         VALUE INVALID "Null attribute value types must have the value of true for key :v"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_expr_env env;
        check_fault(i, cx, read_env(cx, rows[i].json, &env), rows[i].status, rows[i].message);
    }
}

// {"<map>": {"<first>aaa...": <value>}} with a key of `len` bytes.
static od_str with_key(od_ctx *cx, const char *map, const char *first, size_t len,
                       const char *value)
{
    struct od_buf out = {.arena = cx->arena};
    od_buf_printf(&out, "{\"%s\":{\"%s", map, first);
    od_buf_put(&out, repeated(cx, "a", len - 1));
    od_buf_printf(&out, "\":%s}}", value);
    return od_buf_str(&out);
}

static void keys_end_at_255_bytes(void **state)
{
    static const char too_long[] =
        "contains invalid key: The expression attribute map contains a key that is too long;";
    od_ctx *cx = *state;
    struct od_expr_env env;
    yyjson_val *root = NULL;
    od_str names = with_key(cx, "ExpressionAttributeNames", "#", 256, "\"x\"");
    assert_int_equal(od_wire_parse(cx, names, &root), OD_OK);
    od_str message = od_arena_printf(cx->arena, NAMES "%s size of key: 256", too_long);
    check_fault(0, cx, od_wire_env(cx, root, &env), OD_VALIDATION_ENVELOPED, message.ptr);

    od_str values = with_key(cx, "ExpressionAttributeValues", ":", 256, "{\"S\":\"x\"}");
    assert_int_equal(od_wire_parse(cx, values, &root), OD_OK);
    message = od_arena_printf(cx->arena, VALUES "%s", too_long);
    check_fault(1, cx, od_wire_env(cx, root, &env), OD_VALIDATION_ENVELOPED, message.ptr);

    names = with_key(cx, "ExpressionAttributeNames", "#", 255, "\"x\"");
    assert_int_equal(od_wire_parse(cx, names, &root), OD_OK);
    check_ok(2, cx, od_wire_env(cx, root, &env));
}

static void nesting_is_told_without_the_key(void **state)
{
    od_ctx *cx = *state;
    struct od_buf body = {.arena = cx->arena};
    od_buf_put(&body, OD_STR("{\"ExpressionAttributeValues\":{\":v\":"));
    od_buf_put(&body, repeated(cx, "{\"M\":{\"a\":", 32));
    od_buf_put(&body, OD_STR("{\"S\":\"x\"}"));
    od_buf_put(&body, repeated(cx, "}}", 33));
    yyjson_val *root = NULL;
    assert_int_equal(od_wire_parse(cx, od_buf_str(&body), &root), OD_OK);
    struct od_expr_env env;
    check_fault(0, cx, od_wire_env(cx, root, &env), OD_VALIDATION,
                "Nesting Levels have exceeded supported limits: Attributes in the item have "
                "nested levels beyond supported limit");
}

static void each_map_is_bounded_in_all(void **state)
{
    od_ctx *cx = *state;
    struct od_buf body = {.arena = cx->arena};
    od_buf_put(&body, OD_STR("{\"ExpressionAttributeValues\":{\":v\":{\"S\":\""));
    od_buf_put(&body, repeated(cx, "0123456789abcdef", 1 << 17));
    od_buf_put(&body, OD_STR("\"}}}"));
    yyjson_val *root = NULL;
    assert_int_equal(od_wire_parse(cx, od_buf_str(&body), &root), OD_OK);
    struct od_expr_env env;
    check_fault(0, cx, od_wire_env(cx, root, &env), OD_VALIDATION_ENVELOPED,
                VALUES "must not be larger than 2097152 bytes in all");
}

static void maps_are_read_sorted_and_unused(void **state)
{
    od_ctx *cx = *state;
    struct od_expr_env env;
    check_ok(0, cx,
             read_env(cx,
                      "{'ExpressionAttributeNames': {'#b': 'x', '#a': 'a.b', '#b': 'y'}, "
                      "'ExpressionAttributeValues': {':v_2': {'N': '1.0'}, ':1': {'S': ''}}}",
                      &env));
    assert_int_equal(env.name_count, 2);
    check_text(0, env.names[0].key, "#a");
    check_text(0, env.names[0].name, "a.b");
    check_text(1, env.names[1].key, "#b");
    check_text(1, env.names[1].name, "y");
    assert_false(env.names[0].used);
    assert_int_equal(env.value_count, 2);
    check_text(0, env.values[0].key, ":1");
    check_text(1, env.values[1].key, ":v_2");
    assert_false(env.values[1].used);
    struct od_buf out = {.arena = cx->arena};
    od_json_value(&out, env.values[1].value);
    check_json(0, cx, od_buf_str(&out), "{'N':'1'}");
}

static void absent_maps_are_empty(void **state)
{
    od_ctx *cx = *state;
    static const char *const rows[] = {
        "{}", "{'ExpressionAttributeNames': null, 'ExpressionAttributeValues': null}"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_expr_env env;
        check_ok(i, cx, read_env(cx, rows[i], &env));
        check_int(i, (int64_t)(env.name_count + env.value_count), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(faults_are_told_with_their_keys), TEST(keys_end_at_255_bytes),
        TEST(nesting_is_told_without_the_key), TEST(each_map_is_bounded_in_all),
        TEST(maps_are_read_sorted_and_unused), TEST(absent_maps_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
