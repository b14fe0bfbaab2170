// Large objects: chunks first, then the manifest in one conditional write, then the old chunks go.
#include "client/session.h"
#include "ordna/patterns.h"
#include "patterns/object_table.h"

#include <openssl/sha.h>
#include <string.h>

enum {
    MAX_OBJECT_BYTES = 1024 * 1024 * 1024,
    MAX_READS = 100, // of an object that is written anew again and again
    CHUNKS_PER_SEND = 8,
};

static int32_t chunks_of(size_t len)
{
    return (int32_t)((len + OD_OBJECT_CHUNK_BYTES - 1) / OD_OBJECT_CHUNK_BYTES);
}

static bool same_version(ordna_uuid a, ordna_uuid b)
{
    return memcmp(a.bytes, b.bytes, sizeof(a.bytes)) == 0;
}

// --- Writing ------------------------------------------------------------------------------------

static ordna_bytes part_of(const void *data, size_t len, int32_t index)
{
    size_t from = (size_t)index * OD_OBJECT_CHUNK_BYTES;
    size_t left = len - from;
    return (ordna_bytes){.ptr = (const char *)data + from,
                         .len = left < OD_OBJECT_CHUNK_BYTES ? left : OD_OBJECT_CHUNK_BYTES};
}

static ordna_status put_chunks(ordna_batch *batch, const struct od_object_table *table,
                               const struct od_object_manifest *manifest, const void *data)
{
    for (int32_t i = 0; i < manifest->chunks; i++) {
        struct od_object_chunk chunk = {.id = manifest->id,
                                        .version = manifest->version,
                                        .index = i,
                                        .data = part_of(data, (size_t)manifest->size, i)};
        ordna_status status = ordna_batch_put(batch, &table->chunk, &chunk);
        if (status == ORDNA_OK && (i + 1) % CHUNKS_PER_SEND == 0) {
            status = ordna_batch_send(batch);
        }
        if (status != ORDNA_OK) {
            return status;
        }
    }
    return ordna_batch_send(batch);
}

// No more than an object can have, whatever the manifest says.
static ordna_status delete_chunks(ordna_batch *batch, const struct od_object_table *table,
                                  const struct od_object_manifest *manifest)
{
    const int32_t most = chunks_of(MAX_OBJECT_BYTES);
    for (int32_t i = 0; i < manifest->chunks && i < most; i++) {
        struct od_object_chunk key = {.id = manifest->id, .version = manifest->version, .index = i};
        ordna_status status = ordna_batch_delete(batch, &table->chunk, &key);
        if (status != ORDNA_OK) {
            return status;
        }
    }
    return ordna_batch_send(batch);
}

// The manifest only while it is the one that was read: another writer's chunks would be nobody's.
static ordna_status write_manifest(ordna_session *session, const struct od_object_table *table,
                                   struct od_object_manifest *manifest, bool had_old,
                                   const struct od_object_manifest *old)
{
    ordna_argument seen = {":seen", ordna_of_uuid(old->version)};
    ordna_expression is_new = {.text = "attribute_not_exists({Version})"};
    ordna_expression is_seen = {.text = "{Version} = :seen", .args = &seen, .count = 1};
    return ordna_put(session, &table->manifest, manifest, had_old ? &is_seen : &is_new);
}

// Until no other writer has come between. What it replaced is in `old`; ORDNA_NOT_FOUND: nothing,
// or nobody knows: the manifest is this one already when an attempt was carried out and its answer
// lost.
static ordna_status switch_manifest(ordna_session *session, const struct od_object_table *table,
                                    struct od_object_manifest *manifest,
                                    struct od_object_manifest *old)
{
    for (;;) {
        ordna_status found = od_object_read_manifest(session, table, manifest->id, old);
        if (found != ORDNA_OK && found != ORDNA_NOT_FOUND) {
            return found;
        }
        if (found == ORDNA_OK && same_version(old->version, manifest->version)) {
            return ORDNA_NOT_FOUND;
        }
        ordna_status status = write_manifest(session, table, manifest, found == ORDNA_OK, old);
        if (status == ORDNA_OK) {
            return found;
        }
        if (status != ORDNA_CONDITION_FAILED) {
            return status;
        }
    }
}

static ordna_status put_object(ordna_session *session, ordna_batch *batch,
                               const struct od_object_table *table,
                               struct od_object_manifest *manifest, const void *data)
{
    ordna_status status = put_chunks(batch, table, manifest, data);
    if (status != ORDNA_OK) {
        return status;
    }
    struct od_object_manifest old = {0};
    status = switch_manifest(session, table, manifest, &old);
    if (status == ORDNA_NOT_FOUND) {
        return ORDNA_OK;
    }
    return status == ORDNA_OK ? delete_chunks(batch, table, &old) : status;
}

ordna_status ordna_object_put(ordna_session *session, const ordna_table *table, const char *id,
                              const void *data, size_t len)
{
    struct od_object_table objects;
    ordna_status status = od_object_table_init(&objects, session, table);
    if (status != ORDNA_OK) {
        return status;
    }
    if (len > MAX_OBJECT_BYTES) {
        return od_session_fail(
            session, ORDNA_BAD_ARGUMENT, NULL,
            "%zu bytes are more than the 1 GiB of an object: keep them in a file "
            "or an object store, and their name in the table",
            len);
    }
    unsigned char sha[OD_OBJECT_SHA_BYTES];
    (void)SHA256(data, len, sha);
    struct od_object_manifest manifest = {.id = id,
                                          .version = ordna_uuid7(),
                                          .chunks = chunks_of(len),
                                          .size = (int64_t)len,
                                          .sha256 = {.ptr = sha, .len = sizeof(sha)}};
    ordna_batch *batch = ordna_batch_open(session);
    status = put_object(session, batch, &objects, &manifest, data);
    ordna_batch_close(batch);
    return status;
}

// --- Reading ------------------------------------------------------------------------------------

struct reading {
    const struct od_object_manifest *manifest;
    char *data;
    size_t capacity;
    int32_t chunks; // that are in `data`
};

static bool takes(struct reading *reading, const struct od_object_chunk *chunk)
{
    const struct od_object_manifest *manifest = reading->manifest;
    if (chunk->index != reading->chunks || chunk->index >= manifest->chunks) {
        return false;
    }
    size_t from = (size_t)chunk->index * OD_OBJECT_CHUNK_BYTES;
    size_t left = (size_t)manifest->size - from;
    size_t want = left < OD_OBJECT_CHUNK_BYTES ? left : OD_OBJECT_CHUNK_BYTES;
    if (chunk->data.len != want) {
        return false;
    }
    memcpy(reading->data + from, chunk->data.ptr, want);
    reading->chunks++;
    return true;
}

// ORDNA_NOT_FOUND: a chunk is not there, or not as the manifest says.
static ordna_status read_chunks(ordna_session *session, const struct od_object_table *table,
                                struct reading *reading)
{
    ordna_read read = {.consistent = true};
    ordna_query query = {
        .partition = od_object_partition(table, reading->manifest->id),
        .sort = ordna_begins_with(od_object_chunks_of(table, reading->manifest->version)),
        .read = &read};
    ordna_stream *stream = NULL;
    ordna_status status = ordna_stream_open(session, &table->chunk, &query, &stream);
    if (status != ORDNA_OK) {
        return status;
    }
    struct od_object_chunk chunk = {0};
    while ((status = ordna_stream_next(stream, &table->chunk, &chunk)) == ORDNA_OK) {
        if (!takes(reading, &chunk)) {
            status = ORDNA_NOT_FOUND;
            break;
        }
    }
    ordna_stream_close(stream);
    if (status == ORDNA_END) {
        status = reading->chunks == reading->manifest->chunks ? ORDNA_OK : ORDNA_NOT_FOUND;
    }
    return status;
}

static bool is_plausible(const struct od_object_manifest *manifest)
{
    return manifest->size >= 0 && manifest->size <= MAX_OBJECT_BYTES &&
           manifest->chunks == chunks_of((size_t)manifest->size) &&
           manifest->sha256.len == OD_OBJECT_SHA_BYTES;
}

static ordna_status fail_broken(ordna_session *session, const char *id)
{
    return od_session_fail(session, ORDNA_BAD_ITEM, NULL,
                           "object %s is not whole: its chunks are not those that its manifest "
                           "names",
                           id);
}

static ordna_status read_version(ordna_session *session, const struct od_object_table *table,
                                 struct reading *reading)
{
    const struct od_object_manifest *manifest = reading->manifest;
    if (!is_plausible(manifest)) {
        return fail_broken(session, manifest->id);
    }
    size_t size = (size_t)manifest->size;
    if (reading->capacity <= size) {
        reading->capacity = size + 1;
        reading->data = od_arena_bytes(od_session_arena(session), reading->capacity);
    }
    reading->chunks = 0;
    ordna_status status = read_chunks(session, table, reading);
    if (status != ORDNA_OK) {
        return status;
    }
    unsigned char sha[OD_OBJECT_SHA_BYTES];
    (void)SHA256((const unsigned char *)reading->data, size, sha);
    return memcmp(sha, manifest->sha256.ptr, sizeof(sha)) == 0 ? ORDNA_OK
                                                               : fail_broken(session, manifest->id);
}

// ORDNA_NOT_FOUND stays that of the manifest: of a chunk it means that a writer was faster.
static ordna_status read_object(ordna_session *session, const struct od_object_table *table,
                                const char *id, struct od_object_manifest *manifest,
                                struct reading *reading)
{
    ordna_uuid before = {{0}};
    for (int i = 0; i < MAX_READS; i++) {
        ordna_status status = od_object_read_manifest(session, table, id, manifest);
        if (status != ORDNA_OK) {
            return status;
        }
        if (same_version(manifest->version, before)) {
            return fail_broken(session, id);
        }
        before = manifest->version;
        status = read_version(session, table, reading);
        if (status != ORDNA_NOT_FOUND) {
            return status;
        }
    }
    return od_session_fail(session, ORDNA_SERVER_FAILED, NULL,
                           "object %s was written anew %d times while it was read", id, MAX_READS);
}

ordna_status ordna_object_get(ordna_session *session, const ordna_table *table, const char *id,
                              ordna_bytes *out)
{
    struct od_object_table objects;
    ordna_status status = od_object_table_init(&objects, session, table);
    if (status != ORDNA_OK) {
        return status;
    }
    struct od_object_manifest manifest = {0};
    struct reading reading = {.manifest = &manifest};
    status = read_object(session, &objects, id, &manifest, &reading);
    if (status == ORDNA_OK) {
        *out = (ordna_bytes){.ptr = reading.data, .len = (size_t)manifest.size};
    }
    return status;
}

// --- Removing -----------------------------------------------------------------------------------

// Until no writer has come between. The last one that was seen stays in `manifest`: one that is
// gone then was deleted by another, or by an attempt whose answer was lost, and its chunks go with
// it.
static ordna_status delete_manifest(ordna_session *session, const struct od_object_table *table,
                                    struct od_object_manifest *manifest)
{
    for (bool seen = false;; seen = true) {
        struct od_object_manifest now = {0};
        ordna_status status = od_object_read_manifest(session, table, manifest->id, &now);
        if (status != ORDNA_OK) {
            return status == ORDNA_NOT_FOUND && seen ? ORDNA_OK : status;
        }
        *manifest = now;
        ordna_argument version = {":seen", ordna_of_uuid(now.version)};
        ordna_expression is_seen = {.text = "{Version} = :seen", .args = &version, .count = 1};
        status = ordna_delete(session, &table->manifest, manifest, &is_seen);
        if (status != ORDNA_CONDITION_FAILED) {
            return status;
        }
    }
}

ordna_status ordna_object_delete(ordna_session *session, const ordna_table *table, const char *id)
{
    struct od_object_table objects;
    ordna_status status = od_object_table_init(&objects, session, table);
    if (status != ORDNA_OK) {
        return status;
    }
    struct od_object_manifest manifest = {.id = id};
    status = delete_manifest(session, &objects, &manifest);
    if (status != ORDNA_OK) {
        return status;
    }
    ordna_batch *batch = ordna_batch_open(session);
    status = delete_chunks(batch, &objects, &manifest);
    ordna_batch_close(batch);
    return status;
}
