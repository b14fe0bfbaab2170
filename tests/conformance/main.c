// Runs scenario files and counts.
//
//   conformance [--check | --store memory|rocksdb | --endpoint URL] FILE...
//
// --check only says whether the files are well-formed. Closes with "N passed, N failed".
#include "run.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FILE_BYTES = 16 * 1024 * 1024 };

struct options {
    bool check_only;
    const char *store;
    const char *endpoint;
    int first_file; // in argv
};

static int usage(void)
{
    fputs("usage: conformance [--check | --store memory|rocksdb | --endpoint URL] FILE...\n",
          stderr);
    return 2;
}

static bool read_options(int argc, char **argv, struct options *out)
{
    *out = (struct options){.store = "memory", .first_file = 1};
    while (out->first_file < argc && strncmp(argv[out->first_file], "--", 2) == 0) {
        const char *name = argv[out->first_file++];
        if (strcmp(name, "--check") == 0) {
            out->check_only = true;
            continue;
        }
        bool is_store = strcmp(name, "--store") == 0;
        if ((!is_store && strcmp(name, "--endpoint") != 0) || out->first_file == argc) {
            return false;
        }
        *(is_store ? &out->store : &out->endpoint) = argv[out->first_file++];
    }
    return out->first_file < argc;
}

static bool read_file(od_arena *arena, const char *path, od_str *out)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    struct od_buf text = {.arena = arena};
    char bytes[4096];
    size_t len = 0;
    while ((len = fread(bytes, 1, sizeof(bytes), file)) > 0 && text.len < MAX_FILE_BYTES) {
        od_buf_put(&text, (od_str){bytes, len});
    }
    fclose(file);
    *out = od_buf_str(&text);
    return text.len > 0;
}

static void run_file(const struct link *link, const char *path, struct tally *tally)
{
    od_arena *arena = od_arena_create();
    od_str text = {0};
    struct scenario *first = NULL;
    struct fault fault = {0, OD_STR("the file cannot be read, or is empty")};
    if (!read_file(arena, path, &text) || !scenario_parse(arena, text, &first, &fault)) {
        printf("%s:%d: not ok: %.*s\n", path, fault.line, OD_STR_ARG(fault.what));
        tally->failed++;
    } else if (link == NULL) {
        check_scenarios(path, first, tally);
    } else {
        run_scenarios(link, path, first, tally);
    }
    od_arena_destroy(arena);
}

static bool open_link(const struct options *options, od_arena *arena, struct link *out,
                      od_str *what)
{
    if (options->endpoint != NULL) {
        return transport_open_http(arena, options->endpoint, out, what);
    }
    return transport_open_library(arena, options->store, out, what);
}

int main(int argc, char **argv)
{
    struct options options;
    if (!read_options(argc, argv, &options)) {
        return usage();
    }
    od_arena *arena = od_arena_create();
    struct link link = {0};
    od_str what = {0};
    if (!options.check_only && !open_link(&options, arena, &link, &what)) {
        printf("%.*s\n", OD_STR_ARG(what));
        od_arena_destroy(arena);
        return 1;
    }
    struct tally tally = {0};
    for (int i = options.first_file; i < argc; i++) {
        run_file(options.check_only ? NULL : &link, argv[i], &tally);
    }
    if (!options.check_only) {
        link.ops->close(link.transport);
    }
    od_arena_destroy(arena);
    printf("%d scenarios, %d steps\n%d passed, %d failed\n", tally.passed + tally.failed,
           tally.steps, tally.passed, tally.failed);
    return tally.failed > 0;
}
