// Lines as words: between blanks, or in double quotes.
#include "codegen/codegen_internal.h"

#include <string.h>

static const od_str none = {NULL, 0};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(struct od_codegen_line *line)
{
    while (line->at < line->text.len && is_blank(line->text.ptr[line->at])) {
        line->at++;
    }
}

struct od_codegen_place od_codegen_line_place(const struct od_codegen_line *line)
{
    return (struct od_codegen_place){line->number, (uint32_t)line->at + 1};
}

static bool read_quoted(struct od_codegen_line *line, struct od_codegen_word *out)
{
    size_t start = line->at + 1;
    const char *from = line->text.ptr + start;
    const char *end = memchr(from, '"', line->text.len - start);
    if (end == NULL) {
        od_codegen_report(line->file, out->at, OD_CODEGEN_OPEN_QUOTE, none, none, none);
        line->broken = true;
        return false;
    }
    out->text = (od_str){from, (size_t)(end - from)};
    out->quoted = true;
    line->at = start + out->text.len + 1;
    return true;
}

bool od_codegen_next_word(struct od_codegen_line *line, struct od_codegen_word *out)
{
    *out = (struct od_codegen_word){.text = none};
    skip_blanks(line);
    out->at = od_codegen_line_place(line);
    if (line->broken || line->at == line->text.len) {
        return false;
    }
    if (line->text.ptr[line->at] == '"') {
        return read_quoted(line, out);
    }
    size_t start = line->at;
    while (line->at < line->text.len && !is_blank(line->text.ptr[line->at])) {
        line->at++;
    }
    out->text = (od_str){line->text.ptr + start, line->at - start};
    return true;
}

bool od_codegen_accept(struct od_codegen_line *line, const char *word)
{
    size_t before = line->at;
    struct od_codegen_word next;
    if (od_codegen_next_word(line, &next) && !next.quoted && od_str_eq(next.text, od_cstr(word))) {
        return true;
    }
    line->at = before;
    return false;
}

bool od_codegen_expect(struct od_codegen_line *line, const char *what, struct od_codegen_word *out)
{
    if (od_codegen_next_word(line, out)) {
        return true;
    }
    if (!line->broken) {
        od_codegen_report(line->file, out->at, OD_CODEGEN_EXPECTED, od_cstr(what),
                          od_codegen_show(line->file, none), none);
        line->broken = true;
    }
    return false;
}

bool od_codegen_expect_word(struct od_codegen_line *line, const char *word)
{
    struct od_codegen_word found;
    if (!od_codegen_expect(line, word, &found)) {
        return false;
    }
    if (od_str_eq(found.text, od_cstr(word))) {
        return true;
    }
    od_codegen_report(line->file, found.at, OD_CODEGEN_EXPECTED, od_cstr(word),
                      od_codegen_show(line->file, found.text), none);
    line->broken = true;
    return false;
}

void od_codegen_expect_end(struct od_codegen_line *line)
{
    struct od_codegen_word word;
    if (od_codegen_next_word(line, &word)) {
        od_codegen_report(line->file, word.at, OD_CODEGEN_LEFT_OVER,
                          od_codegen_show(line->file, word.text), none, none);
    }
}

static bool fail_name(struct od_codegen_line *line, const struct od_codegen_word *word,
                      const char *of, const char *why)
{
    od_codegen_report(line->file, word->at, OD_CODEGEN_BAD_NAME,
                      od_codegen_show(line->file, word->text), od_cstr(of), od_cstr(why));
    line->broken = true;
    return false;
}

bool od_codegen_expect_name(struct od_codegen_line *line, const char *of,
                            struct od_codegen_word *out)
{
    if (!od_codegen_expect(line, of, out)) {
        return false;
    }
    if (out->text.len == 0 || out->text.len > OD_CODEGEN_MAX_NAME) {
        return fail_name(line, out, of, "it has 1 to 255 bytes");
    }
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_identifier(od_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool fits = is_letter(c) || (i > 0 && ((c >= '0' && c <= '9') || c == '_'));
        if (!fits) {
            return false;
        }
    }
    return s.len > 0;
}

bool od_codegen_expect_identifier(struct od_codegen_line *line, const char *of,
                                  struct od_codegen_word *out)
{
    if (!od_codegen_expect(line, of, out)) {
        return false;
    }
    if (!is_identifier(out->text)) {
        return fail_name(line, out, of, "it has letters, digits and _, and a letter first");
    }
    if (out->text.len > OD_CODEGEN_MAX_IDENTIFIER) {
        return fail_name(line, out, of, "it is longer than 64 characters");
    }
    return true;
}

void od_codegen_read_allow(struct od_codegen_line *line, struct od_codegen_allowed *allowed)
{
    struct od_codegen_word word;
    if (!od_codegen_expect(line, "the number of a warning", &word)) {
        return;
    }
    do {
        enum od_codegen_diagnostic what = OD_CODEGEN_DIAGNOSTICS;
        if (od_codegen_find_warning(word.text, &what)) {
            allowed->these[what] = true;
        } else {
            od_codegen_report(line->file, word.at, OD_CODEGEN_NOT_A_WARNING,
                              od_codegen_show(line->file, word.text), none, none);
        }
    } while (od_codegen_next_word(line, &word));
}
