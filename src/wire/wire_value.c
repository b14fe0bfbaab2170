#include "wire/wire_internal.h"

#include "base/base64.h"
#include "model/number.h"

#include <stdlib.h>

const char od_wire_too_deep[] = "Nesting Levels have exceeded supported limits: Attributes in the "
                                "item have nested levels beyond supported limit";

// Depth counts the maps and lists around a value, and the value itself.
struct packer {
    od_ctx *cx;
    struct od_buf *out;
};

// What a value object holds: one type, and the JSON below it.
struct typed {
    enum od_type type;
    yyjson_val *json;
};

static od_status pack_value(struct packer *packer, yyjson_val *json, size_t depth);

// --- Which type ---------------------------------------------------------------------------------

static bool type_of_name(od_str name, enum od_type *out)
{
    static const uint8_t one_letter[128] = {
        ['S'] = OD_TYPE_S + 1, ['N'] = OD_TYPE_N + 1, ['B'] = OD_TYPE_B + 1,
        ['L'] = OD_TYPE_L + 1, ['M'] = OD_TYPE_M + 1,
    };
    if (name.len != 1) {
        return od_type_from_name(name, out);
    }
    unsigned char c = (unsigned char)name.ptr[0];
    if (c >= sizeof(one_letter) || one_letter[c] == 0) {
        return false;
    }
    *out = (enum od_type)(one_letter[c] - 1);
    return true;
}

static od_status fail_empty(od_ctx *cx)
{
    return OD_FAIL(cx, OD_VALIDATION,
                   "Supplied AttributeValue is empty, must contain exactly one of the supported "
                   "datatypes");
}

// The type of an object with any number of members: what is not a type's name, or null, is as if
// it were not there.
static od_status pick_among(od_ctx *cx, yyjson_val *json, struct typed *out)
{
    yyjson_val *found[OD_TYPE_COUNT] = {0};
    size_t at = 0;
    size_t count = 0;
    yyjson_val *key = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(json, at, count, key, value)
    {
        enum od_type type = OD_TYPE_S;
        if (type_of_name(od_wire_text(key), &type)) {
            found[type] = unsafe_yyjson_is_null(value) ? NULL : value;
        }
    }
    size_t types = 0;
    for (size_t i = 0; i < OD_TYPE_COUNT; i++) {
        if (found[i] != NULL) {
            *out = (struct typed){(enum od_type)i, found[i]};
            types++;
        }
    }
    if (types > 1) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Supplied AttributeValue has more than one datatypes set, must contain "
                       "exactly one of the supported datatypes");
    }
    return types == 0 ? fail_empty(cx) : OD_OK;
}

static od_status pick_type(od_ctx *cx, yyjson_val *json, struct typed *out)
{
    if (json == NULL || unsafe_yyjson_is_null(json)) {
        return fail_empty(cx);
    }
    if (!unsafe_yyjson_is_obj(json)) {
        return od_shape_fail_type(cx, od_shape_attribute_value, json);
    }
    if (unsafe_yyjson_get_len(json) != 1) {
        return pick_among(cx, json, out);
    }
    yyjson_val *key = unsafe_yyjson_get_first(json);
    out->json = key + 1;
    if (!type_of_name(od_wire_text(key), &out->type) || unsafe_yyjson_is_null(out->json)) {
        return fail_empty(cx);
    }
    return OD_OK;
}

static const struct od_shape *shape_of_type(enum od_type type)
{
    return od_shape_find(od_shape_attribute_value, od_cstr(od_type_name(type)))->shape;
}

static od_status check_type(od_ctx *cx, struct typed value)
{
    static const yyjson_type wanted[OD_TYPE_COUNT] = {
        [OD_TYPE_S] = YYJSON_TYPE_STR,     [OD_TYPE_N] = YYJSON_TYPE_STR,
        [OD_TYPE_B] = YYJSON_TYPE_STR,     [OD_TYPE_BOOL] = YYJSON_TYPE_BOOL,
        [OD_TYPE_NULL] = YYJSON_TYPE_BOOL, [OD_TYPE_SS] = YYJSON_TYPE_ARR,
        [OD_TYPE_NS] = YYJSON_TYPE_ARR,    [OD_TYPE_BS] = YYJSON_TYPE_ARR,
        [OD_TYPE_L] = YYJSON_TYPE_ARR,     [OD_TYPE_M] = YYJSON_TYPE_OBJ,
    };
    if (unsafe_yyjson_get_type(value.json) == wanted[value.type]) {
        return OD_OK;
    }
    return od_shape_fail_type(cx, shape_of_type(value.type), value.json);
}

// --- Scalars ------------------------------------------------------------------------------------

static od_status pack_number(struct packer *packer, od_str text)
{
    od_number n = {0};
    OD_TRY(od_number_parse(packer->cx, text, &n));
    od_pack_number(packer->out, n);
    return OD_OK;
}

static od_status pack_binary(struct packer *packer, od_str text)
{
    od_str bytes = {NULL, 0};
    if (!od_base64_decode(packer->cx->arena, text, &bytes)) {
        return od_shape_fail_base64(packer->cx);
    }
    od_pack_b(packer->out, bytes);
    return OD_OK;
}

static od_status pack_null(struct packer *packer, yyjson_val *json)
{
    if (!unsafe_yyjson_is_true(json)) {
        return OD_FAIL(packer->cx, OD_VALIDATION_ENVELOPED,
                       "One or more parameter values were invalid: Null attribute value types must "
                       "have the value of true");
    }
    od_pack_null(packer->out);
    return OD_OK;
}

static od_status pack_scalar(struct packer *packer, enum od_type type, od_str text)
{
    if (type == OD_TYPE_N) {
        return pack_number(packer, text);
    }
    if (type == OD_TYPE_B) {
        return pack_binary(packer, text);
    }
    od_pack_s(packer->out, text);
    return OD_OK;
}

// --- Sets ---------------------------------------------------------------------------------------

struct set_row {
    const char *empty;
    const char *before, *after; // of what is said about duplicates
    bool echoes;                // with the members in between, as they were sent
    enum od_type member;
};

static const struct set_row sets[OD_TYPE_COUNT] = {
    [OD_TYPE_SS] = {"An string set  may not be empty",
                    "One or more parameter values were invalid: Input collection ",
                    " contains duplicates.", true, OD_TYPE_S},
    [OD_TYPE_NS] = {"An number set  may not be empty", "Input collection", " contains duplicates",
                    false, OD_TYPE_N},
    [OD_TYPE_BS] = {"Binary sets should not be empty",
                    "One or more parameter values were invalid: Input collection ",
                    "of type BS contains duplicates.", true, OD_TYPE_B},
};

static od_status fail_duplicates(od_ctx *cx, struct typed set)
{
    const struct set_row *row = &sets[set.type];
    struct od_buf text = {.arena = cx->arena};
    od_buf_put(&text, od_cstr(row->before));
    if (row->echoes) {
        od_shape_echo(&text, shape_of_type(set.type), set.json);
    }
    od_buf_put(&text, od_cstr(row->after));
    return od_wire_fail(cx, OD_VALIDATION_ENVELOPED, od_buf_str(&text));
}

static od_status pack_member(struct packer *packer, enum od_type type, yyjson_val *json)
{
    if (unsafe_yyjson_is_null(json)) {
        return OD_FAIL(packer->cx, OD_VALIDATION,
                       "One or more parameter values were invalid: A set may not hold null");
    }
    if (!unsafe_yyjson_is_str(json)) {
        return od_shape_fail_type(packer->cx, shape_of_type(type), json);
    }
    return pack_scalar(packer, type, od_wire_text(json));
}

// The members one after another in `out`, which does not move afterwards.
static od_status pack_members(struct packer *packer, enum od_type type, yyjson_val *set,
                              od_value *members)
{
    struct od_buf *out = packer->out;
    size_t at = 0;
    size_t count = 0;
    yyjson_val *json = NULL;
    yyjson_arr_foreach(set, at, count, json)
    {
        size_t start = out->len;
        OD_TRY(pack_member(packer, type, json));
        members[at].len = out->len - start;
    }
    const char *ptr = out->ptr;
    for (size_t i = 0; i < count; i++) {
        members[i].ptr = ptr;
        ptr += members[i].len;
    }
    return OD_OK;
}

// No member takes more: a tag and a length before its text, or a number of any length.
static size_t measure_members(yyjson_val *set)
{
    size_t size = 0;
    size_t at = 0;
    size_t count = 0;
    yyjson_val *json = NULL;
    yyjson_arr_foreach(set, at, count, json)
    {
        size += OD_NUMBER_PACKED_MAX + od_wire_get_str(json).len;
    }
    return size;
}

// A body can hold millions of small sets, so no more is taken than the members need.
static struct od_buf scratch_for(od_arena *arena, yyjson_val *set)
{
    size_t size = measure_members(set);
    return (struct od_buf){.arena = arena, .ptr = od_arena_bytes(arena, size), .cap = size};
}

static od_status pack_set(struct packer *packer, struct typed set)
{
    const struct set_row *row = &sets[set.type];
    size_t count = unsafe_yyjson_get_len(set.json);
    if (count == 0) {
        return OD_FAIL(packer->cx, OD_VALIDATION_ENVELOPED,
                       "One or more parameter values were invalid: %s", row->empty);
    }
    od_arena *arena = packer->cx->arena;
    od_value *members = od_new_array(arena, od_value, count);
    struct od_buf scratch = scratch_for(arena, set.json);
    struct packer inner = {packer->cx, &scratch};
    OD_TRY(pack_members(&inner, row->member, set.json, members));
    return od_pack_set(packer->out, set.type, members, count) ? OD_OK
                                                              : fail_duplicates(packer->cx, set);
}

// --- Documents ----------------------------------------------------------------------------------

od_status od_wire_check_name(od_ctx *cx, od_str name)
{
    if (name.len == 0) {
        return OD_FAIL(cx, OD_VALIDATION, "Empty attribute name");
    }
    if (name.len > OD_ATTRIBUTE_NAME_MAX_BYTES) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "One or more parameter values were invalid: Attribute name is too large, "
                       "must be less than 65536 bytes");
    }
    return OD_OK;
}

static od_status check_names(od_ctx *cx, const struct od_wire_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        OD_TRY(od_wire_check_name(cx, entries->rows[i].name));
    }
    return OD_OK;
}

// `depth` is that of the values in it.
static od_status pack_map(struct packer *packer, yyjson_val *json, size_t depth)
{
    struct od_wire_entries entries = od_wire_entries(packer->cx->arena, json);
    OD_TRY(check_names(packer->cx, &entries));
    size_t mark = od_pack_open(packer->out, OD_TYPE_M);
    for (size_t i = 0; i < entries.count; i++) {
        od_pack_name(packer->out, entries.rows[i].name);
        OD_TRY(pack_value(packer, entries.rows[i].value, depth));
    }
    od_pack_close(packer->out, mark, entries.count);
    return OD_OK;
}

static od_status pack_list(struct packer *packer, yyjson_val *json, size_t depth)
{
    size_t mark = od_pack_open(packer->out, OD_TYPE_L);
    size_t at = 0;
    size_t count = 0;
    yyjson_val *value = NULL;
    yyjson_arr_foreach(json, at, count, value)
    {
        OD_TRY(pack_value(packer, value, depth));
    }
    od_pack_close(packer->out, mark, count);
    return OD_OK;
}

static od_status pack_value(struct packer *packer, yyjson_val *json, size_t depth)
{
    if (depth > OD_MAX_NESTING) {
        return OD_FAIL(packer->cx, OD_VALIDATION, "%s", od_wire_too_deep);
    }
    struct typed value = {0};
    OD_TRY(pick_type(packer->cx, json, &value));
    OD_TRY(check_type(packer->cx, value));
    switch (value.type) {
    case OD_TYPE_S:
    case OD_TYPE_N:
    case OD_TYPE_B:
        return pack_scalar(packer, value.type, od_wire_text(value.json));
    case OD_TYPE_BOOL:
        od_pack_bool(packer->out, unsafe_yyjson_is_true(value.json));
        return OD_OK;
    case OD_TYPE_NULL:
        return pack_null(packer, value.json);
    case OD_TYPE_SS:
    case OD_TYPE_NS:
    case OD_TYPE_BS:
        return pack_set(packer, value);
    case OD_TYPE_L:
        return pack_list(packer, value.json, depth + 1);
    case OD_TYPE_M:
        return pack_map(packer, value.json, depth + 1);
    }
    abort();
}

od_status od_wire_value(od_ctx *cx, yyjson_val *json, struct od_buf *out)
{
    return pack_value(&(struct packer){cx, out}, json, 1);
}

od_status od_wire_map(od_ctx *cx, yyjson_val *json, od_value *out)
{
    if (!yyjson_is_obj(json)) {
        return od_shape_fail_type(cx, shape_of_type(OD_TYPE_M), json);
    }
    struct od_buf packed = {.arena = cx->arena};
    OD_TRY(pack_map(&(struct packer){cx, &packed}, json, 1));
    *out = od_packed(&packed);
    return OD_OK;
}
