// What a page of a query holds.
#include "mapper/mapper_internal.h"

static bool take_member(const struct od_json_walk *walk, struct od_page *page)
{
    if (od_str_eq(walk->name, OD_STR("Items"))) {
        page->items = walk->value;
        return walk->value.ptr[0] == '[';
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

ordna_status od_page_read(ordna_session *session, od_str body, struct od_page *out)
{
    *out = (struct od_page){0};
    struct od_json_walk walk = {.text = body};
    while (od_json_next(&walk)) {
        if (!take_member(&walk, out)) {
            return od_bad_answer(session, "Query");
        }
    }
    return walk.broken ? od_bad_answer(session, "Query") : ORDNA_OK;
}
