// What the operations share: the table of them, and what many of them read and answer alike.
#ifndef OD_API_API_INTERNAL_H
#define OD_API_API_INTERNAL_H

#include "api/api.h"
#include "wire/wire.h"

enum od_op_kind {
    OD_OP_READ,
    OD_OP_LONG_READ,
    OD_OP_WRITE,
    OD_OP_CONTROL, // a write that changes the catalog
};

// Which faults of the enveloped family get "1 validation error detected: " in front.
enum od_op_envelope { OD_ENVELOPE_NONE, OD_ENVELOPE_UNUSED, OD_ENVELOPE_FAMILY };

typedef od_status od_op_step(struct od_call *call);
typedef od_status od_op_apply(struct od_batch *batch, od_ctx *cx, void *arg);
typedef void od_op_encode(struct od_call *call);

// Any step but `apply` of a write may be NULL: nothing to do.
struct od_op {
    od_str name;
    enum od_op_kind kind;
    enum od_op_envelope envelope;
    od_op_step *decode;   // the body to call->request
    od_op_step *run;      // of reads; what it reads lives until the answer is encoded
    od_op_apply *apply;   // of writes; its `arg` is call->request
    od_op_encode *encode; // to call->out, which may hold an answer's beginning from `run`
};

// Puts the words of the envelope in front of a fault that is just raised, whatever its operation's
// policy.
od_status od_api_envelope(od_ctx *cx, od_status fault);

// --- Reading ------------------------------------------------------------------------------------

enum od_capacity_mode { OD_CAPACITY_NONE, OD_CAPACITY_TOTAL, OD_CAPACITY_INDEXES };
enum od_capacity_mode od_api_capacity_mode(yyjson_val *root);

// The member `name` as a packed map, or no value when it is absent.
od_status od_api_map(od_ctx *cx, yyjson_val *object, const char *name, od_value *out);

// One attribute value.
od_status od_api_value(od_ctx *cx, yyjson_val *json, od_value *out);

// Every attribute of `key` is a key attribute, so none may be empty text or bytes.
od_status od_api_check_key(od_ctx *cx, od_value key);

// Whether the member is there and says `text`.
bool od_api_says(yyjson_val *object, const char *name, od_str text);

// A number as it was sent, or {NULL, 0} when the attribute is of another type. Batches take 1000
// and 1e3 for two keys.
od_str od_api_number_text(yyjson_val *map, od_str name);

// The name in a table's name or ARN.
od_str od_api_table_name(od_str name_or_arn);

// The tables that a batch names, RequestItems' keys; the same one twice is a fault, as it can be by
// its name and its ARN.
od_status od_api_check_tables(od_ctx *cx, const od_str *tables, size_t count);

// --- Writing ------------------------------------------------------------------------------------

// A member of the object being written whose name came from outside.
void od_api_key(struct od_buf *out, od_str name);
// Before an element of the array being written.
void od_api_comma(struct od_buf *out);
// A part of the request, as it came.
void od_api_json(struct od_buf *out, yyjson_val *json);
// A member that is a map.
void od_api_map_member(struct od_buf *out, const char *name, od_value map);

// "ConsumedCapacity", unless the mode is NONE.
void od_api_capacity(struct od_buf *out, enum od_capacity_mode mode, const struct od_capacity *c);
// The object alone.
void od_api_capacity_object(struct od_buf *out, enum od_capacity_mode mode,
                            const struct od_capacity *c);
// The same with the members that transactions add.
void od_api_transaction_capacity_object(struct od_buf *out, enum od_capacity_mode mode,
                                        const struct od_capacity *c, bool is_read);

// {"ItemCollectionKey":...}; the collection has a partition.
void od_api_collection_object(struct od_buf *out, const struct od_collection *collection);

#endif
