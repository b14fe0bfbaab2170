// The transport of a client to a database inside the program: an answer is lent as it is.
#include "ordna/in_process.h"

static int call(void *context, const char *operation, const char *body, size_t body_len,
                const char **answer, size_t *answer_len, void **memory)
{
    ordna_response response;
    const int status = ordna_call(context, operation, body, body_len, &response);
    *answer = response.body;
    *answer_len = response.body_len;
    *memory = response.memory;
    return status;
}

static void clear(void *context, void *memory)
{
    (void)context;
    ordna_response response = {.memory = memory};
    ordna_response_clear(&response);
}

ordna_transport ordna_in_process(ordna *db)
{
    return (ordna_transport){.context = db, .call = call, .clear = clear};
}
