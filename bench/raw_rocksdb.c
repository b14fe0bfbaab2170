// The control for durable writes: one thread that puts batches of rows into a RocksDB and syncs
// each, with the options of ordna's store and rows like those of a table. It is what a committer
// could reach that had nothing else to do.
//
//   raw_rocksdb DIR ROWS_A_BATCH VALUE_BYTES MILLISECONDS
//
// prints "rows_per_s=" and "cpu_us_per_row=": of the calls and of flushing and compacting
// meanwhile.
#include "keys.h"
#include "process.h"
#include "values.h"

#include "base/clock.h"
#include "base/str.h"
#include "storage/rocksdb/rocksdb_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A key as in a table: the group, the hash, and "k" with digits.
enum { GROUP_BYTES = 4, HASH_BYTES = 8, DIGITS = 8, KEY_COUNT = 100000 };
enum { KEY_BYTES = GROUP_BYTES + HASH_BYTES + 1 + DIGITS };
enum { CACHE_BYTES = 128 << 20 };

struct job {
    uint64_t batch_rows;
    uint64_t value_bytes;
    uint64_t milliseconds;
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "raw_rocksdb: %s\n", what);
    exit(1);
}

static struct od_rocks_db open_db(const char *dir)
{
    rocksdb_options_t *options = od_rocks_options_create(CACHE_BYTES);
    rocksdb_options_set_create_if_missing(options, 1);
    struct od_rocks_db db;
    char *error = od_rocks_db_open(options, dir, OD_DURABILITY_SYNC, &db);
    if (error != NULL) {
        die(error);
    }
    rocksdb_options_destroy(options);
    return db;
}

static void make_key(char *out, uint64_t number)
{
    uint64_t hash = keys_mix(number);
    memset(out, 1, GROUP_BYTES);
    memcpy(out + GROUP_BYTES, &hash, HASH_BYTES);
    out[GROUP_BYTES + HASH_BYTES] = 'k';
    for (size_t i = KEY_BYTES; i > KEY_BYTES - DIGITS; i--) {
        out[i - 1] = (char)('0' + number % 10);
        number /= 10;
    }
}

static void put_row(rocksdb_writebatch_t *batch, struct keys *keys, size_t value_bytes)
{
    static char value[VALUES_MAX_BYTES];
    char key[KEY_BYTES];
    make_key(key, keys_next(keys, 1));
    values_fill(value, value_bytes, keys_random(keys));
    rocksdb_writebatch_put(batch, key, sizeof(key), value, value_bytes);
}

static uint64_t write_batches(rocksdb_t *db, const struct job *job,
                              const rocksdb_writeoptions_t *durable, rocksdb_writebatch_t *batch)
{
    struct keys keys;
    keys_init(&keys, KEYS_UNIFORM, KEY_COUNT, 0);
    rocksdb_set_perf_level(rocksdb_disable); // as the store does
    int64_t end_ns = od_clock_monotonic_ns() + (int64_t)job->milliseconds * 1000000;
    uint64_t rows = 0;
    while (od_clock_monotonic_ns() < end_ns) {
        char *error = NULL;
        rocksdb_writebatch_clear(batch);
        for (uint64_t i = 0; i < job->batch_rows; i++) {
            put_row(batch, &keys, job->value_bytes);
        }
        rocksdb_write(db, durable, batch, &error);
        if (error != NULL) {
            die(error);
        }
        rows += job->batch_rows;
    }
    return rows;
}

static void measure(rocksdb_t *db, const struct job *job)
{
    rocksdb_writeoptions_t *durable = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(durable, 1);
    rocksdb_writebatch_t *batch = rocksdb_writebatch_create();
    uint64_t cpu_ns = process_cpu_ns(0);
    int64_t began_ns = od_clock_monotonic_ns();
    uint64_t rows = write_batches(db, job, durable, batch);
    double seconds = (double)(od_clock_monotonic_ns() - began_ns) / 1e9;
    printf("rows_per_s=%.0f\n", (double)rows / seconds);
    printf("cpu_us_per_row=%.3f\n", (double)(process_cpu_ns(0) - cpu_ns) / 1e3 / (double)rows);
    rocksdb_writebatch_destroy(batch);
    rocksdb_writeoptions_destroy(durable);
}

int main(int argc, char **argv)
{
    struct job job = {0};
    if (argc != 5 || !od_str_to_u64(od_cstr(argv[2]), &job.batch_rows) || job.batch_rows == 0 ||
        !od_str_to_u64(od_cstr(argv[3]), &job.value_bytes) || job.value_bytes == 0 ||
        job.value_bytes > VALUES_MAX_BYTES || !od_str_to_u64(od_cstr(argv[4]), &job.milliseconds) ||
        job.milliseconds == 0 || job.milliseconds > 3600000) {
        die("usage: raw_rocksdb DIR ROWS_A_BATCH VALUE_BYTES MILLISECONDS");
    }
    struct od_rocks_db db = open_db(argv[1]);
    measure(db.db, &job);
    od_rocks_db_close(&db);
    return 0;
}
