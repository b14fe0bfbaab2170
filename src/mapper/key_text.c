// Keys from templates.
#include "mapper/mapper_internal.h"

#include "base/base64.h"
#include "base/json.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// --- A field's text -----------------------------------------------------------------------------

// What a template's piece is written with.
struct writer {
    ordna_session *session;
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

static ordna_status put(const struct writer *w, od_str text)
{
    if (text.len > OD_KEY_MAX_BYTES - w->out->len) {
        return fail(w, "makes the key longer than 2048 bytes");
    }
    if (text.len > 0) {
        memcpy(w->out->bytes + w->out->len, text.ptr, text.len);
    }
    w->out->len += text.len;
    return ORDNA_OK;
}

static uint64_t power_of_ten(int exponent)
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
    char text[MAX_WIDTH + 1];
    const size_t width = (size_t)w->segment->width;
    text[0] = sign;
    for (size_t i = width; i > 0; i--) {
        text[i] = (char)('0' + n % 10);
        n /= 10;
    }
    const size_t skip = sign == '\0';
    return put(w, (od_str){text + skip, width + 1 - skip});
}

static ordna_status put_unsigned(const struct writer *w, int64_t n)
{
    if (n < 0) {
        return fail_format(w, n, "holds no negative numbers");
    }
    if ((uint64_t)n >= power_of_ten(w->segment->width)) {
        return fail_format(w, n, "holds no more digits");
    }
    return put_padded(w, '\0', (uint64_t)n);
}

// '0' and the digits of n, or '-' and those of 10^width + n: the larger, the nearer to 0.
static ordna_status put_signed(const struct writer *w, int64_t n)
{
    const uint64_t end = power_of_ten(w->segment->width);
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
    return text == NULL ? fail(w, "is missing") : put(w, od_cstr(text));
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
    char text[OD_TIME_LEN];
    if (!od_time_write(time, text)) {
        return fail(w, "is a time outside the years 0001 to 9999");
    }
    return put(w, (od_str){text, sizeof(text)});
}

static ordna_status put_uuid(const struct writer *w, ordna_uuid uuid)
{
    char text[OD_UUID_LEN];
    od_uuid_write(uuid, text);
    return put(w, (od_str){text, sizeof(text)});
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

// Read back by its width, whatever is in it.
static bool is_fixed_width(const struct writer *w)
{
    return w->segment->format != 0 || w->field->type == ORDNA_TIME || w->field->type == ORDNA_UUID;
}

// A field, and the text that follows it.
static ordna_status put_piece(const struct writer *w, const ordna_template *key, size_t i,
                              const ordna_value *value)
{
    const size_t start = w->out->len;
    ordna_status status = put_value(w, value);
    if (status != ORDNA_OK || i + 1 == key->count) {
        return status;
    }
    const size_t end = w->out->len;
    status = put(w, od_cstr(key->segments[i + 1].text));
    return status != ORDNA_OK || is_fixed_width(w) ? status : check_end(w, start, end);
}

ordna_status od_key_text_make(ordna_session *session, const ordna_entity *entity,
                              const ordna_template *key, const ordna_value *values, size_t count,
                              struct od_key_text *out)
{
    struct writer w = {.session = session, .out = out};
    out->len = 0;
    ordna_status status = key->count > 0 ? put(&w, od_cstr(key->segments[0].text)) : ORDNA_OK;
    for (size_t i = 0; i < count && status == ORDNA_OK; i++) {
        w.segment = &key->segments[i];
        w.field = &entity->fields[w.segment->field];
        status = put_piece(&w, key, i, &values[i]);
    }
    out->bytes[out->len] = '\0';
    return status;
}

// --- Key attributes -----------------------------------------------------------------------------

static ordna_status write_text(ordna_session *session, struct od_buf *out,
                               const ordna_entity *entity, const ordna_template *key,
                               const ordna_value *values)
{
    struct od_key_text text;
    const size_t count = od_key_fields(key);
    const ordna_status status = od_key_text_make(session, entity, key, values, count, &text);
    if (status != ORDNA_OK) {
        return status;
    }
    if (text.len == 0) {
        const char *name = count == 0 ? "" : entity->fields[key->segments[0].field].name;
        return od_session_fail(session, ORDNA_KEY_FORMAT, name, "the key %s is empty",
                               key->attribute);
    }
    od_json_raw(out, "{\"S\":");
    od_json_str(out, (od_str){text.bytes, text.len});
    od_buf_put_byte(out, '}');
    return ORDNA_OK;
}

// A number or bytes: the one field's own value.
static ordna_status write_own(ordna_session *session, struct od_buf *out,
                              const ordna_entity *entity, const ordna_template *key,
                              const ordna_value *values)
{
    if (od_key_fields(key) != 1) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, "", "the key %s is not of one field",
                               key->attribute);
    }
    const ordna_field *field = &entity->fields[key->segments[0].field];
    const char *wanted = key->type == ORDNA_BYTES ? "B" : "N";
    if (!is_of_type(&values[0], field->type) ||
        strcmp(od_attribute_tag(field->type), wanted) != 0) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, field->name,
                               "%s is given a value of another type", field->name);
    }
    if (field->type == ORDNA_BYTES && values[0].as.bytes.len == 0) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, field->name, "%s is empty", field->name);
    }
    const ordna_status status = od_attribute_write(session, out, field->name, &values[0]);
    if (status == ORDNA_BAD_ARGUMENT) {
        return od_session_fail(session, ORDNA_KEY_FORMAT, field->name, "%s",
                               ordna_session_error(session)->message);
    }
    return status;
}

ordna_status od_key_write(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                          const ordna_template *key, const ordna_value *values)
{
    return key->type == ORDNA_STRING ? write_text(session, out, entity, key, values)
                                     : write_own(session, out, entity, key, values);
}

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

ordna_status od_key_write_of(ordna_session *session, struct od_buf *out, const ordna_entity *entity,
                             const ordna_template *key, const void *item)
{
    ordna_value values[ORDNA_MAX_KEY_FIELDS] = {0};
    const size_t count = od_key_fields(key);
    assert(count <= ORDNA_MAX_KEY_FIELDS);
    for (size_t i = 0; i < count; i++) {
        const ordna_field *field = &entity->fields[key->segments[i].field];
        if (field->optional && od_field_is_absent(field, item)) {
            return od_session_fail(session, ORDNA_KEY_FORMAT, field->name, "%s is missing",
                                   field->name);
        }
        values[i] = od_attribute_load(field->type, (const char *)item + field->offset);
    }
    return od_key_write(session, out, entity, key, values);
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
