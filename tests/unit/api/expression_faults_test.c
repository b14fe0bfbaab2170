// What can be wrong with an expression, in every parameter that takes one.
#include "support.h"

// --- Parameters ---------------------------------------------------------------------------------

struct place {
    const char *operation;
    const char *body; // $ stands for the text, and then for ExpressionAttributeValues
    const char *kind; // of which words speak
    bool enveloped;
};

#define TABLE  "'TableName':'abc'"
#define KEY    "'Key':{'k':{'S':'a'}}"
#define ITEM   "'Item':{'k':{'S':'a'}}"
#define TXN(s) "{'TransactItems':[{" s "}]}"
#define TESTED "'ConditionExpression':'$'$"

static const struct place conditions[] = {
    {"PutItem", "{" TABLE "," ITEM "," TESTED "}", "Condition", true},
    {"UpdateItem", "{" TABLE "," KEY "," TESTED "}", "Condition", true},
    {"DeleteItem", "{" TABLE "," KEY "," TESTED "}", "Condition", false},
    {"TransactWriteItems", TXN("'Put':{" TABLE "," ITEM "," TESTED "}"), "Condition", false},
    {"TransactWriteItems", TXN("'Delete':{" TABLE "," KEY "," TESTED "}"), "Condition", false},
    {"TransactWriteItems", TXN("'ConditionCheck':{" TABLE "," KEY "," TESTED "}"), "Condition",
     false},
    {"TransactWriteItems",
     TXN("'Update':{" TABLE "," KEY ",'UpdateExpression':'REMOVE x'," TESTED "}"), "Condition",
     false},
    {"Scan", "{" TABLE ",'FilterExpression':'$'$}", "Filter", false},
    {"Query", "{" TABLE ",'KeyConditionExpression':'k=k','FilterExpression':'$'$}", "Filter",
     false},
};

static const struct place updates[] = {
    {"UpdateItem", "{" TABLE "," KEY ",'UpdateExpression':'$'$}", "Update", true},
    {"TransactWriteItems", TXN("'Update':{" TABLE "," KEY ",'UpdateExpression':'$'$}"), "Update",
     false},
};

static const struct place projections[] = {
    {"GetItem", "{" TABLE "," KEY ",'ProjectionExpression':'$'$}", "Projection", false},
    {"BatchGetItem",
     "{'RequestItems':{'abc':{'Keys':[{'k':{'S':'a'}}],'ProjectionExpression':'$'$}}}",
     "Projection", false},
    {"TransactGetItems", TXN("'Get':{" TABLE "," KEY ",'ProjectionExpression':'$'$}"), "Projection",
     false},
    {"Scan", "{" TABLE ",'ProjectionExpression':'$'$}", "Projection", false},
};

// --- Faults -------------------------------------------------------------------------------------

struct fault {
    const char *text;
    const char *values; // ":v" and ":w", or ""
    const char *words;
};

#define X64      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define X512     X64 X64 X64 X64 X64 X64 X64 X64
#define X4096    X512 X512 X512 X512 X512 X512 X512 X512

#define V(v)     ",'ExpressionAttributeValues':{':v':" v "}"
#define VW(v, w) ",'ExpressionAttributeValues':{':v':" v ",':w':" w "}"
#define ONE      V("{'N':'1'}")
#define TEXT     V("{'S':'a'}")
#define TYPE     "Incorrect operand type for operator or function; operator or function: "
#define COUNT    "Incorrect number of operands for operator or function; operator or function: "
#define SAME                                                                               \
    "The first operand must be distinct from the remaining operands for this operator or " \
    "function; operator: "
#define PATHS " with each other; must remove or rewrite one of these paths; path one: "
#define NO_NAME \
    "An expression attribute name used in the document path is not defined; attribute name: "
#define NO_VALUE \
    "An expression attribute value used in expression is not defined; attribute value: "
#define RESERVED "Attribute name is a reserved keyword; reserved keyword: "
#define BOUNDS(a, b) \
    "lower bound operand: AttributeValue: " a ", upper bound operand: AttributeValue: " b

static const struct fault condition_faults[] = {
    {"", "", "The expression can not be empty;"},
    {X4096 "x", "", "Expression size has exceeded the maximum allowed size"},
    {"a = :v", "", NO_VALUE ":v"},
    {"#a = :v", ONE, NO_NAME "#a"},
    {"size = :v", ONE, RESERVED "size"},
    {"a.Status = :v", ONE, RESERVED "Status"},
    {"foo(a)", "", "Invalid function name; function: foo"},
    {"Contains(a, :v)", TEXT, "Invalid function name; function: Contains"},
    {"if_not_exists(a, :v)", TEXT,
     "The function is not allowed in a condition expression; function: if_not_exists"},
    {"size(a)", "",
     "The function is not allowed to be used this way in an expression; function: size"},
    {"contains(a, b) = :v", TEXT,
     "The function is not allowed to be used this way in an expression; function: contains"},
    {"contains(a)", "", COUNT "contains, number of operands: 1"},
    {"attribute_exists(a, b)", "", COUNT "attribute_exists, number of operands: 2"},
    {"attribute_not_exists(:v)", TEXT,
     "Operator or function requires a document path; operator or function: attribute_not_exists"},
    {"begins_with(a, :v)", ONE, TYPE "begins_with, operand type: N"},
    {"a < :v", V("{'BOOL':true}"), TYPE "<, operand type: BOOL"},
    {"a <= :v", V("{'NULL':true}"), TYPE "<=, operand type: NULL"},
    {":v > a", V("{'NS':['1']}"), TYPE ">, operand type: NS"},
    {"a >= :v", V("{'M':{}}"), TYPE ">=, operand type: M"},
    {"a BETWEEN :v AND :v", V("{'L':[]}"), TYPE "BETWEEN, operand type: L"},
    {"attribute_type(a, :v)", ONE, TYPE "attribute_type, operand type: N"},
    {"attribute_type(a, :v)", TEXT,
     "Invalid attribute type name found; type: a, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
    {"a = a", "", SAME "=, first operand: [a]"},
    {"contains(a.b[1], a.b[1])", "", SAME "contains, first operand: [a, b, [1]]"},
    {"a BETWEEN :v AND :w", VW("{'N':'1'}", "{'S':'a'}"),
     "The BETWEEN operator requires same data type for lower and upper bounds; " BOUNDS("{N:1}",
                                                                                        "{S:a}")},
    {"a BETWEEN :v AND :w", VW("{'N':'2'}", "{'N':'1'}"),
     "The BETWEEN operator requires upper bound to be greater than or equal to lower "
     "bound; " BOUNDS("{N:2}", "{N:1}")},
    {"((a = :v))", ONE, "The expression has redundant parentheses;"},
    {"a = :v AND", ONE, "Syntax error; token: \"<EOF>\", near: \"AND\""},
    {"a = 5", "", "Syntax error; token: \"5\", near: \"= 5\""},
};

static const struct fault update_faults[] = {
    {"", "", "The expression can not be empty;"},
    {X4096 "x", "", "Expression size has exceeded the maximum allowed size"},
    {"SET a = :v SET b = :v", ONE,
     "The \"SET\" section can only be used once in an update expression;"},
    {"SET a = size(b)", "", "The function is not allowed in an update expression; function: size"},
    {"SET a = :v, a = :v", ONE, "Two document paths overlap" PATHS "[a], path two: [a]"},
    {"SET a = :v REMOVE a.b", ONE, "Two document paths overlap" PATHS "[a], path two: [a, b]"},
    {"SET a.b = :v, a[1] = :v", ONE,
     "Two document paths conflict" PATHS "[a, b], path two: [a, [1]]"},
    {"ADD a :v", TEXT,
     "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, "
     "typeSet: ALLOWED_FOR_ADD_OPERAND"},
    {"DELETE a :v", ONE,
     "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, "
     "typeSet: ALLOWED_FOR_DELETE_OPERAND"},
    {"SET a = a + :v", TEXT, TYPE "+, operand type: S"},
    {"SET a = list_append(a, :v)", ONE, TYPE "list_append, operand type: N"},
    {"SET a = :w", ONE, NO_VALUE ":w"},
    {"REMOVE #a", "", NO_NAME "#a"},
    {"SET Name = :v", ONE, RESERVED "Name"},
    {"SET a = :v,", ONE, "Syntax error; token: \"<EOF>\", near: \",\""},
};

static const struct fault projection_faults[] = {
    {"", "", "The expression can not be empty;"},
    {X4096 "x", "", "Expression size has exceeded the maximum allowed size"},
    {"a, b, a", "", "Two document paths overlap" PATHS "[a], path two: [a]"},
    {"a.b, a", "", "Two document paths overlap" PATHS "[a, b], path two: [a]"},
    {"a[0], a.b", "", "Two document paths conflict" PATHS "[a, [0]], path two: [a, b]"},
    {"#a", "", NO_NAME "#a"},
    {"a.name", "", RESERVED "name"},
    {"a,", "", "Syntax error; token: \"<EOF>\", near: \",\""},
    {"a b", "", "Syntax error; token: \"b\", near: \"a b\""},
};

// --- Together -----------------------------------------------------------------------------------

static void put_body(struct od_buf *out, const struct place *place, const struct fault *fault)
{
    bool has_text = false;
    for (const char *at = place->body; *at != '\0'; at++) {
        if (*at != '$') {
            od_buf_put_byte(out, (unsigned char)*at);
            continue;
        }
        od_buf_put(out, od_cstr(has_text ? fault->values : fault->text));
        has_text = true;
    }
    od_buf_put_byte(out, '\0');
}

static void put_words(struct od_buf *out, const struct place *place, const struct fault *fault)
{
    od_buf_printf(out, "ValidationException: %sInvalid %sExpression: %s",
                  place->enveloped ? "1 validation error detected: " : "", place->kind,
                  fault->words);
    od_buf_put_byte(out, '\0');
}

static void check_everywhere(void **state, const struct place *places, size_t place_count,
                             const struct fault *faults, size_t fault_count)
{
    od_arena *arena = od_arena_create();
    for (size_t p = 0; p < place_count; p++) {
        for (size_t f = 0; f < fault_count; f++) {
            struct od_buf body = {.arena = arena};
            struct od_buf want = {.arena = arena};
            put_body(&body, &places[p], &faults[f]);
            put_words(&want, &places[p], &faults[f]);
            const struct api_row row = {places[p].operation, body.ptr, want.ptr};
            check_decodes(state, &row, 1);
        }
    }
    od_arena_destroy(arena);
}

#define EVERYWHERE(state, places, faults) \
    check_everywhere((state), (places), OD_COUNT(places), (faults), OD_COUNT(faults))

// No table is needed: expressions are read before it is looked for.

static void conditions_are_told_alike_in_every_parameter(void **state)
{
    EVERYWHERE(state, conditions, condition_faults);
}

static void updates_are_told_alike_in_every_parameter(void **state)
{
    EVERYWHERE(state, updates, update_faults);
}

static void projections_are_told_alike_in_every_parameter(void **state)
{
    EVERYWHERE(state, projections, projection_faults);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(conditions_are_told_alike_in_every_parameter, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(updates_are_told_alike_in_every_parameter, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(projections_are_told_alike_in_every_parameter, api_setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests_name("expression faults", tests, NULL, NULL);
}
