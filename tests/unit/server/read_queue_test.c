// Long reads that wait for a thread.
#include "server/read_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAX_WAIT_NS = 100 };

static bool is_behind(const struct od_read_queue *queue)
{
    return od_read_queue_is_behind(queue, MAX_WAIT_NS);
}

static void it_is_behind_from_a_read_that_waited_too_long_to_one_that_did_not(void **state)
{
    (void)state;
    struct od_read_queue queue = {0};
    assert_false(is_behind(&queue));
    for (int i = 0; i < 4; i++) {
        od_read_queue_enter(&queue);
    }
    assert_false(is_behind(&queue)); // nobody knows yet how long they wait
    od_read_queue_leave(&queue, MAX_WAIT_NS);
    assert_false(is_behind(&queue));
    od_read_queue_leave(&queue, MAX_WAIT_NS + 1);
    assert_true(is_behind(&queue));
    od_read_queue_leave(&queue, MAX_WAIT_NS);
    assert_false(is_behind(&queue));
    od_read_queue_leave(&queue, MAX_WAIT_NS);
}

static void an_empty_queue_is_not_behind(void **state)
{
    (void)state;
    struct od_read_queue queue = {0};
    od_read_queue_enter(&queue);
    od_read_queue_leave(&queue, (int64_t)10 * MAX_WAIT_NS);
    assert_false(is_behind(&queue));
    od_read_queue_enter(&queue);
    assert_true(is_behind(&queue)); // as far as is known
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_behind_from_a_read_that_waited_too_long_to_one_that_did_not),
        cmocka_unit_test(an_empty_queue_is_not_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
