// An ordered map in memory from byte strings to byte strings, sorted by memcmp: a B+tree.
//
//   inner     [ -  | "f" | "m" ]         the key before a child is at most the child's first key
//               |     |     |            and greater than every key of the child on its left
//   leaf      [a c] [f k] [m z]          neighbours are linked
//
// A slot holds the first eight bytes of its key, so that a search seldom follows a pointer. Keys
// and values are copied in, each pair in one allocation.
#ifndef OD_STORAGE_BTREE_H
#define OD_STORAGE_BTREE_H

#include "base/str.h"

// Zero is an empty tree.
struct od_btree {
    struct od_btree_node *root;
    size_t count;
};

void od_btree_clear(struct od_btree *tree);

// Borrowed until the tree changes; {NULL, 0} when there is none.
od_str od_btree_get(const struct od_btree *tree, od_str key);

// Replaces the value of a key that is there. No value is empty: that means there is none.
void od_btree_put(struct od_btree *tree, od_str key, od_str value);

// False when the key is not there.
bool od_btree_del(struct od_btree *tree, od_str key);

// A place between two pairs. It is lost when the tree changes.
struct od_btree_cursor {
    const struct od_btree_node *leaf;
    size_t at;
};

// The place before the first key that is not less than `key`.
struct od_btree_cursor od_btree_seek(const struct od_btree *tree, od_str key);
// The place after the last key.
struct od_btree_cursor od_btree_seek_end(const struct od_btree *tree);

// Steps over one pair and gives it. False at the end.
bool od_btree_next(struct od_btree_cursor *cursor, od_str *key, od_str *value);
bool od_btree_prev(struct od_btree_cursor *cursor, od_str *key, od_str *value);

#endif
