#include "support.h"

#include "expr/expr_internal.h"

enum { MAX_PATHS = 8 };

// "a.b[1] c": paths with blanks between them.
static size_t read_paths(od_ctx *cx, const char *text, struct od_path *out)
{
    od_str list = od_arena_copy(cx->arena, od_cstr(text));
    char *at = (char *)(uintptr_t)list.ptr;
    for (; *at != '\0'; at++) {
        if (*at == ' ') {
            *at = ',';
        }
    }
    const struct od_expr *expr = NULL;
    check_ok(text, cx, od_expr_parse(cx, OD_EXPR_PROJECTION, list, &expr));
    size_t count = 0;
    for (const struct od_node *node = expr->paths; node != NULL; node = node->next) {
        out[count++] = node->path;
    }
    return count;
}

static void paths_sort_step_by_step_indexes_first(void **state)
{
    static const struct {
        const char *text;
        const char *sorted;
    } rows[] = {
        {"b a", "[a] [b]"},
        {"a.b a", "[a] [a, b]"},
        {"a.b a.a.z ab a[1]", "[a, [1]] [a, a, z] [a, b] [ab]"},
        {"a[10] a[9] a[2].b a[2]", "[a, [2]] [a, [2], b] [a, [9]] [a, [10]]"},
        {"b B a A", "[A] [B] [a] [b]"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_ctx *cx = *state;
        struct od_path paths[MAX_PATHS];
        size_t count = read_paths(cx, rows[i].text, paths);
        const struct od_target *targets = od_paths_sort(cx->arena, paths, count);
        struct od_buf out = {.arena = cx->arena};
        for (size_t n = 0; n < count; n++) {
            od_buf_put(&out, n == 0 ? OD_STR("") : OD_STR(" "));
            od_buf_put(&out, od_path_print(cx->arena, &targets[n].path));
            check_bool(rows[i].text, od_path_equal(&paths[targets[n].index], &targets[n].path),
                       true);
        }
        check_text(i, od_buf_str(&out), rows[i].sorted);
    }
}

static void two_paths_are_apart_overlap_or_conflict(void **state)
{
    static const struct {
        const char *text;
        enum od_path_relation relation;
    } rows[] = {
        {"a b", OD_PATHS_APART},          {"a ab", OD_PATHS_APART},
        {"a.b a.c", OD_PATHS_APART},      {"a[0] a[1]", OD_PATHS_APART},
        {"a.b[0] c.b.d", OD_PATHS_APART}, {"a a", OD_PATHS_OVERLAP},
        {"a a.b", OD_PATHS_OVERLAP},      {"a a[0]", OD_PATHS_OVERLAP},
        {"a.b.c a.b", OD_PATHS_OVERLAP},  {"a[0] a[0].b", OD_PATHS_OVERLAP},
        {"a.b a[0]", OD_PATHS_CONFLICT},  {"a.b.c a.b[0].c", OD_PATHS_CONFLICT},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_path paths[MAX_PATHS];
        (void)read_paths(*state, rows[i].text, paths);
        check_size(rows[i].text, od_path_relation(&paths[0], &paths[1]), rows[i].relation);
        check_size(rows[i].text, od_path_relation(&paths[1], &paths[0]), rows[i].relation);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(paths_sort_step_by_step_indexes_first),
        TEST(two_paths_are_apart_overlap_or_conflict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
