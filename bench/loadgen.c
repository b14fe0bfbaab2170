// Loads a server that speaks DynamoDB's protocol, and says how it did in lines "key=value".
//
//   loadgen --port N [OPTION VALUE]...
#include "client.h"
#include "process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    uint64_t port;
    uint64_t connections;
    uint64_t requests;
    uint64_t seconds;
    uint64_t warm_up;
    uint64_t rate;
    uint64_t keys;
    uint64_t size;
    uint64_t limit;
    uint64_t pid;
    const char *host;
    const char *ops;
    const char *order;
};

struct flag {
    const char *name;
    size_t number; // where the value goes, in struct options
    size_t text;   // the same for text; 0: it is a number
    uint64_t max;
    const char *help;
};

#define NUMBER(field) .number = offsetof(struct options, field)
#define TEXT(field)   .text = offsetof(struct options, field)

static const struct flag flags[] = {
    {"--port", NUMBER(port), .max = 65535, .help = "the server's port"},
    {"--host", TEXT(host), .help = "its IPv4 address (127.0.0.1)"},
    {"--ops", TEXT(ops), .help = "GetItem, or a mix like GetItem=95,PutItem=5"},
    {"--connections", NUMBER(connections), .max = 10000, .help = "how many (64)"},
    {"--requests", NUMBER(requests), .max = UINT64_MAX, .help = "end after so many"},
    {"--seconds", NUMBER(seconds), .max = 86400, .help = "end after so long (5)"},
    {"--warm-up", NUMBER(warm_up), .max = UINT64_MAX, .help = "requests before, not timed (1000)"},
    {"--rate", NUMBER(rate), .max = 10000000, .help = "requests due a second; 0: closed loop (0)"},
    {"--keys", NUMBER(keys), .max = 99999999, .help = "how many keys (100000)"},
    {"--order", TEXT(order), .help = "of keys: in-order, uniform or zipf (uniform)"},
    {"--size", NUMBER(size), .max = 409600, .help = "bytes of an item's value (1024)"},
    {"--limit", NUMBER(limit), .max = 1000000, .help = "items a page; 0: what fits (0)"},
    {"--pid", NUMBER(pid), .max = INT32_MAX, .help = "the server, to count its CPU and memory"},
};

static const struct {
    const char *name;
    enum key_order order;
} orders[] = {{"in-order", KEYS_IN_ORDER}, {"uniform", KEYS_UNIFORM}, {"zipf", KEYS_ZIPF}};

static _Noreturn void show_usage(void)
{
    fputs("usage: loadgen --port N --ops MIX [OPTION VALUE]...\n", stderr);
    for (size_t i = 0; i < OD_COUNT(flags); i++) {
        fprintf(stderr, "  %-14s %s\n", flags[i].name, flags[i].help);
    }
    exit(2);
}

static const struct flag *find_flag(const char *name)
{
    for (size_t i = 0; i < OD_COUNT(flags); i++) {
        if (od_str_eq(od_cstr(flags[i].name), od_cstr(name))) {
            return &flags[i];
        }
    }
    fprintf(stderr, "loadgen: there is no option %s\n", name);
    show_usage();
}

static void set_flag(struct options *options, const struct flag *flag, const char *value)
{
    char *base = (char *)options;
    if (flag->text != 0) {
        *(const char **)(base + flag->text) = value;
        return;
    }
    uint64_t number = 0;
    if (!od_str_to_u64(od_cstr(value), &number) || number > flag->max) {
        fprintf(stderr, "loadgen: %s is no value of %s\n", value, flag->name);
        show_usage();
    }
    *(uint64_t *)(base + flag->number) = number;
}

static void check_options(struct options *options)
{
    if (options->port == 0 || options->ops == NULL || options->connections == 0 ||
        options->keys == 0) {
        show_usage();
    }
    if (options->requests == 0 && options->seconds == 0) {
        options->seconds = 5;
    }
}

static struct options parse_options(int argc, char **argv)
{
    struct options options = {
        .host = "127.0.0.1",
        .connections = 64,
        .warm_up = 1000,
        .keys = 100000,
        .order = "uniform",
        .size = 1024,
    };
    for (int i = 1; i < argc; i += 2) {
        const struct flag *flag = find_flag(argv[i]);
        if (i + 1 == argc) {
            show_usage();
        }
        set_flag(&options, flag, argv[i + 1]);
    }
    check_options(&options);
    return options;
}

static enum key_order order_of(const char *name)
{
    for (size_t i = 0; i < OD_COUNT(orders); i++) {
        if (od_str_eq(od_cstr(orders[i].name), od_cstr(name))) {
            return orders[i].order;
        }
    }
    show_usage();
}

struct usage {
    pid_t pid;
    uint64_t cpu_ns;
    uint64_t own_cpu_ns;
};

static void begin_usage(void *arg)
{
    struct usage *usage = arg;
    usage->cpu_ns = process_cpu_ns(usage->pid);
    usage->own_cpu_ns = process_cpu_ns(0);
}

static void end_usage(void *arg)
{
    struct usage *usage = arg;
    usage->cpu_ns = process_cpu_ns(usage->pid) - usage->cpu_ns;
    usage->own_cpu_ns = process_cpu_ns(0) - usage->own_cpu_ns;
}

static void print_result(const struct client_result *result, const struct usage *usage)
{
    static const struct {
        const char *name;
        double part;
    } quantiles[] = {{"p50_us", 0.5}, {"p99_us", 0.99}, {"p999_us", 0.999}, {"max_us", 1}};
    const struct histogram *times = &result->times_ns;
    double ops = times->total == 0 ? 1 : (double)times->total;
    double seconds = (double)result->elapsed_ns / 1e9;
    printf("ops=%llu\n", (unsigned long long)times->total);
    printf("failed=%llu\n", (unsigned long long)result->failed);
    printf("seconds=%.3f\n", seconds);
    printf("ops_per_s=%.0f\n", (double)times->total / seconds);
    for (size_t i = 0; i < OD_COUNT(quantiles); i++) {
        uint64_t ns = histogram_quantile(times, quantiles[i].part);
        printf("%s=%.1f\n", quantiles[i].name, (double)ns / 1e3);
    }
    printf("body_bytes_per_op=%.0f\n", (double)result->body_bytes / ops);
    printf("client_cpu_us_per_op=%.3f\n", (double)usage->own_cpu_ns / 1e3 / ops);
    if (usage->pid != 0) {
        printf("cpu_us_per_op=%.3f\n", (double)usage->cpu_ns / 1e3 / ops);
        printf("rss_kb=%llu\n", (unsigned long long)process_rss_kb(usage->pid));
    }
    if (result->failed > 0) {
        fprintf(stderr, "loadgen: first failure: %s\n", result->first_failure);
    }
}

static od_status run(od_ctx *cx, const struct options *options)
{
    struct workload workload;
    const struct workload_options shape = {.value_bytes = options->size,
                                           .limit = (unsigned)options->limit};
    OD_TRY(workload_parse(cx, od_cstr(options->ops), shape, &workload));
    struct keys keys;
    keys_init(&keys, order_of(options->order), options->keys, 0.99);
    struct usage usage = {.pid = (pid_t)options->pid};
    const struct client_options client = {
        .host = options->host,
        .port = (uint16_t)options->port,
        .connections = (unsigned)options->connections,
        .rate = options->rate,
        .requests = options->requests,
        .seconds = options->seconds,
        .warm_up = options->warm_up,
        .begin = begin_usage,
        .end = end_usage,
        .arg = &usage,
    };
    struct client_result *result = od_new(cx->arena, struct client_result);
    OD_TRY(client_run(cx, &client, &workload, &keys, result));
    print_result(result, &usage);
    return result->failed == 0 ? OD_OK : OD_FAIL(cx, OD_INTERNAL, "some answers were not 200");
}

int main(int argc, char **argv)
{
    struct options options = parse_options(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    od_ctx cx = {.arena = od_arena_create()};
    od_status status = run(&cx, &options);
    if (status != OD_OK) {
        fprintf(stderr, "loadgen: %.*s\n", OD_STR_ARG(cx.error));
    }
    od_arena_destroy(cx.arena);
    return status != OD_OK;
}
