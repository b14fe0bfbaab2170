// PartiQL: statements become the requests that the engine takes.
//
//   text, parameters --parse--> statement --plan, with its table--> reads, or one write
//
// A statement is parsed and checked without its table. What is malformed fails at once; what is
// well-formed but not for DynamoDB is kept in the statement and fails the plan, because DynamoDB
// says some things of the table first. Everything lives in the arena of the context, and refers to
// the text, the parameters and the table given. Faults are OD_VALIDATION, except where a comment
// says so.
#ifndef OD_PARTIQL_PARTIQL_H
#define OD_PARTIQL_PARTIQL_H

#include "engine/engine.h"

enum { OD_PARTIQL_MAX_READS = 50 }; // that one SELECT may become

enum od_statement_kind {
    OD_STATEMENT_SELECT,
    OD_STATEMENT_INSERT,
    OD_STATEMENT_UPDATE,
    OD_STATEMENT_DELETE,
    OD_STATEMENT_EXISTS, // EXISTS(SELECT ...): a condition check of a transaction
};

struct od_statement_body; // partiql_internal.h

struct od_statement {
    enum od_statement_kind kind;
    od_str table; // as written, a name or an ARN
    bool has_index;
    bool returns; // there is a RETURNING clause
    const struct od_statement_body *body;
};

// `text` is valid UTF-8.
od_status od_partiql_parse(od_ctx *cx, od_str text, const od_value *parameters, size_t count,
                           struct od_statement *out);

// The fault that the statement keeps. For when there is no table to plan with.
od_status od_partiql_check(od_ctx *cx, const struct od_statement *statement);

// --- SELECT -------------------------------------------------------------------------------------

// One read of several that are made in order.
struct od_select_read {
    const struct od_key_condition *key_condition; // NULL: a scan
    const struct od_condition *filter;            // NULL: every item
};

struct od_column {
    od_str name;
    struct od_path path;
};

struct od_select_plan {
    od_str index; // {NULL, 0} for the table
    const struct od_select_read *reads;
    size_t read_count; // at least 1
    bool backward;
    int64_t page_items;                     // evaluated in one answer; 0: no limit
    const struct od_column *columns;        // NULL: all attributes
    size_t column_count;                    // sorted by name
    const struct od_projection *projection; // what the columns need of an item; NULL: everything
    od_value key; // when the statement names one item by its whole key; else no value
};

// Key values of the wrong type are OD_VALIDATION_ITEM.
od_status od_partiql_plan_select(od_ctx *cx, const struct od_statement *statement,
                                 const struct od_table *table, bool consistent,
                                 struct od_select_plan *out);

// The row that an item, whose attributes `map` holds, becomes.
od_value od_partiql_row(od_arena *arena, const struct od_select_plan *plan, od_value map);
// Of a plan with a key, and the item of that key or no value: no value when the WHERE is not true
// of it.
od_value od_partiql_row_of_key(od_arena *arena, const struct od_select_plan *plan, od_value map);

// --- Writes -------------------------------------------------------------------------------------

// Of INSERT, UPDATE, DELETE and EXISTS. A WHERE that does not name one item is OD_VALIDATION_ITEM.
od_status od_partiql_plan_write(od_ctx *cx, const struct od_statement *statement,
                                const struct od_table *table, struct od_write_action *out);

// The row of the RETURNING clause; no value when there is none.
od_value od_partiql_returned(od_arena *arena, const struct od_statement *statement,
                             const struct od_write_result *result);

// --- NextToken ----------------------------------------------------------------------------------

// What is left of a SELECT: from its read number `read` on, after the row of `key`; no value for
// that read's beginning.
struct od_select_position {
    size_t read;
    od_value key;
};

// A number that two different statements share with no likelihood; `seed` chains several.
uint64_t od_partiql_fingerprint(uint64_t seed, od_str text, const od_value *parameters,
                                size_t count);

od_str od_partiql_token_write(od_arena *arena, uint64_t fingerprint,
                              const struct od_select_position *position);
od_status od_partiql_token_read(od_ctx *cx, od_str token, uint64_t fingerprint,
                                struct od_select_position *out);

#endif
