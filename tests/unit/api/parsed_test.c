// Expressions that are kept for the calls that come after.
#include "api/parsed.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { MAX_TEXT = 64 };

static struct od_call new_call(void)
{
    return (struct od_call){.cx = {.arena = od_arena_create()}};
}

static void end_call(struct od_call *call)
{
    od_parsed_release(call);
    od_arena_destroy(call->cx.arena);
}

static const struct od_expr *parse(struct od_call *call, enum od_expr_kind kind, const char *text)
{
    const struct od_expr *expr = NULL;
    assert_int_equal(od_parsed_get(call, kind, od_cstr(text), &expr), OD_OK);
    assert_non_null(expr);
    return expr;
}

// What a call of its own gets.
static const struct od_expr *parse_once(enum od_expr_kind kind, const char *text)
{
    struct od_call call = new_call();
    const struct od_expr *expr = parse(&call, kind, text);
    end_call(&call);
    return expr;
}

static void a_fault_is_told_each_time(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct od_call call = new_call();
        const struct od_expr *expr = NULL;
        assert_int_equal(od_parsed_get(&call, OD_EXPR_CONDITION, OD_STR("a = "), &expr),
                         OD_VALIDATION_ENVELOPED);
        assert_true(call.cx.error.len > 0);
        end_call(&call);
    }
}

static void the_same_text_is_parsed_twice_and_then_shared(void **state)
{
    (void)state;
    static const char text[] = "attribute_exists(together1)";
    struct od_call calls[4];
    const struct od_expr *got[4];
    for (size_t i = 0; i < 4; i++) {
        calls[i] = new_call();
        got[i] = parse(&calls[i], OD_EXPR_CONDITION, text);
    }
    assert_ptr_not_equal(got[0], got[1]);
    assert_ptr_equal(got[1], got[2]);
    assert_ptr_equal(got[1], got[3]);
    for (size_t i = 0; i < 4; i++) {
        end_call(&calls[i]);
    }
}

static void one_text_in_two_parameters_is_two_expressions(void **state)
{
    (void)state;
    static const char text[] = "attribute_exists(two)";
    for (int i = 0; i < 3; i++) {
        struct od_call call = new_call();
        const struct od_expr *condition = parse(&call, OD_EXPR_CONDITION, text);
        assert_ptr_not_equal(condition, parse(&call, OD_EXPR_FILTER, text));
        end_call(&call);
    }
}

// More texts than are kept at a time, each twice, while a call holds one of the first.
static void what_a_call_uses_outlives_what_is_kept(void **state)
{
    (void)state;
    static const char text[] = "attribute_exists(held)";
    (void)parse_once(OD_EXPR_CONDITION, text);
    struct od_call call = new_call();
    const struct od_expr *held = parse(&call, OD_EXPR_CONDITION, text);
    for (int i = 0; i < 1000; i++) {
        char other[MAX_TEXT];
        (void)snprintf(other, sizeof(other), "attribute_exists(other%d)", i);
        (void)parse_once(OD_EXPR_CONDITION, other);
        (void)parse_once(OD_EXPR_CONDITION, other);
    }
    // It can still be bound, and the call gets others besides.
    struct od_expr_env env = {0};
    const struct od_condition *condition = NULL;
    assert_int_equal(od_condition_bind(&call.cx, held, &env, &condition), OD_OK);
    assert_int_equal(condition->op, OD_COND_EXISTS);
    (void)parse(&call, OD_EXPR_CONDITION, "attribute_exists(other999)");
    (void)parse(&call, OD_EXPR_CONDITION, text);
    end_call(&call);
}

static void *parse_many(void *arg)
{
    const char *name = arg;
    for (int i = 0; i < 3000; i++) {
        char text[MAX_TEXT];
        (void)snprintf(text, sizeof(text), "attribute_exists(%s%d)", i % 2 == 0 ? "both" : name,
                       i % 7);
        struct od_call call = new_call();
        const struct od_expr *expr = NULL;
        struct od_expr_env env = {0};
        const struct od_condition *condition = NULL;
        if (od_parsed_get(&call, OD_EXPR_CONDITION, od_cstr(text), &expr) != OD_OK ||
            od_condition_bind(&call.cx, expr, &env, &condition) != OD_OK) {
            return "failed";
        }
        end_call(&call);
    }
    return NULL;
}

static void threads_share_them(void **state)
{
    (void)state;
    static char names[][2] = {"a", "b", "c"};
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, parse_many, names[i]), 0);
    }
    for (size_t i = 0; i < 3; i++) {
        void *fault = NULL;
        pthread_join(threads[i], &fault);
        assert_null(fault);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_is_told_each_time),
        cmocka_unit_test(the_same_text_is_parsed_twice_and_then_shared),
        cmocka_unit_test(one_text_in_two_parameters_is_two_expressions),
        cmocka_unit_test(what_a_call_uses_outlives_what_is_kept),
        cmocka_unit_test(threads_share_them),
    };
    return cmocka_run_group_tests_name("parsed", tests, NULL, NULL);
}
