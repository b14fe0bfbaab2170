/* A stream of samples cut into buckets of time, a partition each, so that none grows without end.
 * A read of a range asks every bucket that it touches.
 *
 *     partition  METRIC#{Metric}#{Bucket:d10}
 *     sort key   {At}
 */
#include "connect.h"
#include "shop.h"

#include <ordna/patterns.h>

#include <stdio.h>
#include <stdlib.h>

enum { SHARDS = 3 };

static const int64_t minute = 60000;
static const int64_t hour = 3600000;
static const int64_t bucket_size = 6 * INT64_C(3600000); /* of the items that there are: keep it */

static void put(ordna_session *session, ordna_time moment, int32_t value)
{
    shop_sample sample = {.metric = "cpu",
                          .bucket = ordna_bucket_of(moment, bucket_size),
                          .at = moment,
                          .value = value};
    must(shop_sample_put(session, &sample, NULL));
}

/* How many samples a reader finds in [from, to] that takes buckets for `size` long; whether they
 * came in order of time. */
static int count(ordna_session *session, ordna_time from, ordna_time to, int64_t size)
{
    size_t buckets = ordna_bucket_count(from, to, size);
    ordna_key *partitions = calloc(buckets, sizeof(*partitions));
    for (size_t i = 0; i < buckets; i++) {
        partitions[i] = shop_sample_pk("cpu", ordna_bucket_of(from, size) + (int64_t)i);
    }
    ordna_query query = {.partitions = partitions,
                         .partition_count = buckets,
                         .sort = ordna_between(shop_sample_sk_at(from), shop_sample_sk_at(to))};
    ordna_stream *stream = NULL;
    shop_sample sample;
    ordna_time last = 0;
    int samples = 0;
    must(shop_sample_query(session, &query, &stream));
    while (shop_sample_next(stream, &sample) == ORDNA_OK && sample.at > last) {
        last = sample.at;
        samples++;
    }
    ordna_stream_close(stream);
    free(partitions);
    return samples;
}

static void ranges(ordna_session *session, ordna_time noon)
{
    puts("A day of samples, one every 30 minutes, in buckets of 6 hours:");
    for (int i = 0; i < 48; i++) {
        put(session, noon - minute * 30 * i, i);
    }
    ordna_time day_ago = noon - 24 * hour;
    check(ordna_bucket_count(day_ago, noon, bucket_size) == 5,
          "a day back from noon touches 5 buckets");
    check(count(session, day_ago, noon, bucket_size) == 48,
          "they have 48 samples, in order of time");
    check(count(session, noon - hour, noon, bucket_size) == 3,
          "the last hour, both ends with it, has 3");
    check(count(session, noon - hour, noon - 1, bucket_size) == 2, "and 2 without noon itself");
    check(ordna_bucket_count(noon - hour, noon - 1, bucket_size) == 1,
          "for which one bucket is asked");
}

static void sizes(ordna_session *session, ordna_time noon)
{
    puts("The size of a bucket:");
    check(ordna_bucket_count(noon - 24 * hour, noon, hour) == 25,
          "a smaller one spreads the writes, and costs a read of a day 25 queries");
    check(count(session, noon - 24 * hour, noon, hour) == 0,
          "a reader that does not know the size finds nothing");
}

/* The writes of one moment, with shards in their buckets. */
static void hot_moment(ordna_session *session, ordna_time noon)
{
    puts("A stream that is too much for one partition:");
    check(ordna_bucket_of(noon, bucket_size) == ordna_bucket_of(noon + 999, bucket_size),
          "all writes of one moment go to one bucket,");
    int64_t bucket = ordna_bucket_of(noon, bucket_size);
    ordna_key partitions[SHARDS];
    for (int32_t shard = 0; shard < SHARDS; shard++) {
        partitions[shard] = shop_click_pk("home", bucket, shard);
    }
    for (int i = 0; i < 60; i++) {
        shop_click click = {.site = "home",
                            .bucket = bucket,
                            .shard = ordna_shard_random(SHARDS),
                            .at = noon,
                            .id = ordna_uuid7_at(noon)};
        must(shop_click_put(session, &click, NULL));
    }
    ordna_query query = {.partitions = partitions, .partition_count = SHARDS};
    uint64_t all = 0;
    uint64_t first = 0;
    must(shop_click_query_count(session, &query, &all));
    query = (ordna_query){.partition = partitions[0]};
    must(shop_click_query_count(session, &query, &first));
    check(all == 60 && first < 60, "so it takes shards as well: 60 clicks of one millisecond");
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    ordna_time noon = at("2026-11-30T12:00:00Z");
    ranges(session, noon);
    sizes(session, noon);
    hot_moment(session, noon);
    return example_close();
}
