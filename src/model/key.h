// Keys: schemas, and how key values become bytes that memcmp sorts as DynamoDB sorts keys.
//
//   item row    | hash, 8 | partition components | sort components |
//   index row   | hash, 8 | index partition | index sort | table partition | table sort |
//
//   component   N     a packed number (number.h)
//               S, B  its bytes, escaped, then 01:  00 -> 02 02, 01 -> 02 03, 02 -> 02 04
//   hash        the upper 56 bits of XXH3-64 over the partition components, 7 bits a byte, each
//               byte with its high bit set
//
// So no row key holds a 0x00 byte, a key sorts before every longer key that it begins, and keys
// can be decoded. This layout is on disk: it is never changed, only added to.
#ifndef OD_MODEL_KEY_H
#define OD_MODEL_KEY_H

#include "model/value.h"

enum {
    OD_KEY_MAX_HASH = 4,  // attributes; 1 for a table or a local index
    OD_KEY_MAX_RANGE = 4, // attributes; 1 for a table or a local index
    OD_KEY_MAX_ATTRS = OD_KEY_MAX_HASH + OD_KEY_MAX_RANGE,
    OD_HASH_KEY_MAX_BYTES = 2048,
    OD_RANGE_KEY_MAX_BYTES = 1024,
    OD_KEY_HASH_BYTES = 8,
};

struct od_key_attr {
    od_str name;
    enum od_type type; // S, N or B
};

// HASH attributes first, then RANGE attributes.
struct od_key_schema {
    struct od_key_attr attrs[OD_KEY_MAX_ATTRS];
    size_t hash_count;
    size_t range_count;
};

static inline size_t od_key_attr_count(const struct od_key_schema *schema)
{
    return schema->hash_count + schema->range_count;
}

// The position of `name` in the schema; false when it is no key attribute.
bool od_key_find(const struct od_key_schema *schema, od_str name, size_t *out);

// Appends a value of type S, N or B.
void od_key_put_component(struct od_buf *out, od_value v);

// Appends the hash and the components of a partition.
void od_key_put_partition(struct od_buf *out, const od_value *values, size_t count);

// Appends the bytes that every key shares whose next component is a string or binary value that
// begins with those of `prefix`: a component without its end.
void od_key_put_prefix(struct od_buf *out, od_value prefix);

// Appends all components of the key of `map` by the schema, hash and partition first. Every key
// attribute is there with its type.
void od_key_put(struct od_buf *out, const struct od_key_schema *schema, od_value map);
// The same without the hash, as the tail of an index row's key.
void od_key_put_tail(struct od_buf *out, const struct od_key_schema *schema, od_value map);

// The first key after every key that begins with `prefix`; empty (no bound) if there is none.
od_str od_key_after_prefix(od_arena *arena, od_str prefix);

// Bounds of a parallel scan's segment: lo <= key < hi. Empty means no bound.
void od_key_segment(od_arena *arena, uint32_t segment, uint32_t total, od_str *lo, od_str *hi);

#endif
