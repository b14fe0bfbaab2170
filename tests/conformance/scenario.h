// Scenario files, tests/conformance/*.ddbt: what a client sends and what it must get.
//
//   # A put replaces the whole item           begins a scenario, with no tables
//   table Music  HASH Artist S  RANGE Title S makes a table; indented lines add indexes:
//     gsi by_year  HASH Year N  RANGE Title S  INCLUDE Label
//     lsi by_length  HASH Artist S  RANGE Length N  KEYS_ONLY
//   items Music                               puts the items that follow, each {}
//   { "Artist": {"S": "Nina"}, ... }
//   > GetItem                                 a request, then its body
//   { ... }
//   > GetItem raw                             the same; the body need not be JSON
//   < 200                                     the answer: its status, then a pattern (match.h);
//   { ... }                                   nothing: any body
//   < 400 ValidationException                 short for an error: type, then message as it is
//   The provided key element does not match the schema
//   @repeat 30                                makes the next step 30 steps; {n} counts from 1
//   // a comment
//
// In requests, items and answers:
//   <ab * 3>       ababab; {i} in it counts from 1, {i:4} with leading zeros to four digits
//   "$name"        what an answer's pattern captured before
#ifndef OD_TESTS_CONFORMANCE_SCENARIO_H
#define OD_TESTS_CONFORMANCE_SCENARIO_H

#include "base/buf.h"

enum { MAX_REPEAT = 100000, MAX_EXPANDED_BYTES = 64 * 1024 * 1024 };

enum step_kind {
    STEP_TABLE, // request: the CreateTable body; name: the table
    STEP_ITEMS, // request: JSON objects one after another; name: the table
    STEP_CALL,
};

struct step {
    enum step_kind kind;
    int line; // where it begins
    int repeat;
    od_str name;    // table or operation
    od_str request; // as written
    bool is_raw;
    int status;        // 200, 400 ...
    int answer_line;   // 0: no answer is given
    od_str error_type; // empty: `answer` is a pattern
    od_str answer;     // as written; empty: not looked at
    struct step *next;
};

struct scenario {
    od_str title;
    int line;
    struct step *steps;
    struct scenario *next;
};

// What is wrong with a file, and where.
struct fault {
    int line;
    od_str what;
};

// Reads a file's text. False with `fault` filled when it is not well-formed.
bool scenario_parse(od_arena *arena, od_str text, struct scenario **out, struct fault *fault);

#endif
