// The members of a parameter that is a map.
#include "api/params/legacy.h"

#include <stdlib.h>

// By name; of two with one name the later one first.
static int compare_entries(const void *a, const void *b)
{
    const struct od_legacy_entry *left = a;
    const struct od_legacy_entry *right = b;
    int order = od_str_compare(left->name, right->name);
    if (order != 0) {
        return order;
    }
    return left->value < right->value ? 1 : -1;
}

static size_t drop_replaced(struct od_legacy_entry *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool replaced = i > 0 && od_str_eq(rows[i - 1].name, rows[i].name);
        if (!replaced) {
            rows[kept++] = rows[i];
        }
    }
    return kept;
}

static size_t drop_nulls(struct od_legacy_entry *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!yyjson_is_null(rows[i].value)) {
            rows[kept++] = rows[i];
        }
    }
    return kept;
}

od_status od_legacy_entries(od_ctx *cx, yyjson_val *map, struct od_legacy_entries *out)
{
    *out = (struct od_legacy_entries){0};
    if (map == NULL) {
        return OD_OK;
    }
    size_t size = yyjson_obj_size(map);
    struct od_legacy_entry *rows = od_new_array(cx->arena, struct od_legacy_entry, size);
    size_t at = 0;
    size_t max = 0;
    yyjson_val *key = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(map, at, max, key, value)
    {
        od_str name = {yyjson_get_str(key), yyjson_get_len(key)};
        OD_TRY(od_wire_check_name(cx, name));
        rows[at] = (struct od_legacy_entry){.name = name, .value = value};
    }
    qsort(rows, size, sizeof(*rows), compare_entries);
    out->rows = rows;
    out->count = drop_nulls(rows, drop_replaced(rows, size));
    return OD_OK;
}
