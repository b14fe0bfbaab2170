#include "storage/rocksdb/data_dir.h"

#include "storage/checked.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { MAX_TEXT = 128 };

static const char format_name[] = "FORMAT";
static const char new_format_name[] = "FORMAT.new";
static const char lock_name[] = "LOCK";
static const char db_name[] = "db";

// What a directory may hold that is no store yet: what is left of an interrupted start, and what
// comes with a file system of its own.
static const char *const harmless[] = {lock_name, new_format_name, db_name, "lost+found"};

static const od_str format_head = OD_STR_INIT("ordna data directory\nformat ");

static char *join(const char *dir, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", dir, name) < 0) {
        path = NULL;
    }
    return od_checked(path);
}

static bool is_harmless(const char *name)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        return true;
    }
    for (size_t i = 0; i < OD_COUNT(harmless); i++) {
        if (strcmp(name, harmless[i]) == 0) {
            return true;
        }
    }
    return false;
}

// Reads a small text file of the directory; false when it cannot be.
static bool read_text(const char *dir, const char *name, char *text, size_t *len)
{
    char *path = join(dir, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    free(path);
    if (fd < 0) {
        return false;
    }
    ssize_t got = read(fd, text, MAX_TEXT);
    close(fd);
    *len = got < 0 ? 0 : (size_t)got;
    return got >= 0;
}

static od_status check_format(od_ctx *cx, const char *path, od_str text)
{
    uint64_t format = 0;
    bool ours = od_str_has_prefix(text, format_head) && text.ptr[text.len - 1] == '\n';
    od_str number = ours ? od_str_skip((od_str){text.ptr, text.len - 1}, format_head.len) : text;
    if (!ours || !od_str_to_u64(number, &format) || format == 0) {
        return OD_FAIL(cx, OD_STORE_DOWN, "%s/FORMAT is not ordna's: choose another data directory",
                       path);
    }
    if (format > OD_DATA_FORMAT) {
        return OD_FAIL(cx, OD_STORE_DOWN,
                       "The data in %s has format %llu, and this version of ordna knows formats up "
                       "to %d: use the version that wrote it, or a newer one",
                       path, (unsigned long long)format, OD_DATA_FORMAT);
    }
    return OD_OK;
}

static od_status check_no_strangers(od_ctx *cx, const char *path, DIR *dir)
{
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (!is_harmless(entry->d_name)) {
            return OD_FAIL(cx, OD_STORE_DOWN,
                           "%s has other files in it (%s) and no data of ordna: choose an empty "
                           "directory, or one that does not exist yet",
                           path, entry->d_name);
        }
    }
    return OD_OK;
}

// Without FORMAT the directory must be empty, or as an interrupted start left it.
static od_status check_empty(od_ctx *cx, const char *path)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return OD_FAIL(cx, OD_STORE_DOWN, "The data directory %s cannot be read: %s", path,
                       strerror(errno));
    }
    od_status status = check_no_strangers(cx, path, dir);
    closedir(dir);
    return status;
}

// Looks without touching.
static od_status inspect(od_ctx *cx, const char *path, bool *fresh)
{
    char text[MAX_TEXT];
    size_t len = 0;
    *fresh = !read_text(path, format_name, text, &len);
    if (!*fresh) {
        return check_format(cx, path, (od_str){text, len});
    }
    if (errno != ENOENT) {
        return OD_FAIL(cx, OD_STORE_DOWN,
                       "%s/FORMAT cannot be read (%s): give this user the right to read and write "
                       "the data directory",
                       path, strerror(errno));
    }
    return check_empty(cx, path);
}

static od_status make_dir(od_ctx *cx, const char *path)
{
    if (mkdir(path, 0700) == 0) {
        return OD_OK;
    }
    if (errno == ENOENT) {
        return OD_FAIL(cx, OD_STORE_DOWN,
                       "The data directory %s cannot be made: make the directory above it first",
                       path);
    }
    return OD_FAIL(cx, OD_STORE_DOWN, "The data directory %s cannot be made: %s", path,
                   strerror(errno));
}

static od_status find_or_make_dir(od_ctx *cx, const char *path)
{
    struct stat info = {0};
    if (stat(path, &info) != 0) {
        return make_dir(cx, path);
    }
    if (!S_ISDIR(info.st_mode)) {
        return OD_FAIL(cx, OD_STORE_DOWN, "%s is not a directory: choose a directory for the data",
                       path);
    }
    return OD_OK;
}

static od_status say_who_locks(od_ctx *cx, const char *path)
{
    char text[MAX_TEXT];
    size_t len = 0;
    (void)read_text(path, lock_name, text, &len);
    while (len > 0 && text[len - 1] == '\n') {
        len--;
    }
    return OD_FAIL(cx, OD_STORE_DOWN,
                   "The data directory %s is in use by process %.*s: stop it, or choose another "
                   "directory",
                   path, len > 0 ? (int)len : 1, len > 0 ? text : "?");
}

static od_status take_lock(od_ctx *cx, const char *path, int fd)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        return OD_OK;
    }
    if (errno == EWOULDBLOCK) {
        return say_who_locks(cx, path);
    }
    return OD_FAIL(
        cx, OD_STORE_DOWN,
        "The data directory %s cannot be locked (%s): choose a directory on a local disk", path,
        strerror(errno));
}

static od_status lock_dir(od_ctx *cx, const char *path, int *out)
{
    char *name = join(path, lock_name);
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    free(name);
    if (fd < 0) {
        return OD_FAIL(cx, OD_STORE_DOWN,
                       "The data directory %s cannot be written to (%s): give this user the right "
                       "to, or choose another directory",
                       path, strerror(errno));
    }
    od_status status = take_lock(cx, path, fd);
    if (status != OD_OK) {
        close(fd);
        return status;
    }
    // For the message of whoever finds it locked; it works without.
    if (ftruncate(fd, 0) == 0) {
        (void)!dprintf(fd, "%ld\n", (long)getpid());
    }
    *out = fd;
    return OD_OK;
}

od_status od_data_dir_open(od_ctx *cx, const char *path, struct od_data_dir *out)
{
    if (path == NULL || path[0] == '\0') {
        return OD_FAIL(cx, OD_STORE_DOWN, "The store needs a data directory: name one");
    }
    struct od_data_dir dir = {0};
    OD_TRY(find_or_make_dir(cx, path));
    OD_TRY(inspect(cx, path, &dir.fresh));
    OD_TRY(lock_dir(cx, path, &dir.lock_fd));
    // Again, now that no other process can be changing it.
    od_status status = inspect(cx, path, &dir.fresh);
    if (status != OD_OK) {
        close(dir.lock_fd);
        return status;
    }
    dir.path = od_checked(strdup(path));
    dir.db_path = join(path, db_name);
    *out = dir;
    return OD_OK;
}

od_status od_data_dir_check_db(od_ctx *cx, const struct od_data_dir *dir)
{
    char *current = join(dir->db_path, "CURRENT");
    bool there = access(current, F_OK) == 0;
    free(current);
    if (!there && !dir->fresh) {
        return OD_FAIL(cx, OD_STORE_DOWN,
                       "%s is missing or not whole: bring it back from a backup, or choose another "
                       "data directory to start with nothing",
                       dir->db_path);
    }
    return OD_OK;
}

// A write may be cut short without being wrong.
static bool write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t done = write(fd, text, len);
        if (done <= 0) {
            return false;
        }
        text += done;
        len -= (size_t)done;
    }
    return true;
}

static bool write_and_sync(const char *path, const char *text, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        return false;
    }
    bool written = write_all(fd, text, len) && fsync(fd) == 0;
    return close(fd) == 0 && written;
}

static bool sync_dir(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool synced = fsync(fd) == 0;
    close(fd);
    return synced;
}

// The directory may be new itself. Its parent may be closed to us, and then was not ours to make.
static void sync_parent(const char *path)
{
    char *parent = join(path, "..");
    (void)sync_dir(parent);
    free(parent);
}

static bool write_format(const char *path)
{
    char text[MAX_TEXT];
    int len = snprintf(text, sizeof(text), "%.*s%d\n", OD_STR_ARG(format_head), OD_DATA_FORMAT);
    char *scratch = join(path, new_format_name);
    char *name = join(path, format_name);
    bool done =
        write_and_sync(scratch, text, (size_t)len) && rename(scratch, name) == 0 && sync_dir(path);
    free(scratch);
    free(name);
    sync_parent(path);
    return done;
}

od_status od_data_dir_seal(od_ctx *cx, struct od_data_dir *dir)
{
    if (!dir->fresh) {
        return OD_OK;
    }
    if (!write_format(dir->path)) {
        return OD_FAIL(cx, OD_STORE_DOWN, "%s/FORMAT cannot be written: %s", dir->path,
                       strerror(errno));
    }
    dir->fresh = false;
    return OD_OK;
}

static bool is_log(const char *name)
{
    size_t len = strlen(name);
    return len > 4 && strcmp(name + len - 4, ".log") == 0;
}

static uint64_t log_bytes(const char *path)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return 0;
    }
    uint64_t bytes = 0;
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        struct stat info = {0};
        if (is_log(entry->d_name) && fstatat(dirfd(dir), entry->d_name, &info, 0) == 0) {
            bytes += (uint64_t)info.st_size;
        }
    }
    closedir(dir);
    return bytes;
}

static int open_nameless(const char *dir)
{
    char *name = join(dir, "probe");
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd >= 0) {
        unlink(name);
    }
    free(name);
    return fd;
}

// What a full disk says at once. One that says nothing of the kind may still be full for this user.
static bool says_it_is_full(const char *path, uint64_t bytes)
{
    struct statvfs info = {0};
    return statvfs(path, &info) == 0 && (uint64_t)info.f_bavail * info.f_frsize < bytes;
}

bool od_data_dir_takes_writes(const struct od_data_dir *dir, uint64_t spare_bytes)
{
    if (says_it_is_full(dir->path, spare_bytes)) {
        return false;
    }
    int fd = open_nameless(dir->path);
    if (fd < 0) {
        return false;
    }
    uint64_t bytes = log_bytes(dir->db_path) + spare_bytes;
    bool taken =
        posix_fallocate(fd, 0, (off_t)bytes) == 0 && write_all(fd, ".", 1) && fsync(fd) == 0;
    close(fd);
    return taken;
}

void od_data_dir_close(struct od_data_dir *dir)
{
    close(dir->lock_fd);
    free(dir->path);
    free(dir->db_path);
    *dir = (struct od_data_dir){.lock_fd = -1};
}
