// From text to a syntax tree.
//
//   statement = select | insert | update | delete | exists
//   select    = SELECT ( "*" | expr { "," expr } ) FROM path [ WHERE expr ] [ ORDER BY expr ... ]
//   insert    = INSERT INTO path VALUE expr
//   update    = UPDATE path { SET path "=" expr { "," ... } | REMOVE path } [ WHERE expr ]
//   returning
//   delete    = DELETE FROM path [ WHERE expr ] returning
//   exists    = EXISTS "(" select ")"
//   returning = [ RETURNING ( ALL | MODIFIED ) ( OLD | NEW ) "*" ]
//   expr      = operators by precedence: OR, AND, NOT, = <> IS IN, < <= > >= BETWEEN LIKE, + -
//
// Private to src/partiql. What is malformed fails at once, with "Statement wasn't well formed,
// ...". What is well-formed but not for DynamoDB is a fault that is noted, the first one alone:
// some faults of the table are told before it.
#ifndef OD_PARTIQL_PARSE_SYNTAX_H
#define OD_PARTIQL_PARSE_SYNTAX_H

#include "base/attr.h"
#include "base/status.h"
#include "model/path.h"

enum {
    OD_QL_MAX_DEPTH = 100, // of the tree, and of what is being parsed
    OD_QL_MAX_LIST_INDEX = INT32_MAX,
};

// --- Tokens -------------------------------------------------------------------------------------

enum od_ql_tok {
    OD_QL_TOK_END,
    OD_QL_TOK_NAME,   // Artist
    OD_QL_TOK_QUOTED, // "Artist"
    OD_QL_TOK_STRING, // 'Artist'
    OD_QL_TOK_NUMBER,
    OD_QL_TOK_PARAMETER, // ?
    OD_QL_TOK_WORD,      // a reserved word
    OD_QL_TOK_LPAREN,
    OD_QL_TOK_RPAREN,
    OD_QL_TOK_LBRACKET,
    OD_QL_TOK_RBRACKET,
    OD_QL_TOK_LBRACE,
    OD_QL_TOK_RBRACE,
    OD_QL_TOK_LBAG, // <<
    OD_QL_TOK_RBAG, // >>
    OD_QL_TOK_COMMA,
    OD_QL_TOK_DOT,
    OD_QL_TOK_COLON,
    OD_QL_TOK_SEMICOLON,
    OD_QL_TOK_STAR,
    OD_QL_TOK_PLUS,
    OD_QL_TOK_MINUS,
    OD_QL_TOK_EQ,
    OD_QL_TOK_NE, // <> or !=
    OD_QL_TOK_LT,
    OD_QL_TOK_LE,
    OD_QL_TOK_GT,
    OD_QL_TOK_GE,
    OD_QL_TOK_OTHER, // an operator of PartiQL that DynamoDB has not: / % ||
    OD_QL_TOK_BAD,   // what begins no token, or does not end
};

// Reserved words with a meaning here.
enum od_ql_word {
    OD_QL_WORD_OTHER,
    OD_QL_WORD_ALL,
    OD_QL_WORD_AND,
    OD_QL_WORD_AS,
    OD_QL_WORD_ASC,
    OD_QL_WORD_AT,
    OD_QL_WORD_BETWEEN,
    OD_QL_WORD_BY,
    OD_QL_WORD_DELETE,
    OD_QL_WORD_DESC,
    OD_QL_WORD_DISTINCT,
    OD_QL_WORD_EXISTS,
    OD_QL_WORD_FALSE,
    OD_QL_WORD_FROM,
    OD_QL_WORD_GROUP,
    OD_QL_WORD_HAVING,
    OD_QL_WORD_IN,
    OD_QL_WORD_INSERT,
    OD_QL_WORD_INTO,
    OD_QL_WORD_IS,
    OD_QL_WORD_JOIN, // and the words that come before it
    OD_QL_WORD_LIKE,
    OD_QL_WORD_LIMIT,
    OD_QL_WORD_MISSING,
    OD_QL_WORD_MODIFIED,
    OD_QL_WORD_NEW,
    OD_QL_WORD_NOT,
    OD_QL_WORD_NULL,
    OD_QL_WORD_OLD,
    OD_QL_WORD_OR,
    OD_QL_WORD_ORDER,
    OD_QL_WORD_REMOVE,
    OD_QL_WORD_RETURNING,
    OD_QL_WORD_SELECT,
    OD_QL_WORD_SET,
    OD_QL_WORD_TRUE,
    OD_QL_WORD_UPDATE,
    OD_QL_WORD_VALUE,
    OD_QL_WORD_WHERE,
};

struct od_ql_token {
    enum od_ql_tok kind;
    enum od_ql_word word; // WORD
    od_str text;          // as it stands, with its quotes
};

// All tokens of the text, END last. OD_VALIDATION when there is a BAD one.
od_status od_ql_lex(od_ctx *cx, od_str text, const struct od_ql_token **out);

// Whether the word is reserved, in any case of letters. `word` becomes its meaning.
bool od_ql_is_reserved(od_str text, enum od_ql_word *word);
// Reserved words that are functions when a parenthesis follows.
bool od_ql_is_function_word(od_str text);

// What stands between the quotes of a QUOTED or STRING token, doubled quotes made single.
od_str od_ql_unquote(od_arena *arena, od_str quoted);

// --- Tree ---------------------------------------------------------------------------------------

enum od_ql_node_kind {
    OD_QL_STRING, // name
    OD_QL_NUMBER,
    OD_QL_BOOL, // flag
    OD_QL_NULL,
    OD_QL_MISSING,
    OD_QL_PARAMETER, // index
    OD_QL_PATH,
    OD_QL_LIST,  // children
    OD_QL_TUPLE, // children in pairs: name, value
    OD_QL_BAG,   // children
    OD_QL_CALL,  // name in lower case, children
    OD_QL_STAR,
    OD_QL_SIGN, // op, one child
    OD_QL_AND,  // two or more
    OD_QL_OR,
    OD_QL_NOT,
    OD_QL_COMPARE,    // op, two
    OD_QL_BETWEEN,    // tested, lower, upper
    OD_QL_IN,         // tested, list
    OD_QL_IS,         // tested; name: the type in upper case
    OD_QL_LIKE,       // two
    OD_QL_ARITHMETIC, // op, two
};

struct od_ql_node {
    enum od_ql_node_kind kind;
    enum od_ql_tok op;
    od_str text; // of the token that stands for it, in the statement: where messages point
    od_str name;
    struct od_path path;
    size_t index;
    bool flag;
    int height; // of the tree below
    struct od_ql_node *first;
    struct od_ql_node *last;
    size_t count;
    struct od_ql_node *next; // of the same parent
};

// An assignment or removal.
struct od_ql_action {
    const struct od_ql_node *path;
    const struct od_ql_node *value; // NULL: REMOVE
    const struct od_ql_action *next;
};

struct od_ql_order {
    const struct od_ql_node *expr;
    bool descending;
    const struct od_ql_order *next;
};

enum od_ql_verb { OD_QL_SELECT, OD_QL_INSERT, OD_QL_UPDATE, OD_QL_DELETE };
enum od_ql_returning {
    OD_QL_RETURNING_NONE,
    OD_QL_RETURNING_ALL_OLD,
    OD_QL_RETURNING_ALL_NEW,
    OD_QL_RETURNING_MODIFIED_OLD,
    OD_QL_RETURNING_MODIFIED_NEW,
};

struct od_ql_tree {
    od_str text;
    enum od_ql_verb verb;
    bool in_exists;
    const struct od_ql_node *columns; // SELECT: the first of a chain; STAR
    const struct od_ql_node *source;  // the table, or the table and its index
    const struct od_ql_node *where;   // NULL: none
    const struct od_ql_order *order;
    const struct od_ql_node *item; // INSERT
    const struct od_ql_action *actions;
    size_t action_count;
    enum od_ql_returning returning;
    size_t parameter_count;
    od_str fault; // noted; {NULL, 0}: none
};

od_status od_ql_parse(od_ctx *cx, od_str text, const struct od_ql_tree **out);

// " at <line>:<column>:<length>" of a piece of the text, in characters from 1.
od_str od_ql_place(od_arena *arena, od_str text, od_str piece);

// --- Parser, shared by its files ----------------------------------------------------------------

struct od_ql_parser {
    od_ctx *cx;
    const struct od_ql_token *token; // the one being looked at
    struct od_ql_tree *tree;
    int depth;
};

// Fails with "Statement wasn't well formed, can't be processed: <detail>".
od_status od_ql_malformed(od_ctx *cx, const char *detail);
void od_ql_note(struct od_ql_parser *p, const char *fmt, ...) OD_PRINTF(2, 3);

bool od_ql_at_word(const struct od_ql_parser *p, enum od_ql_word word);
// Passes over the word if it is there.
bool od_ql_take_word(struct od_ql_parser *p, enum od_ql_word word);
bool od_ql_take(struct od_ql_parser *p, enum od_ql_tok kind);
od_status od_ql_expect(struct od_ql_parser *p, enum od_ql_tok kind, const char *detail);

// `text` is a piece of the statement.
struct od_ql_node *od_ql_node_create(struct od_ql_parser *p, enum od_ql_node_kind kind,
                                     od_str text);

// NAME or QUOTED
bool od_ql_is_name(const struct od_ql_token *token);

od_status od_ql_parse_expr(struct od_ql_parser *p, struct od_ql_node **out);
// One without operators: what may follow FROM.
od_status od_ql_parse_term(struct od_ql_parser *p, struct od_ql_node **out);
// A path, or else "Expected identifier for simple path".
od_status od_ql_parse_path(struct od_ql_parser *p, struct od_ql_node **out);

#endif
