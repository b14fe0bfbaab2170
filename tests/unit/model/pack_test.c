// Writing values: the layout on disk, and that it is canonical.
#include "model/value.h"

#include "notation.h"
#include "repack.h"

#include <string.h>

static void a_set_with_duplicates_is_refused_and_nothing_written(void **state)
{
    static const struct {
        enum od_type type;
        const char *members;
    } rows[] = {
        {OD_TYPE_SS, "['a', 'a']"},
        {OD_TYPE_SS, "['', 'b', '']"},
        {OD_TYPE_SS, "['b', 'a', 'c', 'b']"},
        {OD_TYPE_NS, "[1, 1]"},
        {OD_TYPE_NS, "[1, 2, 1.0]"},
        {OD_TYPE_NS, "[100, 1e2]"},
        {OD_TYPE_NS, "[0, -0]"},
        {OD_TYPE_BS, "[x'61', x'61']"},
        {OD_TYPE_BS, "[x'', x'00', x'']"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_value members[8];
        size_t count = 0;
        for (struct od_iter it = od_iter(value_of(cx, rows[i].members)); od_iter_next(&it);) {
            members[count++] = it.value;
        }
        struct od_buf out = {.arena = cx->arena};
        od_pack_null(&out);
        check_true(i, !od_pack_set(&out, rows[i].type, members, count), "refused");
        check_int(i, (int64_t)out.len, 1);
    }
}

static void the_layout_is_what_is_on_disk(void **state)
{
    static const struct {
        const char *value;
        const char *hex;
    } rows[] = {
        {"''", "53 00"},
        {"'ab'", "53 02 61 62"},
        {"x'00FF'", "42 02 00 FF"},
        {"0", "11"},
        {"1", "12 42 02"},
        {"-1", "10 BD FD"},
        {"true", "54"},
        {"false", "46"},
        {"null", "30"},
        {"[]", "4C 00000000 00000000"},
        {"{}", "4D 00000000 00000000"},
        {"[null, 'a', []]", "4C 0D000000 03000000 30 53 01 61 4C 00000000 00000000"},
        {"{b: true, a: 0, ab: ''}", "4D 0B000000 03000000 01 61 11 02 61 62 53 00 01 62 54"},
        {"<'b', '', 'ab'>", "73 09000000 03000000 53 00 53 02 61 62 53 01 62"},
        {"<1, -1, 0>", "6E 07000000 03000000 10 BD FD 11 12 42 02"},
        {"<x'02', x'01FF'>", "62 07000000 02000000 42 02 01 FF 42 01 02"},
        {"{: null}", "4D 02000000 01000000 00 30"},
        {"{m: {l: [1]}}", "4D 19000000 01000000 01 6D"
                          "4D 0E000000 01000000 01 6C"
                          "4C 03000000 01000000 12 42 02"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value v = value_of(*state, rows[i].value);
        check_hex(i, value_str(v), rows[i].hex);
        check_true(i, od_value_valid(value_str(v)), "valid");
    }
}

static void the_layout_of_an_item_is_what_is_on_disk(void **state)
{
    od_ctx *cx = *state;
    od_item item = od_item_pack(cx->arena, value_of(cx, "{id: 'abc', n: 100}"));
    check_hex(0, (od_str){item.ptr, item.len},
              "01 08000000 4D 0D000000 02000000 02 69 64 53 03 61 62 63 01 6E 12 43 02");
}

static void lengths_take_as_few_bytes_as_they_can(void **state)
{
    static const struct {
        size_t len;
        const char *hex; // of the tag and the length
    } rows[] = {
        {0, "42 00"},
        {1, "42 01"},
        {127, "42 7F"},
        {128, "42 80 01"},
        {255, "42 FF 01"},
        {16383, "42 FF 7F"},
        {16384, "42 80 80 01"},
        {409600, "42 80 80 19"},
        {2097151, "42 FF FF 7F"},
        {2097152, "42 80 80 80 01"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        char *bytes = od_arena_alloc(cx->arena, rows[i].len + 1, 1);
        struct od_buf out = {.arena = cx->arena};
        od_pack_b(&out, (od_str){bytes, rows[i].len});
        check_hex(i, (od_str){out.ptr, out.len - rows[i].len}, rows[i].hex);
    }
}

static void long_names_are_written_whole(void **state)
{
    static const size_t lens[] = {127, 128, 300, 16384, OD_ATTRIBUTE_NAME_MAX_BYTES};
    for (size_t i = 0; i < OD_COUNT(lens); i++) {
        od_ctx *cx = *state;
        char *bytes = od_arena_bytes(cx->arena, lens[i]);
        memset(bytes, 'n', lens[i]);
        od_str name = {bytes, lens[i]};
        struct od_buf out = {.arena = cx->arena};
        size_t mark = od_pack_open(&out, OD_TYPE_M);
        od_pack_name(&out, name);
        od_pack_null(&out);
        od_pack_close(&out, mark, 1);
        struct od_entry entry = {name, value_of(cx, "null")};
        od_value built = od_map_build(cx->arena, &entry, 1);
        check_true(i, od_value_valid(value_str(built)), "valid");
        check_true(i, od_value_equal(od_packed(&out), built), "the same, written both ways");
        check_true(i, od_value_exists(od_map_get(built, name)), "found");
        check_int(i, (int64_t)od_value_size(built), (int64_t)lens[i] + 5);
    }
}

static int64_t number_at(od_value map, const char *name)
{
    od_value v = od_map_get(map, od_cstr(name));
    assert_true(od_value_exists(v));
    od_number n = od_value_number(v);
    int64_t whole = (int64_t)n.coefficient;
    for (int i = 0; i < n.exponent; i++) {
        whole *= 10;
    }
    return whole;
}

// Few and many entries are sorted in two ways.
static void maps_of_any_size_are_sorted_by_name(void **state)
{
    static const size_t counts[] = {0, 1, 2, 3, 23, 24, 25, 26, 100, 1000};
    for (size_t i = 0; i < OD_COUNT(counts); i++) {
        od_ctx *cx = *state;
        struct od_entry *entries = od_new_array(cx->arena, struct od_entry, counts[i] + 1);
        for (size_t j = 0; j < counts[i]; j++) {
            size_t scattered = (j * 7919 + 13) % counts[i]; // 7919 is prime: each j once
            struct od_buf out = {.arena = cx->arena};
            od_pack_number(&out, od_number_from_u64(scattered));
            entries[j].name = od_arena_printf(cx->arena, "name%zu", scattered);
            entries[j].value = od_packed(&out);
        }
        od_value map = od_map_build(cx->arena, entries, counts[i]);
        check_true(i, od_value_valid(value_str(map)), "valid, so sorted");
        check_int(i, (int64_t)od_value_count(map), (int64_t)counts[i]);
        for (size_t j = 0; j < counts[i]; j++) {
            od_str name = od_arena_printf(cx->arena, "name%zu", j);
            check_int(i, number_at(map, name.ptr), (int64_t)j);
        }
    }
}

static void names_sort_by_unsigned_bytes(void **state)
{
    od_value map = value_of(*state, "{b: 1, a: 2, B: 3, aa: 4, \xC3\xA9: 5, \x7F: 6}");
    struct od_buf names = {.arena = ((od_ctx *)*state)->arena};
    for (struct od_iter it = od_iter(map); od_iter_next(&it);) {
        od_buf_put(&names, it.name);
        od_buf_put_byte(&names, ' ');
    }
    check_text(0, od_buf_str(&names), "B a aa b \x7F \xC3\xA9 ");
}

static void containers_can_be_written_into_a_full_buffer(void **state)
{
    od_ctx *cx = *state;
    struct od_buf out = {.arena = cx->arena};
    size_t outer = od_pack_open(&out, OD_TYPE_L);
    for (size_t i = 0; i < 1000; i++) { // grows the buffer many times
        size_t mark = od_pack_open(&out, OD_TYPE_M);
        od_pack_name(&out, OD_STR("number"));
        od_pack_number(&out, od_number_from_u64(i));
        od_pack_close(&out, mark, 1);
    }
    od_pack_close(&out, outer, 1000);
    od_value list = od_packed(&out);
    assert_true(od_value_valid(value_str(list)));
    assert_int_equal(number_at(od_list_get(list, 999), "number"), 999);
}

static void what_is_taken_apart_and_built_again_is_the_same(void **state)
{
    static const char *const rows[] = {
        "''",
        "'text'",
        "x'0001'",
        "0",
        "-12.5",
        "true",
        "null",
        "<'a', 'b', ''>",
        "<1, 2, -3>",
        "<x'', x'00'>",
        "[]",
        "{}",
        "[1, ['a', {b: <x'01'>}], null]",
        "{a: {b: {c: [{}, [], <'x'>, -1e-130]}}, z: false}",
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_value v = value_of(cx, rows[i]);
        struct od_buf out = {.arena = cx->arena};
        repack(&out, v);
        check_true(i, od_value_equal(od_packed(&out), v), "the same");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_set_with_duplicates_is_refused_and_nothing_written),
        TEST(the_layout_is_what_is_on_disk),
        TEST(the_layout_of_an_item_is_what_is_on_disk),
        TEST(lengths_take_as_few_bytes_as_they_can),
        TEST(long_names_are_written_whole),
        TEST(maps_of_any_size_are_sorted_by_name),
        TEST(names_sort_by_unsigned_bytes),
        TEST(containers_can_be_written_into_a_full_buffer),
        TEST(what_is_taken_apart_and_built_again_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
