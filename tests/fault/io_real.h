// The C library's own calls, for modules that are loaded in front of it with LD_PRELOAD.
#ifndef ORDNA_TESTS_IO_REAL_H
#define ORDNA_TESTS_IO_REAL_H

#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#define IO_EXPORT __attribute__((visibility("default")))

struct io_real {
    int (*open)(const char *, int, ...);
    int (*close)(int);
    ssize_t (*read)(int, void *, size_t);
    ssize_t (*pread)(int, void *, size_t, off_t);
    ssize_t (*write)(int, const void *, size_t);
    ssize_t (*pwrite)(int, const void *, size_t, off_t);
    int (*fsync)(int);
    int (*fdatasync)(int);
    int (*ftruncate)(int, off_t);
    int (*fallocate)(int, int, off_t, off_t);
    int (*rename)(const char *, const char *);
    int (*unlink)(const char *);
    int (*mkdir)(const char *, mode_t);
    int (*rmdir)(const char *);
};

// What the next library in the order of loading has under these names.
const struct io_real *io_real(void);

#endif
