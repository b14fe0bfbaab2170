"""Random values, schemas and paths, from small alphabets, so that collisions, ties and limits happen often."""

import base64

from values import MAX_ITEM, item_size, parse_item

TEXTS = ["", "a", "b", "ab", "abc", "B", "é", "\U0001F600", "\uffff", "\0", "a\0b", "1"]
KEY_TEXTS = ["a", "b", "ab", "a\0", "é", "\U0001F600", "\uffff", "\0", "Z"]
NUMBERS = ["0", "-0", "1", "1.0", "+1", "01", "10", "1e1", "-1", "2", "-2.5", ".5", "0.5", "3.14", "100", "1E2",
           "9.9999999999999999999999999999999999999E+125", "-9.9999999999999999999999999999999999999E+125", "1E-130",
           "-1E-130", "12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678", "1E125",
           "1.5E-130", "1E50", "-100", "99999999999999999999999999999999999999", "0.00001"]
BINARIES = [base64.b64encode(raw).decode() for raw in (b"", b"a", b"ab", b"\x00", b"\xff", b"\xff\xff", b"a\x00")]
SCALARS = ("S", "N", "B")
TYPES = ("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")
INDEXED = ("a", "b", "c", "d", "e")
PLAIN = ("m", "l", "s", "n", "t")
ODD = ("name", "x y", "a.b", "é", "_u")
MEMBERS = ("x", "y", "name")


class Values:
    def __init__(self, random):
        self.random = random
        self.large = False  # items of up to 400 KB, and some at the gate to the byte

    def chance(self, share):
        return self.random.random() < share

    def pick(self, options):
        return self.random.choice(options)

    def scalar(self, kind, key=False):
        if kind == "S":
            return {"S": self.pick(KEY_TEXTS if key else TEXTS)}
        if kind == "N":
            return {"N": self.pick(NUMBERS if self.chance(0.3) else NUMBERS[:16])}
        return {"B": self.pick(BINARIES[1:] if key else BINARIES)}

    def long_text(self):
        if self.large and self.chance(0.5):
            return {"S": self.pick("xyz") * self.random.choice([100000, 150000, 262144, 350000])}
        return {"S": self.pick("xyz") * self.random.choice([950, 1000, 1024, 2000, 4050, 4096, 5000])}

    def set(self, kind):
        members = {"SS": TEXTS, "NS": ["0", "1", "10", "-1", "2.5", "1E125", "3"], "BS": BINARIES}[kind]
        return {kind: self.random.sample(members, self.random.randint(1, 4))}

    def value(self, depth=0, kind=None):
        if kind is None:
            kind = self.pick(TYPES if depth < 3 else TYPES[:8])
        if kind in SCALARS:
            return self.long_text() if kind == "S" and self.chance(0.04) else self.scalar(kind)
        if kind == "BOOL":
            return {"BOOL": self.chance(0.5)}
        if kind == "NULL":
            return {"NULL": True}
        if kind in ("SS", "NS", "BS"):
            return self.set(kind)
        if kind == "L":
            return {"L": [self.value(depth + 1) for _ in range(self.random.randint(0, 3))]}
        return {"M": {name: self.value(depth + 1)
                      for name in self.random.sample(MEMBERS, self.random.randint(0, len(MEMBERS)))}}

    # Schemas

    def schema(self, name):
        types = {attribute: self.pick(SCALARS) for attribute in ("h", "r", *INDEXED)}
        ranged = self.chance(0.75)
        keys = ["h", "r"] if ranged else ["h"]
        shape = {"TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": self.key_schema(["h"], keys[1:])}
        used = set(keys)
        local = [self.local_index(f"lsi{at}") for at in range(self.random.randint(0, 3))] if ranged else []
        other = [self.global_index(f"gsi{at}", keys) for at in range(self.random.randint(0, 4))]
        for member, indexes in (("LocalSecondaryIndexes", local), ("GlobalSecondaryIndexes", other)):
            if indexes:
                shape[member] = indexes
            used |= {part["AttributeName"] for index in indexes for part in index["KeySchema"]}
        shape["AttributeDefinitions"] = [{"AttributeName": attribute, "AttributeType": types[attribute]}
                                         for attribute in sorted(used)]
        return shape

    @staticmethod
    def key_schema(hashes, ranges):
        return [{"AttributeName": name, "KeyType": kind}
                for kind, names in (("HASH", hashes), ("RANGE", ranges)) for name in names]

    def projection(self):
        kind = self.pick(["ALL", "KEYS_ONLY", "INCLUDE"])
        if kind != "INCLUDE":
            return {"ProjectionType": kind}
        return {"ProjectionType": kind, "NonKeyAttributes": self.random.sample(PLAIN, 2)}

    def local_index(self, name):
        return {"IndexName": name, "KeySchema": self.key_schema(["h"], [self.pick(INDEXED)]),
                "Projection": self.projection()}

    def global_index(self, name, keys):
        if self.chance(0.15):
            return self.wide_index(name)
        pool = [*INDEXED, *keys]
        self.random.shuffle(pool)
        hashes = 1 if self.chance(0.7) else self.random.randint(2, 3)
        ranges = self.pick([0, 1, 1, 2, 3])
        return {"IndexName": name, "KeySchema": self.key_schema(pool[:hashes], pool[hashes:hashes + ranges]),
                "Projection": self.projection()}

    def wide_index(self, name):
        """Of five attributes, none of them the table's key: items that tie are told apart by that alone."""
        names = self.random.sample(INDEXED, len(INDEXED))
        hashes = self.random.randint(1, 4)
        return {"IndexName": name, "KeySchema": self.key_schema(names[:hashes], names[hashes:]),
                "Projection": self.projection()}

    # Items

    def key_value(self, table, name):
        few = {"S": KEY_TEXTS[:3], "N": ["1", "2", "-1", "1.0"], "B": BINARIES[1:4]}[table.types[name]]
        if self.large and self.chance(0.8):
            return {table.types[name]: few[0]} if name in table.hash else self.scalar(table.types[name], key=True)
        if name in table.hash or self.chance(0.4):
            return {table.types[name]: self.pick(few)}
        return self.scalar(table.types[name], key=True)

    def key(self, table):
        return {name: self.key_value(table, name) for name in table.keys}

    def item(self, table):
        item = self.key(table)
        ties = self.chance(0.5) and any(len(index.keys) >= len(INDEXED) for index in table.indexes.values())
        for name in INDEXED:
            if ties or self.chance(0.6):
                item[name] = self.tied_value(table, name) if ties else self.indexed_value(table, name)
        for name in PLAIN + ODD:
            if self.chance(0.3):
                item[name] = self.value(kind={"m": "M", "l": "L", "n": "N"}.get(name) if self.chance(0.7) else None)
        if self.large and self.chance(0.6):
            item["t"] = self.filler(item, self.pick([MAX_ITEM, MAX_ITEM // 2, MAX_ITEM // 4]))
        return item

    def filler(self, item, size, name="t"):
        """A value for `name` that makes an item of JSON about so large, often to the byte."""
        others = {other: value for other, value in item.items() if other != name}
        left = size - item_size(parse_item(others)) - len(name) + self.pick([-1, 0, 0, 1])
        return {"S": "f" * max(left, 0)}

    def indexed_value(self, table, name):
        if name not in table.types or self.chance(0.02):
            return self.value()
        few = {"S": KEY_TEXTS[:3], "N": ["0", "1", "2"], "B": BINARIES[1:4]}[table.types[name]]
        return {table.types[name]: self.pick(few)}

    def tied_value(self, table, name):
        first = {"S": "a", "N": "1", "B": BINARIES[1]}.get(table.types.get(name))
        return self.indexed_value(table, name) if first is None or self.chance(0.05) else {table.types[name]: first}

    def near(self, json):
        """Another value of the same type and, mostly, of the same size."""
        [(kind, body)] = json.items()
        if kind == "S":
            return {"S": "" if body and self.chance(0.2) else body[:-1] + ("b" if body[-1:] == "a" else "a")}
        if kind == "N":
            return {"N": self.pick(["1", "2", "3", "20", "-1", "-2", "0.1", "0.2"])}
        if kind == "B":
            return {"B": self.pick(BINARIES[1:5])}
        if kind == "BOOL":
            return {"BOOL": not body}
        if kind in ("SS", "NS", "BS"):
            return self.set(kind)
        if kind == "L" and body:
            at = self.random.randrange(len(body))
            return {"L": [self.near(part) if i == at else part for i, part in enumerate(body)]}
        if kind == "M" and body:
            name = self.pick(list(body))
            return {"M": {**body, name: self.near(body[name])}}
        return json

    # Paths

    def path(self, item=None):
        """Steps of a path; often one that an item has."""
        if item and self.chance(0.75):
            return self.path_in(item)
        path = [self.pick(INDEXED + PLAIN + ODD)]
        while self.chance(0.3) and len(path) < 4:
            path.append(self.random.randint(0, 3) if self.chance(0.4) else self.pick(MEMBERS))
        return path

    def path_in(self, item):
        names = [name for name in item if name not in ("h", "r")] or ["a"]
        path = [self.pick(names)]
        value = item.get(path[0])
        while value is not None and value[0] in ("L", "M") and value[1] and self.chance(0.7):
            step = self.random.randrange(len(value[1])) if value[0] == "L" else self.pick(list(value[1]))
            value = value[1][step]
            path.append(step)
        if self.chance(0.2):
            path.append(self.random.randint(0, 3) if self.chance(0.5) else self.pick(MEMBERS))
        return path
