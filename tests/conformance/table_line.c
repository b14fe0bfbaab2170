#include "table_line.h"

#include <string.h>

enum { MAX_DEFINITIONS = 64 };

struct definition {
    od_str name;
    od_str type;
};

// What the lines have given so far. `rest` is what is left to read of the current line.
struct reading {
    od_arena *arena;
    od_str rest;
    struct definition definitions[MAX_DEFINITIONS];
    size_t definition_count;
    struct od_buf global;
    struct od_buf local;
    od_str *what;
};

static bool fail(struct reading *r, const char *what)
{
    *r->what = od_cstr(what);
    return false;
}

static od_str peek_word(const struct reading *r)
{
    od_str rest = r->rest;
    while (rest.len > 0 && rest.ptr[0] == ' ') {
        rest = od_str_skip(rest, 1);
    }
    size_t len = 0;
    while (len < rest.len && rest.ptr[len] != ' ') {
        len++;
    }
    return (od_str){rest.ptr, len};
}

static od_str take_word(struct reading *r)
{
    od_str word = peek_word(r);
    const char *end = r->rest.ptr + r->rest.len;
    const char *after = word.ptr + word.len;
    r->rest = (od_str){after, (size_t)(end - after)};
    return word;
}

static bool define(struct reading *r, od_str name, od_str type)
{
    for (size_t i = 0; i < r->definition_count; i++) {
        if (od_str_eq(r->definitions[i].name, name)) {
            return od_str_eq(r->definitions[i].type, type) ||
                   fail(r, "an attribute is defined with two types");
        }
    }
    if (r->definition_count == MAX_DEFINITIONS) {
        return fail(r, "too many key attributes");
    }
    r->definitions[r->definition_count++] = (struct definition){name, type};
    return true;
}

static bool is_key_type(od_str word)
{
    return od_str_eq(word, OD_STR("HASH")) || od_str_eq(word, OD_STR("RANGE"));
}

// HASH name type [RANGE name type] ..., as the member KeySchema.
static bool read_key_schema(struct reading *r, struct od_buf *out)
{
    const char *comma = "";
    od_buf_put(out, OD_STR("\"KeySchema\":["));
    while (is_key_type(peek_word(r))) {
        od_str key_type = take_word(r);
        od_str name = take_word(r);
        od_str type = take_word(r);
        if (type.len != 1 || strchr("SNB", type.ptr[0]) == NULL) {
            return fail(r, "expected: HASH name S|N|B, or RANGE name S|N|B");
        }
        if (!define(r, name, type)) {
            return false;
        }
        od_buf_printf(out, "%s{\"AttributeName\":\"%.*s\",\"KeyType\":\"%.*s\"}", comma,
                      OD_STR_ARG(name), OD_STR_ARG(key_type));
        comma = ",";
    }
    od_buf_put(out, OD_STR("]"));
    return *comma != '\0' || fail(r, "a key schema is missing: HASH name S|N|B");
}

static void put_names(struct od_buf *out, od_str names)
{
    const char *comma = "";
    od_buf_put(out, OD_STR(",\"NonKeyAttributes\":["));
    while (names.len > 0) {
        const char *end = memchr(names.ptr, ',', names.len);
        od_str name = {names.ptr, end == NULL ? names.len : (size_t)(end - names.ptr)};
        od_buf_printf(out, "%s\"%.*s\"", comma, OD_STR_ARG(name));
        comma = ",";
        names = od_str_skip(names, name.len + (end == NULL ? 0 : 1));
    }
    od_buf_put_byte(out, ']');
}

// [ALL | KEYS_ONLY | INCLUDE name,name], as the member Projection.
static void read_projection(struct reading *r, struct od_buf *out)
{
    od_str type = take_word(r);
    if (type.len == 0) {
        type = OD_STR("ALL");
    }
    od_buf_printf(out, "\"Projection\":{\"ProjectionType\":\"%.*s\"", OD_STR_ARG(type));
    od_str names = take_word(r);
    if (names.len > 0) {
        put_names(out, names);
    }
    od_buf_put_byte(out, '}');
}

static bool read_index(struct reading *r)
{
    od_str kind = take_word(r);
    bool is_global = od_str_eq(kind, OD_STR("gsi"));
    if (!is_global && !od_str_eq(kind, OD_STR("lsi"))) {
        return fail(r, "expected: gsi NAME KEYS, or lsi NAME KEYS");
    }
    struct od_buf *out = is_global ? &r->global : &r->local;
    od_str name = take_word(r);
    od_buf_printf(out, "%s{\"IndexName\":\"%.*s\",", out->len > 0 ? "," : "", OD_STR_ARG(name));
    if (!read_key_schema(r, out)) {
        return false;
    }
    od_buf_put_byte(out, ',');
    read_projection(r, out);
    od_buf_put_byte(out, '}');
    return peek_word(r).len == 0 || fail(r, "something follows the index");
}

static void put_definitions(const struct reading *r, struct od_buf *out)
{
    od_buf_put(out, OD_STR(",\"AttributeDefinitions\":["));
    for (size_t i = 0; i < r->definition_count; i++) {
        od_buf_printf(out, "%s{\"AttributeName\":\"%.*s\",\"AttributeType\":\"%.*s\"}",
                      i > 0 ? "," : "", OD_STR_ARG(r->definitions[i].name),
                      OD_STR_ARG(r->definitions[i].type));
    }
    od_buf_put(out, OD_STR("]"));
}

static void put_indexes(struct od_buf *out, const char *member, const struct od_buf *indexes)
{
    if (indexes->len > 0) {
        od_buf_printf(out, ",\"%s\":[%.*s]", member, (int)indexes->len, indexes->ptr);
    }
}

static bool next_line(struct reading *r, od_str *text)
{
    if (text->len == 0) {
        return false;
    }
    const char *end = memchr(text->ptr, '\n', text->len);
    r->rest = (od_str){text->ptr, end == NULL ? text->len : (size_t)(end - text->ptr)};
    *text = od_str_skip(*text, r->rest.len + (end == NULL ? 0 : 1));
    return true;
}

bool table_line_to_json(od_arena *arena, od_str text, od_str *name, od_str *json, od_str *what)
{
    struct reading r = {
        .arena = arena, .global = {.arena = arena}, .local = {.arena = arena}, .what = what};
    struct od_buf out = {.arena = arena};
    (void)next_line(&r, &text);
    (void)take_word(&r); // "table"
    *name = take_word(&r);
    od_buf_printf(&out, "{\"TableName\":\"%.*s\",\"BillingMode\":\"PAY_PER_REQUEST\",",
                  OD_STR_ARG(*name));
    if (!read_key_schema(&r, &out)) {
        return false;
    }
    if (peek_word(&r).len > 0) {
        return fail(&r, "something follows the key schema");
    }
    while (next_line(&r, &text)) {
        if (!read_index(&r)) {
            return false;
        }
    }
    put_definitions(&r, &out);
    put_indexes(&out, "GlobalSecondaryIndexes", &r.global);
    put_indexes(&out, "LocalSecondaryIndexes", &r.local);
    od_buf_put_byte(&out, '}');
    *json = od_buf_str(&out);
    return true;
}
