"""Tables, indexes and keys of the model, and what a write or a read of them costs."""

import json

import values as v
from values import INVALID, Fault

NO_MATCH = "The provided key element does not match the schema"
NOT_VALID = "One or more parameter values are not valid. "
EMPTY = "The AttributeValue for a key attribute cannot contain an empty {} value."
EMPTY_INDEX = NOT_VALID + "A value specified for a secondary index key is not supported. " + EMPTY
EMPTY_UPDATE = (NOT_VALID + "The update expression attempted to update a secondary index key to a value that is "
                "not supported. " + EMPTY)
HASH_TOO_LONG = INVALID + "Size of hashkey has exceeded the maximum size limit of2048 bytes"
RANGE_TOO_LONG = INVALID + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
ITEM_TOO_LARGE = "Item size has exceeded the maximum allowed size"
DUPLICATE_KEYS = "Provided list of item keys contains duplicates"
MAX_HASH, MAX_RANGE = 2048, 1024


def empty_word(value):
    return {"S": "string", "B": "binary"}.get(value[0]) if not value[1] else None


def parse_key(json):
    """A Key parameter. That a key value is empty is seen without the schema."""
    return check_not_empty(v.parse_item(json))


def check_not_empty(key):
    v.one_of([Fault(f"{NOT_VALID}{EMPTY.format(empty_word(value))} Key: {name}")
              for name, value in key.items() if empty_word(value)])
    return key


def key_names(schema, kind):
    return [part["AttributeName"] for part in schema if part["KeyType"] == kind]


def length_faults(keyed, item):
    """Faults of key values that are too long together, of a table or an index; those that are missing count nothing."""
    limits = ((keyed.hash, MAX_HASH, HASH_TOO_LONG), (keyed.range, MAX_RANGE, RANGE_TOO_LONG))
    return [Fault(text) for names, limit, text in limits
            if sum(v.size(item[name]) for name in names if name in item) > limit]


class Index:
    def __init__(self, shape, table, local):
        self.name, self.local, self.types = shape["IndexName"], local, table.types
        self.hash, self.range = key_names(shape["KeySchema"], "HASH"), key_names(shape["KeySchema"], "RANGE")
        self.keys = self.hash + self.range
        projection = shape["Projection"]
        self.all = projection["ProjectionType"] == "ALL"
        self.held = set(self.keys + table.keys + projection.get("NonKeyAttributes", []))

    def view(self, item):
        """What the index holds of an item; None when the item is not in it."""
        if item is None or any(not self.fits(item, name) for name in self.keys) or length_faults(self, item):
            return None
        return item if self.all else {name: value for name, value in item.items() if name in self.held}

    def fits(self, item, name):
        """An index made later leaves out what could be written before it: other types, and empty values."""
        return name in item and item[name][0] == self.types[name] and not empty_word(item[name])

    def projects(self, name):
        return self.all or name in self.held


class Table:
    def __init__(self, shape):
        self.name = shape["TableName"]
        self.types = {part["AttributeName"]: part["AttributeType"] for part in shape["AttributeDefinitions"]}
        self.hash, self.range = key_names(shape["KeySchema"], "HASH"), key_names(shape["KeySchema"], "RANGE")
        self.keys = self.hash + self.range
        self.indexes = {}
        for member, local in (("LocalSecondaryIndexes", True), ("GlobalSecondaryIndexes", False)):
            for index in shape.get(member, []):
                self.indexes[index["IndexName"]] = Index(index, self, local)
        self.items = {}

    def add_index(self, shape, definitions):
        for part in definitions:
            self.types.setdefault(part["AttributeName"], part["AttributeType"])
        self.indexes[shape["IndexName"]] = Index(shape, self, False)

    def drop_index(self, name):
        """Definitions that no other key uses go with it."""
        del self.indexes[name]
        used = set(self.keys).union(*(index.keys for index in self.indexes.values()))
        for attribute in set(self.types) - used:
            del self.types[attribute]

    def has_local(self):
        return any(index.local for index in self.indexes.values())

    def key_of(self, item):
        return tuple(item[name] for name in self.keys)

    def key_faults(self, key):
        """Faults of right-typed key values."""
        faults = []
        for name, limit, text in ((self.hash, MAX_HASH, HASH_TOO_LONG), (self.range, MAX_RANGE, RANGE_TOO_LONG)):
            for attribute in name:
                word = empty_word(key[attribute])
                if word:
                    faults.append(Fault(f"{NOT_VALID}{EMPTY.format(word)} Key: {attribute}"))
                if v.size(key[attribute]) > limit:
                    faults.append(Fault(text))
        return faults

    def check_key(self, key):
        """A Key parameter; gives what self.items is keyed by."""
        if set(key) != set(self.keys) or any(key[name][0] != self.types[name] for name in self.keys):
            raise Fault(NO_MATCH)
        v.one_of(self.key_faults(key))
        return self.key_of(key)

    def item_key_faults(self, item, in_batch):
        faults = []
        for name in self.keys:
            if name not in item:
                faults.append(Fault(f"{INVALID}Missing the key {name} in the item"))
                if in_batch:
                    faults.append(Fault(NO_MATCH))
            elif item[name][0] != self.types[name]:
                text = f"{INVALID}Type mismatch for key {name} expected: {self.types[name]} actual: {item[name][0]}"
                faults.append(Fault(NO_MATCH if in_batch else text))
        return faults or self.key_faults(item)

    def index_faults(self, item, before=None):
        """Faults of index keys; with `before` (an update) only of those that changed."""
        faults, seen = [], set()
        for index in sorted(self.indexes.values(), key=lambda index: index.name):
            for name in index.keys:
                unchanged = before is not None and before.get(name) == item.get(name)
                if name not in item or name in seen or name in self.keys or unchanged:
                    continue
                fault = self.index_key_fault(index, name, item[name], before is not None)
                if fault:
                    seen.add(name)
                    faults.append(Fault(fault))
            if before is None or any(name in item and before.get(name) != item[name] for name in index.keys):
                faults += length_faults(index, item)
        return faults

    def index_key_fault(self, index, name, value, is_update):
        if value[0] != self.types[name]:
            return (f"{INVALID}Type mismatch for Index Key {name} Expected: {self.types[name]} Actual: {value[0]} "
                    f"IndexName: {index.name}")
        word = empty_word(value)
        if word and is_update:
            return EMPTY_UPDATE.format(word)
        return word and f"{EMPTY_INDEX.format(word)} IndexName: {index.name}, IndexKey: {name}"

    def check_item(self, item, in_batch=False):
        """An item to put; gives what self.items is keyed by."""
        faults = self.item_key_faults(item, in_batch) + self.index_faults(item)
        if v.item_size(item) > v.MAX_ITEM:
            faults.append(Fault(ITEM_TOO_LARGE))
        v.one_of(faults)
        return self.key_of(item)

    def store(self, key, item):
        if item is None:
            self.items.pop(key, None)
        else:
            self.items[key] = item


def as_sent(table, raw):
    """A key as the request spells it: batches compare `1000` and `1e3` as two."""
    return table.name, json.dumps([raw.get(name) for name in table.keys])


# Capacity


def read_units(size, strong):
    return max(1, -(-size // 4096)) * (1.0 if strong else 0.5)


def write_units(size):
    return float(max(1, -(-size // 1024)))


def size_of(item):
    return 0 if item is None else v.item_size(item)


class Consumed:
    """What one request consumed of one table."""

    def __init__(self, table):
        self.table, self.units, self.arms = table, 0.0, {}

    def write(self, before, after, factor=1, attempted=None):
        larger = max(size_of(before), size_of(after), size_of(attempted))
        self.units += factor * write_units(larger)
        for index in self.table.indexes.values():
            self.write_index(index, index.view(before), index.view(after))

    def write_index(self, index, old, new):
        if old == new:
            return
        if old is None or new is None:
            units = write_units(size_of(old or new))
        elif all(old[name] == new[name] for name in index.keys):
            units = write_units(max(size_of(old), size_of(new)))
        else:
            units = write_units(size_of(old)) + write_units(size_of(new))
        self.arms[index.name] = self.arms.get(index.name, 0.0) + units

    def read_index(self, index, units):
        self.arms[index.name] = self.arms.get(index.name, 0.0) + units

    def answer(self, mode, direction=None):
        """The member ConsumedCapacity; `direction` is Read or Write in transactions."""
        if mode in (None, "NONE"):
            return None
        total = self.units + sum(self.arms.values())
        answer = {"TableName": self.table.name, **self.pair(total, direction)}
        if mode == "TOTAL":
            return answer
        answer["Table"] = self.pair(self.units, direction)
        for member, local in (("LocalSecondaryIndexes", True), ("GlobalSecondaryIndexes", False)):
            arms = {name: {"CapacityUnits": units} for name, units in self.arms.items()
                    if self.table.indexes[name].local == local}
            if arms:
                answer[member] = arms
        return answer

    @staticmethod
    def pair(units, direction):
        both = {"CapacityUnits": units}
        if direction:
            both[f"{direction}CapacityUnits"] = units
        return both
