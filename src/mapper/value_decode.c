// JSON as a struct's member.
#include "mapper/mapper_internal.h"

#include "base/base64.h"

#include <string.h>

// A member in the making.
struct reader {
    od_arena *arena;
    const ordna_field *field;
    od_str *found; // what is wrong
};

enum { MAX_SHOWN = 60 };

static bool bad(const struct reader *r, const char *what)
{
    *r->found = od_cstr(what);
    return false;
}

// "holds N 12", which is of another type.
static bool bad_type(const struct reader *r, const struct od_attribute *attribute)
{
    const bool has_text = attribute->kind == OD_ATTRIBUTE_TEXT;
    const bool is_one = r->field->shape == ORDNA_ONE;
    *r->found = od_arena_printf(r->arena, "holds %s%s%.*s, and is %s",
                                attribute->tag == NULL ? "nothing" : attribute->tag,
                                has_text ? " " : "", MAX_SHOWN, has_text ? attribute->text.ptr : "",
                                is_one ? od_attribute_tag(r->field->type) : "of another shape");
    return false;
}

static bool bad_text(const struct reader *r, od_str text, const char *why)
{
    *r->found = od_arena_printf(r->arena, "holds \"%.*s\", %s",
                                text.len < MAX_SHOWN ? (int)text.len : MAX_SHOWN, text.ptr, why);
    return false;
}

// --- One value ----------------------------------------------------------------------------------

static bool read_int32(const struct reader *r, od_str text, int32_t *out)
{
    int64_t n = 0;
    if (!od_int_read(text, &n) || n < INT32_MIN || n > INT32_MAX) {
        return bad_text(r, text, "which is no int32");
    }
    *out = (int32_t)n;
    return true;
}

static bool read_string(const struct reader *r, od_str text, const char **out)
{
    if (memchr(text.ptr, '\0', text.len) != NULL) {
        return bad(r, "holds a 0 byte");
    }
    *out = text.ptr;
    return true;
}

static bool read_bytes(const struct reader *r, od_str text, ordna_bytes *out)
{
    od_str bytes = {0};
    if (!od_base64_decode(r->arena, text, &bytes)) {
        return bad_text(r, text, "which is no base64");
    }
    *out = (ordna_bytes){bytes.ptr == NULL ? "" : bytes.ptr, bytes.len};
    return true;
}

static bool read_ttl(const struct reader *r, od_str text, ordna_time *out)
{
    int64_t seconds = 0;
    if (!od_int_read(text, &seconds) || __builtin_mul_overflow(seconds, (int64_t)1000, out)) {
        return bad_text(r, text, "which is no number of seconds");
    }
    return true;
}

static bool read_text(const struct reader *r, od_str text, void *out)
{
    switch (r->field->type) {
    case ORDNA_STRING:
        return read_string(r, text, out);
    case ORDNA_DECIMAL:
        return od_decimal_is_valid(text) ? read_string(r, text, out)
                                         : bad_text(r, text, "which is no number");
    case ORDNA_INT32:
        return read_int32(r, text, out);
    case ORDNA_INT64:
        return od_int_read(text, out) || bad_text(r, text, "which is no int64");
    case ORDNA_DOUBLE:
        return od_double_read(text, out) || bad_text(r, text, "which is no double");
    case ORDNA_BYTES:
        return read_bytes(r, text, out);
    case ORDNA_TIME:
        return od_time_read(text, out) || bad_text(r, text, "which is no time");
    case ORDNA_UUID:
        return od_uuid_read(text, out) || bad_text(r, text, "which is no UUID");
    case ORDNA_BOOL:
        break;
    }
    return bad(r, "holds text");
}

// Tags are a letter, mostly.
static bool is_tag(const char *tag, const char *wanted)
{
    return tag != NULL && tag[0] == wanted[0] &&
           ((tag[1] == '\0' && wanted[1] == '\0') || strcmp(tag, wanted) == 0);
}

static bool read_scalar(const struct reader *r, const struct od_attribute *attribute, void *out)
{
    const bool is_seconds = r->field->role == ORDNA_TTL;
    const char *wanted = is_seconds ? "N" : od_attribute_tag(r->field->type);
    if (!is_tag(attribute->tag, wanted)) {
        return bad_type(r, attribute);
    }
    if (r->field->type == ORDNA_BOOL) {
        *(bool *)out = attribute->kind == OD_ATTRIBUTE_TRUE;
        return *(bool *)out || attribute->kind == OD_ATTRIBUTE_FALSE || bad_type(r, attribute);
    }
    if (attribute->kind != OD_ATTRIBUTE_TEXT) {
        return bad_type(r, attribute);
    }
    return is_seconds ? read_ttl(r, attribute->text, out) : read_text(r, attribute->text, out);
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

static struct od_attribute scalar_of(const char *tag, yyjson_val *value)
{
    struct od_attribute scalar = {.tag = tag, .kind = OD_ATTRIBUTE_OTHER};
    if (yyjson_is_str(value)) {
        scalar.kind = OD_ATTRIBUTE_TEXT;
        scalar.text = text_of(value);
    } else if (yyjson_is_bool(value)) {
        scalar.kind = yyjson_is_true(value) ? OD_ATTRIBUTE_TRUE : OD_ATTRIBUTE_FALSE;
    }
    return scalar;
}

// Of a list or a map: {"S":"..."}.
static bool read_element(const struct reader *r, yyjson_val *element, void *out)
{
    struct od_attribute scalar = {0};
    if (yyjson_is_obj(element) && yyjson_obj_size(element) == 1) {
        yyjson_val *tag = unsafe_yyjson_get_first(element);
        scalar = scalar_of(yyjson_get_str(tag), tag + 1);
    }
    return read_scalar(r, &scalar, out);
}

// Not NULL, which stands for no list at all.
static char *new_items(const struct reader *r, size_t count)
{
    return od_arena_alloc(r->arena, count + (count == 0), od_attribute_size(r->field->type));
}

static bool read_list(const struct reader *r, yyjson_val *list, struct many *out)
{
    const size_t size = od_attribute_size(r->field->type);
    char *items = new_items(r, yyjson_arr_size(list));
    size_t i = 0;
    size_t count = 0;
    yyjson_val *element = NULL;
    yyjson_arr_foreach(list, i, count, element)
    {
        if (!read_element(r, element, items + i * size)) {
            return false;
        }
    }
    out->items = items;
    out->count = count;
    return true;
}

static bool read_set(const struct reader *r, yyjson_val *set, struct many *out)
{
    const char *tag = od_attribute_tag(r->field->type);
    const size_t size = od_attribute_size(r->field->type);
    char *items = new_items(r, yyjson_arr_size(set));
    size_t i = 0;
    size_t count = 0;
    yyjson_val *element = NULL;
    yyjson_arr_foreach(set, i, count, element)
    {
        const struct od_attribute scalar = scalar_of(tag, element);
        if (!read_scalar(r, &scalar, items + i * size)) {
            return false;
        }
    }
    out->items = items;
    out->count = count;
    return true;
}

static bool read_map(const struct reader *r, yyjson_val *map, struct many *out)
{
    const size_t size = od_attribute_size(r->field->type);
    char *items = new_items(r, yyjson_obj_size(map));
    const char **names = od_new_array(r->arena, const char *, yyjson_obj_size(map) + 1);
    size_t i = 0;
    size_t count = 0;
    yyjson_val *name = NULL;
    yyjson_val *element = NULL;
    yyjson_obj_foreach(map, i, count, name, element)
    {
        if (!read_string(r, text_of(name), &names[i]) ||
            !read_element(r, element, items + i * size)) {
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
        return od_attribute_set_tag(field->type);
    }
    return field->shape == ORDNA_MAP ? "M" : "L";
}

static bool read_many(const struct reader *r, const struct od_attribute *attribute,
                      struct many *out)
{
    const char *wanted = tag_of(r->field);
    if (wanted == NULL || !is_tag(attribute->tag, wanted) ||
        attribute->kind != OD_ATTRIBUTE_OTHER) {
        return bad_type(r, attribute);
    }
    struct od_json_tree tree;
    od_json_tree_init(&tree, r->arena);
    yyjson_val *value = od_json_parse_copy(&tree, r->arena, attribute->text);
    const bool is_map = r->field->shape == ORDNA_MAP;
    if (is_map ? !yyjson_is_obj(value) : !yyjson_is_arr(value)) {
        return bad_type(r, attribute);
    }
    if (is_map) {
        return read_map(r, value, out);
    }
    return r->field->shape == ORDNA_SET ? read_set(r, value, out) : read_list(r, value, out);
}

// The C types of items differ, and so do those of the pointers to them. (Apart from the common
// case, for it needs much of the stack.)
__attribute__((noinline)) static bool store_many(const struct reader *r,
                                                 const struct od_attribute *attribute, void *member)
{
    struct many many = {0};
    if (!read_many(r, attribute, &many)) {
        return false;
    }
    const bool is_map = r->field->shape == ORDNA_MAP;
    memcpy(member, &many, is_map ? sizeof(many) : offsetof(struct many, names));
    return true;
}

bool od_attribute_read(od_arena *arena, const ordna_field *field,
                       const struct od_attribute *attribute, void *member, od_str *found)
{
    const struct reader r = {.arena = arena, .field = field, .found = found};
    return field->shape == ORDNA_ONE ? read_scalar(&r, attribute, member)
                                     : store_many(&r, attribute, member);
}
