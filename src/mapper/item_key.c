#include "mapper/item_key.h"

static struct od_key_part part_of(const struct od_attributes *item, const char *name,
                                  ordna_type type)
{
    return (struct od_key_part){.text = od_attributes_text(item, name, od_attribute_tag(type)),
                                .is_number = type == ORDNA_DECIMAL};
}

struct od_item_key od_item_key_of(const ordna_table_key *key, const struct od_attributes *item)
{
    struct od_item_key of = {.partition = part_of(item, key->partition, key->partition_type)};
    if (key->sort != NULL) {
        of.sort = part_of(item, key->sort, key->sort_type);
    }
    return of;
}

struct od_item_key od_item_key_parse(od_arena *arena, const ordna_table_key *key, od_str json)
{
    struct od_attributes attributes;
    return od_attributes_parse(arena, json, &attributes) ? od_item_key_of(key, &attributes)
                                                         : (struct od_item_key){0};
}

static bool is_same_part(const struct od_key_part *a, const struct od_key_part *b)
{
    if (a->text.ptr == NULL || b->text.ptr == NULL) {
        return a->text.ptr == b->text.ptr;
    }
    return a->is_number ? od_decimal_compare(a->text, b->text) == 0 : od_str_eq(a->text, b->text);
}

bool od_item_key_is_same(const struct od_item_key *a, const struct od_item_key *b)
{
    return is_same_part(&a->partition, &b->partition) && is_same_part(&a->sort, &b->sort);
}
