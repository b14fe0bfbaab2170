// Parameters: attribute values, whose numbers PartiQL reads in a way of its own.
//
// It reads a number's exponent, and its digits less its scale, as 32-bit integers: an exponent that
// is none is no number at all, and a sum that is none wraps around. Elsewhere such numbers are
// merely too large or too small.
#include "api/partiql/member.h"

// A number's text, as far as its magnitude goes.
struct reading {
    int64_t digits;   // without leading zeros
    int64_t fraction; // digits after the point
    int64_t exponent; // as far as it matters
};

static bool fits_int32(int64_t n)
{
    return n >= INT32_MIN && n <= INT32_MAX;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int64_t read_exponent(od_str text)
{
    bool negative = text.len > 0 && text.ptr[0] == '-';
    bool has_sign = negative || (text.len > 0 && text.ptr[0] == '+');
    int64_t n = 0;
    for (size_t i = has_sign; i < text.len && n <= INT32_MAX; i++) {
        n = n * 10 + (text.ptr[i] - '0');
    }
    return negative ? -n : n;
}

// Of a well-formed number.
static struct reading read_text(od_str text)
{
    struct reading r = {0};
    bool after_point = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == 'e' || c == 'E') {
            r.exponent = read_exponent(od_str_skip(text, i + 1));
            break;
        }
        after_point = after_point || c == '.';
        if (is_digit(c)) {
            r.fraction += after_point;
            r.digits += r.digits > 0 || c != '0';
        }
    }
    return r;
}

static od_status fail_number(od_ctx *cx, od_str text)
{
    struct reading r = read_text(text);
    int64_t scale = r.fraction - r.exponent;
    if (!fits_int32(r.exponent) || !fits_int32(scale)) {
        return OD_FAIL(cx, OD_VALIDATION,
                       "The parameter cannot be converted to a numeric value: %.*s",
                       OD_STR_ARG(text));
    }
    int32_t magnitude = (int32_t)(uint32_t)(r.digits - scale);
    return magnitude > 0
               ? OD_FAIL(cx, OD_VALIDATION,
                         "Number overflow. Attempting to store a number with magnitude larger than "
                         "supported range")
               : OD_FAIL(cx, OD_VALIDATION,
                         "Number underflow. Attempting to store a number with magnitude smaller "
                         "than supported range");
}

// --- The number at fault ------------------------------------------------------------------------

static yyjson_val *find_in(od_ctx *cx, yyjson_val *value);

// Whether it is a number of which one is too large or too small.
static bool is_out_of_range(od_ctx *cx, yyjson_val *number)
{
    od_number n = {0};
    return od_number_parse(cx, od_wire_get_str(number), &n) != OD_OK;
}

static yyjson_val *find_in_numbers(od_ctx *cx, yyjson_val *list)
{
    size_t at = 0;
    size_t count = 0;
    yyjson_val *number = NULL;
    yyjson_arr_foreach(list, at, count, number)
    {
        if (is_out_of_range(cx, number)) {
            return number;
        }
    }
    return NULL;
}

static yyjson_val *find_in_list(od_ctx *cx, yyjson_val *list)
{
    size_t at = 0;
    size_t count = 0;
    yyjson_val *value = NULL;
    yyjson_arr_foreach(list, at, count, value)
    {
        yyjson_val *found = find_in(cx, value);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

static yyjson_val *find_in_map(od_ctx *cx, yyjson_val *map)
{
    size_t at = 0;
    size_t count = 0;
    yyjson_val *name = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(map, at, count, name, value)
    {
        yyjson_val *found = find_in(cx, value);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

// The first number at fault in the order of the text: the one that reading stopped at. Bodies are
// not nested deeply enough to matter.
static yyjson_val *find_in(od_ctx *cx, yyjson_val *value)
{
    yyjson_val *number = od_wire_member(value, "N");
    if (number != NULL) {
        return is_out_of_range(cx, number) ? number : NULL;
    }
    yyjson_val *numbers = od_wire_member(value, "NS");
    if (numbers != NULL) {
        return find_in_numbers(cx, numbers);
    }
    yyjson_val *list = od_wire_member(value, "L");
    return list != NULL ? find_in_list(cx, list) : find_in_map(cx, od_wire_member(value, "M"));
}

static bool is_range_fault(od_str message)
{
    return od_str_has_prefix(message, OD_STR("Number overflow.")) ||
           od_str_has_prefix(message, OD_STR("Number underflow."));
}

static od_status read_value(od_ctx *cx, yyjson_val *json, od_value *out)
{
    od_status status = od_api_value(cx, json, out);
    if (status == OD_OK || !is_range_fault(cx->error)) {
        return status;
    }
    const od_ctx fault = *cx;
    yyjson_val *number = find_in(cx, json);
    *cx = fault;
    return number == NULL ? status : fail_number(cx, od_wire_get_str(number));
}

od_status od_parameters_read(od_ctx *cx, yyjson_val *list, struct od_member *out)
{
    out->parameter_count = yyjson_arr_size(list);
    out->parameters = od_new_array(cx->arena, od_value, out->parameter_count);
    size_t at = 0;
    size_t count = 0;
    yyjson_val *json = NULL;
    yyjson_arr_foreach(list, at, count, json)
    {
        OD_TRY(read_value(cx, json, &out->parameters[at]));
    }
    return OD_OK;
}
