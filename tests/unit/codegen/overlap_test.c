#include "../base/support.h"
#include "codegen/codegen_internal.h"

enum { ROUNDS = 200000, MAX_PIECES = 4 };

// The first letter of a field's name says its type.
static const struct od_codegen_field fields[] = {
    {.name = {.text = OD_STR_INIT("S")}, .type = OD_CODEGEN_STRING},
    {.name = {.text = OD_STR_INIT("I")}, .type = OD_CODEGEN_INT32},
    {.name = {.text = OD_STR_INIT("T")}, .type = OD_CODEGEN_TIME},
    {.name = {.text = OD_STR_INIT("U")}, .type = OD_CODEGEN_UUID},
    {.name = {.text = OD_STR_INIT("B")}, .type = OD_CODEGEN_BOOL},
};

static struct od_codegen_template make(od_arena *arena, const char *text)
{
    struct od_codegen_file file = {.arena = arena};
    struct od_codegen_template template = {.text = {.text = od_cstr(text)}};
    assert_true(od_codegen_read_template(&file, &template));
    for (size_t i = 0; i < template.field_count; i++) {
        for (size_t j = 0; j < OD_COUNT(fields); j++) {
            if (od_str_eq(template.segments[i].name, fields[j].name.text)) {
                template.segments[i].field = &fields[j];
            }
        }
        assert_non_null(template.segments[i].field);
    }
    return template;
}

static bool overlap(od_arena *arena, const struct od_codegen_template *a,
                    const struct od_codegen_template *b)
{
    return od_codegen_overlaps(od_codegen_texts_of(arena, a), od_codegen_texts_of(arena, b));
}

static void two_templates_overlap_when_a_text_is_of_both(void **state)
{
    od_arena *arena = *state;
    const struct {
        const char *a, *b;
        bool overlap;
    } rows[] = {
        {"PROFILE", "MANIFEST", false},
        {"PROFILE", "PROFILES", false},
        {"CHUNK#{I:d4}", "MANIFEST", false},
        {"USER#{S}", "ORDER#{S}", false},
        {"USER#{S}", "USER", false},
        {"{I}", "PROFILE", false},
        {"{I:d4}", "{I:d5}", false},
        {"{I:d4}", "-001", false},
        {"{T}", "{U}", false},
        {"{T}#{I:d6}", "{T}", false},
        {"{S}#A", "{S}#B", false}, // no S has a # in it
        {"{S}#{I}", "A##1", false},
        {"{B}", "{I}", false},
        {"{I:n2}", "{I:d2}", false},
        {"PROFILE", "PROFILE", true},
        {"{S}", "PROFILE", true},
        {"{S}", "{T}#{U}", true},
        {"USER#{S}", "USER#{S}#ORDER#{I:d4}", true},
        {"USER#{S}", "USER#", true}, // an S may be empty
        {"{S}#{S}", "#", true},
        {"{I:d4}", "{I}", true},
        {"{I:d3}", "{I:n2}", true},
        {"{I:n2}", "-07", true},
        {"{I}", "-5", true},
        {"{T}", "2026-11-30T00:00:00.000Z", true},
        {"{U}", "01a196fb-1600-7c3e-8000-0123456789ab", true},
        {"{B}", "true", true},
        {"{S}#{S}", "A#B#C", true},
        {"{S}#{S}#", "A#B", false},
        // Rows of more than 64 steps.
        {"{S}##{U}{T}{U}", "{U}##{U}{T}{U}", true},
        {"{S}##{U}{T}{U}1", "{S}##{U}{T}{U}2", false},
        {"{U}{T}{U}{T}#{S}", "{U}{T}{U}{T}", false},
        {"{U}{T}{U}{T}{S}", "{U}{T}{U}{T}", true},
        {"{S}", "{U}{T}{U}{T}{U}{T}", true},
        {"{S}#{I}", "{U}{T}{U}#{I:d9}{I:d9}{I:d9}", true},
        {"{S}#{I}", "{U}{T}{U}#{I:d9}{I:d9}{I:d9}x", false},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_codegen_template a = make(arena, rows[i].a);
        struct od_codegen_template b = make(arena, rows[i].b);
        check_int(i, overlap(arena, &a, &b), rows[i].overlap);
        check_int(i, overlap(arena, &b, &a), rows[i].overlap);
    }
}

// --- Random templates, and texts that they make -------------------------------------------------

static uint64_t seed = 1;

static size_t below(size_t n)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (size_t)(seed >> 33) % n;
}

static od_str random_template(od_arena *arena)
{
    static const char *const pieces[] = {"a", "#", "1", "#", "{S}#", "{I:d1}", "{I}#", "b#"};
    static const char *const ends[] = {"", "{S}", "{I}", "{I:n1}"};
    struct od_buf out = {.arena = arena};
    size_t count = 1 + below(MAX_PIECES);
    for (size_t i = 0; i < count; i++) {
        od_buf_put(&out, od_cstr(pieces[below(OD_COUNT(pieces))]));
    }
    od_buf_put(&out, od_cstr(ends[below(OD_COUNT(ends))]));
    return od_arena_copy(arena, od_buf_str(&out));
}

static void put_string(struct od_buf *out, bool is_last)
{
    static const char letters[] = {'a', '1', 'b', '#'};
    size_t len = below(3);
    for (size_t i = 0; i < len; i++) {
        od_buf_put_byte(out, (unsigned char)letters[below(is_last ? 4 : 3)]);
    }
}

static void put_value(struct od_buf *out, const struct od_codegen_segment *segment, bool is_last)
{
    if (segment->field->type == OD_CODEGEN_STRING) {
        put_string(out, is_last);
        return;
    }
    if (segment->kind == 'n') {
        od_buf_put_byte(out, below(2) == 0 ? '0' : '-');
    }
    od_buf_put_byte(out, below(2) == 0 ? '0' : '1');
}

static od_str random_text(od_arena *arena, const struct od_codegen_template *template)
{
    struct od_buf out = {.arena = arena};
    for (size_t i = 0; i < template->count; i++) {
        od_buf_put(&out, template->segments[i].text);
        if (template->segments[i].field != NULL) {
            put_value(&out, &template->segments[i], i + 1 == template->count);
        }
    }
    return od_buf_str(&out);
}

static void templates_that_make_one_text_overlap(void **state)
{
    od_arena *arena = *state;
    size_t met = 0;
    for (size_t i = 0; i < ROUNDS; i++) {
        od_mark mark = od_arena_mark(arena);
        struct od_codegen_template a = make(arena, random_template(arena).ptr);
        struct od_codegen_template b = make(arena, random_template(arena).ptr);
        if (od_str_eq(random_text(arena, &a), random_text(arena, &b))) {
            met++;
            check_int(i, overlap(arena, &a, &b), true);
        }
        od_arena_rewind(arena, mark);
    }
    assert_true(met > ROUNDS / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_templates_overlap_when_a_text_is_of_both),
        TEST(templates_that_make_one_text_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
