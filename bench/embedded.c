// What an operation costs inside a program: one thread, no network. The store's reads are warm.
//
//   embedded STORE DIR ITEMS CALLS      prints "cpu_us_get=" and "cpu_us_put=", durability relaxed
#include "keys.h"
#include "process.h"
#include "values.h"

#include "base/str.h"

#include <ordna/ordna.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 1024, BODY_BYTES = 2048, KEY_DIGITS = 8 };

// A request's JSON, and where its key's digits and its value go.
struct call {
    const char *operation;
    char body[BODY_BYTES];
    size_t size;
    size_t key_at;
    size_t value_at; // 0: nowhere
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "embedded: %s\n", what);
    exit(1);
}

static struct call make_call(const char *operation, const char *before, const char *after)
{
    struct call call = {.operation = operation};
    int size = snprintf(call.body, sizeof(call.body), "%s%0*d%s", before, KEY_DIGITS, 0, after);
    if (size < 0 || (size_t)size >= sizeof(call.body)) {
        die("the request is too long");
    }
    call.size = (size_t)size;
    call.key_at = strlen(before);
    return call;
}

static struct call make_get(void)
{
    return make_call("GetItem", "{\"TableName\":\"bench\",\"Key\":{\"pk\":{\"S\":\"k", "\"}}}");
}

static struct call make_put(void)
{
    static const char before_value[] = "\"},\"data\":{\"S\":\"";
    char after[VALUE_BYTES + 32];
    snprintf(after, sizeof(after), "%s%*s\"}}}", before_value, VALUE_BYTES, "");
    struct call call =
        make_call("PutItem", "{\"TableName\":\"bench\",\"Item\":{\"pk\":{\"S\":\"k", after);
    call.value_at = call.key_at + KEY_DIGITS + sizeof(before_value) - 1;
    return call;
}

static void run(ordna *db, const char *operation, const char *body, size_t size)
{
    ordna_response answer;
    if (ordna_call(db, operation, body, size, &answer) != 200) {
        die(answer.body);
    }
    ordna_response_clear(&answer);
}

static void create_table(ordna *db)
{
    static const char body[] =
        "{\"TableName\":\"bench\",\"BillingMode\":\"PAY_PER_REQUEST\","
        "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}],"
        "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}]}";
    run(db, "CreateTable", body, sizeof(body) - 1);
}

static void fill_in(struct call *call, uint64_t key, uint64_t random)
{
    if (call->value_at > 0) {
        values_fill(call->body + call->value_at, VALUE_BYTES, random);
    }
    for (size_t i = KEY_DIGITS; i > 0; i--) {
        call->body[call->key_at + i - 1] = (char)('0' + key % 10);
        key /= 10;
    }
}

// Microseconds of CPU a call, the store's own threads included.
static double measure(ordna *db, struct call *call, struct keys *keys, uint64_t count)
{
    uint64_t before_ns = process_cpu_ns(0);
    for (uint64_t i = 0; i < count; i++) {
        fill_in(call, keys_next(keys, 1), keys_random(keys));
        run(db, call->operation, call->body, call->size);
    }
    return (double)(process_cpu_ns(0) - before_ns) / 1e3 / (double)count;
}

static void measure_all(ordna *db, uint64_t items, uint64_t calls)
{
    struct call put = make_put();
    struct call get = make_get();
    struct keys in_order;
    struct keys uniform;
    keys_init(&in_order, KEYS_IN_ORDER, items, 0);
    keys_init(&uniform, KEYS_UNIFORM, items, 0);
    create_table(db);
    (void)measure(db, &put, &in_order, items);
    (void)measure(db, &get, &in_order, items);
    printf("cpu_us_get=%.3f\n", measure(db, &get, &uniform, calls));
    printf("cpu_us_put=%.3f\n", measure(db, &put, &uniform, calls));
}

int main(int argc, char **argv)
{
    uint64_t items = 0;
    uint64_t calls = 0;
    if (argc != 5 || !od_str_to_u64(od_cstr(argv[3]), &items) || items == 0 ||
        !od_str_to_u64(od_cstr(argv[4]), &calls) || calls == 0) {
        die("usage: embedded STORE DIR ITEMS CALLS");
    }
    const ordna_options options = {.store = argv[1], .dir = argv[2], .durability = "relaxed"};
    ordna *db = NULL;
    char error[512];
    if (ordna_open(&options, &db, error, sizeof(error)) != 0) {
        die(error);
    }
    measure_all(db, items, calls);
    ordna_close(db);
    return 0;
}
