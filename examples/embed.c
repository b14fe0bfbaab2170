/* ordna inside a program: a table, an item in, an item out.
 *
 *     cc embed.c $(pkg-config --cflags --libs ordna) -o embed && ./embed
 */
#include <ordna/ordna.h>

#include <stdio.h>
#include <string.h>

static int call(ordna *db, const char *operation, const char *body)
{
    ordna_response answer;
    int status = ordna_call(db, operation, body, strlen(body), &answer);
    printf("%s %d %s\n", operation, status, answer.body);
    ordna_response_clear(&answer);
    return status == 200 ? 0 : 1;
}

int main(int argc, char **argv)
{
    ordna_options options = {.store = argc > 1 ? "rocksdb" : "memory", .dir = argv[1]};
    ordna *db = NULL;
    char error[256];
    if (ordna_open(&options, &db, error, sizeof(error)) != 0) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    int failed =
        call(db, "CreateTable",
             "{\"TableName\": \"Orders\", \"BillingMode\": \"PAY_PER_REQUEST\","
             " \"AttributeDefinitions\": [{\"AttributeName\": \"id\", \"AttributeType\": \"S\"}],"
             " \"KeySchema\": [{\"AttributeName\": \"id\", \"KeyType\": \"HASH\"}]}");
    failed |= call(db, "PutItem",
                   "{\"TableName\": \"Orders\","
                   " \"Item\": {\"id\": {\"S\": \"o-1\"}, \"amount\": {\"N\": \"12.50\"}}}");
    failed |= call(db, "UpdateItem",
                   "{\"TableName\": \"Orders\", \"Key\": {\"id\": {\"S\": \"o-1\"}},"
                   " \"UpdateExpression\": \"SET amount = amount + :more\","
                   " \"ExpressionAttributeValues\": {\":more\": {\"N\": \"7.50\"}}}");
    failed |=
        call(db, "GetItem", "{\"TableName\": \"Orders\", \"Key\": {\"id\": {\"S\": \"o-1\"}}}");
    ordna_close(db);
    return failed;
}
