#include "support.h"

static struct od_key_attr attr(const char *name, enum od_type type)
{
    return (struct od_key_attr){.name = od_cstr(name), .type = type};
}

static void fill_indexes(struct od_index *indexes)
{
    static const od_str year[] = {OD_STR_INIT("year")};
    indexes[0] = (struct od_index){
        .name = OD_STR("ranked"),
        .is_local = true,
        .schema = {.attrs = {attr("pk", OD_TYPE_S), attr("rank", OD_TYPE_N)},
                   .hash_count = 1,
                   .range_count = 1},
        .projection = OD_PROJECT_KEYS_ONLY,
    };
    indexes[1] = (struct od_index){
        .name = OD_STR("by_label"),
        .schema = {.attrs = {attr("label", OD_TYPE_S)}, .hash_count = 1},
        .projection = OD_PROJECT_INCLUDE,
        .projected_names = year,
        .projected_count = 1,
    };
    indexes[2] = (struct od_index){
        .name = OD_STR("by_year"),
        .schema = {.attrs = {attr("label", OD_TYPE_S), attr("year", OD_TYPE_N)},
                   .hash_count = 1,
                   .range_count = 1},
        .projection = OD_PROJECT_ALL,
    };
    indexes[3] = (struct od_index){
        .name = OD_STR("by_two"),
        .schema = {.attrs = {attr("a", OD_TYPE_S), attr("b", OD_TYPE_S)}, .hash_count = 2},
        .projection = OD_PROJECT_ALL,
    };
}

const struct od_table *music(od_ctx *cx)
{
    struct od_table *table = od_new(cx->arena, struct od_table);
    table->name = OD_STR("Music");
    table->schema = (struct od_key_schema){
        .attrs = {attr("pk", OD_TYPE_S), attr("sk", OD_TYPE_N)},
        .hash_count = 1,
        .range_count = 1,
    };
    table->indexes = od_new_array(cx->arena, struct od_index, 4);
    table->index_count = 4;
    fill_indexes(table->indexes);
    return table;
}

const struct od_table *plain(od_ctx *cx)
{
    struct od_table *table = od_new(cx->arena, struct od_table);
    table->name = OD_STR("Plain");
    table->schema = (struct od_key_schema){.attrs = {attr("pk", OD_TYPE_S)}, .hash_count = 1};
    return table;
}

od_status parse(od_ctx *cx, const char *text, const char *parameters, struct od_statement *out)
{
    if (parameters == NULL) {
        return od_partiql_parse(cx, od_cstr(text), NULL, 0, out);
    }
    od_value list = value_of(cx, parameters);
    size_t count = 0;
    od_value *values = od_new_array(cx->arena, od_value, od_value_count(list));
    for (struct od_iter it = od_iter(list); od_iter_next(&it);) {
        values[count++] = it.value;
    }
    return od_partiql_parse(cx, od_cstr(text), values, count, out);
}

struct od_statement parsed(od_ctx *cx, const char *text)
{
    struct od_statement statement = {0};
    check_ok(text, cx, parse(cx, text, NULL, &statement));
    check_ok(text, cx, od_partiql_check(cx, &statement));
    return statement;
}

void check_message(const char *text, od_ctx *cx, od_status got, od_status expected,
                   const char *message)
{
    od_str found = got == OD_OK ? OD_STR("no fault") : cx->error;
    bool same = message == NULL || od_str_eq(found, od_cstr(message));
    if (got != expected || !same) {
        fail_msg("%s\n  got:      %.*s (status %d)\n  expected: %s (status %d)", text,
                 OD_STR_ARG(found), (int)got, message == NULL ? "any" : message, (int)expected);
    }
}

void check_str(const char *text, od_str got, const char *expected)
{
    if (!od_str_eq(got, od_cstr(expected))) {
        fail_msg("%s\n  got:      %.*s\n  expected: %s", text, OD_STR_ARG(got), expected);
    }
}
