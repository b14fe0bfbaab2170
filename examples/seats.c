/* A seat is booked once: the seat is taken and the booking written in one transaction, of two
 * entities. A booking alone needs a condition, and no transaction. */
#include "connect.h"
#include "shop.h"

#include <stdio.h>
#include <string.h>

static ordna_status book(ordna_session *session, const char *guest, int32_t number)
{
    ordna_argument who = {":guest", ordna_of_string(guest)};
    ordna_expression take = {"SET {Guest} = :guest", &who, 1};
    ordna_expression is_free = {"attribute_exists({Number}) AND attribute_not_exists({Guest})",
                                NULL, 0};
    ordna_expression is_first = {"attribute_not_exists({Guest})", NULL, 0};

    shop_seat seat = {.show = "hamlet", .number = number};
    shop_booking booking = {.show = "hamlet", .guest = guest, .number = number};
    ordna_transaction *transaction = ordna_transaction_open(session);
    must(shop_seat_transaction_update(transaction, &seat, &take, &is_free));
    must(shop_booking_transaction_put(transaction, &booking, &is_first));
    ordna_status status = ordna_transaction_commit(transaction);
    ordna_transaction_close(transaction);
    return status;
}

/* Seats and bookings are in one partition, and one query reads both. */
static void list(ordna_session *session)
{
    ordna_query query = {.partition = shop_seat_pk("hamlet")};
    ordna_stream *stream = NULL;
    shop_item item;
    int seats = 0;
    int bookings = 0;
    int taken = 0;
    must(shop_query(session, &query, &stream));
    while (shop_next(stream, &item) == ORDNA_OK) {
        if (item.entity == &shop_seat_entity) {
            seats++;
            taken += item.as.seat.guest != NULL;
        } else if (item.entity == &shop_booking_entity) {
            bookings++;
        }
    }
    ordna_stream_close(stream);
    check(seats == 3 && bookings == 2 && taken == 2,
          "one query of the show: %d bookings, and %d seats of which %d are taken", bookings, seats,
          taken);
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    for (int32_t number = 1; number <= 3; number++) {
        shop_seat seat = {.show = "hamlet", .number = number};
        must(shop_seat_put(session, &seat, NULL));
    }
    check(book(session, "ann", 2) == ORDNA_OK, "ann books seat 2");
    check(book(session, "bob", 2) == ORDNA_TRANSACTION_CANCELED, "bob cannot: it is taken");
    check(book(session, "ann", 3) == ORDNA_TRANSACTION_CANCELED, "ann has a booking already");
    check(book(session, "bob", 9) == ORDNA_TRANSACTION_CANCELED, "there is no seat 9");
    check(book(session, "bob", 3) == ORDNA_OK, "bob books seat 3");
    list(session);

    /* One item needs no transaction, at half the cost. */
    ordna_argument who = {":guest", ordna_of_string("eve")};
    ordna_expression take = {"SET {Guest} = :guest", &who, 1};
    ordna_expression is_free = {"attribute_not_exists({Guest})", NULL, 0};
    shop_seat seat = {.show = "hamlet", .number = 1};
    must(shop_seat_update(session, &seat, &take, &is_free, NULL));
    check(shop_seat_update(session, &seat, &take, &is_free, NULL) == ORDNA_CONDITION_FAILED,
          "a condition alone books a single seat, once");
    return example_close();
}
