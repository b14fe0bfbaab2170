// Keys from templates, and back.
#include "shop.h"
#include "support.h"

#include "base/attr.h"

#include <stdlib.h>
#include <string.h>

static int set_up(void **state)
{
    static struct script script;
    struct fixture *fixture = malloc(sizeof(*fixture));
    assert_non_null(fixture);
    open_script(fixture, &script);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    close_script(*state);
    free(*state);
    return 0;
}

// Of templates that only tests have.
static const ordna_field odd_fields[] = {
    {.name = "A", .type = ORDNA_STRING},   {.name = "B", .type = ORDNA_STRING},
    {.name = "N", .type = ORDNA_INT64},    {.name = "X", .type = ORDNA_DOUBLE},
    {.name = "Blob", .type = ORDNA_BYTES}, {.name = "D", .type = ORDNA_DECIMAL},
    {.name = "F", .type = ORDNA_BOOL},
};
static const ordna_segment twice[] = {{"", 0, 0, 0}, {"##", 1, 0, 0}, {"!", -1, 0, 0}};
static const ordna_segment wide[] = {{"", 2, 'n', 19}};
static const ordna_segment too_wide[] = {{"", 2, 'd', 20}};
static const ordna_segment plain[] = {{"", 2, 0, 0}, {"-", 3, 0, 0}};
static const ordna_segment blob[] = {{"", 4, 0, 0}};
static const ordna_segment words[] = {{"", 5, 0, 0}, {"/", 6, 0, 0}};
static const ordna_segment digits[] = {{"", 2, 'd', 19}};

static const ordna_template odd_templates[] = {
    {"sk", ORDNA_STRING, twice, OD_COUNT(twice)},
    {"sk", ORDNA_STRING, wide, OD_COUNT(wide)},
    {"sk", ORDNA_STRING, too_wide, OD_COUNT(too_wide)},
    {"sk", ORDNA_STRING, plain, OD_COUNT(plain)},
    {"sk", ORDNA_STRING, blob, OD_COUNT(blob)},
    {"sk", ORDNA_STRING, words, OD_COUNT(words)},
    {"sk", ORDNA_STRING, digits, OD_COUNT(digits)},
};
enum { TWICE, WIDE, TOO_WIDE, PLAIN, BLOB, WORDS, DIGITS };
static const ordna_index odd_indexes[] = {
    {NULL, &odd_templates[0], &odd_templates[TWICE]},
    {"1", &odd_templates[0], &odd_templates[WIDE]},
    {"2", &odd_templates[0], &odd_templates[TOO_WIDE]},
    {"3", &odd_templates[0], &odd_templates[PLAIN]},
    {"4", &odd_templates[0], &odd_templates[BLOB]},
    {"5", &odd_templates[0], &odd_templates[WORDS]},
    {"6", &odd_templates[0], &odd_templates[DIGITS]},
};
static const ordna_entity odd = {.table = &shop,
                                 .name = "Odd",
                                 .fields = odd_fields,
                                 .field_count = OD_COUNT(odd_fields),
                                 .keys = odd_indexes,
                                 .key_count = OD_COUNT(odd_indexes)};

#define ODD(template, ...)                                           \
    key_of(&odd, template, true, (const ordna_value[]){__VA_ARGS__}, \
           sizeof((const ordna_value[]){__VA_ARGS__}) / sizeof(ordna_value))

static void values_that_do_not_fit_are_named(void **state)
{
    static char long_text[2100];
    memset(long_text, 'x', sizeof(long_text) - 1);
    const struct {
        ordna_key key;
        const char *field;
        const char *message;
    } rows[] = {
        {PK(employee_entity, ordna_of_string(NULL)), "Org", "Org is missing"},
        {PK(employee_entity, ordna_of_string(long_text)), "Org", "longer than 2048"},
        {PK(employee_entity, ordna_of_int(1)), "Org", "another type"},
        {SK(employee_entity, ordna_of_string("CH"), ordna_of_string("Z"), ordna_of_int(-1)),
         "Number", "Number is -1, and d6 holds no negative numbers"},
        {SK(employee_entity, ordna_of_string("CH"), ordna_of_string("Z"), ordna_of_int(1000000)),
         "Number", "Number is 1000000, and d6 holds no more digits"},
        {SK(employee_entity, ordna_of_string("C#H")), "Country", "holds \"#\""},
        {SK(employee_entity, ordna_of_string("CH"), ordna_of_string("a#EMP#b")), "City",
         "City holds \"#EMP#\", which ends it in the key"},
        {SK(employee_entity, ordna_of_string("CH"), ordna_of_string("a#EMP#")), "City", "ends it"},
        {SK(employee_entity, ordna_of_string("CH"), ordna_of_string("a#EMP")), "City", "ends it"},
        {SK(employee_entity, ordna_of_string("CH"), ordna_of_string("a#EM")), NULL, NULL},
        {SK(account_entity, ordna_of_int(10000)), "Delta", "n4 holds no more digits"},
        {SK(account_entity, ordna_of_int(-10000)), "Delta", "n4 holds no more digits"},
        {SK(vote_entity, ordna_of_time(INT64_MAX)), "At", "years 0001 to 9999"},
        // "a#" and "##" make "a###", which reads back as "a" and "#...".
        {ODD(TWICE, ordna_of_string("a#")), "A", "holds \"##\""},
        {ODD(TOO_WIDE, ordna_of_int(1)), "N", "too wide"},
        {ODD(PLAIN, ordna_of_int(-5)), "N", "holds \"-\""},
        {ODD(PLAIN, ordna_of_int(5), ordna_of_double(1.0 / 0.0)), "X", "infinite"},
        {ODD(BLOB, ordna_of_bytes("x", 1)), "Blob", "no text"},
        {ODD(WORDS, ordna_of_decimal("1.x")), "D", "not a number"},
        {ODD(WORDS, ordna_of_decimal(NULL)), "D", "missing"},
        {ODD(WIDE, ordna_of_int(INT64_MIN)), NULL, NULL},
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const char *text = NULL;
        const ordna_status status = ordna_key_text(fixture->session, &rows[i].key, &text);
        if (rows[i].field == NULL) {
            check_status(i, fixture->session, status, ORDNA_OK);
            continue;
        }
        check_status(i, fixture->session, status, ORDNA_KEY_FORMAT);
        check_message(i, fixture->session, rows[i].message);
        assert_string_equal(ordna_session_error(fixture->session)->field, rows[i].field);
    }
}

static void values_make_keys(void **state)
{
    ordna_uuid uuid;
    assert_true(ordna_uuid_from_text("01a196fb-1600-7c3e-8000-000000000001", &uuid));
    const struct {
        ordna_key key;
        const char *text;
    } rows[] = {
        {PK(employee_entity, ordna_of_string("acme")), "ORG#acme"},
        {PK(employee_entity, ordna_of_string("")), "ORG#"},
        {key_of(&employee_entity, 0, true, NULL, 0), "SITE#"},
        {SK(employee_entity, ordna_of_string("CH")), "SITE#CH#"},
        {SK(employee_entity, ordna_of_string("CH"), ordna_of_string("Zurich")),
         "SITE#CH#Zurich#EMP#"},
        {SK(employee_entity, ordna_of_string("CH"), ordna_of_string("Zurich"), ordna_of_int(7)),
         "SITE#CH#Zurich#EMP#000007"},
        {SK(chat_entity, ordna_of_uuid(uuid)), "01a196fb-1600-7c3e-8000-000000000001"},
        {SK(vote_entity, ordna_of_time(0)), "1970-01-01T00:00:00.000Z#"},
        {PK(vote_entity, ordna_of_string("pets"), ordna_of_int(3)), "VOTES#pets#03"},
        {key_of(&manifest_entity, 0, true, NULL, 0), "MANIFEST"},
        {SK(all_entity, ordna_of_bool(true), ordna_of_int(-12)), "true#-12"},
        {SK(account_entity, ordna_of_int(9999)), "09999"},
        {SK(account_entity, ordna_of_int(-9999)), "-0001"},
        {ODD(TWICE, ordna_of_string("a"), ordna_of_string("b")), "a##b!"},
        {ODD(PLAIN, ordna_of_int(5), ordna_of_double(0.5)), "5-0.5"},
        {ODD(WORDS, ordna_of_decimal("19.90"), ordna_of_bool(false)), "19.90/false"},
        {ODD(WIDE, ordna_of_int(INT64_MAX)), "09223372036854775807"},
        {ODD(WIDE, ordna_of_int(INT64_MIN)), "-0776627963145224192"},
        {ODD(DIGITS, ordna_of_int(INT64_MAX)), "9223372036854775807"},
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const char *text = NULL;
        check_status(i, fixture->session, ordna_key_text(fixture->session, &rows[i].key, &text),
                     ORDNA_OK);
        assert_string_equal(text, rows[i].text);
    }
}

static void signed_numbers_sort_as_text(void **state)
{
    static const int32_t numbers[] = {-9999, -1000, -999, -10, -9, -2, -1,
                                      0,     1,     2,    9,   10, 99, 9999};
    struct fixture *fixture = *state;
    const char *before = "";
    for (size_t i = 0; i < OD_COUNT(numbers); i++) {
        const ordna_key key = SK(account_entity, ordna_of_int(numbers[i]));
        const char *text = NULL;
        account read = {0};
        check_status(i, fixture->session, ordna_key_text(fixture->session, &key, &text), ORDNA_OK);
        assert_true(strcmp(before, text) < 0);
        check_status(i, fixture->session,
                     ordna_key_parse(fixture->session, &account_entity, account_entity.keys[0].sort,
                                     text, &read),
                     ORDNA_OK);
        assert_int_equal(read.delta, numbers[i]);
        before = text;
    }
}

static void two_offsets_of_an_instant_are_one_key(void **state)
{
    struct fixture *fixture = *state;
    ordna_time a = 0;
    ordna_time b = 0;
    assert_true(ordna_time_from_text("2026-11-30T23:00:00+01:00", &a));
    assert_true(ordna_time_from_text("2026-11-30T14:00:00-08:00", &b));
    const ordna_key keys[] = {SK(vote_entity, ordna_of_time(a)), SK(vote_entity, ordna_of_time(b))};
    const char *texts[2];
    for (size_t i = 0; i < 2; i++) {
        check_status(i, fixture->session, ordna_key_text(fixture->session, &keys[i], &texts[i]),
                     ORDNA_OK);
    }
    assert_string_equal(texts[0], texts[1]);
}

static void texts_that_a_template_cannot_have_made_are_refused(void **state)
{
    const struct {
        const ordna_entity *entity;
        bool partition;
        const char *text;
    } rows[] = {
        {&employee_entity, true, ""},
        {&employee_entity, true, "ORG"},
        {&employee_entity, true, "org#acme"},
        {&employee_entity, false, "SITE#"},
        {&employee_entity, false, "SITE#CH#Zurich"},
        {&employee_entity, false, "SITE#CH#Zurich#EMP#"},
        {&employee_entity, false, "SITE#CH#Zurich#EMP#7"},
        {&employee_entity, false, "SITE#CH#Zurich#EMP#0000007"},
        {&employee_entity, false, "SITE#CH#Zurich#EMP#00000x"},
        {&employee_entity, false, "SITE#CH#Zurich#EMP#-00007"},
        {&employee_entity, false, "SITE#CH#Zurich#EMP#+00007"},
        {&employee_entity, false, "SITE#CH#Zurich#EMP#0007.0"},
        {&chat_entity, false, "01A196FB-1600-7c3e-8000-000000000001"},
        {&chat_entity, false, "01a196fb-1600-7c3e-8000-00000000000"},
        {&vote_entity, false, "2026-11-30T23:59:59.999+00:00#a"},
        {&vote_entity, false, "2026-11-30T23:59:59Z#ann"},
        {&vote_entity, false, "2026-11-30T23:59:59.999Z"},
        {&manifest_entity, false, "MANIFEST#"},
        {&manifest_entity, false, "CHUNK#0001"},
        {&account_entity, false, "-0000"},
        {&account_entity, false, "+0001"},
        {&account_entity, false, "10001"},
        {&account_entity, false, "0001"},
        {&all_entity, false, "TRUE#1"},
        {&all_entity, false, "true#007"},
        {&all_entity, false, "true#-0"},
        {&all_entity, false, "true#1e3"},
        {&all_entity, false, "true#9223372036854775808"},
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const ordna_index *key = &rows[i].entity->keys[0];
        shop_item item = {0};
        check_status(i, fixture->session,
                     ordna_key_parse(fixture->session, rows[i].entity,
                                     rows[i].partition ? key->partition : key->sort, rows[i].text,
                                     &item.as),
                     ORDNA_KEY_FORMAT);
    }
}

static void keys_are_read_back(void **state)
{
    struct fixture *fixture = *state;
    ordna_session *session = fixture->session;
    const ordna_index *key = &employee_entity.keys[0];
    employee e = {0};
    check_status(0, session,
                 ordna_key_parse(session, &employee_entity, key->partition, "ORG#a#c", &e),
                 ORDNA_OK);
    check_status(
        1, session,
        ordna_key_parse(session, &employee_entity, key->sort, "SITE##Zu #rich#EMP#000120", &e),
        ORDNA_OK);
    assert_string_equal(e.org, "a#c");
    assert_string_equal(e.country, "");
    assert_string_equal(e.city, "Zu #rich");
    assert_int_equal(e.number, 120);

    vote v = {0};
    check_status(2, session,
                 ordna_key_parse(session, &vote_entity, vote_entity.keys[0].sort,
                                 "1970-01-01T00:00:00.001Z#ann#x", &v),
                 ORDNA_OK);
    assert_int_equal(v.at, 1);
    assert_string_equal(v.voter, "ann#x");
    manifest m = {0};
    check_status(
        3, session,
        ordna_key_parse(session, &manifest_entity, manifest_entity.keys[0].sort, "MANIFEST", &m),
        ORDNA_OK);
    reading r = {0};
    check_status(4, session,
                 ordna_key_parse(session, &reading_entity, reading_entity.keys[0].sort, "1", &r),
                 ORDNA_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_that_do_not_fit_are_named),
        cmocka_unit_test(values_make_keys),
        cmocka_unit_test(signed_numbers_sort_as_text),
        cmocka_unit_test(two_offsets_of_an_instant_are_one_key),
        cmocka_unit_test(texts_that_a_template_cannot_have_made_are_refused),
        cmocka_unit_test(keys_are_read_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
