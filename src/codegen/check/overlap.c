// Whether two templates can make the same text. Each is a row of steps, a set of bytes each, that
// are taken once or several times; both rows are walked at once, the places in the second as bits.
#include "codegen/codegen_internal.h"

#include <string.h>

// Sets of bytes: a single one, or one of these.
enum alphabet { DIGITS = 256, HEX_DIGITS, SIGNS, LETTERS, NUMBER, ALL, ALPHABETS };

static const char *const members[ALPHABETS] = {
    [DIGITS] = "0123456789",  [HEX_DIGITS] = "0123456789abcdef",
    [SIGNS] = "0-",           [LETTERS] = "abcdefghijklmnopqrstuvwxyz",
    [NUMBER] = "-0123456789",
};

enum {
    MAX_STEPS = OD_CODEGEN_MAX_TEMPLATE + OD_CODEGEN_MAX_KEY_FIELDS * 40,
    WORD_BITS = 64,
    MAX_WORDS = MAX_STEPS / WORD_BITS + 1,
    NO_BYTE = -1,
};

struct step {
    int alphabet; // or a byte
    int but;      // a byte that ALL has not, or NO_BYTE
    bool repeats;
    bool may_be_empty;
};

struct steps {
    struct step *rows;
    size_t count;
};

// Bit `j` of a row of words: something is true of step `j`.
struct od_codegen_texts {
    struct steps steps;
    size_t words;
    uint64_t *sharing; // a row for each byte and alphabet: the steps that share a byte with it
    uint64_t *single;  // a byte and no other
    uint64_t *repeats;
    uint64_t *may_be_empty;
};

// --- The steps of a template --------------------------------------------------------------------

static struct step *append(struct steps *steps, int alphabet)
{
    struct step *step = &steps->rows[steps->count++];
    *step = (struct step){.alphabet = alphabet, .but = NO_BYTE};
    return step;
}

static void append_text(struct steps *steps, od_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        append(steps, (unsigned char)text.ptr[i]);
    }
}

static void append_digits(struct steps *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        append(steps, DIGITS);
    }
}

// 0 stands for a digit, x for a hexadecimal one.
static void append_shape(struct steps *steps, const char *shape)
{
    for (; *shape != '\0'; shape++) {
        append(steps, *shape == '0' ? DIGITS : *shape == 'x' ? HEX_DIGITS : *shape);
    }
}

// Any text without the byte behind it; where that is the first of several, any text.
static void append_string(struct steps *steps, od_str behind)
{
    struct step *step = append(steps, ALL);
    step->repeats = true;
    step->may_be_empty = true;
    step->but = behind.len == 1 ? (unsigned char)behind.ptr[0] : NO_BYTE;
}

static void append_number(struct steps *steps, const struct od_codegen_segment *segment)
{
    if (segment->kind == '\0') {
        append(steps, NUMBER)->repeats = true;
        return;
    }
    if (segment->kind == 'n') {
        append(steps, SIGNS);
    }
    append_digits(steps, (size_t)segment->width);
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
    case OD_CODEGEN_BOOL:
        append(steps, LETTERS)->repeats = true;
        return;
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

// --- Steps as bits ------------------------------------------------------------------------------

static void set_bit(uint64_t *row, size_t j)
{
    row[j / WORD_BITS] |= (uint64_t)1 << (j % WORD_BITS);
}

static bool has_bit(const uint64_t *row, size_t j)
{
    return (row[j / WORD_BITS] >> (j % WORD_BITS) & 1) != 0;
}

static uint64_t *sharing(const struct od_codegen_texts *texts, int alphabet)
{
    return &texts->sharing[(size_t)alphabet * texts->words];
}

static void mark_bytes(struct od_codegen_texts *texts, size_t j)
{
    const struct step *step = &texts->steps.rows[j];
    if (step->alphabet < DIGITS) {
        set_bit(sharing(texts, step->alphabet), j);
        return;
    }
    if (step->alphabet != ALL) {
        for (const char *byte = members[step->alphabet]; *byte != '\0'; byte++) {
            set_bit(sharing(texts, *byte), j);
        }
        return;
    }
    for (int byte = 0; byte < DIGITS; byte++) {
        if (byte != step->but) {
            set_bit(sharing(texts, byte), j);
        }
    }
}

static void mark_step(struct od_codegen_texts *texts, size_t j)
{
    const struct step *step = &texts->steps.rows[j];
    mark_bytes(texts, j);
    set_bit(sharing(texts, ALL), j);
    if (step->alphabet < DIGITS) {
        set_bit(texts->single, j);
    }
    if (step->repeats) {
        set_bit(texts->repeats, j);
    }
    if (step->may_be_empty) {
        set_bit(texts->may_be_empty, j);
    }
}

// What shares a byte with an alphabet shares one with a member of it.
static void mark_alphabet(struct od_codegen_texts *texts, int alphabet)
{
    uint64_t *row = sharing(texts, alphabet);
    for (const char *byte = members[alphabet]; *byte != '\0'; byte++) {
        for (size_t word = 0; word < texts->words; word++) {
            row[word] |= sharing(texts, *byte)[word];
        }
    }
}

const struct od_codegen_texts *od_codegen_texts_of(od_arena *arena,
                                                   const struct od_codegen_template *template)
{
    struct od_codegen_texts *texts = od_new(arena, struct od_codegen_texts);
    texts->steps = make_steps(arena, template);
    texts->words = texts->steps.count / WORD_BITS + 1;
    texts->sharing = od_new_array(arena, uint64_t, ALPHABETS * texts->words);
    texts->single = od_new_array(arena, uint64_t, texts->words);
    texts->repeats = od_new_array(arena, uint64_t, texts->words);
    texts->may_be_empty = od_new_array(arena, uint64_t, texts->words);
    for (size_t j = 0; j < texts->steps.count; j++) {
        mark_step(texts, j);
    }
    for (int alphabet = DIGITS; alphabet < ALL; alphabet++) {
        mark_alphabet(texts, alphabet);
    }
    return texts;
}

// --- Both at once -------------------------------------------------------------------------------

// The steps of `right` that share a byte with the step.
static void find_sharing(const struct step *step, const struct od_codegen_texts *right,
                         uint64_t *out)
{
    memcpy(out, sharing(right, step->alphabet), right->words * sizeof(*out));
    for (size_t word = 0; word < right->words && step->but != NO_BYTE; word++) {
        out[word] &= ~(sharing(right, step->but)[word] & right->single[word]);
    }
}

// Without a step of the left: over steps of `right` that may be empty and, when the left one can be
// taken again, over those that share a byte with it.
static void go_on(const struct step *step, const struct od_codegen_texts *right,
                  const uint64_t *shared, uint64_t *here)
{
    uint64_t carry = 0;
    for (size_t word = 0; word < right->words; word++) {
        const uint64_t passes = right->may_be_empty[word] | (step->repeats ? shared[word] : 0);
        here[word] |= carry;
        uint64_t more = 0;
        while ((more = (here[word] & passes) << 1 & ~here[word]) != 0) {
            here[word] |= more;
        }
        carry = (here[word] & passes) >> (WORD_BITS - 1);
    }
}

// Bit `j` of `here`: a text takes all steps of the left so far, and `j` of `right`. That of `here`
// becomes what it is with one step more. False when no text takes so many.
static bool take_step(const struct step *step, const struct od_codegen_texts *right, uint64_t *here)
{
    uint64_t shared[MAX_WORDS];
    uint64_t reached = 0;
    uint64_t carry = 0;
    find_sharing(step, right, shared);
    go_on(step, right, shared, here);
    for (size_t word = 0; word < right->words; word++) {
        const uint64_t moved = here[word] & shared[word];
        const uint64_t stay = step->may_be_empty ? here[word] : moved & right->repeats[word];
        here[word] = stay | moved << 1 | carry;
        carry = moved >> (WORD_BITS - 1);
        reached |= here[word];
    }
    return reached != 0;
}

// What is left of `right` may be taken without a byte.
static bool reaches_end(const struct od_codegen_texts *right, const uint64_t *here)
{
    size_t j = right->steps.count;
    while (j > 0 && !has_bit(here, j) && has_bit(right->may_be_empty, j - 1)) {
        j--;
    }
    return has_bit(here, j);
}

bool od_codegen_overlaps(const struct od_codegen_texts *a, const struct od_codegen_texts *b)
{
    uint64_t here[MAX_WORDS] = {1};
    for (size_t i = 0; i < a->steps.count; i++) {
        if (!take_step(&a->steps.rows[i], b, here)) {
            return false;
        }
    }
    return reaches_end(b, here);
}
