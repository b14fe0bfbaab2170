// What can be wrong with a value, on every way in which values come in: the words are the same, and
// the operation decides what stands around them.
#include "support.h"

#define TABLE "'TableName':'abc'"

static int setup(void **state)
{
    if (api_setup(state) != 0) {
        return -1;
    }
    static const char body[] =
        "{" TABLE ",'BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':[{'AttributeName':'k',"
        "'AttributeType':'S'}],'KeySchema':[{'AttributeName':'k','KeyType':'HASH'}]}";
    return api_call(state, "CreateTable", body).http_status == 200 ? 0 : -1;
}

// --- Ways in ------------------------------------------------------------------------------------

// What stands around a fault's words.
enum around {
    BARE,
    FAMILY,       // the envelope, when the fault is of the family that has one
    VALUES,       // "ExpressionAttributeValues contains invalid value: ... for key :v"
    FAMILY_VALUES // both
};

struct way {
    const char *operation;
    const char *body; // $ stands for the value
    enum around around;
};

#define KEY    "'Key':{'k':{'S':'a'}}"
#define V      "'ExpressionAttributeValues':{':v':$}"
#define EQUAL  "{'ComparisonOperator':'NE','AttributeValueList':[$]}"
#define BY_KEY "'KeyConditions':{'k':{'ComparisonOperator':'EQ','AttributeValueList':[{'S':'a'}]}}"
#define TXN(s) "{'TransactItems':[{" s "}]}"
#define QL(s)  "{'Statement':'" s "','Parameters':[$]}"

static const struct way ways[] = {
    {"PutItem", "{" TABLE ",'Item':{'k':{'S':'a'},'x':$}}", FAMILY},
    {"PutItem", "{" TABLE ",'Item':{'k':$}}", FAMILY},
    {"PutItem", "{" TABLE ",'Item':{'k':{'S':'a'}},'ConditionExpression':'x=:v'," V "}",
     FAMILY_VALUES},
    {"PutItem", "{" TABLE ",'Item':{'k':{'S':'a'}},'Expected':{'x':{'Value':$}}}", FAMILY},
    {"PutItem", "{" TABLE ",'Item':{'k':{'S':'a'}},'Expected':{'x':" EQUAL "}}", FAMILY},
    {"UpdateItem", "{" TABLE ",'Key':{'k':$}}", FAMILY},
    {"UpdateItem", "{" TABLE "," KEY ",'UpdateExpression':'SET x=:v'," V "}", FAMILY_VALUES},
    {"UpdateItem", "{" TABLE "," KEY ",'ConditionExpression':'x=:v'," V "}", FAMILY_VALUES},
    {"UpdateItem", "{" TABLE "," KEY ",'AttributeUpdates':{'x':{'Value':$}}}", FAMILY},
    {"UpdateItem", "{" TABLE "," KEY ",'Expected':{'x':{'Value':$}}}", FAMILY},
    {"DeleteItem", "{" TABLE ",'Key':{'k':$}}", BARE},
    {"DeleteItem", "{" TABLE "," KEY ",'ConditionExpression':'x=:v'," V "}", VALUES},
    {"DeleteItem", "{" TABLE "," KEY ",'Expected':{'x':{'Value':$}}}", BARE},
    {"GetItem", "{" TABLE ",'Key':{'k':$}}", BARE},
    {"BatchGetItem", "{'RequestItems':{'abc':{'Keys':[{'k':$}]}}}", BARE},
    {"BatchWriteItem", "{'RequestItems':{'abc':[{'PutRequest':{'Item':{'k':{'S':'a'},'x':$}}}]}}",
     BARE},
    {"BatchWriteItem", "{'RequestItems':{'abc':[{'DeleteRequest':{'Key':{'k':$}}}]}}", BARE},
    {"TransactGetItems", TXN("'Get':{" TABLE ",'Key':{'k':$}}"), BARE},
    {"TransactWriteItems", TXN("'Put':{" TABLE ",'Item':{'k':{'S':'a'},'x':$}}"), BARE},
    {"TransactWriteItems", TXN("'Delete':{" TABLE ",'Key':{'k':$}}"), BARE},
    {"TransactWriteItems", TXN("'Update':{" TABLE "," KEY ",'UpdateExpression':'SET x=:v'," V "}"),
     VALUES},
    {"TransactWriteItems",
     TXN("'ConditionCheck':{" TABLE "," KEY ",'ConditionExpression':'x=:v'," V "}"), VALUES},
    {"Query", "{" TABLE ",'KeyConditionExpression':'k=:v'," V "}", VALUES},
    {"Query",
     "{" TABLE ",'KeyConditionExpression':'k=:k','FilterExpression':'x=:v',"
     "'ExpressionAttributeValues':{':k':{'S':'a'},':v':$}}",
     VALUES},
    {"Query", "{" TABLE "," BY_KEY ",'QueryFilter':{'x':" EQUAL "}}", BARE},
    {"Query", "{" TABLE "," BY_KEY ",'ExclusiveStartKey':{'k':$}}", BARE},
    {"Scan", "{" TABLE ",'FilterExpression':'x=:v'," V "}", VALUES},
    {"Scan", "{" TABLE ",'ScanFilter':{'x':" EQUAL "}}", BARE},
    {"Scan", "{" TABLE ",'ExclusiveStartKey':{'k':$}}", BARE},
    {"ExecuteStatement", QL("SELECT * FROM abc WHERE x=?"), BARE},
    {"ExecuteStatement", QL("UPDATE abc SET x=? WHERE k=k"), BARE},
    {"ExecuteTransaction", "{'TransactStatements':[" QL("DELETE FROM abc WHERE k=?") "]}", BARE},
};

// --- Faults -------------------------------------------------------------------------------------

struct fault {
    const char *value;
    const char *words;
    bool is_family;
};

#define INVALID "One or more parameter values were invalid: "
#define EMPTY \
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
#define TOO_DEEP                                                                         \
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested " \
    "levels beyond supported limit"
#define L8(v) "{'L':[{'L':[{'L':[{'L':[{'L':[{'L':[{'L':[{'L':[" v "]}]}]}]}]}]}]}]}"
#define M8(v)                                                                            \
    "{'M':{'m':{'M':{'m':{'M':{'m':{'M':{'m':{'M':{'m':{'M':{'m':{'M':{'m':{'M':{'m':" v \
    "}}}}}}}}}}}}}}}}"
#define N     "Number "
#define STORE " Attempting to store a number with magnitude "

static const struct fault faults[] = {
    {"{}", EMPTY, false},
    {"{'X':'a'}", EMPTY, false},
    {"{'S':null}", EMPTY, false},
    {"{'S':'a','N':'1'}",
     "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
     "supported datatypes",
     false},
    {"{'NULL':false}", INVALID "Null attribute value types must have the value of true", true},
    {"{'L':[{'M':{'x':{'NULL':false}}}]}",
     INVALID "Null attribute value types must have the value of true", true},
    {"{'SS':[]}", INVALID "An string set  may not be empty", true},
    {"{'NS':[]}", INVALID "An number set  may not be empty", true},
    {"{'BS':[]}", INVALID "Binary sets should not be empty", true},
    {"{'M':{'x':{'SS':[]}}}", INVALID "An string set  may not be empty", true},
    {"{'SS':['a','b','a']}", INVALID "Input collection [a, b, a] contains duplicates.", true},
    {"{'NS':['1','1.0']}", "Input collection contains duplicates", true},
    {"{'BS':['YQ==','YQ==']}",
     INVALID "Input collection [YQ==, YQ==]of type BS contains duplicates.", true},
    {"{'N':''}", "The parameter cannot be converted to a numeric value", false},
    {"{'N':'1 '}", "The parameter cannot be converted to a numeric value: 1 ", false},
    {"{'NS':['1','x']}", "The parameter cannot be converted to a numeric value: x", false},
    {"{'N':'123456789012345678901234567890123456789'}",
     "Attempting to store more than 38 significant digits in a Number", false},
    {"{'N':'-1e126'}", N "overflow." STORE "larger than supported range", false},
    {"{'N':'0e126'}", N "overflow." STORE "larger than supported range", false},
    {"{'NS':['1e-131']}", N "underflow." STORE "smaller than supported range", false},
    {L8(L8(L8(L8("{'BOOL':true}")))), TOO_DEEP, false},
    {M8(M8(M8(M8("{'S':'a'}")))), TOO_DEEP, false},
    {L8(M8(L8(M8("{'SS':['a']}")))), TOO_DEEP, false},
};

// --- Together -----------------------------------------------------------------------------------

static void put_words(struct od_buf *out, const struct way *way, const struct fault *fault)
{
    bool in_values = way->around == VALUES || way->around == FAMILY_VALUES;
    bool enveloped = way->around == FAMILY || way->around == FAMILY_VALUES;
    // Nesting alone reads the same everywhere.
    in_values = in_values && !od_str_eq(od_cstr(fault->words), OD_STR(TOO_DEEP));
    od_buf_printf(out, "ValidationException: %s%s%s%s",
                  enveloped && fault->is_family ? "1 validation error detected: " : "",
                  in_values ? "ExpressionAttributeValues contains invalid value: " : "",
                  fault->words, in_values ? " for key :v" : "");
    od_buf_put_byte(out, '\0');
}

static void put_body(struct od_buf *out, const struct way *way, const char *value)
{
    for (const char *at = way->body; *at != '\0'; at++) {
        if (*at == '$') {
            od_buf_put(out, od_cstr(value));
        } else {
            od_buf_put_byte(out, (unsigned char)*at);
        }
    }
    od_buf_put_byte(out, '\0');
}

static void every_fault_is_told_alike_on_every_way(void **state)
{
    od_arena *arena = od_arena_create();
    for (size_t w = 0; w < OD_COUNT(ways); w++) {
        for (size_t f = 0; f < OD_COUNT(faults); f++) {
            struct od_buf body = {.arena = arena};
            struct od_buf want = {.arena = arena};
            put_body(&body, &ways[w], faults[f].value);
            put_words(&want, &ways[w], &faults[f]);
            const struct api_row row = {ways[w].operation, body.ptr, want.ptr};
            check_calls(state, &row, 1);
        }
    }
    od_arena_destroy(arena);
}

static void it_is_told_before_a_missing_table(void **state)
{
    assert_int_equal(api_call(state, "DeleteTable", "{" TABLE "}").http_status, 200);
    every_fault_is_told_alike_on_every_way(state);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_fault_is_told_alike_on_every_way, setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(it_is_told_before_a_missing_table, setup, api_teardown),
    };
    return cmocka_run_group_tests_name("value faults", tests, NULL, NULL);
}
