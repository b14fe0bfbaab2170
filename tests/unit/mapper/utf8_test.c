// Text that is not UTF-8: known before anything is sent, and named.
#include "shop.h"
#include "support.h"

#include "base/attr.h"

#include <stdlib.h>
#include <string.h>

static struct script script;

static int set_up(void **state)
{
    struct fixture *fixture = malloc(sizeof(*fixture));
    assert_non_null(fixture);
    script = (struct script){.answers = {"{}"}, .answer_count = 1};
    open_script(fixture, &script);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    assert_int_equal(script.calls, 0);
    close_script(*state);
    free(*state);
    return 0;
}

static const char bad[] = "Z\xFCrich";

static void check_refused(size_t row, ordna_session *session, ordna_status got, ordna_status wanted,
                          const char *field)
{
    check_status(row, session, got, wanted);
    check_message(row, session, "not UTF-8");
    if (strcmp(ordna_session_error(session)->field, field) != 0) {
        fail_msg("row %zu: names \"%s\", not %s", row, ordna_session_error(session)->field, field);
    }
}

// --- Fields -------------------------------------------------------------------------------------

static all whole(void)
{
    return (all){.id = "a", .price = "1", .blob = {"", 0}};
}

static void fields_are_named(void **state)
{
    static const char *const texts[] = {"a", bad};
    static const char *const names[] = {bad};
    static const double one[] = {1};
    static const char *const wanted[] = {"Id", "Names", "Tags", "Reals", "Texts", "Price"};
    all rows[OD_COUNT(wanted)];
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        rows[i] = whole();
    }
    rows[0].id = bad;
    rows[1].names = (ordna_string_list){texts, 2};
    rows[2].tags = (ordna_string_list){texts, 2};
    rows[3].reals = (ordna_double_map){one, 1, names};
    rows[4].texts = (ordna_string_map){texts + 1, 1, texts};
    rows[5].price = "1\xFC";
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows) - 1; i++) {
        const ordna_status status = ordna_put(fixture->session, &all_entity, &rows[i], NULL);
        check_refused(i, fixture->session, status, i == 0 ? ORDNA_KEY_FORMAT : ORDNA_BAD_ARGUMENT,
                      wanted[i]);
    }
    check_status(5, fixture->session, ordna_put(fixture->session, &all_entity, &rows[5], NULL),
                 ORDNA_BAD_ARGUMENT);
    assert_string_equal(ordna_session_error(fixture->session)->field, wanted[5]);
}

// Wherever in the text it is.
static void no_form_of_it_passes(void **state)
{
    static const char *const rows[] = {
        "\xFC",
        "\x80",
        "\xC3",
        "a\xC0\xAF",
        "abcdefg\xE2\x82",
        "abcdefgh\xED\xA0\x80",
        "\xF4\x90\x80\x80 bcdefghijklmnop",
        "abcdefghijklmno\xFF",
        "abcdefghijklmnop\xFFqrstuvwxyz",
        "abc\377defghijk",
        "\xC3\xBC\xC3",
        "\"\xC3\"",
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        chat item = {.room = "a", .text = rows[i]};
        const ordna_status status = ordna_put(fixture->session, &chat_entity, &item, NULL);
        check_refused(i, fixture->session, status, ORDNA_BAD_ARGUMENT, "Text");
    }
}

// --- Keys ---------------------------------------------------------------------------------------

static ordna_status put(ordna_session *session, employee *item)
{
    return ordna_put(session, &employee_entity, item, NULL);
}

static ordna_status get(ordna_session *session, employee *key)
{
    return ordna_get(session, &employee_entity, key, NULL, key);
}

static ordna_status get_many(ordna_session *session, employee *key)
{
    bool found = false;
    return ordna_get_many(session, &employee_entity, key, 1, NULL, key, &found);
}

static ordna_status delete (ordna_session *session, employee *key)
{
    return ordna_delete(session, &employee_entity, key, NULL);
}

static ordna_status update(ordna_session *session, employee *key)
{
    const ordna_expression nothing = {"", NULL, 0};
    return ordna_update(session, &employee_entity, key, &nothing, NULL, NULL);
}

static ordna_status batch_put(ordna_session *session, employee *item)
{
    ordna_batch *batch = ordna_batch_open(session);
    const ordna_status status = ordna_batch_put(batch, &employee_entity, item);
    ordna_batch_close(batch);
    return status;
}

static ordna_status batch_delete(ordna_session *session, employee *key)
{
    ordna_batch *batch = ordna_batch_open(session);
    const ordna_status status = ordna_batch_delete(batch, &employee_entity, key);
    ordna_batch_close(batch);
    return status;
}

static ordna_status transaction_put(ordna_session *session, employee *item)
{
    ordna_transaction *transaction = ordna_transaction_open(session);
    const ordna_status status = ordna_transaction_put(transaction, &employee_entity, item, NULL);
    ordna_transaction_close(transaction);
    return status;
}

static ordna_status key_text(ordna_session *session, employee *item)
{
    const ordna_value city = ordna_of_string(item->city);
    const ordna_key key = key_of(&employee_entity, 1, false, &city, 1);
    const char *text = NULL;
    return ordna_key_text(session, &key, &text);
}

static void keys_of_all_requests_are_looked_at(void **state)
{
    static ordna_status (*const rows[])(ordna_session *, employee *) = {
        put, get, get_many, delete, update, batch_put, batch_delete, transaction_put, key_text,
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        employee e = {.org = "acme", .country = "CH", .city = bad, .number = 7};
        check_refused(i, fixture->session, rows[i](fixture->session, &e), ORDNA_KEY_FORMAT, "City");
    }
}

static void keys_of_queries_are_looked_at(void **state)
{
    struct fixture *fixture = *state;
    const ordna_key good = PK(employee_entity, ordna_of_string("acme"));
    const struct {
        ordna_query query;
        const char *field;
    } rows[] = {
        {{.partition = PK(employee_entity, ordna_of_string(bad))}, "Org"},
        {{.partition = good, .sort = ordna_less(SK(employee_entity, ordna_of_string(bad)))},
         "Country"},
        {{.partition = good,
          .sort = ordna_begins_with(
              SK(employee_entity, ordna_of_string("CH"), ordna_of_string("\x80")))},
         "City"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        ordna_page page;
        const ordna_status status =
            ordna_query_page(fixture->session, &employee_entity, &rows[i].query, &page);
        check_refused(i, fixture->session, status, ORDNA_KEY_FORMAT, rows[i].field);
    }
}

// --- Expressions --------------------------------------------------------------------------------

static void arguments_and_expressions_are_looked_at(void **state)
{
    static const char *const texts[] = {bad};
    const ordna_argument arguments[] = {
        {":one", ordna_of_string(bad)},
        {":list", ordna_of_list(ORDNA_STRING, texts, 1)},
        {":set", ordna_of_set(ORDNA_STRING, texts, 1)},
        {":map", ordna_of_map(ORDNA_STRING, texts, texts, 1)},
        {":\xFC", ordna_of_int(1)},
    };
    static const struct {
        const char *text;
        const char *field;
    } rows[] = {
        {"{Balance} = :one", ":one"}, {"{Balance} = :list", ":list"}, {"{Balance} = :set", ":set"},
        {"{Balance} = :map", ":map"}, {"{Balance} = \xFC", ""},       {"{Balance\xFC} = :one", ""},
        {"{Balance} = :\xFC", ""},
    };
    struct fixture *fixture = *state;
    const account key = {.id = "a"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const ordna_expression condition = {rows[i].text, arguments, OD_COUNT(arguments)};
        const ordna_status status =
            ordna_delete(fixture->session, &account_entity, &key, &condition);
        check_refused(i, fixture->session, status, ORDNA_BAD_ARGUMENT, rows[i].field);
    }
    const ordna_expression update = {"SET {Balance} = \xFC", arguments, OD_COUNT(arguments)};
    const ordna_status status =
        ordna_update(fixture->session, &account_entity, &key, &update, NULL, NULL);
    check_refused(OD_COUNT(rows), fixture->session, status, ORDNA_BAD_ARGUMENT, "");
}

static void a_query_begins_with_what_a_page_said(void **state)
{
    struct fixture *fixture = *state;
    const ordna_query query = {.partition = PK(employee_entity, ordna_of_string("acme")),
                               .from = "{\"pk\":{\"S\":\"\xFC\"}}"};
    ordna_page page;
    check_status(0, fixture->session,
                 ordna_query_page(fixture->session, &employee_entity, &query, &page),
                 ORDNA_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fields_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_form_of_it_passes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys_of_all_requests_are_looked_at, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys_of_queries_are_looked_at, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arguments_and_expressions_are_looked_at, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_query_begins_with_what_a_page_said, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
