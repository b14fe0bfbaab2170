#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    od_arena *arena;
    od_engine *engine;
};

static int open_fixture(void **state, const struct od_engine_options *options)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    fixture->arena = od_arena_create();
    od_ctx cx = {.arena = fixture->arena};
    *state = fixture;
    return od_engine_open(&cx, options, &fixture->engine) == OD_OK ? 0 : -1;
}

int api_setup(void **state)
{
    const struct od_engine_options options = {.store = "memory"};
    return open_fixture(state, &options);
}

int api_setup_small_collections(void **state)
{
    const struct od_engine_options options = {
        .store = "memory",
        .limits = {.collection_bytes = API_COLLECTION_BYTES},
    };
    return open_fixture(state, &options);
}

int api_setup_threaded(void **state)
{
    const struct od_engine_options options = {.store = "memory", .committer_thread = true};
    return open_fixture(state, &options);
}

od_engine *api_engine(void **state)
{
    const struct fixture *fixture = *state;
    return fixture->engine;
}

int api_teardown(void **state)
{
    struct fixture *fixture = *state;
    od_engine_close(fixture->engine);
    od_arena_destroy(fixture->arena);
    free(fixture);
    return 0;
}

od_str api_json(od_arena *arena, const char *single_quoted)
{
    od_str copy = od_arena_copy(arena, od_cstr(single_quoted));
    char *bytes = (char *)(uintptr_t)copy.ptr;
    for (size_t i = 0; i < copy.len; i++) {
        if (bytes[i] == '\'') {
            bytes[i] = '"';
        }
    }
    return copy;
}

static struct od_call new_call(struct fixture *fixture, const char *operation, const char *body)
{
    return (struct od_call){
        .cx = {.arena = fixture->arena},
        .engine = fixture->engine,
        .operation = od_cstr(operation),
        .body = api_json(fixture->arena, body),
        .endpoint = OD_STR("localhost:8000"),
    };
}

struct od_call api_call(void **state, const char *operation, const char *body)
{
    struct od_call call = new_call(*state, operation, body);
    od_api_call(&call);
    return call;
}

struct od_call api_decode(void **state, const char *operation, const char *body)
{
    struct od_call call = new_call(*state, operation, body);
    (void)od_api_decode(&call);
    return call;
}

enum od_next api_next(void **state, const char *operation, const char *body)
{
    struct od_call call = new_call(*state, operation, body);
    return od_api_decode(&call);
}

static yyjson_doc *parse(od_str json)
{
    return yyjson_read(json.ptr, json.len, YYJSON_READ_NOFLAG);
}

static bool same_json(od_str a, od_str b)
{
    yyjson_doc *left = parse(a);
    yyjson_doc *right = parse(b);
    bool same = left != NULL && right != NULL &&
                yyjson_equals(yyjson_doc_get_root(left), yyjson_doc_get_root(right));
    yyjson_doc_free(left);
    yyjson_doc_free(right);
    return same;
}

void check_json(void **state, const char *got, const char *want)
{
    struct fixture *fixture = *state;
    if (!same_json(od_cstr(got), api_json(fixture->arena, want))) {
        fail_msg("want %s\n got  %s", want, got);
    }
}

static od_str member_text(yyjson_val *root, const char *name)
{
    yyjson_val *value = yyjson_obj_get(root, name);
    return (od_str){yyjson_get_str(value), yyjson_get_len(value)};
}

// "NameOfException: message" of an error body.
static od_str error_text(od_arena *arena, od_str body)
{
    yyjson_doc *doc = parse(body);
    yyjson_val *root = yyjson_doc_get_root(doc);
    od_str type = member_text(root, "__type");
    od_str message = member_text(root, "message");
    message = message.ptr == NULL ? member_text(root, "Message") : message;
    const char *hash = type.ptr == NULL ? NULL : memchr(type.ptr, '#', type.len);
    type = hash == NULL ? type : od_str_skip(type, (size_t)(hash + 1 - type.ptr));
    od_str text = od_arena_printf(arena, "%.*s: %.*s", OD_STR_ARG(type), OD_STR_ARG(message));
    yyjson_doc_free(doc);
    return text;
}

static bool is_answer(od_arena *arena, const struct od_call *call, const char *want)
{
    od_str got = od_buf_str(&call->out);
    if (want[0] == '{') {
        return call->http_status == 200 && same_json(got, api_json(arena, want));
    }
    return call->http_status >= 400 && od_str_eq(error_text(arena, got), od_cstr(want));
}

static void print_row(size_t i, const struct api_row *row, const struct od_call *call)
{
    od_str got = od_buf_str(&call->out);
    print_error("row %zu: %s %s\n  want %s\n  got  %d %.*s\n", i, row->operation, row->body,
                row->want == NULL ? "no error" : row->want, call->http_status, OD_STR_ARG(got));
}

void check_calls(void **state, const struct api_row *rows, size_t count)
{
    struct fixture *fixture = *state;
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct od_call call = api_call(state, rows[i].operation, rows[i].body);
        if (!is_answer(fixture->arena, &call, rows[i].want)) {
            print_row(i, &rows[i], &call);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

static bool decodes_as(od_arena *arena, const struct od_call *call, const char *want)
{
    return want == NULL ? call->http_status == 0 : is_answer(arena, call, want);
}

void check_decodes(void **state, const struct api_row *rows, size_t count)
{
    struct fixture *fixture = *state;
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct od_call call = api_decode(state, rows[i].operation, rows[i].body);
        if (!decodes_as(fixture->arena, &call, rows[i].want)) {
            print_row(i, &rows[i], &call);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}
