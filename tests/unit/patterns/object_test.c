// Large objects: what is put is what is read, whatever its size, and what is broken is told.
#include "support.h"

#include "base/attr.h"
#include "base/random.h"

#include <stdlib.h>

// --- What cannot be -----------------------------------------------------------------------------

static void tables_without_two_keys_of_strings_hold_no_objects(void **state)
{
    struct place *place = *state;
    static const ordna_table_key rows[] = {
        {.partition = "PK", .partition_type = ORDNA_STRING},
        {.partition = "PK",
         .partition_type = ORDNA_DECIMAL,
         .sort = "SK",
         .sort_type = ORDNA_STRING},
        {.partition = "PK", .partition_type = ORDNA_STRING, .sort = "SK", .sort_type = ORDNA_BYTES},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const ordna_table table = {
            .name = "narrow", .discriminator = "Kind", .keys = &rows[i], .key_count = 1};
        ordna_bytes bytes = {0};
        size_t removed = 0;
        assert_int_equal(ordna_object_put(place->session, &table, "a", "x", 1), ORDNA_BAD_ARGUMENT);
        assert_int_equal(ordna_object_get(place->session, &table, "a", &bytes), ORDNA_BAD_ARGUMENT);
        assert_int_equal(ordna_object_delete(place->session, &table, "a"), ORDNA_BAD_ARGUMENT);
        assert_int_equal(ordna_object_clean(place->session, &table, "a", 0, &removed),
                         ORDNA_BAD_ARGUMENT);
        assert_non_null(strstr(ordna_session_error(place->session)->message, "narrow"));
    }
}

static void objects_above_1_gib_are_refused_before_anything_is_sent(void **state)
{
    struct place *place = *state;
    const size_t too_many = KB * KB * KB + 1;
    assert_int_equal(ordna_object_put(place->session, &objects, "a", "x", too_many),
                     ORDNA_BAD_ARGUMENT);
    assert_int_equal(count_chunks(place, "a"), 0);
}

enum { LONGEST_ID = 2048 - sizeof("OBJECT#") + 1 };

static const char *id_of_length(size_t len)
{
    static char id[LONGEST_ID + 2];
    memset(id, 'a', len);
    id[len] = '\0';
    return id;
}

static void ids_that_no_key_takes_are_refused(void **state)
{
    struct place *place = *state;
    const char *const rows[] = {NULL, "\xFF", "a\xC0\x80", "\xED\xA0\x80",
                                id_of_length(LONGEST_ID + 1)};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        ordna_bytes bytes = {0};
        size_t removed = 0;
        const ordna_status statuses[] = {
            ordna_object_put(place->session, &objects, rows[i], "x", 1),
            ordna_object_put(place->session, &objects, rows[i], "", 0),
            ordna_object_get(place->session, &objects, rows[i], &bytes),
            ordna_object_delete(place->session, &objects, rows[i]),
            ordna_object_clean(place->session, &objects, rows[i], 0, &removed),
        };
        for (size_t j = 0; j < OD_COUNT(statuses); j++) {
            if (statuses[j] != ORDNA_KEY_FORMAT) {
                fail_msg("row %zu, call %zu: status %d", i, j, statuses[j]);
            }
        }
    }
}

static void all_other_ids_are_kept_apart(void **state)
{
    struct place *place = *state;
    const char *const rows[] = {"",       "#",        "a#MANIFEST", "CHUNK#",
                                "\x01\n", "\xC3\xA9", "{Id}",       id_of_length(LONGEST_ID)};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        put(place->session, rows[i], CHUNK + 1 + i, (unsigned)i);
    }
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        expect(place->session, rows[i], CHUNK + 1 + i, (unsigned)i);
        size_t removed = 0;
        assert_int_equal(ordna_object_clean(place->session, &objects, rows[i], -1000, &removed),
                         ORDNA_OK);
        assert_int_equal(removed, 0);
    }
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        assert_int_equal(ordna_object_delete(place->session, &objects, rows[i]), ORDNA_OK);
        assert_int_equal(count_chunks(place, rows[i]), 0);
    }
}

static void an_object_that_is_not_there_is_not_found(void **state)
{
    struct place *place = *state;
    ordna_bytes bytes = {0};
    assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_NOT_FOUND);
    assert_int_equal(ordna_object_delete(place->session, &objects, "a"), ORDNA_NOT_FOUND);
}

// --- What is broken -----------------------------------------------------------------------------

// Deletes or replaces a chunk of the version that the manifest names.
static void break_chunk(struct place *place, const char *id, int32_t index, const char *data)
{
    struct od_object_table table;
    assert_int_equal(od_object_table_init(&table, place->other, &objects), ORDNA_OK);
    struct od_object_manifest manifest = {.id = id};
    assert_int_equal(ordna_get(place->other, &table.manifest, &manifest, NULL, &manifest),
                     ORDNA_OK);
    struct od_object_chunk chunk = {.id = id, .version = manifest.version, .index = index};
    if (data == NULL) {
        assert_int_equal(ordna_delete(place->other, &table.chunk, &chunk, NULL), ORDNA_OK);
        return;
    }
    chunk.data = (ordna_bytes){.ptr = data, .len = strlen(data)};
    assert_int_equal(ordna_put(place->other, &table.chunk, &chunk, NULL), ORDNA_OK);
}

static void an_object_that_lacks_a_chunk_is_a_bad_item(void **state)
{
    struct place *place = *state;
    for (int32_t index = 0; index < 3; index++) {
        put(place->session, "a", 3 * CHUNK, 1);
        break_chunk(place, "a", index, NULL);
        ordna_bytes bytes = {0};
        assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_BAD_ITEM);
        assert_null(bytes.ptr);
        assert_non_null(strstr(ordna_session_error(place->session)->message, "object a"));
    }
}

static void a_chunk_that_is_too_short_too_long_or_other_than_written_is_a_bad_item(void **state)
{
    struct place *place = *state;
    static const char *const rows[] = {"ab", "abcd", "xyz"};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        assert_int_equal(ordna_object_put(place->session, &objects, "a", "abc", 3), ORDNA_OK);
        break_chunk(place, "a", 0, rows[i]);
        ordna_bytes bytes = {0};
        assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_BAD_ITEM);
    }
}

static void a_chunk_beyond_those_of_the_manifest_is_a_bad_item(void **state)
{
    struct place *place = *state;
    assert_int_equal(ordna_object_put(place->session, &objects, "a", "abc", 3), ORDNA_OK);
    break_chunk(place, "a", 1, "d");
    ordna_bytes bytes = {0};
    assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_BAD_ITEM);
}

// The manifest of three bytes, with one thing wrong.
static void a_manifest_that_no_object_can_have_is_a_bad_item(void **state)
{
    struct place *place = *state;
    static const unsigned char sha[OD_OBJECT_SHA_BYTES] = {0};
    static const struct {
        int32_t chunks;
        int64_t size;
        size_t sha_len;
    } rows[] = {
        {1, 3, 32},  // the digest alone
        {2, 3, 32},  // more chunks than the size has
        {0, 3, 32},  // fewer
        {1, -1, 32}, // no size
        {1, 4, 32},  // more than the chunk has
        {1, 3, 31},  // no digest
        {-1, 3, 32}, // no count
        {1, INT64_MAX, 32}, {INT32_MAX, (int64_t)INT32_MAX * CHUNK, 32},
    };
    struct od_object_table table;
    assert_int_equal(od_object_table_init(&table, place->other, &objects), ORDNA_OK);
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        assert_int_equal(ordna_object_put(place->session, &objects, "a", "abc", 3), ORDNA_OK);
        struct od_object_manifest manifest = {.id = "a"};
        assert_int_equal(ordna_get(place->other, &table.manifest, &manifest, NULL, &manifest),
                         ORDNA_OK);
        manifest.chunks = rows[i].chunks;
        manifest.size = rows[i].size;
        manifest.sha256 = (ordna_bytes){.ptr = sha, .len = rows[i].sha_len};
        assert_int_equal(ordna_put(place->other, &table.manifest, &manifest, NULL), ORDNA_OK);
        ordna_bytes bytes = {0};
        if (ordna_object_get(place->session, &objects, "a", &bytes) != ORDNA_BAD_ITEM) {
            fail_msg("row %zu", i);
        }
    }
}

static enum fate refuse_many(struct place *place, const char *operation, const char *body)
{
    (void)operation;
    (void)body;
    return place->seen++ < 200 ? CARRIED_OUT : REFUSED_BY_SERVER;
}

// No more is deleted than an object can have: 3,496 chunks, 25 at a time.
static void a_manifest_of_too_many_chunks_does_not_keep_who_replaces_it(void **state)
{
    struct place *place = *state;
    struct od_object_table table;
    assert_int_equal(od_object_table_init(&table, place->other, &objects), ORDNA_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ordna_object_put(place->session, &objects, "a", "abc", 3), ORDNA_OK);
        struct od_object_manifest manifest = {.id = "a"};
        assert_int_equal(ordna_get(place->other, &table.manifest, &manifest, NULL, &manifest),
                         ORDNA_OK);
        manifest.chunks = INT32_MAX;
        assert_int_equal(ordna_put(place->other, &table.manifest, &manifest, NULL), ORDNA_OK);
        place->seen = 0;
        place->fate = refuse_many;
        assert_int_equal(i == 0 ? ordna_object_put(place->session, &objects, "a", "x", 1)
                                : ordna_object_delete(place->session, &objects, "a"),
                         ORDNA_OK);
        place->fate = NULL;
    }
    assert_int_equal(count_chunks(place, "a"), 0);
}

static void an_item_of_another_entity_in_the_manifests_place_is_a_bad_item(void **state)
{
    struct place *place = *state;
    static const char foreign[] =
        "{\"TableName\":\"objects\",\"Item\":{\"PK\":{\"S\":\"OBJECT#a\"},"
        "\"SK\":{\"S\":\"MANIFEST\"},\"Kind\":{\"S\":\"SHIP\"}}}";
    ordna_answer answer;
    assert_int_equal(ordna_session_call(place->other, "PutItem", foreign, strlen(foreign), &answer),
                     ORDNA_OK);
    ordna_bytes bytes = {0};
    assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_BAD_ITEM);
    assert_int_equal(ordna_object_put(place->session, &objects, "a", "x", 1), ORDNA_BAD_ITEM);
}

// --- What works ---------------------------------------------------------------------------------

static void objects_of_every_size_come_back_as_they_were_put(void **state)
{
    struct place *place = *state;
    static const struct {
        size_t len;
        uint64_t chunks;
    } rows[] = {{0, 0},         {1, 1},          {CHUNK - 1, 1},      {CHUNK, 1},
                {CHUNK + 1, 2}, {2 * CHUNK, 2},  {8 * CHUNK, 8},      {8 * CHUNK + 1, 9},
                {400 * KB, 2},  {5000 * KB, 17}, {30 * CHUNK - 7, 30}};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        put(place->session, "report", rows[i].len, (unsigned)i);
        expect(place->session, "report", rows[i].len, (unsigned)i);
        if (count_chunks(place, "report") != rows[i].chunks) {
            fail_msg("row %zu has %llu chunks", i,
                     (unsigned long long)count_chunks(place, "report"));
        }
        assert_int_equal(count_manifests(place, "report"), 1);
        ordna_session_reset(place->session);
        ordna_session_reset(place->other);
    }
}

static void an_empty_object_has_bytes_to_point_to(void **state)
{
    struct place *place = *state;
    assert_int_equal(ordna_object_put(place->session, &objects, "a", NULL, 0), ORDNA_OK);
    ordna_bytes bytes = {0};
    assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_OK);
    assert_int_equal(bytes.len, 0);
    assert_non_null(bytes.ptr);
}

static void objects_of_bytes_that_no_text_has_come_back(void **state)
{
    struct place *place = *state;
    unsigned char bytes[4096];
    od_random_bytes(bytes, sizeof(bytes));
    memset(bytes, 0, 16);
    assert_int_equal(ordna_object_put(place->session, &objects, "a", bytes, sizeof(bytes)),
                     ORDNA_OK);
    ordna_bytes read = {0};
    assert_int_equal(ordna_object_get(place->session, &objects, "a", &read), ORDNA_OK);
    assert_int_equal(read.len, sizeof(bytes));
    assert_memory_equal(read.ptr, bytes, sizeof(bytes));
}

static void a_rewrite_with_fewer_chunks_leaves_none_of_the_old_ones(void **state)
{
    struct place *place = *state;
    put(place->session, "a", 5 * CHUNK, 1);
    put(place->session, "a", 2 * CHUNK, 2);
    expect(place->session, "a", 2 * CHUNK, 2);
    assert_int_equal(count_chunks(place, "a"), 2);
    put(place->session, "a", 0, 3);
    expect(place->session, "a", 0, 3);
    assert_int_equal(count_chunks(place, "a"), 0);
}

static void objects_with_like_names_do_not_mix(void **state)
{
    struct place *place = *state;
    put(place->session, "a", CHUNK + 1, 1);
    put(place->session, "a#", CHUNK + 2, 2);
    put(place->session, "aa", CHUNK + 3, 3);
    expect(place->session, "a", CHUNK + 1, 1);
    expect(place->session, "a#", CHUNK + 2, 2);
    assert_int_equal(ordna_object_delete(place->session, &objects, "a"), ORDNA_OK);
    expect(place->session, "aa", CHUNK + 3, 3);
}

static void a_deleted_object_leaves_nothing(void **state)
{
    struct place *place = *state;
    put(place->session, "a", 2 * CHUNK + 9, 1);
    assert_int_equal(ordna_object_delete(place->session, &objects, "a"), ORDNA_OK);
    ordna_bytes bytes = {0};
    assert_int_equal(ordna_object_get(place->session, &objects, "a", &bytes), ORDNA_NOT_FOUND);
    assert_int_equal(count_chunks(place, "a"), 0);
    assert_int_equal(count_manifests(place, "a"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tables_without_two_keys_of_strings_hold_no_objects),
        TEST(objects_above_1_gib_are_refused_before_anything_is_sent),
        TEST(ids_that_no_key_takes_are_refused),
        TEST(all_other_ids_are_kept_apart),
        TEST(an_object_that_is_not_there_is_not_found),
        TEST(an_object_that_lacks_a_chunk_is_a_bad_item),
        TEST(a_chunk_that_is_too_short_too_long_or_other_than_written_is_a_bad_item),
        TEST(a_chunk_beyond_those_of_the_manifest_is_a_bad_item),
        TEST(a_manifest_that_no_object_can_have_is_a_bad_item),
        TEST(a_manifest_of_too_many_chunks_does_not_keep_who_replaces_it),
        TEST(an_item_of_another_entity_in_the_manifests_place_is_a_bad_item),
        TEST(objects_of_every_size_come_back_as_they_were_put),
        TEST(an_empty_object_has_bytes_to_point_to),
        TEST(objects_of_bytes_that_no_text_has_come_back),
        TEST(a_rewrite_with_fewer_chunks_leaves_none_of_the_old_ones),
        TEST(objects_with_like_names_do_not_mix),
        TEST(a_deleted_object_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
