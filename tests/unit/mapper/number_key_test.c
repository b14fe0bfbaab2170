// Keys that are one number and many texts.
#include "shop.h"
#include "support.h"

#include "base/attr.h"

#include <string.h>

// Sensor | At, a decimal, in the table of readings.
typedef struct mark {
    ordna_bytes sensor;
    const char *at;
    const char *note;
} mark;

static const ordna_field fields[] = {
    {.name = "Sensor", .type = ORDNA_BYTES, .offset = offsetof(mark, sensor)},
    {.name = "At", .type = ORDNA_DECIMAL, .offset = offsetof(mark, at)},
    {.name = "Note", .type = ORDNA_STRING, .offset = offsetof(mark, note)},
};
static const ordna_segment sensor_segments[] = {{"", 0, 0, 0}};
static const ordna_segment at_segments[] = {{"", 1, 0, 0}};
static const ordna_template sensor_key = {"Sensor", ORDNA_BYTES, sensor_segments, 1};
static const ordna_template at_key = {"At", ORDNA_DECIMAL, at_segments, 1};
static const ordna_index keys[] = {{NULL, &sensor_key, &at_key}};
static const ordna_table table;
static const ordna_entity mark_entity = {.table = &table,
                                         .name = "Mark",
                                         .discriminator = "MARK",
                                         .size = sizeof(mark),
                                         .fields = fields,
                                         .field_count = OD_COUNT(fields),
                                         .keys = keys,
                                         .key_count = 1};
static const ordna_entity *const entities[] = {&mark_entity};
static const ordna_table_key table_keys[] = {{.partition = "Sensor",
                                              .partition_type = ORDNA_BYTES,
                                              .sort = "At",
                                              .sort_type = ORDNA_DECIMAL}};
static const ordna_table table = {.name = "readings",
                                  .discriminator = "Type",
                                  .keys = table_keys,
                                  .key_count = 1,
                                  .entities = entities,
                                  .entity_count = 1};

static const char *const texts[] = {"1.5",  "1.50", "15e-1", "+0.15E1",
                                    "01.5", "-1.5", "1.6",   "150e-2"};
static bool is_same(size_t i)
{
    return i != 5 && i != 6;
}

static mark mark_at(size_t i)
{
    return (mark){.sensor = {"s", 1}, .at = texts[i], .note = texts[i]};
}

static void a_batch_writes_one_item_in_its_order(void **state)
{
    struct fixture *fixture = *state;
    ordna_session *session = fixture->session;
    ordna_batch *batch = ordna_batch_open(session);
    for (size_t i = 0; i < OD_COUNT(texts); i++) {
        const mark item = mark_at(i);
        check_status(i, session, ordna_batch_put(batch, &mark_entity, &item), ORDNA_OK);
    }
    const mark gone = mark_at(5);
    check_status(98, session, ordna_batch_delete(batch, &mark_entity, &gone), ORDNA_OK);
    check_status(99, session, ordna_batch_send(batch), ORDNA_OK);
    ordna_batch_close(batch);
    mark out = mark_at(0);
    check_status(0, session, ordna_get(session, &mark_entity, &out, NULL, &out), ORDNA_OK);
    assert_string_equal(out.note, texts[OD_COUNT(texts) - 1]);
    out = mark_at(5);
    check_status(5, session, ordna_get(session, &mark_entity, &out, NULL, &out), ORDNA_NOT_FOUND);
}

// In one request, nobody says in which order two writes of an item are carried out.
static void a_request_writes_an_item_once(void **state)
{
    (void)state;
    static struct script script;
    script = (struct script){.answers = {"{}"}, .answer_count = 1};
    struct fixture fixture;
    open_script(&fixture, &script);
    ordna_batch *batch = ordna_batch_open(fixture.session);
    for (size_t i = 0; i < 2; i++) {
        const mark item = mark_at(i);
        check_status(i, fixture.session, ordna_batch_put(batch, &mark_entity, &item), ORDNA_OK);
    }
    check_status(2, fixture.session, ordna_batch_send(batch), ORDNA_OK);
    assert_int_equal(script.calls, 2);
    ordna_batch_close(batch);
    close_script(&fixture);
}

static void one_item_is_read_for_all_who_ask(void **state)
{
    struct fixture *fixture = *state;
    ordna_session *session = fixture->session;
    mark item = mark_at(0);
    check_status(0, session, ordna_put(session, &mark_entity, &item, NULL), ORDNA_OK);
    mark asked[OD_COUNT(texts)];
    mark out[OD_COUNT(texts)];
    bool found[OD_COUNT(texts)];
    for (size_t i = 0; i < OD_COUNT(texts); i++) {
        asked[i] = mark_at(i);
    }
    check_status(1, session,
                 ordna_get_many(session, &mark_entity, asked, OD_COUNT(texts), NULL, out, found),
                 ORDNA_OK);
    for (size_t i = 0; i < OD_COUNT(texts); i++) {
        if (found[i] != is_same(i) || (found[i] && strcmp(out[i].note, "1.5") != 0)) {
            fail_msg("row %zu: %s is %sfound", i, texts[i], found[i] ? "" : "not ");
        }
    }
}

// An index by an optional number that has nothing but keys.
typedef struct ranked {
    const char *id;
    int32_t rank;
    bool has_rank;
} ranked;

static const ordna_field ranked_fields[] = {
    {.name = "Id", .type = ORDNA_STRING, .offset = offsetof(ranked, id)},
    {.name = "Rank",
     .type = ORDNA_INT32,
     .optional = true,
     .offset = offsetof(ranked, rank),
     .has_offset = offsetof(ranked, has_rank)},
};
static const ordna_template id_key = {"Id", ORDNA_STRING, sensor_segments, 1};
static const ordna_template rank_key = {"Rank", ORDNA_DECIMAL, at_segments, 1};
static const ordna_index ranked_keys[] = {{NULL, &id_key, NULL}, {"by_rank", &rank_key, NULL}};
static const ordna_table ranking;
static const ordna_entity ranked_entity = {.table = &ranking,
                                           .name = "Ranked",
                                           .discriminator = "RANKED",
                                           .size = sizeof(ranked),
                                           .fields = ranked_fields,
                                           .field_count = OD_COUNT(ranked_fields),
                                           .keys = ranked_keys,
                                           .key_count = OD_COUNT(ranked_keys)};
static const ordna_entity *const ranked_entities[] = {&ranked_entity};
static const ordna_table_key ranking_keys[] = {
    {.partition = "Id", .partition_type = ORDNA_STRING},
    {.index = "by_rank", .partition = "Rank", .partition_type = ORDNA_DECIMAL, .keys_only = true},
};
static const ordna_table ranking = {.name = "ranking",
                                    .discriminator = "Type",
                                    .keys = ranking_keys,
                                    .key_count = OD_COUNT(ranking_keys),
                                    .entities = ranked_entities,
                                    .entity_count = 1};

static void an_optional_number_in_a_key_is_there(void **state)
{
    (void)state;
    static struct script script;
    script = (struct script){
        .answers = {"{\"Items\":[{\"Id\":{\"S\":\"a\"},\"Rank\":{\"N\":\"5\"}}],\"Count\":1}"},
        .answer_count = 1};
    struct fixture fixture;
    open_script(&fixture, &script);
    const ordna_value rank = ordna_of_int(5);
    const ordna_query query = {.partition = key_of(&ranked_entity, 1, false, &rank, 1)};
    ordna_page page;
    check_status(0, fixture.session,
                 ordna_query_page(fixture.session, &ranked_entity, &query, &page), ORDNA_OK);
    assert_int_equal(page.count, 1);
    const ranked *item = page.items;
    assert_int_equal(item->rank, 5);
    assert_true(item->has_rank);
    close_script(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_batch_writes_one_item_in_its_order, set_up_database,
                                        tear_down_database),
        cmocka_unit_test(a_request_writes_an_item_once),
        cmocka_unit_test(an_optional_number_in_a_key_is_there),
        cmocka_unit_test_setup_teardown(one_item_is_read_for_all_who_ask, set_up_database,
                                        tear_down_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
