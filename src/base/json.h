// Writing JSON, piece by piece.
#ifndef OD_BASE_JSON_H
#define OD_BASE_JSON_H

#include "base/buf.h"

void od_json_str(struct od_buf *out, od_str s); // escaped and quoted
void od_json_raw(struct od_buf *out, const char *text);
void od_json_int(struct od_buf *out, int64_t n);
void od_json_halves(struct od_buf *out, int64_t halves); // 0.5, 1.0, 2.5
void od_json_epoch_ms(struct od_buf *out, int64_t ms);   // epoch seconds with fraction
// A member of the object being written: puts a comma first unless the object was just opened, then
// the quoted name and a colon. `name` needs no escaping.
void od_json_member(struct od_buf *out, const char *name);

#endif
