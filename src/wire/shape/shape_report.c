#include "wire/wire_internal.h"

// Past these a message grows no longer.
enum { MAX_FAULTS = 10 };
// A name in a request may be as long as the request.
enum { PATH_KEY_MAX_BYTES = 1024 };

struct report {
    od_arena *arena;
    struct od_buf text; // the faults, joined
    struct od_buf path; // to the value being looked at
    size_t count;
    od_str whole; // the message when no constraint is broken; {NULL, 0} for none
};

// One value under test.
struct site {
    const struct od_shape *shape;
    const struct od_shape_member *member; // how its faults are told
    yyjson_val *json;                     // NULL when missing
};

static const struct od_shape_member plain_member;

static void collect(struct report *report, struct site site);

static bool is_complete(const struct report *report)
{
    return report->count == MAX_FAULTS;
}

// --- Wording ------------------------------------------------------------------------------------

void od_shape_put_camel(struct od_buf *out, od_str name)
{
    bool is_upper = name.len > 0 && name.ptr[0] >= 'A' && name.ptr[0] <= 'Z';
    if (!is_upper) {
        od_buf_put(out, name);
        return;
    }
    od_buf_put_byte(out, (unsigned char)(name.ptr[0] - 'A' + 'a'));
    od_buf_put(out, od_str_skip(name, 1));
}

static void put_value(struct report *report, struct site site, bool noecho)
{
    od_buf_put(&report->text, OD_STR("Value "));
    if (noecho) {
        return;
    }
    if (site.json == NULL) {
        od_buf_put(&report->text, OD_STR("null "));
        return;
    }
    od_buf_put_byte(&report->text, '\'');
    od_shape_echo(&report->text, site.shape, site.json);
    od_buf_put(&report->text, OD_STR("' "));
}

// The path; `wirecase`: of a member of the request itself, whose name begins with a capital there.
static void put_path(struct report *report, bool wirecase)
{
    size_t start = report->text.len;
    od_buf_put(&report->text, od_buf_str(&report->path));
    if (wirecase) {
        report->text.ptr[start] = (char)(report->text.ptr[start] - 'a' + 'A');
    }
}

static void add(struct report *report, struct site site, bool is_length, od_str rule)
{
    if (is_complete(report)) {
        return;
    }
    od_buf_put(&report->text, report->count > 0 ? OD_STR("; ") : OD_STR(""));
    put_value(report, site, is_length && site.member->noecho);
    od_buf_put(&report->text, OD_STR("at '"));
    put_path(report, is_length && site.member->wirecase);
    od_buf_put(&report->text, OD_STR("' failed to satisfy constraint: "));
    od_buf_put(&report->text, rule);
    report->count++;
}

static od_str bound_rule(od_arena *arena, const char *what, const char *side, int64_t bound)
{
    return od_arena_printf(arena, "Member must have %s %s than or equal to %lld", what, side,
                           (long long)bound);
}

static od_str pattern_rule(od_arena *arena, const struct od_shape *shape)
{
    return od_arena_printf(arena, "Member must satisfy regular expression pattern: %.*s",
                           OD_STR_ARG(shape->pattern->text));
}

// All that a map asks of its keys or values, as one rule.
static od_str member_rules(od_arena *arena, const char *which, const struct od_shape *shape)
{
    struct od_buf out = {.arena = arena};
    od_buf_printf(&out, "Map %s must satisfy constraint: [", which);
    od_buf_put(&out, bound_rule(arena, "length", "less", shape->max));
    od_buf_put(&out, OD_STR(", "));
    od_buf_put(&out, bound_rule(arena, "length", "greater", shape->min));
    if (shape->pattern != NULL) {
        od_buf_put(&out, OD_STR(", "));
        od_buf_put(&out, pattern_rule(arena, shape));
    }
    od_buf_put_byte(&out, ']');
    return od_buf_str(&out);
}

// --- Values -------------------------------------------------------------------------------------

static void collect_bounds(struct report *report, struct site site, bool is_length, int64_t n)
{
    const char *what = is_length ? "length" : "value";
    if (od_shape_breaks_min(site.shape, n)) {
        add(report, site, is_length, bound_rule(report->arena, what, "greater", site.shape->min));
    }
    if (od_shape_breaks_max(site.shape, n)) {
        add(report, site, is_length, bound_rule(report->arena, what, "less", site.shape->max));
    }
}

static void collect_string(struct report *report, struct site site)
{
    od_str text = od_wire_text(site.json);
    if (od_shape_takes_arn(site.shape, text)) {
        return;
    }
    collect_bounds(report, site, true, od_shape_length(site.shape, text));
    if (od_shape_breaks_pattern(site.shape, text)) {
        add(report, site, false, pattern_rule(report->arena, site.shape));
    }
}

static void collect_enum(struct report *report, struct site site)
{
    if (od_shape_breaks_enum(site.shape, od_wire_text(site.json))) {
        add(report, site, false,
            od_arena_printf(report->arena, "Member must satisfy enum value set: %.*s",
                            OD_STR_ARG(site.shape->values_text)));
    }
}

// --- Lists and maps -----------------------------------------------------------------------------

static void collect_count(struct report *report, struct site site, size_t count)
{
    if (count == 0 && site.shape->min > 0 && site.member->empty_text.ptr != NULL) {
        report->whole = site.member->empty_text;
        return;
    }
    collect_bounds(report, site, true, (int64_t)count);
}

static void collect_list(struct report *report, struct site site)
{
    size_t mark = report->path.len;
    size_t at = 0;
    size_t count = 0;
    yyjson_val *value = NULL;
    yyjson_arr_foreach(site.json, at, count, value)
    {
        if (is_complete(report)) {
            return;
        }
        od_buf_printf(&report->path, ".%zu.member", at + 1);
        collect(report, (struct site){site.shape->of, &plain_member, value});
        report->path.len = mark;
    }
}

static bool has_bad_key(const struct od_shape *keys, const struct od_wire_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        if (od_shape_breaks_string(keys, entries->rows[i].name)) {
            return true;
        }
    }
    return false;
}

static bool has_bad_count(const struct od_shape *list, const struct od_wire_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        yyjson_val *value = entries->rows[i].value;
        int64_t count = (int64_t)yyjson_arr_size(value);
        if (yyjson_is_arr(value) &&
            (od_shape_breaks_min(list, count) || od_shape_breaks_max(list, count))) {
            return true;
        }
    }
    return false;
}

static void collect_map(struct report *report, struct site site)
{
    struct od_wire_entries entries = od_wire_entries(report->arena, site.json);
    const struct od_shape *of = site.shape->of;
    collect_count(report, site, entries.count);
    if (site.shape->keys != NULL && has_bad_key(site.shape->keys, &entries)) {
        add(report, site, false, member_rules(report->arena, "keys", site.shape->keys));
    }
    if (of->kind == OD_SHAPE_LIST && has_bad_count(of, &entries)) {
        add(report, site, false, member_rules(report->arena, "value", of));
    }
    size_t mark = report->path.len;
    for (size_t i = 0; i < entries.count && !is_complete(report); i++) {
        od_buf_put_byte(&report->path, '.');
        od_buf_put(&report->path, od_wire_cut(entries.rows[i].name, PATH_KEY_MAX_BYTES));
        od_buf_put(&report->path, OD_STR(".member"));
        struct site below = {of, &plain_member, entries.rows[i].value};
        if (of->kind == OD_SHAPE_LIST && yyjson_is_arr(below.json)) {
            collect_list(report, below); // how long it may be was the map's matter
        } else {
            collect(report, below);
        }
        report->path.len = mark;
    }
}

// --- Structures ---------------------------------------------------------------------------------

static void collect_member(struct report *report, const struct od_shape_member *member,
                           yyjson_val *structure)
{
    size_t mark = report->path.len;
    if (mark > 0) {
        od_buf_put_byte(&report->path, '.');
    }
    od_shape_put_camel(&report->path, member->name);
    yyjson_val *value = od_wire_find(structure, member->name);
    if (value != NULL || member->required) {
        collect(report, (struct site){member->shape, member, value});
    }
    report->path.len = mark;
}

static void collect_members(struct report *report, const struct od_shape *shape, yyjson_val *json)
{
    for (size_t i = 0; i < shape->member_count; i++) {
        collect_member(report, &shape->members[i], json);
    }
}

static void collect_null(struct report *report, struct site site)
{
    site.json = NULL;
    add(report, site, false, OD_STR("Member must not be null"));
}

static void collect(struct report *report, struct site site)
{
    if (site.json == NULL || yyjson_is_null(site.json)) {
        collect_null(report, site);
        return;
    }
    if (!site.shape->constrained || is_complete(report)) {
        return;
    }
    switch (site.shape->kind) {
    case OD_SHAPE_STRING:
        collect_string(report, site);
        return;
    case OD_SHAPE_ENUM:
        collect_enum(report, site);
        return;
    case OD_SHAPE_INTEGER:
    case OD_SHAPE_LONG:
        collect_bounds(report, site, false, od_shape_int(site.json));
        return;
    case OD_SHAPE_LIST:
        collect_count(report, site, yyjson_arr_size(site.json));
        collect_list(report, site);
        return;
    case OD_SHAPE_MAP:
        collect_map(report, site);
        return;
    case OD_SHAPE_STRUCTURE:
        collect_members(report, site.shape, site.json);
        return;
    case OD_SHAPE_BOOLEAN:
    case OD_SHAPE_BLOB:
        return;
    }
}

// --- Requests -----------------------------------------------------------------------------------

static void collect_request(struct report *report, const struct od_shape *shape, yyjson_val *root)
{
    for (size_t i = 0; i < shape->alone_count; i++) {
        const struct od_shape_member *member = &shape->members[shape->alone[i]];
        if (od_wire_find(root, member->name) != NULL) {
            collect_member(report, member, root);
        }
        if (report->count > 0) {
            return;
        }
    }
    collect_members(report, shape, root);
}

od_status od_shape_report(od_ctx *cx, const struct od_shape *shape, yyjson_val *root)
{
    struct report report = {
        .arena = cx->arena, .text = {.arena = cx->arena}, .path = {.arena = cx->arena}};
    collect_request(&report, shape, root);
    if (report.count == 0) {
        return report.whole.ptr == NULL ? OD_OK : od_wire_fail(cx, OD_VALIDATION, report.whole);
    }
    struct od_buf message = {.arena = cx->arena};
    od_buf_printf(&message, "%zu validation error%s detected: ", report.count,
                  report.count == 1 ? "" : "s");
    od_buf_put(&message, od_buf_str(&report.text));
    return od_wire_fail(cx, OD_VALIDATION, od_buf_str(&message));
}
