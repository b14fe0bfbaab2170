#include "client/config/config.h"

#include <curl/curl.h>
#include <string.h>

enum { MAX_URL_LEN = 2048, MAX_REGION_LEN = 64 };

// --- By URL -------------------------------------------------------------------------------------

static bool is_plain_ascii(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text <= ' ' || *text > '~') {
            return false;
        }
    }
    return true;
}

// {NULL, 0} when the URL has no such part.
static od_str take_part(od_arena *arena, CURLU *url, CURLUPart part)
{
    char *text = NULL;
    od_str copy = {0};
    if (curl_url_get(url, part, &text, 0) == CURLUE_OK) {
        copy = od_arena_copy(arena, od_cstr(text));
        curl_free(text);
    }
    return copy;
}

static const struct {
    CURLUPart part;
    const char *name;
} unwanted[] = {
    {CURLUPART_USER, "user name"},
    {CURLUPART_PASSWORD, "password"},
    {CURLUPART_QUERY, "query"},
    {CURLUPART_FRAGMENT, "fragment"},
};

static od_status check_url(od_ctx *cx, CURLU *url, const char *text)
{
    const od_str scheme = take_part(cx->arena, url, CURLUPART_SCHEME);
    if (!od_str_eq(scheme, OD_STR("http")) && !od_str_eq(scheme, OD_STR("https"))) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "endpoint \"%s\" begins neither with http:// nor https://", text);
    }
    for (size_t i = 0; i < OD_COUNT(unwanted); i++) {
        if (take_part(cx->arena, url, unwanted[i].part).ptr != NULL) {
            return OD_FAIL(cx, OD_VALIDATION, "endpoint \"%s\" has a %s, which goes elsewhere",
                           text, unwanted[i].name);
        }
    }
    return OD_OK;
}

static od_status read_parts(od_ctx *cx, CURLU *url, const char *text, struct od_endpoint *out)
{
    OD_TRY(check_url(cx, url, text));
    const od_str port = take_part(cx->arena, url, CURLUPART_PORT);
    out->host = take_part(cx->arena, url, CURLUPART_HOST);
    if (port.len > 0) {
        out->host =
            od_arena_printf(cx->arena, "%.*s:%.*s", OD_STR_ARG(out->host), OD_STR_ARG(port));
    }
    out->path = take_part(cx->arena, url, CURLUPART_PATH);
    out->url = take_part(cx->arena, url, CURLUPART_URL).ptr;
    return OD_OK;
}

od_status od_endpoint_of_url(od_ctx *cx, const char *text, struct od_endpoint *out)
{
    *out = (struct od_endpoint){0};
    if (strlen(text) > MAX_URL_LEN || !is_plain_ascii(text)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "the endpoint is no URL of ASCII characters, \"http://localhost:8000\" for "
                       "example");
    }
    CURLU *url = curl_url();
    if (url == NULL || curl_url_set(url, CURLUPART_URL, text, 0) != CURLUE_OK) {
        curl_url_cleanup(url);
        return OD_FAIL(cx, OD_VALIDATION,
                       "endpoint \"%s\" is no URL such as \"http://localhost:8000\"", text);
    }
    const od_status status = read_parts(cx, url, text, out);
    curl_url_cleanup(url);
    return status;
}

// --- By region ----------------------------------------------------------------------------------

// Regions outside of the partition "aws", by how their names begin.
static const struct {
    od_str prefix;
    const char *suffix;
} partitions[] = {
    {OD_STR_INIT("cn-"), "amazonaws.com.cn"},    {OD_STR_INIT("us-iso-"), "c2s.ic.gov"},
    {OD_STR_INIT("us-isob-"), "sc2s.sgov.gov"},  {OD_STR_INIT("us-isof-"), "csp.hci.ic.gov"},
    {OD_STR_INIT("eu-isoe-"), "cloud.adc-e.uk"}, {OD_STR_INIT("eusc-"), "amazonaws.eu"},
};

static const char *suffix_of(od_str region)
{
    for (size_t i = 0; i < OD_COUNT(partitions); i++) {
        if (od_str_has_prefix(region, partitions[i].prefix)) {
            return partitions[i].suffix;
        }
    }
    return "amazonaws.com";
}

// It becomes part of a host's name.
static bool is_region(od_str region)
{
    if (region.len == 0 || region.len > MAX_REGION_LEN || region.ptr[0] == '-') {
        return false;
    }
    for (size_t i = 0; i < region.len; i++) {
        const char c = region.ptr[i];
        if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-') {
            return false;
        }
    }
    return true;
}

od_status od_endpoint_of_region(od_ctx *cx, od_str region, struct od_endpoint *out)
{
    if (!is_region(region)) {
        return OD_FAIL(cx, OD_VALIDATION, "\"%.*s\" is no region such as \"us-east-1\"",
                       OD_STR_ARG(region));
    }
    const od_str url = od_arena_printf(cx->arena, "https://dynamodb.%.*s.%s/", OD_STR_ARG(region),
                                       suffix_of(region));
    return od_endpoint_of_url(cx, url.ptr, out);
}
