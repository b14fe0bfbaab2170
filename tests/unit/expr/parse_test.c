#include "support.h"

#include <string.h>

static od_status parse(od_ctx *cx, enum od_expr_kind kind, const char *text)
{
    const struct od_expr *expr = NULL;
    return od_expr_parse(cx, kind, od_cstr(text), &expr);
}

// --- Faults -------------------------------------------------------------------------------------

struct fault_row {
    enum od_expr_kind kind;
    const char *text;
    const char *message;
};

#define SYNTAX(kind, token, near) \
    "Invalid " kind "Expression: Syntax error; token: \"" token "\", near: \"" near "\""

static const struct fault_row syntax_errors[] = {
    // A condition that ends too early, or is none.
    {OD_EXPR_CONDITION, "foo", SYNTAX("Condition", "<EOF>", "foo")},
    {OD_EXPR_CONDITION, "a-b", SYNTAX("Condition", "-", "a-b")},
    {OD_EXPR_FILTER, "a-b", SYNTAX("Filter", "-", "a-b")},
    {OD_EXPR_KEY_CONDITION, "a-b", SYNTAX("KeyCondition", "-", "a-b")},
    {OD_EXPR_KEY_CONDITION, ":hashId a", SYNTAX("KeyCondition", "a", ":hashId a")},
    {OD_EXPR_KEY_CONDITION, "()", SYNTAX("KeyCondition", ")", "()")},
    {OD_EXPR_CONDITION, " ", SYNTAX("Condition", "<EOF>", " ")},
    {OD_EXPR_CONDITION, "a =", SYNTAX("Condition", "<EOF>", "=")},
    {OD_EXPR_CONDITION, "a = ", SYNTAX("Condition", "<EOF>", "= ")},
    {OD_EXPR_CONDITION, "a == :v", SYNTAX("Condition", "=", "== :v")},
    {OD_EXPR_CONDITION, "a != :v", SYNTAX("Condition", "!", "a !=")},
    {OD_EXPR_CONDITION, "a > 4", SYNTAX("Condition", "4", "> 4")},
    {OD_EXPR_CONDITION, "a = :v )", SYNTAX("Condition", ")", ":v )")},
    {OD_EXPR_CONDITION, "(a = :v", SYNTAX("Condition", "<EOF>", ":v")},
    {OD_EXPR_CONDITION, "(a", SYNTAX("Condition", "<EOF>", "a")},
    {OD_EXPR_CONDITION, "(a)", SYNTAX("Condition", "<EOF>", ")")},
    {OD_EXPR_CONDITION, "(a) AND b = :v", SYNTAX("Condition", "AND", ") AND b")},
    {OD_EXPR_CONDITION, "(NOT a) = :v", SYNTAX("Condition", ")", "a) =")},
    {OD_EXPR_CONDITION, "(a AND b)", SYNTAX("Condition", "AND", "a AND b")},
    {OD_EXPR_CONDITION, "(a = :v) = :v", SYNTAX("Condition", "=", ") = :v")},
    {OD_EXPR_CONDITION, "a = :v b", SYNTAX("Condition", "b", ":v b")},
    {OD_EXPR_CONDITION, "a = :v AND", SYNTAX("Condition", "<EOF>", "AND")},
    {OD_EXPR_CONDITION, "AND a = :v", SYNTAX("Condition", "AND", "AND a")},
    {OD_EXPR_CONDITION, "NOT", SYNTAX("Condition", "<EOF>", "NOT")},
    {OD_EXPR_CONDITION, "NOT #a", SYNTAX("Condition", "<EOF>", "#a")},
    {OD_EXPR_CONDITION, "a IN ()", SYNTAX("Condition", ")", "()")},
    {OD_EXPR_CONDITION, "a IN :v", SYNTAX("Condition", ":v", "IN :v")},
    {OD_EXPR_CONDITION, "a IN (:v", SYNTAX("Condition", "<EOF>", ":v")},
    {OD_EXPR_CONDITION, "a IN (:v,)", SYNTAX("Condition", ")", ",)")},
    {OD_EXPR_CONDITION, "a BETWEEN :v", SYNTAX("Condition", "<EOF>", ":v")},
    {OD_EXPR_CONDITION, "a BETWEEN :v OR :w", SYNTAX("Condition", "OR", ":v OR :w")},
    {OD_EXPR_CONDITION, "in = :v", SYNTAX("Condition", "in", "in =")},
    {OD_EXPR_CONDITION, "a.not = :v", SYNTAX("Condition", "not", ".not =")},
    {OD_EXPR_CONDITION, "size()", SYNTAX("Condition", ")", "()")},
    {OD_EXPR_CONDITION, "contains(a", SYNTAX("Condition", "<EOF>", "a")},
    {OD_EXPR_CONDITION, "contains(a b)", SYNTAX("Condition", "b", "a b)")},
    {OD_EXPR_CONDITION, "(size(a))[0] > b", SYNTAX("Condition", "[", ")[0")},
    {OD_EXPR_CONDITION, "#f(a)", SYNTAX("Condition", "(", "#f(a")},
    {OD_EXPR_CONDITION, "a + b = :v", SYNTAX("Condition", "+", "a + b")},
    {OD_EXPR_FILTER, "tenantAgent:abc-d", SYNTAX("Filter", ":abc", "tenantAgent:abc-")},
    {OD_EXPR_FILTER, "things are not ok", SYNTAX("Filter", "are", "things are not")},
    // Characters that begin no token. A placeholder needs more than its sign.
    {OD_EXPR_CONDITION, "# = :v", SYNTAX("Condition", "#", "# =")},
    {OD_EXPR_CONDITION, "a = :", SYNTAX("Condition", ":", "= :")},
    {OD_EXPR_CONDITION, "a = \xE2\x82\xAC!",
     SYNTAX("Condition", "\xE2\x82\xAC", "= \xE2\x82\xAC!")},
    {OD_EXPR_CONDITION, "a = \xE2", SYNTAX("Condition", "\xE2", "= \xE2")},
    {OD_EXPR_CONDITION, "\"a\" = :v", SYNTAX("Condition", "\"", "\"a")},
    // Paths.
    {OD_EXPR_PROJECTION, "a,", SYNTAX("Projection", "<EOF>", ",")},
    {OD_EXPR_PROJECTION, ",a", SYNTAX("Projection", ",", ",a")},
    {OD_EXPR_PROJECTION, "a b", SYNTAX("Projection", "b", "a b")},
    {OD_EXPR_PROJECTION, "a.", SYNTAX("Projection", "<EOF>", ".")},
    {OD_EXPR_PROJECTION, "a..b", SYNTAX("Projection", ".", "..b")},
    {OD_EXPR_PROJECTION, "[0]", SYNTAX("Projection", "[", "[0")},
    {OD_EXPR_PROJECTION, "a[", SYNTAX("Projection", "<EOF>", "[")},
    {OD_EXPR_PROJECTION, "a[]", SYNTAX("Projection", "]", "[]")},
    {OD_EXPR_PROJECTION, "a[-1]", SYNTAX("Projection", "-", "[-1")},
    {OD_EXPR_PROJECTION, "a[b]", SYNTAX("Projection", "b", "[b]")},
    {OD_EXPR_PROJECTION, "a[#b]", SYNTAX("Projection", "#b", "[#b]")},
    {OD_EXPR_PROJECTION, "a[0", SYNTAX("Projection", "<EOF>", "0")},
    {OD_EXPR_PROJECTION, "a.0", SYNTAX("Projection", "0", ".0")},
    {OD_EXPR_PROJECTION, "1a", SYNTAX("Projection", "1", "1a")},
    {OD_EXPR_PROJECTION, ":a", SYNTAX("Projection", ":a", ":a")},
    {OD_EXPR_PROJECTION, "(a)", SYNTAX("Projection", "(", "(a")},
    {OD_EXPR_PROJECTION, "size(a)", SYNTAX("Projection", "(", "size(a")},
    // Updates.
    {OD_EXPR_UPDATE, "2", SYNTAX("Update", "2", "2")},
    {OD_EXPR_UPDATE, "|", SYNTAX("Update", "|", "|")},
    {OD_EXPR_UPDATE, "   |", SYNTAX("Update", "|", "   |")},
    {OD_EXPR_UPDATE, "RESET", SYNTAX("Update", "RESET", "RESET")},
    {OD_EXPR_UPDATE, "  RESET a value", SYNTAX("Update", "RESET", "  RESET a")},
    {OD_EXPR_UPDATE, "INVALID SYNTAX HERE", SYNTAX("Update", "INVALID", "INVALID SYNTAX")},
    {OD_EXPR_UPDATE, "SET|", SYNTAX("Update", "|", "SET|")},
    {OD_EXPR_UPDATE, "SET", SYNTAX("Update", "<EOF>", "SET")},
    {OD_EXPR_UPDATE, "SET a|", SYNTAX("Update", "|", "a|")},
    {OD_EXPR_UPDATE, "SET 2", SYNTAX("Update", "2", "SET 2")},
    {OD_EXPR_UPDATE, "SET _123 = :v", SYNTAX("Update", "_", "SET _123")},
    {OD_EXPR_UPDATE, "SET a = _idid", SYNTAX("Update", "_", "= _idid")},
    {OD_EXPR_UPDATE, "REMOVE a._b", SYNTAX("Update", "_", "._b")},
    {OD_EXPR_UPDATE, "SET )", SYNTAX("Update", ")", "SET )")},
    {OD_EXPR_UPDATE, "SET ) 3", SYNTAX("Update", ")", "SET ) 3")},
    {OD_EXPR_UPDATE, "SET a = 34", SYNTAX("Update", "34", "= 34")},
    {OD_EXPR_UPDATE, "SET a[ 3", SYNTAX("Update", "<EOF>", "3")},
    {OD_EXPR_UPDATE, "SET a[ 3 ", SYNTAX("Update", "<EOF>", "3 ")},
    {OD_EXPR_UPDATE, "SET a[3 )", SYNTAX("Update", ")", "3 )")},
    {OD_EXPR_UPDATE, "SET a[3)", SYNTAX("Update", ")", "3)")},
    {OD_EXPR_UPDATE, "SET a [  [2] ]. b = 5", SYNTAX("Update", "[", "[  [2")},
    {OD_EXPR_UPDATE, "SET a [2 1]. b = 5", SYNTAX("Update", "1", "2 1]")},
    {OD_EXPR_UPDATE, "SET a [2][ 3  ]. b = 5", SYNTAX("Update", "5", "= 5")},
    {OD_EXPR_UPDATE, "SET #a a = 5", SYNTAX("Update", "a", "#a a =")},
    {OD_EXPR_UPDATE, "SET a = (:_v", SYNTAX("Update", "<EOF>", ":_v")},
    {OD_EXPR_UPDATE, "SET a = (:_v ", SYNTAX("Update", "<EOF>", ":_v ")},
    {OD_EXPR_UPDATE, "SET a = (:_v + (:w", SYNTAX("Update", "<EOF>", ":w")},
    {OD_EXPR_UPDATE, "SET a = [:_v  ", SYNTAX("Update", "[", "= [:_v")},
    {OD_EXPR_UPDATE, "SET a = ):_v + :w", SYNTAX("Update", ")", "= ):_v")},
    {OD_EXPR_UPDATE, "SET a = b + + :_v ", SYNTAX("Update", "+", "+ + :_v")},
    {OD_EXPR_UPDATE, "SET a = b + - :_v ", SYNTAX("Update", "-", "+ - :_v")},
    {OD_EXPR_UPDATE, "SET a = :a + :b + :c", SYNTAX("Update", "+", ":b + :c")},
    {OD_EXPR_UPDATE, "SET a = (:a + :b) + :c", SYNTAX("Update", "+", ") + :c")},
    {OD_EXPR_UPDATE, "SET a = :a + (:b + :c)", SYNTAX("Update", "+", ":b + :c")},
    {OD_EXPR_UPDATE, "SET a = f(a, :b + :c)", SYNTAX("Update", "+", ":b + :c")},
    {OD_EXPR_UPDATE, "SET a = b Num", SYNTAX("Update", "Num", "b Num")},
    {OD_EXPR_UPDATE, "SET a = b c d", SYNTAX("Update", "c", "b c d")},
    {OD_EXPR_UPDATE, "SET path = VALUE 1", SYNTAX("Update", "1", "VALUE 1")},
    {OD_EXPR_UPDATE, "SET a = :v,", SYNTAX("Update", "<EOF>", ",")},
    {OD_EXPR_UPDATE, "SET :a = :b", SYNTAX("Update", ":a", "SET :a =")},
    {OD_EXPR_UPDATE, "SET a.b", SYNTAX("Update", "<EOF>", "b")},
    {OD_EXPR_UPDATE, "REMOVE a + ", SYNTAX("Update", "+", "a + ")},
    {OD_EXPR_UPDATE, "REMOVE if_not_exists(a,b)", SYNTAX("Update", "(", "if_not_exists(a")},
    {OD_EXPR_UPDATE, "REMOVE a = :v", SYNTAX("Update", "=", "a = :v")},
    {OD_EXPR_UPDATE, "ADD a val foobar", SYNTAX("Update", "val", "a val foobar")},
    {OD_EXPR_UPDATE, "ADD a :v foobar", SYNTAX("Update", "foobar", ":v foobar")},
    {OD_EXPR_UPDATE, "ADD a = :v", SYNTAX("Update", "=", "a = :v")},
    {OD_EXPR_UPDATE, "DELETE a val", SYNTAX("Update", "val", "a val")},
    {OD_EXPR_UPDATE, "DELETE a", SYNTAX("Update", "<EOF>", "a")},
};

static void a_syntax_error_names_the_token_and_what_is_near(void **state)
{
    for (size_t i = 0; i < OD_COUNT(syntax_errors); i++) {
        od_status status = parse(*state, syntax_errors[i].kind, syntax_errors[i].text);
        check_fault(syntax_errors[i].text, *state, status, syntax_errors[i].message);
    }
}

static const struct fault_row refused[] = {
    {OD_EXPR_CONDITION, "", "Condition: The expression can not be empty;"},
    {OD_EXPR_FILTER, "", "Filter: The expression can not be empty;"},
    {OD_EXPR_KEY_CONDITION, "", "KeyCondition: The expression can not be empty;"},
    {OD_EXPR_PROJECTION, "", "Projection: The expression can not be empty;"},
    {OD_EXPR_UPDATE, "", "Update: The expression can not be empty;"},
    // Reserved words, in every element of a path and in any case.
    {OD_EXPR_CONDITION, "name = :v",
     "Condition: Attribute name is a reserved keyword; reserved keyword: name"},
    {OD_EXPR_CONDITION, "a.b.Status = :v",
     "Condition: Attribute name is a reserved keyword; reserved keyword: Status"},
    {OD_EXPR_CONDITION, "a = :v AND size(DATA) > ttl",
     "Condition: Attribute name is a reserved keyword; reserved keyword: DATA"},
    {OD_EXPR_PROJECTION, "a, and",
     "Projection: Attribute name is a reserved keyword; reserved keyword: and"},
    {OD_EXPR_PROJECTION, "set[0]",
     "Projection: Attribute name is a reserved keyword; reserved keyword: set"},
    {OD_EXPR_UPDATE, "SET a = data",
     "Update: Attribute name is a reserved keyword; reserved keyword: data"},
    {OD_EXPR_UPDATE, "SET and = :v",
     "Update: Attribute name is a reserved keyword; reserved keyword: and"},
    {OD_EXPR_UPDATE, "REMOVE size",
     "Update: Attribute name is a reserved keyword; reserved keyword: size"},
    // Functions.
    {OD_EXPR_CONDITION, "f(a)", "Condition: Invalid function name; function: f"},
    {OD_EXPR_CONDITION, "Begins_with(a, :v)",
     "Condition: Invalid function name; function: Begins_with"},
    {OD_EXPR_KEY_CONDITION, "p = :p AND BEGINS_WITH(c, :c)",
     "KeyCondition: Invalid function name; function: BEGINS_WITH"},
    {OD_EXPR_CONDITION, "a < f(f(b))", "Condition: Invalid function name; function: f"},
    {OD_EXPR_UPDATE, "SET a = LIST_APPEND(:a, :b)",
     "Update: Invalid function name; function: LIST_APPEND"},
    {OD_EXPR_UPDATE, "SET a = f123_hi(b, c, d)",
     "Update: Invalid function name; function: f123_hi"},
    {OD_EXPR_CONDITION, "if_not_exists(a, :v) = :v",
     "Condition: The function is not allowed in a condition expression; function: "
     "if_not_exists"},
    {OD_EXPR_FILTER, "list_append(a, :v)",
     "Filter: The function is not allowed in a condition expression; function: list_append"},
    {OD_EXPR_CONDITION, "contains(a, list_append(a, b))",
     "Condition: The function is not allowed in a condition expression; function: "
     "list_append"},
    {OD_EXPR_UPDATE, "SET a = attribute_exists(b)",
     "Update: The function is not allowed in an update expression; function: "
     "attribute_exists"},
    {OD_EXPR_UPDATE, "SET a = size(b)",
     "Update: The function is not allowed in an update expression; function: size"},
    {OD_EXPR_CONDITION, "size(a)",
     "Condition: The function is not allowed to be used this way in an expression; function: "
     "size"},
    {OD_EXPR_CONDITION, "a = :v AND (size(a))",
     "Condition: The function is not allowed to be used this way in an expression; function: "
     "size"},
    {OD_EXPR_CONDITION, "NOT size(a)",
     "Condition: The function is not allowed to be used this way in an expression; function: "
     "size"},
    {OD_EXPR_CONDITION, "attribute_exists(a) = :v",
     "Condition: The function is not allowed to be used this way in an expression; function: "
     "attribute_exists"},
    {OD_EXPR_CONDITION, "(contains(a, :v)) = :v",
     "Condition: The function is not allowed to be used this way in an expression; function: "
     "contains"},
    {OD_EXPR_CONDITION, "a IN (:v, contains(a, :v))",
     "Condition: The function is not allowed to be used this way in an expression; function: "
     "contains"},
    {OD_EXPR_CONDITION, "a BETWEEN contains(a, :v) AND :v",
     "Condition: The function is not allowed to be used this way in an expression; function: "
     "contains"},
    {OD_EXPR_CONDITION, "attribute_exists(size(a))",
     "Condition: The function is not allowed to be used this way in an expression; function: "
     "size"},
    {OD_EXPR_UPDATE, "SET a = list_append(list_append(:a, :b), :c)",
     "Update: The function is not allowed to be used this way in an expression; function: "
     "list_append"},
    {OD_EXPR_UPDATE, "SET a = list_append(:a, list_append(:b, :c))",
     "Update: The function is not allowed to be used this way in an expression; function: "
     "list_append"},
    {OD_EXPR_UPDATE, "SET a = if_not_exists(b, if_not_exists(c, :v))",
     "Update: The function is not allowed to be used this way in an expression; function: "
     "if_not_exists"},
    // A pair of parentheses directly around another.
    {OD_EXPR_CONDITION, "((a = :b))", "Condition: The expression has redundant parentheses;"},
    {OD_EXPR_FILTER, "( (a = :b) )", "Filter: The expression has redundant parentheses;"},
    {OD_EXPR_KEY_CONDITION, "((c = :c) AND ((p = :p)))",
     "KeyCondition: The expression has redundant parentheses;"},
    {OD_EXPR_CONDITION, "((a)) = :b", "Condition: The expression has redundant parentheses;"},
    {OD_EXPR_CONDITION, "a = ((:b))", "Condition: The expression has redundant parentheses;"},
    {OD_EXPR_CONDITION, "((attribute_exists(a)))",
     "Condition: The expression has redundant parentheses;"},
    {OD_EXPR_CONDITION, "((size(a))) > :b", "Condition: The expression has redundant parentheses;"},
    {OD_EXPR_CONDITION, "NOT ((a = :b AND c = :d))",
     "Condition: The expression has redundant parentheses;"},
    {OD_EXPR_UPDATE, "SET a = ((:b))", "Update: The expression has redundant parentheses;"},
    {OD_EXPR_UPDATE, "SET a = ((:b + :c))", "Update: The expression has redundant parentheses;"},
    // Clauses.
    {OD_EXPR_UPDATE, "SET a = :v SET b = :w",
     "Update: The \"SET\" section can only be used once in an update expression;"},
    {OD_EXPR_UPDATE, "REMOVE a SET b = :w remove c",
     "Update: The \"REMOVE\" section can only be used once in an update expression;"},
    {OD_EXPR_UPDATE, "ADD a :v ADD b :v",
     "Update: The \"ADD\" section can only be used once in an update expression;"},
    {OD_EXPR_UPDATE, "DELETE a :v DELETE b :v",
     "Update: The \"DELETE\" section can only be used once in an update expression;"},
    // Indexes.
    {OD_EXPR_PROJECTION, "a[2147483648]",
     "Projection: List index is not within the allowable range; index: [2147483648]"},
    {OD_EXPR_UPDATE, "REMOVE a[99999999999999999999]",
     "Update: List index is not within the allowable range; index: [99999999999999999999]"},
};

static void a_well_formed_text_may_still_be_refused(void **state)
{
    for (size_t i = 0; i < OD_COUNT(refused); i++) {
        od_ctx *cx = *state;
        od_str message = od_arena_printf(cx->arena, "Invalid %.*sExpression%s",
                                         (int)strcspn(refused[i].message, ":"), refused[i].message,
                                         refused[i].message + strcspn(refused[i].message, ":"));
        check_fault(refused[i].text, cx, parse(cx, refused[i].kind, refused[i].text), message.ptr);
    }
}

static void some_faults_are_reported_before_others(void **state)
{
    static const struct fault_row rows[] = {
        {OD_EXPR_CONDITION, "name = ((:b)) AND f(a) AND", SYNTAX("Condition", "<EOF>", "AND")},
        {OD_EXPR_CONDITION, "name = :b AND f(a) AND size(a) AND ((a = :b))",
         "Invalid ConditionExpression: The expression has redundant parentheses;"},
        {OD_EXPR_CONDITION, "name = :b AND size(a) AND f(a)",
         "Invalid ConditionExpression: Invalid function name; function: f"},
        {OD_EXPR_CONDITION, "name = :b AND size(a)",
         "Invalid ConditionExpression: The function is not allowed to be used this way in an "
         "expression; function: size"},
        {OD_EXPR_UPDATE, "SET a = f(b) SET b = name",
         "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: name"},
        {OD_EXPR_UPDATE, "SET a = :v SET b = f(c)",
         "Invalid UpdateExpression: Invalid function name; function: f"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        od_status status = parse(*state, rows[i].kind, rows[i].text);
        check_fault(rows[i].text, *state, status, rows[i].message);
    }
}

// --- What is accepted ---------------------------------------------------------------------------

static void well_formed_texts_are_accepted(void **state)
{
    static const struct {
        enum od_expr_kind kind;
        const char *text;
    } rows[] = {
        {OD_EXPR_CONDITION, "a=:b"},
        {OD_EXPR_CONDITION, "\t a\r\n= :b "},
        {OD_EXPR_CONDITION, "a <> b AnD c<=d oR nOt e>=f aND g bEtWeEn :h aNd :i or j iN (:k,:l)"},
        {OD_EXPR_CONDITION, "NOT NOT NOT NOT a < b"},
        {OD_EXPR_CONDITION, "(a = :b)"},
        {OD_EXPR_CONDITION, "((a = :b) AND (c = :d))"},
        {OD_EXPR_CONDITION, "(a = :b) AND (NOT (c = :d))"},
        {OD_EXPR_CONDITION, "(NOT (a = :b))"},
        {OD_EXPR_CONDITION, "((a) = :b)"},
        {OD_EXPR_CONDITION, "(((a) = (:b)) OR (size(c)) < (size((d))))"},
        {OD_EXPR_CONDITION, "( ( ( size ( #a )) < b.c ) AND ( #d > :e ) )"},
        {OD_EXPR_CONDITION, "(attribute_exists (a)) AND (a) IN ((:b))"},
        {OD_EXPR_CONDITION, ":a BETWEEN b AND size(c) AND begins_with(:d, e)"},
        {OD_EXPR_CONDITION, "a.b[0][1].#c.d_1 = #0.#_"},
        {OD_EXPR_CONDITION, "a [ 0 ] . b = :123a"},
        {OD_EXPR_CONDITION, "remove = :v AND removes = :v"},
        {OD_EXPR_CONDITION, "_a = :v AND a._b < _"},
        {OD_EXPR_FILTER, "size(_a) > :v OR begins_with(__, :w)"},
        {OD_EXPR_KEY_CONDITION, "_pk = :v"},
        {OD_EXPR_KEY_CONDITION, ":p = p and (:c < c)"},
        {OD_EXPR_PROJECTION, "a,b.c , d[2147483647],#e.f"},
        {OD_EXPR_PROJECTION, "remove, a1_"},
        {OD_EXPR_PROJECTION, "_a, b._c[0], _"},
        {OD_EXPR_UPDATE, "set a = :b"},
        {OD_EXPR_UPDATE, "sEt a=:b rEmOvE c aDd d :e dElEtE f :g"},
        {OD_EXPR_UPDATE, "DELETE a :b ADD c :d REMOVE e, f.g[0] SET h = i"},
        {OD_EXPR_UPDATE, "SET a = (:b), c = (d + :e), f = (d) - (:e)"},
        {OD_EXPR_UPDATE, "SET a = if_not_exists(a, :b) + :c"},
        {OD_EXPR_UPDATE, "SET a = list_append(if_not_exists(a, :b), :c)"},
        {OD_EXPR_UPDATE, "SET a = if_not_exists(b, list_append(c, :d))"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        check_ok(rows[i].text, *state, parse(*state, rows[i].kind, rows[i].text));
    }
}

// --- Limits -------------------------------------------------------------------------------------

// `front`, `count` times `part`, `middle`, `count` times `back`.
static const char *nest(od_ctx *cx, const char *part, size_t count, const char *middle,
                        const char *back)
{
    struct od_buf text = {.arena = cx->arena};
    for (size_t i = 0; i < count; i++) {
        od_buf_put(&text, od_cstr(part));
    }
    od_buf_put(&text, od_cstr(middle));
    for (size_t i = 0; i < count; i++) {
        od_buf_put(&text, od_cstr(back));
    }
    od_buf_put_byte(&text, '\0');
    return text.ptr;
}

static void a_text_has_at_most_4096_bytes(void **state)
{
    static const struct {
        enum od_expr_kind kind;
        const char *end;
        const char *message;
    } rows[] = {
        {OD_EXPR_CONDITION, "a = :b", "Invalid ConditionExpression: "},
        {OD_EXPR_PROJECTION, "a", "Invalid ProjectionExpression: "},
        {OD_EXPR_UPDATE, "SET a = :b", "Invalid UpdateExpression: "},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        size_t blanks = OD_EXPR_MAX_BYTES - strlen(rows[i].end);
        const char *longest = nest(cx, " ", blanks, rows[i].end, "");
        check_ok(rows[i].end, cx, parse(cx, rows[i].kind, longest));
        const char *too_long = nest(cx, " ", blanks + 1, rows[i].end, "");
        od_str message = od_arena_printf(
            cx->arena, "%sExpression size has exceeded the maximum allowed size", rows[i].message);
        check_fault(rows[i].end, cx, parse(cx, rows[i].kind, too_long), message.ptr);
    }
}

static void a_text_has_at_most_300_operators_and_functions(void **state)
{
    static const char many[] = "The expression contains too many operators; operator count: 301";
    static const struct {
        enum od_expr_kind kind;
        const char *front;
        const char *part;
        const char *back;
        size_t most;
    } rows[] = {
        {OD_EXPR_CONDITION, "a<b ", "or a<b ", "", 149},
        {OD_EXPR_CONDITION, "a<b ", "or (a<b ", ")", 149},
        {OD_EXPR_CONDITION, "a<b and not a<b and attribute_exists(a)", " and a=b", "", 147},
        {OD_EXPR_CONDITION, "a=b", " or not a=b", "", 99},
        {OD_EXPR_UPDATE, "set a=b", ",a=b+c", "", 300},
        {OD_EXPR_UPDATE, "set b=c", ",a=if_not_exists(b,c)-d", "", 150},
    };
    od_ctx *cx = *state;
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        for (size_t extra = 0; extra < 2; extra++) {
            size_t count = rows[i].most + extra;
            od_str text = od_arena_printf(cx->arena, "%s%s", rows[i].front,
                                          nest(cx, rows[i].part, count, "", rows[i].back));
            const struct od_expr *expr = NULL;
            od_status status = od_expr_parse(cx, rows[i].kind, text, &expr);
            bool too_many = status != OD_OK && od_str_contains(cx->error, od_cstr(many));
            check_bool(rows[i].front, too_many, extra == 1);
        }
    }
}

static void deep_nesting_is_an_error_not_a_crash(void **state)
{
    od_ctx *cx = *state;
    const struct fault_row rows[] = {
        {OD_EXPR_CONDITION, nest(cx, "(", 4096, "", ""),
         "Condition: The expression has redundant parentheses;"},
        {OD_EXPR_CONDITION, nest(cx, "(", 2046, "a<b", ")"),
         "Condition: The expression has redundant parentheses;"},
        {OD_EXPR_CONDITION, nest(cx, "(", 2040, "a", ")"),
         "Condition: The expression has redundant parentheses;"},
        {OD_EXPR_CONDITION, nest(cx, "not ", 1000, "a<b", ""),
         "Condition: The expression contains too many operators; operator count: 301"},
        {OD_EXPR_CONDITION, nest(cx, "not (", 680, "a<b", ")"),
         "Condition: The expression contains too many operators; operator count: 301"},
        {OD_EXPR_CONDITION, nest(cx, "a<b or (", 454, "a<b", ")"),
         "Condition: The expression contains too many operators; operator count: 301"},
        {OD_EXPR_CONDITION, nest(cx, "f(", 1355, "a", ")"),
         "Condition: Invalid function name; function: f"},
        {OD_EXPR_CONDITION, nest(cx, "size(", 680, "a", ")"),
         "Condition: The function is not allowed to be used this way in an expression; function: "
         "size"},
        {OD_EXPR_UPDATE, nest(cx, "SET a = (", 1, nest(cx, "(", 4000, "", ""), ""),
         "Update: The expression has redundant parentheses;"},
        {OD_EXPR_UPDATE, nest(cx, "SET a = ", 1, nest(cx, "list_append(", 339, "", ""), ""),
         "Update: The function is not allowed to be used this way in an expression; function: "
         "list_append"},
    };
    for (size_t i = 0; i < OD_COUNT(rows); i++) {
        const char *colon = strchr(rows[i].message, ':');
        od_str message = od_arena_printf(cx->arena, "Invalid %.*sExpression%s",
                                         (int)(colon - rows[i].message), rows[i].message, colon);
        od_status status = parse(cx, rows[i].kind, rows[i].text);
        check_fault(message.ptr, cx, status, message.ptr);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_syntax_error_names_the_token_and_what_is_near),
        TEST(a_well_formed_text_may_still_be_refused),
        TEST(some_faults_are_reported_before_others),
        TEST(well_formed_texts_are_accepted),
        TEST(a_text_has_at_most_4096_bytes),
        TEST(a_text_has_at_most_300_operators_and_functions),
        TEST(deep_nesting_is_an_error_not_a_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
