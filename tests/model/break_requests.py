"""Spoils requests: one fault of a known kind in a request that had none of its kind."""

import copy
import json
import re

from constraints import REQUIRED

VALUES = [{}, {"X": "a"}, {"S": "a", "N": "1"}, {"NULL": False}, {"SS": []}, {"NS": []}, {"BS": []},
          {"SS": ["a", "a"]}, {"NS": ["1", "1.0"]}, {"BS": ["YQ==", "YQ=="]}, {"NS": [""]}, {"N": ""}, {"N": "abc"},
          {"N": "1e"}, {"N": " 1"}, {"N": "1_0"}, {"N": "NaN"}, {"N": "1E126"}, {"N": "-1E126"}, {"N": "1E-131"},
          {"N": "123456789012345678901234567890123456789"}, {"N": "1.23456789012345678901234567890123456789"},
          {"L": [{"N": ""}]}, {"M": {"x": {"SS": []}}}, {"SS": ["", ""]}, {"N": "0x5"}, {"N": "."}, {"N": "+.e1"}]
# A request that is made a hundred times as long must not pass 16 MB.
MAX_MANIFOLD = 100000
DEEP = {"S": "x"}
for _ in range(32):
    DEEP = {"M": {"x": DEEP}}
EXPRESSIONS = ("ConditionExpression", "FilterExpression", "KeyConditionExpression", "ProjectionExpression",
               "UpdateExpression")
TESTS = ["nosuch(a)", "Begins_with(a, :one)", "contains(a)", "size(a)", "attribute_exists(:one)", "a = a",
         "contains(a, a)", "if_not_exists(a, :one) = :one", "begins_with(a, :number)", "a < :bool", "a > :null",
         "a <= :set", "a >= :map", "attribute_type(a, :one)", "attribute_type(a, :number)", "((a = :one))", "a = ",
         "a :one", "a = :one b", "a == :one", "a ! :one", "a = 5", "AND a", "(a = :one", "a = :one)", "a[b] = :one",
         "a.:one = :one", "a = :one AND", "NOT", "status = :one", "a.Name = :one", "#nosuch = :one", "a = :nosuch",
         "a BETWEEN :two AND :number", "a BETWEEN :number AND :one", "a BETWEEN :number", "a IN ()", "a IN (:one",
         "attribute_exists(a) = :one", "a = begins_with(b, :one)", "size(a, b) = :one", "size(:number) = :number",
         "", "a", ":one", "a.b", "attribute_exists(a, b)", "list_append(a, :one) = :one", "a..b = :one",
         "a[1 = :one", "a[-1] = :one", "a + :one", "a BETWEEN :higher AND :number", "a <> :one OR", "a = a.b AND b = b"]
UPDATES = ["SET", "SET a", "SET a =", "SET a = :one,", "SET a = :one b = :one", "a = :one", "SET a = :one + :one + :one",
           "SET a = :number * :number", "SET :one = :one", "SET a <> :one", "REMOVE", "REMOVE a b", "REMOVE :one",
           "ADD a", "ADD a = :one", "ADD a b", "DELETE a", "FROB a", "SET a = :one SET b = :one", "REMOVE a REMOVE b",
           "SET a = :one, a = :one", "SET a = :one, a.b = :one", "SET a.b = :one REMOVE a", "SET a.b = :one, a[0] = :one",
           "SET a = nosuch(b)", "SET a = attribute_exists(b)", "SET a = size(b)", "SET a = if_not_exists(b)",
           "SET a = list_append(b)", "SET a = if_not_exists(:one, :one)", "SET a = b + :one", "SET a = :map - b",
           "SET a = list_append(b, :one)", "ADD a :one", "ADD a :bool", "ADD a :map", "DELETE a :number", "DELETE a :one",
           "SET name = :one", "SET a = status", "SET #nosuch = :one", "SET a = :nosuch", "SET a = ((:one))", "",
           "SET h = :one", "REMOVE h", "SET a[x] = :one", "SET a. = :one", "ADD a :null", "DELETE a :binary",
           "SET a = nope.nope.nope", "SET a = nope + :number", "SET nope.x.y = :one", "REMOVE nope.x.y"]
PROJECTIONS = ["a,", ",a", "a b", "a, a", "a, a.b", "a.b, a[0]", "a[0], a[0].x", "status", "#nosuch", ":one", "a.", "a[]",
               "a[x]", "", "(a)", "size(a)", "a = b", "x.name"]
KEY_CONDITIONS = ["h > :one", "h <> :one", "h = :one OR h = :two", "NOT h = :one", "h IN (:one)", "contains(h, :one)",
                  "attribute_exists(h)", "h = r", ":one = :two", "h.x = :one", "h[0] = :one", "h = :one AND h = :two",
                  "h = :one AND", "h", "", "((h = :one))", "status = :one", "h = :nosuch", "#nosuch = :one",
                  "h BETWEEN :one AND :two", "begins_with(h, :one)", "nosuch = :one"]
ALL = {":one": {"S": "1"}, ":two": {"S": "2"}, ":number": {"N": "1"}, ":higher": {"N": "2"}, ":bool": {"BOOL": True},
       ":null": {"NULL": True}, ":set": {"SS": ["a"]}, ":map": {"M": {}}, ":binary": {"B": "YQ=="}}
TEXTS = {"ConditionExpression": TESTS, "FilterExpression": TESTS, "KeyConditionExpression": KEY_CONDITIONS,
         "ProjectionExpression": PROJECTIONS, "UpdateExpression": UPDATES}
HOLDS = {"PutItem": ["ConditionExpression"], "DeleteItem": ["ConditionExpression"],
         "UpdateItem": ["ConditionExpression", "UpdateExpression", "UpdateExpression"],
         "GetItem": ["ProjectionExpression"], "Scan": ["FilterExpression", "ProjectionExpression"],
         "Query": ["FilterExpression", "ProjectionExpression", "KeyConditionExpression"]}
OLD_CONDITION = {"PutItem": "Expected", "DeleteItem": "Expected", "UpdateItem": "Expected", "Scan": "ScanFilter",
                 "Query": "QueryFilter"}
OLD_TESTS = [{"ComparisonOperator": "EQ"}, {"ComparisonOperator": "EQ", "AttributeValueList": []},
             {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"S": "a"}]},
             {"ComparisonOperator": "NULL", "AttributeValueList": [{"S": "a"}]},
             {"ComparisonOperator": "LT", "AttributeValueList": [{"SS": ["a"]}]},
             {"ComparisonOperator": "GE", "AttributeValueList": [{"BOOL": True}]},
             {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"N": "1"}]},
             {"ComparisonOperator": "IN", "AttributeValueList": [{"S": "a"}, {"N": "1"}]},
             {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "1"}, {"S": "2"}]},
             {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "1"}]}]
OLD_EXPECTED = OLD_TESTS + [{"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "1"}], "Exists": True},
                            {"ComparisonOperator": "EQ", "Value": {"S": "1"}}, {"Exists": True}, {},
                            {"Exists": False, "Value": {"S": "1"}}, {"Exists": False}]
OLD_UPDATES = [{"Action": "PUT"}, {"Action": "ADD"}, {}, {"Action": "ADD", "Value": {"S": "a"}},
               {"Action": "ADD", "Value": {"M": {}}}, {"Action": "DELETE", "Value": {"S": "a"}},
               {"Action": "DELETE", "Value": {"N": "1"}}, {"Action": "DELETE", "Value": {"L": []}}]


class Breaker:
    def __init__(self, random):
        self.random = random

    def pick(self, options):
        return self.random.choice(options)

    def spoil(self, operation, request):
        if operation == "UpdateTable":
            return operation, request
        request = copy.deepcopy(request)
        part = self.part(operation, request)
        if not part:
            return operation, request
        ways = [self.bad_value, self.bad_value, self.bad_expression, self.bad_expression, self.bad_expression,
                self.bad_placeholders, self.bad_option, self.bad_key, self.bad_name, self.bad_shape, self.bad_old]
        self.pick(ways)(operation, request, part)
        return operation, request

    def part(self, operation, request):
        """The part of a request that has a key or item, and expressions."""
        if operation.startswith("Transact"):
            return next(iter(self.pick(request["TransactItems"]).values()))
        if operation == "BatchGetItem":
            return self.pick(list(request["RequestItems"].values()))
        if operation == "BatchWriteItem":
            return next(iter(self.pick(self.pick(list(request["RequestItems"].values()))).values()))
        return request

    @staticmethod
    def key_holder(part):
        if "Keys" in part:
            return part["Keys"][0]
        return next((part[name] for name in ("Item", "Key", "ExclusiveStartKey") if name in part), None)

    def bad_value(self, _operation, _request, part):
        value = DEEP if self.random.random() < 0.05 else self.pick(VALUES)
        holder = part.get("ExpressionAttributeValues") if self.random.random() < 0.4 else self.key_holder(part)
        if not holder:
            return
        name = self.pick(list(holder))
        if "Item" in part and holder is part["Item"] and self.random.random() < 0.8:
            name = "a"
        if self.random.random() < 0.2 and holder is part.get("Item"):
            value = {"L": [{"M": {"x": value}}]}
        holder[name] = copy.deepcopy(value)

    def bad_expression(self, operation, request, part):
        kinds = HOLDS.get(operation) or [name for name in EXPRESSIONS if name in part]
        if not kinds:
            return
        kind = self.pick(kinds)
        text = self.pick(TEXTS[kind])
        if self.random.random() < 0.15 and part.get(kind):
            text = self.damage(part[kind])
        elif self.random.random() < 0.02:
            text = "a" * self.pick([4096, 4097])
        else:
            for other in EXPRESSIONS:
                if other != "KeyConditionExpression" or operation != "Query":
                    part.pop(other, None)
            part.pop("ExpressionAttributeNames", None)
            keep = part.get("KeyConditionExpression")
            if keep is None or kind == "KeyConditionExpression":
                part.pop("ExpressionAttributeValues", None)
            else:
                part["KeyConditionExpression"] = "h = :h"
                part["ExpressionAttributeValues"] = {":h": {"S": "a"}}
            used = {name: value for name, value in ALL.items() if name in text}
            if used:
                part["ExpressionAttributeValues"] = {**part.get("ExpressionAttributeValues", {}), **used}
            if operation in ("Query", "Scan"):
                request.pop("Select", None)
        part[kind] = text

    def damage(self, text):
        """An expression with one character gone, doubled or another."""
        at = self.random.randrange(len(text))
        changed = text[:at] + self.pick(["", text[at] * 2, self.pick("(),.=<>[]:#5 +-")]) + text[at + 1:]
        # Whether a bare word may begin with _ is told in two ways.
        return text if re.search("(?<![A-Za-z0-9_#:])_", changed) else changed

    def bad_placeholders(self, operation, _request, part):
        which = self.pick(["ExpressionAttributeNames", "ExpressionAttributeValues"])
        if operation in ("GetItem", "BatchGetItem", "TransactGetItems"):
            which = "ExpressionAttributeNames"
        mark, value = ("#", "a") if which.endswith("Names") else (":", {"S": "a"})
        holder = part.setdefault(which, {})
        way = self.random.randrange(6)
        if way == 0:
            part[which] = {}
        elif way == 1:
            holder[f"{mark}unused"] = value
        elif way == 2:
            holder[self.pick(["a", "", mark, f"{mark}a-b", f"{mark}{mark}a", f"{mark}a b"])] = value
        elif way == 3:
            holder[mark + "a" * self.pick([254, 255])] = value
        elif way == 4 and holder:
            holder.pop(self.pick(list(holder)))
        elif way == 5 and mark == "#":
            holder[f"{mark}empty"] = ""

    def bad_option(self, operation, request, _part):
        options = {"ReturnConsumedCapacity": ["ALL", "total", ""]}
        if operation in ("PutItem", "UpdateItem", "DeleteItem"):
            options["ReturnValues"] = ["ALL", "UPDATED_NEW", "ALL_NEW", "UPDATED_OLD"]
            options["ReturnItemCollectionMetrics"] = ["TOTAL"]
            options["ReturnValuesOnConditionCheckFailure"] = ["ALL_NEW"]
        if operation in ("Query", "Scan"):
            options["Select"] = ["ALL", "SPECIFIC_ATTRIBUTES", "COUNT", "ALL_PROJECTED_ATTRIBUTES", "ALL_ATTRIBUTES"]
            options["Limit"] = [0, -1]
            options["ConsistentRead"] = [True]
            options["IndexName"] = ["nosuch"]
        if operation == "Scan":
            options["Segment"] = [0, 7, -1]
            options["TotalSegments"] = [1, 3, 0, 1000001]
        if operation == "Query":
            request.pop(self.pick(["KeyConditionExpression", "Select"]), None)
        name = self.pick(list(options))
        request[name] = self.pick(options[name])

    def bad_key(self, _operation, _request, part):
        holder = self.key_holder(part)
        if not holder:
            return
        names = [name for name in ("h", "r") if name in holder] or list(holder)
        name, way = self.pick(names), self.random.randrange(5)
        if way == 0:
            holder.pop(name)
        elif way == 1:
            holder["extra"] = {"S": "a"}
        elif way == 2:
            kind = next(iter(holder[name]))
            long = self.pick([1024, 1025, 2048, 2049])
            if kind == "S":
                holder[name] = {"S": "k" * long}
        elif way == 3:
            holder[name] = self.pick([{"S": ""}, {"B": ""}])
        else:
            holder[name] = self.pick([{"S": "a"}, {"N": "1"}, {"B": "YQ=="}, {"BOOL": True}, {"SS": ["a"]}, {"L": []}])

    def bad_old(self, operation, request, _part):
        """Parameters of before expressions; beside an expression too."""
        if operation not in OLD_CONDITION:
            return
        if self.random.random() < 0.8:
            for name in EXPRESSIONS + ("ExpressionAttributeNames", "ExpressionAttributeValues"):
                request.pop(name, None)
        name = OLD_CONDITION[operation]
        if operation == "Query":
            request.setdefault("KeyConditions", {"h": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}})
        ways = [{name: {"a": each}} for each in (OLD_EXPECTED if name == "Expected" else OLD_TESTS)]
        ways += [{"ConditionalOperator": "OR"}, {"ConditionalOperator": "XOR"}]
        if name != "Expected":
            ways += [{"AttributesToGet": ["a", "b", "a"]}, {"AttributesToGet": ["a"], "Select": "COUNT"}]
            ways += [{name: {"h": OLD_TESTS[-1]}}]
        if operation == "UpdateItem":
            ways += [{"AttributeUpdates": {"a": each}} for each in OLD_UPDATES]
        request.update(copy.deepcopy(self.pick(ways)))

    def bad_shape(self, operation, request, part):
        way = self.random.randrange(4)
        if len(json.dumps(request)) > MAX_MANIFOLD:
            return
        if way == 0:
            request.pop(self.pick(REQUIRED[operation]), None)
        elif way == 1 and "TableName" in part:
            part["TableName"] = self.pick(["a b", "", "ä", "a/b"])
        elif operation == "TransactWriteItems":
            self.bad_actions(request["TransactItems"], way)
        elif operation == "TransactGetItems":
            request["TransactItems"] = [] if way == 2 else request["TransactItems"] * 101
        elif operation.startswith("Batch"):
            self.bad_batch(request["RequestItems"], way)

    def bad_actions(self, actions, way):
        other = {"Delete": {"TableName": "T", "Key": {"h": {"S": "a"}}}}
        if self.random.random() < 0.5:
            actions[:] = [] if way == 2 else actions * 101
        elif way == 2:
            actions[0] = {}
        elif "Delete" not in actions[0]:
            actions[0].update(other)

    def bad_batch(self, parts, way):
        name = self.pick(list(parts))
        members = parts[name]["Keys"] if "Keys" in parts[name] else parts[name]
        if self.random.random() < 0.3:
            parts.clear()
        elif way == 2:
            members.clear()
        else:
            members[:] = members * 101

    def bad_name(self, operation, request, part):
        if operation.startswith("Batch"):
            old = self.pick(list(request["RequestItems"]))
            request["RequestItems"]["nosuch"] = request["RequestItems"].pop(old)
        else:
            part["TableName"] = "nosuch"
