#include "wire/shape/shape.h"

#include "base/attr.h"

// The parts before the region. Of the second, what it begins with: aws-cn is a partition too.
static const struct {
    od_str text;
    bool whole;
} arn_parts[] = {
    {OD_STR_INIT("arn"), true},
    {OD_STR_INIT("aws"), false},
    {OD_STR_INIT("dynamodb"), true},
};
enum { ARN_COLONS = 5 };

static bool is_made_of(const struct od_shape_pattern *pattern, od_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c >= 128 || (pattern->set[c / 64] >> (c % 64) & 1) == 0) {
            return false;
        }
    }
    return text.len > 0;
}

// Cuts the part before the next colon off the front of `rest`.
static od_str take_part(od_str *rest)
{
    size_t len = 0;
    while (len < rest->len && rest->ptr[len] != ':') {
        len++;
    }
    od_str part = {rest->ptr, len};
    *rest = od_str_skip(*rest, len < rest->len ? len + 1 : len);
    return part;
}

static bool is_arn_part(size_t position, od_str part)
{
    if (position >= OD_COUNT(arn_parts)) {
        return part.len > 0;
    }
    return arn_parts[position].whole ? od_str_eq(part, arn_parts[position].text)
                                     : od_str_has_prefix(part, arn_parts[position].text);
}

// arn:aws:dynamodb:<region>:<account>:table/<name>
bool od_shape_takes_arn(const struct od_shape *shape, od_str text)
{
    if (shape->arn_max == 0 || !od_str_has_prefix(text, OD_STR("arn:")) ||
        od_shape_length(shape, text) > shape->arn_max) {
        return false;
    }
    for (size_t i = 0; i < ARN_COLONS; i++) {
        if (!is_arn_part(i, take_part(&text))) {
            return false;
        }
    }
    od_str table = OD_STR("table/");
    return od_str_has_prefix(text, table) &&
           is_made_of(shape->pattern, od_str_skip(text, table.len));
}

bool od_shape_breaks_pattern(const struct od_shape *shape, od_str text)
{
    return shape->pattern != NULL && !is_made_of(shape->pattern, text);
}

bool od_shape_breaks_string(const struct od_shape *shape, od_str text)
{
    int64_t len = od_shape_length(shape, text);
    return (od_shape_breaks_pattern(shape, text) || od_shape_breaks_min(shape, len) ||
            od_shape_breaks_max(shape, len)) &&
           !od_shape_takes_arn(shape, text);
}

bool od_shape_breaks_enum(const struct od_shape *shape, od_str text)
{
    for (size_t i = 0; i < shape->value_count; i++) {
        if (od_str_eq(shape->values[i], text)) {
            return false;
        }
    }
    return true;
}

int64_t od_shape_length(const struct od_shape *shape, od_str text)
{
    if (shape->in_bytes) {
        return (int64_t)text.len;
    }
    int64_t characters = 0;
    for (size_t i = 0; i < text.len; i++) {
        characters += ((unsigned char)text.ptr[i] & 0xC0) != 0x80; // a character's first byte
    }
    return characters;
}

int64_t od_shape_int(yyjson_val *number)
{
    if (yyjson_is_sint(number)) {
        return unsafe_yyjson_get_sint(number);
    }
    if (yyjson_is_uint(number)) {
        uint64_t n = unsafe_yyjson_get_uint(number);
        return n > INT64_MAX ? INT64_MAX : (int64_t)n;
    }
    double n = unsafe_yyjson_get_real(number);
    // The first double past the range; the last one in it is exact.
    const double limit = 9223372036854775808.0;
    if (n >= limit) {
        return INT64_MAX;
    }
    return n < -limit ? INT64_MIN : (int64_t)n;
}
