#!/usr/bin/env python3
"""A disk that does not come back from a sync: writes wait for it up to a bound and are then refused,
reads go on, and when it comes back all that waited is acknowledged.
"""

import queue
import threading
import unittest

from faults import Faults, library

from ordna_server import Refused, ScratchDir, Server, preload_environment

TABLE = {"TableName": "writes", "BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}]}
BATCHES = 30
ITEMS = 25
BODY = "x" * 160_000
# Of four megabytes each. Sixteen hold the 64 megabytes that may wait; the others come at the same time.
MOST_HELD = 20


def put(key, body="x"):
    return {"TableName": "writes", "Item": {"p": {"S": key}, "body": {"S": body}}}


def batch(number):
    return {"RequestItems": {"writes": [{"PutRequest": {"Item": put(f"{number}/{n}", BODY)["Item"]}}
                                   for n in range(ITEMS)]}}


class HungDiskTest(unittest.TestCase):
    def setUp(self):
        self.faults = self.enterContext(Faults())
        data = self.enterContext(ScratchDir("hung"))
        environment = {**preload_environment(library("io_fault")), **self.faults.environment()}
        self.server = Server(data, environment=environment).start()
        self.addCleanup(self.server.kill)
        self.addCleanup(self.faults.disarm)
        self.client = self.server.client()
        self.addCleanup(self.client.close)
        self.client.call("CreateTable", TABLE)
        self.client.call("PutItem", put("before"))
        self.ends = queue.Queue()

    def write(self, operation, request, number):
        client = self.server.client()
        try:
            client.call(operation, request)
            self.ends.put((number, None))
        except Refused as refusal:
            self.ends.put((number, refusal.kind))
        finally:
            client.close()

    def begin(self, operation, request, number):
        threading.Thread(target=self.write, args=(operation, request, number), daemon=True).start()

    def item(self, key):
        return self.client.call("GetItem", {"TableName": "writes", "Key": {"p": {"S": key}}}).get("Item")

    def test_what_waits_is_bounded_and_reads_go_on(self):
        self.faults.arm("", ["sync"], "wait")
        for number in range(BATCHES):
            self.begin("BatchWriteItem", batch(number), number)
        ends = [self.ends.get(timeout=60) for _ in range(BATCHES - MOST_HELD)]
        self.assertEqual({kind for _, kind in ends}, {"RequestLimitExceeded"})
        self.assertIsNotNone(self.item("before"))

        self.faults.disarm()
        ends += [self.ends.get(timeout=60) for _ in range(MOST_HELD)]
        self.assertIn(None, {kind for _, kind in ends})
        for number, kind in ends:
            for n in (0, ITEMS - 1):
                self.assertEqual(self.item(f"{number}/{n}") is not None, kind is None, (number, kind))
        self.client.call("PutItem", put("after"))

    def test_a_write_that_waits_for_long_lets_others_be_refused(self):
        self.faults.arm("", ["sync"], "wait")
        sent = 0
        kind = None
        while kind is None:  # each waits, until one has for a second
            self.begin("PutItem", put(str(sent)), sent)
            sent += 1
            try:
                _, kind = self.ends.get(timeout=0.1)
            except queue.Empty:
                pass
        self.assertEqual(kind, "RequestLimitExceeded")
        self.faults.disarm()
        ends = [self.ends.get(timeout=60) for _ in range(sent - 1)]
        for number, kind in ends:
            self.assertEqual(self.item(str(number)) is not None, kind is None)


if __name__ == "__main__":
    unittest.main()
