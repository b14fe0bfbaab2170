// An index that is added to a table: writes that come while it is being filled. A job that waits
// holds the committer, so that they are in line before the first step of filling.
#include "api/api.h"

#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ITEMS = 500, MAX_CALLS = 2 * ITEMS, MAX_BODY = 600 };

struct fixture {
    od_engine *engine;
    struct od_call *calls[MAX_CALLS]; // submitted, each with an arena of its own
    size_t count;
    sem_t done;
};

static struct fixture fixture;

static const char create_table[] =
    "{\"TableName\":\"Games\",\"BillingMode\":\"PAY_PER_REQUEST\","
    "\"AttributeDefinitions\":[{\"AttributeName\":\"id\",\"AttributeType\":\"S\"}],"
    "\"KeySchema\":[{\"AttributeName\":\"id\",\"KeyType\":\"HASH\"}]}";

static const char add_index[] =
    "{\"TableName\":\"Games\",\"AttributeDefinitions\":[{\"AttributeName\":\"kind\","
    "\"AttributeType\":\"S\"}],\"GlobalSecondaryIndexUpdates\":[{\"Create\":{\"IndexName\":\"%s\","
    "\"KeySchema\":[{\"AttributeName\":\"kind\",\"KeyType\":\"HASH\"}],"
    "\"Projection\":{\"ProjectionType\":\"ALL\"}}}]}";

// --- Calls --------------------------------------------------------------------------------------

static struct od_call *new_call(const char *operation, const char *body)
{
    od_arena *arena = od_arena_create();
    struct od_call *call = od_new(arena, struct od_call);
    call->cx.arena = arena;
    call->engine = fixture.engine;
    call->operation = od_cstr(operation);
    call->body = od_arena_copy(arena, od_cstr(body));
    return call;
}

static yyjson_doc *call_now(const char *operation, const char *body)
{
    struct od_call *call = new_call(operation, body);
    od_api_call(call);
    if (call->http_status != 200) {
        fail_msg("%s: %.*s", operation, OD_STR_ARG(od_buf_str(&call->out)));
    }
    od_str answer = od_buf_str(&call->out);
    yyjson_doc *doc = yyjson_read(answer.ptr, answer.len, 0);
    od_arena_destroy(call->cx.arena);
    return doc;
}

static void run_call(const char *operation, const char *body)
{
    yyjson_doc_free(call_now(operation, body));
}

static void note_done(struct od_call *call)
{
    (void)call;
    sem_post(&fixture.done);
}

static void submit(const char *operation, const char *body)
{
    assert_true(fixture.count < MAX_CALLS);
    struct od_call *call = new_call(operation, body);
    call->done = note_done;
    assert_int_equal(od_api_decode(call), OD_NEXT_SUBMIT);
    fixture.calls[fixture.count++] = call;
    od_api_submit(call);
}

static void wait_for_submitted(void)
{
    for (size_t i = 0; i < fixture.count; i++) {
        sem_wait(&fixture.done);
    }
    for (size_t i = 0; i < fixture.count; i++) {
        assert_int_equal(fixture.calls[i]->http_status, 200);
        od_arena_destroy(fixture.calls[i]->cx.arena);
    }
    fixture.count = 0;
}

// --- A job that waits ---------------------------------------------------------------------------

struct hold {
    struct od_job job;
    od_ctx cx;
    sem_t go;
};

static od_status apply_hold(struct od_batch *batch, od_ctx *cx, void *arg)
{
    (void)batch;
    (void)cx;
    struct hold *hold = arg;
    sem_wait(&hold->go);
    return OD_OK;
}

static void ignore_job(struct od_job *job)
{
    (void)job;
}

static void hold_committer(struct hold *hold)
{
    *hold = (struct hold){.cx = {.arena = od_arena_create()}};
    sem_init(&hold->go, 0, 0);
    hold->job = (struct od_job){
        .apply = apply_hold, .arg = hold, .cx = &hold->cx, .done = ignore_job, .is_control = true};
    od_engine_submit(fixture.engine, &hold->job);
}

// --- Steps --------------------------------------------------------------------------------------

static void item_body(char *body, int id, const char *kind, int size)
{
    snprintf(body, MAX_BODY,
             "{\"TableName\":\"Games\",\"Item\":{\"id\":{\"S\":\"%d\"},\"kind\":{\"S\":\"%s\"},"
             "\"text\":{\"S\":\"%0*d\"}}}",
             id, kind, size, 0);
}

static void fill_table(void)
{
    char body[MAX_BODY];
    run_call("CreateTable", create_table);
    for (int i = 0; i < ITEMS; i++) {
        item_body(body, i, "old", 10);
        run_call("PutItem", body);
    }
}

// One item in five each: untouched, larger, under another key, without a key, gone.
static void change_item(int id)
{
    char body[MAX_BODY];
    switch (id % 5) {
    case 1:
        item_body(body, id, "old", 100);
        submit("PutItem", body);
        break;
    case 2:
        item_body(body, id, "new", 20);
        submit("PutItem", body);
        break;
    case 3:
        snprintf(body, sizeof(body),
                 "{\"TableName\":\"Games\",\"Key\":{\"id\":{\"S\":\"%d\"}},"
                 "\"UpdateExpression\":\"REMOVE kind\"}",
                 id);
        submit("UpdateItem", body);
        break;
    case 4:
        snprintf(body, sizeof(body), "{\"TableName\":\"Games\",\"Key\":{\"id\":{\"S\":\"%d\"}}}",
                 id);
        submit("DeleteItem", body);
        break;
    default:
        break;
    }
}

static void add_index_called(const char *name, void (*call)(const char *, const char *))
{
    char body[MAX_BODY];
    snprintf(body, sizeof(body), add_index, name);
    call("UpdateTable", body);
}

static yyjson_val *index_called(yyjson_doc *described, const char *name)
{
    yyjson_val *table = yyjson_obj_get(yyjson_doc_get_root(described), "Table");
    yyjson_val *indexes = yyjson_obj_get(table, "GlobalSecondaryIndexes");
    size_t at = 0;
    size_t max = 0;
    yyjson_val *index = NULL;
    yyjson_arr_foreach(indexes, at, max, index)
    {
        if (yyjson_equals_str(yyjson_obj_get(index, "IndexName"), name)) {
            return index;
        }
    }
    fail_msg("there is no index %s", name);
    return NULL;
}

// Once it is filled.
static struct od_stats stats_of(const char *name)
{
    for (;;) {
        yyjson_doc *described = call_now("DescribeTable", "{\"TableName\":\"Games\"}");
        yyjson_val *index = index_called(described, name);
        bool active = yyjson_equals_str(yyjson_obj_get(index, "IndexStatus"), "ACTIVE");
        struct od_stats stats = {
            .item_count = yyjson_get_sint(yyjson_obj_get(index, "ItemCount")),
            .size_bytes = yyjson_get_sint(yyjson_obj_get(index, "IndexSizeBytes")),
        };
        yyjson_doc_free(described);
        if (active) {
            return stats;
        }
    }
}

static int64_t count_rows(const char *name)
{
    char body[MAX_BODY];
    snprintf(body, sizeof(body),
             "{\"TableName\":\"Games\",\"IndexName\":\"%s\",\"Select\":\"COUNT\"}", name);
    yyjson_doc *doc = call_now("Scan", body);
    int64_t count = yyjson_get_sint(yyjson_obj_get(yyjson_doc_get_root(doc), "Count"));
    yyjson_doc_free(doc);
    return count;
}

// --- Tests --------------------------------------------------------------------------------------

static int open_engine(void **state)
{
    (void)state;
    od_ctx cx = {.arena = od_arena_create()};
    struct od_engine_options options = {.store = "memory", .committer_thread = true};
    fixture = (struct fixture){0};
    sem_init(&fixture.done, 0, 0);
    od_status status = od_engine_open(&cx, &options, &fixture.engine);
    od_arena_destroy(cx.arena);
    return status == OD_OK ? 0 : -1;
}

static int close_engine(void **state)
{
    (void)state;
    od_engine_close(fixture.engine);
    sem_destroy(&fixture.done);
    return 0;
}

static void an_index_counts_right_when_items_change_before_it_has_come_to_them(void **state)
{
    (void)state;
    struct hold hold;
    fill_table();
    hold_committer(&hold);
    add_index_called("ByKind", submit);
    for (int i = 0; i < ITEMS; i++) {
        change_item(i);
    }
    sem_post(&hold.go);
    wait_for_submitted();
    struct od_stats stats = stats_of("ByKind");
    assert_int_equal(stats.item_count, count_rows("ByKind"));
    assert_int_equal(stats.item_count, ITEMS / 5 * 3);

    // One that is filled in peace.
    add_index_called("Again", run_call);
    struct od_stats quiet = stats_of("Again");
    assert_int_equal(stats.item_count, quiet.item_count);
    assert_int_equal(stats.size_bytes, quiet.size_bytes);
    od_arena_destroy(hold.cx.arena);
    sem_destroy(&hold.go);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            an_index_counts_right_when_items_change_before_it_has_come_to_them, open_engine,
            close_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
