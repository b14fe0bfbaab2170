"""boto3 against the server: client, resource, paginators, waiters, typed exceptions."""

import decimal
import sys

import e2e

e2e.use_client_environment()

import boto3  # noqa: E402  after the environment it reads
import botocore.exceptions  # noqa: E402
from boto3.dynamodb.conditions import Attr, Key  # noqa: E402
from botocore.config import Config  # noqa: E402


def number(text):
    return decimal.Decimal(text)


class Boto3Case(e2e.ServerCase):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        settings = {"endpoint_url": cls.server.endpoint,
                    "config": Config(retries={"max_attempts": 0})}
        cls.client = boto3.client("dynamodb", **settings)
        cls.resource = boto3.resource("dynamodb", **settings)

    def make_table(self, name, hash_key, range_key=None, indexes=()):
        """`hash_key` and such are (name, type); `indexes` are (name, hash, range or None)."""
        keys = [key for key in (hash_key, range_key) if key]
        definitions = dict(keys)
        for _, *index_keys in indexes:
            definitions.update(key for key in index_keys if key)
        request = {
            "TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": schema(keys),
            "AttributeDefinitions": [{"AttributeName": key, "AttributeType": kind}
                                     for key, kind in definitions.items()]}
        if indexes:
            request["GlobalSecondaryIndexes"] = [
                {"IndexName": index, "KeySchema": schema([key for key in index_keys if key]),
                 "Projection": {"ProjectionType": "ALL"}} for index, *index_keys in indexes]
        table = self.resource.create_table(**request)
        table.wait_until_exists()
        self.addCleanup(self.delete_table, table)
        return table

    @staticmethod
    def delete_table(table):
        table.delete()
        table.wait_until_not_exists()

    def test_a_missing_table_raises_its_own_exception(self):
        with self.assertRaises(self.client.exceptions.ResourceNotFoundException) as raised:
            self.client.get_item(TableName="Absent", Key={"id": {"S": "k"}})
        error = raised.exception.response
        self.assertEqual(error["Error"]["Message"], "Requested resource not found")
        self.assertEqual(error["ResponseMetadata"]["HTTPStatusCode"], 400)
        self.assertEqual(len(error["ResponseMetadata"]["RequestId"]), 52)

    def test_a_table_that_exists_raises_its_own_exception(self):
        self.make_table("Twice", ("id", "S"))
        with self.assertRaises(self.client.exceptions.ResourceInUseException):
            self.client.create_table(
                TableName="Twice", BillingMode="PAY_PER_REQUEST", KeySchema=schema([("id", "S")]),
                AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])

    def test_a_failed_condition_raises_its_own_exception_with_the_item(self):
        table = self.make_table("Orders", ("id", "S"))
        table.put_item(Item={"id": "o1", "state": "SHIPPED"})
        with self.assertRaises(self.client.exceptions.ConditionalCheckFailedException) as raised:
            table.update_item(Key={"id": "o1"}, UpdateExpression="SET #s = :new",
                              ConditionExpression=Attr("state").eq("PENDING"),
                              ExpressionAttributeNames={"#s": "state"},
                              ExpressionAttributeValues={":new": "SHIPPED"})
        self.assertEqual(raised.exception.response["Error"]["Code"],
                         "ConditionalCheckFailedException")
        self.assertEqual(table.get_item(Key={"id": "o1"})["Item"]["state"], "SHIPPED")

    def test_a_bad_expression_is_a_validation_error(self):
        table = self.make_table("Things", ("id", "S"))
        with self.assertRaises(botocore.exceptions.ClientError) as raised:
            table.scan(FilterExpression="a = = :v", ExpressionAttributeValues={":v": 1})
        self.assertEqual(raised.exception.response["Error"]["Code"], "ValidationException")
        self.assertIn("Syntax error", raised.exception.response["Error"]["Message"])

    def test_values_of_every_type_come_back_through_the_resource(self):
        table = self.make_table("Values", ("id", "S"))
        item = {"id": "all", "text": "æøå 😀", "int": number("42"), "fraction": number("-0.125"),
                "bytes": boto3.dynamodb.types.Binary(b"\x00\xff"), "yes": True, "none": None,
                "strings": {"a", "b"}, "numbers": {number("1"), number("2.5")},
                "list": [number("1"), "two", [], {}], "map": {"deep": {"er": [None]}},
                "empty": ""}
        table.put_item(Item=item)
        self.assertEqual(table.get_item(Key={"id": "all"}, ConsistentRead=True)["Item"], item)

    def test_a_batch_writer_and_a_batch_get_move_many_items(self):
        table = self.make_table("Many", ("id", "N"))
        with table.batch_writer() as batch:
            for n in range(120):
                batch.put_item(Item={"id": n, "square": n * n})
        answer = self.resource.batch_get_item(
            RequestItems={"Many": {"Keys": [{"id": n} for n in range(0, 200, 2)]}})
        self.assertEqual(len(answer["Responses"]["Many"]), 60)
        self.assertEqual(answer["UnprocessedKeys"], {})
        table.reload()
        self.assertEqual(table.item_count, 120)

    def test_paginators_and_parallel_scans_see_every_item_once(self):
        table = self.make_table("Pages", ("pk", "S"), ("sk", "N"))
        with table.batch_writer() as batch:
            for n in range(100):
                batch.put_item(Item={"pk": f"p{n % 7}", "sk": n})
        everything = sorted(range(100))

        pages = self.client.get_paginator("scan").paginate(
            TableName="Pages", PaginationConfig={"PageSize": 9})
        self.assertEqual(sorted(sort_keys(pages)), everything)

        by_segment = []
        for segment in range(4):
            pages = self.client.get_paginator("scan").paginate(
                TableName="Pages", TotalSegments=4, Segment=segment,
                PaginationConfig={"PageSize": 5})
            by_segment += sort_keys(pages)
        self.assertEqual(sorted(by_segment), everything)

        pages = self.client.get_paginator("query").paginate(
            TableName="Pages", KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "p3"}}, PaginationConfig={"PageSize": 2})
        self.assertEqual(sort_keys(pages), [n for n in range(100) if n % 7 == 3])

    def test_paging_through_an_index_whose_items_tie_gives_each_once(self):
        table = self.make_table("Ties", ("id", "S"), None, [("by-g", ("g", "S"), ("r", "N"))])
        names = [f"item{n:02}" for n in range(30)]
        with table.batch_writer() as batch:
            for name in names:
                batch.put_item(Item={"id": name, "g": "same", "r": 7})
        forward = self.read_ties(table, limit=4, forward=True)
        backward = self.read_ties(table, limit=7, forward=False)
        self.assertEqual(sorted(forward), names)
        self.assertEqual(backward, forward[::-1])

    @staticmethod
    def read_ties(table, limit, forward):
        found = []
        request = {"IndexName": "by-g", "KeyConditionExpression": Key("g").eq("same"),
                   "Limit": limit, "ScanIndexForward": forward}
        while True:
            answer = table.query(**request)
            found += [item["id"] for item in answer["Items"]]
            if "LastEvaluatedKey" not in answer:
                return found
            request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def test_conditions_of_the_resource_become_expressions(self):
        table = self.make_table("Music", ("artist", "S"), ("title", "S"))
        for title, year in (("Sinnerman", 1965), ("Four Women", 1966), ("To Love", 1967)):
            table.put_item(Item={"artist": "Nina", "title": title, "year": year})
        answer = table.query(
            KeyConditionExpression=Key("artist").eq("Nina") & Key("title").between("A", "T"),
            FilterExpression=Attr("year").gte(1966) & ~Attr("gone").exists())
        self.assertEqual([item["title"] for item in answer["Items"]], ["Four Women"])
        self.assertEqual(answer["ScannedCount"], 2)

    def test_list_tables_pages(self):
        for name in ("ListA", "ListB", "ListC"):
            self.make_table(name, ("id", "S"))
        pages = self.client.get_paginator("list_tables").paginate(
            PaginationConfig={"PageSize": 1})
        names = [name for page in pages for name in page["TableNames"]]
        self.assertEqual(names, ["ListA", "ListB", "ListC"])


def schema(keys):
    kinds = ("HASH", "RANGE")
    return [{"AttributeName": name, "KeyType": kind} for (name, _), kind in zip(keys, kinds)]


def sort_keys(pages):
    return [int(item["sk"]["N"]) for page in pages for item in page["Items"]]


if __name__ == "__main__":
    sys.exit(e2e.main())
