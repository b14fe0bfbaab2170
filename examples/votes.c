/* A hot key spread over several partitions by a random suffix: the votes of one poll. A read asks
 * every shard and merges them in the order of the sort key, here the time.
 *
 *     partition  VOTES#{Poll}#{Shard:d2}
 *     sort key   {At}#{VoteId}
 */
#include "connect.h"
#include "shop.h"

#include <ordna/patterns.h>

#include <stdio.h>
#include <string.h>

enum {
    SHARDS = 4,
    VOTES = 200,
};

/* The partitions of all shards: a query is sent to each. */
static void all_shards(ordna_key *out)
{
    for (int32_t shard = 0; shard < SHARDS; shard++) {
        out[shard] = shop_vote_pk("best-pet", shard);
    }
}

static void vote(ordna_session *session, ordna_time noon)
{
    puts("Writes go to random shards:");
    ordna_batch *batch = ordna_batch_open(session);
    for (int i = 0; i < VOTES; i++) {
        shop_vote one = {
            .poll = "best-pet",
            .shard = ordna_shard_random(SHARDS),
            .at = noon + (ordna_time)(VOTES - i) * 10,
            .vote_id = ordna_uuid4(),
        };
        must(shop_vote_batch_put(batch, &one));
    }
    must(ordna_batch_send(batch));
    ordna_batch_close(batch);
}

static void count_each(ordna_session *session, const ordna_key *shards)
{
    uint64_t sum = 0;
    uint64_t least = VOTES;
    for (int i = 0; i < SHARDS; i++) {
        ordna_query query = {.partition = shards[i]};
        uint64_t votes = 0;
        must(shop_vote_query_count(session, &query, &votes));
        least = votes < least ? votes : least;
        sum += votes;
    }
    check(sum == VOTES && least > VOTES / SHARDS / 3, "each of %d shards has about a quarter",
          SHARDS);
}

static void count_all(ordna_session *session, const ordna_key *shards)
{
    puts("A read asks every shard:");
    ordna_query query = {.partitions = shards, .partition_count = SHARDS};
    uint64_t votes = 0;
    must(shop_vote_query_count(session, &query, &votes));
    check(votes == VOTES, "they have %d votes in all", (int)votes);
}

/* How many votes come in order of time, from the first to the last. */
static int count_in_order(ordna_session *session, const ordna_query *query)
{
    ordna_stream *stream = NULL;
    shop_vote one;
    ordna_time last = query->descending ? INT64_MAX : 0;
    int in_order = 0;
    must(shop_vote_query(session, query, &stream));
    while (shop_vote_next(stream, &one) == ORDNA_OK) {
        in_order += query->descending ? one.at < last : one.at > last;
        last = one.at;
    }
    ordna_stream_close(stream);
    return in_order;
}

static void merge(ordna_session *session, const ordna_key *shards, ordna_time noon)
{
    puts("and merges them:");
    ordna_query query = {.partitions = shards, .partition_count = SHARDS, .limit = 10};
    check(count_in_order(session, &query) == VOTES, "all votes come in order of their time");
    query.descending = true;
    check(count_in_order(session, &query) == VOTES, "or newest first");
    query.sort = ordna_between(shop_vote_sk_at(noon + 1000), shop_vote_sk_at(noon + 1200));
    check(count_in_order(session, &query) == 21, "a range of time takes both its ends whole");
}

static void how_many_shards(void)
{
    puts("A partition takes 1,000 writes a second:");
    check(ordna_shards_needed(3500) == 4, "3,500 at the peak need %d shards",
          (int)ordna_shards_needed(3500));
    check(ordna_shards_needed(200) == 1, "200 need none but the one there is");
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    ordna_time noon = at("2026-11-30T12:00:00Z");
    ordna_key shards[SHARDS];
    all_shards(shards);
    vote(session, noon);
    count_each(session, shards);
    count_all(session, shards);
    merge(session, shards, noon);
    how_many_shards();
    return example_close();
}
