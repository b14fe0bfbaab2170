// Conditions, filters and key conditions:
//
//   or      = and { "OR" and }
//   and     = not { "AND" not }
//   not     = "NOT" not | primary
//   primary = "(" or ")" | call | operand comparison
//   comparison = ( "=" | "<>" | "<" | "<=" | ">" | ">=" ) operand
//              | "BETWEEN" operand "AND" operand
//              | "IN" "(" operand { "," operand } ")"
//
// A parenthesis may open a condition or an operand, and only what follows its end tells. It is read
// as whichever it turns out to hold, so that nothing is read twice.
#include "expr/expr_internal.h"

static od_status parse_or(struct od_parser *p, bool operand_ok, struct od_node **out);

static bool is_comparator(enum od_tok kind)
{
    return kind >= OD_TOK_EQ && kind <= OD_TOK_GE;
}

// A call may be either, and is not counted here.
static bool is_surely_condition(const struct od_node *node)
{
    return node->kind >= OD_NODE_COMPARE;
}

static void append_operand(struct od_parser *p, struct od_node *parent, struct od_node *operand)
{
    od_parser_check_call(p, operand, false);
    od_node_append(parent, operand);
}

static od_status parse_compare(struct od_parser *p, struct od_node *left, struct od_node **out)
{
    struct od_node *node = od_parser_node(p, OD_NODE_COMPARE, p->token.text);
    node->op = p->token.kind;
    append_operand(p, node, left);
    od_parser_count_operator(p);
    od_parser_advance(p);

    struct od_node *right = NULL;
    OD_TRY(od_parse_operand(p, &right));
    append_operand(p, node, right);
    *out = node;
    return OD_OK;
}

static od_status parse_between(struct od_parser *p, struct od_node *tested, struct od_node **out)
{
    struct od_node *node = od_parser_node(p, OD_NODE_BETWEEN, OD_STR("BETWEEN"));
    append_operand(p, node, tested);
    od_parser_count_operator(p);
    od_parser_advance(p);

    struct od_node *lower = NULL;
    OD_TRY(od_parse_operand(p, &lower));
    append_operand(p, node, lower);
    OD_TRY(od_parser_expect(p, OD_TOK_AND));

    struct od_node *upper = NULL;
    OD_TRY(od_parse_operand(p, &upper));
    append_operand(p, node, upper);
    *out = node;
    return OD_OK;
}

static od_status parse_in(struct od_parser *p, struct od_node *tested, struct od_node **out)
{
    struct od_node *node = od_parser_node(p, OD_NODE_IN, OD_STR("IN"));
    append_operand(p, node, tested);
    od_parser_count_operator(p);
    od_parser_advance(p);
    if (p->token.kind != OD_TOK_LPAREN) {
        return od_parser_syntax_error(p);
    }
    do {
        od_parser_advance(p); // the parenthesis or the comma
        struct od_node *operand = NULL;
        OD_TRY(od_parse_operand(p, &operand));
        append_operand(p, node, operand);
    } while (p->token.kind == OD_TOK_COMMA);
    *out = node;
    return od_parser_expect(p, OD_TOK_RPAREN);
}

// What an operand is the beginning of. `operand_ok`: a pair of parentheses may hold it alone.
static od_status parse_rest(struct od_parser *p, bool operand_ok, struct od_node *operand,
                            struct od_node **out)
{
    if (is_comparator(p->token.kind)) {
        return parse_compare(p, operand, out);
    }
    if (p->token.kind == OD_TOK_BETWEEN) {
        return parse_between(p, operand, out);
    }
    if (p->token.kind == OD_TOK_IN) {
        return parse_in(p, operand, out);
    }
    *out = operand;
    if (operand_ok && p->token.kind == OD_TOK_RPAREN) {
        return OD_OK;
    }
    if (operand->kind != OD_NODE_CALL) {
        return od_parser_syntax_error(p);
    }
    od_parser_check_call(p, operand, true);
    return OD_OK;
}

static od_status parse_group(struct od_parser *p, struct od_node **out)
{
    OD_TRY(od_parser_enter(p));
    od_parser_advance(p);
    OD_TRY(parse_or(p, true, out));
    OD_TRY(od_parser_expect(p, OD_TOK_RPAREN));
    od_parser_mark_parens(p, *out);
    od_parser_leave(p);
    return OD_OK;
}

static od_status parse_primary(struct od_parser *p, bool operand_ok, struct od_node **out)
{
    struct od_node *node = NULL;
    if (p->token.kind != OD_TOK_LPAREN) {
        OD_TRY(od_parse_operand(p, &node));
        return parse_rest(p, operand_ok, node, out);
    }
    OD_TRY(parse_group(p, &node));
    if (!is_surely_condition(node)) {
        return parse_rest(p, operand_ok, node, out);
    }
    *out = node;
    return OD_OK;
}

static od_status parse_not(struct od_parser *p, bool operand_ok, struct od_node **out)
{
    size_t nots = 0;
    for (; p->token.kind == OD_TOK_NOT; nots++) {
        od_parser_count_operator(p);
        od_parser_advance(p);
    }
    OD_TRY(parse_primary(p, operand_ok && nots == 0, out));
    for (; nots > 0; nots--) {
        struct od_node *node = od_parser_node(p, OD_NODE_NOT, OD_STR("NOT"));
        od_node_append(node, *out);
        *out = node;
    }
    return OD_OK;
}

static od_status parse_and(struct od_parser *p, bool operand_ok, struct od_node **out)
{
    OD_TRY(parse_not(p, operand_ok, out));
    if (p->token.kind != OD_TOK_AND) {
        return OD_OK;
    }
    struct od_node *node = od_parser_node(p, OD_NODE_AND, OD_STR("AND"));
    od_node_append(node, *out);
    while (p->token.kind == OD_TOK_AND) {
        struct od_node *right = NULL;
        od_parser_count_operator(p);
        od_parser_advance(p);
        OD_TRY(parse_not(p, false, &right));
        od_node_append(node, right);
    }
    *out = node;
    return OD_OK;
}

static od_status parse_or(struct od_parser *p, bool operand_ok, struct od_node **out)
{
    OD_TRY(parse_and(p, operand_ok, out));
    if (p->token.kind != OD_TOK_OR) {
        return OD_OK;
    }
    struct od_node *node = od_parser_node(p, OD_NODE_OR, OD_STR("OR"));
    od_node_append(node, *out);
    while (p->token.kind == OD_TOK_OR) {
        struct od_node *right = NULL;
        od_parser_count_operator(p);
        od_parser_advance(p);
        OD_TRY(parse_and(p, false, &right));
        od_node_append(node, right);
    }
    *out = node;
    return OD_OK;
}

od_status od_parse_condition(struct od_parser *p, struct od_node **out)
{
    return parse_or(p, false, out);
}
