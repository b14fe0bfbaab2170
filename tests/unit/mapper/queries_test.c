// Queries: pages, counts, streams, several partitions merged. `queries_test URL`: over HTTP.
#include "shop.h"
#include "support.h"

#include "base/attr.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(struct fixture *fixture, const ordna_entity *entity, void *item)
{
    check_status(0, fixture->session, ordna_put(fixture->session, entity, item, NULL), ORDNA_OK);
}

static void put_raw(struct fixture *fixture, const char *item)
{
    char body[1024];
    ordna_answer answer;
    const int len = snprintf(body, sizeof(body), "{\"TableName\":\"shop\",\"Item\":%s}", item);
    check_status(0, fixture->session,
                 ordna_session_call(fixture->session, "PutItem", body, (size_t)len, &answer),
                 ORDNA_OK);
}

static uint64_t count(struct fixture *fixture, const ordna_entity *entity, const ordna_query *query)
{
    uint64_t n = 0;
    check_status(0, fixture->session, ordna_query_count(fixture->session, entity, query, &n),
                 ORDNA_OK);
    return n;
}

// --- A hierarchy --------------------------------------------------------------------------------

static const employee staff[] = {
    {"acme", "AT", "Graz", 1, NULL},    {"acme", "CH", "Basel", 2, "bo"},
    {"acme", "CH", "Bern", 2, "cy"},    {"acme", "CH", "Bern", 10, NULL},
    {"acme", "CH", "Zurich", 3, "al"},  {"acme", "CH", "Zurich", 100, "di"},
    {"acme", "CHX", "Zurich", 1, NULL}, {"acme", "DE", "Zurich", 1, "ed"},
};

static ordna_key site(const char *country, const char *city)
{
    const ordna_value values[] = {ordna_of_string(country), ordna_of_string(city)};
    return key_of(&employee_entity, 0, true, values, country == NULL ? 0 : 1U + (city != NULL));
}

static int set_up_staff(void **state)
{
    set_up_database(state);
    for (size_t i = 0; i < OD_COUNT(staff); i++) {
        employee e = staff[i];
        put(*state, &employee_entity, &e);
    }
    employee other = {.org = "acme2", .country = "CH", .city = "Bern", .number = 1};
    put(*state, &employee_entity, &other);
    return 0;
}

// The numbers of the employees that a query streams, "1,2,10".
static const char *numbers_of(struct fixture *fixture, const ordna_query *query)
{
    static char text[256];
    ordna_stream *stream = NULL;
    employee e;
    size_t len = 0;
    text[0] = '\0';
    check_status(0, fixture->session,
                 ordna_stream_open(fixture->session, &employee_entity, query, &stream), ORDNA_OK);
    ordna_status status = ORDNA_OK;
    while ((status = ordna_stream_next(stream, &employee_entity, &e)) == ORDNA_OK) {
        len +=
            (size_t)snprintf(text + len, sizeof(text) - len, "%s%d", len == 0 ? "" : ",", e.number);
    }
    check_status(0, fixture->session, status, ORDNA_END);
    ordna_stream_close(stream);
    return text;
}

static void leading_fields_stand_for_all_that_begins_with_them(void **state)
{
    const ordna_key whole =
        SK(employee_entity, ordna_of_string("CH"), ordna_of_string("Bern"), ordna_of_int(2));
    const struct {
        ordna_sort sort;
        const char *numbers;
    } rows[] = {
        {{.op = ORDNA_ALL}, "1,2,2,10,3,100,1,1"},
        {ordna_begins_with(site(NULL, NULL)), "1,2,2,10,3,100,1,1"},
        {ordna_begins_with(site("CH", NULL)), "2,2,10,3,100"},
        {ordna_begins_with(site("CH", "Zurich")), "3,100"},
        {ordna_begins_with(site("C", NULL)), ""},
        {ordna_less(site("CH", NULL)), "1"},
        {ordna_less_equal(site("CH", NULL)), "1,2,2,10,3,100"},
        {ordna_greater(site("CH", NULL)), "1,1"},
        {ordna_greater_equal(site("CH", NULL)), "2,2,10,3,100,1,1"},
        {ordna_between(site("AT", NULL), site("CH", "Bern")), "1,2,2,10"},
        {ordna_between(site("CH", "Bern"), site("CH", NULL)), "2,10,3,100"},
        {ordna_between(site("CH", NULL), site("CH", NULL)), "2,2,10,3,100"},
        {ordna_equal(whole), "2"},
        {ordna_less(whole), "1,2"},
        {ordna_less_equal(whole), "1,2,2"},
        {ordna_greater(whole), "10,3,100,1,1"},
        {ordna_between(whole, site("CH", "Bern")), "2,10"},
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        ordna_query query = {.partition = PK(employee_entity, ordna_of_string("acme")),
                             .sort = rows[i].sort};
        const char *numbers = numbers_of(fixture, &query);
        if (strcmp(numbers, rows[i].numbers) != 0) {
            fail_msg("row %zu: %s, not %s", i, numbers, rows[i].numbers);
        }
        query.limit = 1;
        assert_string_equal(numbers_of(fixture, &query), rows[i].numbers);
        size_t commas = 0;
        for (const char *at = rows[i].numbers; *at != '\0'; at++) {
            commas += *at == ',';
        }
        assert_int_equal(count(fixture, &employee_entity, &query),
                         rows[i].numbers[0] == '\0' ? 0 : commas + 1);
    }
}

static void pages_follow_one_another(void **state)
{
    struct fixture *fixture = *state;
    ordna_query query = {.partition = PK(employee_entity, ordna_of_string("acme")),
                         .sort = ordna_begins_with(site("CH", NULL)),
                         .limit = 2,
                         .descending = true};
    static const int32_t wanted[] = {100, 3, 10, 2, 2};
    size_t at = 0;
    ordna_page page;
    do {
        check_status(at, fixture->session,
                     ordna_query_page(fixture->session, &employee_entity, &query, &page), ORDNA_OK);
        for (size_t i = 0; i < page.count; i++, at++) {
            assert_int_equal(((const employee *)page.items)[i].number, wanted[at]);
        }
        query.from = page.next;
    } while (page.next != NULL);
    assert_int_equal(at, OD_COUNT(wanted));
    query.from = "{\"pk\":{\"S\":\"elsewhere\"},\"sk\":{\"S\":\"x\"}}";
    check_status(9, fixture->session,
                 ordna_query_page(fixture->session, &employee_entity, &query, &page),
                 ORDNA_REFUSED);
}

static void a_stream_begins_where_a_page_ended(void **state)
{
    struct fixture *fixture = *state;
    ordna_query query = {.partition = PK(employee_entity, ordna_of_string("acme")), .limit = 3};
    ordna_page page;
    check_status(0, fixture->session,
                 ordna_query_page(fixture->session, &employee_entity, &query, &page), ORDNA_OK);
    query.from = page.next;
    query.limit = 0;
    assert_string_equal(numbers_of(fixture, &query), "10,3,100,1,1");
}

static void filters_and_projections_apply(void **state)
{
    static const char *const fields[] = {"Number"};
    static const ordna_argument args[] = {{":n", {.type = ORDNA_INT64, .as.number = 3}}};
    struct fixture *fixture = *state;
    const ordna_expression filter = {"{Number} >= :n", args, 1};
    const ordna_read read = {.consistent = true, .fields = fields, .field_count = 1};
    const ordna_query query = {.partition = PK(employee_entity, ordna_of_string("acme")),
                               .filter = &filter,
                               .read = &read};
    assert_string_equal(numbers_of(fixture, &query), "10,3,100");
    assert_int_equal(count(fixture, &employee_entity, &query), 3);
}

static void an_index_has_the_items_with_its_fields(void **state)
{
    struct fixture *fixture = *state;
    const ordna_value city = ordna_of_string("Zurich");
    const ordna_value nick = ordna_of_string("d");
    ordna_query query = {.partition = key_of(&employee_entity, 1, false, &city, 1)};
    assert_string_equal(numbers_of(fixture, &query), "3,100,1");
    query.descending = true;
    assert_string_equal(numbers_of(fixture, &query), "1,100,3");
    query.sort = ordna_greater(key_of(&employee_entity, 1, true, &nick, 1));
    assert_string_equal(numbers_of(fixture, &query), "1,100");
    query.sort = ordna_greater(site("CH", NULL));
    ordna_stream *stream = NULL;
    check_status(0, fixture->session,
                 ordna_stream_open(fixture->session, &employee_entity, &query, &stream),
                 ORDNA_BAD_ARGUMENT);
    assert_null(stream);
}

static void an_index_of_keys_alone_gives_their_fields(void **state)
{
    struct fixture *fixture = *state;
    const ordna_value values[] = {ordna_of_string("CH"), ordna_of_string("Bern"), ordna_of_int(1)};
    const ordna_query query = {.partition = key_of(&employee_entity, 2, false, values, 3)};
    ordna_page page;
    check_status(0, fixture->session,
                 ordna_query_page(fixture->session, &employee_entity, &query, &page), ORDNA_OK);
    assert_int_equal(page.count, 1);
    const employee *e = page.items;
    assert_string_equal(e->org, "acme2");
    assert_string_equal(e->city, "Bern");
    assert_int_equal(e->number, 1);
    assert_int_equal(count(fixture, &employee_entity, &query), 1);
}

// --- Several entities ---------------------------------------------------------------------------

static void entities_of_a_partition_are_told_apart(void **state)
{
    struct fixture *fixture = *state;
    manifest m = {.file = "mixed", .chunks = 3};
    put(fixture, &manifest_entity, &m);
    for (int32_t i = 0; i < 3; i++) {
        chunk c = {.file = "mixed", .index = i, .data = {"x", 1}};
        put(fixture, &chunk_entity, &c);
    }
    put_raw(fixture, "{\"pk\":{\"S\":\"FILE#mixed\"},\"sk\":{\"S\":\"CHUNK#0001x\"},"
                     "\"Type\":{\"S\":\"GHOST\"}}");
    put_raw(fixture, "{\"pk\":{\"S\":\"FILE#mixed\"},\"sk\":{\"S\":\"CHUNK#0002x\"},"
                     "\"Type\":{\"S\":\"CHUNK\"},\"File\":{\"N\":\"1\"}}");
    const ordna_query query = {.partition = PK(chunk_entity, ordna_of_string("mixed"))};
    // The manifest is left out; what is bad is told, and the rest goes on.
    static const ordna_status chunks[] = {ORDNA_OK,       ORDNA_OK,  ORDNA_BAD_ITEM, ORDNA_OK,
                                          ORDNA_BAD_ITEM, ORDNA_END, ORDNA_END};
    ordna_stream *stream = NULL;
    chunk c;
    check_status(0, fixture->session,
                 ordna_stream_open(fixture->session, &chunk_entity, &query, &stream), ORDNA_OK);
    for (size_t i = 0; i < OD_COUNT(chunks); i++) {
        check_status(i, fixture->session, ordna_stream_next(stream, &chunk_entity, &c), chunks[i]);
    }
    check_message(0, fixture->session, "sk=\"CHUNK#0002x\" of shop, Chunk: File holds N 1");
    ordna_stream_close(stream);
    assert_int_equal(count(fixture, &manifest_entity, &query), 1);

    static const ordna_status everything[] = {ORDNA_OK,       ORDNA_OK, ORDNA_BAD_ITEM, ORDNA_OK,
                                              ORDNA_BAD_ITEM, ORDNA_OK, ORDNA_END};
    shop_item item = {0};
    check_status(0, fixture->session,
                 ordna_stream_open_table(fixture->session, &shop, &query, &stream), ORDNA_OK);
    for (size_t i = 0; i < OD_COUNT(everything); i++) {
        check_status(i, fixture->session, ordna_stream_next(stream, NULL, &item), everything[i]);
    }
    assert_ptr_equal(item.entity, &manifest_entity);
    assert_int_equal(item.as.manifest.chunks, 3);
    ordna_stream_close(stream);
}

static void a_stream_gives_no_item_into_the_struct_of_another(void **state)
{
    struct fixture *fixture = *state;
    chunk c = {.file = "mistaken", .index = 1, .data = {"x", 1}};
    put(fixture, &chunk_entity, &c);
    const ordna_query query = {.partition = PK(chunk_entity, ordna_of_string("mistaken"))};
    ordna_stream *stream = NULL;
    manifest m = {.chunks = 7};
    check_status(0, fixture->session,
                 ordna_stream_open(fixture->session, &chunk_entity, &query, &stream), ORDNA_OK);
    check_status(1, fixture->session, ordna_stream_next(stream, &manifest_entity, &m),
                 ORDNA_BAD_ARGUMENT);
    check_message(1, fixture->session, "the stream's items are of Chunk and not of Manifest");
    assert_int_equal(m.chunks, 7);
    check_status(2, fixture->session, ordna_stream_next(stream, NULL, &m), ORDNA_BAD_ARGUMENT);
    check_message(2, fixture->session, "of Chunk and not of all entities");
    check_status(3, fixture->session, ordna_stream_next(stream, &chunk_entity, &c), ORDNA_OK);
    ordna_stream_close(stream);
}

// --- Several partitions -------------------------------------------------------------------------

enum { SHARDS = 16, VOTES = 400 };

static void put_votes(struct fixture *fixture)
{
    ordna_batch *batch = ordna_batch_open(fixture->session);
    for (int i = 0; i < VOTES; i++) {
        char voter[16];
        snprintf(voter, sizeof(voter), "v%03d", i);
        const vote v = {.poll = "pets", .shard = i * 7 % 13, .at = i / 2, .voter = voter};
        check_status((size_t)i, fixture->session, ordna_batch_put(batch, &vote_entity, &v),
                     ORDNA_OK);
    }
    check_status(0, fixture->session, ordna_batch_send(batch), ORDNA_OK);
    ordna_batch_close(batch);
}

static void make_shards(ordna_key shards[SHARDS])
{
    for (int i = 0; i < SHARDS; i++) {
        shards[i] = PK(vote_entity, ordna_of_string("pets"), ordna_of_int(i));
    }
}

static void shards_are_merged_in_order_of_the_sort_key(void **state)
{
    static const int limits[] = {0, 1, 2, 7, 100};
    struct fixture *fixture = *state;
    ordna_key shards[SHARDS];
    put_votes(fixture);
    make_shards(shards);
    for (size_t i = 0; i < OD_COUNT(limits); i++) {
        for (int descending = 0; descending < 2; descending++) {
            const ordna_query query = {.partitions = shards,
                                       .partition_count = SHARDS,
                                       .limit = limits[i],
                                       .descending = descending == 1};
            ordna_stream *stream = NULL;
            vote v;
            check_status(i, fixture->session,
                         ordna_stream_open(fixture->session, &vote_entity, &query, &stream),
                         ORDNA_OK);
            ordna_session_reset(fixture->session);
            for (int j = 0; j < VOTES; j++) {
                char voter[16];
                snprintf(voter, sizeof(voter), "v%03d", descending ? VOTES - 1 - j : j);
                check_status((size_t)j, fixture->session,
                             ordna_stream_next(stream, &vote_entity, &v), ORDNA_OK);
                assert_string_equal(v.voter, voter);
            }
            check_status(i, fixture->session, ordna_stream_next(stream, &vote_entity, &v),
                         ORDNA_END);
            ordna_stream_close(stream);
            assert_int_equal(count(fixture, &vote_entity, &query), VOTES);
        }
    }
    const ordna_query range = {.partitions = shards,
                               .partition_count = SHARDS,
                               .sort = ordna_between(SK(vote_entity, ordna_of_time(10)),
                                                     SK(vote_entity, ordna_of_time(19)))};
    assert_int_equal(count(fixture, &vote_entity, &range), 20);
    ordna_page page;
    check_status(0, fixture->session,
                 ordna_query_page(fixture->session, &vote_entity, &range, &page),
                 ORDNA_BAD_ARGUMENT);
}

// Each thread has several then.
static void more_partitions_than_threads_are_merged(void **state)
{
    enum { MANY = 90 };
    struct fixture *fixture = *state;
    ordna_key shards[MANY];
    put_votes(fixture);
    for (int i = 0; i < MANY; i++) {
        shards[i] = PK(vote_entity, ordna_of_string("pets"), ordna_of_int(MANY - 1 - i));
    }
    const ordna_query query = {.partitions = shards, .partition_count = MANY, .limit = 2};
    ordna_stream *stream = NULL;
    vote v;
    ordna_time last = 0;
    check_status(0, fixture->session,
                 ordna_stream_open(fixture->session, &vote_entity, &query, &stream), ORDNA_OK);
    for (int i = 0; i < VOTES; i++) {
        check_status((size_t)i, fixture->session, ordna_stream_next(stream, &vote_entity, &v),
                     ORDNA_OK);
        assert_true(v.at >= last);
        last = v.at;
    }
    check_status(VOTES, fixture->session, ordna_stream_next(stream, &vote_entity, &v), ORDNA_END);
    ordna_stream_close(stream);
    assert_int_equal(count(fixture, &vote_entity, &query), VOTES);
}

static void a_stream_may_be_left_at_any_time(void **state)
{
    struct fixture *fixture = *state;
    ordna_key shards[SHARDS];
    put_votes(fixture);
    make_shards(shards);
    const ordna_query query = {.partitions = shards, .partition_count = SHARDS, .limit = 3};
    for (int taken = 0; taken < 20; taken++) {
        ordna_stream *stream = NULL;
        vote v;
        check_status(0, fixture->session,
                     ordna_stream_open(fixture->session, &vote_entity, &query, &stream), ORDNA_OK);
        for (int i = 0; i < taken; i++) {
            check_status(0, fixture->session, ordna_stream_next(stream, &vote_entity, &v),
                         ORDNA_OK);
        }
        ordna_stream_close(stream);
    }
    ordna_stream_close(NULL);
}

static void a_canceled_stream_ends(void **state)
{
    struct fixture *fixture = *state;
    ordna_key shards[SHARDS];
    put_votes(fixture);
    make_shards(shards);
    const ordna_query query = {.partitions = shards, .partition_count = SHARDS, .limit = 1};
    ordna_stream *stream = NULL;
    vote v;
    check_status(0, fixture->session,
                 ordna_stream_open(fixture->session, &vote_entity, &query, &stream), ORDNA_OK);
    check_status(0, fixture->session, ordna_stream_next(stream, &vote_entity, &v), ORDNA_OK);
    ordna_session_cancel(fixture->session);
    ordna_status status = ORDNA_OK;
    for (int i = 0; i < VOTES && status == ORDNA_OK; i++) {
        status = ordna_stream_next(stream, &vote_entity, &v);
    }
    check_status(1, fixture->session, status, ORDNA_CANCELED);
    check_status(2, fixture->session, ordna_stream_next(stream, &vote_entity, &v), ORDNA_CANCELED);
    ordna_stream_close(stream);
    uint64_t n = 0;
    check_status(3, fixture->session, ordna_query_count(fixture->session, &vote_entity, &query, &n),
                 ORDNA_CANCELED);
    ordna_session_reset(fixture->session);
    assert_int_equal(count(fixture, &vote_entity, &query), VOTES);
}

static void numeric_sort_keys_are_merged_as_numbers(void **state)
{
    static const char *const sensors[] = {"a", "b", "c"};
    struct fixture *fixture = *state;
    ordna_key keys[3];
    for (int64_t i = 0; i < 30; i++) {
        reading r = {.sensor = {sensors[i % 3], 1}, .at = i * 7 - 100};
        put(fixture, &reading_entity, &r);
    }
    for (size_t i = 0; i < 3; i++) {
        keys[i] = PK(reading_entity, ordna_of_bytes(sensors[i], 1));
    }
    ordna_query query = {.partitions = keys, .partition_count = 3, .limit = 4};
    ordna_stream *stream = NULL;
    reading r;
    check_status(0, fixture->session,
                 ordna_stream_open(fixture->session, &reading_entity, &query, &stream), ORDNA_OK);
    for (int64_t i = 0; i < 30; i++) {
        check_status((size_t)i, fixture->session, ordna_stream_next(stream, &reading_entity, &r),
                     ORDNA_OK);
        assert_int_equal(r.at, i * 7 - 100);
    }
    ordna_stream_close(stream);
    query.sort = ordna_less_equal(SK(reading_entity, ordna_of_int(-86)));
    assert_int_equal(count(fixture, &reading_entity, &query), 3);
    query.sort = ordna_begins_with(SK(reading_entity, ordna_of_int(-86)));
    assert_int_equal(count(fixture, &reading_entity, &query), 1);
}

static void a_table_that_is_not_there_fails_every_shard_at_once(void **state)
{
    struct fixture *fixture = *state;
    ordna_entity lost = vote_entity;
    ordna_table nowhere = shop;
    nowhere.name = "nowhere";
    lost.table = &nowhere;
    ordna_key shards[SHARDS];
    make_shards(shards);
    for (size_t i = 0; i < SHARDS; i++) {
        shards[i].entity = &lost;
    }
    const ordna_query query = {.partitions = shards, .partition_count = SHARDS};
    ordna_stream *stream = NULL;
    vote v;
    uint64_t n = 0;
    check_status(0, fixture->session, ordna_stream_open(fixture->session, &lost, &query, &stream),
                 ORDNA_OK);
    check_status(1, fixture->session, ordna_stream_next(stream, &lost, &v), ORDNA_REFUSED);
    assert_string_equal(ordna_session_error(fixture->session)->type, "ResourceNotFoundException");
    ordna_stream_close(stream);
    check_status(2, fixture->session, ordna_query_count(fixture->session, &lost, &query, &n),
                 ORDNA_REFUSED);
    shards[3].values[1] = ordna_of_int(100); // too many digits
    check_status(3, fixture->session, ordna_stream_open(fixture->session, &lost, &query, &stream),
                 ORDNA_KEY_FORMAT);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest of_staff[] = {
        cmocka_unit_test(leading_fields_stand_for_all_that_begins_with_them),
        cmocka_unit_test(pages_follow_one_another),
        cmocka_unit_test(a_stream_begins_where_a_page_ended),
        cmocka_unit_test(filters_and_projections_apply),
        cmocka_unit_test(an_index_has_the_items_with_its_fields),
        cmocka_unit_test(an_index_of_keys_alone_gives_their_fields),
    };
    const struct CMUnitTest of_all[] = {
        cmocka_unit_test(entities_of_a_partition_are_told_apart),
        cmocka_unit_test(a_stream_gives_no_item_into_the_struct_of_another),
        cmocka_unit_test(shards_are_merged_in_order_of_the_sort_key),
        cmocka_unit_test(more_partitions_than_threads_are_merged),
        cmocka_unit_test(a_stream_may_be_left_at_any_time),
        cmocka_unit_test(a_canceled_stream_ends),
        cmocka_unit_test(numeric_sort_keys_are_merged_as_numbers),
        cmocka_unit_test(a_table_that_is_not_there_fails_every_shard_at_once),
    };
    test_endpoint = argc > 1 ? argv[1] : NULL;
    return cmocka_run_group_tests(of_staff, set_up_staff, tear_down_database) +
           cmocka_run_group_tests(of_all, set_up_database, tear_down_database);
}
