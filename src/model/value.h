// Attribute values and items as packed bytes: what a request decodes to, what storage holds, what
// expressions walk and what responses are written from. There is no tree of nodes.
//
//   value   S      'S' varint length, UTF-8 bytes
//           B      'B' varint length, bytes
//           N      a packed number (number.h), whose sign byte is the tag
//           BOOL   'T' or 'F'
//           NULL   '0'
//           SS     's' header, members as values S, sorted by their bytes, no duplicates
//           NS     'n' header, members as values N, ditto
//           BS     'b' header, members as values B, ditto
//           L      'L' header, values in order
//           M      'M' header, entries sorted by name: varint length, name, value
//   header  u32 length in bytes of what follows the header, u32 count of members; little-endian
//   item    version 0x01, u32 DynamoDB size in bytes (little-endian), one value of type M
//
// Canonical: equal values have equal bytes. Varints are LEB128, shortest form.
#ifndef OD_MODEL_VALUE_H
#define OD_MODEL_VALUE_H

#include "base/buf.h"
#include "base/status.h"
#include "model/number.h"

#include <stdint.h>

enum {
    OD_TAG_S = 'S',
    OD_TAG_B = 'B',
    OD_TAG_TRUE = 'T',
    OD_TAG_FALSE = 'F',
    OD_TAG_NULL = '0',
    OD_TAG_SS = 's',
    OD_TAG_NS = 'n',
    OD_TAG_BS = 'b',
    OD_TAG_L = 'L',
    OD_TAG_M = 'M',
};

enum od_type {
    OD_TYPE_S,
    OD_TYPE_N,
    OD_TYPE_B,
    OD_TYPE_BOOL,
    OD_TYPE_NULL,
    OD_TYPE_SS,
    OD_TYPE_NS,
    OD_TYPE_BS,
    OD_TYPE_L,
    OD_TYPE_M,
};
enum { OD_TYPE_COUNT = OD_TYPE_M + 1 };

enum {
    OD_ITEM_MAX_BYTES = 400 * 1024,
    OD_MAX_NESTING = 32, // maps and lists around a leaf, plus the leaf
    OD_ATTRIBUTE_NAME_MAX_BYTES = 65535,
};

// One packed value, borrowed. {NULL, 0} is "no value": a missing attribute.
typedef struct od_value {
    const char *ptr;
    size_t len;
} od_value;

// One packed item, borrowed. {NULL, 0} is "no item".
typedef struct od_item {
    const char *ptr;
    size_t len;
} od_item;

static inline bool od_value_exists(od_value v)
{
    return v.ptr != NULL;
}

static inline bool od_item_exists(od_item item)
{
    return item.ptr != NULL;
}

// "S", "N", ...
const char *od_type_name(enum od_type type);
// The type called `name`; false when there is none.
bool od_type_from_name(od_str name, enum od_type *out);

// The functions below take a value that exists.
enum od_type od_value_type(od_value v);
bool od_value_equal(od_value a, od_value b);
// Orders two values of one type out of S, N and B.
int od_value_compare(od_value a, od_value b);

od_str od_value_bytes(od_value v);     // S, B
bool od_value_bool(od_value v);        // BOOL
od_number od_value_number(od_value v); // N
size_t od_value_count(od_value v);     // SS NS BS L M: members
size_t od_value_size(od_value v);      // DynamoDB size in bytes, of any type
size_t od_value_depth(od_value v);     // maps and lists around the deepest leaf, plus the leaf
bool od_set_contains(od_value set, od_value member);
od_value od_list_get(od_value list, size_t index); // no value when past the end
od_value od_map_get(od_value map, od_str name);    // no value when absent

// for (struct od_iter it = od_iter(v); od_iter_next(&it);) ... it.value, and it.name in a map.
struct od_iter {
    const char *at;
    const char *end;
    bool is_map;
    od_str name;
    od_value value;
};
struct od_iter od_iter(od_value container); // SS NS BS L M
bool od_iter_next(struct od_iter *it);

// Items.
od_value od_item_map(od_item item);              // its attributes, as a value of type M
size_t od_item_size(od_item item);               // DynamoDB size in bytes
size_t od_attributes_size(od_value map);         // the same of attributes that are no item yet
od_value od_item_get(od_item item, od_str name); // a top-level attribute
// Packs the attributes of `map` as an item.
od_item od_item_pack(od_arena *arena, od_value map);

// Whether all of `bytes` is one well-formed, canonical item (or value) that these functions can
// walk.
bool od_item_valid(od_str bytes);
bool od_value_valid(od_str bytes);

// Writing. Containers are opened, filled in canonical order, and closed.
void od_pack_s(struct od_buf *out, od_str text);
void od_pack_b(struct od_buf *out, od_str bytes);
void od_pack_number(struct od_buf *out, od_number n);
void od_pack_bool(struct od_buf *out, bool b);
void od_pack_null(struct od_buf *out);
void od_pack_value(struct od_buf *out, od_value v); // a copy

// Opens an L or M; returns the mark to close it with. Before each member of an M comes its name,
// in ascending order.
size_t od_pack_open(struct od_buf *out, enum od_type type);
void od_pack_name(struct od_buf *out, od_str name);
void od_pack_close(struct od_buf *out, size_t mark, size_t count);

// Packs a set of packed members of the matching scalar type, at least one, in any order; `members`
// is sorted in place. `type` is SS, NS or BS. False, and nothing written, when two are equal.
bool od_pack_set(struct od_buf *out, enum od_type type, od_value *members, size_t count);

static inline od_value od_packed(const struct od_buf *buf)
{
    return (od_value){buf->ptr, buf->len};
}

// A named value, for maps under construction.
struct od_entry {
    od_str name;
    od_value value;
};

// A map of the entries, in any order; they are sorted in place. Names are distinct.
od_value od_map_build(od_arena *arena, struct od_entry *entries, size_t count);

#endif
