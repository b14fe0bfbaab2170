// Query and Scan: one page of rows, in order, filtered.
#include "engine/engine_internal.h"
#include "engine/read/read_bounds.h"

enum {
    PAGE_BYTES = 1024 * 1024,
    // A read of no more than this is short.
    SHORT_ROWS = 32,
    SHORT_BYTES = 32 * 1024,
};

// A read under way.
struct page {
    od_engine *engine;
    od_ctx *cx;
    const struct od_read *read;
    const struct od_table *table;
    const struct od_index *index; // NULL for the table
    bool fetches;                 // items come from the table, though an index is read
    od_snapshot *snapshot;
    od_item_visitor *visit;
    void *visit_arg;
    struct od_read_result *out;
    size_t bytes;         // evaluated so far
    size_t fetched_bytes; // of items that came from the table for rows of an index
    int64_t fetch_halves;
    od_str last_row; // where the page ended early
    od_status status;
};

static const struct od_key_schema *schema_of(const struct page *page)
{
    return page->index == NULL ? &page->table->schema : &page->index->schema;
}

// --- Checks that need the table -----------------------------------------------------------------

static od_status find_index(struct page *page)
{
    const struct od_read *read = page->read;
    if (read->index.ptr == NULL) {
        return OD_OK;
    }
    page->index = od_table_index(page->table, read->index);
    if (page->index == NULL) {
        return OD_FAIL(page->cx, OD_VALIDATION, "The table does not have the specified index: %.*s",
                       OD_STR_ARG(read->index));
    }
    if (page->index->status == OD_TABLE_CREATING) {
        return OD_FAIL(page->cx, OD_VALIDATION,
                       "Cannot read from backfilling global secondary index: %.*s",
                       OD_STR_ARG(read->index));
    }
    if (read->consistent && !page->index->is_local) {
        return OD_FAIL(page->cx, OD_VALIDATION,
                       "Consistent reads are not supported on global secondary indexes");
    }
    return OD_OK;
}

struct name_check {
    const struct page *page;
    od_str found;
};

static bool find_key_name(void *arg, od_str name)
{
    struct name_check *check = arg;
    size_t position = 0;
    if (od_key_find(schema_of(check->page), name, &position)) {
        check->found = name;
    }
    return check->found.ptr == NULL;
}

static bool find_unprojected(void *arg, od_str name)
{
    struct name_check *check = arg;
    if (!od_index_projects(check->page->table, check->page->index, name)) {
        check->found = name;
    }
    return check->found.ptr == NULL;
}

// A Query's filter names no key attribute of what is queried, and nothing that an index lacks.
static od_status check_filter(const struct page *page)
{
    const struct od_read *read = page->read;
    if (read->filter == NULL || read->key_condition == NULL) {
        return OD_OK;
    }
    struct name_check keys = {.page = page};
    od_condition_names(read->filter, find_key_name, &keys);
    if (keys.found.ptr != NULL) {
        return OD_FAIL(
            page->cx, OD_VALIDATION,
            "%s can only contain non-primary key attributes: Primary key attribute: %.*s",
            read->filter_is_legacy ? "QueryFilter" : "Filter Expression", OD_STR_ARG(keys.found));
    }
    if (page->index == NULL) {
        return OD_OK;
    }
    struct name_check lacking = {.page = page};
    od_condition_names(read->filter, find_unprojected, &lacking);
    if (lacking.found.ptr != NULL) {
        return OD_FAIL(page->cx, OD_VALIDATION,
                       "One or more parameter values were invalid: Secondary index %.*s does not "
                       "project one or more filter attributes: [%.*s]",
                       OD_STR_ARG(page->index->name), OD_STR_ARG(lacking.found));
    }
    return OD_OK;
}

static od_str first_unprojected(const struct page *page)
{
    const struct od_projection *projection = page->read->projection;
    for (size_t i = 0; projection != NULL && i < projection->count; i++) {
        od_str name = projection->paths[i].steps[0].name;
        if (!od_index_projects(page->table, page->index, name)) {
            return name;
        }
    }
    return (od_str){0};
}

// What the index lacks is fetched from the table for a local index, and refused for a global one.
static od_status check_select(struct page *page)
{
    if (page->index == NULL || page->index->projection == OD_PROJECT_ALL) {
        return OD_OK;
    }
    bool all = page->read->select == OD_SELECT_ALL_ATTRIBUTES;
    od_str lacking = first_unprojected(page);
    if (page->index->is_local) {
        page->fetches = all || lacking.ptr != NULL;
        return OD_OK;
    }
    if (all) {
        return OD_FAIL(
            page->cx, OD_VALIDATION,
            "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
            "supported for global secondary index %.*s because its projection type is not "
            "ALL",
            OD_STR_ARG(page->index->name));
    }
    if (lacking.ptr != NULL) {
        return OD_FAIL(
            page->cx, OD_VALIDATION,
            "One or more parameter values were invalid: Global secondary index %.*s does "
            "not project [%.*s]",
            OD_STR_ARG(page->index->name), OD_STR_ARG(lacking));
    }
    return OD_OK;
}

static od_status make_bounds(struct page *page, struct od_bounds *bounds)
{
    const struct od_read *read = page->read;
    if (read->key_condition != NULL) {
        OD_TRY(od_bounds_of_query(page->cx, schema_of(page), read->key_condition, bounds));
    } else {
        od_bounds_of_scan(page->cx->arena, read, bounds);
    }
    return od_bounds_start(page->cx, page->table, page->index, read, bounds);
}

// --- Rows ---------------------------------------------------------------------------------------

// The table's item for a row of a local index.
static od_status fetch(struct page *page, od_value entry, od_item *out)
{
    od_str key = od_row_key(page->cx->arena, &page->table->schema, entry);
    od_str row = {0};
    OD_TRY(page->engine->ops->get(page->engine->store, page->cx, page->snapshot, page->table->group,
                                  &key, 1, &row));
    if (row.ptr == NULL) {
        return OD_FAIL(page->cx, OD_INTERNAL, "index %.*s holds an item that the table does not",
                       OD_STR_ARG(page->index->name));
    }
    *out = (od_item){row.ptr, row.len};
    page->fetched_bytes += od_item_size(*out);
    page->fetch_halves += od_read_halves(od_item_size(*out), page->read->consistent);
    return OD_OK;
}

static od_status emit(struct page *page, od_value map)
{
    page->out->count++;
    if (page->read->select == OD_SELECT_COUNT) {
        return OD_OK;
    }
    od_item item = {0};
    if (page->fetches) {
        OD_TRY(fetch(page, map, &item));
        map = od_item_map(item);
    }
    page->visit(page->visit_arg, map);
    return OD_OK;
}

static od_value last_key_of(const struct page *page, od_value map)
{
    struct od_entry entries[OD_KEY_MAX_ATTRS + 2];
    size_t count = 0;
    const struct od_key_schema *table = &page->table->schema;
    for (size_t i = 0; i < od_key_attr_count(table); i++) {
        entries[count++] =
            (struct od_entry){table->attrs[i].name, od_map_get(map, table->attrs[i].name)};
    }
    for (size_t i = 0; page->index != NULL && i < od_key_attr_count(&page->index->schema); i++) {
        od_str name = page->index->schema.attrs[i].name;
        size_t position = 0;
        if (!od_key_find(table, name, &position)) {
            entries[count++] = (struct od_entry){name, od_map_get(map, name)};
        }
    }
    return od_map_build(page->cx->arena, entries, count);
}

// What is fetched counts: an entry of a few bytes may bring 400 KB.
static size_t bytes_read(const struct page *page)
{
    return page->bytes + page->fetched_bytes;
}

static bool is_full(const struct page *page)
{
    return bytes_read(page) > PAGE_BYTES ||
           (page->read->limit > 0 && page->out->scanned == page->read->limit);
}

static bool is_too_long(const struct page *page)
{
    return page->read->short_only &&
           (page->out->scanned == SHORT_ROWS || bytes_read(page) > SHORT_BYTES);
}

static bool visit_row(void *arg, od_str key, od_str value)
{
    struct page *page = arg;
    if (is_too_long(page)) {
        page->out->given_up = true;
        return false;
    }
    od_item item = {value.ptr, value.len};
    od_value map = od_item_map(item);
    page->bytes += od_item_size(item);
    page->out->scanned++;
    if (page->read->filter == NULL || od_condition_match(page->read->filter, map)) {
        page->status = emit(page, map);
    }
    if (page->status != OD_OK) {
        return false;
    }
    if (is_full(page)) {
        page->out->last_key = last_key_of(page, map);
        page->last_row = od_arena_copy(page->cx->arena, key);
        return false;
    }
    return true;
}

// --- Capacity -----------------------------------------------------------------------------------

// Which of `count` equal parts of the hash space a row, or a bound of rows, lies in. `key` may be
// empty for the beginning.
static uint32_t partition_of(od_str key, uint32_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < OD_KEY_HASH_BYTES; i++) {
        hash = hash << 7 | (i < key.len ? (unsigned char)key.ptr[i] & 0x7F : 0);
    }
    return (uint32_t)(((unsigned __int128)hash * count) >> 56);
}

// A scan costs at least half a unit for each partition that it visits.
static int64_t partitions_visited(const struct page *page, const struct od_bounds *bounds)
{
    uint32_t count = od_partition_count(page->table, page->index);
    uint32_t first = partition_of(bounds->lo, count);
    uint32_t last = count - 1;
    if (page->last_row.ptr != NULL) {
        last = partition_of(page->last_row, count);
    } else if (bounds->hi.len > 0) {
        last = partition_of(bounds->hi, count);
        // A bound at a partition's very beginning leaves that partition out.
        last -= last > first && partition_of(bounds->hi, count * 1024) == last * 1024;
    }
    return (int64_t)last - first + 1;
}

static void charge(const struct page *page, const struct od_bounds *bounds)
{
    int64_t halves = od_read_halves(page->bytes, false);
    if (page->read->key_condition == NULL) {
        int64_t least = partitions_visited(page, bounds);
        halves = halves > least ? halves : least;
    }
    halves *= page->read->consistent ? 2 : 1;
    struct od_capacity *capacity = &page->out->capacity;
    capacity->table = page->read->table;
    od_capacity_charge(capacity, page->cx->arena, page->index, halves);
    capacity->table_halves += page->fetch_halves;
}

// --- The read -----------------------------------------------------------------------------------

// Finding one row by its key costs half of what a scan for it does.
static od_status get_row(struct page *page, od_str key)
{
    const struct od_store_ops *ops = page->engine->ops;
    od_str row = {0};
    OD_TRY(ops->get(page->engine->store, page->cx, NULL, page->table->group, &key, 1, &row));
    if (row.ptr != NULL) {
        (void)visit_row(page, key, row);
    }
    return page->status;
}

static od_status scan_rows(struct page *page, const struct od_bounds *bounds)
{
    if (bounds->empty) {
        return OD_OK;
    }
    if (bounds->exact && page->index == NULL) {
        return get_row(page, bounds->lo);
    }
    struct od_scan_range range = {
        .group = page->index == NULL ? page->table->group : page->index->group,
        .lo = bounds->lo,
        .hi = bounds->hi,
        .reverse = page->read->backward,
        .given_up = page->read->short_only ? &page->out->given_up : NULL,
    };
    const struct od_store_ops *ops = page->engine->ops;
    OD_TRY(ops->scan(page->engine->store, page->cx, page->snapshot, &range, visit_row, page));
    return page->status;
}

// What an index lacks must be read as of the same moment as the index.
static od_status scan_with_fetches(struct page *page, const struct od_bounds *bounds)
{
    const struct od_store_ops *ops = page->engine->ops;
    OD_TRY(ops->snapshot_open(page->engine->store, page->cx, &page->snapshot));
    od_status status = scan_rows(page, bounds);
    ops->snapshot_close(page->engine->store, page->snapshot);
    return status;
}

static od_status read_page(struct page *page)
{
    struct od_bounds bounds = {0};
    OD_TRY(find_index(page));
    OD_TRY(make_bounds(page, &bounds));
    OD_TRY(check_filter(page));
    OD_TRY(check_select(page));
    OD_TRY(page->fetches ? scan_with_fetches(page, &bounds) : scan_rows(page, &bounds));
    charge(page, &bounds);
    return OD_OK;
}

od_status od_engine_read(od_engine *engine, od_ctx *cx, const struct od_read *read,
                         od_item_visitor *visit, void *arg, struct od_read_result *out)
{
    *out = (struct od_read_result){0};
    struct page page = {
        .engine = engine,
        .cx = cx,
        .read = read,
        .visit = visit,
        .visit_arg = arg,
        .out = out,
    };
    OD_TRY(od_table_acquire(engine, cx, read->table, &page.table));
    od_status status = read_page(&page);
    od_table_release(page.table);
    return status;
}
