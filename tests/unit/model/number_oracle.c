// Lets number_oracle.py hold ordna's numbers against Python's decimal. Reads lines
//
//   parse A | pack A | size A | add A B | subtract A B
//
// and answers each with one line: "= text", "= packed bytes in hex", "= size", or "! message".
#include "model/number.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LINE = 4096 };

static void print_text(od_number n)
{
    char text[OD_NUMBER_TEXT_MAX];
    printf("= %.*s\n", (int)od_number_text(n, text), text);
}

static void print_packed(od_number n)
{
    char bytes[OD_NUMBER_PACKED_MAX];
    size_t len = od_number_pack(n, bytes);
    printf("= ");
    for (size_t i = 0; i < len; i++) {
        printf("%02x", (unsigned)(unsigned char)bytes[i]);
    }
    printf("\n");
}

static od_status answer(od_ctx *cx, od_str op, od_str left, od_str right)
{
    od_number a = {0};
    OD_TRY(od_number_parse(cx, left, &a));
    if (od_str_eq(op, OD_STR("parse"))) {
        print_text(a);
        return OD_OK;
    }
    if (od_str_eq(op, OD_STR("pack"))) {
        print_packed(a);
        return OD_OK;
    }
    if (od_str_eq(op, OD_STR("size"))) {
        printf("= %zu\n", od_number_size(a));
        return OD_OK;
    }
    od_number b = {0};
    OD_TRY(od_number_parse(cx, right, &b));
    od_number result = {0};
    OD_TRY(od_str_eq(op, OD_STR("add")) ? od_number_add(cx, a, b, &result)
                                        : od_number_subtract(cx, a, b, &result));
    print_text(result);
    return OD_OK;
}

// The text up to the next blank, which goes with it.
static od_str take_word(od_str *line)
{
    size_t len = 0;
    while (len < line->len && line->ptr[len] != ' ') {
        len++;
    }
    od_str word = {line->ptr, len};
    *line = od_str_skip(*line, len < line->len ? len + 1 : len);
    return word;
}

int main(void)
{
    od_ctx cx = {.arena = od_arena_create()};
    char bytes[MAX_LINE];
    while (fgets(bytes, sizeof(bytes), stdin) != NULL) {
        od_str line = {bytes, strcspn(bytes, "\n")};
        od_str op = take_word(&line);
        od_str left = take_word(&line);
        if (answer(&cx, op, left, line) != OD_OK) {
            printf("! %.*s\n", OD_STR_ARG(cx.error));
        }
        od_arena_reset(cx.arena);
    }
    od_arena_destroy(cx.arena);
    return 0;
}
