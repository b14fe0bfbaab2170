/* Several items changed together or not at all: money from one account to another. */
#include "connect.h"
#include "shop.h"

#include <string.h>

static void open_account(ordna_session *session, const char *id, int64_t balance)
{
    shop_account account = {.id = id, .balance = balance};
    must(shop_account_put(session, &account, NULL));
}

static int64_t balance_of(ordna_session *session, const char *id)
{
    shop_account account = {.id = id};
    ordna_read read = {.consistent = true};
    must(shop_account_get(session, &account, &read, &account));
    return account.balance;
}

/* Takes from one account what it has, and gives it to another that is there. `refused_by` is the
 * action that stood in the way, or -1. */
static ordna_status transfer(ordna_session *session, const char *from, const char *to,
                             int64_t amount, int *refused_by)
{
    ordna_argument args = {":amount", ordna_of_int(amount)};
    ordna_expression take = {"SET {Balance} = {Balance} - :amount", &args, 1};
    ordna_expression is_enough = {"{Balance} >= :amount", &args, 1};
    ordna_expression give = {"SET {Balance} = {Balance} + :amount", &args, 1};
    ordna_expression is_there = {"attribute_exists({Balance})", NULL, 0};

    shop_account giver = {.id = from};
    shop_account taker = {.id = to};
    ordna_transaction *transaction = ordna_transaction_open(session);
    must(shop_account_transaction_update(transaction, &giver, &take, &is_enough));
    must(shop_account_transaction_update(transaction, &taker, &give, &is_there));
    ordna_status status = ordna_transaction_commit(transaction);

    *refused_by = -1;
    for (int i = 0; i < 2 && status == ORDNA_TRANSACTION_CANCELED; i++) {
        const ordna_reason *reason = ordna_transaction_reason(transaction, (size_t)i);
        if (strcmp(reason->code, "ConditionalCheckFailed") == 0) {
            *refused_by = i;
        }
    }
    ordna_transaction_close(transaction);
    return status;
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    int refused_by = 0;
    open_account(session, "ann", 100);
    open_account(session, "bob", 20);

    must(transfer(session, "ann", "bob", 70, &refused_by));
    check(balance_of(session, "ann") == 30 && balance_of(session, "bob") == 90,
          "70 go from ann to bob: 30 and 90");

    check(transfer(session, "ann", "bob", 31, &refused_by) == ORDNA_TRANSACTION_CANCELED,
          "ann has not 31: nothing is written");
    check(refused_by == 0, "the reason is that of the first action, its condition");

    check(transfer(session, "ann", "eve", 10, &refused_by) == ORDNA_TRANSACTION_CANCELED &&
              refused_by == 1,
          "there is no eve: the reason is that of the second action");
    check(balance_of(session, "ann") == 30 && balance_of(session, "bob") == 90,
          "and ann keeps what she has: 30 and 90 still");

    shop_account both[2];
    bool found[2];
    shop_account ann = {.id = "ann"};
    shop_account bob = {.id = "bob"};
    ordna_transaction *reading = ordna_transaction_open(session);
    must(shop_account_transaction_get(reading, &ann, &both[0], &found[0]));
    must(shop_account_transaction_get(reading, &bob, &both[1], &found[1]));
    must(ordna_transaction_commit(reading));
    check(found[0] && found[1] && both[0].balance + both[1].balance == 120,
          "both read at one moment: 120 in all, whoever transfers meanwhile");
    ordna_transaction_close(reading);
    return example_close();
}
