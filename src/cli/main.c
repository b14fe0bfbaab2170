// The `ordna` program: a table of commands.
#include "cli/cli.h"

#include "base/attr.h"

#include <stdio.h>
#include <string.h>

static int help(int argc, char **argv);

static int version(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("ordna " OD_VERSION);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"serve", od_cli_serve, "serve DynamoDB's API (see: ordna serve --help)"},
    {"gen", od_cli_gen, "write C for the tables and entities of a file (see: ordna gen --help)"},
    {"version", version, "print the version"},
    {"help", help, "print this"},
};

static void print_usage(FILE *out)
{
    fputs("usage: ordna COMMAND [OPTIONS]\n\n", out);
    for (size_t i = 0; i < OD_COUNT(commands); i++) {
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    }
}

static int help(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    print_usage(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        name = "help";
    }
    if (strcmp(name, "--version") == 0) {
        name = "version";
    }
    for (size_t i = 0; i < OD_COUNT(commands); i++) {
        if (strcmp(name, commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "ordna: there is no command %s; see: ordna help\n", argv[1]);
    return 2;
}
