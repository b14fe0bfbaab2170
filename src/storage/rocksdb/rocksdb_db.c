#include "storage/rocksdb/rocksdb_internal.h"

#include "storage/rocksdb/log_check.h"

#include <assert.h>
#include <string.h>

enum {
    MB = 1024 * 1024,
    // A memtable, and another while the first goes to the disk, are what a crash leaves in the log:
    // small rows are replayed at 6 us each, so that a full one takes half a second.
    MEMTABLE_BYTES = 16 * MB,
    MEMTABLES = 2,
    // RocksDB takes memory for a memtable in such pieces: an idle store stays small.
    MEMTABLE_PIECE_BYTES = 64 * 1024,
    BLOCK_BYTES = 8 * 1024,
    // Within a block keys are whole at every fourth row: a get walks few rows, and the keys of
    // small rows still share their prefixes.
    RESTART_ROWS = 4,
    BLOOM_BITS = 10,
    // The newest that RocksDB 7.8 knows.
    TABLE_FORMAT = 5,
    HASH_INDEX = 1,
    LOG_FATAL = 4,
    POINT_IN_TIME = 2,
    SKIP_ANY_CORRUPTED = 3,
    // A log that has become useless is written over by a later one: a sync of bytes that are in the
    // place of others need not write how long the file is, which is half of what it costs.
    LOGS_KEPT = 1,
    COMPACTION_AND_FLUSH_JOBS = 2,
    // Memtables are small, so that many files come: rows are merged into the level below half as
    // often as with RocksDB's four. A get asks the filter of each.
    FILES_BEFORE_COMPACTION = 8,
    FILE_OPENING_THREADS = 2,
};

static const double hash_index_load = 0.75;
// Of a memtable's bytes: ten bits for each row of 60 bytes.
static const double memtable_bloom_share = 0.02;

static void tune_tables(rocksdb_options_t *options, uint64_t block_bytes)
{
    rocksdb_cache_t *cache = rocksdb_cache_create_lru(block_bytes);
    rocksdb_block_based_table_options_t *tables = rocksdb_block_based_options_create();
    rocksdb_block_based_options_set_block_cache(tables, cache);
    rocksdb_block_based_options_set_block_size(tables, BLOCK_BYTES);
    rocksdb_block_based_options_set_block_restart_interval(tables, RESTART_ROWS);
    rocksdb_block_based_options_set_filter_policy(
        tables, rocksdb_filterpolicy_create_bloom_full(BLOOM_BITS));
    rocksdb_block_based_options_set_data_block_index_type(tables, HASH_INDEX);
    rocksdb_block_based_options_set_data_block_hash_ratio(tables, hash_index_load);
    rocksdb_block_based_options_set_format_version(tables, TABLE_FORMAT);
    rocksdb_options_set_block_based_table_factory(options, tables);
    rocksdb_block_based_options_destroy(tables);
    rocksdb_cache_destroy(cache); // the options keep it
}

static void tune_writes(rocksdb_options_t *options)
{
    rocksdb_options_set_write_buffer_size(options, MEMTABLE_BYTES);
    rocksdb_options_set_max_write_buffer_number(options, MEMTABLES);
    rocksdb_options_set_arena_block_size(options, MEMTABLE_PIECE_BYTES);
    // A get goes through the memtables first, and most rows are not there.
    rocksdb_options_set_memtable_whole_key_filtering(options, 1);
    rocksdb_options_set_memtable_prefix_bloom_size_ratio(options, memtable_bloom_share);
    // Commits come one at a time: what RocksDB does for writers beside each other only costs.
    rocksdb_options_set_allow_concurrent_memtable_write(options, 0);
    rocksdb_options_set_enable_write_thread_adaptive_yield(options, 0);
    // After a crash the log is good up to the record that was being written.
    rocksdb_options_set_wal_recovery_mode(options, POINT_IN_TIME);
    rocksdb_options_set_level0_file_num_compaction_trigger(options, FILES_BEFORE_COMPACTION);
    rocksdb_options_set_max_background_jobs(options, COMPACTION_AND_FLUSH_JOBS);
}

// Rows are stored as they are while they are young, and compressed from the second level on.
static void tune_levels(rocksdb_options_t *options)
{
    int levels[] = {rocksdb_no_compression,  rocksdb_lz4_compression, rocksdb_lz4_compression,
                    rocksdb_lz4_compression, rocksdb_lz4_compression, rocksdb_lz4_compression,
                    rocksdb_lz4_compression};
    rocksdb_options_set_compression_per_level(options, levels, OD_COUNT(levels));
    rocksdb_options_set_level_compaction_dynamic_level_bytes(options, 1);
}

static void tune_start(rocksdb_options_t *options)
{
    rocksdb_options_set_max_open_files(options, -1);
    // It starts sixteen threads otherwise, whether or not there are files.
    rocksdb_options_set_max_file_opening_threads(options, FILE_OPENING_THREADS);
    rocksdb_options_set_skip_stats_update_on_db_open(options, 1);
    rocksdb_options_set_skip_checking_sst_file_sizes_on_db_open(options, 1);
    rocksdb_options_set_stats_dump_period_sec(options, 0);
    rocksdb_options_set_stats_persist_period_sec(options, 0);
    // RocksDB's own LOG stays empty. In 7.8 a second line after one that found no space on the disk
    // ends the process.
    rocksdb_options_set_info_log_level(options, LOG_FATAL);
    rocksdb_options_set_keep_log_file_num(options, 1);
}

rocksdb_options_t *od_rocks_options_create(uint64_t block_bytes)
{
    rocksdb_options_t *options = rocksdb_options_create();
    tune_tables(options, block_bytes);
    tune_writes(options);
    tune_levels(options);
    tune_start(options);
    return options;
}

static const char *const family_names[] = {"default"};

static char *open_db(const rocksdb_options_t *options, const char *path, struct od_rocks_db *out)
{
    char *error = NULL;
    struct od_rocks_db db = {0};
    db.db =
        rocksdb_open_column_families(options, path, 1, family_names, &options, &db.rows, &error);
    *out = error == NULL ? db : (struct od_rocks_db){0};
    return error;
}

// Opening moves what the logs hold to a sorted file.
static char *replay_logs(const rocksdb_options_t *options, const char *path)
{
    struct od_rocks_db db = {0};
    char *error = open_db(options, path, &db);
    od_rocks_db_close(&db);
    return error;
}

static char *open_to_write_over_logs(rocksdb_options_t *options, const char *path,
                                     struct od_rocks_db *out)
{
    rocksdb_options_set_wal_recovery_mode(options, SKIP_ANY_CORRUPTED);
    rocksdb_options_set_recycle_log_file_num(options, LOGS_KEPT);
    char *error = open_db(options, path, out);
    rocksdb_options_set_recycle_log_file_num(options, 0);
    rocksdb_options_set_wal_recovery_mode(options, POINT_IN_TIME);
    return error;
}

// RocksDB 7.8 writes over old logs only in a mode in which it would read a log past its faults. So
// that mode is for what has no logs to read. And it is for logs that are synced at each commit: of
// one that is not, the end may be lost while a later log is there, and where an old record is in
// the place of the lost one nobody notices.
char *od_rocks_db_open(rocksdb_options_t *options, const char *path, enum od_durability durability,
                       struct od_rocks_db *out)
{
    if (durability != OD_DURABILITY_SYNC) {
        return open_db(options, path, out);
    }
    *out = (struct od_rocks_db){0};
    char *error = od_log_any(path) ? replay_logs(options, path) : NULL;
    if (error != NULL) {
        return error;
    }
    return od_log_any(path) ? open_db(options, path, out)
                            : open_to_write_over_logs(options, path, out);
}

char *od_rocks_db_open_for_reads(const rocksdb_options_t *options, const char *path,
                                 struct od_rocks_db *out)
{
    char *error = NULL;
    struct od_rocks_db db = {0};
    db.db = rocksdb_open_for_read_only_column_families(options, path, 1, family_names, &options,
                                                       &db.rows, 0, &error);
    *out = error == NULL ? db : (struct od_rocks_db){0};
    return error;
}

void od_rocks_db_close(struct od_rocks_db *db)
{
    if (db->db == NULL) {
        return;
    }
    rocksdb_column_family_handle_destroy(db->rows);
    rocksdb_close(db->db);
    *db = (struct od_rocks_db){0};
}

static void put_group(char *out, od_group group)
{
    for (int i = 0; i < OD_ROCKS_PREFIX_BYTES; i++) {
        out[i] = (char)(group >> (24 - 8 * i));
    }
}

od_str od_rocks_key(od_arena *arena, od_group group, od_str key)
{
    assert(group > 0 && group < UINT32_MAX);
    char *bytes = od_arena_bytes(arena, OD_ROCKS_PREFIX_BYTES + key.len);
    put_group(bytes, group);
    if (key.len > 0) {
        memcpy(bytes + OD_ROCKS_PREFIX_BYTES, key.ptr, key.len);
    }
    return (od_str){bytes, OD_ROCKS_PREFIX_BYTES + key.len};
}

od_str od_rocks_end_key(od_arena *arena, od_group group, od_str hi)
{
    if (hi.len > 0) {
        return od_rocks_key(arena, group, hi);
    }
    assert(group > 0 && group < UINT32_MAX);
    char *bytes = od_arena_bytes(arena, OD_ROCKS_PREFIX_BYTES);
    put_group(bytes, group + 1);
    return (od_str){bytes, OD_ROCKS_PREFIX_BYTES};
}

const char *od_rocks_take_error(od_ctx *cx, char *error)
{
    od_str text = od_arena_copy(cx->arena, od_cstr(error));
    rocksdb_free(error);
    return text.ptr;
}
