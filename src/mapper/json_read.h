// Answers, read in pieces: what a page of items holds is found by one quick pass over its text, and
// only the item at hand becomes a tree.
#ifndef OD_MAPPER_JSON_READ_H
#define OD_MAPPER_JSON_READ_H

#include "base/buf.h"

#include <yyjson.h>

// How long the string or value is that a text begins with; past the text's end when it has none.
size_t od_json_string_end(od_str text);
size_t od_json_value_end(od_str text);

// The text of an object's member. False when there is none, or `object` is no object.
bool od_json_find(od_str object, const char *name, od_str *out);

// The elements of an array, or the members' values of an object with their names. Start with
// {.text = ...}.
struct od_json_walk {
    od_str text;  // the array or object, and what follows it
    size_t at;    // behind what was read; at the end behind the closing bracket
    od_str name;  // of an object's member, without its quotes, as it is escaped
    od_str value; // nothing but brackets and quotes is checked in here
    bool broken;  // the walk has ended because the text makes no sense
};
bool od_json_next(struct od_json_walk *walk);

// The same in two steps: to where the next value begins, which is all that `value` says then, and
// over it. An array can be walked through instead, and left at its end.
bool od_json_reach(struct od_json_walk *walk);
bool od_json_skip(struct od_json_walk *walk);
void od_json_leave(struct od_json_walk *walk, const struct od_json_walk *inner);

// Memory of one tree, on the stack for most items; what is larger goes to the arena.
struct od_json_tree {
    od_arena *arena;
    size_t used;
    _Alignas(16) char bytes[8 * 1024];
};

static inline void od_json_tree_init(struct od_json_tree *tree, od_arena *arena)
{
    tree->arena = arena;
    tree->used = 0;
}

// The tree of a JSON text, whose strings are in `text` itself and end with a 0. Four bytes follow
// its end, which are 0. NULL when it is no JSON.
yyjson_val *od_json_parse(struct od_json_tree *tree, char *text, size_t len);
// The same of a copy in the arena.
yyjson_val *od_json_parse_copy(struct od_json_tree *tree, od_arena *arena, od_str text);

#endif
