// The tables that gen_shapes.py makes from shapes.txt, and what may be asked of them.
#ifndef OD_WIRE_SHAPE_SHAPE_H
#define OD_WIRE_SHAPE_SHAPE_H

#include "base/str.h"

#include <string.h>
#include <yyjson.h>

enum od_shape_kind {
    OD_SHAPE_STRING,
    OD_SHAPE_ENUM,
    OD_SHAPE_INTEGER,
    OD_SHAPE_LONG,
    OD_SHAPE_BOOLEAN,
    OD_SHAPE_BLOB,
    OD_SHAPE_LIST,
    OD_SHAPE_MAP,
    OD_SHAPE_STRUCTURE,
};

struct od_shape;

struct od_shape_member {
    od_str name;
    const struct od_shape *shape;
    bool required;
    bool noecho;
    bool wirecase;
    od_str empty_text; // the whole message when it holds nothing; {NULL, 0} for the usual one
};

// What a string is made of: one or more characters of a set of ASCII characters.
struct od_shape_pattern {
    od_str text;
    uint64_t set[2];
};

// A perfect hash from a member's name to its position. The slots hold position + 1, or 0.
struct od_shape_lookup {
    const uint8_t *slots;
    uint8_t mask;
    uint8_t first, later, last; // multipliers of the characters at 0, 3/4 and the end
};

struct od_shape {
    od_str name;
    enum od_shape_kind kind;
    yyjson_type json; // what it is in JSON
    bool constrained; // itself, or something in it
    // A string's length, a number's value, how many members a list or map has.
    int64_t min, max;
    bool in_bytes;                          // string: its length is, not in characters
    int64_t arn_max;                        // string: the ARN of a table may be this long; or 0
    const struct od_shape_pattern *pattern; // string; may be NULL
    const od_str *values;                   // enum
    size_t value_count;
    od_str values_text;                    // enum: "[A, B]"
    const struct od_shape *of;             // list, map
    const struct od_shape *keys;           // map: a string; may be NULL
    const struct od_shape_member *members; // structure, and all below
    size_t member_count;
    uint32_t required; // bit set of members
    struct od_shape_lookup lookup;
    const uint8_t *alone; // positions of members
    size_t alone_count;
};

// The structure that an item's values have.
extern const struct od_shape *const od_shape_attribute_value;

// Inputs, sorted by the operation's name.
struct od_shape_input {
    od_str operation;
    const struct od_shape *shape;
};
extern const struct od_shape_input od_shape_inputs[];
extern const size_t od_shape_input_count;

// A structure's member; NULL when it has none of that name.
static inline const struct od_shape_member *od_shape_find(const struct od_shape *shape, od_str name)
{
    if (name.len == 0) {
        return NULL;
    }
    const struct od_shape_lookup *lookup = &shape->lookup;
    const unsigned char *c = (const unsigned char *)name.ptr;
    size_t hash = name.len + (size_t)c[0] * lookup->first +
                  (size_t)c[name.len * 3 / 4] * lookup->later +
                  (size_t)c[name.len - 1] * lookup->last;
    uint8_t slot = lookup->slots[hash & lookup->mask];
    if (slot == 0) {
        return NULL;
    }
    const struct od_shape_member *member = &shape->members[slot - 1];
    bool same = member->name.len == name.len && memcmp(member->name.ptr, name.ptr, name.len) == 0;
    return same ? member : NULL;
}

// --- What is wrong with a value; each is false when nothing is -----------------------------------

bool od_shape_breaks_pattern(const struct od_shape *shape, od_str text);
bool od_shape_breaks_enum(const struct od_shape *shape, od_str text);

static inline bool od_shape_breaks_min(const struct od_shape *shape, int64_t n)
{
    return n < shape->min;
}
static inline bool od_shape_breaks_max(const struct od_shape *shape, int64_t n)
{
    return n > shape->max;
}
// All that is asked of a string, together.
bool od_shape_breaks_string(const struct od_shape *shape, od_str text);

// A string's length as bounds count it.
int64_t od_shape_length(const struct od_shape *shape, od_str text);
// Whether `text` is the ARN of a table, where the shape allows one.
bool od_shape_takes_arn(const struct od_shape *shape, od_str text);
// A JSON number as an integer: fractions are cut off, what is too large is clamped.
int64_t od_shape_int(yyjson_val *number);

#endif
