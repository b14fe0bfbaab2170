// What writers left behind that stopped before their manifest.
#include "base/clock.h"
#include "client/session.h"
#include "ordna/patterns.h"
#include "patterns/object_table.h"

#include <string.h>

// The versions to be kept: that of the manifest, and those so young that their writer may live.
struct keep {
    bool has_manifest;
    ordna_uuid manifest;
    ordna_time before;
};

static bool is_orphan(const struct keep *keep, const struct od_object_chunk *chunk)
{
    bool is_named = keep->has_manifest && memcmp(chunk->version.bytes, keep->manifest.bytes,
                                                 sizeof(keep->manifest.bytes)) == 0;
    return !is_named && ordna_uuid7_time(chunk->version) < keep->before;
}

static ordna_status remove_orphans(ordna_stream *stream, ordna_batch *batch,
                                   const struct od_object_table *table, const struct keep *keep,
                                   size_t *removed)
{
    struct od_object_chunk chunk = {0};
    ordna_status status = ORDNA_OK;
    while (status == ORDNA_OK &&
           (status = ordna_stream_next(stream, &table->chunk, &chunk)) == ORDNA_OK) {
        if (is_orphan(keep, &chunk)) {
            status = ordna_batch_delete(batch, &table->chunk, &chunk);
            (*removed)++;
        }
    }
    return status == ORDNA_END ? ordna_batch_send(batch) : status;
}

// The manifest is read after the clock: a version that is old by this clock and becomes the
// manifest's later had a writer that took longer than the caller allows.
static ordna_status find_keep(ordna_session *session, const struct od_object_table *table,
                              const char *id, int64_t older_than_ms, struct keep *out)
{
    struct od_object_manifest manifest = {0};
    out->before = od_clock_ms() - older_than_ms;
    ordna_status status = od_object_read_manifest(session, table, id, &manifest);
    out->has_manifest = status == ORDNA_OK;
    out->manifest = manifest.version;
    return status == ORDNA_NOT_FOUND ? ORDNA_OK : status;
}

static ordna_status clean(ordna_session *session, const struct od_object_table *table,
                          const char *id, const struct keep *keep, size_t *removed)
{
    static const char *const key_fields[] = {"Id", "Version", "Index"};
    ordna_read read = {
        .consistent = true, .fields = key_fields, .field_count = OD_COUNT(key_fields)};
    ordna_query query = {.partition = od_object_partition(table, id),
                         .sort = ordna_begins_with(od_object_all_chunks(table)),
                         .read = &read};
    ordna_stream *stream = NULL;
    ordna_status status = ordna_stream_open(session, &table->chunk, &query, &stream);
    if (status != ORDNA_OK) {
        return status;
    }
    ordna_batch *batch = ordna_batch_open(session);
    status = remove_orphans(stream, batch, table, keep, removed);
    ordna_batch_close(batch);
    ordna_stream_close(stream);
    return status;
}

ordna_status ordna_object_clean(ordna_session *session, const ordna_table *table, const char *id,
                                int64_t older_than_ms, size_t *removed)
{
    struct od_object_table objects;
    struct keep keep = {0};
    *removed = 0;
    ordna_status status = od_object_table_init(&objects, session, table);
    if (status == ORDNA_OK) {
        status = find_keep(session, &objects, id, older_than_ms, &keep);
    }
    if (status == ORDNA_OK) {
        status = clean(session, &objects, id, &keep, removed);
    }
    return status;
}
