#!/bin/sh
# A leaderboard: players are found by their id, and sorted by score through an index whose one
# partition holds them all. The top ten is one Query, read backwards.
#
#     make run                    (in another terminal)
#     examples/leaderboard.sh     (ENDPOINT=http://127.0.0.1:8000)
set -eu

export AWS_ACCESS_KEY_ID="${AWS_ACCESS_KEY_ID:-any}" AWS_SECRET_ACCESS_KEY="${AWS_SECRET_ACCESS_KEY:-any}"
export AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-us-east-1}" AWS_PAGER=""
endpoint="${ENDPOINT:-http://127.0.0.1:8000}"

db() {
    aws dynamodb "$@" --endpoint-url "$endpoint"
}

db create-table --table-name Scores --billing-mode PAY_PER_REQUEST \
    --attribute-definitions AttributeName=userId,AttributeType=S AttributeName=gsi1_pk,AttributeType=S \
    AttributeName=score,AttributeType=N \
    --key-schema AttributeName=userId,KeyType=HASH \
    --global-secondary-indexes '[
        {"IndexName": "by-score", "Projection": {"ProjectionType": "ALL"},
         "KeySchema": [{"AttributeName": "gsi1_pk", "KeyType": "HASH"}, {"AttributeName": "score", "KeyType": "RANGE"}]}]' \
    --query 'TableDescription.TableName' --output text
db wait table-exists --table-name Scores

# Scores that text would sort wrongly: 9 before 80, -5 first, 1000 last.
requests=""
n=0
for score in 9 80 1000 -5 77 310 42 8 655 2 123 99.5; do
    n=$((n + 1))
    requests="$requests${requests:+,}{\"PutRequest\": {\"Item\": {
        \"userId\": {\"S\": \"user$(printf %04d "$n")\"}, \"gsi1_pk\": {\"S\": \"1\"}, \"score\": {\"N\": \"$score\"}}}}"
done
db batch-write-item --request-items "{\"Scores\": [$requests]}" --query 'UnprocessedItems' --output text >/dev/null

echo
echo "Top 10:"
db query --table-name Scores --index-name by-score --no-scan-index-forward --limit 10 \
    --key-condition-expression 'gsi1_pk = :all' --expression-attribute-values '{":all": {"S": "1"}}' \
    --query 'Items[].[userId.S, score.N]' --output text

echo
echo "user0004 scores 500 more, and moves up:"
db update-item --table-name Scores --key '{"userId": {"S": "user0004"}}' \
    --update-expression 'ADD score :points' --expression-attribute-values '{":points": {"N": "500"}}'
db query --table-name Scores --index-name by-score --no-scan-index-forward --limit 3 \
    --key-condition-expression 'gsi1_pk = :all' --expression-attribute-values '{":all": {"S": "1"}}' \
    --query 'Items[].[userId.S, score.N]' --output text

db delete-table --table-name Scores --query 'TableDescription.TableStatus' --output text >/dev/null
