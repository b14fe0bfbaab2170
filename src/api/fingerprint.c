#include "api/fingerprint.h"

#include <xxhash.h>

// What stands in front of everything that is hashed, so that no value looks like one of another
// kind.
enum tag { TAG_NULL = 1, TAG_FALSE, TAG_TRUE, TAG_NUMBER, TAG_STRING, TAG_LIST, TAG_OBJECT };

static uint64_t mix(uint64_t seed, uint64_t n)
{
    return XXH3_64bits_withSeed(&n, sizeof(n), seed);
}

static uint64_t of_string(yyjson_val *json)
{
    return XXH3_64bits_withSeed(yyjson_get_str(json), yyjson_get_len(json), TAG_STRING);
}

static uint64_t of_list(yyjson_val *list)
{
    uint64_t sum = TAG_LIST;
    size_t at = 0;
    size_t count = 0;
    yyjson_val *element = NULL;
    yyjson_arr_foreach(list, at, count, element)
    {
        sum = mix(sum, od_api_fingerprint(element));
    }
    return sum;
}

// Adding is the same in any order.
static uint64_t of_object(yyjson_val *object)
{
    uint64_t sum = 0;
    size_t at = 0;
    size_t count = 0;
    yyjson_val *name = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(object, at, count, name, value)
    {
        if (!yyjson_is_null(value)) {
            sum += mix(of_string(name), od_api_fingerprint(value));
        }
    }
    return mix(TAG_OBJECT, sum);
}

static uint64_t of_number(yyjson_val *number)
{
    double n = yyjson_get_num(number);
    return XXH3_64bits_withSeed(&n, sizeof(n), TAG_NUMBER);
}

// The depth is bounded where the body is parsed.
uint64_t od_api_fingerprint(yyjson_val *json)
{
    switch (yyjson_get_type(json)) {
    case YYJSON_TYPE_STR:
        return of_string(json);
    case YYJSON_TYPE_ARR:
        return of_list(json);
    case YYJSON_TYPE_OBJ:
        return of_object(json);
    case YYJSON_TYPE_NUM:
        return of_number(json);
    case YYJSON_TYPE_BOOL:
        return mix(yyjson_get_bool(json) ? TAG_TRUE : TAG_FALSE, 0);
    default:
        return mix(TAG_NULL, 0);
    }
}
