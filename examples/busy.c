#include "busy.h"

#include "shop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum {
    LANES = 4,
    ITEMS = 30, /* of a round: more than a batch takes */
};

struct busy {
    pthread_t thread;
    ordna_client *client;
    atomic_bool stop;
    bool failed;
    char trouble[512];
};

static struct busy the_one;

/* Keeps the first thing that goes wrong. */
static void expect(ordna_session *session, bool holds, const char *what)
{
    if (holds || the_one.failed) {
        return;
    }
    const ordna_error *error = ordna_session_error(session);
    the_one.failed = true;
    snprintf(the_one.trouble, sizeof(the_one.trouble), "%s: %s %s", what, error->type,
             error->message);
}

static shop_noise noise(int32_t lane, int32_t number)
{
    shop_noise item = {.lane = lane, .number = number, .board = "noise", .score = number};
    return item;
}

static void write_many(ordna_session *session, int32_t lane)
{
    ordna_batch *batch = ordna_batch_open(session);
    for (int32_t i = 0; i < ITEMS; i++) {
        shop_noise item = noise(lane, i);
        expect(session, shop_noise_batch_put(batch, &item) == ORDNA_OK, "batch put");
    }
    expect(session, ordna_batch_send(batch) == ORDNA_OK, "batch send");
    ordna_batch_close(batch);
}

static void write_some(ordna_session *session, int32_t lane)
{
    shop_noise item = noise(lane, ITEMS);
    expect(session, shop_noise_put(session, &item, NULL) == ORDNA_OK, "put");
    ordna_argument one = {":one", ordna_of_int(1)};
    ordna_expression more = {"ADD {Hits} :one", &one, 1};
    expect(session, shop_noise_update(session, &item, &more, NULL, &item) == ORDNA_OK, "update");
    expect(session, item.hits == 1, "what the update answers");
    expect(session, shop_noise_get(session, &item, NULL, &item) == ORDNA_OK, "get");

    ordna_transaction *both = ordna_transaction_open(session);
    shop_noise next = noise(lane, ITEMS + 1);
    expect(session, shop_noise_transaction_put(both, &next, NULL) == ORDNA_OK, "in transaction");
    expect(session, shop_noise_transaction_delete(both, &item, NULL) == ORDNA_OK, "in transaction");
    expect(session, ordna_transaction_commit(both) == ORDNA_OK, "transaction");
    ordna_transaction_close(both);
    expect(session, shop_noise_delete(session, &next, NULL) == ORDNA_OK, "delete");
}

static void read_all(ordna_session *session, int32_t lane)
{
    ordna_query query = {.partition = shop_noise_pk(lane), .descending = true, .limit = 7};
    ordna_stream *stream = NULL;
    shop_noise item;
    int32_t next = ITEMS;
    expect(session, shop_noise_query(session, &query, &stream) == ORDNA_OK, "query");
    while (shop_noise_next(stream, &item) == ORDNA_OK) {
        expect(session, item.number == --next, "the order of a query");
    }
    ordna_stream_close(stream);
    expect(session, next == 0, "the number of a query's items");
}

static void read_index(ordna_session *session)
{
    ordna_query query = {.partition = shop_noise_by_score_pk("noise")};
    uint64_t count = 0;
    expect(session, shop_noise_query_count(session, &query, &count) == ORDNA_OK, "count");
}

static void *run(void *arg)
{
    struct busy *busy = arg;
    ordna_session *session = ordna_session_open(busy->client);
    int32_t lane = 0;
    do {
        write_many(session, lane);
        write_some(session, lane);
        read_all(session, lane);
        read_index(session);
        ordna_session_reset(session);
        lane = (lane + 1) % LANES;
    } while (!atomic_load(&busy->stop));
    ordna_session_close(session);
    return NULL;
}

struct busy *busy_start(ordna_client *client)
{
    the_one.client = client;
    if (pthread_create(&the_one.thread, NULL, run, &the_one) != 0) {
        return NULL;
    }
    return &the_one;
}

const char *busy_stop(struct busy *busy)
{
    if (busy == NULL) {
        return NULL;
    }
    atomic_store(&busy->stop, true);
    pthread_join(busy->thread, NULL);
    return busy->failed ? busy->trouble : NULL;
}
