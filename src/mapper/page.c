// What a page of a query holds.
#include "mapper/mapper_internal.h"

// Room for as many items as the answer says it has is not to be trusted: it grows.
struct list {
    od_arena *arena;
    od_str *items;
    size_t count;
    size_t cap;
};

enum { FIRST_CAP = 16 };

static void append(struct list *list, od_str item)
{
    if (list->count == list->cap) {
        const size_t cap = list->cap == 0 ? FIRST_CAP : list->cap * 2;
        list->items = (od_str *)(void *)od_arena_grow(list->arena, (char *)list->items,
                                                      list->cap * sizeof(item), cap * sizeof(item));
        list->cap = cap;
    }
    list->items[list->count++] = item;
}

static bool take_items(struct od_json_walk *walk, od_arena *arena, struct od_page *page)
{
    if (walk->value.ptr[0] != '[') {
        return false;
    }
    struct list list = {.arena = arena};
    struct od_json_walk inner = {.text = walk->value};
    while (od_json_next(&inner)) {
        append(&list, inner.value);
    }
    od_json_leave(walk, &inner);
    page->items = list.items;
    page->item_count = list.count;
    return true;
}

static bool take_member(struct od_json_walk *walk, od_arena *arena, struct od_page *page)
{
    if (od_str_eq(walk->name, OD_STR("Items"))) {
        return take_items(walk, arena, page);
    }
    if (!od_json_skip(walk)) {
        return false;
    }
    if (od_str_eq(walk->name, OD_STR("LastEvaluatedKey"))) {
        page->next = walk->value;
        return walk->value.ptr[0] == '{';
    }
    if (od_str_eq(walk->name, OD_STR("Count"))) {
        return od_str_to_u64(walk->value, &page->count);
    }
    return true;
}

ordna_status od_page_read(ordna_session *session, od_arena *arena, od_str body, struct od_page *out)
{
    *out = (struct od_page){0};
    struct od_json_walk walk = {.text = body};
    while (od_json_reach(&walk)) {
        if (!take_member(&walk, arena, out)) {
            return od_bad_answer(session, "Query");
        }
    }
    return walk.broken ? od_bad_answer(session, "Query") : ORDNA_OK;
}
