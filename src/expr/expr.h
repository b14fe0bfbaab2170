// Expressions: condition, filter, key condition, projection, update.
//
//   text --expr_lex--> tokens --expr_parse--> syntax tree --bind--> tree ready to run
//
// Parsing looks at the text alone, so its result can be shared by requests with the same text.
// Binding looks up names and values in the request's placeholder maps and makes all checks that
// need no table. What is bound cannot fail on an item, except where a function returns a status.
// Everything lives in the arena of the context given, and is read-only once made. What parsing
// gives holds a copy of the text; what binding gives refers to it, and to the names and values.
//
// Messages are DynamoDB's; faults in an expression are OD_VALIDATION_ENVELOPED.
#ifndef OD_EXPR_EXPR_H
#define OD_EXPR_EXPR_H

#include "base/status.h"
#include "model/path.h"
#include "model/value.h"

enum {
    OD_EXPR_MAX_BYTES = 4096,
    OD_EXPR_MAX_OPERATORS = 300,
    OD_EXPR_MAX_IN_OPERANDS = 100,
    OD_EXPR_MAX_DEPTH = 300,
};

// Which parameter the text came from: messages name it.
enum od_expr_kind {
    OD_EXPR_CONDITION,
    OD_EXPR_FILTER,
    OD_EXPR_KEY_CONDITION,
    OD_EXPR_PROJECTION,
    OD_EXPR_UPDATE,
};

struct od_expr; // a syntax tree
od_status od_expr_parse(od_ctx *cx, enum od_expr_kind kind, od_str text,
                        const struct od_expr **out);

// The request's ExpressionAttributeNames and ExpressionAttributeValues. Keys keep their # and :.
// Binding marks what it uses.
struct od_expr_name {
    od_str key;
    od_str name;
    bool used;
};
struct od_expr_value {
    od_str key;
    od_value value;
    bool used;
};
struct od_expr_env {
    struct od_expr_name *names;
    size_t name_count;
    struct od_expr_value *values;
    size_t value_count;
    bool sorted; // set by binding, which sorts large maps by key
};

// After every expression of the request is bound: names and values that none of them used are a
// fault.
od_status od_expr_check_unused(od_ctx *cx, const struct od_expr_env *env);

// --- Conditions and filters ---------------------------------------------------------------------

// A bound condition. The legacy parameters and PartiQL build these nodes too. A chain of AND or OR
// may be of any length when it leans to the right: a AND (b AND (c AND d)).
enum od_cond_op {
    OD_COND_AND, // conditions `left`, `right`
    OD_COND_OR,
    OD_COND_NOT, // condition `left`
    OD_COND_EQ,  // operands[0], operands[1]
    OD_COND_NE,
    OD_COND_LT,
    OD_COND_LE,
    OD_COND_GT,
    OD_COND_GE,
    OD_COND_BETWEEN, // operands[0] is the tested one, then the bounds
    OD_COND_IN,      // operands[0] is the tested one, then the list
    OD_COND_EXISTS,  // path
    OD_COND_NOT_EXISTS,
    OD_COND_TYPE,        // operands[0], then a value S that names a type
    OD_COND_BEGINS_WITH, // operands[0] is the longer one
    OD_COND_CONTAINS,    // operands[0] is the string, binary, set or list
};

enum od_operand_kind {
    OD_OPERAND_PATH,
    OD_OPERAND_VALUE,
    OD_OPERAND_SIZE, // size(path)
};

struct od_operand {
    enum od_operand_kind kind;
    struct od_path path;
    od_value value;
};

struct od_condition {
    enum od_cond_op op;
    const struct od_condition *left;
    const struct od_condition *right;
    const struct od_operand *operands;
    size_t operand_count;
};

// `expr` is of kind CONDITION or FILTER.
od_status od_condition_bind(od_ctx *cx, const struct od_expr *expr, struct od_expr_env *env,
                            const struct od_condition **out);

// `map` holds the item's attributes; no value stands for an item that does not exist.
bool od_condition_match(const struct od_condition *condition, od_value map);

// Calls `visit` for the first step's name of every path in the condition, in the order of the
// text, until it returns false.
typedef bool od_name_visitor(void *arg, od_str name);
void od_condition_names(const struct od_condition *condition, od_name_visitor *visit, void *arg);

// --- Key conditions -----------------------------------------------------------------------------

enum od_key_op {
    OD_KEY_EQ,
    OD_KEY_LT,
    OD_KEY_LE,
    OD_KEY_GT,
    OD_KEY_GE,
    OD_KEY_BETWEEN,
    OD_KEY_BEGINS_WITH,
};

struct od_key_term {
    od_str name;
    enum od_key_op op;
    od_value value;
    od_value upper; // BETWEEN's second bound
};

// At most one for each attribute, in the order of the text, and any number of them. They are held
// against a key schema by the engine, which knows the table.
struct od_key_condition {
    const struct od_key_term *terms;
    size_t count;
};

od_status od_key_condition_bind(od_ctx *cx, const struct od_expr *expr, struct od_expr_env *env,
                                struct od_key_condition *out);

// --- Projections --------------------------------------------------------------------------------

struct od_projection {
    const struct od_path *paths; // none overlaps or conflicts with another
    size_t count;
    bool is_sorted; // as binding leaves them, or names in the order of their bytes
};

od_status od_projection_bind(od_ctx *cx, const struct od_expr *expr, struct od_expr_env *env,
                             struct od_projection *out);

// The selected parts of `map` as a new map, in document structure; lists come compacted. An empty
// map when nothing is selected.
od_value od_projection_apply(od_arena *arena, const struct od_projection *projection, od_value map);

// --- Updates ------------------------------------------------------------------------------------

struct od_update; // expr_internal.h

od_status od_update_bind(od_ctx *cx, const struct od_expr *expr, struct od_expr_env *env,
                         const struct od_update **out);

// Legacy AttributeUpdates build an update from rows like these; names are literal, top-level and
// distinct. ADD appends a list to a list, which an expression does not.
enum od_update_action {
    OD_UPDATE_SET,
    OD_UPDATE_REMOVE,
    OD_UPDATE_ADD,
    OD_UPDATE_DELETE,
};
struct od_update_row {
    enum od_update_action action;
    od_str name;
    od_value value; // none for REMOVE
};
const struct od_update *od_update_from_rows(od_arena *arena, const struct od_update_row *rows,
                                            size_t count);

// Calls `visit` for the top-level name of every path that the update writes, in the order of the
// text, until it returns false.
void od_update_names(const struct od_update *update, od_name_visitor *visit, void *arg);

// The map after the update. `map` is the stored item's attributes; when there is no item, it is
// the key's attributes and `exists` is false. OD_VALIDATION when a path or an operand does not fit
// the stored data.
od_status od_update_apply(od_ctx *cx, const struct od_update *update, od_value map, bool exists,
                          od_value *out);

// Whether the update makes an item where none is. An expression always does; AttributeUpdates that
// only DELETE do not.
bool od_update_makes_item(const struct od_update *update);

// What UpdateItem adds up for the 400 KB gate besides the stored item: DynamoDB charges each action
// a fixed cost.
size_t od_update_cost(const struct od_update *update);

// The parts of `map` that the update's paths address, for UPDATED_OLD (`map` is the old item) and
// UPDATED_NEW (the new one). No value when there are none.
od_value od_update_touched(od_arena *arena, const struct od_update *update, od_value map);

#endif
