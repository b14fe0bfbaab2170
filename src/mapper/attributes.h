// An item's attributes, all at once, and found by their names. Scalars are at hand; lists, sets and
// maps stay text until a field wants them.
#ifndef OD_MAPPER_ATTRIBUTES_H
#define OD_MAPPER_ATTRIBUTES_H

#include "mapper/attribute_walk.h"

enum { OD_ATTRIBUTES_AT_HAND = 48, OD_ATTRIBUTES_SLOTS = 256 };

struct od_attributes {
    struct od_attribute *items;
    size_t count;
    size_t cap;
    uint8_t slots[OD_ATTRIBUTES_SLOTS]; // where to look first: a place by a name's mark, and 1
    struct od_attribute at_hand[OD_ATTRIBUTES_AT_HAND]; // more go to the arena
};

// False when it is no object of JSON.
bool od_attributes_parse(od_arena *arena, od_str json, struct od_attributes *out);

// --- Looking attributes up ----------------------------------------------------------------------

static inline size_t od_attribute_slot(uint16_t mark)
{
    return (mark * 0x9E37U >> 8) % OD_ATTRIBUTES_SLOTS;
}

static inline bool od_attribute_is(const struct od_attribute *attribute, uint16_t mark,
                                   const char *name)
{
    return attribute->mark == mark && od_attribute_is_named(attribute, name);
}

// When two marks share a slot, or the item has more attributes than a slot can tell.
const struct od_attribute *od_attributes_search(const struct od_attributes *attributes,
                                                const char *name);

// NULL: there is none. Of two that have one name it is any of them.
static inline const struct od_attribute *od_attributes_find(const struct od_attributes *attributes,
                                                            const char *name)
{
    const uint16_t mark = od_attribute_mark(name);
    const size_t first = attributes->slots[od_attribute_slot(mark)];
    if (first > 0 && od_attribute_is(&attributes->items[first - 1], mark, name)) {
        return &attributes->items[first - 1];
    }
    return od_attributes_search(attributes, name);
}

// The text of an attribute of type `tag`; `ptr` is NULL when it is not that.
od_str od_attributes_text(const struct od_attributes *attributes, const char *name,
                          const char *tag);

#endif
