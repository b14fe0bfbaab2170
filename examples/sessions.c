/* Shards by a hash of an id: the writes spread, and a read still finds its one shard.
 *
 *     partition  SESSIONS#{Shard:d2}
 *     sort key   {Id}
 */
#include "connect.h"
#include "shop.h"

#include <ordna/patterns.h>

#include <stdio.h>
#include <string.h>

enum { SHARDS = 4 };

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);

    for (int i = 1; i <= 40; i++) {
        char id[32];
        snprintf(id, sizeof(id), "session-%d", i);
        shop_user_session one = {
            .shard = ordna_shard_of(id, SHARDS), .id = id, .user = i == 1 ? "alice" : "bob"};
        must(shop_user_session_put(session, &one, NULL));
    }

    shop_user_session found = {.shard = ordna_shard_of("session-1", SHARDS), .id = "session-1"};
    must(shop_user_session_get(session, &found, NULL, &found));
    check(strcmp(found.user, "alice") == 0, "one get finds session-1, which is %s's", found.user);

    /* The first byte of SHA-256: printf session-1 | sha256sum begins with 84, which is 132. */
    check(ordna_shard_of("session-1", 256) == 0x84 && ordna_shard_of("session-2", 256) == 0x5d,
          "the hash is the same in every process, on every machine, in every language");
    check(ordna_shard_of("session-1", SHARDS) == 0 && ordna_shard_of("session-2", SHARDS) == 1,
          "so session-1 is always in shard 0 of 4, session-2 in shard 1");

    found = (shop_user_session){.shard = ordna_shard_of("session-1", 3), .id = "session-2"};
    check(shop_user_session_get(session, &found, NULL, &found) == ORDNA_NOT_FOUND,
          "a reader that has another number of shards looks in the wrong one");

    uint64_t least = UINT64_MAX;
    for (int32_t shard = 0; shard < SHARDS; shard++) {
        ordna_query query = {.partition = shop_user_session_pk(shard)};
        uint64_t sessions = 0;
        must(shop_user_session_query_count(session, &query, &sessions));
        least = sessions < least ? sessions : least;
    }
    check(least >= 5, "40 sessions spread over %d shards, at least %d in each", SHARDS, (int)least);
    return example_close();
}
