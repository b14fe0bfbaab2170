// Expressions: terms, and operators by precedence.
#include "partiql/parse/syntax.h"

#include "base/buf.h"

#include <assert.h>

enum precedence {
    PREC_NONE,
    PREC_OR,
    PREC_AND,
    PREC_NOT,
    PREC_EQUITY,
    PREC_ORDER,
    PREC_SUM,
};

// Operators between terms. A word's row has no token, a symbol's row no word.
struct infix {
    enum od_ql_tok tok;
    enum od_ql_word word;
    enum precedence precedence;
    enum od_ql_node_kind kind;
};
static const struct infix infixes[] = {
    {OD_QL_TOK_WORD, OD_QL_WORD_OR, PREC_OR, OD_QL_OR},
    {OD_QL_TOK_WORD, OD_QL_WORD_AND, PREC_AND, OD_QL_AND},
    {OD_QL_TOK_WORD, OD_QL_WORD_IS, PREC_EQUITY, OD_QL_IS},
    {OD_QL_TOK_WORD, OD_QL_WORD_IN, PREC_EQUITY, OD_QL_IN},
    {OD_QL_TOK_WORD, OD_QL_WORD_BETWEEN, PREC_ORDER, OD_QL_BETWEEN},
    {OD_QL_TOK_WORD, OD_QL_WORD_LIKE, PREC_ORDER, OD_QL_LIKE},
    {OD_QL_TOK_EQ, OD_QL_WORD_OTHER, PREC_EQUITY, OD_QL_COMPARE},
    {OD_QL_TOK_NE, OD_QL_WORD_OTHER, PREC_EQUITY, OD_QL_COMPARE},
    {OD_QL_TOK_LT, OD_QL_WORD_OTHER, PREC_ORDER, OD_QL_COMPARE},
    {OD_QL_TOK_LE, OD_QL_WORD_OTHER, PREC_ORDER, OD_QL_COMPARE},
    {OD_QL_TOK_GT, OD_QL_WORD_OTHER, PREC_ORDER, OD_QL_COMPARE},
    {OD_QL_TOK_GE, OD_QL_WORD_OTHER, PREC_ORDER, OD_QL_COMPARE},
    {OD_QL_TOK_PLUS, OD_QL_WORD_OTHER, PREC_SUM, OD_QL_ARITHMETIC},
    {OD_QL_TOK_MINUS, OD_QL_WORD_OTHER, PREC_SUM, OD_QL_ARITHMETIC},
};

// Types that IS knows; of two words where there is a second one.
static const struct {
    od_str first;
    od_str second;
} types[] = {
    {OD_STR_INIT("MISSING"), {0}},
    {OD_STR_INIT("NULL"), {0}},
    {OD_STR_INIT("BOOL"), {0}},
    {OD_STR_INIT("BOOLEAN"), {0}},
    {OD_STR_INIT("SMALLINT"), {0}},
    {OD_STR_INIT("INT"), {0}},
    {OD_STR_INIT("INT4"), {0}},
    {OD_STR_INIT("INT8"), {0}},
    {OD_STR_INIT("INTEGER"), {0}},
    {OD_STR_INIT("FLOAT"), {0}},
    {OD_STR_INIT("REAL"), {0}},
    {OD_STR_INIT("DOUBLE"), OD_STR_INIT("PRECISION")},
    {OD_STR_INIT("DEC"), {0}},
    {OD_STR_INIT("DECIMAL"), {0}},
    {OD_STR_INIT("NUMERIC"), {0}},
    {OD_STR_INIT("TIMESTAMP"), {0}},
    {OD_STR_INIT("DATE"), {0}},
    {OD_STR_INIT("TIME"), {0}},
    {OD_STR_INIT("CHARACTER"), OD_STR_INIT("VARYING")},
    {OD_STR_INIT("CHARACTER"), {0}},
    {OD_STR_INIT("CHAR"), {0}},
    {OD_STR_INIT("VARCHAR"), {0}},
    {OD_STR_INIT("STRING"), {0}},
    {OD_STR_INIT("SYMBOL"), {0}},
    {OD_STR_INIT("CLOB"), {0}},
    {OD_STR_INIT("BLOB"), {0}},
    {OD_STR_INIT("STRUCT"), {0}},
    {OD_STR_INIT("TUPLE"), {0}},
    {OD_STR_INIT("LIST"), {0}},
    {OD_STR_INIT("SEXP"), {0}},
    {OD_STR_INIT("BAG"), {0}},
};

static od_status parse_above(struct od_ql_parser *p, enum precedence least,
                             struct od_ql_node **out);

// --- Nodes --------------------------------------------------------------------------------------

struct od_ql_node *od_ql_node_create(struct od_ql_parser *p, enum od_ql_node_kind kind, od_str text)
{
    struct od_ql_node *node = od_new(p->cx->arena, struct od_ql_node);
    *node = (struct od_ql_node){.kind = kind, .text = text, .height = 1};
    return node;
}

static od_status fail_depth(struct od_ql_parser *p)
{
    return od_ql_malformed(p->cx, "Statement is nested too deeply");
}

static od_status append(struct od_ql_parser *p, struct od_ql_node *parent, struct od_ql_node *child)
{
    assert(child != NULL);
    if (parent->last == NULL) {
        parent->first = child;
    } else {
        parent->last->next = child;
    }
    parent->last = child;
    parent->count++;
    if (child->height >= parent->height) {
        parent->height = child->height + 1;
    }
    return parent->height > OD_QL_MAX_DEPTH ? fail_depth(p) : OD_OK;
}

static od_status enter(struct od_ql_parser *p)
{
    return ++p->depth > OD_QL_MAX_DEPTH ? fail_depth(p) : OD_OK;
}

static void leave(struct od_ql_parser *p)
{
    p->depth--;
}

// --- Terms --------------------------------------------------------------------------------------

// One expression or more, with commas, up to the closing token, which is passed over.
static od_status parse_some(struct od_ql_parser *p, enum od_ql_tok closing, const char *detail,
                            struct od_ql_node *parent)
{
    do {
        struct od_ql_node *member = NULL;
        OD_TRY(od_ql_parse_expr(p, &member));
        OD_TRY(append(p, parent, member));
    } while (od_ql_take(p, OD_QL_TOK_COMMA));
    return od_ql_expect(p, closing, detail);
}

static od_status parse_members(struct od_ql_parser *p, enum od_ql_tok closing, const char *detail,
                               struct od_ql_node *parent)
{
    return od_ql_take(p, closing) ? OD_OK : parse_some(p, closing, detail, parent);
}

static od_status parse_collection(struct od_ql_parser *p, enum od_ql_node_kind kind,
                                  enum od_ql_tok closing, const char *detail,
                                  struct od_ql_node **out)
{
    *out = od_ql_node_create(p, kind, p->token->text);
    p->token++;
    return parse_members(p, closing, detail, *out);
}

static od_status parse_field(struct od_ql_parser *p, struct od_ql_node *tuple)
{
    struct od_ql_node *name = NULL;
    struct od_ql_node *value = NULL;
    OD_TRY(od_ql_parse_expr(p, &name));
    OD_TRY(od_ql_expect(p, OD_QL_TOK_COLON, "Expected COLON"));
    OD_TRY(od_ql_parse_expr(p, &value));
    OD_TRY(append(p, tuple, name));
    return append(p, tuple, value);
}

static od_status parse_tuple(struct od_ql_parser *p, struct od_ql_node **out)
{
    *out = od_ql_node_create(p, OD_QL_TUPLE, p->token->text);
    p->token++;
    if (od_ql_take(p, OD_QL_TOK_RBRACE)) {
        return OD_OK;
    }
    do {
        OD_TRY(parse_field(p, *out));
    } while (od_ql_take(p, OD_QL_TOK_COMMA));
    return od_ql_expect(p, OD_QL_TOK_RBRACE, "Expected RIGHT_CURLY");
}

static od_str lower_case(od_arena *arena, od_str s)
{
    struct od_buf out = {.arena = arena};
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        od_buf_put_byte(&out, (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c));
    }
    return od_buf_str(&out);
}

// The token is a name, and a parenthesis follows.
static od_status parse_call(struct od_ql_parser *p, struct od_ql_node **out)
{
    *out = od_ql_node_create(p, OD_QL_CALL, p->token->text);
    (*out)->name = lower_case(p->cx->arena, p->token->text);
    p->token += 2;
    if (od_ql_take(p, OD_QL_TOK_STAR)) { // COUNT(*)
        return od_ql_expect(p, OD_QL_TOK_RPAREN, "Expected RIGHT_PAREN");
    }
    return parse_members(p, OD_QL_TOK_RPAREN, "Expected RIGHT_PAREN", *out);
}

// (a) is a; (a, b) is a list.
static od_status parse_parens(struct od_ql_parser *p, struct od_ql_node **out)
{
    od_str text = p->token->text;
    p->token++;
    OD_TRY(od_ql_parse_expr(p, out));
    if (p->token->kind != OD_QL_TOK_COMMA) {
        return od_ql_expect(p, OD_QL_TOK_RPAREN, "Expected RIGHT_PAREN");
    }
    struct od_ql_node *list = od_ql_node_create(p, OD_QL_LIST, text);
    OD_TRY(append(p, list, *out));
    p->token++;
    *out = list;
    return parse_some(p, OD_QL_TOK_RPAREN, "Expected RIGHT_PAREN", list);
}

static od_status parse_leaf(struct od_ql_parser *p, enum od_ql_node_kind kind,
                            struct od_ql_node **out)
{
    *out = od_ql_node_create(p, kind, p->token->text);
    p->token++;
    return OD_OK;
}

static od_status parse_string(struct od_ql_parser *p, struct od_ql_node **out)
{
    OD_TRY(parse_leaf(p, OD_QL_STRING, out));
    (*out)->name = od_ql_unquote(p->cx->arena, (*out)->text);
    return OD_OK;
}

static od_status parse_parameter(struct od_ql_parser *p, struct od_ql_node **out)
{
    OD_TRY(parse_leaf(p, OD_QL_PARAMETER, out));
    (*out)->index = p->tree->parameter_count++;
    return OD_OK;
}

static od_status parse_bool(struct od_ql_parser *p, bool flag, struct od_ql_node **out)
{
    OD_TRY(parse_leaf(p, OD_QL_BOOL, out));
    (*out)->flag = flag;
    return OD_OK;
}

static bool begins_call(const struct od_ql_parser *p)
{
    return p->token[0].kind != OD_QL_TOK_END && p->token[1].kind == OD_QL_TOK_LPAREN;
}

// Where a term is due, and a word stands that begins none.
static od_status fail_word(struct od_ql_parser *p)
{
    switch (p->token->word) {
    case OD_QL_WORD_AND:
    case OD_QL_WORD_OR:
    case OD_QL_WORD_IS:
    case OD_QL_WORD_IN:
    case OD_QL_WORD_BETWEEN:
    case OD_QL_WORD_LIKE:
        return od_ql_malformed(p->cx, "Unexpected operator");
    default:
        return od_ql_malformed(p->cx, "Unexpected keyword");
    }
}

static od_status parse_word(struct od_ql_parser *p, struct od_ql_node **out)
{
    switch (p->token->word) {
    case OD_QL_WORD_TRUE:
        return parse_bool(p, true, out);
    case OD_QL_WORD_FALSE:
        return parse_bool(p, false, out);
    case OD_QL_WORD_NULL:
        return parse_leaf(p, OD_QL_NULL, out);
    case OD_QL_WORD_MISSING:
        return parse_leaf(p, OD_QL_MISSING, out);
    default:
        break;
    }
    if (begins_call(p) && od_ql_is_function_word(p->token->text)) {
        return parse_call(p, out);
    }
    return fail_word(p);
}

static od_status fail_term(struct od_ql_parser *p)
{
    switch (p->token->kind) {
    case OD_QL_TOK_EQ:
    case OD_QL_TOK_NE:
    case OD_QL_TOK_LT:
    case OD_QL_TOK_LE:
    case OD_QL_TOK_GT:
    case OD_QL_TOK_GE:
    case OD_QL_TOK_STAR:
    case OD_QL_TOK_OTHER:
        return od_ql_malformed(p->cx, "Unexpected operator");
    default:
        return od_ql_malformed(p->cx, "Unexpected term");
    }
}

static od_status parse_term_inside(struct od_ql_parser *p, struct od_ql_node **out)
{
    switch (p->token->kind) {
    case OD_QL_TOK_NAME:
        return begins_call(p) ? parse_call(p, out) : od_ql_parse_path(p, out);
    case OD_QL_TOK_QUOTED:
        return od_ql_parse_path(p, out);
    case OD_QL_TOK_STRING:
        return parse_string(p, out);
    case OD_QL_TOK_NUMBER:
        return parse_leaf(p, OD_QL_NUMBER, out);
    case OD_QL_TOK_PARAMETER:
        return parse_parameter(p, out);
    case OD_QL_TOK_WORD:
        return parse_word(p, out);
    case OD_QL_TOK_LPAREN:
        return parse_parens(p, out);
    case OD_QL_TOK_LBRACKET:
        return parse_collection(p, OD_QL_LIST, OD_QL_TOK_RBRACKET, "Expected RIGHT_BRACKET", out);
    case OD_QL_TOK_LBAG:
        return parse_collection(p, OD_QL_BAG, OD_QL_TOK_RBAG, "Expected RIGHT_DOUBLE_ANGLE_BRACKET",
                                out);
    case OD_QL_TOK_LBRACE:
        return parse_tuple(p, out);
    default:
        return fail_term(p);
    }
}

od_status od_ql_parse_term(struct od_ql_parser *p, struct od_ql_node **out)
{
    OD_TRY(enter(p));
    OD_TRY(parse_term_inside(p, out));
    leave(p);
    return OD_OK;
}

// --- Operators ----------------------------------------------------------------------------------

static od_status parse_sign(struct od_ql_parser *p, struct od_ql_node **out);

static od_status parse_signed(struct od_ql_parser *p, struct od_ql_node **out)
{
    bool is_sign = p->token->kind == OD_QL_TOK_PLUS || p->token->kind == OD_QL_TOK_MINUS;
    return is_sign ? parse_sign(p, out) : od_ql_parse_term(p, out);
}

static od_status parse_sign(struct od_ql_parser *p, struct od_ql_node **out)
{
    OD_TRY(enter(p));
    struct od_ql_node *sign = od_ql_node_create(p, OD_QL_SIGN, p->token->text);
    sign->op = p->token->kind;
    p->token++;
    struct od_ql_node *child = NULL;
    OD_TRY(parse_signed(p, &child));
    OD_TRY(append(p, sign, child));
    *out = sign;
    leave(p);
    return OD_OK;
}

static od_status parse_prefix(struct od_ql_parser *p, struct od_ql_node **out)
{
    if (!od_ql_at_word(p, OD_QL_WORD_NOT)) {
        return parse_signed(p, out);
    }
    OD_TRY(enter(p));
    struct od_ql_node *not_node = od_ql_node_create(p, OD_QL_NOT, p->token->text);
    p->token++;
    struct od_ql_node *child = NULL;
    OD_TRY(parse_above(p, PREC_NOT, &child));
    OD_TRY(append(p, not_node, child));
    *out = not_node;
    leave(p);
    return OD_OK;
}

static const struct infix *infix_of(const struct od_ql_token *token)
{
    for (size_t i = 0; i < OD_COUNT(infixes); i++) {
        if (infixes[i].tok == token->kind && infixes[i].word == token->word) {
            return &infixes[i];
        }
    }
    return NULL;
}

// The operator at hand; `negated` when it is NOT IN, NOT BETWEEN or NOT LIKE.
static const struct infix *look_at_infix(const struct od_ql_parser *p, bool *negated)
{
    *negated = od_ql_at_word(p, OD_QL_WORD_NOT);
    const struct infix *infix = infix_of(*negated ? p->token + 1 : p->token);
    if (!*negated || infix == NULL) {
        return infix;
    }
    bool may_be_negated =
        infix->kind == OD_QL_IN || infix->kind == OD_QL_BETWEEN || infix->kind == OD_QL_LIKE;
    return may_be_negated ? infix : NULL;
}

static od_status parse_right(struct od_ql_parser *p, enum precedence least,
                             struct od_ql_node *parent)
{
    if (p->token->kind == OD_QL_TOK_END) {
        return od_ql_malformed(p->cx, "Missing right-hand side expression of infix operator");
    }
    struct od_ql_node *right = NULL;
    OD_TRY(parse_above(p, least, &right));
    return append(p, parent, right);
}

static bool is_text(const struct od_ql_token *token, od_str text)
{
    bool is_word = token->kind == OD_QL_TOK_WORD || token->kind == OD_QL_TOK_NAME;
    return is_word && od_str_eq_nocase(token->text, text);
}

static od_status parse_type(struct od_ql_parser *p, struct od_ql_node *node)
{
    for (size_t i = 0; i < OD_COUNT(types); i++) {
        bool has_second = types[i].second.len > 0;
        if (is_text(p->token, types[i].first) &&
            (!has_second || is_text(p->token + 1, types[i].second))) {
            node->name = types[i].first;
            p->token += has_second ? 2 : 1;
            return OD_OK;
        }
    }
    return od_ql_malformed(p->cx, "Expected type name");
}

static od_status parse_bounds(struct od_ql_parser *p, struct od_ql_node *node)
{
    OD_TRY(parse_right(p, PREC_ORDER, node));
    if (!od_ql_take_word(p, OD_QL_WORD_AND)) {
        return od_ql_malformed(p->cx, "Expected AND after BETWEEN");
    }
    return parse_right(p, PREC_ORDER, node);
}

// IN (1, 2), IN (1) and IN [1, 2] are the same.
static od_status parse_in_list(struct od_ql_parser *p, struct od_ql_node *node)
{
    bool in_parens = p->token->kind == OD_QL_TOK_LPAREN;
    od_str text = p->token->text;
    OD_TRY(parse_right(p, PREC_EQUITY, node));
    struct od_ql_node *tested = node->first;
    struct od_ql_node *only = node->last;
    if (!in_parens || only->kind == OD_QL_LIST) {
        return OD_OK;
    }
    struct od_ql_node *list = od_ql_node_create(p, OD_QL_LIST, text);
    OD_TRY(append(p, list, only));
    tested->next = list;
    node->last = list;
    return OD_OK;
}

static od_status parse_operands(struct od_ql_parser *p, const struct infix *infix,
                                struct od_ql_node *node)
{
    switch (infix->kind) {
    case OD_QL_IS:
        return parse_type(p, node);
    case OD_QL_BETWEEN:
        return parse_bounds(p, node);
    case OD_QL_IN:
        return parse_in_list(p, node);
    default:
        return parse_right(p, infix->precedence, node);
    }
}

static od_status negate(struct od_ql_parser *p, struct od_ql_node **node)
{
    struct od_ql_node *not_node = od_ql_node_create(p, OD_QL_NOT, (*node)->text);
    OD_TRY(append(p, not_node, *node));
    *node = not_node;
    return OD_OK;
}

// a AND b AND c is one node, so that long chains are no deep ones.
static bool continues_chain(const struct infix *infix, const struct od_ql_node *left)
{
    bool is_chain = infix->kind == OD_QL_AND || infix->kind == OD_QL_OR;
    return is_chain && left->kind == infix->kind;
}

static od_status parse_infix(struct od_ql_parser *p, const struct infix *infix, bool negated,
                             struct od_ql_node **left)
{
    p->token += negated;
    struct od_ql_node *node = *left;
    if (!continues_chain(infix, node)) {
        node = od_ql_node_create(p, infix->kind, p->token->text);
        node->op = infix->tok;
        OD_TRY(append(p, node, *left));
    }
    p->token++;
    // IS NOT is one operator.
    bool is_not = infix->kind == OD_QL_IS && od_ql_take_word(p, OD_QL_WORD_NOT);
    OD_TRY(parse_operands(p, infix, node));
    *left = node;
    return negated || is_not ? negate(p, left) : OD_OK;
}

// Operators that bind tighter than `least`, from left to right.
static od_status parse_above(struct od_ql_parser *p, enum precedence least, struct od_ql_node **out)
{
    OD_TRY(parse_prefix(p, out));
    for (;;) {
        bool negated = false;
        const struct infix *infix = look_at_infix(p, &negated);
        if (infix == NULL || infix->precedence <= least) {
            return OD_OK;
        }
        OD_TRY(parse_infix(p, infix, negated, out));
    }
}

od_status od_ql_parse_expr(struct od_ql_parser *p, struct od_ql_node **out)
{
    OD_TRY(enter(p));
    OD_TRY(parse_above(p, PREC_NONE, out));
    leave(p);
    return OD_OK;
}
