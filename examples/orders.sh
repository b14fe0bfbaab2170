#!/bin/sh
# Orders sorted across all users: one index partition for each day, against one partition for all
# orders with the time as its sort key. Prints what each way costs.
#
#     make run                    (in another terminal)
#     examples/orders.sh          (ENDPOINT=http://127.0.0.1:8000)
set -eu

export AWS_ACCESS_KEY_ID="${AWS_ACCESS_KEY_ID:-any}" AWS_SECRET_ACCESS_KEY="${AWS_SECRET_ACCESS_KEY:-any}"
export AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-us-east-1}" AWS_PAGER=""
endpoint="${ENDPOINT:-http://127.0.0.1:8000}"

db() {
    aws dynamodb "$@" --endpoint-url "$endpoint"
}

db create-table --table-name Orders --billing-mode PAY_PER_REQUEST \
    --attribute-definitions AttributeName=PK,AttributeType=S AttributeName=SK,AttributeType=S \
    AttributeName=orderDay,AttributeType=S AttributeName=gsi1_pk,AttributeType=S \
    --key-schema AttributeName=PK,KeyType=HASH AttributeName=SK,KeyType=RANGE \
    --global-secondary-indexes '[
        {"IndexName": "by-day", "Projection": {"ProjectionType": "ALL"},
         "KeySchema": [{"AttributeName": "orderDay", "KeyType": "HASH"}]},
        {"IndexName": "by-time", "Projection": {"ProjectionType": "ALL"},
         "KeySchema": [{"AttributeName": "gsi1_pk", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]}]' \
    --query 'TableDescription.TableName' --output text
db wait table-exists --table-name Orders

order() { # user, time, total
    db put-item --table-name Orders --item "{
        \"PK\": {\"S\": \"$1\"}, \"SK\": {\"S\": \"$2\"}, \"total\": {\"N\": \"$3\"},
        \"orderDay\": {\"S\": \"${2%%T*}\"}, \"gsi1_pk\": {\"S\": \"1\"}}"
}
order user123 2023-08-14T09:30:12.250Z 18.40
order user123 2023-10-03T08:15:00.125Z 25.00
order user456 2023-10-03T17:42:31.900Z 7.95
order user789 2023-10-04T11:05:44.010Z 112.30
order user123 2023-10-06T21:59:59.999Z 43.75
order user456 2023-10-09T06:00:00.000Z 61.20

echo
echo "One user, three months, by the table's own sort key:"
db query --table-name Orders --key-condition-expression 'PK = :user AND SK BETWEEN :from AND :to' \
    --expression-attribute-values '{":user": {"S": "user123"}, ":from": {"S": "2023-08-01"}, ":to": {"S": "2023-11-01"}}' \
    --query 'Items[].SK.S' --output text

# Adds up what the queries of one way answer: lines of items and capacity units.
report() {
    awk -v way="$1" '{ requests++; items += $1; units += $2 }
        END { printf "%s\n  Number of requests: %d\n  Returned items: %d\n  Consumed capacity: %g\n", way, requests, items, units }'
}

echo
for day in 2023-10-03 2023-10-04 2023-10-05 2023-10-06; do
    db query --table-name Orders --index-name by-day --return-consumed-capacity TOTAL \
        --key-condition-expression 'orderDay = :day' --expression-attribute-values "{\":day\": {\"S\": \"$day\"}}" \
        --query '[Count, ConsumedCapacity.CapacityUnits]' --output text
done | report "Approach 1, an index partition for each day:"

db query --table-name Orders --index-name by-time --return-consumed-capacity TOTAL \
    --key-condition-expression 'gsi1_pk = :all AND SK BETWEEN :from AND :to' \
    --expression-attribute-values '{":all": {"S": "1"}, ":from": {"S": "2023-10-03"}, ":to": {"S": "2023-10-07"}}' \
    --query '[Count, ConsumedCapacity.CapacityUnits]' --output text |
    report "Approach 2, one index partition, sorted by time:"

db delete-table --table-name Orders --query 'TableDescription.TableStatus' --output text >/dev/null
