// Loads a server that speaks DynamoDB's protocol, and says how it did in lines "key=value".
//
//   loadgen --port N [OPTION VALUE]...
#include "client.h"
#include "operations.h"
#include "process.h"
#include "values.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

struct options {
    uint64_t port;
    uint64_t connections;
    uint64_t requests;
    uint64_t milliseconds;
    uint64_t warm_up;
    uint64_t rate;
    uint64_t give_up_ms;
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
    {"--ops", TEXT(ops), .help = "GetItem, or a mix: GetItem=95,PutItem=5, or ycsb-a to ycsb-f"},
    {"--connections", NUMBER(connections), .max = 10000, .help = "how many (64)"},
    {"--requests", NUMBER(requests), .max = UINT64_MAX, .help = "end after so many"},
    {"--ms", NUMBER(milliseconds), .max = 86400000, .help = "end after so long (5000)"},
    {"--warm-up", NUMBER(warm_up), .max = UINT64_MAX, .help = "requests before, not timed (1000)"},
    {"--rate", NUMBER(rate), .max = 10000000, .help = "requests due a second; 0: closed loop (0)"},
    {"--give-up-ms", NUMBER(give_up_ms), .max = 60000, .help = "end of patience; 0: none (0)"},
    {"--keys", NUMBER(keys), .max = 99999999, .help = "how many keys (100000)"},
    {"--order", TEXT(order), .help = "of keys: in-order, uniform, zipf or latest (uniform)"},
    {"--size", NUMBER(size), .max = VALUES_MAX_BYTES, .help = "bytes of an item's value (1024)"},
    {"--limit", NUMBER(limit), .max = 1000000, .help = "items a page; 0: what fits (0)"},
    {"--pid", NUMBER(pid), .max = INT32_MAX, .help = "the server, to count its CPU and memory"},
};

static const struct {
    const char *name;
    enum key_order order;
} orders[] = {{"in-order", KEYS_IN_ORDER},
              {"uniform", KEYS_UNIFORM},
              {"zipf", KEYS_ZIPF},
              {"latest", KEYS_LATEST}};

static _Noreturn void show_usage(void)
{
    fputs("usage: loadgen --port N --ops MIX [OPTION VALUE]...\n", stderr);
    for (size_t i = 0; i < OD_COUNT(flags); i++) {
        fprintf(stderr, "  %-14s %s\n", flags[i].name, flags[i].help);
    }
    fputs("operations:", stderr);
    for (size_t i = 0; operation_at(i) != NULL; i++) {
        fprintf(stderr, " %.*s", OD_STR_ARG(operation_at(i)->name));
    }
    fputs("\n", stderr);
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
    if (options->requests == 0 && options->milliseconds == 0) {
        options->milliseconds = 5000;
    }
    if (options->give_up_ms > 0 && (options->rate == 0 || options->milliseconds == 0)) {
        fputs("loadgen: --give-up-ms is for an open loop of so many --ms\n", stderr);
        show_usage();
    }
}

static struct options parse_options(int argc, char **argv)
{
    struct options options = {
        .host = "127.0.0.1",
        .connections = 64,
        .warm_up = 1000,
        .keys = 100000,
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
    uint64_t before_ns;
    uint64_t cpu_ns;
    uint64_t own_cpu_ns;
};

static void begin_usage(void *arg)
{
    struct usage *usage = arg;
    usage->before_ns = process_cpu_ns(usage->pid);
    usage->own_cpu_ns = process_cpu_ns(0);
}

static void end_usage(void *arg)
{
    struct usage *usage = arg;
    usage->cpu_ns = process_cpu_ns(usage->pid) - usage->before_ns;
    usage->own_cpu_ns = process_cpu_ns(0) - usage->own_cpu_ns;
}

static uint64_t count_refusals(const struct client_result *result)
{
    return result->refusals_ns.total;
}

static void print_times(const char *prefix, const struct histogram *times)
{
    static const struct {
        const char *name;
        double part;
    } quantiles[] = {{"p50_us", 0.5}, {"p99_us", 0.99}, {"p999_us", 0.999}, {"max_us", 1}};
    for (size_t i = 0; i < OD_COUNT(quantiles); i++) {
        uint64_t ns = histogram_quantile(times, quantiles[i].part);
        printf("%s%s=%.1f\n", prefix, quantiles[i].name, (double)ns / 1e3);
    }
}

static void print_count(const char *name, uint64_t count)
{
    printf("%s=%llu\n", name, (unsigned long long)count);
}

// What became of the requests that were not answered with 200 in time.
static void print_failures(const struct client_result *result)
{
    print_count("refused", count_refusals(result));
    print_count("late", result->late);
    print_count("unsent", result->unsent);
    print_count("lost", result->lost);
    print_times("refused_", &result->refusals_ns);
    for (size_t i = 0; i < CLIENT_REFUSAL_KINDS && result->refusals[i].count > 0; i++) {
        const struct client_refusal *kind = &result->refusals[i];
        printf("answer_%d_%s=%llu\n", kind->status, kind->type, (unsigned long long)kind->count);
    }
}

static void print_usage(const struct usage *usage, double ops)
{
    printf("client_cpu_us_per_op=%.3f\n", (double)usage->own_cpu_ns / 1e3 / ops);
    if (usage->pid == 0) {
        return;
    }
    printf("cpu_us_per_op=%.3f\n", (double)usage->cpu_ns / 1e3 / ops);
    printf("cpu_us_before=%.0f\n", (double)usage->before_ns / 1e3);
    print_count("rss_kb", process_rss_kb(usage->pid));
}

static void print_result(const struct client_result *result, const struct usage *usage)
{
    double ops = result->times_ns.total == 0 ? 1 : (double)result->times_ns.total;
    double seconds = result->elapsed_ns == 0 ? 1 : (double)result->elapsed_ns / 1e9;
    print_count("ops", result->times_ns.total);
    print_count("begun", result->begun);
    printf("seconds=%.3f\n", seconds);
    printf("ops_per_s=%.0f\n", (double)result->times_ns.total / seconds);
    printf("body_bytes_per_op=%.0f\n", (double)result->body_bytes / ops);
    print_times("", &result->times_ns);
    print_failures(result);
    print_usage(usage, ops);
}

static void init_keys(const struct options *options, const struct workload_mix *mix,
                      struct keys *out)
{
    enum key_order order = mix == NULL ? KEYS_UNIFORM : mix->order;
    order = options->order == NULL ? order : order_of(options->order);
    keys_init(out, order, options->keys, 0.99);
}

static od_status check_result(od_ctx *cx, const struct options *options,
                              const struct client_result *result)
{
    if (options->give_up_ms > 0 || count_refusals(result) == 0) {
        return OD_OK;
    }
    return OD_FAIL(cx, OD_INTERNAL, "some answers were not 200: %s", result->first_refusal);
}

static od_status run(od_ctx *cx, const struct options *options)
{
    const struct workload_mix *mix = workload_find_mix(od_cstr(options->ops));
    struct workload workload;
    const struct workload_options shape = {.value_bytes = options->size,
                                           .limit = (unsigned)options->limit};
    OD_TRY(workload_parse(cx, od_cstr(mix == NULL ? options->ops : mix->ops), shape, &workload));
    struct keys keys;
    init_keys(options, mix, &keys);
    struct usage usage = {.pid = (pid_t)options->pid};
    const struct client_options client = {
        .host = options->host,
        .port = (uint16_t)options->port,
        .connections = (unsigned)options->connections,
        .rate = options->rate,
        .requests = options->requests,
        .milliseconds = options->milliseconds,
        .warm_up = options->warm_up,
        .give_up_ms = options->give_up_ms,
        .begin = begin_usage,
        .end = end_usage,
        .arg = &usage,
    };
    struct client_result *result = od_new(cx->arena, struct client_result);
    OD_TRY(client_run(cx, &client, &workload, &keys, result));
    print_result(result, &usage);
    return check_result(cx, options, result);
}

// A connection is an open file.
static void allow_many_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argc, char **argv)
{
    struct options options = parse_options(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    allow_many_files();
    od_ctx cx = {.arena = od_arena_create()};
    od_status status = run(&cx, &options);
    if (status != OD_OK) {
        fprintf(stderr, "loadgen: %.*s\n", OD_STR_ARG(cx.error));
    }
    od_arena_destroy(cx.arena);
    return status != OD_OK;
}
