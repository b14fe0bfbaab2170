// From a file of entities to C: the work of `ordna gen`.
//
//     text --read--> tables, entities --check--> the same without faults --write--> shop.h, shop.c
//
// The file, line by line; `#` in front makes a comment, and indentation is for the eye:
//
//     table NAME ["NAME IN DYNAMODB"]
//       partition ATTRIBUTE string|number|bytes
//       sort ATTRIBUTE string|number|bytes
//       discriminator ATTRIBUTE                                      Type, if there is no such line
//       index NAME partition ATTRIBUTE TYPE [sort ATTRIBUTE TYPE] [keys_only]
//       local NAME sort ATTRIBUTE TYPE [keys_only]
//       allow ORD070 ...                                             warnings that are meant so
//
//     entity NAME ["DISCRIMINATOR"]                                  its name, if there is none
//       partition TEMPLATE
//       sort TEMPLATE
//       index NAME [partition TEMPLATE] [sort TEMPLATE]              for local indexes, too
//       peak_writes NUMBER                                           a second, for advice
//       allow ORD070 ...
//       FIELD [optional] [list of|set of|map of] TYPE [version|ttl]
//
// A template is text with fields in braces, `SITE#{Country}#EMP#{Number:d6}`. Names and templates
// with other characters than letters, digits and _ may stand in double quotes.
#ifndef OD_CODEGEN_CODEGEN_H
#define OD_CODEGEN_CODEGEN_H

#include "base/arena.h"

enum { OD_CODEGEN_MAX_FILE_BYTES = 1024 * 1024 };

// A finding, as "ORD051 error" has it.
struct od_codegen_finding {
    unsigned number;
    bool is_error; // else a warning
    uint32_t line; // both from 1
    uint32_t column;
    od_str text;
};

struct od_codegen_output {
    od_str name; // "shop.h"
    od_str text;
};

struct od_codegen_result {
    const struct od_codegen_finding *findings; // in order of the file
    size_t finding_count;
    size_t left_out; // findings beyond the first thousand
    size_t error_count;
    const struct od_codegen_output *outputs; // none when there is an error
    size_t output_count;
};

// Reads the entities in `text`. `file` is the name that the generated code tells as its source. All
// of the result is in the arena, or in `text`.
void od_codegen_run(od_arena *arena, od_str file, od_str text, struct od_codegen_result *out);

#endif
