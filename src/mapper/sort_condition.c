// A condition on sort keys, by their leading fields. DynamoDB takes one comparison, so each is made
// to say all that is meant.
//
// Leading fields make a text that ends with what follows the last of them, "SITE#CH#". Every key of
// these fields begins with it; the first text beyond all of those is its successor, "SITE#CH$".
// That is a bound even where DynamoDB includes it, as BETWEEN does: no key of the entity is the
// successor itself, which lacks the text that follows the field.
#include "mapper/mapper_internal.h"

#include "base/json.h"

#include <string.h>

// How a key goes into the condition.
enum operand { AS_IT_IS, SUCCESSOR };

struct comparison {
    const char *before; // the attribute's name
    const char *after;  // and the operand
    enum operand operand;
    const char *end;
};

// Of leading fields, and of whole keys.
static const struct {
    struct comparison leading;
    struct comparison whole;
} comparisons[] = {
    [ORDNA_EQUAL] = {{NULL, NULL, AS_IT_IS, NULL}, {"", " = ", AS_IT_IS, ""}},
    [ORDNA_BEGINS_WITH] = {{"begins_with(", ", ", AS_IT_IS, ")"}, {"", " = ", AS_IT_IS, ""}},
    [ORDNA_BETWEEN] = {{"", " BETWEEN ", AS_IT_IS, ""}, {"", " BETWEEN ", AS_IT_IS, ""}},
    [ORDNA_LESS] = {{"", " < ", AS_IT_IS, ""}, {"", " < ", AS_IT_IS, ""}},
    [ORDNA_LESS_EQUAL] = {{"", " < ", SUCCESSOR, ""}, {"", " <= ", AS_IT_IS, ""}},
    [ORDNA_GREATER] = {{"", " >= ", SUCCESSOR, ""}, {"", " > ", AS_IT_IS, ""}},
    [ORDNA_GREATER_EQUAL] = {{"", " >= ", AS_IT_IS, ""}, {"", " >= ", AS_IT_IS, ""}},
};

// --- Successors ---------------------------------------------------------------------------------

static size_t last_char_start(const struct od_key_text *text)
{
    size_t at = text->len - 1;
    while (at > 0 && ((unsigned char)text->bytes[at] & 0xC0) == 0x80) {
        at--;
    }
    return at;
}

static uint32_t code_point(const unsigned char *bytes, size_t len)
{
    static const unsigned char masks[] = {0x7F, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = bytes[0] & masks[len <= 4 ? len : 0];
    for (size_t i = 1; i < len; i++) {
        code = code << 6 | (bytes[i] & 0x3F);
    }
    return code;
}

static void put_code_point(struct od_key_text *text, uint32_t code)
{
    static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const size_t len = 1U + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF);
    for (size_t i = len - 1; i > 0; i--) {
        text->bytes[text->len + i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    text->bytes[text->len] = (char)(marks[len] | code);
    text->len += len;
}

// The first text beyond all that begin with this one. False when there is none. UTF-8 sorts as code
// points do, and there are no characters where UTF-16 has its surrogates.
static bool make_successor(struct od_key_text *text)
{
    enum { LAST = 0x10FFFF, FIRST_SURROGATE = 0xD800, BEHIND_SURROGATES = 0xE000 };
    while (text->len > 0) {
        const size_t at = last_char_start(text);
        const uint32_t code = code_point((const unsigned char *)text->bytes + at, text->len - at);
        text->len = at;
        if (code < LAST && at + 4 <= OD_KEY_MAX_BYTES) {
            put_code_point(text, code + 1 == FIRST_SURROGATE ? BEHIND_SURROGATES : code + 1);
            return true;
        }
    }
    return false;
}

// --- Operands -----------------------------------------------------------------------------------

static bool is_whole(const ordna_key *key)
{
    return key->count == od_key_fields(key->index->sort);
}

static ordna_status fail(const struct od_params *params, const char *why)
{
    return od_session_fail(params->session, ORDNA_BAD_ARGUMENT, NULL,
                           "the condition on the sort key %s", why);
}

static ordna_status put_whole(struct od_params *params, const ordna_key *key, struct od_buf *out)
{
    struct od_buf json = {.arena = od_session_arena(params->session)};
    const ordna_status status =
        od_key_write(params->session, &json, key->entity, key->index->sort, key->values);
    od_params_json(params, out, od_buf_str(&json));
    return status;
}

static ordna_status put_leading(struct od_params *params, const ordna_key *key,
                                enum operand operand, struct od_buf *out)
{
    struct od_key_text text;
    const ordna_status status = od_key_text_make(params->session, key->entity, key->index->sort,
                                                 key->values, key->count, &text);
    if (status != ORDNA_OK) {
        return status;
    }
    if (text.len == 0 || (operand == SUCCESSOR && !make_successor(&text))) {
        return fail(params, "needs at least one field");
    }
    struct od_buf json = {.arena = od_session_arena(params->session)};
    od_json_raw(&json, "{\"S\":");
    od_json_str(&json, (od_str){text.bytes, text.len});
    od_buf_put_byte(&json, '}');
    od_params_json(params, out, od_buf_str(&json));
    return ORDNA_OK;
}

static ordna_status put_operand(struct od_params *params, const ordna_key *key,
                                enum operand operand, struct od_buf *out)
{
    return is_whole(key) ? put_whole(params, key, out) : put_leading(params, key, operand, out);
}

// --- The condition ------------------------------------------------------------------------------

static ordna_status put_comparison(struct od_params *params, const ordna_sort *sort,
                                   struct od_buf *out)
{
    const bool whole = is_whole(&sort->low);
    const struct comparison *comparison =
        whole ? &comparisons[sort->op].whole : &comparisons[sort->op].leading;
    if (comparison->before == NULL) {
        return fail(params, "is for equal keys, and lacks fields");
    }
    od_json_raw(out, " AND ");
    od_json_raw(out, comparison->before);
    od_params_name(params, out, sort->low.index->sort->attribute);
    od_json_raw(out, comparison->after);
    ordna_status status = put_operand(params, &sort->low, comparison->operand, out);
    if (status == ORDNA_OK && sort->op == ORDNA_BETWEEN) {
        od_json_raw(out, " AND ");
        status = put_operand(params, &sort->high, SUCCESSOR, out);
    }
    od_json_raw(out, comparison->end);
    return status;
}

// begins_with of nothing: all keys do.
static bool is_empty_prefix(const ordna_sort *sort)
{
    const ordna_template *key = sort->low.index->sort;
    return sort->op == ORDNA_BEGINS_WITH && sort->low.count == 0 && key->count > 0 &&
           key->segments[0].field >= 0 && key->segments[0].text[0] == '\0';
}

// The partition key may be another entity's, which is in the same partition.
static const ordna_index *index_of_entity(const struct od_plan *plan)
{
    for (size_t i = 0; plan->entity != NULL && i < plan->entity->key_count; i++) {
        if (od_is_same_index(&plan->entity->keys[i], plan->index)) {
            return &plan->entity->keys[i];
        }
    }
    return NULL;
}

// Queries of one entity leave out what cannot be its items.
static ordna_sort sort_of_entity(const struct od_plan *plan)
{
    const ordna_index *index = index_of_entity(plan);
    ordna_sort sort = {.op = ORDNA_ALL};
    if (index == NULL || index->sort == NULL || index->sort->type != ORDNA_STRING) {
        return sort;
    }
    sort.op = ORDNA_BEGINS_WITH;
    sort.low = (ordna_key){.entity = plan->entity, .index = index, .sort = true};
    return sort;
}

static ordna_status check_key(const struct od_params *params, const struct od_plan *plan,
                              const ordna_key *key)
{
    if (key->entity == NULL || key->index == NULL || !key->sort || key->index->sort == NULL) {
        return fail(params, "is none of a sort key");
    }
    if (key->entity->table != plan->table || !od_is_same_index(key->index, plan->index)) {
        return fail(params, "is of another index than the partition");
    }
    return key->count > od_key_fields(key->index->sort) ? fail(params, "has too many fields")
                                                        : ORDNA_OK;
}

ordna_status od_sort_write(struct od_params *params, const struct od_plan *plan, struct od_buf *out)
{
    ordna_sort sort = plan->query->sort;
    if (sort.op == ORDNA_ALL) {
        sort = sort_of_entity(plan);
    }
    if (sort.op == ORDNA_ALL) {
        return ORDNA_OK;
    }
    if (sort.op < ORDNA_EQUAL || sort.op > ORDNA_GREATER_EQUAL) {
        return fail(params, "is none");
    }
    ordna_status status = check_key(params, plan, &sort.low);
    if (status == ORDNA_OK && sort.op == ORDNA_BETWEEN) {
        status = check_key(params, plan, &sort.high);
    }
    if (status != ORDNA_OK) {
        return status;
    }
    return is_empty_prefix(&sort) ? ORDNA_OK : put_comparison(params, &sort, out);
}

// --- For programs -------------------------------------------------------------------------------

ordna_sort ordna_equal(ordna_key key)
{
    return (ordna_sort){.op = ORDNA_EQUAL, .low = key};
}

ordna_sort ordna_begins_with(ordna_key key)
{
    return (ordna_sort){.op = ORDNA_BEGINS_WITH, .low = key};
}

ordna_sort ordna_between(ordna_key low, ordna_key high)
{
    return (ordna_sort){.op = ORDNA_BETWEEN, .low = low, .high = high};
}

ordna_sort ordna_less(ordna_key key)
{
    return (ordna_sort){.op = ORDNA_LESS, .low = key};
}

ordna_sort ordna_less_equal(ordna_key key)
{
    return (ordna_sort){.op = ORDNA_LESS_EQUAL, .low = key};
}

ordna_sort ordna_greater(ordna_key key)
{
    return (ordna_sort){.op = ORDNA_GREATER, .low = key};
}

ordna_sort ordna_greater_equal(ordna_key key)
{
    return (ordna_sort){.op = ORDNA_GREATER_EQUAL, .low = key};
}
