// Placeholders: what a request's maps say they stand for.
#include "expr/expr_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Up to this many entries are searched where they stand; requests seldom have more.
enum { FEW_ENTRIES = 16 };

static_assert(offsetof(struct od_expr_name, key) == 0 && offsetof(struct od_expr_value, key) == 0,
              "entries are sorted and found by their first member");

static int compare_keys(const void *a, const void *b)
{
    const od_str *left = a;
    const od_str *right = b;
    return od_str_compare(*left, *right);
}

// One search for both maps: an entry begins with its key.
static void *find_entry(void *entries, size_t count, size_t size, od_str key)
{
    if (count > FEW_ENTRIES) {
        return bsearch(&key, entries, count, size, compare_keys);
    }
    char *entry = entries;
    for (size_t i = 0; i < count; i++, entry += size) {
        if (compare_keys(&key, entry) == 0) {
            return entry;
        }
    }
    return NULL;
}

static void sort_large(struct od_expr_env *env)
{
    if (env->sorted) {
        return;
    }
    if (env->name_count > FEW_ENTRIES) {
        qsort(env->names, env->name_count, sizeof(env->names[0]), compare_keys);
    }
    if (env->value_count > FEW_ENTRIES) {
        qsort(env->values, env->value_count, sizeof(env->values[0]), compare_keys);
    }
    env->sorted = true;
}

static struct od_expr_name *find_name(struct od_expr_env *env, od_str key)
{
    sort_large(env);
    return find_entry(env->names, env->name_count, sizeof(env->names[0]), key);
}

static struct od_expr_value *find_value(struct od_expr_env *env, od_str key)
{
    sort_large(env);
    return find_entry(env->values, env->value_count, sizeof(env->values[0]), key);
}

// --- Looking up ---------------------------------------------------------------------------------

static bool is_placeholder(const struct od_path_step *step)
{
    return !step->is_index && step->name.ptr[0] == '#';
}

static od_status check_step(const struct od_binder *b, const struct od_path_step *step)
{
    if (!is_placeholder(step)) {
        return OD_OK;
    }
    struct od_expr_name *name = find_name(b->env, step->name);
    if (name == NULL) {
        return OD_EXPR_FAIL(b->cx, b->kind,
                            "An expression attribute name used in the document path is not "
                            "defined; attribute name: %.*s",
                            OD_STR_ARG(step->name));
    }
    name->used = true;
    return OD_OK;
}

static od_status check_value(const struct od_binder *b, od_str key)
{
    struct od_expr_value *value = find_value(b->env, key);
    if (value == NULL) {
        return OD_EXPR_FAIL(b->cx, b->kind,
                            "An expression attribute value used in expression is not defined; "
                            "attribute value: %.*s",
                            OD_STR_ARG(key));
    }
    value->used = true;
    return OD_OK;
}

static od_status check_path(const struct od_binder *b, const struct od_path *path)
{
    for (size_t i = 0; i < path->count; i++) {
        OD_TRY(check_step(b, &path->steps[i]));
    }
    return OD_OK;
}

od_status od_bind_check(const struct od_binder *b, const struct od_node *node, int what)
{
    if (node->kind == OD_NODE_PATH && (what & OD_BIND_NAMES) != 0) {
        return check_path(b, &node->path);
    }
    if (node->kind == OD_NODE_VALUE && (what & OD_BIND_VALUES) != 0) {
        return check_value(b, node->text);
    }
    for (const struct od_node *child = node->first; child != NULL; child = child->next) {
        OD_TRY(od_bind_check(b, child, what));
    }
    return OD_OK;
}

od_value od_bind_value(const struct od_binder *b, od_str key)
{
    return find_value(b->env, key)->value;
}

static bool has_placeholder(const struct od_path *path)
{
    for (size_t i = 0; i < path->count; i++) {
        if (is_placeholder(&path->steps[i])) {
            return true;
        }
    }
    return false;
}

static struct od_path resolve_path(const struct od_binder *b, const struct od_path *path)
{
    struct od_path_step *steps = od_new_array(b->cx->arena, struct od_path_step, path->count);
    for (size_t i = 0; i < path->count; i++) {
        steps[i] = path->steps[i];
        if (is_placeholder(&steps[i])) {
            steps[i].name = find_name(b->env, steps[i].name)->name;
        }
    }
    return (struct od_path){.steps = steps, .count = path->count};
}

od_status od_bind_path(const struct od_binder *b, const struct od_node *node, struct od_path *out)
{
    if (node->path.count > OD_MAX_NESTING) {
        return OD_EXPR_FAIL(b->cx, b->kind,
                            "The document path has too many nesting levels; nesting levels: %zu",
                            node->path.count);
    }
    *out = has_placeholder(&node->path) ? resolve_path(b, &node->path) : node->path;
    return OD_OK;
}

// --- Faults that several expressions share ------------------------------------------------------

od_status od_bind_operand_count(const struct od_binder *b, const struct od_node *call)
{
    if (call->kind != OD_NODE_CALL || call->count == od_function_operands(call->function)) {
        return OD_OK;
    }
    return OD_EXPR_FAIL(b->cx, b->kind,
                        "Incorrect number of operands for operator or function; operator or "
                        "function: %.*s, number of operands: %zu",
                        OD_STR_ARG(call->text), call->count);
}

od_status od_bind_path_needed(const struct od_binder *b, od_str function)
{
    return OD_EXPR_FAIL(b->cx, b->kind,
                        "Operator or function requires a document path; operator or function: "
                        "%.*s",
                        OD_STR_ARG(function));
}

od_status od_bind_wrong_type(const struct od_binder *b, od_str function, const char *type)
{
    return OD_EXPR_FAIL(b->cx, b->kind,
                        "Incorrect operand type for operator or function; operator or function: "
                        "%.*s, operand type: %s",
                        OD_STR_ARG(function), type);
}

// --- Unused placeholders ------------------------------------------------------------------------

static void list_key(struct od_buf *list, od_str key)
{
    od_buf_put(list, list->len == 0 ? OD_STR("") : OD_STR(", "));
    od_buf_put(list, key);
}

static od_status fail_unused(od_ctx *cx, const char *parameter, const struct od_buf *keys)
{
    if (keys->len == 0) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION_ENVELOPED,
                   "Value provided in %s unused in expressions: keys: {%.*s}", parameter,
                   OD_STR_ARG(od_buf_str(keys)));
}

od_status od_expr_check_unused(od_ctx *cx, const struct od_expr_env *env)
{
    struct od_buf names = {.arena = cx->arena};
    for (size_t i = 0; i < env->name_count; i++) {
        if (!env->names[i].used) {
            list_key(&names, env->names[i].key);
        }
    }
    OD_TRY(fail_unused(cx, "ExpressionAttributeNames", &names));

    struct od_buf values = {.arena = cx->arena};
    for (size_t i = 0; i < env->value_count; i++) {
        if (!env->values[i].used) {
            list_key(&values, env->values[i].key);
        }
    }
    return fail_unused(cx, "ExpressionAttributeValues", &values);
}
