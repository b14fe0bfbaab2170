"""KeyConditionExpression: one condition on each key attribute that it names."""

import tables
import values as v
from expression_check import Checker
from expression_text import ANY
from values import INVALID, Fault

INVALID_TEXT = "Invalid KeyConditionExpression: "
CONDITION = INVALID_TEXT + "Invalid condition in KeyConditionExpression: "
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
MISSED = "Query condition missed key schema element: "


def family(text):
    return Fault(text, family=True)


def conjuncts(node):
    if node[0] == "and":
        return conjuncts(node[1]) + conjuncts(node[2])
    return [node]


def operator(node):
    """The operator of a condition as it reads, and its operands."""
    if node[0] in ("or", "not", "in"):
        raise family(f"{INVALID_TEXT}Invalid operator used in KeyConditionExpression: {node[0].upper()}")
    if node[0] == "function":
        if node[1] != "begins_with":
            raise family(f"{INVALID_TEXT}Invalid operator used in KeyConditionExpression: {node[1]}")
        return "begins_with", node[2]
    if node[0] == "between":
        return "BETWEEN", list(node[1:])
    if node[1] == "<>":
        raise family(f"{INVALID_TEXT}Invalid operator used in KeyConditionExpression: <>")
    return node[1], list(node[2:])


def read_condition(node):
    op, operands = operator(node)
    paths = [part for part in operands if part[0] == "path"]
    if any(part[0] == "function" for part in operands):
        raise family(INVALID_TEXT + ANY)
    if len(paths) > 1:
        raise family(f"{CONDITION}Multiple attribute names used in one condition")
    if not paths:
        raise family(f"{CONDITION}No key attribute specified")
    if len(paths[0][1]) > 1:
        raise family(f"{INVALID_TEXT}KeyConditionExpressions cannot have conditions on nested attributes")
    if operands[0][0] != "path":
        if op not in FLIPPED:
            raise family(INVALID_TEXT + ANY)
        op, operands = FLIPPED[op], operands[::-1]
    return operands[0][1][0], (op, [part[1] for part in operands[1:]])


def parse(text, placeholders):
    """{attribute: (operator, values)}"""
    tree = Checker("KeyCondition", text, placeholders).condition()
    found = {}
    for node in conjuncts(tree):
        name, condition = read_condition(node)
        if name in found:
            raise family(f"{INVALID_TEXT}KeyConditionExpressions must only contain one condition per key")
        found[name] = condition
    return found


def check(found, target, types):
    """Holds the conditions against the key schema of what is queried."""
    faults = [Fault(MISSED + name) for name in target.hash if name not in found]
    faults += [Fault("Query key condition not supported") for name in target.hash
               if name in found and found[name][0] != "="]
    extra = [name for name in found if name not in target.keys]
    if extra:
        faults += [Fault(MISSED + name) for name in target.range] or [Fault(MISSED + ANY), Fault(ANY)]
    faults += range_faults(found, target)
    for name in target.keys:
        faults += value_faults(name, name in target.hash, *found.get(name, ("=", [])), types[name])
    v.one_of(faults)


def range_faults(found, target):
    used = [name for name in target.range if name in found]
    faults = [Fault(MISSED + name) for name in target.range[:len(used)] if name not in found]
    if any(found[name][0] != "=" for name in used[:-1]):
        faults.append(Fault(ANY))
    return faults


def value_faults(name, is_hash, op, values, kind):
    if any(value[0] != kind for value in values):
        return [Fault(f"{INVALID}Condition parameter type does not match schema type")]
    if op == "begins_with" and kind == "N":
        return [Fault(ANY)]
    limit, text = (tables.MAX_HASH, tables.HASH_TOO_LONG) if is_hash else (tables.MAX_RANGE, tables.RANGE_TOO_LONG)
    return [Fault(f"{tables.NOT_VALID}{tables.EMPTY.format(tables.empty_word(value))} Key: {name}")
            for value in values if tables.empty_word(value)] + \
        [Fault(text) for value in values if v.size(value) > limit]


def holds(condition, value):
    op, values = condition
    orders = [v.order(other) for other in values]
    own = v.order(value)
    if op == "begins_with":
        return own.startswith(orders[0])
    if op == "BETWEEN":
        return orders[0] <= own <= orders[1]
    return {"=": own == orders[0], "<": own < orders[0], "<=": own <= orders[0], ">": own > orders[0],
            ">=": own >= orders[0]}[op]


def within(found, item):
    return all(holds(condition, item[name]) for name, condition in found.items())
