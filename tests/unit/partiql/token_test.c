#include "support.h"

static const char key[] = "{pk: 'a', sk: -1.5, other: x'00FF'}";

static od_str write_token(od_ctx *cx, uint64_t fingerprint, size_t read, const char *notation)
{
    struct od_select_position position = {.read = read};
    if (notation != NULL) {
        position.key = value_of(cx, notation);
    }
    return od_partiql_token_write(cx->arena, fingerprint, &position);
}

static void check_bad(const char *what, od_ctx *cx, od_str token)
{
    struct od_select_position position = {0};
    check_message(what, cx, od_partiql_token_read(cx, token, 7, &position), OD_VALIDATION,
                  "Invalid NextToken");
}

static void what_is_no_token_is_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "x",
                                        "AAAA",
                                        "AQ==",
                                        "AQAAAAAAAAAAAAAAAAAAAAA=",
                                        "not base64!",
                                        "////////",
                                        " ",
                                        "====",
                                        "AQAAAAAAAAAAAAAAAAAAAAAAAA=="};
    for (size_t i = 0; i < OD_COUNT(texts); i++) {
        check_bad(texts[i], *state, od_cstr(texts[i]));
    }
}

static void every_changed_or_missing_character_is_noticed(void **state)
{
    od_ctx *cx = *state;
    od_str token = write_token(cx, 7, 3, key);
    for (size_t i = 0; i < token.len; i++) {
        check_bad("a shorter one", cx, (od_str){token.ptr, i});
        for (int bit = 0; bit < 8; bit++) {
            struct od_buf changed = {.arena = cx->arena};
            od_buf_put(&changed, (od_str){token.ptr, i});
            od_buf_put_byte(&changed, (unsigned char)(token.ptr[i] ^ (1 << bit)));
            od_buf_put(&changed, od_str_skip(token, i + 1));
            struct od_select_position position = {0};
            od_status status = od_partiql_token_read(cx, od_buf_str(&changed), 7, &position);
            check_message("a changed one", cx, status, OD_VALIDATION, NULL);
        }
    }
    struct od_buf longer = {.arena = cx->arena};
    od_buf_printf(&longer, "%.*sAAAA", OD_STR_ARG(token));
    check_bad("a longer one", cx, od_buf_str(&longer));
}

static void a_token_of_another_request_is_told_from_rubbish(void **state)
{
    od_ctx *cx = *state;
    struct od_select_position position = {0};
    check_message("another", cx,
                  od_partiql_token_read(cx, write_token(cx, 8, 0, key), 7, &position),
                  OD_VALIDATION, "NextToken does not match request");
}

static void reads_are_no_more_than_a_statement_has(void **state)
{
    od_ctx *cx = *state;
    struct od_select_position position = {0};
    check_ok("the last", cx,
             od_partiql_token_read(cx, write_token(cx, 7, OD_PARTIQL_MAX_READS - 1, NULL), 7,
                                   &position));
    check_bad("one more", cx, write_token(cx, 7, OD_PARTIQL_MAX_READS, NULL));
    check_bad("many", cx, write_token(cx, 7, 0xFFFF, NULL));
}

static void keys_are_maps(void **state)
{
    od_ctx *cx = *state;
    static const char *const values[] = {"'a'", "[1]", "null", "<1>"};
    for (size_t i = 0; i < OD_COUNT(values); i++) {
        check_bad(values[i], cx, write_token(cx, 7, 0, values[i]));
    }
}

static void what_is_written_is_read(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        uint64_t fingerprint;
        size_t read;
        const char *key;
    } rows[] = {{0, 0, "{}"}, {7, 3, key}, {UINT64_MAX, 49, NULL}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_str token = write_token(cx, rows[i].fingerprint, rows[i].read, rows[i].key);
        struct od_select_position position = {0};
        check_ok("a token", cx, od_partiql_token_read(cx, token, rows[i].fingerprint, &position));
        check_size("read", position.read, rows[i].read);
        check_value("key", cx, position.key, rows[i].key);
    }
}

static uint64_t fingerprint(od_ctx *cx, uint64_t seed, const char *text, const char *parameters)
{
    od_value list = value_of(cx, parameters);
    od_value *values = od_new_array(cx->arena, od_value, od_value_count(list));
    size_t count = 0;
    for (struct od_iter it = od_iter(list); od_iter_next(&it);) {
        values[count++] = it.value;
    }
    return od_partiql_fingerprint(seed, od_cstr(text), values, count);
}

static void fingerprints_differ_with_all_that_they_cover(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        uint64_t seed;
        const char *text;
        const char *parameters;
    } rows[] = {
        {0, "SELECT", "[]"},           {0, "SELECT ", "[]"},         {1, "SELECT", "[]"},
        {0, "SELECT", "[null]"},       {0, "SELECT", "['']"},        {0, "SELECT", "['a', 'b']"},
        {0, "SELECT", "['b', 'a']"},   {0, "SELECT", "['ab']"},      {0, "SELECT", "[x'6162']"},
        {0, "SELECT", "[['a', 'b']]"}, {0, "SELECT", "['a', 'bc']"}, {0, "SELECT", "['ab', 'c']"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        uint64_t one = fingerprint(cx, rows[i].seed, rows[i].text, rows[i].parameters);
        for (size_t j = 0; j < OD_COUNT(rows); j++) {
            uint64_t other = fingerprint(cx, rows[j].seed, rows[j].text, rows[j].parameters);
            check_bool(rows[i].parameters, one == other, i == j);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_token_is_refused),
        TEST(every_changed_or_missing_character_is_noticed),
        TEST(a_token_of_another_request_is_told_from_rubbish),
        TEST(reads_are_no_more_than_a_statement_has),
        TEST(keys_are_maps),
        TEST(what_is_written_is_read),
        TEST(fingerprints_differ_with_all_that_they_cover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
