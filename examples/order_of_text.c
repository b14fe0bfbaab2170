/* A key is text, and its order is the order of its bytes: what that does to numbers, times and
 * values with odd characters. */
#include "connect.h"
#include "shop.h"

#include <stdio.h>
#include <string.h>

static void numbers_without_a_width(ordna_session *session)
{
    puts("Numbers as they are, {Number}:");
    static const int32_t numbers[] = {2, 10, 1};
    for (int i = 0; i < 3; i++) {
        shop_ticket ticket = {.queue = "door", .number = numbers[i]};
        must(shop_ticket_put(session, &ticket, NULL));
    }
    ordna_query query = {.partition = shop_ticket_pk("door")};
    shop_ticket_page page;
    must(shop_ticket_query_page(session, &query, &page));
    check(page.count == 3 && page.items[0].number == 1 && page.items[1].number == 10 &&
              page.items[2].number == 2,
          "1, 10, 2: text, not numbers (ordna gen warns: ORD071)");
}

static void numbers_with_a_width(ordna_session *session)
{
    puts("Numbers with a width, {Number:d6}:");
    shop_employee employee = {.org = "acme", .country = "CH", .city = "Zug", .number = -1};
    check(shop_employee_put(session, &employee, NULL) == ORDNA_KEY_FORMAT, "-1 is refused");
    check(strcmp(ordna_session_error(session)->field, "Number") == 0,
          "and nothing is sent; the error names the field: %s",
          ordna_session_error(session)->message);
    employee.number = 1000000;
    check(shop_employee_put(session, &employee, NULL) == ORDNA_KEY_FORMAT,
          "seven digits are refused, too");
}

static void signed_numbers(ordna_session *session)
{
    puts("Numbers with a sign and a width, {Delta:n4}:");
    static const int32_t deltas[] = {-2, 2, 10, -10, 0};
    for (int i = 0; i < 5; i++) {
        shop_correction correction = {.product = "nail", .delta = deltas[i]};
        must(shop_correction_put(session, &correction, NULL));
    }
    ordna_query query = {.partition = shop_correction_pk("nail")};
    shop_correction_page page;
    must(shop_correction_query_page(session, &query, &page));
    check(page.count == 5 && page.items[0].delta == -10 && page.items[1].delta == -2 &&
              page.items[2].delta == 0 && page.items[3].delta == 2 && page.items[4].delta == 10,
          "-10, -2, 0, 2, 10");
    query.sort = ordna_less(shop_correction_sk_delta(0));
    uint64_t negative = 0;
    must(shop_correction_query_count(session, &query, &negative));
    check(negative == 2, "two of them are less than 0");
}

static void times_of_two_offsets(ordna_session *session)
{
    puts("Times, {At}:");
    shop_visit ann = {.door = "front", .at = at("2026-11-30T10:30:00+02:00"), .who = "ann"};
    shop_visit bob = {.door = "front", .at = at("2026-11-30T09:00:00+00:00"), .who = "bob"};
    must(shop_visit_put(session, &bob, NULL));
    must(shop_visit_put(session, &ann, NULL));
    ordna_query query = {.partition = shop_visit_pk("front")};
    shop_visit_page page;
    must(shop_visit_query_page(session, &query, &page));
    check(page.count == 2 && strcmp(page.items[0].who, "ann") == 0,
          "10:30 of +02:00 sorts before 09:00 of UTC: it is earlier");

    const char *key = NULL;
    must(shop_visit_key_text(session, shop_visit_sk_at(ann.at), &key));
    check(strcmp(key, "2026-11-30T08:30:00.000Z") == 0, "as a key it is %s", key);
    check(at("2026-11-30T10:30:00+02:00") == at("2026-11-30T08:30:00Z"),
          "two offsets of one instant are one key");
}

static void values_below_the_delimiter(ordna_session *session)
{
    puts("Values with a character below the delimiter:");
    static const char *const cities[] = {"New", "New York", "Newark"};
    for (int32_t i = 0; i < 3; i++) {
        shop_employee employee = {.org = "map", .country = "US", .city = cities[i], .number = i};
        must(shop_employee_put(session, &employee, NULL));
    }
    ordna_query query = {.partition = shop_employee_pk("map")};
    shop_employee_page page;
    must(shop_employee_query_page(session, &query, &page));
    check(page.count == 3 && strcmp(page.items[0].city, "New York") == 0 &&
              strcmp(page.items[1].city, "New") == 0,
          "\"New York\" sorts before \"New\", as a blank is below # (ordna gen warns: ORD070)");

    query.sort = ordna_begins_with(shop_employee_sk_country_city("US", "New"));
    must(shop_employee_query_page(session, &query, &page));
    check(page.count == 1 && strcmp(page.items[0].city, "New") == 0,
          "begins_with on whole fields is not affected: New alone");

    shop_employee split = {.org = "map", .country = "U#S", .city = "New", .number = 9};
    check(shop_employee_put(session, &split, NULL) == ORDNA_KEY_FORMAT &&
              strcmp(ordna_session_error(session)->field, "Country") == 0,
          "a value that holds the delimiter is refused: nobody could take the key apart");
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    numbers_without_a_width(session);
    numbers_with_a_width(session);
    signed_numbers(session);
    times_of_two_offsets(session);
    values_below_the_delimiter(session);
    return example_close();
}
