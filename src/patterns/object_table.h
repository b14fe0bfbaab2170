// The two entities of a large object, over the keys of a table that the caller has.
#ifndef OD_PATTERNS_OBJECT_TABLE_H
#define OD_PATTERNS_OBJECT_TABLE_H

#include "ordna/mapper.h"

enum {
    OD_OBJECT_CHUNK_BYTES = 300 * 1024,
    OD_OBJECT_SHA_BYTES = 32,
};

struct od_object_chunk {
    const char *id;
    ordna_uuid version;
    int32_t index;
    ordna_bytes data;
};

struct od_object_manifest {
    const char *id;
    ordna_uuid version;
    int32_t chunks;
    int64_t size;
    ordna_bytes sha256;
};

// Points into itself: not to be copied.
struct od_object_table {
    ordna_table table;
    ordna_template partition;
    ordna_template chunk_sort;
    ordna_template manifest_sort;
    ordna_index chunk_key;
    ordna_index manifest_key;
    ordna_entity chunk;
    ordna_entity manifest;
    const ordna_entity *entities[2];
};

// ORDNA_BAD_ARGUMENT for a table without a partition and a sort key of strings.
ordna_status od_object_table_init(struct od_object_table *out, ordna_session *session,
                                  const ordna_table *table);

// Keys of chunks of a version, and of all versions.
ordna_key od_object_partition(const struct od_object_table *table, const char *id);
ordna_key od_object_chunks_of(const struct od_object_table *table, ordna_uuid version);
ordna_key od_object_all_chunks(const struct od_object_table *table);

// Of its latest version. ORDNA_NOT_FOUND when there is none.
ordna_status od_object_read_manifest(ordna_session *session, const struct od_object_table *table,
                                     const char *id, struct od_object_manifest *out);

#endif
