// Literals and parameters as packed values.
#include "partiql/partiql_internal.h"

#include <assert.h>
#include <stdlib.h>

// `depth`: lists and maps around.
static od_status pack(const struct od_ql_scope *scope, const struct od_ql_node *node, size_t depth,
                      struct od_buf *out);

bool od_ql_is_value(const struct od_ql_node *node)
{
    switch (node->kind) {
    case OD_QL_STRING:
    case OD_QL_NUMBER:
    case OD_QL_BOOL:
    case OD_QL_NULL:
    case OD_QL_PARAMETER:
    case OD_QL_LIST:
    case OD_QL_TUPLE:
    case OD_QL_BAG:
    case OD_QL_SIGN:
        return true;
    default:
        return false;
    }
}

// --- Faults -------------------------------------------------------------------------------------

// What messages call a node that is no value.
static od_str kind_name(const struct od_ql_node *node)
{
    switch (node->kind) {
    case OD_QL_CALL:
        return node->name;
    case OD_QL_PARAMETER:
        return OD_STR("parameter");
    case OD_QL_PATH:
        return OD_STR("path");
    case OD_QL_MISSING:
        return OD_STR("MISSING");
    default:
        return OD_STR("expression");
    }
}

static od_status fail_kind(const struct od_ql_scope *scope, const struct od_ql_node *node)
{
    od_str name = kind_name(node);
    return OD_QL_FAIL_AT(scope, node->text, "Expected a value, found: %.*s", OD_STR_ARG(name));
}

static od_status fail_depth(const struct od_ql_scope *scope)
{
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "Nesting Levels have exceeded supported limits: Attributes in the item have "
                   "nested levels beyond supported limit");
}

// --- Scalars ------------------------------------------------------------------------------------

// A number after any number of signs.
static od_status pack_number(const struct od_ql_scope *scope, const struct od_ql_node *node,
                             struct od_buf *out)
{
    bool negative = false;
    for (; node->kind == OD_QL_SIGN; node = node->first) {
        negative ^= node->op == OD_QL_TOK_MINUS;
    }
    if (node->kind != OD_QL_NUMBER) {
        return fail_kind(scope, node);
    }
    od_number n = {0};
    OD_TRY(od_number_parse(scope->cx, node->text, &n));
    n.negative = negative && n.coefficient != 0;
    od_pack_number(out, n);
    return OD_OK;
}

static od_status pack_parameter(const struct od_ql_scope *scope, const struct od_ql_node *node,
                                size_t depth, struct od_buf *out)
{
    od_value value = scope->parameters[node->index];
    if (depth > 0 && depth + od_value_depth(value) > OD_MAX_NESTING) {
        return fail_depth(scope);
    }
    od_pack_value(out, value);
    return OD_OK;
}

// --- Sets ---------------------------------------------------------------------------------------

static od_status fail_duplicates(const struct od_ql_scope *scope, enum od_type type,
                                 const od_value *members, size_t count)
{
    if (type != OD_TYPE_SS) {
        return OD_FAIL(scope->cx, OD_VALIDATION, "Input collection contains duplicates");
    }
    struct od_buf list = {.arena = scope->cx->arena};
    for (size_t i = 0; i < count; i++) {
        od_buf_put(&list, i == 0 ? OD_STR("") : OD_STR(", "));
        od_buf_put(&list, od_value_bytes(members[i]));
    }
    od_str text = od_buf_str(&list);
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "One or more parameter values were invalid: Input collection [%.*s] contains "
                   "duplicates.",
                   OD_STR_ARG(text));
}

static bool set_type(enum od_type member, enum od_type *out)
{
    switch (member) {
    case OD_TYPE_S:
        *out = OD_TYPE_SS;
        return true;
    case OD_TYPE_N:
        *out = OD_TYPE_NS;
        return true;
    case OD_TYPE_B:
        *out = OD_TYPE_BS;
        return true;
    default:
        return false;
    }
}

static od_status check_members(const struct od_ql_scope *scope, const od_value *members,
                               size_t count, enum od_type *out)
{
    bool good = set_type(od_value_type(members[0]), out);
    for (size_t i = 1; good && i < count; i++) {
        good = od_value_type(members[i]) == od_value_type(members[0]);
    }
    return good ? OD_OK
                : OD_FAIL(scope->cx, OD_VALIDATION,
                          "The members of a set must be all strings, all numbers or all binary");
}

static od_status pack_bag(const struct od_ql_scope *scope, const struct od_ql_node *bag,
                          size_t depth, struct od_buf *out)
{
    if (bag->first == NULL) {
        return OD_FAIL(scope->cx, OD_VALIDATION,
                       "One or more parameter values were invalid: An string set  may not be "
                       "empty");
    }
    od_value *members = od_new_array(scope->cx->arena, od_value, bag->count);
    size_t count = 0;
    for (const struct od_ql_node *node = bag->first; node != NULL; node = node->next) {
        struct od_buf member = {.arena = scope->cx->arena};
        OD_TRY(pack(scope, node, depth, &member));
        members[count++] = od_packed(&member);
    }
    enum od_type type = OD_TYPE_SS;
    OD_TRY(check_members(scope, members, count, &type));
    od_value *sorted = od_new_array(scope->cx->arena, od_value, count);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = members[i];
    }
    return od_pack_set(out, type, sorted, count) ? OD_OK
                                                 : fail_duplicates(scope, type, members, count);
}

// --- Lists and maps -----------------------------------------------------------------------------

static od_status pack_list(const struct od_ql_scope *scope, const struct od_ql_node *list,
                           size_t depth, struct od_buf *out)
{
    size_t mark = od_pack_open(out, OD_TYPE_L);
    size_t count = 0;
    for (const struct od_ql_node *node = list->first; node != NULL; node = node->next) {
        OD_TRY(pack(scope, node, depth + 1, out));
        count++;
    }
    od_pack_close(out, mark, count);
    return OD_OK;
}

static od_status read_name(const struct od_ql_scope *scope, const struct od_ql_node *node,
                           od_str *out)
{
    if (node->kind != OD_QL_STRING) {
        return OD_QL_FAIL_AT(scope, node->text, "The names in a map must be strings");
    }
    if (node->name.len == 0) {
        return OD_FAIL(scope->cx, OD_VALIDATION, "Empty attribute name");
    }
    *out = node->name;
    return OD_OK;
}

static int compare_names(const void *a, const void *b)
{
    const struct od_entry *left = a;
    const struct od_entry *right = b;
    return od_str_compare(left->name, right->name);
}

static od_status sort_distinct(const struct od_ql_scope *scope, struct od_entry *entries,
                               size_t count)
{
    qsort(entries, count, sizeof(entries[0]), compare_names);
    for (size_t i = 1; i < count; i++) {
        if (od_str_eq(entries[i - 1].name, entries[i].name)) {
            od_str name = entries[i].name;
            return OD_FAIL(scope->cx, OD_VALIDATION, "A name stands twice in a map: %.*s",
                           OD_STR_ARG(name));
        }
    }
    return OD_OK;
}

// `depth` of the members.
static od_status read_tuple(const struct od_ql_scope *scope, const struct od_ql_node *tuple,
                            size_t depth, od_value *out)
{
    struct od_entry *entries = od_new_array(scope->cx->arena, struct od_entry, tuple->count / 2);
    size_t count = 0;
    for (const struct od_ql_node *name = tuple->first; name != NULL; name = name->next->next) {
        struct od_entry *entry = &entries[count++];
        OD_TRY(read_name(scope, name, &entry->name));
        struct od_buf value = {.arena = scope->cx->arena};
        OD_TRY(pack(scope, name->next, depth, &value));
        entry->value = od_packed(&value);
    }
    OD_TRY(sort_distinct(scope, entries, count));
    *out = od_map_build(scope->cx->arena, entries, count);
    return OD_OK;
}

static od_status pack_tuple(const struct od_ql_scope *scope, const struct od_ql_node *tuple,
                            size_t depth, struct od_buf *out)
{
    od_value map = {0};
    OD_TRY(read_tuple(scope, tuple, depth + 1, &map));
    od_pack_value(out, map);
    return OD_OK;
}

// --- Any ----------------------------------------------------------------------------------------

static od_status pack(const struct od_ql_scope *scope, const struct od_ql_node *node, size_t depth,
                      struct od_buf *out)
{
    if (depth >= OD_MAX_NESTING) {
        return fail_depth(scope);
    }
    switch (node->kind) {
    case OD_QL_STRING:
        od_pack_s(out, node->name);
        return OD_OK;
    case OD_QL_BOOL:
        od_pack_bool(out, node->flag);
        return OD_OK;
    case OD_QL_NULL:
        od_pack_null(out);
        return OD_OK;
    case OD_QL_NUMBER:
    case OD_QL_SIGN:
        return pack_number(scope, node, out);
    case OD_QL_PARAMETER:
        return pack_parameter(scope, node, depth, out);
    case OD_QL_LIST:
        return pack_list(scope, node, depth, out);
    case OD_QL_TUPLE:
        return pack_tuple(scope, node, depth, out);
    case OD_QL_BAG:
        return pack_bag(scope, node, depth, out);
    default:
        return fail_kind(scope, node);
    }
}

od_status od_ql_value(const struct od_ql_scope *scope, const struct od_ql_node *node, od_value *out)
{
    if (node->kind == OD_QL_PARAMETER) {
        *out = scope->parameters[node->index];
        return OD_OK;
    }
    struct od_buf buf = {.arena = scope->cx->arena};
    OD_TRY(pack(scope, node, 0, &buf));
    *out = od_packed(&buf);
    return OD_OK;
}

od_status od_ql_item(const struct od_ql_scope *scope, const struct od_ql_node *node, od_value *out)
{
    return node->kind == OD_QL_TUPLE ? read_tuple(scope, node, 0, out) : fail_kind(scope, node);
}
