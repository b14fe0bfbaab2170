// Takes a value apart and builds it again with the writing functions: a canonical value comes out
// as it went in.
#ifndef OD_TESTS_MODEL_REPACK_H
#define OD_TESTS_MODEL_REPACK_H

#include "model/value.h"

static inline void repack(struct od_buf *out, od_value v);

static inline void repack_members(struct od_buf *out, od_value v)
{
    size_t count = 0;
    size_t mark = od_pack_open(out, od_value_type(v));
    for (struct od_iter it = od_iter(v); od_iter_next(&it); count++) {
        if (it.is_map) {
            od_pack_name(out, it.name);
        }
        repack(out, it.value);
    }
    od_pack_close(out, mark, count);
}

static inline void repack_set(struct od_buf *out, od_value v)
{
    size_t count = od_value_count(v);
    od_value *members = od_new_array(out->arena, od_value, count);
    size_t at = count; // backwards, so that there is something to sort
    for (struct od_iter it = od_iter(v); at > 0 && od_iter_next(&it);) {
        members[--at] = it.value;
    }
    (void)od_pack_set(out, od_value_type(v), members, count);
}

static inline void repack(struct od_buf *out, od_value v)
{
    switch (od_value_type(v)) {
    case OD_TYPE_S:
        od_pack_s(out, od_value_bytes(v));
        break;
    case OD_TYPE_N:
        od_pack_number(out, od_value_number(v));
        break;
    case OD_TYPE_B:
        od_pack_b(out, od_value_bytes(v));
        break;
    case OD_TYPE_BOOL:
        od_pack_bool(out, od_value_bool(v));
        break;
    case OD_TYPE_NULL:
        od_pack_null(out);
        break;
    case OD_TYPE_SS:
    case OD_TYPE_NS:
    case OD_TYPE_BS:
        repack_set(out, v);
        break;
    case OD_TYPE_L:
    case OD_TYPE_M:
        repack_members(out, v);
        break;
    }
}

#endif
