// Writes down, in the order in which they happened, the calls that change files in one directory:
// what a disk would need to know to be cut off at any point. Loaded with LD_PRELOAD.
//
//   ORDNA_IO_TRACE   the file to append to
//   ORDNA_IO_DIR     the directory; paths outside of it are of no interest
//
// One record for each call that did something, once it has; a call of another thread waits
// meanwhile, so that what comes before a sync in the trace was there for it. KILL_SIGNAL kills the
// program as SIGKILL does, but never between a call and its record. Integers are little-endian:
//
//   kind 1 | descriptor 4 | time 8 (ns, monotonic) | a 8 | b 8 | size of what follows 4 | bytes
//
//   kind        a             b          bytes
//   START       process id
//   OPEN        flags                    path
//   WRITE       offset, or -1            what was written
//   SYNC        0, or 1: it failed
//   TRUNCATE    new size
//   RENAME      length of from           from, to
//   UNLINK                               path
//   MKDIR                                path
//   RMDIR                                path
//   CLOSE
#undef _FILE_OFFSET_BITS // the names with and without 64 are two, and both are wanted

#include "io_real.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum kind { START = 1, OPEN, WRITE, SYNC, TRUNCATE, RENAME, UNLINK, MKDIR, RMDIR, CLOSE };

enum { MAX_DESCRIPTORS = 65536, NS_PER_S = 1000 * 1000 * 1000, KILL_SIGNAL = SIGUSR2 };

struct [[gnu::packed]] record {
    uint8_t kind;
    int32_t descriptor;
    int64_t time_ns;
    int64_t a;
    int64_t b;
    uint32_t size;
};

// The C library's headers name the parameters in their own way.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;
static const char *dir;
static bool followed[MAX_DESCRIPTORS]; // descriptors of files in `dir`

// --- One call at a time, with its record ---------------------------------------------------------

static void block_kill(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, KILL_SIGNAL);
    pthread_sigmask(how, &set, NULL);
}

static void enter(void)
{
    block_kill(SIG_BLOCK);
    pthread_mutex_lock(&lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&lock);
    block_kill(SIG_UNBLOCK);
}

// On a thread that has not entered: it cannot have been interrupted while it takes the lock.
static void on_kill(int number)
{
    (void)number;
    pthread_mutex_lock(&lock); // NOLINT(bugprone-signal-handler)
    kill(getpid(), SIGKILL);
}

static void append(struct record record, const char *bytes, const char *more, size_t more_size)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    size_t size = bytes == NULL ? 0 : record.size;
    record.time_ns = (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
    record.size = (uint32_t)(size + more_size);
    struct iovec parts[] = {
        {&record, sizeof(record)},
        {(void *)(uintptr_t)bytes, size},
        {(void *)(uintptr_t)more, more_size},
    };
    ssize_t whole = (ssize_t)(sizeof(record) + size + more_size);
    if (writev(trace, parts, 3) != whole) {
        abort(); // a trace with a hole proves nothing
    }
}

__attribute__((constructor)) static void start(void)
{
    const char *name = getenv("ORDNA_IO_TRACE");
    dir = getenv("ORDNA_IO_DIR");
    if (name == NULL || dir == NULL) {
        return;
    }
    trace = io_real()->open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (trace < 0) {
        abort();
    }
    append((struct record){.kind = START, .a = getpid()}, NULL, NULL, 0);
    signal(KILL_SIGNAL, on_kill);
}

static bool is_inside(const char *path)
{
    return trace >= 0 && strncmp(path, dir, strlen(dir)) == 0;
}

static bool is_followed(int fd)
{
    return fd >= 0 && fd < MAX_DESCRIPTORS && followed[fd];
}

static void append_path(enum kind kind, int fd, int64_t a, const char *path)
{
    append((struct record){.kind = (uint8_t)kind, .descriptor = fd, .a = a}, NULL, path,
           strlen(path));
}

// --- Files ---------------------------------------------------------------------------------------

static int open_mode(const char *path, int flags, mode_t mode)
{
    if (!is_inside(path)) {
        return io_real()->open(path, flags, mode);
    }
    enter();
    int fd = io_real()->open(path, flags, mode);
    if (fd >= MAX_DESCRIPTORS) {
        abort();
    }
    if (fd >= 0) {
        followed[fd] = true;
        append_path(OPEN, fd, flags, path);
    }
    leave();
    return fd;
}

IO_EXPORT int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_mode(path, flags, mode);
}

IO_EXPORT int open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_mode(path, flags, mode);
}

IO_EXPORT int close(int fd)
{
    if (!is_followed(fd)) {
        return io_real()->close(fd);
    }
    enter();
    followed[fd] = false;
    append((struct record){.kind = CLOSE, .descriptor = fd}, NULL, NULL, 0);
    int done = io_real()->close(fd);
    leave();
    return done;
}

static void append_write(int fd, int64_t at, const void *data, ssize_t done)
{
    if (done > 0) {
        append((struct record){.kind = WRITE, .descriptor = fd, .a = at}, NULL, data, (size_t)done);
    }
}

IO_EXPORT ssize_t write(int fd, const void *data, size_t size)
{
    if (!is_followed(fd)) {
        return io_real()->write(fd, data, size);
    }
    enter();
    ssize_t done = io_real()->write(fd, data, size);
    append_write(fd, -1, data, done);
    leave();
    return done;
}

IO_EXPORT ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    if (!is_followed(fd)) {
        return io_real()->pwrite(fd, data, size, at);
    }
    enter();
    ssize_t done = io_real()->pwrite(fd, data, size, at);
    append_write(fd, at, data, done);
    leave();
    return done;
}

IO_EXPORT ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    return pwrite(fd, data, size, at);
}

static int sync_with(int (*sync)(int), int fd)
{
    if (!is_followed(fd)) {
        return sync(fd);
    }
    enter();
    int done = sync(fd);
    append((struct record){.kind = SYNC, .descriptor = fd, .a = done != 0}, NULL, NULL, 0);
    leave();
    return done;
}

IO_EXPORT int fsync(int fd)
{
    return sync_with(io_real()->fsync, fd);
}

IO_EXPORT int fdatasync(int fd)
{
    return sync_with(io_real()->fdatasync, fd);
}

IO_EXPORT int ftruncate(int fd, off_t size)
{
    if (!is_followed(fd)) {
        return io_real()->ftruncate(fd, size);
    }
    enter();
    int done = io_real()->ftruncate(fd, size);
    if (done == 0) {
        append((struct record){.kind = TRUNCATE, .descriptor = fd, .a = size}, NULL, NULL, 0);
    }
    leave();
    return done;
}

IO_EXPORT int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, size);
}

// Space that is kept for a file without making it longer changes nothing that can be read.
IO_EXPORT int fallocate(int fd, int mode, off_t at, off_t size)
{
    if (is_followed(fd) && (mode & FALLOC_FL_KEEP_SIZE) == 0) {
        abort(); // not known here yet
    }
    return io_real()->fallocate(fd, mode, at, size);
}

IO_EXPORT int fallocate64(int fd, int mode, off64_t at, off64_t size)
{
    return fallocate(fd, mode, at, size);
}

// --- Names ---------------------------------------------------------------------------------------

IO_EXPORT int rename(const char *from, const char *to)
{
    if (!is_inside(from)) {
        return io_real()->rename(from, to);
    }
    enter();
    int done = io_real()->rename(from, to);
    if (done == 0) {
        size_t from_size = strlen(from);
        append(
            (struct record){.kind = RENAME, .a = (int64_t)from_size, .size = (uint32_t)from_size},
            from, to, strlen(to));
    }
    leave();
    return done;
}

static int name_with(int (*call)(const char *), enum kind kind, const char *path)
{
    if (!is_inside(path)) {
        return call(path);
    }
    enter();
    int done = call(path);
    if (done == 0) {
        append_path(kind, -1, 0, path);
    }
    leave();
    return done;
}

IO_EXPORT int unlink(const char *path)
{
    return name_with(io_real()->unlink, UNLINK, path);
}

IO_EXPORT int rmdir(const char *path)
{
    return name_with(io_real()->rmdir, RMDIR, path);
}

IO_EXPORT int mkdir(const char *path, mode_t mode)
{
    if (!is_inside(path)) {
        return io_real()->mkdir(path, mode);
    }
    enter();
    int done = io_real()->mkdir(path, mode);
    if (done == 0) {
        append_path(MKDIR, -1, 0, path);
    }
    leave();
    return done;
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)
