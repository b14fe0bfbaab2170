// A table's counters are exact, whichever way its items are written: puts that ask nothing of what
// they replace do not read it.
#include "api/api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { KEYS = 40, MAX_VALUE = 60, OPERATIONS = 4000 };

static const char create_table[] =
    "{\"TableName\":\"Games\",\"BillingMode\":\"PAY_PER_REQUEST\","
    "\"AttributeDefinitions\":[{\"AttributeName\":\"id\",\"AttributeType\":\"S\"}],"
    "\"KeySchema\":[{\"AttributeName\":\"id\",\"KeyType\":\"HASH\"}]}";

#define ITEM "{\"id\":{\"S\":\"k%02d\"},\"v\":{\"S\":\"%0*d\"}}"
#define KEY  "{\"id\":{\"S\":\"k%02d\"}}"

static const struct {
    const char *operation;
    const char *body;
    bool deletes;
} writes[] = {
    {"PutItem", "{\"TableName\":\"Games\",\"Item\":" ITEM "}", false},
    {"PutItem", "{\"TableName\":\"Games\",\"Item\":" ITEM ",\"ReturnValues\":\"ALL_OLD\"}", false},
    {"BatchWriteItem", "{\"RequestItems\":{\"Games\":[{\"PutRequest\":{\"Item\":" ITEM "}}]}}",
     false},
    {"TransactWriteItems",
     "{\"TransactItems\":[{\"Put\":{\"TableName\":\"Games\",\"Item\":" ITEM "}}]}", false},
    {"DeleteItem", "{\"TableName\":\"Games\",\"Key\":" KEY "}", true},
    {"BatchWriteItem", "{\"RequestItems\":{\"Games\":[{\"DeleteRequest\":{\"Key\":" KEY "}}]}}",
     true},
};

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static yyjson_doc *call(od_engine *engine, const char *operation, const char *body)
{
    od_arena *arena = od_arena_create();
    struct od_call call = {
        .cx = {.arena = arena}, .engine = engine, .operation = od_cstr(operation)};
    call.body = od_arena_copy(arena, od_cstr(body));
    od_api_call(&call);
    if (call.http_status != 200) {
        fail_msg("%s: %.*s", operation, OD_STR_ARG(od_buf_str(&call.out)));
    }
    yyjson_doc *doc = yyjson_read(call.out.ptr, call.out.len, 0);
    od_arena_destroy(arena);
    return doc;
}

static void run(od_engine *engine, const char *operation, const char *body)
{
    yyjson_doc_free(call(engine, operation, body));
}

static int64_t number_at(yyjson_doc *doc, const char *path)
{
    return yyjson_get_sint(yyjson_doc_ptr_get(doc, path));
}

static void check_counters(od_engine *engine, const int *value_bytes)
{
    int64_t items = 0;
    int64_t bytes = 0;
    for (int i = 0; i < KEYS; i++) {
        items += value_bytes[i] > 0;
        bytes += value_bytes[i] > 0 ? (int64_t)sizeof("idk00v") - 1 + value_bytes[i] : 0;
    }
    yyjson_doc *doc = call(engine, "DescribeTable", "{\"TableName\":\"Games\"}");
    assert_int_equal(number_at(doc, "/Table/ItemCount"), items);
    assert_int_equal(number_at(doc, "/Table/TableSizeBytes"), bytes);
    yyjson_doc_free(doc);
}

static void write_one(od_engine *engine, uint32_t *seed, int *value_bytes)
{
    char body[400];
    size_t which = next_random(seed) % OD_COUNT(writes);
    int key = (int)(next_random(seed) % KEYS);
    int bytes = 1 + (int)(next_random(seed) % MAX_VALUE);
    // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of the table's
    (void)snprintf(body, sizeof(body), writes[which].body, key, bytes, 0);
    run(engine, writes[which].operation, body);
    value_bytes[key] = writes[which].deletes ? 0 : bytes;
}

static void counters_are_exact_after_writes_of_all_kinds(void **state)
{
    (void)state;
    const struct od_engine_options options = {.store = "memory"};
    od_ctx cx = {.arena = od_arena_create()};
    od_engine *engine = NULL;
    assert_int_equal(od_engine_open(&cx, &options, &engine), OD_OK);
    run(engine, "CreateTable", create_table);
    int value_bytes[KEYS] = {0};
    uint32_t seed = 20;
    for (int i = 0; i < OPERATIONS; i++) {
        write_one(engine, &seed, value_bytes);
        if (i % 100 == 0) {
            check_counters(engine, value_bytes);
        }
    }
    check_counters(engine, value_bytes);
    od_engine_close(engine);
    od_arena_destroy(cx.arena);
}

// A table that takes the name of one that is gone has none of its items.
static void a_new_table_knows_nothing_of_the_old_one(void **state)
{
    (void)state;
    const struct od_engine_options options = {.store = "memory"};
    od_ctx cx = {.arena = od_arena_create()};
    od_engine *engine = NULL;
    assert_int_equal(od_engine_open(&cx, &options, &engine), OD_OK);
    int value_bytes[KEYS] = {5};
    for (int i = 0; i < 3; i++) {
        run(engine, "CreateTable", create_table);
        run(engine, "PutItem",
            "{\"TableName\":\"Games\",\"Item\":{\"id\":{\"S\":\"k00\"},\"v\":{\"S\":\"00000\"}}}");
        check_counters(engine, value_bytes);
        run(engine, "DeleteTable", "{\"TableName\":\"Games\"}");
    }
    od_engine_close(engine);
    od_arena_destroy(cx.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_exact_after_writes_of_all_kinds),
        cmocka_unit_test(a_new_table_knows_nothing_of_the_old_one),
    };
    return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
