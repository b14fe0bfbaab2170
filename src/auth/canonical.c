// The one text that stands for a request, however its headers and its query were written.
#include "auth/sigv4.h"

#include <string.h>

// --- Encoding -----------------------------------------------------------------------------------

static bool is_unreserved(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

// `kept` is a character more that stands for itself.
static void put_encoded(struct od_buf *out, od_str text, char kept)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char byte = (unsigned char)text.ptr[i];
        if (is_unreserved(text.ptr[i]) || text.ptr[i] == kept) {
            od_buf_put_byte(out, byte);
            continue;
        }
        od_buf_put_byte(out, '%');
        od_buf_put_byte(out, (unsigned char)digits[byte >> 4]);
        od_buf_put_byte(out, (unsigned char)digits[byte & 15]);
    }
}

// Cuts `text` at the first `separator`; all of it when there is none. Advances `text` past it.
static od_str cut(od_str *text, char separator)
{
    const char *end = text->len == 0 ? NULL : memchr(text->ptr, separator, text->len);
    const size_t len = end == NULL ? text->len : (size_t)(end - text->ptr);
    const od_str head = {text->ptr, len};
    *text = od_str_skip(*text, end == NULL ? len : len + 1);
    return head;
}

// --- Path ---------------------------------------------------------------------------------------

static void drop_last_segment(struct od_buf *path)
{
    while (path->len > 0 && path->ptr[--path->len] != '/') {
    }
}

// "/a/./b//../c/" is "/a/c/".
static od_str normalize_path(od_arena *arena, od_str path)
{
    struct od_buf out = {.arena = arena};
    bool open = true; // a slash comes last
    for (od_str rest = path; rest.len > 0;) {
        const od_str segment = cut(&rest, '/');
        if (od_str_eq(segment, OD_STR(".."))) {
            drop_last_segment(&out);
            open = true;
        } else if (segment.len == 0 || od_str_eq(segment, OD_STR("."))) {
            open = true;
        } else {
            od_buf_put_byte(&out, '/');
            od_buf_put(&out, segment);
            open = path.ptr[path.len - 1] == '/';
        }
    }
    if (open || out.len == 0) {
        od_buf_put_byte(&out, '/');
    }
    return od_buf_str(&out);
}

static void put_path(struct od_buf *out, const struct od_sigv4_request *request)
{
    const od_str path = request->path_as_is && request->path.len > 0
                            ? request->path
                            : normalize_path(out->arena, request->path);
    put_encoded(out, path, '/');
    od_buf_put_byte(out, '\n');
}

// --- Pairs --------------------------------------------------------------------------------------

static int compare_pairs(const struct od_sigv4_header *a, const struct od_sigv4_header *b,
                         bool by_value)
{
    const int by_name = od_str_compare(a->name, b->name);
    return by_name != 0 || !by_value ? by_name : od_str_compare(a->value, b->value);
}

// Few, and equal names keep their order.
static void sort_pairs(struct od_sigv4_header *pairs, size_t count, bool by_value)
{
    for (size_t i = 1; i < count; i++) {
        const struct od_sigv4_header moved = pairs[i];
        size_t at = i;
        for (; at > 0 && compare_pairs(&pairs[at - 1], &moved, by_value) > 0; at--) {
            pairs[at] = pairs[at - 1];
        }
        pairs[at] = moved;
    }
}

// --- Query --------------------------------------------------------------------------------------

// What is encoded already stays as it is.
static od_str encode_part(od_arena *arena, od_str part)
{
    struct od_buf out = {.arena = arena};
    put_encoded(&out, part, '%');
    return od_buf_str(&out);
}

static size_t count_parts(od_str query)
{
    size_t count = 1;
    for (size_t i = 0; i < query.len; i++) {
        count += query.ptr[i] == '&';
    }
    return count;
}

static void put_query(struct od_buf *out, od_str query)
{
    struct od_sigv4_header *pairs =
        od_new_array(out->arena, struct od_sigv4_header, count_parts(query));
    size_t count = 0;
    while (query.len > 0) {
        od_str value = cut(&query, '&');
        const od_str name = cut(&value, '=');
        pairs[count++] =
            (struct od_sigv4_header){encode_part(out->arena, name), encode_part(out->arena, value)};
    }
    sort_pairs(pairs, count, true);
    for (size_t i = 0; i < count; i++) {
        od_buf_put(out, i == 0 ? OD_STR("") : OD_STR("&"));
        od_buf_put(out, pairs[i].name);
        od_buf_put_byte(out, '=');
        od_buf_put(out, pairs[i].value);
    }
    od_buf_put_byte(out, '\n');
}

// --- Headers ------------------------------------------------------------------------------------

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static od_str lower(od_arena *arena, od_str name)
{
    char *text = od_arena_bytes(arena, name.len);
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.ptr[i];
        text[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return (od_str){text, name.len};
}

// Without space around it, and with one for many within.
static void put_value(struct od_buf *out, od_str value)
{
    bool gap = false;
    const size_t start = out->len;
    for (size_t i = 0; i < value.len; i++) {
        if (is_space(value.ptr[i])) {
            gap = out->len > start;
            continue;
        }
        if (gap) {
            od_buf_put_byte(out, ' ');
            gap = false;
        }
        od_buf_put_byte(out, (unsigned char)value.ptr[i]);
    }
}

// Values of one name go on one line.
static od_str put_headers(struct od_buf *out, const struct od_sigv4_request *request)
{
    struct od_sigv4_header *pairs =
        od_new_array(out->arena, struct od_sigv4_header, request->header_count + 1);
    for (size_t i = 0; i < request->header_count; i++) {
        pairs[i] = (struct od_sigv4_header){lower(out->arena, request->headers[i].name),
                                            request->headers[i].value};
    }
    sort_pairs(pairs, request->header_count, false);
    struct od_buf names = {.arena = out->arena};
    for (size_t i = 0; i < request->header_count; i++) {
        if (i > 0 && od_str_eq(pairs[i].name, pairs[i - 1].name)) {
            out->ptr[out->len - 1] = ','; // instead of the end of the line
        } else {
            od_buf_put(&names, i == 0 ? OD_STR("") : OD_STR(";"));
            od_buf_put(&names, pairs[i].name);
            od_buf_put(out, pairs[i].name);
            od_buf_put_byte(out, ':');
        }
        put_value(out, pairs[i].value);
        od_buf_put_byte(out, '\n');
    }
    od_buf_put_byte(out, '\n');
    return od_buf_str(&names);
}

od_str od_sigv4_canonical(od_arena *arena, const struct od_sigv4_request *request,
                          od_str *signed_headers)
{
    struct od_buf out = {.arena = arena};
    od_buf_put(&out, request->method);
    od_buf_put_byte(&out, '\n');
    put_path(&out, request);
    put_query(&out, request->query);
    *signed_headers = put_headers(&out, request);
    od_buf_put(&out, *signed_headers);
    od_buf_put_byte(&out, '\n');
    od_buf_put(&out, request->body_hash);
    return od_buf_str(&out);
}
