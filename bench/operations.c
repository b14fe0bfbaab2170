#include "operations.h"

#include "base/attr.h"

// One of these for every operation that has the same in it.
#define KEY     "'Key':{'pk':{'S':'k@K'}}"
#define ITEM    "{'pk':{'S':'k@K'},'data':{'S':'@V'}}"
#define SORTED  "{'pk':{'S':'p@P'},'sk':{'S':'@K'},'data':{'S':'@V'}}"
#define PAGED   "{'pk':{'S':'p'},'sk':{'S':'@K'},'data':{'S':'@V'}}"
#define IN(tab) "{'TableName':'" tab "',"

// Each put gives all five another value, so that a row of each index moves.
#define INDEXED                                                          \
    "{'pk':{'S':'k@K'},'i0':{'S':'@R'},'i1':{'S':'@R'},'i2':{'S':'@R'}," \
    "'i3':{'S':'@R'},'i4':{'S':'@R'},'data':{'S':'@V'}}"

#define FIELDS                                                                         \
    "{'pk':{'S':'k@K'},'field0':{'S':'@F'},'field1':{'S':'@F'},'field2':{'S':'@F'},"   \
    "'field3':{'S':'@F'},'field4':{'S':'@F'},'field5':{'S':'@F'},'field6':{'S':'@F'}," \
    "'field7':{'S':'@F'},'field8':{'S':'@F'},'field9':{'S':'@F'}}"

// Two items are put, one is counted up if it is there, one is looked at.
#define TRANSACTION                                                          \
    "{'TransactItems':["                                                     \
    "{'Put':" IN("bench") "'Item':" ITEM "}},@+"                             \
                          "{'Put':" IN("bench") "'Item':" ITEM "}},@+"       \
                                                "{'Update':" IN("bench") KEY \
        ",'UpdateExpression':'ADD n :one',"                                  \
        "'ConditionExpression':'attribute_exists(pk)',"                      \
        "'ExpressionAttributeValues':{':one':{'N':'1'}}}},@+"                \
        "{'ConditionCheck':" IN("bench") KEY ",'ConditionExpression':'attribute_exists(pk)'}}]}"

#define TEXT(text) OD_STR_INIT(text)

// Twenty-five puts into a table.
#define PUTS(tab, item)                           \
    .head = TEXT("{'RequestItems':{'" tab "':["), \
    .element = TEXT("{'PutRequest':{'Item':" item "}}"), .elements = 25, .tail = TEXT("]}}")

static const struct operation operations[] = {
    {TEXT("GetItem"), TEXT("GetItem"), .head = TEXT(IN("bench") KEY "}")},
    {TEXT("PutItem"), TEXT("PutItem"), .head = TEXT(IN("bench") "'Item':" ITEM "}")},
    {TEXT("PutItemIf"), TEXT("PutItem"),
     .head = TEXT(IN("bench") "'Item':" ITEM ",'ConditionExpression':'attribute_exists(pk)'}")},
    {TEXT("PutIndexed"), TEXT("PutItem"), .head = TEXT(IN("bench") "'Item':" INDEXED "}")},
    {TEXT("UpdateItem"), TEXT("UpdateItem"),
     .head = TEXT(IN("bench") KEY ",'UpdateExpression':'ADD n :one',"
                                  "'ExpressionAttributeValues':{':one':{'N':'1'}}}")},
    {TEXT("UpdateItemIf"), TEXT("UpdateItem"),
     .head = TEXT(IN("bench") KEY
                  ",'UpdateExpression':'ADD n :one',"
                  "'ConditionExpression':'attribute_not_exists(n) OR n < :most',"
                  "'ExpressionAttributeValues':{':one':{'N':'1'},':most':{'N':'1000000000'}}}")},
    {TEXT("DeleteItem"), TEXT("DeleteItem"), .head = TEXT(IN("bench") KEY "}")},
    {TEXT("Scan"), TEXT("Scan"), .head = TEXT("{'TableName':'bench'@L}")},
    {TEXT("BatchWriteItem"), TEXT("BatchWriteItem"), PUTS("bench", ITEM)},
    {TEXT("BatchGetItem"), TEXT("BatchGetItem"), .head = TEXT("{'RequestItems':{'bench':{'Keys':["),
     .element = TEXT("{'pk':{'S':'k@K'}}"), .elements = 100, .tail = TEXT("]}}}")},
    {TEXT("TransactWriteItems"), TEXT("TransactWriteItems"), .head = TEXT(TRANSACTION)},

    // One of many partitions of a hundred items.
    {TEXT("LoadSorted"), TEXT("BatchWriteItem"), PUTS("bench_sorted", SORTED)},
    {TEXT("Query10"), TEXT("Query"),
     .head = TEXT(IN("bench_sorted") "'KeyConditionExpression':'pk = :pk','Limit':10,"
                                     "'ExpressionAttributeValues':{':pk':{'S':'p@P'}}}")},
    {TEXT("Query100"), TEXT("Query"),
     .head = TEXT(IN("bench_sorted") "'KeyConditionExpression':'pk = :pk',"
                                     "'ExpressionAttributeValues':{':pk':{'S':'p@P'}}}")},

    // One partition with all items.
    {TEXT("LoadPages"), TEXT("BatchWriteItem"), PUTS("bench_pages", PAGED)},
    {TEXT("QueryPage"), TEXT("Query"),
     .head = TEXT(IN("bench_pages") "'KeyConditionExpression':'pk = :pk',"
                                    "'ExpressionAttributeValues':{':pk':{'S':'p'}}@L}")},

    // YCSB's, on items of ten fields.
    {TEXT("LoadFields"), TEXT("BatchWriteItem"), PUTS("bench_fields", FIELDS)},
    {TEXT("ReadFields"), TEXT("GetItem"), .head = TEXT(IN("bench_fields") KEY "}")},
    {TEXT("UpdateField"), TEXT("UpdateItem"),
     .head = TEXT(IN("bench_fields") KEY ",'UpdateExpression':'SET field3 = :v',"
                                         "'ExpressionAttributeValues':{':v':{'S':'@F'}}}")},
    {TEXT("InsertFields"), TEXT("PutItem"), .head = TEXT(IN("bench_fields") "'Item':" FIELDS "}"),
     .inserts = true},
    {TEXT("ScanFields"), TEXT("Scan"),
     .head = TEXT(IN("bench_fields") "'Limit':@C,'ExclusiveStartKey':{'pk':{'S':'k@K'}}}")},
    {TEXT("ReadModifyWrite"), TEXT("GetItem"), .head = TEXT(IN("bench_fields") KEY "}"),
     .then = TEXT("UpdateField")},
};

const struct operation *operation_at(size_t position)
{
    return position < OD_COUNT(operations) ? &operations[position] : NULL;
}

const struct operation *operation_find(od_str name)
{
    for (size_t i = 0; i < OD_COUNT(operations); i++) {
        if (od_str_eq(operations[i].name, name)) {
            return &operations[i];
        }
    }
    return NULL;
}
