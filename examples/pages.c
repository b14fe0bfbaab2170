/* Two who change one item: a version makes sure that neither overwrites what it has not seen. */
#include "connect.h"
#include "shop.h"

#include <string.h>

static shop_page read_page(ordna_session *session)
{
    shop_page page = {.title = "home"};
    ordna_read read = {.consistent = true};
    must(shop_page_get(session, &page, &read, &page));
    return page;
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);

    shop_page first = {.title = "home", .text = "hello"};
    must(shop_page_put(session, &first, NULL));
    check(first.version == 1, "a new page has version 1");
    shop_page again = {.title = "home", .text = "mine"};
    check(shop_page_put(session, &again, NULL) == ORDNA_CONDITION_FAILED,
          "who believes that it is new does not overwrite it");

    shop_page anns = read_page(session);
    shop_page bobs = read_page(session);
    anns.text = "hello, ann";
    must(shop_page_put(session, &anns, NULL));
    check(anns.version == 2, "ann writes version 2");
    bobs.text = "hello, bob";
    check(shop_page_put(session, &bobs, NULL) == ORDNA_CONDITION_FAILED,
          "bob, who has read version 1, cannot overwrite it");

    bobs = read_page(session);
    check(strcmp(bobs.text, "hello, ann") == 0, "he reads what ann has written");
    bobs.text = "hello, ann and bob";
    must(shop_page_put(session, &bobs, NULL));
    check(read_page(session).version == 3, "and writes version 3");

    ordna_argument text = {":text", ordna_of_string("bye")};
    ordna_expression change = {"SET {Text} = :text", &text, 1};
    check(shop_page_update(session, &anns, &change, NULL, NULL) == ORDNA_CONDITION_FAILED,
          "an update of an old version is refused, too");
    must(shop_page_update(session, &bobs, &change, NULL, &bobs));
    check(bobs.version == 4 && strcmp(bobs.text, "bye") == 0, "one of version 3 makes version 4");
    return example_close();
}
