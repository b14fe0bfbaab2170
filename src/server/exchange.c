#include "server/exchange.h"

#include "base/buf.h"
#include "base/random.h"
#include "server/coding.h"

enum { MAX_PLAIN_BYTES = 16 * 1024 * 1024, MAX_HEADERS = 8 };

static const char unknown_operation[] =
    "{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}";
static const char broken_body[] =
    "{\"__type\":\"com.amazon.coral.service#MalformedHttpRequestException\","
    "\"message\":\"The request body is not valid gzip\"}";
static const char too_large[] =
    "{\"__type\":\"com.amazon.coral.service#RequestEntityTooLargeException\"}";

// --- Answers ------------------------------------------------------------------------------------

struct answer {
    struct od_http_response response;
    struct od_http_header headers[MAX_HEADERS];
};

static void add_header(struct answer *answer, od_str name, od_str value)
{
    answer->headers[answer->response.header_count++] = (struct od_http_header){name, value};
}

static od_str crc_text(od_arena *arena, od_str body)
{
    struct od_buf text = {.arena = arena};
    od_buf_put_u64(&text, od_crc32(body));
    return od_buf_str(&text);
}

// Adds what every answer has, and sends it.
static void send_answer(struct od_http_request *request, struct answer *answer)
{
    char *id = od_arena_bytes(request->arena, OD_REQUEST_ID_LEN);
    od_random_request_id(id);
    add_header(answer, OD_STR("x-amzn-RequestId"), (od_str){id, OD_REQUEST_ID_LEN});
    add_header(answer, OD_STR("x-amz-crc32"), crc_text(request->arena, answer->response.body));
    add_header(answer, OD_STR("Server"), OD_STR("Server"));
    if (od_http_header(request, OD_STR("Origin")).ptr != NULL) {
        add_header(answer, OD_STR("Access-Control-Allow-Origin"), OD_STR("*"));
    }
    answer->response.headers = answer->headers;
    od_http_respond(request, &answer->response);
}

static void answer_plain(struct od_http_request *request, int status, od_str type, od_str body)
{
    struct answer *answer = od_new(request->arena, struct answer);
    answer->response = (struct od_http_response){.status = status, .body = body};
    add_header(answer, OD_STR("Content-Type"), type);
    send_answer(request, answer);
}

static od_str json_type(const struct od_http_request *request)
{
    od_str type = od_http_header(request, OD_STR("Content-Type"));
    bool plain = od_str_has_prefix(type, OD_STR("application/json"));
    return plain ? OD_STR("application/json") : OD_STR("application/x-amz-json-1.0");
}

void od_exchange_answer(struct od_http_request *request, int status, od_str body)
{
    struct answer *answer = od_new(request->arena, struct answer);
    answer->response = (struct od_http_response){.status = status, .body = body};
    add_header(answer, OD_STR("Content-Type"), json_type(request));
    od_str accepted = od_http_header(request, OD_STR("Accept-Encoding"));
    if (od_accepts_gzip(accepted) && od_gzip_encode(request->arena, body, &answer->response.body)) {
        add_header(answer, OD_STR("Content-Encoding"), OD_STR("gzip"));
    }
    send_answer(request, answer);
}

// A browser asks before it posts to another origin: DynamoDB allows whatever is asked for.
static void answer_preflight(struct od_http_request *request)
{
    struct answer *answer = od_new(request->arena, struct answer);
    answer->response = (struct od_http_response){.status = 200};
    add_header(answer, OD_STR("Access-Control-Max-Age"), OD_STR("172800"));
    od_str headers = od_http_header(request, OD_STR("Access-Control-Request-Headers"));
    if (headers.ptr != NULL) {
        add_header(answer, OD_STR("Access-Control-Allow-Headers"), headers);
    }
    od_str method = od_http_header(request, OD_STR("Access-Control-Request-Method"));
    if (method.ptr != NULL) {
        add_header(answer, OD_STR("Access-Control-Allow-Methods"), method);
    }
    send_answer(request, answer);
}

// --- Requests -----------------------------------------------------------------------------------

od_str od_exchange_endpoint(const struct od_http_request *request)
{
    return od_http_header(request, OD_STR("Host"));
}

static od_str without_parameters(od_str content_type)
{
    for (size_t i = 0; i < content_type.len; i++) {
        if (content_type.ptr[i] == ';' || content_type.ptr[i] == ' ') {
            return (od_str){content_type.ptr, i};
        }
    }
    return content_type;
}

static bool is_call(const struct od_http_request *request)
{
    od_str type = without_parameters(od_http_header(request, OD_STR("Content-Type")));
    return od_str_eq(request->method, OD_STR("POST")) && request->body.len > 0 &&
           (od_str_eq_nocase(type, OD_STR("application/x-amz-json-1.0")) ||
            od_str_eq_nocase(type, OD_STR("application/json")));
}

static bool is_health_check(const struct od_http_request *request)
{
    bool reads =
        od_str_eq(request->method, OD_STR("GET")) || od_str_eq(request->method, OD_STR("HEAD"));
    return reads &&
           (od_str_eq(request->target, OD_STR("/")) || od_str_eq(request->target, OD_STR("/ping")));
}

static void answer_other(struct od_http_request *request)
{
    if (is_health_check(request)) {
        answer_plain(request, 200, OD_STR("text/plain"),
                     OD_STR("healthy: dynamodb.us-east-1.amazonaws.com "));
        return;
    }
    if (od_str_eq(request->method, OD_STR("OPTIONS")) &&
        od_http_header(request, OD_STR("Origin")).ptr != NULL) {
        answer_preflight(request);
        return;
    }
    answer_plain(request, 404, OD_STR("text/xml"), OD_STR("<UnknownOperationException/>\n"));
}

bool od_exchange_operation(const struct od_http_request *head, od_str *operation)
{
    od_str prefix = OD_STR("DynamoDB_20120810.");
    od_str target = od_http_header(head, OD_STR("X-Amz-Target"));
    if (!od_str_has_prefix(target, prefix)) {
        return false;
    }
    *operation = od_str_skip(target, prefix.len);
    return true;
}

static bool decode_body(struct od_http_request *request, od_str *body)
{
    od_str coding = od_http_header(request, OD_STR("Content-Encoding"));
    *body = request->body;
    if (!od_str_eq_nocase(coding, OD_STR("gzip"))) {
        return true;
    }
    switch (od_gzip_decode(request->arena, request->body, MAX_PLAIN_BYTES, body)) {
    case OD_INFLATE_OK:
        return true;
    case OD_INFLATE_TOO_LARGE:
        od_exchange_answer(request, 413, OD_STR(too_large));
        return false;
    case OD_INFLATE_BROKEN:
        break;
    }
    od_exchange_answer(request, 400, OD_STR(broken_body));
    return false;
}

bool od_exchange_open(struct od_http_request *request, od_str *operation, od_str *body)
{
    if (!is_call(request)) {
        answer_other(request);
        return false;
    }
    if (!od_exchange_operation(request, operation)) {
        od_exchange_answer(request, 400, OD_STR(unknown_operation));
        return false;
    }
    return decode_body(request, body);
}
