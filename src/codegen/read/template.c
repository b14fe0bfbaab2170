// Templates as segments: a text, then a field in braces.
#include "codegen/codegen_internal.h"

#include <string.h>

enum { MAX_DIGITS = 19 }; // of an int64

static const od_str none = {NULL, 0};

static bool fail(struct od_codegen_file *file, const struct od_codegen_template *template,
                 size_t offset, const char *why)
{
    struct od_codegen_place at = template->text.at;
    at.column += (uint32_t)offset + template->text.quoted;
    od_codegen_report(file, at, OD_CODEGEN_BAD_TEMPLATE, od_codegen_show(file, template->text.text),
                      od_cstr(why), none);
    return false;
}

static bool parse_width(od_str digits, int *out)
{
    uint64_t width = 0;
    bool ok = digits.len > 0 && digits.ptr[0] != '0' && od_str_to_u64(digits, &width) &&
              width <= MAX_DIGITS;
    *out = ok ? (int)width : 0;
    return ok;
}

// An unknown format is told, and forgotten.
static void read_format(struct od_codegen_file *file, struct od_codegen_segment *segment,
                        od_str format)
{
    char kind = format.len > 0 ? format.ptr[0] : '\0';
    if ((kind == 'd' || kind == 'n') && parse_width(od_str_skip(format, 1), &segment->width)) {
        segment->kind = kind;
        segment->format = format;
        return;
    }
    struct od_codegen_place at = segment->at;
    at.column += (uint32_t)(format.ptr - segment->inside.ptr);
    od_codegen_report(file, at, OD_CODEGEN_UNKNOWN_FORMAT, od_codegen_show(file, format), none,
                      none);
}

static void read_inside(struct od_codegen_file *file, struct od_codegen_segment *segment)
{
    od_str inside = segment->inside;
    const char *colon = memchr(inside.ptr, ':', inside.len);
    segment->name = inside;
    if (colon != NULL) {
        segment->name.len = (size_t)(colon - inside.ptr);
        read_format(file, segment, od_str_skip(inside, segment->name.len + 1));
    }
}

// The length of what stands in front of the next brace.
static size_t text_length(od_str rest)
{
    size_t len = 0;
    while (len < rest.len && rest.ptr[len] != '{' && rest.ptr[len] != '}') {
        len++;
    }
    return len;
}

// Reads the braces at `offset`; gives back where they end, or 0.
static size_t read_braces(struct od_codegen_file *file, struct od_codegen_template *template,
                          size_t offset, struct od_codegen_segment *segment)
{
    od_str text = template->text.text;
    od_str inside = od_str_skip(text, offset + 1);
    inside.len = text_length(inside);
    size_t end = offset + 1 + inside.len;
    if (text.ptr[offset] == '}' || end == text.len || text.ptr[end] == '{') {
        (void)fail(file, template, offset, "a brace has no partner");
        return 0;
    }
    if (inside.len == 0 || inside.ptr[0] == ':') {
        (void)fail(file, template, offset, "the braces name no field");
        return 0;
    }
    segment->inside = inside;
    segment->at = template->text.at;
    segment->at.column += (uint32_t)(offset + 1) + template->text.quoted;
    read_inside(file, segment);
    return end + 1;
}

static bool has_room(struct od_codegen_file *file, const struct od_codegen_template *template)
{
    if (template->field_count < OD_CODEGEN_MAX_KEY_FIELDS) {
        return true;
    }
    od_codegen_report(file, template->text.at, OD_CODEGEN_TOO_MANY_FIELDS,
                      od_codegen_show(file, template->text.text), none, none);
    return false;
}

bool od_codegen_read_template(struct od_codegen_file *file, struct od_codegen_template *template)
{
    od_str text = template->text.text;
    if (text.len == 0 || text.len > OD_CODEGEN_MAX_TEMPLATE) {
        return fail(file, template, 0, "it has 1 to 256 bytes");
    }
    size_t at = 0;
    while (at < text.len) {
        od_str rest = od_str_skip(text, at);
        struct od_codegen_segment segment = {.text = {rest.ptr, text_length(rest)}};
        at += segment.text.len;
        if (at < text.len) {
            if (!has_room(file, template)) {
                return false;
            }
            at = read_braces(file, template, at, &segment);
            if (at == 0) {
                return false;
            }
            template->field_count++;
        }
        template->segments[template->count++] = segment;
    }
    return true;
}
