#include "cli/cli.h"

#include "base/attr.h"
#include "base/buf.h"
#include "codegen/codegen.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "usage: ordna gen FILE [-o DIR]\n"
    "\n"
    "Reads tables and their entities from FILE and writes C for them: TABLE.h and TABLE.c for "
    "each\n"
    "table. What is wrong with the file is told in lines like\n"
    "  shop.entities:12:8: error ORD051: ...\n"
    "and when there is an error, nothing is written. docs/diagnostics.md explains the numbers.\n"
    "\n"
    "  -o, --output DIR   where the code goes; it is made if it is not there (.)\n"
    "      --check        write nothing\n"
    "      --help         print this\n";

enum flag { OUTPUT = 'o', CHECK = 256, HELP };

static const struct option options[] = {
    {"output", required_argument, NULL, OUTPUT},
    {"check", no_argument, NULL, CHECK},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

struct arguments {
    const char *file;
    const char *dir;
    bool check;
};

// --- The file -----------------------------------------------------------------------------------

static bool read_stream(FILE *stream, struct od_buf *out)
{
    size_t got = 0;
    do {
        char *at = od_buf_reserve(out, BUFSIZ);
        got = fread(at, 1, BUFSIZ, stream);
        out->len += got;
    } while (got > 0 && out->len <= OD_CODEGEN_MAX_FILE_BYTES);
    return ferror(stream) == 0;
}

static bool read_file(od_arena *arena, const char *path, od_str *out)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        fprintf(stderr, "ordna: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    struct od_buf text = {.arena = arena};
    bool ok = read_stream(stream, &text);
    if (!ok) {
        fprintf(stderr, "ordna: cannot read %s: %s\n", path, strerror(errno));
    }
    (void)fclose(stream);
    *out = od_buf_str(&text);
    return ok;
}

static void print_findings(const char *path, const struct od_codegen_result *result)
{
    for (size_t i = 0; i < result->finding_count; i++) {
        const struct od_codegen_finding *finding = &result->findings[i];
        fprintf(stderr, "%s:%u:%u: %s ORD%03u: %.*s\n", path, finding->line, finding->column,
                finding->is_error ? "error" : "warning", finding->number,
                OD_STR_ARG(finding->text));
    }
    if (result->left_out > 0) {
        fprintf(stderr, "%s: and %zu more\n", path, result->left_out);
    }
}

// --- The code -----------------------------------------------------------------------------------

// What is written goes to a file beside the real one first, so that all of the files are new, or
// none.
static const char *temporary_path(od_arena *arena, const char *dir, od_str name)
{
    return od_arena_printf(arena, "%s/%.*s.new", dir, OD_STR_ARG(name)).ptr;
}

static bool write_stream(FILE *stream, od_str text)
{
    bool written = fwrite(text.ptr, 1, text.len, stream) == text.len;
    return (fclose(stream) == 0) && written;
}

static bool write_file(const char *path, od_str text)
{
    FILE *stream = fopen(path, "wb");
    if (stream != NULL && write_stream(stream, text)) {
        return true;
    }
    fprintf(stderr, "ordna: cannot write %s: %s\n", path, strerror(errno));
    return false;
}

static bool write_new_files(od_arena *arena, const char *dir,
                            const struct od_codegen_result *result)
{
    for (size_t i = 0; i < result->output_count; i++) {
        const struct od_codegen_output *output = &result->outputs[i];
        if (!write_file(temporary_path(arena, dir, output->name), output->text)) {
            return false;
        }
    }
    return true;
}

static bool move_files(od_arena *arena, const char *dir, const struct od_codegen_result *result)
{
    for (size_t i = 0; i < result->output_count; i++) {
        od_str name = result->outputs[i].name;
        const char *path = od_arena_printf(arena, "%s/%.*s", dir, OD_STR_ARG(name)).ptr;
        if (rename(temporary_path(arena, dir, name), path) != 0) {
            fprintf(stderr, "ordna: cannot write %s: %s\n", path, strerror(errno));
            return false;
        }
    }
    return true;
}

static void remove_new_files(od_arena *arena, const char *dir,
                             const struct od_codegen_result *result)
{
    for (size_t i = 0; i < result->output_count; i++) {
        (void)unlink(temporary_path(arena, dir, result->outputs[i].name));
    }
}

static bool write_files(od_arena *arena, const char *dir, const struct od_codegen_result *result)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "ordna: cannot make the directory %s: %s\n", dir, strerror(errno));
        return false;
    }
    if (write_new_files(arena, dir, result) && move_files(arena, dir, result)) {
        return true;
    }
    remove_new_files(arena, dir, result);
    return false;
}

// --- The command --------------------------------------------------------------------------------

static od_str base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return od_cstr(slash == NULL ? path : slash + 1);
}

static bool generate(od_arena *arena, const struct arguments *arguments)
{
    od_str text;
    struct od_codegen_result result;
    if (!read_file(arena, arguments->file, &text)) {
        return false;
    }
    od_codegen_run(arena, base_name(arguments->file), text, &result);
    print_findings(arguments->file, &result);
    if (result.error_count > 0) {
        return false;
    }
    return arguments->check || write_files(arena, arguments->dir, &result);
}

// The exit code, or -1 to go on.
static int read_arguments(int argc, char **argv, struct arguments *out)
{
    int flag = 0;
    while ((flag = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
        switch (flag) {
        case OUTPUT:
            out->dir = optarg;
            break;
        case CHECK:
            out->check = true;
            break;
        case HELP:
            fputs(usage, stdout);
            return 0;
        default:
            fputs("see: ordna gen --help\n", stderr);
            return 2;
        }
    }
    if (argc - optind != 1) {
        fputs("ordna: gen takes one file; see: ordna gen --help\n", stderr);
        return 2;
    }
    out->file = argv[optind];
    return -1;
}

int od_cli_gen(int argc, char **argv)
{
    struct arguments arguments = {.dir = "."};
    int code = read_arguments(argc, argv, &arguments);
    if (code >= 0) {
        return code;
    }
    od_arena *arena = od_arena_create();
    bool ok = generate(arena, &arguments);
    od_arena_destroy(arena);
    return ok ? 0 : 1;
}
