// Shared by the files of src/partiql, and by nothing else.
#ifndef OD_PARTIQL_PARTIQL_INTERNAL_H
#define OD_PARTIQL_PARTIQL_INTERNAL_H

#include "expr/update_build.h"
#include "partiql/parse/syntax.h"
#include "partiql/partiql.h"

#include <assert.h>

struct od_statement_body {
    const struct od_ql_tree *tree;
    const od_value *parameters;
    od_str fault; // {NULL, 0}: none
    od_str index;
    const struct od_column *columns; // SELECT; NULL: *. In the order of the text
    size_t column_count;
    od_value item; // INSERT
    const struct od_update *update;
};

// What turning nodes into values and conditions needs. With an index, attributes that it does not
// hold are missing.
struct od_ql_scope {
    od_ctx *cx;
    const struct od_ql_tree *tree;
    const od_value *parameters;
    const struct od_table *table; // NULL before there is one
    const struct od_index *index; // NULL for the table
};

// "<message> at 1:2:3": a fault that says where `text` stands.
#define OD_QL_FAIL_AT(scope, text, ...) \
    od_ql_fail_at((scope), (text), od_arena_printf((scope)->cx->arena, __VA_ARGS__))
od_status od_ql_fail_at(const struct od_ql_scope *scope, od_str text, od_str message);

// --- Nodes --------------------------------------------------------------------------------------

// The second child.
static inline const struct od_ql_node *od_ql_second(const struct od_ql_node *node)
{
    assert(node->first != NULL);
    return node->first->next;
}

// Literals, parameters and signs before them.
bool od_ql_is_value(const struct od_ql_node *node);
// Whether a node of this kind is true or false of an item.
bool od_ql_is_condition(const struct od_ql_node *node);

// --- value.c ------------------------------------------------------------------------------------

// What is no value is a fault.
od_status od_ql_value(const struct od_ql_scope *scope, const struct od_ql_node *node,
                      od_value *out);
// The attributes of a TUPLE.
od_status od_ql_item(const struct od_ql_scope *scope, const struct od_ql_node *node, od_value *out);

// --- condition.c --------------------------------------------------------------------------------

od_status od_ql_condition(const struct od_ql_scope *scope, const struct od_ql_node *node,
                          const struct od_condition **out);
// All of the nodes together; NULL when there are none.
od_status od_ql_conjunction(const struct od_ql_scope *scope, const struct od_ql_node *const *nodes,
                            size_t count, const struct od_condition **out);

const struct od_condition *od_ql_join(od_arena *arena, enum od_cond_op op,
                                      const struct od_condition *left,
                                      const struct od_condition *right);
const struct od_condition *od_ql_not(od_arena *arena, const struct od_condition *condition);
const struct od_condition *od_ql_leaf(od_arena *arena, enum od_cond_op op,
                                      const struct od_operand *operands, size_t count);
const struct od_condition *od_ql_exists(od_arena *arena, struct od_path path);
extern const struct od_condition od_ql_always;

// The path of a PATH; one that leads nowhere when the scope's index does not hold the attribute.
struct od_path od_ql_path(const struct od_ql_scope *scope, const struct od_ql_node *node);

// Messages that conditions and updates share. `type` is a letter or more: "N".
od_status od_ql_fail_type(const struct od_ql_scope *scope, od_str function, const char *type);
od_status od_ql_fail_function(const struct od_ql_scope *scope, const struct od_ql_node *call);

// --- update.c -----------------------------------------------------------------------------------

od_status od_ql_update(const struct od_ql_scope *scope, const struct od_update **out);

// --- split.c: a WHERE taken apart, as far as key conditions stand in it -------------------------

struct od_ql_splitter {
    const struct od_ql_scope *scope;
    const struct od_key_attr *hash;
    const struct od_key_attr *sort; // NULL: there is none
};

// Conditions that hold together.
struct od_ql_part {
    const struct od_ql_node **nodes;
    size_t count;
    size_t room;
};
struct od_ql_parts {
    struct od_ql_part *rows;
    size_t count;
};

// Whether the hash key is bound to values, by = or IN, in everything that the node is true of.
bool od_ql_is_keyed(const struct od_ql_splitter *s, const struct od_ql_node *node);
// How many parts there are, counted no further than one more than OD_PARTIQL_MAX_READS.
size_t od_ql_count_parts(const struct od_ql_splitter *s, const struct od_ql_node *node);
struct od_ql_parts od_ql_split(const struct od_ql_splitter *s, const struct od_ql_node *node);
bool od_ql_has_hash_list(const struct od_ql_splitter *s, const struct od_ql_node *node);

// A comparison of a key attribute with a value, IN and negations left aside.
struct od_ql_key_use {
    enum od_key_op op;
    const struct od_ql_node *value;
    const struct od_ql_node *upper; // BETWEEN
};
bool od_ql_uses_key(const struct od_ql_node *node, od_str name, struct od_ql_key_use *out);

// The value of a key attribute: OD_VALIDATION_ITEM when it is of another type.
od_status od_ql_key_value(const struct od_ql_scope *scope, const struct od_key_attr *attr,
                          const struct od_ql_node *node, od_value *out);

// --- branch.c: the reads that a WHERE becomes ---------------------------------------------------

struct od_ql_branch {
    od_value hash;
    const struct od_ql_node *sort;         // what narrows the read on the sort key; may be NULL
    const struct od_ql_node *const *nodes; // the other conditions
    size_t node_count;
    const struct od_condition *filter; // instead of `nodes`: of branches that were joined
    od_str lo;                         // sort keys, as bytes that sort: lo <= key < hi
    od_str hi;                         // empty: no bound
};

struct od_ql_branches {
    struct od_ql_branch *rows;
    size_t count;       // 0: the hash key is not bound, only a scan will do
    size_t hash_count;  // different hash values
    bool has_hash_list; // the hash key is bound by IN
};

// In ascending order of keys.
od_status od_ql_branches_make(const struct od_ql_scope *scope, const struct od_key_schema *schema,
                              struct od_ql_branches *out);

// The order in which branches are read, and rows within each.
struct od_ql_direction {
    bool hash_descending;
    bool backward;
};
// Joins branches that overlap, and puts them into this order.
od_status od_ql_branches_arrange(const struct od_ql_scope *scope, struct od_ql_direction direction,
                                 struct od_ql_branches *branches);

#endif
