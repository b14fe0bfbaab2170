// Writers that stop halfway, readers during a rewrite, two writers at once: steps are put between
// two requests of a call, and then the same with threads.
#include "support.h"

#include "base/attr.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_of_manifest(const char *operation, const char *body)
{
    return strcmp(operation, "PutItem") == 0 && strstr(body, "MANIFEST") != NULL;
}

// --- Writers that stop --------------------------------------------------------------------------

static enum fate no_manifest(struct place *place, const char *operation, const char *body)
{
    (void)place;
    return is_of_manifest(operation, body) ? REFUSED_BY_SERVER : CARRIED_OUT;
}

static enum fate first_batch_alone(struct place *place, const char *operation, const char *body)
{
    (void)body;
    const bool is_batch = strcmp(operation, "BatchWriteItem") == 0;
    return is_batch && place->seen++ > 0 ? REFUSED_BY_SERVER : CARRIED_OUT;
}

static void put_and_stop(struct place *place, size_t len, fate_fn *fate)
{
    void *bytes = content(len, 9);
    place->seen = 0;
    place->fate = fate;
    assert_int_equal(ordna_object_put(place->session, &objects, "a", bytes, len), ORDNA_REFUSED);
    place->fate = NULL;
    free(bytes);
}

static void a_writer_that_stops_before_the_manifest_leaves_no_object(void **state)
{
    struct place *place = *state;
    static fate_fn *const rows[] = {no_manifest, first_batch_alone};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        put_and_stop(place, 10 * CHUNK, rows[i]);
        ordna_bytes bytes = {0};
        assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_NOT_FOUND);
        assert_true(count_chunks(place, "a") >= 8);
    }
}

static void a_rewriter_that_stops_leaves_the_old_version(void **state)
{
    struct place *place = *state;
    static fate_fn *const rows[] = {no_manifest, first_batch_alone};
    put(place->session, "a", 3 * CHUNK, 1);
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        put_and_stop(place, 10 * CHUNK, rows[i]);
        expect(place->session, "a", 3 * CHUNK, 1);
    }
    put(place->session, "a", CHUNK, 2);
    expect(place->session, "a", CHUNK, 2);
}

// --- Answers that are lost ----------------------------------------------------------------------

static enum fate lose_first_manifest(struct place *place, const char *operation, const char *body)
{
    return is_of_manifest(operation, body) && place->seen++ == 0 ? ANSWER_LOST : CARRIED_OUT;
}

static void a_writer_whose_answer_is_lost_says_so(void **state)
{
    struct place *place = *state;
    put(place->session, "a", 3 * CHUNK, 1);
    place->fate = lose_first_manifest;
    assert_int_equal(ordna_object_put(place->session, &objects, "a", "new", 3), ORDNA_NETWORK);
    assert_true(ordna_session_error(place->session)->outcome_unknown);
    ordna_bytes bytes = {0};
    assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_OK);
    assert_int_equal(bytes.len, 3);
}

// The second attempt finds that the manifest is not the one it has seen: it is its own.
static void a_writer_that_writes_its_manifest_twice_keeps_its_chunks(void **state)
{
    struct place *place = *state;
    place_reopen(place, true);
    for (unsigned seed = 1; seed < 3; seed++) {
        place->seen = 0;
        place->fate = lose_first_manifest;
        put(place->session, "a", 2 * CHUNK, seed);
        expect(place->session, "a", 2 * CHUNK, seed);
    }
}

// --- Readers during a rewrite -------------------------------------------------------------------

// In front of each query of the reader's, a rewrite, as long as there are some left to do.
static enum fate rewrite_before_query(struct place *place, const char *operation, const char *body)
{
    if (strcmp(operation, "Query") == 0 && strstr(body, "ConsistentRead") != NULL &&
        place->seen > 0) {
        const unsigned seed = (unsigned)place->seen--;
        put(place->other, "a", place->size, seed);
    }
    return CARRIED_OUT;
}

static void a_reader_whose_version_goes_reads_the_next(void **state)
{
    struct place *place = *state;
    static const struct {
        size_t before;
        size_t after;
        int rewrites;
    } rows[] = {
        {2 * CHUNK, 2 * CHUNK, 1}, // all of it is there at the second attempt
        {7 * CHUNK, 2 * CHUNK, 1},
        {2 * CHUNK, 7 * CHUNK, 2},
        {7 * CHUNK, 9 * CHUNK, 5},
        {3 * CHUNK, 0, 1},
        {1, 2, 20},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        put(place->session, "a", rows[i].before, 77);
        place->seen = rows[i].rewrites;
        place->size = rows[i].after;
        place->fate = rewrite_before_query;
        expect(place->session, "a", rows[i].after, 1);
        place->fate = NULL;
        ordna_session_reset(place->session);
        ordna_session_reset(place->other);
    }
}

// Between two pages: the first had three chunks of the old version.
static enum fate rewrite_between_pages(struct place *place, const char *operation, const char *body)
{
    if (strcmp(operation, "Query") == 0 && strstr(body, "ExclusiveStartKey") != NULL &&
        place->seen-- > 0) {
        put(place->other, "a", place->size, 5);
    }
    return CARRIED_OUT;
}

static void a_reader_whose_version_goes_between_two_pages_does_not_mix_them(void **state)
{
    struct place *place = *state;
    static const size_t rows[] = {10 * CHUNK, 4 * CHUNK, 12 * CHUNK - 1, 100};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        put(place->session, "a", 10 * CHUNK, 77);
        place->seen = 1;
        place->size = rows[i];
        place->fate = rewrite_between_pages;
        expect(place->session, "a", rows[i], 5);
        place->fate = NULL;
        assert_true(place->seen <= 0);
    }
}

static enum fate delete_before_query(struct place *place, const char *operation, const char *body)
{
    if (strcmp(operation, "Query") == 0 && strstr(body, "ConsistentRead") != NULL &&
        place->seen-- > 0) {
        assert_int_equal(ordna_object_delete(place->other, &objects, "a"), ORDNA_OK);
    }
    return CARRIED_OUT;
}

static void a_reader_whose_object_is_deleted_finds_none(void **state)
{
    struct place *place = *state;
    put(place->session, "a", 2 * CHUNK, 1);
    place->seen = 1;
    place->fate = delete_before_query;
    ordna_bytes bytes = {0};
    assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_NOT_FOUND);
}

// --- Writers at once ----------------------------------------------------------------------------

// Another writer comes between what this one has read and its manifest.
static enum fate write_before_manifest(struct place *place, const char *operation, const char *body)
{
    if (is_of_manifest(operation, body) && place->seen > 0) {
        const unsigned seed = (unsigned)place->seen--;
        put(place->other, "a", 3 * CHUNK, seed);
    }
    return CARRIED_OUT;
}

static void of_two_writers_at_once_the_last_wins_and_no_chunk_is_nobodys(void **state)
{
    struct place *place = *state;
    for (int others = 1; others < 4; others++) {
        place->seen = others;
        place->fate = write_before_manifest;
        put(place->session, "a", 2 * CHUNK, 50);
        place->fate = NULL;
        expect(place->session, "a", 2 * CHUNK, 50);
        assert_int_equal(count_chunks(place, "a"), 2);
    }
}

static enum fate write_before_delete(struct place *place, const char *operation, const char *body)
{
    (void)body;
    if (strcmp(operation, "DeleteItem") == 0 && place->seen-- > 0) {
        put(place->other, "a", 3 * CHUNK, 4);
    }
    return CARRIED_OUT;
}

static void an_object_that_is_rewritten_while_it_is_deleted_goes_whole(void **state)
{
    struct place *place = *state;
    put(place->session, "a", 2 * CHUNK, 1);
    place->seen = 1;
    place->fate = write_before_delete;
    assert_int_equal(ordna_object_delete(place->session, &objects, "a"), ORDNA_OK);
    place->fate = NULL;
    assert_int_equal(count_chunks(place, "a"), 0);
    assert_int_equal(count_manifests(place, "a"), 0);
}

// --- Threads ------------------------------------------------------------------------------------

enum {
    WRITERS = 2,
    REWRITES = 12,
};

struct crowd {
    struct place *place;
    unsigned first_seed;
    atomic_int *writing; // how many still do
    int failures;
};

// Sizes of 1 to 5 chunks, each version another.
static size_t size_of_seed(unsigned seed)
{
    return (1 + seed % 5) * CHUNK + seed;
}

static void *rewrite(void *arg)
{
    struct crowd *crowd = arg;
    ordna_session *session = ordna_session_open(crowd->place->client);
    for (unsigned i = 0; i < REWRITES; i++) {
        const unsigned seed = crowd->first_seed + i;
        void *bytes = content(size_of_seed(seed), seed);
        crowd->failures +=
            ordna_object_put(session, &objects, "a", bytes, size_of_seed(seed)) != ORDNA_OK;
        free(bytes);
        ordna_session_reset(session);
    }
    atomic_fetch_sub(crowd->writing, 1);
    ordna_session_close(session);
    return NULL;
}

// A content's size says which version it must be all of.
static bool is_one_version(ordna_bytes bytes)
{
    for (unsigned seed = 0; seed <= WRITERS * REWRITES; seed++) {
        if (bytes.len == size_of_seed(seed)) {
            return is_content(bytes, bytes.len, seed);
        }
    }
    return false;
}

static void *read_on(void *arg)
{
    struct crowd *crowd = arg;
    ordna_session *session = ordna_session_open(crowd->place->client);
    do {
        ordna_bytes bytes = {0};
        const ordna_status status = ordna_object_get(session, &objects, "a", &bytes);
        crowd->failures += status != ORDNA_OK || !is_one_version(bytes);
        ordna_session_reset(session);
    } while (atomic_load(crowd->writing) > 0);
    ordna_session_close(session);
    return NULL;
}

static void readers_never_see_two_versions_in_one_while_two_writers_rewrite(void **state)
{
    struct place *place = *state;
    put(place->session, "a", size_of_seed(0), 0);
    atomic_int writing = WRITERS;
    struct crowd crowds[WRITERS + 1] = {{0}};
    pthread_t threads[WRITERS + 1];
    for (unsigned i = 0; i <= WRITERS; i++) {
        crowds[i] =
            (struct crowd){.place = place, .first_seed = 1 + i * REWRITES, .writing = &writing};
        void *(*run)(void *) = i < WRITERS ? rewrite : read_on;
        assert_int_equal(pthread_create(&threads[i], NULL, run, &crowds[i]), 0);
    }
    for (unsigned i = 0; i <= WRITERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(crowds[i].failures, 0);
    }
    ordna_bytes bytes = {0};
    assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_OK);
    assert_int_equal(count_chunks(place, "a"), (bytes.len + CHUNK - 1) / CHUNK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_writer_that_stops_before_the_manifest_leaves_no_object),
        TEST(a_rewriter_that_stops_leaves_the_old_version),
        TEST(a_writer_whose_answer_is_lost_says_so),
        TEST(a_writer_that_writes_its_manifest_twice_keeps_its_chunks),
        TEST(a_reader_whose_version_goes_reads_the_next),
        TEST(a_reader_whose_version_goes_between_two_pages_does_not_mix_them),
        TEST(a_reader_whose_object_is_deleted_finds_none),
        TEST(of_two_writers_at_once_the_last_wins_and_no_chunk_is_nobodys),
        TEST(an_object_that_is_rewritten_while_it_is_deleted_goes_whole),
        TEST(readers_never_see_two_versions_in_one_while_two_writers_rewrite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
