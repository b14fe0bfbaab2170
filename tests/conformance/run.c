#include "run.h"

#include "match.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

enum { MAX_TABLES = 64, MAX_POLLS = 600, POLL_US = 100 * 1000, MAX_SHOWN_BYTES = 600 };

struct run {
    const struct link *link; // NULL when scenarios are only checked
    const char *file;
    const struct scenario *scenario;
    struct tally *tally;
    od_arena *arena; // of the scenario
    od_arena *step_arena;
    struct captures captures;
    od_str tables[MAX_TABLES]; // that the scenario made
    size_t table_count;
    od_str reason; // why the step failed
};

static bool fail(struct run *r, od_str reason)
{
    r->reason = reason;
    return false;
}

static yyjson_doc *read_json(od_str text)
{
    // yyjson does not write to the text without YYJSON_READ_INSITU.
    return yyjson_read(text.ptr, text.len, YYJSON_READ_NOFLAG);
}

static bool is_json(od_str text)
{
    yyjson_doc *doc = read_json(text);
    yyjson_doc_free(doc);
    return doc != NULL;
}

static bool call(struct run *r, od_str operation, od_str body, struct answer *out)
{
    od_str what = {0};
    bool ok = r->link->ops->call(r->link->transport, r->step_arena, operation, body, out, &what);
    return ok || fail(r, od_arena_copy(r->arena, what));
}

static bool differ_status(struct run *r, int want, const struct answer *got)
{
    int len = got->body.len > MAX_SHOWN_BYTES ? MAX_SHOWN_BYTES : (int)got->body.len;
    return fail(r, od_arena_printf(r->arena, "want status %d, got %d: %.*s", want, got->status, len,
                                   got->body.ptr));
}

// --- Tables -------------------------------------------------------------------------------------

static void remember_table(struct run *r, od_str name)
{
    if (r->table_count < MAX_TABLES) {
        r->tables[r->table_count++] = od_arena_copy(r->arena, name);
    }
}

// DescribeTable until the table is active with all its indexes, or until it is gone. Only a server
// far away, and an index that is added, make this wait.
static bool await_table(struct run *r, od_str name, bool want_gone)
{
    od_str body = od_arena_printf(r->step_arena, "{\"TableName\":\"%.*s\"}", OD_STR_ARG(name));
    for (int i = 0; i < MAX_POLLS; i++) {
        struct answer got = {0};
        if (!call(r, OD_STR("DescribeTable"), body, &got)) {
            return false;
        }
        bool is_active = od_str_contains(got.body, OD_STR("\"TableStatus\":\"ACTIVE\"")) &&
                         !od_str_contains(got.body, OD_STR("\"Backfilling\""));
        if (want_gone ? got.status == 400 : is_active) {
            return true;
        }
        usleep(POLL_US);
    }
    return fail(r, od_arena_printf(r->arena, "table %.*s does not become %s", OD_STR_ARG(name),
                                   want_gone ? "deleted" : "active"));
}

static bool drop_tables(struct run *r)
{
    bool ok = true;
    for (size_t i = 0; i < r->table_count; i++) {
        struct answer got = {0};
        od_str body =
            od_arena_printf(r->step_arena, "{\"TableName\":\"%.*s\"}", OD_STR_ARG(r->tables[i]));
        // The scenario may have deleted it, or named it by an ARN.
        ok = call(r, OD_STR("DeleteTable"), body, &got) &&
             (got.status != 200 || await_table(r, r->tables[i], true)) && ok;
    }
    return ok;
}

// --- Steps --------------------------------------------------------------------------------------

static bool run_table(struct run *r, const struct step *step)
{
    struct answer got = {0};
    if (r->link == NULL) {
        return true;
    }
    if (!call(r, OD_STR("CreateTable"), step->request, &got)) {
        return false;
    }
    if (got.status != 200) {
        return differ_status(r, 200, &got);
    }
    remember_table(r, step->name);
    return await_table(r, step->name, false);
}

static bool put_item(struct run *r, od_str table, od_str item)
{
    struct answer got = {0};
    od_str body = od_arena_printf(r->step_arena, "{\"TableName\":\"%.*s\",\"Item\":%.*s}",
                                  OD_STR_ARG(table), OD_STR_ARG(item));
    if (r->link == NULL) {
        return true;
    }
    if (!call(r, OD_STR("PutItem"), body, &got)) {
        return false;
    }
    return got.status == 200 || differ_status(r, 200, &got);
}

// Items stand one after another, each a JSON object.
static bool run_items(struct run *r, const struct step *step, int n)
{
    od_str rest = expand(r->step_arena, step->request, n, &r->captures);
    while (rest.len > 0) {
        yyjson_doc *doc =
            yyjson_read(rest.ptr, rest.len, YYJSON_READ_STOP_WHEN_DONE | YYJSON_READ_NOFLAG);
        if (doc == NULL) {
            return fail(r, od_arena_printf(r->arena, "an item is no JSON: %.*s",
                                           rest.len > 80 ? 80 : (int)rest.len, rest.ptr));
        }
        size_t len = yyjson_doc_get_read_size(doc);
        yyjson_doc_free(doc);
        if (!put_item(r, step->name, (od_str){rest.ptr, len})) {
            return false;
        }
        rest = od_str_skip(rest, len);
        while (rest.len > 0 && strchr(" \r\n\t", rest.ptr[0]) != NULL) {
            rest = od_str_skip(rest, 1);
        }
    }
    return true;
}

// "< 400 ValidationException" and a line of text, as a pattern of the error's body.
static bool match_error(struct run *r, const struct step *step, int n, yyjson_val *got)
{
    od_str type = {yyjson_get_str(yyjson_obj_get(got, "__type")),
                   yyjson_get_len(yyjson_obj_get(got, "__type"))};
    const char *hash = type.ptr == NULL ? NULL : memchr(type.ptr, '#', type.len);
    od_str name = hash == NULL ? type : od_str_skip(type, (size_t)(hash - type.ptr) + 1);
    yyjson_val *message = yyjson_obj_get(got, "message");
    if (message == NULL) {
        message = yyjson_obj_get(got, "Message");
    }
    od_str have = {yyjson_get_str(message), yyjson_get_len(message)};
    od_str want = expand(r->step_arena, step->answer, n, &r->captures);
    bool same_type = od_str_eq(name, step->error_type) || od_str_eq(type, step->error_type);
    if (same_type && (want.len == 0 || match_text(want, have))) {
        return true;
    }
    return fail(r, od_arena_printf(r->arena, "want %.*s: %.*s\n  got  %.*s: %.*s",
                                   OD_STR_ARG(step->error_type), OD_STR_ARG(want), OD_STR_ARG(name),
                                   OD_STR_ARG(have)));
}

static bool match_pattern(struct run *r, const struct step *step, int n, yyjson_val *got)
{
    od_str text = expand_pattern(r->step_arena, step->answer, n, &r->captures);
    yyjson_doc *pattern = read_json(text);
    if (pattern == NULL) {
        return fail(r, OD_STR("the answer's pattern is no JSON"));
    }
    od_str reason = {0};
    bool ok = got == NULL ||
              match_json(r->step_arena, yyjson_doc_get_root(pattern), got, &r->captures, &reason);
    yyjson_doc_free(pattern);
    return ok || fail(r, od_arena_copy(r->arena, reason));
}

static bool match_answer(struct run *r, const struct step *step, int n, const struct answer *got)
{
    if (got->status != step->status) {
        return differ_status(r, step->status, got);
    }
    if (step->answer.len == 0 && step->error_type.len == 0) {
        return true;
    }
    yyjson_doc *doc = read_json(got->body);
    if (doc == NULL) {
        return fail(r, OD_STR("the answer's body is no JSON"));
    }
    bool ok = step->error_type.len > 0 ? match_error(r, step, n, yyjson_doc_get_root(doc))
                                       : match_pattern(r, step, n, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return ok;
}

// A table that the scenario makes, changes or deletes with a request of its own.
static bool follow_table(struct run *r, od_str operation, od_str body)
{
    bool is_create = od_str_eq(operation, OD_STR("CreateTable"));
    bool is_delete = od_str_eq(operation, OD_STR("DeleteTable"));
    if (!is_create && !is_delete && !od_str_eq(operation, OD_STR("UpdateTable"))) {
        return true;
    }
    yyjson_doc *doc = read_json(body);
    yyjson_val *name = yyjson_obj_get(yyjson_doc_get_root(doc), "TableName");
    od_str table =
        od_arena_copy(r->step_arena, (od_str){yyjson_get_str(name), yyjson_get_len(name)});
    yyjson_doc_free(doc);
    if (is_create) {
        remember_table(r, table);
    }
    return await_table(r, table, is_delete);
}

static bool check_call(struct run *r, const struct step *step, int n, od_str body)
{
    if (!step->is_raw && !is_json(body)) {
        return fail(r, OD_STR("the request is no JSON; say > OPERATION raw if it should be so"));
    }
    if (step->answer.len == 0 || step->error_type.len > 0) {
        return true;
    }
    return match_pattern(r, step, n, NULL);
}

static bool run_call(struct run *r, const struct step *step, int n)
{
    struct answer got = {0};
    od_str body = expand(r->step_arena, step->request, n, &r->captures);
    if (r->link == NULL) {
        return check_call(r, step, n, body);
    }
    if (!call(r, step->name, body, &got) || !match_answer(r, step, n, &got)) {
        return false;
    }
    return got.status != 200 || follow_table(r, step->name, body);
}

static bool run_step(struct run *r, const struct step *step, int n)
{
    switch (step->kind) {
    case STEP_TABLE:
        return run_table(r, step);
    case STEP_ITEMS:
        return run_items(r, step, n);
    case STEP_CALL:
        return run_call(r, step, n);
    }
    return false;
}

// --- Scenarios ----------------------------------------------------------------------------------

static void report(struct run *r, const struct step *step)
{
    printf("%s:%d: not ok: %.*s\n  %.*s: %.*s\n", r->file, step->line,
           OD_STR_ARG(r->scenario->title), OD_STR_ARG(step->name), OD_STR_ARG(r->reason));
}

// A step that fails is reported, and the next ones run all the same: one wrong text should not hide
// what comes after it. Without its table a scenario has nothing more to say.
static bool run_steps(struct run *r)
{
    bool ok = true;
    for (const struct step *step = r->scenario->steps; step != NULL; step = step->next) {
        bool step_ok = true;
        for (int n = 1; n <= step->repeat && step_ok; n++) {
            r->tally->steps++;
            step_ok = run_step(r, step, n);
            od_arena_reset(r->step_arena);
        }
        if (!step_ok) {
            report(r, step);
            ok = false;
        }
        if (!step_ok && step->kind != STEP_CALL) {
            return false;
        }
    }
    return ok;
}

static void run_scenario(const struct link *link, const char *file, const struct scenario *scenario,
                         struct tally *tally)
{
    struct run r = {.link = link,
                    .file = file,
                    .scenario = scenario,
                    .tally = tally,
                    .arena = od_arena_create(),
                    .step_arena = od_arena_create()};
    r.captures.arena = r.arena;
    bool ok = run_steps(&r);
    if (!drop_tables(&r)) {
        printf("%s:%d: not ok: its tables cannot be deleted: %.*s\n", file, scenario->line,
               OD_STR_ARG(r.reason));
        ok = false;
    }
    tally->passed += ok;
    tally->failed += !ok;
    od_arena_destroy(r.step_arena);
    od_arena_destroy(r.arena);
}

void run_scenarios(const struct link *link, const char *file, const struct scenario *first,
                   struct tally *tally)
{
    for (const struct scenario *at = first; at != NULL; at = at->next) {
        run_scenario(link, file, at, tally);
    }
}

void check_scenarios(const char *file, const struct scenario *first, struct tally *tally)
{
    run_scenarios(NULL, file, first, tally);
}
