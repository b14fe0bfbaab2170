#include "connect.h"

#include "busy.h"
#include "shop.h"

#include <ordna/in_process.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static struct {
    ordna *db; /* NULL: somewhere else */
    ordna_client *client;
    ordna_session *session;
    struct busy *busy; /* NULL: nobody hammers */
    int failed;
} example;

/* --- The end ------------------------------------------------------------------------------------
 */

static void disconnect(void)
{
    ordna_session_close(example.session);
    ordna_client_close(example.client);
    ordna_close(example.db);
}

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static const char *why_it_failed(void)
{
    static char text[512];
    const ordna_error *error = ordna_session_error(example.session);
    snprintf(text, sizeof(text), "error %d: %s %s", (int)error->status, error->type,
             error->message);
    return text;
}

void must(ordna_status status)
{
    if (status != ORDNA_OK) {
        busy_stop(example.busy);
        give_up(why_it_failed());
    }
}

void check(bool holds, const char *claim, ...)
{
    va_list args;
    va_start(args, claim);
    fputs(holds ? "  ok     " : "  WRONG  ", stdout);
    vprintf(claim, args);
    putchar('\n');
    va_end(args);
    example.failed += !holds;
}

ordna_time at(const char *text)
{
    ordna_time time = 0;
    if (!ordna_time_from_text(text, &time)) {
        give_up("that is no time");
    }
    return time;
}

/* --- The table ----------------------------------------------------------------------------------
 */

static bool table_answers(const char *operation)
{
    char body[128];
    ordna_answer answer;
    int len = snprintf(body, sizeof(body), "{\"TableName\":\"%s\"}", shop_table.name);
    return ordna_session_call(example.session, operation, body, (size_t)len, &answer) == ORDNA_OK;
}

/* Gone at once from ordna; Amazon DynamoDB takes a while. */
static void delete_table(void)
{
    enum { LONGEST_WAIT_S = 60 };
    const struct timespec a_second = {.tv_sec = 1};
    bool is_there = table_answers("DeleteTable");
    for (int i = 0; i < LONGEST_WAIT_S && is_there; i++) {
        is_there = table_answers("DescribeTable");
        if (is_there) {
            thrd_sleep(&a_second, NULL);
        }
    }
    if (strcmp(ordna_session_error(example.session)->type, "ResourceNotFoundException") != 0) {
        give_up(why_it_failed());
    }
}

/* --- The connection -----------------------------------------------------------------------------
 */

static void open_database(const char *store, const char *dir)
{
    ordna_options options = {.store = store, .dir = dir};
    char error[256];
    if (ordna_open(&options, &example.db, error, sizeof(error)) != 0) {
        give_up(error);
    }
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void open_client(const char *place)
{
    ordna_transport in_process;
    ordna_client_options options = {.endpoint = place};
    if (begins_with(place, "aws:")) {
        options = (ordna_client_options){.region = place + strlen("aws:")};
    } else if (!begins_with(place, "http")) {
        bool on_disk = begins_with(place, "rocksdb:");
        open_database(on_disk ? "rocksdb" : place, on_disk ? place + strlen("rocksdb:") : NULL);
        in_process = ordna_in_process(example.db);
        options = (ordna_client_options){.transport = &in_process};
    }
    char error[256];
    if (ordna_client_open(&options, &example.client, error, sizeof(error)) != ORDNA_OK) {
        give_up(error);
    }
}

ordna_session *example_open(int argc, char **argv)
{
    const char *place = "memory";
    bool is_busy = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--busy") == 0) {
            is_busy = true;
        } else {
            place = argv[i];
        }
    }
    open_client(place);
    example.session = ordna_session_open(example.client);
    delete_table();
    must(shop_create_table(example.session));
    example.busy = is_busy ? busy_start(example.client) : NULL;
    return example.session;
}

int example_close(void)
{
    const char *trouble = busy_stop(example.busy);
    if (trouble != NULL) {
        fprintf(stderr, "the second thread: %s\n", trouble);
        example.failed++;
    }
    delete_table();
    disconnect();
    return example.failed == 0 ? 0 : 1;
}
