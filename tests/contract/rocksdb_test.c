// What RocksDB's store promises beyond the contract: its data outlives the process, its directory
// is guarded, and what the disk garbles is not served.
#include "contract.h"

#include "temp_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static od_str in_dir(struct contract *c, const char *name)
{
    return od_arena_printf(c->cx.arena, "%s/%s", c->dir, name);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static od_str read_file(struct contract *c, const char *path)
{
    char bytes[256];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t len = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    return od_arena_copy(c->cx.arena, (od_str){bytes, len});
}

// --- A store that is closed while the tests look at its directory.

static int set_up_closed(void **state)
{
    int failed = contract_setup(state);
    struct contract *c = *state;
    contract_put(c, 7, "a", "1");
    c->ops->close(c->store);
    c->store = NULL;
    return failed;
}

static int tear_down_closed(void **state)
{
    struct contract *c = *state;
    if (c->store == NULL) {
        struct od_store_options options = {.dir = c->dir};
        assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    }
    return contract_teardown(state);
}

static void assert_refused(struct contract *c, const char *dir, const char *words)
{
    struct od_store_options options = {.dir = dir};
    od_store *store = NULL;
    assert_int_equal(c->ops->open(&c->cx, &options, &store), OD_STORE_DOWN);
    if (strstr(c->cx.error.ptr, words) == NULL) {
        fail_msg("\"%s\" is not in: %s", words, c->cx.error.ptr);
    }
}

static void a_file_in_place_of_the_directory_is_refused(void **state)
{
    struct contract *c = *state;
    od_str path = in_dir(c, "file");
    write_file(path.ptr, "mine");
    assert_refused(c, path.ptr, "not a directory");
    assert_string_equal(read_file(c, path.ptr).ptr, "mine");
    assert_refused(c, in_dir(c, "file/below").ptr, "Not a directory");
}

static void a_missing_parent_is_named(void **state)
{
    struct contract *c = *state;
    assert_refused(c, in_dir(c, "no/such").ptr, "make the directory above it first");
    assert_refused(c, "", "needs a data directory");
    assert_refused(c, NULL, "needs a data directory");
}

static void a_directory_of_something_else_is_left_alone(void **state)
{
    struct contract *c = *state;
    static const char *const strangers[] = {"photo.jpg", ".hidden", "CURRENT", "db2"};
    for (size_t i = 0; i < OD_COUNT(strangers); i++) {
        char *dir = temp_dir_create();
        od_str path = od_arena_printf(c->cx.arena, "%s/%s", dir, strangers[i]);
        write_file(path.ptr, "mine");
        assert_refused(c, dir, strangers[i]);
        assert_int_equal(unlink(path.ptr), 0);
        assert_int_equal(rmdir(dir), 0); // nothing was added
        free(dir);
    }
}

static void a_newer_format_is_left_alone(void **state)
{
    struct contract *c = *state;
    od_str path = in_dir(c, "FORMAT");
    od_str right = read_file(c, path.ptr);
    assert_string_equal(right.ptr, "ordna data directory\nformat 1\n");
    write_file(path.ptr, "ordna data directory\nformat 2\n");
    assert_refused(c, c->dir, "has format 2");
    assert_string_equal(read_file(c, path.ptr).ptr, "ordna data directory\nformat 2\n");
    write_file(path.ptr, right.ptr);
}

static void a_format_that_is_not_ours_is_refused(void **state)
{
    struct contract *c = *state;
    static const char *const texts[] = {
        "",
        "\n",
        "MySQL 8",
        "ordna data directory\nformat ",
        "ordna data directory\nformat \n",
        "ordna data directory\nformat 0\n",
        "ordna data directory\nformat 1",
        "ordna data directory\nformat 1x\n",
        "ordna data directory\nformat 99999999999999999999\n",
    };
    od_str path = in_dir(c, "FORMAT");
    for (size_t i = 0; i < OD_COUNT(texts); i++) {
        write_file(path.ptr, texts[i]);
        assert_refused(c, c->dir, "is not ordna's");
    }
    write_file(path.ptr, "ordna data directory\nformat 1\n");
}

static void a_store_in_use_names_the_process(void **state)
{
    struct contract *c = *state;
    struct od_store_options options = {.dir = c->dir};
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    char words[64];
    snprintf(words, sizeof(words), "in use by process %ld:", (long)getpid());
    assert_refused(c, c->dir, words);
    contract_assert_value(c, 7, "a", "1");
}

static void a_lost_database_is_not_replaced_by_an_empty_one(void **state)
{
    struct contract *c = *state;
    od_str db = in_dir(c, "db");
    od_str away = in_dir(c, "away");
    assert_int_equal(rename(db.ptr, away.ptr), 0);
    assert_refused(c, c->dir, "is missing");
    assert_int_not_equal(access(db.ptr, F_OK), 0);
    assert_int_equal(rename(away.ptr, db.ptr), 0);
}

static void an_interrupted_first_start_is_taken_up_again(void **state)
{
    struct contract *c = *state;
    assert_int_equal(unlink(in_dir(c, "FORMAT").ptr), 0);
    write_file(in_dir(c, "FORMAT.new").ptr, "ordna da");
    struct od_store_options options = {.dir = c->dir};
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    contract_put(c, 7, "b", "1");
    contract_reopen(c);
    contract_assert_value(c, 7, "b", "1");
    assert_int_not_equal(access(in_dir(c, "FORMAT.new").ptr, F_OK), 0);
}

static void a_missing_directory_is_made_for_its_owner_alone(void **state)
{
    struct contract *c = *state;
    char *base = temp_dir_create();
    od_str dir = od_arena_printf(c->cx.arena, "%s/data", base);
    struct od_store_options options = {.dir = dir.ptr};
    od_store *store = NULL;
    assert_int_equal(c->ops->open(&c->cx, &options, &store), OD_OK);
    struct stat info = {0};
    assert_int_equal(stat(dir.ptr, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    c->ops->close(store);
    temp_dir_remove(base);
    free(base);
}

// --- Data that outlives the process.

static size_t log_bytes(struct contract *c)
{
    od_str path = in_dir(c, "db");
    DIR *dir = opendir(path.ptr);
    assert_non_null(dir);
    size_t bytes = 0;
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        struct stat info = {0};
        if (strstr(entry->d_name, ".log") != NULL) {
            assert_int_equal(fstatat(dirfd(dir), entry->d_name, &info, 0), 0);
            bytes += (size_t)info.st_size;
        }
    }
    closedir(dir);
    return bytes;
}

static void a_clean_close_leaves_nothing_to_replay(void **state)
{
    struct contract *c = *state;
    assert_int_equal(log_bytes(c), 0);
    struct od_store_options options = {.dir = c->dir};
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    contract_assert_group(c, 7, "a=1 ");
    contract_put(c, 7, "b", "1");
    assert_true(log_bytes(c) > 0);
    contract_reopen(c);
    assert_int_equal(log_bytes(c), 0);
    contract_assert_group(c, 7, "a=1 b=1 ");
}

// Enough bytes that logs become useless, and are written over by later ones.
enum { CHILD_COMMITS = 300, ROWS_EACH = 4, BALLAST_BYTES = 256 * 1024 };

// The child's work: commit, say so, commit. It never ends by itself.
static void commit_until_killed(const char *dir)
{
    contract_choose("rocksdb", false);
    od_ctx cx = {.arena = od_arena_create()};
    const struct od_store_ops *ops = NULL;
    od_store *store = NULL;
    struct od_store_options options = {.dir = dir};
    if (od_store_find(&cx, "rocksdb", &ops) != OD_OK || ops->open(&cx, &options, &store) != OD_OK) {
        exit(1);
    }
    static char ballast[BALLAST_BYTES];
    memset(ballast, 'b', sizeof(ballast));
    for (int i = 0;; i++) {
        struct od_mutation puts[ROWS_EACH + 1];
        puts[ROWS_EACH] = (struct od_mutation){
            .kind = OD_MUTATION_PUT, .key = OD_STR("ballast"), .value = {ballast, sizeof(ballast)}};
        for (int j = 0; j < ROWS_EACH; j++) {
            puts[j] = (struct od_mutation){.kind = OD_MUTATION_PUT,
                                           .key = od_arena_printf(cx.arena, "%05d-%d", i, j),
                                           .value = od_arena_printf(cx.arena, "%d", i)};
        }
        struct od_commit_part part = {
            .group = 7, .mutations = puts, .mutation_count = OD_COUNT(puts)};
        if (ops->commit(store, &cx, &part, 1) != OD_OK || write(STDOUT_FILENO, ".", 1) != 1) {
            exit(1);
        }
        od_arena_reset(cx.arena);
    }
}

static pid_t start_child(const char *dir, int *from_child)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    char program[] = "/proc/self/exe";
    char verb[] = "commit-until-killed";
    char *dir_copy = strdup(dir);
    char *args[] = {program, verb, dir_copy, NULL};
    pid_t child = 0;
    assert_int_equal(posix_spawn(&child, program, &actions, NULL, args, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    free(dir_copy);
    close(ends[1]);
    *from_child = ends[0];
    return child;
}

static size_t count_until(int from_child, size_t want)
{
    char bytes[64];
    size_t count = 0;
    ssize_t got = 1;
    while (count < want && got > 0) {
        got = read(from_child, bytes, sizeof(bytes));
        count += got > 0 ? (size_t)got : 0;
    }
    return count;
}

static bool count_row(void *arg, od_str key, od_str value)
{
    (void)key;
    (void)value;
    (*(size_t *)arg)++;
    return true;
}

static void a_killed_process_loses_nothing_that_it_acknowledged(void **state)
{
    struct contract *c = *state;
    int from_child = -1;
    pid_t child = start_child(c->dir, &from_child);
    size_t acknowledged = count_until(from_child, CHILD_COMMITS);
    assert_int_equal(kill(child, SIGKILL), 0);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    acknowledged += count_until(from_child, SIZE_MAX);
    close(from_child);
    assert_true(acknowledged >= CHILD_COMMITS);

    struct od_store_options options = {.dir = c->dir};
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    size_t rows = 0;
    struct od_scan_range range = {.group = 7, .lo = OD_STR("0"), .hi = OD_STR("9~")};
    assert_int_equal(c->ops->scan(c->store, &c->cx, NULL, &range, count_row, &rows), OD_OK);
    // The row from before, and each commit whole: one may have been under way.
    assert_int_equal(rows % ROWS_EACH, 0);
    assert_in_range(rows / ROWS_EACH, acknowledged, acknowledged + 1);
}

static void find_file(struct contract *c, const char *suffix, char *path, size_t size)
{
    od_str db = in_dir(c, "db");
    DIR *dir = opendir(db.ptr);
    assert_non_null(dir);
    path[0] = '\0';
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (strstr(entry->d_name, suffix) != NULL) {
            snprintf(path, size, "%s/%s", db.ptr, entry->d_name);
        }
    }
    closedir(dir);
    assert_true(path[0] != '\0');
}

// Flips a byte near the start, where the rows are.
static void flip_byte(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    unsigned char byte = 0;
    assert_int_equal(pread(fd, &byte, 1, 20), 1);
    byte ^= 0x10;
    assert_int_equal(pwrite(fd, &byte, 1, 20), 1);
    close(fd);
}

static void flipped_bytes_are_reported_not_served(void **state)
{
    struct contract *c = *state;
    char path[4096];
    find_file(c, ".sst", path, sizeof(path));
    flip_byte(path);
    struct od_store_options options = {.dir = c->dir};
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    od_str key = OD_STR("a");
    od_str keys[] = {OD_STR("a"), OD_STR("b")};
    od_str values[2] = {0};
    assert_int_equal(c->ops->get(c->store, &c->cx, NULL, 7, &key, 1, values), OD_STORE_DOWN);
    assert_non_null(strstr(c->cx.error.ptr, "Corruption"));
    assert_int_equal(c->ops->get(c->store, &c->cx, NULL, 7, keys, 2, values), OD_STORE_DOWN);
    size_t rows = 0;
    for (int reverse = 0; reverse < 2; reverse++) {
        struct od_scan_range range = {.group = 7, .reverse = reverse != 0};
        assert_int_equal(c->ops->scan(c->store, &c->cx, NULL, &range, count_row, &rows),
                         OD_STORE_DOWN);
        assert_non_null(strstr(c->cx.error.ptr, "Corruption"));
    }
    assert_int_equal(rows, 0);
    c->ops->close(c->store);
    c->store = NULL;
    flip_byte(path);
}

// False behind the file's end.
static bool flip_bit(const char *path, int bit)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    unsigned char byte = 0;
    bool there = pread(fd, &byte, 1, bit / 8) == 1;
    byte ^= (unsigned char)(1U << bit % 8);
    assert_int_equal(there ? pwrite(fd, &byte, 1, bit / 8) : 0, there);
    close(fd);
    return there;
}

// RocksDB takes a length that is too large for a record that was being written, goes on without the
// files it lists, and removes them.
static void a_flipped_bit_of_the_list_of_files_is_reported(void **state)
{
    struct contract *c = *state;
    char path[4096];
    find_file(c, "MANIFEST-", path, sizeof(path));
    struct od_store_options options = {.dir = c->dir};
    for (int bit = 0; flip_bit(path, bit); bit++) {
        if (c->ops->open(&c->cx, &options, &c->store) != OD_STORE_DOWN) {
            fail_msg("bit %d of byte %d", bit % 8, bit / 8);
        }
        assert_non_null(strstr(c->cx.error.ptr, "is damaged at byte"));
        flip_bit(path, bit);
        od_arena_reset(c->cx.arena);
    }
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    contract_assert_value(c, 7, "a", "1");
    c->ops->close(c->store);
    c->store = NULL;
}

// What another thread commits while this one has a snapshot.
static void *commit_later(void *arg)
{
    struct contract *c = arg;
    contract_put(c, 7, "a", "2");
    contract_put(c, 7, "b", "2");
    contract_del_range(c, 8, "", "");
    assert_int_equal(c->ops->group_drop(c->store, &c->cx, 7), OD_OK);
    return NULL;
}

static void a_snapshot_does_not_see_later_commits(void **state)
{
    struct contract *c = *state;
    struct od_store_options options = {.dir = c->dir};
    assert_int_equal(c->ops->open(&c->cx, &options, &c->store), OD_OK);
    contract_put(c, 8, "x", "1");
    od_snapshot *snapshot = NULL;
    assert_int_equal(c->ops->snapshot_open(c->store, &c->cx, &snapshot), OD_OK);
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, commit_later, c), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    struct od_scan_range range = {.group = 7};
    assert_string_equal(contract_scan(c, snapshot, &range).ptr, "a=1 ");
    assert_string_equal(contract_get(c, snapshot, 7, OD_STR("a")).ptr, "1");
    assert_null(contract_get(c, snapshot, 7, OD_STR("b")).ptr);
    assert_string_equal(contract_get(c, snapshot, 8, OD_STR("x")).ptr, "1");
    c->ops->snapshot_close(c->store, snapshot);
    contract_assert_group(c, 7, "");
    contract_assert_group(c, 8, "");
}

// Deleted rows stay in the way until they are compacted away: a scan that must be short does not
// walk over thousands of them.
static void a_scan_that_may_be_given_up_does_not_pass_over_many_deleted_rows(void **state)
{
    enum { ROWS = 3000 };
    struct contract *c = *state;
    static struct od_mutation rows[ROWS];
    for (int i = 0; i < ROWS; i++) {
        rows[i] = (struct od_mutation){.kind = OD_MUTATION_PUT,
                                       .key = od_arena_printf(c->cx.arena, "%06d", i),
                                       .value = OD_STR("value")};
    }
    assert_int_equal(contract_commit(c, 7, rows, ROWS), OD_OK);
    for (int i = 1; i < ROWS - 1; i++) { // all but the first and the last
        rows[i].kind = OD_MUTATION_DEL;
    }
    assert_int_equal(contract_commit(c, 7, rows + 1, ROWS - 2), OD_OK);
    for (int reverse = 0; reverse <= 1; reverse++) {
        bool given_up = false;
        size_t count = 0;
        struct od_scan_range range = {.group = 7, .reverse = reverse == 1, .given_up = &given_up};
        assert_int_equal(c->ops->scan(c->store, &c->cx, NULL, &range, count_row, &count), OD_OK);
        assert_true(given_up);
        assert_int_equal(count, 1);
        range.given_up = NULL;
        count = 0;
        assert_int_equal(c->ops->scan(c->store, &c->cx, NULL, &range, count_row, &count), OD_OK);
        assert_int_equal(count, 2);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "commit-until-killed") == 0) {
        commit_until_killed(argv[2]);
    }
    contract_choose("rocksdb", false);
#define CLOSED_TEST(name) cmocka_unit_test_setup_teardown(name, set_up_closed, tear_down_closed)
    const struct CMUnitTest tests[] = {
        CLOSED_TEST(a_file_in_place_of_the_directory_is_refused),
        CLOSED_TEST(a_missing_parent_is_named),
        CLOSED_TEST(a_directory_of_something_else_is_left_alone),
        CLOSED_TEST(a_newer_format_is_left_alone),
        CLOSED_TEST(a_format_that_is_not_ours_is_refused),
        CLOSED_TEST(a_store_in_use_names_the_process),
        CLOSED_TEST(a_lost_database_is_not_replaced_by_an_empty_one),
        CLOSED_TEST(an_interrupted_first_start_is_taken_up_again),
        CLOSED_TEST(a_missing_directory_is_made_for_its_owner_alone),
        CLOSED_TEST(a_clean_close_leaves_nothing_to_replay),
        CLOSED_TEST(a_killed_process_loses_nothing_that_it_acknowledged),
        CLOSED_TEST(flipped_bytes_are_reported_not_served),
        CLOSED_TEST(a_flipped_bit_of_the_list_of_files_is_reported),
        CLOSED_TEST(a_snapshot_does_not_see_later_commits),
        CONTRACT_TEST(a_scan_that_may_be_given_up_does_not_pass_over_many_deleted_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
