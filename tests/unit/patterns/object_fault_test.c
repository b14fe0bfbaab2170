// Each request of a call fails, in each way, alone or with all that follow: the object is the old
// one or the new one, whole, and what is left over is cleaned up.
#include "support.h"

#include "base/attr.h"

#include <stdlib.h>

enum { MAX_REQUESTS = 40 };

struct fault {
    fate_fn *fate;
    enum fate then;
};

// The request that `seen` counts down to has its fate, or this and all that follow.
static enum fate fail_from(struct place *place, const char *operation, const char *body)
{
    (void)operation;
    (void)body;
    return --place->seen <= 0 ? place->then : CARRIED_OUT;
}

static enum fate fail_at(struct place *place, const char *operation, const char *body)
{
    (void)operation;
    (void)body;
    return --place->seen == 0 ? place->then : CARRIED_OUT;
}

static const struct fault faults[] = {
    {fail_at, REFUSED_BY_SERVER},   {fail_at, FAILED_IN_SERVER},   {fail_at, ANSWER_LOST},
    {fail_from, REFUSED_BY_SERVER}, {fail_from, FAILED_IN_SERVER}, {fail_from, ANSWER_LOST},
};

static void set_fault(struct place *place, int request, struct fault fault)
{
    place->seen = request;
    place->then = fault.then;
    place->fate = fault.fate;
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

static void rewrite_with_faults(struct place *place, struct fault fault)
{
    bool failed = true;
    for (int request = 1; failed && request < MAX_REQUESTS; request++) {
        put(place->session, "a", 9 * CHUNK, 1);
        set_fault(place, request, fault);
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
    for (size_t i = 0; i < OD_COUNT(faults); i++) {
        rewrite_with_faults(place, faults[i]);
    }
    place_reopen(place, true);
    for (size_t i = 0; i < OD_COUNT(faults); i++) {
        rewrite_with_faults(place, faults[i]);
    }
}

static void delete_with_faults(struct place *place, struct fault fault)
{
    bool failed = true;
    for (int request = 1; failed && request < MAX_REQUESTS; request++) {
        put(place->session, "a", 3 * CHUNK, 1);
        set_fault(place, request, fault);
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
    for (size_t i = 0; i < OD_COUNT(faults); i++) {
        delete_with_faults(place, faults[i]);
    }
    place_reopen(place, true);
    for (size_t i = 0; i < OD_COUNT(faults); i++) {
        delete_with_faults(place, faults[i]);
    }
}

static void a_read_that_fails_at_any_request_is_an_error_or_the_object(void **state)
{
    struct place *place = *state;
    put(place->session, "a", 9 * CHUNK, 1);
    for (size_t i = 0; i < OD_COUNT(faults); i++) {
        bool failed = true;
        for (int request = 1; failed && request < MAX_REQUESTS; request++) {
            set_fault(place, request, faults[i]);
            ordna_bytes bytes = {0};
            const ordna_status status = ordna_object_get(place->session, &objects, "a", &bytes);
            failed = end_fault(place);
            const bool is_error =
                status == ORDNA_REFUSED || status == ORDNA_SERVER_FAILED || status == ORDNA_NETWORK;
            if (status == ORDNA_OK ? !is_content(bytes, 9 * CHUNK, 1) : !is_error) {
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
    for (size_t i = 0; i < OD_COUNT(faults); i++) {
        bool failed = true;
        for (int request = 1; failed && request < MAX_REQUESTS; request++) {
            (void)leave_chunks(place, "a", 40, 1000);
            set_fault(place, request, faults[i]);
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
