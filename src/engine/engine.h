// The engine: tables, items, indexes, reads and writes. It knows no JSON and no HTTP.
//
//   request --> [read]  ------------------------------> store
//           --> [write] --> job --> committer --batch--> store
//
// Requests and results live in the arena of the context that came with them. A `table` in a request
// is a name or a table ARN, as the client wrote it. What a request may hold is checked before it
// comes here, except what needs the table: those faults are found here, with DynamoDB's words.
#ifndef OD_ENGINE_ENGINE_H
#define OD_ENGINE_ENGINE_H

#include "base/status.h"
#include "engine/table.h"
#include "expr/expr.h"
#include "model/value.h"
#include "storage/store.h"

typedef struct od_engine od_engine;

// Limits that no test could come to.
struct od_engine_limits {
    int64_t collection_bytes; // of items and local index entries of one partition key; 0: 10 GB
};

struct od_engine_options {
    const char *store; // "rocksdb", "memory"
    const char *dir;
    enum od_durability durability;
    bool committer_thread; // false: callers of od_engine_write take the committer's role in turns
    // For a caller that has many jobs at once. Submitted jobs wait until od_engine_start_jobs, and
    // `batch_done` tells on the committer's thread that all of a batch are done. NULL: neither.
    void (*batch_done)(void *arg);
    void *batch_done_arg;
    // For od_engine_is_behind; 0: never.
    uint32_t max_wait_ms;
    size_t max_held_bytes;
    struct od_engine_limits limits; // lower ones, for tests
};

// STORE_DOWN with a message that says what to do.
od_status od_engine_open(od_ctx *cx, const struct od_engine_options *options, od_engine **out);
// Waits for writes in flight and leaves nothing to replay.
void od_engine_close(od_engine *engine);
struct od_store_health od_engine_health(const od_engine *engine);
struct od_store_caps od_engine_caps(const od_engine *engine);

// --- Capacity -----------------------------------------------------------------------------------

// In halves of a capacity unit: an eventually consistent read of up to 4 KB costs one half.
struct od_capacity_arm {
    od_str index;
    bool is_local;
    int64_t halves;
};
struct od_capacity {
    od_str table; // as the request gave it
    int64_t table_halves;
    struct od_capacity_arm arms[OD_MAX_INDEXES]; // of indexes touched
    size_t arm_count;
};

// The sum of all arms.
int64_t od_capacity_total(const struct od_capacity *capacity);
// Adds to `total` what `part` consumed; both are of one table.
void od_capacity_add(struct od_capacity *total, const struct od_capacity *part);

// --- Reads --------------------------------------------------------------------------------------

struct od_get {
    od_str table;
    od_value key; // a map
    bool consistent;
};
struct od_get_result {
    od_value map; // no value when there is no such item
    struct od_capacity capacity;
};
od_status od_engine_get(od_engine *engine, od_ctx *cx, const struct od_get *get,
                        struct od_get_result *out);

// Several gets of one table (that of the first), read together; `results` has room for `count`,
// which is at least 1. Every key is checked before any is read.
od_status od_engine_get_many(od_engine *engine, od_ctx *cx, const struct od_get *gets, size_t count,
                             struct od_get_result *results);

enum od_select {
    OD_SELECT_DEFAULT, // all attributes of a table, all projected ones of an index
    OD_SELECT_ALL_ATTRIBUTES,
    OD_SELECT_ALL_PROJECTED,
    OD_SELECT_SPECIFIC, // those of `projection`
    OD_SELECT_COUNT,
};

// A Query (when `key_condition` is set) or a Scan.
struct od_read {
    od_str table;
    od_str index; // {NULL, 0} for the table
    const struct od_key_condition *key_condition;
    const struct od_condition *filter; // may be NULL
    bool filter_is_legacy;             // messages name QueryFilter
    const struct od_projection
        *projection; // may be NULL; the caller applies it, see od_item_visitor
    enum od_select select;
    od_value start_key; // ExclusiveStartKey; no value at the beginning
    int64_t limit;      // items evaluated; 0 for no limit
    bool backward;
    bool consistent;
    bool short_only; // to be given up when it turns out to be long, see `given_up`
    uint32_t segment;
    uint32_t total_segments; // 0 when the scan is not parallel
};

// Sees each item that passed the filter, with the attributes that `select` asks for before
// projection. `map` is borrowed until it returns. Not called when select is COUNT.
typedef void od_item_visitor(void *arg, od_value map);

struct od_read_result {
    int64_t count;
    int64_t scanned;
    od_value last_key; // LastEvaluatedKey; no value at the end
    struct od_capacity capacity;
    bool given_up; // the read was to be short and is not: nothing else here counts
};
od_status od_engine_read(od_engine *engine, od_ctx *cx, const struct od_read *read,
                         od_item_visitor *visit, void *arg, struct od_read_result *out);

// --- Writes -------------------------------------------------------------------------------------

enum od_write_kind { OD_WRITE_PUT, OD_WRITE_UPDATE, OD_WRITE_DELETE, OD_WRITE_CHECK };

// One write of one item: PutItem, UpdateItem, DeleteItem, a member of a batch or of a transaction.
struct od_write_action {
    enum od_write_kind kind;
    od_str table;
    od_value map;                         // PUT: the item. Else: the key
    const struct od_condition *condition; // may be NULL
    const struct od_update *update;       // UPDATE; NULL touches the item
    bool return_old_on_failure;           // ReturnValuesOnConditionCheckFailure ALL_OLD
    bool in_batch;                        // BatchWriteItem words key faults in its own way
    bool insert_only;                     // PUT: DUPLICATE_ITEM when the item is there
    bool wants_old;                       // PUT: result.old_map is needed
    bool flat_size; // UPDATE: the new item alone counts for the 400 KB, as in transactions
};

// The size of an item's collection, for tables with local indexes.
struct od_collection {
    od_str partition_name;
    od_value partition; // no value when the table has no local index
    int64_t size_bytes;
};

struct od_write_result {
    od_value old_map; // no value when there was no item, or a put did not want to know
    od_value new_map; // no value when there is none now
    struct od_capacity capacity;
    struct od_collection collection;
};

// A job runs on the committer: alone with the store for as long as it runs, and everything it
// writes is committed at once, durably, before `done` is called.
struct od_batch; // commit.h
struct od_job {
    od_status (*apply)(struct od_batch *batch, od_ctx *cx, void *arg);
    void *arg;
    od_ctx *cx;
    bool is_control; // changes the catalog: committed apart from others
    size_t bytes;    // of the request that it holds until it is done
    od_status status;
    void (*done)(struct od_job *job); // see od_engine_submit; may be NULL for od_engine_run
    void *user;
    struct od_job *next; // the committer's, as is since_ns
    int64_t since_ns;
};

// Hands the job over and returns; `done` is called when it is durable or has failed.
void od_engine_submit(od_engine *engine, struct od_job *job);
// Whether as much waits as may, see struct od_commit_limits: requests that would submit more are to
// be refused. From any thread.
bool od_engine_is_behind(const od_engine *engine);
void od_engine_start_jobs(od_engine *engine);
// Runs the job, and returns its status when it is durable or has failed.
od_status od_engine_run(od_engine *engine, struct od_job *job);

// Jobs' apply functions. Each takes a pointer to the struct that follows it here as `arg`.

struct od_write_job { // PutItem, UpdateItem, DeleteItem
    od_engine *engine;
    struct od_write_action action;
    struct od_write_result result;
};
od_status od_engine_apply_write(struct od_batch *batch, od_ctx *cx, void *arg);

struct od_batch_write_job { // BatchWriteItem: every member is checked before any is written
    od_engine *engine;
    const struct od_write_action *actions;
    struct od_write_result *results; // room for `count`
    size_t count;
};
od_status od_engine_apply_batch_write(struct od_batch *batch, od_ctx *cx, void *arg);

// --- Transactions --------------------------------------------------------------------------------

// A ClientRequestToken: its text after a letter for the operation, and a number that two different
// requests share with no likelihood. {NULL, 0} text: no token.
struct od_token {
    od_str text;
    uint64_t fingerprint;
};

struct od_transact_write_job { // TransactWriteItems
    od_engine *engine;
    const struct od_write_action *actions;
    struct od_write_result *results; // room for `count`; filled also when replayed, capacity alone
    size_t count;
    struct od_token token;
    bool replayed; // the token was bound: nothing was written, and capacity is a read's
};
od_status od_engine_apply_transact_write(struct od_batch *batch, od_ctx *cx, void *arg);

// That the items of a transaction, those sent or those read, are not too much.
enum { OD_TRANSACTION_MAX_BYTES = 4 * 1024 * 1024 };
od_status od_engine_check_transaction_size(od_ctx *cx, size_t bytes);

// TransactGetItems; `results` has room for `count`.
od_status od_engine_transact_get(od_engine *engine, od_ctx *cx, const struct od_get *gets,
                                 size_t count, struct od_get_result *results);

// --- Tables -------------------------------------------------------------------------------------

// Of a ceiling that is asked for; -1 means none, and other negative numbers are faults.
enum { OD_NOT_GIVEN = 0 };

struct od_key_element {
    od_str name;
    od_str key_type; // "HASH", "RANGE"
};

struct od_index_spec {
    od_str name;
    const struct od_key_element *keys;
    size_t key_count;
    bool has_projection; // a Projection with a ProjectionType was given
    enum od_projection_type projection;
    const od_str *non_key_names;
    size_t non_key_count;
    bool has_non_key_names; // NonKeyAttributes was given
    bool has_throughput;
    struct od_throughput throughput;
    struct od_request_limits limits; // 0: not given
    struct od_throughput warm;       // 0: not given
};

struct od_create_table_job {
    od_engine *engine;
    od_str table; // a name
    const struct od_key_attr *definitions;
    size_t definition_count;
    const struct od_key_element *keys;
    size_t key_count;
    const struct od_index_spec *local_indexes;
    size_t local_count;
    bool has_local_list; // LocalSecondaryIndexes was given, perhaps empty
    const struct od_index_spec *global_indexes;
    size_t global_count;
    bool has_global_list;
    bool has_throughput;
    struct od_table_settings settings;
    const struct od_tag *tags; // distinct keys
    size_t tag_count;
    const struct od_table *result; // NULL, or a reference that the caller releases, also on failure
};
// The checks that need no store: key schemas, definitions, indexes, throughput. For decode.
od_status od_engine_check_create_table(od_ctx *cx, const struct od_create_table_job *job);
od_status od_engine_apply_create_table(struct od_batch *batch, od_ctx *cx, void *arg);

struct od_delete_table_job {
    od_engine *engine;
    od_str table;
    const struct od_table *result; // as it was; NULL, or a reference that the caller releases
};
od_status od_engine_apply_delete_table(struct od_batch *batch, od_ctx *cx, void *arg);

enum od_index_change_kind { OD_INDEX_CREATE, OD_INDEX_UPDATE, OD_INDEX_DELETE };
struct od_index_change {
    enum od_index_change_kind kind;
    struct od_index_spec spec; // UPDATE: name, throughput, limits, warm. DELETE: name
};

struct od_update_table_job {
    od_engine *engine;
    od_str table;
    const struct od_key_attr *definitions;
    size_t definition_count;
    bool has_billing;
    enum od_billing_mode billing;
    bool has_throughput;
    struct od_throughput throughput;
    bool has_protection;
    bool deletion_protection;
    od_str table_class; // {NULL, 0}: not given
    bool has_sse;
    bool sse_enabled;
    od_str sse_key_arn;
    bool has_stream;
    bool stream_enabled;
    od_str stream_view;
    bool has_limits;                 // OnDemandThroughput
    struct od_request_limits limits; // OD_NOT_GIVEN: as it was; -1: none from now on
    bool has_warm;
    struct od_throughput warm; // 0: not given
    const struct od_index_change *index_changes;
    size_t index_change_count;
    // What the answer tells: the table is UPDATING, an index that goes is still there, DELETING.
    const struct od_table *result; // NULL, or a reference that the caller releases
};
// That something is asked for, and of what excludes each other one thing alone. For decode.
od_status od_engine_check_update_table(od_ctx *cx, const struct od_update_table_job *job);
od_status od_engine_apply_update_table(struct od_batch *batch, od_ctx *cx, void *arg);

struct od_tag_job {
    od_engine *engine;
    od_str arn;
    const struct od_tag *add; // TagResource; distinct keys
    size_t add_count;
    const od_str *remove; // UntagResource
    size_t remove_count;
    const struct od_table *result; // NULL, or a reference that the caller releases
};
od_status od_engine_apply_tags(struct od_batch *batch, od_ctx *cx, void *arg);

// The table that an ARN names, for tags. NO_SUCH_RESOURCE, ACCESS_DENIED or VALIDATION with the
// words of the tag operations.
od_status od_table_acquire_tagged(od_engine *engine, od_ctx *cx, od_str arn,
                                  const struct od_table **out);

// A reference to the table. NO_SUCH_RESOURCE "Requested resource not found" when there is none.
od_status od_table_acquire(od_engine *engine, od_ctx *cx, od_str name_or_arn,
                           const struct od_table **out);
// The same with the words of control operations: "...: Table: <name> not found".
od_status od_table_acquire_described(od_engine *engine, od_ctx *cx, od_str name_or_arn,
                                     const struct od_table **out);
void od_table_release(const struct od_table *table);

// Names in ascending order, after `after` (which need not exist; {NULL, 0} for the beginning), at
// most `limit`. `more` tells whether others follow.
od_status od_engine_list_tables(od_engine *engine, od_ctx *cx, od_str after, size_t limit,
                                od_str *names, size_t *count, bool *more);

#endif
