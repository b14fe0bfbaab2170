#include "transport.h"

#include <curl/curl.h>
#include <stdlib.h>

enum { TIMEOUT_S = 60 };

struct transport {
    CURL *curl;
    od_str credentials; // NUL-terminated, as all text for curl
    od_str scope;
    const char *url;
};

static const char *setting(const char *name, const char *fallback)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : fallback;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *arg)
{
    od_buf_put(arg, (od_str){bytes, size * count});
    return size * count;
}

static CURLcode send_request(struct transport *t, struct curl_slist *headers, od_str body,
                             struct od_buf *out)
{
    curl_easy_reset(t->curl);
    curl_easy_setopt(t->curl, CURLOPT_URL, t->url);
    curl_easy_setopt(t->curl, CURLOPT_TIMEOUT, (long)TIMEOUT_S);
    curl_easy_setopt(t->curl, CURLOPT_PROXY, "");
    curl_easy_setopt(t->curl, CURLOPT_AWS_SIGV4, t->scope.ptr);
    curl_easy_setopt(t->curl, CURLOPT_USERPWD, t->credentials.ptr);
    curl_easy_setopt(t->curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(t->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
    curl_easy_setopt(t->curl, CURLOPT_POSTFIELDS, body.ptr);
    curl_easy_setopt(t->curl, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(t->curl, CURLOPT_WRITEDATA, out);
    return curl_easy_perform(t->curl);
}

static bool call(struct transport *t, od_arena *arena, od_str operation, od_str body,
                 struct answer *out, od_str *what)
{
    od_str target =
        od_arena_printf(arena, "X-Amz-Target: DynamoDB_20120810.%.*s", OD_STR_ARG(operation));
    struct curl_slist *headers = curl_slist_append(NULL, target.ptr);
    headers = curl_slist_append(headers, "Content-Type: application/x-amz-json-1.0");
    headers = curl_slist_append(headers, "Expect:");

    struct od_buf bytes = {.arena = arena};
    CURLcode code = send_request(t, headers, body, &bytes);
    curl_slist_free_all(headers);
    if (code != CURLE_OK) {
        *what = od_arena_printf(arena, "%s: %s", t->url, curl_easy_strerror(code));
        return false;
    }
    long status = 0;
    curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
    *out = (struct answer){.status = (int)status, .body = od_buf_str(&bytes)};
    return true;
}

static void close_http(struct transport *t)
{
    curl_easy_cleanup(t->curl);
    curl_global_cleanup();
}

bool transport_open_http(od_arena *arena, const char *url, struct link *out, od_str *what)
{
    static const struct transport_ops ops = {.call = call, .close = close_http};
    struct transport *t = od_new(arena, struct transport);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    t->curl = curl_easy_init();
    if (t->curl == NULL) {
        *what = OD_STR("curl cannot be initialised");
        return false;
    }
    t->url = url;
    t->scope = od_arena_printf(arena, "aws:amz:%s:dynamodb", setting("AWS_REGION", "us-east-1"));
    t->credentials = od_arena_printf(arena, "%s:%s", setting("AWS_ACCESS_KEY_ID", "local"),
                                     setting("AWS_SECRET_ACCESS_KEY", "local"));
    *out = (struct link){.ops = &ops, .transport = t};
    return true;
}
