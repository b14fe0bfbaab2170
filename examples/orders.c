/* Orders sorted across all users, and what it costs: an index partition for each day, against one
 * for all orders with the time as its sort key, which takes shards once it is hot.
 *
 *     ByDay    partition  {Day}
 *     ByTime   partition  ORDERS               sort key  {OrderedAt}
 *     ByShard  partition  ORDERS#{Shard:d2}    sort key  {OrderedAt}
 */
#include "connect.h"
#include "shop.h"

#include <ordna/patterns.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *user;
    const char *at;
    const char *total;
} orders[] = {
    {"user123", "2023-08-14T09:30:12.250Z", "18.40"},
    {"user123", "2023-10-03T08:15:00.125Z", "25.00"},
    {"user456", "2023-10-03T17:42:31.900Z", "7.95"},
    {"user789", "2023-10-04T11:05:44.010Z", "112.30"},
    {"user123", "2023-10-06T21:59:59.999Z", "43.75"},
    {"user456", "2023-10-09T06:00:00.000Z", "61.20"},
};

enum {
    ORDERS = sizeof(orders) / sizeof(orders[0]),
    SHARDS = 4,
};

struct cost {
    int requests;
    size_t items;
    double units;
};

static void put_all(ordna_session *session)
{
    for (int i = 0; i < ORDERS; i++) {
        char day[11] = "";
        memcpy(day, orders[i].at, 10);
        shop_order order = {.user = orders[i].user,
                            .ordered_at = at(orders[i].at),
                            .day = day,
                            .shard = ordna_shard_random(SHARDS),
                            .total = orders[i].total};
        must(shop_order_put(session, &order, NULL));
    }
}

/* Typed queries do not tell the units that they consume; this is the request as it travels. */
static double units_of(ordna_session *session, const char *condition, const char *values)
{
    char body[512];
    int len = snprintf(body, sizeof(body),
                       "{\"TableName\":\"%s\",%s,\"ExpressionAttributeValues\":{%s},"
                       "\"ReturnConsumedCapacity\":\"TOTAL\"}",
                       shop_table.name, condition, values);
    ordna_answer answer;
    must(ordna_session_call(session, "Query", body, (size_t)len, &answer));
    const char *units = strstr(answer.body, "\"CapacityUnits\":");
    return units == NULL ? -1 : strtod(units + strlen("\"CapacityUnits\":"), NULL);
}

/* Adds a query of one page to the cost. */
static void ask(ordna_session *session, const ordna_query *query, struct cost *cost)
{
    shop_order_page page;
    must(shop_order_query_page(session, query, &page));
    cost->requests++;
    cost->items += page.count;
}

static void one_user(ordna_session *session)
{
    puts("One user, three months, by the table's own sort key:");
    ordna_query query = {.partition = shop_order_pk("user123"),
                         .sort =
                             ordna_between(shop_order_sk_ordered_at(at("2023-08-01T00:00:00Z")),
                                           shop_order_sk_ordered_at(at("2023-11-01T00:00:00Z")))};
    shop_order_page page;
    must(shop_order_query_page(session, &query, &page));
    check(page.count == 3 && strcmp(page.items[0].total, "18.40") != 0 &&
              page.items[0].ordered_at == at(orders[0].at),
          "3 orders, the oldest first");
}

static struct cost by_day(ordna_session *session)
{
    static const char *const days[] = {"2023-10-03", "2023-10-04", "2023-10-05", "2023-10-06"};
    struct cost cost = {0};
    for (int i = 0; i < 4; i++) {
        ordna_query query = {.partition = shop_order_by_day_pk(days[i])};
        ask(session, &query, &cost);
        char values[64];
        snprintf(values, sizeof(values), "\":day\":{\"S\":\"%s\"}", days[i]);
        cost.units += units_of(session,
                               "\"IndexName\":\"ByDay\","
                               "\"KeyConditionExpression\":\"#d = :day\","
                               "\"ExpressionAttributeNames\":{\"#d\":\"Day\"}",
                               values);
    }
    return cost;
}

static struct cost by_time(ordna_session *session)
{
    ordna_query query = {
        .partition = shop_order_by_time_pk(),
        .sort = ordna_between(shop_order_by_time_sk_ordered_at(at("2023-10-03T00:00:00Z")),
                              shop_order_by_time_sk_ordered_at(at("2023-10-06T23:59:59.999Z")))};
    struct cost cost = {0};
    ask(session, &query, &cost);
    cost.units = units_of(session,
                          "\"IndexName\":\"ByTime\",\"KeyConditionExpression\":"
                          "\"AllOrders = :all AND OrderedAt BETWEEN :from AND :to\"",
                          "\":all\":{\"S\":\"ORDERS\"},"
                          "\":from\":{\"S\":\"2023-10-03T00:00:00.000Z\"},"
                          "\":to\":{\"S\":\"2023-10-06T23:59:59.999Z\"}");
    return cost;
}

static void newest(ordna_session *session)
{
    puts("The same index answers other questions, too:");
    ordna_query query = {.partition = shop_order_by_time_pk(), .descending = true, .limit = 2};
    shop_order_page page;
    must(shop_order_query_page(session, &query, &page));
    check(page.count == 2 && page.items[0].ordered_at == at(orders[5].at),
          "the two newest of all users");
    query = (ordna_query){
        .partition = shop_order_by_time_pk(),
        .sort = ordna_greater_equal(shop_order_by_time_sk_ordered_at(at("2023-10-06T21:30:00Z")))};
    must(shop_order_query_page(session, &query, &page));
    check(page.count == 2, "all since half past nine");
}

/* The orders of the four days once more, from all shards, merged. */
static void sharded(ordna_session *session)
{
    puts("One partition takes 1,000 writes a second. Beyond that the index takes shards:");
    check(ordna_shards_needed(3500) == SHARDS, "3,500 orders a second need %d", SHARDS);
    ordna_key partitions[SHARDS];
    for (int32_t shard = 0; shard < SHARDS; shard++) {
        partitions[shard] = shop_order_by_shard_pk(shard);
    }
    ordna_query query = {
        .partitions = partitions,
        .partition_count = SHARDS,
        .sort = ordna_between(shop_order_by_shard_sk_ordered_at(at("2023-10-03T00:00:00Z")),
                              shop_order_by_shard_sk_ordered_at(at("2023-10-06T23:59:59.999Z")))};
    ordna_stream *stream = NULL;
    shop_order order;
    int next = 1;
    must(shop_order_query(session, &query, &stream));
    while (next < ORDERS && shop_order_next(stream, &order) == ORDNA_OK &&
           order.ordered_at == at(orders[next].at)) {
        next++;
    }
    ordna_stream_close(stream);
    check(next == 5, "a query of each, in parallel, and the same 4 items in order of time");
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    put_all(session);
    one_user(session);

    puts("All users, 2023-10-03 to 2023-10-06, an index partition for each day:");
    struct cost cost = by_day(session);
    check(cost.requests == 4 && cost.items == 4 && cost.units == 2.0,
          "%d requests, %zu items, %g units", cost.requests, cost.items, cost.units);

    puts("and one index partition, sorted by time:");
    cost = by_time(session);
    check(cost.requests == 1 && cost.items == 4 && cost.units == 0.5,
          "%d request, %zu items, %g units", cost.requests, cost.items, cost.units);
    newest(session);
    sharded(session);
    return example_close();
}
