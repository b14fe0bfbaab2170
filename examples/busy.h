/* A second thread that writes and reads the table of the examples, in partitions of its own. */
#ifndef EXAMPLES_BUSY_H
#define EXAMPLES_BUSY_H

#include <ordna/client.h>

struct busy;

struct busy *busy_start(ordna_client *client);

/* What went wrong, or NULL. After at least one round of everything. NULL as `busy` is fine. */
const char *busy_stop(struct busy *busy);

#endif
