// SELECT, with its table: which reads it becomes.
#include "partiql/partiql_internal.h"

// DynamoDB serves IN on the hash key in pages of so many items.
enum { HASH_LIST_PAGE_ITEMS = 10 };

struct planner {
    struct od_ql_scope scope;
    const struct od_statement_body *body;
    const struct od_key_schema *schema; // of what is read
    struct od_select_plan *out;
};

static od_status fail(const struct planner *p, const char *message)
{
    return OD_FAIL(p->scope.cx, OD_VALIDATION, "%s", message);
}

static bool lacks(const struct planner *p, od_str name)
{
    const struct od_index *index = p->scope.index;
    return index != NULL && !od_index_projects(p->scope.table, index, name);
}

// --- The index ----------------------------------------------------------------------------------

static od_status find_index(struct planner *p)
{
    p->schema = &p->scope.table->schema;
    if (p->body->index.ptr == NULL) {
        return OD_OK;
    }
    p->scope.index = od_table_index(p->scope.table, p->body->index);
    if (p->scope.index == NULL) {
        return fail(p, "The table does not have the specified index");
    }
    p->schema = &p->scope.index->schema;
    p->out->index = p->body->index;
    if (p->schema->hash_count > 1 || p->schema->range_count > 1) {
        return fail(p, "PartiQL statements cannot be executed on tables with multi-attribute HASH "
                       "keys or multi-attribute RANGE keys.");
    }
    return OD_OK;
}

static od_status check_consistency(const struct planner *p, bool consistent)
{
    if (consistent && p->scope.index != NULL && !p->scope.index->is_local) {
        return fail(p, "Consistent reads are not supported on global secondary indexes");
    }
    return OD_OK;
}

// --- Columns ------------------------------------------------------------------------------------

// Names, each once, for a message: a, b
struct name_list {
    const struct planner *planner;
    struct od_buf text;
    od_str *names;
    size_t count;
};

static bool is_listed(const struct name_list *list, od_str name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (od_str_eq(list->names[i], name)) {
            return true;
        }
    }
    return false;
}

static void grow_list(struct name_list *list)
{
    od_str *names = od_new_array(list->text.arena, od_str, list->count * 2 + 1);
    for (size_t i = 0; i < list->count; i++) {
        names[i] = list->names[i];
    }
    list->names = names;
}

// An od_name_visitor: lists what the index lacks.
static bool list_lacking(void *arg, od_str name)
{
    struct name_list *list = arg;
    if (!lacks(list->planner, name) || is_listed(list, name)) {
        return true;
    }
    od_buf_put(&list->text, list->count == 0 ? OD_STR("") : OD_STR(", "));
    od_buf_put(&list->text, name);
    if ((list->count & (list->count + 1)) == 0) { // full at 0, 1, 3, 7 ...
        grow_list(list);
    }
    list->names[list->count++] = name;
    return true;
}

static struct name_list new_list(const struct planner *p)
{
    return (struct name_list){.planner = p, .text = {.arena = p->scope.cx->arena}};
}

// What a global index lacks cannot be had; a local one's is fetched from the table.
static od_status check_columns(const struct planner *p)
{
    const struct od_index *index = p->scope.index;
    if (index == NULL || index->is_local) {
        return OD_OK;
    }
    struct name_list list = new_list(p);
    for (size_t i = 0; i < p->body->column_count; i++) {
        (void)list_lacking(&list, p->body->columns[i].path.steps[0].name);
    }
    if (list.count == 0) {
        return OD_OK;
    }
    od_str names = od_buf_str(&list.text);
    return OD_FAIL(p->scope.cx, OD_VALIDATION,
                   "One or more parameter values were invalid: Global secondary index %.*s does "
                   "not project [%.*s]",
                   OD_STR_ARG(index->name), OD_STR_ARG(names));
}

static void sort_columns(struct od_column *columns, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct od_column moved = columns[i];
        size_t at = i;
        for (; at > 0 && od_str_compare(moved.name, columns[at - 1].name) < 0; at--) {
            columns[at] = columns[at - 1];
        }
        columns[at] = moved;
    }
}

static void plan_columns(struct planner *p)
{
    size_t count = p->body->column_count;
    if (count == 0) {
        return;
    }
    od_arena *arena = p->scope.cx->arena;
    struct od_column *columns = od_new_array(arena, struct od_column, count);
    struct od_path *paths = od_new_array(arena, struct od_path, count);
    struct od_projection *projection = od_new(arena, struct od_projection);
    for (size_t i = 0; i < count; i++) {
        columns[i] = p->body->columns[i];
        paths[i] = columns[i].path;
    }
    sort_columns(columns, count);
    *projection = (struct od_projection){.paths = paths, .count = count};
    p->out->columns = columns;
    p->out->column_count = count;
    p->out->projection = projection;
}

// --- ORDER BY -----------------------------------------------------------------------------------

static const struct od_ql_order *find_order(const struct planner *p, size_t key)
{
    for (const struct od_ql_order *order = p->scope.tree->order; order != NULL;
         order = order->next) {
        if (key < od_key_attr_count(p->schema) &&
            od_str_eq(order->expr->path.steps[0].name, p->schema->attrs[key].name)) {
            return order;
        }
    }
    return NULL;
}

static bool is_key(const struct planner *p, const struct od_ql_node *expr)
{
    size_t position = 0;
    return expr->kind == OD_QL_PATH && expr->path.count == 1 &&
           od_key_find(p->schema, expr->path.steps[0].name, &position);
}

static od_status check_order(const struct planner *p, const struct od_ql_branches *branches)
{
    if (p->scope.tree->where == NULL) {
        return fail(p, "Must have WHERE clause in the statement when using ORDER BY clause.");
    }
    for (const struct od_ql_order *order = p->scope.tree->order; order != NULL;
         order = order->next) {
        if (!is_key(p, order->expr)) {
            od_str name = order->expr->text;
            return OD_FAIL(p->scope.cx, OD_VALIDATION,
                           "Attribute %.*s in ORDER BY clause must be part of the primary key",
                           OD_STR_ARG(name));
        }
    }
    if (branches->count == 0) {
        return fail(p, "Must have at least one non-optional hash key condition in WHERE clause "
                       "when using ORDER BY clause.");
    }
    if (branches->hash_count > 1 && find_order(p, 0) == NULL) {
        return fail(p, "Must have hash key in ORDER BY clause when more than one hash key "
                       "condition specified in WHERE clause.");
    }
    return OD_OK;
}

static struct od_ql_direction direction_of(const struct planner *p)
{
    const struct od_ql_order *hash = find_order(p, 0);
    const struct od_ql_order *sort = find_order(p, 1);
    return (struct od_ql_direction){
        .hash_descending = hash != NULL && hash->descending,
        .backward = sort != NULL && sort->descending,
    };
}

// --- Reads --------------------------------------------------------------------------------------

// What the index lacks, of all that the branch filters by.
static od_status list_branch(const struct planner *p, const struct od_ql_branch *branch,
                             struct name_list *out)
{
    struct od_ql_scope table_scope = p->scope;
    table_scope.index = NULL;
    const struct od_condition *filter = NULL;
    OD_TRY(od_ql_conjunction(&table_scope, branch->nodes, branch->node_count, &filter));
    *out = new_list(p);
    if (filter != NULL) {
        od_condition_names(filter, list_lacking, out);
    }
    return OD_OK;
}

// No branch may filter by something that the index lacks.
static od_status check_filters(const struct planner *p, const struct od_ql_branches *branches)
{
    const struct od_index *index = p->scope.index;
    struct name_list list = {0};
    for (size_t i = 0; index != NULL && list.count == 0 && i < branches->count; i++) {
        OD_TRY(list_branch(p, &branches->rows[i], &list));
    }
    if (list.count == 0) {
        return OD_OK;
    }
    od_str names = od_buf_str(&list.text);
    return OD_FAIL(p->scope.cx, OD_VALIDATION,
                   "One or more parameter values were invalid: Secondary index %.*s does not "
                   "project one or more filter attributes: [%.*s]",
                   OD_STR_ARG(index->name), OD_STR_ARG(names));
}

static od_status sort_term(const struct planner *p, const struct od_ql_branch *branch,
                           struct od_key_term *out)
{
    const struct od_key_attr *attr = &p->schema->attrs[1];
    struct od_ql_key_use use = {0};
    (void)od_ql_uses_key(branch->sort, attr->name, &use);
    *out = (struct od_key_term){.name = attr->name, .op = use.op};
    OD_TRY(od_ql_key_value(&p->scope, attr, use.value, &out->value));
    return use.op == OD_KEY_BETWEEN ? od_ql_key_value(&p->scope, attr, use.upper, &out->upper)
                                    : OD_OK;
}

static od_status make_read(const struct planner *p, const struct od_ql_branch *branch,
                           struct od_select_read *out)
{
    od_arena *arena = p->scope.cx->arena;
    struct od_key_term *terms = od_new_array(arena, struct od_key_term, 2);
    struct od_key_condition *condition = od_new(arena, struct od_key_condition);
    terms[0] = (struct od_key_term){
        .name = p->schema->attrs[0].name,
        .op = OD_KEY_EQ,
        .value = branch->hash,
    };
    *condition = (struct od_key_condition){.terms = terms, .count = 1};
    if (branch->sort != NULL) {
        OD_TRY(sort_term(p, branch, &terms[1]));
        condition->count = 2;
    }
    out->key_condition = condition;
    out->filter = branch->filter;
    if (branch->filter != NULL) {
        return OD_OK;
    }
    return od_ql_conjunction(&p->scope, branch->nodes, branch->node_count, &out->filter);
}

static od_status plan_scan(struct planner *p)
{
    struct od_select_read *read = od_new(p->scope.cx->arena, struct od_select_read);
    p->out->reads = read;
    p->out->read_count = 1;
    const struct od_ql_node *where = p->scope.tree->where;
    return where == NULL ? OD_OK : od_ql_condition(&p->scope, where, &read->filter);
}

static od_status plan_queries(struct planner *p, const struct od_ql_branches *branches)
{
    struct od_select_read *reads =
        od_new_array(p->scope.cx->arena, struct od_select_read, branches->count);
    for (size_t i = 0; i < branches->count; i++) {
        OD_TRY(make_read(p, &branches->rows[i], &reads[i]));
    }
    p->out->reads = reads;
    p->out->read_count = branches->count;
    return OD_OK;
}

// The key, when the only read is of one item.
static void plan_key(struct planner *p)
{
    const struct od_key_condition *condition = p->out->reads[0].key_condition;
    size_t attrs = od_key_attr_count(p->schema);
    if (p->scope.index != NULL || p->out->read_count != 1 || condition == NULL ||
        condition->count != attrs) {
        return;
    }
    struct od_entry entries[2];
    for (size_t i = 0; i < attrs; i++) {
        if (condition->terms[i].op != OD_KEY_EQ) {
            return;
        }
        entries[i] = (struct od_entry){condition->terms[i].name, condition->terms[i].value};
    }
    p->out->key = od_map_build(p->scope.cx->arena, entries, attrs);
}

static od_status plan_reads(struct planner *p)
{
    struct od_ql_branches branches = {0};
    OD_TRY(od_ql_branches_make(&p->scope, p->schema, &branches));
    if (p->scope.tree->order != NULL) {
        OD_TRY(check_order(p, &branches));
    }
    OD_TRY(check_filters(p, &branches));
    if (branches.count == 0) {
        return plan_scan(p);
    }
    const struct od_ql_direction direction = direction_of(p);
    bool is_paged = branches.has_hash_list && branches.hash_count > 1;
    p->out->page_items = is_paged ? HASH_LIST_PAGE_ITEMS : 0;
    p->out->backward = direction.backward;
    OD_TRY(od_ql_branches_arrange(&p->scope, direction, &branches));
    OD_TRY(plan_queries(p, &branches));
    plan_key(p);
    return OD_OK;
}

od_status od_partiql_plan_select(od_ctx *cx, const struct od_statement *statement,
                                 const struct od_table *table, bool consistent,
                                 struct od_select_plan *out)
{
    *out = (struct od_select_plan){0};
    const struct od_statement_body *body = statement->body;
    struct planner p = {
        .scope =
            {
                .cx = cx,
                .tree = body->tree,
                .parameters = body->parameters,
                .table = table,
            },
        .body = body,
        .out = out,
    };
    OD_TRY(find_index(&p));
    OD_TRY(od_partiql_check(cx, statement));
    OD_TRY(check_consistency(&p, consistent));
    OD_TRY(check_columns(&p));
    plan_columns(&p);
    return plan_reads(&p);
}

od_value od_partiql_row(od_arena *arena, const struct od_select_plan *plan, od_value map)
{
    if (plan->columns == NULL) {
        return map;
    }
    struct od_buf row = {.arena = arena};
    size_t count = 0;
    size_t mark = od_pack_open(&row, OD_TYPE_M);
    for (size_t i = 0; i < plan->column_count; i++) {
        od_value value = od_path_get(map, &plan->columns[i].path);
        if (od_value_exists(value)) {
            od_pack_name(&row, plan->columns[i].name);
            od_pack_value(&row, value);
            count++;
        }
    }
    od_pack_close(&row, mark, count);
    return od_packed(&row);
}

od_value od_partiql_row_of_key(od_arena *arena, const struct od_select_plan *plan, od_value map)
{
    const struct od_condition *filter = plan->reads[0].filter;
    if (!od_value_exists(map) || (filter != NULL && !od_condition_match(filter, map))) {
        return (od_value){0};
    }
    return od_partiql_row(arena, plan, map);
}
