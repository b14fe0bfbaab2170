#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static int play(void *context, const char *operation, const char *body, size_t body_len,
                const char **answer, size_t *answer_len, void **memory)
{
    struct script *script = context;
    const int at = script->calls < script->step_count ? script->calls : script->step_count - 1;
    const struct step *step = &script->steps[at];
    script->calls++;
    snprintf(script->operation, sizeof(script->operation), "%s", operation);
    snprintf(script->body, sizeof(script->body), "%.*s", (int)body_len, body);
    // A copy without a 0 after its end, so that ASan sees who reads on.
    const size_t len = step->body == NULL ? 0 : strlen(step->body);
    *memory = malloc(len + (len == 0));
    if (len > 0) {
        memcpy(*memory, step->body, len);
    }
    *answer = *memory;
    *answer_len = len;
    return step->http_status;
}

static void clear(void *context, void *memory)
{
    struct script *script = context;
    script->cleared++;
    free(memory);
}

static void count_wait(void *arg, int64_t ms)
{
    struct script *script = arg;
    script->waits++;
    if (ms > script->longest_wait_ms) {
        script->longest_wait_ms = ms;
    }
    if (script->cancel != NULL) {
        ordna_session_cancel(script->cancel);
    }
}

void script_reopen(struct script *script, ordna_client_options options)
{
    if (script->session != NULL) {
        ordna_session_close(script->session);
        ordna_client_close(script->client);
    }
    const ordna_transport transport = {.context = script, .call = play, .clear = clear};
    options.transport = &transport;
    char error[256] = "";
    assert_int_equal(ordna_client_open(&options, &script->client, error, sizeof(error)), ORDNA_OK);
    script->client->wait = count_wait;
    script->client->wait_arg = script;
    script->session = ordna_session_open(script->client);
}

int script_setup(void **state)
{
    struct script *script = calloc(1, sizeof(*script));
    script_reopen(script, (ordna_client_options){0});
    *state = script;
    return 0;
}

int script_teardown(void **state)
{
    struct script *script = *state;
    ordna_session_close(script->session);
    ordna_client_close(script->client);
    free(script);
    return 0;
}

void script_play(struct script *script, const struct step *steps, int count)
{
    assert_in_range(count, 1, MAX_STEPS);
    memcpy(script->steps, steps, (size_t)count * sizeof(*steps));
    script->step_count = count;
    script->calls = script->cleared = script->waits = 0;
    script->longest_wait_ms = 0;
}

ordna_status script_call(struct script *script, const char *operation, const char *body,
                         ordna_answer *out)
{
    return ordna_session_call(script->session, operation, body, strlen(body), out);
}

void check_int(size_t row, int64_t got, int64_t expected)
{
    if (got != expected) {
        fail_msg("row %zu: got %lld, expected %lld", row, (long long)got, (long long)expected);
    }
}

void check_text(size_t row, const char *got, const char *expected)
{
    if (strcmp(got, expected) != 0) {
        fail_msg("row %zu: got \"%s\", expected \"%s\"", row, got, expected);
    }
}
