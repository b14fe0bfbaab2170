// From what a Query or Scan asks to a range of rows.
#ifndef OD_ENGINE_READ_BOUNDS_H
#define OD_ENGINE_READ_BOUNDS_H

#include "engine/engine.h"

struct od_bounds {
    od_str lo;  // empty: from the beginning
    od_str hi;  // empty: to the end
    bool empty; // nothing can be there
    bool exact; // every attribute of the key is given: of a table, `lo` is the row
};

// The rows that a key condition selects by `schema`.
od_status od_bounds_of_query(od_ctx *cx, const struct od_key_schema *schema,
                             const struct od_key_condition *condition, struct od_bounds *out);

// The rows of a scan, or of one of its segments.
void od_bounds_of_scan(od_arena *arena, const struct od_read *read, struct od_bounds *out);

// Narrows the bounds to what follows ExclusiveStartKey; checks that it belongs there. `index` is
// NULL for the table.
od_status od_bounds_start(od_ctx *cx, const struct od_table *table, const struct od_index *index,
                          const struct od_read *read, struct od_bounds *bounds);

#endif
