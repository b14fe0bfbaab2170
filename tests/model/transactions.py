"""TransactWriteItems and TransactGetItems of the model."""

import json

import expression_run as run
import tables
import values as v
from constraints import lower_first
from expression_text import ANY
from model import UPDATE_TOO_LARGE, Answer
from reads import ReadingModel
from tables import NO_MATCH
from values import Fault, one_of

ONE_MEMBER = "TransactItems can only contain one of Check, Put, Update or Delete"
SAME_ITEM = "Transaction request cannot include multiple operations on one item"
KINDS = ("Put", "Update", "Delete", "ConditionCheck")
PARTS = {"Put": ["Condition"], "Update": ["Update", "Condition"], "Delete": ["Condition"],
         "ConditionCheck": ["Condition"]}


class Action:
    """One action of a transaction, parsed; `part` is its JSON."""

    def __init__(self, model, member):
        kinds = [kind for kind in KINDS if kind in member]
        if len(kinds) != 1:
            raise Fault(ONE_MEMBER)
        self.kind, self.part = kinds[0], member[kinds[0]]
        self.raw = self.part["Item" if self.kind == "Put" else "Key"]
        self.map = v.parse_item(self.raw)
        key = {} if self.kind == "Put" else self.map
        found = v.together(self.check_size, lambda: model.key_and_expressions(self.part, key, PARTS[self.kind]))
        self.condition = found[-1]
        self.update = found[0] if self.kind == "Update" else []
        self.key = self.before = self.after = None
        self.empty = []

    def check_size(self):
        if self.kind == "Put" and v.item_size(self.map) > v.MAX_ITEM:
            raise Fault(tables.ITEM_TOO_LARGE)

    def place(self, model):
        """Finds the table; faults of a key's value are the request's, those of its shape the action's."""
        self.table = model.table(self.part["TableName"])
        if self.kind != "Put":
            return
        self.empty = [fault for fault in self.put_faults() if is_empty(fault)]
        if len(self.empty) == len(self.put_faults()):
            one_of(self.empty)

    def put_faults(self):
        return self.table.item_key_faults(self.map, False) + self.table.index_faults(self.map)

    def fit(self):
        """Holds the key, and what an update writes, to the schema."""
        self.key = self.table.check_item(self.map) if self.kind == "Put" else self.table.check_key(self.map)
        self.before = self.table.items.get(self.key)
        ReadingModel.check_targets(self.table, self.update)

    def run(self, model):
        model.check_condition(self.condition, self.before, self.part)
        self.after = {"Put": self.map, "ConditionCheck": self.before}.get(self.kind)
        if self.kind == "Update":
            self.after = model.updated(self.table, self.before, self.map, self.update, check_flat_size)


def check_required(members):
    faults = []
    for at, member in enumerate(members, 1):
        for kind, name in (("Update", "UpdateExpression"), ("ConditionCheck", "ConditionExpression")):
            if kind in member and name not in member[kind]:
                faults.append(f"Value null at 'transactItems.{at}.member.{lower_first(kind)}.{lower_first(name)}' failed "
                              "to satisfy constraint: Member must not be null")
    if faults:
        count = "1 validation error" if len(faults) == 1 else f"{len(faults)} validation errors"
        raise Fault(f"{count} detected: {'; '.join(faults)}")


def each_of(parts, step):
    """What `step` makes of each part. Of the faults of several any may be told."""
    found, faults = [], []
    for part in parts:
        try:
            found.append(step(part))
        except Fault as fault:
            if fault.kind != "ValidationException":
                raise
            faults.append(fault)
    one_of(faults)
    return found


def is_empty(fault):
    return "cannot contain an empty" in fault.texts[0]


def check_flat_size(_table, item, _actions):
    if v.item_size(item) > v.MAX_ITEM:
        raise Fault(UPDATE_TOO_LARGE)


def identity(action):
    return action.table.name, action.key or json.dumps([action.raw.get(name) for name in action.table.keys])


MISMATCH = "IdempotentParameterMismatchException"
TOKEN_REUSED = ("The request uses the same client token as a previous, but non-identical request. Do not reuse a client "
                "token with different requests, unless the requests are identical")


class FullModel(ReadingModel):
    def __init__(self, observe):
        super().__init__(observe)
        self.tokens = {}  # of transactions that were applied: the actions, and [(table, size of the image)]

    def TransactWriteItems(self, request):
        check_required(request["TransactItems"])
        actions = each_of(request["TransactItems"], lambda member: Action(self, member))
        token = request.get("ClientRequestToken")
        try:
            each_of(actions, lambda action: action.place(self))
        except Fault as fault:
            if token not in self.tokens:
                raise
            # Whether a token is looked at before tables is not told.
            return [Answer(fault=fault), *self.tokened(request, *self.tokens[token])]
        if token in self.tokens:
            return self.replay(request, *self.tokens[token])
        reasons = self.reasons(actions)
        if any(reason["Code"] != ["None"] for reason in reasons):
            cancelled = Fault(f"Transaction cancelled, please refer cancellation reasons for specific reasons {ANY}",
                              kind="TransactionCanceledException", reasons=reasons)
            # An empty key value is the request's fault, unless another fault of the same item is seen first.
            empty = [fault for action in actions for fault in action.empty]
            return [Answer(fault=cancelled), *[Answer(fault=fault) for fault in empty]]
        if token is not None:
            self.tokens[token] = request["TransactItems"], [
                (action.table, max(tables.size_of(action.before), tables.size_of(action.after))) for action in actions]
        return [Answer(self.apply(request, actions))]

    def tokened(self, request, first, images):
        try:
            return self.replay(request, first, images)
        except Fault as fault:
            return [Answer(fault=fault)]

    @staticmethod
    def replay(request, first, images):
        if request["TransactItems"] != first:
            raise Fault(TOKEN_REUSED, kind=MISMATCH)
        consumed = {}
        for table, size in images:
            each = consumed.setdefault(table.name, tables.Consumed(table))
            each.units += 2.0 * tables.read_units(size, True)
        body = {}
        if request.get("ReturnConsumedCapacity", "NONE") != "NONE":
            body["ConsumedCapacity"] = [each.answer(request["ReturnConsumedCapacity"], "Read")
                                        for each in consumed.values()]
        return [Answer(body)]

    def reasons(self, actions):
        """One for each action; `Code` and `Message` list what is allowed."""
        none = {"Code": ["None"], "Message": [None]}
        reasons = [dict(none) for _ in actions]
        invalid = self.faults(actions, Action.fit)
        seen = set()
        for action in actions:
            if action.key is not None and identity(action) in seen:
                raise Fault(SAME_ITEM, *[text for fault in invalid.values() for text in fault.texts])
            seen.add(identity(action))
        if not invalid:
            invalid = self.faults(actions, lambda action: action.run(self))
        valid_kinds = [at for at, fault in invalid.items() if fault.kind == "ValidationException"]
        for at, fault in invalid.items():
            if fault.kind != "ValidationException":
                reasons[at] = {"Code": ["ConditionalCheckFailed"], "Message": list(fault.texts),
                               "Item": fault.more.get("item")}
                if valid_kinds:  # which of the two kinds is told is open
                    reasons[at]["Code"].append("None")
                    reasons[at]["Message"].append(None)
            else:
                reasons[at] = {"Code": ["ValidationError"], "Message": list(fault.texts)}
                if len(invalid) > 1:  # only one of them is told
                    reasons[at]["Code"].append("None")
                    reasons[at]["Message"].append(None)
        return reasons

    @staticmethod
    def faults(actions, step):
        found = {}
        for at, action in enumerate(actions):
            try:
                step(action)
            except Fault as fault:
                found[at] = fault
        return found

    def apply(self, request, actions):
        consumed, collections = {}, {}
        for action in actions:
            each = consumed.setdefault(action.table.name, tables.Consumed(action.table))
            each.write(action.before, action.after, factor=2)
            if action.kind != "ConditionCheck":
                action.table.store(action.key, action.after)
                if action.table.has_local():
                    collections.setdefault(action.table.name, []).append({action.table.hash[0]: action.key[0]})
        body = {}
        if request.get("ReturnConsumedCapacity", "NONE") != "NONE":
            body["ConsumedCapacity"] = [each.answer(request["ReturnConsumedCapacity"], "Write")
                                        for each in consumed.values()]
        if request.get("ReturnItemCollectionMetrics") == "SIZE" and collections:
            body["ItemCollectionMetrics"] = collections
        return body

    def TransactGetItems(self, request):
        gets = [member["Get"] for member in request["TransactItems"]]
        parsed = each_of(gets, self.parse_get)
        placed, seen, invalid = [], set(), {}
        for at, (get, key, paths) in enumerate(parsed):
            table = self.table(get["TableName"])
            try:
                placed.append((table, table.check_key(key), paths))
            except Fault as fault:
                invalid[at] = fault
                continue
            if placed[-1][:2] in seen:
                raise Fault(SAME_ITEM, NO_MATCH)
            seen.add(placed[-1][:2])
        if invalid:
            reasons = [{"Code": ["None", "ValidationError"] if at in invalid else ["None"],
                        "Message": [None, *invalid[at].texts] if at in invalid else [None]}
                       for at in range(len(parsed))]
            raise Fault(f"Transaction cancelled, {ANY}", NO_MATCH, kind="TransactionCanceledException",
                        reasons=reasons)
        return [Answer(self.got(request, placed))]

    def parse_get(self, get):
        key = v.parse_item(get["Key"])
        return get, key, self.key_and_expressions(get, key, ["Projection"])[0]

    @staticmethod
    def got(request, placed):
        consumed, responses = {}, []
        for table, key, paths in placed:
            item = table.items.get(key)
            each = consumed.setdefault(table.name, tables.Consumed(table))
            each.units += tables.read_units(tables.size_of(item), True) * 2.0
            shown = item if item is None or paths is None else run.project(item, paths)
            responses.append({"Item": shown} if shown else {})
        body = {"Responses": responses}
        if request.get("ReturnConsumedCapacity", "NONE") != "NONE":
            body["ConsumedCapacity"] = [each.answer(request["ReturnConsumedCapacity"], "Read")
                                        for each in consumed.values()]
        return body
