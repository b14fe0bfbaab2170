// Items from answers that the test writes: good ones, and every way to be bad.
#include "shop.h"
#include "support.h"

#include "base/attr.h"
#include "mapper/attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct script script;

static int set_up(void **state)
{
    struct fixture *fixture = malloc(sizeof(*fixture));
    assert_non_null(fixture);
    script = (struct script){.answer_count = 1};
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

// An item of All, with one attribute replaced: its name, and its JSON or NULL for none.
static const char *all_with(const char *name, const char *json)
{
    static const char *const attributes[][2] = {
        {"pk", "{\"S\":\"ALL#a\"}"},
        {"sk", "{\"S\":\"true#1\"}"},
        {"Type", "{\"S\":\"ALL\"}"},
        {"Id", "{\"S\":\"a\"}"},
        {"Flag", "{\"BOOL\":true}"},
        {"Count", "{\"N\":\"1\"}"},
        {"Small", "{\"N\":\"2\"}"},
        {"Price", "{\"N\":\"19.90\"}"},
        {"Real", "{\"N\":\"0.5\"}"},
        {"Blob", "{\"B\":\"AGE=\"}"},
        {"At", "{\"S\":\"1970-01-01T00:00:00.001Z\"}"},
        {"Uuid", "{\"S\":\"01a196fb-1600-7c3e-8000-000000000001\"}"},
        {"Names", "{\"L\":[{\"S\":\"x\\u00e9\"},{\"S\":\"\"}]}"},
        {"Numbers", "{\"NS\":[\"3\",\"4\"]}"},
        {"Flags", "{\"L\":[{\"BOOL\":true},{\"BOOL\":false}]}"},
        {"Blobs", "{\"BS\":[\"YQ==\"]}"},
        {"Uuids", "{\"L\":[]}"},
        {"Times", "{\"L\":[{\"S\":\"1970-01-01T00:00:00.002Z\"}]}"},
        {"Reals", "{\"M\":{\"half\":{\"N\":\"0.5\"}}}"},
        {"Other", "{\"NULL\":true}"},
    };
    static char text[8192];
    size_t len = (size_t)snprintf(text, sizeof(text), "{\"Item\":{");
    bool replaced = false;
    for (size_t i = 0; i < OD_COUNT(attributes); i++) {
        const bool is = strcmp(attributes[i][0], name) == 0;
        const char *value = is ? json : attributes[i][1];
        replaced = replaced || is;
        if (value != NULL) {
            len += (size_t)snprintf(text + len, sizeof(text) - len, "%s\"%s\":%s",
                                    text[len - 1] == '{' ? "" : ",", attributes[i][0], value);
        }
    }
    if (!replaced && json != NULL) {
        len += (size_t)snprintf(text + len, sizeof(text) - len, ",\"%s\":%s", name, json);
    }
    snprintf(text + len, sizeof(text) - len, "}}");
    return text;
}

static ordna_status get_all(struct fixture *fixture, const char *answer, all *out)
{
    const all key = {.id = "a", .flag = true, .count = 1};
    script.answers[0] = answer;
    return ordna_get(fixture->session, &all_entity, &key, NULL, out);
}

static void bad_items_are_told_by_key_and_attribute(void **state)
{
    static const struct {
        const char *name;
        const char *json;
        const char *message;
    } rows[] = {
        {"Type", NULL, "Type is missing"},
        {"Type", "{\"N\":\"1\"}", "Type is missing, or no string"},
        {"Type", "{\"Z\":\"ALL\"}", "Type is missing, or no string"},
        {"Type", "{\"S\":\"GHOST\"}", "Type is \"GHOST\", which no entity has"},
        {"Type", "{\"S\":\"CHAT\"}", "Type is that of Chat"},
        {"Id", NULL, "Id is missing"},
        {"Id", "{\"N\":\"1\"}", "Id holds N 1, and is S"},
        {"Id", "{\"S\":\"a\\u0000b\"}", "Id holds a 0 byte"},
        {"Id", "{\"S\":1}", "Id holds S"},
        {"Id", "{\"S\":null}", "Id holds S"},
        {"Id", "{}", "Id holds nothing"},
        {"Id", "[]", "Id holds nothing"},
        {"Id", "null", "Id holds nothing"},
        {"Id", "\"a\"", "Id holds nothing"},
        {"Id", "{\"S\":\"a\",\"N\":\"1\"}", "Id holds nothing"},
        {"Flag", "{\"S\":\"true\"}", "Flag holds S true, and is BOOL"},
        {"Flag", "{\"BOOL\":\"true\"}", "Flag holds BOOL true, and is BOOL"},
        {"Count", "{\"N\":\"9223372036854775808\"}", "no int64"},
        {"Count", "{\"N\":\"1.5\"}", "no int64"},
        {"Count", "{\"N\":\"\"}", "no int64"},
        {"Count", "{\"NULL\":true}", "Count holds NULL, and is N"},
        {"Small", "{\"N\":\"2147483648\"}", "Small holds \"2147483648\", which is no int32"},
        {"Small", "{\"N\":\"-2147483649\"}", "no int32"},
        {"Maybe", "{\"N\":\"x\"}", "Maybe holds \"x\", which is no int32"},
        {"Price", "{\"N\":\"abc\"}", "no number"},
        {"Price", "{\"S\":\"19.90\"}", "Price holds S 19.90, and is N"},
        {"Real", "{\"N\":\"abc\"}", "no double"},
        {"Real", "{\"N\":\"1e999\"}", "no double"},
        {"Blob", "{\"B\":\"A\"}", "no base64"},
        {"At", "{\"S\":\"yesterday\"}", "no time"},
        {"Uuid", "{\"S\":\"01a196fb\"}", "no UUID"},
        {"Names", "{\"L\":[{\"N\":\"1\"}]}", "Names holds N 1, and is of another shape"},
        {"Names", "{\"L\":{}}", "Names holds L"},
        {"Names", "{\"SS\":[\"a\"]}", "Names holds SS, and is of another shape"},
        {"Names", "{\"L\":[[]]}", "Names holds nothing"},
        {"Names", "{}", "Names holds nothing"},
        {"Numbers", "{\"NS\":[\"1\",2]}", "Numbers holds N, and is of another shape"},
        {"Numbers", "{\"NS\":[\"2147483648\"]}", "no int32"},
        {"Numbers", "{\"L\":[]}", "Numbers holds L"},
        {"Tags", "{\"SS\":[\"a\\u0000\"]}", "Tags holds a 0 byte"},
        {"Reals", "{\"M\":[]}", "Reals holds M"},
        {"Reals", "{\"M\":{\"a\\u0000\":{\"N\":\"1\"}}}", "0 byte"},
        {"Reals", "{\"M\":{\"a\":{\"N\":\"x\"}}}", "no double"},
        {"Reals", NULL, "Reals is missing"},
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        all out;
        check_status(i, fixture->session,
                     get_all(fixture, all_with(rows[i].name, rows[i].json), &out), ORDNA_BAD_ITEM);
        check_message(i, fixture->session, "the item pk=\"ALL#a\", sk=\"true#1\" of shop");
        check_message(i, fixture->session, rows[i].message);
        assert_string_equal(ordna_session_error(fixture->session)->field, rows[i].name);
    }
}

static void answers_that_are_none_are_refused(void **state)
{
    static const char *const rows[] = {
        "{\"Item\":1}",
        "{\"Item\":[]}",
        "{\"Item\":{\"a\":}}",
        "{\"Item\":{\"a\":{\"S\":\"\\x\"}}}",
        "{\"Item\":{\"a\":{\"S\":\"\xFF\"}}}",
        "{\"Item\":{\"a\":{\"S\":\"\n\"}}}",
        "{\"Item\":{\"a\":{\"S\":\"a}}",
        "{\"Item\":{\"a\":{\"S\":\"\\",
        "{\"Item\":{\"a\":{\"S\":}}}",
        "{\"Item\":{\"a\" {\"S\":\"a\"}}}",
        "{\"Item\":{\"a\":{\"S\":\"a\"}",
        "{\"Item\":{\"a\":{\"S\":\"a\"},}}",
        "{\"Item\":{,}}",
        "{\"Item\":",
        "{\"Item\"",
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        all out;
        check_status(i, fixture->session, get_all(fixture, rows[i], &out), ORDNA_BAD_ANSWER);
    }
    all out;
    check_status(9, fixture->session, get_all(fixture, "{}", &out), ORDNA_NOT_FOUND);
    check_message(9, fixture->session, "{\"pk\":{\"S\":\"ALL#a\"},\"sk\":{\"S\":\"true#1\"}}");
}

static void good_items_become_structs(void **state)
{
    struct fixture *fixture = *state;
    all out;
    check_status(0, fixture->session, get_all(fixture, all_with("", NULL), &out), ORDNA_OK);
    assert_string_equal(out.id, "a");
    assert_true(out.flag);
    assert_int_equal(out.count, 1);
    assert_int_equal(out.small, 2);
    assert_string_equal(out.price, "19.90");
    assert_true(out.real == 0.5);
    assert_int_equal(out.blob.len, 2);
    assert_memory_equal(out.blob.ptr, "\0a", 2);
    assert_int_equal(out.at, 1);
    assert_false(out.has_maybe);
    assert_int_equal(out.names.count, 2);
    assert_string_equal(out.names.items[0], "x\xC3\xA9");
    assert_string_equal(out.names.items[1], "");
    assert_int_equal(out.numbers.count, 2);
    assert_int_equal(out.numbers.items[1], 4);
    assert_int_equal(out.tags.count, 0);
    assert_true(out.flags.items[0] && !out.flags.items[1]);
    assert_memory_equal(out.blobs.items[0].ptr, "a", 1);
    assert_int_equal(out.uuids.count, 0);
    assert_non_null(out.uuids.items);
    assert_int_equal(out.times.items[0], 2);
    assert_string_equal(out.reals.names[0], "half");
    assert_true(out.reals.items[0] == 0.5);
    assert_null(out.texts.items);
    check_status(1, fixture->session,
                 get_all(fixture, all_with("Maybe", "{\"N\":\"-2147483648\"}"), &out), ORDNA_OK);
    assert_true(out.has_maybe);
    assert_int_equal(out.maybe, INT32_MIN);
}

// Longer than what the stack holds of a tree.
static void a_large_item_is_read(void **state)
{
    enum { COUNT = 2000 };
    static char list[COUNT * 16];
    struct fixture *fixture = *state;
    size_t len = (size_t)snprintf(list, sizeof(list),
                                  "{\"Item\":{\"pk\":{\"S\":\"ROOM#a\"},"
                                  "\"Type\":{\"S\":\"EMPLOYEE\"},\"X\":[");
    for (int i = 0; i < COUNT; i++) {
        len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%d", i == 0 ? "" : ",", i);
    }
    snprintf(list + len, sizeof(list) - len,
             "],\"Org\":{\"S\":\"o\"},\"Country\":{\"S\":\"c\"},\"City\":{\"S\":\"z\"},"
             "\"Number\":{\"N\":\"5\"}}}");
    script.answers[0] = list;
    employee e = {.org = "a", .country = "b", .city = "c"};
    check_status(0, fixture->session, ordna_get(fixture->session, &employee_entity, &e, NULL, &e),
                 ORDNA_OK);
    assert_string_equal(e.city, "z");
    assert_int_equal(e.number, 5);
}

// More attributes than there is room at hand for, and more than a slot can tell.
static void a_wide_item_is_read(void **state)
{
    static const int counts[] = {40, 48, 49, 255, 256, 300};
    static char text[32 * 1024];
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(counts); i++) {
        size_t len = (size_t)snprintf(text, sizeof(text), "{\"Item\":{\"Type\":{\"S\":\"CHAT\"}");
        for (int j = 0; j < counts[i]; j++) {
            len += (size_t)snprintf(text + len, sizeof(text) - len, ",\"Ro%d\":{\"N\":\"1\"}", j);
        }
        snprintf(text + len, sizeof(text) - len,
                 ",\"Room\":{\"S\":\"r\"},\"Id\":{\"S\":"
                 "\"01a196fb-1600-7c3e-8000-000000000001\"},\"Text\":{\"S\":\"t\"}}}");
        script.answers[0] = text;
        chat c = {.room = "a"};
        check_status(i, fixture->session, ordna_get(fixture->session, &chat_entity, &c, NULL, &c),
                     ORDNA_OK);
        assert_string_equal(c.room, "r");
        assert_string_equal(c.text, "t");
    }
}

// An answer is read by the order of the one before: it may be any other.
static void attributes_come_in_any_order(void **state)
{
    static const struct {
        const char *item;
        const char *text; // NULL: it is bad
    } rows[] = {
        {"\"Id\":{UUID},\"Room\":{\"S\":\"r\"},\"Text\":{\"S\":\"1\"},\"Type\":{\"S\":\"CHAT\"}",
         "1"},
        {"\"Id\":{UUID},\"Room\":{\"S\":\"r\"},\"Text\":{\"S\":\"2\"},\"Type\":{\"S\":\"CHAT\"}",
         "2"},
        {"\"Type\":{\"S\":\"CHAT\"},\"Text\":{\"S\":\"3\"},\"Room\":{\"S\":\"r\"},\"Id\":{UUID}",
         "3"},
        {"\"Type\":{\"S\":\"CHAT\"},\"Text\":{\"S\":\"4\"},\"Room\":{\"S\":\"r\"}", NULL},
        {"\"Type\":{\"S\":\"CHAT\"},\"Text\":{\"S\":\"5\"},\"Roo\":{\"S\":\"r\"},\"Id\":{UUID}",
         NULL},
        {"\"Type\":{\"S\":\"CHAT\"},\"Texts\":{\"S\":\"6\"},\"Room\":{\"S\":\"r\"},\"Id\":{UUID},"
         "\"Text\":{\"S\":\"7\"}",
         "7"},
        {"\"Typ\":{\"S\":\"CHAT\"},\"Text\":{\"S\":\"8\"},\"Room\":{\"S\":\"r\"},\"Id\":{UUID}",
         NULL},
        {"\"Type\" : { \"S\" : \"CHAT\" } , "
         "\"T\\u0065xt\":{\"S\":\"\\u0039\"},\"Room\":{\"S\":\"r\"} ,"
         "\"Id\":{UUID} ",
         "9"},
        {"\"Text\":{\"S\":\"\xC3\xBC\"},\"pk\":{\"S\":\"ROOM#r\"},\"\":{\"S\":\"\"},\"Id\":{UUID},"
         "\"sk\":{\"S\":\"x\"},\"Room\":{\"S\":\"r\"},\"Type\":{\"S\":\"CHAT\"}",
         "\xC3\xBC"},
        {"\"Id\":{UUID},\"Room\":{\"S\":\"r\"},\"Text\":{\"S\":\"\xFC\"},\"Type\":{\"S\":\"CHAT\"}",
         NULL},
        {"\"Id\":{UUID},\"Room\":{\"S\":\"r\"},\"Text\":{\"S\":\"a\"},\"Type\":{\"S\":"
         "\"CHAT\\u0000\"}",
         NULL},
    };
    static const char uuid[] = "\"S\":\"01a196fb-1600-7c3e-8000-000000000001\"";
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        char text[512];
        const char *hole = strstr(rows[i].item, "UUID");
        const size_t before = hole == NULL ? strlen(rows[i].item) : (size_t)(hole - rows[i].item);
        snprintf(text, sizeof(text), "{\"Item\":{%.*s%s%s}}", (int)before, rows[i].item,
                 hole == NULL ? "" : uuid, hole == NULL ? "" : hole + 4);
        script.answers[0] = text;
        chat c = {.room = "a"};
        const ordna_status status = ordna_get(fixture->session, &chat_entity, &c, NULL, &c);
        if ((status == ORDNA_OK) != (rows[i].text != NULL)) {
            fail_msg("row %zu: status %d", i, status);
        }
        if (rows[i].text != NULL) {
            assert_string_equal(c.text, rows[i].text);
            assert_string_equal(c.room, "r");
            assert_int_equal(c.id.bytes[15], 1);
        }
    }
}

// Wherever it is cut off: no search goes past the end, which AddressSanitizer sees.
static void a_part_of_an_answer_is_none(void **state)
{
    static char text[8192];
    struct fixture *fixture = *state;
    const size_t len = strlen(all_with("Id", "{\"S\":\"a\"}"));
    for (size_t i = 0; i < len - 1; i++) {
        // With the end that the client looks at.
        snprintf(text, sizeof(text), "%.*s ,}", (int)i, all_with("Id", "{\"S\":\"a\"}"));
        all out;
        if (get_all(fixture, text, &out) == ORDNA_OK) {
            fail_msg("row %zu: %s", i, text);
        }
        ordna_session_reset(fixture->session);
    }
}

// The same of an item that was cut out of a page, of whatever length.
static void a_part_of_an_item_is_none(void **state)
{
    static const char item[] = "{\"a\":{\"S\":\"x\"},\"b\":{\"BOOL\":true},";
    (void)state;
    od_arena *arena = od_arena_create();
    for (size_t i = 0; i < 16 * sizeof(item); i++) {
        char text[64];
        const int len =
            snprintf(text, sizeof(text), "%*s%.*s", (int)(i % 16), "", (int)(i / 16), item);
        struct od_attributes attributes;
        if (od_attributes_parse(arena, (od_str){text, (size_t)len}, &attributes)) {
            fail_msg("row %zu: %s", i, text);
        }
        od_arena_reset(arena);
    }
    od_arena_destroy(arena);
}

// A name is not told by how JSON escapes another.
static void names_with_backslashes_are_themselves(void **state)
{
    typedef struct odd {
        const char *id;
        const char *text;
    } odd;
    static const ordna_field fields[] = {
        {.name = "a\\n", .type = ORDNA_STRING, .optional = true, .offset = offsetof(odd, text)},
        {.name = "pk", .type = ORDNA_STRING, .offset = offsetof(odd, id)},
    };
    static const ordna_segment segments[] = {{"", 1, 0, 0}};
    static const ordna_template key = {"pk", ORDNA_STRING, segments, 1};
    static const ordna_index keys[] = {{NULL, &key, NULL}};
    static const ordna_entity entity = {.table = &shop,
                                        .name = "Odd",
                                        .discriminator = "ODD",
                                        .size = sizeof(odd),
                                        .fields = fields,
                                        .field_count = OD_COUNT(fields),
                                        .keys = keys,
                                        .key_count = 1};
    static const struct {
        const char *name;
        const char *text;
    } rows[] = {
        {"a\\n", NULL}, {"a\\\\n", "x"}, {"a\\n", NULL}, {"a\\u005cn", "x"}, {"a\\n", NULL}};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        char text[128];
        snprintf(text, sizeof(text),
                 "{\"Item\":{\"%s\":{\"S\":\"x\"},\"pk\":{\"S\":\"k\"},\"Type\":{\"S\":\"ODD\"}}}",
                 rows[i].name);
        script.answers[0] = text;
        odd item = {.id = "k"};
        check_status(i, fixture->session, ordna_get(fixture->session, &entity, &item, NULL, &item),
                     ORDNA_OK);
        if ((item.text == NULL) != (rows[i].text == NULL)) {
            fail_msg("row %zu: %s", i, item.text == NULL ? "is not read" : "is read");
        }
    }
}

static void a_page_has_what_is_not_bad(void **state)
{
    struct fixture *fixture = *state;
    script.answers[0] =
        "{\"Count\":5,\"Items\":[{\"Type\":{\"S\":\"CHUNK\"},\"pk\":{\"S\":\"FILE#f\"},"
        "\"File\":{\"S\":\"f\"},\"Index\":{\"N\":\"1\"},\"Data\":{\"B\":\"\"}} , "
        "{\"Type\":{\"S\":\"MANIFEST\"}},"
        "{\"Type\":{\"S\":\"CHUNK\"},\"File\":{\"S\":\"f\"},\"Index\":{\"N\":\"x\"},"
        "\"pk\":{\"S\":\"FILE#f\"},\"sk\":{\"S\":\"CHUNK#0002\"}},"
        "{\"Type\":{\"S\":\"CHUNK\"},\"File\":{\"S\":\"f\"},\"Index\":{\"N\":\"3\"},"
        "\"Data\":{\"B\":\"YQ==\"}},{\"Type\":{\"S\":\"GHOST\"}}],"
        "\"LastEvaluatedKey\":{\"pk\":{\"S\":\"]}\\\"\\\\\"}}}";
    const ordna_query query = {.partition = PK(chunk_entity, ordna_of_string("f"))};
    ordna_page page;
    check_status(0, fixture->session,
                 ordna_query_page(fixture->session, &chunk_entity, &query, &page), ORDNA_BAD_ITEM);
    assert_int_equal(page.count, 2);
    const chunk *chunks = page.items;
    assert_int_equal(chunks[0].index, 1);
    assert_int_equal(chunks[1].index, 3);
    assert_string_equal(page.next, "{\"pk\":{\"S\":\"]}\\\"\\\\\"}}");
}

static void pages_that_make_no_sense_are_refused(void **state)
{
    static const char *const rows[] = {
        "{\"Items\":{}}",
        "{\"Items\":[1]}",
        "{\"Items\":[{}",
        "{\"Items\":[{\"a\":{\"S\":\"\\q\"}}]}",
        "{\"Items\":[],\"LastEvaluatedKey\":\"x\"}",
        "{\"Items\":[],\"Count\":\"x\"}",
        "{\"Items\":[],\"Count\":-1}",
        "{\"Items\" []}",
        "{\"Items\":[],}",
        "{,\"Items\":[]}",
        "{\"Items\":",
        "{\"Ite",
    };
    struct fixture *fixture = *state;
    const ordna_query query = {.partition = PK(chunk_entity, ordna_of_string("f"))};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        ordna_page page;
        ordna_stream *stream = NULL;
        chunk out;
        script.answers[0] = rows[i];
        check_status(i, fixture->session,
                     ordna_query_page(fixture->session, &chunk_entity, &query, &page),
                     ORDNA_BAD_ANSWER);
        check_status(i, fixture->session,
                     ordna_stream_open(fixture->session, &chunk_entity, &query, &stream), ORDNA_OK);
        check_status(i, fixture->session, ordna_stream_next(stream, &chunk_entity, &out),
                     ORDNA_BAD_ANSWER);
        check_status(i, fixture->session, ordna_stream_next(stream, &chunk_entity, &out),
                     ORDNA_BAD_ANSWER);
        ordna_stream_close(stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_items_are_told_by_key_and_attribute),
        cmocka_unit_test(answers_that_are_none_are_refused),
        cmocka_unit_test(good_items_become_structs),
        cmocka_unit_test(a_large_item_is_read),
        cmocka_unit_test(a_wide_item_is_read),
        cmocka_unit_test(attributes_come_in_any_order),
        cmocka_unit_test(names_with_backslashes_are_themselves),
        cmocka_unit_test(a_part_of_an_answer_is_none),
        cmocka_unit_test(a_part_of_an_item_is_none),
        cmocka_unit_test(a_page_has_what_is_not_bad),
        cmocka_unit_test(pages_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
