/* Types of an entity's fields. */
#ifndef ORDNA_VALUES_H
#define ORDNA_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef ORDNA_API
#define ORDNA_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Strings of an entity are C text, `const char *` in UTF-8: what a program writes in its source.
 * Text that is not UTF-8 is not sent: it is ORDNA_BAD_ARGUMENT, in a key ORDNA_KEY_FORMAT. A stored
 * string that holds a 0 is ORDNA_BAD_ITEM; such data is bytes. Decimals are text too, "19.99", so
 * that no digit is lost. */

typedef struct ordna_bytes {
    const void *ptr; /* NULL: absent */
    size_t len;
} ordna_bytes;

/* Milliseconds since 1970-01-01T00:00:00Z. Written in UTC in one width, 2026-11-30T23:59:59.999Z,
 * so that text sorts by time; years 0001 to 9999. */
typedef int64_t ordna_time;

enum { ORDNA_TIME_TEXT_SIZE = 25, ORDNA_UUID_TEXT_SIZE = 37 };

/* False for years outside 0001 to 9999. */
ORDNA_API bool ordna_time_to_text(ordna_time time, char out[ORDNA_TIME_TEXT_SIZE]);
/* RFC 3339, with any offset: two texts of one instant are one time. Digits beyond milliseconds are
 * cut off. False for leap seconds, which have no number. `out` stays as it is then. */
ORDNA_API bool ordna_time_from_text(const char *text, ordna_time *out);

typedef struct ordna_uuid {
    uint8_t bytes[16];
} ordna_uuid;

ORDNA_API void ordna_uuid_to_text(ordna_uuid uuid, char out[ORDNA_UUID_TEXT_SIZE]); /* lowercase */
ORDNA_API bool ordna_uuid_from_text(const char *text, ordna_uuid *out);

/* Lists and sets. */
typedef struct ordna_string_list { /* strings, decimals */
    const char *const *items;
    size_t count;
} ordna_string_list;
typedef struct ordna_int32_list {
    const int32_t *items;
    size_t count;
} ordna_int32_list;
typedef struct ordna_int64_list { /* int64, times */
    const int64_t *items;
    size_t count;
} ordna_int64_list;
typedef struct ordna_double_list {
    const double *items;
    size_t count;
} ordna_double_list;
typedef struct ordna_bool_list {
    const bool *items;
    size_t count;
} ordna_bool_list;
typedef struct ordna_bytes_list {
    const ordna_bytes *items;
    size_t count;
} ordna_bytes_list;
typedef struct ordna_uuid_list {
    const ordna_uuid *items;
    size_t count;
} ordna_uuid_list;

/* Maps: item i is named names[i]. */
typedef struct ordna_string_map {
    const char *const *items;
    size_t count;
    const char *const *names;
} ordna_string_map;
typedef struct ordna_int32_map {
    const int32_t *items;
    size_t count;
    const char *const *names;
} ordna_int32_map;
typedef struct ordna_int64_map {
    const int64_t *items;
    size_t count;
    const char *const *names;
} ordna_int64_map;
typedef struct ordna_double_map {
    const double *items;
    size_t count;
    const char *const *names;
} ordna_double_map;
typedef struct ordna_bool_map {
    const bool *items;
    size_t count;
    const char *const *names;
} ordna_bool_map;
typedef struct ordna_bytes_map {
    const ordna_bytes *items;
    size_t count;
    const char *const *names;
} ordna_bytes_map;
typedef struct ordna_uuid_map {
    const ordna_uuid *items;
    size_t count;
    const char *const *names;
} ordna_uuid_map;

/* One value with its type, for keys and expressions. */
typedef enum ordna_type {
    ORDNA_STRING = 1,
    ORDNA_INT32,
    ORDNA_INT64,
    ORDNA_DECIMAL,
    ORDNA_DOUBLE,
    ORDNA_BOOL,
    ORDNA_BYTES,
    ORDNA_TIME,
    ORDNA_UUID
} ordna_type;

typedef enum ordna_shape { ORDNA_ONE = 0, ORDNA_LIST, ORDNA_SET, ORDNA_MAP } ordna_shape;

typedef struct ordna_value {
    ordna_type type;
    ordna_shape shape;
    union {
        const char *text; /* string, decimal */
        int64_t number;   /* int32, int64, time */
        double real;
        bool truth;
        ordna_bytes bytes;
        ordna_uuid uuid;
        struct {
            const void *items; /* of the type's C type */
            size_t count;
            const char *const *names; /* of a map's items */
        } many;                       /* a list, a set, a map */
    } as;
} ordna_value;

static inline ordna_value ordna_of_string(const char *text)
{
    ordna_value v;
    v.type = ORDNA_STRING;
    v.shape = ORDNA_ONE;
    v.as.text = text;
    return v;
}
static inline ordna_value ordna_of_int(int64_t number)
{
    ordna_value v;
    v.type = ORDNA_INT64;
    v.shape = ORDNA_ONE;
    v.as.number = number;
    return v;
}
static inline ordna_value ordna_of_decimal(const char *text)
{
    ordna_value v;
    v.type = ORDNA_DECIMAL;
    v.shape = ORDNA_ONE;
    v.as.text = text;
    return v;
}
static inline ordna_value ordna_of_double(double real)
{
    ordna_value v;
    v.type = ORDNA_DOUBLE;
    v.shape = ORDNA_ONE;
    v.as.real = real;
    return v;
}
static inline ordna_value ordna_of_bool(bool truth)
{
    ordna_value v;
    v.type = ORDNA_BOOL;
    v.shape = ORDNA_ONE;
    v.as.truth = truth;
    return v;
}
static inline ordna_value ordna_of_bytes(const void *ptr, size_t len)
{
    ordna_value v;
    v.type = ORDNA_BYTES;
    v.shape = ORDNA_ONE;
    v.as.bytes.ptr = ptr;
    v.as.bytes.len = len;
    return v;
}
static inline ordna_value ordna_of_time(ordna_time time)
{
    ordna_value v;
    v.type = ORDNA_TIME;
    v.shape = ORDNA_ONE;
    v.as.number = time;
    return v;
}
static inline ordna_value ordna_of_uuid(ordna_uuid uuid)
{
    ordna_value v;
    v.type = ORDNA_UUID;
    v.shape = ORDNA_ONE;
    v.as.uuid = uuid;
    return v;
}
/* `items`: const char *, int32_t, int64_t, double, ordna_bytes ..., as `type` has it in an entity.
 */
static inline ordna_value ordna_of_list(ordna_type type, const void *items, size_t count)
{
    ordna_value v;
    v.type = type;
    v.shape = ORDNA_LIST;
    v.as.many.items = items;
    v.as.many.count = count;
    v.as.many.names = NULL;
    return v;
}
static inline ordna_value ordna_of_set(ordna_type type, const void *items, size_t count)
{
    ordna_value v = ordna_of_list(type, items, count);
    v.shape = ORDNA_SET;
    return v;
}
/* Item i is named names[i]. */
static inline ordna_value ordna_of_map(ordna_type type, const void *items, const char *const *names,
                                       size_t count)
{
    ordna_value v = ordna_of_list(type, items, count);
    v.shape = ORDNA_MAP;
    v.as.many.names = names;
    return v;
}
/* A time as the field that says when an item expires has it: in seconds. */
static inline ordna_value ordna_of_ttl(ordna_time time)
{
    return ordna_of_int(time / 1000 - (time % 1000 < 0 ? 1 : 0));
}

#ifdef __cplusplus
}
#endif

#endif
