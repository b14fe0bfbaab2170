// Paths: a.b[2]."c d"
#include "partiql/parse/syntax.h"

#include "base/buf.h"

// Grows by doubling.
struct steps {
    od_arena *arena;
    struct od_path_step *rows;
    size_t count;
    size_t room;
};

static void add_step(struct steps *steps, struct od_path_step step)
{
    if (steps->count == steps->room) {
        size_t room = steps->room == 0 ? 4 : steps->room * 2;
        struct od_path_step *rows = od_new_array(steps->arena, struct od_path_step, room);
        for (size_t i = 0; i < steps->count; i++) {
            rows[i] = steps->rows[i];
        }
        steps->rows = rows;
        steps->room = room;
    }
    steps->rows[steps->count++] = step;
}

static void add_name(struct od_ql_parser *p, struct steps *steps, od_str name)
{
    if (name.len == 0) {
        od_ql_note(p, "Path component cannot be an empty string");
    }
    add_step(steps, (struct od_path_step){.name = name});
}

bool od_ql_is_name(const struct od_ql_token *token)
{
    return token->kind == OD_QL_TOK_NAME || token->kind == OD_QL_TOK_QUOTED;
}

static od_str name_of(od_arena *arena, const struct od_ql_token *token)
{
    return token->kind == OD_QL_TOK_NAME ? token->text : od_ql_unquote(arena, token->text);
}

static od_status parse_name_step(struct od_ql_parser *p, struct steps *steps)
{
    if (p->token->kind == OD_QL_TOK_STAR) {
        od_ql_note(p, "Unpivot path component like a.*.b are not supported");
        p->token++;
        return OD_OK;
    }
    if (!od_ql_is_name(p->token)) {
        return od_ql_malformed(p->cx, "Invalid path dot component");
    }
    add_name(p, steps, name_of(p->cx->arena, p->token));
    p->token++;
    return OD_OK;
}

static void note_index(struct od_ql_parser *p, bool negative)
{
    od_str digits = p->token->text;
    od_str place = od_ql_place(p->cx->arena, p->tree->text, digits);
    od_ql_note(p, "List index is not within the allowable range; index: [%s%.*s]%.*s",
               negative ? "-" : "", OD_STR_ARG(digits), OD_STR_ARG(place));
}

static void note_component(struct od_ql_parser *p, od_str text)
{
    od_str place = od_ql_place(p->cx->arena, p->tree->text, text);
    od_ql_note(p, "Unexpected path component%.*s", OD_STR_ARG(place));
}

static bool is_digits(od_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9') {
            return false;
        }
    }
    return true;
}

static void add_index(struct od_ql_parser *p, bool negative, struct steps *steps)
{
    od_str digits = p->token->text;
    if (!is_digits(digits)) {
        note_component(p, digits);
        return;
    }
    uint64_t index = 0;
    bool small = od_str_to_u64(digits, &index) && index <= OD_QL_MAX_LIST_INDEX;
    if (!small || (negative && index > 0)) {
        note_index(p, negative);
        return;
    }
    add_step(steps, (struct od_path_step){.is_index = true, .index = (uint32_t)index});
}

// What stands in brackets: a number with or without a sign, or a name in single quotes.
static od_status parse_index_step(struct od_ql_parser *p, struct steps *steps)
{
    bool negative = od_ql_take(p, OD_QL_TOK_MINUS);
    switch (p->token->kind) {
    case OD_QL_TOK_NUMBER:
        add_index(p, negative, steps);
        break;
    case OD_QL_TOK_STRING:
        add_name(p, steps, od_ql_unquote(p->cx->arena, p->token->text));
        break;
    case OD_QL_TOK_STAR:
        od_ql_note(p, "Wildcard path component like a[*].b are not supported");
        break;
    case OD_QL_TOK_PARAMETER:
        p->tree->parameter_count++;
        note_component(p, p->token->text);
        break;
    default:
        return od_ql_malformed(p->cx, "Unexpected term");
    }
    p->token++;
    return od_ql_expect(p, OD_QL_TOK_RBRACKET, "Expected RIGHT_BRACKET");
}

static od_status parse_steps(struct od_ql_parser *p, struct steps *steps)
{
    for (;;) {
        if (od_ql_take(p, OD_QL_TOK_DOT)) {
            OD_TRY(parse_name_step(p, steps));
        } else if (od_ql_take(p, OD_QL_TOK_LBRACKET)) {
            OD_TRY(parse_index_step(p, steps));
        } else {
            return OD_OK;
        }
    }
}

od_status od_ql_parse_path(struct od_ql_parser *p, struct od_ql_node **out)
{
    if (!od_ql_is_name(p->token)) {
        return od_ql_malformed(p->cx, "Expected identifier for simple path");
    }
    *out = od_ql_node_create(p, OD_QL_PATH, p->token->text);
    struct steps steps = {.arena = p->cx->arena};
    add_name(p, &steps, name_of(p->cx->arena, p->token));
    p->token++;
    OD_TRY(parse_steps(p, &steps));
    (*out)->path = (struct od_path){.steps = steps.rows, .count = steps.count};
    return OD_OK;
}
