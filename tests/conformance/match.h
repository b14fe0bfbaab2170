// Whether an answer is what a scenario's pattern says.
//
// A pattern is JSON. An object matches one with the same members, a list one with the same elements
// in order, a number one of the same value, a string itself. The members of SS, NS and BS match in
// any order. Besides:
//
//   { "Count": 1, ... }    other members may be there
//   [ 1, 2, ... ]          other elements may follow
//   [ "<set>", 1, 2 ]      in any order
//   "<any>" "<number>" "<text>" "<uuid>"   any value, any number, a string not empty, a UUID
//   "<absent>"             the member is not there
//   "a<...>z"              a string that begins and ends so; a part in the middle may be given too
//   "$name"                anything, which "$name" stands for from then on
#ifndef OD_TESTS_CONFORMANCE_MATCH_H
#define OD_TESTS_CONFORMANCE_MATCH_H

#include "expand.h"

#include <yyjson.h>

// True, or false with `reason` filled: where the two differ, what was wanted and what was there.
bool match_json(od_arena *arena, yyjson_val *pattern, yyjson_val *got, struct captures *captures,
                od_str *reason);

// Whether `text` is `want`, in which <...> stands for any part.
bool match_text(od_str want, od_str text);

#endif
