// The generated parts of a scenario's texts: counters, repetitions, captured values.
#ifndef OD_TESTS_CONFORMANCE_EXPAND_H
#define OD_TESTS_CONFORMANCE_EXPAND_H

#include "base/buf.h"

struct capture {
    od_str name; // without the $
    od_str json;
    struct capture *next;
};

// Captured by the answers of one scenario.
struct captures {
    od_arena *arena;
    struct capture *first;
};

// {NULL, 0} when nothing of that name was captured.
od_str capture_get(const struct captures *captures, od_str name);
void capture_put(struct captures *captures, od_str name, od_str json);

// Replaces {n} by `n`, <text * count> by its repetition and "$name" by what was captured; a name
// that was not stays as it is.
od_str expand(od_arena *arena, od_str text, int n, const struct captures *captures);

// The same for an answer's pattern: besides, `...` outside strings becomes a member or an element
// that match.h knows.
od_str expand_pattern(od_arena *arena, od_str text, int n, const struct captures *captures);

#endif
