"""Writers that keep a ledger: each owns its keys, so that it knows what every one of them must be."""

import random
import threading

from ledger import TABLE, Ledger, make_item, wire_key
from ordna_server import Refused, Unknown

PARTITIONS = 5
SLOTS = 40
MAX_BATCH = 25

TOUCH = "SET #s = :s, #c = :c, #b = :b, #l = :l, #g = :g, #r = :r"
TOUCH_UNGROUPED = "SET #s = :s, #c = :c, #b = :b, #l = :l REMOVE #g, #r"
NAMES = {"#s": "seq", "#c": "count", "#b": "body", "#l": "label", "#g": "group", "#r": "rank"}


def put_request(item):
    return {"TableName": TABLE, "Item": item}


def delete_request(key):
    return {"TableName": TABLE, "Key": wire_key(key)}


def update_request(key, item):
    """An update that turns whatever is there into `item`."""
    grouped = "group" in item
    values = {short.replace("#", ":"): item[name] for short, name in NAMES.items() if name in item}
    return {"TableName": TABLE, "Key": wire_key(key), "ExpressionAttributeNames": NAMES,
            "UpdateExpression": TOUCH if grouped else TOUCH_UNGROUPED,
            "ExpressionAttributeValues": values}


def with_condition(request, text, names=None, values=None):
    request = dict(request, ConditionExpression=text)
    if names:
        request["ExpressionAttributeNames"] = {**request.get("ExpressionAttributeNames", {}), **names}
    if values:
        request["ExpressionAttributeValues"] = {**request.get("ExpressionAttributeValues", {}), **values}
    return request


class Writer:
    """One client and its part of the ledger. Steps from one seed are always the same."""

    def __init__(self, number, seed, slots=SLOTS):
        self.number = number
        self.slots = slots
        self.rng = random.Random(f"{seed}/{number}")
        self.ledger = Ledger()
        self.seq = 0
        self.acknowledged = 0
        self.refused = 0
        self.unknown = 0
        self.faults = []
        self.on_acknowledged = None
        self.steps = [self.put, self.put, self.put_if_absent, self.put_if_same, self.update,
                      self.increment, self.increment, self.delete, self.batch, self.transact,
                      self.transact, self.read]

    def some_key(self):
        return self.random_key(self.rng)

    def random_key(self, rng):
        partition, slot = rng.randrange(PARTITIONS), rng.randrange(self.slots)
        return f"writer {self.number} part {partition}", slot

    def next_item(self, key):
        self.seq += 1
        return make_item(key, self.seq)

    def step(self, client):
        self.rng.choice(self.steps)(client)

    # --- Steps ----------------------------------------------------------------------------------

    def write(self, client, operation, request, changes, must_fail=False, atomic=False):
        """Sends a write. `must_fail`: its condition does not hold, by what the ledger knows."""
        self.ledger.issue(changes, atomic)
        try:
            answer = client.call(operation, request)
        except Refused as refused:
            self.ledger.refuse(changes)
            self.note_refusal(operation, refused, must_fail)
            return
        except Unknown as fault:
            self.note_unknown(operation, fault, must_fail, changes)
            raise
        if must_fail:
            self.faults.append(f"{operation}: a condition that does not hold was found to hold")
        if answer.get("UnprocessedItems"):
            self.faults.append(f"{operation}: items left unprocessed without a reason")
        self.ledger.acknowledge(changes)
        self.acknowledged += 1
        if self.on_acknowledged:
            self.on_acknowledged(changes)

    def note_refusal(self, operation, refused, must_fail):
        self.refused += 1
        expected = ("ConditionalCheckFailedException", "TransactionCanceledException")
        if not must_fail or refused.kind not in expected:
            self.faults.append(f"{operation}: {refused}")

    def note_unknown(self, _operation, _fault, must_fail, changes):
        self.unknown += 1
        if must_fail:
            self.ledger.refuse(changes)  # whenever it runs, it does nothing

    def put(self, client):
        key = self.some_key()
        item = self.next_item(key)
        self.write(client, "PutItem", put_request(item), {key: item})

    def put_if_absent(self, client):
        key = self.some_key()
        if not self.ledger.is_certain(key):
            return
        item = self.next_item(key)
        request = with_condition(put_request(item), "attribute_not_exists(slot)")
        self.write(client, "PutItem", request, {key: item}, must_fail=key in self.ledger.certain)

    def put_if_same(self, client):
        key = self.some_key()
        old = self.ledger.certain.get(key)
        if old is None or not self.ledger.is_certain(key):
            return
        item = self.next_item(key)
        wrong = self.rng.random() < 0.3
        seq = {"N": str(self.seq)} if wrong else old["seq"]
        request = with_condition(put_request(item), "seq = :seq", values={":seq": seq})
        self.write(client, "PutItem", request, {key: item}, must_fail=wrong)

    def update(self, client):
        key = self.some_key()
        item = self.next_item(key)
        self.write(client, "UpdateItem", update_request(key, item), {key: item})

    def increment(self, client):
        key = self.some_key()
        old = self.ledger.certain.get(key)
        if old is None or not self.ledger.is_certain(key):
            return
        item = make_item(key, int(old["seq"]["N"]), int(old["count"]["N"]) + 1)
        request = {"TableName": TABLE, "Key": wire_key(key), "UpdateExpression": "ADD #c :one",
                   "ExpressionAttributeNames": {"#c": "count"},
                   "ExpressionAttributeValues": {":one": {"N": "1"}}}
        self.write(client, "UpdateItem", request, {key: item})

    def delete(self, client):
        key = self.some_key()
        self.write(client, "DeleteItem", delete_request(key), {key: None})

    def batch(self, client):
        keys = {self.some_key() for _ in range(self.rng.randint(2, MAX_BATCH))}
        changes = {key: self.next_item(key) if self.rng.random() < 0.7 else None for key in sorted(keys)}
        entries = [{"DeleteRequest": {"Key": wire_key(key)}} if item is None else
                   {"PutRequest": {"Item": item}} for key, item in changes.items()]
        self.write(client, "BatchWriteItem", {"RequestItems": {TABLE: entries}}, changes)

    def transact(self, client):
        keys = sorted({self.some_key() for _ in range(self.rng.randint(2, 8))})
        keys = [key for key in keys if self.ledger.is_certain(key)]
        if len(keys) < 2:
            return
        must_fail = self.rng.random() < 0.2
        changes = {key: self.next_item(key) for key in keys}
        entries = [self.transact_entry(key, item) for key, item in changes.items()]
        if must_fail:
            entries[-1] = {"Put": with_condition(put_request(changes[keys[-1]]),
                                                 "attribute_exists(nothing_has_this)")}
        self.write(client, "TransactWriteItems", {"TransactItems": entries}, changes,
                   must_fail=must_fail, atomic=True)

    def transact_entry(self, key, item):
        if self.rng.random() < 0.5:
            return {"Put": put_request(item)}
        return {"Update": update_request(key, item)}

    def read(self, client):
        key = self.some_key()
        request = {"TableName": TABLE, "Key": wire_key(key), "ConsistentRead": True}
        try:
            answer = client.call("GetItem", request)
        except Refused as refused:
            self.faults.append(f"GetItem: {refused}")
            return
        fault = self.ledger.check_item(key, answer.get("Item"))
        if fault:
            self.faults.append(f"GetItem: {fault}")


class Load:
    """Writers at work, each in a thread, until the server stops answering."""

    def __init__(self, writers, server):
        self.writers = writers
        self.server = server
        self.threads = [threading.Thread(target=self.work, args=(writer,)) for writer in writers]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        for thread in self.threads:
            thread.join()

    def work(self, writer):
        client = self.server.client()
        try:
            while True:
                writer.step(client)
        except Unknown:
            pass
        finally:
            client.close()


class Everyone:
    """The ledgers of all writers as one, for a look at the whole table."""

    def __init__(self, writers):
        self.writers = writers

    def joined(self):
        whole = Ledger()
        for writer in self.writers:
            whole.certain.update(writer.ledger.certain)
            whole.pending += writer.ledger.pending
            whole.atomic += writer.ledger.atomic
        return whole

    def settle(self, whole):
        for writer in self.writers:
            mine = f"writer {writer.number} part "
            writer.ledger = Ledger()
            writer.ledger.certain = {key: item for key, item in whole.certain.items()
                                     if key[0].startswith(mine)}
