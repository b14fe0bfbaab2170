#include "engine/engine_internal.h"
#include "engine/groups.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct od_catalog_entry {
    const struct od_table *table; // a reference
    UT_hash_handle hh;            // by the table's name
};

static struct od_catalog_entry *find_entry(const od_engine *engine, od_str name)
{
    struct od_catalog_entry *entry = NULL;
    HASH_FIND(hh, engine->catalog, name.ptr, name.len, entry);
    return entry;
}

static void remove_entry(struct od_catalog_entry **entries, struct od_catalog_entry *entry)
{
    HASH_DEL(*entries, entry);
    od_table_release(entry->table);
    free(entry);
}

static void remove_all(struct od_catalog_entry **entries)
{
    struct od_catalog_entry *entry = *entries;
    HASH_CLEAR(hh, *entries); // the entries themselves stay linked
    while (entry != NULL) {
        struct od_catalog_entry *next = entry->hh.next;
        od_table_release(entry->table);
        free(entry);
        entry = next;
    }
}

static void add_entry(struct od_catalog_entry **entries, const struct od_table *table)
{
    struct od_catalog_entry *entry = calloc(1, sizeof(*entry));
    if (entry == NULL) {
        abort();
    }
    entry->table = table;
    HASH_ADD_KEYPTR(hh, *entries, table->name.ptr, table->name.len, entry);
}

void od_catalog_publish(od_engine *engine, struct od_table *table)
{
    pthread_rwlock_wrlock(&engine->catalog_lock);
    struct od_catalog_entry *old = find_entry(engine, table->name);
    if (old != NULL) {
        remove_entry(&engine->catalog, old);
    }
    add_entry(&engine->catalog, table);
    pthread_rwlock_unlock(&engine->catalog_lock);
}

void od_catalog_remove(od_engine *engine, od_str name)
{
    pthread_rwlock_wrlock(&engine->catalog_lock);
    struct od_catalog_entry *entry = find_entry(engine, name);
    if (entry != NULL) {
        remove_entry(&engine->catalog, entry);
    }
    pthread_rwlock_unlock(&engine->catalog_lock);
}

void od_catalog_clear(od_engine *engine)
{
    remove_all(&engine->catalog);
}

size_t od_catalog_count(od_engine *engine)
{
    pthread_rwlock_rdlock(&engine->catalog_lock);
    size_t count = HASH_COUNT(engine->catalog);
    pthread_rwlock_unlock(&engine->catalog_lock);
    return count;
}

const struct od_table *od_catalog_find(od_engine *engine, od_str name)
{
    pthread_rwlock_rdlock(&engine->catalog_lock);
    struct od_catalog_entry *entry = name.len == 0 ? NULL : find_entry(engine, name);
    const struct od_table *table = entry == NULL ? NULL : entry->table;
    if (table != NULL) {
        ((struct od_table *)(uintptr_t)table)->refs++;
    }
    pthread_rwlock_unlock(&engine->catalog_lock);
    return table;
}

static bool has_backfill(const struct od_table *table)
{
    for (size_t i = 0; i < table->index_count; i++) {
        if (table->indexes[i].status == OD_TABLE_CREATING) {
            return true;
        }
    }
    return false;
}

bool od_catalog_find_backfill(od_engine *engine, od_arena *arena, od_str *name)
{
    bool found = false;
    pthread_rwlock_rdlock(&engine->catalog_lock);
    for (struct od_catalog_entry *entry = engine->catalog; entry != NULL && !found;
         entry = entry->hh.next) {
        found = has_backfill(entry->table);
        *name = found ? od_arena_copy(arena, entry->table->name) : (od_str){0};
    }
    pthread_rwlock_unlock(&engine->catalog_lock);
    return found;
}

od_status od_table_acquire(od_engine *engine, od_ctx *cx, od_str name_or_arn,
                           const struct od_table **out)
{
    *out = od_catalog_find(engine, od_table_name_of(name_or_arn));
    if (*out == NULL) {
        return OD_FAIL(cx, OD_NO_SUCH_RESOURCE, "Requested resource not found");
    }
    return OD_OK;
}

od_status od_table_acquire_described(od_engine *engine, od_ctx *cx, od_str name_or_arn,
                                     const struct od_table **out)
{
    od_str name = od_table_name_of(name_or_arn);
    *out = od_catalog_find(engine, name);
    if (*out == NULL) {
        name = name.ptr == NULL ? name_or_arn : name;
        return OD_FAIL(cx, OD_NO_SUCH_RESOURCE,
                       "Requested resource not found: Table: %.*s not found", OD_STR_ARG(name));
    }
    return OD_OK;
}

od_status od_table_acquire_tagged(od_engine *engine, od_ctx *cx, od_str arn,
                                  const struct od_table **out)
{
    if (!od_str_has_prefix(arn, OD_STR("arn:aws:dynamodb:"))) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "Invalid TableArn: Invalid ResourceArn provided as input %.*s",
                       OD_STR_ARG(arn));
    }
    od_str name = od_table_name_of(arn);
    if (name.ptr == NULL) {
        return OD_FAIL(cx, OD_ACCESS_DENIED, "No access to resource %.*s", OD_STR_ARG(arn));
    }
    *out = od_catalog_find(engine, name);
    if (*out == NULL) {
        return OD_FAIL(cx, OD_NO_SUCH_RESOURCE,
                       "Requested resource not found: ResourcArn: %.*s not found", OD_STR_ARG(arn));
    }
    return OD_OK;
}

static int compare_names(const void *a, const void *b)
{
    return od_str_compare(*(const od_str *)a, *(const od_str *)b);
}

od_status od_engine_list_tables(od_engine *engine, od_ctx *cx, od_str after, size_t limit,
                                od_str *names, size_t *count, bool *more)
{
    pthread_rwlock_rdlock(&engine->catalog_lock);
    size_t total = 0;
    od_str *all = od_new_array(cx->arena, od_str, HASH_COUNT(engine->catalog) + 1);
    for (struct od_catalog_entry *entry = engine->catalog; entry != NULL; entry = entry->hh.next) {
        if (after.ptr == NULL || od_str_compare(entry->table->name, after) > 0) {
            all[total++] = od_arena_copy(cx->arena, entry->table->name);
        }
    }
    pthread_rwlock_unlock(&engine->catalog_lock);
    qsort(all, total, sizeof(*all), compare_names);
    *count = total < limit ? total : limit;
    *more = total > limit;
    memcpy(names, all, *count * sizeof(*all));
    return OD_OK;
}

// --- Loading ------------------------------------------------------------------------------------

struct load {
    const od_engine *engine;
    od_ctx *cx;
    struct od_catalog_entry *entries;
    od_group next_group;
    od_status status;
};

static bool load_table(struct load *load, od_str value)
{
    struct od_table *table = NULL;
    if (od_item_valid(value)) {
        table = od_catalog_row_decode((od_item){value.ptr, value.len});
    }
    if (table == NULL) {
        load->status = OD_FAIL(load->cx, OD_STORE_DOWN,
                               "the data directory's list of tables is damaged; restore a backup");
        return false;
    }
    add_entry(&load->entries, table);
    return true;
}

static bool load_row(void *arg, od_str key, od_str value)
{
    struct load *load = arg;
    if (key.ptr[0] == 't') {
        return load_table(load, value);
    }
    if (key.ptr[0] == 'g' && value.len == sizeof(load->next_group)) {
        memcpy(&load->next_group, value.ptr, value.len);
    }
    return true;
}

static od_status load_counters(const struct load *load, od_group group, _Atomic int64_t *items,
                               _Atomic int64_t *bytes)
{
    const od_engine *engine = load->engine;
    char space[OD_GROUP_KEY_BYTES];
    od_str key = od_group_key(space, group);
    od_str row = {0};
    OD_TRY(engine->ops->get(engine->store, load->cx, NULL, OD_GROUP_STATS, &key, 1, &row));
    int64_t counts[2] = {0};
    if (row.len == sizeof(counts)) {
        memcpy(counts, row.ptr, sizeof(counts));
    }
    *items = counts[0];
    *bytes = counts[1];
    return OD_OK;
}

static od_status load_stats(const struct load *load)
{
    for (struct od_catalog_entry *entry = load->entries; entry != NULL; entry = entry->hh.next) {
        struct od_table *table = (struct od_table *)(uintptr_t)entry->table;
        OD_TRY(load_counters(load, table->group, &table->item_count, &table->size_bytes));
        for (size_t i = 0; i < table->index_count; i++) {
            struct od_index *index = &table->indexes[i];
            OD_TRY(load_counters(load, index->group, &index->item_count, &index->size_bytes));
        }
    }
    return OD_OK;
}

static od_status load_all(struct load *load)
{
    const od_engine *engine = load->engine;
    struct od_scan_range all = {.group = OD_GROUP_CATALOG};
    OD_TRY(engine->ops->scan(engine->store, load->cx, NULL, &all, load_row, load));
    OD_TRY(load->status);
    return load_stats(load);
}

od_status od_catalog_load(od_engine *engine, od_ctx *cx)
{
    struct load load = {.engine = engine, .cx = cx, .next_group = OD_GROUP_FIRST_FREE};
    od_status status = load_all(&load);
    if (status != OD_OK) {
        remove_all(&load.entries);
        return status;
    }
    pthread_rwlock_wrlock(&engine->catalog_lock);
    struct od_catalog_entry *old = engine->catalog;
    engine->catalog = load.entries;
    engine->next_group = load.next_group;
    pthread_rwlock_unlock(&engine->catalog_lock);
    remove_all(&old);
    return OD_OK;
}
