"""The model: DynamoDB's data model as plain dicts, written from its rules and not from the code under test.

A call takes an operation and a request as JSON and gives a list of Answers: more than one where the rules leave
it open. Reads are in reads.py, transactions in transactions.py.
"""

import constraints
import expression_run as run
import legacy
import tables
import values as v
from expression_check import Checker, Placeholders
from values import Fault

NOT_FOUND = "Requested resource not found"
UPDATE_TOO_LARGE = "Item size to update has exceeded the maximum allowed size"
# What an action adds to the size that the 400 KB gate of UpdateItem measures.
WRITE_COST, CLEAR_COST, INDEX_COST, ARITHMETIC_COST, BASE_COST = 19, 2, 1, 50, 3


class Answer:
    """`body` of a success, in the model's values; or the `fault`."""

    def __init__(self, body=None, fault=None):
        self.body, self.fault = body, fault


class Model:
    def __init__(self, observe):
        """`observe(operation, request)` asks the code under test, for orders that the rules leave free."""
        self.observe = observe
        self.tables = {}

    def create(self, json):
        self.tables[json["TableName"]] = tables.Table(json)

    def table(self, name):
        name = name.removeprefix(constraints.ARN)
        if name not in self.tables:
            raise Fault(NOT_FOUND, kind="ResourceNotFoundException")
        return self.tables[name]

    def call(self, operation, request):
        try:
            constraints.check(operation, request)
            return getattr(self, operation)(request)
        except Fault as fault:
            return [Answer(fault=self.envelope(operation, fault))]

    @staticmethod
    def envelope(operation, fault):
        texts = []
        for text, family in zip(fault.texts, fault.families):
            unused = operation == "DeleteItem" and text.startswith("Value provided in")
            if operation not in ("PutItem", "UpdateItem") and not unused:
                family = False
            if family is not True:
                texts.append(text)
            if family is not False:
                texts.append(f"1 validation error detected: {text}")
        fault.texts = texts
        return fault

    # One item

    @staticmethod
    def expressions(request, kinds):
        """The checked expressions of a request, in the order of `kinds`."""
        legacy.check_not_mixed(request, kinds)
        placeholders = Placeholders(request, [f"{kind}Expression" for kind in kinds])
        found, faults = [], []
        for kind in kinds:
            text = request.get(f"{kind}Expression")
            form = {"Update": "update", "Projection": "projection"}.get(kind, "condition")
            try:
                found.append(legacy.parse(request, kind) if text is None
                             else getattr(Checker(kind, text, placeholders), form)())
            except Fault as fault:
                faults.append(fault)
        v.together(lambda: v.one_of(faults), lambda: legacy.check_operator(request, kinds))
        placeholders.check_used()
        return found

    def key_and_expressions(self, request, key, kinds):
        return v.together(lambda: tables.check_not_empty(key), lambda: self.expressions(request, kinds))

    @staticmethod
    def check_return_values(request, allowed):
        if request.get("ReturnValues", "NONE") not in allowed:
            raise Fault("Return values set to invalid value", family=True)

    @staticmethod
    def check_condition(condition, item, request):
        if condition is None or run.holds(condition, item or {}):
            return
        show = request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" and item is not None
        raise Fault("The conditional request failed", kind="ConditionalCheckFailedException",
                    item=item if show else None)

    def GetItem(self, request):
        key = v.parse_item(request["Key"])
        [paths] = self.key_and_expressions(request, key, ["Projection"])
        table = self.table(request["TableName"])
        item = table.items.get(table.check_key(key))
        consumed = tables.Consumed(table)
        consumed.units = tables.read_units(tables.size_of(item), request.get("ConsistentRead"))
        body = {} if item is None else {"Item": item if paths is None else run.project(item, paths)}
        return [Answer(self.with_capacity(body, request, consumed))]

    @staticmethod
    def with_capacity(body, request, consumed):
        capacity = consumed.answer(request.get("ReturnConsumedCapacity"))
        if capacity is not None:
            # The table as the request names it.
            body["ConsumedCapacity"] = {**capacity, "TableName": request["TableName"]}
        return body

    def finish_write(self, request, table, key, before, after, attributes):
        table.store(key, after)
        body = {"Attributes": attributes} if attributes else {}
        if request.get("ReturnItemCollectionMetrics") == "SIZE" and table.has_local():
            body["ItemCollectionMetrics"] = {"ItemCollectionKey": {table.hash[0]: key[0]},
                                             "SizeEstimateRangeGB": [0.0, 1.0]}
        consumed = tables.Consumed(table)
        consumed.write(before, after)
        return [Answer(self.with_capacity(body, request, consumed))]

    def PutItem(self, request):
        item = v.parse_item(request["Item"])
        self.check_return_values(request, ("NONE", "ALL_OLD"))
        [condition] = self.expressions(request, ["Condition"])
        table = self.table(request["TableName"])
        key = table.check_item(item)
        before = table.items.get(key)
        self.check_condition(condition, before, request)
        old = before if request.get("ReturnValues") == "ALL_OLD" else None
        return self.finish_write(request, table, key, before, item, old)

    def DeleteItem(self, request):
        key = v.parse_item(request["Key"])
        self.check_return_values(request, ("NONE", "ALL_OLD"))
        [condition] = self.key_and_expressions(request, key, ["Condition"])
        table = self.table(request["TableName"])
        key = table.check_key(key)
        before = table.items.get(key)
        self.check_condition(condition, before, request)
        old = before if request.get("ReturnValues") == "ALL_OLD" else None
        return self.finish_write(request, table, key, before, None, old)

    def UpdateItem(self, request):
        key = v.parse_item(request["Key"])
        actions, condition = self.key_and_expressions(request, key, ["Update", "Condition"])
        table = self.table(request["TableName"])
        parts = key
        key = table.check_key(key)
        self.check_targets(table, actions or [])
        before = table.items.get(key)
        self.check_condition(condition, before, request)
        after = self.updated(table, before, parts, actions or [], self.check_update_size)
        return self.finish_write(request, table, key, before, after,
                                 self.returned(request, before, after, actions or []))

    @staticmethod
    def check_targets(table, actions):
        v.one_of([Fault(f"{v.INVALID}Cannot update attribute {path[0]}. This attribute is part of the key")
                  for _, path, _ in actions if path[0] in table.keys])

    @staticmethod
    def updated(table, before, key, actions, check_size):
        """The item after an update."""
        base = key if before is None else before
        after = run.update(base, actions, before is not None)
        faults = table.index_faults(after, before or {})
        if any(run.depth(value) > v.MAX_DEPTH for value in after.values()):
            faults.append(Fault(v.NESTED))
        v.together(lambda: v.one_of(faults), lambda: check_size(table, after, actions))
        return after

    @staticmethod
    def check_update_size(table, after, actions):
        size = v.item_size(after)
        cost = BASE_COST - sum(len(name.encode()) + v.size(after[name]) for name in table.keys) if actions else 0
        for clause, path, operand in actions:
            cost += CLEAR_COST if clause == "REMOVE" else WRITE_COST
            cost += INDEX_COST if isinstance(path[-1], int) else 0
            cost += ARITHMETIC_COST if operand and operand[0] == "arithmetic" else 0
        if max(size, size + cost) > v.MAX_ITEM:
            raise Fault(UPDATE_TOO_LARGE)

    @staticmethod
    def returned(request, before, after, actions):
        wanted = request.get("ReturnValues", "NONE")
        paths = [path for _, path, _ in actions]
        if wanted == "NONE":
            return None
        image = before if wanted.endswith("_OLD") else after
        if wanted.startswith("ALL") or image is None:
            return image
        return run.project(image, paths)

    # Indexes that come and go

    def UpdateTable(self, request):
        table = self.table(request["TableName"])
        [change] = request["GlobalSecondaryIndexUpdates"]
        if "Create" in change:
            table.add_index(change["Create"], request["AttributeDefinitions"])
        else:
            table.drop_index(change["Delete"]["IndexName"])
        return [Answer({})]

    # Batches of writes

    def BatchWriteItem(self, request):
        parsed = []
        for name, members in request["RequestItems"].items():
            for member in members:
                put = "PutRequest" in member
                raw = member["PutRequest"]["Item"] if put else member["DeleteRequest"]["Key"]
                parsed.append((name, put, v.parse_item(raw) if put else tables.parse_key(raw), raw))
        missing = [name for name in request["RequestItems"] if name not in self.tables]
        try:
            writes = self.check_batch([each for each in parsed if each[0] not in missing])
        except Fault as fault:
            if not missing:
                raise
            # Tables may be looked at one after another.
            return [Answer(fault=fault), Answer(fault=Fault(NOT_FOUND, kind="ResourceNotFoundException"))]
        if missing:
            self.table(missing[0])
        return [Answer(self.apply_batch(request, writes))]

    def check_batch(self, parsed):
        writes, faults, seen = [], [], set()
        for name, put, item, raw in parsed:
            table = self.table(name)
            if tables.as_sent(table, raw) in seen:
                faults.append(Fault(tables.DUPLICATE_KEYS))
            seen.add(tables.as_sent(table, raw))
            try:
                key = table.check_item(item, in_batch=True) if put else table.check_key(item)
            except Fault as fault:
                faults.append(fault)
                continue
            writes.append((table, key, item if put else None))
        v.one_of(faults)
        return writes

    @staticmethod
    def apply_batch(request, writes):
        consumed, collections = {}, {}
        for table, key, item in writes:
            each = consumed.setdefault(table.name, tables.Consumed(table))
            each.write(table.items.get(key), item)
            table.store(key, item)
            if table.has_local():
                collections.setdefault(table.name, []).append({table.hash[0]: key[0]})
        body = {"UnprocessedItems": {}}
        mode = request.get("ReturnConsumedCapacity", "NONE")
        if mode != "NONE":
            body["ConsumedCapacity"] = [each.answer(mode) for each in consumed.values()]
        if request.get("ReturnItemCollectionMetrics") == "SIZE" and collections:
            body["ItemCollectionMetrics"] = collections
        return body
