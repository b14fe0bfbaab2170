// What CreateTable and UpdateTable are told alike, as the engine takes it.
#ifndef OD_API_TABLE_READ_H
#define OD_API_TABLE_READ_H

#include "api/api_internal.h"

const struct od_key_attr *od_table_read_definitions(od_arena *arena, yyjson_val *root,
                                                    size_t *count);
const struct od_key_element *od_table_read_keys(od_arena *arena, yyjson_val *object, size_t *count);

// ProvisionedThroughput; whether it is there.
bool od_table_read_throughput(yyjson_val *object, struct od_throughput *out);
// OnDemandThroughput, OD_NOT_GIVEN for a ceiling that is not there.
struct od_request_limits od_table_read_limits(yyjson_val *object);
// WarmThroughput, 0 for what is not there.
struct od_throughput od_table_read_warm(yyjson_val *object);

// Refuses what no table of this server can have: what needs several regions, other encryption.
od_status od_table_check_asked(od_ctx *cx, yyjson_val *root);

void od_table_read_index(od_arena *arena, yyjson_val *json, struct od_index_spec *out);

#endif
