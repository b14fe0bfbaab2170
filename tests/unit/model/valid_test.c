// What a store hands back may be anything.
#include "model/value.h"

#include "notation.h"
#include "repack.h"

#include <string.h>

static void malformed_values_are_refused(void **state)
{
    static const struct {
        const char *fault;
        const char *hex;
    } rows[] = {
        {"nothing", ""},
        {"no tag", "00"},
        {"no tag", "41"},
        {"a string without length", "53"},
        {"a string past the end", "53 02 61"},
        {"a length that is not the shortest", "53 81 00 61"},
        {"a length that is not the shortest", "53 80 00"},
        {"a length without end", "53 80"},
        {"a length of six bytes", "53 80 80 80 80 80 01"},
        {"a length past 32 bits", "53 80 80 80 80 10"},
        {"a length past the end", "42 FF FF FF FF 0F 00"},
        {"UTF-8 cut short", "53 01 C3"},
        {"UTF-8 overlong", "53 02 C0 80"},
        {"a surrogate", "53 03 ED A0 80"},
        {"something behind", "54 54"},
        {"something behind", "53 01 61 00"},
        {"something behind", "12 42 02 00"},
        {"a number without digits", "12 42"},
        {"a number ending in 0", "12 42 03 00"},
        {"a set without members", "73 00000000 00000000"},
        {"a set without count", "73 00000000 000000"},
        {"a set with a member of another type", "73 03000000 01000000 42 01 61"},
        {"a set with a member of another type", "6E 03000000 01000000 53 01 61"},
        {"a set in a set", "73 0C000000 01000000 73 03000000 01000000 53 01 61"},
        {"a set out of order", "73 06000000 02000000 53 01 62 53 01 61"},
        {"a set with duplicates", "73 06000000 02000000 53 01 61 53 01 61"},
        {"numbers out of order", "6E 04000000 02000000 11 10 BD FD"},
        {"fewer members than counted", "73 03000000 02000000 53 01 61"},
        {"more members than counted", "73 06000000 01000000 53 01 61 53 01 62"},
        {"fewer members than counted", "4C 01000000 02000000 30"},
        {"more members than counted", "4C 02000000 01000000 30 30"},
        {"a list past the end", "4C 02000000 01000000 30"},
        {"a member past the list's end", "4C 02000000 01000000 53 01 61"},
        {"a count far too high", "4C 01000000 FFFFFFFF 30"},
        {"a length far too high", "4C FFFFFFFF 01000000 30"},
        {"a bad value in a list", "4C 01000000 01000000 00"},
        {"a map out of order", "4D 06000000 02000000 01 62 30 01 61 30"},
        {"a map with a name twice", "4D 06000000 02000000 01 61 30 01 61 30"},
        {"a name that is no UTF-8", "4D 03000000 01000000 01 FF 30"},
        {"a name without value", "4D 02000000 01000000 01 61"},
        {"a bad value in a map", "4D 03000000 01000000 01 61 00"},
        {"fewer entries than counted", "4D 03000000 02000000 01 61 30"},
        {"more entries than counted", "4D 03000000 00000000 01 61 30"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        check_true(i, !od_value_valid(from_hex(cx->arena, rows[i].hex)), rows[i].fault);
    }
    assert_false(od_value_valid((od_str){0}));
}

static void malformed_items_are_refused(void **state)
{
    static const struct {
        const char *fault;
        const char *hex;
    } rows[] = {
        {"nothing", ""},
        {"a version alone", "01"},
        {"no map", "01 00000000"},
        {"an unknown version", "02 02000000 4D 03000000 01000000 01 61 30"},
        {"an unknown version", "00 02000000 4D 03000000 01000000 01 61 30"},
        {"a size too large", "01 03000000 4D 03000000 01000000 01 61 30"},
        {"a size too small", "01 01000000 4D 03000000 01000000 01 61 30"},
        {"a list", "01 00000000 4C 00000000 00000000"},
        {"a scalar", "01 01000000 30"},
        {"a bad map", "01 02000000 4D 03000000 01000000 01 61 00"},
        {"something behind", "01 02000000 4D 03000000 01000000 01 61 30 00"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        check_true(i, !od_item_valid(from_hex(cx->arena, rows[i].hex)), rows[i].fault);
    }
    od_ctx *cx = *state;
    od_str good = from_hex(cx->arena, "01 02000000 4D 03000000 01000000 01 61 30");
    assert_true(od_item_valid(good));
    assert_false(od_item_valid((od_str){0}));
}

// `levels` containers of one kind, the innermost empty.
static od_value nested(od_ctx *cx, enum od_type type, size_t levels)
{
    struct od_buf out = {.arena = cx->arena};
    size_t *marks = od_new_array(cx->arena, size_t, levels);
    for (size_t i = 0; i < levels; i++) {
        if (i > 0 && type == OD_TYPE_M) {
            od_pack_name(&out, OD_STR("n"));
        }
        marks[i] = od_pack_open(&out, type);
    }
    for (size_t i = levels; i > 0; i--) {
        od_pack_close(&out, marks[i - 1], i == levels ? 0 : 1);
    }
    return od_packed(&out);
}

static void deep_nesting_is_refused_and_no_crash(void **state)
{
    static const size_t rows[] = {OD_MAX_NESTING + 3, 100, 100000};
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value list = nested(*state, OD_TYPE_L, rows[i]);
        od_value map = nested(*state, OD_TYPE_M, rows[i]);
        check_true(i, !od_value_valid(value_str(list)), "lists are refused");
        check_true(i, !od_value_valid(value_str(map)), "maps are refused");
    }
}

static void sets_in_sets_are_refused_and_no_crash(void **state)
{
    od_ctx *cx = *state;
    struct od_buf out = {.arena = cx->arena};
    enum { SETS = 100000, HEADER = 9 };
    for (size_t i = 0; i < SETS; i++) {
        size_t body = (SETS - 1 - i) * HEADER;
        od_buf_put(&out, OD_STR("s"));
        for (int shift = 0; shift < 32; shift += 8) {
            od_buf_put_byte(&out, (unsigned char)(body >> shift));
        }
        od_buf_put(&out, OD_STR("\x01\x00\x00\x00"));
    }
    assert_false(od_value_valid(od_buf_str(&out)));
}

// A scalar inside 31 maps is legal as an attribute; so is any container in place of it here, as a
// bound that is one too high harms nobody and one too low makes data unreadable.
static void all_legal_nesting_is_accepted(void **state)
{
    od_ctx *cx = *state;
    od_value attribute = nested(cx, OD_TYPE_M, OD_MAX_NESTING);
    struct od_entry entry = {OD_STR("a"), attribute};
    od_item item = od_item_pack(cx->arena, od_map_build(cx->arena, &entry, 1));
    assert_true(od_value_valid(value_str(attribute)));
    assert_true(od_item_valid((od_str){item.ptr, item.len}));
}

static od_str sample_item(od_ctx *cx)
{
    od_value map = value_of(cx, "{id: 'k\xC3\xA9y', n: -12.5, z: 0, b: x'00FF', t: true, f: false,"
                                " u: null, ss: <'a', 'ab', ''>, ns: <1, 20, -3>, bs: <x'01'>,"
                                " l: [1, ['x', {y: <2>}], {}], m: {a: {b: {c: 'd'}}}}");
    od_item item = od_item_pack(cx->arena, map);
    return (od_str){item.ptr, item.len};
}

static void every_part_of_an_item_alone_is_refused(void **state)
{
    od_str item = sample_item(*state);
    assert_true(od_item_valid(item));
    for (size_t len = 0; len < item.len; len++) {
        // Of its own size, so that the sanitizer sees a read past the end.
        od_ctx *cx = *state;
        od_mark mark = od_arena_mark(cx->arena);
        od_str part = od_arena_copy(cx->arena, (od_str){item.ptr, len});
        check_true(len, !od_item_valid(part), "refused");
        od_arena_rewind(cx->arena, mark);
    }
}

static bool is_canonical(od_ctx *cx, od_str bytes)
{
    od_item item = {bytes.ptr, bytes.len};
    struct od_buf out = {.arena = cx->arena};
    repack(&out, od_item_map(item));
    od_item again = od_item_pack(cx->arena, od_packed(&out));
    return od_str_eq((od_str){again.ptr, again.len}, bytes);
}

// Whatever byte is changed to whatever other: the item is refused, or it is another canonical one.
static void every_changed_byte_is_noticed_or_harmless(void **state)
{
    od_ctx *cx = *state;
    od_str item = sample_item(cx);
    assert_true(is_canonical(cx, item));
    char *bytes = od_arena_bytes(cx->arena, item.len);
    memcpy(bytes, item.ptr, item.len);
    for (size_t i = 0; i < item.len; i++) {
        for (unsigned change = 1; change < 256; change++) {
            od_mark mark = od_arena_mark(cx->arena);
            bytes[i] = (char)((unsigned char)item.ptr[i] ^ change);
            od_str changed = {bytes, item.len};
            check_true(i, !od_item_valid(changed) || is_canonical(cx, changed), "canonical");
            od_arena_rewind(cx->arena, mark);
        }
        bytes[i] = item.ptr[i];
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(malformed_values_are_refused),
        TEST(malformed_items_are_refused),
        TEST(deep_nesting_is_refused_and_no_crash),
        TEST(sets_in_sets_are_refused_and_no_crash),
        TEST(all_legal_nesting_is_accepted),
        TEST(every_part_of_an_item_alone_is_refused),
        TEST(every_changed_byte_is_noticed_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
