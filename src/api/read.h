// Query and Scan: a page of a table or of an index.
#ifndef OD_API_READ_H
#define OD_API_READ_H

#include "api/params/params.h"

struct od_read_request {
    struct od_read read;
    struct od_read_result result;
    enum od_capacity_mode capacity;
};

// A request with the members that Query and Scan share; its expressions and its start key are still
// to be read.
struct od_read_request *od_read_create(struct od_call *call);

// The parameters of `spec`.
od_status od_read_params(struct od_call *call, const struct od_params_spec *spec);

// ExclusiveStartKey.
od_status od_read_start_key(struct od_call *call);

#endif
