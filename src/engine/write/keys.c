#include "engine/engine_internal.h"

static od_status mismatch(od_ctx *cx)
{
    return OD_FAIL(cx, OD_VALIDATION_ITEM, "The provided key element does not match the schema");
}

static bool is_empty_bytes(od_value v)
{
    enum od_type type = od_value_type(v);
    return (type == OD_TYPE_S || type == OD_TYPE_B) && od_value_bytes(v).len == 0;
}

// What facts about empty values call the type: "string" or "binary".
static const char *empty_word(od_value v)
{
    return od_value_type(v) == OD_TYPE_S ? "string" : "binary";
}

static size_t sum_of_sizes(const struct od_key_attr *attrs, size_t count, od_value map)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        od_value v = od_map_get(map, attrs[i].name);
        sum += od_value_exists(v) ? od_value_size(v) : 0;
    }
    return sum;
}

od_status od_check_key_size(od_ctx *cx, const struct od_key_schema *schema, od_value map)
{
    if (sum_of_sizes(schema->attrs, schema->hash_count, map) > OD_HASH_KEY_MAX_BYTES) {
        return OD_FAIL(
            cx, OD_VALIDATION_ITEM,
            "One or more parameter values were invalid: Size of hashkey has exceeded the "
            "maximum size limit of%d bytes",
            OD_HASH_KEY_MAX_BYTES);
    }
    const struct od_key_attr *range = schema->attrs + schema->hash_count;
    if (sum_of_sizes(range, schema->range_count, map) > OD_RANGE_KEY_MAX_BYTES) {
        return OD_FAIL(
            cx, OD_VALIDATION_ITEM,
            "One or more parameter values were invalid: Aggregated size of all range keys "
            "has exceeded the size limit of %d bytes",
            OD_RANGE_KEY_MAX_BYTES);
    }
    return OD_OK;
}

static od_status check_not_empty(od_ctx *cx, const struct od_key_attr *attr, od_value v)
{
    if (!is_empty_bytes(v)) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   "One or more parameter values are not valid. The AttributeValue for a key "
                   "attribute cannot contain an empty %s value. Key: %.*s",
                   empty_word(v), OD_STR_ARG(attr->name));
}

od_status od_check_key(od_ctx *cx, const struct od_table *table, od_value key)
{
    const struct od_key_schema *schema = &table->schema;
    if (od_value_count(key) != od_key_attr_count(schema)) {
        return mismatch(cx);
    }
    for (size_t i = 0; i < od_key_attr_count(schema); i++) {
        const struct od_key_attr *attr = &schema->attrs[i];
        od_value v = od_map_get(key, attr->name);
        if (!od_value_exists(v) || od_value_type(v) != attr->type) {
            return mismatch(cx);
        }
        OD_TRY(check_not_empty(cx, attr, v));
    }
    return od_check_key_size(cx, schema, key);
}

static od_status check_table_keys(od_ctx *cx, const struct od_table *table, od_value item,
                                  bool in_batch)
{
    const struct od_key_schema *schema = &table->schema;
    for (size_t i = 0; i < od_key_attr_count(schema); i++) {
        const struct od_key_attr *attr = &schema->attrs[i];
        od_value v = od_map_get(item, attr->name);
        if (!od_value_exists(v)) {
            return OD_FAIL(cx, OD_VALIDATION_ITEM,
                           "One or more parameter values were invalid: Missing the key %.*s in the "
                           "item",
                           OD_STR_ARG(attr->name));
        }
        if (od_value_type(v) != attr->type) {
            return in_batch
                       ? mismatch(cx)
                       : OD_FAIL(cx, OD_VALIDATION_ITEM,
                                 "One or more parameter values were invalid: Type mismatch for "
                                 "key %.*s expected: %s actual: %s",
                                 OD_STR_ARG(attr->name), od_type_name(attr->type),
                                 od_type_name(od_value_type(v)));
        }
        OD_TRY(check_not_empty(cx, attr, v));
    }
    return od_check_key_size(cx, schema, item);
}

// --- Index keys ---------------------------------------------------------------------------------

// The first fault among an item's index keys, by the name of the index.
struct index_fault {
    const struct od_index *index;
    const struct od_key_attr *attr;
    od_value value;
};

static bool is_unchanged(od_value old, od_str name, od_value v)
{
    if (!od_value_exists(old)) {
        return false;
    }
    od_value before = od_map_get(old, name);
    return od_value_exists(before) && od_value_equal(before, v);
}

static void find_fault_in(const struct od_index *index, od_value old, od_value item,
                          struct index_fault *fault)
{
    if (fault->index != NULL && od_str_compare(fault->index->name, index->name) < 0) {
        return;
    }
    for (size_t i = 0; i < od_key_attr_count(&index->schema); i++) {
        const struct od_key_attr *attr = &index->schema.attrs[i];
        od_value v = od_map_get(item, attr->name);
        if (!od_value_exists(v) || is_unchanged(old, attr->name, v)) {
            continue;
        }
        if (od_value_type(v) != attr->type || is_empty_bytes(v)) {
            *fault = (struct index_fault){.index = index, .attr = attr, .value = v};
            return;
        }
    }
}

static struct index_fault find_index_fault(const struct od_table *table, od_value old,
                                           od_value item)
{
    struct index_fault fault = {0};
    for (size_t i = 0; i < table->index_count; i++) {
        find_fault_in(&table->indexes[i], old, item, &fault);
    }
    return fault;
}

static od_status wrong_index_type(od_ctx *cx, const struct index_fault *fault)
{
    return OD_FAIL(cx, OD_VALIDATION_ITEM,
                   "One or more parameter values were invalid: Type mismatch for Index Key %.*s "
                   "Expected: %s Actual: %s IndexName: %.*s",
                   OD_STR_ARG(fault->attr->name), od_type_name(fault->attr->type),
                   od_type_name(od_value_type(fault->value)), OD_STR_ARG(fault->index->name));
}

static bool changes_key(const struct od_key_schema *schema, od_value old, od_value item)
{
    for (size_t i = 0; i < od_key_attr_count(schema); i++) {
        od_value v = od_map_get(item, schema->attrs[i].name);
        if (od_value_exists(v) && !is_unchanged(old, schema->attrs[i].name, v)) {
            return true;
        }
    }
    return false;
}

static od_status check_index_sizes(od_ctx *cx, const struct od_table *table, od_value old,
                                   od_value item)
{
    for (size_t i = 0; i < table->index_count; i++) {
        const struct od_key_schema *schema = &table->indexes[i].schema;
        if (changes_key(schema, old, item)) {
            OD_TRY(od_check_key_size(cx, schema, item));
        }
    }
    return OD_OK;
}

od_status od_check_item(od_ctx *cx, const struct od_table *table, od_value item, bool in_batch)
{
    OD_TRY(check_table_keys(cx, table, item, in_batch));
    struct index_fault fault = find_index_fault(table, (od_value){0}, item);
    if (fault.index == NULL) {
        return check_index_sizes(cx, table, (od_value){0}, item);
    }
    if (od_value_type(fault.value) != fault.attr->type) {
        return wrong_index_type(cx, &fault);
    }
    return OD_FAIL(
        cx, OD_VALIDATION,
        "One or more parameter values are not valid. A value specified for a secondary "
        "index key is not supported. The AttributeValue for a key attribute cannot contain "
        "an empty %s value. IndexName: %.*s, IndexKey: %.*s",
        empty_word(fault.value), OD_STR_ARG(fault.index->name), OD_STR_ARG(fault.attr->name));
}

od_status od_check_updated(od_ctx *cx, const struct od_table *table, od_value old, od_value updated)
{
    struct index_fault fault = find_index_fault(table, old, updated);
    if (fault.index == NULL) {
        return check_index_sizes(cx, table, old, updated);
    }
    if (od_value_type(fault.value) != fault.attr->type) {
        return wrong_index_type(cx, &fault);
    }
    return OD_FAIL(
        cx, OD_VALIDATION,
        "One or more parameter values are not valid. The update expression attempted to "
        "update a secondary index key to a value that is not supported. The AttributeValue "
        "for a key attribute cannot contain an empty %s value.",
        empty_word(fault.value));
}

od_str od_row_key(od_arena *arena, const struct od_key_schema *schema, od_value map)
{
    struct od_buf key = {.arena = arena};
    od_key_put(&key, schema, map);
    return od_buf_str(&key);
}
