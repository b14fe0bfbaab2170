#include "storage/rocksdb/rocksdb_internal.h"

#include "base/log.h"
#include "storage/checked.h"
#include "storage/rocksdb/log_check.h"

// Of what was read, so much is kept as blocks, and the rest as rows: those that are asked for one
// by one, at a sixth of what it costs to find them in a block.
enum { CACHE_MB = 192, MB = 1024 * 1024 };
static const double rows_share = 0.5;

static void create_caches(od_store *store, uint64_t cache_bytes)
{
    uint64_t bytes = cache_bytes > 0 ? cache_bytes : (uint64_t)CACHE_MB * MB;
    uint64_t row_bytes = (uint64_t)((double)bytes * rows_share);
    store->row_cache = od_row_cache_create(row_bytes);
    store->options = od_rocks_options_create(bytes - row_bytes);
}

static od_store *store_create(const struct od_store_options *options, struct od_data_dir dir)
{
    od_store *store = od_checked(calloc(1, sizeof(*store)));
    store->dir = dir;
    store->durability = options->durability;
    create_caches(store, options->cache_bytes);
    store->reads = rocksdb_readoptions_create();
    store->writes = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(store->writes, options->durability == OD_DURABILITY_SYNC);
    store->sync_writes = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(store->sync_writes, 1);
    store->batch = rocksdb_writebatch_create();
    od_gate_init(&store->gate);
    pthread_mutex_init(&store->write_lock, NULL);
    return store;
}

static void store_destroy(od_store *store)
{
    od_rocks_db_close(&store->db);
    pthread_mutex_destroy(&store->write_lock);
    od_gate_clear(&store->gate);
    rocksdb_writebatch_destroy(store->batch);
    rocksdb_writeoptions_destroy(store->sync_writes);
    rocksdb_writeoptions_destroy(store->writes);
    rocksdb_readoptions_destroy(store->reads);
    rocksdb_options_destroy(store->options);
    od_row_cache_destroy(store->row_cache);
    od_data_dir_close(&store->dir);
    free(store);
}

static od_status open_store(od_ctx *cx, const struct od_store_options *options, od_store **out)
{
    struct od_data_dir dir = {0};
    OD_TRY(od_data_dir_open(cx, options->dir, &dir));
    od_store *store = store_create(options, dir);
    od_status status = od_rocks_start(store, cx);
    if (status != OD_OK) {
        store_destroy(store);
        return status;
    }
    *out = store;
    return OD_OK;
}

static bool flush_memtables(od_store *store)
{
    rocksdb_flushoptions_t *flush = rocksdb_flushoptions_create();
    char *error = NULL;
    rocksdb_flush(store->db.db, flush, &error);
    rocksdb_flushoptions_destroy(flush);
    if (error != NULL) {
        od_log(OD_LOG_WARN, "%s was closed with its log to be replayed: %s", store->dir.db_path,
               error);
        rocksdb_free(error);
        return false;
    }
    return true;
}

// That no row is in the logs alone.
static bool is_flushed(od_store *store)
{
    uint64_t rows = 1;
    uint64_t memtables = 1;
    return rocksdb_property_int(store->db.db, "rocksdb.num-entries-active-mem-table", &rows) == 0 &&
           rocksdb_property_int(store->db.db, "rocksdb.num-immutable-mem-table", &memtables) == 0 &&
           rows == 0 && memtables == 0;
}

// RocksDB leaves the logs that it would write over: the next start would look through them.
static void close_store(od_store *store)
{
    bool flushed = atomic_load(&store->state) == OD_ROCKS_WRITABLE && flush_memtables(store) &&
                   is_flushed(store);
    od_rocks_db_close(&store->db);
    if (flushed) {
        od_log_remove(store->dir.db_path);
    }
    store_destroy(store);
}

static struct od_store_caps caps(const od_store *store)
{
    (void)store;
    return (struct od_store_caps){.multi_group = true, .durable = true};
}

static struct od_store_health health(const od_store *store)
{
    static const char *const reasons[] = {
        [OD_ROCKS_FULL] = "no space left on the disk",
        [OD_ROCKS_BROKEN] = "writing to the disk failed",
    };
    enum od_rocks_state state = atomic_load(&store->state);
    return (struct od_store_health){.writable = state == OD_ROCKS_WRITABLE,
                                    .reason = reasons[state]};
}

// The module's one symbol.
__attribute__((visibility("default"))) extern const struct od_store_ops od_store_rocksdb;

const struct od_store_ops od_store_rocksdb = {
    .abi = OD_STORE_ABI,
    .name = "rocksdb",
    .open = open_store,
    .close = close_store,
    .caps = caps,
    .group_drop = od_rocks_group_drop,
    .get = od_rocks_get,
    .scan = od_rocks_scan,
    .commit = od_rocks_commit,
    .snapshot_open = od_rocks_snapshot_open,
    .snapshot_close = od_rocks_snapshot_close,
    .health = health,
};
