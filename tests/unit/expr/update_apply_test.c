#include "support.h"

#include <string.h>

static const struct od_update *bind(od_ctx *cx, const char *text, const char *values)
{
    const struct od_expr *expr = NULL;
    const struct od_update *update = NULL;
    check_ok(text, cx, od_expr_parse(cx, OD_EXPR_UPDATE, od_cstr(text), &expr));
    check_ok(text, cx, od_update_bind(cx, expr, env_of(cx, "#dot=a.b", values), &update));
    return update;
}

// Values that any row may name.
static const char values[] =
    "b: x'01', bs: <x'01'>, l: ['new'], m: {k: 1}, n: 1, n2: 2, n5: 5, ns: <2, 4>, nul: null, "
    "s: 'new', ss: <'b', 'd'>, t: 'two', u: 'three', big: 1e125, tiny: 1e-130";

#define INVALID_PATH "The document path provided in the update expression is invalid for update"
#define NO_ATTRIBUTE \
    "The provided expression refers to an attribute that does not exist in the item"
#define INCORRECT_TYPE "An operand in the update expression has an incorrect data type"

// --- Faults -------------------------------------------------------------------------------------

static void what_does_not_fit_the_stored_item_is_refused(void **state)
{
    static const char item[] = "{id: 'k', l: [1, 'x'], m: {x: 1, l: []}, n: 7, s: 'old', "
                               "ss: <'a'>, big: 1e125}";
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        // The parent of a path has to be there, and of the right type.
        {"SET x.y = :n", INVALID_PATH},
        {"SET x[0] = :n", INVALID_PATH},
        {"SET m.x.y = :n", INVALID_PATH},
        {"SET m.y.z = :n", INVALID_PATH},
        {"SET m[0] = :n", INVALID_PATH},
        {"SET l.x = :n", INVALID_PATH},
        {"SET l[0].x = :n", INVALID_PATH},
        {"SET l[2].x = :n", INVALID_PATH},
        {"SET s.x = :n", INVALID_PATH},
        {"SET ss[0] = :s", INVALID_PATH},
        {"REMOVE x.y", INVALID_PATH},
        {"REMOVE x[0]", INVALID_PATH},
        {"REMOVE s.y", INVALID_PATH},
        {"REMOVE l.y", INVALID_PATH},
        {"REMOVE m[0]", INVALID_PATH},
        {"ADD x.y :n", INVALID_PATH},
        {"DELETE x.y :ss", INVALID_PATH},
        // What a right side reads has to be there.
        {"SET a = x", NO_ATTRIBUTE},
        {"SET x = x", NO_ATTRIBUTE},
        {"SET a = m.y", NO_ATTRIBUTE},
        {"SET a = l[2]", NO_ATTRIBUTE},
        {"SET a = x + :n", NO_ATTRIBUTE},
        {"SET a = :n - x", NO_ATTRIBUTE},
        {"SET a = list_append(x, :l)", NO_ATTRIBUTE},
        {"SET a = if_not_exists(x, y)", NO_ATTRIBUTE},
        {"SET a = :n, b = a", NO_ATTRIBUTE}, // it reads the item as it was
        // Types.
        {"SET a = s + :n", INCORRECT_TYPE},
        {"SET a = s + s", INCORRECT_TYPE},
        {"SET a = :n - l", INCORRECT_TYPE},
        {"SET a = list_append(s, :l)", INCORRECT_TYPE},
        {"SET a = list_append(:l, ss)", INCORRECT_TYPE},
        {"SET a = list_append(l, l) + :n", INCORRECT_TYPE},
        {"SET a = if_not_exists(s, :n) + :n", INCORRECT_TYPE},
        {"ADD s :n", INCORRECT_TYPE},
        {"ADD n :ss", INCORRECT_TYPE},
        {"ADD ss :ns", INCORRECT_TYPE},
        {"ADD l :ss", INCORRECT_TYPE},
        {"DELETE ss :ns", INCORRECT_TYPE},
        {"DELETE s :ss", INCORRECT_TYPE},
        {"DELETE l :ss", INCORRECT_TYPE},
        // Right sides are read before anything is written.
        {"SET x.y = :n, a = x", NO_ATTRIBUTE},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_value out = {0};
        const struct od_update *update = bind(cx, rows[i].text, values);
        od_status status = od_update_apply(cx, update, value_of(cx, item), true, &out);
        check_bare_fault(rows[i].text, cx, status, rows[i].message);
    }
}

static void arithmetic_that_is_not_exact_is_refused(void **state)
{
    static const char item[] = "{big: 1e125, neg: -1e125, one: 1}";
    static const char *const rows[] = {
        "SET a = big + :n",    // 126 digits
        "SET a = one + :tiny", // 131 digits
        "ADD big :n",
        "SET a = neg - :n",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_value out = {0};
        const struct od_update *update = bind(cx, rows[i], values);
        od_status status = od_update_apply(cx, update, value_of(cx, item), true, &out);
        check_bool(rows[i], status == OD_VALIDATION, true);
        check_bool(rows[i], od_str_has_prefix(cx->error, OD_STR("Number ")), true);
    }
}

// --- Results ------------------------------------------------------------------------------------

struct row {
    const char *text;
    const char *before;
    const char *after;
};

static void check_rows(od_ctx *cx, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        od_value out = {0};
        const struct od_update *update = bind(cx, rows[i].text, values);
        check_ok(rows[i].text, cx,
                 od_update_apply(cx, update, value_of(cx, rows[i].before), true, &out));
        check_value(rows[i].text, cx, out, rows[i].after);
    }
}

static void set_writes_and_replaces(void **state)
{
    static const struct row rows[] = {
        {"SET a = :s", "{}", "{a: 'new'}"},
        {"SET a = :s", "{b: 1}", "{a: 'new', b: 1}"},
        {"SET c = :s", "{b: 1}", "{b: 1, c: 'new'}"},
        {"SET b = :s", "{a: 0, b: [1], c: 2}", "{a: 0, b: 'new', c: 2}"},
        {"SET a = :n, c = :s, e = :t", "{b: 1, d: 2}", "{a: 1, b: 1, c: 'new', d: 2, e: 'two'}"},
        {"SET c = :n, a = :s", "{a: 1, b: 2, c: 3}", "{a: 'new', b: 2, c: 1}"},
        {"SET a = :nul, b = :m, c = :bs", "{}", "{a: null, b: {k: 1}, c: <x'01'>}"},
        {"SET #dot = :n", "{a: {b: 5}}", "{a: {b: 5}, a.b: 1}"},
        {"SET a = b", "{b: [1, {x: 2}]}", "{a: [1, {x: 2}], b: [1, {x: 2}]}"},
        {"SET a = b.c[1].x", "{b: {c: [0, {x: 7}]}}", "{a: 7, b: {c: [0, {x: 7}]}}"},
        {"SET a = a", "{a: 1}", "{a: 1}"},
        {"SET a = b, b = a", "{a: 1, b: 2}", "{a: 2, b: 1}"},
        {"SET a = :n, b = a", "{a: 'old'}", "{a: 1, b: 'old'}"},
        {"SET a = (:n)", "{}", "{a: 1}"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void set_of_a_nested_path_leaves_the_rest(void **state)
{
    static const struct row rows[] = {
        {"SET a.c = :n", "{a: {b: 3, c: 4}, d: 5}", "{a: {b: 3, c: 1}, d: 5}"},
        {"SET a.d = :n", "{a: {b: 3, c: 4}, d: 5}", "{a: {b: 3, c: 4, d: 1}, d: 5}"},
        {"SET a.a = :n", "{a: {b: 3}}", "{a: {a: 1, b: 3}}"},
        {"SET a.c = :n", "{a: {b: 3, c: {x: 1, y: 2}}}", "{a: {b: 3, c: 1}}"},
        {"SET a.c[1].x.y[1] = :n", "{a: {b: 3, c: ['hi', {x: {y: [3, 5, 7]}}]}}",
         "{a: {b: 3, c: ['hi', {x: {y: [3, 1, 7]}}]}}"},
        {"SET a.z = a.c[1].x", "{a: {c: [0, {x: 9}]}}", "{a: {c: [0, {x: 9}], z: 9}}"},
        {"SET a.b = :n, a.c.d = :s, b.x = :n5 REMOVE a.x, b.y",
         "{a: {x: 3, y: 4, c: {y: 3}}, b: {x: 1, y: 2}}",
         "{a: {b: 1, c: {d: 'new', y: 3}, y: 4}, b: {x: 5}}"},
        {"SET a[0].b = :n, a[2].b = :n2", "{a: [{b: 0, c: 1}, 'x', {}]}",
         "{a: [{b: 1, c: 1}, 'x', {b: 2}]}"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void set_in_a_list_replaces_or_appends(void **state)
{
    static const struct row rows[] = {
        {"SET a[0] = :s", "{a: []}", "{a: ['new']}"},
        {"SET a[1] = :s", "{a: [1, 2, 3]}", "{a: [1, 'new', 3]}"},
        {"SET a[3] = :s", "{a: [1, 2, 3]}", "{a: [1, 2, 3, 'new']}"},
        {"SET a[7] = :s", "{a: [1, 2, 3]}", "{a: [1, 2, 3, 'new']}"},
        {"SET a[2147483647] = :s", "{a: [1]}", "{a: [1, 'new']}"},
        {"SET a[84] = :n, a[37] = :n2, a[17] = :s, a[50] = :n5", "{a: [0]}",
         "{a: [0, 'new', 2, 5, 1]}"},
        {"SET a[0] = :s, a[5] = :t, a[2] = :u", "{a: [1, 2]}", "{a: ['new', 2, 'three', 'two']}"},
        {"SET a[1][0] = :s", "{a: [0, [1, 2]]}", "{a: [0, ['new', 2]]}"},
        {"SET a[0] = a[1], a[1] = a[0]", "{a: [1, 2]}", "{a: [2, 1]}"},
        {"ADD a[0] :n, a[9] :n5", "{a: [1, 2]}", "{a: [2, 2, 5]}"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void arithmetic_and_functions_read_the_old_item(void **state)
{
    static const struct row rows[] = {
        {"SET a = :n + :n5", "{}", "{a: 6}"},
        {"SET a = :n - :n5", "{}", "{a: -4}"},
        {"SET a = a + :n", "{a: 2}", "{a: 3}"},
        {"SET a = :n + a", "{a: 2}", "{a: 3}"},
        {"SET a = a - b", "{a: 2, b: 0.5}", "{a: 1.5, b: 0.5}"},
        {"SET a = a + a", "{a: 99999999999999999999}", "{a: 199999999999999999998}"},
        {"SET a = (a + b.c[0])", "{a: 1, b: {c: [41]}}", "{a: 42, b: {c: [41]}}"},
        {"SET a = (a) + (b)", "{a: 1, b: 2}", "{a: 3, b: 2}"},
        {"SET a = a - a", "{a: -7.25}", "{a: 0}"},
        {"SET a = if_not_exists(a, :n)", "{}", "{a: 1}"},
        {"SET a = if_not_exists(a, :n)", "{a: 'x'}", "{a: 'x'}"},
        {"SET a = if_not_exists(b, :n)", "{a: 0, b: 7}", "{a: 7, b: 7}"},
        {"SET a = if_not_exists(b.c, b.d)", "{b: {d: 7}}", "{a: 7, b: {d: 7}}"},
        {"SET a = if_not_exists(a, :n) + :n5", "{}", "{a: 6}"},
        {"SET a = if_not_exists(a, :n) + :n5", "{a: 10}", "{a: 15}"},
        {"SET a = list_append(:l, :l)", "{}", "{a: ['new', 'new']}"},
        {"SET a = list_append(a, :l)", "{a: [1]}", "{a: [1, 'new']}"},
        {"SET a = list_append(:l, a)", "{a: [1]}", "{a: ['new', 1]}"},
        {"SET a = list_append(a, b)", "{a: [], b: [[1], {}]}", "{a: [[1], {}], b: [[1], {}]}"},
        {"SET a = list_append(if_not_exists(a, :l), :l)", "{}", "{a: ['new', 'new']}"},
        {"SET a = if_not_exists(x, list_append(b, :l))", "{b: [1]}", "{a: [1, 'new'], b: [1]}"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void remove_takes_away_what_is_there(void **state)
{
    static const struct row rows[] = {
        {"REMOVE a", "{a: 1, b: 2}", "{b: 2}"},
        {"REMOVE b", "{a: 1, b: 2}", "{a: 1}"},
        {"REMOVE a, b", "{a: 1, b: 2}", "{}"},
        {"REMOVE x", "{a: 1}", "{a: 1}"},
        {"REMOVE a.y", "{a: {x: 1}}", "{a: {x: 1}}"},
        {"REMOVE a.x", "{a: {x: 1}}", "{a: {}}"},
        {"REMOVE a.b.c", "{a: {b: {c: 1, d: 2}, e: 3}}", "{a: {b: {d: 2}, e: 3}}"},
        {"REMOVE a SET b = a", "{a: 1}", "{b: 1}"},
        // Positions are those of the old list, and what follows moves up.
        {"REMOVE a[0]", "{a: [1]}", "{a: []}"},
        {"REMOVE a[1]", "{a: [1, 2, 3]}", "{a: [1, 3]}"},
        {"REMOVE a[17]", "{a: [1, 2, 3]}", "{a: [1, 2, 3]}"},
        {"REMOVE a[2], a[0]", "{a: [1, 2, 3, 4]}", "{a: [2, 4]}"},
        {"REMOVE a[0], a[1], a[2]", "{a: [1, 2]}", "{a: []}"},
        {"REMOVE a[1] SET a[3] = :s", "{a: [2, 3, 4, 5, 6, 7]}", "{a: [2, 4, 'new', 6, 7]}"},
        {"SET a[3] = :s REMOVE a[1]", "{a: [2, 3, 4, 5, 6, 7]}", "{a: [2, 4, 'new', 6, 7]}"},
        {"SET a[9] = :s REMOVE a[0]", "{a: [1, 2]}", "{a: [2, 'new']}"},
        {"REMOVE a.c[1].x.y[1], a.c[1].q", "{a: {c: [0, {q: 2, x: {y: [3, 5, 7]}}]}}",
         "{a: {c: [0, {x: {y: [3, 7]}}]}}"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void add_sums_numbers_and_unites_sets(void **state)
{
    static const struct row rows[] = {
        {"ADD a :n5", "{a: 3}", "{a: 8}"},
        {"ADD a :n5", "{}", "{a: 5}"},
        {"ADD a :n5", "{a: -5}", "{a: 0}"},
        {"ADD a.b :n", "{a: {b: 1}}", "{a: {b: 2}}"},
        {"ADD a.b :n", "{a: {}}", "{a: {b: 1}}"},
        {"ADD a[0] :n", "{a: [1]}", "{a: [2]}"},
        {"ADD a :ss", "{a: <'a', 'c'>}", "{a: <'a', 'b', 'c', 'd'>}"},
        {"ADD a :ss", "{a: <'b', 'd'>}", "{a: <'b', 'd'>}"},
        {"ADD a :ss", "{a: <'d', 'e'>}", "{a: <'b', 'd', 'e'>}"},
        {"ADD a :ss", "{}", "{a: <'b', 'd'>}"},
        {"ADD a :ns", "{a: <-1, 2.0, 30>}", "{a: <-1, 2, 4, 30>}"},
        {"ADD a :bs", "{a: <x'00FF'>}", "{a: <x'00FF', x'01'>}"},
        {"ADD a :n, b :ss", "{}", "{a: 1, b: <'b', 'd'>}"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

static void delete_takes_members_from_a_set(void **state)
{
    static const struct row rows[] = {
        {"DELETE a :ss", "{a: <'a', 'b', 'c'>}", "{a: <'a', 'c'>}"},
        {"DELETE a :ss", "{a: <'a', 'c'>}", "{a: <'a', 'c'>}"},
        {"DELETE a :ss", "{a: <'b', 'd', 'e'>}", "{a: <'e'>}"},
        {"DELETE a :ss", "{a: <'a', 'b', 'd'>}", "{a: <'a'>}"},
        {"DELETE a :ns", "{a: <2.00, 3>}", "{a: <3>}"},
        {"DELETE a :bs", "{a: <x'00', x'01'>, b: 1}", "{a: <x'00'>, b: 1}"},
        // An empty set is no value.
        {"DELETE a :ss", "{a: <'b'>, b: 1}", "{b: 1}"},
        {"DELETE a.b :ss", "{a: {b: <'d'>, c: 1}}", "{a: {c: 1}}"},
        {"DELETE a[1] :ss", "{a: [1, <'d', 'b'>, 3]}", "{a: [1, 3]}"},
        {"DELETE a :ss", "{b: 1}", "{b: 1}"},
        {"DELETE a.b :ss", "{a: {}}", "{a: {}}"},
    };
    check_rows(*state, rows, OD_COUNT(rows));
}

// The attributes of the key are there already, but right sides do not see them.
static void an_item_that_does_not_exist_is_made_of_its_key(void **state)
{
    static const struct {
        const char *text;
        const char *after;
        const char *message;
    } rows[] = {
        {"SET a = :n", "{a: 1, id: 'k'}", NULL},
        {"SET z = :n", "{id: 'k', z: 1}", NULL},
        {"ADD a :n5, b :ss", "{a: 5, b: <'b', 'd'>, id: 'k'}", NULL},
        {"DELETE a :ss", "{id: 'k'}", NULL},
        {"REMOVE a", "{id: 'k'}", NULL},
        {"REMOVE x.y", "{id: 'k'}", NULL},
        {"REMOVE x[0], y.z[1] SET a = :n", "{a: 1, id: 'k'}", NULL},
        {"SET a = if_not_exists(a, :n)", "{a: 1, id: 'k'}", NULL},
        {"SET a = if_not_exists(id, :n)", "{a: 1, id: 'k'}", NULL},
        {"SET a = id", NULL, NO_ATTRIBUTE},
        {"SET a = x", NULL, NO_ATTRIBUTE},
        {"SET x.y = :n", NULL, INVALID_PATH},
        {"SET x[0] = :n", NULL, INVALID_PATH},
        {"REMOVE x.y SET x.z = :n", NULL, INVALID_PATH},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_value out = {0};
        const struct od_update *update = bind(cx, rows[i].text, values);
        od_status status = od_update_apply(cx, update, value_of(cx, "{id: 'k'}"), false, &out);
        if (rows[i].message != NULL) {
            check_bare_fault(rows[i].text, cx, status, rows[i].message);
            continue;
        }
        check_ok(rows[i].text, cx, status);
        check_value(rows[i].text, cx, out, rows[i].after);
    }
}

// --- Limits -------------------------------------------------------------------------------------

// A value inside so many lists.
static const char *nested(od_ctx *cx, size_t lists, const char *inner)
{
    struct od_buf text = {.arena = cx->arena};
    for (size_t i = 0; i < lists; i++) {
        od_buf_put(&text, OD_STR("["));
    }
    od_buf_put(&text, od_cstr(inner));
    for (size_t i = 0; i < lists; i++) {
        od_buf_put(&text, OD_STR("]"));
    }
    od_buf_put_byte(&text, '\0');
    return text.ptr;
}

static void a_result_nested_too_deeply_is_refused(void **state)
{
    static const struct {
        const char *text;
        size_t lists; // around the value
        const char *item;
        bool fits;
    } rows[] = {
        {"SET a = :v", 31, "{}", true},
        {"SET a.b = :v", 30, "{a: {}}", true},
        {"SET a.b = :v", 31, "{a: {}}", false},
        {"SET a[0][0] = :v", 29, "{a: [[]]}", true},
        {"SET a[0][0] = :v", 30, "{a: [[]]}", false},
        {"SET a = list_append(:v, :v)", 31, "{}", true},
        {"SET a.b = list_append(:v, :v)", 31, "{a: {}}", false},
        {"SET a = if_not_exists(a, :v)", 31, "{}", true},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const char *given = od_arena_printf(cx->arena, "v: %s", nested(cx, rows[i].lists, "1")).ptr;
        const struct od_update *update = bind(cx, rows[i].text, given);
        od_value out = {0};
        od_status status = od_update_apply(cx, update, value_of(cx, rows[i].item), true, &out);
        if (rows[i].fits) {
            check_ok(rows[i].text, cx, status);
            continue;
        }
        check_bare_fault(rows[i].text, cx, status,
                         "Nesting Levels have exceeded supported limits: Attributes in the item "
                         "have nested levels beyond supported limit");
    }
}

static void an_attribute_that_is_copied_below_itself_may_become_too_deep(void **state)
{
    od_ctx *cx = *state;
    const char *item = od_arena_printf(cx->arena, "{a: %s, b: {}}", nested(cx, 31, "1")).ptr;
    od_value out = {0};
    const struct od_update *update = bind(cx, "SET b.c = a", values);
    od_status status = od_update_apply(cx, update, value_of(cx, item), true, &out);
    check_bool("SET b.c = a", status == OD_VALIDATION, true);
    update = bind(cx, "SET c = a", values);
    check_ok("SET c = a", cx, od_update_apply(cx, update, value_of(cx, item), true, &out));
}

// One short text could otherwise ask for any amount of memory.
static void what_cannot_fit_an_item_is_not_even_written(void **state)
{
    enum { HALF = OD_ITEM_MAX_BYTES / 2 };
    static const struct {
        const char *text;
        bool fits;
    } rows[] = {
        {"SET a = x", true},
        {"SET a = x, b = x", false},
        {"SET a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, i = x, j = x", false},
        {"SET a = list_append(l, l)", false},
        {"SET a = list_append(l, :l)", true},
        {"SET x = :n", true},
    };
    od_ctx *cx = *state;
    char *text = od_arena_bytes(cx->arena, HALF + 1);
    memset(text, 'x', HALF);
    text[HALF] = '\0';
    const char *item = od_arena_printf(cx->arena, "{l: ['%s'], x: '%sx'}", text, text).ptr;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value out = {0};
        const struct od_update *update = bind(cx, rows[i].text, values);
        od_status status = od_update_apply(cx, update, value_of(cx, item), true, &out);
        if (rows[i].fits) {
            check_ok(rows[i].text, cx, status);
            continue;
        }
        check_bare_fault(rows[i].text, cx, status,
                         "Item size to update has exceeded the maximum allowed size");
    }
}

// --- What was touched ---------------------------------------------------------------------------

static void the_parts_that_paths_address_are_what_was_touched(void **state)
{
    static const struct {
        const char *text;
        const char *before;
        const char *updated_old;
        const char *updated_new;
    } rows[] = {
        {"SET b = :s, c = :n", "{a: 1, b: 'dog'}", "{b: 'dog'}", "{b: 'new', c: 1}"},
        {"SET b = :s", "{b: 'new'}", "{b: 'new'}", "{b: 'new'}"},
        {"REMOVE b", "{b: 1}", "{b: 1}", NULL},
        {"REMOVE x", "{b: 1}", NULL, NULL},
        {"SET a = :s REMOVE b", "{b: 1}", "{b: 1}", "{a: 'new'}"},
        {"SET a = b", "{b: 1}", NULL, "{a: 1}"},
        {"ADD a :n", "{a: 1, b: 1}", "{a: 1}", "{a: 2}"},
        {"DELETE a :ss", "{a: <'b'>}", "{a: <'b'>}", NULL},
        {"SET a.x = :n", "{a: {x: 0, y: 5}}", "{a: {x: 0}}", "{a: {x: 1}}"},
        {"SET a.x = :n, a.z = :s", "{a: {y: 5}}", NULL, "{a: {x: 1, z: 'new'}}"},
        {"SET a.c[1] = :n, a.b = :s", "{a: {b: 0, c: [1, 2, 3]}}", "{a: {b: 0, c: [2]}}",
         "{a: {b: 'new', c: [1]}}"},
        {"REMOVE a[1], a[3]", "{a: [1, 2, 3]}", "{a: [2]}", "{a: [3]}"},
        {"REMOVE a[1]", "{a: [1, 2]}", "{a: [2]}", NULL},
        {"SET a[100] = :n", "{a: [1]}", NULL, NULL},
        {"SET a[1] = :n", "{a: [1]}", NULL, "{a: [1]}"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        const struct od_update *update = bind(cx, rows[i].text, values);
        od_value before = value_of(cx, rows[i].before);
        od_value after = {0};
        check_ok(rows[i].text, cx, od_update_apply(cx, update, before, true, &after));
        check_value(rows[i].text, cx, od_update_touched(cx->arena, update, before),
                    rows[i].updated_old);
        check_value(rows[i].text, cx, od_update_touched(cx->arena, update, after),
                    rows[i].updated_new);
        check_value(rows[i].text, cx, od_update_touched(cx->arena, update, (od_value){0}), NULL);
    }
}

// --- AttributeUpdates ---------------------------------------------------------------------------

static void legacy_rows_make_an_update(void **state)
{
    static const struct {
        enum od_update_action action;
        const char *name;
        const char *value;
        const char *before;
        const char *after;
        const char *message;
    } rows[] = {
        {OD_UPDATE_SET, "a", "'x'", "{}", "{a: 'x'}", NULL},
        {OD_UPDATE_SET, "a.b", "1", "{a: {}}", "{a: {}, a.b: 1}", NULL},
        {OD_UPDATE_REMOVE, "a", NULL, "{a: 1, b: 2}", "{b: 2}", NULL},
        {OD_UPDATE_ADD, "a", "2", "{a: 1}", "{a: 3}", NULL},
        {OD_UPDATE_ADD, "a", "2", "{}", "{a: 2}", NULL},
        {OD_UPDATE_ADD, "a", "<1>", "{a: <2>}", "{a: <1, 2>}", NULL},
        {OD_UPDATE_ADD, "a", "[1, 2]", "{a: [3]}", "{a: [3, 1, 2]}", NULL},
        {OD_UPDATE_ADD, "a", "[1]", "{}", "{a: [1]}", NULL},
        {OD_UPDATE_DELETE, "a", "<1>", "{a: <1, 2>}", "{a: <2>}", NULL},
        {OD_UPDATE_DELETE, "a", "<1>", "{a: <1>}", "{}", NULL},
        {OD_UPDATE_ADD, "a", "2", "{a: 'x'}", NULL, "Type mismatch for attribute to update"},
        {OD_UPDATE_ADD, "a", "[1]", "{a: 2}", NULL, "Type mismatch for attribute to update"},
        {OD_UPDATE_DELETE, "a", "<1>", "{a: <'x'>}", NULL, "Type mismatch for attribute to update"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        struct od_update_row row = {.action = rows[i].action, .name = od_cstr(rows[i].name)};
        if (rows[i].value != NULL) {
            row.value = value_of(cx, rows[i].value);
        }
        const struct od_update *update = od_update_from_rows(cx->arena, &row, 1);
        od_value out = {0};
        od_status status = od_update_apply(cx, update, value_of(cx, rows[i].before), true, &out);
        if (rows[i].message != NULL) {
            check_bare_fault(rows[i].name, cx, status, rows[i].message);
            continue;
        }
        check_ok(rows[i].name, cx, status);
        check_value(rows[i].before, cx, out, rows[i].after);
    }
}

static void legacy_rows_come_in_any_order_and_number(void **state)
{
    od_ctx *cx = *state;
    const struct od_update_row rows[] = {
        {OD_UPDATE_SET, OD_STR("z"), value_of(cx, "1")},
        {OD_UPDATE_REMOVE, OD_STR("m"), {0}},
        {OD_UPDATE_ADD, OD_STR("a"), value_of(cx, "5")},
    };
    const struct od_update *update = od_update_from_rows(cx->arena, rows, OD_COUNT(rows));
    od_value before = value_of(cx, "{a: 1, m: 2, y: 3}");
    od_value out = {0};
    check_ok("rows", cx, od_update_apply(cx, update, before, true, &out));
    check_value("rows", cx, out, "{a: 6, y: 3, z: 1}");
    check_value("touched", cx, od_update_touched(cx->arena, update, before), "{a: 1, m: 2}");
    check_size("cost", od_update_cost(update), 19 + 2 + 19);
    struct name_list list = {.out = {.arena = cx->arena}, .most = 9};
    od_update_names(update, list_name, &list);
    check_text(0, od_buf_str(&list.out), "z m a");

    const struct od_update *empty = od_update_from_rows(cx->arena, NULL, 0);
    check_ok("no rows", cx, od_update_apply(cx, empty, before, true, &out));
    check_value("no rows", cx, out, "{a: 1, m: 2, y: 3}");
    check_value("no rows", cx, od_update_touched(cx->arena, empty, before), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_does_not_fit_the_stored_item_is_refused),
        TEST(arithmetic_that_is_not_exact_is_refused),
        TEST(set_writes_and_replaces),
        TEST(set_of_a_nested_path_leaves_the_rest),
        TEST(set_in_a_list_replaces_or_appends),
        TEST(arithmetic_and_functions_read_the_old_item),
        TEST(remove_takes_away_what_is_there),
        TEST(add_sums_numbers_and_unites_sets),
        TEST(delete_takes_members_from_a_set),
        TEST(an_item_that_does_not_exist_is_made_of_its_key),
        TEST(a_result_nested_too_deeply_is_refused),
        TEST(an_attribute_that_is_copied_below_itself_may_become_too_deep),
        TEST(what_cannot_fit_an_item_is_not_even_written),
        TEST(the_parts_that_paths_address_are_what_was_touched),
        TEST(legacy_rows_make_an_update),
        TEST(legacy_rows_come_in_any_order_and_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
