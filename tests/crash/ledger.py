"""What a server must hold, by what it acknowledged, and the comparison with what it does hold.

An item's whole content follows from its key, one number and a count, so that a torn item, an item of
another key or of another moment cannot pass for a good one.

A write that was issued and never answered may have happened or not: the ledger allows both until the
next look settles it. After that look the server is bound to what it showed.
"""

import json
import random
import zlib

TABLE = "Ledger"
BY_GROUP, BY_RANK, BY_LABEL = "ByGroup", "ByRank", "ByLabel"

# What each index holds of an item: its key attributes, and what is projected ("ALL" or names).
INDEXES = {
    BY_GROUP: (("group", "rank"), "ALL"),
    BY_RANK: (("rank",), ()),
    BY_LABEL: (("owner", "label"), ("seq", "count")),
}

# One that comes and goes: late_index.py.
LATE = "Late"
ALL_INDEXES = {**INDEXES, LATE: (("label", "seq"), ("count",))}

CREATE_TABLE = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": kind}
        for name, kind in (("owner", "S"), ("slot", "N"), ("group", "S"), ("rank", "N"), ("label", "S"))
    ],
    "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"},
                  {"AttributeName": "slot", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [
        {"IndexName": BY_GROUP, "Projection": {"ProjectionType": "ALL"},
         "KeySchema": [{"AttributeName": "group", "KeyType": "HASH"},
                       {"AttributeName": "rank", "KeyType": "RANGE"}]},
        {"IndexName": BY_RANK, "Projection": {"ProjectionType": "KEYS_ONLY"},
         "KeySchema": [{"AttributeName": "rank", "KeyType": "HASH"}]},
    ],
    "LocalSecondaryIndexes": [
        {"IndexName": BY_LABEL,
         "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["seq", "count"]},
         "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"},
                       {"AttributeName": "label", "KeyType": "RANGE"}]},
    ],
}

BODY_SIZES = (10, 10, 100, 100, 400, 1000, 1000, 5000, 20000)


def key_of(item):
    return item["owner"]["S"], int(item["slot"]["N"])


def wire_key(key):
    return {"owner": {"S": key[0]}, "slot": {"N": str(key[1])}}


def make_item(key, seq, count=0):
    """The item that write number `seq` leaves under `key`, after `count` increments."""
    mark = zlib.crc32(f"{key[0]}/{key[1]}/{seq}".encode())
    text = f"{mark:08x}{seq:010d}"
    size = BODY_SIZES[mark % len(BODY_SIZES)]
    item = wire_key(key)
    item["seq"] = {"N": str(seq)}
    item["count"] = {"N": str(count)}
    item["body"] = {"S": (text * (size // len(text) + 1))[:size]}
    item["label"] = {"S": f"label {mark % 1000}"}
    if mark % 4 != 0:  # else the item is in the local index alone
        item["group"] = {"S": f"group {mark % 11}"}
        item["rank"] = {"N": str(mark % 100000)}
    return item


def index_row(name, item):
    """What index `name` must hold of `item`; None when the item is not in it."""
    keys, projected = ALL_INDEXES[name]
    if not all(key in item for key in keys):
        return None
    if projected == "ALL":
        return item
    names = {"owner", "slot", *keys, *projected}
    return {name: value for name, value in item.items() if name in names}


class Ledger:
    """For each key the states it may be in: what is certain, and what was never answered."""

    def __init__(self):
        self.certain = {}  # key -> item; a key that is not there has no item
        self.pending = []  # writes without an answer, in order: {key: item or None}
        self.atomic = []   # those of them that happen as a whole or not at all

    def issue(self, changes, atomic=False):
        """To be called before the write is sent; `changes`: {key: item, or None for no item}."""
        self.pending.append(changes)
        if atomic:
            self.atomic.append(changes)

    def forget(self, changes):
        self.pending = [other for other in self.pending if other is not changes]
        self.atomic = [other for other in self.atomic if other is not changes]

    def refuse(self, changes):
        """The last write issued has certainly not happened."""
        self.forget(changes)

    def acknowledge(self, changes, only=None):
        """It has certainly happened (under the key `only`, for all that is known): what was in doubt
        there is over, but for what was issued later."""
        at = next((n for n, other in enumerate(self.pending) if other is changes), len(self.pending))
        later = self.pending[at + 1:]
        later_atomic = [other for other in self.atomic if any(other is one for one in later)]
        self.pending = self.pending[:at + 1]
        for key in [only] if only else list(changes):
            self.settle_key(key, changes[key])
        self.pending += later
        self.atomic += [other for other in later_atomic if not any(other is one for one in self.atomic)]

    def settle_key(self, key, item):
        if item is None:
            self.certain.pop(key, None)
        else:
            self.certain[key] = item
        if self.pending:
            self.pending = [without(changes, key) for changes in self.pending]
            self.pending = [changes for changes in self.pending if changes]
            self.atomic = [changes for changes in self.atomic if key not in changes]

    def is_certain(self, key):
        return not any(key in changes for changes in self.pending)

    def states(self, key):
        return [self.certain.get(key)] + [changes[key] for changes in self.pending if key in changes]

    def check_item(self, key, item):
        """A fault in words, or None. An item seen settles its key."""
        if not any(item == state for state in self.states(key)):
            return self.describe(key, item)
        if item != self.certain.get(key):
            self.settle_key(key, item)
        return None

    def describe(self, key, item):
        wanted = " or ".join(brief(state) for state in self.states(key))
        return f"{key[0]}/{key[1]} is {brief(item)} and must be {wanted}"

    def keys(self):
        return set(self.certain).union(*self.pending)

    def check(self, items):
        """Compares with all items of the table, {key: item}, and settles on what is there."""
        faults = [self.describe(key, items.get(key)) for key in sorted(self.keys() | set(items))
                  if items.get(key) not in self.states(key)]
        faults += [fault for changes in self.atomic if (fault := self.torn(changes, items))]
        self.certain = dict(items)
        self.pending = []
        self.atomic = []
        return faults

    @staticmethod
    def torn(changes, items):
        done = [key for key, item in changes.items() if items.get(key) == item]
        if len(done) in (0, len(changes)):
            return None
        return f"a transaction of {len(changes)} items has happened to {len(done)} of them alone"


def without(changes, key):
    if key not in changes:
        return changes
    return {other: item for other, item in changes.items() if other != key}


def brief(item):
    if item is None:
        return "absent"
    text = json.dumps({name: value for name, value in item.items() if name != "body"})
    whole = make_item(key_of(item), int(item["seq"]["N"]), int(item["count"]["N"])) \
        if {"seq", "count", "owner", "slot"} <= item.keys() else None
    return text if whole == item else text + " (torn: its parts belong to different writes)"


# --- What the server holds ----------------------------------------------------------------------

class Held:
    """Everything the server holds of the table: its items, its indexes' rows and its counts."""

    def __init__(self, items, rows, counts):
        self.items = items    # {key: item}
        self.rows = rows      # {index: [row]}
        self.counts = counts  # {index, or TABLE: count}


def scan(client, **request):
    found = []
    request.update(TableName=TABLE, ConsistentRead="IndexName" not in request)
    while True:
        page = client.call("Scan", request)
        found += page["Items"]
        if "LastEvaluatedKey" not in page:
            return found
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def look(client):
    items = {key_of(item): item for item in scan(client)}
    rows = {name: scan(client, IndexName=name) for name in INDEXES}
    table = client.call("DescribeTable", {"TableName": TABLE})["Table"]
    described = table["GlobalSecondaryIndexes"] + table["LocalSecondaryIndexes"]
    counts = {index["IndexName"]: index["ItemCount"] for index in described}
    counts[TABLE] = table["ItemCount"]
    return Held(items, rows, counts)


def canonical(rows):
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def check_index(name, held):
    expected = [row for item in held.items.values() if (row := index_row(name, item)) is not None]
    have, want = canonical(held.rows[name]), canonical(expected)
    if have == want:
        return []
    extra, missing = set(have) - set(want), set(want) - set(have)
    return [f"index {name} has {len(have)} rows, its table makes {len(want)}; "
            f"not of the table: {sorted(extra)[:2]}, missing: {sorted(missing)[:2]}"]


def check_counts(held):
    real = {name: len(rows) for name, rows in held.rows.items()}
    real[TABLE] = len(held.items)
    return [f"{name} says it has {held.counts[name]} items and has {count}"
            for name, count in real.items() if held.counts[name] != count]


def check_held(ledger, held):
    """Every fault of what the server holds, in words."""
    faults = ledger.check(held.items)
    for name in INDEXES:
        faults += check_index(name, held)
    return faults + check_counts(held)


def sample(rng, population, count):
    population = sorted(population)
    return rng.sample(population, min(count, len(population)))


def check_reads(client, ledger, rng, count=20):
    """Point reads and a query show what the scan has shown. For a ledger that is settled."""
    faults = []
    for key in sample(rng, ledger.certain, count):
        answer = client.call("GetItem", {"TableName": TABLE, "Key": wire_key(key), "ConsistentRead": True})
        fault = ledger.check_item(key, answer.get("Item"))
        faults += [f"GetItem: {fault}"] if fault else []
    for owner in sample(rng, {key[0] for key in ledger.certain}, 2):
        faults += check_query(client, ledger, owner)
    return faults


def check_query(client, ledger, owner):
    wanted = [item for key, item in sorted(ledger.certain.items()) if key[0] == owner]
    request = {"TableName": TABLE, "ConsistentRead": True,
               "KeyConditionExpression": "#o = :o", "ExpressionAttributeNames": {"#o": "owner"},
               "ExpressionAttributeValues": {":o": {"S": owner}}}
    found = []
    while True:
        page = client.call("Query", request)
        found += page["Items"]
        if "LastEvaluatedKey" not in page:
            break
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    return [] if found == wanted else [f"Query of {owner}: {len(found)} items, {len(wanted)} expected"]


def check_all(client, ledger, rng=None):
    faults = check_held(ledger, look(client))
    return faults + check_reads(client, ledger, rng or random.Random(0))
