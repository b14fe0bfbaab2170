// Any UTF-8 as a statement, with parameters for its question marks, planned with a table and run on
// an item; and as a NextToken. What a WHERE is true of, its reads must give just once.
#include "base/utf8.h"
#include "partiql/partiql_internal.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 8192, LISTED = 2 };

struct subject {
    od_ctx *cx;
    const struct od_table *table;
    od_value item;
    const od_value *parameters;
    size_t parameter_count;
    struct od_statement statement;
};

// --- A table, an item, parameters ---------------------------------------------------------------

static od_value number(od_arena *arena, uint64_t n)
{
    struct od_buf out = {.arena = arena};
    od_pack_number(&out, od_number_from_u64(n));
    return od_packed(&out);
}

static od_value text(od_arena *arena, const char *s)
{
    struct od_buf out = {.arena = arena};
    od_pack_s(&out, od_cstr(s));
    return od_packed(&out);
}

static od_value flag(od_arena *arena, bool on)
{
    struct od_buf out = {.arena = arena};
    od_pack_bool(&out, on);
    return od_packed(&out);
}

static od_value set(od_arena *arena)
{
    struct od_buf out = {.arena = arena};
    od_value members[] = {text(arena, "x"), text(arena, "y")};
    bool packed = od_pack_set(&out, OD_TYPE_SS, members, 2);
    assert(packed);
    return od_packed(&out);
}

static od_value list(od_arena *arena, od_value member)
{
    struct od_buf out = {.arena = arena};
    size_t mark = od_pack_open(&out, OD_TYPE_L);
    for (size_t i = 0; i < LISTED; i++) {
        od_pack_value(&out, member);
    }
    od_pack_close(&out, mark, LISTED);
    return od_packed(&out);
}

static od_value map(od_arena *arena, od_value member)
{
    struct od_entry entries[] = {{OD_STR("a"), member}, {OD_STR("b"), number(arena, 1)}};
    return od_map_build(arena, entries, OD_COUNT(entries));
}

static od_value make_item(od_arena *arena)
{
    struct od_entry entries[] = {
        {OD_STR("b"), flag(arena, true)},
        {OD_STR("d"), set(arena)},
        {OD_STR("k"), text(arena, "a")},
        {OD_STR("l"), list(arena, number(arena, 2))},
        {OD_STR("m"), map(arena, list(arena, map(arena, text(arena, "deep"))))},
        {OD_STR("n"), number(arena, 5)},
        {OD_STR("r"), number(arena, 1)},
        {OD_STR("s"), text(arena, "abc")},
    };
    return od_map_build(arena, entries, OD_COUNT(entries));
}

static const od_value *make_parameters(od_arena *arena, size_t count)
{
    const od_value kinds[] = {text(arena, "a"), number(arena, 1), set(arena),
                              list(arena, number(arena, 3)), flag(arena, true)};
    od_value *parameters = od_new_array(arena, od_value, count);
    for (size_t i = 0; i < count; i++) {
        parameters[i] = kinds[i % OD_COUNT(kinds)];
    }
    return parameters;
}

// Keys k S and r N; a local index i on k and n, a global one g on s, both of keys alone.
static const struct od_table *make_table(od_arena *arena)
{
    struct od_table *table = od_new(arena, struct od_table);
    const struct od_key_attr k = {.name = OD_STR("k"), .type = OD_TYPE_S};
    const struct od_key_attr r = {.name = OD_STR("r"), .type = OD_TYPE_N};
    const struct od_key_attr n = {.name = OD_STR("n"), .type = OD_TYPE_N};
    const struct od_key_attr s = {.name = OD_STR("s"), .type = OD_TYPE_S};
    table->name = OD_STR("t");
    table->schema = (struct od_key_schema){.attrs = {k, r}, .hash_count = 1, .range_count = 1};
    table->indexes = od_new_array(arena, struct od_index, 2);
    table->index_count = 2;
    table->indexes[0] = (struct od_index){
        .name = OD_STR("i"),
        .is_local = true,
        .schema = {.attrs = {k, n}, .hash_count = 1, .range_count = 1},
        .projection = OD_PROJECT_KEYS_ONLY,
    };
    table->indexes[1] = (struct od_index){
        .name = OD_STR("g"),
        .schema = {.attrs = {s}, .hash_count = 1},
        .projection = OD_PROJECT_KEYS_ONLY,
    };
    return table;
}

// --- What every statement must do ---------------------------------------------------------------

static void check_fault(const struct subject *s, od_status status)
{
    assert(status == OD_VALIDATION || status == OD_VALIDATION_ITEM);
    assert(s->cx->error.ptr != NULL && s->cx->error.len > 0);
}

static void check_value(od_value v)
{
    assert(od_value_valid((od_str){v.ptr, v.len}));
    assert(od_value_depth(v) <= OD_MAX_NESTING + 1); // the item's own map is not counted
}

static bool where_holds(const struct subject *s, const struct od_index *index)
{
    const struct od_statement_body *body = s->statement.body;
    const struct od_ql_scope scope = {
        .cx = s->cx,
        .tree = body->tree,
        .parameters = body->parameters,
        .table = s->table,
        .index = index,
    };
    if (body->tree->where == NULL) {
        return true;
    }
    const struct od_condition *condition = NULL;
    od_status status = od_ql_condition(&scope, body->tree->where, &condition);
    assert(status == OD_OK);
    return od_condition_match(condition, s->item);
}

static bool begins(od_value v, od_value prefix)
{
    od_str bytes = od_value_bytes(v);
    od_str start = od_value_bytes(prefix);
    return bytes.len >= start.len && od_str_eq((od_str){bytes.ptr, start.len}, start);
}

static bool term_holds(const struct od_key_term *term, od_value v)
{
    assert(od_value_type(term->value) == od_value_type(v));
    int order = od_value_compare(v, term->value);
    switch (term->op) {
    case OD_KEY_EQ:
        return order == 0;
    case OD_KEY_LT:
        return order < 0;
    case OD_KEY_LE:
        return order <= 0;
    case OD_KEY_GT:
        return order > 0;
    case OD_KEY_GE:
        return order >= 0;
    case OD_KEY_BETWEEN:
        return order >= 0 && od_value_compare(v, term->upper) <= 0;
    case OD_KEY_BEGINS_WITH:
        break;
    }
    // The engine refuses a prefix of a number.
    return od_value_type(v) == OD_TYPE_N || begins(v, term->value);
}

static bool read_gives(const struct subject *s, const struct od_select_read *read)
{
    const struct od_key_condition *keys = read->key_condition;
    for (size_t i = 0; keys != NULL && i < keys->count; i++) {
        if (!term_holds(&keys->terms[i], od_map_get(s->item, keys->terms[i].name))) {
            return false;
        }
    }
    return read->filter == NULL || od_condition_match(read->filter, s->item);
}

static bool has_number_prefix(const struct od_select_read *read)
{
    const struct od_key_condition *keys = read->key_condition;
    for (size_t i = 0; keys != NULL && i < keys->count; i++) {
        if (keys->terms[i].op == OD_KEY_BEGINS_WITH &&
            od_value_type(keys->terms[i].value) == OD_TYPE_N) {
            return true;
        }
    }
    return false;
}

static void run_select(const struct subject *s)
{
    struct od_select_plan plan = {0};
    od_status status = od_partiql_plan_select(s->cx, &s->statement, s->table, false, &plan);
    if (status != OD_OK) {
        check_fault(s, status);
        return;
    }
    assert(plan.read_count > 0 && plan.read_count <= OD_PARTIQL_MAX_READS);
    size_t given = 0;
    bool is_refused = false;
    for (size_t i = 0; i < plan.read_count; i++) {
        given += read_gives(s, &plan.reads[i]);
        is_refused = is_refused || has_number_prefix(&plan.reads[i]);
    }
    const struct od_index *index =
        plan.index.ptr == NULL ? NULL : od_table_index(s->table, plan.index);
    assert(is_refused || given == where_holds(s, index));
    check_value(od_partiql_row(s->cx->arena, &plan, s->item));
}

static bool is_item_of(const struct subject *s, od_value key)
{
    for (size_t i = 0; i < od_key_attr_count(&s->table->schema); i++) {
        od_str name = s->table->schema.attrs[i].name;
        if (!od_value_equal(od_map_get(key, name), od_map_get(s->item, name))) {
            return false;
        }
    }
    return true;
}

static void check_condition(const struct subject *s, const struct od_write_action *action)
{
    bool of_nothing =
        action->condition == NULL || od_condition_match(action->condition, (od_value){0});
    assert(of_nothing == (action->kind == OD_WRITE_DELETE));
    if (is_item_of(s, action->map)) {
        bool of_item = action->condition == NULL || od_condition_match(action->condition, s->item);
        assert(of_item == where_holds(s, NULL));
    }
}

static void run_update(const struct subject *s, const struct od_update *update)
{
    struct od_write_result result = {.old_map = s->item};
    od_status status = od_update_apply(s->cx, update, s->item, true, &result.new_map);
    if (status != OD_OK) {
        check_fault(s, status);
        return;
    }
    check_value(result.new_map);
    od_value row = od_partiql_returned(s->cx->arena, &s->statement, &result);
    if (od_value_exists(row)) {
        check_value(row);
    }
}

static void run_write(const struct subject *s)
{
    struct od_write_action action = {0};
    od_status status = od_partiql_plan_write(s->cx, &s->statement, s->table, &action);
    if (status != OD_OK) {
        check_fault(s, status);
        return;
    }
    check_value(action.map);
    if (action.kind == OD_WRITE_PUT) {
        return;
    }
    check_condition(s, &action);
    assert((action.update != NULL) == (action.kind == OD_WRITE_UPDATE));
    if (action.update != NULL) {
        run_update(s, action.update);
    }
}

// --- Texts --------------------------------------------------------------------------------------

// As many as the statement has question marks, if it can be parsed at all.
static void add_parameters(struct subject *s, od_str statement)
{
    const struct od_ql_tree *tree = NULL;
    if (od_ql_parse(s->cx, statement, &tree) == OD_OK) {
        s->parameters = make_parameters(s->cx->arena, tree->parameter_count);
        s->parameter_count = tree->parameter_count;
    }
}

static void run_statement(od_ctx *cx, od_str statement)
{
    struct subject s = {.cx = cx, .table = make_table(cx->arena), .item = make_item(cx->arena)};
    add_parameters(&s, statement);
    od_status status =
        od_partiql_parse(cx, statement, s.parameters, s.parameter_count, &s.statement);
    if (status != OD_OK) {
        check_fault(&s, status);
    } else if (s.statement.kind == OD_STATEMENT_SELECT) {
        run_select(&s);
    } else {
        run_write(&s);
    }
}

static void run_token(od_ctx *cx, od_str token)
{
    uint64_t fingerprint = od_partiql_fingerprint(0, token, NULL, 0);
    struct od_select_position position = {0};
    od_status status = od_partiql_token_read(cx, token, fingerprint, &position);
    assert(status == OD_VALIDATION); // no token holds its own hash

    const struct od_select_position written = {.read = token.len % OD_PARTIQL_MAX_READS,
                                               .key = make_item(cx->arena)};
    od_str good = od_partiql_token_write(cx->arena, fingerprint, &written);
    status = od_partiql_token_read(cx, good, fingerprint, &position);
    assert(status == OD_OK && position.read == written.read);
    assert(od_value_equal(position.key, written.key));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const od_str input = {(const char *)data, size};
    if (size > MAX_BYTES || !od_utf8_valid(input)) {
        return 0;
    }
    od_arena *arena = od_arena_create();
    od_ctx cx = {.arena = arena};
    run_statement(&cx, input);
    run_token(&cx, input);
    od_arena_destroy(arena);
    return 0;
}
