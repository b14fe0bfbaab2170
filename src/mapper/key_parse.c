// Keys back to their fields.
#include "mapper/mapper_internal.h"

#include "base/base64.h"

#include <assert.h>
#include <string.h>

struct reader {
    od_arena *arena; // for strings
    const ordna_entity *entity;
    void *out;
};

// --- A field ------------------------------------------------------------------------------------

static void *member_of(const struct reader *r, const ordna_field *field)
{
    return (char *)r->out + field->offset;
}

static bool store_int(const struct reader *r, const ordna_field *field, int64_t n)
{
    if (field->type == ORDNA_INT64) {
        *(int64_t *)member_of(r, field) = n;
        return true;
    }
    *(int32_t *)member_of(r, field) = (int32_t)n;
    return n >= INT32_MIN && n <= INT32_MAX;
}

// The digits of 10^width + n stand for a negative n. 10^19 is no int64: what is taken away wraps
// around to n.
static bool read_signed(od_str text, int width, int64_t *out)
{
    const od_str digits = od_str_skip(text, 1);
    uint64_t n = 0;
    if (!od_str_to_u64(digits, &n)) {
        return false;
    }
    if (text.ptr[0] == '-') {
        const uint64_t end = od_power_of_ten(width);
        *out = (int64_t)(n - end);
        return n < end && *out < 0;
    }
    *out = (int64_t)n;
    return text.ptr[0] == '0' && n <= INT64_MAX;
}

static bool read_int(const struct reader *r, const ordna_field *field, const ordna_segment *segment,
                     od_str text)
{
    int64_t n = 0;
    const bool read =
        segment->format == 'n' ? read_signed(text, segment->width, &n) : od_int_read(text, &n);
    return read && store_int(r, field, n);
}

static bool read_bool(const struct reader *r, const ordna_field *field, od_str text)
{
    bool *truth = member_of(r, field);
    *truth = od_str_eq(text, OD_STR("true"));
    return *truth || od_str_eq(text, OD_STR("false"));
}

static bool read_text(const struct reader *r, const ordna_field *field, od_str text)
{
    *(const char **)member_of(r, field) = od_arena_copy(r->arena, text).ptr;
    return field->type == ORDNA_STRING || od_decimal_is_valid(text);
}

static bool read_field(const struct reader *r, const ordna_segment *segment, od_str text)
{
    const ordna_field *field = &r->entity->fields[segment->field];
    if (field->optional && (field->type != ORDNA_STRING && field->type != ORDNA_DECIMAL)) {
        *((bool *)r->out + field->has_offset) = true;
    }
    switch (field->type) {
    case ORDNA_STRING:
    case ORDNA_DECIMAL:
        return read_text(r, field, text);
    case ORDNA_INT32:
    case ORDNA_INT64:
        return read_int(r, field, segment, text);
    case ORDNA_DOUBLE:
        return od_double_read(od_arena_copy(r->arena, text), member_of(r, field));
    case ORDNA_BOOL:
        return read_bool(r, field, text);
    case ORDNA_TIME:
        return od_time_read(text, member_of(r, field));
    case ORDNA_UUID:
        return od_uuid_read(text, member_of(r, field));
    case ORDNA_BYTES:
        break;
    }
    return false;
}

// --- Templates ----------------------------------------------------------------------------------

static bool take_literal(od_str *text, const char *literal)
{
    const od_str prefix = od_cstr(literal);
    if (!od_str_has_prefix(*text, prefix)) {
        return false;
    }
    *text = od_str_skip(*text, prefix.len);
    return true;
}

// Takes field `i` off the front of `text`.
static bool take_field(const struct reader *r, const ordna_template *key, size_t i, od_str *text)
{
    const ordna_segment *segment = &key->segments[i];
    size_t len = od_segment_width(r->entity, segment);
    if (len == 0 && i + 1 < key->count) {
        const od_str next = od_cstr(key->segments[i + 1].text);
        const char *end = memmem(text->ptr, text->len, next.ptr, next.len);
        if (end == NULL) {
            return false;
        }
        len = (size_t)(end - text->ptr);
    } else if (len == 0) {
        len = text->len;
    }
    if (len > text->len || !read_field(r, segment, (od_str){text->ptr, len})) {
        return false;
    }
    *text = od_str_skip(*text, len);
    return true;
}

// What was read makes the same text again, or the template has not made it: "007" of {Number}.
static bool makes(ordna_session *session, const ordna_entity *entity, const ordna_template *key,
                  const void *item, od_str text)
{
    ordna_value values[ORDNA_MAX_KEY_FIELDS] = {0};
    const size_t count = od_key_fields(key);
    assert(count <= ORDNA_MAX_KEY_FIELDS);
    for (size_t i = 0; i < count; i++) {
        const ordna_field *field = &entity->fields[key->segments[i].field];
        values[i] = od_attribute_load(field->type, (const char *)item + field->offset);
    }
    struct od_key_text again;
    return od_key_text_make(session, entity, key, values, count, &again) == ORDNA_OK &&
           od_str_eq(text, (od_str){again.bytes, again.len});
}

bool od_key_read(ordna_session *session, od_arena *arena, const ordna_entity *entity,
                 const ordna_template *key, od_str text, void *out)
{
    const struct reader r = {.arena = arena, .entity = entity, .out = out};
    od_str rest = text;
    for (size_t i = 0; i < key->count; i++) {
        if (!take_literal(&rest, key->segments[i].text)) {
            return false;
        }
        if (key->segments[i].field >= 0 && !take_field(&r, key, i, &rest)) {
            return false;
        }
    }
    return rest.len == 0 && makes(session, entity, key, out, text);
}

ordna_status ordna_key_parse(ordna_session *session, const ordna_entity *entity,
                             const ordna_template *key, const char *text, void *out)
{
    if (key->type != ORDNA_STRING) {
        return od_session_fail(session, ORDNA_BAD_ARGUMENT, NULL, "the key %s has no text",
                               key->attribute);
    }
    if (text == NULL) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, NULL, "there is no %s to read",
                               key->attribute);
    }
    if (!od_key_read(session, od_session_arena(session), entity, key, od_cstr(text), out)) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, NULL, "\"%s\" is no %s of an entity %s",
                               text, key->attribute, entity->name);
    }
    return ORDNA_OK;
}
