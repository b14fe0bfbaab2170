#include "support.h"

#include <malloc.h>

#define INVALID "One or more parameter values were invalid: "
#define EMPTY \
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
#define DOUBLE                                                                           \
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one " \
    "of the supported datatypes"
#define NESTING                                                                                 \
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels " \
    "beyond supported limit"
#define NOT_A_NUMBER "The parameter cannot be converted to a numeric value"

static od_status pack(od_ctx *cx, const char *json, struct od_buf *out)
{
    yyjson_val *root = json_tree(cx, json);
    *out = (struct od_buf){.arena = cx->arena};
    return od_wire_value(cx, root, out);
}

// --- Faults -------------------------------------------------------------------------------------

static void faults_are_told_in_their_families(void **state)
{
    static const struct {
        const char *json;
        od_status status;
        const char *message;
    } rows[] = {
        {"{}", OD_VALIDATION, EMPTY},
        {"{'X': 'a'}", OD_VALIDATION, EMPTY},
        {"{'X': 'a', 'Y': 1}", OD_VALIDATION, EMPTY},
        {"{'s': 'a'}", OD_VALIDATION, EMPTY},
        {"{'': 'a'}", OD_VALIDATION, EMPTY},
        {"{'S': null}", OD_VALIDATION, EMPTY},
        {"{'S': 'a', 'S': null}", OD_VALIDATION, EMPTY},
        {"{'S': 'a', 'N': '1'}", OD_VALIDATION, DOUBLE},
        {"{'S': 'a', 'N': 'no number'}", OD_VALIDATION, DOUBLE},
        {"{'L': [], 'M': {}, 'BOOL': true}", OD_VALIDATION, DOUBLE},
        {"{'NULL': false}", OD_VALIDATION_ENVELOPED,
         INVALID "Null attribute value types must have the value of true"},
        {"{'SS': []}", OD_VALIDATION_ENVELOPED, INVALID "An string set  may not be empty"},
        {"{'NS': []}", OD_VALIDATION_ENVELOPED, INVALID "An number set  may not be empty"},
        {"{'BS': []}", OD_VALIDATION_ENVELOPED, INVALID "Binary sets should not be empty"},
        {"{'SS': ['a', 'a']}", OD_VALIDATION_ENVELOPED,
         INVALID "Input collection [a, a] contains duplicates."},
        {"{'SS': ['b', '', 'a', '']}", OD_VALIDATION_ENVELOPED,
         INVALID "Input collection [b, , a, ] contains duplicates."},
        {"{'NS': ['1', '1']}", OD_VALIDATION_ENVELOPED, "Input collection contains duplicates"},
        {"{'NS': ['1', '2', '1.0']}", OD_VALIDATION_ENVELOPED,
         "Input collection contains duplicates"},
        {"{'BS': ['YQ==', 'YQ==']}", OD_VALIDATION_ENVELOPED,
         INVALID "Input collection [YQ==, YQ==]of type BS contains duplicates."},
        {"{'BS': ['', '']}", OD_VALIDATION_ENVELOPED,
         INVALID "Input collection [, ]of type BS contains duplicates."},
        {"{'SS': [null]}", OD_VALIDATION, INVALID "A set may not hold null"},
        {"{'N': ''}", OD_VALIDATION, NOT_A_NUMBER},
        {"{'N': 'abc'}", OD_VALIDATION, NOT_A_NUMBER ": abc"},
        {"{'NS': ['']}", OD_VALIDATION, NOT_A_NUMBER},
        {"{'NS': ['1', 'b']}", OD_VALIDATION, NOT_A_NUMBER ": b"},
        {"{'N': '1E126'}", OD_VALIDATION,
         "Number overflow. Attempting to store a number with magnitude larger than supported "
         "range"},
        {"{'L': [{'S': 'a'}, {}]}", OD_VALIDATION, EMPTY},
        {"{'L': [null]}", OD_VALIDATION, EMPTY},
        {"{'M': {'a': null}}", OD_VALIDATION, EMPTY},
        {"{'M': {'a': {'NULL': false}}}", OD_VALIDATION_ENVELOPED,
         INVALID "Null attribute value types must have the value of true"},
        {"{'M': {'': {'S': 'a'}}}", OD_VALIDATION, "Empty attribute name"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf out;
        check_fault(i, cx, pack(cx, rows[i].json, &out), rows[i].status, rows[i].message);
    }
}

static void a_tree_that_nobody_checked_is_refused_too(void **state)
{
    static const struct {
        const char *json;
        const char *message;
    } rows[] = {
        {"{'S': 5}", "NUMBER_VALUE cannot be converted to String"},
        {"{'N': true}", "TRUE_VALUE cannot be converted to String"},
        {"{'B': '?'}", "Invalid Base64 text"},
        {"{'B': 'YR=='}", "Invalid Base64 text"},
        {"{'BS': ['YQ==', 'YQ']}", "Invalid Base64 text"},
        {"{'BOOL': 'x'}", "STRING_VALUE cannot be converted to Boolean"},
        {"{'NULL': 1}", "NUMBER_VALUE cannot be converted to Boolean"},
        {"{'SS': 'a'}", "Unexpected field type"},
        {"{'SS': [1]}", "NUMBER_VALUE cannot be converted to String"},
        {"{'S': [1]}", "Unrecognized collection type class java.lang.String"},
        {"{'L': {}}", "Start of structure or map found where not expected"},
        {"{'L': ['a']}", "Unexpected value type in payload"},
        {"{'M': [1]}", "Start of list found where not expected"},
        {"{'M': 'a'}", "Unexpected value type in payload"},
        {"{'M': {'a': 1}}", "Unexpected value type in payload"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf out;
        check_fault(i, cx, pack(cx, rows[i].json, &out), OD_SERIALIZATION, rows[i].message);
    }
    od_value map = {NULL, 0};
    yyjson_val *root = json_tree(cx, "{'Item': 'x'}");
    check_int(0, od_wire_map(cx, od_wire_member(root, "Item"), &map), OD_SERIALIZATION);
    check_int(1, od_wire_map(cx, NULL, &map), OD_SERIALIZATION);
}

// A value inside `depth` maps or lists.
static od_str nested_value(od_ctx *cx, size_t depth, const char *open, const char *close,
                           const char *leaf)
{
    struct od_buf out = {.arena = cx->arena};
    for (size_t i = 0; i < depth; i++) {
        od_buf_put(&out, json_text(cx, open));
    }
    od_buf_put(&out, json_text(cx, leaf));
    od_buf_put(&out, repeated(cx, close, depth));
    return od_buf_str(&out);
}

static void values_nest_to_32_levels(void **state)
{
    static const struct {
        const char *open;
        const char *close;
        const char *leaf;
    } rows[] = {
        {"{'M': {'a': ", "}}", "{'S': 'x'}"},
        {"{'L': [", "]}", "{'S': 'x'}"},
        {"{'L': [{'S': 'y'}, ", "]}", "{'SS': ['x']}"},
        {"{'L': [", "]}", "{'L': []}"},
        {"{'M': {'a': ", "}}", "{'M': {}}"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        for (size_t depth = 30; depth < 34; depth++) {
            od_str json = nested_value(cx, depth, rows[i].open, rows[i].close, rows[i].leaf);
            yyjson_val *root = NULL;
            assert_int_equal(od_wire_parse(cx, json, &root), OD_OK);
            struct od_buf out = {.arena = cx->arena};
            od_status got = od_wire_value(cx, root, &out);
            if (depth < 32) {
                check_ok(i, cx, got);
            } else {
                check_fault(i, cx, got, OD_VALIDATION, NESTING);
            }
        }
    }
}

static void names_of_attributes_are_bounded(void **state)
{
    static const struct {
        size_t len;
        const char *message; // NULL: accepted
    } rows[] = {
        {0, "Empty attribute name"},
        {1, NULL},
        {65535, NULL},
        {65536, INVALID "Attribute name is too large, must be less than 65536 bytes"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf body = {.arena = cx->arena};
        od_buf_put(&body, OD_STR("{\""));
        od_buf_put(&body, repeated(cx, "n", rows[i].len));
        od_buf_put(&body, OD_STR("\":{\"S\":\"x\"}}"));
        yyjson_val *root = NULL;
        assert_int_equal(od_wire_parse(cx, od_buf_str(&body), &root), OD_OK);
        od_value map = {NULL, 0};
        od_status got = od_wire_map(cx, root, &map);
        if (rows[i].message == NULL) {
            check_ok(i, cx, got);
        } else {
            check_fault(i, cx, got, OD_VALIDATION, rows[i].message);
        }
    }
}

// --- Round trips --------------------------------------------------------------------------------

static void check_packed(size_t row, const struct od_buf *packed)
{
    if (!od_value_valid(od_buf_str(packed))) {
        fail_msg("row %zu: what was packed is not valid", row);
    }
}

static void values_come_back_in_their_canonical_form(void **state)
{
    static const struct {
        const char *json;
        const char *expected; // NULL: as it was
    } rows[] = {
        {"{'S':'a'}", NULL},
        {"{'S':''}", NULL},
        {"{'S':'\u00e9\u4e2d\U0001F600'}", NULL},
        {"{'S':'\\ud83d\\ude00'}", "{'S':'\U0001F600'}"},
        {"{'S':'\\u0000\\u001f\\n\\r\\t\\b\\f\\/\\\\'}",
         "{'S':'\\u0000\\u001f\\n\\r\\t\\b\\f/\\\\'}"},
        {"{'N':'1'}", NULL},
        {"{'N':'+007.50'}", "{'N':'7.5'}"},
        {"{'N':'-0'}", "{'N':'0'}"},
        {"{'N':'1e3'}", "{'N':'1000'}"},
        {"{'N':'-12345678901234567890.123456789012345678'}", NULL},
        {"{'B':''}", NULL},
        {"{'B':'YQ=='}", NULL},
        {"{'B':'AP/+'}", NULL},
        {"{'BOOL':true}", NULL},
        {"{'BOOL':false}", NULL},
        {"{'NULL':true}", NULL},
        {"{'SS':['b','a','ab','']}", "{'SS':['','a','ab','b']}"},
        {"{'NS':['10','-1','2.50','0']}", "{'NS':['-1','0','2.5','10']}"},
        {"{'BS':['Yg==','','YQ==']}", "{'BS':['','YQ==','Yg==']}"},
        {"{'L':[]}", NULL},
        {"{'L':[{'S':'b'},{'N':'1'},{'L':[{'NULL':true}]}]}", NULL},
        {"{'M':{}}", NULL},
        {"{'M':{'b':{'N':'1'},'a':{'M':{'z':{'SS':['x']}}}}}",
         "{'M':{'a':{'M':{'z':{'SS':['x']}}},'b':{'N':'1'}}}"},
        {"{'M':{'a':{'N':'1'},'a':{'N':'2'}}}", "{'M':{'a':{'N':'2'}}}"},
        {"{'S':'a','S':'b'}", "{'S':'b'}"},
        {"{'X':1,'S':'a','Y':[{}]}", "{'S':'a'}"},
        {"{'N':null,'S':'a'}", "{'S':'a'}"},
        {"{'M':{'a\\'b':{'BOOL':true}}}", "{'M':{'a\\'b':{'BOOL':true}}}"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf packed;
        check_ok(i, cx, pack(cx, rows[i].json, &packed));
        check_packed(i, &packed);
        struct od_buf out = {.arena = cx->arena};
        od_json_value(&out, od_packed(&packed));
        check_json(i, cx, od_buf_str(&out),
                   rows[i].expected == NULL ? rows[i].json : rows[i].expected);
    }
}

static void maps_come_back_sorted_and_without_replaced_members(void **state)
{
    static const struct {
        const char *json;
        const char *expected;
    } rows[] = {
        {"{}", "{}"},
        {"{'b':{'S':'1'},'a':{'S':'2'}}", "{'a':{'S':'2'},'b':{'S':'1'}}"},
        {"{'a':{'S':'1'},'b':{'S':'2'},'a':{'S':'3'},'a':{'S':'4'}}",
         "{'a':{'S':'4'},'b':{'S':'2'}}"},
        // By bytes: a prefix first, a NUL before every other, and past the eighth byte.
        {"{'ab':{'S':'1'},'a':{'S':'2'},'a\\u0000':{'S':'3'},'A':{'S':'4'}}",
         "{'A':{'S':'4'},'a':{'S':'2'},'a\\u0000':{'S':'3'},'ab':{'S':'1'}}"},
        {"{'attribute2':{'S':'1'},'attribute10':{'S':'2'},'attribute1':{'S':'3'}}",
         "{'attribute1':{'S':'3'},'attribute10':{'S':'2'},'attribute2':{'S':'1'}}"},
        {"{'\u00e9':{'S':'1'},'z':{'S':'2'},'\U0001F600':{'S':'3'},'\uffff':{'S':'4'}}",
         "{'z':{'S':'2'},'\u00e9':{'S':'1'},'\uffff':{'S':'4'},'\U0001F600':{'S':'3'}}"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value map = {NULL, 0};
        check_ok(i, cx, od_wire_map(cx, json_tree(cx, rows[i].json), &map));
        struct od_buf out = {.arena = cx->arena};
        od_json_map(&out, map);
        check_json(i, cx, od_buf_str(&out), rows[i].expected);
    }
}

static void many_members_are_sorted_too(void **state)
{
    enum { COUNT = 1000 };
    od_ctx *cx = *state;
    struct od_buf body = {.arena = cx->arena};
    for (size_t i = 0; i < COUNT; i++) {
        od_buf_printf(&body, "%c\"%03zu\":{\"N\":\"%zu\"}", i == 0 ? '{' : ',', i * 7 % COUNT, i);
    }
    od_buf_put(&body, OD_STR(",\"500\":{\"N\":\"-1\"}}"));
    yyjson_val *root = NULL;
    assert_int_equal(od_wire_parse(cx, od_buf_str(&body), &root), OD_OK);
    od_value map = {NULL, 0};
    check_ok(0, cx, od_wire_map(cx, root, &map));
    assert_true(od_value_valid((od_str){map.ptr, map.len}));
    assert_int_equal(od_value_count(map), COUNT);
    struct od_buf out = {.arena = cx->arena};
    od_json_value(&out, od_map_get(map, OD_STR("500")));
    check_json(0, cx, od_buf_str(&out), "{'N':'-1'}");
}

static size_t allocated_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// A body holds more than a million of them.
static void many_small_sets_take_little_memory(void **state)
{
    enum { COUNT = 100 * 1000, BYTES_EACH = 128 };
    static const char *const sets[] = {"{\"SS\":[\"a\"]}", "{\"NS\":[\"1\"]}", "{\"BS\":[\"\"]}"};
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(sets); i++) {
        struct od_buf body = {.arena = cx->arena};
        od_buf_put(&body, OD_STR("{\"L\":["));
        for (size_t n = 0; n < COUNT; n++) {
            od_buf_printf(&body, "%s%s", n == 0 ? "" : ",", sets[i]);
        }
        od_buf_put(&body, OD_STR("]}"));
        yyjson_val *root = NULL;
        assert_int_equal(od_wire_parse(cx, od_buf_str(&body), &root), OD_OK);
        size_t before = allocated_bytes();
        struct od_buf packed = {.arena = cx->arena};
        check_ok(i, cx, od_wire_value(cx, root, &packed));
        check_int(i, allocated_bytes() - before < (size_t)COUNT * BYTES_EACH, true);
    }
}

static void equal_values_have_equal_bytes_however_they_were_written(void **state)
{
    static const struct {
        const char *one;
        const char *other;
    } rows[] = {
        {"{'N': '100'}", "{'N': '1e2'}"},
        {"{'SS': ['b', 'a']}", "{'SS': ['a', 'b']}"},
        {"{'NS': ['1.0', '2']}", "{'NS': ['2', '1']}"},
        {"{'M': {'b': {'S': 'x'}, 'a': {'S': 'y'}}}", "{'M': {'a': {'S': 'y'}, 'b': {'S': 'x'}}}"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf one;
        struct od_buf other;
        check_ok(i, cx, pack(cx, rows[i].one, &one));
        check_ok(i, cx, pack(cx, rows[i].other, &other));
        check_int(i, od_value_equal(od_packed(&one), od_packed(&other)), true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(faults_are_told_in_their_families),
        TEST(a_tree_that_nobody_checked_is_refused_too),
        TEST(values_nest_to_32_levels),
        TEST(names_of_attributes_are_bounded),
        TEST(values_come_back_in_their_canonical_form),
        TEST(maps_come_back_sorted_and_without_replaced_members),
        TEST(many_members_are_sorted_too),
        TEST(many_small_sets_take_little_memory),
        TEST(equal_values_have_equal_bytes_however_they_were_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
