// Standard base64 with padding (RFC 4648, section 4).
#ifndef OD_BASE_BASE64_H
#define OD_BASE_BASE64_H

#include "base/buf.h"

// Appends the encoded text.
void od_base64_encode(struct od_buf *out, od_str bytes);

// Whether the text is strictly base64: no wrong length, padding or alphabet, and no stray bits in
// the last group.
bool od_base64_valid(od_str text);

// False when it is not. `out` is allocated in the arena.
bool od_base64_decode(od_arena *arena, od_str text, od_str *out);

#endif
