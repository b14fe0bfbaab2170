#ifndef OD_API_TAGS_H
#define OD_API_TAGS_H

#include "api/api_internal.h"

// A TagList, checked: distinct keys, none of them reserved, not too many. NULL is an empty one.
od_status od_tags_read(od_ctx *cx, yyjson_val *list, const struct od_tag **out, size_t *count);

// A list of keys, none of them reserved.
od_status od_tag_keys_read(od_ctx *cx, yyjson_val *list, const od_str **out, size_t *count);

#endif
