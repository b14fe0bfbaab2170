#include "partiql/parse/syntax.h"

#include "base/buf.h"

// Longer ones before those that they begin with.
static const struct {
    od_str text;
    enum od_ql_tok kind;
} symbols[] = {
    {OD_STR_INIT("<<"), OD_QL_TOK_LBAG},    {OD_STR_INIT(">>"), OD_QL_TOK_RBAG},
    {OD_STR_INIT("<>"), OD_QL_TOK_NE},      {OD_STR_INIT("!="), OD_QL_TOK_NE},
    {OD_STR_INIT("<="), OD_QL_TOK_LE},      {OD_STR_INIT(">="), OD_QL_TOK_GE},
    {OD_STR_INIT("||"), OD_QL_TOK_OTHER},   {OD_STR_INIT("<"), OD_QL_TOK_LT},
    {OD_STR_INIT(">"), OD_QL_TOK_GT},       {OD_STR_INIT("="), OD_QL_TOK_EQ},
    {OD_STR_INIT("("), OD_QL_TOK_LPAREN},   {OD_STR_INIT(")"), OD_QL_TOK_RPAREN},
    {OD_STR_INIT("["), OD_QL_TOK_LBRACKET}, {OD_STR_INIT("]"), OD_QL_TOK_RBRACKET},
    {OD_STR_INIT("{"), OD_QL_TOK_LBRACE},   {OD_STR_INIT("}"), OD_QL_TOK_RBRACE},
    {OD_STR_INIT(","), OD_QL_TOK_COMMA},    {OD_STR_INIT("."), OD_QL_TOK_DOT},
    {OD_STR_INIT(":"), OD_QL_TOK_COLON},    {OD_STR_INIT(";"), OD_QL_TOK_SEMICOLON},
    {OD_STR_INIT("*"), OD_QL_TOK_STAR},     {OD_STR_INIT("+"), OD_QL_TOK_PLUS},
    {OD_STR_INIT("-"), OD_QL_TOK_MINUS},    {OD_STR_INIT("?"), OD_QL_TOK_PARAMETER},
    {OD_STR_INIT("/"), OD_QL_TOK_OTHER},    {OD_STR_INIT("%"), OD_QL_TOK_OTHER},
};

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_name(char c)
{
    return is_name_start(c) || is_digit(c);
}

static bool is_no_line_end(char c)
{
    return c != '\n' && c != '\r';
}

// How many bytes at the front of `s`, from the `at`th on, are all as `is` says.
static size_t run_end(od_str s, size_t at, bool (*is)(char))
{
    while (at < s.len && is(s.ptr[at])) {
        at++;
    }
    return at;
}

static bool is_at(od_str s, size_t at, char c)
{
    return at < s.len && s.ptr[at] == c;
}

static bool is_digit_at(od_str s, size_t at)
{
    return at < s.len && is_digit(s.ptr[at]);
}

// --- Blanks and comments ------------------------------------------------------------------------

// The length of the comment, 0 when there is none. One without an end is left to be a BAD token.
static size_t comment_len(od_str s)
{
    if (od_str_has_prefix(s, OD_STR("--"))) {
        return run_end(s, 2, is_no_line_end);
    }
    if (!od_str_has_prefix(s, OD_STR("/*"))) {
        return 0;
    }
    for (size_t i = 2; i + 1 < s.len; i++) {
        if (s.ptr[i] == '*' && s.ptr[i + 1] == '/') {
            return i + 2;
        }
    }
    return 0;
}

static od_str skip_blanks(od_str s)
{
    for (;;) {
        size_t len = run_end(s, 0, is_blank);
        len = len > 0 ? len : comment_len(s);
        if (len == 0) {
            return s;
        }
        s = od_str_skip(s, len);
    }
}

// --- Tokens -------------------------------------------------------------------------------------

static struct od_ql_token cut(od_str s, enum od_ql_tok kind, size_t len)
{
    return (struct od_ql_token){.kind = kind, .text = {s.ptr, len}};
}

static struct od_ql_token cut_bad(od_str s)
{
    return cut(s, OD_QL_TOK_BAD, s.len);
}

static struct od_ql_token cut_word(od_str s)
{
    struct od_ql_token token = cut(s, OD_QL_TOK_NAME, run_end(s, 0, is_name));
    if (od_ql_is_reserved(token.text, &token.word)) {
        token.kind = OD_QL_TOK_WORD;
    }
    return token;
}

static struct od_ql_token cut_quoted(od_str s, enum od_ql_tok kind)
{
    char quote = s.ptr[0];
    for (size_t i = 1; i < s.len; i++) {
        if (s.ptr[i] != quote) {
            continue;
        }
        if (!is_at(s, i + 1, quote)) {
            return cut(s, kind, i + 1);
        }
        i++;
    }
    return cut_bad(s);
}

static struct od_ql_token cut_number(od_str s)
{
    size_t at = run_end(s, 0, is_digit);
    if (is_at(s, at, '.')) {
        at = run_end(s, at + 1, is_digit);
    }
    if (is_at(s, at, 'e') || is_at(s, at, 'E')) {
        size_t digits = at + 1 + (is_at(s, at + 1, '-') || is_at(s, at + 1, '+'));
        at = run_end(s, digits, is_digit);
        if (at == digits) {
            return cut_bad(s);
        }
    }
    bool ends = at == s.len || !is_name(s.ptr[at]);
    return ends ? cut(s, OD_QL_TOK_NUMBER, at) : cut_bad(s);
}

static struct od_ql_token cut_symbol(od_str s)
{
    if (od_str_has_prefix(s, OD_STR("/*"))) {
        return cut_bad(s);
    }
    for (size_t i = 0; i < OD_COUNT(symbols); i++) {
        if (od_str_has_prefix(s, symbols[i].text)) {
            return cut(s, symbols[i].kind, symbols[i].text.len);
        }
    }
    return cut_bad(s);
}

// `s` has no blanks in front.
static struct od_ql_token cut_token(od_str s)
{
    if (s.len == 0) {
        return cut(s, OD_QL_TOK_END, 0);
    }
    if (is_name_start(s.ptr[0])) {
        return cut_word(s);
    }
    if (s.ptr[0] == '"') {
        return cut_quoted(s, OD_QL_TOK_QUOTED);
    }
    if (s.ptr[0] == '\'') {
        return cut_quoted(s, OD_QL_TOK_STRING);
    }
    if (is_digit(s.ptr[0]) || (s.ptr[0] == '.' && is_digit_at(s, 1))) {
        return cut_number(s);
    }
    return cut_symbol(s);
}

static struct od_ql_token next_token(od_str *rest)
{
    od_str s = skip_blanks(*rest);
    struct od_ql_token token = cut_token(s);
    *rest = od_str_skip(s, token.text.len);
    // One semicolon may end a statement.
    if (token.kind == OD_QL_TOK_SEMICOLON && skip_blanks(*rest).len == 0) {
        token.kind = OD_QL_TOK_END;
    }
    return token;
}

// Tokens up to END or the first BAD one, each counted.
static size_t count_tokens(od_str text)
{
    size_t count = 1;
    struct od_ql_token token = next_token(&text);
    while (token.kind != OD_QL_TOK_END && token.kind != OD_QL_TOK_BAD) {
        token = next_token(&text);
        count++;
    }
    return count;
}

od_status od_ql_lex(od_ctx *cx, od_str text, const struct od_ql_token **out)
{
    size_t count = count_tokens(text);
    struct od_ql_token *tokens = od_new_array(cx->arena, struct od_ql_token, count);
    for (size_t i = 0; i < count; i++) {
        tokens[i] = next_token(&text);
    }
    if (tokens[count - 1].kind == OD_QL_TOK_BAD) {
        return od_ql_malformed(cx, "");
    }
    *out = tokens;
    return OD_OK;
}

od_str od_ql_unquote(od_arena *arena, od_str quoted)
{
    char quote = quoted.ptr[0];
    struct od_buf out = {.arena = arena};
    (void)od_buf_reserve(&out, quoted.len);
    for (size_t i = 1; i + 1 < quoted.len; i++) {
        od_buf_put_byte(&out, (unsigned char)quoted.ptr[i]);
        i += quoted.ptr[i] == quote;
    }
    return od_buf_str(&out);
}

// --- Places -------------------------------------------------------------------------------------

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

static size_t count_characters(od_str s)
{
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++) {
        count += begins_character(s.ptr[i]);
    }
    return count;
}

// What of `s` stands after its last line break; `line` counts the breaks.
static od_str last_line(od_str s, size_t *line)
{
    size_t start = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '\n') {
            (*line)++;
            start = i + 1;
        }
    }
    return od_str_skip(s, start);
}

od_str od_ql_place(od_arena *arena, od_str text, od_str piece)
{
    size_t line = 1;
    od_str before = {text.ptr, (size_t)(piece.ptr - text.ptr)};
    size_t column = count_characters(last_line(before, &line)) + 1;
    return od_arena_printf(arena, " at %zu:%zu:%zu", line, column, count_characters(piece));
}
