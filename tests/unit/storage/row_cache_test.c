// What the cache says, whatever comes between a read's beginning and its end.
#include "storage/row_cache.h"

#include "base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CACHE_BYTES = 1024 * 1024 };

struct fixture {
    od_arena *arena;
    od_row_cache *cache;
    struct od_row_ticket ticket;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    fixture =
        (struct fixture){.arena = od_arena_create(), .cache = od_row_cache_create(CACHE_BYTES)};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    od_row_cache_destroy(f->cache);
    od_arena_destroy(f->arena);
    return 0;
}

// {NULL, 0} when it is not there.
static od_str find(struct fixture *f, od_str key)
{
    od_str value = {0};
    (void)od_row_cache_find(f->cache, key, f->arena, &value, &f->ticket);
    return value;
}

static void keep(struct fixture *f, od_str key, od_str value)
{
    od_row_cache_keep(f->cache, &f->ticket, key, value);
}

static void read_row(struct fixture *f, od_str key, od_str value)
{
    if (find(f, key).ptr == NULL) {
        keep(f, key, value);
    }
}

// --- One row through every order of events ------------------------------------------------------

// Steps:  f  a read begins         h  a write begins     H  of all rows
//         k  and brings "old"      s  it ended: "new"    S  of all rows
//         n  and brings "new"      g  it ended: gone
//                                  l  it ended: "longer"
//         r  a whole read of "new"
struct order {
    const char *name;
    const char *steps;
    const char *want; // NULL: not there
};

static const struct order orders[] = {
    {"nothing", "", NULL},
    {"a write alone", "hs", NULL},
    {"a read that ends during a write", "fhk", NULL},
    {"a read that ends after a write", "fhsk", NULL},
    {"a read that ends after two writes", "fhshsk", NULL},
    {"a read that begins during a write and ends in it", "hfk", NULL},
    {"a read that begins during a write and ends after it", "hfsk", NULL},
    {"a read that ends while all is written", "fHk", NULL},
    {"a read that ends after all was written", "fHSk", NULL},
    {"a read that begins while all is written", "HfSk", NULL},
    {"a row that is hidden", "fkh", NULL},
    {"a row that is hidden, read meanwhile", "fkhfk", NULL},
    {"a row that is gone", "fkhg", NULL},
    {"a row that is gone, by a read that began before", "fkhfgk", NULL},
    {"all rows are forgotten", "fkHS", NULL},
    {"a row nobody asked for between two writes", "fkhshs", NULL},
    {"a row nobody asked for between two writes, of another size", "fkhshl", NULL},
    {"a read", "fk", "old"},
    {"a read before a write", "fkhs", "new"},
    {"a read before a write of another size", "fkhl", "longer"},
    {"a read after a write", "hsfn", "new"},
    {"a read between two writes", "fkhsrhs", "new"},
    {"a read after all was written", "HSfn", "new"},
    {"two reads at once", "fkfk", "old"},
    {"the change that is shown last is an earlier one", "fkhgs", NULL},
};

static void step(struct fixture *f, char what)
{
    static const od_str key = OD_STR_INIT("key");
    switch (what) {
    case 'f':
        (void)find(f, key);
        return;
    case 'k':
        keep(f, key, OD_STR("old"));
        return;
    case 'n':
        keep(f, key, OD_STR("new"));
        return;
    case 'r':
        read_row(f, key, OD_STR("new"));
        return;
    case 'h':
        od_row_cache_hide(f->cache, key);
        return;
    case 's':
        od_row_cache_show(f->cache, key, OD_STR("new"));
        return;
    case 'l':
        od_row_cache_show(f->cache, key, OD_STR("longer"));
        return;
    case 'g':
        od_row_cache_show(f->cache, key, (od_str){0});
        return;
    case 'H':
        od_row_cache_hide_all(f->cache);
        return;
    case 'S':
        od_row_cache_show_all(f->cache);
        return;
    default:
        fail();
    }
}

static void a_row_is_found_only_while_it_is_the_newest(void **state)
{
    (void)state;
    for (size_t i = 0; i < OD_COUNT(orders); i++) {
        void *made = NULL;
        set_up(&made);
        for (const char *at = orders[i].steps; *at != 0; at++) {
            step(made, *at);
        }
        od_str got = find(made, OD_STR("key"));
        od_str want = orders[i].want == NULL ? (od_str){0} : od_cstr(orders[i].want);
        if (!od_str_eq(got, want)) {
            fail_msg("%s: got \"%.*s\"", orders[i].name, OD_STR_ARG(got));
        }
        tear_down(&made);
    }
}

// --- Many rows ----------------------------------------------------------------------------------

static od_str numbered(struct fixture *f, unsigned number)
{
    return od_arena_printf(f->arena, "row %u", number);
}

static od_str wide(struct fixture *f, size_t size)
{
    char *bytes = od_arena_bytes(f->arena, size);
    memset(bytes, 'w', size);
    return (od_str){bytes, size};
}

static size_t count_found(struct fixture *f, unsigned first, unsigned end)
{
    size_t count = 0;
    for (unsigned i = first; i < end; i++) {
        count += find(f, numbered(f, i)).ptr != NULL;
    }
    return count;
}

static void rows_that_share_a_slot_are_written_each_for_itself(void **state)
{
    struct fixture *f = *state;
    enum { ROWS = 4000 }; // more than there are slots
    for (unsigned i = 0; i < ROWS; i++) {
        read_row(f, numbered(f, i), OD_STR("old"));
    }
    assert_int_equal(count_found(f, 0, ROWS), ROWS);
    for (unsigned i = 0; i < ROWS; i++) {
        od_row_cache_hide(f->cache, numbered(f, i));
    }
    assert_int_equal(count_found(f, 0, ROWS), 0);
    for (unsigned i = ROWS; i > 0; i--) {
        od_row_cache_show(f->cache, numbered(f, i - 1), OD_STR("new"));
        assert_true(od_str_eq(find(f, numbered(f, i - 1)), OD_STR("new")));
    }
}

static void it_holds_as_much_as_it_may(void **state)
{
    struct fixture *f = *state;
    enum { ROWS = 4000, WIDE = 1024 };
    od_str value = wide(f, WIDE);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < ROWS; i++) {
            read_row(f, numbered(f, i), value);
        }
        size_t found = count_found(f, 0, ROWS);
        assert_in_range(found, CACHE_BYTES / WIDE / 2, CACHE_BYTES / WIDE);
    }
}

static void what_is_asked_for_once_drives_nothing_out(void **state)
{
    struct fixture *f = *state;
    enum { HOT = 400, COLD = 20000, WIDE = 1024 };
    od_str value = wide(f, WIDE);
    for (unsigned i = 0; i < HOT; i++) {
        read_row(f, numbered(f, i), value);
    }
    for (unsigned i = HOT; i < HOT + COLD; i++) {
        read_row(f, numbered(f, i), value);
    }
    assert_int_equal(count_found(f, 0, HOT), HOT);
}

static void what_is_asked_for_again_drives_out_what_is_not(void **state)
{
    struct fixture *f = *state;
    enum { FIRST = 4000, HOT = 100, WIDE = 1024 };
    od_str value = wide(f, WIDE);
    for (unsigned i = 0; i < FIRST; i++) {
        read_row(f, numbered(f, i), value);
    }
    for (unsigned i = FIRST; i < FIRST + HOT; i++) {
        read_row(f, numbered(f, i), value);
        read_row(f, numbered(f, i), value);
    }
    assert_int_equal(count_found(f, FIRST, FIRST + HOT), HOT);
}

static void a_row_that_is_too_large_is_not_kept(void **state)
{
    struct fixture *f = *state;
    read_row(f, OD_STR("small"), OD_STR("old"));
    od_row_cache_hide(f->cache, OD_STR("small"));
    od_row_cache_show(f->cache, OD_STR("small"), wide(f, CACHE_BYTES));
    read_row(f, OD_STR("large"), wide(f, CACHE_BYTES));
    assert_null(find(f, OD_STR("small")).ptr);
    assert_null(find(f, OD_STR("large")).ptr);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_found_only_while_it_is_the_newest),
        TEST(rows_that_share_a_slot_are_written_each_for_itself),
        TEST(it_holds_as_much_as_it_may),
        TEST(what_is_asked_for_once_drives_nothing_out),
        TEST(what_is_asked_for_again_drives_out_what_is_not),
        TEST(a_row_that_is_too_large_is_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
