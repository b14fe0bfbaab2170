#include "base/status.h"

#include "support.h"

#include <string.h>

static void every_failure_has_a_code_and_a_type(void **state)
{
    static const struct {
        od_status status;
        const char *name;
    } rows[] = {
#define OD_STATUS(name, http, type) {OD_##name, #name},
#include "base/status.def"
#undef OD_STATUS
    };
    (void)state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        int http = od_status_http(rows[i].status);
        const char *type = od_status_type(rows[i].status);
        if (rows[i].status == OD_OK) {
            continue;
        }
        if (http != 400 && http != 500) {
            fail_msg("%s has the code %d", rows[i].name, http);
        }
        if (strncmp(type, "com.amazon", 10) != 0 || strchr(type, '#') == NULL) {
            fail_msg("%s has the type %s", rows[i].name, type);
        }
    }
    assert_int_equal(OD_OK, 0);
    assert_int_equal(od_status_http(OD_OK), 200);
    assert_string_equal(od_status_type(OD_OK), "");
}

static void a_failure_leaves_its_message_and_its_place(void **state)
{
    od_ctx cx = {.arena = *state};
    int line = __LINE__ + 1;
    od_status status = OD_FAIL(&cx, OD_VALIDATION, "no %s of %d", "table", 7);
    assert_int_equal(status, OD_VALIDATION);
    check_text(0, cx.error, "no table of 7");
    assert_int_equal(cx.error_line, line);
    assert_non_null(strstr(cx.error_file, "status_test.c"));
}

static void a_message_may_be_long_or_empty_or_hold_a_percent_sign(void **state)
{
    od_ctx cx = {.arena = *state};
    assert_int_equal(OD_FAIL(&cx, OD_INTERNAL, "%*d", 100000, 7), OD_INTERNAL);
    assert_int_equal(cx.error.len, 100000);
    assert_int_equal(OD_FAIL(&cx, OD_SERIALIZATION, "%s", ""), OD_SERIALIZATION);
    assert_int_equal(cx.error.len, 0);
    assert_int_equal(OD_FAIL(&cx, OD_VALIDATION, "%s", "%s%n"), OD_VALIDATION);
    check_text(0, cx.error, "%s%n");
}

static od_status give_up_at(int step, od_status status, int *done)
{
    for (int i = 0; i < 3; i++) {
        OD_TRY(i == step ? status : OD_OK);
        (*done)++;
    }
    return OD_OK;
}

static void trying_leaves_at_the_first_failure(void **state)
{
    (void)state;
    static const struct {
        int step;
        od_status status, expected;
        int done;
    } rows[] = {
        {0, OD_VALIDATION, OD_VALIDATION, 0},
        {2, OD_STORE_DOWN, OD_STORE_DOWN, 2},
        {1, OD_OK, OD_OK, 3},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        int done = 0;
        check_int(i, give_up_at(rows[i].step, rows[i].status, &done), rows[i].expected);
        check_int(i, done, rows[i].done);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failure_has_a_code_and_a_type),
        TEST(a_failure_leaves_its_message_and_its_place),
        TEST(a_message_may_be_long_or_empty_or_hold_a_percent_sign),
        cmocka_unit_test(trying_leaves_at_the_first_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
