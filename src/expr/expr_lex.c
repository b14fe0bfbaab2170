#include "expr/expr_internal.h"

static const struct {
    od_str text;
    enum od_tok kind;
    enum od_grammar grammar;
} keywords[] = {
    {OD_STR_INIT("AND"), OD_TOK_AND, OD_GRAMMAR_CONDITION},
    {OD_STR_INIT("OR"), OD_TOK_OR, OD_GRAMMAR_CONDITION},
    {OD_STR_INIT("NOT"), OD_TOK_NOT, OD_GRAMMAR_CONDITION},
    {OD_STR_INIT("BETWEEN"), OD_TOK_BETWEEN, OD_GRAMMAR_CONDITION},
    {OD_STR_INIT("IN"), OD_TOK_IN, OD_GRAMMAR_CONDITION},
    {OD_STR_INIT("SET"), OD_TOK_SET, OD_GRAMMAR_UPDATE},
    {OD_STR_INIT("REMOVE"), OD_TOK_REMOVE, OD_GRAMMAR_UPDATE},
    {OD_STR_INIT("ADD"), OD_TOK_ADD, OD_GRAMMAR_UPDATE},
    {OD_STR_INIT("DELETE"), OD_TOK_DELETE, OD_GRAMMAR_UPDATE},
};

// Longer ones before those that they begin with.
static const struct {
    od_str text;
    enum od_tok kind;
} symbols[] = {
    {OD_STR_INIT("<>"), OD_TOK_NE},      {OD_STR_INIT("<="), OD_TOK_LE},
    {OD_STR_INIT(">="), OD_TOK_GE},      {OD_STR_INIT("<"), OD_TOK_LT},
    {OD_STR_INIT(">"), OD_TOK_GT},       {OD_STR_INIT("="), OD_TOK_EQ},
    {OD_STR_INIT("("), OD_TOK_LPAREN},   {OD_STR_INIT(")"), OD_TOK_RPAREN},
    {OD_STR_INIT("["), OD_TOK_LBRACKET}, {OD_STR_INIT("]"), OD_TOK_RBRACKET},
    {OD_STR_INIT(","), OD_TOK_COMMA},    {OD_STR_INIT("."), OD_TOK_DOT},
    {OD_STR_INIT("+"), OD_TOK_PLUS},     {OD_STR_INIT("-"), OD_TOK_MINUS},
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c)
{
    return is_letter(c) || is_digit(c) || c == '_';
}

// How many bytes at the front of `s`, from the `at`th on, are all as `is` says.
static size_t run_end(od_str s, size_t at, bool (*is)(char))
{
    while (at < s.len && is(s.ptr[at])) {
        at++;
    }
    return at;
}

// A bare name begins with a letter or _, but in an update expression with a letter alone.
static bool begins_word(const struct od_lexer *lexer, char c)
{
    return is_letter(c) || (c == '_' && lexer->grammar != OD_GRAMMAR_UPDATE);
}

static struct od_token take(struct od_lexer *lexer, enum od_tok kind, size_t len)
{
    struct od_token token = {kind, {lexer->rest.ptr, len}};
    lexer->rest = od_str_skip(lexer->rest, len);
    return token;
}

static enum od_tok word_kind(const struct od_lexer *lexer, od_str word)
{
    for (size_t i = 0; i < OD_COUNT(keywords); i++) {
        if (keywords[i].grammar == lexer->grammar && od_str_eq_nocase(word, keywords[i].text)) {
            return keywords[i].kind;
        }
    }
    return OD_TOK_NAME;
}

static struct od_token take_word(struct od_lexer *lexer)
{
    size_t len = run_end(lexer->rest, 1, is_word);
    return take(lexer, word_kind(lexer, (od_str){lexer->rest.ptr, len}), len);
}

// One character that no token begins with: all of its bytes, since a message will show it.
static struct od_token take_unknown(struct od_lexer *lexer)
{
    size_t len = 1;
    while (len < lexer->rest.len && ((unsigned char)lexer->rest.ptr[len] & 0xC0) == 0x80) {
        len++;
    }
    return take(lexer, OD_TOK_UNKNOWN, len);
}

static struct od_token take_placeholder(struct od_lexer *lexer, enum od_tok kind)
{
    size_t len = run_end(lexer->rest, 1, is_word);
    return len == 1 ? take_unknown(lexer) : take(lexer, kind, len);
}

static struct od_token take_symbol(struct od_lexer *lexer)
{
    for (size_t i = 0; i < OD_COUNT(symbols); i++) {
        if (od_str_has_prefix(lexer->rest, symbols[i].text)) {
            return take(lexer, symbols[i].kind, symbols[i].text.len);
        }
    }
    return take_unknown(lexer);
}

struct od_token od_lexer_next(struct od_lexer *lexer)
{
    lexer->rest = od_str_skip(lexer->rest, run_end(lexer->rest, 0, is_blank));
    if (lexer->rest.len == 0) {
        return take(lexer, OD_TOK_END, 0);
    }
    char first = lexer->rest.ptr[0];
    if (begins_word(lexer, first)) {
        return take_word(lexer);
    }
    if (is_digit(first)) {
        return take(lexer, OD_TOK_INTEGER, run_end(lexer->rest, 1, is_digit));
    }
    if (first == '#') {
        return take_placeholder(lexer, OD_TOK_NAME_REF);
    }
    if (first == ':') {
        return take_placeholder(lexer, OD_TOK_VALUE_REF);
    }
    return take_symbol(lexer);
}
