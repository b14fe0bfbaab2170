// Expressions with fields in braces, as DynamoDB reads them.
#include "mapper/mapper_internal.h"

#include "base/json.h"
#include "base/utf8.h"

#include <string.h>

// --- Pieces of the text -------------------------------------------------------------------------

struct source {
    struct od_params *params;
    const ordna_entity *entity;
    const ordna_expression *expression;
    const char *at; // what comes next
};

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

static ordna_status fail(const struct source *source, od_str name, const char *what)
{
    return od_session_fail(source->params->session, ORDNA_BAD_ARGUMENT, NULL,
                           "\"%.200s\": %.*s %s %s", source->expression->text, OD_STR_ARG(name),
                           what, source->entity->name);
}

static od_str take_name(struct source *source)
{
    const char *start = source->at;
    while (is_name_char(*source->at)) {
        source->at++;
    }
    return (od_str){start, (size_t)(source->at - start)};
}

// {Field}: `at` is behind the closing brace then. NULL when it is none, as the session says.
static const ordna_field *take_field(struct source *source)
{
    const char *start = source->at + 1;
    const char *end = strchr(start, '}');
    if (end == NULL) {
        (void)fail(source, od_cstr(source->at), "has no end, in an expression of");
        return NULL;
    }
    const od_str name = {start, (size_t)(end - start)};
    const ordna_field *field = od_entity_field(source->entity, name);
    source->at = end + 1;
    if (field == NULL) {
        (void)fail(source, name, "is no field of");
    }
    return field;
}

// :name, which gets a number: two expressions of a request may have arguments of one name.
static ordna_status put_argument(struct source *source, struct od_buf *out)
{
    const ordna_expression *expression = source->expression;
    source->at++;
    od_str name = take_name(source);
    name = (od_str){name.ptr - 1, name.len + 1};
    for (size_t i = 0; i < expression->count; i++) {
        const char *has = expression->args[i].name;
        if (has != NULL && od_str_eq(od_cstr(has), name)) {
            return od_params_value(source->params, out, has, &expression->args[i].value);
        }
    }
    return fail(source, name, "is no argument, in an expression of");
}

// A name, a field, an argument or a character.
static ordna_status put_next(struct source *source, struct od_buf *out)
{
    const char c = *source->at;
    if (c == '{') {
        const ordna_field *field = take_field(source);
        if (field == NULL) {
            return ORDNA_BAD_ARGUMENT;
        }
        od_params_name(source->params, out, field->name);
        return ORDNA_OK;
    }
    if (c == ':') {
        return put_argument(source, out);
    }
    if (c == '#') {
        return fail(source, od_cstr("#"), "is for fields in braces alone, in an expression of");
    }
    if (is_name_char(c)) {
        od_buf_put(out, take_name(source));
        return ORDNA_OK;
    }
    od_buf_put_byte(out, (unsigned char)c);
    source->at++;
    return ORDNA_OK;
}

static ordna_status check_text(const struct od_params *params, const ordna_expression *expression)
{
    if (expression->text == NULL) {
        return od_session_fail(params->session, ORDNA_BAD_ARGUMENT, NULL,
                               "an expression has no text");
    }
    return od_utf8_valid(od_cstr(expression->text))
               ? ORDNA_OK
               : od_session_fail(params->session, ORDNA_BAD_ARGUMENT, NULL,
                                 "an expression is not UTF-8");
}

ordna_status od_expression_write(struct od_params *params, const ordna_entity *entity,
                                 const ordna_expression *expression, struct od_buf *out)
{
    struct source source = {
        .params = params, .entity = entity, .expression = expression, .at = expression->text};
    ordna_status status = check_text(params, expression);
    while (status == ORDNA_OK && *source.at != '\0') {
        status = put_next(&source, out);
    }
    return status;
}

// --- Updates ------------------------------------------------------------------------------------

// What the mapper changes itself, by clause. An item that is not there yet is made whole.
struct own_changes {
    od_str set;
    od_str add;
};

static bool uses_field(const ordna_template *key, int field)
{
    for (size_t i = 0; key != NULL && i < key->count; i++) {
        if (key->segments[i].field == field) {
            return true;
        }
    }
    return false;
}

static bool is_of_index(const ordna_index *key, int field)
{
    return uses_field(key->partition, field) || uses_field(key->sort, field);
}

// A field that is an index's key attribute itself takes the index along when it changes. Of a text
// that is made of several the mapper does not know the others.
static bool is_built_in(const ordna_entity *entity, const ordna_template *key, int field)
{
    return uses_field(key, field) && !od_key_is_field(entity, key);
}

static bool is_fixed(const ordna_entity *entity, int field)
{
    for (size_t i = 1; i < entity->key_count; i++) {
        const ordna_index *key = &entity->keys[i];
        if (is_built_in(entity, key->partition, field) || is_built_in(entity, key->sort, field)) {
            return true;
        }
    }
    return is_of_index(&entity->keys[0], field);
}

static bool is_key_attribute(const ordna_entity *entity, const char *name)
{
    const ordna_index *key = &entity->keys[0];
    return strcmp(key->partition->attribute, name) == 0 ||
           (key->sort != NULL && strcmp(key->sort->attribute, name) == 0);
}

static void put_set(struct od_params *params, struct od_buf *set, const char *attribute)
{
    if (set->len > 0) {
        od_json_raw(set, ", ");
    }
    od_params_name(params, set, attribute);
    od_json_raw(set, " = ");
}

static ordna_status set_key_fields(struct od_params *params, const ordna_entity *entity,
                                   const void *key, struct od_buf *set)
{
    struct od_buf json = {.arena = set->arena};
    for (size_t i = 0; i < entity->field_count; i++) {
        const ordna_field *field = &entity->fields[i];
        if (!is_of_index(&entity->keys[0], (int)i) || is_key_attribute(entity, field->name)) {
            continue;
        }
        json.len = 0;
        const ordna_status status = od_field_write(params->session, &json, field, key);
        if (status != ORDNA_OK) {
            return status;
        }
        put_set(params, set, field->name);
        od_params_json(params, set, od_buf_str(&json));
    }
    return ORDNA_OK;
}

// Whether the table's key says all that the template wants.
static bool is_made_of_key(const ordna_entity *entity, const ordna_template *template)
{
    for (size_t i = 0; i < template->count; i++) {
        const int field = template->segments[i].field;
        if (field >= 0 && !is_of_index(&entity->keys[0], field)) {
            return false;
        }
    }
    return true;
}

static ordna_status set_index_keys(struct od_params *params, const ordna_entity *entity,
                                   const void *key, struct od_buf *set)
{
    struct od_buf json = {.arena = set->arena};
    for (size_t i = 1; i < entity->key_count; i++) {
        const ordna_template *parts[] = {entity->keys[i].partition, entity->keys[i].sort};
        for (size_t j = 0; j < OD_COUNT(parts) && parts[j] != NULL; j++) {
            if (is_key_attribute(entity, parts[j]->attribute) ||
                od_key_is_field(entity, parts[j]) || !is_made_of_key(entity, parts[j]) ||
                od_is_of_earlier_key(entity, i, parts[j]->attribute)) {
                continue;
            }
            json.len = 0;
            const ordna_status status =
                od_key_write_of(params->session, &json, entity, parts[j], key);
            if (status != ORDNA_OK) {
                return status;
            }
            put_set(params, set, parts[j]->attribute);
            od_params_json(params, set, od_buf_str(&json));
        }
    }
    return ORDNA_OK;
}

static ordna_status make_own_changes(struct od_params *params, const ordna_entity *entity,
                                     const void *key, struct own_changes *out)
{
    od_arena *arena = od_session_arena(params->session);
    struct od_buf set = {.arena = arena};
    struct od_buf add = {.arena = arena};
    const ordna_value marker = ordna_of_string(entity->discriminator);
    put_set(params, &set, entity->table->discriminator);
    ordna_status status = od_params_value(params, &set, entity->table->discriminator, &marker);
    if (status == ORDNA_OK) {
        status = set_key_fields(params, entity, key, &set);
    }
    if (status == ORDNA_OK) {
        status = set_index_keys(params, entity, key, &set);
    }
    const ordna_field *version = od_entity_version(entity);
    if (version != NULL) {
        od_params_name(params, &add, version->name);
        od_buf_put_byte(&add, ' ');
        od_params_json(params, &add, OD_STR("{\"N\":\"1\"}"));
    }
    *out = (struct own_changes){.set = od_buf_str(&set), .add = od_buf_str(&add)};
    return status;
}

// Where an update expression is.
struct update {
    struct source source;
    struct own_changes own; // a clause's is empty once it is written
    int depth;              // of parentheses
    bool at_target;         // what comes next is changed
};

static bool is_clause(od_str word)
{
    static const od_str clauses[] = {OD_STR_INIT("SET"), OD_STR_INIT("REMOVE"), OD_STR_INIT("ADD"),
                                     OD_STR_INIT("DELETE")};
    for (size_t i = 0; i < OD_COUNT(clauses); i++) {
        if (od_str_eq_nocase(word, clauses[i])) {
            return true;
        }
    }
    return false;
}

static void put_own(struct od_buf *out, od_str *changes, const char *after)
{
    if (changes->len > 0) {
        od_buf_put_byte(out, ' ');
        od_buf_put(out, *changes);
        od_json_raw(out, after);
    }
    changes->len = 0;
}

static void put_word(struct update *update, struct od_buf *out)
{
    const od_str word = take_name(&update->source);
    od_buf_put(out, word);
    update->at_target = update->depth == 0 && is_clause(word);
    if (update->at_target && od_str_eq_nocase(word, OD_STR("SET"))) {
        put_own(out, &update->own.set, ",");
    }
    if (update->at_target && od_str_eq_nocase(word, OD_STR("ADD"))) {
        put_own(out, &update->own.add, ",");
    }
}

static ordna_status put_target(struct update *update, struct od_buf *out)
{
    const struct source *source = &update->source;
    const ordna_field *field = take_field(&update->source);
    if (field == NULL) {
        return ORDNA_BAD_ARGUMENT;
    }
    if (field->role == ORDNA_VERSION ||
        is_fixed(source->entity, (int)(field - source->entity->fields))) {
        return od_session_fail(source->params->session, ORDNA_BAD_ARGUMENT, field->name,
                               "%s is %s and cannot be changed", field->name,
                               field->role == ORDNA_VERSION ? "the version" : "of a key");
    }
    od_params_name(source->params, out, field->name);
    update->at_target = false;
    return ORDNA_OK;
}

static ordna_status put_of_update(struct update *update, struct od_buf *out)
{
    const char c = *update->source.at;
    if (c == '{' && update->at_target) {
        return put_target(update, out);
    }
    if (is_name_char(c)) {
        put_word(update, out);
        return ORDNA_OK;
    }
    update->depth += (c == '(') - (c == ')');
    update->at_target =
        (update->at_target && strchr(" \t\r\n", c) != NULL) || (c == ',' && update->depth == 0);
    return put_next(&update->source, out);
}

ordna_status od_update_write(struct od_params *params, const ordna_entity *entity,
                             const ordna_expression *update, const void *key, struct od_buf *out)
{
    struct update at = {
        .source = {.params = params, .entity = entity, .expression = update, .at = update->text}};
    ordna_status status = check_text(params, update);
    if (status == ORDNA_OK) {
        status = make_own_changes(params, entity, key, &at.own);
    }
    while (status == ORDNA_OK && *at.source.at != '\0') {
        status = put_of_update(&at, out);
    }
    if (at.own.set.len > 0) {
        od_json_raw(out, " SET");
        put_own(out, &at.own.set, "");
    }
    if (at.own.add.len > 0) {
        od_json_raw(out, " ADD");
        put_own(out, &at.own.add, "");
    }
    return status;
}
