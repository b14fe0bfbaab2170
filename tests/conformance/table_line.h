// "table" lines of scenario files as CreateTable requests.
#ifndef OD_TESTS_CONFORMANCE_TABLE_LINE_H
#define OD_TESTS_CONFORMANCE_TABLE_LINE_H

#include "base/buf.h"

// `text` is the table line and the index lines below it. False with `what` filled when it is not
// well-formed.
bool table_line_to_json(od_arena *arena, od_str text, od_str *name, od_str *json, od_str *what);

#endif
