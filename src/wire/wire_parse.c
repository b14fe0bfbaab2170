#include "wire/wire_internal.h"

#include <stdlib.h>
#include <string.h>

// From here on a body's tree gets one block that is large enough for any JSON of its length, since
// the arena cannot take back what a growing tree leaves behind. Pages that are not touched cost
// nothing. Below it, yyjson's own first estimate nearly always holds, and is far smaller.
enum { ONE_BLOCK_FROM = 4096 };

// Up to this many members are sorted where they stand.
enum { FEW_ENTRIES = 24 };

// --- Memory -------------------------------------------------------------------------------------

static void *arena_malloc(void *arena, size_t size)
{
    return od_arena_bytes(arena, size);
}

static void *arena_realloc(void *arena, void *bytes, size_t old_size, size_t size)
{
    return size <= old_size ? bytes : od_arena_grow(arena, bytes, old_size, size);
}

static void arena_free(void *arena, void *bytes)
{
    (void)arena;
    (void)bytes;
}

static yyjson_alc allocator_for(od_arena *arena, size_t len)
{
    if (len < ONE_BLOCK_FROM) {
        return (yyjson_alc){arena_malloc, arena_realloc, arena_free, arena};
    }
    size_t size = yyjson_read_max_memory_usage(len, YYJSON_READ_NOFLAG);
    yyjson_alc alc = {0};
    (void)yyjson_alc_pool_init(&alc, od_arena_bytes(arena, size), size);
    return alc;
}

// --- Parsing ------------------------------------------------------------------------------------

// yyjson keeps a tree's values in one array, in the order of the text, so that its depth is found
// without recursion.
static bool is_too_deep(yyjson_val *root)
{
    yyjson_val *ends[OD_WIRE_MAX_DEPTH + 1];
    size_t depth = 0;
    ends[0] = unsafe_yyjson_get_next(root);
    for (yyjson_val *at = root; at < ends[0]; at++) {
        while (at >= ends[depth]) {
            depth--;
        }
        if (!unsafe_yyjson_is_ctn(at)) {
            continue;
        }
        if (depth == OD_WIRE_MAX_DEPTH) {
            return true;
        }
        ends[++depth] = unsafe_yyjson_get_next(at);
    }
    return false;
}

od_status od_wire_parse(od_ctx *cx, od_str body, yyjson_val **out)
{
    if (body.len > OD_WIRE_MAX_BODY_BYTES) {
        return OD_FAIL(cx, OD_SERIALIZATION, "%s", "");
    }
    yyjson_alc alc = allocator_for(cx->arena, body.len);
    // Without the in-situ flag yyjson copies the text before it changes anything.
    yyjson_doc *doc =
        yyjson_read_opts((char *)(uintptr_t)body.ptr, body.len, YYJSON_READ_NOFLAG, &alc, NULL);
    yyjson_val *root = yyjson_doc_get_root(doc);
    if (!yyjson_is_obj(root) ||
        (yyjson_doc_get_val_count(doc) > OD_WIRE_MAX_DEPTH && is_too_deep(root))) {
        return OD_FAIL(cx, OD_SERIALIZATION, "%s", "");
    }
    *out = root;
    return OD_OK;
}

// --- Members ------------------------------------------------------------------------------------

// Most names differ in length alone: no call for those.
static inline bool is_named(yyjson_val *key, od_str name)
{
    return unsafe_yyjson_get_len(key) == name.len && od_str_eq(od_wire_text(key), name);
}

yyjson_val *od_wire_find(yyjson_val *object, od_str name)
{
    if (!yyjson_is_obj(object)) {
        return NULL;
    }
    yyjson_val *found = NULL;
    size_t at = 0;
    size_t count = 0;
    yyjson_val *key = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(object, at, count, key, value)
    {
        if (is_named(key, name)) {
            found = value;
        }
    }
    return yyjson_is_null(found) ? NULL : found;
}

od_str od_wire_get_str(yyjson_val *value)
{
    return yyjson_is_str(value) ? od_wire_text(value) : (od_str){NULL, 0};
}

bool od_wire_get_bool(yyjson_val *value, bool fallback)
{
    return yyjson_is_bool(value) ? unsafe_yyjson_get_bool(value) : fallback;
}

int64_t od_wire_get_int(yyjson_val *value, int64_t fallback)
{
    return yyjson_is_num(value) ? od_shape_int(value) : fallback;
}

static uint64_t prefix_of(od_str name)
{
    unsigned char bytes[sizeof(uint64_t)] = {0};
    memcpy(bytes, name.ptr, name.len < sizeof(bytes) ? name.len : sizeof(bytes));
    uint64_t prefix = 0;
    for (size_t i = 0; i < sizeof(bytes); i++) {
        prefix = prefix << 8 | bytes[i];
    }
    return prefix;
}

// By name; of two with one name the first in the text comes first.
static int compare_entries(const void *a, const void *b)
{
    const struct od_wire_entry *left = a;
    const struct od_wire_entry *right = b;
    if (left->prefix != right->prefix) {
        return left->prefix < right->prefix ? -1 : 1;
    }
    int order = od_str_compare(left->name, right->name);
    if (order != 0) {
        return order;
    }
    return (left->value > right->value) - (left->value < right->value);
}

// Insertion sort: one pass when the entries are in order already.
static void sort_few(struct od_wire_entry *rows, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct od_wire_entry row = rows[i];
        size_t at = i;
        while (at > 0 && compare_entries(&rows[at - 1], &row) > 0) {
            rows[at] = rows[at - 1];
            at--;
        }
        rows[at] = row;
    }
}

static void sort_entries(struct od_wire_entries *entries)
{
    if (entries->count <= FEW_ENTRIES) {
        sort_few(entries->rows, entries->count);
    } else {
        qsort(entries->rows, entries->count, sizeof(entries->rows[0]), compare_entries);
    }
}

static void drop_replaced(struct od_wire_entries *entries)
{
    size_t kept = 0;
    for (size_t i = 0; i < entries->count; i++) {
        if (kept > 0 && od_str_eq(entries->rows[kept - 1].name, entries->rows[i].name)) {
            kept--;
        }
        entries->rows[kept++] = entries->rows[i];
    }
    entries->count = kept;
}

struct od_wire_entries od_wire_entries(od_arena *arena, yyjson_val *object)
{
    struct od_wire_entries entries = {.count = yyjson_obj_size(object)};
    entries.rows = (struct od_wire_entry *)(void *)od_arena_bytes(
        arena, entries.count * sizeof(entries.rows[0]));
    size_t at = 0;
    size_t count = 0;
    yyjson_val *key = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(object, at, count, key, value)
    {
        od_str name = od_wire_text(key);
        entries.rows[at] = (struct od_wire_entry){name, value, prefix_of(name)};
    }
    sort_entries(&entries);
    drop_replaced(&entries);
    return entries;
}

od_str od_wire_cut(od_str text, size_t max)
{
    if (text.len <= max) {
        return text;
    }
    size_t len = max;
    while (len > 0 && ((unsigned char)text.ptr[len] & 0xC0) == 0x80) {
        len--;
    }
    return (od_str){text.ptr, len};
}

od_status od_wire_fail(od_ctx *cx, od_status status, od_str text)
{
    od_status failed = OD_FAIL(cx, status, "%s", "");
    cx->error = text;
    return failed;
}
