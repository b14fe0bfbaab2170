// Shared by the files of src/wire, and by nothing else.
#ifndef OD_WIRE_WIRE_INTERNAL_H
#define OD_WIRE_WIRE_INTERNAL_H

#include "wire/shape/shape.h"
#include "wire/wire.h"

// Members of an object, sorted by name; of two with one name only the last. A null value stays.
struct od_wire_entry {
    od_str name;
    yyjson_val *value;
    uint64_t prefix; // the name's first bytes as a number, which sorts as they do
};
struct od_wire_entries {
    struct od_wire_entry *rows;
    size_t count;
};
struct od_wire_entries od_wire_entries(od_arena *arena, yyjson_val *object);

static inline od_str od_wire_text(yyjson_val *string)
{
    return (od_str){unsafe_yyjson_get_str(string), unsafe_yyjson_get_len(string)};
}

// The beginning of `text`, in whole characters, that is at most `max` bytes long.
od_str od_wire_cut(od_str text, size_t max);

// Fails with `text` as the message. For text that may hold a NUL byte, where OD_FAIL would stop.
od_status od_wire_fail(od_ctx *cx, od_status status, od_str text);

// The one fault of a value that reads the same wherever the value stands.
extern const char od_wire_too_deep[];

// --- Types --------------------------------------------------------------------------------------

// Whether the JSON value is of the type that the shape asks for.
static inline bool od_shape_has_type(const struct od_shape *shape, yyjson_val *json)
{
    return unsafe_yyjson_get_type(json) == shape->json;
}

// OD_SERIALIZATION: `json` is not of that type.
od_status od_shape_fail_type(od_ctx *cx, const struct od_shape *shape, yyjson_val *json);

// OD_SERIALIZATION: a text is not base64.
od_status od_shape_fail_base64(od_ctx *cx);

// --- Constraints --------------------------------------------------------------------------------

// The slow way through a request in which something is wrong: finds all faults and words them.
// OD_OK when it was only in members that a later one of the same name replaces.
od_status od_shape_report(od_ctx *cx, const struct od_shape *shape, yyjson_val *root);

// The value as messages show it: [KeySchemaElement(attributeName=a, keyType=HASH)].
// What is too long is cut.
void od_shape_echo(struct od_buf *out, const struct od_shape *shape, yyjson_val *json);

// Appends a name with its first letter in lower case.
void od_shape_put_camel(struct od_buf *out, od_str name);

#endif
