#include "../base/support.h"
#include "codegen/codegen.h"

#include <stdlib.h>
#include <string.h>

static const char shop[] = "\xEF\xBB\xBFtable shop \"my-shop\"\r\n"
                           "  partition PK string\n"
                           "  sort SK string\n"
                           "  index GSI1 partition Board string sort Score number keys_only\n"
                           "  local ByDate sort Date string\n"
                           "  allow ORD070 ORD073\n"
                           "# a comment\n"
                           "\n"
                           "entity Employee \"EMPLOYEE\"\n"
                           "\tpartition ORG#{Org}\n"
                           "\tsort \"SITE {Country}#{Number:d6}\"\n"
                           "\tindex GSI1 partition {Board} sort {Score}\n"
                           "\tindex ByDate sort {At}\n"
                           "\tpeak_writes 900\n"
                           "\tOrg string\n"
                           "\tCountry string\n"
                           "\tNumber int32\n"
                           "\tBoard optional string\n"
                           "\tScore double\n"
                           "\tAt time\n"
                           "\tTags set of string\n"
                           "\tVersion int64 version\n"
                           "\t\"first name\" optional int64\n"
                           "\tExpires optional time ttl";

// A copy of its own size, so that the sanitizer sees a read past the end.
static void run(od_arena *arena, od_str text, struct od_codegen_result *out)
{
    char *copy = malloc(text.len > 0 ? text.len : 1);
    assert_non_null(copy);
    if (text.len > 0) {
        memcpy(copy, text.ptr, text.len);
    }
    od_codegen_run(arena, OD_STR("shop.entities"), (od_str){copy, text.len}, out);
    free(copy);
}

static void a_file_that_breaks_off_anywhere_is_an_error_or_less(void **state)
{
    od_arena *arena = *state;
    for (size_t len = 0; len < sizeof(shop) - 1; len++) {
        od_mark mark = od_arena_mark(arena);
        struct od_codegen_result result;
        run(arena, (od_str){shop, len}, &result);
        check_int(len, (int64_t)result.output_count, result.error_count == 0 ? 2 : 0);
        od_arena_rewind(arena, mark);
    }
}

static void a_file_with_any_byte_changed_is_read_to_its_end(void **state)
{
    static const char changes[] = {'\0', '\n', ' ', '"', '#', '{', '}', ':', '0', 'A', '\xFF'};
    od_arena *arena = *state;
    char text[sizeof(shop)];
    memcpy(text, shop, sizeof(shop));
    for (size_t i = 0; i < sizeof(shop) - 1; i++) {
        for (size_t j = 0; j < OD_COUNT(changes); j++) {
            od_mark mark = od_arena_mark(arena);
            struct od_codegen_result result;
            text[i] = changes[j];
            run(arena, (od_str){text, sizeof(shop) - 1}, &result);
            check_int(i, result.output_count > 0, result.error_count == 0);
            od_arena_rewind(arena, mark);
        }
        text[i] = shop[i];
    }
}

static void a_whole_file_becomes_a_header_and_a_source(void **state)
{
    od_arena *arena = *state;
    struct od_codegen_result result;
    run(arena, od_cstr(shop), &result);
    assert_int_equal(result.finding_count, 0);
    assert_int_equal(result.output_count, 2);
    check_text(0, result.outputs[0].name, "shop.h");
    check_text(1, result.outputs[1].name, "shop.c");
    const char *const parts[] = {
        "typedef struct shop_employee {\n    const char *org;\n",
        "    bool has_first_name;\n    int64_t first_name;\n",
        "shop_employee_sk_country_number(\n    const char *country, int32_t number)\n",
        "The table my-shop, made by `ordna gen` from shop.entities",
    };
    for (size_t i = 0; i < OD_COUNT(parts); i++) {
        check_int(i, od_str_contains(result.outputs[0].text, od_cstr(parts[i])), true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_that_breaks_off_anywhere_is_an_error_or_less),
        TEST(a_file_with_any_byte_changed_is_read_to_its_end),
        TEST(a_whole_file_becomes_a_header_and_a_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
