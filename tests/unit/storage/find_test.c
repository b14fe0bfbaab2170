#include "storage/store.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    od_ctx *cx = calloc(1, sizeof(*cx));
    assert_non_null(cx);
    cx->arena = od_arena_create();
    *state = cx;
    const char *modules = getenv("TEST_MODULES");
    return modules == NULL ? -1 : setenv("ORDNA_STORE_DIR", modules, 1);
}

static int tear_down(void **state)
{
    od_ctx *cx = *state;
    od_arena_destroy(cx->arena);
    free(cx);
    return 0;
}

static void what_is_no_store_is_a_message_that_helps(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        const char *name;
        const char *words;
    } rows[] = {
        {"", "is not the name of a store"},
        {"Memory", "is not the name of a store"},
        {"../memory", "is not the name of a store"},
        {"/tmp/x", "is not the name of a store"},
        {"a.b", "is not the name of a store"},
        {"abcdefghijklmnopqrstuvwxyzabcdefg", "is not the name of a store"},
        {"nosuch", "There is no store \"nosuch\" here"},
        {"nosuch", "ordna-store-nosuch.so"},
        {"nosuch", "ORDNA_STORE_DIR"},
        {"stale", "belongs to another version of ordna"},
        {"hollow", "belongs to another version of ordna"},
        {"text", "cannot be loaded"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_store_ops *ops = NULL;
        od_status status = od_store_find(cx, rows[i].name, &ops);
        if (status != OD_STORE_DOWN || strstr(cx->error.ptr, rows[i].words) == NULL) {
            fail_msg("row %zu: %s", i, cx->error.ptr);
        }
    }
}

static void the_memory_store_is_built_in(void **state)
{
    od_ctx *cx = *state;
    const struct od_store_ops *ops = NULL;
    assert_int_equal(unsetenv("ORDNA_STORE_DIR"), 0);
    assert_int_equal(od_store_find(cx, "memory", &ops), OD_OK);
    assert_string_equal(ops->name, "memory");
}

static void a_module_is_found_where_the_environment_says(void **state)
{
    od_ctx *cx = *state;
    const struct od_store_ops *ops = NULL;
    assert_int_equal(od_store_find(cx, "whole", &ops), OD_OK);
    assert_string_equal(ops->name, "whole");
}

static void rocksdb_shows_one_symbol(void **state)
{
    (void)state;
    const char *file = getenv("TEST_ROCKSDB");
    if (file == NULL) {
        skip();
    }
    void *module = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(module);
    assert_non_null(dlsym(module, "od_store_rocksdb"));
    assert_null(dlsym(module, "od_arena_create"));
    assert_null(dlsym(module, "od_data_dir_open"));
}

int main(void)
{
#define FIND_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        FIND_TEST(what_is_no_store_is_a_message_that_helps),
        FIND_TEST(the_memory_store_is_built_in),
        FIND_TEST(a_module_is_found_where_the_environment_says),
        FIND_TEST(rocksdb_shows_one_symbol),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
