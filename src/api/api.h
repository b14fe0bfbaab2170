// Operations: from a name and a JSON body to a status and a JSON body. No socket in it.
//
//   od_api_decode   JSON -> request; every check that needs no table      caller's thread
//   READ            od_api_run_read: against the store, and encode         caller's thread
//                   od_api_try_read: the same, unless it takes long
//   WRITE, CONTROL  od_api_submit: a job for the committer, then encode    committer, then `done`
//
// od_api_call does all of it and waits: for the embedded library and for tests.
#ifndef OD_API_API_H
#define OD_API_API_H

#include "base/buf.h"
#include "base/status.h"
#include "engine/engine.h"

#include <yyjson.h>

struct od_op; // api_internal.h: a row of ops.def

struct od_call {
    // Set by the caller; everything made lives in cx.arena.
    od_ctx cx;
    od_engine *engine;
    od_str operation; // "PutItem"
    od_str body;
    od_str endpoint; // "host:port" for DescribeEndpoints
    void *user;
    void (*done)(struct od_call *call); // od_api_submit alone

    // The answer.
    int http_status;
    struct od_buf out;

    // Between the steps.
    const struct od_op *op;
    yyjson_val *root;
    void *request;                    // of the operation's own type
    bool is_short;                    // a long read of so little that it is quick
    bool may_be_short;                // a long read that can be given up when it takes long
    bool short_only;                  // od_api_try_read's: it is to be given up then
    bool given_up;                    // and was
    const struct od_table **held;     // where a reference may lie that answering releases; or NULL
    struct od_parsed_edition *parsed; // shared expressions that it uses; answering releases them
    struct od_job job;
};

enum od_next {
    OD_NEXT_ANSWERED,  // http_status and out are set: the request was at fault
    OD_NEXT_READ,      // quick: od_api_run_read on this thread
    OD_NEXT_TRY_READ,  // may be quick or not: od_api_try_read on this thread
    OD_NEXT_LONG_READ, // may take milliseconds: od_api_run_read on a worker
    OD_NEXT_SUBMIT,
};

enum od_next od_api_decode(struct od_call *call);
void od_api_run_read(struct od_call *call);
// False when the read was too long to be answered here: od_api_run_read on a worker is due.
bool od_api_try_read(struct od_call *call);
void od_api_submit(struct od_call *call);
// Answers a call that is not to be run, decoded or not, with an error that clients come again
// after.
void od_api_refuse(struct od_call *call);
// Whether calls of the operation end in od_api_submit.
bool od_api_submits(od_str operation);
void od_api_call(struct od_call *call);

#endif
