// Values as JSON.
#include "mapper/mapper_internal.h"

#include "base/base64.h"
#include "base/json.h"
#include "mapper/json_write.h"

#include <string.h>

const struct od_type od_types[] = {
    [0] = {"", NULL, 0},
    [ORDNA_STRING] = {"S", "SS", sizeof(const char *)},
    [ORDNA_INT32] = {"N", "NS", sizeof(int32_t)},
    [ORDNA_INT64] = {"N", "NS", sizeof(int64_t)},
    [ORDNA_DECIMAL] = {"N", "NS", sizeof(const char *)},
    [ORDNA_DOUBLE] = {"N", "NS", sizeof(double)},
    [ORDNA_BOOL] = {"BOOL", NULL, sizeof(bool)},
    [ORDNA_BYTES] = {"B", "BS", sizeof(ordna_bytes)},
    [ORDNA_TIME] = {"S", "SS", sizeof(ordna_time)},
    [ORDNA_UUID] = {"S", "SS", sizeof(ordna_uuid)},
};

void od_member_put(struct od_buf *out, const char *name)
{
    if (out->ptr[out->len - 1] != '{') {
        od_buf_put_byte(out, ',');
    }
    const od_str text = od_cstr(name);
    if (!od_put_string(out, text)) {
        od_json_str(out, text);
    }
    od_buf_put_byte(out, ':');
}

// --- One value ----------------------------------------------------------------------------------

static ordna_status fail(ordna_session *session, const char *name, const char *why)
{
    return od_session_fail(session, ORDNA_BAD_ARGUMENT, name, "%s %s", name, why);
}

// Between quotes; none of these characters needs an escape.
static void put_quoted(struct od_buf *out, const char *text, size_t len)
{
    char *at = od_buf_reserve(out, len + 2);
    at[0] = '"';
    memcpy(at + 1, text, len);
    at[len + 1] = '"';
    out->len += len + 2;
}

static void put_int(struct od_buf *out, int64_t n)
{
    od_buf_put_byte(out, '"');
    od_json_int(out, n);
    od_buf_put_byte(out, '"');
}

static ordna_status put_text(ordna_session *session, struct od_buf *out, const char *name,
                             const char *text)
{
    if (text == NULL) {
        return fail(session, name, "is missing");
    }
    return od_put_string(out, od_cstr(text)) ? ORDNA_OK : fail(session, name, "is not UTF-8");
}

static ordna_status put_decimal(ordna_session *session, struct od_buf *out, const char *name,
                                const char *text)
{
    if (text == NULL || !od_decimal_is_valid(od_cstr(text))) {
        return fail(session, name, text == NULL ? "is missing" : "is not a number");
    }
    put_quoted(out, text, strlen(text));
    return ORDNA_OK;
}

static ordna_status put_double(ordna_session *session, struct od_buf *out, const char *name,
                               double real)
{
    char text[OD_DOUBLE_MAX_LEN];
    const size_t len = od_double_write(real, text);
    if (len == 0) {
        return fail(session, name, "is infinite or no number");
    }
    put_quoted(out, text, len);
    return ORDNA_OK;
}

static ordna_status put_bytes(ordna_session *session, struct od_buf *out, const char *name,
                              ordna_bytes bytes)
{
    if (bytes.ptr == NULL) {
        return fail(session, name, "is missing");
    }
    od_buf_put_byte(out, '"');
    od_base64_encode(out, (od_str){bytes.ptr, bytes.len});
    od_buf_put_byte(out, '"');
    return ORDNA_OK;
}

static ordna_status put_time(ordna_session *session, struct od_buf *out, const char *name,
                             ordna_time time)
{
    char text[OD_TIME_LEN];
    if (!od_time_write(time, text)) {
        return fail(session, name, "is a time outside the years 0001 to 9999");
    }
    put_quoted(out, text, sizeof(text));
    return ORDNA_OK;
}

static void put_uuid(struct od_buf *out, ordna_uuid uuid)
{
    char text[OD_UUID_LEN];
    od_uuid_write(uuid, text);
    put_quoted(out, text, sizeof(text));
}

// What stands behind the tag.
static ordna_status put_scalar(ordna_session *session, struct od_buf *out, const char *name,
                               const ordna_value *value)
{
    switch (value->type) {
    case ORDNA_STRING:
        return put_text(session, out, name, value->as.text);
    case ORDNA_DECIMAL:
        return put_decimal(session, out, name, value->as.text);
    case ORDNA_INT32:
    case ORDNA_INT64:
        put_int(out, value->as.number);
        return ORDNA_OK;
    case ORDNA_DOUBLE:
        return put_double(session, out, name, value->as.real);
    case ORDNA_BOOL:
        od_json_raw(out, value->as.truth ? "true" : "false");
        return ORDNA_OK;
    case ORDNA_BYTES:
        return put_bytes(session, out, name, value->as.bytes);
    case ORDNA_TIME:
        return put_time(session, out, name, value->as.number);
    case ORDNA_UUID:
        put_uuid(out, value->as.uuid);
        return ORDNA_OK;
    }
    return fail(session, name, "has no type");
}

static void put_open(struct od_buf *out, const char *tag)
{
    od_put(out, OD_STR("{\""));
    od_put(out, (od_str){tag, strlen(tag)});
    od_put(out, OD_STR("\":"));
}

static ordna_status put_tagged(ordna_session *session, struct od_buf *out, const char *name,
                               const ordna_value *value)
{
    put_open(out, od_types[value->type].tag);
    const ordna_status status = put_scalar(session, out, name, value);
    od_buf_put_byte(out, '}');
    return status;
}

// --- Many values --------------------------------------------------------------------------------

struct many {
    const char *name; // of the field
    ordna_type type;
    ordna_shape shape;
    const void *items;
    size_t count;
    const char *const *names; // of a map
};

static ordna_status put_name(ordna_session *session, struct od_buf *out, const struct many *many,
                             size_t i)
{
    if (many->names == NULL || many->names[i] == NULL) {
        return fail(session, many->name, "holds an item without a name");
    }
    if (!od_put_string(out, od_cstr(many->names[i]))) {
        return fail(session, many->name, "holds a name that is not UTF-8");
    }
    od_buf_put_byte(out, ':');
    return ORDNA_OK;
}

static ordna_status put_element(ordna_session *session, struct od_buf *out, const struct many *many,
                                size_t i)
{
    const char *at = (const char *)many->items + i * od_types[many->type].size;
    const ordna_value value = od_attribute_load(many->type, at);
    if (many->shape == ORDNA_SET) {
        return put_scalar(session, out, many->name, &value);
    }
    if (many->shape == ORDNA_MAP) {
        const ordna_status status = put_name(session, out, many, i);
        if (status != ORDNA_OK) {
            return status;
        }
    }
    return put_tagged(session, out, many->name, &value);
}

static const char *tag_of(const struct many *many)
{
    switch (many->shape) {
    case ORDNA_LIST:
        return "L";
    case ORDNA_MAP:
        return "M";
    case ORDNA_SET:
        return od_types[many->type].set_tag;
    case ORDNA_ONE:
        break;
    }
    return NULL;
}

static ordna_status put_many(ordna_session *session, struct od_buf *out, const struct many *many)
{
    const char *tag = tag_of(many);
    if (tag == NULL) {
        return fail(session, many->name, "has a type that there are no sets of");
    }
    if (many->items == NULL && many->count > 0) {
        return fail(session, many->name, "has a count and no items");
    }
    put_open(out, tag);
    od_buf_put_byte(out, many->shape == ORDNA_MAP ? '{' : '[');
    for (size_t i = 0; i < many->count; i++) {
        if (i > 0) {
            od_buf_put_byte(out, ',');
        }
        const ordna_status status = put_element(session, out, many, i);
        if (status != ORDNA_OK) {
            return status;
        }
    }
    od_json_raw(out, many->shape == ORDNA_MAP ? "}}" : "]}");
    return ORDNA_OK;
}

ordna_status od_attribute_write(ordna_session *session, struct od_buf *out, const char *name,
                                const ordna_value *value)
{
    if (value->type < ORDNA_STRING || value->type > ORDNA_UUID) {
        return fail(session, name, "has no type");
    }
    if (value->shape == ORDNA_ONE) {
        return put_tagged(session, out, name, value);
    }
    const struct many many = {
        .name = name,
        .type = value->type,
        .shape = value->shape,
        .items = value->as.many.items,
        .count = value->as.many.count,
        .names = value->as.many.names,
    };
    return put_many(session, out, &many);
}

// --- Fields -------------------------------------------------------------------------------------

// Lists, sets and maps of all types have this form; those without names end after the count. The
// C types of items differ, and so do those of the pointers to them.
struct member {
    const void *items;
    size_t count;
    const char *const *names;
};

static struct member load_member(const ordna_field *field, const void *item)
{
    struct member member = {0};
    const bool is_map = field->shape == ORDNA_MAP;
    memcpy(&member, (const char *)item + field->offset,
           is_map ? sizeof(member) : offsetof(struct member, names));
    return member;
}

static bool has_pointer(const ordna_field *field)
{
    return field->shape != ORDNA_ONE || field->type == ORDNA_STRING ||
           field->type == ORDNA_DECIMAL || field->type == ORDNA_BYTES;
}

static bool is_null(const ordna_field *field, const void *item)
{
    const void *pointer = NULL;
    memcpy(&pointer, (const char *)item + field->offset, sizeof(pointer));
    return pointer == NULL;
}

bool od_field_is_absent(const ordna_field *field, const void *item)
{
    if (field->shape == ORDNA_SET && load_member(field, item).count == 0) {
        return true;
    }
    if (!field->optional) {
        return false;
    }
    return has_pointer(field) ? is_null(field, item) : !*((const bool *)item + field->has_offset);
}

static ordna_status write_many(ordna_session *session, struct od_buf *out, const ordna_field *field,
                               const void *item)
{
    const struct member member = load_member(field, item);
    const struct many many = {
        .name = field->name,
        .type = field->type,
        .shape = field->shape,
        .items = member.items,
        .count = member.count,
        .names = member.names,
    };
    return put_many(session, out, &many);
}

// In seconds, of which the milliseconds can be read again.
static ordna_status put_ttl(ordna_session *session, struct od_buf *out, const ordna_field *field,
                            ordna_time time)
{
    const int64_t seconds = time / 1000 - (time % 1000 < 0);
    int64_t ms = 0;
    if (__builtin_mul_overflow(seconds, INT64_C(1000), &ms)) {
        return od_session_fail(session, ORDNA_BAD_ARGUMENT, field->name,
                               "%s is a time before all others", field->name);
    }
    const ordna_value value = ordna_of_int(seconds);
    return put_tagged(session, out, field->name, &value);
}

ordna_status od_field_write(ordna_session *session, struct od_buf *out, const ordna_field *field,
                            const void *item)
{
    if (field->shape != ORDNA_ONE) {
        return write_many(session, out, field, item);
    }
    const ordna_value value = od_attribute_load(field->type, (const char *)item + field->offset);
    return field->role == ORDNA_TTL ? put_ttl(session, out, field, value.as.number)
                                    : put_tagged(session, out, field->name, &value);
}
