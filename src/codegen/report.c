#include "codegen/codegen_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 60 }; // bytes of a word in a message

enum severity { WARNING, ERROR };

static const struct {
    unsigned number;
    enum severity severity;
    const char *message;
} diagnostics[] = {
#define OD_DIAGNOSTIC(number, severity, name, message) {number, severity, message},
#include "codegen/diagnostics.def"
#undef OD_DIAGNOSTIC
};

static od_str fill_in(od_arena *arena, const char *message, const od_str *words)
{
    struct od_buf out = {.arena = arena};
    for (const char *at = message; *at != '\0'; at++) {
        if (*at == '%') {
            at++;
            od_buf_put(&out, words[*at - '1']);
        } else {
            od_buf_put_byte(&out, (unsigned char)*at);
        }
    }
    return od_buf_str(&out);
}

void od_codegen_report(struct od_codegen_file *file, struct od_codegen_place at,
                       enum od_codegen_diagnostic what, od_str a, od_str b, od_str c)
{
    bool is_error = diagnostics[what].severity == ERROR;
    file->error_count += is_error;
    if (file->finding_count == OD_CODEGEN_MAX_FINDINGS) {
        file->left_out++;
        return;
    }
    file->findings[file->finding_count++] = (struct od_codegen_finding){
        .number = diagnostics[what].number,
        .is_error = is_error,
        .line = at.line,
        .column = at.column,
        .text = fill_in(file->arena, diagnostics[what].message, (od_str[]){a, b, c}),
    };
}

void od_codegen_warn(const struct od_codegen_entity *entity, struct od_codegen_place at,
                     enum od_codegen_diagnostic what, od_str a, od_str b, od_str c)
{
    if (!entity->allowed.these[what] && !entity->table->allowed.these[what]) {
        od_codegen_report(entity->table->file, at, what, a, b, c);
    }
}

static bool parse_number(od_str text, uint64_t *out)
{
    return text.len == 6 && od_str_has_prefix(text, OD_STR("ORD")) &&
           od_str_to_u64(od_str_skip(text, 3), out);
}

bool od_codegen_find_warning(od_str text, enum od_codegen_diagnostic *out)
{
    uint64_t number = 0;
    if (!parse_number(text, &number)) {
        return false;
    }
    for (size_t i = 0; i < OD_COUNT(diagnostics); i++) {
        if (diagnostics[i].number == number && diagnostics[i].severity == WARNING) {
            *out = (enum od_codegen_diagnostic)i;
            return true;
        }
    }
    return false;
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_findings(const void *a, const void *b)
{
    const struct od_codegen_finding *left = a;
    const struct od_codegen_finding *right = b;
    if (left->line != right->line) {
        return order(left->line, right->line);
    }
    if (left->column != right->column) {
        return order(left->column, right->column);
    }
    return left->number != right->number ? order(left->number, right->number)
                                         : od_str_compare(left->text, right->text);
}

void od_codegen_sort_findings(struct od_codegen_file *file)
{
    qsort(file->findings, file->finding_count, sizeof(*file->findings), compare_findings);
}

// Not within a character.
static od_str cut(od_str word)
{
    if (word.len > MAX_SHOWN) {
        word.len = MAX_SHOWN;
        while (word.len > 0 && ((unsigned char)word.ptr[word.len] & 0xC0) == 0x80) {
            word.len--;
        }
    }
    return word;
}

od_str od_codegen_show(struct od_codegen_file *file, od_str word)
{
    if (word.ptr == NULL) {
        return OD_STR("the end of the line");
    }
    od_str shown = cut(word);
    return od_arena_printf(file->arena, "'%.*s%s'", OD_STR_ARG(shown),
                           shown.len < word.len ? "..." : "");
}

od_str od_codegen_number(struct od_codegen_file *file, uint64_t n)
{
    struct od_buf out = {.arena = file->arena};
    od_buf_put_u64(&out, n);
    return od_buf_str(&out);
}
