// Each request of a call fails once, in each way: the object is the old one or the new one, whole,
// and what is left over is cleaned up.
#include "support.h"

#include "base/attr.h"

#include <stdlib.h>

static const enum fate fates[] = {REFUSED_BY_SERVER, FAILED_IN_SERVER, ANSWER_LOST};
enum { MAX_REQUESTS = 30 };

// The request that `seen` counts down to has its fate.
static enum fate fail_at(struct place *place, const char *operation, const char *body)
{
    (void)operation;
    (void)body;
    return --place->seen == 0 ? place->then : CARRIED_OUT;
}

static void set_fault(struct place *place, int request, enum fate fate)
{
    place->seen = request;
    place->then = fate;
    place->fate = fail_at;
}

// Whether the call that ran had so many requests.
static bool end_fault(struct place *place)
{
    place->fate = NULL;
    return place->seen <= 0;
}

// After a clean-up of all ages there is the object's own, and nothing else.
static void check_clean(struct place *place, uint64_t chunks)
{
    size_t removed = 0;
    assert_int_equal(ordna_object_clean(place->session, &objects, "a", -1000, &removed), ORDNA_OK);
    assert_int_equal(count_chunks(place, "a"), chunks);
    ordna_session_reset(place->session);
    ordna_session_reset(place->other);
}

static void check_old_or_new(struct place *place, int request, ordna_status status)
{
    ordna_bytes bytes = {0};
    if (ordna_object_get(place->session, &objects, "a", &bytes) != ORDNA_OK) {
        fail_msg("request %d: %s", request, ordna_session_error(place->session)->message);
    }
    const bool is_new = is_content(bytes, 3 * CHUNK, 2);
    if (!is_new && !is_content(bytes, 9 * CHUNK, 1)) {
        fail_msg("request %d: neither the old nor the new object", request);
    }
    if (status == ORDNA_OK && !is_new) {
        fail_msg("request %d: the old object, and no error", request);
    }
    check_clean(place, is_new ? 3 : 9);
}

static void rewrite_with_faults(struct place *place, enum fate fate)
{
    bool failed = true;
    for (int request = 1; failed && request < MAX_REQUESTS; request++) {
        put(place->session, "a", 9 * CHUNK, 1);
        set_fault(place, request, fate);
        void *bytes = content(3 * CHUNK, 2);
        const ordna_status status =
            ordna_object_put(place->session, &objects, "a", bytes, 3 * CHUNK);
        free(bytes);
        failed = end_fault(place);
        check_old_or_new(place, request, status);
    }
    assert_false(failed);
}

static void a_rewrite_that_fails_at_any_request_leaves_the_old_object_or_the_new(void **state)
{
    struct place *place = *state;
    for (size_t i = 0; i < OD_COUNT(fates); i++) {
        rewrite_with_faults(place, fates[i]);
    }
    place_reopen(place, true);
    rewrite_with_faults(place, ANSWER_LOST);
}

static void delete_with_faults(struct place *place, enum fate fate)
{
    bool failed = true;
    for (int request = 1; failed && request < MAX_REQUESTS; request++) {
        put(place->session, "a", 3 * CHUNK, 1);
        set_fault(place, request, fate);
        const ordna_status status = ordna_object_delete(place->session, &objects, "a");
        failed = end_fault(place);
        ordna_bytes bytes = {0};
        const ordna_status read = ordna_object_get(place->session, &objects, "a", &bytes);
        const bool is_whole = read == ORDNA_OK && is_content(bytes, 3 * CHUNK, 1);
        if (status == ORDNA_NOT_FOUND || (!is_whole && read != ORDNA_NOT_FOUND) ||
            (is_whole && status == ORDNA_OK)) {
            fail_msg("request %d: deleted with status %d, read with %d", request, status, read);
        }
        check_clean(place, read == ORDNA_OK ? 3 : 0);
    }
    assert_false(failed);
}

static void a_deletion_that_fails_at_any_request_leaves_the_object_or_none(void **state)
{
    struct place *place = *state;
    for (size_t i = 0; i < OD_COUNT(fates); i++) {
        delete_with_faults(place, fates[i]);
    }
    place_reopen(place, true);
    delete_with_faults(place, ANSWER_LOST);
}

static void a_read_that_fails_at_any_request_is_an_error_or_the_object(void **state)
{
    struct place *place = *state;
    put(place->session, "a", 9 * CHUNK, 1);
    for (size_t i = 0; i < OD_COUNT(fates); i++) {
        bool failed = true;
        for (int request = 1; failed && request < MAX_REQUESTS; request++) {
            set_fault(place, request, fates[i]);
            ordna_bytes bytes = {0};
            const ordna_status status = ordna_object_get(place->session, &objects, "a", &bytes);
            failed = end_fault(place);
            if (status == ORDNA_OK ? !is_content(bytes, 9 * CHUNK, 1) : status != ORDNA_REFUSED) {
                fail_msg("fate %zu, request %d: status %d", i, request, status);
            }
            ordna_session_reset(place->session);
        }
        assert_false(failed);
    }
}

static void a_clean_up_that_fails_at_any_request_takes_nothing_of_the_object(void **state)
{
    struct place *place = *state;
    put(place->session, "a", 3 * CHUNK, 1);
    for (size_t i = 0; i < OD_COUNT(fates); i++) {
        bool failed = true;
        for (int request = 1; failed && request < MAX_REQUESTS; request++) {
            (void)leave_chunks(place, "a", 40, 1000);
            set_fault(place, request, fates[i]);
            size_t removed = 0;
            (void)ordna_object_clean(place->session, &objects, "a", 0, &removed);
            failed = end_fault(place);
            expect(place->session, "a", 3 * CHUNK, 1);
            check_clean(place, 3);
        }
        assert_false(failed);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_rewrite_that_fails_at_any_request_leaves_the_old_object_or_the_new),
        TEST(a_deletion_that_fails_at_any_request_leaves_the_object_or_none),
        TEST(a_read_that_fails_at_any_request_is_an_error_or_the_object),
        TEST(a_clean_up_that_fails_at_any_request_takes_nothing_of_the_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
