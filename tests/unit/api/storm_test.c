// Many threads at everything at once, on tables that come, change and go: nobody gets an answer but
// 200 or 400, nobody sees half a transaction, and in the end all that was counted is there.
#include "support.h"

#include "base/buf.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 32, ROUNDS = 40, STEPS_A_ROUND = 3, TABLES = 3, KEYS = 8 };

// In each text @ is the number of a table, # that of a key, and & a number.
struct act {
    const char *operation;
    const char *body;
};

#define TABLE "'TableName':'Storm@'"
#define KEY   "'pk':{'S':'#'}"

static const struct act creation = {
    "CreateTable",
    "{" TABLE
    ",'BillingMode':'PAY_PER_REQUEST','KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],"
    "'AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'},"
    "{'AttributeName':'n','AttributeType':'N'}],'GlobalSecondaryIndexes':[{'IndexName':'by_n',"
    "'KeySchema':[{'AttributeName':'n','KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}}]"
    "}"};

static const struct act acts[] = {
    {"DeleteTable", "{" TABLE "}"},
    {"UpdateTable", "{" TABLE ",'AttributeDefinitions':[{'AttributeName':'s','AttributeType':'S'}],"
                    "'GlobalSecondaryIndexUpdates':[{'Create':{'IndexName':'by_s','KeySchema':["
                    "{'AttributeName':'s','KeyType':'HASH'}],'Projection':{'ProjectionType':"
                    "'KEYS_ONLY'}}}]}"},
    {"UpdateTable", "{" TABLE ",'GlobalSecondaryIndexUpdates':[{'Delete':{'IndexName':'by_s'}}]}"},
    {"UpdateTable", "{" TABLE ",'TableClass':'STANDARD_INFREQUENT_ACCESS'}"},
    {"DescribeTable", "{" TABLE "}"},
    {"ListTables", "{}"},
    {"PutItem",
     "{" TABLE ",'Item':{" KEY ",'n':{'N':'&'},'s':{'S':'&'}},'ReturnValues':'ALL_OLD'}"},
    {"PutItem", "{" TABLE ",'Item':{" KEY ",'s':{'S':'&'}}}"},
    {"UpdateItem", "{" TABLE ",'Key':{" KEY "},'UpdateExpression':'ADD n :n SET s = :s',"
                   "'ExpressionAttributeValues':{':n':{'N':'&'},':s':{'S':'&'}},"
                   "'ReturnValues':'ALL_NEW'}"},
    {"DeleteItem", "{" TABLE ",'Key':{" KEY "},'ConditionExpression':'n > :n',"
                   "'ExpressionAttributeValues':{':n':{'N':'&'}}}"},
    {"GetItem", "{" TABLE ",'Key':{" KEY "}}"},
    {"Scan", "{" TABLE ",'ReturnConsumedCapacity':'INDEXES'}"},
    {"Scan", "{" TABLE ",'IndexName':'by_s'}"},
    {"Query", "{" TABLE ",'IndexName':'by_n','KeyConditionExpression':'n = :n',"
              "'ExpressionAttributeValues':{':n':{'N':'&'}}}"},
    {"BatchWriteItem", "{'RequestItems':{'Storm@':[{'PutRequest':{'Item':{" KEY ",'n':{'N':'&'}}}},"
                       "{'DeleteRequest':{'Key':{'pk':{'S':'other'}}}}],'Fixed':[{'PutRequest':"
                       "{'Item':{" KEY "}}}]}}"},
    {"BatchGetItem", "{'RequestItems':{'Storm@':{'Keys':[{" KEY "},{'pk':{'S':'other'}}]}}}"},
    {"ExecuteStatement", "{'Statement':'SELECT * FROM Storm@ WHERE n > 0'}"},
    {"TransactWriteItems", "{'TransactItems':[{'Put':{" TABLE ",'Item':{" KEY "}}},{'Delete':{"
                           "'TableName':'Fixed','Key':{" KEY "}}}]}"},
};

#define ADD_ONE(key)                                                                  \
    "{'Update':{'TableName':'Fixed','Key':{'pk':{'S':'" key "'}},'UpdateExpression':" \
    "'ADD n :n','ExpressionAttributeValues':{':n':{'N':'1'}}}}"
static const struct act add_to_both = {
    "TransactWriteItems", "{'TransactItems':[" ADD_ONE("left") "," ADD_ONE("right") "]}"};

#define GET_ONE(key) "{'Get':{'TableName':'Fixed','Key':{'pk':{'S':'" key "'}}}}"
static const struct act get_both = {"TransactGetItems",
                                    "{'TransactItems':[" GET_ONE("left") "," GET_ONE("right") "]}"};

static const struct act add_to_one = {
    "UpdateItem", "{'TableName':'Fixed','Key':{'pk':{'S':'counter'}},'UpdateExpression':'ADD n :n',"
                  "'ExpressionAttributeValues':{':n':{'N':'1'}}}"};

// --- Calls --------------------------------------------------------------------------------------

struct numbers {
    unsigned int table;
    unsigned int key;
    unsigned int n;
};

static od_str fill_in(od_arena *arena, const char *text, struct numbers numbers)
{
    struct od_buf out = {.arena = arena};
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '@':
            od_buf_put_u64(&out, numbers.table);
            break;
        case '#':
            od_buf_put_u64(&out, numbers.key);
            break;
        case '&':
            od_buf_put_u64(&out, numbers.n);
            break;
        default:
            od_buf_put_byte(&out, *text == '\'' ? '"' : (unsigned char)*text);
        }
    }
    return od_buf_str(&out);
}

static struct od_call call_act(od_engine *engine, od_arena *arena, const struct act *act,
                               struct numbers numbers)
{
    struct od_call call = {
        .cx = {.arena = arena},
        .engine = engine,
        .operation = od_cstr(act->operation),
        .body = fill_in(arena, act->body, numbers),
        .endpoint = OD_STR("localhost"),
    };
    od_api_call(&call);
    return call;
}

static int64_t find_number(od_str json, const char *path)
{
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, YYJSON_READ_NOFLAG);
    yyjson_val *value = yyjson_doc_ptr_get(doc, path);
    const char *text = yyjson_get_str(value);
    int64_t n = text == NULL ? yyjson_get_sint(value) : strtoll(text, NULL, 10);
    yyjson_doc_free(doc);
    return n;
}

// --- Threads ------------------------------------------------------------------------------------

struct worker {
    pthread_t thread;
    od_engine *engine;
    unsigned int seed;
    int refused; // answers that are neither 200 nor 400
    int torn;    // transactions seen in half
    int added;   // to the counter
    int added_to_both;
};

static unsigned int draw(struct worker *w, unsigned int below)
{
    w->seed = w->seed * 1664525u + 1013904223u;
    return (w->seed >> 8) % below;
}

static bool succeeded(struct worker *w, const struct od_call *call)
{
    if (call->http_status != 200 && call->http_status != 400) {
        fprintf(stderr, "%.*s: %d %.*s\n", OD_STR_ARG(call->operation), call->http_status,
                (int)call->out.len, call->out.ptr);
        w->refused++;
    }
    return call->http_status == 200;
}

static void act_once(struct worker *w, od_arena *arena, const struct act *act)
{
    const struct numbers numbers = {draw(w, TABLES), draw(w, KEYS), draw(w, 4)};
    struct od_call call = call_act(w->engine, arena, act, numbers);
    (void)succeeded(w, &call);
}

static void count_up(struct worker *w, od_arena *arena)
{
    struct od_call one = call_act(w->engine, arena, &add_to_one, (struct numbers){0});
    w->added += succeeded(w, &one);
    struct od_call both = call_act(w->engine, arena, &add_to_both, (struct numbers){0});
    w->added_to_both += succeeded(w, &both);
    struct od_call seen = call_act(w->engine, arena, &get_both, (struct numbers){0});
    od_str json = od_buf_str(&seen.out);
    if (succeeded(w, &seen) &&
        find_number(json, "/Responses/0/Item/n/N") != find_number(json, "/Responses/1/Item/n/N")) {
        w->torn++;
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;
    od_arena *arena = od_arena_create();
    for (int round = 0; round < ROUNDS; round++) {
        act_once(w, arena, &creation);
        for (int step = 0; step < STEPS_A_ROUND; step++) {
            act_once(w, arena, &acts[draw(w, OD_COUNT(acts))]);
        }
        count_up(w, arena);
        od_arena_reset(arena);
    }
    od_arena_destroy(arena);
    return NULL;
}

// --- In the end ---------------------------------------------------------------------------------

static const struct act describe = {"DescribeTable", "{" TABLE "}"};
static const struct act count_items = {"Scan", "{" TABLE ",'Select':'COUNT'}"};
static const struct act count_rows = {"Scan", "{" TABLE ",'IndexName':'by_n','Select':'COUNT'}"};
static const struct act get_counter = {"GetItem",
                                       "{'TableName':'Fixed','Key':{'pk':{'S':'counter'}}}"};

static void check_counts(od_engine *engine, od_arena *arena)
{
    for (unsigned int i = 0; i < TABLES; i++) {
        const struct numbers numbers = {.table = i};
        struct od_call told = call_act(engine, arena, &describe, numbers);
        if (told.http_status != 200) {
            continue;
        }
        struct od_call items = call_act(engine, arena, &count_items, numbers);
        struct od_call rows = call_act(engine, arena, &count_rows, numbers);
        assert_int_equal(find_number(od_buf_str(&told.out), "/Table/ItemCount"),
                         find_number(od_buf_str(&items.out), "/Count"));
        assert_int_equal(
            find_number(od_buf_str(&told.out), "/Table/GlobalSecondaryIndexes/0/ItemCount"),
            find_number(od_buf_str(&rows.out), "/Count"));
    }
}

static void check_sums(od_engine *engine, od_arena *arena, const struct worker *sum)
{
    struct od_call counter = call_act(engine, arena, &get_counter, (struct numbers){0});
    assert_int_equal(find_number(od_buf_str(&counter.out), "/Item/n/N"), sum->added);
    struct od_call both = call_act(engine, arena, &get_both, (struct numbers){0});
    assert_int_equal(find_number(od_buf_str(&both.out), "/Responses/0/Item/n/N"),
                     sum->added_to_both);
    assert_int_equal(sum->added, THREADS * ROUNDS);
    assert_int_equal(sum->added_to_both, THREADS * ROUNDS);
    assert_int_equal(sum->refused, 0);
    assert_int_equal(sum->torn, 0);
}

static void nothing_is_lost_or_torn_when_everything_happens_at_once(void **state)
{
    struct od_call made = api_call(
        state, "CreateTable",
        "{'TableName':'Fixed','BillingMode':'PAY_PER_REQUEST','KeySchema':[{'AttributeName':'pk',"
        "'KeyType':'HASH'}],'AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'}]}");
    assert_int_equal(made.http_status, 200);
    static struct worker workers[THREADS];
    for (unsigned int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.engine = api_engine(state), .seed = i * 7919};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    struct worker sum = {0};
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        sum.added += workers[i].added;
        sum.added_to_both += workers[i].added_to_both;
        sum.refused += workers[i].refused;
        sum.torn += workers[i].torn;
    }
    od_arena *arena = od_arena_create();
    check_sums(api_engine(state), arena, &sum);
    check_counts(api_engine(state), arena);
    od_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"with a committer among the callers",
         nothing_is_lost_or_torn_when_everything_happens_at_once, api_setup, api_teardown, NULL},
        {"with a committer's thread", nothing_is_lost_or_torn_when_everything_happens_at_once,
         api_setup_threaded, api_teardown, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
