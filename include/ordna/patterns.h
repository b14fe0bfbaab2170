/* Keys by design: identifiers that sort by time, shards of a hot key, buckets of time, large
 * objects in chunks. */
#ifndef ORDNA_PATTERNS_H
#define ORDNA_PATTERNS_H

#include "ordna/mapper.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Time ------------------------------------------------------------------------------------- */

ORDNA_API ordna_time ordna_now(void);

/* --- Identifiers ------------------------------------------------------------------------------ */

ORDNA_API ordna_uuid ordna_uuid4(void); /* random; in no order */
/* The time in milliseconds, then random bits: sorts by time, newest first is a backward read. */
ORDNA_API ordna_uuid ordna_uuid7(void);
ORDNA_API ordna_uuid ordna_uuid7_at(ordna_time time); /* 1970 to 10889 */
/* The lowest and the highest of a millisecond: between(first(a), last(b)) takes both whole. */
ORDNA_API ordna_uuid ordna_uuid7_first(ordna_time time);
ORDNA_API ordna_uuid ordna_uuid7_last(ordna_time time);
ORDNA_API ordna_time ordna_uuid7_time(ordna_uuid uuid);

enum { ORDNA_ULID_TEXT_SIZE = 27 };

/* The bounds of a millisecond for ULIDs kept as strings: its 10 characters of time, then sixteen 0
 * or sixteen Z. False for times that a ULID cannot hold. */
ORDNA_API bool ordna_ulid_first(ordna_time time, char out[ORDNA_ULID_TEXT_SIZE]);
ORDNA_API bool ordna_ulid_last(ordna_time time, char out[ORDNA_ULID_TEXT_SIZE]);

/* --- Shards ----------------------------------------------------------------------------------- */

/* The first byte of SHA-256 modulo `shards`: the same in every process. -1, which no key takes, for
 * no id, and for a number of shards that is not 1 to 256. */
ORDNA_API int32_t ordna_shard_of(const char *id, int32_t shards);
ORDNA_API int32_t ordna_shard_random(int32_t shards); /* -1 for less than one shard */
/* A partition takes 1,000 writes a second: expected peak / 1,000, rounded up, at least 1. */
ORDNA_API int32_t ordna_shards_needed(int64_t peak_writes_per_second);

/* --- Buckets of time -------------------------------------------------------------------------- */

/* The time divided by the size of a bucket. `size_ms`, above 0, is what the items were written
 * with: keep it. Times before 1970 have negative buckets. */
ORDNA_API int64_t ordna_bucket_of(ordna_time time, int64_t size_ms);
/* How many buckets [from, to] touches: bucket_of(from) and those behind it. 0 when to < from. A
 * query of all of them holds a page or two of each; of thousands ask some hundred at a time:
 * they are in order of time already. */
ORDNA_API size_t ordna_bucket_count(ordna_time from, ordna_time to, int64_t size_ms);

/* --- Large objects ---------------------------------------------------------------------------- */

/* Values above 400 KB, cut into chunks of 300 KB in one partition:
 *
 *     OBJECT#{id} | CHUNK#{version}#{index:d6} | Data
 *     OBJECT#{id} | MANIFEST                   | Version, Chunks, Size, Sha256
 *
 * The chunks of a new version are written first, and the manifest switches to it in one write, so
 * that a reader never mixes versions; the old chunks are removed after. A writer that stops halfway
 * leaves the object as it was, and of several writers the last to switch wins. After an error the
 * object is the old one or, when outcome_unknown is set or only the removal failed, the new one;
 * what is left over is for ordna_object_clean. The table's keys are strings. At most 1 GiB. */
ORDNA_API ordna_status ordna_object_put(ordna_session *session, const ordna_table *table,
                                        const char *id, const void *data, size_t len);

/* Into the session's memory. ORDNA_NOT_FOUND: there is no manifest. A reader whose version goes
 * while it reads starts again with the new one. ORDNA_BAD_ITEM: chunks are missing, or not what was
 * written. */
ORDNA_API ordna_status ordna_object_get(ordna_session *session, const ordna_table *table,
                                        const char *id, ordna_bytes *out);

/* ORDNA_NOT_FOUND: there is no manifest. */
ORDNA_API ordna_status ordna_object_delete(ordna_session *session, const ordna_table *table,
                                           const char *id);

/* Removes the chunks that no manifest names and whose writer began more than `older_than_ms` ago:
 * longer than any writer takes. */
ORDNA_API ordna_status ordna_object_clean(ordna_session *session, const ordna_table *table,
                                          const char *id, int64_t older_than_ms, size_t *removed);

#ifdef __cplusplus
}
#endif

#endif
