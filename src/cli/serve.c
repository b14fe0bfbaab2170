#include "cli/cli.h"

#include "base/str.h"
#include "server/server.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { MAX_THREADS = 256 };

static const char usage[] =
    "usage: ordna serve [OPTIONS]\n"
    "\n"
    "  --host ADDRESS         address to listen on (127.0.0.1)\n"
    "  --port PORT            port to listen on; 0 for any free one (8000)\n"
    "  --store STORE          rocksdb, or memory: gone when the server stops (rocksdb)\n"
    "  --data DIR             where rocksdb keeps the data (./data)\n"
    "  --durability MODE      sync: a write is on disk before it is answered;\n"
    "                         relaxed: the operating system has it (sync)\n"
    "  --threads N            event loops (one for each core)\n"
    "  --insecure-bind        allow an address that is not loopback: any credentials are\n"
    "                         accepted, so whoever can reach it can read and write everything\n"
    "  --help                 print this\n";

enum flag { HOST, PORT, STORE, DATA, DURABILITY, THREADS, INSECURE_BIND, HELP };

static const struct option options[] = {
    {"host", required_argument, NULL, HOST},
    {"port", required_argument, NULL, PORT},
    {"store", required_argument, NULL, STORE},
    {"data", required_argument, NULL, DATA},
    {"durability", required_argument, NULL, DURABILITY},
    {"threads", required_argument, NULL, THREADS},
    {"insecure-bind", no_argument, NULL, INSECURE_BIND},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

static bool parse_durability(const char *text, enum od_durability *out)
{
    bool sync = strcmp(text, "sync") == 0;
    *out = sync ? OD_DURABILITY_SYNC : OD_DURABILITY_RELAXED;
    return sync || strcmp(text, "relaxed") == 0;
}

static bool is_store(const char *text)
{
    return strcmp(text, "rocksdb") == 0 || strcmp(text, "memory") == 0;
}

static bool set_number(const char *text, uint64_t min, uint64_t max, uint32_t *out)
{
    uint64_t n = 0;
    bool ok = od_str_to_u64(od_cstr(text), &n) && n >= min && n <= max;
    *out = (uint32_t)n;
    return ok;
}

// False when the flag's argument makes no sense.
static bool set_flag(struct od_server_options *out, int flag, const char *arg)
{
    uint32_t n = 0;
    bool ok = true;
    switch (flag) {
    case HOST:
        out->host = strcmp(arg, "localhost") == 0 ? "127.0.0.1" : arg;
        return true;
    case PORT:
        ok = set_number(arg, 0, UINT16_MAX, &n);
        out->port = (uint16_t)n;
        return ok;
    case STORE:
        out->store = arg;
        return is_store(arg);
    case DATA:
        out->dir = arg;
        return arg[0] != '\0';
    case DURABILITY:
        return parse_durability(arg, &out->durability);
    case THREADS:
        return set_number(arg, 1, MAX_THREADS, &out->threads);
    case INSECURE_BIND:
        out->insecure_bind = true;
        return true;
    default:
        return false;
    }
}

int od_cli_serve(int argc, char **argv)
{
    struct od_server_options server = {
        .host = "127.0.0.1", .port = 8000, .store = "rocksdb", .dir = "data"};
    int flag = 0;
    int position = 0;
    while ((flag = getopt_long(argc, argv, "", options, &position)) != -1) {
        if (flag == HELP) {
            fputs(usage, stdout);
            return 0;
        }
        if (flag == '?') {
            fputs("see: ordna serve --help\n", stderr);
            return 2;
        }
        if (!set_flag(&server, flag, optarg)) {
            fprintf(stderr, "ordna: --%s does not take %s; see: ordna serve --help\n",
                    options[flag].name, optarg);
            return 2;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "ordna: serve does not take %s; see: ordna serve --help\n", argv[optind]);
        return 2;
    }
    return od_server_run(&server);
}
