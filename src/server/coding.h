// Content codings and checksums: gzip, CRC-32.
#ifndef OD_SERVER_CODING_H
#define OD_SERVER_CODING_H

#include "base/arena.h"

#include <stdint.h>

enum od_inflate { OD_INFLATE_OK, OD_INFLATE_BROKEN, OD_INFLATE_TOO_LARGE };

// The plain bytes of a gzip body, in the arena, of at most `max_bytes`.
enum od_inflate od_gzip_decode(od_arena *arena, od_str coded, size_t max_bytes, od_str *out);

// False when it cannot be coded.
bool od_gzip_encode(od_arena *arena, od_str plain, od_str *out);

// Whether an Accept-Encoding header takes gzip: it names it, and not with the weight zero.
bool od_accepts_gzip(od_str accept_encoding);

// The CRC-32 of IEEE 802.3, as in x-amz-crc32.
uint32_t od_crc32(od_str bytes);

#endif
