"""Random parameters of the kind that expressions replaced."""

from generate_values import INDEXED, ODD, PLAIN, TYPES
from values import order, parse_value, to_json

SCALARS = ("S", "N", "B")
# The parameters of an operation: conditions, and one that lists attributes.
OLD = {"PutItem": ("Expected", None), "DeleteItem": ("Expected", None), "UpdateItem": ("Expected", "AttributeUpdates"),
       "GetItem": (None, "AttributesToGet"), "Query": ("QueryFilter", "AttributesToGet"),
       "Scan": ("ScanFilter", "AttributesToGet")}
OPERATORS = ("EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "BETWEEN", "IN", "NULL",
             "NOT_NULL")
NEW = ("ConditionExpression", "FilterExpression", "UpdateExpression", "ProjectionExpression", "KeyConditionExpression",
       "ExpressionAttributeNames", "ExpressionAttributeValues")


def make_old(values, operation, request, schema, item):
    """Puts legacy parameters in the place of a request's expressions."""
    for name in NEW:
        request.pop(name, None)
    conditions, names = OLD[operation]
    if operation == "Query":
        request["KeyConditions"] = key_conditions(values, schema, item)
    if conditions and values.chance(0.6):
        request[conditions] = {name: (expected if conditions == "Expected" else condition)(values, item, name)
                               for name in attributes(values, item, request.get("IndexName"))}
        if len(request[conditions]) > 1 and values.chance(0.5):
            request["ConditionalOperator"] = values.pick(["AND", "OR"])
    if names == "AttributesToGet" and "Select" not in request and values.chance(0.6):
        request[names] = attributes(values, item, request.get("IndexName"))
    if names == "AttributeUpdates":
        request[names] = {name: update(values, item, name) for name in attributes(values, item, None)}


def attributes(values, item, index):
    pool = sorted(set(INDEXED + (() if index else PLAIN + ODD)) | set(item or {}) - {"h", "r"})
    return values.random.sample(pool, values.random.randint(1, 3))


def stored(values, item, name):
    if item and name in item and values.chance(0.6):
        return to_json(item[name])
    return None


def condition(values, item, name):
    op = values.pick(OPERATORS)
    if op in ("NULL", "NOT_NULL"):
        return {"ComparisonOperator": op}
    kinds = TYPES if op in ("EQ", "NE") else ("S", "B") if op == "BEGINS_WITH" else SCALARS
    if values.chance(0.03):
        kinds = TYPES
    count = {"BETWEEN": 2, "IN": values.random.randint(1, 3)}.get(op, 1)
    kind = values.pick(kinds)
    found = [values.value(depth=2, kind=kind) for _ in range(count)]
    own = stored(values, item, name)
    if own and next(iter(own)) in kinds and op != "BETWEEN":
        found[0] = own
    if op == "BETWEEN":
        found.sort(key=lambda json: order(parse_value(json)) if kind in SCALARS else 0)
    if values.chance(0.02):
        found.append(found[0])
    return {"ComparisonOperator": op, "AttributeValueList": found}


def expected(values, item, name):
    roll = values.random.random()
    if roll < 0.5:
        return condition(values, item, name)
    if roll < 0.65:
        return {"Exists": False}
    part = {"Value": stored(values, item, name) or values.value(depth=2)}
    if roll < 0.75:
        part["Exists"] = True
    return part


def update(values, item, name):
    action = values.pick(["PUT", "PUT", None, "ADD", "DELETE", "DELETE"])
    part = {} if action is None else {"Action": action}
    if action == "DELETE" and values.chance(0.6):
        return part
    kinds = {"ADD": ("N", "SS", "NS", "BS", "L"), "DELETE": ("SS", "NS", "BS")}.get(action, TYPES)
    own = item and item.get(name)
    kind = own[0] if own and own[0] in kinds and values.chance(0.6) else values.pick(kinds)
    part["Value"] = values.value(depth=2, kind=kind if values.chance(0.97) else None)
    return part


def key_conditions(values, schema, item):
    table, target = schema
    found = {name: equal(values, table, item, name) for name in target.hash}
    used = values.random.randint(0, len(target.range))
    for name in target.range[:max(used - 1, 0)]:
        found[name] = equal(values, table, item, name)
    if used:
        found[target.range[used - 1]] = ranged(values, table, item, target.range[used - 1])
    return found


def key_json(values, table, item, name):
    own = stored(values, item, name)
    return own if own and table.types[name] in own else values.key_value(table, name)


def equal(values, table, item, name):
    return {"ComparisonOperator": "EQ", "AttributeValueList": [key_json(values, table, item, name)]}


def ranged(values, table, item, name):
    op = values.pick(["EQ", "LE", "LT", "GE", "GT", "BETWEEN", "BEGINS_WITH"])
    if op == "BEGINS_WITH" and table.types[name] == "N":
        op = "GE"
    found = sorted((key_json(values, table, item, name) for _ in range(2 if op == "BETWEEN" else 1)),
                   key=lambda json: order(parse_value(json)))
    return {"ComparisonOperator": op, "AttributeValueList": found}
