#include "codegen/codegen_internal.h"

// Of C23 and C++20, and what headers of C or a compiler define as macros.
static const char *const keywords[] = {
    "alignas",       "alignof",
    "and",           "and_eq",
    "asm",           "assert",
    "auto",          "bitand",
    "bitor",         "bool",
    "break",         "case",
    "catch",         "char",
    "char16_t",      "char32_t",
    "char8_t",       "class",
    "co_await",      "co_return",
    "co_yield",      "compl",
    "complex",       "concept",
    "const",         "const_cast",
    "consteval",     "constexpr",
    "constinit",     "continue",
    "decltype",      "default",
    "delete",        "do",
    "double",        "dynamic_cast",
    "else",          "enum",
    "errno",         "explicit",
    "export",        "extern",
    "false",         "float",
    "for",           "friend",
    "goto",          "if",
    "imaginary",     "inline",
    "int",           "linux",
    "long",          "mutable",
    "namespace",     "new",
    "noexcept",      "noreturn",
    "not",           "not_eq",
    "nullptr",       "offsetof",
    "operator",      "or",
    "or_eq",         "private",
    "protected",     "public",
    "register",      "reinterpret_cast",
    "requires",      "restrict",
    "return",        "short",
    "signed",        "sizeof",
    "static",        "static_assert",
    "static_cast",   "stderr",
    "stdin",         "stdout",
    "struct",        "switch",
    "template",      "this",
    "thread_local",  "throw",
    "true",          "try",
    "typedef",       "typeid",
    "typename",      "typeof",
    "typeof_unqual", "union",
    "unix",          "unsigned",
    "using",         "virtual",
    "void",          "volatile",
    "wchar_t",       "while",
    "xor",           "xor_eq",
};

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Where a capital begins a word: cityName, HTTPServer, item2Name.
static bool begins_word(od_str name, size_t i)
{
    if (i == 0 || !is_upper(name.ptr[i])) {
        return false;
    }
    char before = name.ptr[i - 1];
    bool small_follows = i + 1 < name.len && is_lower(name.ptr[i + 1]);
    return is_lower(before) || is_digit(before) || (is_upper(before) && small_follows);
}

static void put_separator(struct od_buf *out)
{
    if (out->len > 0 && out->ptr[out->len - 1] != '_') {
        od_buf_put_byte(out, '_');
    }
}

od_str od_codegen_snake(od_arena *arena, od_str name)
{
    struct od_buf out = {.arena = arena};
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (!is_lower(c) && !is_upper(c) && !is_digit(c)) {
            put_separator(&out);
            continue;
        }
        if (begins_word(name, i)) {
            put_separator(&out);
        }
        if (out.len == 0 && is_digit(c)) {
            od_buf_put(&out, OD_STR("n"));
        }
        od_buf_put_byte(&out, (unsigned char)(is_upper(c) ? c - 'A' + 'a' : c));
    }
    if (out.len > 1 && out.ptr[out.len - 1] == '_') {
        out.len--;
    }
    return out.len > 0 ? od_buf_str(&out) : OD_STR("unnamed");
}

static bool is_keyword(od_str name)
{
    for (size_t i = 0; i < OD_COUNT(keywords); i++) {
        if (od_str_eq(name, od_cstr(keywords[i]))) {
            return true;
        }
    }
    return false;
}

// Of types and functions that the code around a member uses: size_t, int32_t, ordna_key.
static bool is_taken(od_str name)
{
    static const od_str end = OD_STR_INIT("_t");
    const bool is_type =
        name.len > end.len && od_str_eq(od_str_skip(name, name.len - end.len), end);
    return is_type || od_str_has_prefix(name, OD_STR("ordna"));
}

od_str od_codegen_member(od_arena *arena, od_str name)
{
    od_str snake = od_codegen_snake(arena, name);
    return is_keyword(snake) || is_taken(snake) ? od_arena_printf(arena, "%.*s_", OD_STR_ARG(snake))
                                                : snake;
}

static void put_key_stem(struct od_buf *out, const struct od_codegen_entity *entity,
                         const struct od_codegen_key *key)
{
    od_buf_put(out, entity->prefix);
    od_buf_put_byte(out, '_');
    od_buf_put(out, key->of->stem);
}

od_str od_codegen_partition_name(od_arena *arena, const struct od_codegen_entity *entity,
                                 const struct od_codegen_key *key)
{
    struct od_buf out = {.arena = arena};
    put_key_stem(&out, entity, key);
    od_buf_put(&out, OD_STR("pk"));
    return od_buf_str(&out);
}

od_str od_codegen_sort_name(od_arena *arena, const struct od_codegen_entity *entity,
                            const struct od_codegen_key *key, size_t fields)
{
    struct od_buf out = {.arena = arena};
    put_key_stem(&out, entity, key);
    od_buf_put(&out, OD_STR("sk"));
    for (size_t i = 0; i < fields; i++) {
        od_buf_put_byte(&out, '_');
        od_buf_put(&out, key->sort.segments[i].field->stem);
    }
    return od_buf_str(&out);
}
