// Statements, clause by clause.
#include "partiql/parse/syntax.h"

#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

// --- What the files of the parser share ---------------------------------------------------------

od_status od_ql_malformed(od_ctx *cx, const char *detail)
{
    return OD_FAIL(cx, OD_VALIDATION, "Statement wasn't well formed, can't be processed: %s",
                   detail);
}

enum { MAX_FAULT_BYTES = 1024 };

void od_ql_note(struct od_ql_parser *p, const char *fmt, ...)
{
    if (p->tree->fault.ptr != NULL) {
        return;
    }
    char text[MAX_FAULT_BYTES];
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    size_t kept = len < MAX_FAULT_BYTES ? (size_t)len : MAX_FAULT_BYTES - 1;
    p->tree->fault = od_arena_copy(p->cx->arena, (od_str){text, kept});
}

bool od_ql_at_word(const struct od_ql_parser *p, enum od_ql_word word)
{
    return p->token->kind == OD_QL_TOK_WORD && p->token->word == word;
}

bool od_ql_take_word(struct od_ql_parser *p, enum od_ql_word word)
{
    bool found = od_ql_at_word(p, word);
    p->token += found;
    return found;
}

bool od_ql_take(struct od_ql_parser *p, enum od_ql_tok kind)
{
    bool found = p->token->kind == kind && kind != OD_QL_TOK_END;
    p->token += found;
    return found;
}

od_status od_ql_expect(struct od_ql_parser *p, enum od_ql_tok kind, const char *detail)
{
    return od_ql_take(p, kind) ? OD_OK : od_ql_malformed(p->cx, detail);
}

// --- Clauses ------------------------------------------------------------------------------------

static od_status fail_clause(struct od_ql_parser *p, const char *name, od_str text)
{
    od_str place = od_ql_place(p->cx->arena, p->tree->text, text);
    return OD_FAIL(p->cx, OD_VALIDATION, "Unsupported clause: %s%.*s", name, OD_STR_ARG(place));
}

// A name after a table or a column, with or without AS.
static void skip_alias(struct od_ql_parser *p)
{
    bool has_as = od_ql_take_word(p, OD_QL_WORD_AS) || od_ql_take_word(p, OD_QL_WORD_AT) ||
                  od_ql_take_word(p, OD_QL_WORD_BY);
    bool has_name = od_ql_is_name(p->token);
    p->token += has_name;
    if (has_as || has_name) {
        od_ql_note(p, "Aliasing is not supported");
    }
}

static od_status parse_where(struct od_ql_parser *p)
{
    if (!od_ql_take_word(p, OD_QL_WORD_WHERE)) {
        return OD_OK;
    }
    struct od_ql_node *where = NULL;
    OD_TRY(od_ql_parse_expr(p, &where));
    p->tree->where = where;
    return OD_OK;
}

static od_status parse_returning(struct od_ql_parser *p)
{
    if (!od_ql_take_word(p, OD_QL_WORD_RETURNING)) {
        return OD_OK;
    }
    bool all = od_ql_take_word(p, OD_QL_WORD_ALL);
    if (!all && !od_ql_take_word(p, OD_QL_WORD_MODIFIED)) {
        return od_ql_malformed(p->cx, "Expected ALL or MODIFIED in a returning clause");
    }
    bool old = od_ql_take_word(p, OD_QL_WORD_OLD);
    if (!old && !od_ql_take_word(p, OD_QL_WORD_NEW)) {
        return od_ql_malformed(p->cx, "Expected OLD or NEW in a returning clause");
    }
    if (all) {
        p->tree->returning = old ? OD_QL_RETURNING_ALL_OLD : OD_QL_RETURNING_ALL_NEW;
    } else {
        p->tree->returning = old ? OD_QL_RETURNING_MODIFIED_OLD : OD_QL_RETURNING_MODIFIED_NEW;
    }
    return od_ql_expect(p, OD_QL_TOK_STAR, "Expected wildcard in a returning clause");
}

// The table of a statement that writes.
static od_status parse_target(struct od_ql_parser *p)
{
    struct od_ql_node *path = NULL;
    OD_TRY(od_ql_parse_path(p, &path));
    p->tree->source = path;
    return OD_OK;
}

// --- SELECT -------------------------------------------------------------------------------------

static od_status parse_column(struct od_ql_parser *p, struct od_ql_node **out)
{
    if (p->token->kind == OD_QL_TOK_STAR) {
        *out = od_ql_node_create(p, OD_QL_STAR, p->token->text);
        p->token++;
        return OD_OK;
    }
    OD_TRY(od_ql_parse_expr(p, out));
    skip_alias(p);
    return OD_OK;
}

static od_status parse_columns(struct od_ql_parser *p)
{
    struct od_ql_node *first = NULL;
    struct od_ql_node **next = &first;
    do {
        OD_TRY(parse_column(p, next));
        next = &(*next)->next;
    } while (od_ql_take(p, OD_QL_TOK_COMMA));
    p->tree->columns = first;
    return OD_OK;
}

static od_status parse_source(struct od_ql_parser *p)
{
    struct od_ql_node *source = NULL;
    OD_TRY(od_ql_parse_term(p, &source));
    p->tree->source = source;
    skip_alias(p);
    if (p->token->kind == OD_QL_TOK_COMMA || od_ql_at_word(p, OD_QL_WORD_JOIN)) {
        return OD_FAIL(p->cx, OD_VALIDATION, "Unexpected from source");
    }
    return OD_OK;
}

static od_status parse_order_term(struct od_ql_parser *p, struct od_ql_order *out)
{
    struct od_ql_node *expr = NULL;
    OD_TRY(od_ql_parse_expr(p, &expr));
    out->expr = expr;
    out->descending = od_ql_take_word(p, OD_QL_WORD_DESC);
    if (!out->descending) {
        (void)od_ql_take_word(p, OD_QL_WORD_ASC);
    }
    return OD_OK;
}

static od_status parse_order(struct od_ql_parser *p)
{
    if (!od_ql_take_word(p, OD_QL_WORD_ORDER)) {
        return OD_OK;
    }
    if (!od_ql_take_word(p, OD_QL_WORD_BY)) {
        return od_ql_malformed(p->cx, "Expected BY");
    }
    const struct od_ql_order **next = &p->tree->order;
    do {
        struct od_ql_order *order = od_new(p->cx->arena, struct od_ql_order);
        OD_TRY(parse_order_term(p, order));
        *next = order;
        next = &order->next;
    } while (od_ql_take(p, OD_QL_TOK_COMMA));
    return OD_OK;
}

// Clauses of SQL that DynamoDB does without.
static od_status refuse_clauses(struct od_ql_parser *p)
{
    od_str text = p->token->text;
    if (od_ql_at_word(p, OD_QL_WORD_GROUP)) {
        return fail_clause(p, "GROUP BY", text);
    }
    if (od_ql_at_word(p, OD_QL_WORD_HAVING)) {
        return fail_clause(p, "HAVING", text);
    }
    if (!od_ql_take_word(p, OD_QL_WORD_LIMIT)) {
        return OD_OK;
    }
    struct od_ql_node *count = NULL;
    OD_TRY(od_ql_parse_expr(p, &count));
    return fail_clause(p, "LIMIT", count->text);
}

// After SELECT.
static od_status parse_select(struct od_ql_parser *p)
{
    p->tree->verb = OD_QL_SELECT;
    if (od_ql_at_word(p, OD_QL_WORD_DISTINCT)) {
        return fail_clause(p, "DISTINCT", p->token->text);
    }
    OD_TRY(parse_columns(p));
    if (!od_ql_take_word(p, OD_QL_WORD_FROM)) {
        return od_ql_malformed(p->cx, "Expected FROM after SELECT list");
    }
    OD_TRY(parse_source(p));
    OD_TRY(parse_where(p));
    OD_TRY(refuse_clauses(p));
    OD_TRY(parse_order(p));
    return refuse_clauses(p);
}

static od_status parse_exists(struct od_ql_parser *p)
{
    OD_TRY(od_ql_expect(p, OD_QL_TOK_LPAREN, "Expected LEFT_PAREN"));
    if (!od_ql_take_word(p, OD_QL_WORD_SELECT)) {
        return od_ql_malformed(p->cx, "Expected data manipulation");
    }
    p->tree->in_exists = true;
    OD_TRY(parse_select(p));
    return od_ql_expect(p, OD_QL_TOK_RPAREN, "Expected RIGHT_PAREN");
}

// --- INSERT, DELETE -----------------------------------------------------------------------------

static od_status parse_insert(struct od_ql_parser *p)
{
    p->tree->verb = OD_QL_INSERT;
    if (!od_ql_take_word(p, OD_QL_WORD_INTO)) {
        return od_ql_malformed(p->cx, "Unexpected keyword");
    }
    OD_TRY(parse_target(p));
    bool has_value = od_ql_take_word(p, OD_QL_WORD_VALUE);
    struct od_ql_node *item = NULL;
    OD_TRY(od_ql_parse_expr(p, &item));
    p->tree->item = item;
    if (!has_value) {
        od_ql_note(p, "Expected VALUE in an INSERT statement");
    }
    if (od_ql_at_word(p, OD_QL_WORD_RETURNING)) {
        od_ql_note(p, "RETURNING is not supported in INSERT");
    }
    return parse_returning(p);
}

static od_status parse_delete(struct od_ql_parser *p)
{
    p->tree->verb = OD_QL_DELETE;
    if (!od_ql_take_word(p, OD_QL_WORD_FROM)) {
        return od_ql_malformed(p->cx, "Expected FROM");
    }
    OD_TRY(parse_target(p));
    skip_alias(p);
    OD_TRY(parse_where(p));
    return parse_returning(p);
}

// --- UPDATE -------------------------------------------------------------------------------------

// Where the next action of the statement goes.
struct actions {
    const struct od_ql_action **next;
};

static struct od_ql_action *add_action(struct od_ql_parser *p, struct actions *actions)
{
    struct od_ql_action *action = od_new(p->cx->arena, struct od_ql_action);
    *actions->next = action;
    actions->next = &action->next;
    p->tree->action_count++;
    return action;
}

static od_status parse_action_path(struct od_ql_parser *p, struct od_ql_action *action)
{
    struct od_ql_node *path = NULL;
    OD_TRY(od_ql_parse_path(p, &path));
    action->path = path;
    return OD_OK;
}

static od_status parse_assignment(struct od_ql_parser *p, struct od_ql_action *action)
{
    OD_TRY(parse_action_path(p, action));
    OD_TRY(od_ql_expect(p, OD_QL_TOK_EQ, "Expected EQ"));
    struct od_ql_node *value = NULL;
    OD_TRY(od_ql_parse_expr(p, &value));
    action->value = value;
    return OD_OK;
}

static od_status parse_set(struct od_ql_parser *p, struct actions *actions)
{
    do {
        OD_TRY(parse_assignment(p, add_action(p, actions)));
    } while (od_ql_take(p, OD_QL_TOK_COMMA));
    return OD_OK;
}

// One clause of SET or REMOVE after another, at least one.
static od_status parse_actions(struct od_ql_parser *p)
{
    p->tree->verb = OD_QL_UPDATE;
    struct actions actions = {.next = &p->tree->actions};
    for (;;) {
        if (od_ql_take_word(p, OD_QL_WORD_SET)) {
            OD_TRY(parse_set(p, &actions));
        } else if (od_ql_take_word(p, OD_QL_WORD_REMOVE)) {
            OD_TRY(parse_action_path(p, add_action(p, &actions)));
        } else {
            break;
        }
    }
    return p->tree->action_count > 0 ? OD_OK : od_ql_malformed(p->cx, "Expected data manipulation");
}

static od_status parse_update(struct od_ql_parser *p)
{
    OD_TRY(parse_target(p));
    skip_alias(p);
    OD_TRY(parse_actions(p));
    OD_TRY(parse_where(p));
    return parse_returning(p);
}

// --- Statements ---------------------------------------------------------------------------------

static const struct {
    enum od_ql_word word;
    od_status (*parse)(struct od_ql_parser *p);
} verbs[] = {
    {OD_QL_WORD_SELECT, parse_select}, {OD_QL_WORD_INSERT, parse_insert},
    {OD_QL_WORD_UPDATE, parse_update}, {OD_QL_WORD_DELETE, parse_delete},
    {OD_QL_WORD_EXISTS, parse_exists},
};

static od_status parse_statement(struct od_ql_parser *p)
{
    for (size_t i = 0; i < OD_COUNT(verbs); i++) {
        if (od_ql_take_word(p, verbs[i].word)) {
            return verbs[i].parse(p);
        }
    }
    return od_ql_malformed(p->cx, "Expected data manipulation");
}

od_status od_ql_parse(od_ctx *cx, od_str text, const struct od_ql_tree **out)
{
    struct od_ql_tree *tree = od_new(cx->arena, struct od_ql_tree);
    tree->text = text;
    struct od_ql_parser p = {.cx = cx, .tree = tree};
    OD_TRY(od_ql_lex(cx, text, &p.token));
    OD_TRY(parse_statement(&p));
    if (p.token->kind != OD_QL_TOK_END) {
        return od_ql_malformed(cx, "Unexpected token after expression");
    }
    *out = tree;
    return OD_OK;
}
