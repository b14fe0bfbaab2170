"""An index that is added to the table and taken away while the server is killed.

Adding it takes steps through the whole table, which go on after a crash where they were.
"""

import time

from ledger import LATE, TABLE, check_index, look, scan
from ordna_server import Refused, Unknown

PATIENCE_SECONDS = 20.0

CREATE = {
    "TableName": TABLE,
    "AttributeDefinitions": [{"AttributeName": "label", "AttributeType": "S"},
                             {"AttributeName": "seq", "AttributeType": "N"}],
    "GlobalSecondaryIndexUpdates": [{"Create": {
        "IndexName": LATE,
        "KeySchema": [{"AttributeName": "label", "KeyType": "HASH"},
                      {"AttributeName": "seq", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["count"]}}}],
}
DELETE = {"TableName": TABLE, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": LATE}}]}


class LateIndex:
    """Knows whether the index must be there, or may be."""

    def __init__(self):
        self.exists = {False}
        self.changes = 0
        self.faults = []

    def change(self, server):
        """Adds it, or takes it away."""
        wanted = self.exists == {False}
        client = server.client()
        try:
            client.call("UpdateTable", CREATE if wanted else DELETE)
            self.exists = {wanted}
            self.changes += 1
        except Refused as refused:
            self.faults.append(f"UpdateTable: {refused}")
        except Unknown:
            self.exists.add(wanted)
        finally:
            client.close()

    def check(self, client):
        """With nobody writing: waits until the index is filled, and compares it with its table."""
        status = self.wait(client)
        there = status is not None
        faults = self.faults + ([] if there in self.exists else
                                [f"index {LATE} is {'there' if there else 'not there'}"])
        self.exists = {there}
        if not there:
            return faults
        if status != "ACTIVE":
            return faults + [f"index {LATE} is {status} after {PATIENCE_SECONDS} s"]
        held = look(client)
        held.rows[LATE] = scan(client, IndexName=LATE)
        counted = held.counts[LATE] == len(held.rows[LATE])
        return faults + check_index(LATE, held) + ([] if counted else [f"{LATE} counts {held.counts[LATE]} items"])

    @staticmethod
    def wait(client):
        """Its status once it is no longer being made or taken away; None when there is none."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            table = client.call("DescribeTable", {"TableName": TABLE})["Table"]
            found = [index["IndexStatus"] for index in table["GlobalSecondaryIndexes"]
                     if index["IndexName"] == LATE]
            if not found or found[0] == "ACTIVE" or time.monotonic() > deadline:
                return found[0] if found else None
            time.sleep(0.01)
