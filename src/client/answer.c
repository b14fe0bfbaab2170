// What an answer means.
#include "client/client_internal.h"

#include <string.h>
#include <yyjson.h>

// Errors that are more than "refused" or "the server failed".
static const struct {
    const char *type;
    ordna_status status;
    bool retry;   // a moment later it may go through
    bool unknown; // the same request is on its way already; else nothing was done
} types[] = {
    {"ConditionalCheckFailedException", ORDNA_CONDITION_FAILED, false, false},
    {"TransactionCanceledException", ORDNA_TRANSACTION_CANCELED, false, false},
    {"ProvisionedThroughputExceededException", ORDNA_THROTTLED, true, false},
    {"ThrottlingException", ORDNA_THROTTLED, true, false},
    {"Throttling", ORDNA_THROTTLED, true, false},
    {"ThrottledException", ORDNA_THROTTLED, true, false},
    {"RequestLimitExceeded", ORDNA_THROTTLED, true, false},
    {"RequestThrottled", ORDNA_THROTTLED, true, false},
    {"RequestThrottledException", ORDNA_THROTTLED, true, false},
    {"LimitExceededException", ORDNA_THROTTLED, true, false}, // tables in the making
    {"TooManyRequestsException", ORDNA_THROTTLED, true, false},
    {"SlowDown", ORDNA_THROTTLED, true, false},
    {"TransactionConflictException", ORDNA_REFUSED, true, false},
    {"TransactionInProgressException", ORDNA_REFUSED, true, true},
    {"ReplicatedWriteConflictException", ORDNA_REFUSED, true, false},
    {"RequestTimeout", ORDNA_REFUSED, true, false},
    {"RequestTimeoutException", ORDNA_REFUSED, true, false},
};

// An error that says no type is a proxy's, or of another service.
static const struct {
    int http_status;
    ordna_status status;
} bare_statuses[] = {
    {413, ORDNA_REFUSED},       {429, ORDNA_THROTTLED},     {500, ORDNA_SERVER_FAILED},
    {502, ORDNA_SERVER_FAILED}, {503, ORDNA_SERVER_FAILED}, {504, ORDNA_SERVER_FAILED},
};

// Enough to know a proxy's page of HTML, at the cost of two bytes.
static bool looks_like_object(od_str body)
{
    body = od_str_trim(body);
    return body.len >= 2 && body.ptr[0] == '{' && body.ptr[body.len - 1] == '}';
}

// "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException", and what may stand behind a colon.
static const char *short_type(od_arena *arena, const char *type)
{
    const char *mark = strchr(type, '#');
    const char *name = mark == NULL ? type : mark + 1;
    return od_arena_copy(arena, (od_str){name, strcspn(name, ":")}).ptr;
}

// Reasons to cancel a transaction that pass by themselves.
static const char *const passing_codes[] = {"None", "ProvisionedThroughputExceeded",
                                            "ThrottlingError", "TransactionConflict"};

static bool passes(const char *code)
{
    for (size_t i = 0; code != NULL && i < OD_COUNT(passing_codes); i++) {
        if (strcmp(code, passing_codes[i]) == 0) {
            return true;
        }
    }
    return false;
}

// Whether a canceled transaction may go through a moment later.
static bool was_in_passing(yyjson_val *reasons)
{
    size_t i = 0;
    size_t count = 0;
    yyjson_val *reason = NULL;
    yyjson_arr_foreach(reasons, i, count, reason)
    {
        if (!passes(yyjson_get_str(yyjson_obj_get(reason, "Code")))) {
            return false;
        }
    }
    return count > 0;
}

static void read_body(od_arena *arena, od_str body, struct od_verdict *v)
{
    ordna_error *out = &v->error;
    out->type = "";
    out->body = body.ptr;
    yyjson_doc *doc = yyjson_read(body.ptr, body.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    const char *type = yyjson_get_str(yyjson_obj_get(root, "__type"));
    const char *message = yyjson_get_str(yyjson_obj_get(root, "message"));
    if (message == NULL) {
        message = yyjson_get_str(yyjson_obj_get(root, "Message"));
    }
    if (type != NULL) {
        out->type = short_type(arena, type);
        out->message = message == NULL ? out->type : od_arena_copy(arena, od_cstr(message)).ptr;
    }
    v->retry = was_in_passing(yyjson_obj_get(root, "CancellationReasons"));
    yyjson_doc_free(doc);
}

static void judge_type(int http_status, struct od_verdict *v)
{
    for (size_t i = 0; i < OD_COUNT(types); i++) {
        if (strcmp(v->error.type, types[i].type) == 0) {
            v->error.status = types[i].status;
            v->retry = v->retry || types[i].retry;
            v->unknown = types[i].unknown;
            return;
        }
    }
    // Of a write that failed in the server nobody knows whether it was carried out.
    v->retry = v->unknown = http_status >= 500;
    v->error.status = http_status >= 500 ? ORDNA_SERVER_FAILED : ORDNA_REFUSED;
}

static void judge_bare(od_arena *arena, int http_status, struct od_verdict *v)
{
    v->error.status = ORDNA_BAD_ANSWER;
    for (size_t i = 0; i < OD_COUNT(bare_statuses); i++) {
        if (http_status == bare_statuses[i].http_status) {
            v->error.status = bare_statuses[i].status;
        }
    }
    v->unknown = http_status >= 500;
    v->retry = v->error.status == ORDNA_SERVER_FAILED || v->error.status == ORDNA_THROTTLED;
    v->error.message =
        od_arena_printf(arena, "HTTP status %d and no error of DynamoDB's: is the endpoint right?",
                        http_status)
            .ptr;
}

static void judge_failure(od_arena *arena, const struct od_reply *reply, struct od_verdict *out)
{
    read_body(arena, reply->body, out);
    if (out->error.type[0] != '\0') {
        judge_type(reply->http_status, out);
    } else {
        judge_bare(arena, reply->http_status, out);
    }
}

void od_answer_judge(od_arena *arena, const struct od_reply *reply, struct od_verdict *out)
{
    *out = (struct od_verdict){
        .error = {.http_status = reply->http_status, .request_id = reply->request_id}};
    if (reply->status != ORDNA_OK) {
        out->error.status = reply->status;
        out->error.message = reply->message;
        out->retry = reply->retry;
        out->unknown = reply->sent;
        return;
    }
    if (reply->http_status < 200 || reply->http_status >= 300) {
        judge_failure(arena, reply, out);
        return;
    }
    if (looks_like_object(reply->body)) {
        *out = (struct od_verdict){0};
        return;
    }
    out->error.status = ORDNA_BAD_ANSWER;
    out->error.body = reply->body.ptr;
    out->error.message = "the answer is no JSON object: is the endpoint DynamoDB's?";
    out->unknown = true;
    out->retry = reply->body.len == 0; // the head of an answer that was cut off
}
