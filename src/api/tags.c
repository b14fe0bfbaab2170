#include "api/tags.h"

static od_status check_key(od_ctx *cx, od_str key)
{
    if (od_str_has_prefix(key, OD_STR("aws:"))) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "One or more parameter values were invalid: Tag keys starting with aws: are "
                       "reserved for system use: %.*s",
                       OD_STR_ARG(key));
    }
    return OD_OK;
}

static od_status check_new(od_ctx *cx, const struct od_tag *tags, size_t count, od_str key)
{
    for (size_t i = 0; i < count; i++) {
        if (od_str_eq(tags[i].key, key)) {
            return OD_FAIL(cx, OD_VALIDATION,
                           "One or more parameter values were invalid: Tag key %.*s stands more "
                           "than once",
                           OD_STR_ARG(key));
        }
    }
    return OD_OK;
}

static od_status check_count(od_ctx *cx, size_t count)
{
    if (count > OD_MAX_TAGS) {
        return OD_FAIL(
            cx, OD_VALIDATION,
            "One or more parameter values were invalid: Too many tags: a resource has at "
            "most %d tags",
            OD_MAX_TAGS);
    }
    return OD_OK;
}

od_status od_tags_read(od_ctx *cx, yyjson_val *list, const struct od_tag **out, size_t *count)
{
    *count = yyjson_arr_size(list);
    OD_TRY(check_count(cx, *count));
    struct od_tag *tags = od_new_array(cx->arena, struct od_tag, *count);
    size_t at = 0;
    size_t max = 0;
    yyjson_val *tag = NULL;
    yyjson_arr_foreach(list, at, max, tag)
    {
        tags[at] = (struct od_tag){od_wire_str(tag, "Key"), od_wire_str(tag, "Value")};
        OD_TRY(check_key(cx, tags[at].key));
        OD_TRY(check_new(cx, tags, at, tags[at].key));
    }
    *out = tags;
    return OD_OK;
}

od_status od_tag_keys_read(od_ctx *cx, yyjson_val *list, const od_str **out, size_t *count)
{
    *count = yyjson_arr_size(list);
    OD_TRY(check_count(cx, *count));
    od_str *keys = od_new_array(cx->arena, od_str, *count);
    size_t at = 0;
    size_t max = 0;
    yyjson_val *key = NULL;
    yyjson_arr_foreach(list, at, max, key)
    {
        keys[at] = od_wire_get_str(key);
        OD_TRY(check_key(cx, keys[at]));
    }
    *out = keys;
    return OD_OK;
}
