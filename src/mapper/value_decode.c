// JSON as a struct's member.
#include "mapper/mapper_internal.h"

#include "base/base64.h"

#include <string.h>

enum { MAX_SHOWN = 60 };

static bool bad(struct od_decoder *decoder, const char *what)
{
    decoder->found = od_cstr(what);
    return false;
}

// "holds N 12", which is of another type.
static bool bad_type(struct od_decoder *decoder, const ordna_field *field,
                     const struct od_attribute *attribute)
{
    const bool has_text = attribute->kind == OD_ATTRIBUTE_TEXT;
    const bool is_one = field->shape == ORDNA_ONE;
    decoder->found =
        od_arena_printf(decoder->arena, "holds %s%s%.*s, and is %s",
                        attribute->tag == NULL ? "nothing" : attribute->tag, has_text ? " " : "",
                        MAX_SHOWN, has_text ? attribute->text.ptr : "",
                        is_one ? od_attribute_tag(field->type) : "of another shape");
    return false;
}

static bool bad_text(struct od_decoder *decoder, od_str text, const char *why)
{
    decoder->found =
        od_arena_printf(decoder->arena, "holds \"%.*s\", %s",
                        text.len < MAX_SHOWN ? (int)text.len : MAX_SHOWN, text.ptr, why);
    return false;
}

// --- One value ----------------------------------------------------------------------------------

// (Those that need the stack are apart from the common case.)
__attribute__((noinline)) static bool read_int32(od_str text, int32_t *out)
{
    int64_t n = 0;
    if (!od_int_read(text, &n) || n < INT32_MIN || n > INT32_MAX) {
        return false;
    }
    *out = (int32_t)n;
    return true;
}

// C text ends where a 0 is.
static bool read_string(const struct od_attribute *attribute, const char **out)
{
    *out = attribute->text.ptr;
    return !attribute->has_zero;
}

static bool read_decimal(od_str text, const char **out)
{
    *out = text.ptr;
    return od_decimal_is_valid(text);
}

__attribute__((noinline)) static bool read_bytes(od_arena *arena, od_str text, ordna_bytes *out)
{
    od_str bytes = {0};
    if (!od_base64_decode(arena, text, &bytes)) {
        return false;
    }
    *out = (ordna_bytes){bytes.ptr == NULL ? "" : bytes.ptr, bytes.len};
    return true;
}

__attribute__((noinline)) static bool read_ttl(od_str text, ordna_time *out)
{
    int64_t seconds = 0;
    return od_int_read(text, &seconds) && !__builtin_mul_overflow(seconds, (int64_t)1000, out);
}

static bool read_text(od_arena *arena, const ordna_field *field,
                      const struct od_attribute *attribute, void *out)
{
    const od_str text = attribute->text;
    switch (field->type) {
    case ORDNA_STRING:
        return read_string(attribute, out);
    case ORDNA_DECIMAL:
        return read_decimal(text, out);
    case ORDNA_INT32:
        return read_int32(text, out);
    case ORDNA_INT64:
        return od_int_read(text, out);
    case ORDNA_DOUBLE:
        return od_double_read(text, out);
    case ORDNA_BYTES:
        return read_bytes(arena, text, out);
    case ORDNA_TIME:
        return field->role == ORDNA_TTL ? read_ttl(text, out) : od_time_read(text, out);
    case ORDNA_UUID:
        return od_uuid_read(text, out);
    case ORDNA_BOOL:
        break;
    }
    return false;
}

static const char *why_not(const ordna_field *field)
{
    static const char *const whys[] = {
        [ORDNA_INT32] = "which is no int32",    [ORDNA_INT64] = "which is no int64",
        [ORDNA_DECIMAL] = "which is no number", [ORDNA_DOUBLE] = "which is no double",
        [ORDNA_BYTES] = "which is no base64",   [ORDNA_TIME] = "which is no time",
        [ORDNA_UUID] = "which is no UUID",
    };
    return field->role == ORDNA_TTL ? "which is no number of seconds" : whys[field->type];
}

// Tags are a letter, mostly.
static bool is_tag(const char *tag, const char *wanted)
{
    return tag != NULL && tag[0] == wanted[0] && tag[1] == wanted[1] &&
           (wanted[1] == '\0' || strcmp(tag, wanted) == 0);
}

static bool read_bool(const struct od_attribute *attribute, bool *out)
{
    *out = attribute->kind == OD_ATTRIBUTE_TRUE;
    return *out || attribute->kind == OD_ATTRIBUTE_FALSE;
}

static const char *wanted_tag(const ordna_field *field)
{
    return field->role == ORDNA_TTL ? "N" : od_attribute_tag(field->type);
}

// Nothing is told of what is wrong: that is for explain_scalar, so that the common case needs
// nothing once it has read.
static bool read_scalar(od_arena *arena, const ordna_field *field,
                        const struct od_attribute *attribute, void *out)
{
    if (!is_tag(attribute->tag, wanted_tag(field))) {
        return false;
    }
    if (field->type == ORDNA_BOOL) {
        return read_bool(attribute, out);
    }
    return attribute->kind == OD_ATTRIBUTE_TEXT && read_text(arena, field, attribute, out);
}

static bool explain_scalar(struct od_decoder *decoder, const ordna_field *field,
                           const struct od_attribute *attribute)
{
    if (!is_tag(attribute->tag, wanted_tag(field)) || attribute->kind != OD_ATTRIBUTE_TEXT ||
        field->type == ORDNA_BOOL) {
        return bad_type(decoder, field, attribute);
    }
    return field->type == ORDNA_STRING ? bad(decoder, "holds a 0 byte")
                                       : bad_text(decoder, attribute->text, why_not(field));
}

// --- Many values --------------------------------------------------------------------------------

// Lists, sets and maps of all types have this form; those without names end after the count.
struct many {
    const void *items;
    size_t count;
    const char *const *names;
};

static od_str text_of(yyjson_val *value)
{
    return (od_str){yyjson_get_str(value), yyjson_get_len(value)};
}

static bool has_zero(od_str text)
{
    return memchr(text.ptr, '\0', text.len) != NULL;
}

static struct od_attribute scalar_of(const char *tag, yyjson_val *value)
{
    struct od_attribute scalar = {.tag = tag, .kind = OD_ATTRIBUTE_OTHER};
    if (yyjson_is_str(value)) {
        scalar.kind = OD_ATTRIBUTE_TEXT;
        scalar.text = text_of(value);
        scalar.has_zero = has_zero(scalar.text);
    } else if (yyjson_is_bool(value)) {
        scalar.kind = yyjson_is_true(value) ? OD_ATTRIBUTE_TRUE : OD_ATTRIBUTE_FALSE;
    }
    return scalar;
}

// Of a list or a map: {"S":"..."}.
static bool read_element(struct od_decoder *decoder, const ordna_field *field, yyjson_val *element,
                         void *out)
{
    struct od_attribute scalar = {0};
    if (yyjson_is_obj(element) && yyjson_obj_size(element) == 1) {
        yyjson_val *tag = unsafe_yyjson_get_first(element);
        scalar = scalar_of(yyjson_get_str(tag), tag + 1);
    }
    return read_scalar(decoder->arena, field, &scalar, out) ||
           explain_scalar(decoder, field, &scalar);
}

// Not NULL, which stands for no list at all.
static char *new_items(struct od_decoder *decoder, const ordna_field *field, size_t count)
{
    return od_arena_alloc(decoder->arena, count + (count == 0), od_types[field->type].size);
}

static bool read_list(struct od_decoder *decoder, const ordna_field *field, yyjson_val *list,
                      struct many *out)
{
    const size_t size = od_types[field->type].size;
    char *items = new_items(decoder, field, yyjson_arr_size(list));
    size_t i = 0;
    size_t count = 0;
    yyjson_val *element = NULL;
    yyjson_arr_foreach(list, i, count, element)
    {
        if (!read_element(decoder, field, element, items + i * size)) {
            return false;
        }
    }
    out->items = items;
    out->count = count;
    return true;
}

static bool read_set(struct od_decoder *decoder, const ordna_field *field, yyjson_val *set,
                     struct many *out)
{
    const char *tag = od_attribute_tag(field->type);
    const size_t size = od_types[field->type].size;
    char *items = new_items(decoder, field, yyjson_arr_size(set));
    size_t i = 0;
    size_t count = 0;
    yyjson_val *element = NULL;
    yyjson_arr_foreach(set, i, count, element)
    {
        const struct od_attribute scalar = scalar_of(tag, element);
        if (!read_scalar(decoder->arena, field, &scalar, items + i * size)) {
            return explain_scalar(decoder, field, &scalar);
        }
    }
    out->items = items;
    out->count = count;
    return true;
}

static bool read_map(struct od_decoder *decoder, const ordna_field *field, yyjson_val *map,
                     struct many *out)
{
    const size_t size = od_types[field->type].size;
    char *items = new_items(decoder, field, yyjson_obj_size(map));
    const char **names = od_new_array(decoder->arena, const char *, yyjson_obj_size(map) + 1);
    size_t i = 0;
    size_t count = 0;
    yyjson_val *name = NULL;
    yyjson_val *element = NULL;
    yyjson_obj_foreach(map, i, count, name, element)
    {
        names[i] = yyjson_get_str(name);
        if (has_zero(text_of(name))) {
            return bad(decoder, "holds a 0 byte");
        }
        if (!read_element(decoder, field, element, items + i * size)) {
            return false;
        }
    }
    out->items = items;
    out->count = count;
    out->names = names;
    return true;
}

static const char *tag_of(const ordna_field *field)
{
    if (field->shape == ORDNA_SET) {
        return od_types[field->type].set_tag;
    }
    return field->shape == ORDNA_MAP ? "M" : "L";
}

static bool read_many(struct od_decoder *decoder, const ordna_field *field,
                      const struct od_attribute *attribute, struct many *out)
{
    const char *wanted = tag_of(field);
    if (wanted == NULL || !is_tag(attribute->tag, wanted) ||
        attribute->kind != OD_ATTRIBUTE_OTHER) {
        return bad_type(decoder, field, attribute);
    }
    struct od_json_tree tree;
    od_json_tree_init(&tree, decoder->arena);
    yyjson_val *value = od_json_parse_copy(&tree, decoder->arena, attribute->text);
    const bool is_map = field->shape == ORDNA_MAP;
    if (is_map ? !yyjson_is_obj(value) : !yyjson_is_arr(value)) {
        return bad_type(decoder, field, attribute);
    }
    if (is_map) {
        return read_map(decoder, field, value, out);
    }
    return field->shape == ORDNA_SET ? read_set(decoder, field, value, out)
                                     : read_list(decoder, field, value, out);
}

// The C types of items differ, and so do those of the pointers to them. (Apart from the common
// case, for it needs much of the stack.)
__attribute__((noinline)) static bool store_many(struct od_decoder *decoder,
                                                 const ordna_field *field,
                                                 const struct od_attribute *attribute, void *member)
{
    struct many many = {0};
    if (!read_many(decoder, field, attribute, &many)) {
        return false;
    }
    const bool is_map = field->shape == ORDNA_MAP;
    memcpy(member, &many, is_map ? sizeof(many) : offsetof(struct many, names));
    return true;
}

static bool has_flag(const ordna_field *field)
{
    return field->optional && field->shape == ORDNA_ONE && field->type != ORDNA_STRING &&
           field->type != ORDNA_DECIMAL && field->type != ORDNA_BYTES;
}

bool od_field_read(struct od_decoder *decoder, const ordna_field *field,
                   const struct od_attribute *attribute, void *out)
{
    void *member = (char *)out + field->offset;
    if (has_flag(field)) {
        *((bool *)out + field->has_offset) = true;
    }
    return field->shape == ORDNA_ONE ? read_scalar(decoder->arena, field, attribute, member)
                                     : store_many(decoder, field, attribute, member);
}

od_str od_field_explain(struct od_decoder *decoder, const ordna_field *field,
                        const struct od_attribute *attribute)
{
    if (field->shape == ORDNA_ONE) {
        (void)explain_scalar(decoder, field, attribute);
    }
    return decoder->found;
}
