/* A hierarchy in a sort key: the staff of a company by country and city, read at any depth.
 *
 *     partition  ORG#{Org}
 *     sort key   SITE#{Country}#{City}#EMP#{Number:d6}
 */
#include "connect.h"
#include "shop.h"

#include <string.h>

static const shop_employee staff[] = {
    {.org = "acme", .country = "CH", .city = "Zurich", .number = 2},
    {.org = "acme", .country = "CH", .city = "Zurich", .number = 10},
    {.org = "acme", .country = "CH", .city = "Zug", .number = 7},
    {.org = "acme", .country = "CH", .city = "Zurich West", .number = 1},
    {.org = "acme", .country = "DE", .city = "Berlin", .number = 3},
    {.org = "other", .country = "CH", .city = "Zurich", .number = 4},
};

static uint64_t count(ordna_session *session, ordna_sort sort)
{
    ordna_query query = {.partition = shop_employee_pk("acme"), .sort = sort};
    uint64_t employees = 0;
    must(shop_employee_query_count(session, &query, &employees));
    return employees;
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);

    ordna_batch *batch = ordna_batch_open(session);
    for (size_t i = 0; i < sizeof(staff) / sizeof(staff[0]); i++) {
        must(shop_employee_batch_put(batch, &staff[i]));
    }
    must(ordna_batch_send(batch));
    ordna_batch_close(batch);

    const char *key = NULL;
    must(shop_employee_key_text(session, shop_employee_sk_country_city_number("CH", "Zug", 7),
                                &key));
    check(strcmp(key, "SITE#CH#Zug#EMP#000007") == 0, "a sort key is %s", key);

    /* As many leading fields as the depth needs. */
    uint64_t everyone = count(session, ordna_begins_with(shop_employee_sk()));
    uint64_t in_country = count(session, ordna_begins_with(shop_employee_sk_country("CH")));
    ordna_sort in_zurich = ordna_begins_with(shop_employee_sk_country_city("CH", "Zurich"));
    check(everyone == 5, "acme has %d employees", (int)everyone);
    check(in_country == 4, "%d of them in Switzerland", (int)in_country);
    check(count(session, in_zurich) == 2,
          "2 of them in Zurich: whole fields, so that Zurich West is another city");

    ordna_query query = {.partition = shop_employee_pk("acme"), .sort = in_zurich};
    ordna_stream *stream = NULL;
    must(shop_employee_query(session, &query, &stream));
    shop_employee first;
    shop_employee second;
    must(shop_employee_next(stream, &first));
    check(first.number == 2, "d6 pads with zeros, so 2 comes first");
    must(shop_employee_next(stream, &second));
    check(second.number == 10, "and 10 after it");
    check(shop_employee_next(stream, &second) == ORDNA_END, "and then the stream ends");
    ordna_stream_close(stream);

    /* A key says which fields it was made of. */
    shop_employee parsed = {0};
    must(shop_employee_parse_sk(session, "SITE#DE#Berlin#EMP#000003", &parsed));
    check(strcmp(parsed.city, "Berlin") == 0 && parsed.number == 3,
          "SITE#DE#Berlin#EMP#000003 is number 3 in Berlin");
    return example_close();
}
