#include "workload.h"

#include "operations.h"
#include "values.h"

#include "base/attr.h"
#include "base/buf.h"

#include <assert.h>
#include <string.h>

enum { FIELDS = 10, MAX_SLOTS = 512, MOST_COUNTED = 100, KEYS_A_PARTITION = 100 };

// What an operation's request is made with.
struct maker {
    struct od_buf body;
    struct workload_options options;
    struct workload_slot *slots;
    size_t slot_count;
    unsigned index; // of the key that comes next
};

static void add_slot(struct maker *maker, enum workload_slot_kind kind, size_t len)
{
    assert(maker->slot_count < MAX_SLOTS);
    maker->slots[maker->slot_count++] = (struct workload_slot){
        .kind = kind,
        .index = maker->index,
        .at = maker->body.len,
        .len = len,
    };
    memset(od_buf_reserve(&maker->body, len), '0', len);
    maker->body.len += len;
}

static void add_limit(struct maker *maker)
{
    if (maker->options.limit > 0) {
        od_buf_printf(&maker->body, ",\"Limit\":%u", maker->options.limit);
    }
}

static void add_placeholder(struct maker *maker, char which)
{
    switch (which) {
    case 'K':
        add_slot(maker, WORKLOAD_KEY, WORKLOAD_KEY_DIGITS);
        return;
    case 'P':
        add_slot(maker, WORKLOAD_PARTITION, WORKLOAD_PARTITION_DIGITS);
        return;
    case 'C':
        add_slot(maker, WORKLOAD_COUNT, WORKLOAD_COUNT_DIGITS);
        return;
    case 'R':
        add_slot(maker, WORKLOAD_NOISE, WORKLOAD_KEY_DIGITS);
        return;
    case 'V':
        add_slot(maker, WORKLOAD_VALUE, maker->options.value_bytes);
        return;
    case 'F':
        add_slot(maker, WORKLOAD_VALUE, maker->options.value_bytes / FIELDS);
        return;
    case 'L':
        add_limit(maker);
        return;
    case '+':
        maker->index++;
        return;
    default:
        assert(!"there is no such placeholder");
    }
}

static void add_text(struct maker *maker, od_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '@') {
            add_placeholder(maker, text.ptr[++i]);
        } else {
            od_buf_put_byte(&maker->body, c == '\'' ? '"' : (unsigned char)c);
        }
    }
}

static void add_body(struct maker *maker, const struct operation *operation)
{
    add_text(maker, operation->head);
    for (unsigned i = 0; i < operation->elements; i++) {
        if (i > 0) {
            od_buf_put_byte(&maker->body, ',');
            maker->index++;
        }
        add_text(maker, operation->element);
    }
    add_text(maker, operation->tail);
}

// The headers are those of an SDK, in number and size; nobody checks the signature.
static od_str make_request(od_arena *arena, od_str target, od_str body)
{
    struct od_buf out = {.arena = arena};
    od_buf_printf(
        &out,
        "POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nContent-Type: application/x-amz-json-1.0\r\n"
        "X-Amz-Target: DynamoDB_20120810.%.*s\r\nX-Amz-Date: 20260801T000000Z\r\n"
        "User-Agent: loadgen/1.0 lang/c\r\nAccept-Encoding: identity\r\n"
        "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260801/us-east-1/dynamodb/"
        "aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature="
        "0000000000000000000000000000000000000000000000000000000000000000\r\n"
        "Content-Length: %zu\r\n\r\n",
        OD_STR_ARG(target), body.len);
    od_buf_put(&out, body);
    return od_buf_str(&out);
}

static struct workload_op make_op(od_arena *arena, const struct operation *operation,
                                  struct workload_options options)
{
    struct maker maker = {
        .body = {.arena = arena},
        .options = options,
        .slots = od_new_array(arena, struct workload_slot, MAX_SLOTS),
    };
    add_body(&maker, operation);
    od_str body = od_buf_str(&maker.body);
    od_str request = make_request(arena, operation->target, body);
    for (size_t i = 0; i < maker.slot_count; i++) {
        maker.slots[i].at += request.len - body.len;
    }
    return (struct workload_op){
        .name = operation->name,
        .request = request,
        .slots = maker.slots,
        .slot_count = maker.slot_count,
        .key_count = maker.index + 1,
        .inserts = operation->inserts,
        .then = WORKLOAD_NO_OP,
    };
}

static od_status add_op(od_ctx *cx, struct workload *workload, od_str name, unsigned weight,
                        struct workload_options options)
{
    const struct operation *operation = operation_find(name);
    if (operation == NULL) {
        return OD_FAIL(cx, OD_VALIDATION, "there is no operation %.*s", OD_STR_ARG(name));
    }
    if (workload->op_count == WORKLOAD_MAX_OPS) {
        return OD_FAIL(cx, OD_VALIDATION, "more than %d operations", WORKLOAD_MAX_OPS);
    }
    struct workload_op *op = &workload->ops[workload->op_count++];
    *op = make_op(cx->arena, operation, options);
    op->weight = weight;
    workload->all_weights += weight;
    return OD_OK;
}

// What follows another operation is never picked by itself.
static od_status add_followers(od_ctx *cx, struct workload *workload,
                               struct workload_options options)
{
    for (size_t i = 0; i < workload->op_count; i++) {
        od_str then = operation_find(workload->ops[i].name)->then;
        if (then.len > 0) {
            workload->ops[i].then = (int)workload->op_count;
            OD_TRY(add_op(cx, workload, then, 0, options));
        }
    }
    return OD_OK;
}

static od_str cut(od_str *rest, char separator)
{
    const char *at = memchr(rest->ptr, separator, rest->len);
    size_t len = at == NULL ? rest->len : (size_t)(at - rest->ptr);
    od_str part = {rest->ptr, len};
    *rest = od_str_skip(*rest, at == NULL ? len : len + 1);
    return part;
}

od_status workload_parse(od_ctx *cx, od_str mix, struct workload_options options,
                         struct workload *out)
{
    *out = (struct workload){0};
    while (mix.len > 0) {
        od_str weight_text = cut(&mix, ',');
        od_str name = cut(&weight_text, '=');
        uint64_t weight = 1;
        if (weight_text.len > 0 && (!od_str_to_u64(weight_text, &weight) || weight > 1000000)) {
            return OD_FAIL(cx, OD_VALIDATION, "%.*s is no weight", OD_STR_ARG(weight_text));
        }
        OD_TRY(add_op(cx, out, name, (unsigned)weight, options));
    }
    if (out->all_weights == 0) {
        return OD_FAIL(cx, OD_VALIDATION, "no operations");
    }
    return add_followers(cx, out, options);
}

// YCSB's core workloads. Its scans begin at a key and take 1 to 100 items.
static const struct workload_mix mixes[] = {
    {"ycsb-a", "ReadFields=50,UpdateField=50", KEYS_ZIPF},
    {"ycsb-b", "ReadFields=95,UpdateField=5", KEYS_ZIPF},
    {"ycsb-c", "ReadFields", KEYS_ZIPF},
    {"ycsb-d", "ReadFields=95,InsertFields=5", KEYS_LATEST},
    {"ycsb-e", "ScanFields=95,InsertFields=5", KEYS_ZIPF},
    {"ycsb-f", "ReadFields=50,ReadModifyWrite=50", KEYS_ZIPF},
};

const struct workload_mix *workload_find_mix(od_str name)
{
    for (size_t i = 0; i < OD_COUNT(mixes); i++) {
        if (od_str_eq(od_cstr(mixes[i].name), name)) {
            return &mixes[i];
        }
    }
    return NULL;
}

size_t workload_pick(const struct workload *workload, uint64_t random)
{
    uint64_t rest = random % workload->all_weights;
    size_t i = 0;
    while (rest >= workload->ops[i].weight) {
        rest -= workload->ops[i].weight;
        i++;
    }
    return i;
}

uint64_t workload_next_key(const struct workload_op *op, struct keys *keys)
{
    return op->inserts ? keys_insert(keys) : keys_next(keys, op->key_count);
}

static void write_digits(char *out, size_t len, uint64_t number, char in_front)
{
    for (size_t i = len; i > 0; i--) {
        out[i - 1] = number == 0 && i < len ? in_front : (char)('0' + number % 10);
        number /= 10;
    }
}

static void fill_slot(const struct workload_slot *slot, char *out, uint64_t key, uint64_t random)
{
    switch (slot->kind) {
    case WORKLOAD_KEY:
        write_digits(out, slot->len, key, '0');
        return;
    case WORKLOAD_PARTITION:
        write_digits(out, slot->len, key / KEYS_A_PARTITION, '0');
        return;
    case WORKLOAD_COUNT: // JSON has no zeros in front
        write_digits(out, slot->len, 1 + random % MOST_COUNTED, ' ');
        return;
    case WORKLOAD_NOISE:
        write_digits(out, slot->len, random, '0');
        return;
    case WORKLOAD_VALUE:
        values_fill(out, slot->len, random);
        return;
    }
}

void workload_fill(const struct workload_op *op, char *request, uint64_t first_key,
                   struct keys *keys)
{
    for (size_t i = 0; i < op->slot_count; i++) {
        const struct workload_slot *slot = &op->slots[i];
        // The keys of one request differ, as long as there are so many.
        uint64_t key = (first_key + slot->index) % keys->inserted;
        fill_slot(slot, request + slot->at, key, keys_random(keys));
    }
}
