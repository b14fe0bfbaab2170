// Pieces of C.
#include "codegen/codegen_internal.h"

void od_codegen_put(struct od_buf *out, const char *pattern, const struct od_codegen_table *table,
                    const struct od_codegen_entity *entity)
{
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at != '$') {
            od_buf_put_byte(out, (unsigned char)*at);
            continue;
        }
        at++;
        if (*at == 'T') {
            od_buf_put(out, table->prefix);
        } else {
            od_buf_put(out, *at == 'E' ? entity->prefix : entity->name.text);
        }
    }
}

// A ? could begin a trigraph, and bytes beyond ASCII depend on the compiler's settings.
static bool is_plain(unsigned char c)
{
    return c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != '?';
}

void od_codegen_put_literal(struct od_buf *out, od_str text)
{
    od_buf_put_byte(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (is_plain(c)) {
            od_buf_put_byte(out, c);
        } else if (c == '"' || c == '\\' || c == '?') {
            od_buf_printf(out, "\\%c", c);
        } else {
            od_buf_printf(out, "\\%03o", (unsigned)c);
        }
    }
    od_buf_put_byte(out, '"');
}

// Nothing that ends the comment, or seems to begin another.
void od_codegen_put_comment(struct od_buf *out, od_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool joins =
            i > 0 && ((c == '/' && text.ptr[i - 1] == '*') || (c == '*' && text.ptr[i - 1] == '/'));
        if (joins) {
            od_buf_put_byte(out, ' ');
        }
        od_buf_put_byte(out, c < ' ' || c == '?' || c == '\\' ? '.' : c);
    }
}

void od_codegen_put_origin(struct od_buf *out, const struct od_codegen_table *table)
{
    od_codegen_put(out, "/* The table ", table, NULL);
    od_codegen_put_comment(out, table->real_name.text);
    od_codegen_put(out, ", made by `ordna gen` from ", table, NULL);
    od_codegen_put_comment(out, table->file->name);
    od_codegen_put(out, ": change that file, not this one. */\n", table, NULL);
}
