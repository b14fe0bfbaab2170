// A whole call: a line with the operation's name, and then its body, on a memory store with three
// tables and their indexes. Whatever comes, the answer is 200 or 400 and JSON. Now and then the
// indexes are held against their tables, and the store begins anew.
//
// Most changes are made to JSON values, not to bytes, so that what comes of them is mostly JSON.
#include "api/api.h"
#include "model/value.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

enum { CALLS_PER_STORE = 256, MAX_ROWS = 4096, MAX_NAME_BYTES = 40 };

static const char *const operations[] = {
#define OD_READ(name, ...)  #name,
#define OD_WRITE(name, ...) #name,
#include "api/ops.def"
#undef OD_READ
#undef OD_WRITE
    "NoSuchOperation",
};

// --- Tables -------------------------------------------------------------------------------------

#define KEYS(hash, range)                                     \
    "[{\"AttributeName\":\"" hash "\",\"KeyType\":\"HASH\"}," \
    "{\"AttributeName\":\"" range "\",\"KeyType\":\"RANGE\"}]"
#define HASH_KEY(hash) "[{\"AttributeName\":\"" hash "\",\"KeyType\":\"HASH\"}]"
#define INDEX(name, keys)                             \
    "{\"IndexName\":\"" name "\",\"KeySchema\":" keys \
    ",\"Projection\":{\"ProjectionType\":\"ALL\"}}"
#define ATTR(name, type) "{\"AttributeName\":\"" name "\",\"AttributeType\":\"" type "\"}"
#define TABLE(name, keys, attrs, more)                                                    \
    "{\"TableName\":\"" name "\",\"BillingMode\":\"PAY_PER_REQUEST\",\"KeySchema\":" keys \
    ",\"AttributeDefinitions\":[" attrs "]," more "}"

#define GLOBAL \
    "\"GlobalSecondaryIndexes\":[" INDEX("g_s", HASH_KEY("s")) "," INDEX("g_n", KEYS("s", "n")) "]"
#define LOCAL "\"LocalSecondaryIndexes\":[" INDEX("l_n", KEYS("pk", "n")) "]"

static const char *const creations[] = {
    TABLE("One", HASH_KEY("pk"), ATTR("pk", "S") "," ATTR("s", "S") "," ATTR("n", "N"), GLOBAL),
    TABLE("Text", KEYS("pk", "sk"),
          ATTR("pk", "S") "," ATTR("sk", "S") "," ATTR("s", "S") "," ATTR("n", "N"),
          GLOBAL "," LOCAL),
    TABLE("Number", KEYS("pk", "sk"),
          ATTR("pk", "S") "," ATTR("sk", "N") "," ATTR("s", "S") "," ATTR("n", "N"),
          GLOBAL "," LOCAL),
};

#define VALUES                                                                                 \
    "\"s\":{\"S\":\"x\"},\"n\":{\"N\":\"5\"},\"m\":{\"M\":{\"a\":{\"N\":\"1\"},\"l\":{\"L\":[" \
    "{\"S\":\"e\"},{\"N\":\"2\"}]}}},\"l\":{\"L\":[{\"N\":\"1\"},{\"S\":\"b\"},{\"M\":{}}]},"  \
    "\"ss\":{\"SS\":[\"a\",\"b\"]},\"ns\":{\"NS\":[\"1\",\"2\"]},\"b\":{\"B\":\"AAEC\"},"      \
    "\"t\":{\"BOOL\":true},\"z\":{\"NULL\":true}"

static const char *const items[] = {
    "{\"TableName\":\"One\",\"Item\":{\"pk\":{\"S\":\"a\"}," VALUES "}}",
    "{\"TableName\":\"One\",\"Item\":{\"pk\":{\"S\":\"b\"},\"s\":{\"S\":\"x\"}}}",
    "{\"TableName\":\"Text\",\"Item\":{\"pk\":{\"S\":\"a\"},\"sk\":{\"S\":\"1\"}," VALUES "}}",
    "{\"TableName\":\"Text\",\"Item\":{\"pk\":{\"S\":\"a\"},\"sk\":{\"S\":\"2\"}}}",
    "{\"TableName\":\"Number\",\"Item\":{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"}," VALUES "}}",
    "{\"TableName\":\"Number\",\"Item\":{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"-2\"}}}",
};

// --- Calls --------------------------------------------------------------------------------------

static od_engine *engine;

// Some operations answer nothing at all.
static bool is_well(const struct od_call *call, bool must_succeed)
{
    if (call->http_status == 200 && call->out.len == 0) {
        return true;
    }
    yyjson_doc *doc = yyjson_read(call->out.ptr, call->out.len, YYJSON_READ_NOFLAG);
    yyjson_val *root = yyjson_doc_get_root(doc);
    bool well = yyjson_is_obj(root) &&
                (call->http_status == 200 || (!must_succeed && call->http_status == 400 &&
                                              yyjson_is_str(yyjson_obj_get(root, "__type"))));
    yyjson_doc_free(doc);
    return well;
}

static void check_answer(const struct od_call *call, bool must_succeed)
{
    if (!is_well(call, must_succeed)) {
        fprintf(stderr, "%.*s answered %d %.*s\n", OD_STR_ARG(call->operation), call->http_status,
                (int)call->out.len, call->out.ptr);
        abort();
    }
}

static void call_once(od_str operation, od_str body, bool must_succeed)
{
    struct od_call call = {
        .cx = {.arena = od_arena_create()},
        .engine = engine,
        .operation = operation,
        .endpoint = OD_STR("localhost"),
    };
    // A copy of its own size, so that the sanitizer sees a read past the end.
    char *copy = malloc(body.len + 1);
    assert(copy != NULL);
    memcpy(copy, body.ptr, body.len);
    call.body = (od_str){copy, body.len};
    od_api_call(&call);
    check_answer(&call, must_succeed);
    free(copy);
    od_arena_destroy(call.cx.arena);
}

static void open_store(void)
{
    od_ctx cx = {.arena = od_arena_create()};
    od_status status = od_engine_open(&cx, &(struct od_engine_options){.store = "memory"}, &engine);
    assert(status == OD_OK);
    od_arena_destroy(cx.arena);
    for (size_t i = 0; i < OD_COUNT(creations); i++) {
        call_once(OD_STR("CreateTable"), od_cstr(creations[i]), true);
    }
    for (size_t i = 0; i < OD_COUNT(items); i++) {
        call_once(OD_STR("PutItem"), od_cstr(items[i]), true);
    }
}

// --- Indexes against tables ---------------------------------------------------------------------

struct rows {
    od_arena *arena;
    const struct od_key_schema *wanted; // rows without one of its attributes are left out
    od_value maps[MAX_ROWS];
    size_t count;
};

static void take_row(void *arg, od_value map)
{
    struct rows *rows = arg;
    for (size_t i = 0; i < od_key_attr_count(rows->wanted); i++) {
        if (!od_value_exists(od_map_get(map, rows->wanted->attrs[i].name))) {
            return;
        }
    }
    assert(rows->count < MAX_ROWS);
    od_str copy = od_arena_copy(rows->arena, (od_str){map.ptr, map.len});
    rows->maps[rows->count++] = (od_value){copy.ptr, copy.len};
}

static int compare_rows(const void *a, const void *b)
{
    const od_value *left = a;
    const od_value *right = b;
    return od_str_compare((od_str){left->ptr, left->len}, (od_str){right->ptr, right->len});
}

static void read_rows(od_ctx *cx, od_str table, od_str index, struct rows *rows)
{
    struct od_read read = {.table = table, .index = index};
    struct od_read_result result = {0};
    do {
        od_status status = od_engine_read(engine, cx, &read, take_row, rows, &result);
        assert(status == OD_OK);
        read.start_key = result.last_key;
    } while (od_value_exists(result.last_key));
    qsort(rows->maps, rows->count, sizeof(rows->maps[0]), compare_rows);
}

// Indexes that project all hold exactly the items that have their keys.
static void check_index(const struct od_table *table, const struct od_index *index)
{
    static struct rows rows[2];
    od_ctx cx = {.arena = od_arena_create()};
    const od_str places[] = {{NULL, 0}, index->name};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        rows[i].arena = cx.arena;
        rows[i].wanted = &index->schema;
        rows[i].count = 0;
        read_rows(&cx, table->name, places[i], &rows[i]);
    }
    assert(rows[0].count == rows[1].count);
    for (size_t i = 0; i < rows[0].count; i++) {
        assert(compare_rows(&rows[0].maps[i], &rows[1].maps[i]) == 0);
    }
    assert(od_index_stats(index).item_count == (int64_t)rows[1].count);
    od_arena_destroy(cx.arena);
}

static void check_table(od_str name)
{
    od_ctx cx = {.arena = od_arena_create()};
    const struct od_table *table = NULL;
    if (od_table_acquire(engine, &cx, name, &table) == OD_OK) {
        for (size_t i = 0; i < table->index_count; i++) {
            const struct od_index *index = &table->indexes[i];
            if (index->status == OD_TABLE_ACTIVE && index->projection == OD_PROJECT_ALL) {
                check_index(table, index);
            }
        }
        od_table_release(table);
    }
    od_arena_destroy(cx.arena);
}

static void check_tables(void)
{
    enum { LISTED = 100 };
    od_ctx cx = {.arena = od_arena_create()};
    od_str names[LISTED];
    size_t count = 0;
    bool more = false;
    od_status status =
        od_engine_list_tables(engine, &cx, (od_str){NULL, 0}, LISTED, names, &count, &more);
    assert(status == OD_OK);
    for (size_t i = 0; i < count; i++) {
        check_table(names[i]);
    }
    od_arena_destroy(cx.arena);
}

// `size` when there is no line with a name.
static size_t measure_name(const uint8_t *data, size_t size)
{
    size_t len = 0;
    while (len < size && data[len] != '\n') {
        len++;
    }
    return len > MAX_NAME_BYTES ? size : len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int calls;
    size_t name_len = measure_name(data, size);
    if (name_len == size) {
        return 0;
    }
    if (calls == 0) {
        open_store();
    }
    const char *text = (const char *)data;
    call_once((od_str){text, name_len}, (od_str){text + name_len + 1, size - name_len - 1}, false);
    if (++calls == CALLS_PER_STORE) {
        check_tables();
        od_engine_close(engine);
        calls = 0;
    }
    return 0;
}

// --- Changes to JSON ----------------------------------------------------------------------------

static const char *const fragments[] = {
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5",
    "1e300",
    "\"\"",
    "\"a\"",
    "[]",
    "{}",
    "[null]",
    "{\"S\":\"a\"}",
    "{\"S\":\"\"}",
    "{\"N\":\"1\"}",
    "{\"N\":\"1e125\"}",
    "{\"N\":\"-1e-130\"}",
    "{\"B\":\"AA==\"}",
    "{\"BOOL\":true}",
    "{\"NULL\":true}",
    "{\"SS\":[\"a\",\"b\"]}",
    "{\"NS\":[\"1\",\"2\"]}",
    "{\"BS\":[\"AQ==\"]}",
    "{\"L\":[{\"S\":\"a\"},{\"L\":[]}]}",
    "{\"M\":{\"a\":{\"M\":{}}}}",
    "\"g_s\"",
    "\"g_n\"",
    "\"l_n\"",
    "\"One\"",
    "\"Text\"",
    "\"Number\"",
    "\"ALL_OLD\"",
    "\"ALL_NEW\"",
    "\"UPDATED_NEW\"",
    "\"INDEXES\"",
    "\"COUNT\"",
    "\"SET l[1] = :v REMOVE m.a ADD n :v\"",
    "\"pk = :v AND begins_with(sk, :v)\"",
    "\"attribute_exists(m.l[0]) OR size(ss) > :v\"",
    "\"m.l[1], #n, l[0]\"",
    "\"arn:aws:dynamodb:us-east-1:000000000000:table/One\"",
};

struct mutation {
    yyjson_mut_doc *doc;
    unsigned int seed;
};

static size_t draw(struct mutation *m, size_t below)
{
    m->seed = m->seed * 1664525u + 1013904223u;
    return below == 0 ? 0 : (m->seed >> 8) % below;
}

enum { MAX_DEPTH = 200 };

static size_t count_values(yyjson_mut_val *value, int depth)
{
    size_t count = 1;
    size_t at = 0;
    size_t max = 0;
    yyjson_mut_val *key = NULL;
    yyjson_mut_val *child = NULL;
    if (depth < MAX_DEPTH && yyjson_mut_is_arr(value)) {
        yyjson_mut_arr_foreach(value, at, max, child)
        {
            count += count_values(child, depth + 1);
        }
    }
    if (depth < MAX_DEPTH && yyjson_mut_is_obj(value)) {
        yyjson_mut_obj_foreach(value, at, max, key, child)
        {
            count += 1 + count_values(child, depth + 1);
        }
    }
    return count;
}

// The value or member name that the countdown ends at.
static yyjson_mut_val *pick(yyjson_mut_val *value, size_t *countdown, int depth)
{
    if ((*countdown)-- == 0) {
        return value;
    }
    size_t at = 0;
    size_t max = 0;
    yyjson_mut_val *key = NULL;
    yyjson_mut_val *child = NULL;
    yyjson_mut_val *found = NULL;
    if (depth < MAX_DEPTH && yyjson_mut_is_arr(value)) {
        yyjson_mut_arr_foreach(value, at, max, child)
        {
            found = found == NULL ? pick(child, countdown, depth + 1) : found;
        }
    }
    if (depth < MAX_DEPTH && yyjson_mut_is_obj(value)) {
        yyjson_mut_obj_foreach(value, at, max, key, child)
        {
            if (found == NULL) {
                found = (*countdown)-- == 0 ? key : pick(child, countdown, depth + 1);
            }
        }
    }
    return found;
}

static yyjson_mut_val *pick_any(struct mutation *m)
{
    yyjson_mut_val *root = yyjson_mut_doc_get_root(m->doc);
    size_t countdown = draw(m, count_values(root, 0));
    return pick(root, &countdown, 0);
}

// The text with a few bytes changed, as libFuzzer would.
static void change_text(struct mutation *m, yyjson_mut_val *text)
{
    enum { ROOM = 64 };
    size_t len = yyjson_mut_get_len(text);
    uint8_t *bytes = malloc(len + ROOM);
    assert(bytes != NULL);
    memcpy(bytes, yyjson_mut_get_str(text), len);
    len = LLVMFuzzerMutate(bytes, len, len + ROOM);
    yyjson_mut_val *changed = yyjson_mut_strncpy(m->doc, (const char *)bytes, len);
    yyjson_mut_set_str(text, yyjson_mut_get_str(changed));
    yyjson_mut_set_strn(text, yyjson_mut_get_str(changed), len);
    free(bytes);
}

// What a value becomes: a fragment, or another of the same body.
static yyjson_mut_val *draw_value(struct mutation *m)
{
    if (draw(m, 2) == 0) {
        return yyjson_mut_val_mut_copy(m->doc, pick_any(m));
    }
    const char *text = fragments[draw(m, OD_COUNT(fragments))];
    yyjson_doc *doc = yyjson_read(text, strlen(text), YYJSON_READ_NOFLAG);
    yyjson_mut_val *value = yyjson_val_mut_copy(m->doc, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return value;
}

static void change_value(struct mutation *m)
{
    yyjson_mut_val *value = pick_any(m);
    if (value == NULL || (yyjson_mut_is_str(value) && draw(m, 2) == 0)) {
        if (value != NULL) {
            change_text(m, value);
        }
        return;
    }
    yyjson_mut_val *drawn = draw_value(m);
    if (yyjson_mut_is_obj(value) && draw(m, 2) == 0) {
        yyjson_mut_val *name = pick_any(m);
        bool is_text = yyjson_mut_is_str(name);
        yyjson_mut_obj_add(
            value, is_text ? yyjson_mut_val_mut_copy(m->doc, name) : yyjson_mut_str(m->doc, "pk"),
            drawn);
    } else if (yyjson_mut_is_arr(value) && draw(m, 2) == 0) {
        yyjson_mut_arr_append(value, drawn);
    } else if (!yyjson_mut_is_str(value) || yyjson_mut_is_str(drawn)) {
        // A name stays a text. The place in the parent stays, what stands there changes.
        value->tag = drawn->tag;
        value->uni = drawn->uni;
    } else {
        change_text(m, value);
    }
}

static size_t write_back(struct mutation *m, od_str name, uint8_t *data, size_t max_size)
{
    size_t len = 0;
    char *body = yyjson_mut_write(m->doc, YYJSON_WRITE_ALLOW_INVALID_UNICODE, &len);
    if (draw(m, 16) == 0) {
        name = od_cstr(operations[draw(m, OD_COUNT(operations))]);
    }
    bool fits = body != NULL && name.len + 1 + len <= max_size;
    if (fits) {
        memmove(data, name.ptr, name.len);
        data[name.len] = '\n';
        memcpy(data + name.len + 1, body, len);
    }
    free(body);
    return fits ? name.len + 1 + len : 0;
}

static size_t change_body(struct mutation *m, uint8_t *data, size_t size, size_t max_size)
{
    size_t name_len = measure_name(data, size);
    const char *body = (const char *)data + name_len + 1;
    yyjson_doc *doc =
        name_len == size ? NULL : yyjson_read(body, size - name_len - 1, YYJSON_READ_NOFLAG);
    if (doc == NULL) {
        return 0;
    }
    m->doc = yyjson_doc_mut_copy(doc, NULL);
    for (size_t changes = 1 + draw(m, 3); changes > 0; changes--) {
        change_value(m);
    }
    size_t changed = write_back(m, (od_str){(const char *)data, name_len}, data, max_size);
    yyjson_mut_doc_free(m->doc);
    yyjson_doc_free(doc);
    return changed;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    struct mutation m = {.seed = seed};
    size_t changed = draw(&m, 16) == 0 ? 0 : change_body(&m, data, size, max_size);
    return changed == 0 ? LLVMFuzzerMutate(data, size, max_size) : changed;
}
