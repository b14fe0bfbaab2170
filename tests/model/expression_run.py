"""Expressions run on items: conditions, projections, updates."""

from decimal import Decimal

import values as v
from values import Fault

BAD_PATH = "The document path provided in the update expression is invalid for update"
NO_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"
# AttributeUpdates is seen to word it in its own way.
OLD_OPERAND = "Type mismatch for attribute to update"
BAD_OPERAND = "An operand in the update expression has an incorrect data type"
REMOVED = object()


def lookup(item, path):
    """The value at a path, or None. A step into the wrong type is a missing value."""
    value = ("M", item)
    for step in path:
        if isinstance(step, int):
            fits = value[0] == "L" and step < len(value[1])
        else:
            fits = value[0] == "M" and step in value[1]
        if not fits:
            return None
        value = value[1][step]
    return value


# Conditions


def operand(node, item):
    if node[0] == "path":
        return lookup(item, node[1])
    if node[0] == "value":
        return node[1]
    return length(operand(node[2][0], item))


def length(value):
    if value is None or value[0] in ("N", "BOOL", "NULL"):
        return None
    if value[0] == "S":
        # Beyond ASCII sources differ; UTF-16 code units are what one of them measured.
        return "N", Decimal(len(value[1].encode("utf-16-le")) // 2)
    return "N", Decimal(len(value[1]))


def compare(op, a, b):
    if op == "<>":
        return a is None or b is None or a != b
    if a is None or b is None:
        return False
    if op == "=":
        return a == b
    if a[0] != b[0] or a[0] not in ("S", "N", "B"):
        return False
    x, y = v.order(a), v.order(b)
    return {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def begins_with(a, b):
    return a[0] == b[0] and a[0] in ("S", "B") and v.order(a).startswith(v.order(b))


def contains(a, b):
    if a[0] in ("SS", "NS", "BS"):
        return b[0] == a[0][0] and b[1] in a[1]
    if a[0] == "L":
        return b in a[1]
    return a[0] == b[0] and a[0] in ("S", "B") and v.order(b) in v.order(a)


def function(name, arguments):
    if name in ("attribute_exists", "attribute_not_exists"):
        return (arguments[0] is not None) == (name == "attribute_exists")
    if None in arguments:
        return False
    if name == "attribute_type":
        return arguments[0][0] == arguments[1][1]
    return {"begins_with": begins_with, "contains": contains}[name](*arguments)


def holds(node, item):
    """Whether a checked condition is true of an item."""
    kind = node[0]
    if kind == "and":
        return holds(node[1], item) and holds(node[2], item)
    if kind == "or":
        return holds(node[1], item) or holds(node[2], item)
    if kind == "not":
        return not holds(node[1], item)
    if kind == "compare":
        return compare(node[1], operand(node[2], item), operand(node[3], item))
    if kind == "between":
        value, low, high = (operand(part, item) for part in node[1:])
        return compare("<=", low, value) and compare("<=", value, high)
    if kind == "in":
        return any(compare("=", operand(node[1], item), operand(part, item)) for part in node[2])
    return function(node[1], [operand(part, item) for part in node[2]])


# Projections


def grow(tree, path):
    for step in path:
        tree = tree.setdefault(step, {})


def pick(value, tree):
    """What a tree of steps selects of a value; None: nothing."""
    if not tree:
        return value
    if value[0] == "M":
        found = {name: pick(value[1][name], branch) for name, branch in tree.items() if name in value[1]}
        found = {name: part for name, part in found.items() if part is not None}
        return ("M", found) if found else None
    if value[0] == "L":
        parts = [pick(value[1][at], tree[at]) for at in sorted(s for s in tree if isinstance(s, int))
                 if at < len(value[1])]
        parts = [part for part in parts if part is not None]
        return ("L", parts) if parts else None
    return None


def project(item, paths):
    tree = {}
    for path in paths:
        grow(tree, path)
    found = pick(("M", item), tree) if paths else None
    return found[1] if found else {}


# Updates


def add_numbers(op, a, b):
    total = a + b if op == "+" else a - b
    try:
        return "N", v.check_number(total)
    except Fault as fault:
        # Lost precision is told as an overflow.
        raise Fault(v.OVERFLOW if fault.texts[0] == v.TOO_MANY_DIGITS else fault.texts[0]) from None


def typed_operands(nodes, kind, item):
    """Operands of one type. Of two faults either may be told."""
    found, faults = [], []
    for node in nodes:
        try:
            found.append(set_operand(node, item))
            if found[-1][0] != kind:
                raise Fault(BAD_OPERAND)
        except Fault as fault:
            faults.append(fault)
    v.one_of(faults)
    return [value for _, value in found]


def set_operand(node, item):
    if node[0] == "value":
        return node[1]
    if node[0] == "path":
        found = lookup(item, node[1])
        if found is None:
            raise Fault(NO_ATTRIBUTE)
        return found
    if node[0] == "arithmetic":
        return add_numbers(node[1], *typed_operands(node[2:], "N", item))
    if node[1] == "if_not_exists":
        found = lookup(item, node[2][0][1])
        return found if found is not None else set_operand(node[2][1], item)
    left, right = typed_operands(node[2], "L", item)
    return "L", left + right


def add_value(old, value):
    if old is None:
        return value
    if old[0] != value[0]:
        raise Fault(BAD_OPERAND, OLD_OPERAND)
    if value[0] == "L":  # by AttributeUpdates alone
        return "L", old[1] + value[1]
    return add_numbers("+", old[1], value[1]) if value[0] == "N" else (value[0], old[1] | value[1])


def delete_value(old, value):
    if old is None:
        return REMOVED
    if old[0] != value[0]:
        raise Fault(BAD_OPERAND, OLD_OPERAND)
    rest = old[1] - value[1]
    return (value[0], rest) if rest else REMOVED


def new_value(action, item):
    clause, path, operand_node = action
    if clause == "REMOVE":
        return REMOVED
    if clause == "SET":
        return set_operand(operand_node, item)
    change = add_value if clause == "ADD" else delete_value
    return change(lookup(item, path), operand_node[1])


def check_parent(path, item):
    parent = lookup(item, path[:-1])
    if parent is None or parent[0] != ("L" if isinstance(path[-1], int) else "M"):
        raise Fault(BAD_PATH)


class Leaf:
    def __init__(self, value):
        self.value = value


def rebuild(value, tree):
    """A value with the writes of a tree applied. Indexes mean positions in the old list."""
    if isinstance(tree, Leaf):
        return tree.value
    if value[0] == "M":
        members = dict(value[1])
        for name, branch in tree.items():
            members[name] = rebuild(members.get(name), branch)
        return "M", {name: part for name, part in members.items() if part is not REMOVED}
    members = list(value[1])
    for at in sorted(tree):
        if at < len(value[1]):
            members[at] = rebuild(value[1][at], tree[at])
        else:
            members.append(tree[at].value)
    return "L", [part for part in members if part is not REMOVED]


def update(item, actions, exists):
    """The item after an update; every right side reads the item as it was before."""
    faults, tree = [], {}
    for action in actions:
        try:
            if not exists and action[0] == "REMOVE":
                continue
            check_parent(action[1], item)
            value = new_value(action, item)
        except Fault as fault:
            faults.append(fault)
            # Either fault of one action may be found first.
            if fault.texts[0] == BAD_PATH:
                faults += faults_of_value(action, item)
            continue
        branch = tree
        for step in action[1][:-1]:
            branch = branch.setdefault(step, {})
        branch[action[1][-1]] = Leaf(value)
    v.one_of(faults)
    return rebuild(("M", item), tree)[1] if tree else dict(item)


def faults_of_value(action, item):
    try:
        new_value(action, item)
        return []
    except Fault as fault:
        return [fault]


def depth(value):
    if value[0] == "L":
        return 1 + max((depth(part) for part in value[1]), default=0)
    if value[0] == "M":
        return 1 + max((depth(part) for part in value[1].values()), default=0)
    return 1
