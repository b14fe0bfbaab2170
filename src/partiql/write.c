// INSERT, UPDATE, DELETE and EXISTS, with their table: which write of one item they become.
#include "partiql/partiql_internal.h"

enum { MAX_KEYS = 2 };

struct planner {
    struct od_ql_scope scope;
    const struct od_key_schema *schema;
    bool is_check;                  // EXISTS: the whole WHERE is its condition
    od_value keys[MAX_KEYS];        // found so far
    const struct od_ql_node **rest; // what is no key equality
    size_t rest_count;
};

static od_status fail_key(const struct planner *p)
{
    return p->is_check
               ? OD_FAIL(p->scope.cx, OD_VALIDATION,
                         "EXISTS() must contain a single item read with additional condition")
               : OD_FAIL(p->scope.cx, OD_VALIDATION_ITEM,
                         "Where clause does not contain a mandatory equality on all key "
                         "attributes");
}

// --- Key equalities -----------------------------------------------------------------------------

static size_t count_nodes(const struct od_ql_node *node)
{
    if (node->kind != OD_QL_AND) {
        return 1;
    }
    size_t count = 0;
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        count += count_nodes(child);
    }
    return count;
}

static void keep(struct planner *p, const struct od_ql_node *node)
{
    p->rest[p->rest_count++] = node;
}

static od_status add_key(struct planner *p, size_t i, const struct od_ql_node *node,
                         const struct od_ql_node *value_node)
{
    const struct od_key_attr *attr = &p->schema->attrs[i];
    od_value value = {0};
    OD_TRY(od_ql_key_value(&p->scope, attr, value_node, &value));
    if (!od_value_exists(p->keys[i])) {
        p->keys[i] = value;
        return OD_OK;
    }
    if (!od_value_equal(p->keys[i], value)) {
        keep(p, node);
    }
    return OD_OK;
}

static od_status take_node(struct planner *p, const struct od_ql_node *node)
{
    for (size_t i = 0; i < od_key_attr_count(p->schema); i++) {
        struct od_ql_key_use use = {0};
        if (od_ql_uses_key(node, p->schema->attrs[i].name, &use) && use.op == OD_KEY_EQ) {
            return add_key(p, i, node, use.value);
        }
    }
    keep(p, node);
    return OD_OK;
}

// Conditions that all must hold, one by one.
static od_status take_all(struct planner *p, const struct od_ql_node *node)
{
    if (node->kind != OD_QL_AND) {
        return take_node(p, node);
    }
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        OD_TRY(take_all(p, child));
    }
    return OD_OK;
}

static od_status build_key(struct planner *p, od_value *out)
{
    struct od_entry entries[MAX_KEYS];
    size_t count = od_key_attr_count(p->schema);
    for (size_t i = 0; i < count; i++) {
        if (!od_value_exists(p->keys[i])) {
            return fail_key(p);
        }
        entries[i] = (struct od_entry){p->schema->attrs[i].name, p->keys[i]};
    }
    *out = od_map_build(p->scope.cx->arena, entries, count);
    return OD_OK;
}

static bool has_or(const struct od_ql_node *node)
{
    if (node->kind == OD_QL_OR) {
        return true;
    }
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        if (has_or(child)) {
            return true;
        }
    }
    return false;
}

static od_status read_where(struct planner *p, od_value *key)
{
    const struct od_ql_node *where = p->scope.tree->where;
    if (where == NULL) {
        return fail_key(p);
    }
    p->rest = od_new_array(p->scope.cx->arena, const struct od_ql_node *, count_nodes(where));
    OD_TRY(take_all(p, where));
    OD_TRY(build_key(p, key));
    if (!p->is_check && has_or(where)) {
        return OD_FAIL(p->scope.cx, OD_VALIDATION,
                       "OR is not supported in the WHERE clause of UPDATE and DELETE statements");
    }
    return OD_OK;
}

// --- Writes -------------------------------------------------------------------------------------

// That there is an item: it has its hash key.
static const struct od_condition *item_exists(const struct planner *p)
{
    struct od_path_step *step = od_new(p->scope.cx->arena, struct od_path_step);
    step->name = p->schema->attrs[0].name;
    return od_ql_exists(p->scope.cx->arena, (struct od_path){.steps = step, .count = 1});
}

// The condition on an item that is there.
static od_status rest_condition(const struct planner *p, const struct od_condition **out)
{
    return od_ql_conjunction(&p->scope, p->rest, p->rest_count, out);
}

// UPDATE creates no item, and EXISTS is false of none.
static od_status require_item(const struct planner *p, struct od_write_action *out)
{
    const struct od_condition *rest = NULL;
    OD_TRY(rest_condition(p, &rest));
    out->condition = item_exists(p);
    if (rest != NULL) {
        out->condition = od_ql_join(p->scope.cx->arena, OD_COND_AND, out->condition, rest);
    }
    return OD_OK;
}

static od_status plan_insert(const struct od_statement_body *body, struct od_write_action *out)
{
    out->kind = OD_WRITE_PUT;
    out->map = body->item;
    out->insert_only = true;
    return OD_OK;
}

static od_status plan_update(struct planner *p, const struct od_statement_body *body,
                             struct od_write_action *out)
{
    out->kind = OD_WRITE_UPDATE;
    out->update = body->update;
    out->flat_size = true;
    OD_TRY(read_where(p, &out->map));
    return require_item(p, out);
}

// To delete what is not there succeeds, whatever else is asked of it.
static od_status plan_delete(struct planner *p, struct od_write_action *out)
{
    out->kind = OD_WRITE_DELETE;
    OD_TRY(read_where(p, &out->map));
    OD_TRY(rest_condition(p, &out->condition));
    if (out->condition != NULL) {
        od_arena *arena = p->scope.cx->arena;
        const struct od_condition *absent = od_ql_not(arena, item_exists(p));
        out->condition = od_ql_join(arena, OD_COND_OR, absent, out->condition);
    }
    return OD_OK;
}

static od_status plan_exists(struct planner *p, struct od_write_action *out)
{
    out->kind = OD_WRITE_CHECK;
    OD_TRY(read_where(p, &out->map));
    if (p->rest_count == 0) {
        return fail_key(p);
    }
    return require_item(p, out);
}

od_status od_partiql_plan_write(od_ctx *cx, const struct od_statement *statement,
                                const struct od_table *table, struct od_write_action *out)
{
    OD_TRY(od_partiql_check(cx, statement));
    const struct od_statement_body *body = statement->body;
    *out = (struct od_write_action){.table = statement->table};
    struct planner p = {
        .scope = {.cx = cx, .tree = body->tree, .parameters = body->parameters, .table = table},
        .schema = &table->schema,
        .is_check = statement->kind == OD_STATEMENT_EXISTS,
    };
    switch (statement->kind) {
    case OD_STATEMENT_INSERT:
        return plan_insert(body, out);
    case OD_STATEMENT_UPDATE:
        return plan_update(&p, body, out);
    case OD_STATEMENT_DELETE:
        return plan_delete(&p, out);
    case OD_STATEMENT_EXISTS:
    case OD_STATEMENT_SELECT:
        break;
    }
    return plan_exists(&p, out);
}

od_value od_partiql_returned(od_arena *arena, const struct od_statement *statement,
                             const struct od_write_result *result)
{
    const struct od_statement_body *body = statement->body;
    switch (body->tree->returning) {
    case OD_QL_RETURNING_NONE:
        break;
    case OD_QL_RETURNING_ALL_OLD:
        return result->old_map;
    case OD_QL_RETURNING_ALL_NEW:
        return result->new_map;
    case OD_QL_RETURNING_MODIFIED_OLD:
        return od_update_touched(arena, body->update, result->old_map);
    case OD_QL_RETURNING_MODIFIED_NEW:
        return od_update_touched(arena, body->update, result->new_map);
    }
    return (od_value){0};
}
