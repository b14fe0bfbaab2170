#include "storage/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool lock_is_free(struct od_gate *gate)
{
    if (pthread_rwlock_trywrlock(&gate->lock) != 0) {
        return false;
    }
    pthread_rwlock_unlock(&gate->lock);
    return true;
}

static void a_thread_enters_again_while_it_is_inside(void **state)
{
    (void)state;
    struct od_gate gate;
    od_gate_init(&gate);
    struct od_gate_stay outer;
    struct od_gate_stay inner;
    assert_false(od_gate_inside(&gate));
    od_gate_enter(&gate, &outer);
    od_gate_enter(&gate, &inner);
    assert_true(od_gate_inside(&gate));
    od_gate_leave(&inner);
    assert_true(od_gate_inside(&gate));
    assert_false(lock_is_free(&gate));
    od_gate_leave(&outer);
    assert_false(od_gate_inside(&gate));
    assert_true(lock_is_free(&gate));
    od_gate_clear(&gate);
}

static void stays_that_end_in_another_order_keep_the_lock_to_the_last(void **state)
{
    (void)state;
    struct od_gate gate;
    od_gate_init(&gate);
    struct od_gate_stay stays[3];
    for (size_t i = 0; i < 3; i++) {
        od_gate_enter(&gate, &stays[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        assert_false(lock_is_free(&gate));
        od_gate_leave(&stays[i]);
    }
    assert_true(lock_is_free(&gate));
    od_gate_clear(&gate);
}

static void two_gates_know_nothing_of_each_other(void **state)
{
    (void)state;
    struct od_gate a;
    struct od_gate b;
    od_gate_init(&a);
    od_gate_init(&b);
    struct od_gate_stay in_a;
    struct od_gate_stay in_b;
    od_gate_enter(&a, &in_a);
    assert_false(od_gate_inside(&b));
    od_gate_enter(&b, &in_b);
    od_gate_leave(&in_a);
    assert_true(lock_is_free(&a));
    assert_false(lock_is_free(&b));
    od_gate_leave(&in_b);
    od_gate_clear(&a);
    od_gate_clear(&b);
}

static void *lock_and_unlock(void *arg)
{
    struct od_gate *gate = arg;
    od_gate_lock(gate);
    od_gate_unlock(gate);
    return NULL;
}

static void a_writer_that_waits_does_not_stop_a_thread_that_enters_again(void **state)
{
    (void)state;
    struct od_gate gate;
    od_gate_init(&gate);
    struct od_gate_stay outer;
    struct od_gate_stay inner;
    od_gate_enter(&gate, &outer);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, lock_and_unlock, &gate), 0);
    // New readers are refused as soon as the writer waits.
    while (pthread_rwlock_tryrdlock(&gate.lock) == 0) {
        pthread_rwlock_unlock(&gate.lock);
    }
    od_gate_enter(&gate, &inner);
    od_gate_leave(&inner);
    od_gate_leave(&outer);
    pthread_join(writer, NULL);
    od_gate_clear(&gate);
}

static void *lock_in_no_time(void *arg)
{
    struct od_gate *gate = arg;
    return od_gate_lock_within(gate, 0) ? gate : NULL;
}

static void a_writer_with_little_time_gives_up_while_readers_stay(void **state)
{
    (void)state;
    struct od_gate gate;
    od_gate_init(&gate);
    struct od_gate_stay stay;
    od_gate_enter(&gate, &stay);
    pthread_t writer;
    void *locked = NULL;
    assert_int_equal(pthread_create(&writer, NULL, lock_in_no_time, &gate), 0);
    pthread_join(writer, &locked);
    assert_null(locked);
    od_gate_leave(&stay);
    assert_true(od_gate_lock_within(&gate, 0));
    assert_false(lock_is_free(&gate));
    od_gate_unlock(&gate);
    assert_true(lock_is_free(&gate));
    od_gate_clear(&gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_enters_again_while_it_is_inside),
        cmocka_unit_test(stays_that_end_in_another_order_keep_the_lock_to_the_last),
        cmocka_unit_test(two_gates_know_nothing_of_each_other),
        cmocka_unit_test(a_writer_with_little_time_gives_up_while_readers_stay),
        cmocka_unit_test(a_writer_that_waits_does_not_stop_a_thread_that_enters_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
