#include "model/value.h"

#include "notation.h"

static const struct {
    const char *text;
    enum od_type type;
    const char *name;
} samples[] = {
    {"'a'", OD_TYPE_S, "S"},         {"12", OD_TYPE_N, "N"},         {"0", OD_TYPE_N, "N"},
    {"-1.5", OD_TYPE_N, "N"},        {"x'00FF'", OD_TYPE_B, "B"},    {"true", OD_TYPE_BOOL, "BOOL"},
    {"false", OD_TYPE_BOOL, "BOOL"}, {"null", OD_TYPE_NULL, "NULL"}, {"<'a'>", OD_TYPE_SS, "SS"},
    {"<1>", OD_TYPE_NS, "NS"},       {"<x'00'>", OD_TYPE_BS, "BS"},  {"['a', 1]", OD_TYPE_L, "L"},
    {"{a: 1}", OD_TYPE_M, "M"},
};

// --- Types and scalars --------------------------------------------------------------------------

static void other_words_name_no_type(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "s", "SN", "STRING", "BOOLEAN", "NULLS", "LIST", "SSS"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        enum od_type type = OD_TYPE_S;
        check_true(i, !od_type_from_name(od_cstr(rows[i]), &type), "refused");
    }
}

static void types_and_their_names_belong_together(void **state)
{
    for (size_t i = 0; i < OD_COUNT(samples); i++) {
        enum od_type type = OD_TYPE_S;
        check_int(i, od_value_type(value_of(*state, samples[i].text)), samples[i].type);
        check_text(i, od_cstr(od_type_name(samples[i].type)), samples[i].name);
        check_true(i, od_type_from_name(od_cstr(samples[i].name), &type), "known");
        check_int(i, type, samples[i].type);
    }
}

static void values_of_different_types_are_unequal(void **state)
{
    for (size_t i = 0; i < OD_COUNT(samples); i++) {
        for (size_t j = 0; j < OD_COUNT(samples); j++) {
            od_value a = value_of(*state, samples[i].text);
            od_value b = value_of(*state, samples[j].text);
            check_int(i, od_value_equal(a, b), i == j);
        }
    }
}

static void equality_is_by_content(void **state)
{
    static const struct {
        const char *a;
        const char *b;
        bool is_equal;
    } rows[] = {
        {"'a'", "'A'", false},
        {"'a'", "'a '", false},
        {"'a'", "x'61'", false},
        {"'1'", "1", false},
        {"1", "1.0", true},
        {"100", "1e2", true},
        {"0", "-0.00", true},
        {"1", "-1", false},
        {"true", "false", false},
        {"<'b', 'a'>", "<'a', 'b'>", true},
        {"<'b', 'a'>", "<'a', 'b', 'c'>", false},
        {"<1, 20, 3>", "<3.0, 2e1, 01>", true},
        {"[1, 2]", "[2, 1]", false},
        {"[1, 2]", "[1, 2]", true},
        {"[]", "{}", false},
        {"['a']", "<'a'>", false},
        {"{a: 1, b: [2, {c: <'x', 'y'>}]}", "{b: [2.0, {c: <'y', 'x'>}], a: 1}", true},
        {"{a: 1, b: 2}", "{a: 1}", false},
        {"{a: 1}", "{b: 1}", false},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value a = value_of(*state, rows[i].a);
        od_value b = value_of(*state, rows[i].b);
        check_int(i, od_value_equal(a, b), rows[i].is_equal);
        check_int(i, od_value_equal(b, a), rows[i].is_equal);
    }
}

static void scalars_are_ordered_as_dynamodb_orders_them(void **state)
{
    // Each row is before the next one of its type.
    static const char *const rows[] = {
        "-1e125",
        "-10",
        "-9.5",
        "-1",
        "-0.5",
        "0",
        "1e-130",
        "0.5",
        "1",
        "2",
        "9",
        "10",
        "11",
        "100",
        "1e125",
        "''",
        "'A'",
        "'AA'",
        "'B'",
        "'Z'",
        "'a'",
        "'aa'",
        "'b'",
        "'\xC3\xA9'",         // U+00E9
        "'\xEF\xBF\xBF'",     // U+FFFF, which UTF-16 would sort after
        "'\xF0\x90\x80\x80'", // U+10000
        "x''",
        "x'00'",
        "x'0000'",
        "x'0001'",
        "x'01'",
        "x'7F'",
        "x'80'",
        "x'FF'",
        "x'FF00'",
        "x'FFFF'",
    };
    for (size_t i = 0; i + 1 < OD_COUNT(rows); i++) {
        od_value a = value_of(*state, rows[i]);
        od_value b = value_of(*state, rows[i + 1]);
        check_int(i, od_value_compare(a, a), 0);
        if (od_value_type(a) == od_value_type(b)) {
            check_true(i, od_value_compare(a, b) < 0, "before the next");
            check_true(i, od_value_compare(b, a) > 0, "the next is after it");
        }
    }
}

static void scalars_can_be_read(void **state)
{
    od_ctx *cx = *state;
    check_text(0, od_value_bytes(value_of(cx, "'h\xC3\xA9'")), "h\xC3\xA9");
    check_text(1, od_value_bytes(value_of(cx, "''")), "");
    check_hex(2, od_value_bytes(value_of(cx, "x'00FF00'")), "00FF00");
    assert_true(od_value_bool(value_of(cx, "true")));
    assert_false(od_value_bool(value_of(cx, "false")));
    char text[OD_NUMBER_TEXT_MAX];
    od_number n = od_value_number(value_of(cx, "-12.50"));
    check_text(3, (od_str){text, od_number_text(n, text)}, "-12.5");
}

static void long_strings_are_read_whole(void **state)
{
    static const size_t lens[] = {0, 1, 126, 127, 128, 129, 16383, 16384, 409600, 2097152};
    for (size_t i = 0; i < OD_COUNT(lens); i++) {
        od_ctx *cx = *state;
        char *bytes = od_arena_alloc(cx->arena, lens[i] + 1, 1);
        struct od_buf out = {.arena = cx->arena};
        od_pack_b(&out, (od_str){bytes, lens[i]});
        od_value v = od_packed(&out);
        check_int(i, (int64_t)od_value_bytes(v).len, (int64_t)lens[i]);
        check_int(i, (int64_t)od_value_size(v), (int64_t)lens[i]);
        check_true(i, od_value_valid(value_str(v)), "valid");
    }
}

// --- Containers ---------------------------------------------------------------------------------

static void what_is_not_there_is_no_value(void **state)
{
    od_ctx *cx = *state;
    od_value map = value_of(cx, "{b: 1, d: 2}");
    static const char *const names[] = {"", "a", "B", "bb", "c", "e", "dd"};
    for (size_t i = 0; i < OD_COUNT(names); i++) {
        check_true(i, !od_value_exists(od_map_get(map, od_cstr(names[i]))), "absent");
    }
    assert_false(od_value_exists(od_map_get(value_of(cx, "{}"), OD_STR("a"))));
    od_value list = value_of(cx, "[1, 2]");
    assert_false(od_value_exists(od_list_get(list, 2)));
    assert_false(od_value_exists(od_list_get(list, SIZE_MAX)));
    assert_false(od_value_exists(od_list_get(value_of(cx, "[]"), 0)));
}

static void members_are_found(void **state)
{
    od_ctx *cx = *state;
    od_value map = value_of(cx, "{z: 'last', a: -1, m: {x: [1, 'two', <3>]}, e: ''}");
    assert_int_equal(od_value_count(map), 4);
    check_text(0, od_value_bytes(od_map_get(map, OD_STR("z"))), "last");
    check_text(1, od_value_bytes(od_map_get(map, OD_STR("e"))), "");
    od_value list = od_map_get(od_map_get(map, OD_STR("m")), OD_STR("x"));
    assert_int_equal(od_value_count(list), 3);
    assert_true(od_value_equal(od_list_get(list, 0), value_of(cx, "1")));
    assert_true(od_value_equal(od_list_get(list, 1), value_of(cx, "'two'")));
    assert_true(od_value_equal(od_list_get(list, 2), value_of(cx, "<3>")));
}

static void iteration_sees_every_member_in_order(void **state)
{
    static const struct {
        const char *container;
        const char *order;
    } rows[] = {
        {"[]", ""},
        {"{}", ""},
        {"['b', 'a', 'b']", "b,a,b,"},
        {"{b: '1', a: '2', ab: '3'}", "a=2,ab=3,b=1,"},
        {"<'b', 'a', '', 'ba'>", ",a,b,ba,"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        struct od_buf seen = {.arena = cx->arena};
        for (struct od_iter it = od_iter(value_of(cx, rows[i].container)); od_iter_next(&it);) {
            if (it.is_map) {
                od_buf_printf(&seen, "%.*s=", OD_STR_ARG(it.name));
            }
            od_buf_printf(&seen, "%.*s,", OD_STR_ARG(od_value_bytes(it.value)));
        }
        check_text(i, od_buf_str(&seen), rows[i].order);
    }
}

static void sets_know_their_members(void **state)
{
    static const struct {
        const char *set;
        const char *member;
        bool is_member;
    } rows[] = {
        {"<'b', 'd'>", "'a'", false},
        {"<'b', 'd'>", "'c'", false},
        {"<'b', 'd'>", "'e'", false},
        {"<'b', 'd'>", "''", false},
        {"<'b', 'd'>", "x'62'", false},
        {"<'1'>", "1", false},
        {"<1>", "'1'", false},
        {"<'b'>", "<'b'>", false},
        {"<'b'>", "null", false},
        {"<'b', 'd'>", "'b'", true},
        {"<'b', 'd'>", "'d'", true},
        {"<'', 'd'>", "''", true},
        {"<1, -5, 100>", "1e2", true},
        {"<1, -5, 100>", "-5.0", true},
        {"<1, -5, 100>", "5", false},
        {"<0, 7>", "-0", true},
        {"<x'00', x'01'>", "x'01'", true},
        {"<x'00', x'01'>", "x'02'", false},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value set = value_of(*state, rows[i].set);
        od_value member = value_of(*state, rows[i].member);
        check_int(i, od_set_contains(set, member), rows[i].is_member);
    }
}

// --- Size and depth -----------------------------------------------------------------------------

static void sizes_are_dynamodbs(void **state)
{
    static const struct {
        const char *value;
        size_t size;
    } rows[] = {
        {"''", 0},
        {"'abc'", 3},
        {"'\xC3\xA9'", 2},
        {"x''", 0},
        {"x'00FF'", 2},
        {"0", 1},
        {"1", 2},
        {"12", 2},
        {"123", 3},
        {"1000", 2},
        {"-1", 3},
        {"1.5", 3},
        {"0.0000001", 2},
        {"100.5", 4},
        {"1E125", 2},
        {"true", 1},
        {"false", 1},
        {"null", 1},
        {"<'a', 'bcd'>", 4},
        {"<''>", 0},
        {"<1, 123, -1>", 8},
        {"<x'00', x'0000'>", 3},
        {"[]", 3},
        {"{}", 3},
        {"['']", 4},
        {"['abc', 1, null]", 12},
        {"[[], [[]]]", 15},
        {"{a: 'b'}", 6},
        {"{abc: '', de: 12}", 12},
        {"{a: {b: [true, <1>]}}", 3 + 2 + 3 + 2 + 3 + 2 + 3},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value v = value_of(*state, rows[i].value);
        check_int(i, (int64_t)od_value_size(v), (int64_t)rows[i].size);
    }
}

static void an_item_counts_names_and_values(void **state)
{
    static const struct {
        const char *map;
        size_t size;
    } rows[] = {
        {"{}", 0},
        {"{a: ''}", 1},
        {"{id: 'x', n: 123}", 2 + 1 + 1 + 3},
        {"{\xC3\xA9: null}", 2 + 1},
        {"{a: {}, b: [1, 2], c: <'x', 'y'>}", 1 + 3 + 1 + 3 + 2 * 3 + 1 + 2},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_value map = value_of(cx, rows[i].map);
        od_item item = od_item_pack(cx->arena, map);
        check_int(i, (int64_t)od_attributes_size(map), (int64_t)rows[i].size);
        check_int(i, (int64_t)od_item_size(item), (int64_t)rows[i].size);
        check_true(i, od_value_equal(od_item_map(item), map), "the map is the item's");
        check_true(i, od_item_valid((od_str){item.ptr, item.len}), "valid");
    }
}

// `levels` maps and lists by turns around a scalar.
static od_value nested(od_ctx *cx, size_t levels)
{
    od_value v = value_of(cx, "'leaf'");
    for (size_t i = 0; i < levels; i++) {
        struct od_buf out = {.arena = cx->arena};
        size_t mark = od_pack_open(&out, i % 2 == 0 ? OD_TYPE_M : OD_TYPE_L);
        if (i % 2 == 0) {
            od_pack_name(&out, OD_STR("n"));
        }
        od_pack_value(&out, v);
        od_pack_close(&out, mark, 1);
        v = od_packed(&out);
    }
    return v;
}

static void depth_counts_wrappers_and_the_leaf(void **state)
{
    static const struct {
        const char *value;
        size_t depth;
    } rows[] = {
        {"'a'", 1},
        {"<'a'>", 1},
        {"[]", 1},
        {"{}", 1},
        {"[1]", 2},
        {"{a: 1, b: <1>}", 2},
        {"[1, [2, [3]], 4]", 4},
        {"{a: {b: {}}}", 3},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value v = value_of(*state, rows[i].value);
        check_int(i, (int64_t)od_value_depth(v), (int64_t)rows[i].depth);
    }
    assert_int_equal(od_value_depth(nested(*state, 31)), OD_MAX_NESTING);
    assert_int_equal(od_value_depth(nested(*state, 32)), OD_MAX_NESTING + 1);
}

// An update may put a value of full depth into the deepest place of another, before anyone counts.
static void a_value_of_twice_the_legal_depth_can_be_measured(void **state)
{
    enum { LEVELS = 2 * OD_MAX_NESTING };
    od_value v = nested(*state, LEVELS);
    assert_int_equal(od_value_depth(v), LEVELS + 1);
    assert_int_equal(od_value_size(v), 4 + 32 * (3 + 2) + 32 * (3 + 1));
}

// --- Items --------------------------------------------------------------------------------------

static void items_give_their_attributes(void **state)
{
    od_ctx *cx = *state;
    od_item item = od_item_pack(cx->arena, value_of(cx, "{id: 'x', n: 5}"));
    assert_true(od_item_exists(item));
    assert_true(od_value_equal(od_item_get(item, OD_STR("n")), value_of(cx, "5")));
    assert_false(od_value_exists(od_item_get(item, OD_STR("m"))));
    assert_false(od_item_exists((od_item){0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(other_words_name_no_type),
        TEST(types_and_their_names_belong_together),
        TEST(values_of_different_types_are_unequal),
        TEST(equality_is_by_content),
        TEST(scalars_are_ordered_as_dynamodb_orders_them),
        TEST(scalars_can_be_read),
        TEST(long_strings_are_read_whole),
        TEST(what_is_not_there_is_no_value),
        TEST(members_are_found),
        TEST(iteration_sees_every_member_in_order),
        TEST(sets_know_their_members),
        TEST(sizes_are_dynamodbs),
        TEST(an_item_counts_names_and_values),
        TEST(depth_counts_wrappers_and_the_leaf),
        TEST(a_value_of_twice_the_legal_depth_can_be_measured),
        TEST(items_give_their_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
