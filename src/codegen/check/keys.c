// Keys of an entity: templates and the fields that they name.
#include "codegen/codegen_internal.h"

#include <assert.h>

static const od_str none = {NULL, 0};

// One template in its place.
struct spot {
    const struct od_codegen_entity *entity;
    const struct od_codegen_table_key *key;
    const struct od_codegen_word *attribute;
    enum od_codegen_type type;
    struct od_codegen_template *template;
};

static struct od_codegen_file *file_of(const struct spot *spot)
{
    return spot->entity->table->file;
}

// --- Fields -------------------------------------------------------------------------------------

static const struct od_codegen_field *find_field(const struct od_codegen_entity *entity,
                                                 od_str name)
{
    for (const struct od_codegen_field *field = entity->fields; field != NULL;
         field = field->next) {
        if (od_str_eq(field->name.text, name)) {
            return field;
        }
    }
    return NULL;
}

static bool find_fields(const struct spot *spot)
{
    struct od_codegen_file *file = file_of(spot);
    bool found = true;
    for (size_t i = 0; i < spot->template->field_count; i++) {
        struct od_codegen_segment *segment = &spot->template->segments[i];
        segment->field = find_field(spot->entity, segment->name);
        if (segment->field == NULL) {
            found = false;
            od_codegen_report(file, segment->at, OD_CODEGEN_MISSING_FIELD,
                              od_codegen_show(file, spot->entity->name.text),
                              od_codegen_show(file, segment->name), none);
        }
    }
    return found;
}

static bool is_integer(const struct od_codegen_field *field)
{
    return field->shape == OD_CODEGEN_ONE &&
           (field->type == OD_CODEGEN_INT32 || field->type == OD_CODEGEN_INT64);
}

// "string", "set of string"
static od_str describe(struct od_codegen_file *file, const struct od_codegen_field *field)
{
    static const char *const shapes[] = {"", "list of ", "set of ", "map of "};
    return od_arena_printf(file->arena, "%s%s", shapes[field->shape],
                           od_codegen_types[field->type].word);
}

static void check_format(const struct spot *spot, const struct od_codegen_segment *segment)
{
    struct od_codegen_file *file = file_of(spot);
    if (segment->kind != '\0' && !is_integer(segment->field)) {
        od_codegen_report(file, segment->at, OD_CODEGEN_FORMAT_OF_TYPE, segment->format,
                          od_codegen_show(file, segment->name), describe(file, segment->field));
    }
}

static void check_presence(const struct spot *spot, const struct od_codegen_segment *segment)
{
    struct od_codegen_file *file = file_of(spot);
    od_str name = od_codegen_show(file, segment->name);
    if (segment->field->role == OD_CODEGEN_VERSION) {
        od_codegen_report(file, segment->at, OD_CODEGEN_VERSION_IN_KEY, name, none, none);
    }
    // An item without an index's key is not in that index, and that may be meant.
    if (segment->field->optional && spot->key->index.text.ptr == NULL) {
        od_codegen_report(file, segment->at, OD_CODEGEN_OPTIONAL_IN_KEY, name, none, none);
    }
}

static void check_repetition(const struct spot *spot, size_t i)
{
    const struct od_codegen_segment *segments = spot->template->segments;
    for (size_t before = 0; before < i; before++) {
        if (segments[before].field == segments[i].field) {
            od_codegen_report(file_of(spot), segments[i].at, OD_CODEGEN_FIELD_AGAIN,
                              od_codegen_show(file_of(spot), segments[i].name), none, none);
            return;
        }
    }
}

// --- Keys of text -------------------------------------------------------------------------------

static void check_text_type(const struct spot *spot, const struct od_codegen_segment *segment)
{
    const struct od_codegen_field *field = segment->field;
    bool fits = field->shape == OD_CODEGEN_ONE && field->type != OD_CODEGEN_DOUBLE &&
                field->type != OD_CODEGEN_DECIMAL && field->type != OD_CODEGEN_BYTES;
    if (!fits) {
        od_codegen_report(file_of(spot), segment->at, OD_CODEGEN_TYPE_IN_KEY,
                          od_codegen_show(file_of(spot), segment->name),
                          describe(file_of(spot), field), none);
    }
}

static bool has_fixed_width(const struct od_codegen_segment *segment)
{
    return segment->kind != '\0' || segment->field->type == OD_CODEGEN_TIME ||
           segment->field->type == OD_CODEGEN_UUID;
}

static void check_distance(const struct spot *spot, size_t i)
{
    const struct od_codegen_segment *before = &spot->template->segments[i - 1];
    const struct od_codegen_segment *segment = before + 1;
    if (segment->text.len == 0 && !has_fixed_width(before)) {
        od_codegen_report(file_of(spot), segment->at, OD_CODEGEN_ADJACENT_FIELDS,
                          od_codegen_show(file_of(spot), before->name),
                          od_codegen_show(file_of(spot), segment->name), none);
    }
}

static void check_text_template(const struct spot *spot)
{
    for (size_t i = 0; i < spot->template->field_count; i++) {
        const struct od_codegen_segment *segment = &spot->template->segments[i];
        check_text_type(spot, segment);
        check_format(spot, segment);
        check_presence(spot, segment);
        check_repetition(spot, i);
        if (i > 0) {
            check_distance(spot, i);
        }
    }
}

// --- Keys of numbers and bytes ------------------------------------------------------------------

static bool has_key_type(const struct od_codegen_field *field, enum od_codegen_type key)
{
    if (field->shape != OD_CODEGEN_ONE) {
        return false;
    }
    if (key == OD_CODEGEN_BYTES) {
        return field->type == OD_CODEGEN_BYTES;
    }
    return is_integer(field) || field->type == OD_CODEGEN_DECIMAL ||
           field->type == OD_CODEGEN_DOUBLE;
}

static void check_whole_template(const struct spot *spot)
{
    const struct od_codegen_template *template = spot->template;
    const struct od_codegen_segment *segment = template->segments;
    bool is_bytes = spot->type == OD_CODEGEN_BYTES;
    bool fits = template->count == 1 && template->field_count == 1 && segment->text.len == 0 &&
                segment->kind == '\0' && has_key_type(segment->field, spot->type);
    if (!fits) {
        od_codegen_report(file_of(spot), template->text.at, OD_CODEGEN_WHOLE_KEY,
                          od_codegen_show(file_of(spot), spot->attribute->text),
                          is_bytes ? OD_STR("bytes") : OD_STR("a number"),
                          is_bytes ? OD_STR("bytes") : OD_STR("int32, int64, decimal or double"));
        return;
    }
    check_presence(spot, segment);
}

// --- Keys of an entity --------------------------------------------------------------------------

// Whether the field is stored as a key of that type.
static bool is_stored_as(const struct od_codegen_field *field, enum od_codegen_type key)
{
    if (key != OD_CODEGEN_STRING) {
        return has_key_type(field, key);
    }
    return field->shape == OD_CODEGEN_ONE &&
           (field->type == OD_CODEGEN_STRING || field->type == OD_CODEGEN_UUID ||
            (field->type == OD_CODEGEN_TIME && field->role != OD_CODEGEN_TTL));
}

// The field whose attribute the key is must be all of the key: it is stored once.
static void check_own_attribute(const struct spot *spot)
{
    const struct od_codegen_field *field = find_field(spot->entity, spot->attribute->text);
    const struct od_codegen_segment *segment = spot->template->segments;
    if (field == NULL) {
        return;
    }
    bool is_whole = spot->template->count == 1 && segment->field == field &&
                    segment->text.len == 0 && segment->kind == '\0';
    if (!is_whole || !is_stored_as(field, spot->type)) {
        od_codegen_report(file_of(spot), field->name.at, OD_CODEGEN_ATTRIBUTE_TAKEN,
                          od_codegen_show(file_of(spot), field->name.text),
                          OD_STR("a key made by another template"), none);
    }
}

static void check_spot(const struct spot *spot)
{
    if (spot->template->count == 0 || !find_fields(spot)) {
        return;
    }
    if (spot->type == OD_CODEGEN_STRING) {
        check_text_template(spot);
    } else {
        check_whole_template(spot);
    }
    check_own_attribute(spot);
}

static void check_missing(const struct spot *spot, struct od_codegen_place at)
{
    struct od_codegen_file *file = file_of(spot);
    if (spot->attribute->text.ptr != NULL && spot->template->text.text.ptr == NULL) {
        od_codegen_report(file, at, OD_CODEGEN_NO_TEMPLATE,
                          od_codegen_show(file, spot->entity->name.text),
                          od_codegen_show(file, spot->attribute->text), none);
    }
}

static void check_superfluous(const struct spot *spot, const char *what)
{
    struct od_codegen_file *file = file_of(spot);
    od_str where = spot->key->index.text;
    if (spot->attribute->text.ptr == NULL && spot->template->text.text.ptr != NULL) {
        od_str named = where.ptr == NULL ? OD_STR("") : od_codegen_show(file, where);
        od_codegen_report(file, spot->template->text.at, OD_CODEGEN_NO_SUCH_KEY,
                          od_codegen_show(file, spot->entity->table->name.text),
                          od_arena_printf(file->arena, "%s%s%.*s", what,
                                          where.ptr == NULL ? "" : " in index ", OD_STR_ARG(named)),
                          none);
    }
}

static void check_partition(const struct od_codegen_entity *entity, struct od_codegen_key *key,
                            struct od_codegen_place at)
{
    struct spot spot = {
        .entity = entity,
        .key = key->of,
        .attribute = &key->of->partition,
        .type = key->of->partition_type,
        .template = &key->partition,
    };
    struct od_codegen_file *file = file_of(&spot);
    if (!key->of->local) {
        check_missing(&spot, at);
        check_spot(&spot);
        return;
    }
    if (key->partition.text.text.ptr != NULL) {
        od_codegen_report(file, key->partition.text.at, OD_CODEGEN_OUT_OF_PLACE,
                          od_codegen_show(file, key->partition.text.text),
                          OD_STR("the partition of a local index is the table's"), none);
    }
    key->partition = entity->keys->partition;
}

static void check_sort(const struct od_codegen_entity *entity, struct od_codegen_key *key,
                       struct od_codegen_place at)
{
    struct spot spot = {
        .entity = entity,
        .key = key->of,
        .attribute = &key->of->sort,
        .type = key->of->sort_type,
        .template = &key->sort,
    };
    check_missing(&spot, at);
    check_superfluous(&spot, "sort key");
    if (key->of->sort.text.ptr != NULL) {
        check_spot(&spot);
    }
}

// --- Keys that share an attribute ---------------------------------------------------------------

struct part {
    od_str attribute;
    const struct od_codegen_word *template;
};

static size_t add_part(struct part *parts, size_t count, const struct od_codegen_word *attribute,
                       const struct od_codegen_template *template)
{
    if (attribute->text.ptr == NULL || template->text.text.ptr == NULL) {
        return count;
    }
    parts[count] = (struct part){attribute->text, &template->text};
    return count + 1;
}

static void check_shared(struct od_codegen_file *file, const struct part *parts, size_t count)
{
    const struct part *last = &parts[count - 1];
    for (size_t i = 0; i + 1 < count; i++) {
        if (od_str_eq(parts[i].attribute, last->attribute) &&
            !od_str_eq(parts[i].template->text, last->template->text)) {
            od_codegen_report(file, last->template->at, OD_CODEGEN_TWO_TEMPLATES,
                              od_codegen_show(file, last->attribute),
                              od_codegen_number(file, parts[i].template->at.line), none);
            return;
        }
    }
}

static void check_all_shared(const struct od_codegen_entity *entity)
{
    struct part parts[2 * OD_CODEGEN_MAX_KEYS];
    size_t count = 0;
    for (const struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
        if (key->of == NULL) {
            continue;
        }
        size_t before = count;
        count = add_part(parts, count, &key->of->partition, &key->partition);
        if (count > before) {
            check_shared(entity->table->file, parts, count);
        }
        before = count;
        count = add_part(parts, count, &key->of->sort, &key->sort);
        if (count > before) {
            check_shared(entity->table->file, parts, count);
        }
    }
}

// --- Keys that the entity does not name ---------------------------------------------------------

// DynamoDB refuses items whose attribute of an index's key is of another type.
static void check_stored_type(const struct od_codegen_entity *entity,
                              const struct od_codegen_word *attribute, enum od_codegen_type type)
{
    struct od_codegen_file *file = entity->table->file;
    const struct od_codegen_field *field =
        attribute->text.ptr == NULL ? NULL : find_field(entity, attribute->text);
    if (field != NULL && !is_stored_as(field, type)) {
        od_codegen_report(file, field->name.at, OD_CODEGEN_ATTRIBUTE_TAKEN,
                          od_codegen_show(file, field->name.text),
                          OD_STR("an index's key of another type"), none);
    }
}

static bool names_key(const struct od_codegen_entity *entity, const struct od_codegen_table_key *of)
{
    for (const struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
        if (key->of == of) {
            return true;
        }
    }
    return false;
}

static void check_unnamed_keys(const struct od_codegen_entity *entity)
{
    for (const struct od_codegen_table_key *key = entity->table->keys; key != NULL;
         key = key->next) {
        if (!names_key(entity, key)) {
            check_stored_type(entity, &key->partition, key->partition_type);
            check_stored_type(entity, &key->sort, key->sort_type);
        }
    }
}

static const struct od_codegen_table_key *find_key(const struct od_codegen_table *table,
                                                   od_str index)
{
    for (const struct od_codegen_table_key *key = table->keys->next; key != NULL; key = key->next) {
        if (od_str_eq(key->index.text, index)) {
            return key;
        }
    }
    return NULL;
}

void od_codegen_check_keys(struct od_codegen_entity *entity)
{
    const struct od_codegen_table *table = entity->table;
    struct od_codegen_file *file = table->file;
    assert(table->keys != NULL && entity->keys != NULL); // the table's own
    for (struct od_codegen_key *key = entity->keys; key != NULL; key = key->next) {
        bool is_own = key == entity->keys;
        key->of = is_own ? table->keys : find_key(table, key->index.text);
        if (key->of == NULL) {
            od_codegen_report(file, key->index.at, OD_CODEGEN_NO_SUCH_KEY,
                              od_codegen_show(file, table->name.text),
                              od_arena_printf(file->arena, "index %.*s",
                                              OD_STR_ARG(od_codegen_show(file, key->index.text))),
                              none);
            continue;
        }
        struct od_codegen_place at = is_own ? entity->name.at : key->index.at;
        check_partition(entity, key, at);
        check_sort(entity, key, at);
    }
    check_all_shared(entity);
    check_unnamed_keys(entity);
}
