// The control for durable writes: one thread that puts batches of rows into a RocksDB and syncs
// each. It is what a committer could reach that had nothing else to do.
//
//   raw_rocksdb DIR ROWS_A_BATCH SECONDS      prints "rows_per_s=" and "cpu_us_per_row="
#include "keys.h"
#include "process.h"

#include "base/clock.h"
#include "base/str.h"

#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 1024, KEY_BYTES = 24, KEY_COUNT = 100000, MEMTABLE_BYTES = 64 << 20 };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "raw_rocksdb: %s\n", what);
    exit(1);
}

static rocksdb_t *open_db(const char *dir)
{
    char *error = NULL;
    rocksdb_options_t *options = rocksdb_options_create();
    rocksdb_options_set_create_if_missing(options, 1);
    rocksdb_options_set_write_buffer_size(options, MEMTABLE_BYTES);
    rocksdb_options_set_compression(options, rocksdb_no_compression);
    rocksdb_t *db = rocksdb_open(options, dir, &error);
    if (error != NULL) {
        die(error);
    }
    rocksdb_options_destroy(options);
    return db;
}

static void put_row(rocksdb_writebatch_t *batch, struct keys *keys)
{
    static char value[VALUE_BYTES];
    char key[KEY_BYTES] = {0};
    uint64_t chosen = keys_next(keys);
    memcpy(key, &chosen, sizeof(chosen));
    rocksdb_writebatch_put(batch, key, sizeof(key), value, sizeof(value));
}

static uint64_t write_for(rocksdb_t *db, uint64_t batch_rows, uint64_t seconds)
{
    char *error = NULL;
    struct keys keys;
    keys_init(&keys, KEYS_UNIFORM, KEY_COUNT, 0);
    rocksdb_writeoptions_t *durable = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(durable, 1);
    rocksdb_writebatch_t *batch = rocksdb_writebatch_create();
    int64_t end_ns = od_clock_monotonic_ns() + (int64_t)seconds * 1000000000;
    uint64_t rows = 0;
    while (od_clock_monotonic_ns() < end_ns) {
        rocksdb_writebatch_clear(batch);
        for (uint64_t i = 0; i < batch_rows; i++) {
            put_row(batch, &keys);
        }
        rocksdb_write(db, durable, batch, &error);
        if (error != NULL) {
            die(error);
        }
        rows += batch_rows;
    }
    rocksdb_writebatch_destroy(batch);
    rocksdb_writeoptions_destroy(durable);
    return rows;
}

int main(int argc, char **argv)
{
    uint64_t batch_rows = 0;
    uint64_t seconds = 0;
    if (argc != 4 || !od_str_to_u64(od_cstr(argv[2]), &batch_rows) || batch_rows == 0 ||
        !od_str_to_u64(od_cstr(argv[3]), &seconds) || seconds == 0 || seconds > 3600) {
        die("usage: raw_rocksdb DIR ROWS_A_BATCH SECONDS");
    }
    rocksdb_t *db = open_db(argv[1]);
    uint64_t cpu_ns = process_cpu_ns(0);
    uint64_t rows = write_for(db, batch_rows, seconds);
    cpu_ns = process_cpu_ns(0) - cpu_ns;
    printf("rows_per_s=%.0f\n", (double)rows / (double)seconds);
    printf("cpu_us_per_row=%.3f\n", (double)cpu_ns / 1e3 / (double)rows);
    rocksdb_close(db);
    return 0;
}
