// Threads that call until the server is gone, and the last one to learn it ends the program.
// Usage: client_gone_test ENDPOINT, under gone_test.py. Prints "calling" when all of them are.
#include "ordna/client.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 8 };

struct worker {
    ordna_client *client;
    atomic_int *calling;
    bool wrong;
    pthread_t thread;
};

static void *call_until_it_fails(void *arg)
{
    static const char body[] = "{\"Limit\":1}";
    struct worker *worker = arg;
    ordna_session *session = ordna_session_open(worker->client);
    ordna_answer answer;
    bool first = true;
    while (ordna_session_call(session, "ListTables", body, sizeof(body) - 1, &answer) == ORDNA_OK) {
        ordna_session_reset(session);
        if (first && atomic_fetch_add(worker->calling, 1) + 1 == THREADS) {
            puts("calling");
            fflush(stdout);
        }
        first = false;
    }
    const ordna_error *error = ordna_session_error(session);
    worker->wrong = error->status != ORDNA_NETWORK || error->outcome_unknown;
    ordna_session_close(session);
    return NULL;
}

int main(int count, char **words)
{
    const ordna_client_options options = {.endpoint = count == 2 ? words[1] : ""};
    ordna_client *client = NULL;
    char error[256] = "";
    if (ordna_client_open(&options, &client, error, sizeof(error)) != ORDNA_OK) {
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    atomic_int calling = 0;
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.client = client, .calling = &calling};
        if (pthread_create(&workers[i].thread, NULL, call_until_it_fails, &workers[i]) != 0) {
            return 2;
        }
    }
    int wrong = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        wrong += workers[i].wrong;
    }
    ordna_client_close(client);
    return wrong > 0;
}
