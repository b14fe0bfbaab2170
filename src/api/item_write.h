// PutItem, UpdateItem and DeleteItem: one write of one item.
#ifndef OD_API_ITEM_WRITE_H
#define OD_API_ITEM_WRITE_H

#include "api/params/params.h"

enum od_returns {
    OD_RETURNS_NONE,
    OD_RETURNS_ALL_OLD,
    OD_RETURNS_ALL_NEW,
    OD_RETURNS_UPDATED_OLD,
    OD_RETURNS_UPDATED_NEW,
};

struct od_item_write {
    struct od_write_job job; // first: a pointer to the whole is the job's argument
    enum od_returns returns;
    enum od_capacity_mode capacity;
    bool returns_collection;
};

// A request for `kind` of the table that the body names; what it writes is still to be read.
struct od_item_write *od_item_write_create(struct od_call *call, enum od_write_kind kind);

// Everything but what is written: ReturnValues, which may be no later one than `last`, and the
// parameters of `spec`.
od_status od_item_write_read(struct od_call *call, enum od_returns last,
                             const struct od_params_spec *spec);

// The answer, with `attributes` unless they have no value.
void od_item_write_answer(struct od_call *call, od_value attributes);

#endif
