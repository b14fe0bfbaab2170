#include "patterns/object_table.h"

#include "client/session.h"

#include <string.h>

enum {
    CHUNK_ID,
    CHUNK_VERSION,
    CHUNK_INDEX,
    CHUNK_DATA,
};

static const ordna_field chunk_fields[] = {
    {.name = "Id", .type = ORDNA_STRING, .offset = offsetof(struct od_object_chunk, id)},
    {.name = "Version", .type = ORDNA_UUID, .offset = offsetof(struct od_object_chunk, version)},
    {.name = "Index", .type = ORDNA_INT32, .offset = offsetof(struct od_object_chunk, index)},
    {.name = "Data", .type = ORDNA_BYTES, .offset = offsetof(struct od_object_chunk, data)},
};

static const ordna_field manifest_fields[] = {
    {.name = "Id", .type = ORDNA_STRING, .offset = offsetof(struct od_object_manifest, id)},
    {.name = "Version", .type = ORDNA_UUID, .offset = offsetof(struct od_object_manifest, version)},
    {.name = "Chunks", .type = ORDNA_INT32, .offset = offsetof(struct od_object_manifest, chunks)},
    {.name = "Size", .type = ORDNA_INT64, .offset = offsetof(struct od_object_manifest, size)},
    {.name = "Sha256", .type = ORDNA_BYTES, .offset = offsetof(struct od_object_manifest, sha256)},
};

// Both entities have the id first.
static const ordna_segment partition_segments[] = {{.text = "OBJECT#", .field = CHUNK_ID}};
static const ordna_segment chunk_segments[] = {
    {.text = "CHUNK#", .field = CHUNK_VERSION},
    {.text = "#", .field = CHUNK_INDEX, .format = 'd', .width = 6},
};
static const ordna_segment manifest_segments[] = {{.text = "MANIFEST", .field = -1}};

static bool has_keys_of_strings(const ordna_table *table)
{
    const ordna_table_key *key = table->keys;
    return key->partition_type == ORDNA_STRING && key->sort != NULL &&
           key->sort_type == ORDNA_STRING;
}

static ordna_template template_of(const char *attribute, const ordna_segment *segments,
                                  size_t count)
{
    return (ordna_template){
        .attribute = attribute, .type = ORDNA_STRING, .segments = segments, .count = count};
}

static void init_entities(struct od_object_table *out)
{
    out->chunk = (ordna_entity){
        .table = &out->table,
        .name = "object chunk",
        .discriminator = "ORDNA_CHUNK",
        .size = sizeof(struct od_object_chunk),
        .fields = chunk_fields,
        .field_count = OD_COUNT(chunk_fields),
        .keys = &out->chunk_key,
        .key_count = 1,
    };
    out->manifest = (ordna_entity){
        .table = &out->table,
        .name = "object manifest",
        .discriminator = "ORDNA_MANIFEST",
        .size = sizeof(struct od_object_manifest),
        .fields = manifest_fields,
        .field_count = OD_COUNT(manifest_fields),
        .keys = &out->manifest_key,
        .key_count = 1,
    };
    out->entities[0] = &out->chunk;
    out->entities[1] = &out->manifest;
}

ordna_status od_object_table_init(struct od_object_table *out, ordna_session *session,
                                  const ordna_table *table)
{
    if (!has_keys_of_strings(table)) {
        return od_session_fail(session, ORDNA_BAD_ARGUMENT, NULL,
                               "table %s cannot hold objects: they take a partition key and a sort "
                               "key of type string",
                               table->name);
    }
    const ordna_table_key *key = table->keys;
    out->partition = template_of(key->partition, partition_segments, OD_COUNT(partition_segments));
    out->chunk_sort = template_of(key->sort, chunk_segments, OD_COUNT(chunk_segments));
    out->manifest_sort = template_of(key->sort, manifest_segments, OD_COUNT(manifest_segments));
    out->chunk_key = (ordna_index){.partition = &out->partition, .sort = &out->chunk_sort};
    out->manifest_key = (ordna_index){.partition = &out->partition, .sort = &out->manifest_sort};
    init_entities(out);
    out->table = *table;
    out->table.entities = out->entities;
    out->table.entity_count = OD_COUNT(out->entities);
    return ORDNA_OK;
}

ordna_key od_object_partition(const struct od_object_table *table, const char *id)
{
    return (ordna_key){.entity = &table->chunk,
                       .index = &table->chunk_key,
                       .count = 1,
                       .values = {ordna_of_string(id)}};
}

ordna_key od_object_chunks_of(const struct od_object_table *table, ordna_uuid version)
{
    return (ordna_key){.entity = &table->chunk,
                       .index = &table->chunk_key,
                       .sort = true,
                       .count = 1,
                       .values = {ordna_of_uuid(version)}};
}

ordna_key od_object_all_chunks(const struct od_object_table *table)
{
    return (ordna_key){.entity = &table->chunk, .index = &table->chunk_key, .sort = true};
}

ordna_status od_object_read_manifest(ordna_session *session, const struct od_object_table *table,
                                     const char *id, struct od_object_manifest *out)
{
    struct od_object_manifest key = {.id = id};
    ordna_read read = {.consistent = true};
    return ordna_get(session, &table->manifest, &key, &read, out);
}
