// Taking a WHERE apart, into conditions that hold together.
//
//   WHERE pk = 'a' AND (sk < 5 OR sk IN [7, 9]) AND x = 1
//     pk = 'a', sk < 5, x = 1
//     pk = 'a', sk = 7, x = 1
//     pk = 'a', sk = 9, x = 1
//
// An OR is taken apart only where a key condition stands in it.
#include "partiql/partiql_internal.h"

enum { TOO_MANY = OD_PARTIQL_MAX_READS + 1 };

// --- Uses of keys -------------------------------------------------------------------------------

static bool is_attribute(const struct od_ql_node *node, od_str name)
{
    return node->kind == OD_QL_PATH && node->path.count == 1 &&
           od_str_eq(node->path.steps[0].name, name);
}

static enum od_key_op key_op(enum od_ql_tok op, bool value_first)
{
    switch (op) {
    case OD_QL_TOK_LT:
        return value_first ? OD_KEY_GT : OD_KEY_LT;
    case OD_QL_TOK_LE:
        return value_first ? OD_KEY_GE : OD_KEY_LE;
    case OD_QL_TOK_GT:
        return value_first ? OD_KEY_LT : OD_KEY_GT;
    case OD_QL_TOK_GE:
        return value_first ? OD_KEY_LE : OD_KEY_GE;
    default:
        return OD_KEY_EQ;
    }
}

static bool compares_key(const struct od_ql_node *node, od_str name, struct od_ql_key_use *out)
{
    const struct od_ql_node *left = node->first;
    const struct od_ql_node *right = od_ql_second(node);
    bool value_first = od_ql_is_value(left);
    const struct od_ql_node *value = value_first ? left : right;
    if (node->op == OD_QL_TOK_NE || !is_attribute(value_first ? right : left, name) ||
        !od_ql_is_value(value)) {
        return false;
    }
    *out = (struct od_ql_key_use){.op = key_op(node->op, value_first), .value = value};
    return true;
}

bool od_ql_uses_key(const struct od_ql_node *node, od_str name, struct od_ql_key_use *out)
{
    if (node->kind == OD_QL_COMPARE) {
        return compares_key(node, name, out);
    }
    bool is_prefix = node->kind == OD_QL_CALL && od_str_eq(node->name, OD_STR("begins_with"));
    if ((node->kind != OD_QL_BETWEEN && !is_prefix) || !is_attribute(node->first, name)) {
        return false;
    }
    const struct od_ql_node *value = od_ql_second(node);
    if (!od_ql_is_value(value) || (!is_prefix && !od_ql_is_value(value->next))) {
        return false;
    }
    *out = (struct od_ql_key_use){
        .op = is_prefix ? OD_KEY_BEGINS_WITH : OD_KEY_BETWEEN,
        .value = value,
        .upper = value->next,
    };
    return true;
}

static bool lists_key(const struct od_ql_node *node, const struct od_key_attr *attr)
{
    if (attr == NULL || node->kind != OD_QL_IN || !is_attribute(node->first, attr->name)) {
        return false;
    }
    for (const struct od_ql_node *item = od_ql_second(node)->first; item != NULL;
         item = item->next) {
        if (!od_ql_is_value(item)) {
            return false;
        }
    }
    return true;
}

static bool binds_hash(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    struct od_ql_key_use use = {0};
    return lists_key(node, s->hash) ||
           (od_ql_uses_key(node, s->hash->name, &use) && use.op == OD_KEY_EQ);
}

static bool bounds_sort(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    struct od_ql_key_use use = {0};
    return s->sort != NULL &&
           (lists_key(node, s->sort) || od_ql_uses_key(node, s->sort->name, &use));
}

static bool has_key_condition(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    if (node->kind != OD_QL_AND && node->kind != OD_QL_OR) {
        return binds_hash(s, node) || bounds_sort(s, node);
    }
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        if (has_key_condition(s, child)) {
            return true;
        }
    }
    return false;
}

// Whether everything that the node can be true of has a bound hash key.
bool od_ql_is_keyed(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    if (node->kind != OD_QL_AND && node->kind != OD_QL_OR) {
        return binds_hash(s, node);
    }
    bool is_and = node->kind == OD_QL_AND;
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        if (od_ql_is_keyed(s, child) == is_and) {
            return is_and;
        }
    }
    return !is_and;
}

od_status od_ql_key_value(const struct od_ql_scope *scope, const struct od_key_attr *attr,
                          const struct od_ql_node *node, od_value *out)
{
    OD_TRY(od_ql_value(scope, node, out));
    enum od_type type = od_value_type(*out);
    if (type != OD_TYPE_S && type != OD_TYPE_N && type != OD_TYPE_B) {
        return OD_FAIL(scope->cx, OD_VALIDATION_ITEM,
                       "Key value must be of type S, N, or B. Key name: %.*s, Key type: %s",
                       OD_STR_ARG(attr->name), od_type_name(type));
    }
    if (type != attr->type) {
        return OD_FAIL(scope->cx, OD_VALIDATION_ITEM,
                       "Key attribute's data type should match its data type in table's schema: "
                       "Key %.*s",
                       OD_STR_ARG(attr->name));
    }
    return OD_OK;
}

// --- Taking apart -------------------------------------------------------------------------------

static bool is_split(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    return node->kind == OD_QL_OR && has_key_condition(s, node);
}

// How many parts the node falls into, counted no further than TOO_MANY.
size_t od_ql_count_parts(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    if (lists_key(node, s->hash) || lists_key(node, s->sort)) {
        return od_ql_second(node)->count;
    }
    bool is_and = node->kind == OD_QL_AND;
    if (!is_and && !is_split(s, node)) {
        return 1;
    }
    size_t count = is_and ? 1 : 0;
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        size_t below = od_ql_count_parts(s, child);
        count = is_and ? count * below : count + below;
        count = count < TOO_MANY ? count : TOO_MANY;
    }
    return count;
}

static void add_node(od_arena *arena, struct od_ql_part *part, const struct od_ql_node *node)
{
    if (part->count == part->room) {
        size_t room = part->room == 0 ? 4 : part->room * 2;
        const struct od_ql_node **nodes = od_new_array(arena, const struct od_ql_node *, room);
        for (size_t i = 0; i < part->count; i++) {
            nodes[i] = part->nodes[i];
        }
        part->nodes = nodes;
        part->room = room;
    }
    part->nodes[part->count++] = node;
}

static void add_part(od_arena *arena, struct od_ql_part *to, const struct od_ql_part *part)
{
    for (size_t i = 0; i < part->count; i++) {
        add_node(arena, to, part->nodes[i]);
    }
}

static struct od_ql_parts one_part(od_arena *arena, const struct od_ql_node *node)
{
    struct od_ql_parts parts = {.rows = od_new(arena, struct od_ql_part), .count = 1};
    add_node(arena, &parts.rows[0], node);
    return parts;
}

// key IN [1, 2]: key = 1, and key = 2.
static struct od_ql_parts split_list(od_arena *arena, const struct od_ql_node *node)
{
    const struct od_ql_node *list = od_ql_second(node);
    struct od_ql_parts parts = {.rows = od_new_array(arena, struct od_ql_part, list->count)};
    for (const struct od_ql_node *item = list->first; item != NULL; item = item->next) {
        struct od_ql_node *sides = od_new_array(arena, struct od_ql_node, 2);
        sides[0] = *node->first;
        sides[1] = *item;
        sides[0].next = &sides[1];
        sides[1].next = NULL;
        struct od_ql_node *equal = od_new(arena, struct od_ql_node);
        *equal = (struct od_ql_node){
            .kind = OD_QL_COMPARE,
            .op = OD_QL_TOK_EQ,
            .text = node->text,
            .first = &sides[0],
            .last = &sides[1],
            .count = 2,
        };
        add_node(arena, &parts.rows[parts.count++], equal);
    }
    return parts;
}

static struct od_ql_parts split_or(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    od_arena *arena = s->scope->cx->arena;
    struct od_ql_parts parts = {
        .rows = od_new_array(arena, struct od_ql_part, od_ql_count_parts(s, node))};
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        struct od_ql_parts below = od_ql_split(s, child);
        for (size_t i = 0; i < below.count; i++) {
            parts.rows[parts.count++] = below.rows[i];
        }
    }
    return parts;
}

// Each part on the left with each on the right.
static struct od_ql_parts multiply(od_arena *arena, const struct od_ql_parts *left,
                                   const struct od_ql_parts *right)
{
    size_t count = left->count * right->count;
    struct od_ql_parts parts = {.rows = od_new_array(arena, struct od_ql_part, count)};
    for (; parts.count < count; parts.count++) {
        struct od_ql_part *part = &parts.rows[parts.count];
        add_part(arena, part, &left->rows[parts.count / right->count]);
        add_part(arena, part, &right->rows[parts.count % right->count]);
    }
    return parts;
}

static struct od_ql_parts split_and(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    od_arena *arena = s->scope->cx->arena;
    struct od_ql_parts parts = od_ql_split(s, node->first);
    for (const struct od_ql_node *child = node->first->next; child != NULL; child = child->next) {
        struct od_ql_parts below = od_ql_split(s, child);
        if (below.count > 1) {
            parts = multiply(arena, &parts, &below);
            continue;
        }
        for (size_t i = 0; i < parts.count; i++) {
            add_part(arena, &parts.rows[i], &below.rows[0]);
        }
    }
    return parts;
}

struct od_ql_parts od_ql_split(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    od_arena *arena = s->scope->cx->arena;
    if (lists_key(node, s->hash) || lists_key(node, s->sort)) {
        return split_list(arena, node);
    }
    if (node->kind == OD_QL_AND) {
        return split_and(s, node);
    }
    return is_split(s, node) ? split_or(s, node) : one_part(arena, node);
}

bool od_ql_has_hash_list(const struct od_ql_splitter *s, const struct od_ql_node *node)
{
    if (node->kind != OD_QL_AND && node->kind != OD_QL_OR) {
        return lists_key(node, s->hash);
    }
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        if (od_ql_has_hash_list(s, child)) {
            return true;
        }
    }
    return false;
}
