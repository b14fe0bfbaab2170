/* A client over a database inside this program: link with both libordna and libordna-client.
 *
 *     ordna_transport in_process = ordna_in_process(db);
 *     ordna_client_options options = {.transport = &in_process};
 */
#ifndef ORDNA_IN_PROCESS_H
#define ORDNA_IN_PROCESS_H

#include "ordna/client.h"
#include "ordna/ordna.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `db` outlives the client. */
ORDNA_API ordna_transport ordna_in_process(ordna *db);

#ifdef __cplusplus
}
#endif

#endif
