// Any bytes as a stored item. What is found valid must be walked without harm, and come out of
// the writing functions as the same bytes.
#include "model/value.h"

#include "../unit/model/repack.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_lookups(od_value map)
{
    for (struct od_iter it = od_iter(map); od_iter_next(&it);) {
        od_value found = od_map_get(map, it.name);
        assert(found.ptr == it.value.ptr && found.len == it.value.len);
    }
}

static void check_item(od_arena *arena, od_str bytes)
{
    od_item item = {bytes.ptr, bytes.len};
    od_value map = od_item_map(item);
    check_lookups(map);
    assert(od_value_depth(map) <= OD_MAX_NESTING + 2);

    struct od_buf out = {.arena = arena};
    repack(&out, map);
    od_item again = od_item_pack(arena, od_packed(&out));
    assert(od_str_eq((od_str){again.ptr, again.len}, bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_arena *arena = od_arena_create();
    // A copy of its own size, so that the sanitizer sees a read past the end.
    od_str bytes = od_arena_copy(arena, (od_str){(const char *)data, size});
    if (od_item_valid(bytes)) {
        check_item(arena, bytes);
    }
    // A value without the item's version and size around it is easier to guess.
    if (od_value_valid(bytes)) {
        struct od_buf out = {.arena = arena};
        repack(&out, (od_value){bytes.ptr, bytes.len});
        assert(od_str_eq(od_buf_str(&out), bytes));
    }
    od_arena_destroy(arena);
    return 0;
}
