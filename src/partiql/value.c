// Literals and parameters as packed values.
#include "partiql/partiql_internal.h"

#include <assert.h>
#include <stdlib.h>

// Where in a literal a value stands: root.a[2]
struct trail {
    const struct trail *up; // NULL: the root
    od_str name;            // {NULL, 0}: in a list
    size_t index;
    size_t depth; // lists and maps around
};

static const struct trail root = {0};

static od_status pack(const struct od_ql_scope *scope, const struct od_ql_node *node,
                      const struct trail *trail, struct od_buf *out);

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

static void print_trail(struct od_buf *out, const struct trail *trail)
{
    if (trail->up == NULL) {
        od_buf_put(out, OD_STR("root"));
        return;
    }
    print_trail(out, trail->up);
    if (trail->name.ptr == NULL) {
        od_buf_printf(out, "[%zu]", trail->index);
    } else {
        od_buf_printf(out, ".%.*s", OD_STR_ARG(trail->name));
    }
}

static od_str trail_text(const struct od_ql_scope *scope, const struct trail *trail)
{
    struct od_buf out = {.arena = scope->cx->arena};
    print_trail(&out, trail);
    return od_buf_str(&out);
}

// What messages call a node that is no value.
static od_str kind_name(const struct od_ql_node *node)
{
    switch (node->kind) {
    case OD_QL_CALL:
        return node->name;
    case OD_QL_PARAMETER:
        return OD_STR("Parameter");
    case OD_QL_PATH:
        return OD_STR("VariableReference");
    case OD_QL_MISSING:
        return OD_STR("MISSING");
    default:
        return OD_STR("Expression");
    }
}

static od_status fail_kind(const struct od_ql_scope *scope, const struct od_ql_node *node,
                           const struct trail *trail)
{
    od_str name = kind_name(node);
    od_str where = trail_text(scope, trail);
    return OD_QL_FAIL_AT(scope, node->text, "Unsupported data type: %.*s under key %.*s",
                         OD_STR_ARG(name), OD_STR_ARG(where));
}

// Adds the place to the message of a number's fault.
static od_status fail_number(const struct od_ql_scope *scope, od_status fault,
                             const struct trail *trail)
{
    od_str words = scope->cx->error;
    od_str where = trail_text(scope, trail);
    return OD_FAIL(scope->cx, fault, "%.*s under %.*s", OD_STR_ARG(words), OD_STR_ARG(where));
}

// --- Scalars ------------------------------------------------------------------------------------

static od_status read_number(const struct od_ql_scope *scope, const struct od_ql_node *node,
                             const struct trail *trail, od_number *out)
{
    od_status status = od_number_parse(scope->cx, node->text, out);
    return status == OD_OK ? OD_OK : fail_number(scope, status, trail);
}

// A number after any number of signs.
static od_status read_signed(const struct od_ql_scope *scope, const struct od_ql_node *node,
                             const struct trail *trail, od_number *out)
{
    bool negative = false;
    for (; node->kind == OD_QL_SIGN; node = node->first) {
        negative ^= node->op == OD_QL_TOK_MINUS;
    }
    if (node->kind != OD_QL_NUMBER) {
        return fail_kind(scope, node, trail);
    }
    OD_TRY(read_number(scope, node, trail, out));
    out->negative = negative && out->coefficient != 0;
    return OD_OK;
}

static od_status pack_number(const struct od_ql_scope *scope, const struct od_ql_node *node,
                             const struct trail *trail, struct od_buf *out)
{
    od_number n = {0};
    OD_TRY(read_signed(scope, node, trail, &n));
    od_pack_number(out, n);
    return OD_OK;
}

// A parameter stands for a whole value, never for a part of a literal.
static od_status pack_parameter(const struct od_ql_scope *scope, const struct od_ql_node *node,
                                const struct trail *trail, struct od_buf *out)
{
    if (trail->up != NULL) {
        return fail_kind(scope, node, trail);
    }
    od_pack_value(out, scope->parameters[node->index]);
    return OD_OK;
}

// --- Sets ---------------------------------------------------------------------------------------

static bool is_number(const struct od_ql_node *node)
{
    assert(node != NULL);
    return node->kind == OD_QL_NUMBER || node->kind == OD_QL_SIGN;
}

static od_status check_bag(const struct od_ql_scope *scope, const struct od_ql_node *bag)
{
    if (bag->first == NULL) {
        return OD_FAIL(scope->cx, OD_VALIDATION, "Empty bags are not supported");
    }
    bool numbers = is_number(bag->first);
    for (const struct od_ql_node *node = bag->first; node != NULL; node = node->next) {
        if (numbers ? !is_number(node) : node->kind != OD_QL_STRING) {
            return OD_FAIL(scope->cx, OD_VALIDATION,
                           "Unsupported data type in Bag. DynamoDB only supports either numbers or "
                           "strings in bags");
        }
    }
    return OD_OK;
}

static void print_member(struct od_buf *out, const struct od_ql_node *node)
{
    if (node->kind == OD_QL_SIGN) {
        od_buf_put(out, node->op == OD_QL_TOK_MINUS ? OD_STR("-") : OD_STR(""));
        print_member(out, node->first);
        return;
    }
    od_buf_put(out, node->kind == OD_QL_STRING ? node->name : node->text);
}

static od_status fail_duplicates(const struct od_ql_scope *scope, const struct od_ql_node *bag,
                                 const struct trail *trail)
{
    struct od_buf list = {.arena = scope->cx->arena};
    for (const struct od_ql_node *node = bag->first; node != NULL; node = node->next) {
        od_buf_put(&list, node == bag->first ? OD_STR("") : OD_STR(", "));
        print_member(&list, node);
    }
    od_str members = od_buf_str(&list);
    if (!is_number(bag->first)) {
        return OD_FAIL(scope->cx, OD_VALIDATION,
                       "One or more parameter values were invalid: Input collection [%.*s] "
                       "contains duplicates.",
                       OD_STR_ARG(members));
    }
    od_str where = trail_text(scope, trail);
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "One or more parameter values were invalid: Input collection [%.*s] contains "
                   "duplicates! under %.*s",
                   OD_STR_ARG(members), OD_STR_ARG(where));
}

static od_status pack_bag(const struct od_ql_scope *scope, const struct od_ql_node *bag,
                          const struct trail *trail, struct od_buf *out)
{
    OD_TRY(check_bag(scope, bag));
    od_value *members = od_new_array(scope->cx->arena, od_value, bag->count);
    size_t count = 0;
    for (const struct od_ql_node *node = bag->first; node != NULL; node = node->next) {
        struct od_buf member = {.arena = scope->cx->arena};
        OD_TRY(pack(scope, node, trail, &member));
        members[count++] = od_packed(&member);
    }
    enum od_type type = is_number(bag->first) ? OD_TYPE_NS : OD_TYPE_SS;
    return od_pack_set(out, type, members, count) ? OD_OK : fail_duplicates(scope, bag, trail);
}

// --- Lists and maps -----------------------------------------------------------------------------

static od_status pack_list(const struct od_ql_scope *scope, const struct od_ql_node *list,
                           const struct trail *trail, struct od_buf *out)
{
    size_t mark = od_pack_open(out, OD_TYPE_L);
    size_t count = 0;
    for (const struct od_ql_node *node = list->first; node != NULL; node = node->next) {
        const struct trail below = {.up = trail, .index = count, .depth = trail->depth + 1};
        OD_TRY(pack(scope, node, &below, out));
        count++;
    }
    od_pack_close(out, mark, count);
    return OD_OK;
}

static od_status read_name(const struct od_ql_scope *scope, const struct od_ql_node *node,
                           const struct trail *trail, od_str *out)
{
    if (node->kind == OD_QL_STRING) {
        *out = node->name;
        return OD_OK;
    }
    od_str name = kind_name(node);
    od_str where = trail_text(scope, trail);
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "Tuple keys must be of type String. Actual type: %.*s under %.*s",
                   OD_STR_ARG(name), OD_STR_ARG(where));
}

static int compare_names(const void *a, const void *b)
{
    const struct od_entry *left = a;
    const struct od_entry *right = b;
    return od_str_compare(left->name, right->name);
}

static od_status sort_distinct(const struct od_ql_scope *scope, struct od_entry *entries,
                               size_t count, const struct trail *trail)
{
    qsort(entries, count, sizeof(entries[0]), compare_names);
    for (size_t i = 1; i < count; i++) {
        if (od_str_eq(entries[i - 1].name, entries[i].name)) {
            od_str name = entries[i].name;
            od_str where = trail_text(scope, trail);
            return OD_FAIL(scope->cx, OD_VALIDATION,
                           "Duplicate keys in tuple. Key: %.*s under %.*s", OD_STR_ARG(name),
                           OD_STR_ARG(where));
        }
    }
    return OD_OK;
}

// `is_item`: its members are roots themselves.
static od_status read_tuple(const struct od_ql_scope *scope, const struct od_ql_node *tuple,
                            const struct trail *trail, bool is_item, od_value *out)
{
    struct od_entry *entries = od_new_array(scope->cx->arena, struct od_entry, tuple->count / 2);
    size_t count = 0;
    for (const struct od_ql_node *name = tuple->first; name != NULL; name = name->next->next) {
        struct od_entry *entry = &entries[count++];
        OD_TRY(read_name(scope, name, trail, &entry->name));
        const struct trail below = {.up = trail, .name = entry->name, .depth = trail->depth + 1};
        struct od_buf value = {.arena = scope->cx->arena};
        OD_TRY(pack(scope, name->next, is_item ? trail : &below, &value));
        entry->value = od_packed(&value);
    }
    OD_TRY(sort_distinct(scope, entries, count, trail));
    *out = od_map_build(scope->cx->arena, entries, count);
    return OD_OK;
}

static od_status pack_tuple(const struct od_ql_scope *scope, const struct od_ql_node *tuple,
                            const struct trail *trail, struct od_buf *out)
{
    od_value map = {0};
    OD_TRY(read_tuple(scope, tuple, trail, false, &map));
    od_pack_value(out, map);
    return OD_OK;
}

// --- Any ----------------------------------------------------------------------------------------

static od_status pack(const struct od_ql_scope *scope, const struct od_ql_node *node,
                      const struct trail *trail, struct od_buf *out)
{
    if (trail->depth >= OD_MAX_NESTING) {
        od_str where = trail_text(scope, trail);
        return OD_FAIL(scope->cx, OD_VALIDATION,
                       "Nesting Levels have exceeded supported limits under %.*s",
                       OD_STR_ARG(where));
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
        return pack_number(scope, node, trail, out);
    case OD_QL_PARAMETER:
        return pack_parameter(scope, node, trail, out);
    case OD_QL_LIST:
        return pack_list(scope, node, trail, out);
    case OD_QL_TUPLE:
        return pack_tuple(scope, node, trail, out);
    case OD_QL_BAG:
        return pack_bag(scope, node, trail, out);
    default:
        return fail_kind(scope, node, trail);
    }
}

od_status od_ql_value(const struct od_ql_scope *scope, const struct od_ql_node *node, od_value *out)
{
    if (node->kind == OD_QL_PARAMETER) {
        *out = scope->parameters[node->index];
        return OD_OK;
    }
    struct od_buf buf = {.arena = scope->cx->arena};
    OD_TRY(pack(scope, node, &root, &buf));
    *out = od_packed(&buf);
    return OD_OK;
}

od_status od_ql_item(const struct od_ql_scope *scope, const struct od_ql_node *node, od_value *out)
{
    if (node->kind != OD_QL_TUPLE) {
        return fail_kind(scope, node, &root);
    }
    return read_tuple(scope, node, &root, true, out);
}
