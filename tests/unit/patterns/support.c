#include "support.h"

#include "client/client_internal.h"

#include <stdlib.h>

static const ordna_table_key key = {
    .partition = "PK", .partition_type = ORDNA_STRING, .sort = "SK", .sort_type = ORDNA_STRING};
const ordna_table objects = {
    .name = "objects", .discriminator = "Kind", .keys = &key, .key_count = 1};

// --- The transport ------------------------------------------------------------------------------

// Bodies have no 0 at their end; of those with a chunk in them, no test asks what they say.
static enum fate fate_of(struct place *place, const char *operation, const char *body, size_t len)
{
    char text[8 * KB] = "";
    if (place->fate == NULL) {
        return CARRIED_OUT;
    }
    if (len < sizeof(text)) {
        memcpy(text, body, len);
    }
    return place->fate(place, operation, text);
}

static int call(void *context, const char *operation, const char *body, size_t body_len,
                const char **answer, size_t *answer_len, void **memory)
{
    static const char refusal[] = "{\"__type\":\"com.amazon.coral.validate#ValidationException\"}";
    static const char failure[] = "{\"__type\":\"InternalServerError\"}";
    struct place *place = context;
    const enum fate fate = fate_of(place, operation, body, body_len);
    if (fate == REFUSED_BY_SERVER || fate == FAILED_IN_SERVER) {
        *answer = fate == REFUSED_BY_SERVER ? refusal : failure;
        *answer_len = strlen(*answer);
        return fate == REFUSED_BY_SERVER ? 400 : 500;
    }
    const int status = place->inner.call(place->inner.context, operation, body, body_len, answer,
                                         answer_len, memory);
    return fate == ANSWER_LOST ? 0 : status;
}

static void clear(void *context, void *memory)
{
    struct place *place = context;
    if (memory != NULL) {
        place->inner.clear(place->inner.context, memory);
    }
}

// --- Life ---------------------------------------------------------------------------------------

static void do_not_wait(void *arg, int64_t ms)
{
    (void)arg;
    (void)ms;
}

static void open_client(struct place *place, bool retry_unknown)
{
    const ordna_transport transport = {.context = place, .call = call, .clear = clear};
    const ordna_client_options options = {.transport = &transport, .retry_unknown = retry_unknown};
    char error[256] = "";
    assert_int_equal(ordna_client_open(&options, &place->client, error, sizeof(error)), ORDNA_OK);
    place->client->wait = do_not_wait;
    place->session = ordna_session_open(place->client);
    place->other = ordna_session_open(place->client);
}

static void close_client(struct place *place)
{
    ordna_session_close(place->other);
    ordna_session_close(place->session);
    ordna_client_close(place->client);
}

int place_setup(void **state)
{
    struct place *place = calloc(1, sizeof(*place));
    const ordna_options in_memory = {.store = "memory"};
    char error[256] = "";
    assert_int_equal(ordna_open(&in_memory, &place->db, error, sizeof(error)), 0);
    place->inner = ordna_in_process(place->db);
    open_client(place, false);
    assert_int_equal(ordna_create_table(place->session, &objects), ORDNA_OK);
    *state = place;
    return 0;
}

int place_teardown(void **state)
{
    struct place *place = *state;
    close_client(place);
    ordna_close(place->db);
    free(place);
    return 0;
}

void place_reopen(struct place *place, bool retry_unknown)
{
    close_client(place);
    open_client(place, retry_unknown);
}

// --- Objects ------------------------------------------------------------------------------------

static unsigned char byte_at(size_t i, unsigned seed)
{
    return (unsigned char)((size_t)seed * 31 + i % 251 + i / CHUNK);
}

void *content(size_t len, unsigned seed)
{
    unsigned char *bytes = malloc(len + 1);
    for (size_t i = 0; i < len; i++) {
        bytes[i] = byte_at(i, seed);
    }
    return bytes;
}

bool is_content(ordna_bytes bytes, size_t len, unsigned seed)
{
    const unsigned char *at = bytes.ptr;
    bool same = bytes.len == len;
    for (size_t i = 0; same && i < len; i++) {
        same = at[i] == byte_at(i, seed);
    }
    return same;
}

void put(ordna_session *session, const char *id, size_t len, unsigned seed)
{
    void *bytes = content(len, seed);
    const ordna_status status = ordna_object_put(session, &objects, id, bytes, len);
    free(bytes);
    if (status != ORDNA_OK) {
        fail_msg("%s with %zu bytes: %s", id, len, ordna_session_error(session)->message);
    }
}

void expect(ordna_session *session, const char *id, size_t len, unsigned seed)
{
    ordna_bytes bytes = {0};
    if (ordna_object_get(session, &objects, id, &bytes) != ORDNA_OK) {
        fail_msg("%s with %zu bytes: %s", id, len, ordna_session_error(session)->message);
    }
    if (!is_content(bytes, len, seed)) {
        fail_msg("%s with %zu bytes is not what was put", id, len);
    }
}

static uint64_t count(struct place *place, const char *id, bool manifests)
{
    struct od_object_table table;
    assert_int_equal(od_object_table_init(&table, place->other, &objects), ORDNA_OK);
    ordna_query query = {.partition = od_object_partition(&table, id)};
    query.partition.entity = manifests ? &table.manifest : &table.chunk;
    query.partition.index = manifests ? &table.manifest_key : &table.chunk_key;
    uint64_t items = 0;
    assert_int_equal(ordna_query_count(place->other, query.partition.entity, &query, &items),
                     ORDNA_OK);
    return items;
}

uint64_t count_chunks(struct place *place, const char *id)
{
    return count(place, id, false);
}

uint64_t count_manifests(struct place *place, const char *id)
{
    return count(place, id, true);
}

ordna_uuid leave_chunks(struct place *place, const char *id, int32_t chunks, ordna_time began)
{
    struct od_object_table table;
    assert_int_equal(od_object_table_init(&table, place->other, &objects), ORDNA_OK);
    const ordna_uuid version = ordna_uuid7_at(began);
    for (int32_t i = 0; i < chunks; i++) {
        struct od_object_chunk chunk = {
            .id = id, .version = version, .index = i, .data = {.ptr = "left", .len = 4}};
        assert_int_equal(ordna_put(place->other, &table.chunk, &chunk, NULL), ORDNA_OK);
    }
    return version;
}
