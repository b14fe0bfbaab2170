// An item's key, to tell items apart by.
#ifndef OD_MAPPER_ITEM_KEY_H
#define OD_MAPPER_ITEM_KEY_H

#include "mapper/mapper_internal.h"

// An attribute as it is in an item.
struct od_key_part {
    od_str text; // `ptr` is NULL: there is none
    bool is_number;
};

struct od_item_key {
    struct od_key_part partition;
    struct od_key_part sort;
};

struct od_item_key od_item_key_of(const ordna_table_key *key, const struct od_attributes *item);
// Of an item's or a key's JSON.
struct od_item_key od_item_key_parse(od_arena *arena, const ordna_table_key *key, od_str json);
// Numbers have many texts: 1.50 is 1.5.
bool od_item_key_is_same(const struct od_item_key *a, const struct od_item_key *b);

#endif
