/* A leaderboard: players are found by their id, and sorted by score through an index whose sort key
 * is a number. The top ten is one query, read backwards.
 *
 *     ByScore  partition  {Board}    sort key  {Score}, a number
 */
#include "connect.h"
#include "shop.h"

#include <stdio.h>
#include <string.h>

/* Scores that text would sort wrongly. */
static const int64_t scores[] = {9, 80, 1000, -5, 77, 310, 42, 8, 655, 2, 123, 99};
enum { PLAYERS = sizeof(scores) / sizeof(scores[0]) };

static void put_all(ordna_session *session)
{
    for (int i = 0; i < PLAYERS; i++) {
        char id[16];
        snprintf(id, sizeof(id), "user%04d", i + 1);
        shop_player player = {.id = id, .board = "chess", .score = scores[i]};
        must(shop_player_put(session, &player, NULL));
    }
}

static shop_player_page top(ordna_session *session, int count)
{
    ordna_query query = {
        .partition = shop_player_by_score_pk("chess"), .descending = true, .limit = count};
    shop_player_page page;
    must(shop_player_query_page(session, &query, &page));
    return page;
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    put_all(session);

    shop_player_page best = top(session, 10);
    bool in_order = best.count == 10;
    for (size_t i = 1; i < best.count; i++) {
        in_order = in_order && best.items[i - 1].score > best.items[i].score;
    }
    check(in_order && best.items[0].score == 1000 && best.items[9].score == 8,
          "the top ten: 1000 first, 8 last; -5 and 2 are not among them");
    check(strcmp(best.items[0].id, "user0003") == 0, "%s leads", best.items[0].id);

    /* The score is no part of the table's key, so it can grow in place, whoever else adds to it at
     * the same time; the index follows. */
    shop_player player = {.id = "user0004"};
    ordna_argument won = {":won", ordna_of_int(1500)};
    ordna_expression add = {"ADD {Score} :won", &won, 1};
    must(shop_player_update(session, &player, &add, NULL, &player));
    check(player.score == 1495, "user0004 wins 1,500 and has %d", (int)player.score);
    best = top(session, 3);
    check(best.count == 3 && strcmp(best.items[0].id, "user0004") == 0,
          "and leads the top three now");

    ordna_query above = {.partition = shop_player_by_score_pk("chess"),
                         .sort = ordna_greater(shop_player_by_score_sk_score(99))};
    uint64_t players = 0;
    must(shop_player_query_count(session, &above, &players));
    check(players == 5, "%d players have more than 99", (int)players);
    return example_close();
}
