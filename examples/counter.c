/* A counter that takes more writes than one item: each write adds to a random shard, and a read
 * sums them up.
 *
 *     partition  COUNTER#{Name}#{Shard:d2}
 *     sort key   COUNTER
 *
 * An add whose answer is lost is not sent again, as it may have been made: the error says
 * outcome_unknown. Where that is not good enough, put it in a transaction, which carries a token
 * and is made once however often it is sent, for twice the units.
 */
#include "connect.h"
#include "shop.h"

#include <ordna/patterns.h>

enum {
    SHARDS = 8,
    VISITS = 100,
};

static void add(ordna_session *session, const char *name, int64_t more)
{
    shop_counter shard = {.name = name, .shard = ordna_shard_random(SHARDS)};
    ordna_argument by = {":more", ordna_of_int(more)};
    ordna_expression update = {"ADD {Count} :more", &by, 1};
    must(shop_counter_update(session, &shard, &update, NULL, NULL));
}

/* All shards in one request; those that nobody has added to are not there. */
static int64_t sum(ordna_session *session, const char *name, int *used)
{
    shop_counter shards[SHARDS] = {0};
    bool found[SHARDS];
    for (int32_t i = 0; i < SHARDS; i++) {
        shards[i].name = name;
        shards[i].shard = i;
    }
    ordna_read read = {.consistent = true};
    must(shop_counter_get_many(session, shards, SHARDS, &read, shards, found));
    int64_t total = 0;
    *used = 0;
    for (int i = 0; i < SHARDS; i++) {
        total += found[i] ? shards[i].count : 0;
        *used += found[i];
    }
    return total;
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    int used = 0;
    check(sum(session, "visits", &used) == 0, "a counter that nobody has added to is 0");
    add(session, "visits", 1);
    check(sum(session, "visits", &used) == 1 && used == 1, "the first write makes its shard");
    for (int i = 1; i < VISITS; i++) {
        add(session, "visits", 1);
    }
    check(sum(session, "visits", &used) == VISITS, "%d visits, each added to a shard", VISITS);
    check(used > SHARDS / 2, "%d of %d shards are in use", used, SHARDS);
    add(session, "visits", -50);
    check(sum(session, "visits", &used) == VISITS - 50, "a counter can go down, too");
    return example_close();
}
