// Tables and indexes as the catalog knows them. A table is never changed once others can see it:
// an update makes a new one. Holders count their references.
#ifndef OD_ENGINE_TABLE_H
#define OD_ENGINE_TABLE_H

#include "base/arena.h"
#include "model/key.h"
#include "storage/store.h"

#include <stdint.h>

enum {
    OD_MAX_GLOBAL_INDEXES = 20,
    OD_MAX_LOCAL_INDEXES = 5,
    OD_MAX_INDEXES = OD_MAX_GLOBAL_INDEXES + OD_MAX_LOCAL_INDEXES,
    OD_MAX_PROJECTED_NAMES = 100, // NonKeyAttributes over all indexes of a table
    OD_MAX_TABLES = 2500,
    OD_MAX_TAGS = 50,
    OD_ON_DEMAND_READ = 12000, // units a second that a new on-demand table takes at once
    OD_ON_DEMAND_WRITE = 4000,
};

enum od_billing_mode { OD_BILLING_PROVISIONED, OD_BILLING_PAY_PER_REQUEST };
enum od_projection_type { OD_PROJECT_ALL, OD_PROJECT_KEYS_ONLY, OD_PROJECT_INCLUDE };
enum od_table_status { OD_TABLE_ACTIVE, OD_TABLE_CREATING, OD_TABLE_UPDATING, OD_TABLE_DELETING };

// Capacity units a second. Zeros when the table is billed per request.
struct od_throughput {
    int64_t read_units;
    int64_t write_units;
};

// When provisioned throughput was changed last; 0 for never.
struct od_throughput_log {
    int64_t increase_ms;
    int64_t decrease_ms;
    int64_t decreases; // on the UTC day of decrease_ms
};
int64_t od_decreases_today(const struct od_throughput_log *log);

// Items and their DynamoDB size in bytes; exact.
struct od_stats {
    int64_t item_count;
    int64_t size_bytes;
};

// Ceilings for on-demand tables and indexes (OnDemandThroughput); 0: none.
struct od_request_limits {
    int64_t max_read_units;
    int64_t max_write_units;
};

struct od_tag {
    od_str key;
    od_str value;
};

struct od_index {
    od_str name;
    bool is_local;
    struct od_key_schema schema;
    enum od_projection_type projection;
    const od_str *projected_names; // INCLUDE
    size_t projected_count;
    struct od_throughput throughput;
    struct od_throughput_log throughput_log;
    struct od_request_limits limits;
    struct od_throughput warm; // WarmThroughput as asked for or reached; 0: not
    enum od_table_status status;
    bool backfilling; // items are being added that were there before the index
    od_group group;
    _Atomic int64_t item_count; // see od_index_stats
    _Atomic int64_t size_bytes;
};

// What CreateTable sets besides keys and indexes. NULL `ptr`, negative numbers, no warm units: not
// set.
struct od_table_settings {
    enum od_billing_mode billing;
    struct od_throughput throughput;
    bool deletion_protection;
    od_str table_class; // "STANDARD", "STANDARD_INFREQUENT_ACCESS"
    bool sse_enabled;
    od_str sse_key_arn;
    bool stream_enabled;
    od_str stream_view;
    int64_t max_read_request_units;
    int64_t max_write_request_units;
    int64_t warm_read_units;
    int64_t warm_write_units;
};

struct od_table {
    od_arena *arena; // holds everything below
    _Atomic int refs;
    od_str name;
    od_str id; // a UUID
    int64_t created_ms;
    int64_t on_demand_ms; // when it last became PAY_PER_REQUEST; 0 for never
    int64_t class_ms;     // when its class was changed last; 0 for never
    int64_t stream_ms;    // when a stream was switched on last; 0 for never
    struct od_throughput_log throughput_log;
    struct od_key_schema schema;
    struct od_key_attr *definitions; // AttributeDefinitions, as given
    size_t definition_count;
    struct od_table_settings settings;
    struct od_tag *tags; // sorted by key
    size_t tag_count;
    enum od_table_status status;
    struct od_index *indexes; // local ones first, each kind in the order given
    size_t index_count;
    od_group group;            // the items
    od_group collection_group; // sizes of item collections, for tables with local indexes; else 0
    _Atomic int64_t item_count;
    _Atomic int64_t size_bytes;
};

// NULL when there is no such index.
const struct od_index *od_table_index(const struct od_table *table, od_str name);
bool od_table_has_local_index(const struct od_table *table);

// Whether an index is being made that no item was added to yet. Until then the table is UPDATING.
bool od_table_is_allocating(const struct od_table *table);

struct od_stats od_table_stats(const struct od_table *table);
struct od_stats od_index_stats(const struct od_index *index);

// arn:aws:dynamodb:<region>:<account>:table/<name>
od_str od_table_arn(od_arena *arena, od_str table_name);

// The ARN of the key that a table is encrypted with: it may be given as its ARN, its alias or its
// id; without one it is the account's own.
od_str od_table_key_arn(od_arena *arena, od_str given);

// Whether the index holds an attribute called `name`, of every item that it holds.
bool od_index_projects(const struct od_table *table, const struct od_index *index, od_str name);

#endif
