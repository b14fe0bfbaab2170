// What is sent: expressions, conditions on sort keys, tables, faults that keep it from being sent.
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
    script = (struct script){.answers = {"{\"Items\":[],\"Count\":0}"}, .answer_count = 1};
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

static void check_sent(size_t row, const char *part)
{
    if (strstr(script.body, part) == NULL) {
        fail_msg("row %zu: %s lacks %s", row, script.body, part);
    }
}

static const ordna_argument arguments[] = {
    {":n", {.type = ORDNA_INT64, .as.number = 5}},
    {":s", {.type = ORDNA_STRING, .as.text = "a\"b"}},
};

static ordna_expression expression(const char *text)
{
    return (ordna_expression){.text = text, .args = arguments, .count = OD_COUNT(arguments)};
}

// --- Expressions --------------------------------------------------------------------------------

static void expressions_of_no_field_are_refused(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"{Nick = :s", "has no end"},         {"{Nobody} = :s", "Nobody is no field of Employee"},
        {"{nick} = :s", "nick is no field"},  {"{} = :s", "is no field"},
        {"{Nick} = :t", ":t is no argument"}, {"{Nick} = :", ": is no argument"},
        {"#a = :s", "for fields in braces"},
    };
    struct fixture *fixture = *state;
    const employee key = {.org = "a", .country = "b", .city = "c"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const ordna_expression condition = expression(rows[i].text);
        const size_t calls = script.calls;
        check_status(i, fixture->session,
                     ordna_delete(fixture->session, &employee_entity, &key, &condition),
                     ORDNA_BAD_ARGUMENT);
        check_message(i, fixture->session, rows[i].message);
        assert_int_equal(script.calls, calls);
    }
}

static void fields_of_keys_cannot_be_changed(void **state)
{
    static const struct {
        const ordna_entity *entity;
        const char *text;
        const char *field;
    } rows[] = {
        {&employee_entity, "SET {City} = :s", "City"},
        {&employee_entity, "set\t{Org} = :s", "Org"},
        {&employee_entity, "SET {Nick} = :s", "Nick"},
        {&account_entity, "SET {Balance} = :n, {Delta} = :n", "Delta"},
        {&account_entity, "SET {Balance} = if_not_exists({Balance}, :n) REMOVE {Id}", "Id"},
        {&account_entity, "ADD {Version} :n", "Version"},
        {&account_entity, "ADD {Balance} :n ,\n{Version} :n", "Version"},
        {&account_entity, "DELETE {Id} :n", "Id"},
    };
    struct fixture *fixture = *state;
    const shop_item key = {0};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const ordna_expression update = expression(rows[i].text);
        const employee e = {.org = "a", .country = "b", .city = "c"};
        const account a = {.id = "a"};
        const void *of = rows[i].entity == &employee_entity ? (const void *)&e : (const void *)&a;
        check_status(i, fixture->session,
                     ordna_update(fixture->session, rows[i].entity, of, &update, NULL, NULL),
                     ORDNA_BAD_ARGUMENT);
        assert_string_equal(ordna_session_error(fixture->session)->field, rows[i].field);
    }
    (void)key;
}

static void updates_are_written_with_what_makes_an_item_whole(void **state)
{
    static const struct {
        const char *text;
        const char *sent;
    } rows[] = {
        {"SET {Balance} = {Balance} + :n",
         "\"SET #0 = :0, #1 = :1, #2 = :2, #4 = #5 + :4 ADD #3 :3\""},
        {"ADD {Balance} :n", "\"ADD #3 :3, #4 :4 SET #0 = :0, #1 = :1, #2 = :2\""},
        {"remove {Expires} add {Balance} :n",
         "\"remove #4 add #3 :3, #5 :4 SET #0 = :0, #1 = :1, #2 = :2\""},
        {"SET {Balance} = if_not_exists({Delta}, :n)",
         "\"SET #0 = :0, #1 = :1, #2 = :2, #4 = if_not_exists(#5, :4) ADD #3 :3\""},
    };
    struct fixture *fixture = *state;
    const account key = {.id = "a", .delta = 1};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const ordna_expression update = expression(rows[i].text);
        check_status(i, fixture->session,
                     ordna_update(fixture->session, &account_entity, &key, &update, NULL, NULL),
                     ORDNA_OK);
        check_sent(i, rows[i].sent);
        check_sent(i, "\"#0\":\"Type\",\"#1\":\"Id\",\"#2\":\"Delta\",\"#3\":\"Version\"");
        check_sent(i, "\":0\":{\"S\":\"ACCOUNT\"},\":1\":{\"S\":\"a\"},\":2\":{\"N\":\"1\"}");
        check_sent(i, "\"(attribute_not_exists(");
    }
}

static void two_expressions_may_have_arguments_of_one_name(void **state)
{
    struct fixture *fixture = *state;
    const account key = {.id = "a", .delta = 1, .version = 7};
    const ordna_argument one[] = {{":n", {.type = ORDNA_INT64, .as.number = 1}}};
    const ordna_argument two[] = {{":n", {.type = ORDNA_INT64, .as.number = 2}}};
    const ordna_expression update = {"SET {Balance} = :n", one, 1};
    const ordna_expression condition = {"{Balance} < :n", two, 1};
    check_status(0, fixture->session,
                 ordna_update(fixture->session, &account_entity, &key, &update, &condition, NULL),
                 ORDNA_OK);
    check_sent(0, "\":4\":{\"N\":\"1\"},\":5\":{\"N\":\"7\"},\":6\":{\"S\":\"ACCOUNT\"},"
                  "\":7\":{\"N\":\"2\"}");
    check_sent(0, "\"#5 = :5 AND (attribute_not_exists(#6) OR #7 = :6) AND (#8 < :7)\"");
}

static void values_of_all_shapes_are_arguments(void **state)
{
    static const char *const texts[] = {"a", "b"};
    static const int32_t numbers[] = {1, 2};
    static const char *const names[] = {"x", "y"};
    static const bool truths[] = {true, false};
    const struct {
        ordna_value value;
        const char *json; // NULL: refused
    } rows[] = {
        {{.type = 0}, NULL},
        {ordna_of_set(ORDNA_BOOL, truths, 2), NULL},
        {ordna_of_string(NULL), NULL},
        {ordna_of_decimal("1x"), NULL},
        {ordna_of_double(0.0 / 0.0), NULL},
        {ordna_of_bytes(NULL, 0), NULL},
        {ordna_of_time(INT64_MAX), NULL},
        {ordna_of_list(ORDNA_STRING, NULL, 2), NULL},
        {ordna_of_map(ORDNA_STRING, texts, NULL, 2), NULL},
        {ordna_of_string("\x01\"\\"), "{\"S\":\"\\u0001\\\"\\\\\"}"},
        {ordna_of_bytes("", 0), "{\"B\":\"\"}"},
        {ordna_of_bytes("\0a", 2), "{\"B\":\"AGE=\"}"},
        {ordna_of_bool(false), "{\"BOOL\":false}"},
        {ordna_of_double(0.1), "{\"N\":\"0.1\"}"},
        {ordna_of_int(INT64_MIN), "{\"N\":\"-9223372036854775808\"}"},
        {ordna_of_time(-1), "{\"S\":\"1969-12-31T23:59:59.999Z\"}"},
        {ordna_of_ttl(-1), "{\"N\":\"-1\"}"},
        {ordna_of_ttl(1999), "{\"N\":\"1\"}"},
        {ordna_of_list(ORDNA_STRING, texts, 0), "{\"L\":[]}"},
        {ordna_of_list(ORDNA_STRING, texts, 2), "{\"L\":[{\"S\":\"a\"},{\"S\":\"b\"}]}"},
        {ordna_of_list(ORDNA_BOOL, truths, 2), "{\"L\":[{\"BOOL\":true},{\"BOOL\":false}]}"},
        {ordna_of_set(ORDNA_INT32, numbers, 2), "{\"NS\":[\"1\",\"2\"]}"},
        {ordna_of_map(ORDNA_INT32, numbers, names, 2),
         "{\"M\":{\"x\":{\"N\":\"1\"},\"y\":{\"N\":\"2\"}}}"},
    };
    struct fixture *fixture = *state;
    const account key = {.id = "a"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const ordna_argument args[] = {{":v", rows[i].value}};
        const ordna_expression condition = {"{Balance} = :v", args, 1};
        const ordna_status status =
            ordna_delete(fixture->session, &account_entity, &key, &condition);
        check_status(i, fixture->session, status,
                     rows[i].json == NULL ? ORDNA_BAD_ARGUMENT : ORDNA_OK);
        if (rows[i].json != NULL) {
            check_sent(i, rows[i].json);
        }
    }
}

// --- Conditions on sort keys --------------------------------------------------------------------

static ordna_key site(size_t count)
{
    const ordna_value values[] = {ordna_of_string("CH"), ordna_of_string("Zurich"),
                                  ordna_of_int(7)};
    return key_of(&employee_entity, 0, true, values, count);
}

static void leading_fields_are_one_comparison(void **state)
{
    const ordna_key none = key_of(&chat_entity, 0, true, NULL, 0);
    const ordna_key emoji = SK(employee_entity, ordna_of_string("\xF4\x8F\xBF\xBF"));
    const struct {
        ordna_sort sort;
        const char *condition; // NULL: refused
        const char *values;
    } rows[] = {
        {{.op = ORDNA_ALL}, "#0 = :0 AND begins_with(#1, :1)", "\":1\":{\"S\":\"SITE#\"}"},
        {ordna_equal(site(2)), NULL, NULL},
        {ordna_equal(site(3)), "#1 = :1", "{\"S\":\"SITE#CH#Zurich#EMP#000007\"}"},
        {ordna_begins_with(site(0)), "begins_with(#1, :1)", "{\"S\":\"SITE#\"}"},
        {ordna_begins_with(site(1)), "begins_with(#1, :1)", "{\"S\":\"SITE#CH#\"}"},
        {ordna_begins_with(site(3)), "#1 = :1", "{\"S\":\"SITE#CH#Zurich#EMP#000007\"}"},
        {ordna_less(site(1)), "#1 < :1", "{\"S\":\"SITE#CH#\"}"},
        {ordna_less(site(3)), "#1 < :1", "000007\"}"},
        {ordna_less_equal(site(1)), "#1 < :1", "{\"S\":\"SITE#CH$\"}"},
        {ordna_less_equal(site(2)), "#1 < :1", "{\"S\":\"SITE#CH#Zurich#EMP$\"}"},
        {ordna_less_equal(site(3)), "#1 <= :1", "000007\"}"},
        {ordna_greater(site(1)), "#1 >= :1", "{\"S\":\"SITE#CH$\"}"},
        {ordna_greater(site(3)), "#1 > :1", "000007\"}"},
        {ordna_greater_equal(site(1)), "#1 >= :1", "{\"S\":\"SITE#CH#\"}"},
        {ordna_greater_equal(site(3)), "#1 >= :1", "000007\"}"},
        {ordna_between(site(1), site(2)), "#1 BETWEEN :1 AND :2",
         "\":1\":{\"S\":\"SITE#CH#\"},\":2\":{\"S\":\"SITE#CH#Zurich#EMP$\"}"},
        {ordna_between(site(3), site(3)), "#1 BETWEEN :1 AND :2", "EMP#000007\"},\":2\""},
        {ordna_greater(emoji), "#1 >= :1", "{\"S\":\"SITE#\xF4\x8F\xBF\xBF$\"}"},
        {ordna_less(none), NULL, NULL},
        {ordna_less(key_of(&employee_entity, 0, false, NULL, 0)), NULL, NULL},
        {ordna_less(key_of(&employee_entity, 1, true, NULL, 0)), NULL, NULL},
        {ordna_less(site(0)), "#1 < :1", "{\"S\":\"SITE#\"}"},
        {{.op = ORDNA_LESS}, NULL, NULL},
        {{.op = (ordna_sort_op)99, .low = site(1)}, NULL, NULL},
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const ordna_query query = {.partition = PK(employee_entity, ordna_of_string("acme")),
                                   .sort = rows[i].sort};
        ordna_page page;
        check_status(i, fixture->session,
                     ordna_query_page(fixture->session, &employee_entity, &query, &page),
                     rows[i].condition == NULL ? ORDNA_BAD_ARGUMENT : ORDNA_OK);
        if (rows[i].condition != NULL) {
            check_sent(i, rows[i].condition);
            check_sent(i, rows[i].values);
        }
    }
}

// A value whose last character has no successor, and templates without text between fields.
static const ordna_field glued_fields[] = {{.name = "A", .type = ORDNA_STRING},
                                           {.name = "B", .type = ORDNA_STRING}};
static const ordna_segment glued_segments[] = {{"", 0, 0, 0}, {"", 1, 0, 0}};
static const ordna_template glued_templates[] = {{"pk", ORDNA_STRING, glued_segments, 1},
                                                 {"sk", ORDNA_STRING, glued_segments, 2}};
static const ordna_index glued_index[] = {{NULL, &glued_templates[0], &glued_templates[1]}};
static const ordna_entity glued = {.table = &shop,
                                   .name = "Glued",
                                   .discriminator = "GLUED",
                                   .size = 2 * sizeof(const char *),
                                   .fields = glued_fields,
                                   .field_count = 2,
                                   .keys = glued_index,
                                   .key_count = 1};

static void successors_are_of_characters(void **state)
{
    static const struct {
        const char *text;
        const char *successor; // NULL: there is none
    } rows[] = {
        {"a", "{\"S\":\"b\"}"},
        {"\x7F", "{\"S\":\"\xC2\x80\"}"},
        {"\xDF\xBF", "{\"S\":\"\xE0\xA0\x80\"}"},
        {"\xED\x9F\xBF", "{\"S\":\"\xEE\x80\x80\"}"},
        {"\xEF\xBF\xBF", "{\"S\":\"\xF0\x90\x80\x80\"}"},
        {"a\xF4\x8F\xBF\xBF", "{\"S\":\"b\"}"},
        {"\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF", NULL},
    };
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const ordna_value value = ordna_of_string(rows[i].text);
        const ordna_query query = {
            .partition = key_of(&glued, 0, false, &value, 1),
            .sort = ordna_greater(key_of(&glued, 0, true, &value, 1)),
        };
        ordna_page page;
        check_status(i, fixture->session, ordna_query_page(fixture->session, &glued, &query, &page),
                     rows[i].successor == NULL ? ORDNA_BAD_ARGUMENT : ORDNA_OK);
        if (rows[i].successor != NULL) {
            check_sent(i, rows[i].successor);
        }
    }
}

static void queries_that_make_no_sense_are_not_sent(void **state)
{
    const ordna_key partition = PK(employee_entity, ordna_of_string("acme"));
    const ordna_key two[] = {partition, key_of(&employee_entity, 1, false, partition.values, 1)};
    const char *const unknown[] = {"Nobody"};
    const ordna_read read = {.fields = unknown, .field_count = 1};
    const struct {
        ordna_query query;
        const char *message;
    } rows[] = {
        {{.limit = 0}, "has no partition key"},
        {{.partitions = two}, "has no partition key"},
        {{.partition = site(3)}, "has no partition key"},
        {{.partition = key_of(&employee_entity, 0, false, NULL, 0)}, "lacks fields"},
        {{.partition = PK(reading_entity, ordna_of_bytes("a", 1))}, "another table"},
        {{.partitions = two, .partition_count = 2}, "several indexes"},
        {{.partition = partition, .limit = -1}, "negative limit"},
        {{.partition = partition, .from = "nonsense"}, "no page's next"},
        {{.partition = partition, .from = "{}}"}, "no page's next"},
        {{.partition = partition, .read = &read}, "Nobody is no field"},
    };
    struct fixture *fixture = *state;
    const size_t calls = script.calls;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        ordna_page page;
        check_status(i, fixture->session,
                     ordna_query_page(fixture->session, &employee_entity, &rows[i].query, &page),
                     ORDNA_BAD_ARGUMENT);
        check_message(i, fixture->session, rows[i].message);
    }
    assert_int_equal(script.calls, calls);
}

static void options_of_a_query_are_sent(void **state)
{
    static const char *const fields[] = {"Nick", "Nick", "Number"};
    struct fixture *fixture = *state;
    const ordna_read read = {.consistent = true, .fields = fields, .field_count = 3};
    const ordna_expression filter = expression("{Number} > :n");
    const ordna_value city = ordna_of_string("Zurich");
    const ordna_query query = {.partition = key_of(&employee_entity, 1, false, &city, 1),
                               .filter = &filter,
                               .read = &read,
                               .limit = 10,
                               .descending = true,
                               .from = "{\"pk\":{\"S\":\"x\"}}"};
    ordna_page page;
    check_status(0, fixture->session,
                 ordna_query_page(fixture->session, &employee_entity, &query, &page), ORDNA_OK);
    assert_string_equal(
        script.body,
        "{\"TableName\":\"shop\",\"IndexName\":\"by_city\",\"KeyConditionExpression\":\"#0 = :0\","
        "\"FilterExpression\":\"(#1 > :1)\",\"ProjectionExpression\":\"#2,#3,#4,#5,#6,#7,#8\","
        "\"ConsistentRead\":true,\"Limit\":10,\"ScanIndexForward\":false,"
        "\"ExpressionAttributeNames\":{\"#0\":\"gpk\",\"#1\":\"Number\",\"#2\":\"Type\","
        "\"#3\":\"pk\",\"#4\":\"sk\",\"#5\":\"gpk\",\"#6\":\"gsk\",\"#7\":\"Nick\","
        "\"#8\":\"Number\"},\"ExpressionAttributeValues\":{\":0\":{\"S\":\"CITY#Zurich\"},"
        "\":1\":{\"N\":\"5\"}},\"ExclusiveStartKey\":{\"pk\":{\"S\":\"x\"}}}");
}

// --- Items --------------------------------------------------------------------------------------

static void items_that_cannot_be_written_are_not_sent(void **state)
{
    static const char *const holes[] = {"a", NULL};
    const all whole = {.id = "a", .price = "1", .blob = {"", 0}};
    all rows[10];
    static const struct {
        ordna_status status;
        const char *field;
    } wanted[] = {
        {ORDNA_KEY_FORMAT, "Id"},      {ORDNA_BAD_ARGUMENT, "Price"},
        {ORDNA_BAD_ARGUMENT, "Price"}, {ORDNA_BAD_ARGUMENT, "Real"},
        {ORDNA_BAD_ARGUMENT, "Blob"},  {ORDNA_BAD_ARGUMENT, "At"},
        {ORDNA_BAD_ARGUMENT, "Names"}, {ORDNA_BAD_ARGUMENT, "Names"},
        {ORDNA_BAD_ARGUMENT, "Reals"}, {ORDNA_OK, NULL},
    };
    static const double one[] = {1};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        rows[i] = whole;
    }
    rows[0].id = NULL;
    rows[1].price = NULL;
    rows[2].price = "1,5";
    rows[3].real = 1.0 / 0.0;
    rows[4].blob.ptr = NULL;
    rows[5].at = INT64_MIN;
    rows[6].names = (ordna_string_list){holes, 2};
    rows[7].names = (ordna_string_list){NULL, 1};
    rows[8].reals = (ordna_double_map){one, 1, NULL};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_status(i, fixture->session, ordna_put(fixture->session, &all_entity, &rows[i], NULL),
                     wanted[i].status);
        if (wanted[i].field != NULL) {
            assert_string_equal(ordna_session_error(fixture->session)->field, wanted[i].field);
        }
    }
}

static void an_absent_field_keeps_an_item_out_of_the_index(void **state)
{
    struct fixture *fixture = *state;
    employee e = {.org = "acme", .country = "CH", .city = "Zurich", .number = 7};
    check_status(0, fixture->session, ordna_put(fixture->session, &employee_entity, &e, NULL),
                 ORDNA_OK);
    assert_string_equal(script.body,
                        "{\"TableName\":\"shop\",\"Item\":{\"Type\":{\"S\":\"EMPLOYEE\"},"
                        "\"pk\":{\"S\":\"ORG#acme\"},\"sk\":{\"S\":\"SITE#CH#Zurich#EMP#000007\"},"
                        "\"Org\":{\"S\":\"acme\"},\"Country\":{\"S\":\"CH\"},"
                        "\"City\":{\"S\":\"Zurich\"},\"Number\":{\"N\":\"7\"}}}");
    e.nick = "al";
    check_status(1, fixture->session, ordna_put(fixture->session, &employee_entity, &e, NULL),
                 ORDNA_OK);
    check_sent(1, "\"gpk\":{\"S\":\"CITY#Zurich\"},\"gsk\":{\"S\":\"al\"}");
    e.nick = "";
    check_status(2, fixture->session, ordna_put(fixture->session, &employee_entity, &e, NULL),
                 ORDNA_KEY_FORMAT);
    assert_string_equal(ordna_session_error(fixture->session)->field, "Nick");
}

static void a_field_that_is_the_key_is_written_once(void **state)
{
    struct fixture *fixture = *state;
    reading r = {.sensor = {"ab", 2}, .at = -5, .value = 0.5};
    check_status(0, fixture->session, ordna_put(fixture->session, &reading_entity, &r, NULL),
                 ORDNA_OK);
    assert_string_equal(script.body,
                        "{\"TableName\":\"readings\",\"Item\":{\"Type\":{\"S\":\"READING\"},"
                        "\"Sensor\":{\"B\":\"YWI=\"},\"At\":{\"N\":\"-5\"},"
                        "\"Value\":{\"N\":\"0.5\"}}}");
    r.sensor.len = 0;
    check_status(1, fixture->session, ordna_put(fixture->session, &reading_entity, &r, NULL),
                 ORDNA_KEY_FORMAT);
    r.sensor.ptr = NULL;
    check_status(2, fixture->session, ordna_put(fixture->session, &reading_entity, &r, NULL),
                 ORDNA_KEY_FORMAT);
}

static void what_could_not_be_read_again_is_refused(void **state)
{
    struct fixture *fixture = *state;
    account a = {.id = "a", .expires = INT64_MIN, .has_expires = true};
    check_status(0, fixture->session, ordna_put(fixture->session, &account_entity, &a, NULL),
                 ORDNA_BAD_ARGUMENT);
    assert_string_equal(ordna_session_error(fixture->session)->field, "Expires");
    a.expires = INT64_MIN / 1000 * 1000;
    check_status(1, fixture->session, ordna_put(fixture->session, &account_entity, &a, NULL),
                 ORDNA_OK);
}

static void texts_that_are_not_there_are_refused(void **state)
{
    struct fixture *fixture = *state;
    const account a = {.id = "a"};
    const ordna_argument nameless = {NULL, ordna_of_int(1)};
    const ordna_expression rows[] = {{NULL, NULL, 0}, {"SET Balance = :x", &nameless, 1}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_status(i, fixture->session,
                     ordna_delete(fixture->session, &account_entity, &a, &rows[i]),
                     ORDNA_BAD_ARGUMENT);
        check_status(i, fixture->session,
                     ordna_update(fixture->session, &account_entity, &a, &rows[i], NULL, NULL),
                     ORDNA_BAD_ARGUMENT);
    }
    account out;
    check_status(2, fixture->session,
                 ordna_key_parse(fixture->session, &account_entity,
                                 account_entity.keys[0].partition, NULL, &out),
                 ORDNA_KEY_FORMAT);
}

static void versions_that_no_item_has_are_refused(void **state)
{
    struct fixture *fixture = *state;
    account a = {.id = "a", .version = -1};
    check_status(0, fixture->session, ordna_put(fixture->session, &account_entity, &a, NULL),
                 ORDNA_BAD_ARGUMENT);
    a.version = INT64_MAX;
    check_status(1, fixture->session, ordna_put(fixture->session, &account_entity, &a, NULL),
                 ORDNA_BAD_ARGUMENT);
    assert_int_equal(a.version, INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_of_no_field_are_refused),
        cmocka_unit_test(fields_of_keys_cannot_be_changed),
        cmocka_unit_test(updates_are_written_with_what_makes_an_item_whole),
        cmocka_unit_test(two_expressions_may_have_arguments_of_one_name),
        cmocka_unit_test(values_of_all_shapes_are_arguments),
        cmocka_unit_test(leading_fields_are_one_comparison),
        cmocka_unit_test(successors_are_of_characters),
        cmocka_unit_test(queries_that_make_no_sense_are_not_sent),
        cmocka_unit_test(options_of_a_query_are_sent),
        cmocka_unit_test(items_that_cannot_be_written_are_not_sent),
        cmocka_unit_test(an_absent_field_keeps_an_item_out_of_the_index),
        cmocka_unit_test(a_field_that_is_the_key_is_written_once),
        cmocka_unit_test(versions_that_no_item_has_are_refused),
        cmocka_unit_test(what_could_not_be_read_again_is_refused),
        cmocka_unit_test(texts_that_are_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
