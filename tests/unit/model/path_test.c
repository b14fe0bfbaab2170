#include "model/path.h"

#include "notation.h"

enum { MAX_STEPS = 4 };

#define NAME(text)                \
    {                             \
        .name = OD_STR_INIT(text) \
    }
#define INDEX(place)                       \
    {                                      \
        .is_index = true, .index = (place) \
    }

static const char document[] = "{a: {b: [10, {c: 'deep'}], n: null}, l: [[1, 2], <3>], s: 'text'}";

static void a_path_that_leads_nowhere_gives_no_value(void **state)
{
    static const struct {
        size_t count;
        struct od_path_step steps[MAX_STEPS];
    } rows[] = {
        {1, {NAME("x")}},
        {1, {NAME("A")}},
        {1, {NAME("")}},
        {2, {NAME("x"), NAME("b")}},
        {2, {NAME("x"), INDEX(0)}},
        {2, {NAME("a"), NAME("x")}},
        {2, {NAME("a"), INDEX(0)}},  // an index into a map
        {2, {NAME("l"), NAME("a")}}, // a name in a list
        {2, {NAME("l"), INDEX(2)}},
        {2, {NAME("l"), INDEX(UINT32_MAX)}},
        {2, {NAME("s"), NAME("a")}}, // into a scalar
        {2, {NAME("s"), INDEX(0)}},
        {3, {NAME("l"), INDEX(1), INDEX(0)}}, // into a set
        {3, {NAME("a"), NAME("n"), NAME("x")}},
        {4, {NAME("a"), NAME("b"), INDEX(0), NAME("c")}},
        {4, {NAME("x"), NAME("b"), INDEX(1), NAME("c")}},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_path path = {rows[i].steps, rows[i].count};
        od_value found = od_path_get(value_of(*state, document), &path);
        check_true(i, !od_value_exists(found), "no value");
    }
}

static void a_path_leads_to_what_it_names(void **state)
{
    static const struct {
        size_t count;
        struct od_path_step steps[MAX_STEPS];
        const char *value;
    } rows[] = {
        {1, {NAME("s")}, "'text'"},
        {1, {NAME("l")}, "[[1, 2], <3>]"},
        {2, {NAME("l"), INDEX(1)}, "<3>"},
        {2, {NAME("a"), NAME("n")}, "null"},
        {3, {NAME("l"), INDEX(0), INDEX(1)}, "2"},
        {3, {NAME("a"), NAME("b"), INDEX(0)}, "10"},
        {4, {NAME("a"), NAME("b"), INDEX(1), NAME("c")}, "'deep'"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_path path = {rows[i].steps, rows[i].count};
        od_value found = od_path_get(value_of(*state, document), &path);
        check_true(i, od_value_exists(found), "a value");
        check_true(i, od_value_equal(found, value_of(*state, rows[i].value)), "the right one");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_path_that_leads_nowhere_gives_no_value),
        TEST(a_path_leads_to_what_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
