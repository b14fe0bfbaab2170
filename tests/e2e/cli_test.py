"""The AWS CLI against the server: a table's life, items, queries, indexes, errors."""

import json
import subprocess
import sys

import e2e

ORDERS = ["--table-name", "Orders"]


class CliCase(e2e.ServerCase):

    def aws(self, *words, fails=False):
        command = [e2e.find_tool("aws"), "dynamodb", *words, "--endpoint-url",
                   self.server.endpoint]
        ended = subprocess.run(command, env=e2e.client_environment(), capture_output=True,
                               text=True, check=False)
        if fails:
            self.assertNotEqual(ended.returncode, 0, ended.stdout)
            return ended.stderr
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return json.loads(ended.stdout) if ended.stdout.strip() else None

    def create_orders(self):
        return self.aws(
            "create-table", *ORDERS, "--billing-mode", "PAY_PER_REQUEST",
            "--attribute-definitions", "AttributeName=CustomerId,AttributeType=S",
            "AttributeName=OrderDate,AttributeType=S", "AttributeName=OrderStatus,AttributeType=S",
            "--key-schema", "AttributeName=CustomerId,KeyType=HASH",
            "AttributeName=OrderDate,KeyType=RANGE", "--global-secondary-indexes",
            "IndexName=by-status,KeySchema=[{AttributeName=OrderStatus,KeyType=HASH}],"
            "Projection={ProjectionType=ALL}")

    def test_a_table_and_its_items_from_the_first_command_to_the_last(self):
        created = self.create_orders()
        self.assertEqual(created["TableDescription"]["TableStatus"], "CREATING")
        self.aws("wait", "table-exists", *ORDERS)
        status = self.aws("describe-table", *ORDERS, "--query", "Table.TableStatus")
        self.assertEqual(status, "ACTIVE")
        self.assertEqual(self.aws("list-tables")["TableNames"], ["Orders"])

        self.put_and_get()
        self.update_under_a_condition()
        self.query_and_scan()

        deleted = self.aws("delete-table", *ORDERS, "--query", "TableDescription.TableStatus")
        self.assertEqual(deleted, "DELETING")
        self.aws("wait", "table-not-exists", *ORDERS)
        error = self.aws("describe-table", *ORDERS, fails=True)
        self.assertIn("ResourceNotFoundException", error)
        self.assertIn("Requested resource not found: Table: Orders not found", error)

    def put_and_get(self):
        item = {"CustomerId": {"S": "c1"}, "OrderDate": {"S": "2024-01-15"},
                "OrderStatus": {"S": "PENDING"}, "Amount": {"N": "12.50"}}
        answer = self.aws("put-item", *ORDERS, "--item", json.dumps(item),
                          "--return-consumed-capacity", "TOTAL")
        self.assertEqual(answer["ConsumedCapacity"], {"TableName": "Orders", "CapacityUnits": 2.0})
        key = json.dumps({name: item[name] for name in ("CustomerId", "OrderDate")})
        got = self.aws("get-item", *ORDERS, "--key", key, "--consistent-read")
        self.assertEqual(got["Item"], {**item, "Amount": {"N": "12.5"}})

        requests = {"Orders": [{"PutRequest": {"Item": {
            "CustomerId": {"S": "c1"}, "OrderDate": {"S": f"2024-02-{day:02}"},
            "OrderStatus": {"S": "PAID"}}}} for day in range(1, 26)]}
        written = self.aws("batch-write-item", "--request-items", json.dumps(requests))
        self.assertEqual(written["UnprocessedItems"], {})

    def update_under_a_condition(self):
        words = ["update-item", *ORDERS, "--key",
                 '{"CustomerId": {"S": "c1"}, "OrderDate": {"S": "2024-01-15"}}',
                 "--update-expression", "SET OrderStatus = :new",
                 "--condition-expression", "OrderStatus = :old", "--expression-attribute-values",
                 '{":new": {"S": "SHIPPED"}, ":old": {"S": "PENDING"}}', "--return-values",
                 "UPDATED_NEW"]
        self.assertEqual(self.aws(*words)["Attributes"], {"OrderStatus": {"S": "SHIPPED"}})
        error = self.aws(*words, fails=True)
        self.assertIn("(ConditionalCheckFailedException)", error)
        self.assertIn("The conditional request failed", error)

    def query_and_scan(self):
        words = ["query", *ORDERS, "--key-condition-expression",
                 "CustomerId = :c AND begins_with(OrderDate, :d)", "--expression-attribute-values",
                 '{":c": {"S": "c1"}, ":d": {"S": "2024-02-"}}']
        # The CLI follows the pages itself.
        dates = self.aws(*words, "--page-size", "10", "--query", "Items[].OrderDate.S")
        self.assertEqual(dates, [f"2024-02-{day:02}" for day in range(1, 26)])
        newest = self.aws(*words, "--no-scan-index-forward", "--max-items", "1",
                          "--query", "Items[0].OrderDate.S")
        self.assertEqual(newest, "2024-02-25")
        by_status = self.aws("query", *ORDERS, "--index-name", "by-status",
                             "--key-condition-expression", "OrderStatus = :s",
                             "--expression-attribute-values", '{":s": {"S": "SHIPPED"}}',
                             "--query", "Count")
        self.assertEqual(by_status, 1)
        self.assertEqual(self.aws("scan", *ORDERS, "--select", "COUNT", "--query", "Count"), 26)
        old = self.aws("delete-item", *ORDERS, "--key",
                       '{"CustomerId": {"S": "c1"}, "OrderDate": {"S": "2024-02-25"}}',
                       "--return-values", "ALL_OLD", "--query", "Attributes.OrderStatus.S")
        self.assertEqual(old, "PAID")

    def test_errors_come_as_the_service_words_them(self):
        error = self.aws("get-item", "--table-name", "Absent", "--key", '{"id": {"S": "k"}}',
                         fails=True)
        self.assertIn("An error occurred (ResourceNotFoundException) when calling the GetItem "
                      "operation: Requested resource not found", error)
        error = self.aws("scan", "--table-name", "Absent", "--filter-expression", "name = a",
                         fails=True)
        self.assertIn("An error occurred (ValidationException) when calling the Scan operation: "
                      "Invalid FilterExpression: Attribute name is a reserved keyword; reserved "
                      "keyword: name", error)

    def test_the_command_that_the_server_prints_works(self):
        command = self.server.line.partition("try: ")[2].split()
        settings = dict(word.split("=", 1) for word in command if word.startswith("AWS_"))
        words = [word for word in command if not word.startswith("AWS_")]
        self.assertEqual(words[0], "aws")
        env = {**e2e.client_environment(), **settings}
        ended = subprocess.run([e2e.find_tool("aws"), *words[1:]], env=env, capture_output=True,
                               text=True, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("TableNames", json.loads(ended.stdout))


if __name__ == "__main__":
    sys.exit(e2e.main())
