#include "model/key.h"

#include "notation.h"

#include <string.h>

enum { HASH_SPACE_BITS = 56 };

static const struct od_key_schema simple = {
    .attrs = {{OD_STR_INIT("pk"), OD_TYPE_S}, {OD_STR_INIT("sk"), OD_TYPE_N}},
    .hash_count = 1,
    .range_count = 1,
};

static od_str component_of(od_ctx *cx, od_value v)
{
    struct od_buf out = {.arena = cx->arena};
    od_key_put_component(&out, v);
    return od_buf_str(&out);
}

static od_str prefix_of(od_ctx *cx, od_value v)
{
    struct od_buf out = {.arena = cx->arena};
    od_key_put_prefix(&out, v);
    return od_buf_str(&out);
}

static od_str key_of(od_ctx *cx, const struct od_key_schema *schema, od_value map)
{
    struct od_buf out = {.arena = cx->arena};
    od_key_put(&out, schema, map);
    return od_buf_str(&out);
}

// --- Layout -------------------------------------------------------------------------------------

static void the_layout_of_components_is_what_is_on_disk(void **state)
{
    static const struct {
        const char *value;
        const char *component;
        const char *prefix; // S and B alone
    } rows[] = {
        {"0", "11", NULL},
        {"1", "12 42 02", NULL},
        {"-1", "10 BD FD", NULL},
        {"''", "01", ""},
        {"'ab'", "61 62 01", "61 62"},
        {"x'00'", "02 02 01", "02 02"},
        {"x'01'", "02 03 01", "02 03"},
        {"x'02'", "02 04 01", "02 04"},
        {"x'03'", "03 01", "03"},
        {"x'FF00FF'", "FF 02 02 FF 01", "FF 02 02 FF"},
        {"x'0001020304'", "02 02 02 03 02 04 03 04 01", "02 02 02 03 02 04 03 04"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_value v = value_of(*state, rows[i].value);
        check_hex(i, component_of(*state, v), rows[i].component);
        if (rows[i].prefix != NULL) {
            check_hex(i, prefix_of(*state, v), rows[i].prefix);
        }
    }
}

static void the_hash_is_xxh3(void **state)
{
    od_ctx *cx = *state;
    struct od_buf out = {.arena = cx->arena};
    od_key_put_partition(&out, NULL, 0);
    // XXH3-64 of nothing is 2D06800538D394C2: its upper 56 bits by sevens are
    // 0010110 1000001 1010000 0000000 0101001 1100011 0100111 0010100.
    check_hex(0, od_buf_str(&out), "96 C1 D0 80 A9 E3 A7 94");
}

static void the_layout_of_keys_is_what_is_on_disk(void **state)
{
    od_ctx *cx = *state;
    od_value map = value_of(cx, "{other: 'x', pk: 'a', sk: 100}");
    check_hex(0, key_of(cx, &simple, map), "CF B3 FF 8A B2 BF EF A7 61 01 12 43 02");

    struct od_buf tail = {.arena = cx->arena};
    od_key_put_tail(&tail, &simple, map);
    check_hex(1, od_buf_str(&tail), "61 01 12 43 02");
}

static void a_key_begins_with_its_partition(void **state)
{
    od_ctx *cx = *state;
    static const struct od_key_schema wide = {
        .attrs = {{OD_STR_INIT("a"), OD_TYPE_S},
                  {OD_STR_INIT("b"), OD_TYPE_N},
                  {OD_STR_INIT("c"), OD_TYPE_B},
                  {OD_STR_INIT("d"), OD_TYPE_S}},
        .hash_count = 2,
        .range_count = 2,
    };
    od_value map = value_of(cx, "{d: 'dd', c: x'0001', b: -1.5, a: 'aa'}");
    od_value partition[] = {value_of(cx, "'aa'"), value_of(cx, "-1.5")};
    struct od_buf built = {.arena = cx->arena};
    od_key_put_partition(&built, partition, 2);
    od_key_put_component(&built, value_of(cx, "x'0001'"));
    od_key_put_component(&built, value_of(cx, "'dd'"));
    assert_true(od_str_eq(key_of(cx, &wide, map), od_buf_str(&built)));

    struct od_buf row = {.arena = cx->arena}; // appended, as in an index row
    od_key_put(&row, &simple, value_of(cx, "{pk: 'x', sk: 1}"));
    size_t before = row.len;
    od_key_put_tail(&row, &wide, map);
    od_str whole = od_buf_str(&built);
    assert_true(
        od_str_eq(od_str_skip(od_buf_str(&row), before), od_str_skip(whole, OD_KEY_HASH_BYTES)));
}

static void a_key_can_follow_other_bytes(void **state)
{
    od_ctx *cx = *state;
    od_value map = value_of(cx, "{pk: 'a', sk: 100}");
    od_value partition = value_of(cx, "'a'");
    struct od_buf out = {.arena = cx->arena};
    od_buf_put(&out, OD_STR("tag"));
    od_key_put(&out, &simple, map);
    od_buf_put(&out, OD_STR("tag"));
    od_key_put_partition(&out, &partition, 1);
    check_hex(0, od_buf_str(&out),
              "74 61 67 CF B3 FF 8A B2 BF EF A7 61 01 12 43 02"
              "74 61 67 CF B3 FF 8A B2 BF EF A7 61 01");
}

static void attributes_are_found_in_the_schema(void **state)
{
    (void)state;
    size_t at = 9;
    assert_false(od_key_find(&simple, OD_STR("p"), &at));
    assert_false(od_key_find(&simple, OD_STR("PK"), &at));
    assert_false(od_key_find(&simple, OD_STR(""), &at));
    assert_int_equal(at, 9);
    assert_true(od_key_find(&simple, OD_STR("pk"), &at));
    assert_int_equal(at, 0);
    assert_true(od_key_find(&simple, OD_STR("sk"), &at));
    assert_int_equal(at, 1);
    assert_int_equal(od_key_attr_count(&simple), 2);
}

// --- Order --------------------------------------------------------------------------------------

static void components_sort_as_dynamodb_sorts(void **state)
{
    // In order, each list for itself.
    static const char *const lists[][16] = {
        {"-1e125", "-10", "-9", "-1.5", "-1", "-1e-130", "0", "1e-130", "0.1", "1", "1.5", "9",
         "10", "99", "100", "1e125"},
        {"''", "'A'", "'AA'", "'B'", "'a'", "'a!'", "'aa'", "'b'", "'\x7F'", "'\xC3\xA9'",
         "'\xEF\xBF\xBF'", "'\xF0\x90\x80\x80'"},
        {"x''", "x'00'", "x'0000'", "x'0001'", "x'00FF'", "x'01'", "x'0100'", "x'02'", "x'0200'",
         "x'03'", "x'7F'", "x'80'", "x'FF'", "x'FF00'", "x'FF02'", "x'FFFF'"},
    };
    for (size_t list = 0; list < OD_COUNT(lists); list++) {
        for (size_t i = 0; i + 1 < 16 && lists[list][i + 1] != NULL; i++) {
            od_value a = value_of(*state, lists[list][i]);
            od_value b = value_of(*state, lists[list][i + 1]);
            check_order(i, component_of(*state, a), component_of(*state, b));
        }
    }
}

// --- Any schema, any values ---------------------------------------------------------------------

struct sample {
    od_value values[OD_KEY_MAX_ATTRS];
    od_value map;
    od_str key;
};

static const od_str attr_names[OD_KEY_MAX_ATTRS] = {
    OD_STR_INIT("a0"), OD_STR_INIT("a1"), OD_STR_INIT("a2"), OD_STR_INIT("a3"),
    OD_STR_INIT("a4"), OD_STR_INIT("a5"), OD_STR_INIT("a6"), OD_STR_INIT("a7"),
};

static struct od_key_schema random_schema(uint64_t *random)
{
    static const enum od_type types[] = {OD_TYPE_S, OD_TYPE_N, OD_TYPE_B};
    struct od_key_schema schema = {
        .hash_count = 1 + (size_t)random_below(random, OD_KEY_MAX_HASH),
        .range_count = (size_t)random_below(random, OD_KEY_MAX_RANGE + 1),
    };
    for (size_t i = 0; i < od_key_attr_count(&schema); i++) {
        // Names in another order than that of the schema.
        schema.attrs[i].name = attr_names[OD_KEY_MAX_ATTRS - 1 - i];
        schema.attrs[i].type = types[random_below(random, OD_COUNT(types))];
    }
    return schema;
}

// Few bytes and short, so that equal values and values that begin each other are common.
static od_str random_bytes(od_ctx *cx, uint64_t *random)
{
    static const char bytes[] = {0x00, 0x01,       0x02,       0x03,       0x04,
                                 'a',  (char)0x7F, (char)0x80, (char)0xFE, (char)0xFF};
    struct od_buf out = {.arena = cx->arena};
    for (size_t left = (size_t)random_below(random, 5); left > 0; left--) {
        od_buf_put_byte(&out, (unsigned char)bytes[random_below(random, sizeof(bytes))]);
    }
    return od_buf_str(&out);
}

static od_number random_number(uint64_t *random)
{
    static const uint64_t wholes[] = {0,  1,   2,   9,     10,        11,
                                      99, 100, 101, 12345, 123456789, UINT64_MAX};
    od_number n = od_number_from_u64(wholes[random_below(random, OD_COUNT(wholes))]);
    if (n.coefficient != 0) {
        n.negative = random_below(random, 2) == 0;
        n.exponent += (int)random_below(random, 7) - 3;
    }
    return n;
}

static od_value random_value(od_ctx *cx, uint64_t *random, enum od_type type)
{
    struct od_buf out = {.arena = cx->arena};
    if (type == OD_TYPE_N) {
        od_pack_number(&out, random_number(random));
    } else if (type == OD_TYPE_B) {
        od_pack_b(&out, random_bytes(cx, random));
    } else {
        od_pack_s(&out, random_bytes(cx, random));
    }
    return od_packed(&out);
}

// Shares the first few values with `other`, if there is one.
static struct sample random_sample(od_ctx *cx, uint64_t *random, const struct od_key_schema *schema,
                                   const struct sample *other)
{
    struct sample sample = {0};
    struct od_entry entries[OD_KEY_MAX_ATTRS];
    size_t count = od_key_attr_count(schema);
    size_t shared = other == NULL ? 0 : (size_t)random_below(random, count + 1);
    for (size_t i = 0; i < count; i++) {
        sample.values[i] =
            i < shared ? other->values[i] : random_value(cx, random, schema->attrs[i].type);
        entries[i] = (struct od_entry){schema->attrs[i].name, sample.values[i]};
    }
    sample.map = od_map_build(cx->arena, entries, count);
    sample.key = key_of(cx, schema, sample.map);
    return sample;
}

// By numbers rather than by their packed bytes: the sign of a - b.
static int compare_numbers(od_ctx *cx, od_value a, od_value b)
{
    od_number difference = {0};
    assert_int_equal(od_number_subtract(cx, od_value_number(a), od_value_number(b), &difference),
                     OD_OK);
    if (difference.coefficient == 0) {
        return 0;
    }
    return difference.negative ? -1 : 1;
}

static int compare_values(od_ctx *cx, const od_value *a, const od_value *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int order = od_value_type(a[i]) == OD_TYPE_N
                        ? compare_numbers(cx, a[i], b[i])
                        : od_str_compare(od_value_bytes(a[i]), od_value_bytes(b[i]));
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static od_str tail_of(od_ctx *cx, const struct od_key_schema *schema, od_value map)
{
    struct od_buf out = {.arena = cx->arena};
    od_key_put_tail(&out, schema, map);
    return od_buf_str(&out);
}

static void check_pair(od_ctx *cx, size_t row, const struct od_key_schema *schema,
                       const struct sample *a, const struct sample *b)
{
    size_t hashes = schema->hash_count;
    int by_value = compare_values(cx, a->values, b->values, od_key_attr_count(schema));
    int by_tail = od_str_compare(tail_of(cx, schema, a->map), tail_of(cx, schema, b->map));
    check_int(row, sign(by_tail), sign(by_value));

    bool is_same_partition = compare_values(cx, a->values, b->values, hashes) == 0;
    int by_hash = memcmp(a->key.ptr, b->key.ptr, OD_KEY_HASH_BYTES);
    check_int(row, by_hash == 0, is_same_partition); // no collision in so few
    int by_key = od_str_compare(a->key, b->key);
    check_int(row, sign(by_key), is_same_partition ? sign(by_value) : sign(by_hash));
    check_true(row, by_value == 0 || !od_str_has_prefix(b->key, a->key), "no key begins another");
    check_true(row, memchr(a->key.ptr, 0, a->key.len) == NULL, "no 00 byte");
}

static void keys_sort_as_their_values_do_one_after_another(void **state)
{
    od_ctx *cx = *state;
    uint64_t random = random_seed();
    for (size_t i = 0; i < 20000; i++) {
        od_mark mark = od_arena_mark(cx->arena);
        struct od_key_schema schema = random_schema(&random);
        struct sample a = random_sample(cx, &random, &schema, NULL);
        struct sample b = random_sample(cx, &random, &schema, &a);
        check_pair(cx, i, &schema, &a, &b);
        check_pair(cx, i, &schema, &b, &a);
        od_arena_rewind(cx->arena, mark);
    }
}

// Takes one component off the front of `rest` as a value, by nothing but the drawing in key.h.
static od_value decode_component(od_ctx *cx, od_str *rest, enum od_type type)
{
    struct od_buf bytes = {.arena = cx->arena};
    struct od_buf out = {.arena = cx->arena};
    if (type == OD_TYPE_N) {
        size_t len = od_number_packed_len(*rest);
        od_value number = {rest->ptr, len};
        *rest = od_str_skip(*rest, len);
        return number;
    }
    while (rest->ptr[0] != 0x01) {
        bool is_escaped = rest->ptr[0] == 0x02;
        unsigned char byte = (unsigned char)rest->ptr[is_escaped ? 1 : 0];
        od_buf_put_byte(&bytes, (unsigned char)(is_escaped ? byte - 2 : byte));
        *rest = od_str_skip(*rest, is_escaped ? 2 : 1);
    }
    *rest = od_str_skip(*rest, 1);
    if (type == OD_TYPE_S) {
        od_pack_s(&out, od_buf_str(&bytes));
    } else {
        od_pack_b(&out, od_buf_str(&bytes));
    }
    return od_packed(&out);
}

static void keys_can_be_decoded(void **state)
{
    od_ctx *cx = *state;
    uint64_t random = random_seed();
    for (size_t i = 0; i < 5000; i++) {
        od_mark mark = od_arena_mark(cx->arena);
        struct od_key_schema schema = random_schema(&random);
        struct sample sample = random_sample(cx, &random, &schema, NULL);
        od_str rest = od_str_skip(sample.key, OD_KEY_HASH_BYTES);
        for (size_t j = 0; j < od_key_attr_count(&schema); j++) {
            od_value decoded = decode_component(cx, &rest, schema.attrs[j].type);
            check_true(i, od_value_equal(decoded, sample.values[j]), "the value");
        }
        check_int(i, (int64_t)rest.len, 0);
        od_arena_rewind(cx->arena, mark);
    }
}

// --- Bounds -------------------------------------------------------------------------------------

static void a_prefix_begins_exactly_the_keys_of_values_that_it_begins(void **state)
{
    od_ctx *cx = *state;
    uint64_t random = random_seed();
    for (size_t i = 0; i < 20000; i++) {
        od_mark mark = od_arena_mark(cx->arena);
        od_value v = random_value(cx, &random, OD_TYPE_B);
        od_value begin = random_value(cx, &random, OD_TYPE_B);
        bool is_begun = od_str_has_prefix(od_value_bytes(v), od_value_bytes(begin));
        od_str lo = prefix_of(cx, begin);
        od_str hi = od_key_after_prefix(cx->arena, lo);
        od_str key = component_of(cx, v);
        bool is_inside =
            od_str_compare(lo, key) <= 0 && (hi.len == 0 || od_str_compare(key, hi) < 0);
        check_int(i, is_inside, is_begun);
        check_int(i, od_str_has_prefix(key, lo), is_begun);
        od_arena_rewind(cx->arena, mark);
    }
}

static void after_a_prefix_comes_the_next_one(void **state)
{
    static const struct {
        const char *prefix;
        const char *after;
    } rows[] = {
        {"", ""},     {"FF", ""},         {"FF FF FF", ""},      {"00", "01"},
        {"61", "62"}, {"61 62", "61 63"}, {"61 FF", "62"},       {"61 FF FF", "62"},
        {"7F", "80"}, {"FE", "FF"},       {"FF FE FF", "FF FF"}, {"61 FF 62", "61 FF 63"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        od_str prefix = from_hex(cx->arena, rows[i].prefix);
        check_hex(i, od_key_after_prefix(cx->arena, prefix), rows[i].after);
    }
}

// The 56 bits that a bound stands for; no bound is an end of the space.
static uint64_t hash_at(od_str bound, uint64_t otherwise)
{
    if (bound.len == 0) {
        return otherwise;
    }
    assert_int_equal(bound.len, OD_KEY_HASH_BYTES);
    uint64_t bits = 0;
    for (size_t i = 0; i < OD_KEY_HASH_BYTES; i++) {
        assert_true(((unsigned char)bound.ptr[i] & 0x80) != 0);
        bits = bits << 7 | ((unsigned char)bound.ptr[i] & 0x7F);
    }
    return bits;
}

static void segments_split_the_hashes_evenly_without_gap_or_overlap(void **state)
{
    static const uint32_t totals[] = {1, 2, 3, 4, 7, 64, 100, 1000, 4096, 1000000};
    const uint64_t space = (uint64_t)1 << HASH_SPACE_BITS;
    for (size_t i = 0; i < OD_COUNT(totals); i++) {
        od_ctx *cx = *state;
        uint64_t at = 0;
        for (uint32_t segment = 0; segment < totals[i]; segment++) {
            od_mark mark = od_arena_mark(cx->arena);
            od_str lo = {0};
            od_str hi = {0};
            od_key_segment(cx->arena, segment, totals[i], &lo, &hi);
            check_true(i, segment == 0 ? lo.len == 0 : hash_at(lo, 0) == at,
                       "begins at the last end");
            uint64_t end = hash_at(hi, space);
            uint64_t even = space / totals[i];
            check_true(i, end - at == even || end - at == even + 1, "as wide as the others");
            at = end;
            od_arena_rewind(cx->arena, mark);
        }
        check_true(i, at == space, "the last one ends at the end");
    }
}

static void every_key_is_in_one_segment(void **state)
{
    od_ctx *cx = *state;
    uint64_t random = random_seed();
    size_t seen[5] = {0};
    for (size_t i = 0; i < 5000; i++) {
        od_mark mark = od_arena_mark(cx->arena);
        struct od_buf number = {.arena = cx->arena};
        od_pack_number(&number, od_number_from_u64(random_next(&random)));
        od_value partition = od_packed(&number);
        struct od_buf key = {.arena = cx->arena};
        od_key_put_partition(&key, &partition, 1);
        size_t holders = 0;
        for (uint32_t segment = 0; segment < 5; segment++) {
            od_str lo = {0};
            od_str hi = {0};
            od_key_segment(cx->arena, segment, 5, &lo, &hi);
            bool is_holder = od_str_compare(lo, od_buf_str(&key)) <= 0 &&
                             (hi.len == 0 || od_str_compare(od_buf_str(&key), hi) < 0);
            holders += is_holder;
            seen[segment] += is_holder;
        }
        check_int(i, (int64_t)holders, 1);
        od_arena_rewind(cx->arena, mark);
    }
    for (size_t segment = 0; segment < 5; segment++) {
        check_true(segment, seen[segment] > 700, "about a fifth of the keys");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_layout_of_components_is_what_is_on_disk),
        TEST(the_hash_is_xxh3),
        TEST(the_layout_of_keys_is_what_is_on_disk),
        TEST(a_key_begins_with_its_partition),
        TEST(a_key_can_follow_other_bytes),
        TEST(attributes_are_found_in_the_schema),
        TEST(components_sort_as_dynamodb_sorts),
        TEST(keys_sort_as_their_values_do_one_after_another),
        TEST(keys_can_be_decoded),
        TEST(a_prefix_begins_exactly_the_keys_of_values_that_it_begins),
        TEST(after_a_prefix_comes_the_next_one),
        TEST(segments_split_the_hashes_evenly_without_gap_or_overlap),
        TEST(every_key_is_in_one_segment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
