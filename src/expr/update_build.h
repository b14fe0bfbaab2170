// Updates made by hand: for PartiQL, whose UPDATE says what an update expression says, and for
// legacy AttributeUpdates (od_update_from_rows, expr.h).
#ifndef OD_EXPR_UPDATE_BUILD_H
#define OD_EXPR_UPDATE_BUILD_H

#include "expr/expr.h"

struct od_term; // the right side of a SET

const struct od_term *od_term_of_value(od_arena *arena, od_value value);
const struct od_term *od_term_of_path(od_arena *arena, struct od_path path);
// Values among the operands are numbers.
const struct od_term *od_term_plus(od_arena *arena, const struct od_term *left,
                                   const struct od_term *right);
const struct od_term *od_term_minus(od_arena *arena, const struct od_term *left,
                                    const struct od_term *right);
// Values among the operands are lists.
const struct od_term *od_term_list_append(od_arena *arena, const struct od_term *left,
                                          const struct od_term *right);

struct od_update_part {
    enum od_update_action action;
    struct od_path path;
    const struct od_term *term; // SET
    od_value value;             // ADD: a number or a set. DELETE: a set
};

// Paths that overlap or conflict are a fault, OD_VALIDATION_ENVELOPED.
od_status od_update_build(od_ctx *cx, const struct od_update_part *parts, size_t count,
                          const struct od_update **out);

#endif
