#include "engine/engine_internal.h"

#include <assert.h>
#include <string.h>

#define REGION_AND_ACCOUNT "us-east-1:000000000000"

static const char arn_prefix[] = "arn:aws:dynamodb:" REGION_AND_ACCOUNT ":table/";

struct od_table *od_table_create(void)
{
    od_arena *arena = od_arena_create();
    struct od_table *table = od_new(arena, struct od_table);
    table->arena = arena;
    table->refs = 1;
    return table;
}

struct od_table *od_table_clone(const struct od_table *table)
{
    od_arena *scratch = od_arena_create();
    struct od_table *copy = od_catalog_row_decode(od_catalog_row_encode(scratch, table));
    od_arena_destroy(scratch);
    assert(copy != NULL);
    copy->item_count = table->item_count;
    copy->size_bytes = table->size_bytes;
    for (size_t i = 0; i < table->index_count; i++) {
        copy->indexes[i].item_count = table->indexes[i].item_count;
        copy->indexes[i].size_bytes = table->indexes[i].size_bytes;
    }
    return copy;
}

void od_table_put_tag(struct od_table *table, struct od_tag tag)
{
    size_t at = 0;
    while (at < table->tag_count && od_str_compare(table->tags[at].key, tag.key) < 0) {
        at++;
    }
    bool is_new = at == table->tag_count || !od_str_eq(table->tags[at].key, tag.key);
    if (is_new) {
        memmove(table->tags + at + 1, table->tags + at, (table->tag_count - at) * sizeof(tag));
        table->tag_count++;
    }
    table->tags[at] = (struct od_tag){
        .key = od_arena_copy(table->arena, tag.key),
        .value = od_arena_copy(table->arena, tag.value),
    };
}

void od_table_release(const struct od_table *table)
{
    struct od_table *owned = (struct od_table *)(uintptr_t)table;
    if (table != NULL && --owned->refs == 0) {
        od_arena_destroy(owned->arena);
    }
}

const struct od_index *od_table_index(const struct od_table *table, od_str name)
{
    for (size_t i = 0; i < table->index_count; i++) {
        if (od_str_eq(table->indexes[i].name, name)) {
            return &table->indexes[i];
        }
    }
    return NULL;
}

bool od_table_has_local_index(const struct od_table *table)
{
    return table->index_count > 0 && table->indexes[0].is_local;
}

bool od_table_is_allocating(const struct od_table *table)
{
    for (size_t i = 0; i < table->index_count; i++) {
        if (table->indexes[i].status == OD_TABLE_CREATING && !table->indexes[i].backfilling) {
            return true;
        }
    }
    return false;
}

struct od_stats od_table_stats(const struct od_table *table)
{
    return (struct od_stats){.item_count = table->item_count, .size_bytes = table->size_bytes};
}

struct od_stats od_index_stats(const struct od_index *index)
{
    return (struct od_stats){.item_count = index->item_count, .size_bytes = index->size_bytes};
}

od_str od_table_arn(od_arena *arena, od_str table_name)
{
    return od_arena_printf(arena, "%s%.*s", arn_prefix, OD_STR_ARG(table_name));
}

od_str od_table_key_arn(od_arena *arena, od_str given)
{
    if (od_str_has_prefix(given, OD_STR("arn:"))) {
        return given;
    }
    od_str key = given.ptr == NULL ? OD_STR("alias/aws/dynamodb") : given;
    const char *kind = od_str_has_prefix(key, OD_STR("alias/")) ? "" : "key/";
    return od_arena_printf(arena, "arn:aws:kms:" REGION_AND_ACCOUNT ":%s%.*s", kind,
                           OD_STR_ARG(key));
}

od_str od_table_name_of(od_str name_or_arn)
{
    if (!od_str_has_prefix(name_or_arn, OD_STR("arn:"))) {
        return name_or_arn;
    }
    if (!od_str_has_prefix(name_or_arn, OD_STR(arn_prefix))) {
        return (od_str){0};
    }
    return od_str_skip(name_or_arn, sizeof(arn_prefix) - 1);
}

bool od_index_projects(const struct od_table *table, const struct od_index *index, od_str name)
{
    size_t position = 0;
    if (index->projection == OD_PROJECT_ALL || od_key_find(&index->schema, name, &position) ||
        od_key_find(&table->schema, name, &position)) {
        return true;
    }
    for (size_t i = 0; i < index->projected_count; i++) {
        if (od_str_eq(index->projected_names[i], name)) {
            return true;
        }
    }
    return false;
}
