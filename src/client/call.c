// A request and its attempts.
#include "client/client_internal.h"
#include "client/http/http.h"

enum { MAX_OPERATION_LEN = 64 };

// --- One attempt --------------------------------------------------------------------------------

// What the transport lends is copied: it may be gone before the session is reset.
static void call_transport(ordna_session *session, const struct od_request *request,
                           struct od_reply *out)
{
    const ordna_transport *transport = &session->client->transport;
    const char *answer = NULL;
    size_t answer_len = 0;
    void *memory = NULL;
    const int http_status =
        transport->call(transport->context, request->operation, request->body.ptr,
                        request->body.len, &answer, &answer_len, &memory);
    *out = (struct od_reply){.http_status = http_status > 0 ? http_status : 0};
    out->body = od_arena_copy(session->arena, (od_str){answer, answer == NULL ? 0 : answer_len});
    if (transport->clear != NULL) {
        transport->clear(transport->context, memory);
    }
    if (http_status <= 0) {
        out->status = ORDNA_NETWORK;
        out->sent = out->retry = true;
        out->message = "the transport has no answer";
    }
}

static void attempt(ordna_session *session, const struct od_request *request, struct od_reply *out)
{
    if (session->client->http != NULL) {
        od_http_attempt(session->client->http, session, request, out);
    } else {
        call_transport(session, request, out);
    }
}

// --- Attempts -----------------------------------------------------------------------------------

// What several attempts at one request have in common.
struct effort {
    const struct od_request *request;
    bool unknown; // one of them may have been carried out
};

static bool may_retry(const ordna_session *session, const struct effort *effort,
                      const struct od_verdict *verdict)
{
    return verdict->retry && (!verdict->unknown || session->client->retry_unknown ||
                              od_request_is_repeatable(effort->request));
}

// The session's error and the wait after an attempt that failed. ORDNA_OK: another one.
static ordna_status weigh(ordna_session *session, struct effort *effort, int failed,
                          struct od_verdict *verdict)
{
    effort->unknown = effort->unknown || (verdict->unknown && !od_request_is_read(effort->request));
    verdict->error.outcome_unknown = effort->unknown;
    (void)od_session_set_error(session, &verdict->error);
    if (failed >= session->client->max_attempts || !may_retry(session, effort, verdict)) {
        return verdict->error.status;
    }
    const ordna_status status = od_session_wait(session, failed);
    if (status != ORDNA_OK) {
        // What the last attempt said tells more than that there is no other.
        verdict->error.status = status;
        return od_session_set_error(session, &verdict->error);
    }
    return ORDNA_OK;
}

static ordna_status try_call(ordna_session *session, const struct od_request *request,
                             ordna_answer *out)
{
    struct effort effort = {.request = request};
    ordna_status status = od_session_check(session);
    const od_mark mark = od_arena_mark(session->arena);
    for (int failed = 0; status == ORDNA_OK;) {
        struct od_reply reply = {0};
        attempt(session, request, &reply);
        struct od_verdict verdict = {0};
        od_answer_judge(session->arena, &reply, &verdict);
        if (verdict.error.status == ORDNA_OK) {
            *out = (ordna_answer){.body = reply.body.ptr, .body_len = reply.body.len};
            return ORDNA_OK;
        }
        status = weigh(session, &effort, ++failed, &verdict);
        od_arena_rewind(session->arena, mark);
    }
    return status;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// It becomes part of a header.
static bool is_operation(const char *name)
{
    size_t len = 0;
    while (name != NULL && is_letter(name[len]) && len <= MAX_OPERATION_LEN) {
        len++;
    }
    return len > 0 && len <= MAX_OPERATION_LEN && name[len] == '\0';
}

ordna_status od_session_call(ordna_session *session, const char *operation, od_str body,
                             bool repeatable, ordna_answer *out)
{
    const struct od_request request = {
        .operation = operation, .body = body, .repeat = repeatable ? OD_REPEAT_YES : OD_REPEAT_NO};
    *out = (ordna_answer){0};
    return try_call(session, &request, out);
}

ordna_status ordna_session_call(ordna_session *session, const char *operation, const char *body,
                                size_t body_len, ordna_answer *out)
{
    const struct od_request request = {.operation = operation, .body = {body, body_len}};
    *out = (ordna_answer){0};
    if (!is_operation(operation)) {
        return od_session_fail(session, ORDNA_BAD_ARGUMENT, NULL,
                               "an operation's name is letters, \"GetItem\" for example");
    }
    return try_call(session, &request, out);
}
