#include "mapper/attributes.h"

// (Apart, as so many attributes are rare.)
__attribute__((noinline)) static void make_room(od_arena *arena, struct od_attributes *to)
{
    const size_t cap = to->cap * 2;
    struct od_attribute *items = od_new_array(arena, struct od_attribute, cap);
    memcpy(items, to->items, to->count * sizeof(*items));
    to->items = items;
    to->cap = cap;
}

bool od_attributes_parse(od_arena *arena, od_str json, struct od_attributes *out)
{
    out->items = out->at_hand;
    out->count = 0;
    out->cap = OD_ATTRIBUTES_AT_HAND;
    memset(out->slots, 0, sizeof(out->slots));
    struct od_attribute_walk walk;
    od_attribute_walk_open(&walk, arena, json);
    while (od_attribute_walk_next(&walk, &out->items[out->count])) {
        struct od_attribute *attribute = &out->items[out->count++];
        attribute->mark = od_attribute_mark(attribute->name.ptr);
        out->slots[od_attribute_slot(attribute->mark)] = (uint8_t)out->count;
        if (out->count == out->cap) {
            make_room(arena, out);
        }
    }
    return !walk.broken;
}

// --- Looking attributes up ----------------------------------------------------------------------

const struct od_attribute *od_attributes_search(const struct od_attributes *attributes,
                                                const char *name)
{
    const uint16_t mark = od_attribute_mark(name);
    for (size_t i = 0; i < attributes->count; i++) {
        if (od_attribute_is(&attributes->items[i], mark, name)) {
            return &attributes->items[i];
        }
    }
    return NULL;
}

od_str od_attributes_text(const struct od_attributes *attributes, const char *name, const char *tag)
{
    const struct od_attribute *attribute = od_attributes_find(attributes, name);
    const bool is = attribute != NULL && attribute->kind == OD_ATTRIBUTE_TEXT &&
                    strcmp(attribute->tag, tag) == 0;
    return is ? attribute->text : (od_str){0};
}
