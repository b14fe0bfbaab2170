#include "notation.h"

#include "base/attr.h"

enum { MAX_MEMBERS = 64 };

struct reader {
    od_ctx *cx;
    od_str rest;
};

static od_value read_value(struct reader *reader);

static bool take(struct reader *reader, const char *token)
{
    while (reader->rest.len > 0 && reader->rest.ptr[0] == ' ') {
        reader->rest = od_str_skip(reader->rest, 1);
    }
    od_str wanted = od_cstr(token);
    if (!od_str_has_prefix(reader->rest, wanted)) {
        return false;
    }
    reader->rest = od_str_skip(reader->rest, wanted.len);
    return true;
}

// The text up to one of `stops`, which stays.
static od_str take_until(struct reader *reader, od_str stops)
{
    od_str taken = {reader->rest.ptr, 0};
    while (reader->rest.len > 0 && !od_str_contains(stops, (od_str){reader->rest.ptr, 1})) {
        reader->rest = od_str_skip(reader->rest, 1);
        taken.len++;
    }
    return taken;
}

static od_value read_text(struct reader *reader)
{
    struct od_buf out = {.arena = reader->cx->arena};
    od_pack_s(&out, take_until(reader, OD_STR("'")));
    assert_true(take(reader, "'"));
    return od_packed(&out);
}

static od_value read_binary(struct reader *reader)
{
    struct od_buf out = {.arena = reader->cx->arena};
    od_str hex = od_arena_copy(reader->cx->arena, take_until(reader, OD_STR("'")));
    od_pack_b(&out, from_hex(reader->cx->arena, hex.ptr));
    assert_true(take(reader, "'"));
    return od_packed(&out);
}

static od_value read_number(struct reader *reader)
{
    struct od_buf out = {.arena = reader->cx->arena};
    od_number n = {0};
    od_str text = take_until(reader, OD_STR(" ,]}>"));
    assert_int_equal(od_number_parse(reader->cx, text, &n), OD_OK);
    od_pack_number(&out, n);
    return od_packed(&out);
}

static size_t read_members(struct reader *reader, const char *end, od_value *members)
{
    size_t count = 0;
    while (!take(reader, end)) {
        assert_true(count < MAX_MEMBERS);
        members[count++] = read_value(reader);
        (void)take(reader, ",");
    }
    return count;
}

static od_value read_list(struct reader *reader)
{
    struct od_buf out = {.arena = reader->cx->arena};
    od_value members[MAX_MEMBERS];
    size_t count = read_members(reader, "]", members);
    size_t mark = od_pack_open(&out, OD_TYPE_L);
    for (size_t i = 0; i < count; i++) {
        od_pack_value(&out, members[i]);
    }
    od_pack_close(&out, mark, count);
    return od_packed(&out);
}

static od_value read_map(struct reader *reader)
{
    struct od_entry entries[MAX_MEMBERS];
    size_t count = 0;
    while (!take(reader, "}")) {
        assert_true(count < MAX_MEMBERS);
        entries[count].name = take_until(reader, OD_STR(":"));
        assert_true(take(reader, ":"));
        entries[count++].value = read_value(reader);
        (void)take(reader, ",");
    }
    return od_map_build(reader->cx->arena, entries, count);
}

static enum od_type set_type(od_value member)
{
    switch (od_value_type(member)) {
    case OD_TYPE_S:
        return OD_TYPE_SS;
    case OD_TYPE_N:
        return OD_TYPE_NS;
    default:
        return OD_TYPE_BS;
    }
}

static od_value read_set(struct reader *reader)
{
    struct od_buf out = {.arena = reader->cx->arena};
    od_value members[MAX_MEMBERS];
    size_t count = read_members(reader, ">", members);
    assert_true(count > 0);
    assert_true(od_pack_set(&out, set_type(members[0]), members, count));
    return od_packed(&out);
}

static od_value read_word(struct reader *reader)
{
    struct od_buf out = {.arena = reader->cx->arena};
    if (take(reader, "null")) {
        od_pack_null(&out);
        return od_packed(&out);
    }
    bool is_true = take(reader, "true");
    if (is_true || take(reader, "false")) {
        od_pack_bool(&out, is_true);
        return od_packed(&out);
    }
    return read_number(reader);
}

static od_value read_value(struct reader *reader)
{
    static const struct {
        const char *start;
        od_value (*read)(struct reader *reader);
    } forms[] = {
        {"'", read_text}, {"x'", read_binary}, {"[", read_list}, {"{", read_map}, {"<", read_set},
    };
    for (size_t i = 0; i < OD_COUNT(forms); i++) {
        if (take(reader, forms[i].start)) {
            return forms[i].read(reader);
        }
    }
    return read_word(reader);
}

od_value value_of(od_ctx *cx, const char *text)
{
    struct reader reader = {cx, od_cstr(text)};
    od_value value = read_value(&reader);
    if (reader.rest.len > 0) {
        fail_msg("not a value: %s", text);
    }
    return value;
}
