#include "wire/wire_internal.h"

enum {
    PLACEHOLDER_MAX_BYTES = 255,
    MAP_MAX_BYTES = 2 * 1024 * 1024, // keys and what they stand for, of one map
};

// One of the two maps.
struct place {
    const char *map;
    char first; // of a placeholder
};
static const struct place names_place = {"ExpressionAttributeNames", '#'};
static const struct place values_place = {"ExpressionAttributeValues", ':'};

// --- Keys ---------------------------------------------------------------------------------------

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_placeholder(od_str key, char first)
{
    if (key.len < 2 || key.ptr[0] != first) {
        return false;
    }
    for (size_t i = 1; i < key.len; i++) {
        if (!is_word(key.ptr[i])) {
            return false;
        }
    }
    return true;
}

static od_status check_key(od_ctx *cx, const struct place *place, od_str key)
{
    if (key.len <= PLACEHOLDER_MAX_BYTES) {
        return is_placeholder(key, place->first)
                   ? OD_OK
                   : OD_FAIL(cx, OD_VALIDATION_ENVELOPED,
                             "%s contains invalid key: Syntax error; key: \"%.*s\"", place->map,
                             OD_STR_ARG(key));
    }
    od_str size = place == &names_place ? od_arena_printf(cx->arena, " size of key: %zu", key.len)
                                        : OD_STR("");
    return OD_FAIL(cx, OD_VALIDATION_ENVELOPED,
                   "%s contains invalid key: The expression attribute map contains a key that is "
                   "too long;%.*s",
                   place->map, OD_STR_ARG(size));
}

// The map's entries, with their keys checked.
static od_status read_entries(od_ctx *cx, const struct place *place, yyjson_val *map,
                              struct od_wire_entries *out)
{
    *out = od_wire_entries(cx->arena, map);
    if (out->count == 0) {
        return OD_FAIL(cx, OD_VALIDATION_ENVELOPED, "%s must not be empty", place->map);
    }
    for (size_t i = 0; i < out->count; i++) {
        OD_TRY(check_key(cx, place, out->rows[i].name));
    }
    return OD_OK;
}

static od_status check_size(od_ctx *cx, const struct place *place, size_t bytes)
{
    if (bytes <= MAP_MAX_BYTES) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION_ENVELOPED, "%s must not be larger than %d bytes in all",
                   place->map, MAP_MAX_BYTES);
}

// --- Names --------------------------------------------------------------------------------------

static od_status read_name(od_ctx *cx, const struct od_wire_entry *entry, struct od_expr_name *out)
{
    *out = (struct od_expr_name){.key = entry->name, .name = od_wire_get_str(entry->value)};
    if (out->name.len == 0) {
        return OD_FAIL(cx, OD_VALIDATION_ENVELOPED,
                       "ExpressionAttributeNames contains invalid value: Empty attribute name for "
                       "key %.*s",
                       OD_STR_ARG(out->key));
    }
    return od_wire_check_name(cx, out->name);
}

static od_status read_names(od_ctx *cx, yyjson_val *map, struct od_expr_env *out)
{
    struct od_wire_entries entries = {0};
    OD_TRY(read_entries(cx, &names_place, map, &entries));
    out->names = od_new_array(cx->arena, struct od_expr_name, entries.count);
    size_t bytes = 0;
    for (size_t i = 0; i < entries.count; i++) {
        OD_TRY(read_name(cx, &entries.rows[i], &out->names[i]));
        bytes += out->names[i].key.len + out->names[i].name.len;
    }
    out->name_count = entries.count;
    return check_size(cx, &names_place, bytes);
}

// --- Values -------------------------------------------------------------------------------------

// A value's fault is told with its key; but nesting reads as it does everywhere.
static od_status fail_value(od_ctx *cx, od_status status, od_str key)
{
    if (status == OD_SERIALIZATION || od_str_eq(cx->error, od_cstr(od_wire_too_deep))) {
        return status;
    }
    struct od_buf text = {.arena = cx->arena};
    od_buf_put(&text, OD_STR("ExpressionAttributeValues contains invalid value: "));
    od_buf_put(&text, cx->error);
    od_buf_put(&text, OD_STR(" for key "));
    od_buf_put(&text, key);
    cx->error = od_buf_str(&text); // file and line stay those of the fault
    return status;
}

static od_status read_value(od_ctx *cx, const struct od_wire_entry *entry,
                            struct od_expr_value *out)
{
    struct od_buf packed = {.arena = cx->arena};
    od_status status = od_wire_value(cx, entry->value, &packed);
    if (status != OD_OK) {
        return fail_value(cx, status, entry->name);
    }
    *out = (struct od_expr_value){.key = entry->name, .value = od_packed(&packed)};
    return OD_OK;
}

static od_status read_values(od_ctx *cx, yyjson_val *map, struct od_expr_env *out)
{
    struct od_wire_entries entries = {0};
    OD_TRY(read_entries(cx, &values_place, map, &entries));
    out->values = od_new_array(cx->arena, struct od_expr_value, entries.count);
    size_t bytes = 0;
    for (size_t i = 0; i < entries.count; i++) {
        OD_TRY(read_value(cx, &entries.rows[i], &out->values[i]));
        bytes += out->values[i].key.len + out->values[i].value.len;
    }
    out->value_count = entries.count;
    return check_size(cx, &values_place, bytes);
}

od_status od_wire_names(od_ctx *cx, yyjson_val *object, struct od_expr_env *out)
{
    *out = (struct od_expr_env){0};
    yyjson_val *names = od_wire_member(object, names_place.map);
    return names == NULL ? OD_OK : read_names(cx, names, out);
}

od_status od_wire_env(od_ctx *cx, yyjson_val *object, struct od_expr_env *out)
{
    OD_TRY(od_wire_names(cx, object, out));
    yyjson_val *values = od_wire_member(object, values_place.map);
    return values == NULL ? OD_OK : read_values(cx, values, out);
}
