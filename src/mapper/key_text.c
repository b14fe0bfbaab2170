// Keys from templates.
#include "mapper/mapper_internal.h"

#include "base/utf8.h"
#include "mapper/json_write.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// --- A field's text -----------------------------------------------------------------------------

// What a template's piece is written with.
struct writer {
    ordna_session *session;
    const ordna_entity *entity;
    const ordna_field *field;
    const ordna_segment *segment;
    struct od_key_text *out;
};

enum { MAX_WIDTH = 19 };

static ordna_status fail(const struct writer *w, const char *why)
{
    const char *name = w->field == NULL ? "" : w->field->name;
    return od_session_fail(w->session, ORDNA_KEY_FORMAT, name, "%s %s", name, why);
}

// Where `len` more bytes go; NULL when they do not fit.
static char *room_for(const struct writer *w, size_t len)
{
    struct od_key_text *out = w->out;
    return len > OD_KEY_MAX_BYTES - out->len ? NULL : out->bytes + out->len;
}

static ordna_status fail_long(const struct writer *w)
{
    return fail(w, "makes the key longer than 2048 bytes");
}

static ordna_status put(const struct writer *w, od_str text)
{
    char *at = room_for(w, text.len);
    if (at == NULL) {
        return fail_long(w);
    }
    if (text.len > 0) {
        memcpy(at, text.ptr, text.len);
    }
    w->out->len += text.len;
    return ORDNA_OK;
}

// Text of the template, which is short.
static ordna_status put_literal(const struct writer *w, const char *text)
{
    struct od_key_text *out = w->out;
    for (; *text != '\0'; text++) {
        if (out->len == OD_KEY_MAX_BYTES) {
            return fail_long(w);
        }
        out->bytes[out->len++] = *text;
    }
    return ORDNA_OK;
}

uint64_t od_power_of_ten(int exponent)
{
    uint64_t power = 1;
    for (int i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

static ordna_status fail_format(const struct writer *w, int64_t n, const char *why)
{
    return od_session_fail(w->session, ORDNA_KEY_FORMAT, w->field->name, "%s is %lld, and %c%d %s",
                           w->field->name, (long long)n, w->segment->format, w->segment->width,
                           why);
}

// `width` digits, with zeros in front.
static ordna_status put_padded(const struct writer *w, char sign, uint64_t n)
{
    const size_t len = (size_t)w->segment->width + (sign != '\0');
    char *at = room_for(w, len);
    if (at == NULL) {
        return fail_long(w);
    }
    at[0] = sign;
    for (size_t i = len; i > (sign != '\0'); i--) {
        at[i - 1] = (char)('0' + n % 10);
        n /= 10;
    }
    w->out->len += len;
    return ORDNA_OK;
}

static ordna_status put_unsigned(const struct writer *w, int64_t n)
{
    if (n < 0) {
        return fail_format(w, n, "holds no negative numbers");
    }
    if ((uint64_t)n >= od_power_of_ten(w->segment->width)) {
        return fail_format(w, n, "holds no more digits");
    }
    return put_padded(w, '\0', (uint64_t)n);
}

// '0' and the digits of n, or '-' and those of 10^width + n: the larger, the nearer to 0.
static ordna_status put_signed(const struct writer *w, int64_t n)
{
    const uint64_t end = od_power_of_ten(w->segment->width);
    const uint64_t magnitude = n < 0 ? -(uint64_t)n : (uint64_t)n;
    if (magnitude >= end) {
        return fail_format(w, n, "holds no more digits");
    }
    return n < 0 ? put_padded(w, '-', end - magnitude) : put_padded(w, '0', magnitude);
}

static ordna_status put_plain_int(const struct writer *w, int64_t n)
{
    char text[24];
    const int len = snprintf(text, sizeof(text), "%lld", (long long)n);
    return put(w, (od_str){text, (size_t)len});
}

static ordna_status put_int(const struct writer *w, int64_t n)
{
    if (w->segment->format == 0) {
        return put_plain_int(w, n);
    }
    if (w->segment->width < 1 || w->segment->width > MAX_WIDTH) {
        return fail_format(w, n, "is too wide: 1 to 19 digits");
    }
    return w->segment->format == 'd' ? put_unsigned(w, n) : put_signed(w, n);
}

static ordna_status put_text(const struct writer *w, const char *text)
{
    if (text == NULL) {
        return fail(w, "is missing");
    }
    const od_str given = od_cstr(text);
    return od_utf8_valid(given) ? put(w, given) : fail(w, "is not UTF-8");
}

static ordna_status put_decimal(const struct writer *w, const char *text)
{
    if (text == NULL || !od_decimal_is_valid(od_cstr(text))) {
        return fail(w, text == NULL ? "is missing" : "is not a number");
    }
    return put(w, od_cstr(text));
}

static ordna_status put_double(const struct writer *w, double real)
{
    char text[OD_DOUBLE_MAX_LEN];
    const size_t len = od_double_write(real, text);
    return len == 0 ? fail(w, "is infinite or no number") : put(w, (od_str){text, len});
}

static ordna_status put_time(const struct writer *w, ordna_time time)
{
    char *at = room_for(w, OD_TIME_LEN);
    if (at == NULL) {
        return fail_long(w);
    }
    if (!od_time_write(time, at)) {
        return fail(w, "is a time outside the years 0001 to 9999");
    }
    w->out->len += OD_TIME_LEN;
    return ORDNA_OK;
}

static ordna_status put_uuid(const struct writer *w, ordna_uuid uuid)
{
    char *at = room_for(w, OD_UUID_LEN);
    if (at == NULL) {
        return fail_long(w);
    }
    od_uuid_write(uuid, at);
    w->out->len += OD_UUID_LEN;
    return ORDNA_OK;
}

static bool is_of_type(const ordna_value *value, ordna_type type)
{
    const bool whole = type == ORDNA_INT32 || type == ORDNA_INT64;
    return value->shape == ORDNA_ONE &&
           (value->type == type ||
            (whole && (value->type == ORDNA_INT32 || value->type == ORDNA_INT64)));
}

static ordna_status put_value(const struct writer *w, const ordna_value *value)
{
    if (!is_of_type(value, w->field->type)) {
        return fail(w, "is given a value of another type");
    }
    switch (value->type) {
    case ORDNA_STRING:
        return put_text(w, value->as.text);
    case ORDNA_DECIMAL:
        return put_decimal(w, value->as.text);
    case ORDNA_INT32:
    case ORDNA_INT64:
        return put_int(w, value->as.number);
    case ORDNA_DOUBLE:
        return put_double(w, value->as.real);
    case ORDNA_BOOL:
        return put(w, value->as.truth ? OD_STR("true") : OD_STR("false"));
    case ORDNA_TIME:
        return put_time(w, value->as.number);
    case ORDNA_UUID:
        return put_uuid(w, value->as.uuid);
    case ORDNA_BYTES:
        break;
    }
    return fail(w, "is bytes, which have no text");
}

// --- Templates ----------------------------------------------------------------------------------

size_t od_key_fields(const ordna_template *key)
{
    const size_t count = key->count;
    return count > 0 && key->segments[count - 1].field < 0 ? count - 1 : count;
}

bool od_key_is_field(const ordna_entity *entity, const ordna_template *key)
{
    return key->count == 1 && key->segments[0].field >= 0 && key->segments[0].text[0] == '\0' &&
           strcmp(entity->fields[key->segments[0].field].name, key->attribute) == 0;
}

// What follows a value ends it for whoever reads the key: it must not begin any sooner. (A value
// that ends as the text begins could let it: "a#" before "##".)
static ordna_status check_end(const struct writer *w, size_t start, size_t end)
{
    const char *value = w->out->bytes + start;
    const size_t next_len = w->out->len - end;
    if (next_len == 0) {
        return ORDNA_OK;
    }
    const char *found = memmem(value, w->out->len - start, w->out->bytes + end, next_len);
    if (found == w->out->bytes + end) {
        return ORDNA_OK;
    }
    return od_session_fail(w->session, ORDNA_KEY_FORMAT, w->field->name,
                           "%s holds \"%.*s\", which ends it in the key", w->field->name,
                           (int)next_len, w->out->bytes + end);
}

size_t od_segment_width(const ordna_entity *entity, const ordna_segment *segment)
{
    if (segment->format != 0) {
        return (size_t)segment->width + (segment->format == 'n');
    }
    const ordna_type type = entity->fields[segment->field].type;
    if (type == ORDNA_TIME) {
        return OD_TIME_LEN;
    }
    return type == ORDNA_UUID ? OD_UUID_LEN : 0;
}

// A field, and the text that follows it.
static ordna_status put_field(struct writer *w, const ordna_template *key, size_t i,
                              const ordna_value *value)
{
    w->segment = &key->segments[i];
    w->field = &w->entity->fields[w->segment->field];
    const size_t start = w->out->len;
    ordna_status status = put_value(w, value);
    if (status != ORDNA_OK || i + 1 == key->count) {
        return status;
    }
    const size_t end = w->out->len;
    status = put_literal(w, key->segments[i + 1].text);
    const bool is_fixed = od_segment_width(w->entity, w->segment) > 0;
    return status != ORDNA_OK || is_fixed ? status : check_end(w, start, end);
}

// What stands in front of the first field.
static ordna_status open_text(const struct writer *w, const ordna_template *key)
{
    w->out->len = 0;
    return key->count > 0 ? put_literal(w, key->segments[0].text) : ORDNA_OK;
}

ordna_status od_key_text_make(ordna_session *session, const ordna_entity *entity,
                              const ordna_template *key, const ordna_value *values, size_t count,
                              struct od_key_text *out)
{
    struct writer w = {.session = session, .entity = entity, .out = out};
    ordna_status status = open_text(&w, key);
    for (size_t i = 0; i < count && status == ORDNA_OK; i++) {
        status = put_field(&w, key, i, &values[i]);
    }
    out->bytes[out->len] = '\0';
    return status;
}

// --- A struct's fields --------------------------------------------------------------------------

bool od_key_is_absent(const ordna_entity *entity, const ordna_template *key, const void *item)
{
    const size_t count = od_key_fields(key);
    for (size_t i = 0; i < count; i++) {
        const ordna_field *field = &entity->fields[key->segments[i].field];
        if (field->optional && od_field_is_absent(field, item)) {
            return true;
        }
    }
    return false;
}

// Where fields come from, and the key that they make.
struct source {
    ordna_session *session;
    const ordna_entity *entity;
    const ordna_template *key;
    const void *item;
};

static ordna_status load(const struct source *from, size_t i, ordna_value *out)
{
    const ordna_field *field = &from->entity->fields[from->key->segments[i].field];
    if (field->optional && od_field_is_absent(field, from->item)) {
        return od_session_fail(from->session, ORDNA_KEY_FORMAT, field->name, "%s is missing",
                               field->name);
    }
    *out = od_attribute_load(field->type, (const char *)from->item + field->offset);
    return ORDNA_OK;
}

static ordna_status make_text_of(const struct source *from, struct od_key_text *out)
{
    struct writer w = {.session = from->session, .entity = from->entity, .out = out};
    ordna_status status = open_text(&w, from->key);
    const size_t count = od_key_fields(from->key);
    for (size_t i = 0; i < count && status == ORDNA_OK; i++) {
        ordna_value value;
        status = load(from, i, &value);
        if (status == ORDNA_OK) {
            status = put_field(&w, from->key, i, &value);
        }
    }
    return status;
}

// --- Key attributes -----------------------------------------------------------------------------

// {"S":"..."}
static ordna_status write_text(ordna_session *session, struct od_buf *out,
                               const ordna_entity *entity, const ordna_template *key,
                               const struct od_key_text *text)
{
    if (text->len == 0) {
        const size_t count = od_key_fields(key);
        const char *name = count == 0 ? "" : entity->fields[key->segments[0].field].name;
        return od_session_fail(session, ORDNA_KEY_FORMAT, name, "the key %s is empty",
                               key->attribute);
    }
    od_put(out, OD_STR("{\"S\":"));
    if (!od_put_string(out, (od_str){text->bytes, text->len})) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, "", "the key %s is not UTF-8",
                               key->attribute);
    }
    od_buf_put_byte(out, '}');
    return ORDNA_OK;
}

// A number or bytes: the one field's own value.
static ordna_status write_own(ordna_session *session, struct od_buf *out,
                              const ordna_entity *entity, const ordna_template *key,
                              const ordna_value *value)
{
    if (od_key_fields(key) != 1) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, "", "the key %s is not of one field",
                               key->attribute);
    }
    const ordna_field *field = &entity->fields[key->segments[0].field];
    const char *wanted = key->type == ORDNA_BYTES ? "B" : "N";
    if (!is_of_type(value, field->type) || strcmp(od_attribute_tag(field->type), wanted) != 0) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, field->name,
                               "%s is given a value of another type", field->name);
    }
    if (field->type == ORDNA_BYTES && value->as.bytes.len == 0) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, field->name, "%s is empty", field->name);
    }
    const ordna_status status = od_attribute_write(session, out, field->name, value);
    if (status == ORDNA_BAD_ARGUMENT) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, field->name, "%s",
                               ordna_session_error(session)->message);
    }
    return status;
}

ordna_status od_key_write(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                          const ordna_template *key, const ordna_value *values)
{
    if (key->type != ORDNA_STRING) {
        return write_own(session, out, entity, key, &values[0]);
    }
    struct od_key_text text;
    const ordna_status status =
        od_key_text_make(session, entity, key, values, od_key_fields(key), &text);
    return status == ORDNA_OK ? write_text(session, out, entity, key, &text) : status;
}

static ordna_status write_own_of(const struct source *from, struct od_buf *out)
{
    ordna_value value = {0};
    const ordna_status status = od_key_fields(from->key) == 1 ? load(from, 0, &value) : ORDNA_OK;
    return status == ORDNA_OK ? write_own(from->session, out, from->entity, from->key, &value)
                              : status;
}

ordna_status od_key_write_of(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                             const ordna_template *key, const void *item)
{
    const struct source from = {.session = session, .entity = entity, .key = key, .item = item};
    if (key->type != ORDNA_STRING) {
        return write_own_of(&from, out);
    }
    struct od_key_text text;
    const ordna_status status = make_text_of(&from, &text);
    return status == ORDNA_OK ? write_text(session, out, entity, key, &text) : status;
}

ordna_status od_table_key_write(ordna_session *session, struct od_buf *out,
                                const ordna_entity *entity, const void *item)
{
    const ordna_template *parts[] = {entity->keys[0].partition, entity->keys[0].sort};
    od_buf_put_byte(out, '{');
    for (size_t i = 0; i < OD_COUNT(parts) && parts[i] != NULL; i++) {
        od_member_put(out, parts[i]->attribute);
        const ordna_status status = od_key_write_of(session, out, entity, parts[i], item);
        if (status != ORDNA_OK) {
            return status;
        }
    }
    od_buf_put_byte(out, '}');
    return ORDNA_OK;
}

// --- For programs -------------------------------------------------------------------------------

ordna_status ordna_key_text(ordna_session *session, const ordna_key *key, const char **out)
{
    const ordna_template *template = key->sort ? key->index->sort : key->index->partition;
    if (template == NULL || template->type != ORDNA_STRING ||
        key->count > od_key_fields(template)) {
        return od_session_fail(session, ORDNA_BAD_ARGUMENT, NULL, "the key has no text");
    }
    struct od_key_text text;
    const ordna_status status =
        od_key_text_make(session, key->entity, template, key->values, key->count, &text);
    if (status == ORDNA_OK) {
        *out = od_arena_copy(od_session_arena(session), (od_str){text.bytes, text.len}).ptr;
    }
    return status;
}
