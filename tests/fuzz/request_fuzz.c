// Any bytes as the body of a request: the first byte chooses the operation. What passes the checks
// must pack to valid values, whose JSON packs to the same bytes again; what does not must give an
// error body that is JSON.
#include "wire/shape/shape.h"
#include "wire/wire.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_json_again(od_ctx *cx, od_value map)
{
    struct od_buf json = {.arena = cx->arena};
    od_json_map(&json, map);
    yyjson_val *root = NULL;
    od_value again = {NULL, 0};
    od_status status = od_wire_parse(cx, od_buf_str(&json), &root);
    assert(status == OD_OK);
    status = od_wire_map(cx, root, &again);
    assert(status == OD_OK);
    assert(od_str_eq((od_str){map.ptr, map.len}, (od_str){again.ptr, again.len}));
}

static od_status pack_member(od_ctx *cx, yyjson_val *root, const char *name)
{
    yyjson_val *json = od_wire_member(root, name);
    if (json == NULL) {
        return OD_OK;
    }
    od_value map = {NULL, 0};
    OD_TRY(od_wire_map(cx, json, &map));
    assert(od_value_valid((od_str){map.ptr, map.len}));
    check_json_again(cx, map);
    return OD_OK;
}

// `checked` is false for a tree that goes to the packing functions as it came.
static od_status take_request(od_ctx *cx, const struct od_shape *shape, od_str body, bool checked)
{
    yyjson_val *root = NULL;
    OD_TRY(od_wire_parse(cx, body, &root));
    if (checked) {
        OD_TRY(od_shape_check(cx, shape, root));
    }
    OD_TRY(pack_member(cx, root, "Item"));
    OD_TRY(pack_member(cx, root, "Key"));
    OD_TRY(pack_member(cx, root, "ExclusiveStartKey"));
    struct od_expr_env env = {0};
    return od_wire_env(cx, root, &env);
}

static void check_error(od_ctx *cx, od_status status)
{
    struct od_buf out = {.arena = cx->arena};
    od_wire_error(&out, status, cx, true);
    yyjson_val *root = NULL;
    od_status parsed = od_wire_parse(cx, od_buf_str(&out), &root);
    assert(parsed == OD_OK);
    assert(od_wire_str(root, "__type").len > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    od_ctx cx = {.arena = od_arena_create()};
    const struct od_shape *shape = od_shape_inputs[data[0] % od_shape_input_count].shape;
    // A copy of its own size, so that the sanitizer sees a read past the end.
    od_str body = od_arena_copy(cx.arena, (od_str){(const char *)data + 1, size - 1});
    for (int checked = 0; checked < 2; checked++) {
        od_status status = take_request(&cx, shape, body, checked != 0);
        if (status != OD_OK) {
            check_error(&cx, status);
        }
    }
    od_arena_destroy(cx.arena);
    return 0;
}
