// The library behind two pipes, for tests in other languages: a line `Operation body` in, a line
// `status body` out. JSON has no raw newlines, so that a line is a request.
//
//   model_driver memory | rocksdb DIR
#include <ordna/ordna.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { ERROR_SIZE = 512 };

static void answer(ordna *db, char *line)
{
    char *body = strchr(line, ' ');
    if (body == NULL) {
        fprintf(stderr, "no body: %s\n", line);
        exit(1);
    }
    *body++ = '\0';
    ordna_response response = {0};
    (void)ordna_call(db, line, body, strlen(body), &response);
    printf("%d ", response.status);
    fwrite(response.body, 1, response.body_len, stdout);
    putchar('\n');
    fflush(stdout);
    ordna_response_clear(&response);
}

static void serve(ordna *db)
{
    char *line = NULL;
    size_t size = 0;
    for (ssize_t len = getline(&line, &size, stdin); len > 0; len = getline(&line, &size, stdin)) {
        if (line[len - 1] == '\n') {
            line[len - 1] = '\0';
        }
        answer(db, line);
    }
    free(line);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: model_driver memory | rocksdb DIR\n");
        return 2;
    }
    const ordna_options options = {
        .store = argv[1], .dir = argc > 2 ? argv[2] : NULL, .durability = "relaxed"};
    ordna *db = NULL;
    char error[ERROR_SIZE] = "";
    if (ordna_open(&options, &db, error, sizeof(error)) != 0) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    serve(db);
    ordna_close(db);
    return 0;
}
