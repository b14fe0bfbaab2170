#include "storage/btree.h"

#include "storage/checked.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FANOUT = 64,
    FEW = FANOUT / 4, // a node with fewer slots joins a neighbour that has room
    FIRST_CAP = 4,
    MAX_DEPTH = 16,
};

struct record {
    uint32_t key_len;
    uint32_t value_len;
    char bytes[]; // the key, then the value
};

struct slot {
    uint64_t head;
    struct record *record; // NULL in slot 0 of an inner node, which stands for no bound
};

struct od_btree_node {
    struct od_btree_node *prev; // neighbours on the same level
    struct od_btree_node *next;
    struct slot *slots;
    struct od_btree_node **children; // one for each slot; NULL in a leaf
    uint16_t count;
    uint16_t cap; // grows up to FANOUT + 1: a node overflows by one slot before it is split
};

// The way from the root to a leaf: `nodes[i + 1]` is child `at[i]` of `nodes[i]`.
struct path {
    struct od_btree_node *nodes[MAX_DEPTH];
    size_t at[MAX_DEPTH];
    size_t leaf;
};

// Keys and their heads have the same order wherever the heads differ: bytes past the end count as
// zero, and no byte sorts before that.
static uint64_t key_head(od_str key)
{
    unsigned char bytes[sizeof(uint64_t)] = {0};
    if (key.len > 0) {
        memcpy(bytes, key.ptr, key.len < sizeof(bytes) ? key.len : sizeof(bytes));
    }
    uint64_t head = 0;
    memcpy(&head, bytes, sizeof(head));
    return __builtin_bswap64(head);
}

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "key_head swaps");

static od_str record_key(const struct record *record)
{
    return (od_str){record->bytes, record->key_len};
}

static od_str record_value(const struct record *record)
{
    return (od_str){record->bytes + record->key_len, record->value_len};
}

static struct record *record_create(od_str key, od_str value)
{
    assert(key.len <= UINT32_MAX && value.len <= UINT32_MAX);
    struct record *record = od_checked(malloc(sizeof(*record) + key.len + value.len));
    record->key_len = (uint32_t)key.len;
    record->value_len = (uint32_t)value.len;
    if (key.len > 0) {
        memcpy(record->bytes, key.ptr, key.len);
    }
    if (value.len > 0) {
        memcpy(record->bytes + key.len, value.ptr, value.len);
    }
    return record;
}

static struct slot slot_of(struct record *record)
{
    return (struct slot){.head = key_head(record_key(record)), .record = record};
}

static int compare_slot(const struct slot *slot, uint64_t head, od_str key)
{
    if (slot->head != head) {
        return slot->head < head ? -1 : 1;
    }
    return od_str_compare(record_key(slot->record), key);
}

static struct od_btree_node *node_create(bool leaf)
{
    struct od_btree_node *made = od_checked(calloc(1, sizeof(*made)));
    made->cap = FIRST_CAP;
    made->slots = od_checked(malloc(FIRST_CAP * sizeof(made->slots[0])));
    if (!leaf) {
        made->children = od_checked(malloc(FIRST_CAP * sizeof(struct od_btree_node *)));
    }
    return made;
}

static void node_destroy(struct od_btree_node *gone)
{
    free(gone->slots);
    free(gone->children);
    free(gone);
}

static void reserve(struct od_btree_node *in, size_t count)
{
    assert(count <= FANOUT + 1);
    if (count <= in->cap) {
        return;
    }
    size_t cap = in->cap;
    while (cap < count) {
        cap *= 2;
    }
    cap = cap > FANOUT + 1 ? FANOUT + 1 : cap;
    in->slots = od_checked(realloc(in->slots, cap * sizeof(in->slots[0])));
    if (in->children != NULL) {
        in->children = od_checked(realloc(in->children, cap * sizeof(struct od_btree_node *)));
    }
    in->cap = (uint16_t)cap;
}

static void insert_slot(struct od_btree_node *in, size_t at, struct slot slot,
                        struct od_btree_node *child)
{
    reserve(in, (size_t)in->count + 1);
    size_t after = in->count - at;
    memmove(&in->slots[at + 1], &in->slots[at], after * sizeof(in->slots[0]));
    in->slots[at] = slot;
    if (in->children != NULL) {
        memmove(&in->children[at + 1], &in->children[at], after * sizeof(struct od_btree_node *));
        in->children[at] = child;
    }
    in->count++;
}

static void remove_slot(struct od_btree_node *from, size_t at)
{
    from->count--;
    size_t after = from->count - at;
    memmove(&from->slots[at], &from->slots[at + 1], after * sizeof(from->slots[0]));
    if (from->children != NULL) {
        memmove(&from->children[at], &from->children[at + 1],
                after * sizeof(struct od_btree_node *));
    }
}

static void append_slots(struct od_btree_node *to, const struct od_btree_node *from, size_t first)
{
    size_t more = from->count - first;
    assert((to->children == NULL) == (from->children == NULL));
    reserve(to, to->count + more);
    memcpy(&to->slots[to->count], &from->slots[first], more * sizeof(to->slots[0]));
    if (from->children != NULL) {
        memcpy(&to->children[to->count], &from->children[first],
               more * sizeof(struct od_btree_node *));
    }
    to->count = (uint16_t)(to->count + more);
}

// The first slot of a leaf whose key is not less than `key`.
static size_t find_in_leaf(const struct od_btree_node *leaf, uint64_t head, od_str key)
{
    size_t lo = 0;
    size_t hi = leaf->count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (compare_slot(&leaf->slots[mid], head, key) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

// The child of an inner node that `key` belongs to: the last whose slot is not greater.
static size_t find_child(const struct od_btree_node *inner, uint64_t head, od_str key)
{
    size_t lo = 1;
    size_t hi = inner->count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (compare_slot(&inner->slots[mid], head, key) <= 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo - 1;
}

static const struct od_btree_node *find_leaf(const struct od_btree *tree, uint64_t head, od_str key)
{
    const struct od_btree_node *at = tree->root;
    while (at->children != NULL) {
        at = at->children[find_child(at, head, key)];
    }
    return at;
}

static struct path find_path(const struct od_btree *tree, uint64_t head, od_str key)
{
    struct path path = {.nodes = {tree->root}};
    struct od_btree_node *at = tree->root;
    while (at->children != NULL) {
        path.at[path.leaf] = find_child(at, head, key);
        at = at->children[path.at[path.leaf]];
        path.leaf++;
        assert(path.leaf < MAX_DEPTH);
        path.nodes[path.leaf] = at;
    }
    path.at[path.leaf] = find_in_leaf(at, head, key);
    return path;
}

static bool holds_key(const struct od_btree_node *leaf, size_t at, uint64_t head, od_str key)
{
    return at < leaf->count && compare_slot(&leaf->slots[at], head, key) == 0;
}

// The shortest key that is greater than `left` and not greater than `right`.
static struct record *separator(od_str left, od_str right)
{
    size_t common = 0;
    while (common < left.len && left.ptr[common] == right.ptr[common]) {
        common++;
    }
    return record_create((od_str){right.ptr, common + 1}, (od_str){0});
}

// Moves the slots from `mid` on to a new node on the right, and gives the slot that its parent
// needs. An inner node gives its middle key away; a leaf keeps all of its own.
static struct slot split(struct od_btree_node *full, size_t mid, struct od_btree_node **right)
{
    struct od_btree_node *made = node_create(full->children == NULL);
    append_slots(made, full, mid);
    full->count = (uint16_t)mid;
    made->prev = full;
    made->next = full->next;
    if (made->next != NULL) {
        made->next->prev = made;
    }
    full->next = made;
    *right = made;
    if (full->children == NULL) {
        return slot_of(
            separator(record_key(full->slots[mid - 1].record), record_key(made->slots[0].record)));
    }
    struct slot given = made->slots[0];
    made->slots[0] = (struct slot){0};
    return given;
}

static void grow_root(struct od_btree *tree, struct slot slot, struct od_btree_node *right)
{
    struct od_btree_node *root = node_create(false);
    insert_slot(root, 0, (struct slot){0}, tree->root);
    insert_slot(root, 1, slot, right);
    tree->root = root;
}

// Keys that arrive in order fill their leaves: the last node of a level passes on its newest slot
// alone instead of half.
static size_t split_point(const struct od_btree_node *full, size_t inserted_at)
{
    bool at_the_end = full->next == NULL && inserted_at + 1 == full->count;
    return at_the_end ? full->count - 1U : full->count / 2U;
}

static void split_upwards(struct od_btree *tree, struct path *path)
{
    for (size_t level = path->leaf; path->nodes[level]->count > FANOUT; level--) {
        struct od_btree_node *full = path->nodes[level];
        struct od_btree_node *right = NULL;
        struct slot slot = split(full, split_point(full, path->at[level]), &right);
        if (level == 0) {
            grow_root(tree, slot, right);
            return;
        }
        path->at[level - 1]++;
        insert_slot(path->nodes[level - 1], path->at[level - 1], slot, right);
    }
}

static void replace_value(struct slot *slot, od_str key, od_str value)
{
    struct record *old = slot->record;
    if (old->value_len == value.len) {
        memcpy(old->bytes + old->key_len, value.ptr, value.len);
        return;
    }
    slot->record = record_create(key, value);
    free(old);
}

void od_btree_put(struct od_btree *tree, od_str key, od_str value)
{
    assert(value.len > 0);
    if (tree->root == NULL) {
        tree->root = node_create(true);
    }
    uint64_t head = key_head(key);
    struct path path = find_path(tree, head, key);
    struct od_btree_node *leaf = path.nodes[path.leaf];
    size_t at = path.at[path.leaf];
    if (holds_key(leaf, at, head, key)) {
        replace_value(&leaf->slots[at], key, value);
        return;
    }
    insert_slot(leaf, at, slot_of(record_create(key, value)), NULL);
    tree->count++;
    split_upwards(tree, &path);
}

// Empties child `at + 1` of `parent` into child `at`.
static void join(struct od_btree_node *parent, size_t at)
{
    struct od_btree_node *left = parent->children[at];
    struct od_btree_node *right = parent->children[at + 1];
    struct slot between = parent->slots[at + 1];
    if (right->children == NULL) {
        free(between.record);
    } else {
        right->slots[0] = between;
    }
    append_slots(left, right, 0);
    left->next = right->next;
    if (left->next != NULL) {
        left->next->prev = left;
    }
    remove_slot(parent, at + 1);
    node_destroy(right);
}

static bool fits(const struct od_btree_node *parent, size_t at)
{
    return at + 1 < parent->count &&
           parent->children[at]->count + parent->children[at + 1]->count <= FANOUT;
}

// A node may stay small beside neighbours that are full, and a leaf without neighbours under its
// parent even empty.
static void join_upwards(const struct path *path)
{
    for (size_t level = path->leaf; level > 0 && path->nodes[level]->count < FEW; level--) {
        struct od_btree_node *parent = path->nodes[level - 1];
        size_t at = path->at[level - 1];
        if (fits(parent, at)) {
            join(parent, at);
        } else if (at > 0 && fits(parent, at - 1)) {
            join(parent, at - 1);
        }
    }
}

static void shrink_root(struct od_btree *tree)
{
    while (tree->root->children != NULL && tree->root->count == 1) {
        struct od_btree_node *old = tree->root;
        tree->root = old->children[0];
        node_destroy(old);
    }
    if (tree->count == 0) {
        node_destroy(tree->root);
        tree->root = NULL;
    }
}

bool od_btree_del(struct od_btree *tree, od_str key)
{
    if (tree->root == NULL) {
        return false;
    }
    uint64_t head = key_head(key);
    struct path path = find_path(tree, head, key);
    struct od_btree_node *leaf = path.nodes[path.leaf];
    size_t at = path.at[path.leaf];
    if (!holds_key(leaf, at, head, key)) {
        return false;
    }
    free(leaf->slots[at].record);
    remove_slot(leaf, at);
    tree->count--;
    join_upwards(&path);
    shrink_root(tree);
    return true;
}

od_str od_btree_get(const struct od_btree *tree, od_str key)
{
    if (tree->root == NULL) {
        return (od_str){0};
    }
    uint64_t head = key_head(key);
    const struct od_btree_node *leaf = find_leaf(tree, head, key);
    size_t at = find_in_leaf(leaf, head, key);
    return holds_key(leaf, at, head, key) ? record_value(leaf->slots[at].record) : (od_str){0};
}

static void clear_node(struct od_btree_node *gone)
{
    for (size_t i = 0; i < gone->count; i++) {
        free(gone->slots[i].record);
    }
    node_destroy(gone);
}

static void clear_level(struct od_btree_node *first)
{
    while (first != NULL) {
        struct od_btree_node *next = first->next;
        clear_node(first);
        first = next;
    }
}

void od_btree_clear(struct od_btree *tree)
{
    struct od_btree_node *first = tree->root;
    while (first != NULL) {
        struct od_btree_node *below = first->children == NULL ? NULL : first->children[0];
        clear_level(first);
        first = below;
    }
    *tree = (struct od_btree){0};
}

struct od_btree_cursor od_btree_seek(const struct od_btree *tree, od_str key)
{
    if (tree->root == NULL) {
        return (struct od_btree_cursor){0};
    }
    uint64_t head = key_head(key);
    const struct od_btree_node *leaf = find_leaf(tree, head, key);
    return (struct od_btree_cursor){.leaf = leaf, .at = find_in_leaf(leaf, head, key)};
}

struct od_btree_cursor od_btree_seek_end(const struct od_btree *tree)
{
    const struct od_btree_node *at = tree->root;
    while (at != NULL && at->children != NULL) {
        at = at->children[at->count - 1];
    }
    return (struct od_btree_cursor){.leaf = at, .at = at == NULL ? 0 : at->count};
}

static void give_pair(const struct od_btree_cursor *cursor, size_t at, od_str *key, od_str *value)
{
    const struct record *record = cursor->leaf->slots[at].record;
    *key = record_key(record);
    *value = record_value(record);
}

bool od_btree_next(struct od_btree_cursor *cursor, od_str *key, od_str *value)
{
    if (cursor->leaf == NULL) {
        return false;
    }
    while (cursor->at == cursor->leaf->count) {
        if (cursor->leaf->next == NULL) {
            return false;
        }
        *cursor = (struct od_btree_cursor){.leaf = cursor->leaf->next};
    }
    give_pair(cursor, cursor->at++, key, value);
    return true;
}

bool od_btree_prev(struct od_btree_cursor *cursor, od_str *key, od_str *value)
{
    if (cursor->leaf == NULL) {
        return false;
    }
    while (cursor->at == 0) {
        const struct od_btree_node *prev = cursor->leaf->prev;
        if (prev == NULL) {
            return false;
        }
        *cursor = (struct od_btree_cursor){.leaf = prev, .at = prev->count};
    }
    give_pair(cursor, --cursor->at, key, value);
    return true;
}
