#include "workload.h"

#include "base/buf.h"

#include <string.h>

// In a body @K stands for the key's digits, @V for the value, @L for the limit of a page.
static const struct {
    od_str name;
    od_str target; // DynamoDB's operation
    od_str body;
} templates[] = {
    {OD_STR_INIT("GetItem"), OD_STR_INIT("GetItem"),
     OD_STR_INIT("{\"TableName\":\"bench\",\"Key\":{\"pk\":{\"S\":\"k@K\"}}}")},
    {OD_STR_INIT("PutItem"), OD_STR_INIT("PutItem"),
     OD_STR_INIT("{\"TableName\":\"bench\",\"Item\":{\"pk\":{\"S\":\"k@K\"},"
                 "\"data\":{\"S\":\"@V\"}}}")},
    {OD_STR_INIT("PutItemIf"), OD_STR_INIT("PutItem"),
     OD_STR_INIT("{\"TableName\":\"bench\",\"Item\":{\"pk\":{\"S\":\"k@K\"},"
                 "\"data\":{\"S\":\"@V\"}},\"ConditionExpression\":\"attribute_exists(pk)\"}")},
    {OD_STR_INIT("UpdateItem"), OD_STR_INIT("UpdateItem"),
     OD_STR_INIT("{\"TableName\":\"bench\",\"Key\":{\"pk\":{\"S\":\"k@K\"}},"
                 "\"UpdateExpression\":\"ADD n :one\","
                 "\"ExpressionAttributeValues\":{\":one\":{\"N\":\"1\"}}}")},
    {OD_STR_INIT("DeleteItem"), OD_STR_INIT("DeleteItem"),
     OD_STR_INIT("{\"TableName\":\"bench\",\"Key\":{\"pk\":{\"S\":\"k@K\"}}}")},
    {OD_STR_INIT("Query"), OD_STR_INIT("Query"),
     OD_STR_INIT("{\"TableName\":\"bench\",\"KeyConditionExpression\":\"pk = :pk\","
                 "\"ExpressionAttributeValues\":{\":pk\":{\"S\":\"k@K\"}}}")},
    // One partition with many items, in a table that has a sort key.
    {OD_STR_INIT("QueryPage"), OD_STR_INIT("Query"),
     OD_STR_INIT("{\"TableName\":\"bench_pages\",\"KeyConditionExpression\":\"pk = :pk\","
                 "\"ExpressionAttributeValues\":{\":pk\":{\"S\":\"p\"}}@L}")},
    {OD_STR_INIT("PutPage"), OD_STR_INIT("PutItem"),
     OD_STR_INIT("{\"TableName\":\"bench_pages\",\"Item\":{\"pk\":{\"S\":\"p\"},"
                 "\"sk\":{\"S\":\"@K\"},\"data\":{\"S\":\"@V\"}}}")},
    {OD_STR_INIT("Scan"), OD_STR_INIT("Scan"), OD_STR_INIT("{\"TableName\":\"bench\"@L}")},
};

static void put_value(struct od_buf *out, size_t size)
{
    memset(od_buf_reserve(out, size), 'v', size);
    out->len += size;
}

static void put_placeholder(struct od_buf *out, char which, struct workload_options options,
                            size_t *key_at)
{
    if (which == 'K') {
        *key_at = out->len;
        od_buf_put(out, OD_STR("00000000"));
    } else if (which == 'V') {
        put_value(out, options.value_bytes);
    } else if (options.limit > 0) {
        od_buf_printf(out, ",\"Limit\":%u", options.limit);
    }
}

static od_str make_body(od_arena *arena, od_str text, struct workload_options options,
                        size_t *key_at)
{
    struct od_buf out = {.arena = arena};
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '@') {
            put_placeholder(&out, text.ptr[++i], options, key_at);
        } else {
            od_buf_put_byte(&out, (unsigned char)text.ptr[i]);
        }
    }
    return od_buf_str(&out);
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

static od_status add_op(od_ctx *cx, struct workload *workload, od_str name, unsigned weight,
                        struct workload_options options)
{
    for (size_t i = 0; i < OD_COUNT(templates); i++) {
        if (!od_str_eq(templates[i].name, name)) {
            continue;
        }
        size_t key_at = 0;
        od_str body = make_body(cx->arena, templates[i].body, options, &key_at);
        od_str request = make_request(cx->arena, templates[i].target, body);
        workload->ops[workload->op_count++] = (struct workload_op){
            .name = name,
            .weight = weight,
            .request = request,
            .key_at = key_at == 0 ? 0 : request.len - body.len + key_at,
        };
        workload->all_weights += weight;
        return OD_OK;
    }
    return OD_FAIL(cx, OD_VALIDATION, "there is no operation %.*s", OD_STR_ARG(name));
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
        if (out->op_count == WORKLOAD_MAX_OPS) {
            return OD_FAIL(cx, OD_VALIDATION, "more than %d operations", WORKLOAD_MAX_OPS);
        }
        OD_TRY(add_op(cx, out, name, (unsigned)weight, options));
    }
    if (out->all_weights == 0) {
        return OD_FAIL(cx, OD_VALIDATION, "no operations");
    }
    return OD_OK;
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

void workload_set_key(const struct workload_op *op, char *request, uint64_t key)
{
    if (op->key_at == 0) {
        return;
    }
    for (size_t i = WORKLOAD_KEY_DIGITS; i > 0; i--) {
        request[op->key_at + i - 1] = (char)('0' + key % 10);
        key /= 10;
    }
}
