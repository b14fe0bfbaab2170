#include "support.h"

#include "shop.h"

#include "client/client_internal.h"
#include "ordna/in_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *test_endpoint = NULL;

// --- Databases ----------------------------------------------------------------------------------

static void open_client(struct fixture *fixture, const ordna_transport *transport)
{
    char error[256] = "";
    const ordna_client_options options = {.endpoint = transport == NULL ? test_endpoint : NULL,
                                          .transport = transport};
    if (ordna_client_open(&options, &fixture->client, error, sizeof(error)) != ORDNA_OK) {
        fail_msg("%s", error);
    }
    fixture->session = ordna_session_open(fixture->client);
}

static void drop_table(ordna_session *session, const char *name)
{
    char body[128];
    ordna_answer answer;
    const int len = snprintf(body, sizeof(body), "{\"TableName\":\"%s\"}", name);
    (void)ordna_session_call(session, "DeleteTable", body, (size_t)len, &answer);
}

void open_database(struct fixture *fixture)
{
    *fixture = (struct fixture){0};
    if (test_endpoint != NULL) {
        open_client(fixture, NULL);
        drop_table(fixture->session, "shop");
        drop_table(fixture->session, "readings");
    } else {
        char error[256] = "";
        ordna *db = NULL;
        const ordna_options in_memory = {.store = "memory"};
        assert_int_equal(ordna_open(&in_memory, &db, error, sizeof(error)), 0);
        const ordna_transport transport = ordna_in_process(db);
        fixture->db = db;
        open_client(fixture, &transport);
    }
    check_status(0, fixture->session, ordna_create_table(fixture->session, &shop), ORDNA_OK);
    check_status(1, fixture->session, ordna_create_table(fixture->session, &readings), ORDNA_OK);
}

void close_database(struct fixture *fixture)
{
    ordna_session_close(fixture->session);
    ordna_client_close(fixture->client);
    ordna_close(fixture->db);
}

int set_up_database(void **state)
{
    struct fixture *fixture = malloc(sizeof(*fixture));
    assert_non_null(fixture);
    open_database(fixture);
    *state = fixture;
    return 0;
}

int tear_down_database(void **state)
{
    close_database(*state);
    free(*state);
    return 0;
}

// --- Scripts ------------------------------------------------------------------------------------

static int call(void *context, const char *operation, const char *body, size_t body_len,
                const char **answer, size_t *answer_len, void **memory)
{
    struct script *script = context;
    const size_t i =
        script->calls < script->answer_count ? script->calls : script->answer_count - 1;
    script->calls++;
    snprintf(script->operation, sizeof(script->operation), "%s", operation);
    snprintf(script->body, sizeof(script->body), "%.*s", (int)body_len, body);
    *answer = script->answer_count == 0 ? "{}" : script->answers[i];
    *answer_len = strlen(*answer);
    *memory = NULL;
    return strstr(*answer, "__type") == NULL ? 200 : 400;
}

static void clear(void *context, void *memory)
{
    (void)context;
    (void)memory;
}

static void count_wait(void *arg, int64_t ms)
{
    struct script *script = arg;
    (void)ms;
    script->waits++;
}

void open_script(struct fixture *fixture, struct script *script)
{
    *fixture = (struct fixture){0};
    const ordna_transport transport = {.context = script, .call = call, .clear = clear};
    open_client(fixture, &transport);
    fixture->client->wait = count_wait;
    fixture->client->wait_arg = script;
}

void close_script(struct fixture *fixture)
{
    ordna_session_close(fixture->session);
    ordna_client_close(fixture->client);
}

// --- Checks -------------------------------------------------------------------------------------

void check_status(size_t row, ordna_session *session, ordna_status got, ordna_status wanted)
{
    if (got != wanted) {
        fail_msg("row %zu: status %d, not %d: %s", row, (int)got, (int)wanted,
                 ordna_session_error(session)->message);
    }
}

void check_message(size_t row, ordna_session *session, const char *part)
{
    const char *message = ordna_session_error(session)->message;
    if (strstr(message, part) == NULL) {
        fail_msg("row %zu: \"%s\" lacks \"%s\"", row, message, part);
    }
}
