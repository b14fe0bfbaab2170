// Expressions that come again and again are parsed once: programs have few of them, and parsing is
// up to an eighth of a request.
//
// All that is kept is of one edition: parsed trees in one arena, found by their text. An edition
// that is full makes way for the next, and goes when the last call that uses it is answered. An
// expression is kept from the second time on that it is seen, so that texts which never come again
// push out nothing.
#ifndef OD_API_PARSED_H
#define OD_API_PARSED_H

#include "api/api.h"
#include "expr/expr.h"

// od_expr_parse, whose result lives until the call is answered. Any thread.
od_status od_parsed_get(struct od_call *call, enum od_expr_kind kind, od_str text,
                        const struct od_expr **out);

// What the call has used may go. Any thread; once.
void od_parsed_release(struct od_call *call);

#endif
