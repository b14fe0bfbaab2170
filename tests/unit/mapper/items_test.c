// One item at a time, and many: against a database. `items_test URL`: over HTTP.
#include "shop.h"
#include "support.h"

#include "base/attr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ordna_expression expression(const char *text, const ordna_argument *args, size_t count)
{
    return (ordna_expression){.text = text, .args = args, .count = count};
}

// --- One item -----------------------------------------------------------------------------------

static void all_types_come_back(void **state)
{
    static const char *const names[] = {"\"quoted\"", "", "line\nbreak \xF0\x9F\x98\x80"};
    static const int32_t numbers[] = {-5, 7};
    static const char *const tags[] = {"a", "b"};
    static const bool flags[] = {true, false};
    static const ordna_bytes blobs[] = {{"\0\xFF", 2}, {"x", 1}}; // as sets are sorted
    static const ordna_uuid uuids[] = {{{1, 2, 3}}};
    static const int64_t times[] = {0, -1};
    static const double reals[] = {0.1, -1e100};
    static const char *const keys[] = {"one", "two"};
    struct fixture *fixture = *state;
    all a = {.id = "x",
             .count = -12,
             .small = INT32_MIN,
             .price = "12345678901234567890.12345678",
             .real = 1.0 / 3,
             .blob = {"", 0},
             .at = 1234567890123,
             .uuid = {{0xFF, 1}},
             .maybe = 0,
             .has_maybe = true,
             .names = {names, 3},
             .numbers = {numbers, 2},
             .tags = {tags, 2},
             .flags = {flags, 2},
             .blobs = {blobs, 2},
             .uuids = {uuids, 1},
             .times = {times, 2},
             .reals = {reals, 2, keys},
             .texts = {names, 1, keys}};
    check_status(0, fixture->session, ordna_put(fixture->session, &all_entity, &a, NULL), ORDNA_OK);
    all out;
    check_status(
        1, fixture->session,
        ordna_get(fixture->session, &all_entity, &a, &(ordna_read){.consistent = true}, &out),
        ORDNA_OK);
    assert_int_equal(out.count, -12);
    assert_int_equal(out.small, INT32_MIN);
    assert_string_equal(out.price, a.price);
    assert_true(out.real == a.real);
    assert_int_equal(out.blob.len, 0);
    assert_non_null(out.blob.ptr);
    assert_int_equal(out.at, a.at);
    assert_memory_equal(&out.uuid, &a.uuid, sizeof(a.uuid));
    assert_true(out.has_maybe);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(out.names.items[i], names[i]);
    }
    assert_int_equal(out.numbers.items[0], -5);
    assert_string_equal(out.tags.items[1], "b");
    assert_memory_equal(out.blobs.items[0].ptr, "\0\xFF", 2);
    assert_memory_equal(&out.uuids.items[0], &uuids[0], sizeof(uuids[0]));
    assert_int_equal(out.times.items[1], -1);
    assert_string_equal(out.reals.names[1], "two");
    assert_true(out.reals.items[1] == -1e100);
    assert_int_equal(out.texts.count, 1);
}

static void numbers_and_bytes_are_keys(void **state)
{
    struct fixture *fixture = *state;
    reading r = {.sensor = {"\0s", 2}, .at = -7, .value = 1.5};
    check_status(0, fixture->session, ordna_put(fixture->session, &reading_entity, &r, NULL),
                 ORDNA_OK);
    reading out = {.sensor = {"\0s", 2}, .at = -7};
    check_status(1, fixture->session,
                 ordna_get(fixture->session, &reading_entity, &out, NULL, &out), ORDNA_OK);
    assert_true(out.value == 1.5);
    assert_memory_equal(out.sensor.ptr, "\0s", 2);
}

static void only_the_fields_asked_for_are_read(void **state)
{
    static const char *const wanted[] = {"Nick"};
    struct fixture *fixture = *state;
    employee e = {.org = "p", .country = "CH", .city = "Bern", .number = 1, .nick = "nick"};
    check_status(0, fixture->session, ordna_put(fixture->session, &employee_entity, &e, NULL),
                 ORDNA_OK);
    employee out;
    const ordna_read read = {.fields = wanted, .field_count = 1};
    check_status(1, fixture->session,
                 ordna_get(fixture->session, &employee_entity, &e, &read, &out), ORDNA_OK);
    assert_string_equal(out.nick, "nick");
    assert_null(out.city);
    assert_int_equal(out.number, 0);
}

static void what_is_not_there_is_not_found(void **state)
{
    struct fixture *fixture = *state;
    employee e = {.org = "nobody", .country = "CH", .city = "Bern", .number = 1};
    check_status(0, fixture->session, ordna_get(fixture->session, &employee_entity, &e, NULL, &e),
                 ORDNA_NOT_FOUND);
    check_message(0, fixture->session, "ORG#nobody");
    check_status(1, fixture->session, ordna_delete(fixture->session, &employee_entity, &e, NULL),
                 ORDNA_OK);
}

static void conditions_hold_or_the_write_fails(void **state)
{
    struct fixture *fixture = *state;
    chat c = {.room = "c", .text = "one"};
    const ordna_expression fresh = expression("attribute_not_exists({Id})", NULL, 0);
    check_status(0, fixture->session, ordna_put(fixture->session, &chat_entity, &c, &fresh),
                 ORDNA_OK);
    check_status(1, fixture->session, ordna_put(fixture->session, &chat_entity, &c, &fresh),
                 ORDNA_CONDITION_FAILED);
    const ordna_argument two[] = {{":text", {.type = ORDNA_STRING, .as.text = "two"}}};
    const ordna_expression is_two = expression("{Text} = :text", two, 1);
    check_status(2, fixture->session, ordna_delete(fixture->session, &chat_entity, &c, &is_two),
                 ORDNA_CONDITION_FAILED);
    const ordna_expression set = expression("SET {Text} = :text", two, 1);
    chat out;
    check_status(3, fixture->session,
                 ordna_update(fixture->session, &chat_entity, &c, &set, NULL, &out), ORDNA_OK);
    assert_string_equal(out.text, "two");
    assert_string_equal(out.room, "c");
    check_status(4, fixture->session, ordna_delete(fixture->session, &chat_entity, &c, &is_two),
                 ORDNA_OK);
}

static void an_update_makes_a_whole_item(void **state)
{
    struct fixture *fixture = *state;
    const manifest key = {.file = "counted"};
    const ordna_argument one[] = {{":n", {.type = ORDNA_INT64, .as.number = 1}}};
    const ordna_expression add = expression("ADD {Chunks} :n", one, 1);
    manifest out;
    for (int i = 1; i <= 3; i++) {
        check_status((size_t)i, fixture->session,
                     ordna_update(fixture->session, &manifest_entity, &key, &add, NULL, &out),
                     ORDNA_OK);
        assert_int_equal(out.chunks, i);
        assert_string_equal(out.file, "counted");
    }
    const manifest other = {.file = "none"};
    const ordna_expression exists = expression("attribute_exists({File})", NULL, 0);
    check_status(4, fixture->session,
                 ordna_update(fixture->session, &manifest_entity, &other, &add, &exists, NULL),
                 ORDNA_CONDITION_FAILED);
}

static void a_versioned_item_is_written_over_what_was_read(void **state)
{
    struct fixture *fixture = *state;
    account mine = {.id = "v", .balance = 10};
    account theirs = mine;
    check_status(0, fixture->session, ordna_put(fixture->session, &account_entity, &mine, NULL),
                 ORDNA_OK);
    assert_int_equal(mine.version, 1);
    check_status(1, fixture->session, ordna_put(fixture->session, &account_entity, &theirs, NULL),
                 ORDNA_CONDITION_FAILED);
    assert_int_equal(theirs.version, 0);
    check_status(2, fixture->session,
                 ordna_get(fixture->session, &account_entity, &theirs, NULL, &theirs), ORDNA_OK);
    mine.balance = 11;
    check_status(3, fixture->session, ordna_put(fixture->session, &account_entity, &mine, NULL),
                 ORDNA_OK);
    assert_int_equal(mine.version, 2);
    check_status(4, fixture->session, ordna_put(fixture->session, &account_entity, &theirs, NULL),
                 ORDNA_CONDITION_FAILED);
    check_status(5, fixture->session,
                 ordna_delete(fixture->session, &account_entity, &theirs, NULL),
                 ORDNA_CONDITION_FAILED);

    const ordna_argument ten[] = {{":n", {.type = ORDNA_INT64, .as.number = 10}}};
    const ordna_expression add = expression("SET {Balance} = {Balance} + :n", ten, 1);
    account out;
    check_status(6, fixture->session,
                 ordna_update(fixture->session, &account_entity, &theirs, &add, NULL, &out),
                 ORDNA_CONDITION_FAILED);
    theirs.version = 0; // whichever it is
    check_status(7, fixture->session,
                 ordna_update(fixture->session, &account_entity, &theirs, &add, NULL, &out),
                 ORDNA_OK);
    assert_int_equal(out.balance, 21);
    assert_int_equal(out.version, 3);
    check_status(8, fixture->session, ordna_delete(fixture->session, &account_entity, &out, NULL),
                 ORDNA_OK);
}

static void an_expiry_is_kept_in_seconds(void **state)
{
    struct fixture *fixture = *state;
    account a = {.id = "ttl", .expires = INT64_C(4102444800999), .has_expires = true};
    check_status(0, fixture->session, ordna_put(fixture->session, &account_entity, &a, NULL),
                 ORDNA_OK);
    account out;
    check_status(1, fixture->session, ordna_get(fixture->session, &account_entity, &a, NULL, &out),
                 ORDNA_OK);
    assert_true(out.has_expires);
    assert_int_equal(out.expires, INT64_C(4102444800000));
    const ordna_argument later[] = {{":t", ordna_of_ttl(INT64_C(4102444801000))}};
    const ordna_expression is_over = expression("{Expires} < :t", later, 1);
    check_status(2, fixture->session,
                 ordna_delete(fixture->session, &account_entity, &out, &is_over), ORDNA_OK);
}

// --- Tables -------------------------------------------------------------------------------------

static void a_table_that_is_there_is_compared(void **state)
{
    struct fixture *fixture = *state;
    check_status(0, fixture->session, ordna_create_table(fixture->session, &shop), ORDNA_OK);
    ordna_table_key keys[3];
    memcpy(keys, shop.keys, sizeof(keys));
    ordna_table other = shop;
    other.keys = keys;
    keys[0].sort_type = ORDNA_DECIMAL;
    check_status(1, fixture->session, ordna_create_table(fixture->session, &other),
                 ORDNA_BAD_ARGUMENT);
    check_message(1, fixture->session, "its key is another");
    keys[0] = shop.keys[0];
    keys[2].keys_only = false;
    check_status(2, fixture->session, ordna_create_table(fixture->session, &other),
                 ORDNA_BAD_ARGUMENT);
    check_message(2, fixture->session, "its index inverted is another");
    keys[2] = shop.keys[2];
    keys[1].index = "elsewhere";
    check_status(3, fixture->session, ordna_create_table(fixture->session, &other),
                 ORDNA_BAD_ARGUMENT);
    other.name = "n"; // too short
    check_status(4, fixture->session, ordna_create_table(fixture->session, &other), ORDNA_REFUSED);
}

// --- Many items ---------------------------------------------------------------------------------

static void batches_write_in_order(void **state)
{
    enum { COUNT = 130 };
    struct fixture *fixture = *state;
    ordna_batch *batch = ordna_batch_open(fixture->session);
    chunk c = {.file = "batch", .data = {"x", 1}};
    for (c.index = 0; c.index < COUNT; c.index++) {
        check_status((size_t)c.index, fixture->session, ordna_batch_put(batch, &chunk_entity, &c),
                     ORDNA_OK);
    }
    reading r = {.sensor = {"batch", 5}, .at = 1};
    check_status(COUNT, fixture->session, ordna_batch_put(batch, &reading_entity, &r), ORDNA_OK);
    // One item again and again: the last write is the one that stays.
    c.index = 3;
    check_status(COUNT, fixture->session, ordna_batch_delete(batch, &chunk_entity, &c), ORDNA_OK);
    c.data = (ordna_bytes){"again", 5};
    check_status(COUNT, fixture->session, ordna_batch_put(batch, &chunk_entity, &c), ORDNA_OK);
    c.index = 4;
    check_status(COUNT, fixture->session, ordna_batch_delete(batch, &chunk_entity, &c), ORDNA_OK);
    check_status(COUNT, fixture->session, ordna_batch_send(batch), ORDNA_OK);
    check_status(COUNT, fixture->session, ordna_batch_send(batch), ORDNA_OK);
    ordna_batch_close(batch);

    chunk keys[COUNT + 1];
    chunk out[COUNT + 1];
    bool found[COUNT + 1];
    for (int32_t i = 0; i <= COUNT; i++) {
        keys[i] = (chunk){.file = "batch", .index = i == COUNT ? 3 : i};
    }
    check_status(0, fixture->session,
                 ordna_get_many(fixture->session, &chunk_entity, keys, COUNT + 1, NULL, out, found),
                 ORDNA_OK);
    for (int32_t i = 0; i < COUNT; i++) {
        assert_int_equal(found[i], i != 4);
        if (found[i]) {
            assert_int_equal(out[i].index, i);
        }
    }
    assert_true(found[COUNT]);
    assert_int_equal(out[COUNT].data.len, 5);
}

static void repeated_keys_are_read_once_and_found_everywhere(void **state)
{
    struct fixture *fixture = *state;
    reading r = {.sensor = {"twice", 5}, .at = 3, .value = 9};
    check_status(0, fixture->session, ordna_put(fixture->session, &reading_entity, &r, NULL),
                 ORDNA_OK);
    const reading keys[3] = {r, {.sensor = {"twice", 5}, .at = 4}, r};
    static const char *const fields[] = {"Value"};
    const ordna_read read = {.consistent = true, .fields = fields, .field_count = 1};
    reading out[3];
    bool found[3];
    check_status(1, fixture->session,
                 ordna_get_many(fixture->session, &reading_entity, keys, 3, &read, out, found),
                 ORDNA_OK);
    assert_true(found[0] && !found[1] && found[2]);
    assert_true(out[0].value == 9 && out[2].value == 9);
    assert_int_equal(out[0].at, 0);
}

static void batches_refuse_what_they_cannot_check(void **state)
{
    struct fixture *fixture = *state;
    ordna_batch *batch = ordna_batch_open(fixture->session);
    account a = {.id = "a"};
    check_status(0, fixture->session, ordna_batch_put(batch, &account_entity, &a),
                 ORDNA_BAD_ARGUMENT);
    chunk c = {.file = "a", .index = -1};
    check_status(1, fixture->session, ordna_batch_put(batch, &chunk_entity, &c), ORDNA_KEY_FORMAT);
    check_status(2, fixture->session, ordna_batch_delete(batch, &chunk_entity, &c),
                 ORDNA_KEY_FORMAT);
    c.index = 1;
    check_status(3, fixture->session, ordna_batch_put(batch, &chunk_entity, &c),
                 ORDNA_BAD_ARGUMENT);
    check_status(4, fixture->session, ordna_batch_send(batch), ORDNA_OK);
    ordna_batch_close(batch);
    bool found[1];
    c.index = -1;
    check_status(5, fixture->session,
                 ordna_get_many(fixture->session, &chunk_entity, &c, 1, NULL, &c, found),
                 ORDNA_KEY_FORMAT);
}

// --- Transactions -------------------------------------------------------------------------------

static void transactions_are_all_or_none(void **state)
{
    struct fixture *fixture = *state;
    ordna_session *session = fixture->session;
    account a = {.id = "ta", .balance = 5};
    account b = {.id = "tb", .balance = 5};
    chat c = {.room = "t", .text = "moved"};
    ordna_transaction *t = ordna_transaction_open(session);
    check_status(0, session, ordna_transaction_commit(t), ORDNA_BAD_ARGUMENT);
    check_status(1, session, ordna_transaction_put(t, &account_entity, &a, NULL), ORDNA_OK);
    check_status(2, session, ordna_transaction_put(t, &account_entity, &b, NULL), ORDNA_OK);
    check_status(3, session, ordna_transaction_put(t, &chat_entity, &c, NULL), ORDNA_OK);
    bool found = false;
    check_status(4, session, ordna_transaction_get(t, &chat_entity, &c, &c, &found),
                 ORDNA_BAD_ARGUMENT);
    check_status(5, session, ordna_transaction_check(t, &chat_entity, &c, NULL),
                 ORDNA_BAD_ARGUMENT);
    check_status(6, session, ordna_transaction_commit(t), ORDNA_OK);
    assert_int_equal(a.version, 1);
    assert_int_equal(b.version, 1);
    check_status(7, session, ordna_transaction_commit(t), ORDNA_BAD_ARGUMENT);

    const ordna_argument five[] = {{":n", {.type = ORDNA_INT64, .as.number = 5}}};
    const ordna_expression take = expression("SET {Balance} = {Balance} - :n", five, 1);
    const ordna_expression enough = expression("{Balance} > :n", five, 1);
    const ordna_expression there = expression("attribute_exists({Text})", NULL, 0);
    check_status(8, session, ordna_transaction_check(t, &chat_entity, &c, &there), ORDNA_OK);
    check_status(9, session, ordna_transaction_update(t, &account_entity, &a, &take, &enough),
                 ORDNA_OK);
    check_status(10, session, ordna_transaction_delete(t, &account_entity, &b, NULL), ORDNA_OK);
    check_status(11, session, ordna_transaction_commit(t), ORDNA_TRANSACTION_CANCELED);
    assert_string_equal(ordna_transaction_reason(t, 0)->code, "None");
    assert_string_equal(ordna_transaction_reason(t, 1)->code, "ConditionalCheckFailed");
    assert_string_equal(ordna_transaction_reason(t, 1)->item, "");
    assert_true(strlen(ordna_transaction_reason(t, 1)->message) > 0);
    assert_null(ordna_transaction_reason(t, 3));
    ordna_transaction_close(t);

    t = ordna_transaction_open(session);
    account out_a;
    account out_b;
    account none = {.id = "none"};
    bool found_a = false;
    bool found_b = false;
    bool found_none = true;
    check_status(12, session, ordna_transaction_get(t, &account_entity, &a, &out_a, &found_a),
                 ORDNA_OK);
    check_status(13, session, ordna_transaction_get(t, &account_entity, &none, &none, &found_none),
                 ORDNA_OK);
    check_status(14, session, ordna_transaction_get(t, &account_entity, &b, &out_b, &found_b),
                 ORDNA_OK);
    check_status(15, session, ordna_transaction_commit(t), ORDNA_OK);
    assert_true(found_a && found_b && !found_none);
    assert_int_equal(out_a.balance, 5);
    ordna_transaction_close(t);
}

static void a_transaction_holds_a_hundred_actions(void **state)
{
    struct fixture *fixture = *state;
    ordna_transaction *t = ordna_transaction_open(fixture->session);
    chunk c = {.file = "hundred", .data = {"x", 1}};
    for (c.index = 0; c.index < 100; c.index++) {
        check_status((size_t)c.index, fixture->session,
                     ordna_transaction_put(t, &chunk_entity, &c, NULL), ORDNA_OK);
    }
    check_status(100, fixture->session, ordna_transaction_put(t, &chunk_entity, &c, NULL),
                 ORDNA_BAD_ARGUMENT);
    check_status(101, fixture->session, ordna_transaction_commit(t), ORDNA_OK);
    // An action that came to nothing leaves the others as they were.
    c.index = -1;
    check_status(102, fixture->session, ordna_transaction_put(t, &chunk_entity, &c, NULL),
                 ORDNA_KEY_FORMAT);
    c.index = 0;
    check_status(103, fixture->session, ordna_transaction_delete(t, &chunk_entity, &c, NULL),
                 ORDNA_OK);
    check_status(104, fixture->session, ordna_transaction_commit(t), ORDNA_OK);
    ordna_transaction_close(t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types_come_back),
        cmocka_unit_test(numbers_and_bytes_are_keys),
        cmocka_unit_test(only_the_fields_asked_for_are_read),
        cmocka_unit_test(what_is_not_there_is_not_found),
        cmocka_unit_test(conditions_hold_or_the_write_fails),
        cmocka_unit_test(an_update_makes_a_whole_item),
        cmocka_unit_test(a_versioned_item_is_written_over_what_was_read),
        cmocka_unit_test(an_expiry_is_kept_in_seconds),
        cmocka_unit_test(a_table_that_is_there_is_compared),
        cmocka_unit_test(batches_write_in_order),
        cmocka_unit_test(repeated_keys_are_read_once_and_found_everywhere),
        cmocka_unit_test(batches_refuse_what_they_cannot_check),
        cmocka_unit_test(transactions_are_all_or_none),
        cmocka_unit_test(a_transaction_holds_a_hundred_actions),
    };
    test_endpoint = argc > 1 ? argv[1] : NULL;
    return cmocka_run_group_tests(tests, set_up_database, tear_down_database);
}
