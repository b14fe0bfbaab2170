// What the tests of this folder share. Values are written as in ../model/notation.h.
#ifndef OD_TESTS_EXPR_SUPPORT_H
#define OD_TESTS_EXPR_SUPPORT_H

#include "../model/notation.h"
#include "base/attr.h"
#include "expr/expr.h"

// Placeholder maps: names as in "#a=x #b=y", values as members of a map, their keys without the
// colon, as in "v: 1, w: 'x'". Either may be NULL.
struct od_expr_env *env_of(od_ctx *cx, const char *names, const char *values);

// These fail the test and print `text`, which tells the row, and both sides.
void check_ok(const char *text, od_ctx *cx, od_status got);
void check_fault(const char *text, od_ctx *cx, od_status got, const char *message);
// The same for a fault on stored data, which has no envelope.
void check_bare_fault(const char *text, od_ctx *cx, od_status got, const char *message);
void check_bool(const char *text, bool got, bool expected);
void check_size(const char *text, size_t got, size_t expected);
// `expected` is NULL for no value.
void check_value(const char *text, od_ctx *cx, od_value got, const char *expected);

// "a b c": the names that a visitor is shown.
struct name_list {
    struct od_buf out;
    size_t most; // stops after so many
    size_t count;
};
bool list_name(void *arg, od_str name);

#endif
