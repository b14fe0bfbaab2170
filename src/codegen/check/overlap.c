// Whether two templates can make the same text. Each is a row of steps, a set of bytes each, that
// are taken once or several times; both rows are walked at once.
#include "codegen/codegen_internal.h"

#include <string.h>

enum {
    MAX_STEPS = OD_CODEGEN_MAX_TEMPLATE + OD_CODEGEN_MAX_KEY_FIELDS * 40,
    SET_WORDS = 4 // 256 bits
};

struct step {
    uint64_t set[SET_WORDS];
    bool repeats;
    bool may_be_empty;
};

struct steps {
    struct step *rows;
    size_t count;
};

static void add_byte(struct step *step, unsigned char byte)
{
    step->set[byte / 64] |= (uint64_t)1 << (byte % 64);
}

static void add_range(struct step *step, unsigned char from, unsigned char to)
{
    for (unsigned c = from; c <= to; c++) {
        add_byte(step, (unsigned char)c);
    }
}

static struct step *append(struct steps *steps)
{
    return &steps->rows[steps->count++];
}

static void append_text(struct steps *steps, od_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        add_byte(append(steps), (unsigned char)text.ptr[i]);
    }
}

static void append_digits(struct steps *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_range(append(steps), '0', '9');
    }
}

// 0 stands for a digit, x for a hexadecimal one.
static void append_shape(struct steps *steps, const char *shape)
{
    for (; *shape != '\0'; shape++) {
        struct step *step = append(steps);
        if (*shape != '0' && *shape != 'x') {
            add_byte(step, (unsigned char)*shape);
            continue;
        }
        add_range(step, '0', '9');
        if (*shape == 'x') {
            add_range(step, 'a', 'f');
        }
    }
}

// Any text without the byte behind it; where that is the first of several, any text.
static void append_string(struct steps *steps, od_str behind)
{
    struct step *step = append(steps);
    memset(step->set, 0xFF, sizeof(step->set));
    step->repeats = true;
    step->may_be_empty = true;
    if (behind.len == 1) {
        unsigned char byte = (unsigned char)behind.ptr[0];
        step->set[byte / 64] &= ~((uint64_t)1 << (byte % 64));
    }
}

static void append_number(struct steps *steps, const struct od_codegen_segment *segment)
{
    if (segment->kind == 'n') {
        struct step *sign = append(steps);
        add_byte(sign, '0');
        add_byte(sign, '-');
    }
    if (segment->kind != '\0') {
        append_digits(steps, (size_t)segment->width);
        return;
    }
    struct step *step = append(steps);
    add_range(step, '0', '9');
    add_byte(step, '-');
    step->repeats = true;
}

static void append_field(struct steps *steps, const struct od_codegen_segment *segment,
                         od_str behind)
{
    switch (segment->field->type) {
    case OD_CODEGEN_INT32:
    case OD_CODEGEN_INT64:
        append_number(steps, segment);
        return;
    case OD_CODEGEN_TIME:
        append_shape(steps, "0000-00-00T00:00:00.000Z");
        return;
    case OD_CODEGEN_UUID:
        append_shape(steps, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
        return;
    case OD_CODEGEN_BOOL: {
        struct step *step = append(steps);
        add_range(step, 'a', 'z');
        step->repeats = true;
        return;
    }
    default:
        append_string(steps, behind);
    }
}

static struct steps make_steps(od_arena *arena, const struct od_codegen_template *template)
{
    struct steps steps = {.rows = od_new_array(arena, struct step, MAX_STEPS)};
    for (size_t i = 0; i < template->count; i++) {
        append_text(&steps, template->segments[i].text);
        if (template->segments[i].field != NULL) {
            od_str behind = i + 1 < template->count ? template->segments[i + 1].text : OD_STR("");
            append_field(&steps, &template->segments[i], behind);
        }
    }
    return steps;
}

static bool share_a_byte(const struct step *a, const struct step *b)
{
    for (size_t i = 0; i < SET_WORDS; i++) {
        if ((a->set[i] & b->set[i]) != 0) {
            return true;
        }
    }
    return false;
}

// `here[j]`: a text takes all steps of `left` so far, and `j` of `right`. Fills in `next` for one
// step more of `left`. False when no text takes so many.
static bool take_step(const struct step *left, const struct steps *right, bool *here, bool *next)
{
    bool reached = false;
    memset(next, 0, (right->count + 1) * sizeof(*next));
    for (size_t j = 0; j <= right->count; j++) {
        if (!here[j]) {
            continue;
        }
        next[j] |= left->may_be_empty;
        reached |= next[j];
        if (j == right->count) {
            break;
        }
        const struct step *step = &right->rows[j];
        here[j + 1] |= step->may_be_empty;
        if (share_a_byte(left, step)) {
            reached = true;
            next[j + 1] = true;
            next[j] |= step->repeats;
            here[j + 1] |= left->repeats;
        }
    }
    return reached;
}

// What is left of `right` may be taken without a byte.
static bool reaches_end(const struct steps *right, const bool *here)
{
    size_t j = right->count;
    while (j > 0 && !here[j] && right->rows[j - 1].may_be_empty) {
        j--;
    }
    return here[j];
}

bool od_codegen_overlaps(od_arena *arena, const struct od_codegen_template *a,
                         const struct od_codegen_template *b)
{
    od_mark mark = od_arena_mark(arena);
    struct steps left = make_steps(arena, a);
    struct steps right = make_steps(arena, b);
    bool *here = od_new_array(arena, bool, right.count + 1);
    bool *next = od_new_array(arena, bool, right.count + 1);
    here[0] = true;
    bool reached = true;
    for (size_t i = 0; i < left.count && reached; i++) {
        reached = take_step(&left.rows[i], &right, here, next);
        bool *swap = here;
        here = next;
        next = swap;
    }
    bool overlaps = reached && reaches_end(&right, here);
    od_arena_rewind(arena, mark);
    return overlaps;
}
