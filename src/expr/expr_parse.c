// Recursive descent, one function per line of the grammar. What all expressions share is here;
// conditions and updates have their own files.
//
//   projection = path { "," path }
//   path       = element { "." element | "[" INTEGER "]" }
//   element    = NAME | "#" placeholder
//   operand    = path | ":" placeholder | call | "(" operand ")"
//   call       = NAME "(" operand { "," operand } ")"
#include "expr/expr_internal.h"

enum { FIRST_STEPS = 4, MAX_INDEX = INT32_MAX };

static const char *const kind_names[] = {
    [OD_EXPR_CONDITION] = "Condition",
    [OD_EXPR_FILTER] = "Filter",
    [OD_EXPR_KEY_CONDITION] = "KeyCondition",
    [OD_EXPR_PROJECTION] = "Projection",
    [OD_EXPR_UPDATE] = "Update",
};

static const enum od_grammar grammars[] = {
    [OD_EXPR_CONDITION] = OD_GRAMMAR_CONDITION,     [OD_EXPR_FILTER] = OD_GRAMMAR_CONDITION,
    [OD_EXPR_KEY_CONDITION] = OD_GRAMMAR_CONDITION, [OD_EXPR_PROJECTION] = OD_GRAMMAR_PROJECTION,
    [OD_EXPR_UPDATE] = OD_GRAMMAR_UPDATE,
};

enum role {
    ROLE_NONE,
    ROLE_CONDITION, // is a condition
    ROLE_OPERAND,   // is an operand of a condition
    ROLE_UPDATE,    // is an operand of an update
};

static const struct {
    od_str name;
    enum role role;
    size_t operands;
} functions[] = {
    [OD_FN_ATTRIBUTE_EXISTS] = {OD_STR_INIT("attribute_exists"), ROLE_CONDITION, 1},
    [OD_FN_ATTRIBUTE_NOT_EXISTS] = {OD_STR_INIT("attribute_not_exists"), ROLE_CONDITION, 1},
    [OD_FN_ATTRIBUTE_TYPE] = {OD_STR_INIT("attribute_type"), ROLE_CONDITION, 2},
    [OD_FN_BEGINS_WITH] = {OD_STR_INIT("begins_with"), ROLE_CONDITION, 2},
    [OD_FN_CONTAINS] = {OD_STR_INIT("contains"), ROLE_CONDITION, 2},
    [OD_FN_SIZE] = {OD_STR_INIT("size"), ROLE_OPERAND, 1},
    [OD_FN_IF_NOT_EXISTS] = {OD_STR_INIT("if_not_exists"), ROLE_UPDATE, 2},
    [OD_FN_LIST_APPEND] = {OD_STR_INIT("list_append"), ROLE_UPDATE, 2},
};

// In which order the faults of one text are reported.
static const enum od_fault condition_order[OD_FAULT_COUNT] = {
    OD_FAULT_PARENS,    OD_FAULT_UNKNOWN_FUNCTION, OD_FAULT_MISUSED_FUNCTION,
    OD_FAULT_RESERVED,  OD_FAULT_SECTION,          OD_FAULT_INDEX,
    OD_FAULT_OPERATORS,
};
static const enum od_fault update_order[OD_FAULT_COUNT] = {
    OD_FAULT_PARENS,  OD_FAULT_RESERVED, OD_FAULT_UNKNOWN_FUNCTION, OD_FAULT_MISUSED_FUNCTION,
    OD_FAULT_SECTION, OD_FAULT_INDEX,    OD_FAULT_OPERATORS,
};

const char *od_expr_kind_name(enum od_expr_kind kind)
{
    return kind_names[kind];
}

size_t od_function_operands(enum od_function function)
{
    return functions[function].operands;
}

static enum od_function find_function(od_str name)
{
    for (size_t i = OD_FN_UNKNOWN + 1; i < OD_COUNT(functions); i++) {
        if (od_str_eq(name, functions[i].name)) {
            return (enum od_function)i;
        }
    }
    return OD_FN_UNKNOWN;
}

// --- Tokens -------------------------------------------------------------------------------------

void od_parser_advance(struct od_parser *p)
{
    p->before = p->token;
    p->token = p->after;
    p->after = od_lexer_next(&p->lexer);
}

// From the token before to the token after, with the blanks between them; to the ends of the text
// where there is none.
static od_str near_token(const struct od_parser *p)
{
    const char *start = p->before.text.ptr == NULL ? p->text.ptr : p->before.text.ptr;
    const char *end = p->after.kind == OD_TOK_END ? p->text.ptr + p->text.len
                                                  : p->after.text.ptr + p->after.text.len;
    return (od_str){start, (size_t)(end - start)};
}

od_status od_parser_syntax_error(struct od_parser *p)
{
    od_str token = p->token.kind == OD_TOK_END ? OD_STR("<EOF>") : p->token.text;
    od_str near = near_token(p);
    return OD_EXPR_FAIL(p->cx, p->kind, "Syntax error; token: \"%.*s\", near: \"%.*s\"",
                        OD_STR_ARG(token), OD_STR_ARG(near));
}

od_status od_parser_expect(struct od_parser *p, enum od_tok kind)
{
    if (p->token.kind != kind) {
        return od_parser_syntax_error(p);
    }
    od_parser_advance(p);
    return OD_OK;
}

// --- Faults -------------------------------------------------------------------------------------

void od_parser_note(struct od_parser *p, enum od_fault fault, const char *message, od_str subject)
{
    if (p->faults[fault].ptr == NULL) {
        p->faults[fault] = od_arena_printf(p->cx->arena, "%s%.*s", message, OD_STR_ARG(subject));
    }
}

void od_parser_count_operator(struct od_parser *p)
{
    p->operators++;
    if (p->operators == OD_EXPR_MAX_OPERATORS + 1) {
        od_parser_note(p, OD_FAULT_OPERATORS, "The expression contains too many operators; ",
                       od_arena_printf(p->cx->arena, "operator count: %d", p->operators));
    }
}

static void note_redundant_parens(struct od_parser *p)
{
    od_parser_note(p, OD_FAULT_PARENS, "The expression has redundant parentheses;", OD_STR(""));
}

static void note_misuse(struct od_parser *p, od_str function)
{
    od_parser_note(
        p, OD_FAULT_MISUSED_FUNCTION,
        "The function is not allowed to be used this way in an expression; function: ", function);
}

static od_status raise_first_fault(struct od_parser *p)
{
    const enum od_fault *order = p->kind == OD_EXPR_UPDATE ? update_order : condition_order;
    for (size_t i = 0; i < OD_FAULT_COUNT; i++) {
        od_str fault = p->faults[order[i]];
        if (fault.ptr != NULL) {
            return OD_EXPR_FAIL(p->cx, p->kind, "%.*s", OD_STR_ARG(fault));
        }
    }
    return OD_OK;
}

// So deep, a text of at most OD_EXPR_MAX_BYTES has one of these faults, or is no expression.
static void note_nesting(struct od_parser *p)
{
    if (p->token.kind == OD_TOK_NAME) {
        note_misuse(p, p->token.text);
    } else if (p->faults[OD_FAULT_OPERATORS].ptr == NULL) {
        note_redundant_parens(p);
    }
}

od_status od_parser_enter(struct od_parser *p)
{
    if (p->depth == OD_EXPR_MAX_DEPTH) {
        note_nesting(p);
        return raise_first_fault(p);
    }
    p->depth++;
    return OD_OK;
}

void od_parser_leave(struct od_parser *p)
{
    p->depth--;
}

// --- Nodes --------------------------------------------------------------------------------------

struct od_node *od_parser_node(struct od_parser *p, enum od_node_kind kind, od_str text)
{
    struct od_node *node = od_new(p->cx->arena, struct od_node);
    node->kind = kind;
    node->text = text;
    return node;
}

void od_node_append(struct od_node *parent, struct od_node *child)
{
    if (parent->last == NULL) {
        parent->first = child;
    } else {
        parent->last->next = child;
    }
    parent->last = child;
    parent->count++;
}

void od_parser_mark_parens(struct od_parser *p, struct od_node *inner)
{
    if (inner->in_parens) {
        note_redundant_parens(p);
    }
    inner->in_parens = true;
}

// --- Paths --------------------------------------------------------------------------------------

struct steps {
    struct od_path_step *items;
    size_t count;
    size_t cap;
};

static void push_step(struct od_parser *p, struct steps *steps, struct od_path_step step)
{
    if (steps->count == steps->cap) {
        size_t cap = steps->cap == 0 ? FIRST_STEPS : steps->cap * 2;
        struct od_path_step *items = od_new_array(p->cx->arena, struct od_path_step, cap);
        for (size_t i = 0; i < steps->count; i++) {
            items[i] = steps->items[i];
        }
        steps->items = items;
        steps->cap = cap;
    }
    steps->items[steps->count++] = step;
}

static od_status parse_element(struct od_parser *p, struct steps *steps)
{
    od_str name = p->token.text;
    if (p->token.kind == OD_TOK_NAME_REF) {
        push_step(p, steps, (struct od_path_step){.name = name});
        od_parser_advance(p);
        return OD_OK;
    }
    OD_TRY(od_parser_expect(p, OD_TOK_NAME));
    if (od_expr_is_reserved(name)) {
        od_parser_note(p, OD_FAULT_RESERVED,
                       "Attribute name is a reserved keyword; reserved keyword: ", name);
    }
    push_step(p, steps, (struct od_path_step){.name = name});
    return OD_OK;
}

static od_status parse_index(struct od_parser *p, struct steps *steps)
{
    od_str digits = p->token.text;
    OD_TRY(od_parser_expect(p, OD_TOK_INTEGER));
    OD_TRY(od_parser_expect(p, OD_TOK_RBRACKET));
    uint64_t index = 0;
    if (!od_str_to_u64(digits, &index) || index > MAX_INDEX) {
        od_parser_note(p, OD_FAULT_INDEX, "List index is not within the allowable range; index: ",
                       od_arena_printf(p->cx->arena, "[%.*s]", OD_STR_ARG(digits)));
    }
    push_step(p, steps, (struct od_path_step){.is_index = true, .index = (uint32_t)index});
    return OD_OK;
}

static od_status parse_step(struct od_parser *p, struct steps *steps)
{
    bool is_index = p->token.kind == OD_TOK_LBRACKET;
    od_parser_advance(p);
    return is_index ? parse_index(p, steps) : parse_element(p, steps);
}

od_status od_parse_path(struct od_parser *p, struct od_node **out)
{
    struct steps steps = {0};
    OD_TRY(parse_element(p, &steps));
    while (p->token.kind == OD_TOK_DOT || p->token.kind == OD_TOK_LBRACKET) {
        OD_TRY(parse_step(p, &steps));
    }
    *out = od_parser_node(p, OD_NODE_PATH, (od_str){0});
    (*out)->path = (struct od_path){.steps = steps.items, .count = steps.count};
    return OD_OK;
}

// --- Operands -----------------------------------------------------------------------------------

void od_parser_check_call(struct od_parser *p, const struct od_node *node, bool is_condition)
{
    if (node->kind != OD_NODE_CALL || node->function == OD_FN_UNKNOWN) {
        return;
    }
    enum role role = functions[node->function].role;
    if (role == ROLE_UPDATE) {
        od_parser_note(
            p, OD_FAULT_MISUSED_FUNCTION,
            "The function is not allowed in a condition expression; function: ", node->text);
    } else if (role != (is_condition ? ROLE_CONDITION : ROLE_OPERAND)) {
        note_misuse(p, node->text);
    }
}

// Updates alone have functions of functions, and not every one.
static bool may_be_argument(const struct od_node *call, const struct od_node *argument)
{
    if (argument->kind != OD_NODE_CALL || argument->function == OD_FN_UNKNOWN) {
        return true;
    }
    if (functions[argument->function].role != ROLE_UPDATE) {
        return false;
    }
    // The first operand of if_not_exists has to be a path, which is another fault.
    bool is_first = argument == call->first;
    return call->function != argument->function ||
           (call->function == OD_FN_IF_NOT_EXISTS && is_first);
}

static void check_argument(struct od_parser *p, const struct od_node *call,
                           const struct od_node *argument)
{
    if (p->kind != OD_EXPR_UPDATE && argument->kind == OD_NODE_CALL &&
        functions[argument->function].role == ROLE_UPDATE) {
        od_parser_check_call(p, argument, false);
    } else if (!may_be_argument(call, argument)) {
        note_misuse(p, argument->text);
    }
}

static void check_function(struct od_parser *p, const struct od_node *call)
{
    od_parser_count_operator(p);
    if (call->function == OD_FN_UNKNOWN) {
        od_parser_note(p, OD_FAULT_UNKNOWN_FUNCTION,
                       "Invalid function name; function: ", call->text);
    } else if (p->kind == OD_EXPR_UPDATE && functions[call->function].role != ROLE_UPDATE) {
        od_parser_note(
            p, OD_FAULT_MISUSED_FUNCTION,
            "The function is not allowed in an update expression; function: ", call->text);
    }
}

static od_status parse_arguments(struct od_parser *p, struct od_node *call)
{
    do {
        od_parser_advance(p); // the parenthesis or the comma
        struct od_node *argument = NULL;
        OD_TRY(od_parse_operand(p, &argument));
        od_node_append(call, argument);
        check_argument(p, call, argument);
    } while (p->token.kind == OD_TOK_COMMA);
    return od_parser_expect(p, OD_TOK_RPAREN);
}

static od_status parse_call(struct od_parser *p, struct od_node **out)
{
    struct od_node *call = od_parser_node(p, OD_NODE_CALL, p->token.text);
    call->function = find_function(call->text);
    check_function(p, call);
    OD_TRY(od_parser_enter(p));
    od_parser_advance(p);
    OD_TRY(parse_arguments(p, call));
    od_parser_leave(p);
    *out = call;
    return OD_OK;
}

static od_status parse_operand_in_parens(struct od_parser *p, struct od_node **out)
{
    OD_TRY(od_parser_enter(p));
    od_parser_advance(p);
    OD_TRY(od_parse_operand(p, out));
    OD_TRY(od_parser_expect(p, OD_TOK_RPAREN));
    od_parser_mark_parens(p, *out);
    od_parser_leave(p);
    return OD_OK;
}

od_status od_parse_operand(struct od_parser *p, struct od_node **out)
{
    switch (p->token.kind) {
    case OD_TOK_VALUE_REF:
        *out = od_parser_node(p, OD_NODE_VALUE, p->token.text);
        od_parser_advance(p);
        return OD_OK;
    case OD_TOK_LPAREN:
        return parse_operand_in_parens(p, out);
    case OD_TOK_NAME:
        return p->after.kind == OD_TOK_LPAREN ? parse_call(p, out) : od_parse_path(p, out);
    default:
        return od_parse_path(p, out);
    }
}

// --- Expressions --------------------------------------------------------------------------------

static od_status parse_projection(struct od_parser *p, struct od_expr *expr)
{
    struct od_node **link = &expr->paths;
    OD_TRY(od_parse_path(p, link));
    expr->count = 1;
    while (p->token.kind == OD_TOK_COMMA) {
        od_parser_advance(p);
        link = &(*link)->next;
        OD_TRY(od_parse_path(p, link));
        expr->count++;
    }
    return OD_OK;
}

static od_status parse_expression(struct od_parser *p, struct od_expr *expr)
{
    switch (p->lexer.grammar) {
    case OD_GRAMMAR_PROJECTION:
        return parse_projection(p, expr);
    case OD_GRAMMAR_UPDATE:
        return od_parse_update(p, expr);
    case OD_GRAMMAR_CONDITION:
        break;
    }
    return od_parse_condition(p, &expr->condition);
}

static od_status check_length(od_ctx *cx, enum od_expr_kind kind, od_str text)
{
    if (text.len == 0) {
        return OD_EXPR_FAIL(cx, kind, "The expression can not be empty;");
    }
    if (text.len > OD_EXPR_MAX_BYTES) {
        return OD_EXPR_FAIL(cx, kind, "Expression size has exceeded the maximum allowed size");
    }
    return OD_OK;
}

od_status od_expr_parse(od_ctx *cx, enum od_expr_kind kind, od_str text, const struct od_expr **out)
{
    OD_TRY(check_length(cx, kind, text));
    od_str copy = od_arena_copy(cx->arena, text);
    struct od_parser p = {
        .cx = cx,
        .kind = kind,
        .text = copy,
        .lexer = {.rest = copy, .grammar = grammars[kind]},
    };
    p.token = od_lexer_next(&p.lexer);
    p.after = od_lexer_next(&p.lexer);

    struct od_expr *expr = od_new(cx->arena, struct od_expr);
    expr->kind = kind;
    OD_TRY(parse_expression(&p, expr));
    OD_TRY(od_parser_expect(&p, OD_TOK_END));
    OD_TRY(raise_first_fault(&p));
    *out = expr;
    return OD_OK;
}
