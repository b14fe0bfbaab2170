#include "io_faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

// Set while no other thread of the store writes, but for the numbers.
static struct {
    struct io_fault fault;
    atomic_size_t calls; // those whose file has the suffix
    atomic_size_t failed;
} calls[IO_CALLS];

void io_fault_set(enum io_call call, struct io_fault fault)
{
    calls[call].fault = fault;
    atomic_store(&calls[call].calls, 0);
    atomic_store(&calls[call].failed, 0);
}

size_t io_fault_count(enum io_call call)
{
    return atomic_load(&calls[call].calls);
}

static bool is_hit(int fd, const char *suffix)
{
    if (suffix == NULL) {
        return fd > STDERR_FILENO;
    }
    char link[64];
    char name[PATH_MAX];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, name, sizeof(name) - 1);
    size_t want = strlen(suffix);
    return len >= (ssize_t)want && memcmp(name + len - want, suffix, want) == 0;
}

// The error that the call gives, or 0 to go through.
static int fault_of(enum io_call call, int fd)
{
    const struct io_fault *fault = &calls[call].fault;
    if (!is_hit(fd, fault->suffix)) {
        return 0;
    }
    size_t nth = atomic_fetch_add(&calls[call].calls, 1) + 1;
    return nth > fault->whole ? fault->error : 0;
}

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

typedef ssize_t write_fn(int fd, const void *bytes, size_t size);
typedef int sync_fn(int fd);
typedef int allocate_fn(int fd, int mode, off_t offset, off_t size);
typedef int posix_allocate_fn(int fd, off_t offset, off_t size);

EXPORTED ssize_t write(int fd, const void *bytes, size_t size) // NOLINT: libc's names differ
{
    write_fn *real = (write_fn *)next("write");
    int error = fault_of(IO_WRITE, fd);
    if (error == 0) {
        return real(fd, bytes, size);
    }
    size_t part = calls[IO_WRITE].fault.part_bytes;
    if (part > 0 && part < size && atomic_fetch_add(&calls[IO_WRITE].failed, 1) == 0) {
        return real(fd, bytes, part);
    }
    errno = error;
    return -1;
}

static int sync_file(const char *name, int fd)
{
    int error = fault_of(IO_SYNC, fd);
    if (error == 0) {
        return ((sync_fn *)next(name))(fd);
    }
    errno = error;
    return -1;
}

EXPORTED int fdatasync(int fd) // NOLINT: libc's names differ
{
    return sync_file("fdatasync", fd);
}

EXPORTED int fsync(int fd)
{
    return sync_file("fsync", fd);
}

// Declared here: fcntl.h would give these names other symbols.
int fallocate(int fd, int mode, off_t offset, off_t size);
int fallocate64(int fd, int mode, off_t offset, off_t size);
int posix_fallocate(int fd, off_t offset, off_t size);
int posix_fallocate64(int fd, off_t offset, off_t size);

EXPORTED int fallocate(int fd, int mode, off_t offset, off_t size)
{
    int error = fault_of(IO_ALLOCATE, fd);
    if (error == 0) {
        return ((allocate_fn *)next("fallocate"))(fd, mode, offset, size);
    }
    errno = error;
    return -1;
}

EXPORTED int fallocate64(int fd, int mode, off_t offset, off_t size)
{
    return fallocate(fd, mode, offset, size);
}

EXPORTED int posix_fallocate(int fd, off_t offset, off_t size)
{
    int error = fault_of(IO_ALLOCATE, fd);
    return error != 0 ? error : ((posix_allocate_fn *)next("posix_fallocate"))(fd, offset, size);
}

EXPORTED int posix_fallocate64(int fd, off_t offset, off_t size)
{
    return posix_fallocate(fd, offset, size);
}
