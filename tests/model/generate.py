"""Random requests against the tables of a model."""

import copy

import values as v
from constraints import ARN
from generate_legacy import OLD, make_old
from generate_text import Text
from generate_values import Values

WEIGHTS = {"PutItem": 22, "UpdateItem": 26, "DeleteItem": 8, "GetItem": 5, "Query": 18, "Scan": 9,
           "BatchWriteItem": 4, "BatchGetItem": 3, "UpdateTable": 1, "TransactWriteItems": 8, "TransactGetItems": 4}
RETURNS = ("NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW")


class Requests:
    def __init__(self, random, model, operations):
        self.random, self.model = random, model
        self.values = Values(random)
        self.operations = [name for name in WEIGHTS if name in operations]
        self.weights = [WEIGHTS[name] for name in self.operations]
        self.next_page = None
        self.tokens = []  # (token, actions) of transactions, which may have failed

    def chance(self, share):
        return self.random.random() < share

    def pick(self, options):
        return self.random.choice(options)

    def grow(self):
        """Fills the tables of an episode of large items, so that pages fill up too."""
        for table in self.model.tables.values():
            for _ in range(25):
                yield "PutItem", {"TableName": table.name, "Item": self.values.item(table)}

    def draw(self):
        """(operation, request)"""
        if self.next_page and self.chance(0.7):
            request, self.next_page = self.next_page, None
            return request
        operation = self.random.choices(self.operations, self.weights)[0]
        request = getattr(self, operation)()
        if operation in OLD and self.chance(0.12):
            table = self.model.tables[request["TableName"]]
            target = table.indexes.get(request.get("IndexName"), table)
            make_old(self.values, operation, request, (table, target), self.some_item(table))
        if "TableName" in request and operation != "UpdateTable" and self.chance(0.03):
            request["TableName"] = ARN + request["TableName"]
        return operation, request

    def went_on(self, operation, request, last_key):
        """Notes that a page has a next one."""
        self.next_page = (operation, {**request, "ExclusiveStartKey": last_key})

    def table(self):
        return self.pick(list(self.model.tables.values()))

    def some_item(self, table):
        return self.pick(list(table.items.values())) if table.items and self.chance(0.85) else None

    def key_of(self, table, item):
        if item is not None and self.chance(0.8):
            return {name: v.to_json(item[name]) for name in table.keys}
        return self.values.key(table)

    def options(self, request, returns=()):
        if self.chance(0.5):
            request["ReturnConsumedCapacity"] = self.pick(["TOTAL", "INDEXES", "INDEXES", "NONE"])
        if returns and self.chance(0.5):
            request["ReturnValues"] = self.pick(returns)
        if returns and self.chance(0.1):
            request["ReturnItemCollectionMetrics"] = "SIZE"
        return request

    def condition(self, request, text):
        if self.chance(0.35):
            request["ConditionExpression"] = text.condition()
            if self.chance(0.5):
                request["ReturnValuesOnConditionCheckFailure"] = self.pick(["ALL_OLD", "NONE"])

    # Single items

    def PutItem(self):
        table = self.table()
        text = Text(self.values, self.some_item(table))
        request = {"TableName": table.name, "Item": self.values.item(table)}
        self.condition(request, text)
        return self.options(text.fill(request), RETURNS[:2])

    def GetItem(self):
        table = self.table()
        item = self.some_item(table)
        text = Text(self.values, item)
        request = {"TableName": table.name, "Key": self.key_of(table, item)}
        if self.chance(0.5):
            request["ProjectionExpression"] = text.projection()
        if self.chance(0.5):
            request["ConsistentRead"] = self.chance(0.5)
        return self.options(text.fill(request))

    def DeleteItem(self):
        table = self.table()
        item = self.some_item(table)
        text = Text(self.values, item)
        request = {"TableName": table.name, "Key": self.key_of(table, item)}
        self.condition(request, text)
        return self.options(text.fill(request), RETURNS[:2])

    def UpdateItem(self):
        table = self.table()
        item = self.some_item(table)
        text = Text(self.values, item)
        request = {"TableName": table.name, "Key": self.key_of(table, item)}
        if self.chance(0.97):
            request["UpdateExpression"] = self.update(text, table)
        self.condition(request, text)
        return self.options(text.fill(request), RETURNS)

    def update(self, text, table):
        """An update; sometimes of attributes that key indexes."""
        if self.values.large and text.item and self.chance(0.6):
            return self.large_update(text)
        indexed = [name for name in table.types if name not in table.keys]
        if not indexed or self.chance(0.6):
            return text.update()
        name = self.pick(indexed)
        if self.chance(0.3):
            return f"REMOVE {text.name(name)}"
        holder = text.holder(self.values.indexed_value(table, name))
        return f"SET {text.name(name)} = {holder}"

    def large_update(self, text):
        """A SET that brings an item to the gate of UpdateItem, whose measure adds a cost for each action."""
        name = self.pick(["t", "s"])
        item = v.item_to_json(text.item)
        size = v.MAX_ITEM - self.pick([0, 0, 19, 20, 21, 22, 24])
        return f"SET {text.name(name)} = {text.holder(self.values.filler(item, size, name))}"

    # Reads of many

    def read_options(self, request, text, table, target):
        if self.chance(0.4):
            request["FilterExpression"] = self.filter(text, target)
        local = target is table or target.local
        if self.chance(0.3):
            request["ProjectionExpression"] = text.projection()
        elif self.chance(0.3):
            selects = ["COUNT", "ALL_ATTRIBUTES"] + ["ALL_PROJECTED_ATTRIBUTES"] * (target is not table)
            request["Select"] = self.pick(selects)
        if self.chance(0.4 if local else 0.02):
            request["ConsistentRead"] = self.chance(0.7)
        if self.chance(0.5):
            request["Limit"] = self.random.randint(1, 6)
        return self.options(text.fill(request))

    def filter(self, text, target):
        """Mostly of attributes that are no keys of what is read."""
        if self.chance(0.4):
            return text.condition()
        item, text.item = text.item, {name: value for name, value in (text.item or {}).items()
                                      if name not in target.keys}
        found = text.test()
        text.item = item
        return found

    def target(self, table):
        if table.indexes and self.chance(0.6):
            return self.pick(list(table.indexes.values()))
        return table

    def Query(self):
        table = self.table()
        target = self.target(table)
        item = self.some_item(table)
        text = Text(self.values, item)
        request = {"TableName": table.name, "KeyConditionExpression": text.key_condition(table, target)}
        if target is not table:
            request["IndexName"] = target.name
        if self.chance(0.5):
            request["ScanIndexForward"] = self.chance(0.4)
        self.start(request, table, target, item)
        return self.read_options(request, text, table, target)

    def Scan(self):
        table = self.table()
        target = self.target(table)
        item = self.some_item(table)
        text = Text(self.values, item)
        request = {"TableName": table.name}
        if target is not table:
            request["IndexName"] = target.name
        if self.chance(0.3):
            request["TotalSegments"] = self.pick([1, 2, 3, 7])
            request["Segment"] = self.random.randrange(request["TotalSegments"])
        self.start(request, table, target, item)
        return self.read_options(request, text, table, target)

    def start(self, request, table, target, item):
        if not self.chance(0.15):
            return
        start = dict.fromkeys(target.keys + table.keys)
        for name in start:
            kept = item and name in item and item[name][0] == table.types[name] and self.chance(0.9)
            start[name] = v.to_json(item[name]) if kept else self.start_value(table, name)
        request["ExclusiveStartKey"] = start

    def start_value(self, table, name):
        return self.values.scalar(table.types[name], key=self.chance(0.97))

    # Indexes

    def UpdateTable(self):
        table = self.table()
        others = [index for index in table.indexes.values() if not index.local]
        request = {"TableName": table.name}
        if others and (len(others) > 5 or self.chance(0.5)):
            change = {"Delete": {"IndexName": self.pick(others).name}}
        else:
            name = next(f"gsi{at}" for at in range(9) if f"gsi{at}" not in table.indexes)
            change = {"Create": self.values.global_index(name, [*table.keys, "n", "s"])}
            keys = [part["AttributeName"] for part in change["Create"]["KeySchema"]]
            request["AttributeDefinitions"] = [
                {"AttributeName": key, "AttributeType": table.types.get(key) or self.pick("SNB")} for key in keys]
        request["GlobalSecondaryIndexUpdates"] = [change]
        return request

    # Batches and transactions

    def tables(self):
        tables = list(self.model.tables.values())
        return self.random.sample(tables, self.random.randint(1, len(tables)))

    def BatchWriteItem(self):
        members = {}
        for table in self.tables():
            members[table.name] = [self.batch_member(table) for _ in range(self.random.randint(1, 6))]
            if self.chance(0.8):
                members[table.name] = self.without_doubles(table, members[table.name])
        request = self.options({"RequestItems": members})
        if self.chance(0.1):
            request["ReturnItemCollectionMetrics"] = "SIZE"
        return request

    def batch_member(self, table):
        if self.chance(0.7):
            return {"PutRequest": {"Item": self.values.item(table)}}
        return {"DeleteRequest": {"Key": self.key_of(table, self.some_item(table))}}

    @staticmethod
    def without_doubles(table, members):
        kept = {}
        for member in members:
            item = member["PutRequest"]["Item"] if "PutRequest" in member else member["DeleteRequest"]["Key"]
            kept.setdefault(table.key_of(v.parse_item(item)), member)
        return list(kept.values())

    def BatchGetItem(self):
        parts = {}
        for table in self.tables():
            items = [self.some_item(table) for _ in range(self.random.randint(1, 5))]
            text = Text(self.values, items[0])
            keys = [self.key_of(table, item) for item in items]
            if self.chance(0.85):
                keys = list({table.key_of(v.parse_item(key)): key for key in keys}.values())
            part = {"Keys": keys}
            if self.chance(0.4):
                part["ProjectionExpression"] = text.projection()
            if self.chance(0.3):
                part["ConsistentRead"] = self.chance(0.6)
            parts[table.name] = text.fill(part)
        return self.options({"RequestItems": parts})

    def TransactWriteItems(self):
        actions, seen = [], set()
        for _ in range(self.random.randint(1, 5)):
            table = self.table()
            kind, part = self.action(table)
            raw = part["Item"] if kind == "Put" else part["Key"]
            key = (table.name, table.key_of(v.parse_item(raw)))
            if key not in seen or self.chance(0.03):
                actions.append({kind: part})
            seen.add(key)
        request = self.options({"TransactItems": actions})
        if self.chance(0.1):
            request["ReturnItemCollectionMetrics"] = "SIZE"
        if self.chance(0.4):
            self.token(request)
        return request

    def token(self, request):
        """A token: a new one, or one of the last with its request or another."""
        request.pop("ReturnItemCollectionMetrics", None)
        if self.tokens and self.chance(0.5):
            token, actions = self.pick(self.tokens[-4:])
            if self.chance(0.8):
                request["TransactItems"] = copy.deepcopy(actions)
        else:
            token = f"{next(iter(self.model.tables))}-{len(self.tokens)}"
            self.tokens.append((token, copy.deepcopy(request["TransactItems"])))
        request["ClientRequestToken"] = token

    def action(self, table):
        kind = self.pick(["Put", "Put", "Update", "Update", "Delete", "ConditionCheck"])
        item = self.some_item(table)
        text = Text(self.values, item)
        part = {"TableName": table.name}
        if kind == "Put":
            part["Item"] = self.values.item(table)
        else:
            part["Key"] = self.key_of(table, item)
        if kind == "Update":
            part["UpdateExpression"] = self.update(text, table)
        if kind == "ConditionCheck":
            part["ConditionExpression"] = text.condition()
        elif self.chance(0.2):
            part["ConditionExpression"] = text.condition()
        if "ConditionExpression" in part and self.chance(0.4):
            part["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        return kind, text.fill(part)

    def TransactGetItems(self):
        gets, seen = [], set()
        for _ in range(self.random.randint(1, 5)):
            table = self.table()
            item = self.some_item(table)
            text = Text(self.values, item)
            part = {"TableName": table.name, "Key": self.key_of(table, item)}
            if self.chance(0.4):
                part["ProjectionExpression"] = text.projection()
            key = (table.name, table.key_of(v.parse_item(part["Key"])))
            if key not in seen or self.chance(0.03):
                gets.append({"Get": text.fill(part)})
            seen.add(key)
        return self.options({"TransactItems": gets})
