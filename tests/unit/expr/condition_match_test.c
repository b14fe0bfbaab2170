#include "support.h"

static const char item[] =
    "{b: x'0102FF', big: 12345678901234567890123456789012345678, bs: <x'01', x'0203'>, e: '', "
    "f: false, five: 5, l: [1, 'two', <3, 4>, {x: [1.0]}, null], "
    "m: {x: 1, y: {z: 'deep'}, l: [10, 20]}, n: 5.0, neg: -1.5, ns: <1, 2, 3.50>, nul: null, "
    "s: 'hello', s2: 'hello', ss: <'cat', 'dog'>, t: true}";

static const char values[] =
    "b: x'0102FF', b1: x'01', bs: <x'0203', x'01'>, deep: 'deep', dog: 'dog', e: '', ell: 'ell', "
    "f: false, hell: 'hell', hello: 'hello', hellp: 'hellp', l: [1, 'two', <4, 3>, {x: [1]}, "
    "null], "
    "m: {l: [10, 20], y: {z: 'deep'}, x: 1}, n0: 0, n1: 1, n2: 2, n3: 3, n4: 4, n5: 5, n6: 6, "
    "n9: 9, ns: <3.5, 2, 1>, ns34: <4, 3>, nul: null, s5: '5', ss: <'dog', 'cat'>, t: true, "
    "ty_b: 'B', ty_bool: 'BOOL', ty_bs: 'BS', ty_l: 'L', ty_m: 'M', ty_n: 'N', ty_ns: 'NS', "
    "ty_nul: 'NULL', ty_s: 'S', ty_ss: 'SS', x1: {x: [1]}";

static const struct od_condition *bind(od_ctx *cx, const char *text, const char *given)
{
    const struct od_expr *expr = NULL;
    const struct od_condition *condition = NULL;
    check_ok(text, cx, od_expr_parse(cx, OD_EXPR_FILTER, od_cstr(text), &expr));
    check_ok(text, cx, od_condition_bind(cx, expr, env_of(cx, NULL, given), &condition));
    return condition;
}

struct row {
    const char *text;
    bool expected;
};

static void check_rows(od_ctx *cx, const struct row *rows, size_t count)
{
    od_value map = value_of(cx, item);
    for (size_t i = 0; i < count; i++) {
        const struct od_condition *condition = bind(cx, rows[i].text, values);
        check_bool(rows[i].text, od_condition_match(condition, map), rows[i].expected);
    }
}

static void a_missing_path_has_no_value(void **state)
{
    static const struct row rows[] = {
        {"x = :n5", false},
        {"x = y", false},
        {"x <> :n5", true},
        {":n5 <> x", true},
        {"x <> y", true},
        {"x < :n5", false},
        {"x <= :n5", false},
        {"x > :n5", false},
        {":n5 >= x", false},
        {"x BETWEEN :n1 AND :n9", false},
        {"n BETWEEN x AND :n9", false},
        {"n BETWEEN :n1 AND x", false},
        {"x IN (:n5, y)", false},
        {"n IN (x, y)", false},
        {"begins_with(x, :hell)", false},
        {"begins_with(s, x)", false},
        {"contains(x, :hell)", false},
        {"contains(s, x)", false},
        {"contains(l, x)", false},
        {"attribute_type(x, :ty_s)", false},
        {"attribute_type(x, :ty_nul)", false},
        {"size(x) = :n0", false},
        {"size(x) < :n9", false},
        {"size(x) <> :n5", true},
        {"attribute_exists(x)", false},
        {"attribute_not_exists(x)", true},
        {"NOT (x = :n5)", true},
        {"NOT x < :n5", true},
        {"NOT x <> :n5", false},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void a_step_into_the_wrong_type_is_a_missing_value(void **state)
{
    static const struct row rows[] = {
        {"attribute_exists(l.x)", false},
        {"attribute_exists(m[0])", false},
        {"attribute_exists(s.x)", false},
        {"attribute_exists(s[0])", false},
        {"attribute_exists(ns[0])", false},
        {"attribute_exists(l[5])", false},
        {"attribute_exists(m.x.y)", false},
        {"attribute_exists(l[2147483647])", false},
        {"attribute_exists(l[4])", true},
        {"attribute_exists(m.y.z)", true},
        {"attribute_exists(nul)", true},
        {"attribute_exists(l[3].x[0])", true},
        {"m.y.z = :deep", true},
        {"m.l[1] > m.l[0]", true},
        {"m.l[2] > m.l[0]", false},
        {"l[3].x[0] = :n1", true},
        {"attribute_not_exists(l.x)", true},
        {"attribute_not_exists(m.y)", false},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void equality_is_by_value_at_any_depth(void **state)
{
    static const struct row rows[] = {
        {"s = :hello", true},   {"s = s2", true},      {"s = :hell", false}, {"n = :n5", true},
        {"n = five", true},     {"n = :s5", false},    {"n <> :s5", true},   {"s <> s2", false},
        {"b = :b", true},       {"b = :b1", false},    {"t = :t", true},     {"t = :f", false},
        {"f = :f", true},       {"nul = :nul", true},  {"nul <> :t", true},  {"ss = :ss", true},
        {"ns = :ns", true},     {"ns = :ns34", false}, {"bs = :bs", true},   {"l = :l", true},
        {"l <> :l", false},     {"m = :m", true},      {"m <> :x1", true},   {"l[3] = :x1", true},
        {"l[2] = :ns34", true}, {"e = :e", true},      {"e <> s", true},     {"ss = ns", false},
        {"big <> n", true},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void only_strings_numbers_and_binary_have_an_order(void **state)
{
    static const struct row rows[] = {
        {"n < :n6", true},
        {"n < :n5", false},
        {"n <= :n5", true},
        {"n > :n4", true},
        {"n >= :n6", false},
        {"neg < :n0", true},
        {"big > n", true},
        {"s < :hellp", true},
        {"s > :hell", true},
        {"e < s", true},
        {"b > :b1", true},
        {":b1 < b", true},
        // Of two types, or of a type without an order, in the item.
        {"n < :s5", false},
        {"n > :s5", false},
        {"s >= b", false},
        {"l < :n5", false},
        {":n5 < l", false},
        {"t <= f", false},
        {"ss >= ns", false},
        {"nul >= t", false},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void between_includes_its_bounds(void **state)
{
    static const struct row rows[] = {
        {"n BETWEEN :n5 AND :n5", true},     {"n BETWEEN :n4 AND :n6", true},
        {"n BETWEEN :n5 AND :n6", true},     {"n BETWEEN :n1 AND :n4", false},
        {"n BETWEEN :n6 AND :n9", false},    {"s BETWEEN :hell AND :hellp", true},
        {":b BETWEEN :b1 AND b", true},      {"five BETWEEN neg AND big", true},
        {"s BETWEEN :n1 AND :n9", false},    {"n BETWEEN five AND :n4", false},
        {"n BETWEEN :n4 AND s", false},      {"l BETWEEN ss AND ns", false},
        {"size(s) BETWEEN :n4 AND n", true}, {"n BETWEEN size(l) AND size(s)", true},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void in_is_true_when_any_is_equal(void **state)
{
    static const struct row rows[] = {
        {"n IN (:n1, :n5)", true},  {"n IN (:n1, :s5)", false}, {"n IN (five)", true},
        {"l IN (:n1, :l)", true},   {"m IN (m.y, :m)", true},   {"nul IN (:nul)", true},
        {":n5 IN (x, n)", true},    {"size(s) IN (:n5)", true}, {"n IN (size(s), :n1)", true},
        {"n IN (size(ss))", false},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void functions_look_into_values(void **state)
{
    static const struct row rows[] = {
        {"attribute_type(s, :ty_s)", true},
        {"attribute_type(n, :ty_n)", true},
        {"attribute_type(b, :ty_b)", true},
        {"attribute_type(t, :ty_bool)", true},
        {"attribute_type(nul, :ty_nul)", true},
        {"attribute_type(ss, :ty_ss)", true},
        {"attribute_type(ns, :ty_ns)", true},
        {"attribute_type(bs, :ty_bs)", true},
        {"attribute_type(l, :ty_l)", true},
        {"attribute_type(m, :ty_m)", true},
        {"attribute_type(s, :ty_n)", false},
        {"attribute_type(ss, :ty_s)", false},
        {"begins_with(s, :hell)", true},
        {"begins_with(s, :hello)", true},
        {"begins_with(s, :e)", true},
        {"begins_with(s, :ell)", false},
        {"begins_with(:hello, s)", true},
        {"begins_with(s, s2)", true},
        {"begins_with(s, n)", false},
        {"begins_with(n, :hell)", false},
        {"begins_with(b, :b1)", true},
        {"begins_with(b, :hell)", false},
        {"contains(s, :ell)", true},
        {"contains(s, :e)", true},
        {"contains(s, :dog)", false},
        {"contains(s, n)", false},
        {"contains(b, :b1)", true},
        {"contains(b, :ell)", false},
        {"contains(ss, :dog)", true},
        {"contains(ss, :ell)", false},
        {"contains(ss, :n1)", false},
        {"contains(ss, :ss)", false},
        {"contains(ns, :n1)", true},
        {"contains(ns, :n4)", false},
        {"contains(ns, n)", false},
        {"contains(bs, :b1)", true},
        {"contains(bs, :b)", false},
        {"contains(l, :n1)", true},
        {"contains(l, :n5)", false},
        {"contains(l, :ns34)", true},
        {"contains(l, :x1)", true},
        {"contains(l, :nul)", true},
        {"contains(m, :n1)", false},
        {"contains(n, :n5)", false},
        {"contains(t, :t)", false},
        {"contains(:ss, l[1])", false},
        {"contains(:hello, s2)", true},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void size_is_a_number(void **state)
{
    static const struct row rows[] = {
        {"size(s) = :n5", true},
        {"size(e) = :n0", true},
        {"size(b) = :n3", true},
        {"size(ss) = :n2", true},
        {"size(ns) = :n3", true},
        {"size(bs) = :n2", true},
        {"size(l) = :n5", true},
        {"size(m) = :n3", true},
        {"size(m.y) = :n1", true},
        {"size(s) = n", true},
        {"n = size(s)", true},
        {"size(s) <> :n4", true},
        {"size(s) > :n4", true},
        {"size(s) <= :n4", false},
        {"size(s) = size(l)", true},
        {"size(s) < size(b)", false},
        {"size(:hello) = n", true},
        {"size(:ns) = :n3", true},
        // What has no size.
        {"size(n) = :n1", false},
        {"size(t) = :n1", false},
        {"size(nul) = :n1", false},
        {"size(n) <> :n1", true},
        {"size(s) = :s5", false},
        {"size(s) > s", false},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

// One unit of UTF-16 each, two beyond the basic plane.
static void the_size_of_text_counts_utf16_units(void **state)
{
    static const struct {
        const char *text;
        const char *size;
    } rows[] = {
        {"{s: 'abc'}", "n: 3"},
        {"{s: '\xC3\xA9t\xC3\xA9'}", "n: 3"},
        {"{s: '\xE2\x82\xAC'}", "n: 1"},
        {"{s: 'a\xF0\x9F\x98\x80'}", "n: 3"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_condition *condition = bind(*state, "size(s) = :n", rows[i].size);
        check_bool(rows[i].text, od_condition_match(condition, value_of(*state, rows[i].text)),
                   true);
    }
}

static void not_binds_tighter_than_and_and_that_than_or(void **state)
{
    static const struct row rows[] = {
        {"t = :t AND f = :f", true},
        {"t = :t AND f = :t", false},
        {"t = :f OR f = :f", true},
        {"t = :f OR f = :t", false},
        {"t = :t OR t = :f AND t = :f", true},
        {"(t = :t OR t = :f) AND t = :f", false},
        {"t = :f AND t = :f OR t = :t", true},
        {"NOT t = :f AND t = :f", false},
        {"NOT (t = :f AND t = :f)", true},
        {"NOT t = :t OR t = :t", true},
        {"NOT NOT t = :t", true},
        {"NOT NOT NOT t = :t", false},
        {"n BETWEEN :n4 AND :n6 AND t = :t", true},
        {"n BETWEEN :n4 AND :n6 AND t = :f", false},
        {"t = :t AND f = :f AND n = :n5 AND s = :hello", true},
        {"t = :t AND f = :f AND n = :n5 AND s = :hell", false},
        {"t = :f OR f = :t OR n = :n4 OR s = :hello", true},
        {"((t = :t) AND (f = :t OR n = :n5)) AND (NOT (s = :hell))", true},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void an_item_that_does_not_exist_has_no_attributes(void **state)
{
    static const struct row rows[] = {
        {"attribute_not_exists(s)", true},
        {"attribute_exists(s)", false},
        {"s = :hello", false},
        {"s <> :hello", true},
        {"NOT s = :hello", true},
        {"size(s) > :n0", false},
        {":n1 = :n1", true},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_condition *condition = bind(*state, rows[i].text, values);
        check_bool(rows[i].text, od_condition_match(condition, (od_value){0}), rows[i].expected);
    }
}

// The legacy parameters make one for each attribute that a request names.
static void a_long_chain_that_leans_right_does_not_recurse(void **state)
{
    enum { LONG = 300000 };
    od_ctx *cx = *state;
    const struct od_condition *leaf = bind(cx, "t = :t", values);
    struct od_condition *chain = od_new_array(cx->arena, struct od_condition, LONG);
    for (size_t i = 0; i < LONG; i++) {
        chain[i].op = OD_COND_AND;
        chain[i].left = leaf;
        chain[i].right = i + 1 < LONG ? &chain[i + 1] : leaf;
    }
    check_bool("chain", od_condition_match(chain, value_of(cx, item)), true);
    struct name_list list = {.out = {.arena = cx->arena}, .most = SIZE_MAX};
    od_condition_names(chain, list_name, &list);
    check_size("names", list.count, LONG + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_missing_path_has_no_value),
        TEST(a_step_into_the_wrong_type_is_a_missing_value),
        TEST(equality_is_by_value_at_any_depth),
        TEST(only_strings_numbers_and_binary_have_an_order),
        TEST(between_includes_its_bounds),
        TEST(in_is_true_when_any_is_equal),
        TEST(functions_look_into_values),
        TEST(size_is_a_number),
        TEST(the_size_of_text_counts_utf16_units),
        TEST(not_binds_tighter_than_and_and_that_than_or),
        TEST(an_item_that_does_not_exist_has_no_attributes),
        TEST(a_long_chain_that_leans_right_does_not_recurse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
