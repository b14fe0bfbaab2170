#include "support.h"

#include "partiql/parse/syntax.h"

// --- Trees in writing ---------------------------------------------------------------------------

static const char *const kind_names[] = {
    [OD_QL_STRING] = "string", [OD_QL_NUMBER] = "number",   [OD_QL_BOOL] = "bool",
    [OD_QL_NULL] = "null",     [OD_QL_MISSING] = "missing", [OD_QL_PARAMETER] = "?",
    [OD_QL_PATH] = "path",     [OD_QL_LIST] = "list",       [OD_QL_TUPLE] = "tuple",
    [OD_QL_BAG] = "bag",       [OD_QL_CALL] = "call",       [OD_QL_STAR] = "*",
    [OD_QL_SIGN] = "sign",     [OD_QL_AND] = "and",         [OD_QL_OR] = "or",
    [OD_QL_NOT] = "not",       [OD_QL_COMPARE] = "",        [OD_QL_BETWEEN] = "between",
    [OD_QL_IN] = "in",         [OD_QL_IS] = "is",           [OD_QL_LIKE] = "like",
    [OD_QL_ARITHMETIC] = "",
};

static void print_path(struct od_buf *out, const struct od_path *path)
{
    for (size_t i = 0; i < path->count; i++) {
        const struct od_path_step *step = &path->steps[i];
        if (step->is_index) {
            od_buf_printf(out, "[%u]", step->index);
        } else {
            od_buf_printf(out, "%s%.*s", i == 0 ? "" : ".", OD_STR_ARG(step->name));
        }
    }
}

// What stands for the node in front of its children.
static void print_head(struct od_buf *out, const struct od_ql_node *node)
{
    switch (node->kind) {
    case OD_QL_PATH:
        print_path(out, &node->path);
        return;
    case OD_QL_STRING:
    case OD_QL_NUMBER:
    case OD_QL_SIGN:
    case OD_QL_COMPARE:
    case OD_QL_ARITHMETIC:
        od_buf_put(out, node->text);
        return;
    case OD_QL_BOOL:
        od_buf_printf(out, "%s", node->flag ? "true" : "false");
        return;
    case OD_QL_PARAMETER:
        od_buf_printf(out, "?%zu", node->index);
        return;
    case OD_QL_CALL:
    case OD_QL_IS:
        od_buf_printf(out, "%s %.*s", kind_names[node->kind], OD_STR_ARG(node->name));
        return;
    default:
        od_buf_printf(out, "%s", kind_names[node->kind]);
    }
}

static void print(struct od_buf *out, const struct od_ql_node *node)
{
    bool is_inner = node->first != NULL || node->kind == OD_QL_CALL;
    od_buf_printf(out, "%s", is_inner ? "(" : "");
    print_head(out, node);
    for (const struct od_ql_node *child = node->first; child != NULL; child = child->next) {
        od_buf_put_byte(out, ' ');
        print(out, child);
    }
    od_buf_printf(out, "%s", is_inner ? ")" : "");
}

struct row {
    const char *text;
    const char *tree;
};

static void check_where(od_ctx *cx, const struct row *row)
{
    od_str text = od_arena_printf(cx->arena, "SELECT * FROM t WHERE %s", row->text);
    const struct od_ql_tree *tree = NULL;
    check_ok(row->text, cx, od_ql_parse(cx, text, &tree));
    struct od_buf got = {.arena = cx->arena};
    print(&got, tree->where);
    check_str(row->text, od_buf_str(&got), row->tree);
}

static void check_wheres(od_ctx *cx, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        check_where(cx, &rows[i]);
    }
}

// --- Faults -------------------------------------------------------------------------------------

struct malformed {
    const char *text;
    const char *detail; // NULL: no fault
};

static void check_malformed(od_ctx *cx, const struct malformed *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct od_ql_tree *tree = NULL;
        od_status status = od_ql_parse(cx, od_cstr(rows[i].text), &tree);
        if (rows[i].detail == NULL) {
            check_ok(rows[i].text, cx, status);
            continue;
        }
        od_str message = od_arena_printf(
            cx->arena, "Statement wasn't well formed, can't be processed: %s", rows[i].detail);
        check_message(rows[i].text, cx, status, OD_VALIDATION, message.ptr);
    }
}

static void malformed_selects_say_what_is_wrong(void **state)
{
    static const struct malformed rows[] = {
        {"", "Expected data manipulation"},
        {"SLECT * FROM t", "Expected data manipulation"},
        {"BEGIN TRANSACTION", "Expected data manipulation"},
        {"CREATE TABLE t", "Expected data manipulation"},
        {"UPDATE t WHERE a = 1", "Expected data manipulation"},
        {"FROM t WHERE a = 1", "Expected data manipulation"},
        {"FROM t WHERE a = 1 SET b = 2", "Expected data manipulation"},
        {"FROM t SET b = 2 WHERE a = 1", "Expected data manipulation"},
        {"x IS INT4", "Expected data manipulation"},
        {"FROM t WHERE a = 1 DELETE x", "Expected data manipulation"},
        {"EXISTS(DELETE FROM t WHERE a = 1)", "Expected data manipulation"},
        {"SELECT", "Unexpected term"},
        {"SELECT *", "Expected FROM after SELECT list"},
        {"SELECT a, FROM t", "Unexpected keyword"},
        {"SELECT VALUE a FROM t", "Unexpected keyword"},
        {"SELECT * FROM", "Unexpected term"},
        {"SELECT * FROM order", "Unexpected keyword"},
        {"SELECT * FROM t.", "Invalid path dot component"},
        {"SELECT * FROM t WHERE", "Unexpected term"},
        {"SELECT * FROM t WHERE a", NULL},
        {"SELECT * FROM t WHERE a =", "Missing right-hand side expression of infix operator"},
        {"SELECT * FROM t WHERE a = ;", "Missing right-hand side expression of infix operator"},
        {"SELECT * FROM t WHERE a AND OR b", "Unexpected operator"},
        {"SELECT * FROM t WHERE = a", "Unexpected operator"},
        {"SELECT * FROM t WHERE a = /", "Unexpected operator"},
        {"SELECT * FROM t WHERE a = )", "Unexpected term"},
        {"SELECT * FROM t WHERE a = b = ", "Missing right-hand side expression of infix operator"},
        {"SELECT * FROM t WHERE a BETWEEN 1", "Expected AND after BETWEEN"},
        {"SELECT * FROM t WHERE a BETWEEN 1 OR 2", "Expected AND after BETWEEN"},
        {"SELECT * FROM t WHERE a IS", "Expected type name"},
        {"SELECT * FROM t WHERE a IS DOUBLE", "Expected type name"},
        {"SELECT * FROM t WHERE f(a", "Expected RIGHT_PAREN"},
        {"SELECT * FROM t WHERE f(a,)", "Unexpected term"},
        {"SELECT * FROM t WHERE a IN (1, )", "Unexpected term"},
        {"SELECT * FROM t WHERE a = [1, ]", "Unexpected term"},
        {"SELECT * FROM t WHERE a = [1", "Expected RIGHT_BRACKET"},
        {"SELECT * FROM t WHERE a = <<1", "Expected RIGHT_DOUBLE_ANGLE_BRACKET"},
        {"SELECT * FROM t WHERE a = {'a' 1}", "Expected COLON"},
        {"SELECT * FROM t WHERE a = {'a': 1", "Expected RIGHT_CURLY"},
        {"SELECT * FROM t WHERE a[b] = 1", "Unexpected term"},
        {"SELECT * FROM t WHERE a[1 = 1", "Expected RIGHT_BRACKET"},
        {"SELECT * FROM t WHERE a.1 = 1", "Unexpected token after expression"},
        {"SELECT * FROM t WHERE a.size = 1", "Invalid path dot component"},
        {"SELECT * FROM t WHERE a NOT b", "Unexpected token after expression"},
        {"SELECT * FROM t WHERE a = 1 b", "Unexpected token after expression"},
        {"SELECT * FROM t ORDER a", "Expected BY"},
        {"SELECT * FROM t ORDER BY", "Unexpected term"},
        {"SELECT * FROM t ORDER BY a WHERE a = 1", "Unexpected token after expression"},
    };
    check_malformed(*state, rows, OD_COUNT(rows));
}

static void malformed_writes_say_what_is_wrong(void **state)
{
    static const struct malformed rows[] = {
        {"INSERT t VALUE {}", "Unexpected keyword"},
        {"INSERT INTO VALUE {}", "Expected identifier for simple path"},
        {"INSERT INTO t VALUE", "Unexpected term"},
        {"INSERT INTO t (key) VALUES (1)", "Unexpected keyword"},
        {"INSERT INTO t VALUE {}, {}", "Unexpected token after expression"},
        {"DELETE t WHERE a = 1", "Expected FROM"},
        {"DELETE FROM 't'", "Expected identifier for simple path"},
        {"UPDATE SET a = 1", "Expected identifier for simple path"},
        {"UPDATE t SET 1 = a", "Expected identifier for simple path"},
        {"UPDATE t SET a", "Expected EQ"},
        {"UPDATE t SET a = 1,", "Expected identifier for simple path"},
        {"UPDATE t SET a = 1 RETURNING OLD *", "Expected ALL or MODIFIED in a returning clause"},
        {"UPDATE t SET a = 1 RETURNING ALL *", "Expected OLD or NEW in a returning clause"},
        {"UPDATE t SET a = 1 RETURNING ALL OLD a", "Expected wildcard in a returning clause"},
        {"UPDATE t SET a = 1 RETURNING ALL OLD *, ALL NEW *", "Unexpected token after expression"},
        {"EXISTS SELECT * FROM t", "Expected LEFT_PAREN"},
        {"EXISTS(SELECT * FROM t", "Expected RIGHT_PAREN"},
    };
    check_malformed(*state, rows, OD_COUNT(rows));
}

static void clauses_of_other_languages_are_named(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"SELECT * FROM t GROUP BY a", "Unsupported clause: GROUP BY at 1:17:5"},
        {"SELECT * FROM t HAVING a = 1", "Unsupported clause: HAVING at 1:17:6"},
        {"SELECT * FROM t WHERE a = 1\nLIMIT 10", "Unsupported clause: LIMIT at 2:7:2"},
        {"SELECT DISTINCT a FROM t", "Unsupported clause: DISTINCT at 1:8:8"},
        {"SELECT * FROM a, b", "Unexpected from source"},
        {"SELECT * FROM a LEFT JOIN b ON a = b", "Unexpected from source"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_ql_tree *tree = NULL;
        check_message(rows[i].text, cx, od_ql_parse(cx, od_cstr(rows[i].text), &tree),
                      OD_VALIDATION, rows[i].message);
    }
}

static void faults_that_are_no_syntax_are_kept_the_first_alone(void **state)
{
    static const struct {
        const char *text;
        const char *fault;
    } rows[] = {
        {"SELECT a AS b FROM t u", "Aliasing is not supported"},
        {"UPDATE t u SET a = 1", "Aliasing is not supported"},
        {"DELETE FROM t u", "Aliasing is not supported"},
        {"SELECT * FROM t AT x", "Aliasing is not supported"},
        {"SELECT l[-1], a AS b FROM t",
         "List index is not within the allowable range; index: [-1] at 1:11:1"},
        {"SELECT l[1.5] FROM t", "Unexpected path component at 1:10:3"},
        {"SELECT l[99999999999999999999999] FROM t",
         "List index is not within the allowable range; index: [99999999999999999999999] at "
         "1:10:23"},
        {"SELECT a.*.b FROM t", "Unpivot path component like a.*.b are not supported"},
        {"SELECT a[*].b FROM t", "Wildcard path component like a[*].b are not supported"},
        {"SELECT a[?] FROM t", "Unexpected path component at 1:10:1"},
        {"INSERT INTO t {}", "Expected VALUE in an INSERT statement"},
        {"INSERT INTO t VALUE {} RETURNING ALL OLD *", "RETURNING is not supported in INSERT"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const struct od_ql_tree *tree = NULL;
        check_ok(rows[i].text, cx, od_ql_parse(cx, od_cstr(rows[i].text), &tree));
        check_str(rows[i].text, tree->fault, rows[i].fault);
    }
}

static void deep_nesting_is_an_error_not_a_crash(void **state)
{
    static const struct {
        const char *open;
        const char *inner;
        const char *close;
    } rows[] = {
        {"(", "a = 1", ")"},           {"NOT ", "a = 1", ""},    {"a = - ", "1", ""},
        {"a = [", "1", "]"},           {"a = {'a': ", "1", "}"}, {"f(", "a", ")"},
        {"a = <<", "1", ">>"},         {"a = 1 = ", "1", ""},    {"a + ", "1", ""},
        {"a BETWEEN 1 AND ", "2", ""}, {"a IN (", "1", ")"},     {"a = -[", "1", "]"},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        struct od_buf text = {.arena = cx->arena};
        od_buf_put(&text, OD_STR("SELECT * FROM t WHERE "));
        for (int depth = 0; depth < 500; depth++) {
            od_buf_put(&text, od_cstr(rows[i].open));
        }
        od_buf_put(&text, od_cstr(rows[i].inner));
        for (int depth = 0; depth < 500; depth++) {
            od_buf_put(&text, od_cstr(rows[i].close));
        }
        const struct od_ql_tree *tree = NULL;
        check_message(rows[i].open, cx, od_ql_parse(cx, od_buf_str(&text), &tree), OD_VALIDATION,
                      "Statement wasn't well formed, can't be processed: Statement is nested too "
                      "deeply");
    }
}

static void every_beginning_of_a_statement_ends_well(void **state)
{
    static const char *const texts[] = {
        "SELECT a.b[1], \"c\", count(*) FROM \"t\".i WHERE NOT a = -1 AND (b IN [1, ?] OR c IS NOT "
        "MISSING) ORDER BY a DESC, b;",
        "INSERT INTO t VALUE {'a': [1, <<'x'>>], 'b': {'c': null}}",
        "UPDATE t SET a = a + 1, b.c = list_append(b.c, ?) REMOVE d[2] WHERE pk = 'x' RETURNING "
        "MODIFIED NEW *",
        "EXISTS(SELECT * FROM t WHERE a BETWEEN 1 AND 2 AND b LIKE 'c')",
        "FROM t WHERE a = 1 SET b = <<1>> -- end",
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(texts); i++) {
        od_str text = od_cstr(texts[i]);
        for (size_t len = 0; len <= text.len; len++) {
            // A copy of its own size, so that the sanitizer sees a read past the end.
            od_str beginning = od_arena_copy(cx->arena, (od_str){text.ptr, len});
            const struct od_ql_tree *tree = NULL;
            od_status status = od_ql_parse(cx, beginning, &tree);
            assert_true(status == OD_OK || status == OD_VALIDATION);
        }
    }
}

// --- Trees --------------------------------------------------------------------------------------

static void operators_bind_by_their_precedence(void **state)
{
    static const struct row rows[] = {
        {"a = 1", "(= a 1)"},
        {"a", "a"},
        {"a = 1 AND b = 2 AND c = 3", "(and (= a 1) (= b 2) (= c 3))"},
        {"a = 1 OR b = 2 AND c = 3", "(or (= a 1) (and (= b 2) (= c 3)))"},
        {"a = 1 AND b = 2 OR c = 3", "(or (and (= a 1) (= b 2)) (= c 3))"},
        {"(a = 1 OR b = 2) AND c = 3", "(and (or (= a 1) (= b 2)) (= c 3))"},
        {"NOT a = 1 AND b = 2", "(and (not (= a 1)) (= b 2))"},
        {"NOT (a = 1 AND b = 2)", "(not (and (= a 1) (= b 2)))"},
        {"NOT NOT a = 1", "(not (not (= a 1)))"},
        {"a = b < c", "(= a (< b c))"},
        {"a = b = c", "(= (= a b) c)"},
        {"a <> 1 AND b != 2", "(and (<> a 1) (!= b 2))"},
        {"a + 1 - b < 2", "(< (- (+ a 1) b) 2)"},
        {"a BETWEEN 1 + 2 AND 3 AND b = 1", "(and (between a (+ 1 2) 3) (= b 1))"},
        {"a NOT BETWEEN 1 AND 2", "(not (between a 1 2))"},
        {"a IN [1, 2] OR b", "(or (in a (list 1 2)) b)"},
        {"a IN (1, 2)", "(in a (list 1 2))"},
        {"a IN (1)", "(in a (list 1))"},
        {"a IN ([1, 2])", "(in a (list 1 2))"},
        {"a NOT IN (1)", "(not (in a (list 1)))"},
        {"a LIKE 'x'", "(like a 'x')"},
        {"a IS MISSING", "(is MISSING a)"},
        {"a IS NOT NULL AND b", "(and (not (is NULL a)) b)"},
        {"a IS DOUBLE PRECISION", "(is DOUBLE a)"},
        {"a IS CHARACTER VARYING", "(is CHARACTER a)"},
        {"a = - - 1", "(= a (- (- 1)))"},
        {"a - -1", "(- a (- 1))"},
        {"a-1", "(- a 1)"},
    };
    check_wheres(*state, rows, OD_COUNT(rows));
}

static void terms_are_paths_calls_and_literals(void **state)
{
    static const struct row rows[] = {
        {"a.b[2].\"c d\"['e'] = 1", "(= a.b[2].c d.e 1)"},
        {"\"select\".x = 1", "(= select.x 1)"},
        {"a[-0] = 1", "(= a[0] 1)"},
        {"Begins_With(a, 'x')", "(call begins_with a 'x')"},
        {"size(a) = 1", "(= (call size a) 1)"},
        {"f()", "(call f)"},
        {"count(*) = 1", "(= (call count) 1)"},
        {"a = ? AND b = ?", "(and (= a ?0) (= b ?1))"},
        {"a = [1, 'x', [true], FALSE, null]", "(= a (list 1 'x' (list true) false null))"},
        {"a = {'b': 1, 'c': {}}", "(= a (tuple 'b' 1 'c' tuple))"},
        {"a = <<1, 2>>", "(= a (bag 1 2))"},
        {"a = []", "(= a list)"},
        {"a = MISSING", "(= a missing)"},
    };
    check_wheres(*state, rows, OD_COUNT(rows));
}

static void a_long_chain_is_no_deep_tree(void **state)
{
    od_ctx *cx = *state;
    struct od_buf text = {.arena = cx->arena};
    od_buf_put(&text, OD_STR("SELECT * FROM t WHERE a"));
    for (int i = 0; i < 1000; i++) {
        od_buf_put(&text, OD_STR(" OR a"));
    }
    const struct od_ql_tree *tree = NULL;
    check_ok("a chain", cx, od_ql_parse(cx, od_buf_str(&text), &tree));
    check_size("conditions", tree->where->count, 1001);
    check_size("height", (size_t)tree->where->height, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(malformed_selects_say_what_is_wrong),
        TEST(malformed_writes_say_what_is_wrong),
        TEST(clauses_of_other_languages_are_named),
        TEST(faults_that_are_no_syntax_are_kept_the_first_alone),
        TEST(deep_nesting_is_an_error_not_a_crash),
        TEST(every_beginning_of_a_statement_ends_well),
        TEST(operators_bind_by_their_precedence),
        TEST(terms_are_paths_calls_and_literals),
        TEST(a_long_chain_is_no_deep_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
