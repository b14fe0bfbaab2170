/* Identifiers of an older service: ULIDs, kept as strings. They sort by time, too, and the bounds
 * of a millisecond are its ten characters of time with sixteen 0 or sixteen Z behind them. */
#include "connect.h"
#include "shop.h"

#include <ordna/patterns.h>

#include <string.h>

static const char *const ids[] = {
    "01KBBCF9QZ4HZ9Q6V0N8XKTT3A",                               /* one millisecond before noon */
    "01KBBCF9R0000000000000000A",                               /* two at noon */
    "01KBBCF9R0ZZZZZZZZZZZZZZZZ", "01KBBCF9R14HZ9Q6V0N8XKTT3A", /* one millisecond after it */
};

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    for (int i = 3; i >= 0; i--) {
        shop_event event = {.log = "orders", .id = ids[i], .text = "happened"};
        must(shop_event_put(session, &event, NULL));
    }

    char first[ORDNA_ULID_TEXT_SIZE];
    char last[ORDNA_ULID_TEXT_SIZE];
    ordna_time noon = at("2025-11-30T22:00:00Z");
    check(ordna_ulid_first(noon, first) && ordna_ulid_last(noon, last),
          "the bounds of a millisecond are %s and %s", first, last);

    ordna_query query = {
        .partition = shop_event_pk("orders"),
        .sort = ordna_between(shop_event_sk_id(first), shop_event_sk_id(last)),
    };
    shop_event_page page;
    must(shop_event_query_page(session, &query, &page));
    check(page.count == 2 && strcmp(page.items[0].id, ids[1]) == 0 &&
              strcmp(page.items[1].id, ids[2]) == 0,
          "between them are the two of that millisecond, however low and high");

    query.sort = (ordna_sort){.op = ORDNA_ALL};
    query.descending = true;
    must(shop_event_query_page(session, &query, &page));
    check(page.count == 4 && strcmp(page.items[0].id, ids[3]) == 0, "newest first is the same");
    check(!ordna_ulid_first(-1, first), "a time before 1970 has no ULID");
    return example_close();
}
