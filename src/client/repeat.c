// Which requests may be sent again when nobody knows whether they were carried out: those that do,
// and answer, the second time what they did the first.
#include "client/client_internal.h"

#include <string.h>
#include <yyjson.h>

typedef bool check_fn(yyjson_val *body);

// --- Looking into bodies ------------------------------------------------------------------------

// Of two with one name the last counts, as in DynamoDB. NULL for null, too.
static yyjson_val *member(yyjson_val *object, const char *name)
{
    yyjson_val *found = NULL;
    size_t i = 0;
    size_t count = 0;
    yyjson_val *key = NULL;
    yyjson_val *value = NULL;
    yyjson_obj_foreach(object, i, count, key, value)
    {
        if (yyjson_equals_str(key, name)) {
            found = value;
        }
    }
    return yyjson_is_null(found) ? NULL : found;
}

// Nothing that a first time changes for a second one.
static bool is_plain_write(yyjson_val *body)
{
    const char *returned = yyjson_get_str(member(body, "ReturnValues"));
    return member(body, "ConditionExpression") == NULL && member(body, "Expected") == NULL &&
           (returned == NULL || strcmp(returned, "NONE") == 0);
}

static bool has_token(yyjson_val *body)
{
    return yyjson_get_len(member(body, "ClientRequestToken")) > 0;
}

static bool is_select(yyjson_val *of)
{
    static const od_str word = OD_STR_INIT("SELECT");
    const char *text = yyjson_get_str(member(of, "Statement"));
    if (text == NULL) {
        return false;
    }
    const od_str rest = od_cstr(text + strspn(text, " \t\r\n"));
    return rest.len > word.len && od_str_eq_nocase((od_str){rest.ptr, word.len}, word);
}

static bool are_selects(yyjson_val *statements)
{
    size_t i = 0;
    size_t count = 0;
    yyjson_val *statement = NULL;
    yyjson_arr_foreach(statements, i, count, statement)
    {
        if (!is_select(statement)) {
            return false;
        }
    }
    return count > 0;
}

static bool is_batch_of_selects(yyjson_val *body)
{
    return are_selects(member(body, "Statements"));
}

static bool is_transaction_of_selects(yyjson_val *body)
{
    return are_selects(member(body, "TransactStatements"));
}

static bool yes(yyjson_val *body)
{
    (void)body;
    return true;
}

// --- Operations ---------------------------------------------------------------------------------

// Those that are not here write, and are not repeatable.
static const struct operation {
    const char *name;
    check_fn *reads;
    check_fn *repeatable; // a write
} operations[] = {
    {"BatchExecuteStatement", is_batch_of_selects, NULL},
    {"BatchGetItem", yes, NULL},
    {"BatchWriteItem", NULL, yes},
    {"DeleteItem", NULL, is_plain_write},
    {"DescribeContinuousBackups", yes, NULL},
    {"DescribeEndpoints", yes, NULL},
    {"DescribeLimits", yes, NULL},
    {"DescribeTable", yes, NULL},
    {"DescribeTimeToLive", yes, NULL},
    {"ExecuteStatement", is_select, NULL},
    {"ExecuteTransaction", is_transaction_of_selects, has_token},
    {"GetItem", yes, NULL},
    {"ListTables", yes, NULL},
    {"ListTagsOfResource", yes, NULL},
    {"PutItem", NULL, is_plain_write},
    {"Query", yes, NULL},
    {"Scan", yes, NULL},
    {"TransactGetItems", yes, NULL},
    {"TransactWriteItems", NULL, has_token},
};

static const struct operation *find(const char *name)
{
    for (size_t i = 0; i < OD_COUNT(operations); i++) {
        if (strcmp(name, operations[i].name) == 0) {
            return &operations[i];
        }
    }
    return NULL;
}

static bool holds(check_fn *check, const struct od_request *request)
{
    if (check == NULL || check == yes) {
        return check == yes;
    }
    yyjson_doc *doc = yyjson_read(request->body.ptr, request->body.len, 0);
    const bool held = check(yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return held;
}

bool od_request_is_read(const struct od_request *request)
{
    const struct operation *operation = find(request->operation);
    return operation != NULL && holds(operation->reads, request);
}

bool od_request_is_surely_repeatable(const struct od_request *request)
{
    const struct operation *operation = find(request->operation);
    const bool by_name =
        operation != NULL && (operation->reads == yes || operation->repeatable == yes);
    return request->repeat == OD_REPEAT_YES || (request->repeat == OD_REPEAT_ASK && by_name);
}

bool od_request_is_repeatable(const struct od_request *request)
{
    if (request->repeat != OD_REPEAT_ASK) {
        return request->repeat == OD_REPEAT_YES;
    }
    const struct operation *operation = find(request->operation);
    return operation != NULL &&
           (holds(operation->reads, request) || holds(operation->repeatable, request));
}
