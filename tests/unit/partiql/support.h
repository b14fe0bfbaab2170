// What the tests of this folder share. Values are written as in ../model/notation.h.
#ifndef OD_TESTS_PARTIQL_SUPPORT_H
#define OD_TESTS_PARTIQL_SUPPORT_H

#include "../expr/support.h"
#include "partiql/partiql.h"

// A table Music with the key pk S, sk N, and the indexes
//   ranked     local   pk, rank N        rank and the keys
//   by_label   global  label S           year beside the keys
//   by_year    global  label S, year N   everything
//   by_two     global  a S and b S
const struct od_table *music(od_ctx *cx);
// A table Plain with the key pk S.
const struct od_table *plain(od_ctx *cx);

// Parses, without parameters or with the members of a list in notation.
od_status parse(od_ctx *cx, const char *text, const char *parameters, struct od_statement *out);

// The text parses and has no fault of its own.
struct od_statement parsed(od_ctx *cx, const char *text);

// Fails the test when the message is another one. NULL: any message.
void check_message(const char *text, od_ctx *cx, od_status got, od_status expected,
                   const char *message);
void check_str(const char *text, od_str got, const char *expected);

#endif
