// What is generated from golden/shop.entities, on a database inside the program. C and C++ alike.
#include "ordna/in_process.h"
#include "shop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif

typedef struct place {
    ordna *db;
    ordna_transport inner;
    ordna_client *client;
    ordna_session *session;
    bool expires; // by the attribute Expires
} place;

// --- The time to live, which the database inside does not know
// ------------------------------------

static int answer_with(const char *text, const char **answer, size_t *answer_len, void **memory)
{
    *answer = text;
    *answer_len = strlen(text);
    *memory = NULL;
    return 200;
}

static int call(void *context, const char *operation, const char *body, size_t body_len,
                const char **answer, size_t *answer_len, void **memory)
{
    place *p = (place *)context;
    if (strcmp(operation, "DescribeTimeToLive") == 0) {
        return answer_with("{\"TimeToLiveDescription\":{\"TimeToLiveStatus\":\"DISABLED\"}}",
                           answer, answer_len, memory);
    }
    if (strcmp(operation, "UpdateTimeToLive") == 0) {
        p->expires = strstr(body, "\"AttributeName\":\"Expires\"") != NULL;
        return answer_with("{}", answer, answer_len, memory);
    }
    return p->inner.call(p->inner.context, operation, body, body_len, answer, answer_len, memory);
}

static void clear(void *context, void *memory)
{
    place *p = (place *)context;
    if (memory != NULL) {
        p->inner.clear(p->inner.context, memory);
    }
}

// --- Life ---------------------------------------------------------------------------------------

static int set_up(void **state)
{
    char error[256] = "";
    place *p = (place *)calloc(1, sizeof(*p));
    ordna_options database = {"memory", NULL, NULL};
    assert_int_equal(ordna_open(&database, &p->db, error, sizeof(error)), 0);
    p->inner = ordna_in_process(p->db);
    ordna_transport transport = {p, call, clear};
    ordna_client_options options;
    memset(&options, 0, sizeof(options));
    options.transport = &transport;
    assert_int_equal(ordna_client_open(&options, &p->client, error, sizeof(error)), ORDNA_OK);
    p->session = ordna_session_open(p->client);
    if (shop_create_table(p->session) != ORDNA_OK) {
        fail_msg("%s", ordna_session_error(p->session)->message);
    }
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    place *p = (place *)*state;
    ordna_session_close(p->session);
    ordna_client_close(p->client);
    ordna_close(p->db);
    free(p);
    return 0;
}

// --- Items --------------------------------------------------------------------------------------

static const char *const tags[] = {"early", "late"};
static const int32_t scores[] = {-1, 2};
static const char *const names[] = {"chess", "go"};

static shop_employee make_employee(const char *country, const char *city, int32_t number)
{
    shop_employee e;
    memset(&e, 0, sizeof(e));
    e.org = "acme";
    e.country = country;
    e.city = city;
    e.number = number;
    e.hired = 1000 * (ordna_time)number;
    e.tags.items = tags;
    e.tags.count = 2;
    e.scores.items = scores;
    e.scores.count = 2;
    e.scores.names = names;
    return e;
}

static void put_staff(place *p)
{
    shop_employee staff[] = {make_employee("CH", "Zurich", 10), make_employee("CH", "Zurich", 2),
                             make_employee("CH", "Bern", 3), make_employee("DE", "Berlin", 4)};
    for (size_t i = 0; i < sizeof(staff) / sizeof(staff[0]); i++) {
        assert_int_equal(shop_employee_put(p->session, &staff[i], NULL), ORDNA_OK);
        assert_int_equal(staff[i].version, 1);
    }
}

static ordna_query query_of(ordna_key partition, ordna_sort sort)
{
    ordna_query query;
    memset(&query, 0, sizeof(query));
    query.partition = partition;
    query.sort = sort;
    return query;
}

static void the_table_is_told_what_expires(void **state)
{
    place *p = (place *)*state;
    assert_true(p->expires);
}

static void an_item_comes_back_as_it_was(void **state)
{
    place *p = (place *)*state;
    shop_employee put = make_employee("CH", "Zurich", 7);
    put.nick = "sam";
    put.has_expires = true;
    put.expires = 4102444800000;
    assert_int_equal(shop_employee_put(p->session, &put, NULL), ORDNA_OK);
    shop_employee got = make_employee("CH", "Zurich", 7);
    assert_int_equal(shop_employee_get(p->session, &got, NULL, &got), ORDNA_OK);
    assert_string_equal(got.org, "acme");
    assert_string_equal(got.nick, "sam");
    assert_int_equal(got.number, 7);
    assert_int_equal(got.hired, 7000);
    assert_int_equal(got.tags.count, 2);
    assert_string_equal(got.tags.items[1], "late");
    assert_int_equal(got.scores.count, 2);
    assert_string_equal(got.scores.names[0], "chess");
    assert_int_equal(got.scores.items[0], -1);
    assert_int_equal(got.version, 1);
    assert_true(got.has_expires);
    assert_int_equal(got.expires, 4102444800000);
}

static void optional_fields_may_be_absent(void **state)
{
    place *p = (place *)*state;
    put_staff(p);
    shop_employee got = make_employee("CH", "Bern", 3);
    assert_int_equal(shop_employee_get(p->session, &got, NULL, &got), ORDNA_OK);
    assert_null(got.nick);
    assert_false(got.has_expires);
}

static void counts_go_to_every_depth(void **state)
{
    place *p = (place *)*state;
    put_staff(p);
    const struct {
        ordna_key key;
        uint64_t count;
    } rows[] = {
        {shop_employee_sk(), 4},
        {shop_employee_sk_country("CH"), 3},
        {shop_employee_sk_country_city("CH", "Zurich"), 2},
        {shop_employee_sk_country_city_number("CH", "Zurich", 2), 1},
        {shop_employee_sk_country("C"), 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ordna_query query = query_of(shop_employee_pk("acme"), ordna_begins_with(rows[i].key));
        uint64_t count = 99;
        assert_int_equal(shop_employee_query_count(p->session, &query, &count), ORDNA_OK);
        assert_int_equal(count, rows[i].count);
    }
}

static void pages_and_streams_are_in_order(void **state)
{
    place *p = (place *)*state;
    put_staff(p);
    ordna_query query = query_of(shop_employee_pk("acme"),
                                 ordna_begins_with(shop_employee_sk_country_city("CH", "Zurich")));
    shop_employee_page page;
    assert_int_equal(shop_employee_query_page(p->session, &query, &page), ORDNA_OK);
    assert_int_equal(page.count, 2);
    assert_int_equal(page.items[0].number, 2);
    assert_int_equal(page.items[1].number, 10);
    assert_null(page.next);

    query.descending = true;
    ordna_stream *stream = NULL;
    shop_employee e;
    assert_int_equal(shop_employee_query(p->session, &query, &stream), ORDNA_OK);
    assert_int_equal(shop_employee_next(stream, &e), ORDNA_OK);
    assert_int_equal(e.number, 10);
    assert_int_equal(shop_employee_next(stream, &e), ORDNA_OK);
    assert_int_equal(shop_employee_next(stream, &e), ORDNA_END);
    ordna_stream_close(stream);
}

static void indexes_have_keys_of_their_own(void **state)
{
    place *p = (place *)*state;
    put_staff(p);
    ordna_query by_city =
        query_of(shop_employee_gsi1_pk("Zurich"), ordna_greater(shop_employee_gsi1_sk_hired(2000)));
    ordna_query by_date = query_of(
        shop_employee_by_date_pk("acme"),
        ordna_between(shop_employee_by_date_sk_hired(2000), shop_employee_by_date_sk_hired(3000)));
    uint64_t count = 0;
    assert_int_equal(shop_employee_query_count(p->session, &by_city, &count), ORDNA_OK);
    assert_int_equal(count, 1);
    assert_int_equal(shop_employee_query_count(p->session, &by_date, &count), ORDNA_OK);
    assert_int_equal(count, 2);
}

static void keys_have_text_and_are_read_from_it(void **state)
{
    place *p = (place *)*state;
    const char *text = NULL;
    assert_int_equal(shop_employee_key_text(
                         p->session, shop_employee_sk_country_city_number("CH", "Bern", 7), &text),
                     ORDNA_OK);
    assert_string_equal(text, "SITE#CH#Bern#EMP#000007");
    shop_employee e = make_employee("", "", 0);
    assert_int_equal(shop_employee_parse_sk(p->session, text, &e), ORDNA_OK);
    assert_string_equal(e.country, "CH");
    assert_string_equal(e.city, "Bern");
    assert_int_equal(e.number, 7);
    assert_int_equal(shop_employee_parse_sk(p->session, "SITE#CH#Bern#EMP#7", &e),
                     ORDNA_KEY_FORMAT);
    assert_int_equal(shop_employee_parse_pk(p->session, "ORG#acme", &e), ORDNA_OK);
    assert_string_equal(e.org, "acme");
}

static void a_value_that_does_not_fit_is_told_with_its_field(void **state)
{
    place *p = (place *)*state;
    shop_employee e = make_employee("CH", "Zurich", -1);
    assert_int_equal(shop_employee_put(p->session, &e, NULL), ORDNA_KEY_FORMAT);
    assert_string_equal(ordna_session_error(p->session)->field, "Number");
}

// --- Several entities ---------------------------------------------------------------------------

static const ordna_uuid id = {{0x01, 0xa1, 0x96, 0xfb, 0x16, 0x00, 0x7c, 0x3e, 0x80}};

static shop_chat_message make_message(void)
{
    shop_chat_message m;
    memset(&m, 0, sizeof(m));
    m.room = "ann";
    m.id = id;
    m.text = "Hello";
    m.class_ = "loud";
    m.has_first_name = true;
    m.first_name = -5;
    return m;
}

static shop_player make_player(void)
{
    shop_player player;
    memset(&player, 0, sizeof(player));
    player.id = id;
    player.board = "go";
    player.score = 0.5;
    player.delta = INT64_MIN;
    player.balance = "19.99";
    player.photo.ptr = "\0\1";
    player.photo.len = 2;
    return player;
}

static void batches_take_several_entities(void **state)
{
    place *p = (place *)*state;
    shop_chat_message message = make_message();
    shop_player player = make_player();
    ordna_batch *batch = ordna_batch_open(p->session);
    assert_int_equal(shop_chat_message_batch_put(batch, &message), ORDNA_OK);
    assert_int_equal(shop_player_batch_put(batch, &player), ORDNA_OK);
    assert_int_equal(ordna_batch_send(batch), ORDNA_OK);
    ordna_batch_close(batch);

    shop_player got = make_player();
    bool found = false;
    assert_int_equal(shop_player_get_many(p->session, &player, 1, NULL, &got, &found), ORDNA_OK);
    assert_true(found);
    assert_true(got.score == 0.5);
    assert_true(got.delta == INT64_MIN);
    assert_string_equal(got.balance, "19.99");
    assert_int_equal(got.photo.len, 2);
    assert_null(got.thumb.ptr);
    assert_null(got.marks.items);
}

static void a_key_may_be_a_field(void **state)
{
    place *p = (place *)*state;
    shop_player player = make_player();
    assert_int_equal(shop_player_put(p->session, &player, NULL), ORDNA_OK);
    ordna_query query = query_of(shop_player_by_score_pk("go"),
                                 ordna_greater_equal(shop_player_by_score_sk_score(0.25)));
    shop_player_page page;
    assert_int_equal(shop_player_query_page(p->session, &query, &page), ORDNA_OK);
    assert_int_equal(page.count, 1);
    assert_true(page.items[0].score == 0.5);
    assert_memory_equal(page.items[0].id.bytes, id.bytes, sizeof(id.bytes));
}

static void a_stream_of_the_table_says_which_entity_an_item_is(void **state)
{
    place *p = (place *)*state;
    shop_chat_message message = make_message();
    assert_int_equal(shop_chat_message_put(p->session, &message, NULL), ORDNA_OK);
    ordna_query query =
        query_of(shop_chat_message_pk("ann"), ordna_equal(shop_chat_message_sk_id(id)));
    ordna_stream *stream = NULL;
    shop_item item;
    assert_int_equal(shop_query(p->session, &query, &stream), ORDNA_OK);
    assert_int_equal(shop_next(stream, &item), ORDNA_OK);
    assert_ptr_equal(item.entity, &shop_chat_message_entity);
    assert_string_equal(item.as.chat_message.text, "Hello");
    assert_string_equal(item.as.chat_message.class_, "loud");
    assert_int_equal(item.as.chat_message.first_name, -5);
    assert_int_equal(shop_next(stream, &item), ORDNA_END);
    ordna_stream_close(stream);
}

static void transactions_take_several_entities(void **state)
{
    place *p = (place *)*state;
    put_staff(p);
    shop_chat_message message = make_message();
    shop_player player = make_player();
    shop_employee e = make_employee("CH", "Bern", 3);
    ordna_argument sam = {":nick", ordna_of_string("sam")};
    ordna_expression set_nick = {"SET {Nick} = :nick", &sam, 1};
    ordna_expression is_new = {"attribute_not_exists({Id})", NULL, 0};
    ordna_expression is_there = {"attribute_exists({Org})", NULL, 0};
    shop_employee other = make_employee("DE", "Berlin", 4);
    shop_employee gone = make_employee("CH", "Zurich", 2);

    ordna_transaction *t = ordna_transaction_open(p->session);
    assert_int_equal(shop_chat_message_transaction_put(t, &message, &is_new), ORDNA_OK);
    assert_int_equal(shop_player_transaction_put(t, &player, NULL), ORDNA_OK);
    assert_int_equal(shop_employee_transaction_update(t, &e, &set_nick, NULL), ORDNA_OK);
    assert_int_equal(shop_employee_transaction_check(t, &other, &is_there), ORDNA_OK);
    assert_int_equal(shop_employee_transaction_delete(t, &gone, NULL), ORDNA_OK);
    assert_int_equal(ordna_transaction_commit(t), ORDNA_OK);
    ordna_transaction_close(t);

    bool found = false;
    bool found_gone = true;
    t = ordna_transaction_open(p->session);
    assert_int_equal(shop_employee_transaction_get(t, &e, &e, &found), ORDNA_OK);
    assert_int_equal(shop_employee_transaction_get(t, &gone, &gone, &found_gone), ORDNA_OK);
    assert_int_equal(ordna_transaction_commit(t), ORDNA_OK);
    ordna_transaction_close(t);
    assert_true(found);
    assert_false(found_gone);
    assert_string_equal(e.nick, "sam");
    assert_int_equal(e.version, 2);
}

static void an_item_is_changed_and_deleted(void **state)
{
    place *p = (place *)*state;
    put_staff(p);
    ordna_argument sam = {":nick", ordna_of_string("sam")};
    ordna_expression set_nick = {"SET {Nick} = :nick", &sam, 1};
    ordna_expression has_nick = {"{Nick} = :nick", &sam, 1};
    shop_employee key = make_employee("CH", "Bern", 3);
    shop_employee changed;
    assert_int_equal(shop_employee_update(p->session, &key, &set_nick, &has_nick, &changed),
                     ORDNA_CONDITION_FAILED);
    assert_int_equal(shop_employee_update(p->session, &key, &set_nick, NULL, &changed), ORDNA_OK);
    assert_string_equal(changed.nick, "sam");
    assert_int_equal(shop_employee_delete(p->session, &key, &has_nick), ORDNA_OK);
    assert_int_equal(shop_employee_get(p->session, &key, NULL, &changed), ORDNA_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(the_table_is_told_what_expires),
        TEST(an_item_comes_back_as_it_was),
        TEST(optional_fields_may_be_absent),
        TEST(counts_go_to_every_depth),
        TEST(pages_and_streams_are_in_order),
        TEST(indexes_have_keys_of_their_own),
        TEST(keys_have_text_and_are_read_from_it),
        TEST(a_value_that_does_not_fit_is_told_with_its_field),
        TEST(batches_take_several_entities),
        TEST(a_key_may_be_a_field),
        TEST(a_stream_of_the_table_says_which_entity_an_item_is),
        TEST(transactions_take_several_entities),
        TEST(an_item_is_changed_and_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
