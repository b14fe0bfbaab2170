// Values written short, for tables of cases:
//
//   'text'   S           [v, v]      L
//   x'00FF'  B           {n: v}      M, names without quotes, in any order
//   -1.5     N           <v, v>      a set of the members' type
//   true     BOOL        null        NULL
#ifndef OD_TESTS_MODEL_NOTATION_H
#define OD_TESTS_MODEL_NOTATION_H

#include "support.h"

// Fails the test when `text` is no value.
od_value value_of(od_ctx *cx, const char *text);

#endif
