#include "model/value.h"

#include "model/value_internal.h"

#include <assert.h>
#include <string.h>

// Deeper than any value can be made: the wire admits OD_MAX_NESTING levels, and an update puts at
// most one value of those into another.
enum { MAX_LEVELS = 4 * OD_MAX_NESTING };

// --- Types --------------------------------------------------------------------------------------

static const char *const type_names[OD_TYPE_COUNT] = {
    [OD_TYPE_S] = "S",       [OD_TYPE_N] = "N",   [OD_TYPE_B] = "B",   [OD_TYPE_BOOL] = "BOOL",
    [OD_TYPE_NULL] = "NULL", [OD_TYPE_SS] = "SS", [OD_TYPE_NS] = "NS", [OD_TYPE_BS] = "BS",
    [OD_TYPE_L] = "L",       [OD_TYPE_M] = "M",
};

// The type + 1; 0 for a byte that is no tag.
static const unsigned char tag_types[256] = {
    [OD_TAG_S] = OD_TYPE_S + 1,           [OD_TAG_NUMBER_NEGATIVE] = OD_TYPE_N + 1,
    [OD_TAG_NUMBER_ZERO] = OD_TYPE_N + 1, [OD_TAG_NUMBER_POSITIVE] = OD_TYPE_N + 1,
    [OD_TAG_B] = OD_TYPE_B + 1,           [OD_TAG_TRUE] = OD_TYPE_BOOL + 1,
    [OD_TAG_FALSE] = OD_TYPE_BOOL + 1,    [OD_TAG_NULL] = OD_TYPE_NULL + 1,
    [OD_TAG_SS] = OD_TYPE_SS + 1,         [OD_TAG_NS] = OD_TYPE_NS + 1,
    [OD_TAG_BS] = OD_TYPE_BS + 1,         [OD_TAG_L] = OD_TYPE_L + 1,
    [OD_TAG_M] = OD_TYPE_M + 1,
};

const char *od_type_name(enum od_type type)
{
    return type_names[type];
}

bool od_type_from_name(od_str name, enum od_type *out)
{
    for (size_t i = 0; i < OD_TYPE_COUNT; i++) {
        if (od_str_eq(name, od_cstr(type_names[i]))) {
            *out = (enum od_type)i;
            return true;
        }
    }
    return false;
}

bool od_type_from_tag(char tag, enum od_type *out)
{
    unsigned char type = tag_types[(unsigned char)tag];
    if (type == 0) {
        return false;
    }
    *out = (enum od_type)(type - 1);
    return true;
}

enum od_type od_value_type(od_value v)
{
    enum od_type type = OD_TYPE_S;
    bool is_tag = od_type_from_tag(v.ptr[0], &type);
    assert(is_tag);
    return type;
}

static bool has_members(enum od_type type)
{
    return type >= OD_TYPE_SS;
}

// --- Scalars ------------------------------------------------------------------------------------

bool od_value_equal(od_value a, od_value b)
{
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

int od_value_compare(od_value a, od_value b)
{
    if (od_value_type(a) == OD_TYPE_N) {
        assert(od_value_type(b) == OD_TYPE_N);
        return od_str_compare((od_str){a.ptr, a.len}, (od_str){b.ptr, b.len});
    }
    assert(a.ptr[0] == b.ptr[0]);
    return od_str_compare(od_value_bytes(a), od_value_bytes(b));
}

od_str od_value_bytes(od_value v)
{
    assert(v.ptr[0] == OD_TAG_S || v.ptr[0] == OD_TAG_B);
    return od_read_string(v.ptr + 1);
}

bool od_value_bool(od_value v)
{
    assert(v.ptr[0] == OD_TAG_TRUE || v.ptr[0] == OD_TAG_FALSE);
    return v.ptr[0] == OD_TAG_TRUE;
}

od_number od_value_number(od_value v)
{
    assert(od_value_type(v) == OD_TYPE_N);
    return od_number_unpack((od_str){v.ptr, v.len});
}

// --- Containers ---------------------------------------------------------------------------------

size_t od_value_count(od_value v)
{
    assert(has_members(od_value_type(v)));
    return od_load_u32(v.ptr + 5);
}

struct od_iter od_iter(od_value container)
{
    assert(has_members(od_value_type(container)));
    return (struct od_iter){
        .at = container.ptr + OD_PACKED_HEADER_BYTES,
        .end = container.ptr + container.len,
        .is_map = container.ptr[0] == OD_TAG_M,
    };
}

bool od_iter_next(struct od_iter *it)
{
    if (it->at >= it->end) {
        return false;
    }
    if (it->is_map) {
        od_str name = od_read_string(it->at);
        it->name = name;
        it->at = name.ptr + name.len;
    }
    it->value = (od_value){it->at, od_read_len(it->at)};
    it->at += it->value.len;
    return true;
}

bool od_set_contains(od_value set, od_value member)
{
    struct od_iter it = od_iter(set);
    if (!od_iter_next(&it) || od_value_type(it.value) != od_value_type(member)) {
        return false;
    }
    do {
        int order = od_value_compare(it.value, member);
        if (order >= 0) {
            return order == 0;
        }
    } while (od_iter_next(&it));
    return false;
}

od_value od_list_get(od_value list, size_t index)
{
    assert(list.ptr[0] == OD_TAG_L);
    if (index >= od_value_count(list)) {
        return (od_value){0};
    }
    struct od_iter it = od_iter(list);
    for (size_t i = 0; i <= index; i++) {
        (void)od_iter_next(&it);
    }
    return it.value;
}

od_value od_map_get(od_value map, od_str name)
{
    assert(map.ptr[0] == OD_TAG_M);
    for (struct od_iter it = od_iter(map); od_iter_next(&it);) {
        int order = od_str_compare(it.name, name);
        if (order >= 0) {
            return order == 0 ? it.value : (od_value){0};
        }
    }
    return (od_value){0};
}

// --- Size and depth -----------------------------------------------------------------------------

static size_t size_of(od_value v, int levels);

static size_t size_of_members(od_value v, int levels)
{
    bool is_set = v.ptr[0] != OD_TAG_L && v.ptr[0] != OD_TAG_M;
    size_t size = is_set ? 0 : OD_CONTAINER_SIZE;
    for (struct od_iter it = od_iter(v); od_iter_next(&it);) {
        size += is_set ? 0 : OD_MEMBER_SIZE;
        size += it.name.len + size_of(it.value, levels - 1);
    }
    return size;
}

static size_t size_of(od_value v, int levels)
{
    assert(levels > 0);
    switch (od_value_type(v)) {
    case OD_TYPE_S:
    case OD_TYPE_B:
        return od_value_bytes(v).len;
    case OD_TYPE_N:
        return od_number_size(od_value_number(v));
    case OD_TYPE_BOOL:
    case OD_TYPE_NULL:
        return 1;
    default:
        return size_of_members(v, levels);
    }
}

size_t od_value_size(od_value v)
{
    return size_of(v, MAX_LEVELS);
}

static size_t depth_of(od_value v, int levels)
{
    assert(levels > 0);
    if (v.ptr[0] != OD_TAG_L && v.ptr[0] != OD_TAG_M) {
        return 1;
    }
    size_t deepest = 0;
    for (struct od_iter it = od_iter(v); od_iter_next(&it);) {
        size_t depth = depth_of(it.value, levels - 1);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

size_t od_value_depth(od_value v)
{
    return depth_of(v, MAX_LEVELS);
}

// --- Items --------------------------------------------------------------------------------------

od_value od_item_map(od_item item)
{
    assert(item.ptr[0] == OD_ITEM_VERSION);
    return (od_value){item.ptr + OD_ITEM_HEADER_BYTES, item.len - OD_ITEM_HEADER_BYTES};
}

size_t od_item_size(od_item item)
{
    return od_load_u32(item.ptr + 1);
}

size_t od_attributes_size(od_value map)
{
    assert(map.ptr[0] == OD_TAG_M);
    return od_value_size(map) - OD_CONTAINER_SIZE - OD_MEMBER_SIZE * od_value_count(map);
}

od_value od_item_get(od_item item, od_str name)
{
    return od_map_get(od_item_map(item), name);
}
