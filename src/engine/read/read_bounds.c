#include "engine/read/read_bounds.h"

#include "engine/engine_internal.h"

#include <assert.h>

// --- Key conditions -----------------------------------------------------------------------------

// A condition's terms by position in the schema.
struct terms {
    const struct od_key_term *at[OD_KEY_MAX_ATTRS];
};

static od_status missed(od_ctx *cx, od_str name)
{
    return OD_FAIL(cx, OD_VALIDATION, "Query condition missed key schema element: %.*s",
                   OD_STR_ARG(name));
}

static od_status unsupported(od_ctx *cx)
{
    return OD_FAIL(cx, OD_VALIDATION, "Query key condition not supported");
}

// A term on an attribute that is no key stands where the first unused key attribute was due; when
// all are used, where the last was.
static od_status name_missed(od_ctx *cx, const struct od_key_schema *schema,
                             const struct terms *terms)
{
    size_t last = od_key_attr_count(schema) - 1;
    size_t i = 0;
    while (i < last && terms->at[i] != NULL) {
        i++;
    }
    return missed(cx, schema->attrs[i].name);
}

static od_status sort_terms(od_ctx *cx, const struct od_key_schema *schema,
                            const struct od_key_condition *condition, struct terms *out)
{
    size_t strangers = 0;
    for (size_t i = 0; i < condition->count; i++) {
        size_t position = 0;
        if (od_key_find(schema, condition->terms[i].name, &position)) {
            out->at[position] = &condition->terms[i];
        } else {
            strangers++;
        }
    }
    for (size_t i = 0; i < schema->hash_count; i++) {
        if (out->at[i] == NULL) {
            return missed(cx, schema->attrs[i].name);
        }
    }
    return strangers > 0 ? name_missed(cx, schema, out) : OD_OK;
}

static bool is_used_later(const struct od_key_schema *schema, const struct terms *terms, size_t i)
{
    for (size_t later = i + 1; later < od_key_attr_count(schema); later++) {
        if (terms->at[later] != NULL) {
            return true;
        }
    }
    return false;
}

// HASH attributes take `=` alone; so do RANGE attributes with another one used after them.
static od_status check_operators(od_ctx *cx, const struct od_key_schema *schema,
                                 const struct terms *terms)
{
    for (size_t i = 0; i < od_key_attr_count(schema); i++) {
        bool used_later = is_used_later(schema, terms, i);
        if (terms->at[i] == NULL) {
            if (used_later) {
                return missed(cx, schema->attrs[i].name);
            }
            continue;
        }
        if (i < schema->hash_count && terms->at[i]->op != OD_KEY_EQ) {
            return unsupported(cx);
        }
        if (used_later && terms->at[i]->op != OD_KEY_EQ) {
            return OD_FAIL(
                cx, OD_VALIDATION,
                "Query key condition not supported: an equality condition is required on "
                "RANGE key attribute %.*s, since a later one is used",
                OD_STR_ARG(schema->attrs[i].name));
        }
    }
    return OD_OK;
}

static od_status check_bound(od_ctx *cx, const struct od_key_attr *attr, od_value v)
{
    if (od_value_type(v) != attr->type) {
        return OD_FAIL(
            cx, OD_VALIDATION,
            "One or more parameter values were invalid: Condition parameter type does not "
            "match schema type");
    }
    if (attr->type != OD_TYPE_N && od_value_bytes(v).len == 0) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "One or more parameter values are not valid. The AttributeValue for a key "
                       "attribute cannot contain an empty %s value. Key: %.*s",
                       attr->type == OD_TYPE_S ? "string" : "binary", OD_STR_ARG(attr->name));
    }
    return OD_OK;
}

static od_status check_term(od_ctx *cx, const struct od_key_attr *attr,
                            const struct od_key_term *term)
{
    OD_TRY(check_bound(cx, attr, term->value));
    return term->op == OD_KEY_BETWEEN ? check_bound(cx, attr, term->upper) : OD_OK;
}

static size_t larger_bound(const struct od_key_term *term)
{
    size_t size = od_value_size(term->value);
    size_t upper = term->op == OD_KEY_BETWEEN ? od_value_size(term->upper) : 0;
    return size > upper ? size : upper;
}

static od_status check_values(od_ctx *cx, const struct od_key_schema *schema,
                              const struct terms *terms)
{
    size_t hash_bytes = 0;
    size_t range_bytes = 0;
    for (size_t i = 0; i < od_key_attr_count(schema); i++) {
        if (terms->at[i] == NULL) {
            continue;
        }
        OD_TRY(check_term(cx, &schema->attrs[i], terms->at[i]));
        *(i < schema->hash_count ? &hash_bytes : &range_bytes) += larger_bound(terms->at[i]);
    }
    if (hash_bytes > OD_HASH_KEY_MAX_BYTES) {
        return OD_FAIL(
            cx, OD_VALIDATION,
            "One or more parameter values were invalid: Size of hashkey has exceeded the "
            "maximum size limit of%d bytes",
            OD_HASH_KEY_MAX_BYTES);
    }
    if (range_bytes > OD_RANGE_KEY_MAX_BYTES) {
        return OD_FAIL(
            cx, OD_VALIDATION,
            "One or more parameter values were invalid: Aggregated size of all range keys "
            "has exceeded the size limit of %d bytes",
            OD_RANGE_KEY_MAX_BYTES);
    }
    return OD_OK;
}

static od_str with_component(od_arena *arena, od_str prefix, od_value v)
{
    struct od_buf buf = {.arena = arena};
    od_buf_put(&buf, prefix);
    od_key_put_component(&buf, v);
    return od_buf_str(&buf);
}

static void bounds_of_prefix(od_arena *arena, od_str prefix, struct od_bounds *out)
{
    out->lo = prefix;
    out->hi = od_key_after_prefix(arena, prefix);
}

static void bounds_of_begins_with(od_arena *arena, od_str prefix, od_value v, struct od_bounds *out)
{
    struct od_buf buf = {.arena = arena};
    od_buf_put(&buf, prefix);
    od_key_put_prefix(&buf, v);
    bounds_of_prefix(arena, od_buf_str(&buf), out);
}

// Narrows `out`, which holds all rows with `prefix`, by the last term.
static void narrow(od_arena *arena, od_str prefix, const struct od_key_term *term,
                   struct od_bounds *out)
{
    od_str at = with_component(arena, prefix, term->value);
    switch (term->op) {
    case OD_KEY_EQ:
        bounds_of_prefix(arena, at, out);
        break;
    case OD_KEY_LT:
        out->hi = at;
        break;
    case OD_KEY_LE:
        out->hi = od_key_after_prefix(arena, at);
        break;
    case OD_KEY_GT:
        out->lo = od_key_after_prefix(arena, at);
        break;
    case OD_KEY_GE:
        out->lo = at;
        break;
    case OD_KEY_BETWEEN:
        out->lo = at;
        out->hi = od_key_after_prefix(arena, with_component(arena, prefix, term->upper));
        break;
    case OD_KEY_BEGINS_WITH:
        bounds_of_begins_with(arena, prefix, term->value, out);
        break;
    }
}

static bool is_exact(const struct od_key_schema *schema, const struct terms *terms)
{
    for (size_t i = 0; i < od_key_attr_count(schema); i++) {
        if (terms->at[i] == NULL || terms->at[i]->op != OD_KEY_EQ) {
            return false;
        }
    }
    return true;
}

od_status od_bounds_of_query(od_ctx *cx, const struct od_key_schema *schema,
                             const struct od_key_condition *condition, struct od_bounds *out)
{
    struct terms terms = {0};
    OD_TRY(sort_terms(cx, schema, condition, &terms));
    OD_TRY(check_operators(cx, schema, &terms));
    OD_TRY(check_values(cx, schema, &terms));

    od_value partition[OD_KEY_MAX_HASH];
    for (size_t i = 0; i < schema->hash_count; i++) {
        assert(terms.at[i] != NULL); // sort_terms has seen to it
        partition[i] = terms.at[i]->value;
    }
    struct od_buf prefix = {.arena = cx->arena};
    od_key_put_partition(&prefix, partition, schema->hash_count);
    bounds_of_prefix(cx->arena, od_buf_str(&prefix), out);
    for (size_t i = schema->hash_count; i < od_key_attr_count(schema) && terms.at[i]; i++) {
        od_str all = out->lo; // so far every term was an equality
        narrow(cx->arena, all, terms.at[i], out);
    }
    out->empty = out->hi.len > 0 && od_str_compare(out->lo, out->hi) >= 0;
    out->exact = is_exact(schema, &terms);
    return OD_OK;
}

void od_bounds_of_scan(od_arena *arena, const struct od_read *read, struct od_bounds *out)
{
    *out = (struct od_bounds){0};
    if (read->total_segments > 0) {
        od_key_segment(arena, read->segment, read->total_segments, &out->lo, &out->hi);
    }
}

// --- ExclusiveStartKey --------------------------------------------------------------------------

static bool has_typed(od_value map, const struct od_key_attr *attr)
{
    od_value v = od_map_get(map, attr->name);
    return od_value_exists(v) && od_value_type(v) == attr->type;
}

static size_t count_typed(od_value map, const struct od_key_schema *schema,
                          const struct od_key_schema *except)
{
    size_t count = 0;
    for (size_t i = 0; i < od_key_attr_count(schema); i++) {
        size_t position = 0;
        if (except == NULL || !od_key_find(except, schema->attrs[i].name, &position)) {
            count += has_typed(map, &schema->attrs[i]);
        }
    }
    return count;
}

// How many attributes the key of a row has: those of the index and of the table, each once.
static size_t count_attrs(const struct od_table *table, const struct od_index *index)
{
    size_t count = od_key_attr_count(&table->schema);
    if (index == NULL) {
        return count;
    }
    for (size_t i = 0; i < od_key_attr_count(&index->schema); i++) {
        size_t position = 0;
        count += !od_key_find(&table->schema, index->schema.attrs[i].name, &position);
    }
    return count;
}

static bool is_start_key(const struct od_table *table, const struct od_index *index, od_value key)
{
    size_t expected = count_attrs(table, index);
    size_t typed = count_typed(key, &table->schema, NULL);
    if (index != NULL) {
        typed += count_typed(key, &index->schema, &table->schema);
    }
    return od_value_count(key) == expected && typed == expected;
}

static od_status check_not_empty(od_ctx *cx, od_value key)
{
    for (struct od_iter it = od_iter(key); od_iter_next(&it);) {
        enum od_type type = od_value_type(it.value);
        if ((type == OD_TYPE_S || type == OD_TYPE_B) && od_value_bytes(it.value).len == 0) {
            return OD_FAIL(
                cx, OD_VALIDATION,
                "One or more parameter values are not valid. The AttributeValue for a key "
                "attribute cannot contain an empty %s value. Key: %.*s",
                type == OD_TYPE_S ? "string" : "binary", OD_STR_ARG(it.name));
        }
    }
    return OD_OK;
}

static od_status check_start_sizes(od_ctx *cx, const struct od_table *table,
                                   const struct od_index *index, od_value key)
{
    OD_TRY(od_check_key_size(cx, &table->schema, key));
    return index == NULL ? OD_OK : od_check_key_size(cx, &index->schema, key);
}

static od_str start_row(od_arena *arena, const struct od_table *table, const struct od_index *index,
                        od_value key)
{
    struct od_buf row = {.arena = arena};
    od_key_put(&row, index == NULL ? &table->schema : &index->schema, key);
    if (index != NULL) {
        od_key_put_tail(&row, &table->schema, key);
    }
    return od_buf_str(&row);
}

static bool is_within(const struct od_bounds *bounds, od_str row)
{
    return od_str_compare(row, bounds->lo) >= 0 &&
           (bounds->hi.len == 0 || od_str_compare(row, bounds->hi) < 0);
}

static bool same_partition(const struct od_key_schema *schema, const struct od_key_condition *query,
                           od_value key)
{
    for (size_t i = 0; i < query->count; i++) {
        size_t position = 0;
        const struct od_key_term *term = &query->terms[i];
        if (od_key_find(schema, term->name, &position) && position < schema->hash_count &&
            !od_value_equal(term->value, od_map_get(key, term->name))) {
            return false;
        }
    }
    return true;
}

static od_status outside(od_ctx *cx, const struct od_key_schema *schema, const struct od_read *read)
{
    if (read->key_condition == NULL) {
        return OD_FAIL(
            cx, OD_VALIDATION,
            "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
            "ExclusiveStartKey with correct Segment. TotalSegments: %u Segment: %u",
            read->total_segments, read->segment);
    }
    if (!same_partition(schema, read->key_condition, read->start_key)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "The provided starting key is outside query boundaries based on provided "
                       "conditions");
    }
    return OD_FAIL(cx, OD_VALIDATION,
                   "The provided starting key does not match the range key predicate");
}

od_status od_bounds_start(od_ctx *cx, const struct od_table *table, const struct od_index *index,
                          const struct od_read *read, struct od_bounds *bounds)
{
    if (!od_value_exists(read->start_key)) {
        return OD_OK;
    }
    if (!is_start_key(table, index, read->start_key)) {
        return OD_FAIL(cx, OD_VALIDATION, "The provided starting key is invalid%s",
                       read->key_condition != NULL
                           ? ""
                           : ": The provided key element does not match the schema");
    }
    OD_TRY(check_not_empty(cx, read->start_key));
    OD_TRY(check_start_sizes(cx, table, index, read->start_key));
    od_str row = start_row(cx->arena, table, index, read->start_key);
    if (!is_within(bounds, row)) {
        return outside(cx, index == NULL ? &table->schema : &index->schema, read);
    }
    if (read->backward) {
        bounds->hi = row;
    } else {
        bounds->lo = od_key_after_prefix(cx->arena, row);
    }
    bounds->empty =
        bounds->empty || (bounds->hi.len > 0 && od_str_compare(bounds->lo, bounds->hi) >= 0);
    return OD_OK;
}
