#include "ordna/client.h"

#include "client/client_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_MAX_ATTEMPTS = 4 };

ordna_status ordna_client_open(const ordna_client_options *options, ordna_client **out, char *error,
                               size_t error_size)
{
    *out = NULL;
    if (options->transport == NULL) {
        if (error_size > 0) {
            snprintf(error, error_size, "a transport is needed");
        }
        return ORDNA_BAD_ARGUMENT;
    }
    ordna_client *client = calloc(1, sizeof(*client));
    if (client == NULL) {
        abort();
    }
    client->transport = *options->transport;
    client->max_attempts = options->max_attempts > 0 ? options->max_attempts : DEFAULT_MAX_ATTEMPTS;
    client->retry_unknown = options->retry_unknown;
    *out = client;
    return ORDNA_OK;
}

void ordna_client_close(ordna_client *client)
{
    free(client);
}
