// What CreateTable refuses before any store is asked, and that huge lists are refused in no time:
// a check that compared all with all would run into this test's time limit.
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 300000 };

static od_ctx cx;

static int open_arena(void **state)
{
    (void)state;
    cx = (od_ctx){.arena = od_arena_create()};
    return 0;
}

static int close_arena(void **state)
{
    (void)state;
    od_arena_destroy(cx.arena);
    return 0;
}

static struct od_key_attr *definitions(size_t count)
{
    struct od_key_attr *all = od_new_array(cx.arena, struct od_key_attr, count);
    for (size_t i = 0; i < count; i++) {
        all[i].name = od_arena_printf(cx.arena, "a%zu", i);
    }
    return all;
}

static const struct od_key_element hash_key[] = {{OD_STR_INIT("a0"), OD_STR_INIT("HASH")}};

static struct od_create_table_job job_with(size_t definition_count)
{
    return (struct od_create_table_job){
        .table = OD_STR("t"),
        .definitions = definitions(definition_count),
        .definition_count = definition_count,
        .keys = hash_key,
        .key_count = 1,
        .settings = {.billing = OD_BILLING_PAY_PER_REQUEST,
                     .warm_read_units = -1,
                     .warm_write_units = -1},
    };
}

static void a_table_with_a_key_passes(void **state)
{
    (void)state;
    struct od_create_table_job job = job_with(1);
    assert_int_equal(od_engine_check_create_table(&cx, &job), OD_OK);
}

static void one_attribute_defined_twice_is_refused(void **state)
{
    (void)state;
    struct od_create_table_job job = job_with(2);
    struct od_key_attr twice[] = {job.definitions[0], job.definitions[0]};
    job.definitions = twice;
    assert_int_equal(od_engine_check_create_table(&cx, &job), OD_VALIDATION);
}

static void hundreds_of_thousands_of_definitions_are_refused(void **state)
{
    (void)state;
    struct od_create_table_job job = job_with(MANY);
    assert_int_equal(od_engine_check_create_table(&cx, &job), OD_VALIDATION);
}

static struct od_index_spec index_with(const struct od_key_element *keys, size_t count)
{
    return (struct od_index_spec){
        .name = OD_STR("index"), .keys = keys, .key_count = count, .has_projection = true};
}

static void an_index_with_hundreds_of_thousands_of_keys_is_refused(void **state)
{
    (void)state;
    struct od_key_element *keys = od_new_array(cx.arena, struct od_key_element, MANY);
    for (size_t i = 0; i < MANY; i++) {
        keys[i] = (struct od_key_element){OD_STR("a0"), OD_STR("HASH")};
    }
    struct od_index_spec index = index_with(keys, MANY);
    struct od_create_table_job job = job_with(1);
    job.global_indexes = &index;
    job.global_count = 1;
    job.has_global_list = true;
    assert_int_equal(od_engine_check_create_table(&cx, &job), OD_VALIDATION);
}

static void too_many_indexes_are_refused_before_they_are_compared(void **state)
{
    (void)state;
    struct od_index_spec *all = od_new_array(cx.arena, struct od_index_spec, MANY);
    for (size_t i = 0; i < MANY; i++) {
        all[i] = index_with(hash_key, 1);
        all[i].name = od_arena_printf(cx.arena, "index%zu", i);
    }
    struct od_create_table_job job = job_with(1);
    job.global_indexes = all;
    job.global_count = MANY;
    job.has_global_list = true;
    assert_int_equal(od_engine_check_create_table(&cx, &job), OD_VALIDATION);
    assert_string_equal(cx.error.ptr,
                        "One or more parameter values were invalid: GlobalSecondaryIndex count "
                        "exceeds the per-table limit of 20");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_attribute_defined_twice_is_refused, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(hundreds_of_thousands_of_definitions_are_refused,
                                        open_arena, close_arena),
        cmocka_unit_test_setup_teardown(an_index_with_hundreds_of_thousands_of_keys_is_refused,
                                        open_arena, close_arena),
        cmocka_unit_test_setup_teardown(too_many_indexes_are_refused_before_they_are_compared,
                                        open_arena, close_arena),
        cmocka_unit_test_setup_teardown(a_table_with_a_key_passes, open_arena, close_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
