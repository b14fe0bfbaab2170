// Between JSON and the model: parsing bodies, checking them against the operations' shapes, values
// both ways, error bodies. Server and client share it.
//
//   body --od_wire_parse--> yyjson tree --od_shape_check--> tree whose types can be trusted
//        --od_wire_map, od_wire_env...--> packed values
#ifndef OD_WIRE_WIRE_H
#define OD_WIRE_WIRE_H

#include "base/json.h"
#include "base/status.h"
#include "expr/expr.h"
#include "model/value.h"

#include <string.h>
#include <yyjson.h>

enum {
    OD_WIRE_MAX_DEPTH = 256, // of a body's JSON; deeper ones are refused before they are walked
    OD_WIRE_MAX_BODY_BYTES = 16 * 1024 * 1024,
};

// A body that is no JSON object, too long, or nested too deeply, is OD_SERIALIZATION with no
// message. `out` lives in the arena of `cx`.
od_status od_wire_parse(od_ctx *cx, od_str body, yyjson_val **out);

// --- Shapes -------------------------------------------------------------------------------------

// What shapes.txt says of a request. The tables are made from it by gen_shapes.py at build time.
struct od_shape; // shape.h
// The shape of an operation's input; NULL when shapes.txt does not have it.
const struct od_shape *od_shape_of_input(od_str operation);

// First the JSON types: the first wrong member is OD_SERIALIZATION. Then the constraints, all
// together: OD_VALIDATION "N validation errors detected: ...". Members that the shape does not have
// are ignored; members with value null count as absent.
od_status od_shape_check(od_ctx *cx, const struct od_shape *shape, yyjson_val *root);

// --- Reading a checked tree ---------------------------------------------------------------------

// A member, or NULL when it is absent or null. Of two with one name the last counts.
yyjson_val *od_wire_find(yyjson_val *object, od_str name);
// Of a value that may be NULL or of another type: what it holds, or else {NULL, 0} or `fallback`.
od_str od_wire_get_str(yyjson_val *value);
bool od_wire_get_bool(yyjson_val *value, bool fallback);
int64_t od_wire_get_int(yyjson_val *value, int64_t fallback); // fractions are cut off

// The same for a member.
static inline yyjson_val *od_wire_member(yyjson_val *object, const char *name)
{
    return od_wire_find(object, (od_str){name, strlen(name)});
}
static inline od_str od_wire_str(yyjson_val *object, const char *name)
{
    return od_wire_get_str(od_wire_member(object, name));
}
static inline bool od_wire_bool(yyjson_val *object, const char *name, bool fallback)
{
    return od_wire_get_bool(od_wire_member(object, name), fallback);
}
static inline int64_t od_wire_int(yyjson_val *object, const char *name, int64_t fallback)
{
    return od_wire_get_int(od_wire_member(object, name), fallback);
}

// One attribute value, packed and appended. Faults carry DynamoDB's messages; those of the
// enveloped family are OD_VALIDATION_ENVELOPED. Safe for a tree that nobody checked.
od_status od_wire_value(od_ctx *cx, yyjson_val *json, struct od_buf *out);

// That an attribute may have this name: not empty, and not too long.
od_status od_wire_check_name(od_ctx *cx, od_str name);

// An Item or a Key: an object of attribute values, as a packed map.
od_status od_wire_map(od_ctx *cx, yyjson_val *json, od_value *out);

// ExpressionAttributeNames and ExpressionAttributeValues of a request object, checked but for use,
// each sorted by its keys.
od_status od_wire_env(od_ctx *cx, yyjson_val *object, struct od_expr_env *out);
// The names alone: of an operation without values, where what stands in their place is not looked
// at.
od_status od_wire_names(od_ctx *cx, yyjson_val *object, struct od_expr_env *out);

// --- Writing ------------------------------------------------------------------------------------

// The JSON of one value, {"S":"a"}, and of a map's members, {"id":{"S":"a"}}.
void od_json_value(struct od_buf *out, od_value v);
void od_json_map(struct od_buf *out, od_value map);

// The body of an error answer. `enveloped`: this operation envelopes that family.
void od_wire_error(struct od_buf *out, od_status status, const od_ctx *cx, bool enveloped);

#endif
