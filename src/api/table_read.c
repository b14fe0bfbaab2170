#include "api/table_read.h"

static od_str str_of(yyjson_val *json)
{
    return (od_str){yyjson_get_str(json), yyjson_get_len(json)};
}

// --- Keys ---------------------------------------------------------------------------------------

const struct od_key_attr *od_table_read_definitions(od_arena *arena, yyjson_val *root,
                                                    size_t *count)
{
    yyjson_val *list = od_wire_member(root, "AttributeDefinitions");
    *count = yyjson_arr_size(list);
    struct od_key_attr *definitions = od_new_array(arena, struct od_key_attr, *count);
    size_t at = 0;
    size_t max = 0;
    yyjson_val *definition = NULL;
    yyjson_arr_foreach(list, at, max, definition)
    {
        definitions[at].name = od_wire_str(definition, "AttributeName");
        // The shape has seen to it that there is such a type.
        (void)od_type_from_name(od_wire_str(definition, "AttributeType"), &definitions[at].type);
    }
    return definitions;
}

const struct od_key_element *od_table_read_keys(od_arena *arena, yyjson_val *object, size_t *count)
{
    yyjson_val *list = od_wire_member(object, "KeySchema");
    *count = yyjson_arr_size(list);
    struct od_key_element *keys = od_new_array(arena, struct od_key_element, *count);
    size_t at = 0;
    size_t max = 0;
    yyjson_val *element = NULL;
    yyjson_arr_foreach(list, at, max, element)
    {
        keys[at].name = od_wire_str(element, "AttributeName");
        keys[at].key_type = od_wire_str(element, "KeyType");
    }
    return keys;
}

// --- Indexes ------------------------------------------------------------------------------------

bool od_table_read_throughput(yyjson_val *object, struct od_throughput *out)
{
    yyjson_val *throughput = od_wire_member(object, "ProvisionedThroughput");
    out->read_units = od_wire_int(throughput, "ReadCapacityUnits", 0);
    out->write_units = od_wire_int(throughput, "WriteCapacityUnits", 0);
    return throughput != NULL;
}

// 0 stands for "not given", so where it is given it becomes another number that is a fault.
static int64_t read_limit(yyjson_val *limits, const char *name)
{
    yyjson_val *limit = od_wire_member(limits, name);
    int64_t n = od_wire_get_int(limit, OD_NOT_GIVEN);
    return limit != NULL && n == OD_NOT_GIVEN ? INT64_MIN : n;
}

struct od_request_limits od_table_read_limits(yyjson_val *object)
{
    yyjson_val *limits = od_wire_member(object, "OnDemandThroughput");
    return (struct od_request_limits){
        .max_read_units = read_limit(limits, "MaxReadRequestUnits"),
        .max_write_units = read_limit(limits, "MaxWriteRequestUnits"),
    };
}

// As with ceilings: what stands for "not given" must not be given.
static int64_t read_warm_units(yyjson_val *warm, const char *name)
{
    yyjson_val *units = od_wire_member(warm, name);
    int64_t n = od_wire_get_int(units, 0);
    return units != NULL && n <= 0 ? INT64_MIN : n;
}

struct od_throughput od_table_read_warm(yyjson_val *object)
{
    yyjson_val *warm = od_wire_member(object, "WarmThroughput");
    return (struct od_throughput){
        .read_units = read_warm_units(warm, "ReadUnitsPerSecond"),
        .write_units = read_warm_units(warm, "WriteUnitsPerSecond"),
    };
}

static const od_str *read_names(od_arena *arena, yyjson_val *list, size_t *count)
{
    *count = yyjson_arr_size(list);
    od_str *names = od_new_array(arena, od_str, *count);
    size_t at = 0;
    size_t max = 0;
    yyjson_val *name = NULL;
    yyjson_arr_foreach(list, at, max, name)
    {
        names[at] = str_of(name);
    }
    return names;
}

static enum od_projection_type projection_type(od_str name)
{
    if (od_str_eq(name, OD_STR("ALL"))) {
        return OD_PROJECT_ALL;
    }
    return od_str_eq(name, OD_STR("INCLUDE")) ? OD_PROJECT_INCLUDE : OD_PROJECT_KEYS_ONLY;
}

static void read_projection(od_arena *arena, yyjson_val *projection, struct od_index_spec *out)
{
    od_str type = od_wire_str(projection, "ProjectionType");
    yyjson_val *names = od_wire_member(projection, "NonKeyAttributes");
    out->has_projection = type.ptr != NULL;
    out->projection = projection_type(type);
    out->has_non_key_names = names != NULL;
    out->non_key_names = read_names(arena, names, &out->non_key_count);
}

void od_table_read_index(od_arena *arena, yyjson_val *json, struct od_index_spec *out)
{
    out->name = od_wire_str(json, "IndexName");
    out->keys = od_table_read_keys(arena, json, &out->key_count);
    out->has_throughput = od_table_read_throughput(json, &out->throughput);
    out->limits = od_table_read_limits(json);
    out->warm = od_table_read_warm(json);
    read_projection(arena, od_wire_member(json, "Projection"), out);
}

// --- What no table here has ---------------------------------------------------------------------

static od_status check_one_region(od_ctx *cx, yyjson_val *root)
{
    static const char *const names[] = {
        "ReplicaUpdates",
        "MultiRegionConsistency",
        "GlobalTableWitnessUpdates",
        "GlobalTableSettingsReplicationMode",
        "GlobalTableSourceArn",
    };
    for (size_t i = 0; i < OD_COUNT(names); i++) {
        if (od_wire_member(root, names[i]) != NULL) {
            return OD_FAIL(cx, OD_VALIDATION,
                           "One or more parameter values were invalid: %s needs several regions, "
                           "and this server is of one",
                           names[i]);
        }
    }
    return OD_OK;
}

od_status od_table_check_asked(od_ctx *cx, yyjson_val *root)
{
    OD_TRY(check_one_region(cx, root));
    yyjson_val *sse = od_wire_member(root, "SSESpecification");
    if (!od_api_says(sse, "SSEType", OD_STR("AES256"))) {
        return OD_OK;
    }
    // The shape knows it, DynamoDB takes KMS alone.
    return OD_FAIL(cx, OD_VALIDATION,
                   "One or more parameter values were invalid: SSEType AES256 is not supported");
}
