// Warnings: what works, and is perhaps not what was meant.
#include "codegen/codegen_internal.h"

#include <assert.h>
#include <string.h>

enum {
    WRITES_OF_PARTITION = 1000 // a second
};

static const od_str none = {NULL, 0};

static od_str number(const struct od_codegen_entity *entity, uint64_t n)
{
    return od_codegen_number(entity->table->file, n);
}

// --- Order of text ------------------------------------------------------------------------------

// The text behind a field, up to the next.
static od_str text_behind(const struct od_codegen_template *template, size_t i)
{
    return i + 1 < template->count ? template->segments[i + 1].text : none;
}

static void advise_on_order(const struct od_codegen_entity *entity,
                            const struct od_codegen_template *sort)
{
    for (size_t i = 0; i < sort->field_count; i++) {
        const struct od_codegen_segment *segment = &sort->segments[i];
        enum od_codegen_type type = segment->field->type;
        od_str behind = text_behind(sort, i);
        // Nothing that is printed sorts below a blank.
        if (type == OD_CODEGEN_STRING && behind.len > 0 && behind.ptr[0] != ' ') {
            od_codegen_warn(entity, segment->at, OD_CODEGEN_DELIMITER_HAZARD, segment->name,
                            (od_str){behind.ptr, 1}, none);
        }
        if ((type == OD_CODEGEN_INT32 || type == OD_CODEGEN_INT64) && segment->kind == '\0') {
            od_codegen_warn(entity, segment->at, OD_CODEGEN_UNPADDED_NUMBER, segment->name, none,
                            none);
        }
    }
}

// --- Partitions ---------------------------------------------------------------------------------

static const char few_values[] = "there are few values of such a field";
static const char one_moment[] = "what is written in one moment goes to one";

// Last words of names, and what partitions by such fields are like.
static const struct {
    const char *word;
    const char *why;
} suspects[] = {
    {"bucket", one_moment}, {"category", few_values}, {"country", few_values},
    {"date", one_moment},   {"day", one_moment},      {"gender", few_values},
    {"hour", one_moment},   {"kind", few_values},     {"level", few_values},
    {"month", one_moment},  {"priority", few_values}, {"role", few_values},
    {"state", few_values},  {"status", few_values},   {"tier", few_values},
    {"week", one_moment},   {"year", one_moment},
};

// Of "order_status" it is "status".
static od_str last_word(od_str stem)
{
    const char *underscore = memrchr(stem.ptr, '_', stem.len);
    return underscore == NULL ? stem : od_str_skip(stem, (size_t)(underscore + 1 - stem.ptr));
}

static const char *why_by_name(const struct od_codegen_field *field)
{
    od_str word = last_word(field->stem);
    for (size_t i = 0; i < OD_COUNT(suspects); i++) {
        if (od_str_eq(word, od_cstr(suspects[i].word))) {
            return suspects[i].why;
        }
    }
    return NULL;
}

static bool is_shard(const struct od_codegen_segment *segment)
{
    enum od_codegen_type type = segment->field->type;
    return (type == OD_CODEGEN_INT32 || type == OD_CODEGEN_INT64) &&
           od_str_eq(last_word(segment->field->stem), OD_STR("shard"));
}

// Why the field alone makes hot partitions; NULL: it does not.
static const char *why_few(const struct od_codegen_segment *segment)
{
    switch (segment->field->type) {
    case OD_CODEGEN_BOOL:
        return "a bool has two values";
    case OD_CODEGEN_TIME:
        return one_moment;
    case OD_CODEGEN_STRING:
    case OD_CODEGEN_INT32:
    case OD_CODEGEN_INT64:
        return why_by_name(segment->field);
    default:
        return NULL;
    }
}

// One field that takes many values is enough.
static void advise_on_partition(const struct od_codegen_entity *entity,
                                const struct od_codegen_template *partition)
{
    const char *why = "the template has no field, so there is one";
    for (size_t i = 0; i < partition->field_count; i++) {
        why = why_few(&partition->segments[i]);
        if (why == NULL) {
            return;
        }
    }
    od_codegen_warn(entity, partition->text.at, OD_CODEGEN_FEW_VALUES, od_cstr(why), none, none);
}

static uint64_t power_of_ten(int digits)
{
    uint64_t power = 1;
    for (int i = 0; i < digits; i++) {
        power *= 10;
    }
    return power;
}

static void advise_on_shard(const struct od_codegen_entity *entity,
                            const struct od_codegen_segment *segment, uint64_t shards)
{
    uint64_t held = power_of_ten(segment->width);
    if (segment->kind == 'd' && held < shards) {
        od_codegen_warn(entity, segment->at, OD_CODEGEN_NARROW_SHARD, segment->inside,
                        number(entity, held), number(entity, shards));
    }
}

static od_str format_for(const struct od_codegen_entity *entity, uint64_t shards)
{
    int digits = 1;
    while (power_of_ten(digits) < shards) {
        digits++;
    }
    return od_arena_printf(entity->table->file->arena, "d%d", digits);
}

static void advise_on_peak(const struct od_codegen_entity *entity)
{
    uint64_t shards = (entity->peak_writes + WRITES_OF_PARTITION - 1) / WRITES_OF_PARTITION;
    const struct od_codegen_template *partition = &entity->keys->partition;
    if (shards < 2) {
        return;
    }
    for (size_t i = 0; i < partition->field_count; i++) {
        if (is_shard(&partition->segments[i])) {
            advise_on_shard(entity, &partition->segments[i], shards);
            return;
        }
    }
    od_codegen_warn(entity, entity->peak.at, OD_CODEGEN_NEEDS_SHARDS,
                    number(entity, entity->peak_writes), number(entity, shards),
                    format_for(entity, shards));
}

void od_codegen_advise(const struct od_codegen_entity *entity)
{
    assert(entity->keys != NULL); // the table's own
    for (const struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
        if (key->of->sort.text.ptr != NULL && key->of->sort_type == OD_CODEGEN_STRING) {
            advise_on_order(entity, &key->sort);
        }
        if (!key->of->local) {
            advise_on_partition(entity, &key->partition);
        }
    }
    advise_on_peak(entity);
}
