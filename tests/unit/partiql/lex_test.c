#include "support.h"

#include "partiql/parse/syntax.h"

static void check_bad(od_ctx *cx, const char *text)
{
    const struct od_ql_token *tokens = NULL;
    check_message(text, cx, od_ql_lex(cx, od_cstr(text), &tokens), OD_VALIDATION,
                  "Statement wasn't well formed, can't be processed: ");
}

static void what_begins_no_token_or_does_not_end_is_refused(void **state)
{
    static const char *const texts[] = {
        "#",     "a # b", "`1`",  "a @ b",  "!",      "a | b", "^",        "\\",
        "'open", "\"",    "'a''", "/* a",   "/* a *", "/*/",   "\xC3\xA4", "a \x01",
        "1a",    "1e",    "1e+",  "1.5e-x", "1_0",    "1$",    "0x5",      "~",
    };
    for (size_t i = 0; i < OD_COUNT(texts); i++) {
        check_bad(*state, texts[i]);
    }
}

struct row {
    const char *text;
    const char *kinds; // a letter for each token
};

// The letters of kinds, in the order of the enumeration.
static const char letters[] = "$nqsd?w()[]{}<>,.:;*+-=!LlGgo#";

static void check_kinds(od_ctx *cx, const struct row *row)
{
    const struct od_ql_token *token = NULL;
    check_ok(row->text, cx, od_ql_lex(cx, od_cstr(row->text), &token));
    struct od_buf got = {.arena = cx->arena};
    for (; token->kind != OD_QL_TOK_END; token++) {
        od_buf_put_byte(&got, (unsigned char)letters[token->kind]);
    }
    check_str(row->text, od_buf_str(&got), row->kinds);
}

static void texts_fall_into_tokens(void **state)
{
    static const struct row rows[] = {
        {"", ""},
        {" \t\r\n\v\f", ""},
        {"-- all of it", ""},
        {"/* all *** of it */", ""},
        {"a--b\nc", "nn"},
        {"a/**/b", "nn"},
        {"_a $b c9", "nnn"},
        {"\"a b\" \"a\"\"b\" \"\"", "qqq"},
        {"'a' 'it''s' ''", "sss"},
        {"1 1.5 .5 1. 1e5 1E+5 1.5e-3 007", "dddddddd"},
        {"1.2.3", "dd"},
        {"a.5", "nd"},
        {"1e2147483647 1e-99999999999999999999", "dd"},
        {"SELECT sElEcT selects", "wwn"},
        {"<<1>>", "<d>"},
        {"<> != < <= > >= =", "!!LlGg="},
        {"( ) [ ] { } , . : * + - ?", "()[]{},.:*+-?"},
        {"a/b % c || d", "nononon"},
        {"a;", "n"},
        {"a ; -- end", "n"},
        {"a;b", "n;n"},
        {"a;;", "n;"},
        {"n>-5", "nG-d"},
        {"n=?", "n=?"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_kinds(*state, &rows[i]);
    }
}

static void reserved_words_are_known_in_any_case_of_letters(void **state)
{
    (void)state;
    static const char *const reserved[] = {
        "select",           "Size", "VALUE", "pad",      "inner", "zone",
        "missing",          "blob", "date",  "absolute", "user",  "order",
        "current_timestamp"};
    static const char *const free_words[] = {"artist", "year",  "name",   "data",
                                             "status", "title", "second", "a"};
    enum od_ql_word word = OD_QL_WORD_OTHER;
    for (size_t i = 0; i < OD_COUNT(reserved); i++) {
        check_bool(reserved[i], od_ql_is_reserved(od_cstr(reserved[i]), &word), true);
    }
    for (size_t i = 0; i < OD_COUNT(free_words); i++) {
        check_bool(free_words[i], od_ql_is_reserved(od_cstr(free_words[i]), &word), false);
    }
    check_bool("a long word", od_ql_is_reserved(OD_STR("character_length_of"), &word), false);
}

static void quotes_come_off_and_doubled_ones_become_single(void **state)
{
    od_ctx *cx = *state;
    static const struct {
        const char *quoted;
        const char *text;
    } rows[] = {
        {"''", ""}, {"'a'", "a"}, {"''''", "'"}, {"'it''s'", "it's"}, {"\"a\"\"b'\"", "a\"b'"}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_str(rows[i].quoted, od_ql_unquote(cx->arena, od_cstr(rows[i].quoted)), rows[i].text);
    }
}

static void places_count_lines_and_characters_from_one(void **state)
{
    od_ctx *cx = *state;
    od_str text = OD_STR("ab '\xC3\xA4\xE2\x82\xAC' cd\n\nef");
    static const struct {
        size_t at;
        size_t len;
        const char *place;
    } rows[] = {{0, 2, " at 1:1:2"},
                {3, 7, " at 1:4:4"},
                {11, 2, " at 1:9:2"},
                {15, 2, " at 3:1:2"},
                {17, 0, " at 3:3:0"}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_str piece = {text.ptr + rows[i].at, rows[i].len};
        check_str(rows[i].place, od_ql_place(cx->arena, text, piece), rows[i].place);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_begins_no_token_or_does_not_end_is_refused),
        TEST(texts_fall_into_tokens),
        TEST(reserved_words_are_known_in_any_case_of_letters),
        TEST(quotes_come_off_and_doubled_ones_become_single),
        TEST(places_count_lines_and_characters_from_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
