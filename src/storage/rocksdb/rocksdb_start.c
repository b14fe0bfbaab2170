// Opening the data at the program's start. After a crash RocksDB replays its logs up to the first
// record that is not whole, and starts without what is behind it: its files no longer have that
// once it was opened. So the logs are looked at before.
#include "storage/rocksdb/rocksdb_internal.h"

#include "base/log.h"
#include "storage/rocksdb/log_check.h"

// Whether replaying the logs gives back every row in them. Rows of logs that are not needed any
// more are in sorted files: what counts is how far RocksDB comes, so it is asked.
static bool is_all_replayed(const od_store *store, const struct od_log_state *log)
{
    struct od_rocks_db db = {0};
    char *error = od_rocks_db_open_for_reads(store->options, store->dir.db_path, &db);
    if (error != NULL) {
        rocksdb_free(error);
        return true; // whatever that is, opening for writing will say it
    }
    bool all = rocksdb_get_latest_sequence_number(db.db) >= log->last_sequence;
    od_rocks_db_close(&db);
    return all;
}

static od_status check_logs(const od_store *store, od_ctx *cx)
{
    struct od_log_state log = {0};
    OD_TRY(od_log_look(cx, store->dir.db_path, &log));
    if (log.whole) {
        return OD_OK;
    }
    const char *file = log.file.ptr;
    unsigned long long offset = log.offset;
    if (is_all_replayed(store, &log)) {
        od_log(OD_LOG_WARN,
               "%s: the record at byte %llu was not written to its end, and is left out", file,
               offset);
        return OD_OK;
    }
    if (store->durability == OD_DURABILITY_RELAXED) {
        od_log(OD_LOG_ERROR, "%s: damaged at byte %llu, and what was written after that is lost",
               file, offset);
        return OD_OK;
    }
    return OD_FAIL(cx, OD_STORE_DOWN,
                   "%s is damaged at byte %llu, and writes that were acknowledged are behind that: "
                   "bring the data back from a backup, or start once with --durability relaxed to "
                   "go on without those writes",
                   file, offset);
}

// To RocksDB a record whose length says more than there is was being written when the power went,
// and it goes on without the files that are in it or behind it, and removes them.
static od_status check_manifest(const od_store *store, od_ctx *cx)
{
    struct od_log_state manifest = {0};
    OD_TRY(od_manifest_look(cx, store->dir.db_path, &manifest));
    if (!manifest.damaged) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_STORE_DOWN,
                   "%s is damaged at byte %llu, and it lists the files of the data: bring the data "
                   "back from a backup",
                   manifest.file.ptr, (unsigned long long)manifest.offset);
}

od_status od_rocks_start(od_store *store, od_ctx *cx)
{
    OD_TRY(od_data_dir_check_db(cx, &store->dir));
    if (!store->dir.fresh) {
        OD_TRY(check_manifest(store, cx));
        OD_TRY(check_logs(store, cx));
    }
    rocksdb_options_set_create_if_missing(store->options, store->dir.fresh);
    char *error =
        od_rocks_db_open(store->options, store->dir.db_path, store->durability, &store->db);
    rocksdb_options_set_create_if_missing(store->options, 0);
    if (error != NULL) {
        return OD_FAIL(cx, OD_STORE_DOWN, "The data in %s cannot be opened: %s", store->dir.db_path,
                       od_rocks_take_error(cx, error));
    }
    return od_data_dir_seal(cx, &store->dir);
}
