/* A sort key that is unique and in order of time at once: a UUID of version 7.
 *
 *     partition  ROOM#{Room}
 *     sort key   {Id}
 */
#include "connect.h"
#include "shop.h"

#include <ordna/patterns.h>

#include <stdio.h>
#include <string.h>

enum { HOUR = 60 * 60 * 1000 };

static void put(ordna_session *session, ordna_uuid id, const char *text)
{
    shop_chat_message message = {.room = "ann", .id = id, .text = text};
    must(shop_chat_message_put(session, &message, NULL));
}

static uint64_t count(ordna_session *session, ordna_sort sort)
{
    ordna_query query = {.partition = shop_chat_message_pk("ann"), .sort = sort};
    uint64_t messages = 0;
    must(shop_chat_message_query_count(session, &query, &messages));
    return messages;
}

static void newest_first(ordna_session *session, ordna_time noon)
{
    puts("Newest first:");
    for (int i = 0; i < 30; i++) {
        char text[32];
        snprintf(text, sizeof(text), "message %d", i);
        put(session, ordna_uuid7_at(noon + i), text);
    }
    ordna_query query = {.partition = shop_chat_message_pk("ann"), .descending = true, .limit = 20};
    shop_chat_message_page page;
    must(shop_chat_message_query_page(session, &query, &page));
    check(page.count == 20, "a limit is one of a page");
    check(strcmp(page.items[0].text, "message 29") == 0 &&
              strcmp(page.items[19].text, "message 10") == 0,
          "a backward read begins with the newest");
    check(page.next != NULL, "and says where the next page begins");
    query.from = page.next;
    must(shop_chat_message_query_page(session, &query, &page));
    check(page.count == 10 && strcmp(page.items[9].text, "message 0") == 0,
          "the next page has the other 10");

    ordna_stream *stream = NULL;
    shop_chat_message message;
    int streamed = 0;
    query.from = NULL;
    must(shop_chat_message_query(session, &query, &stream));
    while (shop_chat_message_next(stream, &message) == ORDNA_OK) {
        streamed++;
    }
    ordna_stream_close(stream);
    check(streamed == 30, "a stream goes on over all pages");
}

static void ranges_of_time(ordna_session *session, ordna_time noon)
{
    puts("A range of time is a range of ids:");
    ordna_sort five = ordna_between(shop_chat_message_sk_id(ordna_uuid7_first(noon + 10)),
                                    shop_chat_message_sk_id(ordna_uuid7_last(noon + 14)));
    check(count(session, five) == 5, "both milliseconds at its ends belong to it whole");
    ordna_sort since = ordna_greater_equal(shop_chat_message_sk_id(ordna_uuid7_first(noon + 20)));
    check(count(session, since) == 10, "all since a time");
    ordna_time now = ordna_now();
    put(session, ordna_uuid7(), "now");
    ordna_sort last_hour = ordna_between(shop_chat_message_sk_id(ordna_uuid7_first(now - HOUR)),
                                         shop_chat_message_sk_id(ordna_uuid7_last(ordna_now())));
    check(count(session, last_hour) == 1, "the last hour: an id takes the clock of this machine,");
    check(count(session, ordna_begins_with(shop_chat_message_sk())) == 31,
          "or a time of the caller's, as an import of old items does");
}

static void one_millisecond(ordna_session *session, ordna_time noon)
{
    puts("Within one millisecond:");
    ordna_time moment = noon + HOUR;
    for (int i = 0; i < 100; i++) {
        put(session, ordna_uuid7_at(moment), "at once");
    }
    ordna_sort of_moment = ordna_between(shop_chat_message_sk_id(ordna_uuid7_first(moment)),
                                         shop_chat_message_sk_id(ordna_uuid7_last(moment)));
    check(count(session, of_moment) == 100,
          "100 writes do not collide; random bits decide their order");
}

static void text_of_ids(void)
{
    puts("As text:");
    char text[ORDNA_UUID_TEXT_SIZE];
    ordna_time moment = at("2025-05-05T12:00:00Z");
    ordna_uuid_to_text(ordna_uuid7_first(moment), text);
    check(strcmp(text, "0196a051-3a00-7000-8000-000000000000") == 0,
          "the time comes first, in lowercase: %s", text);
    check(ordna_uuid7_time(ordna_uuid7_at(moment)) == moment, "and can be read back");

    int in_order = 0;
    char last[ORDNA_UUID_TEXT_SIZE] = "";
    for (int i = 0; i < 100; i++) {
        ordna_uuid_to_text(ordna_uuid4(), text);
        in_order += strcmp(last, text) < 0;
        memcpy(last, text, sizeof(text));
    }
    check(in_order < 90, "version 4 is random from its first bit, in no order");
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    ordna_time noon = at("2026-11-30T12:00:00Z");
    newest_first(session, noon);
    ranges_of_time(session, noon);
    one_millisecond(session, noon);
    text_of_ids();
    return example_close();
}
