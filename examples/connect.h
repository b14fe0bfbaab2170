/* What the examples share: a database to talk to, with the table of shop.entities, and checks.
 *
 *     staff                            in memory, inside the program
 *     staff rocksdb:DIR                on disk, inside the program
 *     staff http://127.0.0.1:8000      a server; credentials as the AWS CLI takes them
 *     staff aws:eu-central-1           Amazon DynamoDB in a region
 *     staff --busy ...                 with a second thread that hammers the same table
 *
 * The table is made anew at the start and deleted at the end. */
#ifndef EXAMPLES_CONNECT_H
#define EXAMPLES_CONNECT_H

#include <ordna/client.h>
#include <ordna/values.h>

/* Ends the program when it cannot connect. */
ordna_session *example_open(int argc, char **argv);

/* The program's exit code: 0 when all checks held. */
int example_close(void);

/* Prints what is shown; a claim that does not hold fails the example. */
void check(bool holds, const char *claim, ...) __attribute__((format(printf, 2, 3)));

/* Ends the program when a call has failed that must not. */
void must(ordna_status status);

/* "2026-11-30T09:00:00Z" as a time. */
ordna_time at(const char *text);

#endif
