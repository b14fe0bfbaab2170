// Shared by the files of src/expr, and by nothing else.
#ifndef OD_EXPR_EXPR_INTERNAL_H
#define OD_EXPR_EXPR_INTERNAL_H

#include "base/attr.h"
#include "base/buf.h"
#include "expr/expr.h"

// Raises a fault of an expression of the given kind; `fmt` is a literal.
#define OD_EXPR_FAIL(cx, kind, fmt, ...)                                 \
    OD_FAIL((cx), OD_VALIDATION_ENVELOPED, "Invalid %sExpression: " fmt, \
            od_expr_kind_name(kind) __VA_OPT__(, ) __VA_ARGS__)

// "Condition", "Filter", ...
const char *od_expr_kind_name(enum od_expr_kind kind);

// --- Tokens -------------------------------------------------------------------------------------

enum od_grammar {
    OD_GRAMMAR_CONDITION,
    OD_GRAMMAR_PROJECTION,
    OD_GRAMMAR_UPDATE,
};

enum od_tok {
    OD_TOK_END,
    OD_TOK_NAME,      // Artist
    OD_TOK_NAME_REF,  // #artist
    OD_TOK_VALUE_REF, // :artist
    OD_TOK_INTEGER,
    OD_TOK_LPAREN,
    OD_TOK_RPAREN,
    OD_TOK_LBRACKET,
    OD_TOK_RBRACKET,
    OD_TOK_COMMA,
    OD_TOK_DOT,
    OD_TOK_PLUS,
    OD_TOK_MINUS,
    OD_TOK_EQ,
    OD_TOK_NE,
    OD_TOK_LT,
    OD_TOK_LE,
    OD_TOK_GT,
    OD_TOK_GE,
    OD_TOK_AND, // keywords, each in its own grammar alone
    OD_TOK_OR,
    OD_TOK_NOT,
    OD_TOK_BETWEEN,
    OD_TOK_IN,
    OD_TOK_SET,
    OD_TOK_REMOVE,
    OD_TOK_ADD,
    OD_TOK_DELETE,
    OD_TOK_UNKNOWN, // a character that begins no token
};

struct od_token {
    enum od_tok kind;
    od_str text;
};

struct od_lexer {
    od_str rest;
    enum od_grammar grammar;
};

// Skips blanks and takes the next token. Past the end it gives OD_TOK_END for ever.
struct od_token od_lexer_next(struct od_lexer *lexer);

// In any case of letters.
bool od_expr_is_reserved(od_str name);

// --- Syntax tree --------------------------------------------------------------------------------

enum od_function {
    OD_FN_UNKNOWN,
    OD_FN_ATTRIBUTE_EXISTS,
    OD_FN_ATTRIBUTE_NOT_EXISTS,
    OD_FN_ATTRIBUTE_TYPE,
    OD_FN_BEGINS_WITH,
    OD_FN_CONTAINS,
    OD_FN_SIZE,
    OD_FN_IF_NOT_EXISTS,
    OD_FN_LIST_APPEND,
};

size_t od_function_operands(enum od_function function);

enum od_node_kind {
    OD_NODE_PATH,
    OD_NODE_VALUE,
    OD_NODE_CALL,
    OD_NODE_ARITHMETIC, // left, right
    OD_NODE_COMPARE,    // left, right
    OD_NODE_BETWEEN,    // tested, lower, upper
    OD_NODE_IN,         // tested, then the list
    OD_NODE_AND,        // two or more conditions
    OD_NODE_OR,
    OD_NODE_NOT,
};

struct od_node {
    enum od_node_kind kind;
    bool in_parens;
    enum od_function function; // CALL
    enum od_tok op;            // ARITHMETIC, COMPARE
    od_str text;               // the function's name, the operator, or :value
    struct od_path path;       // PATH: as written, placeholders with their #
    struct od_node *first;     // operands, in the order of the text
    struct od_node *last;
    size_t count;
    struct od_node *next; // the next operand of the same parent
};

struct od_action_node {
    enum od_update_action action;
    struct od_node *path;
    struct od_node *value; // none for REMOVE
    struct od_action_node *next;
};

struct od_expr {
    enum od_expr_kind kind;
    struct od_node *condition;      // CONDITION, FILTER, KEY_CONDITION
    struct od_node *paths;          // PROJECTION: the first of a chain
    struct od_action_node *actions; // UPDATE
    size_t count;                   // of paths or actions
};

// --- Parser -------------------------------------------------------------------------------------

// Faults of a well-formed text. They are reported after the whole text is read, and some before
// others wherever they stand.
enum od_fault {
    OD_FAULT_PARENS,
    OD_FAULT_RESERVED,
    OD_FAULT_UNKNOWN_FUNCTION,
    OD_FAULT_MISUSED_FUNCTION,
    OD_FAULT_SECTION,
    OD_FAULT_INDEX,
    OD_FAULT_OPERATORS,
};
enum { OD_FAULT_COUNT = OD_FAULT_OPERATORS + 1 };

struct od_parser {
    od_ctx *cx;
    enum od_expr_kind kind;
    od_str text;
    struct od_lexer lexer;
    struct od_token before; // text.ptr is NULL at the start
    struct od_token token;  // the one being looked at
    struct od_token after;
    int depth;
    int operators;
    od_str faults[OD_FAULT_COUNT]; // the first of each sort; its message without the prefix
};

void od_parser_advance(struct od_parser *p);
od_status od_parser_expect(struct od_parser *p, enum od_tok kind);
od_status od_parser_syntax_error(struct od_parser *p);

// Every cycle of the grammar passes between these two, so this is where nesting is bounded.
od_status od_parser_enter(struct od_parser *p);
void od_parser_leave(struct od_parser *p);

// Keeps the fault "<message><subject>" if it is the first of its sort.
void od_parser_note(struct od_parser *p, enum od_fault fault, const char *message, od_str subject);
void od_parser_count_operator(struct od_parser *p);

struct od_node *od_parser_node(struct od_parser *p, enum od_node_kind kind, od_str text);
void od_node_append(struct od_node *parent, struct od_node *child);

// After the closing parenthesis: marks `inner`, and notes a pair directly around a pair.
void od_parser_mark_parens(struct od_parser *p, struct od_node *inner);

od_status od_parse_path(struct od_parser *p, struct od_node **out);
// A path, a value, a function call, or one of these in parentheses.
od_status od_parse_operand(struct od_parser *p, struct od_node **out);

// Notes a call that may not stand where it does: `is_condition` where a condition is wanted, else
// an operand of a condition.
void od_parser_check_call(struct od_parser *p, const struct od_node *node, bool is_condition);

od_status od_parse_condition(struct od_parser *p, struct od_node **out);
od_status od_parse_update(struct od_parser *p, struct od_expr *expr);

// --- Paths --------------------------------------------------------------------------------------

enum od_path_relation {
    OD_PATHS_APART,
    OD_PATHS_OVERLAP,  // a, a.b
    OD_PATHS_CONFLICT, // a.b, a[0]
};
enum od_path_relation od_path_relation(const struct od_path *a, const struct od_path *b);

bool od_path_equal(const struct od_path *a, const struct od_path *b);

// [a, b, [1]]
od_str od_path_print(od_arena *arena, const struct od_path *path);

// A path and its place in the text.
struct od_target {
    struct od_path path;
    size_t index;
};

// The paths in their order: step by step, indexes before names, a path before those that it
// begins. This is the order in which maps and lists are walked.
struct od_target *od_paths_sort(od_arena *arena, const struct od_path *paths, size_t count);

// How many of `count` sorted paths agree with the first in step `depth`.
size_t od_paths_group(const struct od_path *paths, size_t count, size_t depth);

bool od_paths_sorted(const struct od_path *paths, size_t count);

// --- Binding ------------------------------------------------------------------------------------

struct od_binder {
    od_ctx *cx;
    enum od_expr_kind kind;
    struct od_expr_env *env;
};

enum od_bind_what {
    OD_BIND_NAMES = 1,
    OD_BIND_VALUES = 2,
};

// Looks up the placeholders below `node`, in the order of the text, and marks them used.
od_status od_bind_check(const struct od_binder *b, const struct od_node *node, int what);

// These take placeholders that od_bind_check has found.
od_status od_bind_path(const struct od_binder *b, const struct od_node *node, struct od_path *out);
od_value od_bind_value(const struct od_binder *b, od_str key);

// The paths in sorted order, or a fault when two of them overlap or conflict.
od_status od_bind_targets(const struct od_binder *b, const struct od_path *paths, size_t count,
                          struct od_target **out);

// No fault when the node is no call.
od_status od_bind_operand_count(const struct od_binder *b, const struct od_node *call);
od_status od_bind_path_needed(const struct od_binder *b, od_str function);
od_status od_bind_wrong_type(const struct od_binder *b, od_str function, const char *type);

// A condition of any of the three kinds.
od_status od_bind_condition(const struct od_binder *b, const struct od_node *node,
                            const struct od_condition **out);

// What size() makes of a value: false when the type has no size.
bool od_value_length(od_value v, uint64_t *out);

// --- Updates ------------------------------------------------------------------------------------

enum od_term_kind {
    OD_TERM_VALUE,
    OD_TERM_PATH,
    OD_TERM_IF_NOT_EXISTS, // path, right
    OD_TERM_LIST_APPEND,   // left, right
    OD_TERM_PLUS,          // left, right
    OD_TERM_MINUS,         // left, right
};

// The right side of a SET.
struct od_term {
    enum od_term_kind kind;
    od_value value;
    struct od_path path;
    const struct od_term *left;
    const struct od_term *right;
};

struct od_action {
    enum od_update_action action;
    struct od_path path;
    const struct od_term *term; // SET
    od_value value;             // ADD, DELETE
};

struct od_update {
    const struct od_action *actions; // in the order of the text
    size_t count;
    struct od_projection targets; // the paths of the actions, sorted
    const size_t *target_actions; // which action each of them belongs to
    bool is_legacy;               // made of AttributeUpdates
};

// An update of these actions; `targets` are their paths, sorted.
const struct od_update *od_update_make(od_arena *arena, const struct od_action *actions,
                                       size_t count, const struct od_target *targets);

#endif
