// What the disk allows: one thread that appends batches of rows to a file and syncs each, as a log
// does, and nothing else. No durable write can be faster, or cheaper.
//
//   sync_log FILE ROWS_A_BATCH VALUE_BYTES MILLISECONDS
//
// prints "rows_per_s=", "syncs_per_s=" and "cpu_us_per_row=".
#include "process.h"
#include "values.h"

#include "base/clock.h"
#include "base/str.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Then it begins again at the start of the file, which is shortened: so does a store whose log goes
// when a memtable has gone to the disk.
enum { FILE_BYTES = 16 << 20, MAX_BATCH_BYTES = 16 << 20 };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "sync_log: %s\n", what);
    exit(1);
}

static void append(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0) {
            die("cannot write");
        }
        bytes += written;
        size -= (size_t)written;
    }
    if (fdatasync(fd) != 0) {
        die("cannot sync");
    }
}

static uint64_t append_for(int fd, const char *bytes, size_t size, uint64_t milliseconds)
{
    int64_t end_ns = od_clock_monotonic_ns() + (int64_t)milliseconds * 1000000;
    uint64_t syncs = 0;
    size_t in_file = 0;
    while (od_clock_monotonic_ns() < end_ns) {
        if (in_file > FILE_BYTES) {
            in_file = 0;
            if (lseek(fd, 0, SEEK_SET) != 0 || ftruncate(fd, 0) != 0) {
                die("cannot shorten the file");
            }
        }
        append(fd, bytes, size);
        in_file += size;
        syncs++;
    }
    return syncs;
}

static void measure(int fd, uint64_t rows, uint64_t row_bytes, uint64_t milliseconds)
{
    size_t size = (size_t)(rows * row_bytes);
    char *bytes = calloc(rows, row_bytes);
    if (bytes == NULL) {
        die("out of memory");
    }
    for (uint64_t i = 0; i < rows; i++) {
        values_fill(bytes + i * row_bytes, row_bytes, i);
    }
    uint64_t cpu_ns = process_cpu_ns(0);
    int64_t began_ns = od_clock_monotonic_ns();
    uint64_t syncs = append_for(fd, bytes, size, milliseconds);
    double seconds = (double)(od_clock_monotonic_ns() - began_ns) / 1e9;
    double all_rows = (double)(syncs * rows);
    printf("rows_per_s=%.0f\n", all_rows / seconds);
    printf("syncs_per_s=%.0f\n", (double)syncs / seconds);
    printf("cpu_us_per_row=%.3f\n", (double)(process_cpu_ns(0) - cpu_ns) / 1e3 / all_rows);
    free(bytes);
}

int main(int argc, char **argv)
{
    uint64_t rows = 0;
    uint64_t row_bytes = 0;
    uint64_t milliseconds = 0;
    if (argc != 5 || !od_str_to_u64(od_cstr(argv[2]), &rows) ||
        !od_str_to_u64(od_cstr(argv[3]), &row_bytes) ||
        !od_str_to_u64(od_cstr(argv[4]), &milliseconds) || rows == 0 || rows > 10000 ||
        row_bytes == 0 || row_bytes > VALUES_MAX_BYTES || rows * row_bytes > MAX_BATCH_BYTES ||
        milliseconds == 0 || milliseconds > 3600000) {
        die("usage: sync_log FILE ROWS_A_BATCH VALUE_BYTES MILLISECONDS");
    }
    int fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        die("cannot open the file");
    }
    measure(fd, rows, row_bytes, milliseconds);
    close(fd);
    return 0;
}
