/* Values above 400 KB, which no item can hold: cut into chunks in one partition, with a manifest
 * that is written last. First by hand, and what that leaves open; then with ordna_object_put.
 *
 *     partition  FILE#{FileId}
 *     sort keys  CHUNK#{Index:d4}, MANIFEST
 */
#include "connect.h"
#include "shop.h"

#include <ordna/patterns.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KB    ((size_t)1024)
#define CHUNK (300 * KB)

/* The chunks of one version are all of one letter, so that a mixture can be seen. */
static ordna_bytes chunk_of(char letter)
{
    static char bytes[CHUNK];
    memset(bytes, letter, sizeof(bytes));
    ordna_bytes data = {bytes, sizeof(bytes)};
    return data;
}

static void put_chunk(ordna_session *session, int32_t index, char letter)
{
    shop_file_chunk chunk = {.file_id = "report", .index = index, .data = chunk_of(letter)};
    must(shop_file_chunk_put(session, &chunk, NULL));
}

static void put_manifest(ordna_session *session, int32_t chunks)
{
    shop_file_manifest manifest = {.file_id = "report", .chunks = chunks};
    must(shop_file_manifest_put(session, &manifest, NULL));
}

static void write_by_hand(ordna_session *session, int32_t chunks, char letter)
{
    for (int32_t i = 0; i < chunks; i++) {
        put_chunk(session, i, letter);
    }
    put_manifest(session, chunks);
}

static bool has_manifest(ordna_session *session)
{
    shop_file_manifest manifest = {.file_id = "report"};
    ordna_read read = {.consistent = true};
    return shop_file_manifest_get(session, &manifest, &read, &manifest) == ORDNA_OK;
}

/* The letters of the chunks in the order in which a query finds them, "aaa". While it reads, the
 * file is written anew in chunks of `meanwhile`, unless that is 0. */
static const char *read_by_hand(ordna_session *session, ordna_sort sort, char meanwhile)
{
    static char letters[16];
    size_t count = 0;
    ordna_read read = {.consistent = true};
    ordna_query query = {.partition = shop_file_chunk_pk("report"), .sort = sort, .read = &read};
    ordna_stream *stream = NULL;
    shop_file_chunk chunk;
    must(shop_file_chunk_query(session, &query, &stream));
    while (shop_file_chunk_next(stream, &chunk) == ORDNA_OK) {
        letters[count++] = *(const char *)chunk.data.ptr;
        if (count == 1 && meanwhile != 0) {
            write_by_hand(session, 8, meanwhile);
        }
    }
    ordna_stream_close(stream);
    letters[count] = '\0';
    return letters;
}

static void too_large(ordna_session *session)
{
    puts("An item holds at most 400 KB:");
    void *bytes = calloc(1, 401 * KB);
    shop_file_chunk chunk = {.file_id = "report", .data = {bytes, 401 * KB}};
    ordna_status status = shop_file_chunk_put(session, &chunk, NULL);
    free(bytes);
    const ordna_error *error = ordna_session_error(session);
    check(status == ORDNA_REFUSED && strstr(error->type, "ValidationException") != NULL,
          "a larger put is refused: %s: %s", error->type, error->message);
}

static void by_hand(ordna_session *session)
{
    puts("Chunks and a manifest, by hand:");
    put_chunk(session, 0, 'a');
    put_chunk(session, 1, 'a');
    check(!has_manifest(session), "a writer that stops halfway leaves chunks, and no file");
    write_by_hand(session, 5, 'a');
    ordna_sort all = ordna_begins_with(shop_file_chunk_sk());
    check(has_manifest(session) && strcmp(read_by_hand(session, all, 0), "aaaaa") == 0,
          "with the manifest the file is there");

    write_by_hand(session, 2, 'b');
    check(strcmp(read_by_hand(session, all, 0), "bbaaa") == 0,
          "a rewrite with fewer chunks leaves old ones, which a reader of all of them appends");
    ordna_sort named = ordna_between(shop_file_chunk_sk_index(0), shop_file_chunk_sk_index(1));
    check(strcmp(read_by_hand(session, named, 0), "bb") == 0,
          "unless it reads those alone that the manifest names");

    write_by_hand(session, 8, 'c');
    const char *mixed = read_by_hand(session, all, 'd');
    check(strlen(mixed) == 8 && mixed[0] == 'c' && mixed[7] == 'd',
          "and a reader during a rewrite gets some of both: %s", mixed);
}

/* Typed queries do not tell the units that they consume; this is the request as it travels. */
static double units_of_reading(ordna_session *session)
{
    static const char body[] = "{\"TableName\":\"ordna-examples\",\"ConsistentRead\":true,"
                               "\"KeyConditionExpression\":\"PK = :p AND begins_with(SK, :s)\","
                               "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"FILE#small\"},"
                               "\":s\":{\"S\":\"CHUNK#\"}},\"ReturnConsumedCapacity\":\"TOTAL\"}";
    ordna_answer answer;
    must(ordna_session_call(session, "Query", body, strlen(body), &answer));
    const char *units = strstr(answer.body, "\"CapacityUnits\":");
    return units == NULL ? -1 : strtod(units + strlen("\"CapacityUnits\":"), NULL);
}

static void what_reading_costs(ordna_session *session)
{
    puts("A read pays for every chunk:");
    double units[3];
    for (int32_t i = 0; i < 3; i++) {
        shop_file_chunk chunk = {.file_id = "small", .index = i, .data = chunk_of('a')};
        must(shop_file_chunk_put(session, &chunk, NULL));
        units[i] = units_of_reading(session);
    }
    check(units[0] == 76, "one costs %g units, a unit for 4 KB", units[0]);
    check(units[2] > 2.9 * units[0], "three cost %g: beyond a few MB, keep a file", units[2]);
}

static bool is_all_of(ordna_bytes object, size_t len, char letter)
{
    const char *bytes = object.ptr;
    bool is = object.len == len;
    for (size_t i = 0; is && i < len; i++) {
        is = bytes[i] == letter;
    }
    return is;
}

static void put_object(ordna_session *session, size_t len, char letter)
{
    char *bytes = malloc(len);
    memset(bytes, letter, len);
    must(ordna_object_put(session, &shop_table, "report", bytes, len));
    free(bytes);
}

/* The same with a version in the keys of the chunks, to which the manifest switches last. */
static void with_versions(ordna_session *session)
{
    puts("ordna_object_put:");
    ordna_bytes object = {0};
    check(ordna_object_get(session, &shop_table, "report", &object) == ORDNA_NOT_FOUND,
          "an object without a manifest is none");
    put_object(session, 5000 * KB, 'a');
    must(ordna_object_get(session, &shop_table, "report", &object));
    check(is_all_of(object, 5000 * KB, 'a'), "5,000 KB come back as they were put");
    put_object(session, 700 * KB, 'b');
    must(ordna_object_get(session, &shop_table, "report", &object));
    check(is_all_of(object, 700 * KB, 'b'), "a rewrite with fewer chunks leaves none of the old");

    size_t removed = 0;
    must(ordna_object_clean(session, &shop_table, "report", 0, &removed));
    check(removed == 0, "so nothing is to be cleaned; what a stopped writer leaves would be");
    must(ordna_object_delete(session, &shop_table, "report"));
    check(ordna_object_get(session, &shop_table, "report", &object) == ORDNA_NOT_FOUND,
          "a deleted object is gone");
}

int main(int argc, char **argv)
{
    ordna_session *session = example_open(argc, argv);
    too_large(session);
    by_hand(session);
    what_reading_costs(session);
    with_versions(session);
    return example_close();
}
