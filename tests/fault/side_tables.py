"""Tables that come and go while things fail, each with one item that says whose it is."""

import random

from ledger import CREATE_TABLE, TABLE
from ordna_server import Refused, Unknown

NAMES = ("SideOne", "SideTwo", "SideThree")


class SideTables:
    """Which of them may exist, and which life of each it may be."""

    def __init__(self, seed=1):
        self.rng = random.Random(seed)
        self.exists = {name: {False} for name in NAMES}
        self.life = {name: 0 for name in NAMES}
        self.full = {name: {False} for name in NAMES}  # whether its item is there
        self.faults = []

    def step(self, client):
        name = self.rng.choice(NAMES)
        if self.exists[name] == {True}:
            self.delete(client, name)
        else:
            self.create(client, name)

    def create(self, client, name):
        self.life[name] += 1
        self.change(client, name, True, "CreateTable", dict(CREATE_TABLE, TableName=name),
                    "ResourceInUseException")
        self.fill(client, name)

    def delete(self, client, name):
        self.change(client, name, False, "DeleteTable", {"TableName": name}, "ResourceNotFoundException")
        self.full[name] = {False}

    def change(self, client, name, wanted, operation, request, already):
        """What is refused because it is so already must have been possible."""
        try:
            client.call(operation, request)
        except Unknown:
            self.exists[name].add(wanted)
            self.full[name] = {False, True}
            raise
        except Refused as refused:
            if refused.kind != already or wanted not in self.exists[name]:
                self.faults.append(f"{operation} {name}: {refused}")
            self.life[name] -= 1 if wanted else 0
        self.exists[name] = {wanted}

    def fill(self, client, name):
        item = {"owner": {"S": name}, "slot": {"N": str(self.life[name])}, "body": {"S": "x" * 100}}
        self.full[name] = {False, True}
        client.call("PutItem", {"TableName": name, "Item": item})
        self.full[name] = {True}

    def check(self, client):
        """Settles on what is there."""
        there = set(client.call("ListTables", {})["TableNames"]) - {TABLE}
        found = [f"table {name} is {'there' if name in there else 'not there'}" for name in NAMES
                 if (name in there) not in self.exists[name]]
        for name in sorted(there):
            found += self.check_items(client, name)
        for name in NAMES:
            self.exists[name] = {name in there}
        return found

    def check_items(self, client, name):
        items = client.call("Scan", {"TableName": name, "ConsistentRead": True})["Items"]
        strange = [item for item in items if item["owner"]["S"] != name
                   or int(item["slot"]["N"]) > self.life[name]]
        if strange or bool(items) not in self.full[name] or len(items) > 1:
            return [f"table {name} holds {len(items)} items, not its own: {strange[:1]}"]
        self.full[name] = {bool(items)}
        return []
