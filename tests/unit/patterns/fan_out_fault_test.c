// A read of several shards of which one fails, is cancelled, or is left halfway: what came before
// is in order, nothing is left out without an error, and nothing is left behind.
#include "support.h"

#include "base/attr.h"

enum {
    SHARDS = 6,
    EMPTY = 3, // the shard that has no votes
    VOTES = 60,
    PER_PAGE = 3,
    MAX_REQUESTS = 60,
};

// VOTES#{Shard:d2} and {Nr:d4}: each number comes in all shards but one.
struct vote {
    int32_t shard;
    int32_t nr;
};

static const ordna_field fields[] = {
    {.name = "Shard", .type = ORDNA_INT32, .offset = offsetof(struct vote, shard)},
    {.name = "Nr", .type = ORDNA_INT32, .offset = offsetof(struct vote, nr)},
};
static const ordna_segment segments[] = {
    {.text = "VOTES#", .field = 0, .format = 'd', .width = 2},
    {.text = "", .field = 1, .format = 'd', .width = 4},
};
static const ordna_template templates[] = {
    {.attribute = "PK", .type = ORDNA_STRING, .segments = segments, .count = 1},
    {.attribute = "SK", .type = ORDNA_STRING, .segments = segments + 1, .count = 1},
};
static const ordna_index key = {.partition = &templates[0], .sort = &templates[1]};
static const ordna_table_key table_key = {
    .partition = "PK", .partition_type = ORDNA_STRING, .sort = "SK", .sort_type = ORDNA_STRING};
static const ordna_table ballots;
static const ordna_entity votes = {
    .table = &ballots,
    .name = "Vote",
    .discriminator = "VOTE",
    .size = sizeof(struct vote),
    .fields = fields,
    .field_count = OD_COUNT(fields),
    .keys = &key,
    .key_count = 1,
};
static const ordna_entity *const entities[] = {&votes};
static const ordna_table ballots = {.name = "objects",
                                    .discriminator = "Kind",
                                    .keys = &table_key,
                                    .key_count = 1,
                                    .entities = entities,
                                    .entity_count = 1};

static ordna_key partitions[SHARDS];

// Each number comes in five shards: equal sort keys.
static int setup(void **state)
{
    (void)place_setup(state);
    struct place *place = *state;
    for (int32_t i = 0; i < SHARDS; i++) {
        partitions[i] =
            (ordna_key){.entity = &votes, .index = &key, .count = 1, .values = {ordna_of_int(i)}};
    }
    for (int32_t i = 0; i < VOTES; i++) {
        const int32_t shard = i % (SHARDS - 1);
        struct vote one = {.shard = shard < EMPTY ? shard : shard + 1, .nr = i / (SHARDS - 1)};
        assert_int_equal(ordna_put(place->session, &votes, &one, NULL), ORDNA_OK);
    }
    return 0;
}

static ordna_stream *open_all(struct place *place, bool descending)
{
    const ordna_query query = {.partitions = partitions,
                               .partition_count = SHARDS,
                               .limit = PER_PAGE,
                               .descending = descending};
    ordna_stream *stream = NULL;
    assert_int_equal(ordna_stream_open(place->session, &votes, &query, &stream), ORDNA_OK);
    return stream;
}

// Of one number in order of the shards, forwards and backwards.
static bool is_next(int i, bool descending, const struct vote *one)
{
    const int shard = i % (SHARDS - 1);
    const int nr = i / (SHARDS - 1);
    return one->nr == (descending ? VOTES / (SHARDS - 1) - 1 - nr : nr) &&
           one->shard == (shard < EMPTY ? shard : shard + 1);
}

// How many votes came, all of them the next in order, before the stream ended as `out` says.
static int read_on(ordna_stream *stream, bool descending, int most, ordna_status *out)
{
    struct vote one = {0};
    int count = 0;
    *out = ORDNA_OK;
    while (count < most && (*out = ordna_stream_next(stream, &votes, &one)) == ORDNA_OK) {
        if (!is_next(count, descending, &one)) {
            fail_msg("vote %d is number %d of shard %d", count, one.nr, one.shard);
        }
        count++;
    }
    return count;
}

// --- A shard that fails -------------------------------------------------------------------------

static enum fate fail_one(struct place *place, const char *operation, const char *body)
{
    (void)operation;
    (void)body;
    return atomic_fetch_sub(&place->seen, 1) == 1 ? place->then : CARRIED_OUT;
}

static enum fate fail_from(struct place *place, const char *operation, const char *body)
{
    (void)operation;
    (void)body;
    return atomic_fetch_sub(&place->seen, 1) <= 1 ? place->then : CARRIED_OUT;
}

struct fault {
    fate_fn *fate;
    enum fate then;
    ordna_status status; // of the stream in the end
};

static const struct fault faults[] = {
    {fail_one, REFUSED_BY_SERVER, ORDNA_REFUSED},
    {fail_one, FAILED_IN_SERVER, ORDNA_END}, // asked for again
    {fail_one, ANSWER_LOST, ORDNA_END},
    {fail_from, REFUSED_BY_SERVER, ORDNA_REFUSED},
    {fail_from, FAILED_IN_SERVER, ORDNA_SERVER_FAILED},
    {fail_from, ANSWER_LOST, ORDNA_NETWORK},
};

// False when the stream had fewer requests.
static bool read_with_fault(struct place *place, const struct fault *fault, int request,
                            bool descending)
{
    place->seen = request;
    place->then = fault->then;
    place->fate = fault->fate;
    ordna_stream *stream = open_all(place, descending);
    ordna_status status = ORDNA_OK;
    const int count = read_on(stream, descending, VOTES + 1, &status);
    const bool failed = place->seen <= 0;
    if (status != (failed ? fault->status : ORDNA_END) || (status == ORDNA_END && count != VOTES)) {
        fail_msg("request %d: %d votes, then status %d", request, count, status);
    }
    struct vote one = {0};
    assert_int_equal(ordna_stream_next(stream, &votes, &one), status);
    ordna_stream_close(stream);
    place->fate = NULL;
    ordna_session_reset(place->session);
    return failed;
}

static void a_stream_that_fails_at_any_request_says_so_and_has_no_gap(void **state)
{
    struct place *place = *state;
    for (size_t i = 0; i < OD_COUNT(faults); i++) {
        bool failed = true;
        for (int request = 1; failed && request < MAX_REQUESTS; request++) {
            failed = read_with_fault(place, &faults[i], request, request % 2 == 0);
        }
        assert_false(failed);
    }
}

static void a_count_that_fails_at_any_request_is_no_number(void **state)
{
    struct place *place = *state;
    const ordna_query query = {
        .partitions = partitions, .partition_count = SHARDS, .limit = PER_PAGE};
    for (size_t i = 0; i < OD_COUNT(faults); i++) {
        bool failed = true;
        for (int request = 1; failed && request < MAX_REQUESTS; request++) {
            place->seen = request;
            place->then = faults[i].then;
            place->fate = faults[i].fate;
            uint64_t count = 0;
            const ordna_status status = ordna_query_count(place->session, &votes, &query, &count);
            failed = place->seen <= 0;
            const bool counts = !failed || faults[i].status == ORDNA_END;
            if (counts ? status != ORDNA_OK || count != VOTES : status != faults[i].status) {
                fail_msg("fault %zu, request %d: status %d", i, request, status);
            }
        }
        assert_false(failed);
    }
}

// --- A stream that is left ----------------------------------------------------------------------

static void a_stream_may_be_left_after_any_item(void **state)
{
    struct place *place = *state;
    for (int items = 0; items <= VOTES; items++) {
        ordna_stream *stream = open_all(place, items % 2 == 0);
        ordna_status status = ORDNA_OK;
        assert_int_equal(read_on(stream, items % 2 == 0, items, &status), items);
        ordna_stream_close(stream);
    }
}

static void a_stream_that_is_cancelled_after_any_item_ends_soon(void **state)
{
    struct place *place = *state;
    for (int items = 0; items <= VOTES; items++) {
        ordna_stream *stream = open_all(place, false);
        ordna_status status = ORDNA_OK;
        assert_int_equal(read_on(stream, false, items, &status), items);
        ordna_session_cancel(place->session);
        struct vote one = {0};
        int more = 0;
        while ((status = ordna_stream_next(stream, &votes, &one)) == ORDNA_OK) {
            more++;
        }
        // What had come already may still be given.
        if (status != ORDNA_CANCELED && (status != ORDNA_END || items + more != VOTES)) {
            fail_msg("after %d items %d more, then status %d", items, more, status);
        }
        ordna_stream_close(stream);
        ordna_session_reset(place->session);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_stream_that_fails_at_any_request_says_so_and_has_no_gap),
        TEST(a_count_that_fails_at_any_request_is_no_number),
        TEST(a_stream_may_be_left_after_any_item),
        TEST(a_stream_that_is_cancelled_after_any_item_ends_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
