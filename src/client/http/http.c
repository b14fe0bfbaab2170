#include "client/http/http.h"

#include "base/clock.h"
#include "base/date.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RESTING_LINES = 64 };

struct od_http {
    struct od_http_options options;
    pthread_mutex_t lock;
    _Atomic int64_t ahead_ms; // what the server's clock is ahead of this machine's, once it was so
    struct od_line *resting;  // the one used last is first: its connection is the likeliest alive
    size_t resting_count;
};

// --- Lines --------------------------------------------------------------------------------------

static void init_curl(void)
{
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
}

od_http *od_http_create(const struct od_http_options *options)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_curl);
    od_http *http = calloc(1, sizeof(*http));
    if (http == NULL) {
        abort();
    }
    http->options = *options;
    pthread_mutex_init(&http->lock, NULL);
    return http;
}

void od_http_destroy(od_http *http)
{
    if (http == NULL) {
        return;
    }
    while (http->resting != NULL) {
        struct od_line *line = http->resting;
        http->resting = line->next;
        od_line_destroy(line);
    }
    pthread_mutex_destroy(&http->lock);
    free(http);
}

static struct od_line *take_line(od_http *http)
{
    pthread_mutex_lock(&http->lock);
    struct od_line *line = http->resting;
    if (line != NULL) {
        http->resting = line->next;
        http->resting_count--;
    }
    pthread_mutex_unlock(&http->lock);
    return line == NULL ? od_line_create(&http->options) : line;
}

static void give_line(od_http *http, struct od_line *line)
{
    pthread_mutex_lock(&http->lock);
    const bool full = http->resting_count == MAX_RESTING_LINES;
    if (!full) {
        line->next = http->resting;
        http->resting = line;
        http->resting_count++;
    }
    pthread_mutex_unlock(&http->lock);
    if (full) {
        od_line_destroy(line);
    }
}

// --- The request --------------------------------------------------------------------------------

static struct curl_slist *add_header(struct curl_slist *list, od_arena *arena, od_str name,
                                     od_str value)
{
    const od_str line = od_arena_printf(arena, "%.*s:%s%.*s", OD_STR_ARG(name),
                                        value.len == 0 ? "" : " ", OD_STR_ARG(value));
    struct curl_slist *longer = curl_slist_append(list, line.ptr);
    if (longer == NULL) {
        abort();
    }
    return longer;
}

static struct curl_slist *make_headers(const od_http *http, struct od_line *line,
                                       const struct od_request *request)
{
    od_arena *arena = line->scratch;
    od_arena_reset(arena);
    const struct od_config *config = http->options.config;
    char text[OD_DATE_SIZE];
    line->ahead_ms = atomic_load(&http->ahead_ms);
    const od_str time = od_date_compact(text, od_clock_ms() + line->ahead_ms);
    const struct od_sigv4_header headers[] = {
        {OD_STR("Host"), config->endpoint.host},
        {OD_STR("Content-Type"), OD_STR("application/x-amz-json-1.0")},
        {OD_STR("X-Amz-Date"), time},
        {OD_STR("X-Amz-Target"),
         od_arena_printf(arena, "DynamoDB_20120810.%s", request->operation)},
        {OD_STR("X-Amz-Security-Token"), config->session_token},
    };
    const size_t count = OD_COUNT(headers) - (config->session_token.len == 0);
    char hash[OD_SIGV4_HEX_SIZE];
    od_signer_hash(line->signer, request->body, hash);
    const struct od_sigv4_request signing = {.method = OD_STR("POST"),
                                             .path = config->endpoint.path,
                                             .headers = headers,
                                             .header_count = count,
                                             .body_hash = od_cstr(hash)};
    struct curl_slist *list = NULL;
    for (size_t i = 0; i < count; i++) {
        list = add_header(list, arena, headers[i].name, headers[i].value);
    }
    list = add_header(list, arena, OD_STR("Authorization"),
                      od_sigv4_authorize(arena, line->signer, &config->key, time, &signing));
    // Not these of curl's.
    list = add_header(list, arena, OD_STR("Accept"), OD_STR(""));
    return add_header(list, arena, OD_STR("Expect"), OD_STR(""));
}

static size_t read_body(char *out, size_t size, size_t count, void *rest)
{
    od_str *body = rest;
    const size_t room = size * count;
    const size_t len = body->len < room ? body->len : room;
    if (len > 0) {
        memcpy(out, body->ptr, len);
    }
    *body = od_str_skip(*body, len);
    return len;
}

// When a server closes a connection that has rested, curl sends the request again by itself. It can
// do so when the body is its own to read, and not when it comes by read_body.
static void set_body(CURL *easy, const struct od_request *request, od_str *rest)
{
    const bool again = od_request_is_surely_repeatable(request);
    *rest = request->body;
    (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.len);
    (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
                           again && request->body.len > 0 ? request->body.ptr : NULL);
    (void)curl_easy_setopt(easy, CURLOPT_READFUNCTION, read_body);
    (void)curl_easy_setopt(easy, CURLOPT_READDATA, rest);
}

// --- What came of it ----------------------------------------------------------------------------

// Results that are not a connection that broke.
static const struct {
    CURLcode result;
    ordna_status status;
    bool retry;
} results[] = {
    {CURLE_OPERATION_TIMEDOUT, ORDNA_TIMED_OUT, true},
    {CURLE_ABORTED_BY_CALLBACK, ORDNA_CANCELED, false},
    {CURLE_WRITE_ERROR, ORDNA_BAD_ANSWER, false}, // too large
    {CURLE_WEIRD_SERVER_REPLY, ORDNA_BAD_ANSWER, false},
    {CURLE_UNSUPPORTED_PROTOCOL, ORDNA_BAD_ANSWER, false}, // not HTTP/1
    {CURLE_PEER_FAILED_VERIFICATION, ORDNA_NETWORK, false},
    {CURLE_SSL_CACERT_BADFILE, ORDNA_NETWORK, false},
    {CURLE_SSL_INVALIDCERTSTATUS, ORDNA_NETWORK, false},
    {CURLE_SSL_ISSUER_ERROR, ORDNA_NETWORK, false},
};

// Results of a request that was on its way: what curl counts is gone by then in some versions.
static bool was_on_its_way(CURLcode result)
{
    return result == CURLE_SEND_ERROR || result == CURLE_SEND_FAIL_REWIND ||
           result == CURLE_RECV_ERROR || result == CURLE_GOT_NOTHING ||
           result == CURLE_PARTIAL_FILE;
}

static bool was_sent(CURL *easy, CURLcode result)
{
    long bytes = 0;
    curl_off_t time = 0;
    (void)curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &bytes);
    (void)curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &time);
    return bytes > 0 || time > 0 || was_on_its_way(result);
}

static void explain(const od_http *http, const struct od_line *line, od_arena *arena,
                    CURLcode result, struct od_reply *out)
{
    *out = (struct od_reply){
        .status = ORDNA_NETWORK, .retry = true, .sent = was_sent(line->easy, result)};
    for (size_t i = 0; i < OD_COUNT(results); i++) {
        if (result == results[i].result) {
            out->status = results[i].status;
            out->retry = results[i].retry;
        }
    }
    const char *reason = line->reason[0] == '\0' ? curl_easy_strerror(result) : line->reason;
    reason = out->status == ORDNA_CANCELED ? "the session was canceled" : reason;
    // What curl says is that it was not allowed to send the request again.
    reason = result == CURLE_SEND_FAIL_REWIND ? "the connection was closed" : reason;
    out->message = od_arena_printf(arena, "%s: %s", http->options.config->endpoint.url, reason).ptr;
}

static void read_answer(const struct od_line *line, struct od_intake *intake, od_arena *arena,
                        struct od_reply *out)
{
    long http_status = 0;
    (void)curl_easy_getinfo(line->easy, CURLINFO_RESPONSE_CODE, &http_status);
    *out = (struct od_reply){.http_status = (int)http_status,
                             .request_id = intake->request_id.ptr,
                             .date = intake->date.ptr};
    if (!od_intake_is_sound(intake)) {
        out->status = ORDNA_BAD_ANSWER;
        out->sent = out->retry = true;
        out->message = od_arena_printf(arena, "the answer does not match its checksum").ptr;
        return;
    }
    od_buf_put_byte(&intake->body, '\0');
    out->body = (od_str){intake->body.ptr, intake->body.len - 1};
}

static void transfer(const od_http *http, struct od_line *line, ordna_session *session,
                     const struct od_request *request, struct od_reply *out)
{
    struct od_intake intake = {.body = {.arena = session->arena}};
    od_str rest = {0};
    set_body(line->easy, request, &rest);
    struct curl_slist *headers = make_headers(http, line, request);
    (void)curl_easy_setopt(line->easy, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(line->easy, CURLOPT_HEADERDATA, &intake);
    (void)curl_easy_setopt(line->easy, CURLOPT_WRITEDATA, &intake);
    const CURLcode result = od_line_run(line, session);
    if (result == CURLE_OK) {
        read_answer(line, &intake, session->arena, out);
    } else {
        explain(http, line, session->arena, result, out);
    }
    if (intake.too_large) {
        out->message = "the answer is larger than any of DynamoDB's";
    }
    curl_slist_free_all(headers);
}

static void wake(void *arg)
{
    const struct od_line *line = arg;
    (void)curl_multi_wakeup(line->multi);
}

void od_http_attempt(od_http *http, ordna_session *session, const struct od_request *request,
                     struct od_reply *out)
{
    struct od_line *line = take_line(http);
    od_session_set_wake(session, wake, line);
    transfer(http, line, session, request, out);
    // It was refused at the door, so that once more is once.
    if (od_http_clock_correct(&http->ahead_ms, line->ahead_ms, session->arena, out)) {
        transfer(http, line, session, request, out);
    }
    od_session_set_wake(session, NULL, NULL);
    give_line(http, line);
}
