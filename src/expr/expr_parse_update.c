// Updates:
//
//   update = clause { clause }
//   clause = "SET" set { "," set } | "REMOVE" path { "," path }
//          | ( "ADD" | "DELETE" ) path ":" placeholder { "," path ":" placeholder }
//   set    = path "=" value
//   value  = operand [ ( "+" | "-" ) operand ] | "(" value ")"
#include "expr/expr_internal.h"

// In which order the clauses come is free, but each comes once.
static const struct clause {
    enum od_tok keyword;
    enum od_update_action action;
    const char *twice;
} clauses[] = {
    {OD_TOK_SET, OD_UPDATE_SET,
     "The \"SET\" section can only be used once in an update expression;"},
    {OD_TOK_REMOVE, OD_UPDATE_REMOVE,
     "The \"REMOVE\" section can only be used once in an update expression;"},
    {OD_TOK_ADD, OD_UPDATE_ADD,
     "The \"ADD\" section can only be used once in an update expression;"},
    {OD_TOK_DELETE, OD_UPDATE_DELETE,
     "The \"DELETE\" section can only be used once in an update expression;"},
};

static od_status parse_value(struct od_parser *p, struct od_node **out);

static od_status parse_arithmetic(struct od_parser *p, struct od_node *left, struct od_node **out)
{
    struct od_node *node = od_parser_node(p, OD_NODE_ARITHMETIC, p->token.text);
    node->op = p->token.kind;
    od_node_append(node, left);
    od_parser_count_operator(p);
    od_parser_advance(p);

    struct od_node *right = NULL;
    OD_TRY(od_parse_operand(p, &right));
    od_node_append(node, right);
    *out = node;
    return OD_OK;
}

static od_status parse_value_in_parens(struct od_parser *p, struct od_node **out)
{
    OD_TRY(od_parser_enter(p));
    od_parser_advance(p);
    OD_TRY(parse_value(p, out));
    OD_TRY(od_parser_expect(p, OD_TOK_RPAREN));
    od_parser_mark_parens(p, *out);
    od_parser_leave(p);
    return OD_OK;
}

static od_status parse_value(struct od_parser *p, struct od_node **out)
{
    struct od_node *left = NULL;
    if (p->token.kind == OD_TOK_LPAREN) {
        OD_TRY(parse_value_in_parens(p, &left));
    } else {
        OD_TRY(od_parse_operand(p, &left));
    }
    bool is_operator = p->token.kind == OD_TOK_PLUS || p->token.kind == OD_TOK_MINUS;
    // One operator for each value: a sum is no operand of another.
    if (is_operator && left->kind != OD_NODE_ARITHMETIC) {
        return parse_arithmetic(p, left, out);
    }
    *out = left;
    return OD_OK;
}

static od_status parse_placeholder(struct od_parser *p, struct od_node **out)
{
    *out = od_parser_node(p, OD_NODE_VALUE, p->token.text);
    return od_parser_expect(p, OD_TOK_VALUE_REF);
}

static od_status parse_action(struct od_parser *p, struct od_action_node *action)
{
    OD_TRY(od_parse_path(p, &action->path));
    switch (action->action) {
    case OD_UPDATE_SET:
        OD_TRY(od_parser_expect(p, OD_TOK_EQ));
        return parse_value(p, &action->value);
    case OD_UPDATE_ADD:
    case OD_UPDATE_DELETE:
        return parse_placeholder(p, &action->value);
    case OD_UPDATE_REMOVE:
        break;
    }
    return OD_OK;
}

static const struct clause *find_clause(enum od_tok keyword)
{
    for (size_t i = 0; i < OD_COUNT(clauses); i++) {
        if (clauses[i].keyword == keyword) {
            return &clauses[i];
        }
    }
    return NULL;
}

static od_status parse_clause(struct od_parser *p, const struct clause *clause,
                              struct od_expr *expr, struct od_action_node ***link)
{
    do {
        od_parser_advance(p); // the keyword or the comma
        struct od_action_node *action = od_new(p->cx->arena, struct od_action_node);
        action->action = clause->action;
        OD_TRY(parse_action(p, action));
        **link = action;
        *link = &action->next;
        expr->count++;
    } while (p->token.kind == OD_TOK_COMMA);
    return OD_OK;
}

od_status od_parse_update(struct od_parser *p, struct od_expr *expr)
{
    struct od_action_node **link = &expr->actions;
    unsigned seen = 0;
    do {
        const struct clause *clause = find_clause(p->token.kind);
        if (clause == NULL) {
            return od_parser_syntax_error(p);
        }
        unsigned bit = 1U << (unsigned)clause->action;
        if ((seen & bit) != 0) {
            od_parser_note(p, OD_FAULT_SECTION, clause->twice, OD_STR(""));
        }
        seen |= bit;
        OD_TRY(parse_clause(p, clause, expr, &link));
    } while (p->token.kind != OD_TOK_END);
    return OD_OK;
}
