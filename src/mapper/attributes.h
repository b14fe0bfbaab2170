// An item's attributes, found in one pass over its JSON. Scalars are at hand then; lists, sets and
// maps stay text until a field wants them.
#ifndef OD_MAPPER_ATTRIBUTES_H
#define OD_MAPPER_ATTRIBUTES_H

#include "base/buf.h"

#include <string.h>

enum od_attribute_kind {
    OD_ATTRIBUTE_ODD = 0, // no {"tag": value}
    OD_ATTRIBUTE_TEXT,    // a string of JSON
    OD_ATTRIBUTE_TRUE,
    OD_ATTRIBUTE_FALSE,
    OD_ATTRIBUTE_OTHER, // any other JSON
};

struct od_attribute {
    const char *name;
    const char *tag; // "S"; NULL: odd
    od_str text;     // TEXT: without escapes, a 0 behind it. OTHER: as it is written
    enum od_attribute_kind kind;
    uint16_t mark; // of the name, to find it by
};

enum { OD_ATTRIBUTES_AT_HAND = 48, OD_ATTRIBUTES_SLOTS = 64 };

struct od_attributes {
    struct od_attribute *items;
    size_t count;
    size_t cap;
    uint8_t slots[OD_ATTRIBUTES_SLOTS]; // where to look first: a place by a name's mark, and 1
    struct od_attribute at_hand[OD_ATTRIBUTES_AT_HAND]; // more go to the arena
};

// Texts are in a copy that goes to the arena. False when it is no object of JSON. What follows the
// object does not matter.
bool od_attributes_parse(od_arena *arena, od_str json, struct od_attributes *out);

// --- Looking attributes up ----------------------------------------------------------------------

// The first two characters, which differ in most names.
static inline uint16_t od_attribute_mark(const char *name)
{
    uint16_t mark = 0;
    if (name[0] != '\0') {
        memcpy(&mark, name, sizeof(mark));
    }
    return mark;
}

static inline size_t od_attribute_slot(uint16_t mark)
{
    return (mark * 0x9E37U >> 8) % OD_ATTRIBUTES_SLOTS;
}

static inline bool od_attribute_is(const struct od_attribute *attribute, uint16_t mark,
                                   const char *name)
{
    return attribute->mark == mark && strcmp(attribute->name, name) == 0;
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
