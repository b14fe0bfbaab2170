// From a syntax tree to a statement: everything that needs no table.
#include "partiql/partiql.h"

#include "partiql/partiql_internal.h"

#include <stdlib.h>

enum { MAX_SOURCE_NAMES = 2 }; // "table"."index"

static const enum od_statement_kind kinds[] = {
    [OD_QL_SELECT] = OD_STATEMENT_SELECT,
    [OD_QL_INSERT] = OD_STATEMENT_INSERT,
    [OD_QL_UPDATE] = OD_STATEMENT_UPDATE,
    [OD_QL_DELETE] = OD_STATEMENT_DELETE,
};

static od_status fail(const struct od_ql_scope *scope, const char *message)
{
    return OD_FAIL(scope->cx, OD_VALIDATION, "%s", message);
}

// --- FROM ---------------------------------------------------------------------------------------

static od_status check_names(const struct od_ql_scope *scope, const struct od_path *path)
{
    if (path->count > MAX_SOURCE_NAMES) {
        return fail(scope, "A path may contain at most 2 components in the FROM clause");
    }
    for (size_t i = 0; i < path->count; i++) {
        if (path->steps[i].is_index) {
            return fail(scope, "Unexpected from source");
        }
        if (path->steps[i].name.len == 0) {
            return fail(scope, "Path component cannot be an empty string");
        }
    }
    return OD_OK;
}

static od_status check_source(const struct od_ql_scope *scope)
{
    const struct od_ql_node *source = scope->tree->source;
    if (source->kind != OD_QL_PATH) {
        return fail(scope, "Unexpected from source");
    }
    if (source->path.count > 1 && scope->tree->verb == OD_QL_INSERT) {
        return fail(scope, "FROM clause may only contain a single table name");
    }
    OD_TRY(check_names(scope, &source->path));
    if (source->path.count > 1 && scope->tree->verb != OD_QL_SELECT) {
        return fail(scope, "This operation is not supported on an index");
    }
    return OD_OK;
}

static od_str source_name(const struct od_ql_tree *tree, size_t i)
{
    const struct od_path *path = &tree->source->path;
    return i < path->count ? path->steps[i].name : (od_str){0};
}

// --- SELECT -------------------------------------------------------------------------------------

// A column is called as its path is from the last name on: a.b[2] is b[2].
static od_str column_name(od_arena *arena, const struct od_path *path)
{
    size_t last = path->count - 1;
    while (path->steps[last].is_index) {
        last--;
    }
    struct od_buf name = {.arena = arena};
    od_buf_put(&name, path->steps[last].name);
    for (size_t i = last + 1; i < path->count; i++) {
        od_buf_printf(&name, "[%u]", path->steps[i].index);
    }
    return od_buf_str(&name);
}

static int compare_columns(const void *a, const void *b)
{
    const struct od_column *left = a;
    const struct od_column *right = b;
    return od_str_compare(left->name, right->name);
}

static od_status check_column_names(const struct od_ql_scope *scope, struct od_column *sorted,
                                    size_t count)
{
    qsort(sorted, count, sizeof(sorted[0]), compare_columns);
    for (size_t i = 1; i < count; i++) {
        if (od_str_eq(sorted[i - 1].name, sorted[i].name)) {
            return OD_FAIL(scope->cx, OD_VALIDATION, "Duplicate identifiers in select clause: %.*s",
                           OD_STR_ARG(sorted[i].name));
        }
    }
    return OD_OK;
}

static od_status read_columns(const struct od_ql_scope *scope, struct od_statement_body *body)
{
    const struct od_ql_node *first = scope->tree->columns;
    if (first->kind == OD_QL_STAR && first->next == NULL) {
        return OD_OK;
    }
    size_t count = 0;
    for (const struct od_ql_node *node = first; node != NULL; node = node->next) {
        if (node->kind != OD_QL_PATH) {
            return OD_QL_FAIL_AT(scope, node->text, "Unexpected path component");
        }
        count++;
    }
    struct od_column *columns = od_new_array(scope->cx->arena, struct od_column, count);
    struct od_column *sorted = od_new_array(scope->cx->arena, struct od_column, count);
    size_t i = 0;
    for (const struct od_ql_node *node = first; node != NULL; node = node->next, i++) {
        columns[i] = (struct od_column){column_name(scope->cx->arena, &node->path), node->path};
        sorted[i] = columns[i];
    }
    body->columns = columns;
    body->column_count = count;
    return check_column_names(scope, sorted, count);
}

// --- Any ----------------------------------------------------------------------------------------

static od_status check_where(const struct od_ql_scope *scope)
{
    const struct od_condition *condition = NULL;
    const struct od_ql_node *where = scope->tree->where;
    return where == NULL ? OD_OK : od_ql_condition(scope, where, &condition);
}

static od_status check_returning(const struct od_ql_scope *scope)
{
    static const char *const forms[] = {
        [OD_QL_RETURNING_ALL_NEW] = "ALL NEW",
        [OD_QL_RETURNING_MODIFIED_OLD] = "MODIFIED OLD",
        [OD_QL_RETURNING_MODIFIED_NEW] = "MODIFIED NEW",
    };
    enum od_ql_returning form = scope->tree->returning;
    if (form == OD_QL_RETURNING_NONE || form == OD_QL_RETURNING_ALL_OLD) {
        return OD_OK;
    }
    return OD_FAIL(scope->cx, OD_VALIDATION,
                   "Invalid returning clause: RETURNING %s *. Only RETURNING ALL OLD * is allowed "
                   "in DELETE statements.",
                   forms[form]);
}

static od_status read_body(const struct od_ql_scope *scope, struct od_statement_body *body)
{
    switch (scope->tree->verb) {
    case OD_QL_SELECT:
        OD_TRY(read_columns(scope, body));
        return check_where(scope);
    case OD_QL_INSERT:
        return od_ql_item(scope, scope->tree->item, &body->item);
    case OD_QL_UPDATE:
        OD_TRY(od_ql_update(scope, &body->update));
        return check_where(scope);
    case OD_QL_DELETE:
        OD_TRY(check_returning(scope));
        return check_where(scope);
    }
    return OD_OK;
}

// What the parser noted comes first: it stands in the text before most of what is found here.
static void analyse(const struct od_ql_scope *scope, struct od_statement_body *body)
{
    body->fault = scope->tree->fault;
    if (body->fault.ptr == NULL && read_body(scope, body) != OD_OK) {
        body->fault = scope->cx->error;
    }
}

od_status od_partiql_parse(od_ctx *cx, od_str text, const od_value *parameters, size_t count,
                           struct od_statement *out)
{
    const struct od_ql_tree *tree = NULL;
    OD_TRY(od_ql_parse(cx, text, &tree));
    if (tree->parameter_count != count) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Number of parameters in request and statement don't match.");
    }
    struct od_statement_body *body = od_new(cx->arena, struct od_statement_body);
    body->tree = tree;
    body->parameters = parameters;
    body->index = source_name(tree, 1);
    const struct od_ql_scope scope = {.cx = cx, .tree = tree, .parameters = parameters};
    OD_TRY(check_source(&scope));
    analyse(&scope, body);
    *out = (struct od_statement){
        .kind = tree->in_exists ? OD_STATEMENT_EXISTS : kinds[tree->verb],
        .table = source_name(tree, 0),
        .has_index = body->index.ptr != NULL,
        .returns = tree->returning != OD_QL_RETURNING_NONE,
        .body = body,
    };
    return OD_OK;
}

od_status od_partiql_check(od_ctx *cx, const struct od_statement *statement)
{
    od_str fault = statement->body->fault;
    return fault.ptr == NULL ? OD_OK : OD_FAIL(cx, OD_VALIDATION, "%.*s", OD_STR_ARG(fault));
}
