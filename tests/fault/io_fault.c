// Makes file system calls fail, as the test tells it to while the program runs. Loaded with
// LD_PRELOAD; ORDNA_IO_FAULT names a file with a struct control, which the test writes and maps
// too. Calls on files whose path does not contain `path` are left alone: sockets and pipes, too.
#undef _FILE_OFFSET_BITS // the names with and without 64 are two, and both are wanted

#include "io_real.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// One bit for each kind of call. The test has the same numbers (faults.py).
enum call {
    CALL_OPEN = 1,
    CALL_WRITE = 2,
    CALL_SYNC = 4,
    CALL_RENAME = 8,
    CALL_TRUNCATE = 16,
    CALL_ALLOCATE = 32,
    CALL_UNLINK = 64,
    CALL_MKDIR = 128,
    CALL_READ = 256,
};

enum effect {
    PASS,
    FAIL,      // nothing is done, and an error told
    FAIL_DONE, // it is done, and an error told
    FAIL_HALF, // a write: half of it is done, and an error told
    SHORT,     // a write or a read: half of it is done, and told so
    LIE,       // nothing is done, and success told
    WAIT,      // it is done once the fault is disarmed
};

struct control {
    _Atomic uint32_t armed;
    uint32_t calls; // bits of enum call
    uint32_t effect;
    int32_t error;
    int64_t first;              // the first call to be struck, counting from 1
    int64_t last;               // and the last
    _Atomic int64_t seen;       // calls that could be struck, since it was armed
    _Atomic int64_t struck;     // calls that were
    char path[PATH_MAX];        // a part of the path of the files it is about
    char struck_path[PATH_MAX]; // of the last that was struck
};

// The C library's headers name the parameters in their own way.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)

static struct control *control;

__attribute__((constructor)) static void map_control(void)
{
    const char *name = getenv("ORDNA_IO_FAULT");
    int fd = name == NULL ? -1 : io_real()->open(name, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    void *mapped = mmap(NULL, sizeof(*control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    io_real()->close(fd);
    control = mapped == MAP_FAILED ? NULL : mapped;
}

static void wait_until_disarmed(void)
{
    while (control->armed != 0) {
        usleep(1000);
    }
}

static enum effect judge_path(enum call call, const char *path)
{
    if (control == NULL || control->armed == 0 || (control->calls & call) == 0 ||
        strstr(path, control->path) == NULL) {
        return PASS;
    }
    int64_t number = ++control->seen;
    if (number < control->first || number > control->last) {
        return PASS;
    }
    control->struck++;
    if (control->effect == WAIT) {
        wait_until_disarmed();
        return PASS;
    }
    memccpy(control->struck_path, path, '\0', sizeof(control->struck_path));
    errno = control->error;
    return (enum effect)control->effect;
}

static enum effect judge(enum call call, int fd)
{
    if (control == NULL || control->armed == 0 || (control->calls & call) == 0) {
        return PASS;
    }
    char link[64];
    char path[PATH_MAX];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, path, sizeof(path) - 1);
    path[len < 0 ? 0 : len] = '\0';
    return judge_path(call, path);
}

// For calls that are done or not: what is returned once the effect is known. `done` is what the
// real call gave, where it was made.
static int outcome(enum effect effect, int done)
{
    if (effect == PASS || effect == SHORT) {
        return done;
    }
    if (effect == LIE) {
        return 0;
    }
    errno = control->error;
    return -1;
}

static bool is_done(enum effect effect)
{
    return effect == PASS || effect == SHORT || effect == FAIL_DONE;
}

// --- Writes and reads
// -----------------------------------------------------------------------------

// How much of a transfer is really made.
static size_t real_size(enum effect effect, size_t size)
{
    switch (effect) {
    case PASS:
    case WAIT: // over by now
    case FAIL_DONE:
        return size;
    case SHORT:
        return size - size / 2; // never nothing
    case FAIL_HALF:
        return size / 2;
    case FAIL:
    case LIE:
        return 0;
    }
    return 0;
}

static ssize_t told_size(enum effect effect, size_t size, ssize_t done)
{
    if (effect == PASS || effect == SHORT) {
        return done;
    }
    if (effect == LIE) {
        return (ssize_t)size;
    }
    errno = control->error;
    return -1;
}

IO_EXPORT ssize_t write(int fd, const void *data, size_t size)
{
    enum effect effect = judge(CALL_WRITE, fd);
    size_t part = real_size(effect, size);
    ssize_t done = part > 0 ? io_real()->write(fd, data, part) : 0;
    return told_size(effect, size, done);
}

IO_EXPORT ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    enum effect effect = judge(CALL_WRITE, fd);
    size_t part = real_size(effect, size);
    ssize_t done = part > 0 ? io_real()->pwrite(fd, data, part, at) : 0;
    return told_size(effect, size, done);
}

IO_EXPORT ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    return pwrite(fd, data, size, at);
}

IO_EXPORT ssize_t read(int fd, void *data, size_t size)
{
    enum effect effect = judge(CALL_READ, fd);
    size_t part = real_size(effect, size);
    ssize_t done = part > 0 ? io_real()->read(fd, data, part) : 0;
    return told_size(effect, size, done);
}

IO_EXPORT ssize_t pread(int fd, void *data, size_t size, off_t at)
{
    enum effect effect = judge(CALL_READ, fd);
    size_t part = real_size(effect, size);
    ssize_t done = part > 0 ? io_real()->pread(fd, data, part, at) : 0;
    return told_size(effect, size, done);
}

IO_EXPORT ssize_t pread64(int fd, void *data, size_t size, off64_t at)
{
    return pread(fd, data, size, at);
}

// --- Everything else
// ------------------------------------------------------------------------------

IO_EXPORT int fsync(int fd)
{
    enum effect effect = judge(CALL_SYNC, fd);
    return outcome(effect, is_done(effect) ? io_real()->fsync(fd) : 0);
}

IO_EXPORT int fdatasync(int fd)
{
    enum effect effect = judge(CALL_SYNC, fd);
    return outcome(effect, is_done(effect) ? io_real()->fdatasync(fd) : 0);
}

IO_EXPORT int ftruncate(int fd, off_t size)
{
    enum effect effect = judge(CALL_TRUNCATE, fd);
    return outcome(effect, is_done(effect) ? io_real()->ftruncate(fd, size) : 0);
}

IO_EXPORT int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, size);
}

IO_EXPORT int fallocate(int fd, int mode, off_t at, off_t size)
{
    enum effect effect = judge(CALL_ALLOCATE, fd);
    return outcome(effect, is_done(effect) ? io_real()->fallocate(fd, mode, at, size) : 0);
}

IO_EXPORT int fallocate64(int fd, int mode, off64_t at, off64_t size)
{
    return fallocate(fd, mode, at, size);
}

IO_EXPORT int rename(const char *from, const char *to)
{
    enum effect effect = judge_path(CALL_RENAME, to);
    return outcome(effect, is_done(effect) ? io_real()->rename(from, to) : 0);
}

IO_EXPORT int unlink(const char *path)
{
    enum effect effect = judge_path(CALL_UNLINK, path);
    return outcome(effect, is_done(effect) ? io_real()->unlink(path) : 0);
}

IO_EXPORT int mkdir(const char *path, mode_t mode)
{
    enum effect effect = judge_path(CALL_MKDIR, path);
    return outcome(effect, is_done(effect) ? io_real()->mkdir(path, mode) : 0);
}

// An open that is done and then said to have failed would leave a descriptor: there is only FAIL.
static int open_mode(const char *path, int flags, mode_t mode)
{
    return judge_path(CALL_OPEN, path) == PASS ? io_real()->open(path, flags, mode) : -1;
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

// NOLINTEND(readability-inconsistent-declaration-parameter-name)
