#include "scenario.h"

#include "table_line.h"

#include <stdio.h>
#include <string.h>

struct parser {
    od_arena *arena;
    od_str rest;
    int line_number; // of the line that `take_line` gave last
    struct scenario *first;
    struct scenario **next_scenario;
    struct step **next_step; // NULL before the first title
    struct step *open;       // the step whose answer or items may follow
    int repeat;              // for the next step
    struct fault *fault;
};

static bool fail(struct parser *p, const char *what)
{
    *p->fault = (struct fault){p->line_number, od_cstr(what)};
    return false;
}

static od_str peek_line(const struct parser *p)
{
    const char *end = memchr(p->rest.ptr, '\n', p->rest.len);
    return (od_str){p->rest.ptr, end == NULL ? p->rest.len : (size_t)(end - p->rest.ptr)};
}

static od_str take_line(struct parser *p)
{
    od_str line = peek_line(p);
    bool has_end = line.len < p->rest.len;
    p->rest = od_str_skip(p->rest, line.len + (has_end ? 1 : 0));
    p->line_number++;
    return line;
}

static bool is_directive(od_str line)
{
    static const od_str starts[] = {
        OD_STR_INIT("# "),     OD_STR_INIT("> "), OD_STR_INIT("< "),     OD_STR_INIT("//"),
        OD_STR_INIT("table "), OD_STR_INIT("@"),  OD_STR_INIT("items "),
    };
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        if (od_str_has_prefix(line, starts[i])) {
            return true;
        }
    }
    return false;
}

static bool is_blank(od_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr(" \t\r\n", text.ptr[i]) == NULL) {
            return false;
        }
    }
    return true;
}

// The lines up to the next directive, without blank ones at the end.
static od_str take_text(struct parser *p)
{
    const char *start = p->rest.ptr;
    size_t len = 0;
    while (p->rest.len > 0 && !is_directive(peek_line(p))) {
        od_str line = take_line(p);
        if (!is_blank(line)) {
            len = (size_t)(line.ptr + line.len - start);
        }
    }
    return (od_str){start, len};
}

static od_str next_word(od_str *line)
{
    while (line->len > 0 && line->ptr[0] == ' ') {
        *line = od_str_skip(*line, 1);
    }
    size_t len = 0;
    while (len < line->len && line->ptr[len] != ' ') {
        len++;
    }
    od_str word = {line->ptr, len};
    *line = od_str_skip(*line, len);
    return word;
}

static bool add_step(struct parser *p, struct step step)
{
    if (p->next_step == NULL) {
        return fail(p, "a scenario begins with a title: # What it shows");
    }
    if (p->open != NULL && p->open->kind == STEP_CALL && p->open->answer_line == 0) {
        return fail(p, "the request above has no answer: < STATUS");
    }
    struct step *added = od_new(p->arena, struct step);
    *added = step;
    added->line = p->line_number;
    added->repeat = p->repeat;
    p->repeat = 1;
    *p->next_step = added;
    p->next_step = &added->next;
    p->open = added;
    return true;
}

static bool parse_title(struct parser *p, od_str line)
{
    if (p->open != NULL && p->open->kind == STEP_CALL && p->open->answer_line == 0) {
        return fail(p, "the request above has no answer: < STATUS");
    }
    struct scenario *scenario = od_new(p->arena, struct scenario);
    scenario->title = od_str_skip(line, 2);
    scenario->line = p->line_number;
    *p->next_scenario = scenario;
    p->next_scenario = &scenario->next;
    p->next_step = &scenario->steps;
    p->open = NULL;
    p->repeat = 1;
    return true;
}

static bool parse_table(struct parser *p, od_str line)
{
    struct step step = {.kind = STEP_TABLE, .status = 200};
    int line_number = p->line_number;
    const char *start = line.ptr;
    size_t len = line.len;
    while (p->rest.len > 0 && od_str_has_prefix(peek_line(p), OD_STR("  "))) {
        od_str more = take_line(p);
        len = (size_t)(more.ptr + more.len - start);
    }
    od_str what = {0};
    if (!table_line_to_json(p->arena, (od_str){start, len}, &step.name, &step.request, &what)) {
        *p->fault = (struct fault){line_number, what};
        return false;
    }
    return add_step(p, step);
}

static bool parse_items(struct parser *p, od_str line)
{
    struct step step = {.kind = STEP_ITEMS, .status = 200};
    line = od_str_skip(line, sizeof("items ") - 1);
    step.name = next_word(&line);
    if (step.name.len == 0 || line.len > 0) {
        return fail(p, "expected: items TABLE");
    }
    if (!add_step(p, step)) {
        return false;
    }
    p->open->request = take_text(p);
    return true;
}

static bool parse_call(struct parser *p, od_str line)
{
    struct step step = {.kind = STEP_CALL};
    line = od_str_skip(line, 1);
    step.name = next_word(&line);
    od_str flag = next_word(&line);
    step.is_raw = od_str_eq(flag, OD_STR("raw"));
    if (step.name.len == 0 || (flag.len > 0 && !step.is_raw)) {
        return fail(p, "expected: > OPERATION, or > OPERATION raw");
    }
    if (!add_step(p, step)) {
        return false;
    }
    p->open->request = take_text(p);
    return true;
}

static bool parse_answer(struct parser *p, od_str line)
{
    struct step *step = p->open;
    if (step == NULL || step->kind != STEP_CALL || step->answer_line != 0) {
        return fail(p, "there is no request to answer above");
    }
    line = od_str_skip(line, 1);
    uint64_t status = 0;
    if (!od_str_to_u64(next_word(&line), &status) || status < 100 || status > 599) {
        return fail(p, "expected: < STATUS, or < STATUS ERROR");
    }
    step->status = (int)status;
    step->answer_line = p->line_number;
    step->error_type = next_word(&line);
    step->answer = take_text(p);
    if (step->error_type.len > 0 && memchr(step->answer.ptr, '\n', step->answer.len) != NULL) {
        return fail(p, "the message of an error is one line");
    }
    return true;
}

static bool parse_setting(struct parser *p, od_str line)
{
    uint64_t repeat = 0;
    if (!od_str_eq(next_word(&line), OD_STR("@repeat")) ||
        !od_str_to_u64(next_word(&line), &repeat) || repeat < 1 || repeat > MAX_REPEAT) {
        return fail(p, "expected: @repeat COUNT");
    }
    p->repeat = (int)repeat;
    return true;
}

static bool parse_line(struct parser *p, od_str line)
{
    static const struct {
        od_str start;
        bool (*parse)(struct parser *p, od_str line);
    } rows[] = {
        {OD_STR_INIT("# "), parse_title},     {OD_STR_INIT("table "), parse_table},
        {OD_STR_INIT("items "), parse_items}, {OD_STR_INIT("> "), parse_call},
        {OD_STR_INIT("< "), parse_answer},    {OD_STR_INIT("@"), parse_setting},
    };
    if (is_blank(line) || od_str_has_prefix(line, OD_STR("//"))) {
        return true;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (od_str_has_prefix(line, rows[i].start)) {
            return rows[i].parse(p, line);
        }
    }
    return fail(p, "a line that is none of: # table items > < @repeat //");
}

bool scenario_parse(od_arena *arena, od_str text, struct scenario **out, struct fault *fault)
{
    struct parser p = {.arena = arena, .rest = text, .repeat = 1, .fault = fault};
    p.next_scenario = &p.first;
    while (p.rest.len > 0) {
        if (!parse_line(&p, take_line(&p))) {
            return false;
        }
    }
    if (p.open != NULL && p.open->kind == STEP_CALL && p.open->answer_line == 0) {
        return fail(&p, "the last request has no answer: < STATUS");
    }
    if (p.first == NULL) {
        return fail(&p, "no scenario in the file");
    }
    *out = p.first;
    return true;
}
