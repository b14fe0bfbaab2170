#include "ordna/client.h"

#include "client/client_internal.h"
#include "client/config/config.h"
#include "client/http/http.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_MAX_ATTEMPTS = 4,
    DEFAULT_CONNECT_TIMEOUT_MS = 2 * 1000,
    DEFAULT_TIMEOUT_MS = 20 * 1000
};

static int or_default(int given, int fallback)
{
    return given > 0 ? given : fallback;
}

static od_status open_http(od_ctx *cx, const ordna_client_options *options, struct od_http **out)
{
    struct od_config *config = od_new(cx->arena, struct od_config);
    OD_TRY(od_config_read(cx, options, config));
    const struct od_http_options http = {
        .config = config,
        .connect_timeout_ms = or_default(options->connect_timeout_ms, DEFAULT_CONNECT_TIMEOUT_MS),
        .timeout_ms = or_default(options->timeout_ms, DEFAULT_TIMEOUT_MS),
    };
    *out = od_http_create(&http);
    return OD_OK;
}

static od_status open_way(od_ctx *cx, const ordna_client_options *options, ordna_client *client)
{
    if (options->transport == NULL) {
        return open_http(cx, options, &client->http);
    }
    if (options->endpoint != NULL || options->transport->call == NULL) {
        return OD_FAIL(cx, OD_VALIDATION, "a client has a transport with a call, or an endpoint");
    }
    client->transport = *options->transport;
    return OD_OK;
}

ordna_status ordna_client_open(const ordna_client_options *options, ordna_client **out, char *error,
                               size_t error_size)
{
    *out = NULL;
    ordna_client *client = calloc(1, sizeof(*client));
    if (client == NULL) {
        abort();
    }
    client->arena = od_arena_create();
    client->max_attempts = or_default(options->max_attempts, DEFAULT_MAX_ATTEMPTS);
    client->retry_unknown = options->retry_unknown;
    od_ctx cx = {.arena = client->arena};
    if (open_way(&cx, options, client) != OD_OK) {
        if (error_size > 0) {
            snprintf(error, error_size, "%.*s", OD_STR_ARG(cx.error));
        }
        ordna_client_close(client);
        return ORDNA_BAD_ARGUMENT;
    }
    *out = client;
    return ORDNA_OK;
}

void ordna_client_close(ordna_client *client)
{
    if (client == NULL) {
        return;
    }
    od_http_destroy(client->http);
    od_arena_destroy(client->arena);
    free(client);
}
